"""Where a program's static imports stand.

Only a text that may hold an import is parsed, and no more of it than reaches to the last one: a
program begins with its imports, and what follows is the engine's to parse.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from nodetool_sandbox.javascript import UNWATCHED_BYTES, Places, parse_javascript, string_value


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSite:
    """One static import that was lifted: whence, its one line of text, and its characters in the program."""

    specifier: str
    text: str
    start: int
    end: int


MAX_SEARCHED_BYTES: Final = 256 * 1024
"""UTF-8 bytes between two imports, or from one to the end, that are parsed to be sure of an import.

Behind a longer stretch of code an import stays where it is, which the engine refuses.
"""

_MAYBE_IMPORT: Final = re.compile(r"(?<![\w$.])import(?=[\s\"'{*/])(?!\s*[(.])")
_REST_OF_IMPORT: Final = re.compile(
    r"""[^"']*("[^"\n]*"|'[^'\n]*')(\s*with\s*\{[^{}]*\})?[^\n]*|[^\n]*""", re.DOTALL
)
_MAX_IMPORT_CHARACTERS: Final = 4 * 1024


def import_sites(code: str) -> Iterator[ImportSite]:
    """The static imports of a program that a parser is sure of, in the order of the text."""
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
    tree = parse_javascript(data, max_bytes=MAX_SEARCHED_BYTES)
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
