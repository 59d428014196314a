"""A pack that somebody else publishes, from its wheel: `examples/third_party_pack`.

Every part is built as a wheel and installed into an environment that has nothing else of ours, the pack by pip, as
it is for whoever installs from an index.
"""

from __future__ import annotations

import json
import tomllib
import zipfile
from pathlib import Path

import pytest
from environments import ROOT, Environment, run_pytest, uv
from markdown_it import MarkdownIt
from nodetool_sandbox.cli import main

EXAMPLE = ROOT / "examples" / "third_party_pack"
PARTS = (
    "nodetool-sandbox",
    "nodetool-sandbox-registry",
    "nodetool-sandbox-host",
    "nodetool-sandbox-csv",
    "nodetool-sandbox-yaml",
)

ROUTE = """
import { bearing, distance } from "acme-geo";
import { encode } from "acme-geo/geohash";
import { parse } from "@nodetool-ai/sandbox-csv";
import yaml from "@nodetool-ai/sandbox-yaml";

const places = await parse(inputs.places);
const [from, to] = places.map(({ lat, lon }) => [Number(lat), Number(lon)]);
return yaml.dump({
  km: Math.round(distance(from, to)),
  degrees: Math.round(bearing(from, to)),
  at: encode(from, 5),
});
"""
PLACES = '"name, short";lat;lon\nBerlin;52.5163;13.3777\nParis;48.8584;2.2945\n'


@pytest.fixture(scope="module")
def environment(
    wheels: dict[str, Path], example_wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    folder = tmp_path_factory.mktemp("environment") / "clean"
    made = Environment.make(folder, [wheels[each] for each in PARTS])
    made.install(example_wheel)
    return made


@pytest.mark.timeout(180)
def test_a_program_imports_it_beside_the_first_party_packs(environment: Environment) -> None:
    (environment.folder / "places.csv").write_text(PLACES, encoding="utf-8")
    (environment.folder / "route.js").write_text(ROUTE, encoding="utf-8")
    done = environment.command("run", "route.js", "--module", "all", "--input", "places=@places.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "km: 879\ndegrees: 247\nat: u33db\n"


@pytest.mark.timeout(180)
def test_it_is_listed_with_nothing_to_complain_about(environment: Environment) -> None:
    done = environment.command("packs", "list", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    ours = [each for each in document["modules"] if each["distribution"] == "acme-geo"]
    assert [(each["specifier"], each["version"], each["kind"], each["available"]) for each in ours] == [
        ("acme-geo", "1.2.0", "js", True),
        ("acme-geo/geohash", "1.2.0", "js", True),
    ]
    assert [each for each in document["diagnostics"] if each["pack"] == "acme-geo"] == []


@pytest.mark.timeout(180)
@pytest.mark.parametrize("specifier", ["acme-geo/js/angles.js", "acme-geo/angles", "./js/angles.js"], ids=str)
def test_no_program_reaches_what_is_internal(environment: Environment, specifier: str) -> None:
    done = environment.command("run", "--module", "all", "-e", f'import * as inner from "{specifier}"')
    assert done.returncode == 1
    assert specifier in done.stderr


@pytest.mark.timeout(180)
@pytest.mark.parametrize("page", ["README.md", "src/acme_geo/SKILL.md"])
def test_the_examples_on_its_pages_run(environment: Environment, page: str) -> None:
    text = (EXAMPLE / page).read_text(encoding="utf-8")
    blocks = [token for token in MarkdownIt("commonmark").parse(text) if token.info.strip() == "js"]
    assert blocks
    for block in blocks:
        done = environment.command("run", "--module", "all", "-e", block.content)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_guide_shows_what_a_new_pack_is(tmp_path: Path) -> None:
    assert main(["packs", "new", "acme-words", str(tmp_path)]) == 0
    guide = (ROOT / "docs" / "how-to" / "write-a-pack.md").read_text(encoding="utf-8")
    tokens = [token for token in MarkdownIt("commonmark").parse(guide) if token.type == "fence"]
    shown = [tomllib.loads(token.content) for token in tokens if token.info.strip() == "toml"]
    package = tmp_path / "src" / "acme_words"
    written = [tmp_path / "pyproject.toml", package / "pack.toml"]
    assert shown == [tomllib.loads(file.read_text(encoding="utf-8")) for file in written]
    tree = next(token.content for token in tokens if token.content.startswith("acme-words/"))
    names = {line.split()[0] for line in tree.splitlines() if not line.split()[0].endswith("/")}
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert names == {
        file.relative_to(package if package in file.parents else tmp_path).as_posix() for file in files
    }
    front_matter = next(token.content for token in tokens if token.content.startswith("---"))
    assert (package / "SKILL.md").read_text(encoding="utf-8").startswith(front_matter)


@pytest.mark.timeout(180)
def test_an_error_of_it_names_its_own_file_and_the_programs_line(environment: Environment) -> None:
    code = 'import { distance } from "acme-geo";\nreturn distance([0, 0], [91, 0]);'
    done = environment.command("run", "--module", "acme-geo", "-e", code)
    assert done.returncode == 1
    first, *_ = done.stderr.splitlines()
    assert first.startswith("-e:2:")
    assert first.endswith("RangeError: distance: a point is [latitude, longitude] in degrees, not [91,0]")


@pytest.mark.timeout(180)
def test_its_wheel_holds_text_and_one_docstring(example_wheel: Path) -> None:
    names = [name for name in zipfile.ZipFile(example_wheel).namelist() if ".dist-info/" not in name]
    assert sorted(names) == [
        "acme_geo/SKILL.md",
        "acme_geo/__init__.py",
        "acme_geo/index.d.ts",
        "acme_geo/js/angles.js",
        "acme_geo/js/geohash.js",
        "acme_geo/js/index.js",
        "acme_geo/pack.toml",
    ]


@pytest.mark.timeout(180)
def test_a_new_pack_is_built_installed_checked_and_used(environment: Environment, tmp_path: Path) -> None:
    project = tmp_path / "acme-words"
    assert environment.command("packs", "new", "acme-words", str(project)).returncode == 0
    uv("build", "--quiet", "--wheel", "--out-dir", tmp_path, project)
    (wheel,) = tmp_path.glob("*.whl")
    checked = environment.command("packs", "check", str(wheel), "--strict", "--json")
    assert (checked.returncode, checked.stderr) == (0, "")
    environment.install(wheel, target=tmp_path / "target")
    code = 'import { countWords } from "acme-words"; return countWords("to be or not to be")'
    done = environment.command("run", "--module", "acme-words", "-e", code, path=tmp_path / "target")
    assert (done.stdout, done.stderr) == ("6\n", "")
    listed = environment.listed(tmp_path / "target").document["modules"]
    digests = {each["specifier"]: each["digest"] for each in listed}
    (module,) = json.loads(checked.stdout)["modules"]
    assert digests["acme-words"] == module["digest"]


@pytest.mark.timeout(180)
def test_the_test_of_a_new_pack_passes(tmp_path: Path) -> None:
    assert main(["packs", "new", "acme-words", str(tmp_path / "project")]) == 0
    uv("build", "--quiet", "--wheel", "--out-dir", tmp_path, tmp_path / "project")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    done = run_pytest(tmp_path / "project", path=tmp_path / "site")
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
