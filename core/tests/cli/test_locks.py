"""`packs lock`, `run --lock` and `run --locked`, and the way to the compiler."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from nodetool_sandbox.cli import main
from nodetool_sandbox.cli.authoring import compiling

YAML = "@nodetool-ai/sandbox-yaml"
ZIP = "@nodetool-ai/sandbox-zip"

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drift(file: Path, field: str, value: str) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))
    for each in document["modules"]:
        each[field] = value
    file.write_text(json.dumps(document), encoding="utf-8")


def test_everything_that_is_installed_is_locked(folder: Path, capsys: Captured) -> None:
    assert main(["packs", "lock"]) == 0
    document = json.loads((folder / "sandbox.lock").read_text(encoding="utf-8"))
    capsys.readouterr()
    main(["packs", "list", "--json"])
    listed = json.loads(capsys.readouterr().out)["modules"]
    assert document["modules"] == [
        {
            "specifier": each["specifier"],
            "distribution": each["distribution"],
            "resolvedPackVersion": each["version"],
            "contentDigest": each["digest"],
        }
        for each in listed
        if each["available"]
    ]


def test_a_lock_that_is_true_changes_nothing(folder: Path, capsys: Captured) -> None:
    assert main(["packs", "lock", YAML, "--output", "other.lock"]) == 0
    assert "1 module locked in other.lock" in capsys.readouterr().err
    assert not (folder / "sandbox.lock").exists()
    assert main(["packs", "lock", "--check", "--output", "other.lock"]) == 0
    assert main(["run", "--lock", "other.lock", "--locked", "--module", YAML, "-e", "return 1"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("resolvedPackVersion", "0.0.1", "was saved with pack version 0.0.1"),
        ("contentDigest", "0" * 64, "has changed since it was locked"),
    ],
)
def test_a_drift_warns_or_refuses(field: str, value: str, words: str, folder: Path, capsys: Captured) -> None:
    main(["packs", "lock", YAML])
    drift(folder / "sandbox.lock", field, value)
    capsys.readouterr()
    assert main(["run", "--lock", "sandbox.lock", "--module", YAML, "-e", "return 1"]) == 0
    warned = capsys.readouterr()
    assert warned.out == "1\n"
    assert warned.err.startswith(f"warning: Sandbox module {YAML} ")
    assert words in warned.err
    assert main(["run", "--locked", "--module", YAML, "-e", "return 1"]) == 2
    refused = capsys.readouterr()
    assert refused.out == ""
    assert words in refused.err
    assert main(["packs", "lock", "--check"]) == 1
    assert words in capsys.readouterr().err


def test_a_locked_run_may_import_what_is_locked_and_nothing_else(capsys: Captured) -> None:
    main(["packs", "lock", YAML])
    capsys.readouterr()
    assert main(["run", "--locked", "--module", ZIP, "-e", "return 1"]) == 2
    assert f"--locked: {ZIP} is not in sandbox.lock" in capsys.readouterr().err
    assert main(["packs", "lock", "--check", ZIP]) == 1
    assert f"{ZIP} is not locked" in capsys.readouterr().err
    program = f'import {{ zip }} from "{ZIP}"; return 1'
    assert main(["run", "--locked", "--module", "all", "-e", program]) == 1
    assert f'"{ZIP}" is not a sandbox package declared for this run' in capsys.readouterr().err


def test_without_a_lock_there_is_nothing_to_compare_with(folder: Path, capsys: Captured) -> None:
    assert main(["run", "--locked", "-e", "return 1"]) == 2
    assert "packs lock" in capsys.readouterr().err
    (folder / "sandbox.lock").write_text("{}")
    assert main(["run", "--lock", "sandbox.lock", "-e", "return 1"]) == 2
    assert "sandbox.lock: the lock must be an object with lockVersion 1" in capsys.readouterr().err


def test_a_module_that_is_not_there_is_not_locked(folder: Path, capsys: Captured) -> None:
    assert main(["packs", "lock", "no-such-pack"]) == 2
    assert "Sandbox module no-such-pack is not installed" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_lock_of_a_module_that_is_gone_is_out_of_date(folder: Path, capsys: Captured) -> None:
    (folder / "sandbox.lock").write_text('{"lockVersion": 1, "modules": ["no-such-pack"]}')
    assert main(["packs", "lock", "--check"]) == 1
    assert "no-such-pack is not installed" in capsys.readouterr().err


# ---- packs compile


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(compiling, "find_compile_command", lambda: None)
    assert main(["packs", "compile", "--json"]) == 2
    assert "pip install nodetool-sandbox-compiler" in capsys.readouterr().err


def test_the_compiler_gets_what_stands_behind_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, ...]] = []

    def command(arguments: tuple[str, ...]) -> int:
        given.append(arguments)
        return 7

    monkeypatch.setattr(compiling, "find_compile_command", lambda: ("compiler_of_a_test", "main"))
    monkeypatch.setitem(
        sys.modules, "compiler_of_a_test", type("Module", (), {"main": staticmethod(command)})
    )
    assert main(["packs", "compile", "--force", "--json", "folder", "--help"]) == 7
    assert given == [("--force", "--json", "folder", "--help")]


@pytest.mark.parametrize("arguments", [["packs", "list", "--odd"], ["run", "-e", "1", "--odd"]], ids=str)
def test_an_unknown_option_of_any_other_command_is_a_wrong_call(
    arguments: list[str], capsys: Captured
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "unrecognized arguments: --odd" in capsys.readouterr().err
