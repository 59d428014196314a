"""`run --workspace`: the folder, an overlay's changes, and `--apply`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nodetool_sandbox.cli import main

Captured = pytest.CaptureFixture[str]

CHANGES = (
    "await workspace.write('a', 'new'); await workspace.write('b/c', '123'); await workspace.remove('d')"
)
LISTED = """\
  removed  d
  added    b/
  changed  a  3 bytes
  added    b/c  3 bytes
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a").write_text("old")
    (tmp_path / "d").write_text("")
    return tmp_path


def run(*arguments: str) -> int:
    return main(["run", *arguments])


def test_a_program_reads_and_writes_the_folder_that_it_was_given(folder: Path, capsys: Captured) -> None:
    code = "await workspace.write('x', 'made'); return workspace.read('a')"
    assert run("--workspace", str(folder), "-e", code) == 0
    assert capsys.readouterr() == ("old\n", "")
    assert (folder / "x").read_text() == "made"


@pytest.mark.parametrize("name", ["with:colon", "with:ro:rw", "x:overlays"])
def test_a_folder_may_have_a_colon_in_its_name(folder: Path, name: str, capsys: Captured) -> None:
    path = folder / name.removesuffix(":rw")
    path.mkdir()
    assert run("--workspace", str(folder / name), "-e", "await workspace.write('x', '1')") == 0
    assert (path / "x").exists()
    capsys.readouterr()


def test_a_folder_may_be_given_to_read_alone(folder: Path, capsys: Captured) -> None:
    assert run("--workspace", f"{folder}:ro", "-e", "await workspace.write('a', 'x')") == 1
    assert "EROFS: the workspace is read-only, open 'a'" in capsys.readouterr().err
    assert (folder / "a").read_text() == "old"


def test_changes_are_listed_and_not_made(folder: Path, capsys: Captured) -> None:
    assert run("--workspace", f"{folder}:overlay", "-e", CHANGES + "; return 'done'") == 0
    assert capsys.readouterr() == (
        "done\n",
        LISTED + "workspace: 4 changes not made; --apply makes them\n",
    )
    assert sorted(path.name for path in folder.iterdir()) == ["a", "d"]


def test_changes_are_made_where_that_was_asked_for(folder: Path, capsys: Captured) -> None:
    assert run("--workspace", f"{folder}:overlay", "--apply", "-e", CHANGES) == 0
    assert capsys.readouterr().err == LISTED + "workspace: 4 changes made\n"
    assert (folder / "a").read_text() == "new"
    assert (folder / "b" / "c").read_text() == "123"
    assert not (folder / "d").exists()


def test_changes_of_a_program_that_failed_are_not_made(folder: Path, capsys: Captured) -> None:
    code = "await workspace.write('a', 'new'); throw new Error('no')"
    assert run("--workspace", f"{folder}:overlay", "--apply", "-e", code) == 1
    assert capsys.readouterr().err.endswith("workspace: 1 change not made, because the program failed\n")
    assert (folder / "a").read_text() == "old"


def test_no_change_is_said_too(folder: Path, capsys: Captured) -> None:
    assert run("--workspace", f"{folder}:overlay", "-e", "return 1") == 0
    assert capsys.readouterr().err == "workspace: 0 changes\n"


def test_names_of_files_do_not_act_on_a_terminal(folder: Path, capsys: Captured) -> None:
    code = r"await workspace.write('x\u001b[2Jy\n  added    z', '')"
    assert run("--workspace", f"{folder}:overlay", "-e", code) == 0
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert said.count("\n") == 2


def test_changes_stand_in_the_json_document(folder: Path, capsys: Captured) -> None:
    assert run("--workspace", f"{folder}:overlay", "--apply", "--json", "-e", CHANGES) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert json.loads(said.out)["changes"] == [
        {"path": "d", "kind": "removed", "folder": False, "bytes": 0},
        {"path": "b", "kind": "added", "folder": True, "bytes": 0},
        {"path": "a", "kind": "changed", "folder": False, "bytes": 3},
        {"path": "b/c", "kind": "added", "folder": False, "bytes": 3},
    ]
    assert (folder / "a").read_text() == "new"
    assert run("--json", "-e", "return 1") == 0
    assert json.loads(capsys.readouterr().out)["changes"] is None


def test_changes_that_cannot_be_made_are_a_failure(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "/the/hosts/path")

    monkeypatch.setattr("os.fsync", full)
    assert run("--workspace", f"{folder}:overlay", "--apply", "-e", CHANGES) == 1
    assert capsys.readouterr().err.endswith("nodetool-sandbox: --apply: No space left on device\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--workspace", "/nowhere/at/all"], "--workspace /nowhere/at/all: Workspace('/nowhere/at/all'): there is no"),
        (["--workspace", ""], "there is no such folder"),
        (["--workspace", "/:host"], "there is no such folder"),
        (["--apply"], "--apply makes the changes of an overlay: give --workspace DIR:overlay too"),
        (["--workspace", "/:ro", "--apply"], "--apply makes the changes of an overlay"),
    ],
)  # fmt: skip
def test_what_cannot_be_given_is_said_before_anything_runs(
    arguments: list[str], said: str, capsys: Captured
) -> None:
    assert run(*arguments, "-e", "return 1") == 2
    assert said in capsys.readouterr().err


def test_a_program_without_a_folder_hears_of_the_option(capsys: Captured) -> None:
    assert run("-e", "await workspace.read('a')") == 1
    assert "--workspace DIR" in capsys.readouterr().err
