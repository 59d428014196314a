"""Measures, and prints the numbers beside what they must be: `bench.py` all rows, `bench.py --only fresh` one.

All sides of a row are asked in turn, many times, in one go: on a machine that others use, a ratio of medians
says more than a time. The exit code is 1 when a row misses its bound or cannot be measured on our own side.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.arithmetic import Bound, Line, as_json, judge, table
from benchmarks.peers import node_command, python_command
from benchmarks.rows import ROWS, Room, Row
from benchmarks.workers import TaskFailedError, Workers

COMMANDS: Final[Mapping[str, Callable[[], Sequence[str | Path]]]] = {
    "ours": lambda: [sys.executable, "-m", "benchmarks.ours"],
    "python peers": python_command,
    "node peers": node_command,
}

OWN: Final = "ours"
ROOM: Final = "room"


def main(arguments: Sequence[str]) -> int:
    """0 when every row that has a bound holds it."""
    asked = _parse(arguments)
    wanted = [row for row in ROWS if not asked.only or row.name in asked.only]
    lines: list[Line] = []
    with Workers(COMMANDS) as workers:
        for row in wanted:
            began = time.monotonic()
            lines += measure(row, workers)
            print(f"bench: {row.name}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps([as_json(line) for line in lines], indent=2) if asked.json else table(lines))
    missed = sorted({line.row for line in lines if has_failed(line)})
    if missed:
        print(f"bench: missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def measure(row: Row, workers: Workers) -> Iterator[Line]:
    """The lines of one row: one for each bound, then one for each side that is there for scale."""
    sides = {OWN: row.ours, **row.others}
    if row.room is not None:
        sides[ROOM] = row.room.ask
    figures: dict[str, list[float]] = {name: [] for name in sides}
    failures: dict[str, str] = {}
    # the first turn of a comparison warms all sides up
    for turn in range(-1 if row.others else 0, row.pairs):
        for name, side in sides.items():
            if name in failures:
                continue
            try:
                figure = workers.ask(side)
            except TaskFailedError as error:
                failures[name] = str(error)
            else:
                figures[name] += [figure] if turn >= 0 else []
    for bound in _all_bounds(row):
        beside = bound.against or OWN
        if failure := failures.get(OWN) or failures.get(beside):
            yield Line(
                row=row.name,
                unit=row.unit,
                against=bound.against,
                not_measured=failure,
                held=False if OWN in failures else None,
            )
            continue
        line = judge(row.name, row.unit, bound, figures[OWN], figures[beside])
        yield excused(line, row.room, figures[ROOM]) if row.room is not None else line


def _all_bounds(row: Row) -> Iterator[Bound]:
    yield from row.bounds
    judged = {bound.against for bound in row.bounds}
    yield from (Bound(against=name) for name in row.others if name not in judged)
    if not row.bounds and not row.others:
        yield Bound()


def excused(line: Line, room: Room, figures: Sequence[float]) -> Line:
    """The line; a miss is not called one where the machine had no room for more."""
    if line.held is not False or not figures or statistics.median(figures) >= room.least:
        return line
    return replace(line, held=None, not_judged=room.words.format(statistics.median(figures)))


def has_failed(line: Line) -> bool:
    """Whether the line makes the bench fail. A peer that this machine cannot have does not."""
    return line.held is False


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench.py", description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument(
        "--only",
        action="append",
        metavar="ROW",
        choices=[row.name for row in ROWS],
        help="this row; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, times in seconds")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
