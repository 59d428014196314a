"""The right of one run to work in a folder. It ends with the run, and nothing changes afterwards.

Work goes on in threads, which cannot be stopped: one may be in the middle of writing when its run is over. So
what changes the folder does it inside `changing`, and `end` takes away what was not finished.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox.files.beneath import FILE, HANDLE
from nodetool_sandbox.files.refusals import RunOverError

_PREFIX: Final = ".nodetool-sandbox-"


@dataclass(frozen=True, slots=True, eq=False)
class Temporary:
    """A file that is being written, under a name of ours, in a folder that is held open."""

    folder: int
    name: str


class Lease:
    """Holds the root's handle open while anything works beneath it.

    Args:
        path: the folder, opened when it is first needed.
        is_unwanted: whether the run is over or nobody waits for it.
    """

    def __init__(self, path: str, is_unwanted: Callable[[], bool]) -> None:
        self._path = path
        self._is_unwanted = is_unwanted
        self._lock = threading.Lock()
        self._root: int | None = None
        self._users = 0
        self._over = False
        self._temporaries: set[Temporary] = set()

    @contextmanager
    def root(self) -> Iterator[int]:
        """The root's descriptor, open until the block is left.

        Raises:
            RunOverError: the run has ended.
            OSError: the folder cannot be opened.
        """
        with self._lock:
            self._require_wanted()
            if self._root is None:
                self._root = os.open(self._path, HANDLE)
            root = self._root
            self._users += 1
        try:
            yield root
        finally:
            with self._lock:
                self._users -= 1
                self._close_unused()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A step that changes the folder, whole before the run's end or not at all.

        Raises:
            RunOverError: the run has ended.
        """
        with self._lock:
            self._require_wanted()
            yield

    def check(self) -> None:
        """Return while the work is wanted.

        Raises:
            RunOverError: it is not.
        """
        if self._over or self._is_unwanted():
            raise RunOverError

    @contextmanager
    def temporary(self, folder: int) -> Iterator[tuple[Temporary, int]]:
        """A new empty file in a folder and a descriptor to write to it; gone afterwards unless `keep` renamed it."""
        with self.changing():
            name = f"{_PREFIX}{secrets.token_hex(8)}.tmp"
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | FILE, 0o666, dir_fd=folder)
            try:
                temporary = Temporary(folder=os.dup(folder), name=name)
            except OSError:
                os.close(descriptor)
                os.unlink(name, dir_fd=folder)
                raise
            self._temporaries.add(temporary)
        try:
            yield temporary, descriptor
        finally:
            os.close(descriptor)
            with self._lock:
                self._discard(temporary)

    def keep(self, temporary: Temporary, folder: int, name: str) -> None:
        """Give a temporary file the name that it was written for, in place of what had it.

        Raises:
            RunOverError: the run has ended; the file that was there is untouched.
        """
        with self.changing():
            os.rename(temporary.name, name, src_dir_fd=temporary.folder, dst_dir_fd=folder)
            self._temporaries.discard(temporary)
            os.close(temporary.folder)

    def is_temporary(self, name: str) -> bool:
        """Whether a name is one of ours that is being written now."""
        return name.startswith(_PREFIX) and any(each.name == name for each in tuple(self._temporaries))

    def end(self) -> None:
        """The run is over: what was not finished goes, and the folder is let go with the last who works in it."""
        with self._lock:
            self._over = True
            for temporary in tuple(self._temporaries):
                self._discard(temporary)
            self._close_unused()

    def _require_wanted(self) -> None:
        if self._over or self._is_unwanted():
            raise RunOverError

    def _discard(self, temporary: Temporary) -> None:
        if temporary in self._temporaries:
            self._temporaries.discard(temporary)
            with contextlib.suppress(OSError):
                os.unlink(temporary.name, dir_fd=temporary.folder)
            os.close(temporary.folder)

    def _close_unused(self) -> None:
        if self._over and not self._users and self._root is not None:
            os.close(self._root)
            self._root = None
