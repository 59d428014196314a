"""The tables of docs/reference/values.md, row by row."""

from __future__ import annotations

import datetime as dt
import decimal
import pathlib
import re
from pathlib import Path

import nodetool_sandbox
import pytest
from nodetool_sandbox import MarshalError, Sandbox

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "values.md").read_text(encoding="utf-8")
NAMES = {
    **{name: getattr(nodetool_sandbox, name) for name in nodetool_sandbox.__all__},
    "UTC": dt.UTC,
    "datetime": dt.datetime,
    "date": dt.date,
    "Decimal": decimal.Decimal,
    "Path": pathlib.Path,
}
SAME = """
const same = (a, b) =>
  Object.is(a, b) || (a && b && typeof a === "object"
    && Object.getPrototypeOf(a) === Object.getPrototypeOf(b)
    && (a instanceof Date ? Object.is(a.getTime(), b.getTime())
      : a instanceof Map || a instanceof Set ? same([...a], [...b])
      : same2(Object.entries(a), Object.entries(b))));
const same2 = (a, b) => a.length === b.length
  && a.every(([key, value], at) => key === b[at][0] && same(value, b[at][1]));
"""


def rows(heading: str) -> list[tuple[str, str]]:
    """The cells of the table below a heading, without their quotes."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| `")]
    return [(left.strip("`"), re.sub(r"^`(.*)`$", r"\1", right)) for left, right in lines]


def python(cell: str) -> object:
    return eval(cell, dict(NAMES))  # noqa: S307 - the project's own documentation


@pytest.mark.parametrize(("javascript", "expected"), rows("From the program to Python"))
def test_a_value_of_a_program_arrives_as_the_table_says(javascript: str, expected: str) -> None:
    value = Sandbox().run_sync(f"return [{javascript}]").value
    assert repr(value) == repr([python(expected)])


@pytest.mark.parametrize(("given", "javascript"), rows("From Python to the program"))
def test_a_value_of_python_arrives_as_the_table_says(given: str, javascript: str) -> None:
    code = f"{SAME} return same(inputs.value, {javascript})"
    result = Sandbox().run_sync(code, globals={"inputs": {"value": python(given)}})
    assert result.value is True, result.error


@pytest.mark.parametrize("given", [cell for cell, _ in rows("What is refused")])
def test_a_value_that_cannot_cross_is_refused_as_the_table_says(given: str) -> None:
    with pytest.raises(MarshalError, match=r"globals\['inputs'\]"):
        Sandbox().run_sync("return 1", globals={"inputs": python(given)})


def test_every_table_was_found() -> None:
    assert len(rows("From the program to Python")) > 30
    assert len(rows("From Python to the program")) > 20
    assert len(rows("What is refused")) > 5
