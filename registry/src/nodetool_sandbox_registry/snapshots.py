"""What discovery looked at, so that a second look can tell whether anything changed."""

# ruff: noqa: PTH116
# Thousands of looks a check: text is several times faster than Path.
from __future__ import annotations

import os
import stat
from collections.abc import Callable
from operator import attrgetter
from typing import Final

SETTLED_NS: Final = 2_000_000_000
"""How old a change must be to be told from the next: file systems stamp in steps, up to two seconds."""

_Facts = tuple[int, ...]

# The time of change as well: who restores a file's time of modification cannot restore this one.
_facts: Final[Callable[[os.stat_result], _Facts]] = attrgetter(
    "st_mode", "st_dev", "st_ino", "st_size", "st_mtime_ns", "st_ctime_ns"
)


class Snapshot:
    """The state of a set of paths as each was first noted."""

    def __init__(self) -> None:
        self._noted: dict[str, tuple[_Facts, ...]] = {}

    def note(self, path: str) -> os.stat_result | None:
        """Remember the path as it is now, also when it is missing; what it leads to. Call it before reading."""
        facts, found = _look(path)
        self._noted.setdefault(path, facts)
        return found

    def holds(self) -> bool:
        """Whether every noted path is as it was: the same file, size and times of change."""
        return all(
            _look_at_plain(path) == noted or _look(path)[0] == noted for path, noted in self._noted.items()
        )

    def is_settled(self, now_ns: int) -> bool:
        """Whether all changes are so old that another one would get another time stamp."""
        newest = max((max(facts[-2:]) for noted in self._noted.values() for facts in noted), default=0)
        return now_ns - newest > SETTLED_NS


def _look_at_plain(path: str) -> tuple[_Facts, ...]:
    """What `_look` says of a path that is no link, sooner; of a link too little, so that it is looked at again."""
    try:
        return (_facts(os.lstat(path)),)
    except (OSError, ValueError):
        return ()


def _look(path: str) -> tuple[tuple[_Facts, ...], os.stat_result | None]:
    """What the path is, and what it leads to if it is a link; nothing when it is missing."""
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            target = os.stat(path)
            return (_facts(found), _facts(target)), target
    except (OSError, ValueError):  # ValueError: a NUL in an entry of the path
        return (), None
    return (_facts(found),), found
