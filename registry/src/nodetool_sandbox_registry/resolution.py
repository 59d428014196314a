"""From the modules that a run declares to the files that it gets, or to every reason why not."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from nodetool_sandbox_registry.codes import Code, Diagnostic, Severity
from nodetool_sandbox_registry.declarations import Declaration, Declarations, ModuleLock
from nodetool_sandbox_registry.delivery import Delivery, NotDelivered, build_delivery, parse_delivery_id
from nodetool_sandbox_registry.digests import Digest
from nodetool_sandbox_registry.graphs import PackFile
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.names import DistName, ModuleId, PackName, Specifier, pack_of
from nodetool_sandbox_registry.packs import DiscoveredModule, DiscoveredPack, ModuleKind
from nodetool_sandbox_registry.pins import pinned_distribution

OnDrift = Literal["warn", "refuse"]
"""What to do when an installed module is not the locked one."""

_CATALOG_CODES: Final = frozenset({Code.DISCOVERY_FAILED, Code.DUPLICATE_PACK})


class ImportsRefused(ValueError):
    """Modules that a run may not have, all of them at once, before anything runs."""

    def __init__(self, refusals: tuple[Diagnostic, ...]) -> None:
        super().__init__("\n".join(each.message for each in refusals))
        self.refusals = refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleSummary:
    """One installed module in one line, for a listing. `available` is false where it cannot run."""

    specifier: Specifier
    distribution: DistName
    version: str
    kind: ModuleKind
    description: str
    digest: Digest
    available: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedModule:
    """A module that a run may import, with the files that it reaches and no others, sorted by id.

    Nothing in it is a path of this machine: the texts are those that were read and hashed.
    """

    specifier: Specifier
    distribution: DistName
    version: str
    pack: PackName
    digest: Digest
    module_id: ModuleId
    kind: ModuleKind
    files: tuple[PackFile, ...]

    @property
    def host_id(self) -> HostId | None:
        """The host module that it is, or None when it is JavaScript of the pack."""
        return self._entry.host_id

    @property
    def source(self) -> str:
        """The text of the module itself; a host module's is its facade."""
        return self._entry.source

    @property
    def _entry(self) -> PackFile:
        return next(file for file in self.files if file.id == self.module_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """All modules of one run, in the order of their declarations, and what its operator should know."""

    modules: tuple[ResolvedModule, ...]
    warnings: tuple[Diagnostic, ...]

    def lock(self) -> ModuleLock:
        """What was resolved, to be written down and given to `Catalog.resolve` another time."""
        return ModuleLock(
            modules=tuple(
                Declaration(specifier=each.specifier, version=each.version, digest=each.digest)
                for each in self.modules
            )
        )


class Catalog:
    """The packs that there are, as they were read. It never changes and never reads again.

    Raises:
        ValueError: two packs have one name, which discovery does not let happen.
    """

    def __init__(self, packs: Iterable[DiscoveredPack], diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._diagnostics = tuple(diagnostics)
        self._packs: dict[PackName, DiscoveredPack] = {}
        self._modules: dict[Specifier, tuple[DiscoveredPack, DiscoveredModule]] = {}
        for pack in sorted(packs, key=lambda pack: pack.distribution):
            if pack.name in self._packs:
                message = f"the pack {pack.name} is there twice"
                raise ValueError(message)
            self._packs[pack.name] = pack
            self._modules.update({module.specifier: (pack, module) for module in pack.modules})

    def summaries(self) -> tuple[ModuleSummary, ...]:
        """Every public module, sorted by specifier."""
        return tuple(
            ModuleSummary(
                specifier=specifier,
                distribution=pack.distribution,
                version=pack.version,
                kind=module.kind,
                description=module.description,
                digest=module.digest,
                available=module.unavailable is None,
            )
            for specifier, (pack, module) in sorted(self._modules.items())
        )

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What discovery refused, then the statuses of the packs that it took."""
        statuses = (status for pack in self._packs.values() for status in pack.statuses)
        return (*self._diagnostics, *statuses)

    def pack(self, specifier: Specifier) -> DiscoveredPack | None:
        """The pack to which a specifier belongs, with its documentation, or None."""
        return self._packs.get(pack_of(specifier))

    def resolve(
        self, declarations: object, *, lock: ModuleLock | None = None, on_drift: OnDrift = "warn"
    ) -> Resolution:
        """What a run gets that declares these modules: a list as `Declarations.parse` takes it.

        The installed version is always the one that is used. Where it is not the locked one, in
        `lock` or in the declaration itself, that is a warning, or with `on_drift="refuse"` a refusal.

        Raises:
            ImportsRefused: with one diagnostic for each declaration that is invalid, not installed,
                not available or, when asked, not what was locked.
        """
        found = Declarations.parse(declarations)
        told = [Diagnostic(code=Code.DECLARATION_INVALID, message=each) for each in found.invalid]
        modules: list[ResolvedModule] = []
        for declaration in found.declared:
            installed = self._modules.get(declaration.specifier)
            if installed is None:
                told.append(self._not_found(declaration.specifier))
                continue
            pack, module = installed
            if module.unavailable is not None:
                told.append(_unavailable(pack, module, module.unavailable.message))
                continue
            resolved = _resolve(pack, module)
            modules.append(resolved)
            told.extend(_drift(resolved, declaration))
            locked = None if lock is None else lock.find(declaration.specifier)
            if locked is not None:
                told.extend(drift for drift in _drift(resolved, locked) if drift not in told)
        refusals = tuple(each for each in told if on_drift == "refuse" or each.severity is Severity.ERROR)
        if refusals:
            raise ImportsRefused(refusals)
        return Resolution(modules=tuple(modules), warnings=tuple(told))

    def deliver(self, module_id: str, *, only: Container[Specifier] | None = None) -> Delivery | NotDelivered:
        """A file for a client, or why there is none: one look that decides and reads, in memory alone.

        Args:
            module_id: the specifier of a module, or the id of a file that another delivery named.
            only: the modules whose files may be delivered; all by default.
        """
        named = parse_delivery_id(module_id)
        if named is None:
            pack, entry = self._modules.get(Specifier(module_id), (None, None))
            roots = [entry] if entry is not None else []
            file_id = entry.module_id if entry is not None else ModuleId("")
        else:
            name, file_id = named
            pack = self._packs.get(name)
            roots = [each for each in pack.modules if file_id in each.files] if pack is not None else []
        if pack is None or not roots:
            return NotDelivered.NOT_FOUND
        permitted = [each for each in roots if only is None or each.specifier in only]
        if not permitted:
            return NotDelivered.FORBIDDEN
        available = [each for each in permitted if each.unavailable is None]
        if not available:
            return NotDelivered.UNAVAILABLE
        root = min(available, key=lambda module: module.specifier)
        file = next(each for each in pack.files if each.id == file_id)
        return build_delivery(file, pack=pack.name, version=pack.version, digest=root.digest)

    def _not_found(self, specifier: Specifier) -> Diagnostic:
        name = pack_of(specifier)
        distribution = pinned_distribution(name)
        owner = distribution or name
        refused = next((each for each in self._diagnostics if each.pack == owner), None)
        if refused is not None:
            message = f"Sandbox module {specifier} is not available for execution. {refused.message}"
            return Diagnostic(code=Code.MODULE_UNAVAILABLE, message=message, pack=owner, specifier=specifier)
        pack = self._packs.get(name)
        hint = ""
        if pack is not None:
            offered = ", ".join(module.specifier for module in pack.modules)
            hint = f" {pack.distribution} {pack.version} offers: {offered}."
        elif distribution is not None:
            hint = f" Install it with: pip install {distribution}"
        message = f"Sandbox module {specifier} is not installed.{hint}"
        return Diagnostic(code=Code.MODULE_NOT_FOUND, message=message, pack=owner, specifier=specifier)


def _resolve(pack: DiscoveredPack, module: DiscoveredModule) -> ResolvedModule:
    files: Mapping[ModuleId, PackFile] = {file.id: file for file in pack.files}
    return ResolvedModule(
        specifier=module.specifier,
        distribution=pack.distribution,
        version=pack.version,
        pack=pack.name,
        digest=module.digest,
        module_id=module.module_id,
        kind=module.kind,
        files=tuple(files[each] for each in module.files),
    )


def _unavailable(pack: DiscoveredPack, module: DiscoveredModule, why: str) -> Diagnostic:
    return Diagnostic(
        code=Code.MODULE_UNAVAILABLE,
        message=f"Sandbox module {module.specifier} is not available for execution: {why}",
        pack=pack.distribution,
        specifier=module.specifier,
    )


def _drift(module: ResolvedModule, locked: Declaration) -> list[Diagnostic]:
    told: list[Diagnostic] = []
    said = f"Sandbox module {module.specifier}"
    if locked.version is not None and locked.version != module.version:
        message = f"{said} was saved with pack version {locked.version}, but {module.version} is installed."
        told.append(_warning(module, Code.VERSION_MISMATCH, message))
    if locked.digest is not None and locked.digest != module.digest:
        message = f"{said} has changed since it was locked."
        told.append(_warning(module, Code.CONTENT_DIGEST_MISMATCH, message))
    return told


def _warning(module: ResolvedModule, code: Code, message: str) -> Diagnostic:
    return Diagnostic(code=code, message=message, pack=module.distribution, specifier=module.specifier)
