"""The shortest way from one sequence to another: which stretches stay, which go, which come.

Short differences are walked forward as jsdiff walks them, so that of several shortest ones it is the
same. Longer ones are diff-match-patch's, on what both sides have in common. Past the budget the result
is coarse: right, but with more lines changed than need be.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from diff_match_patch import diff_match_patch  # type: ignore[import-untyped]  # it has none
from nodetool_sandbox_registry.hosts import Deadline

from nodetool_sandbox_host.limits import DIFF_MAX_EDIT_DISTANCE, DIFF_MAX_GREEDY_DISTANCE, DIFF_MAX_LINES

_FIRST_SURROGATE: Final = 0xD800
_SURROGATES: Final = 0x800
_STRIDE: Final = 32
_LONG_STRIDE: Final = 65_536
_STEP: Final = 4_096
_SPARE: Final = 1.2
"""The cost of all parts of one difference, in costs of one at the limit: a shortest one never needs more."""

Tokens = str | list[int]
Sequences = str | Sequence[Hashable]
Match = tuple[int, int, int]
"""Where a common stretch begins in the old and in the new sequence, and how long it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch: kept (both counts alike), or so many removed, then so many added."""

    removed: int
    added: int
    kept: int = 0


def changes(old: Sequences, new: Sequences, deadline: Deadline) -> list[Change]:
    """The stretches of the difference in order; no two of a kind follow one another."""
    prefix = suffix = 0
    if len(old) + len(new) > DIFF_MAX_LINES:
        prefix = _common(old, 0, new, 0)
        suffix = _common_end(old, new, prefix)
        old, new = old[prefix : len(old) - suffix], new[prefix : len(new) - suffix]
    deadline.check()
    found: list[Match] = []
    if len(old) + len(new) <= DIFF_MAX_LINES:
        texts: tuple[Tokens, Tokens] = (
            (old, new) if isinstance(old, str) and isinstance(new, str) else _numbered(old, new)
        )
        found = list(_matches(texts[0], texts[1], deadline))
    shifted = [(0, 0, prefix), *((a + prefix, b + prefix, count) for a, b, count in found)]
    shifted.append((prefix + len(old), prefix + len(new), suffix))
    return list(_stretches(shifted))


def _numbered(old: Sequences, new: Sequences) -> tuple[list[int], list[int]]:
    """Both sequences with a number for each different element."""
    numbers: dict[Hashable, int] = {}
    return (
        [numbers.setdefault(each, len(numbers)) for each in old],
        [numbers.setdefault(each, len(numbers)) for each in new],
    )


def _stretches(matches: Sequence[Match]) -> Iterator[Change]:
    old_at = new_at = kept = 0
    for old_start, new_start, count in matches:
        if old_start > old_at or new_start > new_at:
            if kept:
                yield Change(0, 0, kept)
                kept = 0
            yield Change(old_start - old_at, new_start - new_at)
        kept += count
        old_at, new_at = old_start + count, new_start + count
    if kept:
        yield Change(0, 0, kept)


def _common(old: Sequences, old_at: int, new: Sequences, new_at: int) -> int:
    """How many elements from there on are equal, compared in ever longer slices."""
    start, stride = old_at, 1
    limit = min(len(old) - old_at, len(new) - new_at)
    stop = old_at + limit
    while old_at < stop:
        stride = min(stride, stop - old_at)
        if old[old_at : old_at + stride] == new[new_at : new_at + stride]:
            old_at += stride
            new_at += stride
            stride = min(stride * 2, _LONG_STRIDE)
        elif stride == 1:
            break
        else:
            stride = max(1, stride // 4)
    return old_at - start


def _common_end(old: Sequences, new: Sequences, prefix: int) -> int:
    limit = min(len(old), len(new)) - prefix
    count, stride = 0, _STRIDE
    while count < limit:
        stride = min(stride, limit - count)
        old_stop, new_stop = len(old) - count, len(new) - count
        if old[old_stop - stride : old_stop] == new[new_stop - stride : new_stop]:
            count += stride
            stride = min(stride * 2, _LONG_STRIDE)
        elif stride == 1:
            break
        else:
            stride = max(1, stride // 4)
    return count


def _matches(old: Tokens, new: Tokens, deadline: Deadline) -> Iterator[Match]:
    old_counts, new_counts = Counter(old), Counter(new)
    deadline.check()
    # at least this many edits are needed, whatever their order
    least = (old_counts - new_counts).total() + (new_counts - old_counts).total()
    if least <= DIFF_MAX_GREEDY_DISTANCE:
        found = _walk(old, new, deadline)
        if found is not None:
            yield from found
            return
    # what only one side has can match nothing
    old_kept = [index for index, each in enumerate(old) if each in new_counts]
    new_kept = [index for index, each in enumerate(new) if each in old_counts]
    deadline.check()
    old_text = "".join([_letter(old[index]) for index in old_kept])
    new_text = "".join([_letter(new[index]) for index in new_kept])
    bisecting = _Bisecting(deadline)
    # edits that no order of what both sides have can spare
    if sum(abs(each - new_counts[token]) for token, each in old_counts.items() if token in new_counts) > (
        DIFF_MAX_EDIT_DISTANCE
    ):
        bisecting.give_up()
    for index, (old_at, new_at, count) in enumerate(bisecting.matches(old_text, new_text)):
        if index % _STEP == 0:
            deadline.check()
        for step in range(count):
            yield old_kept[old_at + step], new_kept[new_at + step], 1


def _letter(token: str | int) -> str:
    """The token as one code point, none of them half of a surrogate pair."""
    if isinstance(token, str):
        return token
    return chr(token if token < _FIRST_SURROGATE else token + _SURROGATES)


# --- as jsdiff walks

_Trail = tuple[int, int, int, "_Trail | None"]
"""A common stretch and the trail that leads to it."""


def _walk(old: Tokens, new: Tokens, deadline: Deadline) -> list[Match] | None:
    """The common stretches of the first shortest path, or None where it has too many edits.

    Every round allows one edit more. A path is known by its diagonal and by how much of the old side it
    has behind it; where two reach a diagonal, the one that is further ahead goes on, a removal before an
    addition. Diagonals that have reached an end of a side are not left again.
    """
    old_size, new_size = len(old), len(new)

    def ahead(old_at: int, diagonal: int, trail: _Trail | None) -> tuple[int, _Trail | None]:
        count = _common(old, old_at, new, old_at - diagonal)
        return (old_at + count, (old_at, old_at - diagonal, count, trail)) if count else (old_at, trail)

    start = ahead(0, 0, None)
    if start[0] >= old_size and start[0] >= new_size:
        return _unwound(start[1])
    paths: dict[int, tuple[int, _Trail | None]] = {0: start}
    lowest, highest = -new_size, old_size
    for edits in range(1, min(old_size + new_size, DIFF_MAX_GREEDY_DISTANCE) + 1):
        deadline.check()
        for diagonal in range(max(lowest, -edits), min(highest, edits) + 1, 2):
            removing = paths.pop(diagonal - 1, None)
            adding = paths.get(diagonal + 1)
            can_add = adding is not None and 0 <= adding[0] - diagonal - 1 < new_size
            can_remove = removing is not None and removing[0] < old_size
            if (
                adding is not None
                and can_add
                and not (removing is not None and can_remove and removing[0] >= adding[0])
            ):
                path = ahead(adding[0], diagonal, adding[1])
            elif removing is not None and can_remove:
                path = ahead(removing[0] + 1, diagonal, removing[1])
            else:
                paths.pop(diagonal, None)
                continue
            if path[0] >= old_size and path[0] - diagonal >= new_size:
                return _unwound(path[1])
            paths[diagonal] = path
            if path[0] >= old_size:
                highest = min(highest, diagonal - 1)
            if path[0] - diagonal >= new_size:
                lowest = max(lowest, diagonal + 1)
    return None


def _unwound(trail: _Trail | None) -> list[Match]:
    matches: list[Match] = []
    while trail is not None:
        matches.append(trail[:3])
        trail = trail[3]
    matches.reverse()
    return matches


# --- as diff-match-patch bisects


class _Rounds:
    """What stands in for diff-match-patch's moment to stop: it is asked once for every edit more.

    So the same texts stop at the same place on every machine, and the deadline is looked at.
    """

    def __init__(self, owner: _Bisecting) -> None:
        self._owner = owner
        self._round = 0

    def __lt__(self, _now: float) -> bool:
        self._owner.deadline.check()
        self._round += 1
        self._owner.cost += self._round
        # both ends walk: after n rounds 2 * n edits are found, and the first round has none
        over = 2 * (self._round - 1) > DIFF_MAX_EDIT_DISTANCE or self._owner.cost > self._owner.budget
        self._owner.gave_up = self._owner.gave_up or over
        return over


class _Bisecting(diff_match_patch):  # type: ignore[misc]  # it has no types
    """diff-match-patch's line of thought without its clock and without its guesses."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self.deadline = deadline
        self.gave_up = False
        self.cost = 0
        self._rounds = DIFF_MAX_EDIT_DISTANCE // 2 + 2
        # n rounds cost n * n / 2, their two halves together half of that, and so on
        self.budget = int(_SPARE * self._rounds * self._rounds)

    def diff_halfMatch(self, _text1: str, _text2: str) -> None:  # noqa: N802  (its name there)
        """No guess: it would make the result longer than need be."""

    def diff_bisect(self, text1: str, text2: str, _deadline: object) -> list[tuple[int, str]]:
        """The difference of two texts without a common beginning and end."""
        found: list[tuple[int, str]] = super().diff_bisect(text1, text2, _Rounds(self))
        return found

    def matches(self, old: str, new: str) -> Iterator[Match]:
        """The common stretches."""
        diffs = [] if self.gave_up else self.diff_main(old, new, False, 0)
        if self.gave_up:
            yield from self._around_anchors(old, new)
        else:
            yield from _matches_of(diffs)

    def give_up(self) -> None:
        """Take it that the whole has too many edits, at the cost of finding that out by walking."""
        self.gave_up = True
        self.cost = self._rounds * (self._rounds - 1) // 2

    def _around_anchors(self, old: str, new: str) -> Iterator[Match]:
        """Coarse: letters that each side has once hold the rest together."""
        old_at = new_at = 0
        anchors = [*_anchors(old, new), (len(old), len(new))]
        only_ends = len(anchors) == 1
        for old_stop, new_stop in anchors:
            self.deadline.check()
            between = old[old_at:old_stop], new[new_at:new_stop]
            if all(between) and not only_ends:
                for a, b, count in _matches_of(self.diff_main(*between, False, 0)):
                    yield a + old_at, b + new_at, count
            elif only_ends:
                prefix = _common(old, 0, new, 0)
                suffix = _common_end(old, new, prefix)
                yield 0, 0, prefix
                yield len(old) - suffix, len(new) - suffix, suffix
            if old_stop < len(old) and new_stop < len(new):
                yield old_stop, new_stop, 1
            old_at, new_at = old_stop + 1, new_stop + 1


def _matches_of(diffs: Sequence[tuple[int, str]]) -> Iterator[Match]:
    old_at = new_at = 0
    for kind, text in diffs:
        if kind == 0:
            yield old_at, new_at, len(text)
        old_at += len(text) * (kind <= 0)
        new_at += len(text) * (kind >= 0)


def _anchors(old: str, new: str) -> list[tuple[int, int]]:
    """The longest rising chain of letters that stand once on each side."""
    old_counts, new_counts = Counter(old), Counter(new)
    places = {letter: index for index, letter in enumerate(new) if new_counts[letter] == 1}
    once = [
        (index, places[letter])
        for index, letter in enumerate(old)
        if old_counts[letter] == 1 and letter in places
    ]
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(once):
        length = bisect.bisect_left(tails, place)
        before.append(last[length - 1] if length else -1)
        if length == len(tails):
            tails.append(place)
            last.append(number)
        else:
            tails[length] = place
            last[length] = number
    chain: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        chain.append(once[at])
        at = before[at]
    chain.reverse()
    return chain
