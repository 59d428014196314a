"""A pack's project: its npm modules, compiled from its lock file, and the files that they become."""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.compiled import CompiledRecord, RecordError, record_place
from nodetool_sandbox_registry.digests import Digest, digest_bytes, digest_facts
from nodetool_sandbox_registry.fields import MAX_MANIFEST_BYTES, ManifestError
from nodetool_sandbox_registry.manifest import NpmEntry, PackManifest
from nodetool_sandbox_registry.names import build_specifier, parse_dist_name
from nodetool_sandbox_registry.pins import PACK_GROUP, pack_name

from nodetool_sandbox_compiler.cache import CompileCache, pointer_name
from nodetool_sandbox_compiler.compile import compile_staged
from nodetool_sandbox_compiler.locks import Lock, load_lock
from nodetool_sandbox_compiler.options import COMPILER_VERSION, ESBUILD_VERSION, options_digest
from nodetool_sandbox_compiler.outcomes import (
    Compiled,
    EndsShort,
    ModuleOutcome,
    ProjectError,
    ProjectOutcome,
    Skipped,
)
from nodetool_sandbox_compiler.tools import require_npm

_MAX_PYPROJECT_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The folder of a pack's pyproject.toml, and the package in it that holds pack.toml."""

    folder: Path
    package: Path
    distribution: str
    modules: tuple[NpmEntry, ...]

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """The project in this folder. Nothing of it is run.

        Raises:
            ProjectError: it is no project of a pack; the message says what is missing.
        """
        root = Path(folder).absolute()
        try:
            pyproject = _read(root / "pyproject.toml", _MAX_PYPROJECT_BYTES)
        except OSError:
            raise ProjectError("there is no pyproject.toml; name the folder of the pack's project") from None
        try:
            project = tomllib.loads(pyproject.decode()).get("project", {})
            distribution = parse_dist_name(str(project["name"]))
            (target,) = project["entry-points"][PACK_GROUP].values()
        except (LookupError, ValueError, AttributeError, TypeError, RecursionError):
            raise ProjectError(
                f'pyproject.toml does not say which package the pack is: [project.entry-points."{PACK_GROUP}"] '
                "with one entry, and a [project] name"
            ) from None
        if not isinstance(target, str) or not target.isidentifier():
            raise ProjectError(f"the entry point of {PACK_GROUP} must name one top-level package")
        package = next((each for each in (root / "src" / target, root / target) if each.is_dir()), None)
        if package is None:
            raise ProjectError(f"there is no folder src/{target}, and none {target}")
        try:
            manifest = PackManifest.parse(_read(package / "pack.toml", MAX_MANIFEST_BYTES))
        except OSError:
            raise ProjectError(f"{target} has no pack.toml") from None
        except ManifestError as error:
            raise ProjectError(f"pack.toml: {error}") from None
        modules = tuple(each for each in manifest.modules if isinstance(each, NpmEntry))
        return cls(folder=root, package=package, distribution=distribution, modules=modules)

    def artefacts(self) -> Iterator[Path]:
        """The files that a compilation writes."""
        for each in self.modules:
            yield self.package / each.place
            yield self.package / record_place(each.place)
            yield self.package / _licences_place(each.place)

    def specifier(self, entry: NpmEntry) -> str:
        """What a program imports to get this module."""
        return build_specifier(pack_name(parse_dist_name(self.distribution)), entry.name)


def compile_project(
    folder: Path | str,
    *,
    cache: CompileCache | None = None,
    force: bool = False,
    write: bool = True,
    keep: bool = False,
) -> ProjectOutcome:
    """Every `npm = "..."` module of the pack's project, compiled from its package-lock.json.

    What the lock names is installed apart, never into the project. With `write` the modules are put
    into the package, each with its record. `keep` leaves files that the same lock and options gave as
    they are, without any tool; `force` compiles again whatever is cached.

    Raises:
        ProjectError: the folder is no project of a pack.
    """
    project = Project.load(folder)
    store = cache or CompileCache.open()
    work = _Work(project, store, force=force, write=write, keep=keep)
    return ProjectOutcome(distribution=project.distribution, modules=work.modules())


def is_current(folder: Path | str) -> bool:
    """Whether every npm module of the project lies in its package as its lock and our options would give it.

    Raises:
        ProjectError: the folder is no project of a pack.
    """
    project = Project.load(folder)
    if not project.modules:
        return True
    try:
        lock = load_lock(project.folder)
    except EndsShort:
        return False
    return all(_in_place(project, each, recipe_of(each.npm, lock)) is not None for each in project.modules)


def lock_project(folder: Path | str) -> Skipped | None:
    """Write package.json and package-lock.json for the npm modules of the project; None when that is done.

    Versions that package.json asks for are kept; a library that it does not name yet is added in its
    newest version. Nothing is installed.

    Raises:
        ProjectError: the folder is no project of a pack.
    """
    project = Project.load(folder)
    names = [each.npm for each in project.modules]
    try:
        npm = require_npm()
        with _stage(CompileCache.open()) as stage:
            given = _package_json(project.folder)
            asked = given.get("dependencies")
            known = asked if isinstance(asked, dict) else {}
            (stage / "package.json").write_text(json.dumps(given, indent=2) + "\n", encoding="utf-8")
            old = project.folder / "package-lock.json"
            if old.is_file():
                shutil.copyfile(old, stage / "package-lock.json")
            npm.lock(stage, [each for each in names if each not in known])
            for name in ("package.json", "package-lock.json"):
                _write_whole(project.folder / name, (stage / name).read_bytes())
    except EndsShort as ended:
        return Skipped(npm=", ".join(names), code=ended.code, detail=ended.detail)
    return None


def recipe_of(npm: str, lock: Lock) -> Digest:
    """The digest of what the author wrote down: with the same one, the same file comes out."""
    facts = [COMPILER_VERSION, ESBUILD_VERSION, options_digest(), npm, lock.digest()]
    return digest_facts(facts)


class _Work:
    """One compilation of a project: the lock is read once, and installed at most once."""

    def __init__(
        self, project: Project, cache: CompileCache, *, force: bool, write: bool, keep: bool
    ) -> None:
        self._project = project
        self._cache = cache
        self._force = force
        self._write = write
        self._keep = keep

    def modules(self) -> tuple[ModuleOutcome, ...]:
        if not self._project.modules:
            return ()
        try:
            lock = load_lock(self._project.folder)
        except EndsShort as ended:
            return tuple(self._skipped(each, ended) for each in self._project.modules)
        done: dict[str, ModuleOutcome] = {}
        for each in self._project.modules:
            known = self._known(each, recipe_of(each.npm, lock))
            if known is not None:
                done[each.npm] = known
        missing = [each for each in self._project.modules if each.npm not in done]
        if missing:
            done.update(self._compile(missing, lock))
        return tuple(done[each.npm] for each in self._project.modules)

    def _known(self, entry: NpmEntry, recipe: Digest) -> ModuleOutcome | None:
        """What is there without any tool: the file in place, or the cached one."""
        if self._force:
            return None
        if self._keep and (kept := _in_place(self._project, entry, recipe)) is not None:
            compiled, record = kept
            return self._outcome(entry, compiled, record, written=False)
        key = self._cache.read_pointer(pointer_name("recipe", recipe))
        found = self._cache.read(key) if key is not None else None
        if found is None or found[0].npm != entry.npm:
            return None
        return self._finish(entry, found[0], recipe)

    def _compile(self, entries: list[NpmEntry], lock: Lock) -> Iterator[tuple[str, ModuleOutcome]]:
        try:
            with _stage(self._cache) as stage:
                lock.write(stage)
                require_npm().install(stage)
                for each in entries:
                    yield each.npm, self._compile_one(each, stage, recipe_of(each.npm, lock))
        except EndsShort as ended:
            for each in entries:
                yield each.npm, self._skipped(each, ended)

    def _compile_one(self, entry: NpmEntry, stage: Path, recipe: Digest) -> ModuleOutcome:
        outcome = compile_staged(stage, entry.npm, cache=self._cache, force=self._force)
        if isinstance(outcome, Skipped):
            return self._skipped(entry, outcome)
        self._cache.write_pointer(pointer_name("recipe", recipe), outcome.key)
        return self._finish(entry, outcome, recipe)

    def _finish(self, entry: NpmEntry, compiled: Compiled, recipe: Digest) -> ModuleOutcome:
        record = _record(compiled, recipe)
        place = self._project.package / entry.place
        source = compiled.source.encode("utf-8", "surrogatepass")
        files = {
            place: source,
            self._project.package / _licences_place(entry.place): compiled.licences.encode(),
            # last: until it is there, the file counts as another one's
            self._project.package / record_place(entry.place): record.text().encode(),
        }
        current = all(path.is_file() and path.read_bytes() == data for path, data in files.items())
        if self._write and not current:
            place.parent.mkdir(parents=True, exist_ok=True)
            for path, data in files.items():
                _write_whole(path, data)
        outcome = self._outcome(entry, compiled, record, written=self._write and not current)
        return replace(outcome, current=current or self._write)

    def _outcome(
        self, entry: NpmEntry, compiled: Compiled, record: CompiledRecord, *, written: bool
    ) -> ModuleOutcome:
        return ModuleOutcome(
            specifier=self._project.specifier(entry),
            npm=entry.npm,
            place=entry.place,
            outcome=compiled,
            record=record,
            written=written,
            current=True,
        )

    def _skipped(self, entry: NpmEntry, ended: EndsShort | Skipped) -> ModuleOutcome:
        return ModuleOutcome(
            specifier=self._project.specifier(entry),
            npm=entry.npm,
            place=entry.place,
            outcome=Skipped(npm=entry.npm, code=ended.code, detail=ended.detail),
            record=None,
            written=False,
            current=False,
        )


def _licences_place(bundle: str) -> str:
    """Where the licences of what is in the compiled file lie: `npm/x.js` has `npm/x.licences.txt`."""
    return f"{bundle.removesuffix('.js')}.licences.txt"


def _in_place(project: Project, entry: NpmEntry, recipe: Digest) -> tuple[Compiled, CompiledRecord] | None:
    place = project.package / entry.place
    try:
        record = CompiledRecord.parse((project.package / record_place(entry.place)).read_bytes())
        data = place.read_bytes()
        source = data.decode("utf-8", "surrogatepass")
        licences = (project.package / _licences_place(entry.place)).read_text(encoding="utf-8")
    except (OSError, RecordError, UnicodeDecodeError):
        return None
    if record.recipe != recipe or record.npm != entry.npm or digest_bytes(data) != record.sha256:
        return None
    compiled = Compiled(
        npm=record.npm,
        version=record.version,
        source=source,
        sha256=record.sha256,
        options_digest=record.options,
        inputs_digest=record.inputs,
        key=record.recipe,
        exports=record.exports,
        warnings=record.warnings,
        licences=licences,
        cached=True,
    )
    return compiled, record


def _record(compiled: Compiled, recipe: Digest) -> CompiledRecord:
    return CompiledRecord(
        npm=compiled.npm,
        version=compiled.version,
        compiler=COMPILER_VERSION,
        esbuild=ESBUILD_VERSION,
        recipe=recipe,
        options=compiled.options_digest,
        inputs=compiled.inputs_digest,
        sha256=compiled.sha256,
        exports=compiled.exports,
        warnings=compiled.warnings,
    )


@contextmanager
def _stage(cache: CompileCache) -> Iterator[Path]:
    """A private folder for one installation, gone afterwards."""
    if cache.reason is not None:
        raise EndsShort(Code.COMPILER_UNAVAILABLE, f"there is no place to install to: {cache.reason}")
    with tempfile.TemporaryDirectory(dir=cache.folder, prefix="npm-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _package_json(folder: Path) -> Mapping[str, object]:
    try:
        found = json.loads(_read(folder / "package.json", _MAX_PYPROJECT_BYTES))
    except OSError:
        return {"private": True, "dependencies": {}}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise EndsShort(Code.NPM_MODULE_UNRESOLVED, "package.json is not a JSON object")
    return found


def _read(path: Path, max_bytes: int) -> bytes:
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ProjectError(f"{path.name} is above the {max_bytes:,} byte cap")
    return data


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
