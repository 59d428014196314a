"""Sheets to write as a program gives them: checked, counted, and turned into plain cells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, UNDEFINED, BigInt, JSDate, JSMap, JSSet
from openpyxl.utils.cell import get_column_letter

from nodetool_sandbox_host._xlsx_sheet import Area, parse_area, parse_reference
from nodetool_sandbox_host.arguments import (
    flag,
    iso_text,
    js_trim,
    quoted,
    utf16_length,
)
from nodetool_sandbox_host.limits import (
    MAX_RESULT_UNITS,
    MAX_TEXT_DEPTH,
    XLSX_LAST_COLUMN,
    XLSX_LAST_ROW,
    XLSX_MAX_CELL_UNITS,
    XLSX_MAX_CELLS_WRITTEN,
    XLSX_MAX_FORMAT_UNITS,
    XLSX_MAX_FORMULA_UNITS,
    XLSX_MAX_LINK_UNITS,
    XLSX_MAX_LINKS,
    XLSX_MAX_NAME_UNITS,
    XLSX_MAX_SHEETS_WRITTEN,
    XLSX_MAX_STYLES,
)

_WHERE: Final = "xlsx.write"
_STEP: Final = 256
_FIRST_DATE: Final = datetime(1900, 1, 1, tzinfo=UTC)
_NAME_CHARACTERS: Final = re.compile(r"[*?:\\/\[\]]")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LOOKS_ESCAPED: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_COLOUR: Final = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_CELL_KEYS: Final = frozenset(("value", "formula", "numberFormat", "link"))
_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\s\"<>]+", re.IGNORECASE)
_TABLE_NAME: Final = re.compile(r"[A-Za-z_]\w{0,254}", re.ASCII)
_MAX_FONT_SIZE: Final = 409
_MAX_WIDTH: Final = 255

# What a formula may not do: ask another machine or program, run something, or read another file.
_STRINGS: Final = re.compile(r'"(?:[^"]|"")*+"')
_FORBIDDEN_CALLS: Final = re.compile(
    r"\b(WEBSERVICE|FILTERXML|RTD|DDE|DDEAUTO|CALL|REGISTER|REGISTER\.ID|EXEC|SQL\.REQUEST|IMPORTXML|IMPORTDATA"
    r"|IMPORTHTML|IMPORTFEED|IMPORTRANGE|IMAGE|STOCKHISTORY)\s*\(",
    re.IGNORECASE,
)
_HYPERLINK: Final = re.compile(r"\bHYPERLINK\s*\(\s*(\"(?:[^\"]|\"\")*+\")?", re.IGNORECASE)
_OTHER_FILE: Final = re.compile(r"\||\][\w.]*!|\](?:[^\[\]']|'')*+'!|\\\\|file:", re.IGNORECASE)

Plain = str | int | float | bool | datetime | None


@dataclass(frozen=True, slots=True)
class Item:
    """One cell to write."""

    value: Plain
    formula: str | None = None
    number_format: str | None = None
    link: str | None = None


EMPTY: Final = Item(None)


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One sheet, checked and counted."""

    name: str
    rows: list[list[Item]]
    columns: int
    styles: list[tuple[Area, dict[str, object]]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    merges: list[Area] = field(default_factory=list)
    freeze: str | None = None
    auto_filter: bool = False
    table: str | None = None


def _refusal(message: str) -> HostCallError:
    return HostCallError(f"{_WHERE}: {message}")


def _typeof(value: object) -> str:
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, BigInt):
        return "bigint"
    return "number" if isinstance(value, int | float) else "object"


def parse_specs(value: object) -> list[dict[str, object]]:
    """The sheets as a list of records with a name and rows."""
    if isinstance(value, dict):
        specs: list[dict[str, object]] = [{"name": name, "rows": rows} for name, rows in value.items()]
    elif isinstance(value, list):
        specs = [_listed(each, place) for place, each in enumerate(value, 1)]
    else:
        raise _refusal(f"sheets must be {{name: rows}} or [{{name, rows}}], not {_typeof(value)}")
    if not specs:
        raise _refusal("a workbook needs at least one sheet")
    if len(specs) > XLSX_MAX_SHEETS_WRITTEN:
        raise _refusal(f"{len(specs)} sheets exceeds the {XLSX_MAX_SHEETS_WRITTEN} sheet limit")
    names: set[str] = set()
    for place, spec in enumerate(specs, 1):
        name = str(spec["name"])
        _require_name(name, place)
        if name.lower() in names:
            raise _refusal(f"duplicate sheet name {quoted(name)}")
        names.add(name.lower())
    return specs


def _listed(value: object, place: int) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _refusal(f"sheet {place} must be an object with a name")
    name = value.get("name", UNDEFINED)
    if not isinstance(name, str) or not js_trim(name):
        raise _refusal(f"sheet {place} has no name")
    return {**value, "name": js_trim(name)}


def _require_name(name: str, place: int) -> None:
    shown = f"sheet name {quoted(name)}"
    if not name:
        raise _refusal(f"sheet {place} has no name")
    if utf16_length(name) > XLSX_MAX_NAME_UNITS:
        raise _refusal(f"{shown} is longer than {XLSX_MAX_NAME_UNITS} characters")
    if _NAME_CHARACTERS.search(name) is not None:
        raise _refusal(f"{shown} holds one of * ? : \\ / [ ]")
    if _FORBIDDEN.search(name) is not None:
        raise _refusal(f"{shown} holds a control character or half a character")
    if name.startswith("'") or name.endswith("'"):
        raise _refusal(f"{shown} begins or ends with '")
    if name.lower() == "history":
        raise _refusal(f"{shown} is reserved by Excel")


class Check:
    """Checks sheets one after the other, and counts what they cost together."""

    def __init__(self, options: Mapping[str, object], deadline: Deadline) -> None:
        self._options = options
        self._deadline = deadline
        self._allow_formulas = flag(options, "allowFormulas", default=False)
        self._cells = 0
        self._units = 0
        self._links = 0
        self._tables: set[str] = set()

    def sheet(self, spec: Mapping[str, object]) -> Sheet:
        name = str(spec["name"])
        rows = spec.get("rows", UNDEFINED)
        if not isinstance(rows, list):
            raise _refusal(f'sheet "{name}" must hold an array of rows')
        header = flag(spec, "header", default=flag(self._options, "header", default=True))
        columns = self._columns(spec.get("columns", UNDEFINED), rows, name, header=header)
        width = len(columns) if header else max((len(each) for each in rows), default=0)
        height = len(rows) + header
        self._take(height * width)
        if height > XLSX_LAST_ROW or width > XLSX_LAST_COLUMN:
            raise _refusal(
                f'sheet "{name}" is larger than {XLSX_LAST_ROW} rows or {XLSX_LAST_COLUMN} columns'
            )
        written = [[self._item(each, name, 1, at) for at, each in enumerate(columns, 1)]] if header else []
        for number, row in enumerate(rows, 1 + header):
            if number % _STEP == 0:
                self._deadline.check()
            values = [row.get(each, UNDEFINED) for each in columns] if header else row
            written.append([self._item(each, name, number, at) for at, each in enumerate(values, 1)])
        sheet = Sheet(name=name, rows=written, columns=width)
        self._extras(sheet, spec)
        return sheet

    def _take(self, cells: int) -> None:
        self._cells += cells
        if self._cells > XLSX_MAX_CELLS_WRITTEN:
            raise _refusal(f"the workbook exceeds the {XLSX_MAX_CELLS_WRITTEN} cell limit")

    def _columns(self, given: object, rows: list[Any], name: str, *, header: bool) -> list[str]:
        """The names of the columns; [] without a header."""
        wanted = dict if header else list
        words = "objects (pass header: false for arrays)" if header else "arrays when header is false"
        for number, row in enumerate(rows):
            if number % _STEP == 0:
                self._deadline.check()
            if not isinstance(row, wanted):
                raise _refusal(f'sheet "{name}" rows must be {words}')
        if given is not UNDEFINED and given is not None:
            if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
                raise _refusal(f'sheet "{name}" columns must be an array of names')
            return list(given) if header else []
        if not header:
            return []
        keys: dict[str, None] = {}
        for number, row in enumerate(rows):
            if number % _STEP == 0:
                self._deadline.check()
            keys.update(dict.fromkeys(row))
        return list(keys)

    def _item(self, value: object, sheet: str, row: int, column: int) -> Item:
        def place() -> str:
            return f'cell {get_column_letter(column)}{row} of sheet "{sheet}"'

        if (
            isinstance(value, dict)
            and value
            and value.keys() <= _CELL_KEYS
            and value.keys() & {"value", "formula"}
        ):
            return self._described(value, place())
        plain = self._plain(value)
        if isinstance(plain, str):
            plain = self._text(plain, place)
        return EMPTY if plain is None else Item(plain)

    def _described(self, cell: Mapping[str, object], place: str) -> Item:
        """A cell given as `{ value, formula?, numberFormat?, link? }`."""
        plain = self._plain(cell.get("value", UNDEFINED))
        if isinstance(plain, str):
            plain = self._text(plain, lambda: place)
        number_format = cell.get("numberFormat", UNDEFINED)
        link = cell.get("link", UNDEFINED)
        formula = cell.get("formula", UNDEFINED)
        return Item(
            plain,
            formula=None if formula in (UNDEFINED, None) else self._formula(formula, place),
            number_format=None if number_format in (UNDEFINED, None) else _number_format(number_format),
            link=None if link in (UNDEFINED, None) else self._link(link, place),
        )

    def _plain(self, value: object) -> Plain:
        """The value as a cell holds it; whatever has no cell type is JSON text."""
        if value is None or value is UNDEFINED:
            return None
        if isinstance(value, bytes):
            raise _refusal("a cell cannot hold bytes")
        if isinstance(value, str | bool):
            return value
        if isinstance(value, int):
            return int(value) if abs(value) <= MAX_SAFE_INTEGER else str(value)
        if isinstance(value, float):
            return value if value - value == 0 else None  # NaN and infinity have no cell
        if isinstance(value, datetime):
            # Excel's calendar begins in 1900
            return value if value >= _FIRST_DATE else iso_text(value)
        if isinstance(value, JSDate):
            return None if value.epoch_ms != value.epoch_ms else iso_text(value)
        return json.dumps(_json(value, MAX_TEXT_DEPTH), ensure_ascii=False, separators=(",", ":"))

    def _text(self, text: str, place: Callable[[], str]) -> str:
        length = utf16_length(text)
        if length > XLSX_MAX_CELL_UNITS:
            raise _refusal(f"a cell holds at most {XLSX_MAX_CELL_UNITS} characters; {place()} has {length}")
        self._units += length
        if self._units > MAX_RESULT_UNITS:
            raise _refusal(f"the texts of the workbook exceed the {MAX_RESULT_UNITS} character limit")
        # surrogate pairs are joined, what XML cannot hold goes, and what reads as an escape is escaped
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
        return _LOOKS_ESCAPED.sub("_x005F_", _FORBIDDEN.sub("", text)).replace("\r", "_x000D_")

    def _formula(self, formula: object, place: str) -> str:
        if not self._allow_formulas:
            raise _refusal(f"{place} has a formula; pass allowFormulas: true to write formulas")
        if not isinstance(formula, str) or not formula.removeprefix("="):
            raise _refusal(f"the formula of {place} must be a non-empty string")
        text = self._text(formula.removeprefix("="), lambda: place)
        if utf16_length(text) > XLSX_MAX_FORMULA_UNITS:
            raise _refusal(f"the formula of {place} is longer than {XLSX_MAX_FORMULA_UNITS} characters")
        for link in _HYPERLINK.finditer(text):
            target = (link[1] or "")[1:-1]
            if _LINK.fullmatch(target) is None and not target.startswith("#"):
                raise _refusal(f"the formula of {place} links to something other than an http(s) address")
        bare = _STRINGS.sub('""', text)
        if _FORBIDDEN_CALLS.search(bare) is not None or _OTHER_FILE.search(bare) is not None:
            raise _refusal(f"the formula of {place} reaches out of the workbook")
        return text

    def _link(self, link: object, place: str) -> str:
        if not isinstance(link, str) or _LINK.fullmatch(link) is None:
            raise _refusal(f"the link of {place} must be an http(s) or mailto address")
        if utf16_length(link) > XLSX_MAX_LINK_UNITS:
            raise _refusal(f"the link of {place} is longer than {XLSX_MAX_LINK_UNITS} characters")
        self._links += 1
        if self._links > XLSX_MAX_LINKS:
            raise _refusal(f"more than {XLSX_MAX_LINKS} links")
        return self._text(link, lambda: place)

    def _extras(self, sheet: Sheet, spec: Mapping[str, object]) -> None:
        for each in _listed_option(
            spec, "styles", sheet.name, f'sheet "{sheet.name}" styles must be an array'
        ):
            if not isinstance(each, dict):
                raise _refusal(f'every sheet "{sheet.name}" styles entry must be an object')
            area = _style_area(each.get("range", UNDEFINED))
            self._take(area.size)
            sheet.styles.append((area, _style(each)))
        sheet.widths = _widths(spec, sheet.name)
        for each in _listed_option(
            spec, "merges", sheet.name, f'sheet "{sheet.name}" merges must be an array'
        ):
            area = _style_area(each)
            self._take(area.size)
            sheet.merges.append(area)
        _require_apart(sheet.merges, sheet.name, self._deadline)
        for area in sheet.merges:
            _keep_first(sheet.rows, area)
        freeze = spec.get("freeze", UNDEFINED)
        if freeze not in (UNDEFINED, None):
            if not isinstance(freeze, str) or parse_reference(freeze) is None:
                raise _refusal(f'sheet "{sheet.name}" freeze must be a cell like "A2"')
            sheet.freeze = freeze.replace("$", "").upper()
        sheet.auto_filter = flag(spec, "autoFilter", default=False)
        table = spec.get("table", UNDEFINED)
        if table not in (UNDEFINED, None):
            sheet.table = self._table(table, sheet)

    def _table(self, table: object, sheet: Sheet) -> str:
        if not isinstance(table, str) or _TABLE_NAME.fullmatch(table) is None or parse_reference(table):
            raise _refusal(f'sheet "{sheet.name}" table must be a name of letters, digits and _')
        if table.lower() in self._tables:
            raise _refusal(f"duplicate table name {quoted(table)}")
        heads = [item.value for item in sheet.rows[0]] if sheet.rows else []
        folded = {str(each).lower() for each in heads}
        texts_alone = all(isinstance(each, str) and each for each in heads)
        if len(sheet.rows) < 2 or not texts_alone or len(folded) != len(heads):  # noqa: PLR2004  (head and body)
            raise _refusal(f'sheet "{sheet.name}" table needs a header of different texts and a row below it')
        self._tables.add(table.lower())
        return table


def _listed_option(spec: Mapping[str, object], name: str, sheet: str, message: str) -> list[object]:
    value = spec.get(name, UNDEFINED)
    if value is UNDEFINED or value is None:
        return []
    if not isinstance(value, list):
        raise _refusal(message)
    if len(value) > XLSX_MAX_STYLES:
        raise _refusal(f'sheet "{sheet}" has more than {XLSX_MAX_STYLES} {name}')
    return value


def _style_area(value: object) -> Area:
    if not isinstance(value, str):
        raise _refusal('a style needs a range like "A1:C20"')
    area = parse_area(value)
    if area is None:
        raise _refusal(f"{quoted(value)} is not a cell range")
    return area


def _style(given: Mapping[str, object]) -> dict[str, object]:
    """What the style sets, by its own names."""
    style: dict[str, object] = {}
    for name in ("bold", "italic"):
        if given.get(name, UNDEFINED) not in (UNDEFINED, None):
            style[name] = flag(given, name, default=False)
    size = given.get("size", UNDEFINED)
    if size not in (UNDEFINED, None):
        if isinstance(size, bool) or not isinstance(size, int | float) or not 1 <= size <= _MAX_FONT_SIZE:
            raise _refusal(f"size must be a number from 1 to {_MAX_FONT_SIZE}")
        style["size"] = size
    for name in ("color", "background"):
        colour = given.get(name, UNDEFINED)
        if colour not in (UNDEFINED, None):
            match = _COLOUR.fullmatch(colour) if isinstance(colour, str) else None
            if match is None:
                raise _refusal(f'{name} must be a hex colour like "FFCC00"')
            style[name] = match[1].upper().rjust(8, "F")
    number_format = given.get("numberFormat", UNDEFINED)
    if number_format not in (UNDEFINED, None):
        style["numberFormat"] = _number_format(number_format)
    return style


def _number_format(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise _refusal("numberFormat must be a non-empty string")
    if utf16_length(value) > XLSX_MAX_FORMAT_UNITS:
        raise _refusal(f"numberFormat is longer than {XLSX_MAX_FORMAT_UNITS} characters")
    return _FORBIDDEN.sub("", value)


def _widths(spec: Mapping[str, object], sheet: str) -> list[float]:
    widths: list[float] = []
    for each in _listed_option(spec, "widths", sheet, f'sheet "{sheet}" widths must be an array'):
        if isinstance(each, bool) or not isinstance(each, int | float) or not 0 <= each <= _MAX_WIDTH:
            raise _refusal(f'sheet "{sheet}" widths must be numbers from 0 to {_MAX_WIDTH}')
        widths.append(each)
    return widths


def _require_apart(merges: list[Area], sheet: str, deadline: Deadline) -> None:
    """Return when no cell is in two merges; Excel repairs a file where one is."""
    taken: set[tuple[int, int]] = set()
    for area in merges:
        deadline.check()
        cells = {
            (row, column)
            for row in range(area.first_row, area.last_row + 1)
            for column in range(area.first_column, area.last_column + 1)
        }
        if taken & cells:
            raise _refusal(f'sheet "{sheet}" has merges that overlap')
        taken |= cells


def _keep_first(rows: list[list[Item]], area: Area) -> None:
    """Empty the cells of a merge but the first, as Excel does."""
    for number in range(area.first_row, min(area.last_row, len(rows)) + 1):
        row = rows[number - 1]
        for column in range(area.first_column, min(area.last_column, len(row)) + 1):
            if (number, column) != (area.first_row, area.first_column):
                row[column - 1] = EMPTY


def _json(value: object, depth: int) -> object:
    """The value for json.dumps, as JSON.stringify would write it; a BigInt is its digits."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        exact = not isinstance(value, BigInt) and abs(value) <= MAX_SAFE_INTEGER
        return value if exact else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, datetime):
        return iso_text(value)
    if isinstance(value, bytes):
        raise _refusal("a cell cannot hold bytes")
    if depth == 0:
        raise _refusal(f"objects nested deeper than {MAX_TEXT_DEPTH} levels cannot be put into a cell")
    return _json_object(value, depth)


def _json_object(value: object, depth: int) -> object:
    if isinstance(value, list):
        return [None if each is UNDEFINED else _json(each, depth - 1) for each in value]
    if isinstance(value, dict):
        return {key: _json(each, depth - 1) for key, each in value.items() if each is not UNDEFINED}
    if isinstance(value, JSDate):
        return None if value.epoch_ms != value.epoch_ms else iso_text(value)
    return {} if isinstance(value, JSMap | JSSet) else None
