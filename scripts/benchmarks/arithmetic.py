"""From measurements to verdicts: medians, how far they spread, and whether a bound is held."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

UNITS: Final[Mapping[str, tuple[float, str]]] = {
    # unit: how many of it make one of the base unit (seconds, bytes, pieces), and how it is written
    "s": (1.0, "s"),
    "ms": (1e3, "ms"),
    "us": (1e6, "us"),
    "MB": (1e-6, "MB"),
    "threads": (1.0, "threads"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a row must reach. Exactly one of the three limits is set.

    Args:
        against: the side that ours is compared with; None: ours is measured by itself.
        most: ours is at most so many base units, seconds or bytes.
        most_times: ours takes at most so many times what the other side takes.
        least_times_as_fast: the other side takes at least so many times what ours takes.
    """

    against: str | None = None
    most: float | None = None
    most_times: float | None = None
    least_times_as_fast: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The middle of some figures and the quarter marks on both sides of it."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Spread:
        """The spread of one figure or more."""
        if len(figures) == 1:
            return cls(low=figures[0], median=figures[0], high=figures[0])
        low, _, high = statistics.quantiles(figures, n=4, method="inclusive")
        return cls(low=low, median=statistics.median(figures), high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the table: ours, alone or beside one other side."""

    row: str
    unit: str
    ours: float | None = None
    against: str | None = None
    other: float | None = None
    ratio: float | None = None
    """Ours divided by the other; the other divided by ours where the bound asks how much faster ours is."""
    low: float | None = None
    high: float | None = None
    """The quarter marks: of the pairs' ratios, or of ours where there is no other side."""
    bound: str = ""
    held: bool | None = None
    """None where nothing was asked of the row, or it cannot be said."""
    not_measured: str = ""
    not_judged: str = ""


def judge(row: str, unit: str, bound: Bound, ours: Sequence[float], other: Sequence[float] = ()) -> Line:
    """The line of one row against one bound. Both sides' figures were taken in turn: the n-th are a pair."""
    own = Spread.of(ours)
    if bound.against is None:
        return Line(
            row=row,
            unit=unit,
            ours=own.median,
            low=own.low,
            high=own.high,
            bound=_words(bound, unit),
            held=None if bound.most is None else own.median <= bound.most,
        )
    theirs = statistics.median(other)
    ratio = own.median / theirs
    pairs = Spread.of([mine / its for mine, its in zip(ours, other, strict=True)])
    low, high = pairs.low, pairs.high
    held = None if bound.most_times is None else ratio <= bound.most_times
    if bound.least_times_as_fast is not None:
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
        held = ratio >= bound.least_times_as_fast
    return Line(
        row=row,
        unit=unit,
        ours=own.median,
        against=bound.against,
        other=theirs,
        ratio=ratio,
        low=low,
        high=high,
        bound=_words(bound, unit),
        held=held,
    )


def _words(bound: Bound, unit: str) -> str:
    if bound.most is not None:
        return f"at most {written(bound.most, unit)}"
    if bound.most_times is not None:
        return f"at most {bound.most_times:g}x"
    if bound.least_times_as_fast is not None:
        return f"at least {bound.least_times_as_fast:g}x as fast"
    return ""


def written(figure: float, unit: str) -> str:
    """A figure in its unit, with three digits that mean something."""
    factor, name = UNITS[unit]
    scaled = figure * factor
    digits = 0 if scaled >= 100 else 1 if scaled >= 10 else 2  # noqa: PLR2004 - where a digit more says nothing
    text = f"{scaled:,.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{text} {name}"


_VERDICTS: Final = {None: "", True: "held", False: "MISSED"}
HEADINGS: Final = ("row", "ours", "beside it", "ratio", "quarters", "must be", "")


def table(lines: Sequence[Line]) -> str:
    """The lines as a Markdown table whose columns are aligned, so that it reads in a terminal too."""
    rows = [HEADINGS, *[_cells(line) for line in lines]]
    widths = [max(len(row[index]) for row in rows) for index in range(len(HEADINGS))]
    text = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    text.insert(1, "| " + " | ".join("-" * max(width, 3) for width in widths) + " |")
    return "\n".join(text)


def _cells(line: Line) -> tuple[str, ...]:
    if line.not_measured:
        beside = line.against or ""
        return (line.row, "", beside, "", "", line.bound, f"not measured: {line.not_measured}")
    verdict = f"not judged: {line.not_judged}" if line.not_judged else _VERDICTS[line.held]
    ours = "" if line.ours is None else written(line.ours, line.unit)
    if line.against is None or line.other is None or line.ratio is None:
        quarters = "" if line.low is None or line.high is None else _range(line.low, line.high, line.unit)
        return (line.row, ours, "", "", quarters, line.bound, verdict)
    quarters = f"{line.low:.2f} to {line.high:.2f}"
    beside = f"{line.against}: {written(line.other, line.unit)}"
    return (line.row, ours, beside, f"{line.ratio:.2f}x", quarters, line.bound, verdict)


def _range(low: float, high: float, unit: str) -> str:
    return f"{written(low, unit)} to {written(high, unit)}"


def as_json(line: Line) -> dict[str, object]:
    """The line with its figures in base units: seconds, bytes, pieces."""
    return asdict(line)
