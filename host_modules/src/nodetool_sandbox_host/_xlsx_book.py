"""What a workbook says beside its cells: its sheets, which number formats are dates, its shared texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format

from nodetool_sandbox_host._xlsx_package import Package, target_of
from nodetool_sandbox_host.limits import (
    XLSX_MAX_FORMAT_UNITS,
    XLSX_MAX_SHARED_TEXTS,
    XLSX_MAX_SHEETS_READ,
)

NUMBER: Final = 0
DATE: Final = 1
DURATION: Final = 2

_ROOT_RELATIONS: Final = "_rels/.rels"
_USUAL_BOOK: Final = "xl/workbook.xml"
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_STATES: Final = frozenset(("visible", "hidden", "veryHidden"))


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One worksheet: its name, whether it shows, and where its cells are."""

    name: str
    state: str
    part: str


@dataclass(slots=True)
class _Relation:
    kind: str
    target: str


class _Relations:
    def __init__(self, base: str) -> None:
        self.found: dict[str, _Relation] = {}
        self._base = base

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "Relationship" or attributes.get("TargetMode") == "External":
            return
        kind = attributes.get("Type", "").rpartition("/")[2]
        target = target_of(self._base, attributes.get("Target", ""))
        self.found[attributes.get("Id", "")] = _Relation(kind, target)

    def end(self, name: str) -> None:
        """Nothing: relations are attributes."""

    def text(self, data: str) -> None:
        """Nothing: relations are attributes."""

    def of(self, kind: str) -> str | None:
        return next((each.target for each in self.found.values() if each.kind == kind), None)


class _BookEvents:
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, str]] = []
        self.date1904 = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            relation = next((text for key, text in attributes.items() if key.endswith(":id")), "")
            state = attributes.get("state", "visible")
            self.sheets.append(
                (attributes.get("name", ""), state if state in _STATES else "visible", relation)
            )
        elif name == "workbookPr":
            self.date1904 = attributes.get("date1904", "0") in ("1", "true")

    def end(self, name: str) -> None:
        """Nothing: sheets are attributes."""

    def text(self, data: str) -> None:
        """Nothing: sheets are attributes."""


class _StyleEvents:
    """Of each cell format, whether its number format is a date's or a duration's; nothing else counts."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self._formats: dict[int, str] = {}
        self._known: dict[int, int] = {}
        self._in_formats = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "cellXfs":
            self._in_formats = True
        elif name == "numFmt":
            self._formats[_whole(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif name == "xf" and self._in_formats:
            self.kinds.append(self._kind(_whole(attributes.get("numFmtId"))))

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self._in_formats = False

    def text(self, data: str) -> None:
        """Nothing: formats are attributes."""

    def _kind(self, format_id: int) -> int:
        if format_id not in self._known:
            code = self._formats.get(format_id) or BUILTIN_FORMATS.get(format_id, "General")
            self._known[format_id] = format_kind(code)
        return self._known[format_id]


def format_kind(code: str) -> int:
    """Whether a number format shows a number, a date or a duration."""
    if len(code) > XLSX_MAX_FORMAT_UNITS:
        return NUMBER  # longer than Excel has them
    if is_timedelta_format(code):
        return DURATION
    return DATE if is_date_format(code) else NUMBER


def _whole(text: str | None) -> int:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text, re.ASCII) else 0


class _SharedTexts:
    """The shared texts: rich ones joined, phonetic ones left out."""

    def __init__(self, where: str) -> None:
        self.texts: list[str] = []
        self._where = where
        self._parts: list[str] | None = None
        self._wanted = False
        self._phonetic = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._phonetic += 1
        elif name == "t":
            self._wanted = not self._phonetic and self._parts is not None

    def end(self, name: str) -> None:
        if name == "t":
            self._wanted = False
        elif name == "rPh":
            self._phonetic -= 1
        elif name == "si" and self._parts is not None:
            if len(self.texts) >= XLSX_MAX_SHARED_TEXTS:
                raise HostCallError(f"{self._where}: more than {XLSX_MAX_SHARED_TEXTS} shared texts")
            self.texts.append(unescaped("".join(self._parts)))
            self._parts = None

    def text(self, data: str) -> None:
        if self._wanted and self._parts is not None:
            self._parts.append(data)


def unescaped(text: str) -> str:
    """The text with `_x000D_` and its like as the characters that they stand for (ECMA-376, 22.9.2.19)."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


class Book:
    """A workbook without its cells."""

    def __init__(self, package: Package) -> None:
        self.package = package
        part = self._book_part()
        events = _BookEvents()
        package.read(part, events)
        relations = self._relations(part)
        self.date1904 = events.date1904
        self._styles_part = relations.of("styles")
        self._texts_part = relations.of("sharedStrings")
        self.sheets: list[SheetPart] = []
        for name, state, relation in events.sheets:
            found = relations.found.get(relation)
            if found is not None and found.kind != "worksheet":
                continue  # a chart or a dialog has no cells
            if found is None or found.target not in package:
                raise package.refusal("a sheet has no part")
            if len(self.sheets) >= XLSX_MAX_SHEETS_READ:
                raise HostCallError(f"{package.where}: more than {XLSX_MAX_SHEETS_READ} sheets")
            self.sheets.append(SheetPart(unescaped(name), state, found.target))
        self._kinds: list[int] | None = None
        self._texts: list[str] | None = None

    @property
    def kinds(self) -> list[int]:
        """Of each cell format, what its numbers are."""
        if self._kinds is None:
            styles = _StyleEvents()
            if self._styles_part is not None and self._styles_part in self.package:
                self.package.read(self._styles_part, styles)
            self._kinds = styles.kinds
        return self._kinds

    @property
    def texts(self) -> list[str]:
        """The texts that cells share."""
        if self._texts is None:
            shared = _SharedTexts(self.package.where)
            if self._texts_part is not None and self._texts_part in self.package:
                self.package.read(self._texts_part, shared)
            self._texts = shared.texts
        return self._texts

    def _relations(self, part: str) -> _Relations:
        folder, _, name = part.rpartition("/")
        relations = _Relations(part)
        path = f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"
        if path in self.package:
            self.package.read(path, relations)
        return relations

    def _book_part(self) -> str:
        package = self.package
        found = None
        if _ROOT_RELATIONS in package:
            roots = _Relations("")
            package.read(_ROOT_RELATIONS, roots)
            found = roots.of("officeDocument")
        part = found if found is not None and found in package else _USUAL_BOOK
        if part.lower().endswith(".bin") or "xl/workbook.bin" in package:
            raise HostCallError(f"{package.where}: this is an .xlsb file; save it as .xlsx")
        if part not in package:
            if "content.xml" in package:
                raise HostCallError(f"{package.where}: this is an .ods file; save it as .xlsx")
            raise package.refusal("it holds no workbook")
        return part
