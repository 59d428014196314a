"""`packs new` writes a project that has nothing wrong with it, and `packs check` says what is wrong with others."""

from __future__ import annotations

import json
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from nodetool_sandbox.cli import main
from nodetool_sandbox.cli.authoring.new import build_project, package_name
from nodetool_sandbox.cli.authoring.project import MAX_WHEEL_FILES
from nodetool_sandbox_registry import DistName, PackManifest, Skill

Captured = pytest.CaptureFixture[str]
Change = Callable[[Path], object]
PACKAGE = "src/acme_words"


def check(path: Path, capsys: Captured, *options: str) -> dict[str, object]:
    status = main(["packs", "check", str(path), "--json", *options])
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    assert status == (0 if document["ok"] else 1)
    return document


def findings(document: dict[str, object]) -> list[tuple[str, str]]:
    found = document["findings"]
    assert isinstance(found, list)
    return [(each["code"], each["message"]) for each in found]


def write(place: str, text: str | bytes) -> Change:
    def change(folder: Path) -> object:
        file = folder / place
        file.parent.mkdir(exist_ok=True)
        return file.write_bytes(text.encode() if isinstance(text, str) else text)

    return change


def replace(place: str, old: str, new: str) -> Change:
    def change(folder: Path) -> object:
        text = (folder / place).read_text(encoding="utf-8")
        assert old in text
        return (folder / place).write_text(text.replace(old, new), encoding="utf-8")

    return change


def remove(place: str) -> Change:
    return lambda folder: (folder / place).unlink()


# ---- packs new


def test_a_new_pack_has_nothing_wrong_with_it(project: Path, capsys: Captured) -> None:
    document = check(project, capsys, "--strict")
    assert findings(document) == []
    modules = document["modules"]
    assert isinstance(modules, list)
    assert [(each["specifier"], each["kind"], each["available"], each["exports"]) for each in modules] == [
        ("acme-words", "js", True, ["countWords", "wordFrequencies"])
    ]


def test_a_name_is_written_as_indexes_compare_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["packs", "new", "Acme_Words.Count"]) == 0
    project = tomllib.loads((tmp_path / "acme-words-count" / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["name"] == "acme-words-count"


@pytest.mark.parametrize(
    ("name", "package"),
    [("acme-geo", "acme_geo"), ("json", "pack_json"), ("class", "pack_class"), ("3d", "pack_3d")],
)
def test_a_package_never_hides_a_module_of_python(name: str, package: str) -> None:
    assert package_name(DistName(name)) == package


@pytest.mark.parametrize("name", ["a", "x" * 128, "3d", "json", "a-" * 63 + "a"])
def test_every_name_that_pip_takes_makes_a_pack(name: str) -> None:
    files = build_project(DistName(name), year=2026)
    package = package_name(DistName(name))
    assert PackManifest.parse(files[f"src/{package}/pack.toml"].encode())
    assert Skill.parse(files[f"src/{package}/SKILL.md"].encode())
    assert not any("@NAME@" in text or "@PACKAGE@" in text for text in files.values())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "is not a distribution name"),
        ("é", "is not a distribution name"),
        ("../up", "is not a distribution name"),
        ("Nodetool_Sandbox.csv", "first-party"),
    ],
)
def test_a_name_that_no_pack_can_have_is_refused(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["packs", "new", name]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(project: Path, capsys: Captured) -> None:
    before = (project / "README.md").read_bytes()
    assert main(["packs", "new", "other", str(project)]) == 2
    assert "not an empty folder" in capsys.readouterr().err
    assert (project / "README.md").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "file").write_text("")
    assert main(["packs", "new", "acme", str(tmp_path / "file" / "acme")]) == 2
    assert "cannot be written" in capsys.readouterr().err


# ---- packs check: one thing wrong with a project


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (remove("pyproject.toml"), "project-invalid", "packs new NAME"),
        (write("pyproject.toml", "["), "project-invalid", "pyproject.toml cannot be read"),
        (write("pyproject.toml", b"\xff"), "project-invalid", "pyproject.toml cannot be read"),
        (write("pyproject.toml", "a = 1"), "project-invalid", "no [project]"),
        (write("pyproject.toml", ".".join("a" * 50_000) + " = 1"), "project-invalid", "cannot be read"),
        (write("pyproject.toml", "#" * 300_000), "project-invalid", "cannot be read"),
        (
            replace("pyproject.toml", 'name = "acme-words"', 'name = "évil"'),
            "project-invalid",
            "not a distribution name",
        ),
        (
            replace("pyproject.toml", "nodetool_sandbox.packs", "other"),
            "project-invalid",
            "has 0 entry points",
        ),
        (
            replace("pyproject.toml", '= "acme_words"', '= "acme_words.sub"'),
            "project-invalid",
            "one top-level package",
        ),
        (
            replace("pyproject.toml", '= "acme_words"', '= "elsewhere"'),
            "project-invalid",
            "no folder src/elsewhere",
        ),
        (replace("pyproject.toml", 'license = "MIT"', ""), "project-incomplete", "project.license"),
        (remove("README.md"), "project-incomplete", "README.md"),
        (remove(f"{PACKAGE}/pack.toml"), "discovery-failed", "pack.toml"),
        (replace(f"{PACKAGE}/pack.toml", "kind", "sort"), "discovery-failed", "modules[0].kind"),
        (
            replace(
                f"{PACKAGE}/pack.toml", 'kind = "js"\nfile = "js/index.js"', 'kind = "host"\nhost = "csv"'
            ),
            "discovery-failed",
            "belongs to @nodetool-ai/sandbox-csv and cannot be declared by acme-words",
        ),
        (replace(f"{PACKAGE}/pack.toml", "js/index.js", "../x.js"), "discovery-failed", "it leaves the pack"),
        (
            write(f"{PACKAGE}/js/index.js", "//" + "x" * 262_144),
            "discovery-failed",
            "above the 262,144 byte cap",
        ),
        (write(f"{PACKAGE}/js/index.js", 'import "node:fs"'), "discovery-failed", "node:fs"),
        (write(f"{PACKAGE}/js/index.js", "export const = 1"), "discovery-failed", "syntax error near line 1"),
        (
            replace(f"{PACKAGE}/pack.toml", 'file = "js/index.js"', 'npm = "big.js"'),
            "pending-compile",
            "packs compile",
        ),
        (write(f"{PACKAGE}/js/spare.js", ""), "file-undeclared", "js/spare.js"),
        (write(f"{PACKAGE}/__init__.py", "import os"), "python-unused", "__init__.py"),
        (write(f"{PACKAGE}/fast.so", b"\x7fELF"), "python-unused", "fast.so"),
        (
            write(f"{PACKAGE}/js/index.js", "process.exit()"),
            "module-probe-failed",
            "ReferenceError: process is not defined",
        ),
        (
            write(f"{PACKAGE}/js/index.js", "for (;;);"),
            "module-probe-failed",
            "does not load in an empty guest",
        ),
        (
            replace(f"{PACKAGE}/index.d.ts", "countWords", "count"),
            "types-differ",
            'declares "count", which the module does not export',
        ),
        (
            replace(f"{PACKAGE}/index.d.ts", "countWords", "count"),
            "types-differ",
            'leaves out "countWords", which the module exports',
        ),
        (write(f"{PACKAGE}/index.d.ts", "export nothing to x"), "types-differ", "index.d.ts line 1"),
        (
            write(f"{PACKAGE}/index.d.ts", 'declare module "acme-words/x" { export const a: 1; }'),
            "types-differ",
            '"acme-words/x", which pack.toml does not have',
        ),
        (remove(f"{PACKAGE}/index.d.ts"), "types-missing", "index.d.ts"),
        (replace(f"{PACKAGE}/SKILL.md", "// 6", "// 7"), "example-failed", 'line 15: the example says "7"'),
        (
            replace(f"{PACKAGE}/SKILL.md", 'countWords("to', 'countWords(5, "to'),
            "example-failed",
            "line 15: the example fails: TypeError: countWords: text must be a string",
        ),
        (replace(f"{PACKAGE}/SKILL.md", "wordFrequencies", "other"), "example-missing", '"wordFrequencies"'),
        (replace(f"{PACKAGE}/SKILL.md", "```js", "```ts"), "example-missing", "has no example"),
        (replace(f"{PACKAGE}/SKILL.md", "name:", "title:"), "skill-invalid", "front matter"),
        (write(f"{PACKAGE}/SKILL.md", "x" * 16_385), "skill-invalid", "byte cap"),
        (remove(f"{PACKAGE}/SKILL.md"), "skill-missing", "SKILL.md"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_told_with_its_code(
    change: Change, code: str, words: str, project: Path, capsys: Captured
) -> None:
    change(project)
    document = check(project, capsys)
    told = [message for each, message in findings(document) if each == code]
    assert any(words in message for message in told), findings(document)
    assert not any(str(project) in message for message in told)
    strict = main(["packs", "check", str(project), "--strict"])
    assert strict == 1
    assert f"({code})" in capsys.readouterr().out


def test_a_project_is_found_from_its_packages_folder(project: Path, capsys: Captured) -> None:
    assert findings(check(project / PACKAGE, capsys)) == []


def test_a_pack_whose_build_sets_the_version_has_no_digest_yet(project: Path, capsys: Captured) -> None:
    replace("pyproject.toml", 'version = "0.1.0"', 'dynamic = ["version"]')(project)
    document = check(project, capsys)
    assert (document["version"], document["digest"], document["ok"]) == (None, None, True)


def test_a_second_module_has_its_signatures_in_a_block_of_its_own(project: Path, capsys: Captured) -> None:
    with (project / PACKAGE / "pack.toml").open("a", encoding="utf-8") as manifest:
        manifest.write('[[modules]]\nname = "more"\nkind = "js"\nfile = "js/more.js"\n')
    write(f"{PACKAGE}/js/more.js", "export const most = 7;")(project)
    replace(f"{PACKAGE}/SKILL.md", "## Gotchas", "## most\n\n## Gotchas")(project)
    (said,) = findings(check(project, capsys))
    assert said[0] == "types-differ"
    assert 'declare module "acme-words/more"' in said[1]
    with (project / PACKAGE / "index.d.ts").open("a", encoding="utf-8") as types:
        types.write('declare module "acme-words/more" { export const most: 7; }\n')
    assert findings(check(project, capsys)) == []


def test_there_must_be_something_to_check(tmp_path: Path, capsys: Captured) -> None:
    assert main(["packs", "check", str(tmp_path / "none")]) == 2
    assert "there is no such folder or wheel" in capsys.readouterr().err


# ---- packs check: a wheel


INFO = "acme_words-0.1.0.dist-info"


def wheel(project: Path, *, without: str = "", extra: dict[str, str] | None = None) -> Path:
    """The project's wheel, as a build would write it but for what the test says."""
    files = {
        f"acme_words/{file.relative_to(project / PACKAGE).as_posix()}": file.read_text(encoding="utf-8")
        for file in (project / PACKAGE).rglob("*")
        if file.is_file()
    }
    files[f"{INFO}/METADATA"] = "Metadata-Version: 2.4\nName: acme-words\nVersion: 0.1.0\n"
    files[f"{INFO}/entry_points.txt"] = "[nodetool_sandbox.packs]\nacme_words = acme_words\n"
    files |= extra or {}
    files.pop(without, None)
    files[f"{INFO}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{INFO}/RECORD"])
    path = project / "acme_words-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_wheel_is_checked_as_it_would_be_installed(project: Path, capsys: Captured) -> None:
    of_project = check(project, capsys)
    of_wheel = check(wheel(project), capsys, "--strict")
    assert findings(of_wheel) == []
    assert of_wheel == of_project


@pytest.mark.parametrize(
    ("without", "extra", "code", "words"),
    [
        ("", {"../up.js": ""}, "project-invalid", '"../up.js"'),
        ("", {"/etc/up.js": ""}, "project-invalid", '"/etc/up.js"'),
        ("", {"a\\..\\up.js": ""}, "project-invalid", "leaves it or can be misread"),
        ("", {"%2e%2e/up.js": ""}, "project-invalid", "leaves it or can be misread"),
        ("", {f"{n}.txt": "" for n in range(MAX_WHEEL_FILES)}, "project-invalid", "where 10,000 and"),
        (f"{INFO}/entry_points.txt", {}, "project-invalid", "so it is no pack"),
        (f"{INFO}/METADATA", {}, "discovery-failed", "METADATA has no usable Name"),
        ("acme_words/js/checks.js", {}, "discovery-failed", '"js/checks.js" is not in the pack'),
        ("", {"acme_words.pth": "import os"}, "discovery-failed", 'it brings "acme_words.pth"'),
        ("", {"other_words/run.py": ""}, "python-unused", '"other_words" beside its package'),
        ("", {"acme_words/run.py": "import os"}, "python-unused", '"run.py"'),
    ],
)
def test_what_is_wrong_with_a_wheel_is_told(  # noqa: PLR0917 - a table's columns
    without: str, extra: dict[str, str], code: str, words: str, project: Path, capsys: Captured
) -> None:
    document = check(wheel(project, without=without, extra=extra), capsys)
    assert any(each == code and words in message for each, message in findings(document)), document


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip at all"], ids=repr)
def test_a_wheel_that_is_none_is_told(data: bytes, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "x-1-py3-none-any.whl"
    path.write_bytes(data)
    assert "damaged, or no wheel" in findings(check(path, capsys))[0][1]


def test_a_wheel_inflates_to_no_more_than_its_cap(
    project: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = wheel(project)
    size = sum(each.file_size for each in zipfile.ZipFile(path).infolist())
    monkeypatch.setattr("nodetool_sandbox.cli.authoring.project.MAX_WHEEL_BYTES", size)
    assert check(path, capsys)["ok"]
    monkeypatch.setattr("nodetool_sandbox.cli.authoring.project.MAX_WHEEL_BYTES", size - 1)
    assert "bytes, where" in findings(check(path, capsys))[0][1]
