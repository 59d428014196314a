"""workspace: the files of one folder, in the mode that the embedder chose."""

from __future__ import annotations

import errno
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final, Literal, TypeVar, get_args

import anyio

from nodetool_sandbox.bridges.power import Bridge, BridgeError, RunView
from nodetool_sandbox.bridges.waiting import on_thread
from nodetool_sandbox.files.beneath import IS_SUPPORTED, Anywhere, best_beneath
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.changes import Changes
from nodetool_sandbox.files.folder import Folder
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.overlay import Overlay
from nodetool_sandbox.files.paths import Parts, host_parts, parse_host_path, parse_path, shown
from nodetool_sandbox.files.refusals import (
    BudgetExceededError,
    HardLinkError,
    OutsideError,
    RefusedError,
    RunOverError,
)
from nodetool_sandbox.files.tree import Facts, Files, Kind
from nodetool_sandbox.limits import MIB, Limits
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.result import RunResult

Mode = Literal["rw", "ro", "overlay", "host"]

DEFAULT_OVERLAY_BYTES: Final = 64 * MIB
"""What an overlay holds in memory for one run where the embedder says nothing."""

MAX_THREADS: Final = 4
"""Calls of one run that are at work at once: the threads of the process are there for other runs too."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Workspace:
    """Lets programs use the files of one folder, through the global object `workspace`.

    Args:
        folder: the folder. It must be there; a run opens it when it first needs it.
        mode: "rw" reads and writes; "ro" only reads; "overlay" keeps what is written in memory, shows it to the
            program, and hands it out as `result.changes`; "host" is the whole file system, with what is
            relative beginning at the folder: for programs that you trust as much as your own.
        quota_bytes: what one run may write, or hold in memory in an overlay. By default as much as
            `max_workspace_bytes` allows, in an overlay 64 MiB.
        shown_root: what `workspace.root()` says, and what absolute paths may begin with; the folder's own path
            by default. Pass "/workspace" to keep that from programs.

    Raises:
        TypeError, ValueError: an argument is wrong; there is no such folder; this system cannot open files
            relative to a folder's handle (Windows).
    """

    name: ClassVar[str] = "workspace"

    folder: str | os.PathLike[str]
    mode: Mode = "rw"
    quota_bytes: int | None = None
    shown_root: str | None = None

    def __post_init__(self) -> None:
        """Refuse what is wrong before any run."""
        if self.mode not in get_args(Mode):
            raise ValueError(f"Workspace(mode={self.mode!r}): there are {', '.join(get_args(Mode))}")
        folder = os.fspath(self.folder)
        if not isinstance(folder, str):
            raise TypeError(f"Workspace(folder) must be a path as text, not {type(folder).__name__}")
        if not IS_SUPPORTED:
            raise ValueError("Workspace needs a system that opens files relative to a folder's handle")
        if not os.path.isdir(folder):  # noqa: PTH112 - the text is what was given
            raise ValueError(f"Workspace({folder!r}): there is no such folder")
        quota = self.quota_bytes
        if quota is not None and (isinstance(quota, bool) or not isinstance(quota, int) or quota < 0):
            raise ValueError(f"Workspace(quota_bytes={quota!r}) must be a number of bytes, 0 or more")
        if self.shown_root is not None and not str(self.shown_root).startswith("/"):
            raise ValueError(f"Workspace(shown_root={self.shown_root!r}) must begin with /")
        object.__setattr__(self, "folder", os.path.abspath(folder))  # noqa: PTH100 - a link stays a link

    def open(self, run: RunView) -> Bridge:
        """See Power."""
        folder = os.fspath(self.folder)
        lease = Lease("/" if self.mode == "host" else folder, run.is_unwanted)
        budget = _budget(run.limits, self.quota_bytes, is_overlay=self.mode == "overlay")
        if self.mode == "host":
            paths: Callable[[object], Parts] = partial(parse_host_path, base=host_parts(folder))
            anywhere = Folder(lease, Anywhere(), budget, is_contained=False)
            return WorkspaceBridge(run.loop, anywhere, lease, folder, paths)
        root = self.shown_root or folder
        paths = partial(parse_path, shown_root=host_parts(root))
        files = Folder(lease, best_beneath(), budget)
        if self.mode == "overlay":
            return OverlayBridge(run.loop, Overlay(files, lease, budget), lease, root, paths, folder=folder)
        return WorkspaceBridge(run.loop, files, lease, root, paths, is_read_only=self.mode == "ro")


def _budget(limits: Limits, quota_bytes: int | None, *, is_overlay: bool) -> Budget:
    if quota_bytes is None:
        quota_bytes = DEFAULT_OVERLAY_BYTES if is_overlay else limits.max_workspace_bytes
    return Budget(
        file_bytes=limits.max_workspace_file_bytes,
        run_bytes=limits.max_workspace_bytes,
        entries=limits.max_workspace_entries,
        quota_bytes=quota_bytes,
    )


class WorkspaceBridge(Bridge):
    """The workspace of one run.

    Args:
        loop: of the run.
        files: where they are kept.
        lease: ends with the run.
        root: what `workspace.root()` says.
        parse: what a path of the program means.
        is_read_only: refuse everything that changes something.
    """

    def __init__(
        self,
        loop: Loop,
        files: Files,
        lease: Lease,
        root: str,
        parse: Callable[[object], Parts],
        *,
        is_read_only: bool = False,
    ) -> None:
        self._files = files
        self._lease = lease
        self._root = root
        self._parse = parse
        self._is_read_only = is_read_only
        self._loop = loop
        self._threads = anyio.Semaphore(MAX_THREADS, fast_acquire=True)
        self._calls = {name: partial(self._on_a_thread, member) for name, member in self._members().items()}

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        """See Bridge."""
        return self._calls

    async def _on_a_thread(self, member: Callable[..., object], *arguments: object) -> object:
        async with self._threads:
            return await on_thread(self._loop, partial(member, *arguments))

    def _members(self) -> dict[str, Callable[..., object]]:
        return {
            "read": self._read,
            "readBytes": self._read_bytes,
            "write": self._write,
            "writeBytes": self._write_bytes,
            "list": self._list,
            "stat": self._stat,
            "root": self._show_root,
            "copy": self._copy,
            "move": self._move,
            "mkdir": self._make_folder,
            "remove": self._remove,
        }

    def close(self) -> None:
        """See Bridge."""
        self._lease.end()

    # ---- the members

    def _read(self, path: object) -> object:
        return self._read_bytes(path, member="read").decode("utf-8", "replace")

    def _read_bytes(self, path: object, *, member: str = "readBytes") -> bytes:
        return self._do(member, "open", self._files.read, path)

    def _write(self, path: object, content: object) -> None:
        if isinstance(content, str):
            content = _utf8(content)
        if not isinstance(content, bytes):
            raise BridgeError("workspace.write: content must be a string or bytes", name="TypeError")
        data = content
        self._change("write", "open", lambda at: self._files.write(at, data), path)

    def _write_bytes(self, path: object, data: object) -> None:
        if not isinstance(data, bytes):
            raise BridgeError(
                "workspace.writeBytes: data must be a Uint8Array or a list of bytes", name="TypeError"
            )
        self._change("writeBytes", "open", lambda at: self._files.write(at, data), path)

    def _list(self, path: object) -> object:
        return self._do("list", "scandir", self._files.names, path)

    def _stat(self, path: object) -> object:
        return _stat_object(self._do("stat", "lstat", self._files.look, path))

    def _show_root(self) -> object:
        return self._root

    def _copy(self, source: object, target: object) -> None:
        self._change("copy", "copyfile", self._files.copy, source, target)

    def _move(self, source: object, target: object) -> None:
        self._change("move", "rename", self._files.move, source, target)

    def _make_folder(self, path: object) -> None:
        self._change("mkdir", "mkdir", self._files.make_folder, path)

    def _remove(self, path: object) -> None:
        self._change("remove", "unlink", self._files.remove, path)

    # ---- what they share

    def _change(self, member: str, call: str, work: Callable[..., None], *paths: object) -> None:
        self._do(member, call, _refuse_to_change if self._is_read_only else work, *paths)

    def _do(self, member: str, call: str, work: Callable[..., _T], *paths: object) -> _T:
        """The work on these paths. What is refused is said with the program's own paths, never with one of ours."""
        where = f"workspace.{member}"
        at: list[Parts] = []
        try:
            at.extend(self._parse(path) for path in paths)
            return work(*at)
        except OutsideError as refusal:
            path = _shown(paths[max(refusal.index, 0 if len(at) == len(paths) else len(at))])
            raise BridgeError(f"workspace path resolves outside the workspace: {path}") from None
        except HardLinkError:
            raise BridgeError(
                f"workspace path resolves outside the workspace: {_shown(paths[0])} "
                "(it is a hard link, and the file's other name may lie outside)"
            ) from None
        except RefusedError as refusal:
            path = f": {_shown(paths[refusal.index])}" if len(at) == len(paths) else ""
            raise BridgeError(f"{where}: {refusal.message}{path}") from None
        except BudgetExceededError as refusal:
            raise BridgeError(f"{where}: {refusal}: {_shown(paths[-1])}", name="RangeError") from None
        except RunOverError:
            raise BridgeError(f"{where}: the run is over") from None
        except OSError as refusal:
            raise _system_error(refusal, call, paths) from None


def _refuse_to_change(*_: Parts) -> None:
    raise OSError(errno.EROFS, "")


class OverlayBridge(WorkspaceBridge):
    """The same, with what was written for the result."""

    def __init__(
        self,
        loop: Loop,
        overlay: Overlay,
        lease: Lease,
        root: str,
        parse: Callable[[object], Parts],
        *,
        folder: str,
    ) -> None:
        super().__init__(loop, overlay, lease, root, parse)
        self._overlay = overlay
        self._folder = folder

    def attach(self, result: RunResult) -> RunResult:
        """See Bridge."""
        return replace(result, changes=Changes(folder=self._folder, items=self._overlay.changes()))


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # a half of a surrogate pair becomes U+FFFD, as everywhere in JavaScript
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _stat_object(facts: Facts | None) -> dict[str, object]:
    """What `stat` says, with the same keys when nothing is there."""
    kind = facts.kind if facts is not None else None
    return {
        "exists": facts is not None,
        "size": facts.size if facts is not None else 0,
        "isDirectory": kind is Kind.FOLDER,
        "isFile": kind is Kind.FILE,
        "isSymlink": kind is Kind.LINK,
        "modifiedMs": facts.modified_ms if facts is not None else 0,
        "createdMs": facts.created_ms if facts is not None else 0,
        "accessedMs": facts.accessed_ms if facts is not None else 0,
    }


# In libuv's words, which programs know from Node; the system's own differ from one to the next.
_SYSTEM_WORDS: Final = {
    "EACCES": "permission denied",
    "EBUSY": "resource busy or locked",
    "EDQUOT": "disk quota exceeded",
    "EEXIST": "file already exists",
    "EFBIG": "file too large",
    "EINVAL": "invalid argument",
    "EIO": "i/o error",
    "EISDIR": "illegal operation on a directory",
    "ELOOP": "too many symbolic links encountered",
    "EMFILE": "too many open files",
    "ENAMETOOLONG": "name too long",
    "ENFILE": "file table overflow",
    "ENOENT": "no such file or directory",
    "ENOMEM": "not enough memory",
    "ENOSPC": "no space left on device",
    "ENOTDIR": "not a directory",
    "ENOTEMPTY": "directory not empty",
    "ENXIO": "no such device or address",
    "EPERM": "operation not permitted",
    "EROFS": "the workspace is read-only",
    "ETXTBSY": "text file is busy",
    "EXDEV": "cross-device link not permitted",
}


def _system_error(refusal: OSError, call: str, paths: tuple[object, ...]) -> BridgeError:
    """What the system said, as Node says it, with the paths as the program wrote them."""
    code = errno.errorcode.get(refusal.errno or 0, "EIO")
    words = _SYSTEM_WORDS.get(code) or os.strerror(refusal.errno or errno.EIO).lower()
    return BridgeError(f"{code}: {words}, {call} {_quoted(paths)}", details={"code": code, "syscall": call})


def _quoted(paths: tuple[object, ...]) -> str:
    return " -> ".join(f"'{_shown(path)}'" for path in paths)


def _shown(path: object) -> str:
    return shown(path) if isinstance(path, str) else "?"
