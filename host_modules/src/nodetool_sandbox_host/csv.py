"""csv: tables of text in and out, in the words of Papa Parse, read by the standard library's `csv`.

The reader is `csv.reader`. Around it stand the points where Papa Parse's users expect something
else: the delimiter is guessed, blank lines do not count, spaces after a closing quote go, short
and long rows keep their shape. Writing is done here: the library's writer quotes differently and
writes numbers as Python does.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, pairwise
from typing import Final, cast

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, UNDEFINED, JSDate

from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    iso_text,
    js_text,
    js_trim,
    option_bag,
    quoted,
    text_list_option,
    text_option,
    utf16_length,
    whole_number,
)
from nodetool_sandbox_host.decoding import require_file_text
from nodetool_sandbox_host.limits import (
    CSV_DETECT_ROWS,
    CSV_DETECT_UNITS,
    CSV_MAX_CELLS,
    CSV_MAX_COLUMNS,
    CSV_MAX_ERRORS,
    CSV_MAX_KEY_UNITS,
    CSV_MAX_ROWS,
    MAX_RESULT_UNITS,
    MAX_TEXT_UNITS,
)

# The library's limit on one field is global to the process; a text may be one field as long as itself.
csv.field_size_limit(max(csv.field_size_limit(), MAX_TEXT_UNITS))

_DELIMITERS: Final = (",", "\t", "|", ";", "\x1e", "\x1f")
_NO_DELIMITERS: Final = ("\r", "\n", '"', "\ufeff")
_EXTRA: Final = "__parsed_extra"
_STEP: Final = 256
"""Rows between two looks at the clock."""
_CONSISTENT_FIELDS: Final = 1.99
"""Papa Parse's bound: a delimiter that cuts rows into fewer fields on average is none."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_MAX_NUMBER_UNITS: Final = 400
_EXACT: Final = MAX_SAFE_INTEGER + 1
_BREAKS: Final = re.compile(r"\r\n|\r|\n")
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How one text is to be read."""

    where: str
    header: bool
    delimiter: str
    typed: bool | frozenset[str]
    trim: bool
    comment: str
    skip_rows: int
    columns: list[str] | None
    max_rows: int


@dataclass(slots=True)
class _Problem:
    """A row that is not what the header or the quotes promise; `row` counts the rows given back, from 0."""

    code: str
    message: str
    row: int = -1

    def to_guest(self) -> dict[str, object]:
        return {"row": self.row, "code": self.code, "message": self.message}


def parse(args: Sequence[object], deadline: Deadline) -> object:
    """The rows of a table: records by the header's names, or arrays where `header` is false.

    Raises:
        HostCallError: the text is none or too long, an option is wrong, or the table is past a cap.
    """
    text, how = _arguments(args, "csv.parse")
    return _Table(text, how, deadline).rows


def parse_with_errors(args: Sequence[object], deadline: Deadline) -> object:
    """What `parse` gives, with the delimiter, the column names and what is odd about the rows.

    Raises:
        HostCallError: as for `parse`.
    """
    text, how = _arguments(args, "csv.parseWithErrors")
    problems: list[_Problem] = []
    table = _Table(text, how, deadline, problems)
    return {
        "rows": table.rows,
        "delimiter": table.delimiter,
        "fields": table.fields,
        "errors": [each.to_guest() for each in sorted(problems, key=lambda each: each.row)[:CSV_MAX_ERRORS]],
    }


def detect(args: Sequence[object], deadline: Deadline) -> object:
    """The delimiter, the line end and whether the first row reads like a header.

    Raises:
        HostCallError: the text is none or too long.
    """
    text, how = _arguments(args, "csv.detect")
    delimiter = how.delimiter or _detect_delimiter(text, how, deadline)
    head = text[:CSV_DETECT_UNITS]
    outside = _quoted_fields(delimiter, "").sub('""', head)
    counts = dict.fromkeys(("\n", "\r\n", "\r"), 0)
    for found in _BREAKS.findall(outside):
        counts[found] += 1
    rows = [row for row in _preview(text, how, delimiter) if not _is_blank(row)]
    return {
        "delimiter": delimiter,
        "newline": max(counts, key=counts.__getitem__),
        "header": _reads_like_header(rows),
    }


def _arguments(args: Sequence[object], where: str) -> tuple[str, _Reading]:
    options = option_bag(argument(args, 1))
    text = require_file_text(argument(args, 0), where, encoding=options.get("encoding", UNDEFINED))
    typed = options.get("dynamicTyping", UNDEFINED)
    comment_name = "comment" if "comment" in options else "comments"
    if options.get(comment_name, UNDEFINED) is False:
        comment = ""
    elif options.get(comment_name, UNDEFINED) is True:
        comment = "#"
    else:
        comment = text_option(options, comment_name, default="", where=where)
    if any(each in comment for each in _NO_DELIMITERS):
        raise HostCallError(f"{where}: {comment_name} must not contain a quote or a line break")
    how = _Reading(
        where=where,
        header=flag(options, "header", default=True),
        delimiter=_delimiter(options, where, empty=True),
        typed=(
            frozenset(text_list_option(options, "dynamicTyping", where=where) or ())
            if isinstance(typed, list)
            else flag(options, "dynamicTyping", default=False)
        ),
        trim=flag(options, "trim", default=False),
        comment=comment,
        skip_rows=_count(options, ("skipRows", "skipFirstNLines"), where),
        columns=text_list_option(options, "columns", where=where),
        # 0 is Papa Parse's word for all rows
        max_rows=_count(options, ("maxRows", "preview"), where) or MAX_TEXT_UNITS,
    )
    # decoding took the mark of bytes already
    return text if isinstance(argument(args, 0), bytes) else text.removeprefix("\ufeff"), how


def _count(options: Mapping[str, object], names: tuple[str, ...], where: str) -> int:
    name = next((each for each in names if each in options), names[0])
    return whole_number(options, name, default=0, low=0, high=MAX_TEXT_UNITS, where=where)


def _delimiter(options: Mapping[str, object], where: str, *, empty: bool) -> str:
    """The given delimiter, or `""` where it is to be guessed; what cannot be one counts as a comma."""
    value = options.get("delimiter", UNDEFINED)
    if value is UNDEFINED or value is None:
        return "" if empty else ","
    if not isinstance(value, str) or utf16_length(value) > 1 or not (value or empty):
        raise HostCallError(f"{where}: delimiter must be a single character")
    return "," if value in _NO_DELIMITERS else value


class _Lines:
    """The lines of a text, each with its end; a comment is passed over where a row would begin."""

    def __init__(self, text: str, comment: str) -> None:
        self._lines = io.StringIO(text, newline="")
        self._comment = comment
        self.count = 0
        self.row_begins = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.count += 1
        while self.row_begins and self._comment and line.startswith(self._comment):
            line = next(self._lines)
            self.count += 1
        self.row_begins = False
        return line


def _quoted_fields(delimiter: str, comment: str) -> re.Pattern[str]:
    """Every quoted field and every comment; each repetition is possessive, so a search is one pass."""
    starts = re.escape(delimiter)
    spaces = " \t".replace(delimiter, "")
    ends = rf"(?=(?P<end>{starts}|[\r\n]|\Z)?)"
    field = rf'"[^"]*+(?:""[^"]*+)*+(?P<close>"|\Z)(?P<spaces>[{spaces}]*+){ends}'
    pattern = rf"(?:\A|(?<=[{starts}\r\n])){field}"
    if comment:
        pattern = rf"(?:\A|(?<=[\r\n])){re.escape(comment)}[^\r\n]*+|{pattern}"
    return re.compile(pattern)


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and not row[0])


def _reader(lines: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=delimiter, quotechar='"', doublequote=True, strict=False)


def _preview(text: str, how: _Reading, delimiter: str) -> list[list[str]]:
    """The first rows, out of the first stretch of the text; a row that the stretch cuts off is left out."""
    head = text[:CSV_DETECT_UNITS]
    lines = _Lines(_skip_lines(head, how.skip_rows), how.comment)
    rows: list[list[str]] = []
    for row in _reader(lines, delimiter):
        rows.append(row)
        lines.row_begins = True
        if len(rows) == CSV_DETECT_ROWS:
            return rows
    return rows[:-1] if len(head) < len(text) and len(rows) > 1 else rows


def _detect_delimiter(text: str, how: _Reading, deadline: Deadline) -> str:
    """The delimiter that cuts through the fewest quotes, then Papa Parse's guess.

    That is the one whose rows differ least in length, and of those the one with the most fields.
    """
    best = ","
    best_rank: tuple[float, float, float] | None = None
    for delimiter in _DELIMITERS:
        deadline.check()
        rows = [row for row in _preview(text, how, delimiter) if not _is_blank(row)]
        counts = [len(row) for row in rows]
        if not counts or (fields := sum(counts) / len(counts)) <= _CONSISTENT_FIELDS:
            continue
        # half a quoted field keeps its quote: "x of "x,y" when a comma is tried
        cut = sum(cell.count('"') % 2 for row in rows for cell in row)
        delta = sum(abs(after - before) for before, after in pairwise(counts))
        rank = (cut, delta, -fields)
        if best_rank is None or rank < best_rank:
            best, best_rank = delimiter, rank
    return best


def _skip_lines(text: str, count: int) -> str:
    if not count:
        return text
    lines = io.StringIO(text, newline="")
    for _ in range(count):
        if not lines.readline():
            break
    return lines.read()


class _Table:
    """One text, read: `rows`, the `delimiter` that was used and the `fields` that name its columns."""

    def __init__(
        self, text: str, how: _Reading, deadline: Deadline, problems: list[_Problem] | None = None
    ) -> None:
        self._how = how
        self._problems = problems
        self.delimiter = how.delimiter or _detect_delimiter(text, how, deadline)
        text = _skip_lines(text, how.skip_rows)
        text, marks = self._without_spaces_after_quotes(text)
        rows = self._raw_rows(text, marks, deadline)
        header: list[str] | None = None
        if how.header:
            header = next(rows, [])
            if header:
                self._require_columns(header)
            header = _unique(header)
            self.fields = header if how.columns is None else how.columns
            self._picked = None if how.columns is None else self._positions(header, how.columns)
        else:
            header = how.columns
            self.fields = header or []
            self._picked = None
        self._header = header
        self._key_units = sum(map(utf16_length, self.fields))
        self.rows: list[object] = []
        self._read(rows, deadline)

    def _read(self, rows: Iterator[list[str]], deadline: Deadline) -> None:
        cells = 0
        left = self._how.max_rows
        while chunk := list(islice(rows, min(_STEP, left))):
            deadline.check()
            left -= len(chunk)
            for row in chunk:
                cells += len(row)
                if len(row) > CSV_MAX_COLUMNS:
                    self._require_columns(row)
            if cells > CSV_MAX_CELLS:
                raise HostCallError(
                    f"{self._how.where}: more than {CSV_MAX_CELLS} cells; read fewer with maxRows"
                )
            # every record repeats the names: a long header over short rows would multiply the input
            if (
                self._header is not None
                and self._key_units * (len(self.rows) + len(chunk)) > CSV_MAX_KEY_UNITS
            ):
                raise HostCallError(
                    f"{self._how.where}: the column names repeated in every row exceed "
                    f"{CSV_MAX_KEY_UNITS} characters; pass header: false for arrays"
                )
            self.rows.extend(self._shaped(chunk))

    def _require_columns(self, row: list[str]) -> None:
        if len(row) > CSV_MAX_COLUMNS:
            raise HostCallError(f"{self._how.where}: more than {CSV_MAX_COLUMNS} columns")

    def _positions(self, header: list[str], columns: list[str]) -> list[tuple[str, int]]:
        places = {name: index for index, name in enumerate(header)}
        # an empty table has no header to miss a column in
        missing = next((each for each in columns if header and each not in places), None)
        if missing is not None:
            known = ", ".join(quoted(each) for each in header[:20])
            raise HostCallError(
                f"{self._how.where}: there is no column {quoted(missing)}; the columns are {known}"
            )
        return [(name, places[name]) for name in columns if name in places]

    def _without_spaces_after_quotes(self, text: str) -> tuple[str, list[tuple[int, _Problem]]]:
        """The text without the spaces between a closing quote and what ends its field.

        With it, when problems are asked for, each odd quote and the number of its line.
        """
        if '"' not in text or (self._problems is None and '" ' not in text and '"\t' not in text):
            return text, []
        kept: list[str] = []
        marks: list[tuple[int, _Problem]] = []
        done = line = counted = 0
        for match in _quoted_fields(self.delimiter, self._how.comment).finditer(text):
            closed, spaces, end = match["close"], match["spaces"], match["end"]
            if closed and spaces and end is not None:
                kept.append(text[done : match.start("spaces")])
                done = match.end("spaces")
            if self._problems is None or closed is None or len(marks) >= CSV_MAX_ERRORS:
                continue
            if not closed:
                problem = _Problem(
                    "UnclosedQuote", "a quoted field is not closed; it takes the rest of the text"
                )
            elif end is None:
                problem = _Problem("BadQuote", "a closing quote is followed by more text in its field")
            else:
                continue
            line += _line_breaks(text, counted, match.start())
            counted = match.start()
            marks.append((line, problem))
        kept.append(text[done:])
        return "".join(kept), marks

    def _raw_rows(
        self, text: str, marks: list[tuple[int, _Problem]], deadline: Deadline
    ) -> Iterator[list[str]]:
        """The rows that are not blank; a quote's problem gets the number of the row that it stands in."""
        trim = self._how.trim
        careful = self._how.comment or marks
        if not careful:
            plain = _reader(io.StringIO(text, newline=""), self.delimiter)
            while chunk := list(islice(plain, _STEP)):
                deadline.check()
                for row in chunk:
                    if not _is_blank(row):
                        yield [js_trim(cell) for cell in row] if trim else row
            return
        lines = _Lines(text, self._how.comment)
        pending = iter(marks)
        mark = next(pending, None)
        given = -1 if self._how.header else 0
        for number, row in enumerate(_reader(lines, self.delimiter)):
            if number % _STEP == 0:
                deadline.check()
            lines.row_begins = True
            while mark is not None and mark[0] < lines.count:
                mark[1].row = given
                if self._problems is not None:
                    self._problems.append(mark[1])
                mark = next(pending, None)
            if not _is_blank(row):
                given += 1
                yield [js_trim(cell) for cell in row] if trim else row

    def _shaped(self, chunk: list[list[str]]) -> Sequence[object]:
        typed = self._how.typed
        if self._header is None:
            return [[_typed(cell) for cell in row] for row in chunk] if typed is True else chunk
        width = len(self._header)
        shaped: list[object] = []
        for row in chunk:
            if len(row) != width:
                self._note_width(len(row), width, len(self.rows) + len(shaped))
            # a short row leaves its last names out
            if self._picked is not None:
                record: dict[str, object] = {name: row[at] for name, at in self._picked if at < len(row)}
            else:
                record = dict(zip(self._header, row, strict=False))
            if typed:
                for name, cell in record.items():
                    if typed is True or name in typed:
                        record[name] = _typed(cast("str", cell))
            if len(row) > width and self._picked is None:
                extra = row[width:]
                record[_EXTRA] = [_typed(cell) for cell in extra] if typed is True else extra
            shaped.append(record)
        return shaped

    def _note_width(self, got: int, width: int, row: int) -> None:
        if self._problems is None or len(self._problems) >= CSV_MAX_ERRORS:
            return
        code = "TooFewFields" if got < width else "TooManyFields"
        self._problems.append(_Problem(code, f"{width} fields expected, {got} found", row))


def _line_breaks(text: str, start: int, end: int) -> int:
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def _unique(header: list[str]) -> list[str]:
    """The names with `_1`, `_2` behind those that stand twice, passing over names that are taken."""
    taken = set(header)
    seen: dict[str, int] = {}
    names: list[str] = []
    for name in header:
        if name not in seen:
            seen[name] = 1
            names.append(name)
            continue
        number = seen[name]
        while (candidate := f"{name}_{number}") in taken:
            number += 1
        seen[name] = number + 1
        taken.add(candidate)
        names.append(candidate)
    return names


def _typed(cell: str) -> object:
    """The number, boolean or null that the text is, else the text."""
    if not cell:
        return None
    if cell[0] in "tTfF" and cell.lower() in ("true", "false"):
        return cell[0] in "tT"
    if len(cell) > _MAX_NUMBER_UNITS or _NUMBER.fullmatch(cell) is None:
        return cell
    number = float(cell)
    # past 2^53 a double no longer tells neighbours apart
    if abs(number) > _EXACT or (abs(number) == _EXACT and cell.lstrip("-") != str(_EXACT)):
        return cell
    return int(number) if number.is_integer() and abs(number) < _EXACT and cell[:2] != "-0" else number


def _reads_like_header(rows: list[list[str]]) -> bool:
    """Whether the first of the rows names the columns: nothing empty, nothing twice, no numbers."""
    if not rows:
        return False
    first = [js_trim(cell) for cell in rows[0]]
    if len(set(first)) < len(first) or not all(first):
        return False
    return all(isinstance(_typed(cell), str) and not cell[0].isdigit() for cell in first)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """How rows are to be written."""

    delimiter: str
    header: bool
    columns: list[str] | None
    quote_all: bool
    newline: str
    bom: bool
    escape_formulae: bool


_WHERE: Final = "csv.stringify"


def stringify(args: Sequence[object], deadline: Deadline) -> object:
    """The table as text: records under the union of their keys, or arrays as they are.

    Raises:
        HostCallError: the rows are neither, an option is wrong, or the table is past a cap.
    """
    rows = argument(args, 0)
    if not isinstance(rows, list):
        raise HostCallError(f"{_WHERE}: rows must be an array of records or arrays")
    how = _writing(option_bag(argument(args, 1)))
    if len(rows) > CSV_MAX_ROWS:
        raise HostCallError(f"{_WHERE}: more than {CSV_MAX_ROWS} rows; write them in parts")
    _require_one_kind(rows)
    columns = how.columns
    if columns is None and rows and isinstance(rows[0], dict):
        columns = _union(rows, deadline)
    return _written(rows, columns, how, deadline)


def _writing(options: Mapping[str, object]) -> _Writing:
    quote = text_option(options, "quote", default="minimal", where=_WHERE)
    if quote not in ("minimal", "all"):
        raise HostCallError(f'{_WHERE}: quote must be "minimal" or "all"')
    newline = text_option(options, "newline", default="\n", where=_WHERE)
    if newline not in ("\n", "\r\n"):
        raise HostCallError(f'{_WHERE}: newline must be "\\n" or "\\r\\n"')
    return _Writing(
        delimiter=_delimiter(options, _WHERE, empty=False),
        header=flag(options, "header", default=True),
        columns=text_list_option(options, "columns", where=_WHERE),
        quote_all=quote == "all" or options.get("quotes") is True,
        newline=newline,
        bom=flag(options, "bom", default=False),
        escape_formulae=flag(options, "escapeFormulae", default=False),
    )


def _require_one_kind(rows: list[object]) -> None:
    kind = list if rows and isinstance(rows[0], list) else dict
    for index, row in enumerate(rows):
        if not isinstance(row, kind):
            wanted = "an array" if kind is list else "a record"
            raise HostCallError(
                f"{_WHERE}: rows must be an array of records or arrays; row {index} is not {wanted}"
            )


def _union(rows: list[object], deadline: Deadline) -> list[str]:
    """All keys of all records, in order of first sight."""
    keys: dict[str, None] = {}
    for index, row in enumerate(rows):
        if index % _STEP == 0:
            deadline.check()
        keys.update(dict.fromkeys(cast("dict[str, object]", row)))
    return list(keys)


def _written(rows: list[object], columns: list[str] | None, how: _Writing, deadline: Deadline) -> str:
    lines: list[str] = []
    size = 0
    cells = 0
    if how.header and columns:
        lines.append(how.delimiter.join([_cell(name, how) for name in columns]))
        size = utf16_length(lines[0])
    for index, row in enumerate(rows):
        if index % _STEP == 0:
            deadline.check()
        if isinstance(row, list):
            values = row
        else:
            record = cast("dict[str, object]", row)
            values = [record.get(name) for name in columns or ()]
        cells += len(values)
        if cells > CSV_MAX_CELLS:
            raise HostCallError(f"{_WHERE}: more than {CSV_MAX_CELLS} cells; write the rows in parts")
        line = how.delimiter.join([_cell(value, how) for value in values])
        size += utf16_length(line) + len(how.newline)
        if size > MAX_RESULT_UNITS:
            raise HostCallError(f"{_WHERE}: result exceeds the {MAX_RESULT_UNITS} character limit")
        lines.append(line)
    return ("\ufeff" if how.bom else "") + how.newline.join(lines)


def _cell(value: object, how: _Writing) -> str:
    if isinstance(value, str):
        text = value
    elif value is None or value is UNDEFINED:
        text = ""
    elif isinstance(value, datetime | JSDate):
        text = "" if isinstance(value, JSDate) and value.epoch_ms != value.epoch_ms else iso_text(value)
    else:
        text = js_text(value, _WHERE)
    quote = how.quote_all and value is not None and value is not UNDEFINED
    if how.escape_formulae and text.startswith(_FORMULA_STARTS) and not isinstance(value, int | float):
        text = "'" + text
        quote = True
    if quote or (
        text
        and (
            text[0] == " "
            or text[-1] == " "
            or how.delimiter in text
            or '"' in text
            or "\n" in text
            or "\r" in text
            or "\ufeff" in text
        )
    ):
        return '"' + text.replace('"', '""') + '"'
    return text


MODULE: Final = HostModule(
    host_id=HostId("csv"),
    exports=(
        HostExport(name="parse", function=parse),
        HostExport(name="stringify", function=stringify),
        HostExport(name="parseWithErrors", function=parse_with_errors),
        HostExport(name="detect", function=detect),
    ),
)
