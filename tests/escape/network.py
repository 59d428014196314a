"""The network of hostile programs: names, addresses and servers that are nothing but Python objects.

No socket is ever opened. What a guard lets through to an address that is not public is told in the answer,
so that a program's header, which says what it gets, does not hold any more.
"""

from __future__ import annotations

import gzip
import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote

import anyio
import anyio.lowlevel
import httpcore
from nodetool_sandbox import Fetch, Secret, Secrets

PUBLIC: Final = "93.184.216.34"
SECRET: Final = "hunter2-d41d8cd98f00"  # the value that `leaks_of` looks for

NAMES: Final[Mapping[str, Sequence[str]]] = {
    "inside.test": ["10.0.0.7"],
    "mixed.test": [PUBLIC, "127.0.0.1"],
    "metadata.test": ["169.254.169.254"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "zone.test": ["fe80::1%lo"],
    "gone.test": [],
}


def fetch_of_cases() -> Fetch:
    """The power, with that network below it."""
    asked: dict[str, int] = {}

    async def resolve(host: str, port: int) -> Sequence[str]:  # noqa: ARG001 - a Resolver
        if host == "stall.test":
            await anyio.sleep_forever()
        if host == "rebind.test":
            asked[host] = asked.get(host, 0) + 1
            return [PUBLIC] if asked[host] == 1 else ["127.0.0.1"]
        return NAMES.get(host, [PUBLIC])

    async def connect(address: str, port: int) -> httpcore.AsyncNetworkStream:  # noqa: ARG001 - a Connector
        return FakeServer(address)

    return Fetch(resolver=resolve, connector=connect)


def secrets_of_cases() -> Secrets:
    """A secret for `api.test`, and a text."""
    return Secrets({"KEY": Secret(SECRET, ["api.test"], allow_plain_http=True), "PLAIN": "of no importance"})


class FakeServer(httpcore.AsyncNetworkStream):
    """A server and the connection to it."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._request = b""
        self._answer: Iterator[bytes] = iter(())

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        self._request += buffer
        head, end, body = self._request.partition(b"\r\n\r\n")
        sized = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if end and len(body) >= (int(sized[0].partition(b":")[2]) if sized else 0):
            self._answer = iter(self._answers(head, body))
            self._request = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002, ASYNC109
        await anyio.lowlevel.checkpoint()
        piece = next(self._answer, b"")
        if piece == b"STALL":
            await anyio.sleep_forever()
        return piece

    async def aclose(self) -> None:
        await anyio.lowlevel.checkpoint()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,  # noqa: ARG002
        server_hostname: str | None = None,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        return self

    def get_extra_info(self, info: str) -> object:
        return False if info == "is_readable" else None

    def _answers(self, head: bytes, body: bytes) -> Iterator[bytes]:
        if not ip_address(self._address).is_global:
            yield _http(f"REACHED {self._address}".encode())
            return
        path, _, query = head.split(b" ")[1].decode().partition("?")
        make = _ANSWERS.get(path)
        if make is not None:
            yield from make(unquote(query), head + b"\r\n\r\n" + body)
        else:
            yield _http(b"public")


def _http(body: bytes, *lines: str, status: str = "200 OK") -> bytes:
    head = "\r\n".join([f"HTTP/1.1 {status}", *lines, f"Content-Length: {len(body)}"])
    return head.encode("latin-1") + b"\r\n\r\n" + body


def _bomb(levels: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join(packer.compress(bytes(2**20)) for _ in range(512)) + packer.flush()
    for _ in range(levels - 1):
        data = gzip.compress(data)
    return data


def _endless(query: str, _: bytes) -> Iterator[bytes]:
    yield (
        b"HTTP/1.1 200 OK\r\n"
        + (query.encode() + b"\r\n" if query else b"")
        + b"Content-Length: 1000000000000\r\n\r\n"
    )
    while True:
        yield b"x" * 65536


def _endless_headers(_: str, __: bytes) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        yield b"X-Header: y\r\n" * 1000


def _informational(_: str, __: bytes) -> Iterator[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n"


_ANSWERS: Final[Mapping[str, Callable[[str, bytes], Iterator[bytes]]]] = {
    "/redirect": lambda query, _: iter([_http(b"", f"Location: {query}", status="302 Found")]),
    "/again": lambda query, _: iter([_http(b"", f"Location: {query}", status="307 Again")]),
    "/loop": lambda _, __: iter([_http(b"", "Location: /loop", status="302 Found")]),
    "/echo": lambda _, request: iter([_http(request)]),
    "/echo/gzip": lambda _, request: iter([_http(gzip.compress(request), "Content-Encoding: gzip")]),
    "/echo/pieces": lambda _, request: iter(
        [
            _http(b"")[:-19] + f"Content-Length: {len(request)}\r\n\r\n".encode(),
            *(bytes([b]) for b in request),
        ]
    ),
    "/echo/header": lambda query, _: iter(
        [_http(b"", f"X-Echo: {query}", f"X-{query}: 1", f"Set-Cookie: a={query}")]
    ),
    "/echo/location": lambda query, _: iter(
        [_http(b"", f"Location: http://evil.test/?{query}", status="302 Found")]
    ),
    "/echo/hex": lambda _, request: iter([_http(request.hex().encode())]),
    "/body": lambda query, _: iter([_http(query.encode())]),
    "/deep": lambda _, __: iter([_http(b"[" * 500_000 + b"]" * 500_000)]),
    "/digits": lambda _, __: iter([_http(b"9" * 900_000)]),
    "/bomb": lambda query, _: iter(
        [_http(_bomb(int(query)), f"Content-Encoding: {', '.join(['gzip'] * int(query))}")]
    ),
    "/endless": _endless,
    "/endless/headers": _endless_headers,
    "/endless/continue": _informational,
    "/stall": lambda query, _: iter(
        [query.encode().replace(b"|", b"\r\n"), b"STALL"] if query else [b"STALL"]
    ),
    "/garbage": lambda _, __: iter([b"\x00\xff not http\r\n\r\n"]),
}
