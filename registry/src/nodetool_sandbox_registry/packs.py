"""One pack: from an open folder to a value that holds all that a run may need of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Final

from nodetool_sandbox_registry.codes import Code, Diagnostic
from nodetool_sandbox_registry.compiled import (
    MAX_RECORD_BYTES,
    CompiledRecord,
    RecordError,
    record_place,
)
from nodetool_sandbox_registry.digests import Digest, digest_bytes, digest_facts
from nodetool_sandbox_registry.facades import (
    HOST_FACADE_VERSION,
    WASM_FACADE_VERSION,
    build_host_facade,
    build_wasm_facade,
)
from nodetool_sandbox_registry.fields import MAX_MANIFEST_BYTES, ManifestError
from nodetool_sandbox_registry.files import PackFileError, PackFileMissingError, PackFolder
from nodetool_sandbox_registry.graphs import (
    FileKind,
    GraphError,
    ImportsOf,
    PackFile,
    build_graph,
    build_reach,
)
from nodetool_sandbox_registry.manifest import (
    Entry,
    HostEntry,
    JsEntry,
    NpmEntry,
    PackManifest,
    WasmEntry,
)
from nodetool_sandbox_registry.names import DistName, ModuleId, PackName, Specifier, build_specifier
from nodetool_sandbox_registry.pins import SandboxHostModuleError, pack_name, require_pin
from nodetool_sandbox_registry.skill import MAX_SKILL_BYTES, Skill, SkillError
from nodetool_sandbox_registry.texts import quoted
from nodetool_sandbox_registry.wasm_contract import MAX_WASM_BYTES, WasmContractError, check_wasm

MAX_JS_BYTES: Final = 256 * 1024
"""One JavaScript file that somebody wrote."""

MAX_BUNDLE_BYTES: Final = 1024 * 1024
"""One file that was compiled from an npm library."""

MAX_TYPES_BYTES: Final = 32 * 1024
"""index.d.ts."""

MAX_WARNINGS_TOLD: Final = 20
"""What the compiler warned of, told of one module."""

MAX_SUMMARY_CHARS: Final = 160
"""The description of a module in one line."""


class SandboxPackDiscoveryError(ValueError):
    """A pack that breaks the contract: which pack, and what is wrong with it."""

    def __init__(self, message: str, *, pack: str) -> None:
        super().__init__(f"{pack}: {message}")
        self.message = message
        self.pack = pack


class _NotCompiledError(Exception):
    """Why an npm module has no compiled file that could be used."""


class ModuleKind(StrEnum):
    """Where a module runs."""

    JS = "js"
    HOST = "host"
    WASM = "wasm"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredModule:
    """One public module of a pack. `files` are the ids that it reaches, itself among them, sorted.

    `unavailable` says why it cannot run, where it cannot.
    """

    specifier: Specifier
    kind: ModuleKind
    module_id: ModuleId
    digest: Digest
    description: str
    files: tuple[ModuleId, ...]
    unavailable: Diagnostic | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredPack:
    """A pack as it was read: its modules, its files in memory, and what there is to tell about it."""

    distribution: DistName
    version: str
    name: PackName
    digest: Digest
    modules: tuple[DiscoveredModule, ...]
    files: tuple[PackFile, ...]
    statuses: tuple[Diagnostic, ...]
    skill: Skill | None
    types: str | None


def read_pack(
    folder: PackFolder, *, distribution: DistName, version: str, imports_of: ImportsOf
) -> DiscoveredPack:
    """The pack in this folder. Nothing of it is executed or imported.

    Raises:
        SandboxPackDiscoveryError: the manifest, a declared file, a host id or the imports break the
            contract. A missing or unusable SKILL.md or index.d.ts is a status of the pack instead.
    """
    try:
        return _Reading(folder, distribution, version).finish(imports_of)
    except ManifestError as error:
        message = f"pack.toml: {error}"
        raise SandboxPackDiscoveryError(message, pack=distribution) from None
    except (PackFileError, SandboxHostModuleError, GraphError, WasmContractError) as error:
        raise SandboxPackDiscoveryError(str(error), pack=distribution) from None


class _Reading:
    """The steps of `read_pack`, and what they pass on."""

    def __init__(self, folder: PackFolder, distribution: DistName, version: str) -> None:
        self._folder = folder
        self._distribution = distribution
        self._version = version
        self._name = pack_name(distribution)
        self._statuses: list[Diagnostic] = []
        self._blocked: dict[ModuleId, Diagnostic] = {}
        self._declarations: dict[str, dict[str, object]] = {}
        self._digests: dict[ModuleId, Digest] = {}

    def finish(self, imports_of: ImportsOf) -> DiscoveredPack:
        manifest = PackManifest.parse(self._folder.read("pack.toml", max_bytes=MAX_MANIFEST_BYTES))
        drafts = [file for entry in manifest.modules for file in self._load(entry)]
        drafts += [self._load_js(ModuleId(path), path, internal=True) for path in manifest.internal]
        files = build_graph(drafts, imports_of=imports_of, unusable=_unusable(manifest, drafts))
        reach = build_reach(files)
        skill = self._load_skill()
        modules = self._modules(manifest, {file.id: file for file in files}, reach, skill)
        types = self._load_types()
        return DiscoveredPack(
            distribution=self._distribution,
            version=self._version,
            name=self._name,
            digest=self._digest(manifest, files),
            modules=modules,
            files=files,
            statuses=tuple(self._statuses),
            skill=skill,
            types=types,
        )

    # Each entry of the manifest gives the files that it brings, and blocks what cannot run.

    def _load(self, entry: Entry) -> Iterator[PackFile]:
        if isinstance(entry, JsEntry):
            yield self._load_js(ModuleId(entry.file), entry.file)
        elif isinstance(entry, NpmEntry):
            yield from self._load_npm(entry)
        elif isinstance(entry, HostEntry):
            yield self._load_host(entry)
        else:
            yield self._load_wasm(entry)

    def _load_js(
        self, file_id: ModuleId, path: str, *, internal: bool = False, max_bytes: int = MAX_JS_BYTES
    ) -> PackFile:
        data = self._folder.read(path, max_bytes=max_bytes)
        try:
            source = data.decode()
        except UnicodeDecodeError as error:
            message = f'"{path}" is not UTF-8 at byte {error.start}'
            raise PackFileError(message) from None
        return PackFile(
            id=file_id,
            path=path,
            kind=FileKind.JS,
            source=source,
            sha256=digest_bytes(data),
            internal=internal,
        )

    def _load_npm(self, entry: NpmEntry) -> Iterator[PackFile]:
        said = self._said(entry)
        try:
            file, record = self._load_compiled(entry)
        except _NotCompiledError as error:
            self._block(entry, Code.PENDING_COMPILE, f"{said} is {entry.npm}, not compiled: {error}")
            return
        version = f" {record.version}" if record is not None and record.version else ""
        message = f"{said} is {entry.npm}{version}, compiled before publishing"
        self._tell(entry, Code.NPM_MODULE_COMPILED, message)
        for each in record.warnings[:MAX_WARNINGS_TOLD] if record is not None else ():
            self._tell(entry, Code.NPM_MODULE_WARNING, quoted(each)[1:-1])
        yield file

    def _load_compiled(self, entry: NpmEntry) -> tuple[PackFile, CompiledRecord | None]:
        """The compiled file, and the compiler's record of it where there is one."""
        try:
            file = self._load_js(_module_id(entry), entry.place, max_bytes=MAX_BUNDLE_BYTES)
        except PackFileMissingError:
            message = "its wheel was built without the compiled file"
            raise _NotCompiledError(message) from None
        place = record_place(entry.place)
        try:
            record = CompiledRecord.parse(self._folder.read(place, max_bytes=MAX_RECORD_BYTES))
        except PackFileMissingError:
            return file, None
        except RecordError as error:
            message = f"the record {quoted(place)} cannot be used: {error}"
            raise _NotCompiledError(message) from None
        if (record.npm, record.sha256) != (entry.npm, file.sha256):
            message = f"{quoted(entry.place)} is not the file that {quoted(place)} tells of; compile it again"
            raise _NotCompiledError(message)
        return replace(file, compiled=record.identity()), record

    def _load_host(self, entry: HostEntry) -> PackFile:
        pin = require_pin(entry.host_id, self._distribution)
        if not pin.exports:
            message = f'the host module "{pin.host_id}" of {self._said(entry)} is not in this version'
            self._block(entry, Code.HOST_RESERVED, message)
        specifier = build_specifier(self._name, entry.name)
        source = build_host_facade(specifier, pin)
        return PackFile(
            id=_module_id(entry),
            path=entry.name if entry.internal else None,
            kind=FileKind.HOST,
            source=source,
            sha256=digest_bytes(source.encode()),
            internal=entry.internal,
            host_id=pin.host_id,
            specifier=specifier,
        )

    def _load_wasm(self, entry: WasmEntry) -> PackFile:
        data = self._folder.read(entry.file, max_bytes=MAX_WASM_BYTES)
        module = check_wasm(data, entry)
        specifier = build_specifier(self._name, entry.name)
        source = build_wasm_facade(specifier, (each.alias for each in module.functions))
        return PackFile(
            id=_module_id(entry),
            path=None,
            kind=FileKind.WASM,
            source=source,
            sha256=digest_bytes(source.encode()),
            internal=False,
            specifier=specifier,
            wasm=module,
        )

    def _load_skill(self) -> Skill | None:
        try:
            return Skill.parse(self._folder.read("SKILL.md", max_bytes=MAX_SKILL_BYTES))
        except PackFileMissingError as error:
            self._warn(Code.SKILL_MISSING, str(error))
        except PackFileError as error:
            self._warn(Code.SKILL_INVALID, str(error))
        except SkillError as error:
            self._warn(Code.SKILL_INVALID, f"SKILL.md: {error}")
        return None

    def _load_types(self) -> str | None:
        try:
            return self._folder.read("index.d.ts", max_bytes=MAX_TYPES_BYTES).decode()
        except PackFileMissingError as error:
            self._warn(Code.TYPES_MISSING, str(error))
        except PackFileError as error:
            self._warn(Code.TYPES_INVALID, str(error))
        except UnicodeDecodeError as error:
            self._warn(Code.TYPES_INVALID, f"index.d.ts: byte {error.start} is not UTF-8")
        return None

    def _modules(
        self,
        manifest: PackManifest,
        files: Mapping[ModuleId, PackFile],
        reach: Mapping[ModuleId, frozenset[ModuleId]],
        skill: Skill | None,
    ) -> tuple[DiscoveredModule, ...]:
        return tuple(
            self._module(entry, files, sorted(reach.get(_module_id(entry), ())), skill)
            for entry in sorted(manifest.modules, key=lambda entry: entry.name)
            if not (isinstance(entry, HostEntry) and entry.internal)
        )

    def _module(
        self, entry: Entry, files: Mapping[ModuleId, PackFile], ids: Iterable[ModuleId], skill: Skill | None
    ) -> DiscoveredModule:
        module_id = _module_id(entry)
        specifier = build_specifier(self._name, entry.name)
        reached = tuple(ids)
        facts = {
            **self._facts(),
            "specifier": specifier,
            "moduleId": module_id,
            "kind": _kind(entry),
            "declaration": self._declared(entry),
            "files": [[each, self._file_digest(files[each])] for each in reached],
            "facadeVersion": WASM_FACADE_VERSION if isinstance(entry, WasmEntry) else HOST_FACADE_VERSION,
        }
        about = skill.description if skill is not None else ""
        if isinstance(entry, HostEntry):
            about = require_pin(entry.host_id, self._distribution).description
        return DiscoveredModule(
            specifier=specifier,
            kind=_kind(entry),
            module_id=module_id,
            digest=digest_facts(facts),
            description=about[:MAX_SUMMARY_CHARS],
            files=reached,
            unavailable=next(filter(None, map(self._blocked.get, (module_id, *reached))), None),
        )

    def _digest(self, manifest: PackManifest, files: Iterable[PackFile]) -> Digest:
        modules = [self._declared(entry) for entry in sorted(manifest.modules, key=lambda entry: entry.name)]
        return digest_facts(
            {
                **self._facts(),
                "modules": modules,
                "internal": sorted(manifest.internal),
                "files": [[file.id, self._file_digest(file)] for file in files],
                "facadeVersion": HOST_FACADE_VERSION,
            }
        )

    # A module's digest and the pack's are made of the same parts, each of them made once.

    def _declared(self, entry: Entry) -> dict[str, object]:
        if entry.name not in self._declarations:
            self._declarations[entry.name] = asdict(entry)
        return self._declarations[entry.name]

    def _file_digest(self, file: PackFile) -> Digest:
        if file.id not in self._digests:
            self._digests[file.id] = file.digest()
        return self._digests[file.id]

    def _facts(self) -> dict[str, str]:
        return {
            "packageName": self._name,
            "distribution": self._distribution,
            "packageVersion": self._version,
        }

    def _said(self, entry: Entry) -> str:
        return build_specifier(self._name, entry.name)

    def _block(self, entry: Entry, code: Code, message: str) -> None:
        self._blocked[_module_id(entry)] = self._tell(entry, code, message)

    def _tell(self, entry: Entry, code: Code, message: str) -> Diagnostic:
        told = Diagnostic(code=code, message=message, pack=self._distribution, specifier=self._said(entry))
        self._statuses.append(told)
        return told

    def _warn(self, code: Code, message: str) -> None:
        self._statuses.append(Diagnostic(code=code, message=message, pack=self._distribution))


def _module_id(entry: Entry) -> ModuleId:
    if isinstance(entry, NpmEntry):
        return ModuleId(f"npm:{entry.npm}")
    if isinstance(entry, HostEntry):
        return ModuleId(f"host:{entry.host_id}")
    return ModuleId(entry.file)


def _kind(entry: Entry) -> ModuleKind:
    if isinstance(entry, WasmEntry):
        return ModuleKind.WASM
    return ModuleKind.HOST if isinstance(entry, HostEntry) else ModuleKind.JS


def _unusable(manifest: PackManifest, drafts: Iterable[PackFile]) -> dict[str, str]:
    loaded = {draft.path for draft in drafts}
    reasons: dict[str, str] = {}
    for entry in manifest.modules:
        if isinstance(entry, WasmEntry):
            reasons[entry.file] = "is not JavaScript"
        if isinstance(entry, NpmEntry) and entry.place not in loaded:
            reasons[entry.place] = "is not compiled: its wheel was built without the compiled file"
    return reasons
