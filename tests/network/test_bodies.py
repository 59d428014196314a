"""Bodies: the first bytes up to the cap, counted decoded, and never silently fewer than there were."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import anyio
import pytest
from loopback import STALL, Stall, http
from network.conftest import Serve
from nodetool_sandbox import Limits
from nodetool_sandbox.bridges.net.bodies import Body, Room
from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.secret_text import Finder
from powers import failure_with, value_with
from runs import until

CAP: Final = 4096
LIMITS: Final = Limits(max_response_body_bytes=CAP)
TELL: Final = """
    const r = await fetch("http://a.test/");
    return [(await r.bytes()).length, r.truncated, r.status]
"""
KIB: Final = 1024
MIB: Final = 1024 * KIB


def deflate(data: bytes, *, wrapped: bool = True) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def chunked(*chunks: bytes) -> bytes:
    return b"".join(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n" for chunk in chunks) + b"0\r\n\r\n"


def encoded(body: bytes, coding: str) -> bytes:
    return http(body, f"Content-Encoding: {coding}")


@pytest.mark.parametrize(
    ("size", "truncated"), [(CAP - 1, False), (CAP, False), (CAP + 1, True), (10 * MIB, True)]
)
@pytest.mark.parametrize("form", ["plain", "gzip", "deflate", "raw deflate", "gzip, deflate", "chunked"])
def test_a_body_is_whole_up_to_the_cap_and_flagged_beyond_it(
    serve: Serve, size: int, form: str, *, truncated: bool
) -> None:
    data = b"a" * size
    answers = {
        "plain": http(data),
        "gzip": encoded(gzip.compress(data), "gzip"),
        "deflate": encoded(deflate(data), "deflate"),
        "raw deflate": encoded(deflate(data, wrapped=False), "deflate"),
        "gzip, deflate": encoded(deflate(gzip.compress(data)), "gzip, deflate"),
        "chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + chunked(data[:1000], data[1000:]),
    }
    internet = serve(answers[form])
    assert value_with(TELL, fetch=internet.fetch(), limits=LIMITS) == [min(size, CAP), truncated, 200]


@pytest.mark.parametrize("size", [1, CAP // 2])
def test_the_bytes_are_the_first_ones(serve: Serve, size: int) -> None:
    data = bytes(i % 251 for i in range(CAP + size))
    internet = serve(encoded(gzip.compress(data), "X-GZIP"))
    code = "return (await fetch('http://a.test/')).bytes()"
    assert value_with(code, fetch=internet.fetch(), limits=LIMITS) == data[:CAP]


def test_json_that_was_cut_is_undefined(serve: Serve) -> None:
    internet = serve(http(b"[" + b"1," * CAP + b"1]"))
    code = "const r = await fetch('http://a.test/'); return [typeof r.json, r.truncated, r.body.length]"
    assert value_with(code, fetch=internet.fetch(), limits=LIMITS) == ["undefined", True, CAP]


@pytest.mark.parametrize(
    "raw",
    [
        http(b"x" * 10, length=100),
        http(b"x" * 10, length=10**15),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nxxxxx\r\n5\r\nxxxxx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nxxxxxxxxxx\r\nnonsense\r\n",
    ],
    ids=["short", "huge length", "cut chunk", "no chunk"],
)
def test_a_body_that_breaks_gives_what_had_come(serve: Serve, raw: bytes) -> None:
    internet = serve(lambda _: [raw])
    code = "const r = await fetch('http://a.test/'); return [r.body, r.truncated]"
    assert value_with(code, fetch=internet.fetch()) == ["xxxxxxxxxx", True]


@pytest.mark.parametrize(
    ("body", "coding", "told"),
    [
        (gzip.compress(b"abc" * 100)[:-20], "gzip", True),
        (gzip.compress(b"abc" * 100)[:-1], "gzip", True),
        (gzip.compress(b"abc" * 100)[:5], "gzip", True),
        (b"no gzip at all", "gzip", True),
        (b"no deflate at all", "deflate", True),
        (gzip.compress(b"abc") + b"trailing", "gzip", True),
        (gzip.compress(b"abc") + gzip.compress(b"def"), "gzip", False),
        (deflate(b"abc") + b"trailing", "deflate", False),
        (b"", "gzip", False),
        (b"abc", "identity", False),
    ],
    ids=lambda each: ascii(each)[-24:],
)
def test_a_body_that_is_not_of_its_coding_is_flagged(
    serve: Serve, body: bytes, coding: str, *, told: bool
) -> None:
    internet = serve(encoded(body, coding))
    assert value_with("return (await fetch('http://a.test/')).truncated", fetch=internet.fetch()) is told


def test_the_members_of_a_gzip_body_come_one_after_the_other(serve: Serve) -> None:
    internet = serve(encoded(gzip.compress(b"abc") + gzip.compress(b"def"), "gzip"))
    assert value_with("return (await fetch('http://a.test/')).body", fetch=internet.fetch()) == "abcdef"


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip, gzip, gzip", "gzip, br", "\x80"])
def test_a_coding_that_was_not_asked_for_is_refused(serve: Serve, coding: str) -> None:
    internet = serve(encoded(b"x" * 100, coding))
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch())
    assert "which was not asked for" in error.message


def bomb(levels: int, size: int = 64 * MIB) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join(packer.compress(bytes(MIB)) for _ in range(size // MIB)) + packer.flush()
    for _ in range(levels - 1):
        data = gzip.compress(data)
    return data


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_bomb_gives_the_first_bytes_and_no_more_is_inflated(serve: Serve, levels: int) -> None:
    internet = serve(encoded(bomb(levels), ", ".join(["gzip"] * levels)))
    assert value_with(TELL, fetch=internet.fetch(), limits=LIMITS) == [CAP, True, 200]


@pytest.mark.parametrize(
    "body", [gzip.compress(b"") * 50_000, gzip.compress(gzip.compress(b"") * 200_000)], ids=["one", "two"]
)
def test_a_body_that_inflates_to_nothing_for_ever_is_cut(serve: Serve, body: bytes) -> None:
    internet = serve(encoded(body * 2, "gzip, gzip"))
    assert value_with(TELL, fetch=internet.fetch(), limits=LIMITS) == [0, True, 200]


def test_a_body_without_an_end_is_cut_at_the_cap_and_its_connection_closed(serve: Serve) -> None:
    def endless(_: object) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        while True:
            yield b"a" * 65536

    internet = serve(endless)
    assert value_with(TELL, fetch=internet.fetch(), limits=LIMITS) == [CAP, True, 200]
    assert internet.server.gone.wait(10)


def test_a_body_that_stops_coming_gives_what_had_come_when_its_time_is_over(serve: Serve) -> None:
    def stalling(_: object) -> Iterator[bytes | Stall]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"
        yield STALL

    internet = serve(stalling)
    code = "const r = await fetch('http://a.test/'); return [r.body, r.truncated]"
    assert value_with(code, fetch=internet.fetch(), limits=Limits(fetch_timeout_ms=100)) == ["abc", True]
    until(internet.server.gone.is_set, "the connection is closed")


def test_headers_that_do_not_come_end_the_call_when_its_time_is_over(serve: Serve) -> None:
    internet = serve(lambda _: [b"HTTP/1.1 200 OK\r\nX: y\r\n", STALL])
    error = failure_with(
        "await fetch('http://a.test/')", fetch=internet.fetch(), limits=Limits(fetch_timeout_ms=100)
    )
    assert (error.name, error.message) == ("AbortError", "fetch: timed out after 100 ms (fetch_timeout_ms)")


def test_one_time_out_covers_all_hops(serve: Serve) -> None:
    internet = serve(
        lambda request: http(b"", "Location: /x", status="302 Found") if request.target != "/x" else [STALL]
    )
    error = failure_with(
        "await fetch('http://a.test/')", fetch=internet.fetch(), limits=Limits(fetch_timeout_ms=100)
    )
    assert "timed out after 100 ms" in error.message


@pytest.mark.parametrize(("size", "is_refused"), [(MIB // 2, False), (MIB // 2 + 1, True)])
def test_bodies_that_arrive_together_hold_no_more_than_the_guest_may(*, size: int, is_refused: bool) -> None:
    room = Room(MIB)
    bodies = [Body(max_bytes=MIB, codings=[], finder=Finder([]), room=room) for _ in range(2)]

    async def one() -> AsyncIterator[bytes]:
        yield b"x" * size

    async def read() -> None:
        for body in bodies:
            await body.read(one())

    if is_refused:
        with pytest.raises(BridgeError, match="arrive at the same time exceed 1,048,576 bytes") as refusal:
            anyio.run(read)
        assert refusal.value.name == "RangeError"
    else:
        anyio.run(read)
    for body in bodies:
        body.close()
    room.take(MIB)  # all of it is there again


def test_a_body_in_chunks_of_one_byte_is_read_whole_and_holds_up_nobody(serve: Serve) -> None:
    body = b"".join(b"1\r\nx\r\n" for _ in range(5000)) + b"0\r\n\r\n"
    internet = serve(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    code = "const r = await fetch('http://a.test/'); return [r.body.length, r.truncated]"
    assert value_with(code, fetch=internet.fetch()) == [5000, False]
