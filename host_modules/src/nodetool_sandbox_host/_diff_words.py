"""Words as jsdiff cuts them, and its care for the white space between them.

A token is a word or a mark with the white space around it; so a space between two words belongs to
both, and what is doubled that way is taken back afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diff_match_patch import diff_match_patch  # type: ignore[import-untyped]  # it has none
from nodetool_sandbox_registry.hosts import Deadline

from nodetool_sandbox_host.arguments import JS_WHITESPACE

_WORD: Final = "a-zA-Z0-9_\xad\xc0-\xd6\xd8-\xf6\xf8-\u02c6\u02c8-\u02d7\u02de-\u02ff\u1e00-\u1eff"
_PART: Final = re.compile(f"[{_WORD}]+|[{JS_WHITESPACE}]+|[^{_WORD}{JS_WHITESPACE}]")
_TOKEN: Final = re.compile(f"[{_WORD}]+|[^{_WORD}{JS_WHITESPACE}]")
_STEP: Final = 4_096
_COMPARE: Final = diff_match_patch()
_LEADING: Final = re.compile(f"[{JS_WHITESPACE}]*")


@dataclass(slots=True)
class Piece:
    """One stretch of a difference as text."""

    value: str
    count: int
    added: bool = False
    removed: bool = False

    def to_guest(self) -> dict[str, object]:
        shown: dict[str, object] = {"value": self.value, "count": self.count}
        if self.added:
            shown["added"] = True
        if self.removed:
            shown["removed"] = True
        return shown


def word_tokens(text: str) -> list[str]:
    """The words and marks, each with the white space on both sides; white space alone is one token."""
    parts: list[str] = _PART.findall(text)
    tokens: list[str] = []
    space = ""
    for part in parts:
        if part[0] in JS_WHITESPACE:
            space = part
            if tokens:
                tokens[-1] += part
        else:
            tokens.append(space + part)
            space = ""
    return tokens or parts


def count_words(text: str, deadline: Deadline) -> int:
    """How many tokens `word_tokens` would give, without making them."""
    count = 0
    for count, _ in enumerate(_TOKEN.finditer(text), 1):
        if count % _STEP == 0:
            deadline.check()
    return count


def joined(tokens: Sequence[str]) -> str:
    """Tokens that follow one another as the text that they are from."""
    return "".join([*tokens[:1], *(each.lstrip(JS_WHITESPACE) for each in tokens[1:])])


def tidy_white_space(pieces: Sequence[Piece]) -> None:
    """Leave each stretch of white space in one piece, where both texts allow it."""
    start: Piece | None = None
    removed: Piece | None = None
    added: Piece | None = None
    for piece in pieces:
        if piece.added:
            added = piece
        elif piece.removed:
            removed = piece
        else:
            _tidy(start, removed, added, piece)
            start, removed, added = piece, None, None
    _tidy(start, removed, added, None)


def _tidy(start: Piece | None, removed: Piece | None, added: Piece | None, end: Piece | None) -> None:
    if removed and added:
        _tidy_replacement(start, removed, added, end)
    elif added:
        if start:
            added.value = added.value.lstrip(JS_WHITESPACE)
        if end:
            end.value = end.value.lstrip(JS_WHITESPACE)
    elif removed:
        _tidy_removal(start, removed, end)


def _tidy_replacement(start: Piece | None, removed: Piece, added: Piece, end: Piece | None) -> None:
    old_lead, new_lead = _lead(removed.value), _lead(added.value)
    old_trail, new_trail = _trail(removed.value), _trail(added.value)
    if start:
        common = _shared_start(old_lead, new_lead)
        start.value = start.value.removesuffix(new_lead) + common
        removed.value = removed.value[len(common) :]
        added.value = added.value[len(common) :]
    if end:
        common = _shared_end(old_trail, new_trail)
        end.value = common + end.value.removeprefix(new_trail)
        removed.value = removed.value[: len(removed.value) - len(common)]
        added.value = added.value[: len(added.value) - len(common)]


def _tidy_removal(start: Piece | None, removed: Piece, end: Piece | None) -> None:
    if start and end:
        space = _lead(end.value)
        lead, trail = _lead(removed.value), _trail(removed.value)
        # white space that both texts have right after the piece before stays there, the rest right before the next
        first = _shared_start(space, lead)
        removed.value = removed.value[len(first) :]
        last = _shared_end(space[len(first) :], trail)
        removed.value = removed.value[: len(removed.value) - len(last)]
        end.value = last + end.value[len(space) :]
        start.value = start.value.removesuffix(space) + space[: len(space) - len(last)]
    elif end:
        overlap = _overlap(_trail(removed.value), _lead(end.value))
        removed.value = removed.value[: len(removed.value) - overlap]
    elif start:
        removed.value = removed.value[_overlap(_trail(start.value), _lead(removed.value)) :]


def _shared_start(first: str, second: str) -> str:
    return first[: _COMPARE.diff_commonPrefix(first, second)]


def _shared_end(first: str, second: str) -> str:
    return first[len(first) - _COMPARE.diff_commonSuffix(first, second) :]


def _overlap(first: str, second: str) -> int:
    """How much of the first text's end is the second one's beginning."""
    found: int = _COMPARE.diff_commonOverlap(first, second)
    return found


def _lead(text: str) -> str:
    found = _LEADING.match(text)
    return found[0] if found else ""


def _trail(text: str) -> str:
    return text[len(text.rstrip(JS_WHITESPACE)) :]
