"""A pack that is made of npm libraries: compiled from its lock, read as an installed one, used by programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox_compiler import CompileCache, ProjectOutcome, compile_project
from nodetool_sandbox_registry.files import PackFolder
from nodetool_sandbox_registry.names import DistName
from nodetool_sandbox_registry.packs import read_pack
from nodetool_sandbox_registry.resolution import Catalog
from nodetool_sandbox_registry.snapshots import Snapshot

LOCKED = Path(__file__).parent
DISTRIBUTION = "npm-trial"
PACKAGE = "npm_trial"
_PYPROJECT = f"""
[project]
name = "{DISTRIBUTION}"
version = "1"
[project.entry-points."nodetool_sandbox.packs"]
trial = "{PACKAGE}"
"""


def write_project(folder: Path, names: Iterable[str]) -> Path:
    """A project with one module a library. Of the lock it has what these libraries need, and all of the rest."""
    package = folder / "src" / PACKAGE
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(_PYPROJECT)
    modules = (f'[[modules]]\nname = "{name}"\nkind = "js"\nnpm = "{name}"\n' for name in names)
    (package / "pack.toml").write_text("\n".join(modules))
    for name in ("package.json", "package-lock.json"):
        (folder / name).write_bytes((LOCKED / name).read_bytes())
    return folder


def compile_trial(folder: Path, names: Iterable[str], *, cache: CompileCache | None = None) -> ProjectOutcome:
    return compile_project(write_project(folder, names), cache=cache)


def catalog_of(folder: Path) -> Catalog:
    """The packs of a run: the project's own, read from its folder as discovery reads an installed one."""
    with PackFolder(str(folder / "src"), PACKAGE, seen=Snapshot()) as opened:
        pack = read_pack(opened, distribution=DistName(DISTRIBUTION), version="1", imports_of=scan_imports)
    return Catalog([pack])


def versions() -> dict[str, str]:
    """The libraries and their versions, as package.json has them."""
    found: dict[str, str] = json.loads((LOCKED / "package.json").read_text())["dependencies"]
    return found
