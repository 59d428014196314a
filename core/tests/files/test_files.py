"""The verbs, each done the three ways: beneath the kernel's handle, by the walk, in memory."""

from __future__ import annotations

import errno
import os
import socket  # noqa: TID251 - a file of this kind
from collections.abc import Callable
from pathlib import Path

import pytest
from files.workspaces import WAYS, Make, at, budget, descriptors, kernel, overlay, walk
from nodetool_sandbox.files.folder import CHUNK_BYTES
from nodetool_sandbox.files.lease import Lease
from nodetool_sandbox.files.refusals import (
    BudgetExceededError,
    EntryRefusedError,
    HardLinkError,
    OutsideError,
    RunOverError,
)
from nodetool_sandbox.files.tree import Files, Kind

each_way = pytest.mark.parametrize("make", WAYS, ids=lambda way: way.__name__)
on_disk = pytest.mark.parametrize("make", [kernel, walk], ids=lambda way: way.__name__)

SECRET = "nobody may read this"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with files, beside a folder that must stay as it is."""
    inside = tmp_path / "inside"
    (inside / "full" / "deep").mkdir(parents=True)
    (inside / "empty").mkdir()
    (inside / "file").write_text("content")
    (inside / "full" / "deep" / "leaf").write_text("leaf")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text(SECRET)
    for name, target in {
        "to_file": "file",
        "to_full": "./full//",
        "full/up": "../file",
        "new_inside": "empty/made",
        "out_file": "../outside/secret",
        "out_folder": "../outside",
        "out_new": "../outside/made",
        "absolute": str(inside / "file"),
        "system": "/",
        "above": "..",
        "proc": "/proc/self",
        "itself": "itself",
        "one": "two",
        "two": "one",
    }.items():
        (inside / name).symlink_to(target)
    return inside


def snapshot(folder: Path) -> dict[str, bytes | str | None]:
    """Everything that is in a folder."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


def code_of(work: Callable[[], object]) -> str:
    """How the system refuses it."""
    with pytest.raises(OSError, match="Errno") as refusal:
        work()
    return errno.errorcode[refusal.value.errno or 0]


@each_way
def test_what_was_written_is_read_and_the_folders_that_lead_there_are_made(root: Path, make: Make) -> None:
    files = make(root)
    files.write(at("a/b/c"), b"1")
    files.write(at("a/b/c"), b"22")
    files.write(at("a/b/d"), b"")
    assert files.read(at("a/b/c")) == b"22"
    assert files.read(at("a/b/d")) == b""
    assert sorted(files.names(at("a/b"))) == ["c", "d"]
    assert files.names(at("a")) == ["b"]


@each_way
def test_every_byte_of_a_file_of_several_chunks_is_the_same(root: Path, make: Make) -> None:
    data = os.urandom(1000) * (2 * CHUNK_BYTES // 1000 + 1)
    files = make(root)
    files.write(at("large"), data)
    files.copy(at("large"), at("copy"))
    assert files.read(at("copy")) == data


@each_way
def test_links_that_stay_inside_are_followed(root: Path, make: Make) -> None:
    files = make(root)
    assert files.read(at("to_file")) == b"content"
    assert files.read(at("to_full/up")) == b"content"
    assert files.read(at("to_full/deep/leaf")) == b"leaf"
    files.write(at("to_file"), b"through")
    files.write(at("to_full/new"), b"n")
    files.write(at("new_inside"), b"m")
    files.make_folder(at("to_full/deeper/still"))
    files.remove(at("full/deeper/still"))
    files.remove(at("full/deeper"))
    assert files.read(at("file")) == b"through"
    assert files.read(at("full/new")) == b"n"
    assert files.read(at("empty/made")) == b"m"
    assert files.look(at("to_file")).kind is Kind.LINK  # type: ignore[union-attr]
    assert sorted(files.names(at("to_full"))) == ["deep", "new", "up"]


OUTSIDE = [
    "out_file",
    "out_folder",
    "out_folder/secret",
    "out_folder/new",
    "out_new",
    "absolute",
    "system",
    "system/etc/hostname",
    "above",
    "above/outside/secret",
    "proc",
    "proc/environ",
    "proc/root/etc/hostname",
]


@each_way
@pytest.mark.parametrize("path", OUTSIDE)
def test_links_that_lead_outside_are_not(root: Path, make: Make, path: str) -> None:
    files = make(root)
    before = snapshot(root.parent)
    for work in (
        lambda: files.read(at(path)),
        lambda: files.names(at(path)),
        lambda: files.write(at(path), b"x"),
        lambda: files.copy(at(path), at("copy")),
        lambda: files.copy(at("file"), at(path)),
        lambda: files.make_folder(at(path + "/x/y")),
        lambda: files.write(at(path + "/x/y"), b"x"),
        lambda: files.move(at("file"), at(path + "/x")),
        lambda: files.move(at(path + "/x"), at("moved")),
        lambda: files.remove(at(path + "/x")),
        lambda: files.look(at(path + "/x")),
    ):
        with pytest.raises(OutsideError):
            work()
    assert snapshot(root.parent) == before


@each_way
@pytest.mark.parametrize("path", ["out_file", "out_folder", "above", "system", "itself", "to_full"])
def test_removing_a_link_removes_the_link(root: Path, make: Make, path: str) -> None:
    files = make(root)
    outside = snapshot(root.parent / "outside")
    files.remove(at(path))
    assert files.look(at(path)) is None
    assert path not in files.names(())
    assert files.names(at("full"))
    assert snapshot(root.parent / "outside") == outside


@each_way
@pytest.mark.parametrize("path", ["out_file", "to_file", "itself"])
def test_a_link_is_not_moved_because_it_would_lead_elsewhere(root: Path, make: Make, path: str) -> None:
    with pytest.raises(EntryRefusedError, match="a link is not moved"):
        make(root).move(at(path), at("moved"))


@each_way
def test_moving_onto_a_link_replaces_the_link(root: Path, make: Make) -> None:
    files = make(root)
    files.move(at("file"), at("out_file"))
    assert files.read(at("out_file")) == b"content"
    assert (root.parent / "outside" / "secret").read_text() == SECRET


@each_way
def test_links_in_a_circle_end_at_once(root: Path, make: Make) -> None:
    files = make(root)
    for path in ("itself", "one", "one/x"):
        for work in (
            lambda: files.read(at(path)),  # noqa: B023 - called here
            lambda: files.write(at(path), b""),  # noqa: B023
            lambda: files.names(at(path)),  # noqa: B023
            lambda: files.look(at(path + "/x")),  # noqa: B023
        ):
            assert code_of(work) == "ELOOP"


@each_way
def test_the_systems_refusals_are_the_same_whichever_way(root: Path, make: Make) -> None:
    files = make(root)
    for code, works in {
        "ENOENT": (
            lambda: files.read(at("nothing")),
            lambda: files.read(at("no/thing")),
            lambda: files.names(at("nothing")),
            lambda: files.remove(at("nothing")),
            lambda: files.copy(at("nothing"), at("x")),
            lambda: files.move(at("nothing"), at("x")),
            lambda: files.move(at("nothing"), at("nothing")),
        ),
        "EISDIR": (
            lambda: files.read(at("full")),
            lambda: files.read(()),
            lambda: files.write(at("full"), b""),
            lambda: files.write((), b""),
            lambda: files.copy(at("full"), at("x")),
            lambda: files.copy(at("file"), at("full")),
            lambda: files.move(at("file"), at("empty")),
        ),
        "ENOTDIR": (
            lambda: files.read(at("file/x")),
            lambda: files.names(at("file")),
            lambda: files.write(at("file/x"), b""),
            lambda: files.make_folder(at("file/x")),
            lambda: files.move(at("full"), at("file")),
            lambda: files.remove(at("file/x")),
        ),
        "EEXIST": (lambda: files.make_folder(at("file")),),
        "ENOTEMPTY": (
            lambda: files.remove(at("full")),
            lambda: files.move(at("empty"), at("full")),
            lambda: files.move(at("full/deep/leaf"), at("full/deep")),
        ),
        "EINVAL": (lambda: files.move(at("full"), at("full/deep/x")),),
        "ENAMETOOLONG": (
            lambda: files.read(at("n" * 256)),
            lambda: files.write(at("é" * 128), b""),
            lambda: files.make_folder(at("\U0001f600" * 100)),
        ),
    }.items():
        for work in works:
            assert code_of(work) == code
    assert sorted(files.names(())) == sorted(path.name for path in root.iterdir())


@each_way
def test_looking_at_what_is_not_there_is_no_failure(root: Path, make: Make) -> None:
    files = make(root)
    for path in ("nothing", "no/thing", "file/x"):
        assert files.look(at(path)) is None


@each_way
def test_the_root_stays(root: Path, make: Make) -> None:
    files = make(root)
    works: list[Callable[[], object]] = [
        lambda: files.remove(()),
        lambda: files.move((), at("x")),
        lambda: files.move(at("full"), ()),
    ]
    for work in works:
        with pytest.raises(EntryRefusedError, match="the workspace itself is not"):
            work()
    files.make_folder(())
    assert files.look(()).kind is Kind.FOLDER  # type: ignore[union-attr]


@each_way
def test_copying_or_moving_onto_itself_changes_nothing(root: Path, make: Make) -> None:
    files = make(root)
    files.copy(at("file"), at("file"))
    files.copy(at("to_file"), at("file"))
    files.move(at("file"), at("file"))
    files.move(at("full"), at("full"))
    assert files.read(at("file")) == b"content"
    assert files.read(at("full/deep/leaf")) == b"leaf"


@each_way
def test_an_empty_folder_may_be_replaced_by_another(root: Path, make: Make) -> None:
    files = make(root)
    files.make_folder(at("new"))
    files.move(at("new"), at("empty"))
    assert files.look(at("new")) is None
    assert files.names(at("empty")) == []


@each_way
@pytest.mark.parametrize("path", ["fifo", "socket", "device"])
def test_what_is_neither_file_nor_folder_is_never_opened(root: Path, make: Make, path: str) -> None:
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "socket"))
        if path == "device":
            try:
                os.mknod(root / "device", 0o666 | 0o020000, os.makedev(1, 5))
            except PermissionError:
                pytest.skip("only root makes devices")
        files = make(root)
        for work in (
            lambda: files.read(at(path)),
            lambda: files.write(at(path), b"x"),
            lambda: files.copy(at(path), at("x")),
            lambda: files.copy(at("file"), at(path)),
        ):
            with pytest.raises(EntryRefusedError, match="a FIFO, a socket or a device"):
                work()
        assert files.look(at(path)).kind is Kind.SPECIAL  # type: ignore[union-attr]
        assert path in files.names(())


@each_way
def test_a_file_with_another_name_is_not_read_and_not_written_through(root: Path, make: Make) -> None:
    os.link(root.parent / "outside" / "secret", root / "hard")
    files = make(root)
    with pytest.raises(HardLinkError):
        files.read(at("hard"))
    with pytest.raises(HardLinkError):
        files.copy(at("hard"), at("copy"))
    files.write(at("hard"), b"mine")
    assert files.read(at("hard")) == b"mine"
    assert (root.parent / "outside" / "secret").read_text() == SECRET


@each_way
def test_one_file_may_be_so_long_and_not_one_byte_more(root: Path, make: Make) -> None:
    files = make(root, budget(file_bytes=7))
    assert files.read(at("file")) == b"content"
    files.write(at("new"), b"7 bytes")
    (root / "longer").write_bytes(b"8 bytes.")
    for work in (
        lambda: files.read(at("longer")),
        lambda: files.copy(at("longer"), at("x")),
        lambda: files.write(at("x"), b"8 bytes."),
    ):
        with pytest.raises(BudgetExceededError, match=r"more than 7 bytes .*max_workspace_file_bytes"):
            work()
    assert "x" not in files.names(())


@on_disk
def test_a_file_that_says_that_it_is_empty_is_read_no_further_than_the_cap(make: Make) -> None:
    if not Path("/proc/kallsyms").exists():
        pytest.skip("no file here says that it is empty and is not")
    files = make(Path("/proc"), budget(file_bytes=10_000))
    with pytest.raises(BudgetExceededError, match="max_workspace_file_bytes"):
        files.read(at("kallsyms"))


@each_way
def test_a_sparse_file_is_refused_by_what_it_says(root: Path, make: Make) -> None:
    with (root / "sparse").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(BudgetExceededError, match="max_workspace_file_bytes"):
        make(root, budget(file_bytes=10**6)).read(at("sparse"))


@each_way
def test_bytes_read_and_written_are_counted_together(root: Path, make: Make) -> None:
    files = make(root, budget(run_bytes=14))
    files.read(at("file"))
    files.write(at("x"), b"7 bytes")
    for work in (lambda: files.read(at("file")), lambda: files.write(at("y"), b"1")):
        with pytest.raises(BudgetExceededError, match=r"14 bytes \(max_workspace_bytes\)"):
            work()
    files.write(at("x"), b"")


@each_way
def test_so_many_entries_are_made_and_not_one_more(root: Path, make: Make) -> None:
    files = make(root, budget(entries=3))
    files.write(at("new/file"), b"")
    files.write(at("new/file"), b"again")
    files.make_folder(at("new"))
    files.make_folder(at("third"))
    works: list[Callable[[], object]] = [
        lambda: files.write(at("x"), b""),
        lambda: files.make_folder(at("y")),
    ]
    for work in works:
        with pytest.raises(BudgetExceededError, match=r"3 files and folders \(max_workspace_entries\)"):
            work()


@each_way
def test_the_quota_counts_what_stays(root: Path, make: Make) -> None:
    files = make(root, budget(quota_bytes=10))
    files.write(at("x"), b"0123456789")
    with pytest.raises(BudgetExceededError, match=r"10 bytes of a run \(quota_bytes\)"):
        files.write(at("y"), b"1")
    assert files.look(at("y")) is None
    assert files.read(at("x")) == b"0123456789"


def test_memory_that_is_given_back_counts_no_longer(root: Path) -> None:
    files = overlay(root, budget(quota_bytes=10))
    files.write(at("x"), b"0123456789")
    files.remove(at("x"))
    files.write(at("x"), b"0123456789")
    files.write(at("x"), b"")
    files.write(at("y"), b"0123456789")
    files.move(at("y"), at("z"))
    files.move(at("z"), at("x"))
    with pytest.raises(BudgetExceededError):
        files.move(at("file"), at("w"))
    assert files.read(at("file")) == b"content"


@each_way
def test_a_folder_of_too_many_entries_is_not_listed(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = len(list(root.iterdir()))
    monkeypatch.setattr("nodetool_sandbox.files.folder.MAX_WORKSPACE_LIST_ENTRIES", most)
    files = make(root)
    assert len(files.names(())) == most
    (root / "one_more").write_text("")
    with pytest.raises(BudgetExceededError, match=r"MAX_WORKSPACE_LIST_ENTRIES"):
        files.names(())


@on_disk
def test_permissions_are_kept_and_a_file_that_may_not_be_written_is_not(root: Path, make: Make) -> None:
    files = make(root)
    (root / "file").chmod(0o4750)
    files.write(at("file"), b"x")
    assert (root / "file").stat().st_mode & 0o7777 == 0o750
    files.write(at("new"), b"x")
    mask = os.umask(0)
    os.umask(mask)
    assert (root / "new").stat().st_mode & 0o777 == 0o666 & ~mask


@on_disk
@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_the_system_forbids_stays_forbidden(root: Path, make: Make) -> None:
    (root / "file").chmod(0o444)
    assert code_of(lambda: make(root).write(at("file"), b"x")) == "EACCES"


@each_way
def test_names_that_look_the_same_are_two(root: Path, make: Make) -> None:
    files = make(root)
    names = ["é", "e\u0301", "A", "a", "x.", "x", "x ", "con", "aux.txt", "a:b", "a\u202etxt"]
    for name in names:
        files.write(at("names/" + name), name.encode())
    assert sorted(files.names(at("names"))) == sorted(names)
    assert all(files.read(at("names/" + name)) == name.encode() for name in names)


def test_a_name_that_is_no_text_is_shown_and_cannot_be_opened(root: Path) -> None:
    (root / os.fsdecode(b"\xff")).write_bytes(b"")
    files = kernel(root)
    assert "\ufffd" in files.names(())
    assert code_of(lambda: files.read(at("\ufffd"))) == "ENOENT"


@on_disk
def test_without_descriptors_nothing_is_left_behind(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(_: int) -> int:
        raise OSError(errno.EMFILE, "")

    before = snapshot(root)
    monkeypatch.setattr(os, "dup", none_left)
    assert code_of(lambda: make(root).write(at("file"), b"new")) == "EMFILE"
    assert snapshot(root) == before


@on_disk
def test_listing_a_large_folder_ends_with_its_run(root: Path, make: Make) -> None:
    for number in range(1_000):
        (root / "empty" / str(number)).write_bytes(b"")
    assert len(make(root).names(at("empty"))) == 1_000
    wanted = iter([True, False])
    lease = Lease(str(root), lambda: not next(wanted, False))
    with pytest.raises(RunOverError):
        make(root, None, lease).names(at("empty"))


@on_disk
def test_a_failed_write_keeps_the_old_content_and_leaves_nothing_behind(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(root)
    for name in ("write", "fsync", "rename", "fchmod"):

        def full(*_: object, **__: object) -> int:
            raise OSError(errno.ENOSPC, "")

        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            assert code_of(lambda: make(root).write(at("file"), b"new")) == "ENOSPC"
        assert snapshot(root) == before


@each_way
def test_a_run_that_is_over_changes_nothing_any_more(root: Path, make: Make) -> None:
    lease = Lease(str(root), lambda: False)
    files = make(root, None, lease)
    files.write(at("x"), b"x")
    before = snapshot(root)
    lease.end()
    for work in every_change(files):
        with pytest.raises(RunOverError):
            work()
    assert snapshot(root) == before


@on_disk
def test_a_run_that_ends_in_the_middle_of_writing_leaves_the_old_content(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(root)
    lease = Lease(str(root), lambda: False)
    files = make(root, None, lease)
    seen: list[object] = []

    def end(_: int) -> None:
        seen.append(files.names(()))  # what is being written is not shown
        lease.end()
        assert snapshot(root) == before  # nor is it there any more, though the writer has not come back

    monkeypatch.setattr(os, "fsync", end)
    open_before = descriptors()
    with pytest.raises(RunOverError):
        files.write(at("file"), b"new")
    assert seen
    assert snapshot(root) == before
    assert descriptors() <= open_before


def every_change(files: Files) -> list[Callable[[], object]]:
    return [
        lambda: files.write(at("y"), b"y"),
        lambda: files.copy(at("file"), at("y")),
        lambda: files.move(at("file"), at("y")),
        lambda: files.make_folder(at("y")),
        lambda: files.remove(at("file")),
    ]
