"""Files of a pack, read once and from within its folder alone.

No part of a path may be a symbolic link, and nothing but a regular file is opened: a FIFO would
hold the reader, a device could act. A hard link is a file like any other, since installers make
them. What stands in a `ReadFile` is what gets hashed and what will run.
"""

# ruff: noqa: PTH118
# Handles and their parts have no Path.
from __future__ import annotations

import os
import stat
from types import TracebackType
from typing import Final, Protocol, Self

from nodetool_sandbox_registry.snapshots import Snapshot
from nodetool_sandbox_registry.texts import quoted

MAX_PACK_BYTES: Final = 8 * 1024 * 1024
"""All files of one pack together."""

_NO_DIR_FD: Final = os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW")
_NONBLOCK: Final = getattr(os, "O_NONBLOCK", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY: Final = getattr(os, "O_DIRECTORY", 0)
_REPARSE_POINT: Final = 0x400  # FILE_ATTRIBUTE_REPARSE_POINT: junctions and other links of Windows


class PackFileError(Exception):
    """A file of a pack that is not read. The message quotes the path as the pack wrote it."""


class PackFileMissingError(PackFileError):
    """There is no such file in the pack."""


class Opener(Protocol):
    """How a file beneath a folder is opened without following a link: by handle, or by path."""

    def open(self, parts: tuple[str, ...]) -> int:
        """A descriptor of the file.

        Raises:
            OSError: it is not there, or a link stands in the way.
            PackFileError: something on the way is not what a pack may hold.
        """

    def close(self) -> None:
        """Give back what was held."""


class HandleOpener:
    """Each part is opened beneath the handle of the one before, so no rename can move the walk elsewhere."""

    def __init__(self, root: str, name: str) -> None:
        handle = os.open(root, os.O_RDONLY | _DIRECTORY)
        try:
            self._folder = self._open_folder(name, handle)
        finally:
            os.close(handle)

    def open(self, parts: tuple[str, ...]) -> int:
        """See `Opener`."""
        if len(parts) == 1:
            return self._open_file(parts[0], self._folder)
        handle = self._open_folder(parts[0], self._folder)
        try:
            for part in parts[1:-1]:
                deeper = self._open_folder(part, handle)
                os.close(handle)
                handle = deeper
            return self._open_file(parts[-1], handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        """See `Opener`."""
        os.close(self._folder)

    def _open_file(self, part: str, handle: int) -> int:
        require_kind(os.stat(part, dir_fd=handle, follow_symlinks=False), folder=False)
        return os.open(part, os.O_RDONLY | _NOFOLLOW | _NONBLOCK, dir_fd=handle)

    def _open_folder(self, part: str, handle: int) -> int:
        require_kind(os.stat(part, dir_fd=handle, follow_symlinks=False), folder=True)
        return os.open(part, os.O_RDONLY | _DIRECTORY | _NOFOLLOW, dir_fd=handle)


class PathOpener:
    """For systems without directory handles (Windows): every part is looked at, then the file is compared."""

    def __init__(self, root: str, name: str) -> None:
        self._folder = os.path.join(root, name)
        require_kind(os.lstat(self._folder), folder=True)

    def open(self, parts: tuple[str, ...]) -> int:
        """See `Opener`."""
        path = self._folder
        for part in parts[:-1]:
            path = os.path.join(path, part)
            require_kind(os.lstat(path), folder=True)
        path = os.path.join(path, parts[-1])
        seen = os.lstat(path)
        require_kind(seen, folder=False)
        opened = os.open(path, os.O_RDONLY | _BINARY | _NONBLOCK)
        found = os.fstat(opened)
        if (found.st_dev, found.st_ino) != (seen.st_dev, seen.st_ino):
            os.close(opened)
            message = "was replaced while it was read"
            raise PackFileError(message)
        return opened

    def close(self) -> None:
        """See `Opener`."""


def require_kind(found: os.stat_result, *, folder: bool) -> None:
    """Return when it is a plain folder, or a plain file.

    Raises:
        PackFileError: a link, a FIFO, a device, or the other of the two.
    """
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_file_attributes", 0) & _REPARSE_POINT:
        message = "is a symbolic link or lies behind one"
        raise PackFileError(message)
    if folder and not stat.S_ISDIR(found.st_mode):
        message = "lies behind something that is no folder"
        raise PackFileError(message)
    if not folder and not stat.S_ISREG(found.st_mode):
        message = "is not a regular file"
        raise PackFileError(message)


class PackFolder:
    """An open folder of a pack. Use it with `with`.

    Raises:
        PackFileError: on entering: the folder is missing, or a link.
    """

    def __init__(
        self, root: str, name: str, *, seen: Snapshot, opener: type[HandleOpener | PathOpener] | None = None
    ) -> None:
        self._root = root
        self._name = name
        self._seen = seen
        self._make = opener or (PathOpener if _NO_DIR_FD else HandleOpener)
        self._place = os.path.join(root, name)
        self._left = MAX_PACK_BYTES

    def __enter__(self) -> Self:
        self._seen.note(self._place)
        try:
            self._opener: Opener = self._make(self._root, self._name)
        except FileNotFoundError:
            message = f"the package folder {quoted(self._name)} is missing"
            raise PackFileMissingError(message) from None
        except (OSError, PackFileError) as error:
            message = f"the package folder {quoted(self._name)} {_reason(error)}"
            raise PackFileError(message) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opener.close()

    def read(self, path: str, *, max_bytes: int) -> bytes:
        """The bytes of the file at `path`, a checked path with `/` between its parts.

        Raises:
            PackFileMissingError: there is no such file.
            PackFileError: a link, no regular file, unreadable, or above `max_bytes` or what is left
                of the pack's `MAX_PACK_BYTES`; a size is refused before its bytes are read.
        """
        try:
            return self._read(path, max_bytes)
        except FileNotFoundError:
            message = f"{quoted(path)} is not in the pack"
            raise PackFileMissingError(message) from None
        except (OSError, PackFileError) as error:
            message = f"{quoted(path)} {_reason(error)}"
            raise PackFileError(message) from None

    def _read(self, path: str, max_bytes: int) -> bytes:
        parts = tuple(path.split("/"))
        place = self._place
        for part in parts:
            place = f"{place}{os.sep}{part}"
            self._seen.note(place)
        handle = self._opener.open(parts)
        try:
            found = os.fstat(handle)
            require_kind(found, folder=False)
            self._require_size(found.st_size, max_bytes)
            # One byte more than allowed, for a file that grows or that has no size of its own.
            data = read_at_most(handle, min(max_bytes, self._left) + 1, likely=found.st_size)
        finally:
            os.close(handle)
        self._require_size(len(data), max_bytes)
        self._left -= len(data)
        return data

    def _require_size(self, size: int, max_bytes: int) -> None:
        if size > max_bytes:
            message = f"is {size:,} bytes or more, above the {max_bytes:,} byte cap"
            raise PackFileError(message)
        if size > self._left:
            message = f"brings the pack above its {MAX_PACK_BYTES:,} byte cap"
            raise PackFileError(message)


def read_at_most(handle: int, count: int, *, likely: int) -> bytes:
    """The next bytes behind a descriptor: `count` of them, or as many as there are.

    A first piece of the `likely` length is taken for all that there is: it ended before `count`.
    """
    data = os.read(handle, count)
    if data and len(data) == likely:
        return data
    while len(data) < count and (more := os.read(handle, count - len(data))):
        data += more
    return data


def _reason(error: OSError | PackFileError) -> str:
    # An OSError's own text holds the path of this machine.
    return (
        str(error)
        if isinstance(error, PackFileError)
        else f"cannot be read ({os.strerror(error.errno or 0)})"
    )
