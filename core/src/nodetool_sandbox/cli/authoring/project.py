"""A pack that is not installed: the folder of its project, or its wheel, read as discovery would read it."""

from __future__ import annotations

import ast
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import Distribution
from pathlib import Path, PurePosixPath
from typing import Final

from nodetool_sandbox_registry import (
    PACK_GROUP,
    Code,
    Diagnostic,
    DiscoveredPack,
    DistName,
    InvalidNameError,
    ManifestError,
    PackFileError,
    PackFolder,
    SandboxPackDiscoveryError,
    Snapshot,
    discover,
    parse_dist_name,
    quoted,
    read_pack,
)
from nodetool_sandbox_registry.fields import MAX_MANIFEST_BYTES, parse_text, parse_toml

from nodetool_sandbox.cli.endings import UsageError
from nodetool_sandbox.imports import scan_imports

MAX_WHEEL_BYTES: Final = 64 * 1024 * 1024
"""What a wheel may inflate to; a pack is 8 MiB at most."""

MAX_WHEEL_FILES: Final = 10_000

_MAX_PYTHON_BYTES: Final = 256 * 1024
_UNVERSIONED: Final = "0"
_SCRIPTS: Final = {".js", ".mjs", ".cjs"}
_PYTHON: Final = {".py", ".pyc", ".pyd", ".so", ".pth"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What was found at a path: the pack if it can be one, and what there is to say already.

    `version` is None where a build decides it; the digests of such a pack are those of no wheel.
    """

    name: str
    version: str | None
    pack: DiscoveredPack | None
    findings: tuple[Diagnostic, ...]


class _NotAPackError(Exception):
    """Something that is not even the beginning of a pack; the message says what is missing."""


def load_candidate(path: Path) -> Candidate:
    """The pack at this path: the folder of a project, its package's folder, or a wheel.

    Raises:
        UsageError: there is nothing at the path.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such folder or wheel")
    try:
        if path.is_dir():
            return _load_project(path)
        with _unpacked(path) as folder:
            return _load_installed(folder)
    except _NotAPackError as error:
        told = Diagnostic(code=Code.PROJECT_INVALID, message=str(error))
        return Candidate(name=path.absolute().name, version=None, pack=None, findings=(told,))


# ---- a project


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    folder: Path
    name: DistName
    version: str | None
    package: str
    fields: dict[str, object]


def _load_project(path: Path) -> Candidate:
    project = _parse_project(_project_folder(path))
    root = next((each for each in ("src", ".") if (project.folder / each / project.package).is_dir()), None)
    if root is None:
        message = (
            f"pyproject.toml names the package {quoted(project.package)}, and there is no folder "
            f"src/{project.package}; create it, or correct the entry point in [{PACK_GROUP}]"
        )
        raise _NotAPackError(message)
    findings = [*_missing_fields(project)]
    pack = None
    try:
        with PackFolder(str(project.folder / root), project.package, seen=Snapshot()) as folder:
            pack = read_pack(
                folder,
                distribution=project.name,
                version=project.version or _UNVERSIONED,
                imports_of=scan_imports,
            )
    except (PackFileError, SandboxPackDiscoveryError) as error:
        message = error.message if isinstance(error, SandboxPackDiscoveryError) else str(error)
        findings.append(Diagnostic(code=Code.DISCOVERY_FAILED, message=message, pack=project.name))
    else:
        findings += map(_with_remedy, pack.statuses)
        findings += _odd_files(project.folder / root / project.package, pack)
    return Candidate(name=project.name, version=project.version, pack=pack, findings=tuple(findings))


def _with_remedy(told: Diagnostic) -> Diagnostic:
    """What an author can do, where whoever installs the pack can do nothing."""
    if told.code is not Code.PENDING_COMPILE:
        return told
    return replace(told, message=f"{told.message}; compile it with: nodetool-sandbox packs compile --lock")


def _project_folder(path: Path) -> Path:
    """The folder itself, or that of the project whose package it is."""
    path = path.absolute()
    places = [path, *([path.parent, path.parent.parent] if (path / "pack.toml").exists() else [])]
    for place in places:
        if (place / "pyproject.toml").is_file():
            return place
    message = (
        "there is no pyproject.toml; name the folder of a project, or write one with: "
        "nodetool-sandbox packs new NAME"
    )
    raise _NotAPackError(message)


def _parse_project(folder: Path) -> _Project:
    try:
        with (folder / "pyproject.toml").open("rb") as file:
            document = parse_toml(parse_text(file.read(MAX_MANIFEST_BYTES + 1)))
    except (OSError, ManifestError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"pyproject.toml cannot be read: {reason}"
        raise _NotAPackError(message) from None
    fields = document.get("project")
    if not isinstance(fields, dict):
        raise _NotAPackError("pyproject.toml has no [project]")
    try:
        name = parse_dist_name(str(fields.get("name", "")))
    except InvalidNameError as error:
        message = f"pyproject.toml: project.name: {error}"
        raise _NotAPackError(message) from None
    version = fields.get("version")
    return _Project(
        folder=folder,
        name=name,
        version=version if isinstance(version, str) else None,
        package=_require_package(fields),
        fields=fields,
    )


def _require_package(fields: dict[str, object]) -> str:
    groups = fields.get("entry-points")
    declared = groups.get(PACK_GROUP) if isinstance(groups, dict) else None
    if not isinstance(declared, dict) or len(declared) != 1:
        count = len(declared) if isinstance(declared, dict) else 0
        message = (
            f'pyproject.toml has {count} entry points in [project.entry-points."{PACK_GROUP}"], '
            "where exactly one makes it a pack: its value is the package"
        )
        raise _NotAPackError(message)
    package = next(iter(declared.values()))
    if not isinstance(package, str) or not package.isascii() or not package.isidentifier():
        message = f"its entry point must name one top-level package, not {quoted(str(package))}"
        raise _NotAPackError(message)
    return package


def _missing_fields(project: _Project) -> Iterator[Diagnostic]:
    for name, why in (
        ("description", "one line that an index shows"),
        ("license", "nobody may use what has none"),
        ("readme", "the page that an index shows"),
    ):
        if not project.fields.get(name):
            message = f"pyproject.toml: project.{name} is missing: {why}"
            yield Diagnostic(code=Code.PROJECT_INCOMPLETE, message=message, pack=project.name)
    readme = project.fields.get("readme")
    if isinstance(readme, str) and not (project.folder / readme).is_file():
        message = f"pyproject.toml names the readme {quoted(readme)}, which is not there"
        yield Diagnostic(code=Code.PROJECT_INCOMPLETE, message=message, pack=project.name)


# ---- a wheel


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """The wheel's files in a folder of their own."""
    try:
        with zipfile.ZipFile(path) as wheel, tempfile.TemporaryDirectory() as folder:
            infos = wheel.infolist()
            size = sum(each.file_size for each in infos)
            if size > MAX_WHEEL_BYTES or len(infos) > MAX_WHEEL_FILES:
                message = (
                    f"the wheel holds {len(infos):,} files of {size:,} bytes, where "
                    f"{MAX_WHEEL_FILES:,} and {MAX_WHEEL_BYTES:,} are allowed"
                )
                raise _NotAPackError(message)
            for each in infos:
                _require_inside(each.orig_filename)
            wheel.extractall(folder)
            yield Path(folder)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is damaged, or no wheel"
        message = f"{quoted(path.name)} cannot be read: {reason}"
        raise _NotAPackError(message) from None


def _require_inside(name: str) -> None:
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or any(each in name for each in "\\:\0") or "%" in name:
        message = f"the wheel holds a file whose path leaves it or can be misread: {quoted(name)}"
        raise _NotAPackError(message)


def _load_installed(folder: Path) -> Candidate:
    catalog = discover([str(folder)], imports_of=scan_imports)
    found = catalog.summaries()
    pack = catalog.pack(found[0].specifier) if found else None
    findings = [*catalog.diagnostics()]
    if pack is None:
        if not findings:
            message = (
                f"the wheel declares no entry point in {PACK_GROUP} that offers a module, so it is no pack"
            )
            raise _NotAPackError(message)
        return Candidate(
            name=findings[0].pack or "", version=None, pack=None, findings=tuple(map(_placeless, findings))
        )
    info = next(iter(folder.glob("*.dist-info")))
    (package,) = (each.value for each in Distribution.at(info).entry_points.select(group=PACK_GROUP))
    findings += _odd_files(folder / package, pack)
    findings += [
        Diagnostic(
            code=Code.PYTHON_UNUSED,
            message=f"the wheel installs {quoted(each.name)} beside its package, which no pack needs",
            pack=pack.distribution,
        )
        for each in sorted(folder.iterdir())
        if each.name != package and each != info
    ]
    return Candidate(
        name=pack.distribution, version=pack.version, pack=pack, findings=tuple(map(_placeless, findings))
    )


def _placeless(told: Diagnostic) -> Diagnostic:
    """Without the places, which were those of a folder that is gone."""
    return replace(told, places=())


# ---- both


def _odd_files(package: Path, pack: DiscoveredPack) -> Iterator[Diagnostic]:
    """What the folder holds that no program will ever see."""
    declared = {file.path for file in pack.files}
    for place, folders, names in os.walk(package):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        for name in sorted(names):
            file = Path(place, name)
            shown = file.relative_to(package).as_posix()
            if file.suffix in _SCRIPTS and shown not in declared:
                message = (
                    f"{quoted(shown)} is no module of pack.toml and not internal, so nothing can import it; "
                    "list it, or take it out"
                )
                yield Diagnostic(code=Code.FILE_UNDECLARED, message=message, pack=pack.distribution)
            elif file.suffix in _PYTHON and not _is_docstring(file):
                message = (
                    f"{quoted(shown)} holds code that nothing will run; a docstring is all that a pack needs"
                )
                yield Diagnostic(code=Code.PYTHON_UNUSED, message=message, pack=pack.distribution)


def _is_docstring(file: Path) -> bool:
    if file.suffix != ".py" or file.is_symlink() or file.stat().st_size > _MAX_PYTHON_BYTES:
        return False
    try:
        body = ast.parse(file.read_bytes()).body
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return all(
        isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Constant)
        and isinstance(each.value.value, str)
        for each in body
    )
