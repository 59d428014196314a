"""JavaScript text as a syntax tree, for as long as it is cheap to have one.

tree-sitter parses anything, broken text too, and its recovery from errors can take memory by the
square of their number: 70 KB of `let = ;` make it allocate more than a gigabyte. So a longer text is
watched while it is parsed and given up when errors show themselves. Its tree would not be worth having.
"""

from __future__ import annotations

import itertools
import re
import secrets
from typing import Final

import tree_sitter_javascript
from tree_sitter import Language, Parser, Tree

MAX_PARSED_BYTES: Final = 1024 * 1024
"""UTF-8 bytes of the longest text that is parsed; a tree takes 80 bytes for each, and 240 at the worst."""

UNWATCHED_BYTES: Final = 4 * 1024
"""Up to here the worst that was found takes 30 ms and 15 MB."""

LANGUAGE: Final = Language(tree_sitter_javascript.language())
_CHUNK_BYTES: Final = 64 * 1024
_LISTENS_BELOW: Final = 256 // 16
_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")
# `export { a as catch }` and `import { catch as a }`, which the grammar does not know. Nowhere else in a
# program does `as` stand there, and in a string or a comment it changes nothing: letters stay letters.
_WORD: Final = (
    rb"(?:break|case|catch|class|const|continue|debugger|delete|do|else|enum|export|extends|false|finally|for|"
    rb"function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with)"
)
_WORD_AS_NAME: Final = re.compile(
    rb"(?<![\w$])as\s+" + _WORD + rb"(?=\s*[,}])|(?<=[{,\s])" + _WORD + rb"(?=\s+as\s+[\w$\"'])"
)


def parse_javascript(data: bytes, *, max_bytes: int = MAX_PARSED_BYTES) -> Tree | None:
    """The tree of a program in UTF-8; a tree with errors in it may be given up as None.

    None too for a text of more than `max_bytes`. Lone surrogates (in the bytes that
    `surrogatepass` makes of them) and NUL characters are fine where JavaScript allows them.
    """
    if len(data) > max_bytes:
        return None
    # tree-sitter stops at both, which JavaScript allows inside of strings; the length stays the same.
    if not data.isascii():
        data = _SURROGATE.sub(b"\xef\xbf\xbd", data)
    data = data.replace(b"\0", b"\x01")
    data = _WORD_AS_NAME.sub(_as_name, data)
    parser = Parser(LANGUAGE)
    if len(data) <= UNWATCHED_BYTES:
        return parser.parse(data)
    watch = _Watch(parser)
    try:
        return parser.parse(lambda at, _: data[at : at + _CHUNK_BYTES], progress_callback=watch.stops)
    except ValueError:  # what the binding raises for a parse that was stopped
        return None
    finally:
        watch.close()


def _as_name(found: re.Match[bytes]) -> bytes:
    """A name of the same length for a reserved word, with the `as` in front of it where it is there."""
    text = found.group()
    word = text.split()[-1]
    return text[: -len(word)] + b"x" * len(word)


class _Watch:
    """Listens to the parser now and then, and stops it at the first error that it hears of.

    Listening all the time would cost 15 times the parse. One stretch of a hundred steps in 16,
    drawn by chance so that no text can be written around it, hears of 300 errors almost surely,
    and it takes thousands to do harm.
    """

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        # Its two arguments are a kind (an int) and a text, and it runs without a step of Python.
        self._heard: list[str] = []
        self._draws = itertools.cycle(secrets.token_bytes(1024))

    def stops(self, _offset: int, _has_error: bool) -> bool:  # noqa: FBT001 - the binding's own call
        """Whether to stop; asked by the parser every hundred steps."""
        stops = any(each.startswith("resume version") for each in self._heard)
        self._listen()
        return stops

    def _listen(self) -> None:
        self._heard.clear()
        if next(self._draws) < _LISTENS_BELOW:
            self._parser.logger = self._heard.insert
        else:
            self.close()

    def close(self) -> None:
        """Stop listening."""
        del self._parser.logger


class Places:
    """Where a byte of a text stands among its characters; asked in rising order."""

    def __init__(self, data: bytes) -> None:
        self._data = b"" if data.isascii() else data
        self._bytes = 0
        self._characters = 0

    def character(self, byte: int) -> int:
        """The index of the character that starts at that byte."""
        if not self._data:
            return byte
        self._characters += len(self._data[self._bytes : byte].decode("utf-8", "surrogatepass"))
        self._bytes = byte
        return self._characters


_ESCAPE: Final = re.compile(
    r"\\(?:u\{(?P<point>[0-9a-fA-F]+)\}|u(?P<unit>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<other>\r\n|.))",
    re.DOTALL,
)
_SINGLE_ESCAPES: Final = {"n": "\n", "t": "\t", "b": "\b", "v": "\v", "f": "\f", "r": "\r", "0": "\0"}
_LINE_ENDS: Final = {"\n", "\r", "\r\n", "\u2028", "\u2029"}
_LAST_POINT: Final = 0x10FFFF


def string_value(literal: str) -> str:
    """The value of a string literal, given without its quotes."""
    if "\\" not in literal:
        return literal
    value = _ESCAPE.sub(_unescaped, literal)
    # Two escapes of half a pair each make one character.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _unescaped(found: re.Match[str]) -> str:
    digits = found["point"] or found["unit"] or found["byte"]
    if digits:
        point = int(digits, 16)
        return chr(point) if point <= _LAST_POINT else found.group()
    other = found["other"]
    return "" if other in _LINE_ENDS else _SINGLE_ESCAPES.get(other, other)
