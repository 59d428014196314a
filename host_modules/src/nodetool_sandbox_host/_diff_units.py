"""diff-match-patch's patch texts count UTF-16 units, as its JavaScript version does; here texts are code points."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

from nodetool_sandbox_host.arguments import utf16_length

_LAST_OF_ONE_UNIT = "\uffff"


class _Patch(Protocol):
    """The fields of diff-match-patch's patches that are used here."""

    diffs: list[tuple[int, str]]
    start1: int
    start2: int
    length1: int
    length2: int


class _Places:
    """Where the code points of a text lie in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._wide = (
            []
            if text.isascii()
            else [index for index, letter in enumerate(text) if letter > _LAST_OF_ONE_UNIT]
        )
        # the unit at which each wide code point begins
        self._units = [index + number for number, index in enumerate(self._wide)]

    def unit(self, point: int) -> int:
        return point + bisect_right(self._wide, point - 1)

    def point(self, unit: int) -> int:
        return unit - bisect_right(self._units, unit - 1)


def to_units(patches: Sequence[_Patch], old: str, new: str) -> str:
    """The text of patches that were made from code points."""
    old_places, new_places = _Places(old), _Places(new)
    for patch in patches:
        patch.start1 = old_places.unit(patch.start1)
        patch.start2 = new_places.unit(patch.start2)
        patch.length1, patch.length2 = _lengths(patch, units=True)
    return "".join(map(str, patches))


def from_units(patches: Sequence[_Patch], text: str) -> None:
    """Count the places of patches that were read in code points of the text that they are for."""
    places = _Places(text)
    grown = list(accumulate((_wide_growth(each) for each in patches), initial=0))
    for patch, growth in zip(patches, grown, strict=False):
        start = places.point(patch.start1)
        # the new side is ahead of the old one by what earlier patches added
        patch.start2 += start - patch.start1 - growth
        patch.start1 = start
        patch.length1, patch.length2 = _lengths(patch, units=False)


def _lengths(patch: _Patch, *, units: bool) -> tuple[int, int]:
    measure = utf16_length if units else len
    return (
        sum(measure(text) for kind, text in patch.diffs if kind <= 0),
        sum(measure(text) for kind, text in patch.diffs if kind >= 0),
    )


def _wide_growth(patch: _Patch) -> int:
    """How many more units than code points the patch adds to the new side."""
    return sum((utf16_length(text) - len(text)) * kind for kind, text in patch.diffs)
