"""An internet that is this machine: names resolve as a test says, and every connection ends at its servers.

Whatever a guard lets through, no packet leaves: the connector of `Internet.fetch` leads each address to a server
on loopback, and counts it.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

import httpcore
from nodetool_sandbox import Fetch

PUBLIC: Final = "93.184.216.34"
"""What names resolve to that a test says nothing about."""

PATIENCE_S: Final = 10.0


class Stall:
    """In an answer: here the server falls silent, and waits until its peer is gone."""


STALL: Final = Stall()


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came over the wire."""

    head: bytes
    body: bytes

    @property
    def lines(self) -> list[str]:
        """The request line and the header lines."""
        return self.head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")

    @property
    def headers(self) -> dict[str, str]:
        """By lower-case name; the last of several."""
        pairs = (line.partition(":") for line in self.lines[1:])
        return {name.lower(): value.strip() for name, _, value in pairs}

    @property
    def target(self) -> str:
        """Path and query."""
        return self.lines[0].split(" ")[1]


Answer = bytes | Iterable[bytes | Stall]
Answering = Callable[[Request], Answer]


def http(body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """An answer in HTTP/1.1."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


HELLO: Final = http(b"hello")


def redirect(location: str, status: str = "302 Found") -> bytes:
    """An answer that leads elsewhere."""
    return http(b"", f"Location: {location}", status=status)


class Server:
    """A server on loopback, on a thread of its own. It notes what comes and answers as the test says."""

    def __init__(
        self, answer: Answering | Answer, *, tls: ssl.SSLContext | None = None, silent: bool = False
    ) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        self.closed = 0
        self.port = 0
        self.stalled = threading.Event()
        self.gone = threading.Event()
        self._answer: Answering = answer if callable(answer) else lambda _: answer
        self._tls = tls
        self._silent = silent
        self._conversations: set[asyncio.Task[None]] = set()
        self._ready = threading.Event()
        self._over = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve()), name="loopback-server", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE_S)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(
            self._converse, "127.0.0.1", 0, ssl=self._tls, backlog=256, limit=2**20
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        await asyncio.sleep(0)  # a connection that was just accepted begins its conversation
        while self._conversations:
            for conversation in self._conversations:
                conversation.cancel()
            await asyncio.wait(self._conversations)
        await asyncio.sleep(0)  # what was aborted is closed one turn later
        await asyncio.sleep(0)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        conversation = asyncio.current_task()
        assert conversation is not None
        self._conversations.add(conversation)
        conversation.add_done_callback(self._conversations.discard)
        try:
            if self._silent:
                await self._fall_silent(reader)
            while not self._silent and await self._exchange(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            self.gone.set()
            writer.transport.abort()
            self.closed += 1

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        sized = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        body = await reader.readexactly(int(sized[0].partition(b":")[2])) if sized else b""
        request = Request(head, body)
        self.requests.append(request)
        answer = self._answer(request)
        for piece in [answer] if isinstance(answer, bytes) else answer:
            if isinstance(piece, Stall):
                await self._fall_silent(reader)
                return False
            writer.write(piece)
            await writer.drain()
        return isinstance(answer, bytes)  # one in pieces may end with the connection

    async def _fall_silent(self, reader: asyncio.StreamReader) -> None:
        self.stalled.set()
        while await reader.read(65536):
            pass


@dataclass
class Internet:
    """Names, and one server behind all addresses. `reached` are the addresses that were connected to."""

    server: Server
    names: Mapping[str, Sequence[str] | Exception] = field(default_factory=dict)
    reached: list[tuple[str, int]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """See Resolver."""
        self.asked.append(f"{host}:{port}")
        found = self.names.get(host, [PUBLIC])
        if isinstance(found, Exception):
            raise found
        return found

    async def connect(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        """See Connector: every address is this machine's server."""
        self.reached.append((address, port))
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.server.port)

    def fetch(
        self,
        *,
        hosts: Iterable[str] | None = None,
        allow_private_network: bool = False,
        user_agent: str = "",
        proxy: str | None = None,
        tls: ssl.SSLContext | None = None,
        resolver: Callable[[str, int], Awaitable[Sequence[str]]] | None = None,
    ) -> Fetch:
        """The power, with this internet below it."""
        return Fetch(
            hosts=hosts,
            allow_private_network=allow_private_network,
            user_agent=user_agent,
            proxy=proxy,
            tls=tls,
            resolver=resolver or self.resolve,
            connector=self.connect,
        )
