"""A YAML error with its place: js-yaml's message, mark and snippet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError

from nodetool_sandbox_host.arguments import utf16_length

_SNIPPET_WIDTH: Final = 79
_LINES_BEFORE: Final = 3
_LINES_AFTER: Final = 2
_BREAK: Final = re.compile(r"\r?\n|\r")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text, counted from 0: characters before it, lines before it, characters in its line."""

    index: int
    line: int
    column: int


def yaml_exception(reason: str) -> HostCallError:
    """A YAMLException without a place."""
    return HostCallError(reason, name="YAMLException", details={"reason": reason})


def yaml_exception_at(reason: str, text: str, place: Place, filename: str | None) -> HostCallError:
    """A YAMLException with a mark."""
    mark = mark_at(text, place, filename)
    return HostCallError(
        f"{reason} {_where(mark)}", name="YAMLException", details={"reason": reason, "mark": mark}
    )


def mark_at(text: str, place: Place, filename: str | None) -> dict[str, object]:
    """The `mark` of js-yaml, counted in UTF-16 units, but for its `buffer`, which the guest holds already."""
    index = min(place.index, len(text))
    return {
        "name": filename,
        "position": utf16_length(text[:index]),
        "line": place.line,
        "column": utf16_length(text[max(0, index - place.column) : index]),
        "snippet": _snippet(text, Place(index, place.line, place.column)),
    }


def _where(mark: dict[str, object]) -> str:
    line, column = mark["line"], mark["column"]
    name = f'in "{mark["name"]}" ' if mark["name"] else ""
    numbers = f"({int(str(line)) + 1}:{int(str(column)) + 1})"
    return f"{name}{numbers}\n\n{mark['snippet']}" if mark["snippet"] else f"{name}{numbers}"


def _snippet(text: str, place: Place) -> str:
    """Up to six lines around the place, numbered, with a pointer below its own."""
    start = place.index - place.column
    lines = [(start, _line_end(text, place.index))]
    for _ in range(_LINES_BEFORE):
        first = lines[0][0]
        if first == 0:
            break
        end = first - 2 if text[first - 2 : first] == "\r\n" else first - 1
        begin = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
        lines.insert(0, (begin, end))
    before = len(lines) - 1
    for _ in range(_LINES_AFTER):
        found = _BREAK.match(text, lines[-1][1])
        # a line counts once something ends it, as js-yaml has it
        if found is None or found.end() >= len(text):
            break
        lines.append((found.end(), _line_end(text, found.end())))
    digits = len(str(place.line + len(lines) - before))
    width = _SNIPPET_WIDTH - (1 + digits + 3)
    out: list[str] = []
    for offset, (begin, end) in enumerate(lines, -before):
        shown, at = _shown(text, begin, end, place.column, width)
        out.append(f" {place.line + 1 + offset:>{digits}} | {shown}")
        if offset == 0:
            out.append("-" * (1 + digits + 3 + at) + "^")
    return "\n".join(out)


def _line_end(text: str, index: int) -> int:
    found = _BREAK.search(text, index)
    return found.start() if found else len(text)


def _shown(text: str, begin: int, end: int, column: int, width: int) -> tuple[str, int]:
    """What the snippet shows of a line, and where the pointed column then stands."""
    position = begin + column
    half = width // 2 - 1
    head = tail = ""
    if column > half:
        head = " ... "
        begin = position - half + len(head)
    if end - position > half:
        tail = " ..."
        end = position + half - len(tail)
    return head + text[begin : max(begin, end)].replace("\t", "→") + tail, position - begin + len(head)
