"""The exact list of what a program reaches: a new engine or a careless line of ours shows as a difference.

`surface.txt` is what `surface_walk.js` returns. After a change that is meant, write it anew:

    python -m pytest tests/escape/test_surface.py --override-ini addopts= -k written   (prints the difference)
    python tests/escape/test_surface.py
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodetool_sandbox import INSTALLED, Limits, Sandbox

HERE = Path(__file__).parent
SNAPSHOT = HERE / "surface.txt"
WALK = (HERE / "surface_walk.js").read_text(encoding="utf-8")
HEADING = "# Written by tests/escape/test_surface.py. Each line a path that a program can reach, and what stands there.\n"

# Names that engines bring and that would be a way out, or that the reference kept its own things under.
FORBIDDEN = re.compile(
    r"__(?!maxIter|proto__|defineGetter__|defineSetter__|lookupGetter__|lookupSetter__)"
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


@pytest.mark.parametrize("line", SNAPSHOT.read_text(encoding="utf-8").removeprefix(HEADING).splitlines())
def test_no_name_within_reach_is_a_way_out(line: str) -> None:
    assert FORBIDDEN.search(line) is None


if __name__ == "__main__":
    SNAPSHOT.write_text(HEADING + "\n".join(reachable()) + "\n", encoding="utf-8")
