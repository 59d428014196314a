"""Many requests at once to a server on loopback: a program's, and those of httpx by itself."""

from __future__ import annotations

import asyncio
import atexit
import subprocess
import sys
import time
from functools import lru_cache
from typing import Final

import httpx
from nodetool_sandbox import Fetch, Limits, Sandbox

BODY_BYTES: Final = 10_000
_ANSWER: Final = f"HTTP/1.1 200 OK\r\nContent-Length: {BODY_BYTES}\r\n\r\n".encode() + b"x" * BODY_BYTES
_CODE: Final = """
    const sizes = await Promise.all(Array.from({ length: count }, () => fetch(url).then(r => r.bytes())));
    return sizes.reduce((sum, bytes) => sum + bytes.length, 0);
"""

_sandbox = Sandbox(fetch=Fetch(hosts=["127.0.0.1"], allow_private_network=True))
_loop = asyncio.new_event_loop()


def fetches(count: int) -> float:
    """Seconds for a run that fetches so many bodies at once."""

    async def run() -> float:
        began = time.perf_counter()
        result = await _sandbox.run(
            _CODE, globals={"url": _url(), "count": count}, limits=Limits(max_fetch_calls=count)
        )
        taken = time.perf_counter() - began
        if result.value != count * BODY_BYTES:
            raise ValueError(f"{result.ended}: {result.error}")
        return taken

    return _loop.run_until_complete(run())


def fetches_with_httpx(count: int) -> float:
    """Seconds for a client of httpx that does the same."""

    async def run() -> float:
        url = _url()
        began = time.perf_counter()
        async with httpx.AsyncClient(verify=False, trust_env=False) as client:  # noqa: S501 - no TLS is spoken
            answers = await asyncio.gather(*(client.get(url) for _ in range(count)))
        taken = time.perf_counter() - began
        if sum(len(answer.content) for answer in answers) != count * BODY_BYTES:
            raise ValueError("a body is not whole")
        return taken

    return _loop.run_until_complete(run())


@lru_cache
def _url() -> str:
    """A server in a process of its own, for as long as this one lives."""
    server = subprocess.Popen([sys.executable, "-m", "benchmarks.fetches"], stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    assert server.stdout is not None  # noqa: S101 - asked for above
    return f"http://127.0.0.1:{int(server.stdout.readline())}/"


class _Server(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a TCP server's
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for _ in range(data.count(b"\r\n\r\n")):
            self._transport.write(_ANSWER)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
