"""A program's own words in our messages: short, on one line, in quotation marks."""

from __future__ import annotations

from typing import Final

MAX_QUOTED_CHARACTERS: Final = 100


def quoted(text: str) -> str:
    """`text` in quotation marks, cut where it is long, nothing in it acting on a terminal or a log."""
    shown = text if len(text) <= MAX_QUOTED_CHARACTERS else text[: MAX_QUOTED_CHARACTERS - 1] + "…"
    return '"' + "".join(each if each.isprintable() else ascii(each)[1:-1] for each in shown) + '"'
