"""The files of a real folder. Every one is reached from a handle on its parent, never by its path alone."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Never

from nodetool_sandbox.files.beneath import FILE, FOLDER, MAX_LINKS, Opener
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.paths import Parts
from nodetool_sandbox.files.refusals import (
    BudgetExceededError,
    EntryRefusedError,
    HardLinkError,
    at_second_path,
)
from nodetool_sandbox.files.tree import Facts, Kind
from nodetool_sandbox.limits import KIB, MAX_WORKSPACE_LIST_ENTRIES, MIB

CHUNK_BYTES: Final = 16 * MIB
"""Read or written at once; in between the run's end is looked at."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A name in a folder that is held open, and what stands there. The name of the folder itself is `.`."""

    folder: int
    name: str
    facts: Facts | None
    mode: int


class Folder:
    """See Files.

    Args:
        lease: holds the root.
        opener: opens folders from there.
        budget: what the run has left.
        is_contained: refuse files that go by another name too, because that may lie outside.
    """

    def __init__(self, lease: Lease, opener: Opener, budget: Budget, *, is_contained: bool = True) -> None:
        self._lease = lease
        self._opener = opener
        self._budget = budget
        self._is_contained = is_contained

    def read(self, at: Parts) -> bytes:
        """See Files."""
        with self._opened(at) as (descriptor, size):
            pieces = list(self._chunks(descriptor, size))
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def write(self, at: Parts, data: bytes) -> None:
        """See Files."""
        self._budget.check_file(len(data))
        self._budget.move(len(data))
        self._budget.keep(len(data))
        view = memoryview(data)
        self._replace(at, (view[start : start + CHUNK_BYTES] for start in range(0, len(view), CHUNK_BYTES)))

    def names(self, at: Parts) -> list[str]:
        """See Files."""
        with self._place(at, follow=True) as place:
            facts = _require(place)
            if facts.kind is not Kind.FOLDER:
                _fail(errno.ENOTDIR)
            descriptor = os.open(place.name, os.O_RDONLY | FOLDER, dir_fd=place.folder)
        try:
            return list(self._names_of(descriptor))
        finally:
            os.close(descriptor)

    def _names_of(self, folder: int) -> Iterator[str]:
        seen = 0
        with os.scandir(folder) as entries:
            for entry in entries:
                if self._lease.is_temporary(entry.name):
                    continue
                seen += 1
                if seen > MAX_WORKSPACE_LIST_ENTRIES:
                    raise BudgetExceededError(
                        f"a folder of more than {MAX_WORKSPACE_LIST_ENTRIES:,} entries is not listed "
                        "(MAX_WORKSPACE_LIST_ENTRIES)"
                    )
                if seen % 1000 == 0:
                    self._lease.check()
                # what is not UTF-8 cannot be named by a program, and is shown all the same
                yield os.fsencode(entry.name).decode("utf-8", "replace")

    def look(self, at: Parts) -> Facts | None:
        """See Files."""
        try:
            with self._place(at, follow=False) as place:
                return place.facts
        except OSError as refusal:
            if refusal.errno in {errno.ENOENT, errno.ENOTDIR}:
                return None
            raise

    def link_text(self, at: Parts) -> str:
        """Where the link at `at` leads."""
        with self._place(at, follow=False) as place:
            return os.readlink(place.name, dir_fd=place.folder)

    def copy(self, source: Parts, target: Parts) -> None:
        """See Files."""
        with self._opened(source) as (descriptor, size), at_second_path():
            self._replace(target, self._counted(self._chunks(descriptor, size)))

    def _counted(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._budget.move(len(chunk))
            self._budget.keep(len(chunk))
            yield chunk

    def move(self, source: Parts, target: Parts) -> None:
        """See Files."""
        if not source or not target:
            raise EntryRefusedError("the workspace itself is not moved and not replaced")
        with self._place(source, follow=False) as there:
            facts = _require(there)
            if facts.kind is Kind.LINK and self._is_contained:
                raise EntryRefusedError("a link is not moved: it would lead elsewhere")
            is_within = len(target) > len(source) and target[: len(source)] == source
            if is_within and facts.kind is Kind.FOLDER:
                _fail(errno.EINVAL)  # here, before folders are made for it
            with at_second_path():
                self._make_folders(target[:-1])
                with self._place(target, follow=False) as place, self._lease.changing():
                    os.rename(there.name, place.name, src_dir_fd=there.folder, dst_dir_fd=place.folder)

    def make_folder(self, at: Parts) -> None:
        """See Files."""
        try:
            self._make_folders(at)
        except NotADirectoryError:
            facts = self.look(at)
            if facts is not None and facts.kind is not Kind.FOLDER:
                _fail(errno.EEXIST)  # the file has the whole of the name, not a part of it
            raise

    def remove(self, at: Parts) -> None:
        """See Files."""
        if not at:
            raise EntryRefusedError("the workspace itself is not removed")
        with self._place(at, follow=False) as place:
            facts = _require(place)
            with self._lease.changing():
                if facts.kind is Kind.FOLDER:
                    os.rmdir(place.name, dir_fd=place.folder)
                else:
                    os.unlink(place.name, dir_fd=place.folder)

    # ---- reaching things

    @contextmanager
    def _place(self, at: Parts, *, follow: bool) -> Iterator[_Place]:
        """The place at the end of a path. With `follow`, where the links lead that stand there."""
        path = "/".join(at)
        with self._lease.root() as root:
            for _ in range(MAX_LINKS + 1):
                above, _, name = path.rpartition("/")
                if name in {"", ".", ".."}:  # the root, or the end of a link's text
                    above, name = path, "."
                folder = self._opener.open_folder(root, above)
                try:
                    status = _status(name, folder)
                    if follow and status is not None and stat.S_ISLNK(status.st_mode):
                        text = os.readlink(name, dir_fd=folder)
                        path = self._opener.restart(text) if text.startswith("/") else f"{above}/{text}"
                        path = path.lstrip("/")
                        continue
                    facts = Facts.of(status) if status is not None else None
                    yield _Place(folder, name, facts, status.st_mode if status is not None else 0)
                    return
                finally:
                    os.close(folder)
        _fail(errno.ELOOP)

    @contextmanager
    def _opened(self, at: Parts) -> Iterator[tuple[int, int]]:
        """A regular file to read, and its size."""
        with self._place(at, follow=True) as place:
            _require_file(_require(place))  # not even opened otherwise: opening a device may do something
            descriptor = os.open(place.name, os.O_RDONLY | FILE, dir_fd=place.folder)
        try:
            facts = Facts.of(os.fstat(descriptor))  # this is what was opened, whatever was there before
            _require_file(facts)
            if self._is_contained and facts.names > 1:
                raise HardLinkError
            self._budget.check_file(facts.size)
            yield descriptor, facts.size
        finally:
            os.close(descriptor)

    def _chunks(self, descriptor: int, size: int) -> Iterator[bytes]:
        """What is in a file, as far as one file may go: it may grow, or say that it is empty and not be."""
        read = 0
        while True:
            self._lease.check()
            chunk = os.read(descriptor, min(CHUNK_BYTES, max(size - read, 4 * KIB)))
            if not chunk:
                return
            read += len(chunk)
            self._budget.check_file(read)
            self._budget.move(len(chunk))
            yield chunk

    # ---- changing things

    def _replace(self, at: Parts, chunks: Iterator[bytes] | Iterator[memoryview]) -> None:
        """Make a file of these chunks: written beside it, then renamed over it."""
        self._make_folders(at[:-1])
        with self._place(at, follow=True) as place:
            mode = self._writable_mode(place)
            with self._lease.temporary(place.folder) as (temporary, descriptor):
                if mode is not None:
                    os.fchmod(descriptor, mode)
                for chunk in chunks:
                    self._lease.check()
                    _write_all(descriptor, chunk)
                os.fsync(descriptor)
                self._lease.keep(temporary, place.folder, place.name)

    def _writable_mode(self, place: _Place) -> int | None:
        """The permissions that the new file gets: those of the one in its place, which must allow writing."""
        if place.facts is None:
            self._budget.make()
            return None
        _require_file(place.facts)
        # Renaming asks nothing of the file that goes; its own permission is asked here.
        os.close(os.open(place.name, os.O_WRONLY | FILE, dir_fd=place.folder))
        return place.mode & 0o777

    def _make_folders(self, at: Parts) -> None:
        path = "/".join(at)
        with self._lease.root() as root:
            try:
                os.close(self._opener.open_folder(root, path))
                return
            except FileNotFoundError:
                pass
            for depth in range(1, len(at) + 1):
                self._make_one_folder(root, "/".join(at[: depth - 1]), at[depth - 1])

    def _make_one_folder(self, root: int, above: str, name: str) -> None:
        folder = self._opener.open_folder(root, above)
        try:
            status = _status(name, folder)
            if status is None:
                self._budget.make()
                # somebody else may make it just now
                with self._lease.changing(), contextlib.suppress(FileExistsError):
                    os.mkdir(name, dir_fd=folder)
            elif not stat.S_ISDIR(status.st_mode):
                # a link to a folder is one; a link to nothing is not made into one
                os.close(self._opener.open_folder(root, f"{above}/{name}".lstrip("/")))
        finally:
            os.close(folder)


def _status(name: str, folder: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _require(place: _Place) -> Facts:
    if place.facts is None:
        _fail(errno.ENOENT)
    return place.facts


def _require_file(facts: Facts) -> None:
    if facts.kind is Kind.FOLDER:
        _fail(errno.EISDIR)
    if facts.kind is not Kind.FILE:
        raise EntryRefusedError("it is a FIFO, a socket or a device, and only files and folders are used")


def _write_all(descriptor: int, data: bytes | memoryview) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _fail(code: int) -> Never:
    raise OSError(code, os.strerror(code))
