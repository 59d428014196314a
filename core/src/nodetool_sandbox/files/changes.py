"""What a run did in an overlay: to look at, to apply, or to drop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self, overload

from nodetool_sandbox.errors import SandboxError
from nodetool_sandbox.files.beneath import best_beneath
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.folder import Folder
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.paths import Parts, parse_path
from nodetool_sandbox.files.refusals import RefusedError
from nodetool_sandbox.files.tree import Facts, Kind

_NO_END: Final = 2**63


class ChangeKind(StrEnum):
    """What became of an entry."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Mark:
    """What an entry of the folder was like when the run first touched it."""

    kind: Kind
    size: int
    modified_ms: float

    @classmethod
    def of(cls, facts: Facts) -> Self:
        """The mark of what was seen. Of a folder nothing but that it is one: its times change with its entries."""
        if facts.kind is Kind.FOLDER:
            return cls(kind=facts.kind, size=0, modified_ms=0.0)
        return cls(kind=facts.kind, size=facts.size, modified_ms=facts.modified_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry that is different: `path` from the folder, with `/` between its parts."""

    path: str
    kind: ChangeKind
    is_folder: bool = False
    content: bytes | None = field(default=None, repr=False)
    """The whole file as the run left it; None for folders and for what was removed."""
    before: Mark | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """Bytes of the new content."""
        return len(self.content or b"")


class ChangesConflict(SandboxError, ValueError):
    """The folder is no longer as the run saw it; nothing was applied. `paths` are all that differ."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        super().__init__(
            f"{len(self.paths)} of the changed paths are no longer as the run saw them: "
            f"{', '.join(map(repr, self.paths[:10]))}; look at them, then apply(force=True) or run again"
        )


@dataclass(frozen=True, slots=True)
class Changes(Sequence[Change]):
    """The changes of one run, in the order in which they can be made. Not applying them is dropping them."""

    folder: str
    """Where `apply` makes them."""
    items: tuple[Change, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Change]: ...
    def __getitem__(self, index: int | slice) -> Change | Sequence[Change]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.items)

    def apply(self, *, force: bool = False) -> None:
        """Make the changes in the folder, each beneath a handle on it, as a run would have made them.

        Each file is replaced whole or not at all; the changes together are no transaction. It blocks.

        Args:
            force: apply them to a folder that is not as the run saw it, too.

        Raises:
            ChangesConflict: something in the folder has changed since; nothing was applied.
            OSError: the system refused one; those before it were applied.
            SandboxError: a path leads outside by now, or something stands there that is no file.
        """
        lease = Lease(self.folder, lambda: False)
        budget = Budget(file_bytes=_NO_END, run_bytes=_NO_END, entries=_NO_END, quota_bytes=_NO_END)
        folder = Folder(lease, best_beneath(), budget)
        try:
            if not force:
                self._require_unchanged(folder)
            for change in self.items:
                _apply(folder, change)
        finally:
            lease.end()

    def _require_unchanged(self, folder: Folder) -> None:
        removed = {each.path for each in self.items if each.kind is ChangeKind.REMOVED}
        conflicts = [each.path for each in self.items if not _is_as_before(folder, each, removed)]
        if conflicts:
            raise ChangesConflict(conflicts)


def _is_as_before(folder: Folder, change: Change, removed: set[str]) -> bool:
    """Whether what the change meets is what the run met; what it removes itself by then is as it should be."""
    try:
        at = _parts(change)
        steps = ("/".join(at[:depth]) for depth in range(1, len(at) + 1))
        if change.kind is ChangeKind.ADDED and not removed.isdisjoint(steps):
            return True
        facts = folder.look(at)
    except (OSError, RefusedError):
        return False
    if facts is None:
        return change.kind is not ChangeKind.CHANGED
    is_there_already = change.is_folder and change.kind is ChangeKind.ADDED and facts.kind is Kind.FOLDER
    return is_there_already or Mark.of(facts) == change.before


def _apply(folder: Folder, change: Change) -> None:
    try:
        at = _parts(change)
        if change.kind is ChangeKind.REMOVED:
            if folder.look(at) is not None:
                folder.remove(at)
        elif change.is_folder:
            folder.make_folder(at)
        else:
            folder.write(at, change.content or b"")
    except RefusedError as refusal:
        raise SandboxError(
            f"{change.path!r} cannot be applied: {refusal.message or 'it lies outside'}"
        ) from None


def _parts(change: Change) -> Parts:
    return parse_path(change.path, shown_root=())
