"""Real libraries from npm, through the real path: lock, npm, bundler, scan, probe, discovery, a run.

Two of them always: what was compiled before on this machine comes out of the cache, without a network. All
thirty with NPM_LIBRARIES=1, which `make test-npm` sets.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox_compiler import Compiled, ProjectOutcome, Skipped
from nodetool_sandbox_registry.resolution import Catalog
from npm.libraries import LIBRARIES, Library
from npm.trial import DISTRIBUTION, LOCKED, catalog_of, compile_trial, versions

ALL = os.environ.get("NPM_LIBRARIES") == "1"
SMALL = ("date-fns", "js-yaml")
CHOSEN = [each for each in LIBRARIES if ALL or each.name in SMALL]
libraries = pytest.mark.parametrize("library", CHOSEN, ids=lambda each: each.name)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("npm") / "trial"


@pytest.fixture(scope="module")
def outcomes(project: Path) -> dict[str, Compiled | Skipped]:
    done: ProjectOutcome = compile_trial(project, [each.name for each in CHOSEN])
    return {each.npm: each.outcome for each in done.modules}


@pytest.fixture(scope="module")
def catalog(project: Path, outcomes: dict[str, Compiled | Skipped]) -> Catalog:
    assert outcomes
    return catalog_of(project)


@libraries
def test_a_library_ends_as_the_table_says(library: Library, outcomes: dict[str, Compiled | Skipped]) -> None:
    outcome = outcomes[library.name]
    code = outcome.code if isinstance(outcome, Skipped) else None
    assert code == library.skipped, outcome.detail if isinstance(outcome, Skipped) else outcome.exports


@libraries
def test_an_admitted_library_works_in_a_guest(library: Library, catalog: Catalog) -> None:
    specifier = f"{DISTRIBUTION}/{library.name}"
    if library.skipped is not None:
        assert not next(each for each in catalog.summaries() if each.specifier == specifier).available
        return
    code = f'import * as lib from "{specifier}"; {library.program}'
    result = Sandbox(packs=catalog, hosts={}).run_sync(code, modules=[specifier])
    assert (str(result.error), result.value) == ("None", library.gives)


def test_the_table_has_every_library_of_the_lock_and_the_page_every_one_of_the_table() -> None:
    recorded = json.loads((LOCKED / "outcomes.json").read_text())
    assert [each.name for each in LIBRARIES] == sorted(versions())
    assert {name: each.get("code") for name, each in recorded.items()} == {
        each.name: each.skipped for each in LIBRARIES
    }
    assert {name: each["version"] for name, each in recorded.items()} == versions()
