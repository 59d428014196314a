"""What programs do with files, and what the caller gets: SPEC 4.3 and 11.4, line by line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from nodetool_sandbox import Ended, Limits, RunResult, Sandbox, Workspace
from nodetool_sandbox.bridges.workspace import Mode

MODES: list[Mode] = ["rw", "overlay", "host"]
in_each_mode = pytest.mark.parametrize("mode", MODES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.txt").write_text("secret")
    (tmp_path / "outside").mkdir()
    return inside


def run(
    code: str,
    folder: Path,
    mode: Mode = "rw",
    *,
    limits: Limits | None = None,
    quota_bytes: int | None = None,
) -> RunResult:
    workspace = Workspace(folder, mode=mode, quota_bytes=quota_bytes)
    return Sandbox(workspace=workspace).run_sync(code, limits=limits)


def value(code: str, folder: Path, mode: Mode = "rw", **given: int) -> object:
    """What a program returns that must succeed."""
    result = run(code, folder, mode, limits=Limits(**given))
    assert result.success, result
    return result.value


def message(code: str, folder: Path, mode: Mode = "rw", **given: int) -> object:
    """What the error says that an expression rejects with."""
    return value(
        f"try {{ await {code} }} catch (e) {{ return `${{e instanceof Error}} ${{e.name}}: ${{e.message}}` }}",
        folder,
        mode,
        **given,
    )


# ---- SPEC 11.4


def test_reading_and_writing_through_a_link_that_leads_outside_fails(folder: Path) -> None:
    (folder / "out.txt").symlink_to("../outside.txt")
    (folder / "out").symlink_to("../outside")
    for code in (
        'workspace.read("out.txt")',
        'workspace.write("out.txt", "x")',
        'workspace.readBytes("out.txt")',
        'workspace.writeBytes("out.txt", new Uint8Array(1))',
        'workspace.remove("out/x")',
        'workspace.copy("out.txt", "x")',
        'workspace.write("mine", "x").then(() => workspace.copy("mine", "out/x"))',
        'workspace.move("mine", "out/x")',
    ):
        assert "Error: workspace path resolves outside the workspace: out" in str(message(code, folder))
    assert (folder.parent / "outside.txt").read_text() == "secret"
    assert not list((folder.parent / "outside").iterdir())


def test_bytes_make_the_round_trip_and_folders_are_made(folder: Path) -> None:
    every_byte = bytes(range(256))
    assert (
        value(
            "await workspace.writeBytes('a/b/c.bin', Uint8Array.from({length: 256}, (_, i) => i));"
            "const back = await workspace.readBytes('a/b/c.bin');"
            "if (!(back instanceof Uint8Array)) throw new Error('no bytes');"
            "return back",
            folder,
        )
        == every_byte
    )
    assert (folder / "a" / "b" / "c.bin").read_bytes() == every_byte


@in_each_mode
def test_stat_says_what_is_there_and_does_not_throw_where_nothing_is(folder: Path, mode: Mode) -> None:
    (folder / "file").write_text("12345")
    (folder / "link").symlink_to("file")
    found = value(
        "return Promise.all(['file', '.', 'link', 'nothing', 'no/thing'].map((p) => workspace.stat(p)))",
        folder,
        mode,
    )
    assert isinstance(found, list)
    file, itself, link, nothing, no_thing = found
    assert file["exists"] is True
    assert (file["size"], file["isFile"], file["isDirectory"], file["isSymlink"]) == (5, True, False, False)
    assert file["modifiedMs"] == pytest.approx((folder / "file").stat().st_mtime * 1000)
    assert file["createdMs"] > 0
    assert file["accessedMs"] > 0
    assert (itself["isDirectory"], itself["isFile"]) == (True, False)
    assert (link["isSymlink"], link["isFile"]) == (True, False)
    assert (
        nothing
        == no_thing
        == {**dict.fromkeys(file, 0), "exists": False, "isDirectory": False}
        | {
            "isFile": False,
            "isSymlink": False,
        }
    )


@in_each_mode
def test_remove_takes_a_file_and_an_empty_folder_and_no_full_one(folder: Path, mode: Mode) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "x").write_text("")
    (folder / "empty").mkdir()
    (folder / "file").write_text("")
    assert value(
        "await workspace.remove('file'); await workspace.remove('empty'); return workspace.list('.')",
        folder,
        mode,
    ) == ["full"]
    assert (
        message("workspace.remove('full')", folder, mode)
        == "true Error: ENOTEMPTY: directory not empty, unlink 'full'"
    )


@in_each_mode
def test_root_copy_and_move(folder: Path, mode: Mode) -> None:
    (folder / "a").write_text("content")
    assert value(
        "await workspace.copy('a', 'deep/copy'); await workspace.move('a', 'deeper/still/moved');"
        "return [await workspace.root(), (await workspace.list('.')).sort(), await workspace.read('deep/copy'),"
        " await workspace.read('deeper/still/moved'), await workspace.read(await workspace.root() + '/deep/copy')]",
        folder,
        mode,
    ) == [str(folder), ["deep", "deeper"], "content", "content", "content"]


def test_an_absolute_path_outside_is_for_the_host_mode_alone_and_no_global_of_a_guest_switches_it(
    folder: Path,
) -> None:
    outside = folder.parent / "outside.txt"
    switches = "globalThis.filesystemAccess = 'host'; globalThis.mode = 'host'; workspace.mode = 'host'; "
    read = f"return await workspace.read('{outside}', {{filesystemAccess: 'host'}})"
    assert value(read, folder, "host") == "secret"
    for mode in ("rw", "ro", "overlay"):
        result = run(switches + read, folder, mode)
        assert result.error is not None
        assert result.error.message == f"workspace path resolves outside the workspace: {outside}"


def test_in_the_host_mode_the_home_folder_has_its_short_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    assert value("return await workspace.read('~/outside.txt')", folder, "host") == "secret"
    assert value("return await workspace.read('../outside.txt')", folder, "host") == "secret"
    assert "outside the workspace" not in str(message("workspace.read('~/nothing')", folder, "host"))


def test_in_the_host_mode_links_lead_where_they_lead(folder: Path) -> None:
    (folder / "absolute").symlink_to(folder.parent / "outside.txt")
    (folder / "above").symlink_to("..")
    (folder / "hard").hardlink_to(folder.parent / "outside.txt")
    for path in ("absolute", "above/outside.txt", "hard"):
        assert value(f"return await workspace.read('{path}')", folder, "host") == "secret"


def test_a_hard_link_says_why_it_is_not_read(folder: Path) -> None:
    (folder / "hard").hardlink_to(folder.parent / "outside.txt")
    assert message("workspace.read('hard')", folder) == (
        "true Error: workspace path resolves outside the workspace: hard "
        "(it is a hard link, and the file's other name may lie outside)"
    )


# ---- the rest of 4.3


def test_text_is_utf_8_and_what_is_none_becomes_replacement_characters(folder: Path) -> None:
    (folder / "latin").write_bytes(b"caf\xe9")
    assert value(
        "await workspace.write('a', 'é😀\\ud800'); return [await workspace.read('a'), await workspace.read('latin')]",
        folder,
    ) == ["é😀\ufffd", "caf\ufffd"]
    assert (folder / "a").read_bytes() == "é😀\ufffd".encode()


@pytest.mark.parametrize(
    ("data", "written"),
    [
        ("new Uint8Array([1, 2])", b"\1\2"),
        ("new Uint8Array([0, 1, 2, 3]).subarray(1, 3)", b"\1\2"),
        ("new Uint8Array([1, 2]).buffer", b"\1\2"),
        ("new Uint16Array([513])", b"\1\2"),
        ("new DataView(new Uint8Array([9, 1, 2]).buffer, 1)", b"\1\2"),
        ("[1, 258]", b"\1\2"),
        ("{length: 2, 0: 1, 1: 2}", b"\1\2"),
        ("[]", b""),
    ],
)
def test_write_bytes_takes_whatever_holds_bytes(folder: Path, data: str, written: bytes) -> None:
    value(f"await workspace.writeBytes('x', {data})", folder)
    assert (folder / "x").read_bytes() == written


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("workspace.read()", "Error: workspace.read: path must be a string"),
        ("workspace.read({toString: () => '../x'})", "Error: workspace.read: path must be a string"),
        ("workspace.list(null)", "Error: workspace.list: path must be a string"),
        ("workspace.copy('a', 1)", "Error: workspace.copy: path must be a string"),
        ("workspace.write('a')", "TypeError: workspace.write: content must be a string or bytes"),
        ("workspace.write('a', {})", "TypeError: workspace.write: content must be a string or bytes"),
        (
            "workspace.writeBytes('a', 'text')",
            "TypeError: workspace.writeBytes: data must be a Uint8Array or a list of bytes",
        ),
        ("workspace.read('a\\0b')", "Error: workspace.read: workspace path must not hold a NUL character: a\\x00b"),
        ("workspace.read('../x')", "Error: workspace path resolves outside the workspace: ../x"),
        ("workspace.copy('a', '../x')", "Error: workspace path resolves outside the workspace: ../x"),
        ("workspace.copy('../x', '../y')", "Error: workspace path resolves outside the workspace: ../x"),
        ("workspace.read('no/thing')", "Error: ENOENT: no such file or directory, open 'no/thing'"),
        ("workspace.move('a', 'b')", "Error: ENOENT: no such file or directory, rename 'a' -> 'b'"),
        ("workspace.remove('.')", "Error: workspace.remove: the workspace itself is not removed: ."),
        ("workspace.read('" + "n" * 5000 + "')", "Error: ENAMETOOLONG: name too long, open '" + "n" * 200 + "...'"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_and_which_in_the_programs_own_words(folder: Path, code: str, said: str) -> None:
    assert message(code, folder) == f"true {said}"


def test_a_refusal_of_the_system_has_its_code(folder: Path) -> None:
    assert value("return workspace.read('x').catch((e) => [e.code, e.syscall])", folder) == ["ENOENT", "open"]


def test_a_path_that_is_no_plain_value_rejects_and_does_not_throw(folder: Path) -> None:
    assert (
        value(
            "return Promise.all([Symbol('x'), () => 1, new Proxy({}, {get() { throw 1 }})]"
            ".map((p) => workspace.read(p).then(() => 'read', (e) => typeof e)))",
            folder,
        )
        is not None
    )


# ---- modes


def test_in_the_read_only_mode_nothing_is_changed(folder: Path) -> None:
    (folder / "a").write_text("a")
    for code, call in {
        "workspace.write('a', 'x')": "open 'a'",
        "workspace.writeBytes('a', [1])": "open 'a'",
        "workspace.copy('a', 'b')": "copyfile 'a' -> 'b'",
        "workspace.move('a', 'b')": "rename 'a' -> 'b'",
        "workspace.mkdir('b')": "mkdir 'b'",
        "workspace.remove('a')": "unlink 'a'",
    }.items():
        assert message(code, folder, "ro") == f"true Error: EROFS: the workspace is read-only, {call}"
    assert value("return workspace.read('a')", folder, "ro") == "a"
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_in_the_overlay_mode_the_program_sees_its_writes_and_the_caller_gets_them(folder: Path) -> None:
    (folder / "a").write_text("old")
    result = run(
        "await workspace.write('a', 'new'); await workspace.write('b/c', 'added');"
        "return [await workspace.read('a'), await workspace.list('b')]",
        folder,
        "overlay",
    )
    assert result.value == ["new", ["c"]]
    assert (folder / "a").read_text() == "old"
    assert result.changes is not None
    assert [(each.path, each.kind, each.content) for each in result.changes] == [
        ("b", "added", None),
        ("a", "changed", b"new"),
        ("b/c", "added", b"added"),
    ]
    result.changes.apply()
    assert (folder / "a").read_text() == "new"
    assert (folder / "b" / "c").read_text() == "added"


def test_a_program_that_fails_leaves_its_changes_to_look_at(folder: Path) -> None:
    result = run(
        "await workspace.write('a', 'x'); while (true);", folder, "overlay", limits=Limits(timeout_ms=300)
    )
    assert result.ended is Ended.TIMEOUT
    assert result.changes is not None
    assert [each.path for each in result.changes] == ["a"]


@pytest.mark.parametrize("mode", ["rw", "ro", "host"])
def test_other_modes_have_no_changes(folder: Path, mode: Mode) -> None:
    assert run("return 1", folder, mode).changes is None


def test_the_root_may_go_by_another_name(folder: Path) -> None:
    (folder / "a").write_text("a")
    sandbox = Sandbox(workspace=Workspace(folder, shown_root="/workspace"))
    assert sandbox.run_sync(
        "return [await workspace.root(), await workspace.read('/workspace/a')]"
    ).value == [
        "/workspace",
        "a",
    ]
    refused = sandbox.run_sync(f"return workspace.read('{folder}/a')")
    assert refused.error is not None
    assert "outside the workspace" in refused.error.message


@pytest.mark.parametrize("mode", ["rw", "overlay", "host"])
def test_a_quota_is_so_many_bytes_and_not_one_more(folder: Path, mode: Mode) -> None:
    fits = "await workspace.write('a', 'x'.repeat(10))"
    assert run(fits, folder, mode, quota_bytes=10).success
    result = run(fits + "; await workspace.write('b', 'x')", folder, mode, quota_bytes=10)
    assert result.error is not None
    assert str(result.error) == (
        "RangeError: workspace.write: this workspace takes 10 bytes of a run (quota_bytes): b"
    )


def test_limits_of_a_run_are_named_when_they_are_met(folder: Path) -> None:
    (folder / "ten").write_bytes(b"x" * 10)
    assert value("return workspace.read('ten')", folder, max_workspace_file_bytes=10) == "x" * 10
    assert message("workspace.read('ten')", folder, max_workspace_file_bytes=9) == (
        "true RangeError: workspace.read: a file of more than 9 bytes is neither read nor written "
        "(max_workspace_file_bytes): ten"
    )
    twice = "workspace.read('ten').then(() => workspace.read('ten'))"
    assert message(twice, folder, max_workspace_bytes=20) is None
    assert message(twice, folder, max_workspace_bytes=19) == (
        "true RangeError: workspace.read: a run may read and write 19 bytes (max_workspace_bytes): ten"
    )
    assert message("workspace.write('a/b', '')", folder, max_workspace_entries=2) is None
    assert message("workspace.write('c/d', '')", folder, max_workspace_entries=1) == (
        "true RangeError: workspace.write: a run may make 1 files and folders (max_workspace_entries): c/d"
    )


def test_a_file_larger_than_the_guests_memory_cannot_be_read_and_the_program_goes_on(folder: Path) -> None:
    (folder / "large").write_bytes(b"x" * 8_000_000)
    code = """
        const error = await workspace.readBytes("large").catch((error) => error);
        return [error.name, error.message, (await workspace.stat("large")).size];
    """
    result = run(code, folder, limits=Limits(memory_limit_bytes=4 << 20))
    assert result.value == [
        "InternalError",
        "out of memory: an answer of 8,000,015 bytes does not fit (memory_limit_bytes)",
        8_000_000,
    ]


# ---- the embedder's own mistakes


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mode": "rwx"}, r"mode='rwx'\): there are rw, ro, overlay, host"),
        ({"quota_bytes": -1}, r"quota_bytes=-1\) must be a number of bytes"),
        ({"quota_bytes": True}, r"quota_bytes=True\) must be a number of bytes"),
        ({"quota_bytes": 1.5}, r"quota_bytes=1.5\) must be a number of bytes"),
        ({"shown_root": "workspace"}, r"shown_root='workspace'\) must begin with /"),
        ({"folder": "/nowhere/at/all"}, r"Workspace\('/nowhere/at/all'\): there is no such folder"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(folder: Path, given: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Workspace(**{"folder": folder, **given})  # type: ignore[arg-type]


def test_a_folder_named_in_bytes_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a path as text, not bytes"):
        Workspace(os.fsencode("/"))  # type: ignore[arg-type]


def test_a_system_without_handles_of_folders_has_no_workspace(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nodetool_sandbox.bridges.workspace.IS_SUPPORTED", False)
    with pytest.raises(ValueError, match="needs a system that opens files relative to a folder's handle"):
        Workspace(folder)


def test_a_folder_that_has_gone_is_an_error_of_the_program_without_its_path(folder: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(folder))
    folder.rmdir()
    result = sandbox.run_sync("return workspace.list('.')")
    assert result.error is not None
    assert result.error.message == "ENOENT: no such file or directory, scandir '.'"


def test_a_relative_folder_is_the_one_that_was_meant(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    sandbox = Sandbox(workspace=Workspace("inside"))
    monkeypatch.chdir("/")
    assert sandbox.run_sync("return workspace.root()").value == str(folder)


def test_without_a_workspace_the_name_is_not_there() -> None:
    assert Sandbox().run_sync("return typeof workspace").value == "undefined"
