"""Each pack from its wheel, in an environment that has nothing else: with its own libraries and no other's."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from environments import ROOT, Environment
from nodetool_sandbox_registry import Skill

WORKSPACE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["workspace"]
PACKS = [member.removeprefix("packs/") for member in WORKSPACE["members"] if member.startswith("packs/")]
EXTRAS: dict[str, list[str]] = tomllib.loads(
    (ROOT / "host_modules" / "pyproject.toml").read_text(encoding="utf-8")
)["project"]["optional-dependencies"]
RUNTIME = ("nodetool-sandbox", "nodetool-sandbox-registry", "nodetool-sandbox-host")


def libraries(extra: str) -> Iterator[str]:
    """The distributions that a host id asks for, by name."""
    for requirement in EXTRAS[extra]:
        name, _, rest = requirement.partition("[")
        if name == "nodetool-sandbox-host":
            yield from libraries(rest.partition("]")[0])
        else:
            yield re.split(r"[<>=!~; \[]", requirement, maxsplit=1)[0].lower()


def own_libraries(pack: str) -> set[str]:
    """Those of the host ids that the pack depends on."""
    project = tomllib.loads((ROOT / "packs" / pack / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [re.fullmatch(r"nodetool-sandbox-host\[([a-z-]+)\].*", each) for each in project["dependencies"]]
    return {library for each in asked if each is not None for library in libraries(each[1])}


@pytest.fixture(scope="module")
def runtime(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is installed with the runtime and no pack."""
    folder = tmp_path_factory.mktemp("runtime") / "alone"
    return Environment.make(folder, [wheels[each] for each in RUNTIME]).distributions()


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_works_alone_with_its_own_libraries(
    pack: str, wheels: dict[str, Path], runtime: set[str], tmp_path: Path
) -> None:
    name = f"nodetool-sandbox-{pack}"
    environment = Environment.make(tmp_path / "alone", [wheels[each] for each in (*RUNTIME, name)])
    listing = environment.listed()
    assert {each["distribution"] for each in listing.document["modules"]} == {name}
    # What a compiled library asks for before it uses it may be absent, and is told all the same.
    assert {code for code, _ in listing.complaints(name)} <= {"npm-module-warning"}

    told = json.loads(environment.command("packs", "info", name, "--json").stdout)
    skill = Skill.parse(f"---\nname: x\ndescription: y\n---\n{told['guide']}".encode())
    _, example = next(skill.examples())
    (environment.folder / "example.js").write_text(example, encoding="utf-8")
    done = environment.command("run", "example.js", "--module", "all")
    assert (done.returncode, done.stderr) == (0, "")

    own = own_libraries(pack)
    foreign = {each for extra in EXTRAS for each in libraries(extra)} - own - runtime
    installed = environment.distributions()
    assert own <= installed
    assert installed & foreign == set()
