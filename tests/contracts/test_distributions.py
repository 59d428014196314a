"""Each member is a distribution of its own, and what it publishes is what it should."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from guest_build.cache import ENV_OVERRIDE, BuildCache
from guest_build.chain import ARTEFACTS, ENGINE_FOLDER
from guest_build.inputs import load_inputs
from nodetool_sandbox_registry.compiled import CompiledRecord

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
VERSION = "0.1.0"


@cache
def toml(folder: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))


MEMBERS: list[str] = toml(".")["tool"]["uv"]["workspace"]["members"]
PACKS = [member for member in MEMBERS if member.startswith("packs/")]
CODE = [member for member in MEMBERS if member not in PACKS]
members = pytest.mark.parametrize("member", MEMBERS)


@members
def test_a_member_is_built_by_hatchling_from_src(member: str) -> None:
    facts = toml(member)
    (package,) = facts["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert facts["build-system"]["build-backend"] == "hatchling.build"
    assert package.startswith("src/")
    assert (ROOT / member / package / "__init__.py").is_file()


@members
def test_all_members_have_one_version_one_licence_and_one_python(member: str) -> None:
    project = toml(member)["project"]
    assert (project["version"], project["license"], project["requires-python"]) == (VERSION, "MIT", ">=3.11")


@members
def test_a_member_depends_on_its_siblings_exactly(member: str) -> None:
    project = toml(member)["project"]
    siblings = {toml(each)["project"]["name"] for each in MEMBERS} - {project["name"]}
    for requirement in project.get("dependencies", []):
        name = re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]
        if name in siblings:
            assert requirement.endswith(f"=={VERSION}"), requirement


@members
def test_a_member_carries_the_licence_text(member: str) -> None:
    assert (ROOT / member / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.mark.parametrize("member", CODE)
def test_code_says_that_it_is_typed(member: str) -> None:
    (package,) = toml(member)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert (ROOT / member / package / "py.typed").is_file()


@pytest.mark.parametrize("member", PACKS)
def test_a_pack_holds_no_code_but_a_docstring(member: str) -> None:
    (package,) = toml(member)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    (only,) = (ROOT / member / package).rglob("*.py")
    (statement,) = ast.parse(only.read_text(encoding="utf-8")).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Constant)


def test_the_registry_imports_the_standard_library_alone() -> None:
    own = "nodetool_sandbox_registry"
    for path in (ROOT / "registry" / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or own]
            else:
                continue
            roots = {name.split(".", 1)[0] for name in names}
            assert roots <= {own, *sys.stdlib_module_names}, path


def uv(*args: str) -> str:
    done = subprocess.run([UV, *args], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_every_member_builds_one_wheel_for_every_platform(wheels: dict[str, Path]) -> None:
    assert sorted(wheels) == sorted(toml(member)["project"]["name"] for member in MEMBERS)
    assert all(path.name.endswith("-py3-none-any.whl") for path in wheels.values())


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_runtimes_wheel_holds_the_image_and_no_c(wheels: dict[str, Path]) -> None:
    names = set(zipfile.ZipFile(wheels["nodetool-sandbox"]).namelist())
    engine = "nodetool_sandbox/_engine/"
    assert {f"{engine}quickjs.wasm", f"{engine}PROVENANCE", f"{engine}NOTICES"} <= names
    assert not [name for name in names if name.endswith((".c", ".h")) or "guest_build" in name]


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_an_sdist_builds_the_same_image_with_no_network_and_a_filled_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENV_OVERRIDE, str(tmp_path / "cache"))
    engine, digest = ROOT / "core" / ENGINE_FOLDER, load_inputs(ROOT / "core").image_digest
    for name in ARTEFACTS:
        BuildCache.open().write(f"images/{digest}/{name}", (engine / name).read_bytes())
    uv("build", "--package", "nodetool-sandbox", "--sdist", "--out-dir", str(tmp_path))
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        assert not [name for name in tar.getnames() if Path(name).name in ARTEFACTS]

    monkeypatch.setenv("PIP_NO_INDEX", "1")
    uv("build", "--wheel", "--offline", "--out-dir", str(tmp_path), str(sdist))

    (wheel,) = tmp_path.glob("*.whl")
    image = zipfile.ZipFile(wheel).read("nodetool_sandbox/_engine/quickjs.wasm")
    assert image == (engine / "quickjs.wasm").read_bytes()


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_wheel_brings_its_npm_library_compiled_and_where_it_comes_from(wheels: dict[str, Path]) -> None:
    with zipfile.ZipFile(wheels["nodetool-sandbox-dates"]) as wheel:
        folder = "nodetool_sandbox_dates/npm/date-fns"
        record = CompiledRecord.parse(wheel.read(f"{folder}.json"))
        assert hashlib.sha256(wheel.read(f"{folder}.js")).hexdigest() == record.sha256
        assert "MIT License" in wheel.read(f"{folder}.licences.txt").decode()
        assert not [name for name in wheel.namelist() if "node_modules" in name or name.endswith("lock.json")]


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_a_packs_sdist_becomes_a_wheel_without_node_npm_or_a_cache(
    wheels: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uv("build", "--package", "nodetool-sandbox-dates", "--sdist", "--out-dir", str(tmp_path))
    (sdist,) = tmp_path.glob("*.tar.gz")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv(ENV_OVERRIDE, str(tmp_path / "cache"))
    ours = str(next(iter(wheels.values())).parent)
    uv("build", "--wheel", "--offline", "--find-links", ours, "--out-dir", str(tmp_path), str(sdist))
    (wheel,) = tmp_path.glob("*.whl")
    place = "nodetool_sandbox_dates/npm/date-fns.js"
    with zipfile.ZipFile(wheel) as made, zipfile.ZipFile(wheels["nodetool-sandbox-dates"]) as direct:
        assert made.read(place) == direct.read(place)


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_wheels_work_in_an_environment_of_their_own(wheels: dict[str, Path], tmp_path: Path) -> None:
    clean = tmp_path / "clean"
    uv("venv", "--python", sys.executable, str(clean))
    python = clean / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    uv("pip", "install", "--python", str(python), *map(str, wheels.values()))
    program = (
        "from nodetool_sandbox import INSTALLED, Sandbox\n"
        "code = 'import { load } from \"@nodetool-ai/sandbox-yaml\"; '\n"
        "code += 'import { addDays } from \"@nodetool-ai/sandbox-dates\"; '\n"
        "code += 'return [load(\"a: [1, 2]\"), addDays(0, 1).getTime()]'\n"
        "print(Sandbox().run_sync(code, modules=INSTALLED).value)\n"
    )
    done = subprocess.run(
        [python, "-I", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "[{'a': [1, 2]}, 86400000]\n"), done.stderr
