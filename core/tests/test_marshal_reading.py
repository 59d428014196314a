from __future__ import annotations

import math
import struct
from datetime import UTC, datetime
from typing import Any

import msgpack
import pytest
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal import (
    MAX_BIGINT_BYTES,
    MAX_DEPTH,
    MAX_HOST_CONTAINERS,
    MAX_HOST_VALUES,
    Ext,
    FunctionTable,
    content_bytes,
    to_guest,
    to_host,
)
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, UNDEFINED, BigInt, JSDate, JSMap, JSSet
from strategies import as_told

MIB = 1024 * 1024
EMPTY_SET = b"\xd4\x05\x90"


def ext(kind: Ext, data: bytes = b"") -> bytes:
    return bytes(msgpack.packb(msgpack.ExtType(int(kind), data)))


def date_ext(epoch_ms: float) -> bytes:
    return ext(Ext.DATE, struct.pack(">d", epoch_ms))


def packed(value: object) -> bytes:
    return bytes(msgpack.packb(value, unicode_errors="surrogatepass"))


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        (b"\xc0", None),
        (b"\xc2", False),
        (b"\xc3", True),
        (b"\x05", 5),
        (b"\xd0\x05", 5),
        (packed(MAX_SAFE_INTEGER), MAX_SAFE_INTEGER),
        (packed(-MAX_SAFE_INTEGER), -MAX_SAFE_INTEGER),
        (packed(MAX_SAFE_INTEGER + 1), BigInt(MAX_SAFE_INTEGER + 1)),
        (packed(-(2**63)), BigInt(-(2**63))),
        (packed(2**64 - 1), BigInt(2**64 - 1)),
        (packed(5.0), 5.0),
        (packed(-0.0), -0.0),
        (packed(math.inf), math.inf),
        (b"\xca\x3f\xc0\0\0", 1.5),
        (packed("a\0\ud800\U0001f600"), "a\0\ud800\U0001f600"),
        (packed("x" * 70_000), "x" * 70_000),
        (packed(b"\0\xff"), b"\0\xff"),
        (packed([1, [None, []]]), [1, [None, []]]),
        (packed({"": {"__proto__": 1}}), {"": {"__proto__": 1}}),
        (ext(Ext.UNDEFINED), UNDEFINED),
        (ext(Ext.BIGINT, b"\x80"), BigInt(-128)),
        (ext(Ext.BIGINT, b"\0\0\x80"), BigInt(128)),
        (ext(Ext.BIGINT, b"\x7f" * MAX_BIGINT_BYTES), BigInt.from_bytes(b"\x7f" * MAX_BIGINT_BYTES, "big")),
        (date_ext(1.5e12), datetime(2017, 7, 14, 2, 40, tzinfo=UTC)),
        (date_ext(-1), datetime(1969, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)),
        (date_ext(-0.0), datetime(1970, 1, 1, tzinfo=UTC)),
        (date_ext(8.64e15), JSDate(8.64e15)),
        (date_ext(-8.64e15), JSDate(-8.64e15)),
        (ext(Ext.MAP, packed([1, {"a": []}])), JSMap(((1, {"a": []}),))),
        (ext(Ext.SET, packed([1, [2]])), JSSet((1, [2]))),
        (ext(Ext.CIRCULAR), "[Circular]"),
        (ext(Ext.TOO_DEEP), "[Depth limit]"),
    ],
    ids=lambda each: each[:8].hex() if isinstance(each, bytes) else type(each).__name__,
)
def test_each_form_on_the_wire_has_one_value(payload: bytes, value: object) -> None:
    for message in (payload, bytearray(payload), memoryview(payload)):
        assert as_told(to_host(message, max_bytes=MIB)) == as_told(value)
    for refs in (False, True):
        beside = to_host(b"\x93" + payload + EMPTY_SET + payload, refs=refs, max_bytes=MIB)
        assert as_told(beside) == as_told([value, JSSet(), value])


def test_nan_and_the_invalid_date_keep_what_they_are() -> None:
    number = to_host(packed(math.nan), max_bytes=MIB)
    assert isinstance(number, float)
    assert math.isnan(number)
    invalid = to_host(date_ext(math.nan), max_bytes=MIB)
    assert isinstance(invalid, JSDate)
    assert math.isnan(invalid.epoch_ms)


def test_marks_become_the_caller_s_texts() -> None:
    payload = b"\x92" + ext(Ext.CIRCULAR) + ext(Ext.TOO_DEEP)
    assert to_host(payload, max_bytes=MIB, circular="loop", too_deep="...") == ["loop", "..."]


@pytest.mark.parametrize(("kind", "word"), [(Ext.CIRCULAR, "cyclic"), (Ext.TOO_DEEP, "too deep")])
def test_marks_are_refused_when_asked_for(kind: Ext, word: str) -> None:
    for payload in (ext(kind), b"\x92" + EMPTY_SET + ext(kind)):
        with pytest.raises(MarshalError, match=word):
            to_host(payload, max_bytes=MIB, marks="refuse")


def test_a_message_may_have_so_many_bytes_and_not_one_more() -> None:
    payload = packed("x" * 100)
    assert to_host(payload, max_bytes=len(payload)) == "x" * 100
    with pytest.raises(MarshalError, match="102 bytes where 101 are allowed"):
        to_host(payload, max_bytes=len(payload) - 1)


def nested(levels: int) -> bytes:
    return b"\x91" * levels + b"\x01"


@pytest.mark.parametrize("beside", [b"", b"\x92" + EMPTY_SET], ids=["plain", "exact"])
def test_nesting_reaches_to_the_limit_and_not_beyond(beside: bytes) -> None:
    room = MAX_DEPTH - bool(beside)
    assert to_host(beside + nested(room), max_bytes=MIB)
    assert to_host(beside + nested(room)[:-1] + b"\x80", max_bytes=MIB) if room < MAX_DEPTH - 1 else True
    with pytest.raises(MarshalError, match=f"deeper than {MAX_DEPTH} levels"):
        to_host(beside + nested(room + 1), max_bytes=MIB)
    with pytest.raises(MarshalError, match=f"deeper than {MAX_DEPTH} levels"):
        to_host(beside + nested(room)[:-1] + b"\x90", max_bytes=MIB)


def list_of(count: int, one: bytes, *, plain: bool) -> bytes:
    """A list of so many values; a set at its end takes it the exact way."""
    rest = one if plain else EMPTY_SET
    return b"\xdd" + struct.pack(">I", count) + one * (count - 1) + rest


@pytest.mark.slow
def test_values_are_counted_to_the_last_one() -> None:
    read = to_host(list_of(MAX_HOST_VALUES, b"\xc0", plain=True), max_bytes=4 * MIB)
    assert read == [None] * MAX_HOST_VALUES
    with pytest.raises(MarshalError, match=f"more than {MAX_HOST_VALUES:,} values"):
        to_host(list_of(MAX_HOST_VALUES + 1, b"\xc0", plain=True), max_bytes=4 * MIB)


def test_values_are_counted_the_exact_way_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # A smaller limit, because the exact way takes seconds for the real one.
    monkeypatch.setattr("nodetool_sandbox.marshal.reading.MAX_HOST_VALUES", 1_000)
    assert to_host(list_of(1_000, b"\xc0", plain=False), max_bytes=MIB)
    with pytest.raises(MarshalError, match="more than 1,000 values"):
        to_host(list_of(1_001, b"\xc0", plain=False), max_bytes=MIB)


@pytest.mark.parametrize("one", [b"\x90", b"\x80"], ids=["lists", "objects"])
def test_containers_are_counted_to_the_last_one(monkeypatch: pytest.MonkeyPatch, one: bytes) -> None:
    monkeypatch.setattr("nodetool_sandbox.marshal.reading.MAX_HOST_CONTAINERS", 1_000)
    for plain in (True, False):
        assert to_host(list_of(999, one, plain=plain), max_bytes=MIB)
        with pytest.raises(MarshalError, match="more than 1,000 lists"):
            to_host(list_of(1_000, one, plain=plain), max_bytes=MIB)


@pytest.mark.slow
def test_a_message_of_empty_lists_is_given_up_before_they_fill_the_memory() -> None:
    with pytest.raises(MarshalError, match=f"{MAX_HOST_CONTAINERS:,} lists"):
        to_host(list_of(4_000_000, b"\x90", plain=True), max_bytes=4 * MIB)


@pytest.mark.slow
def test_a_big_message_is_read_value_by_value() -> None:
    payload = packed({"data": b"\x90" * (5 * MIB), "rows": [{"a": 1}] * 3})
    assert to_host(payload, max_bytes=8 * MIB) == {"data": b"\x90" * (5 * MIB), "rows": [{"a": 1}] * 3}


def test_text_full_of_bytes_that_look_like_containers_is_still_text() -> None:
    text = "\u0410" * 600_000
    assert to_host(packed([text]), max_bytes=4 * MIB) == [text]


def test_references_are_read_where_the_sender_said_so() -> None:
    payload = b"\x93\x91\x01" + ext(Ext.REF, b"\0\0\0\1") + ext(Ext.REF, b"\0\0\0\0")
    back: Any = to_host(payload, refs=True, max_bytes=MIB)
    assert back[0] is back[1]
    assert back[2] is back
    with pytest.raises(MarshalError, match="extension 6"):
        to_host(payload, max_bytes=MIB)


def test_a_reference_back_to_an_open_map_is_the_map() -> None:
    back: Any = to_host(
        ext(
            Ext.MAP,
            b"\x94\xa1k" + ext(Ext.REF, b"\0\0\0\0") + ext(Ext.SET, b"\x91\xd6\x06\0\0\0\1") + b"\xc0",
        ),
        refs=True,
        max_bytes=MIB,
    )
    entries = back.entries
    assert entries[0] == ("k", back) or entries[0][1] is back
    assert entries[1][0].members[0] is entries[1][0]


def test_functions_are_the_caller_s_own() -> None:
    functions = FunctionTable()
    assert functions.number(len) == 0
    payload = b"\x92" + ext(Ext.FUNCTION, b"\0\0\0\0") + b"\x01"
    assert to_host(payload, functions=functions, max_bytes=MIB) == [len, 1]
    with pytest.raises(MarshalError, match="never given"):
        to_host(ext(Ext.FUNCTION, b"\0\0\0\1"), functions=functions, max_bytes=MIB)
    with pytest.raises(MarshalError, match="extension 7"):
        to_host(payload, max_bytes=MIB)


def test_a_bigint_has_a_cap() -> None:
    with pytest.raises(MarshalError, match="extension 2"):
        to_host(ext(Ext.BIGINT, b"\x7f" * (MAX_BIGINT_BYTES + 1)), max_bytes=MIB)


@pytest.mark.parametrize(
    ("value", "held"),
    [
        ({"a.txt": b"12345", "b.txt": "abc"}, 8),
        ({}, 0),
        (b"x" * 300, 300),
        (b"x" * 70_000, 70_000),
        ("x" * 40, 40),
        ({"a": [1, 2, 3]}, 4),  # no bytes and no text: with its framing
        ([1, 2, 3], 4),
    ],
    ids=["an archive", "nothing", "bytes", "many bytes", "text", "another value in it", "another value"],
)
def test_the_content_of_a_message_is_counted_without_names_and_framing(value: object, held: int) -> None:
    assert content_bytes(to_guest(value).payload) == held


@pytest.mark.parametrize("bad", [b"", b"\x82\xa1a", b"\xdf\xff\xff\xff\xff\xa1a\xc4\x01x", b"\x81\xa1a\xc1"])
def test_a_malformed_message_counts_with_all_of_its_bytes(bad: bytes) -> None:
    assert content_bytes(bad) == len(bad)


def test_what_stands_behind_the_first_value_counts_too() -> None:
    assert content_bytes(to_guest({"a": b"xyz"}).payload + b"12345") == 8
