"""The user's program as the text of the entry module, and engine positions back in the user's program.

Static imports may stand at the top of a module alone, and the program becomes the body of a function,
so that `return` is its result and `await` works anywhere. So imports are lifted out:

    import yaml from "@nodetool-ai/sandbox-yaml";
    delete globalThis.setTimeout; ...
    export default await (async () => {
    <the program, spaces where the import stood>
    })();

A program that does not parse keeps what can be told for sure: the imports in front of the first
mistake are lifted, and the engine, which has the last word on syntax, names the mistake with the
user's own line. With no such import its text is wrapped as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from nodetool_sandbox.errors import LimitExceeded
from nodetool_sandbox.javascript import UNWATCHED_BYTES, Places, parse_javascript, string_value
from nodetool_sandbox.limits import Limits

BLOCKED_TIMER_GLOBALS: Final = (
    "setTimeout",
    "clearTimeout",
    "setInterval",
    "clearInterval",
    "setImmediate",
    "clearImmediate",
)

_TIMER_DELETIONS: Final = " ".join(f"delete globalThis.{name};" for name in BLOCKED_TIMER_GLOBALS)
_OPENING: Final = "export default await (async () => {"
_CLOSING: Final = "})();"
_MAX_CACHED_CHARACTERS: Final = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSite:
    """One static import that was lifted: whence, its one line of text, and its characters in the program."""

    specifier: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The entry module of a program.

    `line_offset` is how many lines of `source` stand above the program's first line.
    """

    source: str
    code: str
    imports: tuple[ImportSite, ...]
    line_offset: int

    def user_position(self, line: int, column: int) -> tuple[int, int] | None:
        """Where a position of the engine lies in the program as it was written, both counted from 1.

        The engine is told to count the program's first line as 1, so our lines above it end at 0. It
        counts columns in bytes of UTF-8, this counts characters. A position behind the program is its
        end, because that is where the engine misses a closing bracket; our own lines above it give None.
        """
        line += self.line_offset
        if line == 1 and self.imports:
            return self._import_position(column)
        if line <= self.line_offset:
            return None
        lines = self.source.split("\n")
        last = len(lines) - 1
        if line > last:
            return last - self.line_offset, len(lines[last - 1]) + 1
        return line - self.line_offset, _character_column(lines[line - 1], column)

    def _import_position(self, column: int) -> tuple[int, int]:
        index = _character_column(self.source.partition("\n")[0], column) - 1
        begin = 0
        for site in self.imports:
            # The space after an import belongs to it.
            if index <= begin + len(site.text) or site is self.imports[-1]:
                break
            begin += len(site.text) + 1
        before = self.code[: min(site.start + index - begin, site.end)]
        return before.count("\n") + 1, len(before) - before.rfind("\n")


def build_entry(code: str, *, prelude: str = "", max_source_bytes: int = Limits().max_source_bytes) -> Entry:
    """The entry module of `code`; `prelude` is one line of ours that runs right before it.

    Import attributes stay on the import, so that the engine or the loader refuses what it does not know.

    Raises:
        TypeError: `code` is no text.
        LimitExceeded: `code` is longer than `max_source_bytes` in UTF-8.
        ValueError: `prelude` has more than one line.
    """
    if not isinstance(code, str):
        raise TypeError(f"code must be a str, not {type(code).__name__}")
    if "\n" in prelude:
        raise ValueError("prelude must be one line, because the lines above the program are counted")
    # A character takes at most four bytes, so most programs are not encoded to learn their size.
    if len(code) * 4 > max_source_bytes:
        size = len(code.encode("utf-8", "surrogatepass"))
        if size > max_source_bytes:
            raise LimitExceeded(
                limit="max_source_bytes", allowed=max_source_bytes, seen=size, what="the program"
            )
    build = _build_cached if len(code) <= _MAX_CACHED_CHARACTERS else _build
    return build(code, prelude)


def wrap_code(code: str, prelude: str = "") -> str:
    """The module text of a program that has no imports."""
    first = f"{_TIMER_DELETIONS} {prelude}" if prelude else _TIMER_DELETIONS
    return f"{first}\n{_OPENING}\n{code}\n{_CLOSING}"


def _build(code: str, prelude: str) -> Entry:
    sites = tuple(_import_sites(code))
    if not sites:
        return Entry(source=wrap_code(code, prelude), code=code, imports=(), line_offset=2)
    lifted = " ".join(site.text for site in sites)
    rest = wrap_code(_blanked(code, sites), prelude)
    return Entry(source=f"{lifted}\n{rest}", code=code, imports=sites, line_offset=3)


_build_cached = lru_cache(maxsize=128)(_build)


def _blanked(code: str, sites: tuple[ImportSite, ...]) -> str:
    """The program with spaces for its imports, so that every other character keeps its line and column."""
    parts: list[str] = []
    end = 0
    for site in sites:
        parts += code[end : site.start], _INSIDE_OF_LINES.sub(" ", code[site.start : site.end])
        end = site.end
    return "".join([*parts, code[end:]])


_INSIDE_OF_LINES: Final = re.compile("[^\n\r\u2028\u2029]")


def _character_column(line: str, column: int) -> int:
    if line.isascii():
        return min(column, len(line) + 1)
    start = line.encode("utf-8", "surrogatepass")[: max(column - 1, 0)]
    return len(start.decode("utf-8", "ignore")) + 1


# ---- finding imports
#
# Only a text that may hold an import is parsed, and no more of it than reaches to the last one: a
# program begins with its imports, and what follows is the engine's to parse.

_MAYBE_IMPORT: Final = re.compile(r"(?<![\w$.])import(?=[\s\"'{*/])(?!\s*[(.])")
_REST_OF_IMPORT: Final = re.compile(
    r"""[^"']*("[^"\n]*"|'[^'\n]*')(\s*with\s*\{[^{}]*\})?[^\n]*|[^\n]*""", re.DOTALL
)
_MAX_IMPORT_CHARACTERS: Final = 4 * 1024


def _import_sites(code: str) -> Iterator[ImportSite]:
    maybe = [found.start() for found in _MAYBE_IMPORT.finditer(code)]
    begin = 0
    index = 0
    while index < len(maybe):
        # As many as fit into a cheap parse, but one at least.
        fitting = bisect_right(maybe, begin + UNWATCHED_BYTES // 2, lo=index)
        end = _end_of_import(code, maybe[max(fitting - 1, index)])
        part = _imports_of(code, begin, end, may_break=False)
        if part is None:
            # The cut went through something, or there is a mistake: the whole rest tells.
            yield from _imports_of(code, begin, len(code), may_break=True) or ()
            return
        yield from part
        begin = end
        index = bisect_left(maybe, begin, lo=index)


def _end_of_import(code: str, start: int) -> int:
    """The end of the line on which an import ends that begins there, if one does."""
    found = _REST_OF_IMPORT.match(code, start, start + _MAX_IMPORT_CHARACTERS)
    return found.end() if found else start


def _imports_of(code: str, begin: int, end: int, *, may_break: bool) -> list[ImportSite] | None:
    """The imports in a part of the program, or None where it has a mistake (or is too long).

    With `may_break` those in front of the first mistake, if a tree tells them.
    """
    data = code[begin:end].encode("utf-8", "surrogatepass")
    tree = parse_javascript(data)
    if tree is None or (tree.root_node.has_error and not may_break):
        return None
    places = Places(data)
    sites = []
    for node in tree.root_node.children:
        if node.has_error:
            break
        if node.type == "import_statement":
            start, end_of_node = (begin + places.character(at) for at in node.byte_range)
            sites.append(_site(code[start:end_of_node], start, node, data))
    return sites


def _site(text: str, start: int, node: Node, data: bytes) -> ImportSite:
    # The grammar gives every import a source: a string.
    source = node.children_by_field_name("source")[0]
    specifier = data[source.start_byte + 1 : source.end_byte - 1].decode("utf-8", "surrogatepass")
    shown = _on_one_line(text, node) if _NOT_ONE_LINE.search(text) else text
    return ImportSite(
        specifier=string_value(specifier),
        text=shown if shown.endswith(";") else shown + ";",
        start=start,
        end=start + len(text),
    )


_NOT_ONE_LINE: Final = re.compile("[\n\r\u2028\u2029]|//|/[*]")
_LINE_END: Final = re.compile("[\n\r\u2028\u2029]")
_LINE_CONTINUATION: Final = re.compile(r"\\(\r\n|[\n\r\u2028\u2029])")


def _on_one_line(text: str, node: Node) -> str:
    """An import with spaces for its comments and line ends, as long as it was."""
    places = Places(text.encode("utf-8", "surrogatepass"))
    parts: list[str] = []
    end = 0
    for each in _comments_and_strings(node):
        start, end_of_part = (places.character(at - node.start_byte) for at in each.byte_range)
        part = text[start:end_of_part]
        kept = "" if each.type == "comment" else _LINE_CONTINUATION.sub("", part)
        parts += _LINE_END.sub(" ", text[end:start]), kept.ljust(len(part))
        end = end_of_part
    return "".join([*parts, _LINE_END.sub(" ", text[end:])])


def _comments_and_strings(node: Node) -> Iterator[Node]:
    todo = [node]
    while todo:
        each = todo.pop()
        if each.type in {"comment", "string"}:
            yield each
        else:
            todo += reversed(each.children)
