from __future__ import annotations

import json
import math
from datetime import UTC, datetime

import pytest
from nodetool_sandbox.errors import TRUNCATED, LimitExceeded
from nodetool_sandbox.limits import MAX_OUTPUT_BYTES
from nodetool_sandbox.marshal import limit_output, replace_in_place, result_text
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet

NOON = datetime(2024, 5, 6, 12, 0, 0, 789_000, tzinfo=UTC)


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNDEFINED, "null"),
        (None, "null"),
        (len, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-12, "-12"),
        (0.0, "0"),
        (-0.0, "0"),
        (math.nan, "null"),
        (math.inf, "null"),
        (0.1, "0.1"),
        (5.0, "5"),
        (1e16, "10000000000000000"),
        (2.0**53, "9007199254740992"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (1e-6, "0.000001"),
        (1.5e-5, "0.000015"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (BigInt(7), "7"),
        (BigInt(-(2**64)), "-18446744073709551616"),
        ("", '""'),
        ('"\\\n\t\b\f\r\x01\x7f\u2028é', '"\\"\\\\\\n\\t\\b\\f\\r\\u0001\x7f\u2028é"'),
        ("\ud800x\udfff", '"\\ud800x\\udfff"'),
        ("\ud83d\ude00", '"\U0001f600"'),
        (b"ab", '"YWI="'),
        (NOON, '"2024-05-06T12:00:00.789Z"'),
        (JSDate(math.nan), "null"),
        (JSDate(1e300), "null"),
        (JSDate(8.64e15), '"+275760-09-13T00:00:00.000Z"'),
        (JSDate(-8.64e15), '"-271821-04-20T00:00:00.000Z"'),
        (JSDate(-62167219200000.0), '"0000-01-01T00:00:00.000Z"'),
        (JSDate(-62167219200001.0), '"-000001-12-31T23:59:59.999Z"'),
        (JSDate(253402300800000.0), '"+010000-01-01T00:00:00.000Z"'),
        ([], "[]"),
        ([1, UNDEFINED, len, [None]], "[1,null,null,[null]]"),
        ((1, 2), "[1,2]"),
        ({}, "{}"),
        ({"a": 1, "b": UNDEFINED, "c": {"d": []}, "e": len}, '{"a":1,"c":{"d":[]}}'),
        ({"b": UNDEFINED, "a": 1}, '{"a":1}'),
        (JSMap(((1, 2),)), "{}"),
        (JSSet((1,)), "{}"),
    ],
    ids=repr,
)
def test_the_text_is_what_json_stringify_writes(value: object, text: str) -> None:
    assert result_text(value) == text


def test_a_bigint_of_more_digits_than_python_writes_is_written() -> None:
    text = result_text([BigInt(10) ** 20_000])
    assert text == "[1" + "0" * 20_000 + "]"


def test_a_part_inside_of_itself_is_marked_and_a_part_that_occurs_twice_is_not() -> None:
    loop: dict[str, object] = {"again": [1]}
    loop["self"] = [loop]
    part = [1]
    assert result_text(loop) == '{"again":[1],"self":["[Circular]"]}'
    assert result_text([part, part]) == "[[1],[1]]"


def test_deep_values_are_written_without_recursion() -> None:
    deep: list[object] = []
    for _ in range(5_000):
        deep = [deep]
    assert result_text(deep) == "[" * 5_001 + "]" * 5_001


# limits


@pytest.mark.parametrize(
    "value", [None, True, 1, 1.5, "x" * 1024, [1], {"a": [1, b"x"]}, b"y" * 5000, JSMap()]
)
def test_what_is_small_enough_stays_as_it_is(value: object) -> None:
    assert limit_output(value, 1024) is value


@pytest.mark.parametrize("size", [5, 10])
def test_a_text_is_cut_and_marked(size: int) -> None:
    assert limit_output("hello world", size) == "hello world"[:size] + "\n...[truncated]"
    assert limit_output("hello world", 11) == "hello world"


VALUES: tuple[object, ...] = (
    {"k": ["x" * 50, 1.5, None, True]},
    [1] * 40,
    {str(n): n for n in range(20)},
    ["\x01" * 20],
    [{"a": BigInt(5), "d": NOON}],
    ["\ud800", "é"],
    [0.1, -1e21, UNDEFINED],
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_cut_to_text_exactly_when_its_json_is_longer(value: object) -> None:
    text = result_text(value)
    assert limit_output(value, len(text)) is value
    assert limit_output(value, len(text) + 1) is value
    assert limit_output(value, len(text) - 1) == text[:-1] + TRUNCATED
    assert limit_output(value, 0) == TRUNCATED


def test_what_maps_and_sets_hold_counts() -> None:
    value = [JSMap((("k" * 10, JSSet(("v" * 10,))),))]
    text = json.dumps([[["k" * 10, ["v" * 10]]]], separators=(",", ":"))
    assert limit_output(value, len(text)) is value
    assert limit_output(value, len(text) - 1) == text[:-1] + TRUNCATED


def test_bytes_at_any_depth_have_their_own_cap() -> None:
    half = bytes(MAX_OUTPUT_BYTES // 2)
    value = {"a": half, "b": [JSMap(((1, half),))]}
    assert limit_output(value, 1024) is value
    with pytest.raises(LimitExceeded) as caught:
        limit_output([value, b"1"], 1024)
    assert (caught.value.limit, caught.value.seen) == ("MAX_OUTPUT_BYTES", MAX_OUTPUT_BYTES + 1)
    with pytest.raises(LimitExceeded):
        limit_output(half + half + b"1", 1024)


def test_bytes_beside_too_much_text_leave_as_marks_in_the_cut_text() -> None:
    left = limit_output({"data": b"abc", "text": "x" * 100}, 50)
    assert isinstance(left, str)
    assert left.startswith('{"data":"[3 bytes]","text":"xxx')
    assert len(left) == 50 + len(TRUNCATED)


def test_a_huge_value_is_told_to_be_too_large_without_writing_it() -> None:
    part: list[object] = ["x" * 1000]
    for _ in range(60):
        part = [part, part]
    left = limit_output(part, 10_000)
    assert isinstance(left, str)
    assert len(left) == 10_000 + len(TRUNCATED)


def test_one_huge_text_inside_is_not_escaped_as_a_whole() -> None:
    left = limit_output(["\x01" * 5_000_000], 1_000)
    assert left == ('["' + "\\u0001" * 200)[:1_000] + TRUNCATED


# globals


@pytest.mark.parametrize(
    ("fresh", "left"),
    [
        ([1, 2], [1, 2]),
        ([], []),
        ({"a": 1}, []),
        (JSMap(), []),
        (b"ab", []),
        (None, ["old"]),
        (5, ["old"]),
        (1.5, ["old"]),
        ("text", ["old"]),
        (True, ["old"]),
        (UNDEFINED, ["old"]),
        (len, ["old"]),
    ],
    ids=repr,
)
def test_a_list_takes_what_the_guest_left_in_place(fresh: object, left: list[object]) -> None:
    target: list[object] = ["old"]
    replace_in_place(target, fresh)
    assert target == left


@pytest.mark.parametrize(
    ("fresh", "left"),
    [
        ({"b": 2}, {"b": 2}),
        ({}, {}),
        ([1], {}),
        (JSSet(), {}),
        (NOON, {}),
        (None, {"a": 1}),
        ("text", {"a": 1}),
        (UNDEFINED, {"a": 1}),
    ],
    ids=repr,
)
def test_an_object_takes_what_the_guest_left_in_place(fresh: object, left: dict[str, object]) -> None:
    target: dict[str, object] = {"a": 1}
    replace_in_place(target, fresh)
    assert target == left


def test_an_object_that_is_its_own_fresh_value_keeps_its_members() -> None:
    target: dict[str, object] = {"a": 1}
    replace_in_place(target, target)
    assert target == {"a": 1}
