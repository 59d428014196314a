"""Folders opened beneath a folder: each way to do it answers the same, and none looks before it leaps.

A path is resolved and opened in one step, by the kernel or by a walk that holds a handle on every folder it
passes, so a link that somebody swaps in between leads nowhere.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache, reduce
from operator import or_
from typing import Final, Protocol

from nodetool_sandbox.files.refusals import OutsideError

MAX_LINKS: Final = 40
"""Links that one path may lead over, as on Linux."""


def _flags(*names: str) -> int:
    """Those flags of `open` together that this system has."""
    return reduce(or_, (getattr(os, name, 0) for name in names))


HANDLE: Final = _flags("O_PATH", "O_DIRECTORY", "O_CLOEXEC")
"""How a folder is opened to stand on; where there is no O_PATH it must be readable too."""

FILE: Final = _flags("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")
"""What a file is opened with beside: a link is refused, a FIFO does not block, a terminal stays a stranger."""

FOLDER: Final = FILE | _flags("O_DIRECTORY")
"""What a folder is opened with to list it."""

_STEP: Final = HANDLE | _flags("O_NOFOLLOW")

IS_SUPPORTED: Final = {os.open, os.stat, os.mkdir, os.unlink, os.rename, os.readlink} <= os.supports_dir_fd
"""Whether this system opens things relative to a handle at all. Windows does not."""


class Opener(Protocol):
    """A way to open a folder by its path from a root."""

    def open_folder(self, root: int, path: str) -> int:
        """A new descriptor of the folder at `path`, which may lead over links that stay inside.

        Raises:
            OutsideError: it leads outside, by `..` or by a link whose text is absolute.
            OSError: there is no such folder, or it may not be opened.
        """

    def restart(self, text: str) -> str:
        """The path from the root that an absolute link text means.

        Raises:
            OutsideError: absolute texts lead outside.
        """


class WalkBeneath:
    """One component at a time, links read and followed by ourselves. Works wherever `openat` does."""

    def open_folder(self, root: int, path: str) -> int:
        """See Opener."""
        # the folders that were passed, so that `..` goes back the way it came and never above the root
        passed = [os.open(".", HANDLE, dir_fd=root)]
        names = path.split("/")[::-1]
        links = 0
        try:
            while names:
                name = names.pop()
                if name in {"", "."}:
                    continue
                if name == "..":
                    if len(passed) == 1:
                        raise OutsideError
                    os.close(passed.pop())
                    continue
                try:
                    passed.append(os.open(name, _STEP, dir_fd=passed[-1]))
                except OSError as refusal:
                    text = _link_text(name, passed[-1], refusal)
                    links += 1
                    if links > MAX_LINKS:
                        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
                    if text.startswith("/"):
                        raise OutsideError from None
                    names += text.split("/")[::-1]
            return passed.pop()
        finally:
            for descriptor in passed:
                os.close(descriptor)

    def restart(self, text: str) -> str:
        """See Opener."""
        raise OutsideError(text)


def _link_text(name: str, folder: int, refusal: OSError) -> str:
    """Where the link leads that could not be opened as a folder; what is no link raises what its opening raised."""
    # a link without O_NOFOLLOW's leave is ELOOP on some systems, ENOTDIR or EMLINK on others
    if refusal.errno not in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}:
        raise refusal
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        raise refusal from None


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_SYS_OPENAT2: Final = 437  # the same number on every architecture that Python runs on
_RESOLVE_NO_MAGICLINKS: Final = 0x02
_RESOLVE_BENEATH: Final = 0x08
_HOW: Final = _OpenHow(flags=HANDLE, mode=0, resolve=_RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)

_TRIES: Final = 16
"""The kernel answers EAGAIN where a rename anywhere came in its way; past so many the walk does it."""


class KernelBeneath:
    """`openat2` with RESOLVE_BENEATH, which Linux has since 5.6."""

    def __init__(self) -> None:
        self._walk = WalkBeneath()
        self._syscall = ctypes.CDLL(None, use_errno=True).syscall
        self._syscall.restype = ctypes.c_long
        self._syscall.argtypes = (
            ctypes.c_long,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.POINTER(_OpenHow),
            ctypes.c_size_t,
        )

    def open_folder(self, root: int, path: str) -> int:
        """See Opener."""
        name = os.fsencode(path) or b"."
        for _ in range(_TRIES):
            descriptor: int = self._syscall(
                _SYS_OPENAT2, root, name, ctypes.byref(_HOW), ctypes.sizeof(_OpenHow)
            )
            if descriptor >= 0:
                return descriptor
            code = ctypes.get_errno()
            if code == errno.EXDEV:
                raise OutsideError
            if code not in {errno.EAGAIN, errno.EINTR}:
                raise OSError(code, os.strerror(code))
        return self._walk.open_folder(root, path)

    def restart(self, text: str) -> str:
        """See Opener."""
        raise OutsideError(text)


class Anywhere:
    """No containment: the root is the system's own, and links lead where they lead."""

    def open_folder(self, root: int, path: str) -> int:
        """See Opener."""
        return os.open(path or ".", HANDLE, dir_fd=root)

    def restart(self, text: str) -> str:
        """See Opener."""
        return text.lstrip("/")


@cache
def best_beneath() -> Opener:
    """The kernel's way where this system has it, else the walk."""
    if sys.platform != "linux":
        return WalkBeneath()
    kernel = KernelBeneath()
    try:
        root = os.open("/", HANDLE)
        try:
            os.close(kernel.open_folder(root, "."))
        finally:
            os.close(root)
    except OSError:  # an older kernel (ENOSYS), or a filter of system calls that does not know it (EPERM)
        return WalkBeneath()
    return kernel
