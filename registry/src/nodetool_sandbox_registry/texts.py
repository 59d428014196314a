"""Untrusted text made fit for a message: short, on one line, and visible."""

from __future__ import annotations

from typing import Final

MAX_QUOTED_CHARS: Final = 200
"""How many characters of an untrusted text a message repeats."""


def quoted(text: str, limit: int = MAX_QUOTED_CHARS) -> str:
    """The text in double quotes, its first `limit` characters at most.

    Whatever a terminal would not show as itself is written as a JavaScript escape: controls,
    invisible and direction-changing characters, lone surrogates. So two look-alikes that differ in
    such a character differ in the message too, and the message is always valid UTF-8.
    """
    shown = "".join(map(_visible, text[:limit]))
    return f'"{shown}"' if len(text) <= limit else f'"{shown}…" ({len(text):,} characters)'


def _visible(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\u{{{ord(char):x}}}"  # noqa: PLR2004 - the BMP's end
