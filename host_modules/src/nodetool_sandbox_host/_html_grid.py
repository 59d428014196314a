"""A table's cells on its grid, with what spans columns and rows in each place that it covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host.limits import HTML_MAX_SPAN, HTML_MAX_TABLE_CELLS

Cell = TypeVar("Cell")


@dataclass(frozen=True, slots=True)
class Grid(Generic[Cell]):
    """Rows of `(cell, whether this is its first place)`; None where there is no cell."""

    rows: list[list[tuple[Cell | None, bool]]]
    width: int

    @property
    def size(self) -> int:
        """How many places it has."""
        return self.width * len(self.rows)

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[tuple[Cell, str, str]]],
        where: str,
        deadline: Deadline,
        *,
        room: int = HTML_MAX_TABLE_CELLS,
    ) -> Grid[Cell]:
        """The grid of rows of `(cell, colspan, rowspan)`.

        Raises:
            HostCallError: it has more than `room` places.
        """
        drawn: list[list[tuple[Cell | None, bool]]] = []
        below: dict[int, tuple[Cell, int]] = {}  # column: what reaches down into it, and how many rows more
        width = count = 0
        for row in rows:
            deadline.check()
            line: dict[int, tuple[Cell | None, bool]] = {
                column: (cell, False) for column, (cell, _) in below.items()
            }
            below = {column: (cell, left - 1) for column, (cell, left) in below.items() if left > 1}
            column = 0
            for cell, colspan, rowspan in row:
                while column in line:
                    column += 1
                across, down = _span(colspan), _span(rowspan)
                for place in range(across):
                    # a cell that reaches down from above keeps its place
                    line.setdefault(column + place, (cell, not place))
                    if down > 1:
                        below.setdefault(column + place, (cell, down - 1))
                column += across
                _require_room(len(line) + count, room, where)
            width = max(width, max(line, default=-1) + 1)
            count = width * (len(drawn) + 1)
            _require_room(count, room, where)
            drawn.append([line.get(place, (None, False)) for place in range(max(line, default=-1) + 1)])
        for line_cells in drawn:
            line_cells.extend([(None, False)] * (width - len(line_cells)))
        return cls(drawn if width else [], width)


def _require_room(count: int, room: int, where: str) -> None:
    if count > room:
        raise HostCallError(f"{where}: tables with more than {HTML_MAX_TABLE_CELLS} cells")


def _span(text: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return 1
    return max(1, min(int(text[:9]), HTML_MAX_SPAN))
