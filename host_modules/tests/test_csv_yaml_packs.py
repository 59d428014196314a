"""The packs csv and yaml say of themselves what is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.manifest import PackManifest
from nodetool_sandbox_registry.pins import PINS
from nodetool_sandbox_registry.skill import MAX_SKILL_BYTES, Skill

PACKS = Path(__file__).parents[2] / "packs"
FENCE = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a schema, a class or an error name has no section of its own for.
SHARED_SECTIONS = {
    "types": "schemas",
    "Type": "schemas",
    "Schema": "schemas",
    "FAILSAFE_SCHEMA": "schemas",
    "JSON_SCHEMA": "schemas",
    "CORE_SCHEMA": "schemas",
    "DEFAULT_SCHEMA": "schemas",
    "safeLoad": "gotchas",
    "safeLoadAll": "gotchas",
    "safeDump": "gotchas",
}


def folder(pack: str) -> Path:
    return PACKS / pack / "src" / f"nodetool_sandbox_{pack}"


def text(pack: str, name: str) -> str:
    return (folder(pack) / name).read_text(encoding="utf-8")


def declared(pack: str) -> list[str]:
    """What index.d.ts exports."""
    found = re.findall(r"^export (?:function|const|class) (\w+)", text(pack, "index.d.ts"), re.MULTILINE)
    return sorted(set(found))


def exported(pack: str) -> list[str]:
    """What the module exports: the pinned functions, or the names that the guest half lists."""
    if pack == "csv":
        return sorted(each.name for each in PINS[HostId("csv")].exports)
    listed = re.search(r"^export \{\n(.*?)^\};", text(pack, "index.js"), re.MULTILINE | re.DOTALL)
    assert listed is not None
    return sorted(re.findall(r"\w+", listed[1]))


@pytest.fixture(params=["csv", "yaml"])
def pack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_manifest_is_read(pack: str) -> None:
    manifest = PackManifest.parse((folder(pack) / "pack.toml").read_bytes())
    assert manifest.modules[0].name == "."


def test_the_documentation_is_read_and_small(pack: str) -> None:
    data = (folder(pack) / "SKILL.md").read_bytes()
    assert len(data) < MAX_SKILL_BYTES
    skill = Skill.parse(data)
    assert skill.name == f"sandbox-{pack}"
    assert list(skill.sections)[-1] == "gotchas"
    assert f"`@nodetool-ai/sandbox-{pack}`" in skill.body


def test_each_export_has_a_section_and_each_section_an_example_that_returns(pack: str) -> None:
    sections = Skill.parse((folder(pack) / "SKILL.md").read_bytes()).sections
    for name in exported(pack):
        assert SHARED_SECTIONS.get(name, name.lower()) in sections
    for heading, section in sections.items():
        examples = FENCE.findall(section)
        assert examples or heading == "gotchas"
        for example in examples:
            assert f'from "@nodetool-ai/sandbox-{pack}";' in example
            assert re.search(r"^ *return ", example, re.MULTILINE)


def test_the_types_declare_what_is_exported_named_and_by_default(pack: str) -> None:
    assert declared(pack) == exported(pack)
    default = re.search(
        rf"^declare const {pack}: \{{\n(.*?)^\}};", text(pack, "index.d.ts"), re.MULTILINE | re.DOTALL
    )
    assert default is not None
    assert sorted(re.findall(r"^  (\w+): typeof \1;", default[1], re.MULTILINE)) == exported(pack)


def test_the_default_export_of_the_guest_half_is_all_of_it() -> None:
    listed = re.search(
        r"^export default Object\.freeze\(\{\n(.*?)^\}\);", text("yaml", "index.js"), re.MULTILINE | re.DOTALL
    )
    assert listed is not None
    assert sorted(re.findall(r"\w+", listed[1])) == exported("yaml")


def test_the_readme_begins_with_the_first_screen_of_the_documentation(pack: str) -> None:
    readme = (PACKS / pack / "README.md").read_text(encoding="utf-8")
    skill = Skill.parse((folder(pack) / "SKILL.md").read_bytes())
    screen = readme.split("\n## Install\n")[0].strip()
    assert skill.body.strip().startswith(screen)
    assert screen.count("\n## ") == 1


def test_the_distribution_brings_the_host_modules_of_its_id(pack: str) -> None:
    project = tomllib.loads((PACKS / pack / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    host = tomllib.loads((PACKS.parent / "host_modules/pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert project["name"] == PINS[HostId(pack)].distribution
    assert project["dependencies"] == [f"nodetool-sandbox-host[{pack}]=={host['version']}"]
    assert pack in host["optional-dependencies"]
    assert project["entry-points"]["nodetool_sandbox.packs"] == {pack: f"nodetool_sandbox_{pack}"}
