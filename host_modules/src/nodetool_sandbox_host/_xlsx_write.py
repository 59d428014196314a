"""Workbooks written by openpyxl, after every sheet has been checked, counted and turned into plain cells."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from typing import Any, Final, cast

from nodetool_sandbox_registry.hosts import Deadline
from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Font, PatternFill
from openpyxl.utils.cell import get_column_letter
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.cell_range import CellRange
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from nodetool_sandbox_host._xlsx_checks import EMPTY, Check, Item, Sheet, parse_specs
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    option_bag,
)
from nodetool_sandbox_host.limits import (
    XLSX_LAST_COLUMN,
    XLSX_MAX_COLUMN_WIDTH,
    XLSX_MIN_COLUMN_WIDTH,
)

_STEP: Final = 256
_DATE_FORMAT: Final = "yyyy-mm-dd hh:mm:ss"
_NO_TIME: Final = datetime(2000, 1, 1)  # noqa: DTZ001  (openpyxl's are naive)
_FORMULA_STARTS: Final = ("=", "+", "-", "@")


def write(args: Sequence[object], deadline: Deadline) -> object:
    """The bytes of a workbook with these sheets.

    Raises:
        HostCallError: a sheet, a name, a row or a cell cannot be written, or a cap is passed.
    """
    options = option_bag(argument(args, 1))
    specs = parse_specs(argument(args, 0))
    check = Check(options, deadline)
    sheets = [check.sheet(spec) for spec in specs]
    return _Writer(options, deadline).write(sheets)


class _Writer:
    """Writes checked sheets."""

    def __init__(self, options: Mapping[str, object], deadline: Deadline) -> None:
        self._deadline = deadline
        self._fit = flag(options, "autoFitColumns", default=True)
        self._quote = flag(options, "quotePrefix", default=False)

    def write(self, sheets: list[Sheet]) -> bytes:
        book = Workbook()
        book.remove(book.worksheets[0])
        for sheet in sheets:
            self._deadline.check()
            self._sheet(book.create_sheet(sheet.name), sheet)
        file = io.BytesIO()
        # the same sheets give the same bytes: no time of the host is in them
        book.properties.creator = "nodetool-sandbox"
        book.properties.created = book.properties.modified = _NO_TIME
        with _Archive(file, "w", zipfile.ZIP_DEFLATED) as archive:
            _InMemory(book, archive, self._deadline).write_data()
        return file.getvalue()

    def _sheet(self, page: Worksheet, sheet: Sheet) -> None:
        longest = self._cells(page, sheet)
        fitted = [min(max(each + 2, XLSX_MIN_COLUMN_WIDTH), XLSX_MAX_COLUMN_WIDTH) for each in longest]
        for widths in (fitted if self._fit else [], sheet.widths[:XLSX_LAST_COLUMN]):
            for column, width in enumerate(widths, 1):
                page.column_dimensions[get_column_letter(column)].width = width
        self._styles(page, sheet)
        for area in sheet.merges:
            # not merge_cells, which makes a cell object for every cell
            corners = (area.first_column, area.first_row, area.last_column, area.last_row)
            page.merged_cells.ranges.add(CellRange(None, *corners))
        if sheet.freeze is not None:
            page.freeze_panes = sheet.freeze
        if sheet.columns and sheet.rows:
            used = f"A1:{get_column_letter(sheet.columns)}{len(sheet.rows)}"
            if sheet.table is not None:
                table = Table(displayName=sheet.table, ref=used)
                table.tableStyleInfo = TableStyleInfo(name="TableStyleMedium2", showRowStripes=True)
                page.add_table(table)
            elif sheet.auto_filter:
                page.auto_filter.ref = used

    def _cells(self, page: Worksheet, sheet: Sheet) -> list[int]:
        """Fill in the cells; the longest text of each column is told."""
        longest = [0] * sheet.columns
        for number, row in enumerate(sheet.rows, 1):
            if number % _STEP == 0:
                self._deadline.check()
            for column, item in enumerate(row, 1):
                if item is not EMPTY:
                    longest[column - 1] = max(longest[column - 1], _width(item))
                    self._cell(page, number, column, item)
        return longest

    def _cell(self, page: Worksheet, row: int, column: int, item: Item) -> None:
        cell = cast("Cell", page.cell(row, column))
        if item.formula is not None:
            cell.value = f"={item.formula}"
        elif isinstance(item.value, datetime):
            cell.value = item.value.astimezone(UTC).replace(tzinfo=None)
            cell.number_format = _DATE_FORMAT
        elif item.value is not None:
            cell.value = item.value
            if isinstance(item.value, float) and float(f"{item.value:.16g}") != item.value:
                # openpyxl writes sixteen digits of a number, some have seventeen
                cell._value = repr(item.value)  # type: ignore[attr-defined]  # noqa: SLF001
        if isinstance(item.value, str) and item.formula is None:
            cell.data_type = "s"  # also what openpyxl takes for a formula or an error
            if self._quote and item.value.startswith(_FORMULA_STARTS):
                cell.quotePrefix = True
        if item.number_format is not None:
            cell.number_format = item.number_format
        if item.link is not None:
            cell.hyperlink = item.link

    def _styles(self, page: Worksheet, sheet: Sheet) -> None:
        """Each cell's styles put together, then set: one style object for all cells that look alike."""
        looks: dict[tuple[int, int], int] = {}
        kinds: list[dict[str, object]] = [{}]
        for area, style in sheet.styles:
            self._deadline.check()
            joined: dict[int, int] = {}
            for row in range(area.first_row, area.last_row + 1):
                for column in range(area.first_column, area.last_column + 1):
                    before = looks.get((row, column), 0)
                    if before not in joined:
                        joined[before] = len(kinds)
                        kinds.append({**kinds[before], **style})
                    looks[row, column] = joined[before]
        made: dict[tuple[int, int], Cell] = {}
        for count, ((row, column), look) in enumerate(looks.items()):
            if count % _STEP == 0:
                self._deadline.check()
            cell = cast("Cell", page.cell(row, column))
            # two cells look alike after a style where they did before it
            key = (look, cell.style_id)
            if key not in made:
                _apply(cell, kinds[look])
                made[key] = cell
            else:
                # openpyxl's own way to copy a style
                cell._style = copy(made[key]._style)  # type: ignore[attr-defined]  # noqa: SLF001


def _apply(cell: Cell, style: Mapping[str, object]) -> None:
    names = {"bold": "bold", "italic": "italic", "size": "size", "color": "color"}
    changes: dict[str, Any] = {names[name]: value for name, value in style.items() if name in names}
    if changes:
        font = {"name": cell.font.name, "size": cell.font.size, **changes}
        cell.font = Font(**font)
    if "background" in style:
        cell.fill = PatternFill("solid", fgColor=str(style["background"]))
    if "numberFormat" in style:
        cell.number_format = str(style["numberFormat"])


def _width(item: Item) -> int:
    value = item.value
    if isinstance(value, datetime):
        return len(_DATE_FORMAT)
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return max(map(len, text.split("\n")))


class _Archive(zipfile.ZipFile):
    """An archive whose entries have no time."""

    def writestr(self, zinfo_or_arcname: str | zipfile.ZipInfo, *args: Any, **named: Any) -> None:  # noqa: ANN401
        info = zinfo_or_arcname
        if isinstance(info, str):
            info = zipfile.ZipInfo(info)  # its own default is 1980
            info.compress_type = self.compression
        super().writestr(info, *args, **named)


class _Rows(WorksheetWriter):
    """Openpyxl's writer of one sheet, with a look at the clock."""

    def __init__(self, page: Worksheet, out: io.BytesIO, deadline: Deadline) -> None:
        self._deadline = deadline
        super().__init__(page, out)

    def write_row(self, xf: Any, row: Any, row_idx: int) -> None:  # noqa: ANN401  (openpyxl's stream)
        if row_idx % _STEP == 0:
            self._deadline.check()
        super().write_row(xf, row, row_idx)


class _InMemory(ExcelWriter):
    """Openpyxl's writer of a workbook, which by itself puts each sheet into a file on disk first."""

    def __init__(self, book: Workbook, archive: zipfile.ZipFile, deadline: Deadline) -> None:
        super().__init__(book, archive)
        self._deadline = deadline

    def write_worksheet(self, ws: Any) -> None:  # noqa: ANN401  (as openpyxl declares it)
        ws._drawing = None  # noqa: SLF001  (no pictures, no charts)
        out = io.BytesIO()
        writer = _Rows(ws, out, self._deadline)
        writer.write()
        # openpyxl's own steps
        ws._rels = writer._rels  # type: ignore[attr-defined]  # noqa: SLF001
        self._archive.writestr(ws.path[1:], out.getvalue())  # type: ignore[attr-defined]
        self.manifest.append(ws)
