"""Which module an import names, decided for every import that the engine meets.

The engine serves a module that it already has without asking a loader, so the decision is made
where names are normalised. Only files that a declared module reaches are there at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from nodetool_sandbox_registry.digests import Digest
from nodetool_sandbox_registry.facades import HOST_BRIDGE, WASM_BRIDGE
from nodetool_sandbox_registry.graphs import FileKind, PackFile, join_path
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import PackName, Specifier, pack_of
from nodetool_sandbox_registry.pins import SandboxHostModuleError, require_pin
from nodetool_sandbox_registry.texts import quoted

if TYPE_CHECKING:  # what reads packs loads with the first run that declares one
    from nodetool_sandbox_registry.resolution import Resolution, ResolvedModule

HOST_BRIDGE_ID: Final = "nodetool-sandbox:host-bridge"
"""What a facade's import of its bridge is called inside the engine; the runtime supplies it."""

_PRIVATE: Final = {HOST_BRIDGE: (FileKind.HOST, "host facades"), WASM_BRIDGE: (FileKind.WASM, "WASM facades")}


class ImportDenied(Exception):
    """An import that the guest may not make. The message is for the guest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedFile:
    """A file of a pack under its name inside the engine."""

    pack: PackName
    file: PackFile


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleGraph:
    """All modules of one run, under the names that the engine knows them by.

    `host_modules` is what the dispatcher may serve: the key of each facade's calls, and its host id.
    `reached` lists all files that a declared module reaches, itself among them.
    """

    entries: Mapping[Specifier, str]
    files: Mapping[str, LinkedFile]
    places: Mapping[tuple[PackName, str], str]
    host_modules: Mapping[Specifier, HostId]
    reached: Mapping[str, tuple[str, ...]]

    @classmethod
    def build(cls, resolution: Resolution) -> Self:
        """The graph of everything that was resolved.

        Raises:
            SandboxHostModuleError: a host id is unknown, or is another distribution's, whatever the
                catalog says.
        """
        files: dict[str, LinkedFile] = {}
        places: dict[tuple[PackName, str], str] = {}
        host_modules: dict[Specifier, HostId] = {}
        for module in resolution.modules:
            for file in module.files:
                engine_id = _engine_id(module.pack, file)
                files[engine_id] = LinkedFile(pack=module.pack, file=file)
                if file.path is not None:
                    places[module.pack, file.path] = engine_id
                if file.host_id is not None and file.specifier is not None:
                    _require_own_host(module, file.specifier, file.host_id)
                    host_modules[file.specifier] = file.host_id
        entries = {
            module.specifier: f"nodetool-sandbox:{module.pack}|{module.module_id}"
            for module in resolution.modules
        }
        reached = {
            entries[module.specifier]: tuple(_engine_id(module.pack, file) for file in module.files)
            for module in resolution.modules
        }
        return cls(entries=entries, files=files, places=places, host_modules=host_modules, reached=reached)

    def contents(self, entries: Iterable[str]) -> tuple[tuple[str, Digest], ...]:
        """Every file that these entries reach and the digest of its text, sorted: what they load, exactly."""
        ids = {each for entry in entries for each in self.reached[entry]}
        return tuple(sorted((each, self.files[each].file.sha256) for each in ids))

    def normalize(self, base_id: str, requested: str) -> str:
        """The engine's name of what `base_id` imports as `requested`.

        Raises:
            ImportDenied: the bridge from anywhere but a facade, a relative path that is no file of
                the pack, or anything that was not declared for this run.
        """
        base = self.files.get(base_id)
        if requested in _PRIVATE:
            kind, facades = _PRIVATE[requested]
            if base is not None and base.file.kind is kind:
                return HOST_BRIDGE_ID
            message = f"{quoted(requested)} is private to the sandbox's generated {facades} "
            raise ImportDenied(message + "and cannot be imported")
        declared = self.entries.get(Specifier(requested))
        if declared is not None:
            return declared
        if base is not None and requested.startswith("."):
            return self._sibling(base, requested)
        message = f"{quoted(requested)} is not a sandbox package declared for this run; "
        raise ImportDenied(message + "add it to modules=[...] to import it")

    def source(self, engine_id: str) -> str:
        """The text of a module that `normalize` named, other than the bridge.

        Raises:
            KeyError: `normalize` never gave this name.
        """
        return self.files[engine_id].file.source

    def _sibling(self, base: LinkedFile, requested: str) -> str:
        if base.file.path is not None:
            target, _ = join_path(base.file.path, requested)
            for path in (target, f"{target}.js", f"{target}/index.js"):
                found = self.places.get((base.pack, path))
                if found is not None:
                    return found
        message = f"{quoted(requested)} is not a file of the {base.pack} sandbox package"
        raise ImportDenied(message)


def dynamic_import_denied(requested: str) -> ImportDenied:
    """The refusal of every `import()`, whatever it asks for."""
    message = f"dynamic import() is not allowed in the sandbox (requested {quoted(requested)})"
    return ImportDenied(message)


def _engine_id(pack: PackName, file: PackFile) -> str:
    return f"nodetool-sandbox:{pack}|{file.id}"


def _require_own_host(module: ResolvedModule, specifier: Specifier, host_id: HostId) -> None:
    pin = require_pin(host_id, module.distribution)
    # By the specifier and not by what the pack is called: the specifier is what the guest's calls carry.
    if pack_of(specifier) != pin.pack:
        message = f'host module "{host_id}" belongs to {pin.pack} and cannot be declared by {specifier}'
        raise SandboxHostModuleError(message)
