"""The installed packs, found and read without importing any of them."""

# ruff: noqa: PTH112, PTH118
# The roots stay text, as sys.path has them.
from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.codes import Code, Diagnostic
from nodetool_sandbox_registry.files import PackFileError, PackFolder
from nodetool_sandbox_registry.graphs import ImportsOf
from nodetool_sandbox_registry.installed import (
    InstalledEntry,
    MetadataError,
    absolute_path,
    installed_entries,
)
from nodetool_sandbox_registry.integrity import is_intact
from nodetool_sandbox_registry.names import DistName, InvalidNameError, parse_dist_name
from nodetool_sandbox_registry.packs import DiscoveredPack, SandboxPackDiscoveryError, read_pack
from nodetool_sandbox_registry.pins import (
    COMMAND_GROUP,
    COMPILER_DISTRIBUTION,
    HOST_TABLE_DISTRIBUTION,
    HOST_TABLE_GROUP,
    PACK_GROUP,
)
from nodetool_sandbox_registry.resolution import Catalog
from nodetool_sandbox_registry.snapshots import Snapshot
from nodetool_sandbox_registry.texts import quoted

_MAX_PTH_BYTES: Final = 64 * 1024
_PLAIN_PTH: Final = (
    "use a build backend that writes a plain .pth file (hatchling does), or install it without -e"
)

_PACKAGE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*):([A-Za-z_][A-Za-z0-9_]*)")


class DiscoveryCache:
    """Keeps the last catalog of each path, as long as nothing that was read for it has changed.

    A catalog that is younger than the time stamps of file systems can tell is not kept.
    """

    def __init__(self, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._now_ns = now_ns
        self._kept: dict[Hashable, tuple[Snapshot, Catalog]] = {}

    def find(self, key: Hashable) -> Catalog | None:
        """The catalog that is kept under this key and still true, or None."""
        snapshot, catalog = self._kept.get(key, (None, None))
        return catalog if snapshot is not None and snapshot.holds() else None

    def keep(self, key: Hashable, snapshot: Snapshot, catalog: Catalog) -> None:
        """Keep a catalog that was read as the snapshot says."""
        if snapshot.is_settled(self._now_ns()):
            self._kept[key] = (snapshot, catalog)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTableEntry:
    """Where the pinned distribution keeps the host table: an attribute of a module of its own."""

    version: str
    module: str
    attribute: str


def discover(
    path: Sequence[str] | None = None, *, imports_of: ImportsOf, cache: DiscoveryCache | None = None
) -> Catalog:
    """The catalog of all packs installed on `path` (`sys.path` by default), read into memory.

    It never raises for a pack and never runs one: what cannot be used is a diagnostic of the catalog,
    `discovery-failed` or `duplicate-pack`, and the other packs are there. The outcome does not depend
    on the order of the path. Folders that do not exist hold nothing.
    """
    roots = absolute_path(path)
    key = (roots, imports_of)
    kept = cache.find(key) if cache is not None else None
    if kept is not None:
        return kept
    seen = Snapshot()
    found = list(installed_entries(roots, PACK_GROUP, seen=seen))
    entries = [each for each in found if isinstance(each, InstalledEntry)]
    names = {entry.distribution for entry in entries}
    refused = [each for each in found if isinstance(each, MetadataError)]
    told = [
        _failed(each.name, str(each))
        for each in refused
        if not (each.leftover and _shown_name(each.name) in names)
    ]
    single, doubled = _split_duplicates(entries, seen)
    packs: list[DiscoveredPack] = []
    for entry in single:
        try:
            packs.append(_read(entry, roots, seen, imports_of))
        except SandboxPackDiscoveryError as error:
            told.append(_failed(error.pack, error.message))
    told.extend(doubled)
    catalog = Catalog(packs, sorted(told, key=lambda each: (each.pack or "", each.message)))
    if cache is not None:
        cache.keep(key, seen, catalog)
    return catalog


def find_host_table(path: Sequence[str] | None = None) -> HostTableEntry | None:
    """Where the host table is, or None when the pinned distribution is not installed.

    Entries of any other distribution are passed over. Of two installed ones the first on the path
    stands, as for an import.
    """
    for version, module, attribute in _pinned(path, HOST_TABLE_GROUP, HOST_TABLE_DISTRIBUTION):
        return HostTableEntry(version=version, module=module, attribute=attribute)
    return None


def find_compile_command(path: Sequence[str] | None = None) -> tuple[str, str] | None:
    """The module and attribute of the command that compiles packs, or None; chosen as the host table is."""
    for _, module, attribute in _pinned(path, COMMAND_GROUP, COMPILER_DISTRIBUTION):
        return module, attribute
    return None


def _pinned(path: Sequence[str] | None, group: str, distribution: DistName) -> Iterator[tuple[str, str, str]]:
    """Version, module and attribute of each usable entry that the pinned distribution has in the group."""
    for found in installed_entries(absolute_path(path), group, seen=Snapshot()):
        if isinstance(found, MetadataError) or found.distribution != distribution:
            continue
        target = _TARGET.fullmatch(found.value)
        if target is not None:
            yield found.version, target[1], target[2]


def _shown_name(name: str) -> str:
    """A name as diagnostics carry it: normalised where it is one, visible in any case."""
    try:
        return parse_dist_name(name)
    except InvalidNameError:
        return quoted(name)[1:-1]


def _failed(name: str, message: str) -> Diagnostic:
    shown = _shown_name(name)
    return Diagnostic(code=Code.DISCOVERY_FAILED, message=f"Pack {shown}: {message}", pack=shown)


def _split_duplicates(
    entries: Iterable[InstalledEntry], seen: Snapshot
) -> tuple[list[InstalledEntry], list[Diagnostic]]:
    """The distributions that are there once, sorted by name, and a diagnostic for each of the others."""
    by_name: dict[str, list[InstalledEntry]] = {}
    for entry in entries:
        by_name.setdefault(entry.distribution, []).append(entry)
    single: list[InstalledEntry] = []
    told: list[Diagnostic] = []
    for name, owners in sorted(by_name.items()):
        if len(owners) == 1:
            single += owners
            continue
        # One real folder that is on the path twice, as lib and lib64 are, is one install.
        places = {os.path.realpath(entry.info): entry for entry in reversed(owners)}
        if len(places) == 1:
            single += places.values()
            continue
        versions = ", ".join(sorted(entry.version for entry in places.values()))
        message = f"Pack {name} is installed {len(places)} times ({versions}); uninstall all but one"
        told.append(_duplicate(name, message, places))
    return _split_shared(single, told, seen)


def _split_shared(
    entries: Iterable[InstalledEntry], told: list[Diagnostic], seen: Snapshot
) -> tuple[list[InstalledEntry], list[Diagnostic]]:
    """Drop distributions that name one and the same folder: its content cannot be both packs.

    The one after which the folder is named stands, where the folder is as its own RECORD says.
    """
    by_folder: dict[tuple[str, str], list[InstalledEntry]] = {}
    entries = list(entries)
    real_roots = {root: os.path.realpath(root) for root in {entry.root for entry in entries}}
    for entry in entries:
        by_folder.setdefault((real_roots[entry.root], entry.value), []).append(entry)
    single: list[InstalledEntry] = []
    for (_, value), owners in by_folder.items():
        if len(owners) == 1:
            single += owners
            continue
        named = [each for each in owners if _shown_name(value) == each.distribution]
        if named and is_intact(named[0], seen):
            single += named
            told.extend(
                _failed(
                    each.distribution,
                    f"its entry point names the package {quoted(value)}, which belongs to {named[0].distribution}",
                )
                for each in owners
                if each is not named[0]
            )
            continue
        names = " and ".join(sorted(owner.distribution for owner in owners))
        message = (
            f"Packs {names} both name the package {quoted(value)}; uninstall one and reinstall the other"
        )
        told.extend(_duplicate(owner.distribution, message, [owner.info]) for owner in owners)
    return single, told


def _duplicate(name: str, message: str, places: Iterable[str]) -> Diagnostic:
    return Diagnostic(code=Code.DUPLICATE_PACK, message=message, pack=name, places=tuple(sorted(places)))


def _read(
    entry: InstalledEntry, roots: Sequence[str], seen: Snapshot, imports_of: ImportsOf
) -> DiscoveredPack:
    name = entry.distribution
    # Never a dotted name or an attribute: to find either, Python would import the parent.
    if _PACKAGE.fullmatch(entry.value) is None:
        message = f"its entry point must name one top-level package, not {quoted(entry.value)}"
        raise SandboxPackDiscoveryError(message, pack=name)
    for file in entry.startup_files():
        if _runs_code(os.path.join(entry.root, file), seen):
            remedy = "uninstall it" if entry.editable is None else _PLAIN_PTH
            message = (
                f"it brings {quoted(file)}, by which Python runs code of it whenever it starts; {remedy}"
            )
            raise SandboxPackDiscoveryError(message, pack=name)
    root = _find_root(entry, roots, seen)
    try:
        with PackFolder(root, entry.value, seen=seen) as folder:
            return read_pack(folder, distribution=name, version=entry.version, imports_of=imports_of)
    except PackFileError as error:
        raise SandboxPackDiscoveryError(str(error), pack=name) from None


def _runs_code(path: str, seen: Snapshot) -> bool:
    """Whether a `.pth` file is more than a list of folders, as that of an editable install is."""
    found = seen.note(path)
    if found is None:
        return False
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MAX_PTH_BYTES:
        return True
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError:
        return True
    return any(line.startswith((b"import ", b"import\t")) for line in lines)


def _find_root(entry: InstalledEntry, roots: Sequence[str], seen: Snapshot) -> str:
    """The folder of the path that holds the package: beside the metadata, or where the project is."""
    if entry.editable is None:
        if not entry.lists(entry.value):
            message = (
                f"the package {quoted(entry.value)} is not in RECORD: it belongs to another distribution"
            )
            raise SandboxPackDiscoveryError(message, pack=entry.distribution)
        return entry.root
    project = os.path.realpath(entry.editable)
    for root in roots:
        seen.note(os.path.join(root, entry.value))
        if os.path.isdir(os.path.join(root, entry.value)) and _is_within(os.path.realpath(root), project):
            return root
    message = (
        f"it is an editable install, and its package {quoted(entry.value)} is in no folder of the path; "
        f"{_PLAIN_PTH}"
    )
    raise SandboxPackDiscoveryError(message, pack=entry.distribution)


def _is_within(folder: str, project: str) -> bool:
    return folder == project or folder.startswith(project.rstrip(os.sep) + os.sep)
