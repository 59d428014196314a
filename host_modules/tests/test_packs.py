"""Each pack says of itself what is so. What its module really exports is compared in `tests/packs`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from nodetool_sandbox_registry.hosts import HostId
from nodetool_sandbox_registry.manifest import PackManifest
from nodetool_sandbox_registry.pins import PINS
from nodetool_sandbox_registry.skill import MAX_SKILL_BYTES, Skill

ROOT = Path(__file__).parents[2]
PACKS = ROOT / "packs"
FENCE = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUEST_HALVES = ["yaml", "zip"]
# What a schema, a class, an error or an old synchronous name has no section of its own for.
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
    "fromZonedTime": "fromzonedtime, tozonedtime",
    "toZonedTime": "fromzonedtime, tozonedtime",
    "formatInTimeZone": "formatintimezone, gettimezoneoffset, zones",
    "getTimezoneOffset": "formatintimezone, gettimezoneoffset, zones",
    "zones": "formatintimezone, gettimezoneoffset, zones",
    "parseDate": "parsedate, parsecolumn",
    "parseColumn": "parsedate, parsecolumn",
    "relative": "relative, easter",
    "easter": "relative, easter",
}


def folder(pack: str) -> Path:
    return PACKS / pack / "src" / f"nodetool_sandbox_{pack}"


def text(pack: str, name: str) -> str:
    return (folder(pack) / name).read_text(encoding="utf-8")


def guide(pack: str) -> Skill:
    return Skill.parse((folder(pack) / "SKILL.md").read_bytes())


def listed(source: str, begin: str, end: str) -> list[str]:
    """The names between two lines."""
    found = re.search(rf"^{re.escape(begin)}\n(.*?)^{re.escape(end)}", source, re.MULTILINE | re.DOTALL)
    assert found is not None
    return sorted(re.findall(r"^  (\w+)[,:]", found[1], re.MULTILINE))


def exported(pack: str) -> list[str]:
    """What the module exports: the pinned functions, or the names that the guest half lists."""
    if pack in GUEST_HALVES:
        return listed(text(pack, "index.js"), "export {", "};")
    return sorted(each.name for each in PINS[HostId(pack)].exports)


def section_of(name: str) -> str:
    return "gotchas" if name.endswith("Sync") else SHARED_SECTIONS.get(name, name.lower())


@pytest.fixture(params=sorted(path.parent.name for path in PACKS.glob("*/pyproject.toml")))
def pack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_manifest_is_read(pack: str) -> None:
    manifest = PackManifest.parse((folder(pack) / "pack.toml").read_bytes())
    assert manifest.modules[0].name == "."


def test_the_documentation_is_read_and_small(pack: str) -> None:
    assert len((folder(pack) / "SKILL.md").read_bytes()) < MAX_SKILL_BYTES
    skill = guide(pack)
    assert skill.name == f"sandbox-{pack}"
    assert list(skill.sections)[-1] == "gotchas"
    assert f"`@nodetool-ai/sandbox-{pack}`" in skill.body


def test_each_export_has_a_section_and_each_section_an_example_that_returns(pack: str) -> None:
    sections = guide(pack).sections
    assert {section_of(name) for name in exported(pack)} <= set(sections)
    for heading, section in sections.items():
        examples = FENCE.findall(section)
        assert examples or heading == "gotchas"
        for example in examples:
            assert re.search(rf'from "@nodetool-ai/sandbox-{pack}(/\w+)?";', example)
            assert re.search(r"^ *return ", example, re.MULTILINE)


@pytest.mark.parametrize("pack", GUEST_HALVES)
def test_the_default_export_of_a_guest_half_is_all_of_it(pack: str) -> None:
    assert listed(text(pack, "index.js"), "export default Object.freeze({", "});") == exported(pack)


def test_the_guest_half_of_zip_gives_out_every_function_of_the_host() -> None:
    assert {each.name for each in PINS[HostId("zip")].exports} < set(exported("zip"))


def test_the_readme_begins_with_the_first_screen_of_the_documentation(pack: str) -> None:
    readme = (PACKS / pack / "README.md").read_text(encoding="utf-8")
    screen = readme.split("\n## Install\n")[0].strip()
    assert guide(pack).body.strip().startswith(screen)
    assert screen.count("\n## ") == 1


def test_the_distribution_brings_the_host_modules_of_its_id(pack: str) -> None:
    project = tomllib.loads((PACKS / pack / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    host = tomllib.loads((ROOT / "host_modules/pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == PINS[HostId(pack)].distribution
    assert project["dependencies"] == [f"nodetool-sandbox-host[{pack}]=={host['version']}"]
    assert pack in host["optional-dependencies"]
    assert project["entry-points"]["nodetool_sandbox.packs"] == {pack: f"nodetool_sandbox_{pack}"}
