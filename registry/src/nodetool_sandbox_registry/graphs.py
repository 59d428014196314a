"""The files of one pack and what they import of each other.

A pack's JavaScript reaches its own declared files alone, by exact relative paths, without
cycles. Everything here happens on texts in memory: what was checked is what will run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from nodetool_sandbox_registry.digests import Digest, digest_facts
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import ModuleId, Specifier
from nodetool_sandbox_registry.texts import quoted

if TYPE_CHECKING:  # what reads binaries loads with the first pack that has one
    from nodetool_sandbox_registry.wasm_contract import WasmModule

_MAX_FAULTS_TOLD: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportScan:
    """What one JavaScript module asks for: its static imports and re-exports, and what is forbidden."""

    static: tuple[str, ...] = ()
    dynamic: bool = False
    require: bool = False
    error: str | None = None


ImportsOf = Callable[[str], ImportScan]
"""Reads the imports out of a JavaScript text, without running it. The runtime has one on a real parser."""


class FileKind(StrEnum):
    """What a file of a pack is: JavaScript of its own, or the facade of a host or WebAssembly module."""

    JS = "js"
    HOST = "host"
    WASM = "wasm"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFile:
    """One importable text of a pack, as it was read and hashed.

    `path` is where relative imports find it in the pack; a public host module is nowhere, and a
    WebAssembly module neither. A facade has `specifier`, the key of its calls, and `host_id` or `wasm`.
    `sha256` is of the text: a facade's is our own, so a binary has a digest beside it. `compiled` is
    what is known of the npm library that it was made from.
    """

    id: ModuleId
    path: str | None
    kind: FileKind
    source: str
    sha256: Digest
    internal: bool
    dependencies: tuple[ModuleId, ...] = ()
    host_id: HostId | None = None
    specifier: Specifier | None = None
    compiled: Digest | None = None
    wasm: WasmModule | None = None

    @property
    def byte_count(self) -> int:
        """How large the file is that the pack brings, or the text that is made for it."""
        return len(self.source.encode()) if self.wasm is None else len(self.wasm.binary)

    def digest(self) -> Digest:
        """What the file adds to the digests of the modules that reach it."""
        more = [self.compiled, self.wasm.digest if self.wasm else None]
        return digest_facts([self.id, self.kind, list(self.dependencies), self.sha256, *filter(None, more)])


class GraphError(ValueError):
    """Files that may not be linked together. The message tells several faults at once."""


def build_graph(
    files: Sequence[PackFile], *, imports_of: ImportsOf, unusable: Mapping[str, str]
) -> tuple[PackFile, ...]:
    """The files with their dependencies filled in, sorted by id.

    `unusable` says of further declared paths why nothing can import them.

    Raises:
        GraphError: a file does not parse, uses `import()` or `require()`, or imports something other
            than a declared JavaScript file of the pack; or the imports form a cycle.
    """
    places = {file.path: file.id for file in files if file.path is not None}
    faults: list[str] = []
    linked: list[PackFile] = []
    for file in files:
        scan = imports_of(file.source) if file.kind is FileKind.JS else ImportScan()
        faults.extend(f"{quoted(file.id)} {fault}" for fault in _scan_faults(scan))
        found: set[ModuleId] = set()
        for requested in scan.static:
            target = _resolve(file, requested, places, unusable)
            if isinstance(target, _Fault):
                faults.append(f"{quoted(file.id)} imports {quoted(requested)}, which {target.reason}")
            else:
                found.add(target)
        linked.append(replace(file, dependencies=tuple(sorted(found))))
    if faults:
        more = len(faults) - _MAX_FAULTS_TOLD
        told = "; ".join(faults[:_MAX_FAULTS_TOLD])
        message = f"{told}; and {more:,} more" if more > 0 else told
        raise GraphError(message)
    return tuple(sorted(linked, key=lambda file: file.id))


def build_reach(files: Sequence[PackFile]) -> Mapping[ModuleId, frozenset[ModuleId]]:
    """For each file, itself and everything that it imports, directly or not.

    Raises:
        GraphError: the imports form a cycle.
    """
    dependencies = {file.id: file.dependencies for file in files}
    reach: dict[ModuleId, frozenset[ModuleId]] = {}
    for file_id in _leaves_first(dependencies):
        reach[file_id] = frozenset({file_id}).union(*(reach[each] for each in dependencies[file_id]))
    return reach


def join_path(base: str, requested: str) -> tuple[str, bool]:
    """The path that a relative import names, seen from the file at `base`, and whether it left the pack.

    A `..` above the pack's folder is dropped, so what comes out is a path within it in any case.
    """
    parts = base.split("/")[:-1]
    escaped = False
    for part in requested.split("/"):
        if part == "..":
            escaped = escaped or not parts
            del parts[-1:]
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts), escaped


@dataclass(frozen=True, slots=True)
class _Fault:
    reason: str


def _scan_faults(scan: ImportScan) -> Iterator[str]:
    if scan.error is not None:
        yield f"is not a JavaScript module: {quoted(scan.error)}"
    if scan.dynamic:
        yield "uses import(), which the sandbox does not have; import statically"
    if scan.require:
        yield "calls require(), which the sandbox does not have; import statically"


def _resolve(
    file: PackFile, requested: str, places: Mapping[str, ModuleId], unusable: Mapping[str, str]
) -> ModuleId | _Fault:
    if file.path is None or not requested.startswith("."):
        return _Fault("is no file of the pack; a pack imports its own files alone, by relative path")
    path, escaped = join_path(file.path, requested)
    if escaped:
        return _Fault("leaves the pack")
    if path in unusable:
        return _Fault(unusable[path])
    return places.get(path) or _Fault("is not declared as a public or internal file")


def _leaves_first(dependencies: Mapping[ModuleId, tuple[ModuleId, ...]]) -> Iterator[ModuleId]:
    # With a stack of its own: a chain as long as a pack may have is deeper than Python's.
    done: set[ModuleId] = set()
    for start in dependencies:
        open_ids: dict[ModuleId, Iterator[ModuleId]] = {}
        if start not in done:
            open_ids[start] = iter(dependencies[start])
        while open_ids:
            current, waiting = next(reversed(open_ids.items()))
            following = next((each for each in waiting if each not in done), None)
            if following is None:
                del open_ids[current]
                done.add(current)
                yield current
            elif following in open_ids:
                chain = [*open_ids, following]
                told = " -> ".join(chain[chain.index(following) :])
                message = f"internal module cycle includes {quoted(told)}"
                raise GraphError(message)
            else:
                open_ids[following] = iter(dependencies[following])
