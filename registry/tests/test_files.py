from __future__ import annotations

import os
from pathlib import Path

import pytest
from nodetool_sandbox_registry import PackFileError, PackFileMissingError, PackFolder, Snapshot
from nodetool_sandbox_registry import files as files_module
from nodetool_sandbox_registry.files import MAX_PACK_BYTES, HandleOpener, PathOpener, require_kind
from nodetool_sandbox_registry.snapshots import SETTLED_NS

DESCRIPTORS = Path("/proc/self/fd")

Openers = type[HandleOpener | PathOpener]


@pytest.fixture(params=[HandleOpener, PathOpener])
def opener(request: pytest.FixtureRequest) -> Openers:
    chosen: Openers = request.param
    return chosen


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / "sub" / "deep").mkdir(parents=True)
    (folder / "a.js").write_bytes(b"a")
    (folder / "sub" / "deep" / "b.js").write_bytes(b"b")
    return folder


def read(pack: Path, path: str, opener: Openers, max_bytes: int = 100) -> bytes:
    with PackFolder(str(pack.parent), pack.name, seen=Snapshot(), opener=opener) as folder:
        return folder.read(path, max_bytes=max_bytes)


def refused(pack: Path, path: str, opener: Openers, max_bytes: int = 100) -> str:
    with pytest.raises(PackFileError) as caught:
        read(pack, path, opener, max_bytes)
    assert str(pack.parent) not in str(caught.value)
    return str(caught.value)


def test_a_file_of_the_pack_is_read(pack: Path, opener: Openers) -> None:
    assert read(pack, "a.js", opener) == b"a"
    assert read(pack, "sub/deep/b.js", opener) == b"b"


def test_a_missing_file_is_told_apart(pack: Path, opener: Openers) -> None:
    for path in ("none.js", "none/none.js"):
        with pytest.raises(PackFileMissingError, match="is not in the pack"):
            read(pack, path, opener)


def test_a_hard_link_is_a_file_since_installers_make_them(pack: Path, opener: Openers) -> None:
    os.link(pack / "a.js", pack / "c.js")
    assert read(pack, "c.js", opener) == b"a"


def test_a_link_in_any_part_of_the_path_is_refused(pack: Path, opener: Openers) -> None:
    (pack / "link.js").symlink_to(pack / "a.js")
    (pack / "dangling.js").symlink_to(pack / "nowhere")
    (pack / "folder").symlink_to(pack / "sub")
    (pack / "sub" / "inner").symlink_to(pack / "sub" / "deep")
    for path in ("link.js", "dangling.js", "folder/deep/b.js", "sub/inner/b.js"):
        assert "symbolic link" in refused(pack, path, opener)


def test_a_package_folder_that_is_a_link_is_refused(pack: Path, opener: Openers) -> None:
    link = pack.parent / "linked"
    link.symlink_to(pack)
    assert 'the package folder "linked" is a symbolic link' in refused(link, "a.js", opener)


def test_a_package_folder_must_be_there_and_be_a_folder(pack: Path, opener: Openers) -> None:
    assert 'the package folder "none" is missing' in refused(pack.parent / "none", "a.js", opener)
    (pack.parent / "file").write_bytes(b"")
    assert "no folder" in refused(pack.parent / "file", "a.js", opener)


def test_what_is_no_regular_file_is_never_waited_for(pack: Path, opener: Openers) -> None:
    os.mkfifo(pack / "fifo.js")
    (pack / "dir.js").mkdir()
    for path in ("fifo.js", "dir.js"):
        assert "is not a regular file" in refused(pack, path, opener)
    assert "no folder" in refused(pack, "a.js/b.js", opener)


def test_a_fifo_that_comes_after_the_first_look_does_not_hold_the_reader(
    pack: Path, opener: Openers, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(pack / "fifo.js")
    calls: list[bool] = []

    def look(found: os.stat_result, *, folder: bool) -> None:
        calls.append(folder)
        if folder or calls.count(False) > 1:
            require_kind(found, folder=folder)

    monkeypatch.setattr(files_module, "require_kind", look)
    assert "is not a regular file" in refused(pack, "fifo.js", opener)


def test_a_file_that_is_swapped_between_look_and_open_is_noticed(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_open = os.open

    def swap_and_open(path: str, flags: int) -> int:
        (pack / "sub" / "deep" / "b.js").replace(pack / "a.js")
        return real_open(path, flags)

    monkeypatch.setattr(os, "open", swap_and_open)
    assert "was replaced while it was read" in refused(pack, "a.js", PathOpener)


def test_windows_links_count_as_links() -> None:
    class Junction:
        st_mode = 0o040777
        st_file_attributes = 0x400

    with pytest.raises(PackFileError, match="symbolic link"):
        require_kind(Junction(), folder=True)  # type: ignore[arg-type]


def test_a_file_has_a_largest_size(pack: Path, opener: Openers) -> None:
    (pack / "a.js").write_bytes(b"x" * 100)
    assert len(read(pack, "a.js", opener, max_bytes=100)) == 100
    assert "above the 99 byte cap" in refused(pack, "a.js", opener, max_bytes=99)


def test_a_file_without_a_size_of_its_own_is_cut_off_by_the_cap(
    pack: Path, opener: Openers, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def forget_size(folder: PackFolder, size: int, max_bytes: int) -> None:
        sizes.append(size)
        if len(sizes) > 1:
            require_size(folder, size, max_bytes)

    require_size = PackFolder._require_size
    monkeypatch.setattr(PackFolder, "_require_size", forget_size)
    (pack / "a.js").write_bytes(b"x" * 1000)
    assert "above the 99 byte cap" in refused(pack, "a.js", opener, max_bytes=99)
    assert sizes == [1000, 100]


def test_all_files_of_a_pack_have_a_largest_size_together(pack: Path, opener: Openers) -> None:
    (pack / "a.js").write_bytes(b"x" * (MAX_PACK_BYTES // 2))
    with PackFolder(str(pack.parent), pack.name, seen=Snapshot(), opener=opener) as folder:
        folder.read("a.js", max_bytes=MAX_PACK_BYTES)
        folder.read("a.js", max_bytes=MAX_PACK_BYTES)
        with pytest.raises(PackFileError, match="above its 8,388,608 byte cap"):
            folder.read("sub/deep/b.js", max_bytes=MAX_PACK_BYTES)


def test_a_file_that_cannot_be_read_is_told_without_the_path_of_the_machine(
    pack: Path, opener: Openers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_args: object, **_options: object) -> int:
        raise PermissionError(13, "Permission denied", str(pack))

    with PackFolder(str(pack.parent), pack.name, seen=Snapshot(), opener=opener) as folder:
        monkeypatch.setattr(os, "open", deny)
        with pytest.raises(PackFileError) as caught:
            folder.read("a.js", max_bytes=1)
        monkeypatch.undo()
    assert str(caught.value) == '"a.js" cannot be read (Permission denied)'


@pytest.mark.skipif(not DESCRIPTORS.is_dir(), reason="the system does not list a process's descriptors")
def test_reading_leaves_no_descriptor_open(pack: Path, opener: Openers) -> None:
    before = len(list(DESCRIPTORS.iterdir()))
    (pack / "link.js").symlink_to(pack / "a.js")
    read(pack, "sub/deep/b.js", opener)
    refused(pack, "link.js", opener)
    refused(pack, "sub/none/b.js", opener)
    refused(pack.parent / "none", "a.js", opener)
    assert len(list(DESCRIPTORS.iterdir())) == before


def test_a_snapshot_holds_until_something_it_saw_changes(pack: Path) -> None:
    snapshot = Snapshot()
    link = pack / "link.js"
    link.symlink_to(pack / "a.js")
    for path in (pack / "a.js", link, pack / "none.js", Path("with\x00nul")):
        snapshot.note(str(path))
    snapshot.note(str(link))
    assert snapshot.holds()
    (pack / "none.js").write_bytes(b"")
    assert not snapshot.holds()


def test_a_file_with_its_old_size_and_time_has_changed_all_the_same(pack: Path) -> None:
    snapshot = Snapshot()
    path = pack / "a.js"
    snapshot.note(str(path))
    times = path.stat()
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    path.write_bytes(b"b")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    # Within one step of the file system's clock both stamps may agree: then it was not settled.
    assert not snapshot.holds() or not snapshot.is_settled(times.st_ctime_ns + 1)


def test_a_snapshot_is_settled_when_its_newest_change_is_old_enough(pack: Path) -> None:
    snapshot = Snapshot()
    assert snapshot.is_settled(SETTLED_NS + 1)
    snapshot.note(str(pack / "a.js"))
    newest = (pack / "a.js").stat().st_ctime_ns
    assert not snapshot.is_settled(newest + SETTLED_NS)
    assert snapshot.is_settled(newest + SETTLED_NS + 1)


def test_a_file_that_comes_in_pieces_is_read_to_its_end(
    pack: Path, opener: Openers, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / "a.js").write_bytes(b"in pieces")
    whole = os.read
    monkeypatch.setattr(os, "read", lambda handle, count: whole(handle, min(count, 2)))
    assert read(pack, "a.js", opener) == b"in pieces"
