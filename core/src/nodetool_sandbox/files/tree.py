"""What can be done with files, whichever way they are kept."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from nodetool_sandbox.files.paths import Parts


class Kind(Enum):
    """What stands at a path."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"
    """A FIFO, a socket or a device: never opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of an entry without opening it; times in milliseconds."""

    kind: Kind
    size: int
    modified_ms: float
    created_ms: float
    accessed_ms: float
    names: int = 1
    """By how many names the same file goes (hard links)."""

    @classmethod
    def of(cls, status: os.stat_result) -> Facts:
        """The facts of what the system says."""
        created_ns = int(getattr(status, "st_birthtime", 0) * 1e9) or status.st_ctime_ns
        return cls(
            kind=_kind(status.st_mode),
            size=status.st_size,
            modified_ms=status.st_mtime_ns / 1e6,
            created_ms=created_ns / 1e6,
            accessed_ms=status.st_atime_ns / 1e6,
            names=status.st_nlink if stat.S_ISREG(status.st_mode) else 1,
        )


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return Kind.FOLDER
    return Kind.LINK if stat.S_ISLNK(mode) else Kind.SPECIAL


class Files(Protocol):
    """Files and folders beneath a root, by the names that lead to them.

    Every member raises OSError with the system's code, OutsideError, EntryRefusedError, HardLinkError,
    BudgetExceededError or RunOverError.
    """

    def read(self, at: Parts) -> bytes:
        """The bytes of a file."""

    def write(self, at: Parts, data: bytes) -> None:
        """Make a file these bytes, whole or not at all, and the folders that lead to it."""

    def names(self, at: Parts) -> list[str]:
        """The names in a folder, in no order."""

    def look(self, at: Parts) -> Facts | None:
        """What stands there, a link as a link; None where nothing does."""

    def copy(self, source: Parts, target: Parts) -> None:
        """Make the target a file with the source's bytes."""

    def move(self, source: Parts, target: Parts) -> None:
        """Give an entry another name."""

    def make_folder(self, at: Parts) -> None:
        """See to it that there is such a folder, and those that lead to it."""

    def remove(self, at: Parts) -> None:
        """Take away a file, a link, or a folder that is empty."""
