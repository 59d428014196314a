"""One big call of each pack: in a guest, by the Python library alone, and the crossing of its values alone."""

from __future__ import annotations

import csv
import difflib
import io
import random
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from nodetool_sandbox import Limits, Sandbox

MIB: Final = 1024 * 1024
_ROWS: Final = 20_000
_COLUMNS: Final = 10
_CHANGES: Final = 200

_sandbox = Sandbox()
_roomy = Limits(max_output_size=10 * MIB, memory_limit_bytes=512 * MIB, timeout_ms=120_000)


@dataclass(frozen=True, slots=True)
class PackCall:
    """A call to measure.

    Args:
        name: the row's name.
        pack: the pack's short name.
        export: what is called.
        given: makes its arguments, in order; the same ones stand in every column of Python.
        library: what does the work in Python.
        alone: the same work by that library, without any of ours.
        npm: the library of npm that is called in node, on like input.
    """

    name: str
    pack: str
    export: str
    given: Callable[[], tuple[Any, ...]]
    library: str
    alone: Callable[..., object]
    npm: str


def _table() -> tuple[Any, ...]:
    row = '{0},name {0},{0}.5,plain text,"quoted, text",true,2024-05-01,,1,end\n'
    return (
        ",".join(f"column {c}" for c in range(_COLUMNS))
        + "\n"
        + "".join(row.format(i) for i in range(50_000)),
    )


def _records(text: str) -> object:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _page() -> tuple[Any, ...]:
    item = (
        "<li class='item'><a href='/{0}'>Item {0}</a> costs <b>{0}.50</b> <em>today</em>, with a note.</li>"
    )
    return (f"<html><body><ul>{''.join(item.format(i) for i in range(5_000))}</ul></body></html>",)


def _page_and_selector() -> tuple[Any, ...]:
    return (*_page(), "li.item > a", {"limit": 1000})


def _sheets() -> tuple[Any, ...]:
    return ([{"name": "S", "rows": _cells()}], {"header": False})


def _feed() -> tuple[Any, ...]:
    item = "<item id='{0}'><title>Title {0}</title><link>https://x.example/{0}</link><tag>a</tag><tag>b</tag></item>"
    return (f"<feed>{''.join(item.format(i) for i in range(46_000))}</feed>",)


@cache
def _cells() -> list[list[object]]:
    return [[i * c if c % 2 else f"text {i} {c}" for c in range(_COLUMNS)] for i in range(_ROWS)]


@cache
def _workbook() -> bytes:
    from openpyxl import Workbook  # noqa: PLC0415  (loads when it is measured)

    book = Workbook(write_only=True)
    sheet = book.create_sheet("S")
    for row in _cells():
        sheet.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


@cache
def _texts() -> tuple[str, str]:
    chosen = random.Random(7)  # noqa: S311  (the same lines every time)
    lines = [f"line {i} {chosen.random()}\n" for i in range(18_000)]
    changed = list(lines)
    for at in chosen.sample(range(len(lines)), _CHANGES):
        changed[at] = f"changed {at}\n"
    return "".join(lines), "".join(changed)


@cache
def _files() -> dict[str, bytes]:
    chosen = random.Random(7)  # noqa: S311  (the same bytes every time)
    line = b"a line of a log file, number %d of many\n"
    return {f"{n}.txt": b"".join(line % chosen.randrange(10**6) for _ in range(2_400)) for n in range(100)}


@cache
def _archive() -> bytes:
    return _zipped(_files())


def _zipped(files: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return packed.getvalue()


def _unzipped(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def _markdown(page: str) -> str:
    from markdownify import markdownify  # noqa: PLC0415

    return str(markdownify(page))


def _selected(page: str, selector: str, _options: object) -> list[str]:
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415

    return [each.text() for each in LexborHTMLParser(page).css(selector)]


def _tree(text: str) -> object:
    from lxml import etree  # noqa: PLC0415

    root = etree.fromstring(text.encode())
    return [{child.tag: child.text for child in item} for item in root]


def _read_workbook(book: bytes) -> object:
    from openpyxl import load_workbook  # noqa: PLC0415

    opened = load_workbook(io.BytesIO(book), read_only=True, data_only=True)
    return [list(sheet.iter_rows(values_only=True)) for sheet in opened.worksheets]


def _written_workbook(_sheets: object, _options: object) -> bytes:
    _workbook.cache_clear()
    return _workbook()


def _unified(old: str, new: str) -> str:
    return "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True)))


PACK_CALLS: Final[Mapping[str, PackCall]] = {
    each.name: each
    for each in (
        PackCall("csv", "csv", "parse", _table, "csv.DictReader", _records, "papaparse"),
        PackCall("html-markdown", "html", "toMarkdown", _page, "markdownify", _markdown, "turndown"),
        PackCall("html-select", "html", "select", _page_and_selector, "selectolax", _selected, "cheerio"),
        PackCall("xml", "xml", "parse", _feed, "lxml", _tree, "fast-xml-parser"),
        PackCall("xlsx-read", "xlsx", "parse", lambda: (_workbook(),), "openpyxl", _read_workbook, "exceljs"),
        PackCall("xlsx-write", "xlsx", "write", _sheets, "openpyxl", _written_workbook, "exceljs"),
        PackCall("diff", "diff", "unified", _texts, "difflib", _unified, "diff"),
        PackCall("unzip", "zip", "unzip", lambda: (_archive(),), "zipfile", _unzipped, "fflate"),
        PackCall("zip", "zip", "zip", lambda: (_files(),), "zipfile", _zipped, "fflate"),
    )
}


def pack_in_guest(name: str) -> float:
    """Seconds that the call takes in a running program, its promise included."""
    call = PACK_CALLS[name]
    specifier = f"@nodetool-ai/sandbox-{call.pack}"
    code = f"""
        import {{ {call.export} as work }} from "{specifier}";
        const given = await give();
        const began = Date.now();
        const made = await work(...given);
        return [Date.now() - began, made === undefined];
    """
    taken, is_nothing = _ran(code, [specifier], give=lambda: list(call.given()))
    if is_nothing:
        raise ValueError(f"{name}: no answer")
    return float(taken) / 1000


def pack_alone(name: str) -> float:
    """Seconds of the Python library for the same."""
    call = PACK_CALLS[name]
    given = call.given()
    began = time.perf_counter()
    call.alone(*given)
    return time.perf_counter() - began


def pack_crossing(name: str) -> float:
    """Seconds for the same arguments out of a guest and the same answer into it, with no work between."""
    call = PACK_CALLS[name]
    specifier = f"@nodetool-ai/sandbox-{call.pack}"
    given = list(call.given())
    kept: list[object] = []
    code = f"""
        import {{ {call.export} as work }} from "{specifier}";
        await keep(await work(...await give()));
        return 0;
    """
    _ran(code, [specifier], give=lambda: given, keep=kept.append)
    code = """
        const given = await give();
        const began = Date.now();
        await answer(...given);
        return [Date.now() - began, false];
    """
    taken, _ = _ran(code, [], give=lambda: given, answer=lambda *_given: kept[0])
    return float(taken) / 1000


def _ran(code: str, modules: list[str], **functions: Callable[..., object]) -> Any:  # noqa: ANN401
    result = _sandbox.run_sync(code, modules=modules, globals=functions, limits=_roomy)
    if not result.success:
        raise ValueError(f"{result.ended}: {result.error}")
    return result.value


__all__ = ["PACK_CALLS", "pack_alone", "pack_crossing", "pack_in_guest"]
