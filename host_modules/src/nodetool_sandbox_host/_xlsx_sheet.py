"""The cells of one sheet, read as they stream by: sparse, counted, and where they say they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from openpyxl.formula.tokenizer import TokenizerError
from openpyxl.formula.translate import Translator, TranslatorError
from openpyxl.utils.cell import get_column_letter

from nodetool_sandbox_host._xlsx_book import DATE, NUMBER, Book, unescaped
from nodetool_sandbox_host._xlsx_values import Value, iso_cell, moment_of, number_of
from nodetool_sandbox_host.arguments import quoted, utf16_length
from nodetool_sandbox_host.limits import (
    MAX_RESULT_UNITS,
    XLSX_LAST_COLUMN,
    XLSX_LAST_ROW,
    XLSX_MAX_CELL_UNITS,
    XLSX_MAX_CELLS_READ,
    XLSX_MAX_ROWS_WALKED,
)

_REFERENCE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,9})", re.ASCII)
_COLUMNS: Final = {get_column_letter(column): column for column in range(1, XLSX_LAST_COLUMN + 1)}
_DIGITS: Final = re.compile(r"\d{1,9}", re.ASCII)
_STEP: Final = 1024

Cell = Value | dict[str, Value]


@dataclass(frozen=True, slots=True)
class Area:
    """Cells from the first to the last row and column, both counted from 1 and included."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    @property
    def size(self) -> int:
        """How many cells it has."""
        return (self.last_row - self.first_row + 1) * (self.last_column - self.first_column + 1)

    def within(self, other: Area) -> Area | None:
        """What both share, or None."""
        row = max(self.first_row, other.first_row)
        column = max(self.first_column, other.first_column)
        last_row = min(self.last_row, other.last_row)
        last_column = min(self.last_column, other.last_column)
        if row > last_row or column > last_column:
            return None
        return Area(row, column, last_row, last_column)


WHOLE: Final = Area(1, 1, XLSX_LAST_ROW, XLSX_LAST_COLUMN)


def parse_reference(text: str) -> tuple[int, int] | None:
    """Row and column of `B3`, or None where a sheet has no such cell."""
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    letters, digits = match.groups()
    column = _COLUMNS.get(letters) or _COLUMNS.get(letters.upper(), XLSX_LAST_COLUMN + 1)
    row = int(digits)
    return (row, column) if 1 <= row <= XLSX_LAST_ROW and column <= XLSX_LAST_COLUMN else None


def parse_area(text: str) -> Area | None:
    """The cells of `B3` or `B3:F200`, its corners in any order, or None."""
    first, _, last = text.partition(":")
    start = parse_reference(first)
    stop = parse_reference(last) if last else start
    if start is None or stop is None or text.endswith(":"):
        return None
    rows, columns = sorted((start[0], stop[0])), sorted((start[1], stop[1]))
    return Area(rows[0], columns[0], rows[1], columns[1])


@dataclass(slots=True)
class Budget:
    """What the sheets of one call may still cost together."""

    where: str
    cells: int = XLSX_MAX_CELLS_READ
    rows: int = XLSX_MAX_ROWS_WALKED
    units: int = MAX_RESULT_UNITS

    def take_cells(self, count: int) -> None:
        """Count cells that were read or are given.

        Raises:
            HostCallError: there are more than XLSX_MAX_CELLS_READ.
        """
        self.cells -= count
        if self.cells < 0:
            raise HostCallError(
                f"{self.where}: more than {XLSX_MAX_CELLS_READ} cells; read a part with sheet and range"
            )

    def take_row(self) -> None:
        """Count a row that was walked over.

        Raises:
            HostCallError: there are more than XLSX_MAX_ROWS_WALKED.
        """
        self.rows -= 1
        if self.rows < 0:
            raise HostCallError(f"{self.where}: more than {XLSX_MAX_ROWS_WALKED} rows")

    def take_text(self, text: str) -> None:
        """Count a text that is given.

        Raises:
            HostCallError: they are longer than MAX_RESULT_UNITS together.
        """
        self.units -= utf16_length(text)
        if self.units < 0:
            raise HostCallError(f"{self.where}: result exceeds the {MAX_RESULT_UNITS} character limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How cells are read."""

    area: Area = WHOLE
    dates: str = "iso"
    formulas: str = "value"
    fill_merged: bool = True


class _Places:
    """Where rows and cells are: where they say, or after the one before."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def _row_number(self, told: str | None, before: int) -> int:
        number = before + 1
        if told is not None:
            number = int(told) if _DIGITS.fullmatch(told) is not None else 0
        if not 1 <= number <= XLSX_LAST_ROW:
            raise self._outside(told or str(number))
        return number

    def _place(self, told: str | None, row: int, column: int) -> tuple[int, int]:
        """Row and column of a cell; `column` is that of the cell before."""
        place = (max(row, 1), column + 1) if told is None else parse_reference(told)
        if place is None or place[1] > XLSX_LAST_COLUMN:
            raise self._outside(told or f"column {column + 1}")
        return place

    def _outside(self, reference: str) -> HostCallError:
        return self._book.package.refusal(f"it has a cell {quoted(reference)}, outside of any sheet")


class SheetEvents(_Places):
    """Takes a sheet's events; afterwards `rows` holds its cells by row and column, counted from 1."""

    def __init__(self, book: Book, how: Reading, budget: Budget) -> None:
        super().__init__(book)
        self.rows: dict[int, dict[int, Cell]] = {}
        self._how = how
        self._budget = budget
        self._area = how.area
        self._kinds = book.kinds
        self._texts = book.texts
        self._row = 0
        self._row_text = ""
        self._column = 0
        self._uncounted = 0
        self._kind = ""
        self._style = ""
        self._in_cell = False
        self._wanted: list[str] | None = None
        self._value: list[str] | None = None
        self._inline: list[str] | None = None
        self._formula: list[str] | None = None
        self._shared_id: str | None = None
        self._shared: dict[str, tuple[str, str]] = {}
        self._phonetic = 0
        self._merges: list[Area] = []

    # --- events

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins: a row, a cell, its value, its formula, a text, a merge."""
        if name == "c":
            self._start_cell(attributes)
        elif name == "v":
            if self._in_cell:
                self._value = self._wanted = []
        elif name == "row":
            self._start_row(attributes)
        elif self._in_cell:
            self._start_inside(name, attributes)
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))

    def end(self, name: str) -> None:
        """An element ends: with a cell, its value is known."""
        if name == "c":
            if self._in_cell:
                self._in_cell = False
                self._finish_cell()
        elif name in ("v", "t", "f"):
            self._wanted = None
        elif name == "rPh":
            self._phonetic -= 1

    def text(self, data: str) -> None:
        """Text of a value, a formula or an inline text."""
        if self._wanted is not None:
            self._wanted.append(data)

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._budget.take_row()
        self._row = self._row_number(attributes.get("r"), self._row)
        self._row_text = str(self._row)
        self._column = 0

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._uncounted += 1
        if self._uncounted == _STEP:
            self._count_cells()
        told = attributes.get("r")
        # nearly every cell is in the row that it lies in: the letters before its number are enough
        column = _COLUMNS.get(told.removesuffix(self._row_text)) if told is not None else None
        if column is None or not self._row:
            self._row, self._column = self._place(told, self._row, self._column)
            self._row_text = str(self._row)
        else:
            self._column = column
        self._kind = attributes.get("t", "n")
        self._style = attributes.get("s", "0")
        self._in_cell = True
        self._value = self._inline = self._formula = self._shared_id = None

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        if name == "t":
            if not self._phonetic:
                self._inline = self._inline if self._inline is not None else []
                self._wanted = self._inline
        elif name == "f":
            self._formula = self._wanted = []
            if attributes.get("t") == "shared":
                self._shared_id = attributes.get("si", "")
        elif name == "rPh":
            self._phonetic += 1

    # --- cells

    def _finish_cell(self) -> None:
        area = self._area
        if not (
            area.first_row <= self._row <= area.last_row
            and area.first_column <= self._column <= area.last_column
        ):
            if self._how.formulas != "value" and self._formula is not None:
                self._formula_text()  # a shared formula may be asked for by cells inside
            return
        value: Cell = self._plain_value()
        if self._how.formulas != "value" and self._formula is not None:
            formula = self._formula_text()
            if self._how.formulas == "text":
                value = formula if formula is not None else value
            else:
                value = {"formula": formula, "value": self._counted(value)}
        if value is not None:
            self.rows.setdefault(self._row, {})[self._column] = value

    def _counted(self, value: Cell) -> Value:
        return value if not isinstance(value, dict) else None

    def _plain_value(self) -> Value:
        if self._kind == "inlineStr" or (self._value is None and self._inline is not None):
            return None if self._inline is None else unescaped("".join(self._inline))
        if self._value is None:
            return None
        text = "".join(self._value)
        if self._kind == "s":
            return self._shared_text(text)
        if self._kind == "str":
            return unescaped(text)
        if self._kind == "b":
            return text.strip() in ("1", "true")
        if self._kind == "e":
            return text
        if self._kind == "d":
            return iso_cell(text, dates=self._how.dates)
        return self._number(text)

    def _shared_text(self, text: str) -> str:
        text = text.strip()
        index = int(text) if _DIGITS.fullmatch(text) is not None else -1
        if not 0 <= index < len(self._texts):
            where = f"{get_column_letter(self._column)}{self._row}"
            raise self._book.package.refusal(f"cell {where} refers to a shared text that is not there")
        return self._texts[index]

    def _number(self, text: str) -> Value:
        number = number_of(text)
        if number is None:
            return text or None
        style = int(self._style) if _DIGITS.fullmatch(self._style) is not None else 0
        kind = self._kinds[style] if style < len(self._kinds) else NUMBER
        if kind >= DATE:
            return moment_of(number, kind, date1904=self._book.date1904, dates=self._how.dates)
        return number

    def _formula_text(self) -> str | None:
        """The formula with its `=`; of a shared one the cells after the first are told by translating it."""
        text = "".join(self._formula or [])
        here = f"{get_column_letter(self._column)}{self._row}"
        if self._shared_id is not None and not text:
            formula, origin = self._shared.get(self._shared_id, ("", ""))
            if not formula or len(formula) > XLSX_MAX_CELL_UNITS:
                return None
            try:
                return str(Translator(formula, origin).translate_formula(here))
            except (TokenizerError, TranslatorError, ValueError, IndexError):
                return None
        if not text:
            return None
        if self._shared_id is not None:
            self._shared[self._shared_id] = (f"={text}", here)
        return f"={text}"

    # --- merged cells

    def _merge(self, reference: str) -> None:
        area = parse_area(reference)
        if area is None:
            raise self._outside(reference)
        self._budget.take_cells(1)
        self._merges.append(area)

    def _count_cells(self) -> None:
        self._budget.take_cells(self._uncounted)
        self._uncounted = 0

    def finish(self) -> None:
        """Count the last cells, and repeat the value of each merge's first cell in all of its cells.

        Raises:
            HostCallError: they are past the cap on cells.
        """
        self._count_cells()
        if not self._how.fill_merged:
            return
        for count, area in enumerate(self._merges):
            if count % _STEP == 0:
                self._book.package.deadline.check()
            value = self.rows.get(area.first_row, {}).get(area.first_column)
            shown = area.within(self._area)
            if value is None or shown is None:
                continue
            self._budget.take_cells(shown.size)
            for row in range(shown.first_row, shown.last_row + 1):
                cells = self.rows.setdefault(row, {})
                cells.update(dict.fromkeys(range(shown.first_column, shown.last_column + 1), value))


class SizeEvents(_Places):
    """The last row and the last column that hold a cell; no value is read."""

    def __init__(self, book: Book, budget: Budget) -> None:
        super().__init__(book)
        self.rows = 0
        self.columns = 0
        self._budget = budget
        self._row = 0
        self._column = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """A row or a cell begins."""
        if name == "row":
            self._budget.take_row()
            self._row = self._row_number(attributes.get("r"), self._row)
            self._column = 0
        elif name == "c":
            self._budget.take_cells(1)
            self._row, self._column = self._place(attributes.get("r"), self._row, self._column)
            self.rows = max(self.rows, self._row)
            self.columns = max(self.columns, self._column)

    def end(self, name: str) -> None:
        """Nothing: places are attributes."""

    def text(self, data: str) -> None:
        """Nothing: values are not read."""
