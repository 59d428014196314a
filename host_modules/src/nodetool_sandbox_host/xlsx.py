"""xlsx: Excel workbooks in and out: bytes to rows and rows to bytes, in the words of SheetJS and ExcelJS.

Reading streams each sheet through expat (see `_xlsx_package`); openpyxl says which formats are dates,
what a serial number means, and writes. Nothing is evaluated, followed or kept on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host import csv
from nodetool_sandbox_host._column_names import column_names
from nodetool_sandbox_host._xlsx_book import Book, SheetPart
from nodetool_sandbox_host._xlsx_package import Package
from nodetool_sandbox_host._xlsx_sheet import (
    WHOLE,
    Budget,
    Cell,
    Reading,
    SheetEvents,
    SizeEvents,
    parse_area,
)
from nodetool_sandbox_host._xlsx_write import write
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    iso_text,
    js_text,
    number_to_text,
    option_bag,
    quoted,
    require_bytes,
    text_option,
    utf16_length,
    whole_number,
)
from nodetool_sandbox_host.limits import XLSX_LAST_ROW, XLSX_MAX_KEY_UNITS

_SHOWN_NAMES: Final = 20
_STEP: Final = 1024
_WHERE: Final = "xlsx.parse"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """What is made of a sheet's rows."""

    header: bool
    header_row: int | None
    blank_rows: bool
    blank: str | None
    limit: int


def parse(args: Sequence[object], deadline: Deadline) -> object:
    """The rows of each sheet by the sheets' names, or those of one sheet: records, or arrays.

    Raises:
        HostCallError: the bytes are no workbook, an option is wrong, or a cap is passed.
    """
    data = require_bytes(argument(args, 0), _WHERE)
    options = option_bag(argument(args, 1))
    how, shape = _reading(options, _WHERE), _shape(options)
    book = Book(Package(data, where=_WHERE, deadline=deadline))
    budget = Budget(_WHERE)
    wanted = options.get("sheet", UNDEFINED)
    if wanted is UNDEFINED or wanted is None:
        rows: dict[str, object] = {}
        for sheet in book.sheets:
            budget.take_text(sheet.name)
            rows[sheet.name] = _Rows(book, sheet, how, shape, budget).rows()
        return rows
    return _Rows(book, _sheet(book, wanted, _WHERE), how, shape, budget).rows()


def sheets(args: Sequence[object], deadline: Deadline) -> object:
    """`{ name, state, rows, columns }` of each sheet; no cell's value is read.

    Raises:
        HostCallError: the bytes are no workbook, or a cap is passed.
    """
    where = "xlsx.sheets"
    book = Book(Package(require_bytes(argument(args, 0), where), where=where, deadline=deadline))
    budget = Budget(where)
    found: list[object] = []
    for sheet in book.sheets:
        size = SizeEvents(book, budget)
        book.package.read(sheet.part, size)
        budget.take_text(sheet.name)
        found.append({"name": sheet.name, "state": sheet.state, "rows": size.rows, "columns": size.columns})
    return found


def to_csv(args: Sequence[object], deadline: Deadline) -> object:
    """The rows of one sheet, the first by default, as CSV.

    Raises:
        HostCallError: the bytes are no workbook, an option is wrong, or a cap is passed.
    """
    where = "xlsx.toCsv"
    data = require_bytes(argument(args, 0), where)
    options = option_bag(argument(args, 1))
    delimiter = text_option(options, "delimiter", default=",", where=where)
    book = Book(Package(data, where=where, deadline=deadline))
    if not book.sheets:
        return ""
    wanted = options.get("sheet", UNDEFINED)
    sheet = book.sheets[0] if wanted in (UNDEFINED, None) else _sheet(book, wanted, where)
    shape = _Shape(header=False, header_row=None, blank_rows=True, blank=None, limit=XLSX_LAST_ROW)
    rows = _Rows(book, sheet, Reading(), shape, Budget(where)).rows()
    try:
        return csv.stringify([rows, {"delimiter": delimiter}], deadline)
    except HostCallError as error:
        raise HostCallError(error.message.replace("csv.stringify: ", f"{where}: ", 1)) from None


def _reading(options: Mapping[str, object], where: str) -> Reading:
    area = WHOLE
    if options.get("range", UNDEFINED) not in (UNDEFINED, None):
        text = text_option(options, "range", default="", where=where)
        found = parse_area(text)
        if found is None:
            raise HostCallError(f'{where}: {quoted(text)} is not a cell range such as "B3:F200"')
        area = found
    return Reading(
        area=area,
        dates=_choice(options, "dates", ("iso", "date", "serial"), where),
        formulas=_choice(options, "formulas", ("value", "text", "both"), where),
        fill_merged=_choice(options, "merged", ("fill", "first"), where) == "fill",
    )


def _shape(options: Mapping[str, object]) -> _Shape:
    header_row = None
    if options.get("headerRow", UNDEFINED) not in (UNDEFINED, None):
        header_row = whole_number(options, "headerRow", default=1, low=1, high=XLSX_LAST_ROW, where=_WHERE)
    blank_rows = flag(options, "blankRows", default=False)
    if "blankRows" not in options:
        blank_rows = not flag(options, "skipEmptyRows", default=True)
    blank = options.get("blank", UNDEFINED)
    if blank not in (UNDEFINED, None, ""):
        raise HostCallError(f'{_WHERE}: blank must be null or ""')
    return _Shape(
        header=flag(options, "header", default=True),
        header_row=header_row,
        blank_rows=blank_rows,
        blank="" if blank == "" else None,
        limit=whole_number(options, "limit", default=XLSX_LAST_ROW, low=0, high=XLSX_LAST_ROW, where=_WHERE),
    )


def _choice(options: Mapping[str, object], name: str, choices: tuple[str, ...], where: str) -> str:
    value = text_option(options, name, default=choices[0], where=where)
    if value not in choices:
        raise HostCallError(f"{where}: {name} must be {' or '.join(map(quoted, choices))}")
    return value


def _sheet(book: Book, wanted: object, where: str) -> SheetPart:
    """The sheet of that name; a number that is no sheet's name counts the sheets from 0."""
    name = js_text(wanted, where)
    for sheet in book.sheets:
        if sheet.name == name:
            return sheet
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < len(book.sheets):
        return book.sheets[wanted]
    known = ", ".join(quoted(sheet.name)[1:-1] for sheet in book.sheets[:_SHOWN_NAMES])
    more = ", …" if len(book.sheets) > _SHOWN_NAMES else ""
    raise HostCallError(f"{where}: no sheet named {quoted(name)}. Sheets: {known}{more}")


class _Rows:
    """One sheet's rows in the shape that was asked for."""

    def __init__(self, book: Book, sheet: SheetPart, how: Reading, shape: _Shape, budget: Budget) -> None:
        self._deadline = book.package.deadline
        self._area = how.area
        self._shape = shape
        self._budget = budget
        events = SheetEvents(book, how, budget)
        book.package.read(sheet.part, events)
        events.finish()
        self._cells = events.rows

    def rows(self) -> list[object]:
        """Arrays, or records by the header row.

        Raises:
            HostCallError: they are past a cap.
        """
        shape = self._shape
        if not shape.header:
            return [self._padded(each) for each in self._arrays(shape.limit)]
        if shape.header_row is not None:
            for number in [each for each in self._cells if each < shape.header_row]:
                del self._cells[number]
            self._cells.setdefault(shape.header_row, {})
        arrays = self._arrays(shape.limit + 1, keep=shape.header_row)
        if not arrays:
            return []
        names = column_names([_key(each) for each in arrays.pop(0)], first_column=self._area.first_column)
        return self._records(names, arrays)

    def _arrays(self, limit: int, keep: int | None = None) -> list[list[Cell]]:
        """The rows by their cells, each cut at its last one, or with `blankRows` all rows of one width."""
        numbers = sorted(self._cells)
        first_column = self._area.first_column
        if self._shape.blank_rows and numbers:
            numbers = self._all_numbers(numbers)
        width = 0
        if self._shape.blank_rows:
            width = max((max(row, default=0) for row in self._cells.values()), default=0) - first_column + 1
        arrays: list[list[Cell]] = []
        for count, number in enumerate(numbers):
            if count % _STEP == 0:
                self._deadline.check()
            if len(arrays) >= limit:
                break
            row = self._cells.pop(number, {})
            if not row and not self._shape.blank_rows and number != keep:
                continue
            length = width or max(row, default=first_column - 1) - first_column + 1
            self._budget.take_cells(max(1, length) if self._shape.blank_rows else length - len(row))
            arrays.append(self._array(row, length))
        return arrays

    def _all_numbers(self, numbers: list[int]) -> list[int]:
        first = self._shape.header_row or self._area.first_row
        count = numbers[-1] - first + 1
        self._budget.take_cells(max(0, count - len(numbers)))
        return list(range(first, numbers[-1] + 1))

    def _array(self, row: dict[int, Cell], length: int) -> list[Cell]:
        array: list[Cell] = [None] * length
        for column, value in row.items():
            array[column - self._area.first_column] = value
            self._take(value)
        return array

    def _take(self, value: Cell) -> None:
        if isinstance(value, str):
            self._budget.take_text(value)
        elif isinstance(value, dict):
            for each in value.values():
                if isinstance(each, str):
                    self._budget.take_text(each)

    def _padded(self, array: list[Cell]) -> list[Cell]:
        blank = self._shape.blank
        return array if blank is None else [blank if each is None else each for each in array]

    def _records(self, names: list[str], arrays: list[list[Cell]]) -> list[object]:
        key_units = sum(map(utf16_length, names)) + len(names)
        if key_units * len(arrays) > XLSX_MAX_KEY_UNITS:
            raise HostCallError(
                f"{_WHERE}: the column names repeated in every row exceed {XLSX_MAX_KEY_UNITS} characters; "
                "pass header: false for arrays"
            )
        records: list[object] = []
        blank = self._shape.blank
        taken = set(names)
        for count, array in enumerate(arrays):
            if count % _STEP == 0:
                self._deadline.check()
            self._budget.take_cells(max(0, len(names) - len(array)))
            record: dict[str, object] = dict.fromkeys(names, blank)
            for place, value in enumerate(array):
                if value is None:
                    continue
                if place < len(names):
                    record[names[place]] = value
                else:
                    record[_free(f"col_{place + self._area.first_column}", taken)] = value
            records.append(record)
        return records


def _free(name: str, taken: set[str]) -> str:
    number = 0
    free = name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _key(value: Cell) -> str | None:
    """A header cell as the name of its column."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return iso_text(value)
    if isinstance(value, dict):
        return _key(value.get("value"))
    return number_to_text(value)


MODULE: Final = HostModule(
    host_id=HostId("xlsx"),
    exports=(
        HostExport(name="parse", function=parse),
        HostExport(name="write", function=write),
        HostExport(name="sheets", function=sheets),
        HostExport(name="toCsv", function=to_csv),
    ),
)
