from __future__ import annotations

import json
import random
import resource
import struct

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal import FunctionTable, limit_output, result_text, to_guest, to_host
from nodetool_sandbox.marshal.output import _surely_fits
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSMap, JSSet
from strategies import as_told, values

MIB = 1024 * 1024


def back(value: object, *, shared: bool = False) -> object:
    message = to_guest(value, shared=shared)
    return to_host(message.payload, refs=message.refs, max_bytes=MIB)


@pytest.mark.property
@given(values())
def test_a_value_comes_back_as_itself(value: object) -> None:
    assert as_told(back(value)) == as_told(value)


@pytest.mark.property
@given(values())
def test_a_value_comes_back_as_itself_with_shared_parts_too(value: object) -> None:
    assert as_told(back([value, value], shared=True)) == as_told([value, value])


@pytest.mark.property
@given(values())
def test_the_exact_way_says_what_the_plain_way_says(value: object) -> None:
    assert as_told(back([value, JSSet()])) == as_told([value, JSSet()])


@pytest.mark.property
@given(values(), st.binary(max_size=3), st.integers(0, 60))
def test_a_message_with_other_bytes_in_it_is_read_or_refused(value: object, other: bytes, at: int) -> None:
    payload = to_guest(value).payload
    read_or_refused(payload[:at] + other + payload[at + len(other) :], refs=True)


plain_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.property
@given(plain_json)
def test_the_text_of_plain_data_is_json(value: object) -> None:
    assert result_text(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.property
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_text_of_a_number_reads_as_the_number(value: float) -> None:
    assert float(result_text(value)) == value


@pytest.mark.property
@given(values(), st.integers(0, 200))
def test_the_quick_look_never_says_fits_where_the_text_is_longer(value: object, size: int) -> None:
    if _surely_fits(value, size):
        assert len(result_text(value)) <= size


@pytest.mark.property
@given(values(), st.integers(0, 60))
def test_what_leaves_a_run_is_the_value_or_a_cut_text(value: object, size: int) -> None:
    left = limit_output(value, size)
    assert left is value or (isinstance(left, str) and len(left) <= size + len("\n...[truncated]"))


def read_or_refused(payload: bytes, *, refs: bool = False, functions: FunctionTable | None = None) -> object:
    try:
        return to_host(payload, refs=refs, functions=functions, max_bytes=MIB)
    except MarshalError as error:
        assert len(str(error)) < 300  # noqa: PT017 - the text of every refusal is short
        return error


def peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


SEEDS: tuple[object, ...] = (
    {"rows": [{"id": n, "name": f"row {n}", "score": n / 3, "at": None} for n in range(8)]},
    [1, -1, 2**40, -(2**60), 2**100, 0.5, "text", "\ud800", b"bytes" * 9, UNDEFINED, BigInt(7)],
    JSMap(((JSSet(([1], {"a": 1})), [JSMap(), JSSet()]),)),
    {"x" * 40: ["y" * 300, b"z" * 300, [0] * 20, {str(n): n for n in range(20)}]},
)


def test_five_thousand_forged_messages_each_end_in_a_value_or_one_kind_of_refusal() -> None:
    chance = random.Random(20_240_506)  # noqa: S311 - the same messages every time
    before = peak_mib()
    for turn in range(5_000):
        message = to_guest(SEEDS[turn % len(SEEDS)], shared=turn % 3 == 0)
        payload = bytearray(message.payload)
        for _ in range(chance.randrange(1, 6)):
            match chance.randrange(4):
                case 0:
                    payload[chance.randrange(len(payload))] ^= 1 << chance.randrange(8)
                case 1:
                    payload[chance.randrange(len(payload))] = chance.choice(
                        [0xC1, 0xC7, 0xD6, 0xDD, 0xDF, 0xDB]
                    )
                case 2:
                    at = chance.randrange(len(payload))
                    payload[at : at + 4] = b"\xff\xff\xff\xff"
                case _:
                    del payload[chance.randrange(1, len(payload) + 1) :]
            if not payload:
                break
        read_or_refused(bytes(payload), refs=bool(turn % 2), functions=FunctionTable())
    assert peak_mib() - before < 64


def promise(first: int, size: int = 2**32 - 1) -> bytes:
    return bytes([first]) + struct.pack(">I", size)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x01\x01",
        b"\x90\x90",
        promise(0xDD),
        promise(0xDF),
        promise(0xDB),
        promise(0xC6),
        promise(0xC9) + b"\x04",
        promise(0xDD) * 1000,
        promise(0xDD, MIB - 10) * 1000 + b"\xc0" * (MIB // 2),
        b"\x91" * 1_000_000,
        b"\x81\xa0" * 500_000,
        b"\x81" * 1_000_000,
        b"\xa1\xff",
        b"\xa3\xed\xa0",
        b"\x81\x01\x01",
        b"\x81\xc4\x01a\x01",
        b"\x81\xcb\x7f\xf8\0\0\0\0\0\0\x01",
        b"\x81\xc0\x01",
        b"\x81\x90\x01",
        b"\xd6\xff\0\0\0\0",
        b"\xd7\xff" + b"\xff" * 8,
        b"\xc7\x0c\xff" + b"\0" * 12,
        b"\x91\xd6\xff\0\0\0\0",
        b"\xd4\x00\x00",
        b"\xd4\x0a\x00",
        b"\xd4\x7f\x00",
        b"\xd4\x80\x00",
        b"\xd4\x01\x00",
        b"\xd4\x08\x00",
        b"\xd4\x09\x00",
        b"\xc7\x00\x02",
        b"\xd6\x03\0\0\0\0",
        b"\xd7\x03" + struct.pack(">d", 0.5),
        b"\xd7\x03" + struct.pack(">d", 8.64e15 + 2),
        b"\xd7\x03" + struct.pack(">d", float("inf")),
        b"\xd6\x04\x90\xc0\xc0\xc0",
        b"\xd5\x04\x91\x01",
        b"\xd4\x04\x80",
        b"\xd4\x05\x80",
        b"\xd4\x05\x01",
        b"\xc7\x00\x05",
        b"\xd5\x05\x92\x01",
        b"\xd5\x05\x90\x90",
        b"\xd5\x05\x91\xc1",
        b"\x91\xd6\x06\0\0\0\x09",
        b"\x91\xd6\x06\xff\xff\xff\xff",
        b"\x91\xd5\x06\0\0",
        b"\xd6\x07\0\0\0\0",
        b"\xd5\x07\0\0",
        b"\xd8\x06" + b"\0" * 16,
    ],
    ids=lambda payload: payload[:12].hex(),
)
def test_a_malformed_message_is_refused(payload: bytes) -> None:
    before = peak_mib()
    for refs in (False, True):
        with pytest.raises(MarshalError):
            to_host(payload, refs=refs, functions=FunctionTable(), max_bytes=4 * MIB)
        # Beside a set everything is read the exact way.
        with pytest.raises(MarshalError):
            to_host(b"\x92\xd4\x05\x90" + payload, refs=refs, functions=FunctionTable(), max_bytes=4 * MIB)
    assert peak_mib() - before < 64


def maps_in_maps(levels: int) -> bytes:
    payload = b"\x90"
    for _ in range(levels):
        payload = msgpack.packb(msgpack.ExtType(5, b"\x91" + payload))
    return payload


def test_sets_inside_of_sets_reach_to_the_depth_limit() -> None:
    assert to_host(maps_in_maps(255), max_bytes=MIB)
    with pytest.raises(MarshalError, match="deeper than 256"):
        to_host(maps_in_maps(256), max_bytes=MIB)
    with pytest.raises(MarshalError, match="deeper than 256"):
        to_host(maps_in_maps(20_000), max_bytes=MIB)


def test_copies_of_what_is_nested_have_a_budget() -> None:
    payload = bytes(200_000)
    inner = msgpack.packb(payload)
    for _ in range(31):
        inner = msgpack.packb(msgpack.ExtType(5, b"\x91" + inner))
    assert to_host(inner, max_bytes=MIB)
    for _ in range(10):
        inner = msgpack.packb(msgpack.ExtType(5, b"\x91" + inner))
    with pytest.raises(MarshalError, match="nested"):
        to_host(inner, max_bytes=MIB)


def test_a_key_that_occurs_twice_counts_as_in_json() -> None:
    twice = b"\x82\xa1a\x01\xa1a\x02"
    assert to_host(twice, max_bytes=100) == {"a": 2}
    assert as_told(to_host(b"\x92" + twice + b"\xd4\x05\x90", max_bytes=100)) == as_told([{"a": 2}, JSSet()])
