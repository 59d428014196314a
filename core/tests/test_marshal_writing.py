from __future__ import annotations

import asyncio
import dataclasses
import decimal
import enum
import fractions
import io
import math
import pathlib
import struct
import types
import uuid
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import msgpack
import pytest
from nodetool_sandbox.errors import MarshalError, UnsupportedShapeError, UnsupportedValueError
from nodetool_sandbox.marshal import (
    MAX_BIGINT_BYTES,
    MAX_DEPTH,
    MAX_GUEST_VALUES,
    Ext,
    FunctionTable,
    to_guest,
    to_host,
)
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, UNDEFINED, BigInt, JSDate, JSMap, JSSet
from strategies import as_told


def ext(kind: Ext, data: bytes = b"") -> msgpack.ExtType:
    return msgpack.ExtType(int(kind), data)


def wire(value: object) -> msgpack.ExtType:
    """What msgpack alone reads out of the message, extension types as they stand there.

    Of any type to the checker, as everything is that comes from a library without types.
    """
    return msgpack.unpackb(
        to_guest(value).payload, strict_map_key=False, unicode_errors="surrogatepass", timestamp=0
    )


def date_ext(epoch_ms: float) -> msgpack.ExtType:
    return ext(Ext.DATE, struct.pack(">d", epoch_ms))


class Whole(enum.IntEnum):
    ONE = 1


class Word(enum.StrEnum):
    A = "a"


class Mixed(str, enum.Enum):  # noqa: UP042 - what older programs have
    B = "b"


class Floaty(float):
    pass


class Moment(datetime):
    pass


class Bytes(bytes):
    pass


class Attributes(Mapping[str, object]):
    def __getitem__(self, key: str) -> object:
        return {"x": [1]}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(["x"])

    def __len__(self) -> int:
        return 1


Point = namedtuple("Point", "x y")  # noqa: PYI024 - what older programs have

NOON = datetime(2024, 5, 6, 12, 0, 0, 789_654, tzinfo=UTC)
NOON_MS = 1_714_996_800_789


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (None, None),
        (True, True),
        (0, 0),
        (-1, -1),
        (1.5, 1.5),
        (1e300, 1e300),
        (math.inf, math.inf),
        ("", ""),
        ("a\0\ud800\U0001f600", "a\0\ud800\U0001f600"),
        (b"\0\xff", b"\0\xff"),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd")[::2], b"ac"),
        (Bytes(b"x"), b"x"),
        (UNDEFINED, ext(Ext.UNDEFINED)),
        (MAX_SAFE_INTEGER, MAX_SAFE_INTEGER),
        (MAX_SAFE_INTEGER + 1, MAX_SAFE_INTEGER + 1),
        (-(2**63), -(2**63)),
        (2**64 - 1, 2**64 - 1),
        (2**64, ext(Ext.BIGINT, b"\x01" + b"\0" * 8)),
        (-(2**63) - 1, ext(Ext.BIGINT, b"\xff\x7f" + b"\xff" * 7)),
        (BigInt(0), ext(Ext.BIGINT, b"\0")),
        (BigInt(5), ext(Ext.BIGINT, b"\x05")),
        (BigInt(-1), ext(Ext.BIGINT, b"\xff")),
        (BigInt(128), ext(Ext.BIGINT, b"\0\x80")),
        (NOON, date_ext(NOON_MS)),
        (NOON.astimezone(timezone(timedelta(hours=14))), date_ext(NOON_MS)),
        (Moment(1970, 1, 1, tzinfo=UTC), date_ext(0)),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), date_ext(-1)),
        (JSDate(8.64e15), date_ext(8.64e15)),
        (JSDate(1.9), date_ext(1)),
        ([], []),
        ([1, [None]], [1, [None]]),
        ((1, (2,)), [1, [2]]),
        (Point(1, 2), [1, 2]),
        ({}, {}),
        ({"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"__proto__": {"polluted": 1}, "": 2}, {"__proto__": {"polluted": 1}, "": 2}),
        (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (defaultdict(int, a=1), {"a": 1}),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        (Attributes(), {"x": [1]}),
        ({Word.A: Word.A, Mixed.B: Mixed.B}, {"a": "a", "b": "b"}),
        ([Whole.ONE, Floaty(0.5), Word.A], [1, 0.5, "a"]),
        ({1}, ext(Ext.SET, b"\x91\x01")),
        (frozenset({"a"}), ext(Ext.SET, b"\x91\xa1a")),
        (JSSet((1, 2)), ext(Ext.SET, b"\x92\x01\x02")),
        (JSMap(((1, 2), ([], None))), ext(Ext.MAP, b"\x94\x01\x02\x90\xc0")),
    ],
    ids=repr,
)
def test_each_value_has_one_form_on_the_wire(value: object, sent: object) -> None:
    assert as_told(wire(value)) == as_told(sent)
    # The same next to something that takes the message the exact way.
    assert as_told(wire([value, JSSet()])) == as_told([sent, ext(Ext.SET, b"\x90")])
    assert not to_guest(value).refs


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 8.64e15 + 1])
def test_a_date_that_no_date_holds_crosses_as_an_invalid_one(value: float) -> None:
    assert math.isnan(struct.unpack(">d", wire(JSDate(value)).data)[0])


def test_minus_zero_and_nan_keep_what_they_are() -> None:
    assert math.copysign(1, wire(-0.0)) == -1
    assert math.isnan(wire(math.nan))


@dataclasses.dataclass
class Row:
    x: int


class Colour(enum.Enum):
    RED = 1


class Opaque:
    pass


def fake(module: str, name: str) -> object:
    """An object of a class of that name, as a library that is not installed here would give."""
    return type(name, (), {"__module__": module})()


async def _later() -> None:
    pass


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (decimal.Decimal(1), r"a Decimal cannot cross; pass str\(value\) or float\(value\)"),
        (fractions.Fraction(1), "float"),
        (1j, "real"),
        (date(2024, 1, 1), "isoformat"),
        (time(1), "isoformat"),
        (timedelta(1), "total_seconds"),
        (uuid.UUID(int=0), "str"),
        (pathlib.PurePosixPath("/x"), "bytes that the file holds"),
        (io.StringIO(), "read"),
        ((each for each in [1]), "list"),
        (range(3), "list"),
        (deque(), "list"),
        (types, "module"),
        (Opaque, "a type cannot cross; pass an object or a function"),
        (Opaque(), "an? Opaque cannot cross; pass a dict"),
        (Colour.RED, "value.value"),
        (Row(1), "asdict"),
        (KeyError("x"), "str"),
        (lambda: 1, "globals"),
        (fake("numpy", "ndarray"), "tolist"),
        (fake("numpy", "generic"), "item"),
        (fake("pandas.core.frame", "DataFrame"), "records"),
        (fake("pandas.core.series", "Series"), "to_list"),
        (fake("pydantic.main", "BaseModel"), "model_dump"),
        (msgpack.Timestamp(1), "cannot cross"),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, str) else "",
)
def test_what_has_no_twin_is_refused_with_what_to_pass_instead(value: object, hint: str) -> None:
    with pytest.raises(UnsupportedValueError, match=hint) as caught:
        to_guest({"rows": [1, 2, value]}, at="globals")
    assert caught.value.at == "globals['rows'][2]"
    assert isinstance(caught.value, TypeError)


def test_an_extension_type_of_msgpack_is_no_way_around_the_types() -> None:
    assert wire(msgpack.ExtType(6, b"\0\0\0\0")) == [6, b"\0\0\0\0"]


def test_a_coroutine_is_refused_with_a_hint_to_await_it() -> None:
    coroutine = _later()
    with pytest.raises(UnsupportedValueError, match="await it first"):
        to_guest(coroutine)
    asyncio.run(coroutine)


@pytest.mark.parametrize("key", [1, None, b"a", 1.5, ("a",), True], ids=repr)
def test_a_key_that_is_no_text_is_refused_with_its_place(key: object) -> None:
    with pytest.raises(UnsupportedValueError, match=r"value\['a'\]\[0\]: a key is .*, not text"):
        to_guest({"a": [{"fine": 1, key: 2}]})


def test_a_date_with_no_zone_is_refused_with_its_place() -> None:
    naive = datetime(2024, 1, 1)  # noqa: DTZ001 - the case
    for value in (naive, Moment(2024, 1, 1)):
        with pytest.raises(UnsupportedShapeError, match=r"value\[1\]: a datetime with no zone"):
            to_guest([0, value])


def test_places_inside_of_maps_sets_and_long_paths_are_told() -> None:
    with pytest.raises(MarshalError, match=r"value\.key\(0\)\[0\]: "):
        to_guest(JSMap((([1j], 1),)))
    with pytest.raises(MarshalError, match=r"value\.value\(1\): "):
        to_guest(JSMap(((1, 1), (2, 1j))))
    with pytest.raises(MarshalError, match=r"value\.member\(2\): "):
        to_guest(JSSet((0, 1, 1j)))
    deep: object = 1j
    for _ in range(100):
        deep = [deep]
    with pytest.raises(MarshalError) as caught:
        to_guest({"k" * 1000: deep})
    assert len(str(caught.value)) < 300


def nested(levels: int, innermost: object = None) -> object:
    value = innermost
    for _ in range(levels):
        value = [value]
    return value


WRAPPERS = pytest.mark.parametrize(
    "wrap",
    [lambda v: [v], lambda v: (v,), lambda v: {"k": v}, lambda v: JSSet((v,)), lambda v: JSMap(((v, 1),))],
)


@WRAPPERS
def test_nesting_reaches_to_the_limit_and_not_beyond(wrap: Callable[[object], object]) -> None:
    value: object = 1
    for _ in range(MAX_DEPTH):
        value = wrap(value)
    assert to_guest(value).payload
    with pytest.raises(UnsupportedShapeError, match=f"deeper than {MAX_DEPTH}"):
        to_guest(wrap(value))


def test_a_million_levels_are_refused_like_one_too_many() -> None:
    value = nested(1_000_000)
    with pytest.raises(UnsupportedShapeError, match="deeper"):
        to_guest(value)
    while isinstance(value, list):  # taken apart, because Python's own release of it would recurse
        value = value.pop()


def cyclic() -> list[object]:
    loop: list[Any] = [1, {}]
    loop[1]["self"] = loop
    return loop


def test_a_cycle_is_refused_by_name_and_place() -> None:
    with pytest.raises(UnsupportedShapeError, match=r"value\[1\]\['self'\]: the value is cyclic"):
        to_guest(cyclic())


def test_a_cycle_that_branches_is_found_before_it_multiplies() -> None:
    loop: list[object] = []
    loop += [loop, loop]
    with pytest.raises(UnsupportedShapeError, match="cyclic"):
        to_guest(loop)


def test_a_part_that_occurs_twice_is_written_twice() -> None:
    part = [1]
    assert wire([part, part, JSSet((part,))]) == [[1], [1], ext(Ext.SET, b"\x91\x91\x01")]


def test_parts_that_multiply_end_at_the_number_of_values() -> None:
    value: object = []
    for _ in range(60):
        value = {"l": value, "r": value}
    with pytest.raises(UnsupportedShapeError, match=f"{MAX_GUEST_VALUES:,} values"):
        to_guest(value)


@pytest.mark.slow
def test_the_number_of_values_is_counted_to_the_last_one() -> None:
    assert to_guest([None] * MAX_GUEST_VALUES)
    with pytest.raises(UnsupportedShapeError, match=f"more than {MAX_GUEST_VALUES:,} values"):
        to_guest([None] * (MAX_GUEST_VALUES + 1))


@pytest.mark.parametrize("shared", [False, True])
def test_the_number_of_values_is_counted_the_exact_way_too(
    monkeypatch: pytest.MonkeyPatch, *, shared: bool
) -> None:
    # A smaller limit, because the exact way takes seconds for the real one.
    monkeypatch.setattr("nodetool_sandbox.marshal.writing.MAX_GUEST_VALUES", 60_000)
    assert to_guest([None] * 59_998 + [JSDate(0), JSSet()], shared=shared)
    with pytest.raises(UnsupportedShapeError, match="more than 60,000 values"):
        to_guest([None] * 59_999 + [JSDate(0), JSSet()], shared=shared)


def test_a_part_that_is_shared_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodetool_sandbox.marshal.writing.MAX_GUEST_VALUES", 60_000)
    part = [None] * 59_000
    assert to_guest([part, part, part], shared=True)
    for whole in ([part, part], [JSMap(((1, part), (part, 2)))], [{"a": part}, (part,)]):
        with pytest.raises(UnsupportedShapeError, match="values"):
            to_guest(whole)


def test_a_cycle_behind_many_values_is_still_called_cyclic() -> None:
    with pytest.raises(UnsupportedShapeError, match="cyclic"):
        to_guest([[None] * 60_000, cyclic()])


def test_values_on_many_levels_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodetool_sandbox.marshal.writing.MAX_GUEST_VALUES", 5)
    assert to_guest([1, [2, [3]]])
    with pytest.raises(UnsupportedShapeError, match="more than 5 values"):
        to_guest([1, [2, [3, 4]]])


def test_a_bigint_may_be_as_large_as_the_engine_s_and_no_larger() -> None:
    largest = 2 ** (8 * MAX_BIGINT_BYTES - 1) - 1
    assert len(wire(largest).data) == MAX_BIGINT_BYTES
    with pytest.raises(UnsupportedShapeError, match=r"value\[0\]: an integer of"):
        to_guest([largest + 1])


def test_functions_cross_by_number_when_a_table_is_given() -> None:
    functions = FunctionTable()

    def first() -> None: ...

    message = to_guest({"a": first, "b": [len, first]}, functions=functions)
    assert msgpack.unpackb(message.payload) == {
        "a": ext(Ext.FUNCTION, b"\0\0\0\0"),
        "b": [ext(Ext.FUNCTION, b"\0\0\0\1"), ext(Ext.FUNCTION, b"\0\0\0\0")],
    }
    assert len(functions) == 2
    assert functions.function(0) is first
    assert functions.function(1) is len
    assert functions.function(2) is None
    assert functions.function(-1) is None


def test_a_class_is_no_function() -> None:
    with pytest.raises(UnsupportedValueError, match="a type cannot cross"):
        to_guest(Opaque, functions=FunctionTable())


def shared(value: object) -> msgpack.ExtType:
    message = to_guest(value, shared=True)
    return to_host(message.payload, refs=message.refs, max_bytes=10_000)


def test_shared_parts_become_one_when_asked_for() -> None:
    part = {"x": [1]}
    back = shared([part, part, part["x"]])
    assert back == [part, part, [1]]
    assert back[0] is back[1]
    assert back[2] is back[0]["x"]
    assert to_guest([part, part], shared=True).refs


def test_cycles_come_back_as_cycles_when_asked_for() -> None:
    back = shared(cyclic())
    assert back[1]["self"] is back


def test_a_cycle_through_a_map_and_a_set_comes_back() -> None:
    holder: list[object] = []
    holder.append(JSMap((("again", holder), ("set", JSSet((holder,))))))
    back = shared(holder)
    entries = dict(back[0].entries)
    assert entries["again"] is back
    assert entries["set"].members[0] is back


def test_a_map_that_holds_itself_comes_back() -> None:
    loop = JSMap()
    object.__setattr__(loop, "entries", (("self", loop),))
    back = shared(loop)
    assert back.entries[0][1] is back


def test_a_message_without_shared_parts_says_so() -> None:
    assert not to_guest([[1], [1], (), (), frozenset(), frozenset()], shared=True).refs


def test_references_count_every_container_before_its_children() -> None:
    last: list[object] = []
    value = [(), {"m": JSMap((([], JSSet((frozenset(),))),))}, last, last]
    message = to_guest(value, shared=True)
    # 0 the list, 1 (), 2 {}, 3 the map, 4 [], 5 the set, 6 frozenset(), 7 last
    assert message.payload.endswith(b"\x90\xd6\x06\0\0\0\x07")
    assert message.refs


def test_a_plain_message_with_a_shared_part_is_told_from_one_without() -> None:
    row = {"a": 1}
    assert to_guest([row, row], shared=False).refs is False
    assert to_guest([row, dict(row)], shared=True).refs is False
    assert to_guest([row, row], shared=True).refs is True
