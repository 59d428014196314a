"""Writes that stay in memory: reads see them, the folder stays as it was.

What was written is a tree of nodes above the folder's own. A path goes first through the nodes; where there is
none, what the folder has is seen through them.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Never

from nodetool_sandbox.files.beneath import MAX_LINKS
from nodetool_sandbox.files.budget import Budget
from nodetool_sandbox.files.changes import Change, ChangeKind, Mark
from nodetool_sandbox.files.folder import Folder
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.paths import Parts
from nodetool_sandbox.files.refusals import EntryRefusedError, OutsideError, RunOverError, at_second_path
from nodetool_sandbox.files.tree import Facts, Kind


@dataclass(frozen=True, slots=True)
class _Gone:
    """What the folder has here is taken away: the entry, and what was in it, by their paths."""

    entries: tuple[tuple[Parts, Facts], ...]


@dataclass(slots=True)
class _File:
    """A file of ours; `over` is what it hides."""

    data: bytes
    written_ms: float
    over: _Gone | None = None


@dataclass(slots=True)
class _Within:
    """A folder of the folder's own, in which something is changed."""

    entries: dict[str, _Node] = field(default_factory=dict)


@dataclass(slots=True)
class _NewFolder:
    """A folder of ours: nothing is seen through it. `over` is what it hides."""

    made_ms: float
    over: _Gone | None = None
    entries: dict[str, _Node] = field(default_factory=dict)


_Node = _Gone | _File | _Within | _NewFolder
_Step = tuple[Parts, _Node | None]
"""A place and what stands there from now on; None where nothing of ours does."""


class Overlay:
    """See Files. Calls are done one at a time.

    Args:
        below: the real folder, which is only read.
        lease: of the same run.
        budget: what it has left; what is held in memory counts as kept.
    """

    def __init__(self, below: Folder, lease: Lease, budget: Budget) -> None:
        self._below = below
        self._lease = lease
        self._budget = budget
        self._lock = threading.Lock()
        self._top = _Within()

    def read(self, at: Parts) -> bytes:
        """See Files."""
        with self._lock:
            return self._bytes(self._resolve(at))

    def write(self, at: Parts, data: bytes) -> None:
        """See Files."""
        self._budget.check_file(len(data))
        self._budget.move(len(data))
        with self._lock:
            self._put_file(self._resolve(at, may_miss=True), data)

    def names(self, at: Parts) -> list[str]:
        """See Files."""
        with self._lock:
            place = self._resolve(at)
            if self._require(place).kind is not Kind.FOLDER:
                _fail(errno.ENOTDIR)
            return self._names(place)

    def look(self, at: Parts) -> Facts | None:
        """See Files."""
        with self._lock:
            try:
                return self._facts(self._resolve(at, follow=False))
            except OSError as refusal:
                if refusal.errno in {errno.ENOENT, errno.ENOTDIR}:
                    return None
                raise

    def copy(self, source: Parts, target: Parts) -> None:
        """See Files."""
        with self._lock:
            data = self._bytes(self._resolve(source))
            self._budget.move(len(data))
            with at_second_path():
                self._put_file(self._resolve(target, may_miss=True), data)

    def move(self, source: Parts, target: Parts) -> None:
        """See Files."""
        if not source or not target:
            raise EntryRefusedError("the workspace itself is not moved and not replaced")
        with self._lock:
            there = self._resolve(source, follow=False)
            facts = self._require(there)
            if facts.kind is Kind.LINK:
                raise EntryRefusedError("a link is not moved: it would lead elsewhere")
            with at_second_path():
                place = self._resolve(target, follow=False, may_miss=True)
            if place == there:
                return
            if place[: len(there)] == there:
                _fail(errno.EINVAL)
            if there[: len(place)] == place:
                _fail(errno.ENOTEMPTY)
            self._require_replaceable(place, is_folder=facts.kind is Kind.FOLDER)
            lifted = self._lifted(there)
            lifted.over = self._hidden(place)
            steps = [*self._missing_folders(place[:-1]), (there, self._hidden(there)), (place, lifted)]
            self._commit(steps, kept=_held(lifted) - _held(self._node(there)) - _held(self._node(place)))

    def make_folder(self, at: Parts) -> None:
        """See Files."""
        with self._lock:
            self._commit(self._missing_folders(self._resolve(at, may_miss=True)))

    def remove(self, at: Parts) -> None:
        """See Files."""
        if not at:
            raise EntryRefusedError("the workspace itself is not removed")
        with self._lock:
            place = self._resolve(at, follow=False)
            if self._require(place).kind is Kind.FOLDER and self._names(place):
                _fail(errno.ENOTEMPTY)
            self._commit([(place, self._hidden(place))], kept=-_held(self._node(place)))

    def changes(self) -> tuple[Change, ...]:
        """What is different from the folder as it was: removals first, then folders from the top, then files."""
        found = list(_changes(self._top, ()))
        removed = [each for each in found if each.kind is ChangeKind.REMOVED]
        rest = [each for each in found if each.kind is not ChangeKind.REMOVED]
        removed.sort(key=lambda change: (-change.path.count("/"), change.path))
        rest.sort(key=lambda change: (not change.is_folder, change.path.split("/")))
        return (*removed, *rest)

    # ---- what is there

    def _resolve(self, at: Parts, *, follow: bool = True, may_miss: bool = False) -> Parts:
        """The place of a path without links in it. With `may_miss`, folders that lead to it may be missing."""
        place: list[str] = []
        left = list(at[::-1])
        links = 0
        while left:
            name = left.pop()
            if name in {"", "."}:
                continue
            if name == "..":
                if not place:
                    raise OutsideError
                place.pop()
                continue
            here = (*place, name)
            facts = self._facts(here)
            if facts is not None and facts.kind is Kind.LINK and (left or follow):
                links += 1
                if links > MAX_LINKS:
                    _fail(errno.ELOOP)
                text = self._below.link_text(here)
                if text.startswith("/"):
                    raise OutsideError
                left += text.split("/")[::-1]
                continue
            if left and facts is None and not may_miss:
                _fail(errno.ENOENT)
            if left and facts is not None and facts.kind is not Kind.FOLDER:
                _fail(errno.ENOTDIR)
            place.append(name)
        return tuple(place)

    def _find(self, place: Parts) -> tuple[_Node | None, bool]:
        """The node of a place, and whether the folder's own entry there is seen."""
        node: _Node | None = self._top
        for name in place:
            if node is None:
                return None, True
            if isinstance(node, _Gone | _File):
                return None, False
            is_ours = isinstance(node, _NewFolder)
            node = node.entries.get(name)
            if node is None and is_ours:
                return None, False
        return node, node is None or isinstance(node, _Within)

    def _node(self, place: Parts) -> _Node | None:
        return self._find(place)[0]

    def _facts(self, place: Parts) -> Facts | None:
        node, is_seen = self._find(place)
        if isinstance(node, _File):
            return _facts_of(Kind.FILE, len(node.data), node.written_ms)
        if isinstance(node, _NewFolder):
            return _facts_of(Kind.FOLDER, 0, node.made_ms)
        return self._below.look(place) if is_seen else None

    def _require(self, place: Parts) -> Facts:
        facts = self._facts(place)
        if facts is None:
            _fail(errno.ENOENT)
        return facts

    def _bytes(self, place: Parts) -> bytes:
        node, is_seen = self._find(place)
        if isinstance(node, _File):
            self._budget.move(len(node.data))
            return node.data
        if is_seen:
            return self._below.read(place)
        return _fail(errno.EISDIR if isinstance(node, _NewFolder) else errno.ENOENT)

    def _names(self, place: Parts) -> list[str]:
        node, is_seen = self._find(place)
        names = dict.fromkeys(self._below.names(place) if is_seen else ())
        if isinstance(node, _Within | _NewFolder):
            for name, entry in node.entries.items():
                if isinstance(entry, _Gone):
                    names.pop(name, None)
                else:
                    names[name] = None
        return list(names)

    # ---- changing it

    def _put_file(self, place: Parts, data: bytes) -> None:
        facts = self._facts(place)
        if facts is not None and facts.kind is Kind.FOLDER:
            _fail(errno.EISDIR)
        if facts is not None and facts.kind is not Kind.FILE:
            raise EntryRefusedError("it is a FIFO, a socket or a device, and only files and folders are used")
        if facts is None:
            self._budget.make()
        file = _File(data, _now_ms(), over=self._hidden(place))
        steps = [*self._missing_folders(place[:-1]), (place, file)]
        self._commit(steps, kept=len(data) - _held(self._node(place)))

    def _missing_folders(self, place: Parts) -> list[_Step]:
        """What makes the folders that lead to a place, and the place itself one."""
        steps: list[_Step] = []
        for depth in range(1, len(place) + 1):
            here = place[:depth]
            facts = self._facts(here)
            if facts is None:
                self._budget.make()
                steps.append((here, _NewFolder(_now_ms(), over=self._hidden(here))))
            elif facts.kind is not Kind.FOLDER:
                _fail(errno.EEXIST if depth == len(place) else errno.ENOTDIR)
        return steps

    def _commit(self, steps: list[_Step], *, kept: int = 0) -> None:
        """Make the changes, all of them before the run's end or none. `kept` are the bytes that memory holds more."""
        self._budget.keep(kept)
        try:
            with self._lease.changing():
                for place, node in steps:
                    entries = self._entries(place[:-1])
                    if node is not None:
                        entries[place[-1]] = node
                    else:
                        entries.pop(place[-1], None)
        except RunOverError:
            self._budget.keep(-kept)
            raise

    def _hidden(self, place: Parts) -> _Gone | None:
        """What of the folder's own is not seen any more when something of ours stands here."""
        node, is_seen = self._find(place)
        if isinstance(node, _Gone):
            return node
        if isinstance(node, _File | _NewFolder):
            return node.over
        below = tuple(self._below_entries(place)) if is_seen else ()
        return _Gone(below) if below else None

    def _below_entries(self, place: Parts) -> Iterator[tuple[Parts, Facts]]:
        facts = self._below.look(place)
        if facts is None:
            return
        yield place, facts
        if facts.kind is Kind.FOLDER:
            for name in self._below.names(place):
                yield from self._below_entries((*place, name))

    def _entries(self, place: Parts) -> dict[str, _Node]:
        """The nodes in a folder that is there; the folder's own become ones with changes in them."""
        within: _Within | _NewFolder = self._top
        for name in place:
            node = within.entries.setdefault(name, _Within())
            assert isinstance(node, _Within | _NewFolder)  # noqa: S101 - the place was looked at
            within = node
        return within.entries

    def _require_replaceable(self, place: Parts, *, is_folder: bool) -> None:
        facts = self._facts(place)
        if facts is None:
            return
        if facts.kind is Kind.FOLDER:
            if not is_folder:
                _fail(errno.EISDIR)
            if self._names(place):
                _fail(errno.ENOTEMPTY)
        elif is_folder:
            _fail(errno.ENOTDIR)

    def _lifted(self, place: Parts) -> _File | _NewFolder:
        """All that is seen at a place, as nodes of their own."""
        facts = self._require(place)
        if facts.kind is Kind.FILE:
            return _File(self._bytes(place), facts.modified_ms)
        if facts.kind is not Kind.FOLDER:
            raise EntryRefusedError(
                "it holds a link, a FIFO, a socket or a device, which an overlay cannot move"
            )
        folder = _NewFolder(facts.modified_ms)
        for name in self._names(place):
            self._lease.check()
            self._budget.make()
            folder.entries[name] = self._lifted((*place, name))
        return folder


def _changes(within: _Within | _NewFolder, place: Parts) -> Iterator[Change]:
    for name, node in within.entries.items():
        here = (*place, name)
        if isinstance(node, _Gone):
            yield from _removals(node)
        elif isinstance(node, _Within):
            yield from _changes(node, here)
        elif isinstance(node, _NewFolder):
            if node.over is not None:
                yield from _removals(node.over)
            yield Change(path="/".join(here), kind=ChangeKind.ADDED, is_folder=True)
            yield from _changes(node, here)
        else:
            yield from _file_changes(node, here)


def _file_changes(node: _File, place: Parts) -> Iterator[Change]:
    path = "/".join(place)
    before = node.over.entries[0][1] if node.over is not None else None
    if before is not None and before.kind is Kind.FILE:
        yield Change(path=path, kind=ChangeKind.CHANGED, content=node.data, before=Mark.of(before))
        return
    if node.over is not None:
        yield from _removals(node.over)
    yield Change(path=path, kind=ChangeKind.ADDED, content=node.data)


def _removals(gone: _Gone) -> Iterator[Change]:
    for place, facts in gone.entries:
        yield Change(
            path="/".join(place),
            kind=ChangeKind.REMOVED,
            is_folder=facts.kind is Kind.FOLDER,
            before=Mark.of(facts),
        )


def _held(node: _Node | None) -> int:
    """Bytes in memory below a node."""
    if isinstance(node, _File):
        return len(node.data)
    if isinstance(node, _Within | _NewFolder):
        return sum(map(_held, node.entries.values()))
    return 0


def _facts_of(kind: Kind, size: int, when_ms: float) -> Facts:
    return Facts(kind=kind, size=size, modified_ms=when_ms, created_ms=when_ms, accessed_ms=when_ms)


def _now_ms() -> float:
    return time.time() * 1000


def _fail(code: int) -> Never:
    raise OSError(code, os.strerror(code))
