"""What becomes of each odd value on its way out of a guest and into one: one table each way."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Callable

import pytest
from nodetool_sandbox import MAX_SAFE_INTEGER, UNDEFINED, BigInt, JSDate, JSMap, JSSet
from runs import failure, value

UTC = dt.UTC


def same(left: object, right: object) -> bool:
    """Equal, of one type, with the sign of zero and NaN told apart."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return math.copysign(1, left) == math.copysign(1, right) and (
            left == right or (math.isnan(left) and math.isnan(right))
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return [*left] == [*right] and all(map(same, left.values(), right.values()))
    if isinstance(left, JSMap) and isinstance(right, JSMap):
        return same([list(entry) for entry in left.entries], [list(entry) for entry in right.entries])
    if isinstance(left, JSSet) and isinstance(right, JSSet):
        return same(list(left.members), list(right.members))
    if isinstance(left, JSDate) and isinstance(right, JSDate):
        return same(left.epoch_ms, right.epoch_ms)
    return left == right


OUT = {
    "-0": -0.0,
    "NaN": math.nan,
    "Infinity": math.inf,
    "-Infinity": -math.inf,
    "0": 0,
    "1.5": 1.5,
    "2 ** 53 - 1": MAX_SAFE_INTEGER,
    "2 ** 53": float(2**53),
    "2 ** 53 + 2": float(2**53 + 2),
    "-(2 ** 63)": float(-(2**63)),
    "5e-324": 5e-324,
    "0n": BigInt(0),
    "-1n": BigInt(-1),
    "10n ** 40n": BigInt(10**40),
    "-(2n ** 64n)": BigInt(-(2**64)),
    '"\\u0000"': "\0",
    '"\\ud83d\\ude00"': "\U0001f600",
    '"\\ud800"': "\ud800",
    '"\\ude00\\ud83d"': "\ude00\ud83d",
    '""': "",
    "true": True,
    "null": None,
    "undefined": None,
    "[undefined, null]": [UNDEFINED, None],
    "[, 1, , ]": [UNDEFINED, 1, UNDEFINED],
    "{ a: undefined }": {"a": UNDEFINED},
    "new Date(0)": dt.datetime(1970, 1, 1, tzinfo=UTC),
    "new Date(1)": dt.datetime(1970, 1, 1, 0, 0, 0, 1000, tzinfo=UTC),
    "new Date(NaN)": JSDate(math.nan),
    "new Date(8.64e15)": JSDate(8.64e15),
    "new Date(-8.64e15)": JSDate(-8.64e15),
    "new Map([[{ a: 1 }, 2], [NaN, 3]])": JSMap((({"a": 1}, 2), (math.nan, 3))),
    "new Set([1, [2]])": JSSet((1, [2])),
    "new Map()": JSMap(()),
    "new Set()": JSSet(()),
    "Object.create(null)": {},
    "Object.assign(Object.create(null), { a: 1 })": {"a": 1},
    "new Uint8Array(0)": b"",
    "new Uint8Array([1, 2, 3]).subarray(1)": b"\2\3",
    "new Uint8Array([1, 2, 3]).buffer": b"\1\2\3",
    "new Uint8ClampedArray([300])": b"\xff",
    "new Float32Array([1.5])": b"\0\0\xc0?",
    "new DataView(new ArrayBuffer(2))": b"\0\0",
    "new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1)": b"\2",
    "new BigInt64Array([1n])": b"\1" + bytes(7),
    "new SharedArrayBuffer(2)": b"\0\0",
    "Object(1)": 1,
    'Object("s")': "s",
    "Object(true)": True,
    "Object(1n)": BigInt(1),
    "/re/g": "/re/g",
    "[() => 1]": [UNDEFINED],
    "{ f: () => 1 }": {},
    '[Symbol("s")]': [UNDEFINED],
    "{ b: 1, a: 2, 1: 3 }": {"1": 3, "b": 1, "a": 2},
    "new (class A { x = 1; #y = 2; })()": {"x": 1},
    "[[1], { a: [new Uint8Array([9])] }]": [[1], {"a": [b"\x09"]}],
}

IN: list[tuple[object, str]] = [
    (-0.0, "Object.is(x, -0)"),
    (math.nan, "Number.isNaN(x)"),
    (math.inf, "x === Infinity"),
    (-math.inf, "x === -Infinity"),
    (True, "x === true"),
    (None, "x === null"),
    (UNDEFINED, "x === undefined"),
    (0, "Object.is(x, 0)"),
    (1.0, "x === 1"),
    (MAX_SAFE_INTEGER, "x === Number.MAX_SAFE_INTEGER"),
    (MAX_SAFE_INTEGER + 1, "x === 2n ** 53n"),
    (-MAX_SAFE_INTEGER - 1, "x === -(2n ** 53n)"),
    (float(2**53), "x === 2 ** 53"),
    (-(2**63), "x === -(2n ** 63n)"),
    (10**40, "x === 10n ** 40n"),
    (BigInt(5), "x === 5n"),
    ("\0", 'x === "\\u0000"'),
    ("\U0001f600", "x.length === 2"),
    ("\ud800", "x.charCodeAt(0) === 0xd800 && x.length === 1"),
    ("", 'x === ""'),
    (b"\1\2", "x instanceof Uint8Array && x.length === 2 && x[1] === 2"),
    (bytearray(b"\1"), "x instanceof Uint8Array && x[0] === 1"),
    (memoryview(b"abc")[1:], "x instanceof Uint8Array && x.length === 2 && x[0] === 98"),
    (b"", "x instanceof Uint8Array && x.length === 0"),
    (dt.datetime(1970, 1, 1, tzinfo=UTC), "x instanceof Date && +x === 0"),
    (dt.datetime.max.replace(tzinfo=UTC), "x.getUTCFullYear() === 9999"),
    (JSDate(8.64e15), "+x === 8.64e15"),
    (JSDate(math.nan), "Number.isNaN(+x)"),
    ([1, [2]], "Array.isArray(x) && x[1][0] === 2"),
    ((1, 2), "Array.isArray(x) && x.length === 2"),
    ([UNDEFINED], "x.length === 1 && x[0] === undefined"),
    ({}, "Object.getPrototypeOf(x) === Object.prototype && Object.keys(x).length === 0"),
    ({"__proto__": 1}, 'Object.hasOwn(x, "__proto__") && Object.getPrototypeOf(x) === Object.prototype'),
    ({"b": 1, "a": 2}, 'Object.keys(x).join() === "b,a"'),
    (JSMap(((1, 2), (math.nan, 3))), "x instanceof Map && x.get(1) === 2 && x.get(NaN) === 3"),
    (JSSet((1, "a")), 'x instanceof Set && x.has("a")'),
    ({1, 2}, "x instanceof Set && x.size === 2"),
    (frozenset(["a"]), 'x instanceof Set && x.has("a")'),
]


@pytest.mark.parametrize("code", OUT)
def test_a_value_comes_out_as_the_table_says(code: str) -> None:
    assert same(value(f"return ({code})"), OUT[code])


@pytest.mark.parametrize(
    ("given", "holds"), IN, ids=[f"{index}-{holds}" for index, (_, holds) in enumerate(IN)]
)
def test_a_value_goes_in_as_the_table_says(given: object, holds: str) -> None:
    assert value(f"const x = inputs.x; return {holds}", globals={"inputs": {"x": given}}) is True


@pytest.mark.parametrize(
    "code", [code for code, out in OUT.items() if not isinstance(out, str | type(None)) or code == '""']
)
def test_what_came_out_can_go_in_again_and_comes_out_the_same(code: str) -> None:
    first = value(f"return ({code})")
    assert same(value("return inputs.x", globals={"inputs": {"x": first}}), first)


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("() => 1", "[Function (anonymous)]"),
        ("class {}", "[Function (anonymous)]"),
        ("console.log", "[Function: log]"),
        ('Symbol("s")', "Symbol(s)"),
    ],
)
def test_a_function_or_a_symbol_by_itself_comes_out_as_its_name(code: str, shown: str) -> None:
    assert value(f"return ({code})") == shown


REFUSED: list[tuple[object, str]] = [
    (dt.datetime(2020, 1, 1), "zone"),  # noqa: DTZ001 - the point
    (object(), "object"),
    ({1: 2}, "text"),
    ({b"a": 1}, "text"),
    (1j, "complex"),
    (range(3), "range"),
    (iter([]), "iterator"),
    (dt.date(2020, 1, 1), "date"),
]


@pytest.mark.parametrize(("given", "word"), REFUSED, ids=[word for _, word in REFUSED])
def test_what_has_no_twin_is_refused_before_anything_runs(given: object, word: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"globals\['inputs'\]\['x'\]") as refused:
        value("return 1", globals={"inputs": {"x": given}})
    assert word in str(refused.value)


def _argument(code: str) -> object:
    seen: list[object] = []
    value(f"await take({code})", globals={"take": seen.append})
    return seen[0]


def _written_back(code: str) -> object:
    state: dict[str, object] = {}
    value(f"state.x = ({code})", globals={"state": state})
    return state.get("x", UNDEFINED)


CROSSINGS: dict[str, Callable[[str], object]] = {
    "result": lambda code: value(f"return ({code})"),
    "argument": _argument,
    "written back": _written_back,
}


@pytest.mark.parametrize(
    "code",
    [
        "-0",
        "NaN",
        "2 ** 53",
        "10n ** 40n",
        '"\\ud800"',
        "[undefined, null]",
        "new Date(NaN)",
        "new Map([[{ a: 1 }, 2], [NaN, 3]])",
        "new Set([1, [2]])",
        "new Uint8Array([1, 2, 3]).subarray(1)",
        "{ a: undefined }",
    ],
)
@pytest.mark.parametrize("way", CROSSINGS)
def test_every_way_out_carries_the_same(way: str, code: str) -> None:
    assert same(CROSSINGS[way](code), OUT[code])


def test_a_cycle_in_an_argument_is_refused_by_name() -> None:
    error = failure("const a = {}; a.self = a; await take(a)", globals={"take": len})
    assert error.name == "TypeError"
    assert "take" in error.message


SPECIAL_NAMES: dict[str, object] = {
    "__proto__": {"polluted": 1},
    "constructor": {"prototype": {"polluted": 1}},
    "__class__": "x",
    "__init__": 1,
    "self": 1,
    "": 2,
    "a.b": 3,
}


def test_special_names_are_plain_names_in_what_a_function_of_the_caller_takes_and_gives() -> None:
    taken: list[object] = []

    def give(argument: object) -> object:
        taken.append(argument)
        return SPECIAL_NAMES

    code = """
    const given = await give(JSON.parse(text));
    return [({}).polluted === undefined, Object.getPrototypeOf(given) === Object.prototype, given];
    """
    assert value(code, globals={"give": give, "text": json.dumps(SPECIAL_NAMES)}) == [
        True,
        True,
        SPECIAL_NAMES,
    ]
    assert taken == [SPECIAL_NAMES]


def test_special_names_set_nothing_when_they_are_written_back() -> None:
    state: dict[str, object] = {}
    value(
        "Object.assign(state, {}); for (const [k, v] of JSON.parse(text)) state[k + ''] = v; return 1",
        globals={
            "state": state,
            "text": json.dumps([[k, v] for k, v in SPECIAL_NAMES.items() if k != "__proto__"]),
        },
    )
    assert state == {k: v for k, v in SPECIAL_NAMES.items() if k != "__proto__"}
