"""An overlay shows what a real folder would show, leaves it as it was, and its changes make it so."""

from __future__ import annotations

import copy
import errno
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from files.test_files import snapshot
from files.workspaces import at, budget, kernel, overlay
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox import Change, ChangeKind, Changes, ChangesConflict, SandboxError
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.overlay import Overlay
from nodetool_sandbox.files.refusals import RefusedError, RunOverError
from nodetool_sandbox.files.tree import Files

NAMES = st.sampled_from(["a", "b", "file", "full", "link", "up"])
PATHS = st.lists(NAMES, min_size=0, max_size=3).map("/".join)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), PATHS, st.sampled_from(["", "1", "22"])),
        st.tuples(st.sampled_from(["copy", "move"]), PATHS, PATHS),
        st.tuples(st.sampled_from(["make_folder", "remove", "read", "names", "look"]), PATHS, st.just("")),
    ),
    max_size=12,
)


def filled(folder: Path) -> Path:
    (folder / "full" / "a").mkdir(parents=True)
    (folder / "full" / "a" / "file").write_text("in a")
    (folder / "full" / "b").write_text("b")
    (folder / "file").write_text("content")
    (folder / "link").symlink_to("full")
    (folder / "full" / "up").symlink_to("../file")
    return folder


def did(files: Files, step: tuple[str, str, str]) -> object:
    """What comes of a step: a value, or how it is refused."""
    verb, path, more = step
    do: dict[str, Callable[[], object]] = {
        "write": lambda: files.write(at(path), more.encode()),
        "copy": lambda: files.copy(at(path), at(more)),
        "move": lambda: files.move(at(path), at(more)),
        "make_folder": lambda: files.make_folder(at(path)),
        "remove": lambda: files.remove(at(path)),
        "read": lambda: files.read(at(path)),
        "names": lambda: sorted(files.names(at(path))),
        "look": lambda: (facts := files.look(at(path))) and facts.kind,
    }
    try:
        return do[verb]()
    except OSError as refusal:
        return refusal.errno
    except RefusedError as refusal:
        return type(refusal).__name__


def holds_a_link(folder: Path, step: tuple[str, str, str]) -> bool:
    """Whether a step moves a folder with a link in it, which an overlay refuses."""
    source = folder / step[1]
    return step[0] == "move" and source.is_dir() and any(path.is_symlink() for path in source.rglob("*"))


@pytest.mark.property
@given(steps=STEPS)
def test_an_overlay_answers_as_a_folder_does_and_its_changes_make_the_folder_the_same(
    steps: list[tuple[str, str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        real, below = filled(Path(temporary) / "real"), filled(Path(temporary) / "below")
        before = snapshot(below)
        on_disk, in_memory = kernel(real), overlay(below)
        for step in steps:
            if not holds_a_link(real, step):
                assert did(in_memory, step) == did(on_disk, step), step
        assert snapshot(below) == before
        Changes(folder=str(below), items=in_memory.changes()).apply()
        assert snapshot(below) == snapshot(real)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path / "folder")


def listed(files: Overlay) -> list[str]:
    return [f"{each.kind} {each.path}{'/' * each.is_folder}" for each in files.changes()]


def test_changes_say_what_is_different_in_the_end(folder: Path) -> None:
    files = overlay(folder)
    files.write(at("new/deep/one"), b"1")
    files.write(at("file"), b"other")
    files.write(at("gone_again"), b"")
    files.remove(at("gone_again"))
    files.remove(at("link"))
    files.remove(at("full/a/file"))
    files.remove(at("full/a"))
    files.write(at("full/a"), b"a file now")
    assert listed(files) == [
        "removed full/a/file",
        "removed full/a/",
        "removed link",
        "added new/",
        "added new/deep/",
        "changed file",
        "added full/a",
        "added new/deep/one",
    ]
    contents = {each.path: (each.content, each.size) for each in files.changes() if each.content is not None}
    assert contents == {
        "file": (b"other", 5),
        "full/a": (b"a file now", 10),
        "new/deep/one": (b"1", 1),
    }


def test_what_is_put_back_where_a_file_was_is_a_change_of_that_file(folder: Path) -> None:
    files = overlay(folder)
    files.move(at("file"), at("x"))
    assert listed(files) == ["removed file", "added x"]
    files.move(at("x"), at("file"))
    assert listed(files) == ["changed file"]


def test_a_new_folder_hides_what_a_link_of_that_name_led_to(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("link"))
    files.make_folder(at("link"))
    assert files.names(at("link")) == []
    files.write(at("link/b"), b"mine")
    assert files.read(at("full/b")) == b"b"


def test_a_moved_folder_takes_along_what_was_changed_in_it(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("full/up"))
    files.write(at("full/a/new"), b"new")
    files.remove(at("full/b"))
    files.move(at("full"), at("moved"))
    assert sorted(files.names(at("moved"))) == ["a"]
    assert sorted(files.names(at("moved/a"))) == ["file", "new"]
    assert files.look(at("full")) is None
    Changes(folder=str(folder), items=files.changes()).apply()
    assert (folder / "moved" / "a" / "file").read_text() == "in a"
    assert not (folder / "full").exists()


def test_a_folder_with_a_link_in_it_is_not_moved(folder: Path) -> None:
    assert did(overlay(folder), ("move", "full", "moved")) == "EntryRefusedError"


def test_dropping_changes_is_not_applying_them(folder: Path) -> None:
    before = snapshot(folder)
    overlay(folder).write(at("file"), b"other")
    assert snapshot(folder) == before


def test_changes_are_a_sequence_that_goes_to_another_process(folder: Path) -> None:
    files = overlay(folder)
    files.write(at("file"), b"other")
    files.write(at("x"), b"")
    changes = Changes(folder=str(folder), items=files.changes())
    assert len(changes) == len(list(changes)) == 2
    assert changes[0].kind is ChangeKind.CHANGED
    assert [each.path for each in changes[1:]] == ["x"]
    assert "other" not in repr(changes)
    assert copy.deepcopy(changes) == changes  # as pickle does it


def test_a_folder_that_has_changed_since_is_told_whole_and_left_alone(folder: Path) -> None:
    files = overlay(folder)
    files.write(at("file"), b"other")
    files.write(at("full/b"), b"other")
    files.write(at("new"), b"new")
    files.write(at("fine"), b"fine")
    (folder / "file").write_text("somebody else's")
    (folder / "new").write_text("somebody else's")
    before = snapshot(folder)
    changes = Changes(folder=str(folder), items=files.changes())
    with pytest.raises(
        ChangesConflict, match=r"2 of the changed paths .*'file', 'new'.*force=True"
    ) as refusal:
        changes.apply()
    assert refusal.value.paths == ("file", "new")
    assert snapshot(folder) == before
    changes.apply(force=True)
    assert (folder / "file").read_text() == "other"
    assert (folder / "fine").read_text() == "fine"


def test_changes_are_applied_beneath_the_folder_whatever_was_put_into_it_since(
    folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("a")
    files = overlay(folder)
    files.write(at("full/a/new"), b"new")
    files.write(at("full/b"), b"new")
    files.remove(at("full/a/file"))
    before = snapshot(outside)
    shutil.rmtree(folder / "full")
    (folder / "full").symlink_to(outside)
    changes = Changes(folder=str(folder), items=files.changes())
    with pytest.raises(ChangesConflict):
        changes.apply()
    with pytest.raises(SandboxError, match="cannot be applied: it lies outside"):
        changes.apply(force=True)
    assert snapshot(outside) == before


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x"])
def test_a_forged_change_is_not_applied_outside(folder: Path, path: str) -> None:
    forged = Changes(folder=str(folder), items=(Change(path=path, kind=ChangeKind.ADDED, content=b"x"),))
    before = snapshot(folder.parent)
    with pytest.raises(SandboxError, match=r"cannot be applied|no longer as"):
        forged.apply()
    with pytest.raises(SandboxError, match="cannot be applied"):
        forged.apply(force=True)
    assert snapshot(folder.parent) == before


def test_what_was_removed_hides_what_was_in_it(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("full/a/file"))
    files.remove(at("full/a"))
    files.write(at("full/a/b/new"), b"new")
    assert files.names(at("full/a")) == ["b"]
    assert files.look(at("full/a/file")) is None
    assert listed(files) == [
        "removed full/a/file",
        "removed full/a/",
        "added full/a/",
        "added full/a/b/",
        "added full/a/b/new",
    ]
    Changes(folder=str(folder), items=files.changes()).apply()
    assert snapshot(folder / "full" / "a") == {"b": None, "b/new": b"new"}


def test_what_cannot_be_read_any_more_says_why(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("file"))
    files.make_folder(at("new"))
    assert did(files, ("read", "file", "")) == errno.ENOENT
    assert did(files, ("read", "new", "")) == errno.EISDIR


def test_a_folder_may_stand_where_a_file_was(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("file"))
    files.write(at("file/x"), b"x")
    assert listed(files) == ["removed file", "added file/", "added file/x"]
    Changes(folder=str(folder), items=files.changes()).apply()
    assert (folder / "file" / "x").read_text() == "x"


def test_what_is_done_already_is_no_conflict(folder: Path) -> None:
    files = overlay(folder)
    files.remove(at("full/b"))
    files.write(at("new/x"), b"x")
    (folder / "full" / "b").unlink()
    (folder / "new").mkdir()
    Changes(folder=str(folder), items=files.changes()).apply()
    assert (folder / "new" / "x").read_text() == "x"


def test_a_changed_file_that_has_gone_is_a_conflict(folder: Path) -> None:
    files = overlay(folder)
    files.write(at("file"), b"other")
    (folder / "file").unlink()
    with pytest.raises(ChangesConflict, match="'file'"):
        Changes(folder=str(folder), items=files.changes()).apply()


def test_a_run_that_ends_in_the_middle_of_a_change_has_not_made_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = Lease(str(folder), lambda: False)
    files = overlay(folder, budget(quota_bytes=1), lease)

    def end(_: object) -> list[object]:
        lease.end()
        return []

    monkeypatch.setattr(files, "_missing_folders", end)
    for _ in range(2):  # and what it would have held is given back
        with pytest.raises(RunOverError):
            files.write(at("new"), b"x")
    assert files.changes() == ()
