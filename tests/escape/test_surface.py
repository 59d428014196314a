"""The exact list of what a program reaches: a new engine or a careless line of ours shows as a difference.

`surface.txt` is what `surface_walk.js` returns. After a change that is meant, write it anew with
`python tests/escape/test_surface.py` and read the difference.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodetool_sandbox import INSTALLED, UNDEFINED, Limits, Sandbox

HERE = Path(__file__).parent
SNAPSHOT = HERE / "surface.txt"
WALK = (HERE / "surface_walk.js").read_text(encoding="utf-8")
HEADING = (
    "# Written by tests/escape/test_surface.py: each path that a program can reach, and what stands there.\n"
)

# Names that engines bring and that would be a way out, or that the reference kept its own things under.
FORBIDDEN = re.compile(
    r"(?<![A-Za-z])__(?!maxIter|proto__|defineGetter__|defineSetter__|lookupGetter__|lookupSetter__)"
    r"|dispatch|wasm|\bstd\b|\bos\b|bjson|qjs|navigator|performance|scriptArgs|\bprint\b|\bgc\b",
    re.IGNORECASE,
)


def reachable(*, modules: bool = False) -> list[str]:
    """The walk's lines, in a run with or without every installed pack declared."""
    limits = Limits(timeout_ms=20_000, max_output_size=10_000_000)
    result = Sandbox().run_sync(WALK, modules=INSTALLED if modules else (), limits=limits)
    assert isinstance(result.value, str), result
    return result.value.split("\n")


def test_a_program_reaches_what_is_written_down_and_nothing_else() -> None:
    written = SNAPSHOT.read_text(encoding="utf-8").removeprefix(HEADING).splitlines()
    found = reachable()
    assert [line for line in found if line not in written] == []
    assert [line for line in written if line not in found] == []


def test_declared_modules_put_nothing_within_reach_of_the_global_object() -> None:
    assert reachable(modules=True) == reachable()


def test_no_name_within_reach_is_a_way_out() -> None:
    assert [line for line in reachable() if FORBIDDEN.search(line)] == []


@pytest.mark.parametrize(
    "name", ["__hostCall", "console", "sleep", "__proto__", "__maxIter", "a-b", "\ufb01", "await", ""]
)
def test_a_global_of_a_reserved_or_ill_formed_name_replaces_nothing(name: str) -> None:
    code = "return [typeof console.log, typeof sleep, __maxIter, typeof __hostCall, ({}).given]"
    try:
        result = Sandbox().run_sync(code, globals={name: {"given": 1}})
    except ValueError as refused:
        assert "globals" in str(refused)  # noqa: PT017 - the other outcome
    else:
        assert result.value == ["function", "function", 10_000, "undefined", UNDEFINED]


@pytest.mark.parametrize("name", ["constructor", "toString", "hasOwnProperty", "valueOf", "length", "then"])
def test_a_global_named_like_a_member_of_every_object_is_a_plain_global(name: str) -> None:
    result = Sandbox().run_sync(f"return [{name}.given, ({{}}).given]", globals={name: {"given": 1}})
    assert result.value == [1, UNDEFINED]


if __name__ == "__main__":
    SNAPSHOT.write_text(HEADING + "\n".join(reachable()) + "\n", encoding="utf-8")
