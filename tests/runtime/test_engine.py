"""The language, the helpers and the shape of a result (what the reference's own suite asserts)."""

from __future__ import annotations

import asyncio
import math
from datetime import datetime

import pytest
from nodetool_sandbox import Ended, Limits, Sandbox
from nodetool_sandbox.errors import TRUNCATED
from nodetool_sandbox.limits import MAX_LOOP_ITERATIONS, SERIALIZE_MAX_DEPTH
from runs import failure, run, value

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("code", ["return undefined", "return null", "return", "1", "// nothing"])
def test_a_program_without_a_result_gives_none(code: str) -> None:
    assert value(code) is None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return 2 + 2", 4),
        ("return 2.5", 2.5),
        ("return true", True),
        ("return 'short'", "short"),
        ("return [1, 'a', null]", [1, "a", None]),
        ("return {a: {b: [1, {c: 2}]}}", {"a": {"b": [1, {"c": 2}]}}),
        ("return await Promise.resolve(42)", 42),
        ("const x = await (async () => 5)(); return x + 1", 6),
        ("return {0: 5, 1: 200}", {"0": 5, "1": 200}),
    ],
)
def test_plain_values_come_back_equal(code: str, expected: object) -> None:
    assert value(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "return new Uint8Array([1, 2, 255])",
        "return new Uint8Array([0, 1, 2, 255]).subarray(1)",
        "return new Uint8Array([1, 2, 255]).buffer",
        "return new DataView(new Uint8Array([1, 2, 255]).buffer)",
    ],
)
def test_every_view_of_bytes_comes_back_as_its_own_bytes(code: str) -> None:
    assert value(code) == b"\x01\x02\xff"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return [{data: new Uint8Array([1])}]", [{"data": b"\x01"}]),
        ("return {a: {b: {c: new Uint8Array([2])}}}", {"a": {"b": {"c": b"\x02"}}}),
        ("return {a: [[new Uint8Array(0)]]}", {"a": [[b""]]}),
    ],
)
def test_bytes_stay_bytes_at_any_depth(code: str, expected: object) -> None:
    assert value(code) == expected


def test_a_cycle_ends_in_a_mark() -> None:
    assert value("const a = {n: 1}; a.self = a; return a") == {"n": 1, "self": "[Circular]"}


def test_what_lies_below_the_last_level_is_a_short_text() -> None:
    deep = "let v = 'bottom'; for (let i = 0; i < {n}; i++) v = [v]; return v"
    assert _levels(value(deep.replace("{n}", str(SERIALIZE_MAX_DEPTH)))) == (SERIALIZE_MAX_DEPTH, "bottom")
    levels, leaf = _levels(value(deep.replace("{n}", str(SERIALIZE_MAX_DEPTH + 1))))
    assert levels == SERIALIZE_MAX_DEPTH
    assert isinstance(leaf, str)
    assert leaf != "bottom"


def _levels(found: object) -> tuple[int, object]:
    levels = 0
    while isinstance(found, list):
        found, levels = found[0], levels + 1
    return levels, found


@pytest.mark.parametrize("code", ["", "   ", "\n\t\n", "\u00a0\ufeff".replace("\ufeff", "")])
def test_a_blank_program_is_no_program(code: str) -> None:
    result = run(code)
    assert str(result.error) == "No code provided"
    assert (result.ended, result.logs, result.usage.steps) == (Ended.FAILED, (), 0)


@pytest.mark.parametrize(
    ("code", "name", "words"),
    [
        ("let x = ;", "SyntaxError", "unexpected token"),
        ("throw new TypeError('no good')", "TypeError", "no good"),
        ("throw new Error('boom')", "Error", "boom"),
        ("missing()", "ReferenceError", "missing"),
        ("null.x", "TypeError", "null"),
        ("await Promise.reject(new RangeError('later'))", "RangeError", "later"),
        ("class Own extends Error { name = 'Own' } throw new Own('mine')", "Own", "mine"),
    ],
)
def test_what_a_program_throws_is_its_error(code: str, name: str, words: str) -> None:
    error = failure(code)
    assert error.name == name
    assert words in error.message


@pytest.mark.parametrize(
    "thrown", ["'text'", "42", "null", "undefined", "10n", "Symbol('s')", "{a: 1}", "()=>1"]
)
def test_anything_that_is_thrown_fails_the_run_with_some_words(thrown: str) -> None:
    assert str(failure(f"throw ({thrown})"))


def test_globals_are_there() -> None:
    assert value("return myInput * 2", globals={"myInput": 21}) == 42


def test_a_helper_cannot_be_replaced_by_a_global() -> None:
    with pytest.raises(ValueError, match="'toBase64' is reserved"):
        run("return 1", globals={"toBase64": 5})


@pytest.mark.parametrize(
    "name", ["_", "dayjs", "cheerio", "csvParse", "validator", "uuid", "require", "module"]
)
def test_no_library_is_a_global(name: str) -> None:
    assert value(f"return typeof {name}") == "undefined"
    assert failure(f"return {name}('x')").name == "ReferenceError"


@pytest.mark.parametrize(
    "name",
    ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"],
)
def test_the_timers_are_undefined_in_a_program(name: str) -> None:
    assert value(f"return typeof {name}") == "undefined"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return JSON.parse('{\"a\":[1]}').a[0]", 1),
        ("return [3, 1, 2].toSorted().join()", "1,2,3"),
        ("return new Map([['k', 1]]).get('k')", 1),
        ("return [...new Set([1, 1, 2])].length", 2),
        ("return new Date(0).toISOString()", "1970-01-01T00:00:00.000Z"),
        ("return 'a-b'.replace(/-(.)/, (_, c) => c.toUpperCase())", "aB"),
        ("const {a, ...rest} = {a: 1, b: 2}; return rest.b", 2),
        ("return (10n ** 20n).toString()", "100000000000000000000"),
        ("return [1, 2, 3].at(-1) ?? 0", 3),
        ("return Object.groupBy([1, 2, 3], n => n % 2 ? 'odd' : 'even').odd.length", 2),
        ("return __maxIter", MAX_LOOP_ITERATIONS),
    ],
)
def test_core_javascript_works(code: str, expected: object) -> None:
    assert value(code) == expected


@pytest.mark.parametrize("code", ["return eval('1+1')", "return new Function('return 1')()"])
def test_no_code_is_made_from_text(code: str) -> None:
    assert failure(code).name == "ReferenceError"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return toBase64('hi')", "aGk="),
        ("return toBase64(new Uint8Array([255, 254]))", "//4="),
        ("return fromBase64('aGk=')", b"hi"),
        ("return fromBase64('__4')", b"\xff\xfe"),
        ("return toHex(new Uint8Array([222, 173]))", "dead"),
        ("return fromHex('DE-AD')", b"\xde\xad"),
        ("return fromBase64(toBase64(Uint8Array.from({length: 256}, (_, i) => i)))", bytes(range(256))),
        ("return new TextDecoder().decode(new TextEncoder().encode('é€😀'))", "é€😀"),
    ],
)
def test_the_codecs_round_trip(code: str, expected: object) -> None:
    assert value(code) == expected


def test_console_lines_carry_their_level() -> None:
    code = "console.log('hello', 'world'); console.warn('w'); console.error('e'); console.info('i', 1, null, undefined)"
    assert run(code).logs == ("hello world", "[warn] w", "[error] e", "[info] i 1 null undefined")


def test_an_object_is_logged_as_indented_json() -> None:
    assert run("console.log({a: [1, {b: 2}]})").logs == (
        '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}',
    )


def test_dates_are_aware_and_not_a_number_survives() -> None:
    moment = value("return new Date(86400000)")
    assert isinstance(moment, datetime)
    assert moment.isoformat() == "1970-01-02T00:00:00+00:00"
    nothing = value("return NaN")
    assert isinstance(nothing, float)
    assert math.isnan(nothing)


@pytest.mark.parametrize("given", ["NaN", "Infinity", "undefined", "'x'", "1, NaN", "1e300"])
def test_a_date_that_is_set_to_no_number_is_invalid_from_then_on(given: str) -> None:
    units = "FullYear Month Date Hours Minutes Seconds Milliseconds".split()
    names = [f"set{utc}{unit}" for utc in ("", "UTC") for unit in units] + ["setYear"]
    takes_one = {"setDate", "setUTCDate", "setMilliseconds", "setUTCMilliseconds", "setYear"}
    asked = [name for name in names if "1, NaN" not in given or name not in takes_one]
    code = f"return {asked}.map((name) => {{ const d = new Date(0); d[name]({given}); return isNaN(d); }})"
    assert value(code) == [True] * len(asked)


def test_a_setter_of_dates_is_the_engines_own_to_look_at() -> None:
    code = """
    const own = Object.getOwnPropertyDescriptor(Date.prototype, "setHours");
    return [own.value.name, own.value.length, own.enumerable, String(own.value), new Date(5).setHours(1)]"""
    shown = "function setHours() {\n    [native code]\n}"
    assert value(code) == ["setHours", 4, False, shown, 3_600_005]


def test_a_text_longer_than_the_limit_is_cut_and_marked() -> None:
    limit = Limits().max_output_size
    text = value(f"return 'x'.repeat({limit + 100})")
    assert text == "x" * limit + TRUNCATED


def test_run_and_run_sync_are_one_implementation() -> None:
    sandbox = Sandbox()
    awaited = asyncio.run(sandbox.run("console.log(1); return {a: 1}"))
    direct = sandbox.run_sync("console.log(1); return {a: 1}")
    assert (awaited.ended, awaited.value, awaited.logs) == (direct.ended, direct.value, direct.logs)


def test_sleep_is_the_one_timer_and_is_capped() -> None:
    assert value("const t = Date.now(); await sleep(20); return Date.now() - t >= 15") is True
    # NaN and what is no number wait for nothing: the deadline would end them otherwise
    assert (
        value(
            "for (const ms of [NaN, -1, 'x', null, undefined, {}, 2n, Symbol('s')]) await sleep(ms); return 'done'"
        )
        == "done"
    )
