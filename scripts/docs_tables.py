"""Writes docs/reference/limits.md from nodetool_sandbox.limits; `--check` compares instead.

Usage: python scripts/docs_tables.py [--check]
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from nodetool_sandbox.limits import FIXED_LIMITS, GIB, KIB, LIMITS, MIB, LimitRow

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "reference" / "limits.md"

_SIZES: Final = ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB"))

_INTRODUCTION: Final = """\
# Limits

Every run has these limits. Pass `limits=Limits(name=value)` to tighten one or to raise it: a value is
rounded down to a whole number and moved into the bounds of its row, so no limit can be switched off.
What is not a number, NaN and infinity are refused when the `Limits` are made.

`memory_limit_bytes` is the guest's heap, called `max_heap_bytes` elsewhere.
"""

_FIXED_INTRODUCTION: Final = """\
## Fixed limits

These are the same in every run. What a package holds for itself, such as the size of a spreadsheet,
stands on that package's page.
"""


def limits_page() -> str:
    """The whole page."""
    body = "\n".join([_INTRODUCTION, *_movable(LIMITS), "", _FIXED_INTRODUCTION, *_fixed(FIXED_LIMITS), ""])
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    mark = f"<!-- Written by scripts/docs_tables.py from nodetool_sandbox.limits, {digest}: do not edit. -->"
    return f"{mark}\n\n{body}"


def _movable(rows: Iterable[LimitRow]) -> Iterator[str]:
    yield "| limit | default | least | most | unit | who holds it | what the program notices |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        amounts = " | ".join(amount(each, row.unit) for each in (row.default, row.minimum, row.ceiling))
        yield f"| `{row.name}` | {amounts} | {row.unit} | {row.enforced_by} | {row.guest_sees} |"


def _fixed(rows: Iterable[LimitRow]) -> Iterator[str]:
    yield "| limit | value | unit | who holds it | what the program notices |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        value = amount(row.default, row.unit)
        yield f"| `{row.name}` | {value} | {row.unit} | {row.enforced_by} | {row.guest_sees} |"


def amount(value: int | None, unit: str) -> str:
    """A number to read, in whole KiB, MiB or GiB where that is exact; "none" for a limit that is off."""
    if value is None:
        return "none"
    if unit.startswith("bytes"):
        for size, name in _SIZES:
            if value and value % size == 0:
                return f"{value // size:,} {name}"
    return f"{value:,}"


def main(arguments: list[str]) -> int:
    """The exit status: 1 when `--check` finds that the page is not what this writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    page = limits_page()
    if parser.parse_args(arguments).check:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page:
            return 0
        print(f"{PAGE.relative_to(ROOT)} is out of date; run: python scripts/docs_tables.py", file=sys.stderr)
        return 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
