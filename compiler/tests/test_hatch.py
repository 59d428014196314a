"""The build hook as hatchling calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hatchling.bridge.app import Application
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager
from nodetool_sandbox_compiler import hatch as compiler_hatch
from nodetool_sandbox_compiler.hatch import NpmBuildHook, PackNotCompiledError, hatch_register_build_hook
from nodetool_sandbox_compiler.tools import NODE_REQUIREMENT
from test_projects import MODULE, write

ROOT = Path(__file__).parents[2]


def hook(root: Path) -> NpmBuildHook:
    metadata = ProjectMetadata(str(root), PluginManager())
    return NpmBuildHook(str(root), {}, None, metadata, str(root / "dist"), "wheel", Application())


def test_hatchling_finds_the_hook_by_its_name() -> None:
    assert hatch_register_build_hook() is NpmBuildHook
    assert NpmBuildHook.PLUGIN_NAME == "nodetool-sandbox-npm"


def test_a_build_takes_along_what_is_in_place_and_needs_no_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler_hatch, "find_npm", lambda: None)
    data: dict[str, list[str]] = {"artifacts": []}
    made = hook(ROOT / "packs" / "dates")
    assert made.dependencies() == []
    made.initialize("standard", data)
    folder = "/src/nodetool_sandbox_dates/npm/date-fns"
    assert data["artifacts"] == [f"{folder}.js", f"{folder}.json", f"{folder}.licences.txt"]


def test_a_build_asks_for_node_only_where_it_must_compile_and_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(tmp_path, "sha512-" + "A" * 86 + "==")
    monkeypatch.setattr(compiler_hatch, "find_npm", lambda: None)
    assert hook(project).dependencies() == [NODE_REQUIREMENT]
    monkeypatch.setattr(compiler_hatch, "find_npm", lambda: "npm")
    assert hook(project).dependencies() == []


def test_a_folder_that_is_no_packs_project_is_told_by_the_build_itself(tmp_path: Path) -> None:
    project = write(tmp_path, "")
    (project / "src" / "acme_lib" / "pack.toml").write_text("modules = 1")
    assert hook(project).dependencies() == []
    with pytest.raises(ValueError, match=r"pack\.toml"):
        hook(project).initialize("standard", {"artifacts": []})


def test_a_build_that_cannot_compile_a_module_ends_with_every_reason(tmp_path: Path) -> None:
    second = MODULE.replace('"."', '"two"').replace('"lib"', '"lib-two"')
    project = write(tmp_path, "sha1-x", manifest=MODULE + second)
    with pytest.raises(PackNotCompiledError) as caught:
        hook(project).initialize("standard", {"artifacts": []})
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines] == ["acme-lib", "acme-lib/two"]
    assert all("(npm-module-unresolved)" in line for line in lines)
