"""The packs of this repository that are npm libraries: compiled, listed, locked and used like any other."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox_compiler import Compiled, compile_project
from nodetool_sandbox_registry.codes import Code, Severity
from nodetool_sandbox_registry.declarations import ModuleLock
from nodetool_sandbox_registry.names import Specifier

ROOT = Path(__file__).parents[2]
PROJECTS = [each.parent for each in sorted(ROOT.glob("packs/*/package-lock.json"))]
projects = pytest.mark.parametrize("project", PROJECTS, ids=lambda each: each.name)
DATES = "@nodetool-ai/sandbox-dates"


@projects
def test_a_pack_of_an_npm_library_says_so_in_its_manifest_alone(project: Path) -> None:
    (manifest,) = project.glob("src/*/pack.toml")
    modules = tomllib.loads(manifest.read_text())["modules"]
    assert len([each for each in modules if "npm" in each]) == 1
    assert not [each for each in modules if "file" in each]


@projects
def test_what_lies_in_place_is_what_the_lock_gives(project: Path) -> None:
    (module,) = compile_project(project, write=False, keep=True).modules
    assert isinstance(module.outcome, Compiled)
    assert (module.current, module.written) == (True, False)


@projects
def test_an_installed_one_has_its_guide_and_no_error(project: Path) -> None:
    distribution = f"nodetool-sandbox-{project.name}"
    catalog = Sandbox().packs
    pack = catalog.pack(Specifier(f"@nodetool-ai/sandbox-{project.name}"))
    assert pack is not None
    assert pack.skill is not None
    assert Code.NPM_MODULE_COMPILED in [each.code for each in pack.statuses]
    told = [each for each in catalog.diagnostics() if each.pack == distribution]
    assert [each.code for each in told if each.severity is Severity.ERROR] == []


def test_date_fns_computes_inside_of_a_guest() -> None:
    code = (
        f'import {{ addDays, format, parseISO }} from "{DATES}"; '
        'return format(addDays(parseISO("2026-08-10T00:00:00Z"), 5), "yyyy-MM-dd")'
    )
    assert Sandbox().run_sync(code, modules=[DATES]).value == "2026-08-15"


def test_date_fns_has_250_names_and_no_default() -> None:
    code = f'import * as all from "{DATES}"; return [Object.keys(all).length, "default" in all]'
    assert Sandbox().run_sync(code, modules=[DATES]).value == [250, False]


def test_the_settings_of_one_run_are_not_those_of_the_next() -> None:
    code = (
        f'import {{ getDefaultOptions, setDefaultOptions }} from "{DATES}"; const before = getDefaultOptions(); '
        "setDefaultOptions({ weekStartsOn: 1 }); return [before, getDefaultOptions()]"
    )
    sandbox = Sandbox()
    results = [sandbox.run_sync(code, modules=[DATES]).value for _ in range(2)]
    assert results == [[{}, {"weekStartsOn": 1}]] * 2


def test_a_wrong_pinned_digest_is_a_warning_and_the_program_runs() -> None:
    lock = ModuleLock.parse(
        f'{{"lockVersion": 1, "modules": [{{"specifier": "{DATES}", "contentDigest": "{"0" * 64}"}}]}}'.encode()
    )
    result = Sandbox(lock=lock).run_sync(
        f'import {{ isValid }} from "{DATES}"; return isValid(new Date(0))', modules=[DATES]
    )
    assert (result.value, len(result.warnings)) == (True, 1)
    (drift,) = Sandbox().packs.resolve([DATES], lock=lock).warnings
    assert drift.code is Code.CONTENT_DIGEST_MISMATCH
