"""What the tests of files share: the three ways to keep them, over one folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nodetool_sandbox.files.beneath import KernelBeneath, Opener, WalkBeneath
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.folder import Folder
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.overlay import Overlay
from nodetool_sandbox.files.paths import Parts, parse_path
from nodetool_sandbox.files.tree import Files

WIDE = 2**40


def budget(
    *, file_bytes: int = WIDE, run_bytes: int = WIDE, entries: int = WIDE, quota_bytes: int = WIDE
) -> Budget:
    """What a run has left; plenty where nothing is said."""
    return Budget(file_bytes=file_bytes, run_bytes=run_bytes, entries=entries, quota_bytes=quota_bytes)


def folder(root: Path, opener: Opener, spent: Budget | None = None, lease: Lease | None = None) -> Folder:
    """A real folder."""
    return Folder(lease or Lease(str(root), lambda: False), opener, spent or budget())


def kernel(root: Path, spent: Budget | None = None, lease: Lease | None = None) -> Files:
    """By openat2."""
    return folder(root, KernelBeneath(), spent, lease)


def walk(root: Path, spent: Budget | None = None, lease: Lease | None = None) -> Files:
    """By a walk."""
    return folder(root, WalkBeneath(), spent, lease)


def overlay(root: Path, spent: Budget | None = None, lease: Lease | None = None) -> Overlay:
    """In memory."""
    lease = lease or Lease(str(root), lambda: False)
    spent = spent or budget()
    return Overlay(folder(root, KernelBeneath(), spent, lease), lease, spent)


Make = Callable[..., Files]
WAYS: tuple[Make, ...] = (kernel, walk, overlay)


def at(path: str) -> Parts:
    """The place of a path."""
    return parse_path(path, shown_root=())


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
