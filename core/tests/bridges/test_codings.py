"""Content codings, whatever pieces they come in."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox.bridges.net.codings import (
    MAX_CODINGS,
    PIECE_BYTES,
    CodingBroken,
    Decoding,
    UnknownCoding,
    parse_codings,
)

MANY = 10**9


def deflate(data: bytes, bits: int) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, bits)
    return packer.compress(data) + packer.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": lambda data: deflate(data, zlib.MAX_WBITS),
    "raw": lambda data: deflate(data, -zlib.MAX_WBITS),
}


def pieces(data: bytes, sizes: list[int]) -> list[bytes]:
    found = []
    for size in sizes:
        found.append(data[:size])
        data = data[size:]
    return [*found, data]


@pytest.mark.property
@given(
    data=st.binary(max_size=2000),
    codings=st.lists(st.sampled_from(sorted(ENCODERS)), min_size=1, max_size=MAX_CODINGS),
    sizes=st.lists(st.integers(0, 40), max_size=60),
)
def test_what_was_encoded_is_decoded_whatever_pieces_it_comes_in(
    data: bytes, codings: list[str], sizes: list[int]
) -> None:
    body = data
    for coding in codings:
        body = ENCODERS[coding](body)
    names = ["deflate" if coding == "raw" else coding for coding in codings]
    decoding = Decoding(names, max_bytes=MANY)
    told = b"".join(piece for part in pieces(body, sizes) for piece in decoding.feed(part))
    assert told == data
    assert decoding.is_complete


@pytest.mark.property
@given(data=st.binary(max_size=500), coding=st.sampled_from(["gzip", "deflate"]))
def test_bytes_of_a_stranger_are_decoded_or_refused(data: bytes, coding: str) -> None:
    decoding = Decoding([coding], max_bytes=MANY)
    try:
        for piece in decoding.feed(data):
            assert len(piece) <= PIECE_BYTES
    except CodingBroken:
        pass


def test_a_piece_is_never_larger_than_its_bound() -> None:
    decoding = Decoding(["gzip"], max_bytes=MANY)
    assert max(len(piece) for piece in decoding.feed(gzip.compress(bytes(10**7)))) == PIECE_BYTES


def test_what_lies_between_two_codings_is_bounded_too() -> None:
    decoding = Decoding(["gzip", "gzip"], max_bytes=1000)
    with pytest.raises(CodingBroken):
        for _ in decoding.feed(gzip.compress(gzip.compress(b"") * 10_000)):
            pass


@pytest.mark.parametrize(
    ("values", "codings"),
    [
        ([], []),
        ([b"identity"], []),
        ([b"GZIP , x-gzip"], ["gzip", "gzip"]),
        ([b"gzip", b"deflate"], ["gzip", "deflate"]),
        ([b" , "], []),
    ],
)
def test_codings_are_read_as_they_were_applied(values: list[bytes], codings: list[str]) -> None:
    assert parse_codings(values) == codings


@pytest.mark.parametrize("values", [[b"br"], [b"gzip, br"], [b"gzip"] * (MAX_CODINGS + 1), [b"\xff"]])
def test_another_coding_is_refused(values: list[bytes]) -> None:
    with pytest.raises(UnknownCoding):
        parse_codings(values)
