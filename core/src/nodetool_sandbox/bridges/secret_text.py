"""Finding a secret again in what comes back, in the spellings that servers and encoders give it."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

MIN_SHORT_CHARACTERS: Final = 4
"""Shorter values are not looked for: every text is full of them."""

_MAX_SPELLED_CHARACTERS: Final = 256
"""Of longer values the whole is looked for in a few spellings, not each character in all of them."""

_MIN_BASE64: Final = 8
_WIDEST: Final = 12
"""Characters that one byte of a value comes to at most, in any spelling below."""

_NAMED: Final = {'"': "quot", "&": "amp", "'": "apos", "<": "lt", ">": "gt"}
_SHORT_ESCAPES: Final = {
    "\n": "n",
    "\r": "r",
    "\t": "t",
    "\b": "b",
    "\f": "f",
    '"': '"',
    "\\": "\\",
    "/": "/",
    "'": "'",
}


def _one_of(spellings: Iterable[str]) -> str:
    return "(?:" + "|".join(dict.fromkeys(spellings)) + ")"


def _any_case(hexadecimal: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in hexadecimal)


def _character(character: str) -> str:
    """A pattern for one character: itself, and its percent, JSON, JavaScript and HTML escapes, in any mixture."""
    code = ord(character)
    itself = [re.escape(each) for each in (character, character.lower(), character.upper())]
    percent = "".join("%(?:25)?" + _any_case(f"{byte:02x}") for byte in character.encode("utf-8", "replace"))
    units = character.encode("utf-16-be", "surrogatepass")
    unicode = "".join(r"\\u" + _any_case(units[i : i + 2].hex()) for i in range(0, len(units), 2))
    spellings = [*itself, percent, unicode, f"&#0?{code};", "&#[xX]0?" + _any_case(f"{code:x}") + ";"]
    if code < 0x100:  # noqa: PLR2004 - what \x can spell
        spellings.append(r"\\x" + _any_case(f"{code:02x}"))
    if character == " ":
        spellings.append(r"\+")
    if character in _NAMED:
        spellings.append(f"&{_NAMED[character]};")
    if character in _SHORT_ESCAPES:
        spellings.append(r"\\" + re.escape(_SHORT_ESCAPES[character]))
    return _one_of(spellings)


def _inside_base64(value: bytes) -> list[str]:
    """Patterns for a value that was encoded together with what stood around it: one for each of three alignments."""
    found = []
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            text = encode(b"\0" * before + value).decode("ascii")
            inner = text[(0, 2, 3)[before] : (before + len(value)) * 8 // 6]
            if len(inner) >= _MIN_BASE64:
                edge = "[A-Za-z0-9+/_-]?"
                lines = r"(?:\r?\n)?".join(re.escape(each) for each in inner)
                found.append((edge if before else "") + lines + edge + "={0,2}")
    return found


@lru_cache(maxsize=64)
def _source(value: str) -> str:
    if len(value) > _MAX_SPELLED_CHARACTERS:
        each = (value, value.replace("\n", "\\n"), value.replace("\n", "\r\n"))
        return _one_of([*(re.escape(text) for text in each), *_inside_base64(value.encode())])
    raw = value.encode()
    spelled = "".join(_character(character) for character in value)
    return _one_of([spelled, *_inside_base64(raw), _any_case(raw.hex())])


@lru_cache(maxsize=64)
def text_pattern(value: str) -> re.Pattern[str]:
    """Where a value stands in a text."""
    return re.compile(_source(value))


@lru_cache(maxsize=64)
def bytes_pattern(value: str) -> re.Pattern[bytes]:
    """Where a value stands in bytes."""
    return re.compile(_source(value).encode("utf-8", "replace"))


class Finder:
    """Replaces secrets in what comes in pieces: one that lies across a border between two is found too."""

    def __init__(self, patterns: Iterable[tuple[re.Pattern[bytes], bytes, int]]) -> None:
        self._patterns = tuple(patterns)
        self._held = b""
        self._margin = max((_WIDEST * length + 8 for _, _, length in self._patterns), default=0)

    def feed(self, data: bytes) -> bytes:
        """What of all that came is settled: nothing that comes later can make a secret of it."""
        if not self._patterns:
            return data
        return self._settle(self._held + data, self._margin)

    def finish(self) -> bytes:
        """The rest."""
        rest, self._held = self._settle(self._held, 0), b""
        return rest

    def _settle(self, data: bytes, margin: int) -> bytes:
        until = max(len(data) - margin, 0)
        # Whatever begins before `until` ends inside of `data`: it is found whole, or it is none.
        found = [
            (match.start(), match.end(), instead)
            for pattern, instead, _ in self._patterns
            for match in pattern.finditer(data)
            if match.start() < until
        ]
        if not found:
            self._held = data[until:]
            return data[:until]
        parts = []
        at = 0
        for start, end, instead in sorted(found, key=lambda each: (each[0], -each[1])):
            if end <= at:
                continue
            parts += [data[at : max(start, at)], instead]
            at = end
        rest = max(until, at)
        parts.append(data[at:rest])
        self._held = data[rest:]
        return b"".join(parts)


def redacted(text: str, secrets: Iterable[tuple[str, str]]) -> str:
    """`text` with each value of `(value, instead)` replaced, in whatever spelling it stands there."""
    for value, instead in secrets:
        if len(value) >= MIN_SHORT_CHARACTERS:
            text = text_pattern(value).sub(instead.replace("\\", r"\\"), text)
    return text
