"""Finding a secret again in what comes back, in the spellings that servers and encoders give it."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

MIN_SHORT_CHARACTERS: Final = 4
"""Shorter values are not looked for: every text is full of them."""

_MAX_SPELLED_CHARACTERS: Final = 256
"""Of longer values the whole is looked for in a few spellings, not each character in all of them."""

_MIN_BASE64: Final = 8
_WIDEST: Final = 12
"""Characters that one byte of a value comes to at most, in any spelling below."""

_ESCAPE: Final = r"\\\\{0,6}"
"""The backslash of an escape; JSON inside of JSON doubles it each time."""

_NAMED: Final = {'"': "quot", "&": "amp", "'": "apos", "<": "lt", ">": "gt"}
_SHORT_ESCAPES: Final = {
    "\n": "n",
    "\r": "r",
    "\t": "t",
    "\b": "b",
    "\f": "f",
    '"': '"',
    "/": "/",
    "'": "'",
}


def _one_of(spellings: Iterable[str]) -> str:
    return "(?:" + "|".join(dict.fromkeys(spellings)) + ")"


def _any_case(hexadecimal: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in hexadecimal)


def _escapes(character: str) -> list[str]:
    """Patterns for a character as percent, JSON, JavaScript and HTML escapes spell it."""
    code = ord(character)
    percent = "".join(
        "%(?:25)?" + _any_case(f"{byte:02x}") for byte in character.encode("utf-8", "surrogatepass")
    )
    units = character.encode("utf-16-be", "surrogatepass")
    unicode = "".join(_ESCAPE + "u" + _any_case(units[i : i + 2].hex()) for i in range(0, len(units), 2))
    spellings = [percent, unicode, f"&#0?{code};", "&#[xX]0?" + _any_case(f"{code:x}") + ";"]
    if code < 0x100:  # noqa: PLR2004 - what \x can spell
        spellings.append(_ESCAPE + "x" + _any_case(f"{code:02x}"))
    if character == " ":
        spellings.append(r"\+")
    if character in _NAMED:
        spellings.append(f"&{_NAMED[character]};")
    return spellings


def _run(character: str, length: int) -> str:
    """A pattern for a character so many times: itself and its escapes, in any mixture."""
    escapes = _escapes(character)
    if (
        character == "\\"
    ):  # which doubles when it is escaped: a run is counted at once, or is nothing but escapes
        return rf"(?:\\{{{length},{8 * length}}}|" + _one_of(escapes) + f"{{{length}}})"
    itself = [re.escape(each) for each in (character, character.lower(), character.upper())]
    if character in _SHORT_ESCAPES:
        escapes.append(_ESCAPE + re.escape(_SHORT_ESCAPES[character]))
    return _one_of([*itself, *escapes]) * length


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One pattern. With `has_edge`, the character before it holds the first bits of the value too."""

    pattern: re.Pattern[bytes]
    has_edge: bool = False


def _inside_base64(value: bytes) -> list[_Spelling]:
    """A value that was encoded together with what stood around it: one pattern for each of three alignments."""
    found = []
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            text = encode(b"\0" * before + value).decode("ascii")
            inner = text[(0, 2, 3)[before] : (before + len(value)) * 8 // 6]
            if len(inner) >= _MIN_BASE64:
                lines = r"(?:\r?\n)?".join(re.escape(each) for each in inner)
                pattern = re.compile(lines.encode() + rb"[A-Za-z0-9+/_-]?={0,2}")
                found.append(_Spelling(pattern, has_edge=before > 0))
    return found


@lru_cache(maxsize=256)
def _spellings(value: str) -> tuple[_Spelling, ...]:
    """The patterns of a value. Each begins with few possible bytes, so that a search skips what is none of them."""
    raw = value.encode("utf-8", "surrogatepass")
    if len(value) > _MAX_SPELLED_CHARACTERS:
        whole = (raw, raw.replace(b"\n", b"\\n"), raw.replace(b"\n", b"\r\n"))
        texts = [re.escape(each) for each in whole]
    else:
        spelled = "".join(_run(character, len([*run])) for character, run in groupby(value))
        texts = [spelled.encode("utf-8", "surrogatepass"), _any_case(raw.hex()).encode()]
    return (*(_Spelling(re.compile(each)) for each in dict.fromkeys(texts)), *_inside_base64(raw))


_BASE64: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")


class Finder:
    """Replaces values in what comes in pieces: one that lies across a border between two is found too.

    Args:
        sought: each value, and what stands in its place.
    """

    def __init__(self, sought: Iterable[tuple[str, bytes]]) -> None:
        pairs = [(value, instead) for value, instead in sought if len(value) >= MIN_SHORT_CHARACTERS]
        self._sought = [(spelling, instead) for value, instead in pairs for spelling in _spellings(value)]
        self._margin = max(
            (_WIDEST * len(value.encode("utf-8", "surrogatepass")) + 8 for value, _ in pairs), default=0
        )
        self._held = b""

    def feed(self, data: bytes) -> bytes:
        """What of all that came is settled: nothing that comes later can make a value of it."""
        return self._settle(self._held + data, self._margin) if self._sought else data

    def finish(self) -> bytes:
        """The rest."""
        rest, self._held = self._settle(self._held, 0), b""
        return rest

    def whole(self, data: bytes) -> bytes:
        """All of it, where it came in one piece."""
        return self.feed(data) + self.finish()

    def _settle(self, data: bytes, margin: int) -> bytes:
        until = max(len(data) - margin, 0)
        parts = []
        at = 0
        for start, end, instead in sorted(self._found(data, until), key=lambda each: (each[0], -each[1])):
            if end > at:
                parts += [data[at : max(start, at)], instead]
                at = end
        rest = max(until, at)
        self._held = data[rest:]
        return b"".join([*parts, data[at:rest]]) if parts else data[:rest]

    def _found(self, data: bytes, until: int) -> Iterator[tuple[int, int, bytes]]:
        """Whatever begins before `until` ends inside of `data`: it is found whole, or it is none."""
        for spelling, instead in self._sought:
            for match in spelling.pattern.finditer(data):
                start = match.start()
                if start >= until:
                    break
                edge = spelling.has_edge and start > 0 and data[start - 1] in _BASE64
                yield start - edge, match.end(), instead


def redacted(text: str, sought: Iterable[tuple[str, bytes]]) -> str:
    """`text` with each value of `(value, instead)` replaced, in whatever spelling it stands there."""
    finder = Finder(sought)
    return finder.whole(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
