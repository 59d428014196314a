"""A run that ends in the middle of its work with files: each is the old one or the new one, and nothing is left."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
import trio
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox, Workspace
from runs import left_clean, until

SIZE = 4_000_000
PROGRAM = f"""
const text = "y".repeat({SIZE});
for (;;) {{
  await Promise.all([workspace.write("a", text), workspace.copy("a", "b"), workspace.write("a", text)]);
  await workspace.move("b", "c");
}}
"""


def require_whole(folder: Path) -> None:
    """Fails where a file is half of something, or of a name that nobody wrote."""
    for path in folder.iterdir():
        assert path.name in {"a", "b", "c"}
        content = path.read_bytes()
        assert len(content) == SIZE
        assert content.strip(b"x") == b"" or content.strip(b"y") == b""


@pytest.mark.slow
@pytest.mark.parametrize("moment_ms", [1, 5, 12, 25, 45, 70, 110])
def test_whenever_it_is_cancelled_files_are_whole_and_nothing_else_is_left(
    tmp_path: Path, moment_ms: int
) -> None:
    (tmp_path / "a").write_bytes(b"x" * SIZE)
    sandbox = Sandbox(workspace=Workspace(tmp_path))

    async def cancelled() -> RunResult:
        cancel = Cancel()
        asyncio.get_running_loop().call_later(moment_ms / 1000, cancel.cancel)
        result = await sandbox.run(PROGRAM, cancel=cancel, limits=Limits(max_workspace_bytes=1 << 40))
        require_whole(tmp_path)  # at once, while a thread may still be at its disk
        return result

    with left_clean():
        result = asyncio.run(cancelled())
    assert result.ended is Ended.CANCELLED
    require_whole(tmp_path)


def test_a_write_that_hangs_on_its_disk_does_not_hold_up_the_end_of_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("old")
    go_on = threading.Event()
    monkeypatch.setattr("os.fsync", lambda _: go_on.wait())
    sandbox = Sandbox(workspace=Workspace(tmp_path))
    with left_clean():
        result = sandbox.run_sync("await workspace.write('a', 'new')", limits=Limits(timeout_ms=300))
        assert result.ended is Ended.TIMEOUT
        assert result.usage.abandoned_calls == 1
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        go_on.set()
    assert (tmp_path / "a").read_text() == "old"


def test_what_a_program_did_not_await_is_whole_or_not_there(tmp_path: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(tmp_path))
    for _ in range(20):
        assert sandbox.run_sync("workspace.write('late', 'x'.repeat(100_000)); return 1").value == 1
        found = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
        assert found in ({}, {"late": 100_000})


def test_two_runs_in_one_folder_take_away_their_own_files_alone(tmp_path: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(tmp_path))

    async def both() -> None:
        writers = [
            sandbox.run(f"for (let i = 0; i < 20; i++) await workspace.write('{name}', 'x'.repeat(50_000))")
            for name in ("one", "two")
        ]
        short = [sandbox.run("workspace.write('short', 'x'); return 1") for _ in range(20)]
        results = await asyncio.gather(*writers, *short)
        assert all(result.success for result in results)

    asyncio.run(both())
    until(
        lambda: {path.name for path in tmp_path.iterdir()} <= {"one", "two", "short"}, "only what was written"
    )
    assert (tmp_path / "one").stat().st_size == 50_000


def test_a_run_whose_disk_hangs_leaves_threads_to_other_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr("os.fsync", lambda _: go_on.wait())
    sandbox = Sandbox(workspace=Workspace(tmp_path))
    many = "await Promise.all(Array.from({ length: 200 }, (_, i) => workspace.write('f' + i, 'x')))"

    async def both() -> tuple[RunResult, RunResult]:
        hanging = asyncio.create_task(sandbox.run(many))
        await asyncio.sleep(0.05)
        other = await Sandbox().run("return f()", globals={"f": lambda: 1}, limits=Limits(timeout_ms=5_000))
        go_on.set()
        return await hanging, other

    with left_clean():
        hanging, other = asyncio.run(both())
    assert other.value == 1
    assert hanging.success


def test_under_trio_it_is_the_same(tmp_path: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(tmp_path, mode="overlay"))
    result = trio.run(sandbox.run, "await workspace.write('a', 'x'); return workspace.read('a')")
    assert result.value == "x"
    assert result.changes is not None
    assert [each.path for each in result.changes] == ["a"]


def test_in_another_process_it_is_the_same(tmp_path: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(tmp_path, mode="overlay"))
    (result,) = sandbox.map(["await workspace.write('a', 'x')"])
    assert result.changes is not None
    assert [each.content for each in result.changes] == [b"x"]
    result.changes.apply()
    assert (tmp_path / "a").read_text() == "x"
