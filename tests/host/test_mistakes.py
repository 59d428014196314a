"""Mistakes of whoever calls: refused by the argument's name before anything runs, or moved into bounds."""

from __future__ import annotations

import asyncio
import decimal
import enum
import io
import math
from collections import OrderedDict, UserDict
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

import pytest
from nodetool_sandbox import BigInt, Ended, LimitExceeded, Limits, Sandbox
from nodetool_sandbox.limits import LIMITS, MIB
from runs import failure, left_clean, run, value

NAMES = [row.name for row in LIMITS]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", ["30", True, False, [], b"1", decimal.Decimal(1), 1j], ids=repr)
def test_a_limit_that_is_no_number_is_refused_by_name(name: str, given: object) -> None:
    with pytest.raises(TypeError, match=rf"Limits\({name}=\.\.\.\) must be a number"):
        Limits(**{name: given})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [each for each in NAMES if each != "max_steps"])
def test_no_limit_can_be_left_open(name: str) -> None:
    with pytest.raises(TypeError, match=rf"Limits\({name}=\.\.\.\) must be a number, not NoneType"):
        Limits(**{name: None})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("given", [math.nan, math.inf, -math.inf], ids=repr)
def test_a_limit_that_is_no_finite_number_is_refused_by_name(name: str, given: float) -> None:
    with pytest.raises(ValueError, match=rf"Limits\({name}="):
        Limits(**{name: given})  # type: ignore[arg-type]


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row.name)
@pytest.mark.parametrize("given", [0, -1, 10**30, -(10**30), 1.5, 1e300], ids=repr)
def test_any_number_is_moved_into_the_bounds(row: object, given: float) -> None:
    name, minimum, ceiling = (getattr(row, each) for each in ("name", "minimum", "ceiling"))
    clamped = getattr(Limits(**{name: given}).clamped(), name)  # type: ignore[arg-type]
    assert isinstance(clamped, int)
    assert clamped == max(minimum, min(math.floor(given), ceiling))


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row.name)
def test_a_program_runs_with_each_limit_at_its_ends(row: object) -> None:
    name, minimum, ceiling = (getattr(row, each) for each in ("name", "minimum", "ceiling"))
    for given in (minimum, ceiling):
        result = run("return 1", limits=Limits(**{name: given}))
        assert result.ended in (Ended.OK, Ended.TIMEOUT, Ended.STEPS)


@pytest.mark.parametrize(
    "code", [None, b"return 1", 1, ["return 1"], io.StringIO("return 1"), Path("x.js")], ids=repr
)
def test_a_program_must_be_text(code: object) -> None:
    with pytest.raises(TypeError, match="code must be a str, not"):
        Sandbox().run_sync(code)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("\ufeffreturn 1", 1),
        ("return 'a\0b'", "a\0b"),
        ("return '\ud800'", "\ud800"),
        ("return 'a\u2028b'.length", 3),
        ("//\u2028return 1", 1),
        ("return 1 \r\n", 1),
        ("return `\r\n`.length", 1),
        ("#!not a shebang here\nreturn 1", None),
        ("return '😀'.length", 2),
    ],
    ids=ascii,
)
def test_odd_characters_mean_what_the_language_says(code: str, expected: object) -> None:
    result = run(code)
    if expected is None:
        assert result.error is not None
        assert result.error.name == "SyntaxError"
    else:
        assert (result.ended, result.value) == (Ended.OK, expected)


@pytest.mark.parametrize(
    "code", ["\0", "\x01", "}", ")", "*/", "`", "'", "/", "\\", "import", "return return"]
)
def test_what_does_not_parse_is_a_syntax_error_and_nothing_else(code: str) -> None:
    assert failure(code).name == "SyntaxError"


@pytest.mark.parametrize(
    "code",
    [
        "})(); import fs from 'node:fs'; (async () => {",
        "})(); globalThis.f = () => import('node:fs'); await (async () => { await f()",
        "})(); native.call('fetch', ''); (async () => {",
        "})(); setTimeout(() => 1); (async () => {",
    ],
)
def test_a_program_that_closes_the_function_around_it_gains_nothing(code: str) -> None:
    assert failure(code).name in ("SyntaxError", "ReferenceError", "TypeError", "Error")


def test_fifty_megabytes_of_program_are_refused_before_they_are_read() -> None:
    result = run("/" * (50 * MIB))
    assert result.error is not None
    assert result.error.name == "LimitExceeded"
    assert "max_source_bytes" in result.error.message


def cyclic() -> list[object]:
    made: list[object] = []
    made.append(made)
    return made


class Plain:
    """An object of a class of the caller's."""


class Colour(enum.Enum):
    """An enumeration of the caller's."""

    RED = 1


class Liar(dict[str, object]):
    """A dict that says something else each time it is asked."""

    def items(self) -> NoReturn:
        raise RuntimeError("no items today")


REFUSED = [
    (type("T", (), {}), "type"),
    (math, "module"),
    ((n for n in range(3)), "generator"),
    (Plain(), "Plain"),
    (Colour.RED, "Colour"),
    (decimal.Decimal(1), "Decimal"),
    (Fraction(1, 3), "Fraction"),
    (1j, "complex"),
    (range(3), "range"),
    (Path(), "Path"),
    (datetime(2020, 1, 1), "datetime"),  # noqa: DTZ001 - no zone is the point
    (date(2020, 1, 1), "date"),
    (timedelta(1), "timedelta"),
    ({1: "a"}, "key"),
    ({None: "a"}, "key"),
    ({("a", "b"): 1}, "key"),
    (object(), "object"),
    ([{"deep": [object()]}], "object"),
]


@pytest.mark.parametrize(("given", "word"), REFUSED, ids=lambda each: type(each).__name__)
def test_a_global_that_cannot_cross_is_refused_with_its_place(given: object, word: str) -> None:
    with left_clean(), pytest.raises((TypeError, ValueError)) as refused:
        run("return typeof x", globals={"x": given})
    assert "globals['x']" in str(refused.value)
    assert word in str(refused.value)


def test_the_place_of_what_cannot_cross_is_told_in_full() -> None:
    with pytest.raises(TypeError, match=r"globals\['x'\]\[0\]\['deep'\]\[1\]"):
        run("return 1", globals={"x": [{"deep": [1, object()]}]})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (OrderedDict(a=1), {"a": 1}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        (UserDict({"a": 1}), {"a": 1}),
        ((1, 2), [1, 2]),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"ab"), b"ab"),
        (2**53, BigInt(2**53)),
        (-(2**80), BigInt(-(2**80))),
        (True, True),
        (datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC)),
        ("\ud800", "\ud800"),
        ("\0", "\0"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_global_that_has_a_twin_crosses(given: object, expected: object) -> None:
    assert value("return x", globals={"x": given}) == expected


def test_a_cyclic_global_crosses_as_a_cycle() -> None:
    assert value("return x[0] === x", globals={"x": cyclic()}) is True


def test_a_dict_that_misbehaves_raises_its_own_error_before_anything_runs() -> None:
    with left_clean(), pytest.raises((RuntimeError, TypeError)):
        run("return 1", globals={"x": Liar(a=1)})


def test_a_huge_global_is_refused_or_out_of_memory_and_no_more() -> None:
    result = run("return 1", globals={"x": b"x" * (80 * MIB)})
    assert result.ended in (Ended.FAILED, Ended.CRASHED)
    assert result.error is not None
    assert "memory" in result.error.message
    assert value("return 1") == 1


@pytest.mark.parametrize("given", [[("a", 1)], "ab", 5, {1, 2}], ids=repr)
def test_globals_must_be_a_mapping(given: object) -> None:
    with pytest.raises(TypeError, match="globals must be a dict, not"):
        Sandbox().run_sync("return 1", globals=given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["limits", "cancel", "clock"])
def test_another_kind_of_argument_is_refused_by_name(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a "):
        Sandbox().run_sync("return 1", **{name: 5})  # type: ignore[arg-type]


@pytest.mark.parametrize("modules", ["@nodetool-ai/sandbox-yaml", b"x"])
def test_one_text_is_no_list_of_modules(modules: object) -> None:
    with pytest.raises(TypeError, match="modules must be a list"):
        Sandbox().run_sync("return 1", modules=modules)  # type: ignore[arg-type]


def test_a_refused_call_of_run_leaves_no_coroutine_behind() -> None:
    async def main() -> None:
        with pytest.raises(LimitExceeded):
            await Sandbox().run(
                "return 1",
                globals=dict.fromkeys((f"g{n}" for n in range(100_001)), 1),
                limits=Limits(max_globals=10**9),
            )

    with left_clean():
        asyncio.run(main())
