"""Programs against a folder full of traps, each way to keep files: nothing beside the folder is read or changed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from escape.case_files import Case, load_cases
from escape.hostile_folder import SECRET, make_hostile_folder, outside_of
from escape.leaks import leaks_of
from nodetool_sandbox import Limits, Sandbox, Workspace
from nodetool_sandbox.bridges.workspace import Mode
from nodetool_sandbox.files.beneath import KernelBeneath, Opener, WalkBeneath
from runs import left_clean, until

CASES = [case for case in load_cases() if "workspace" in case.powers]

WAYS: list[tuple[Mode, Opener]] = [
    ("rw", KernelBeneath()),
    ("rw", WalkBeneath()),
    ("overlay", KernelBeneath()),
]


@pytest.fixture(scope="module", autouse=True)
def _process_as_before() -> Iterator[None]:
    with left_clean():
        yield


@pytest.fixture
def top() -> Iterator[Path]:
    in_memory = Path("/dev/shm")  # noqa: S108 - where bringing a file to the disk costs nothing
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
@pytest.mark.parametrize(("mode", "opener"), WAYS, ids=["kernel", "walk", "overlay"])
def test_nothing_outside_is_read_or_changed(
    case: Case, mode: Mode, opener: Opener, top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nodetool_sandbox.bridges.workspace.best_beneath", lambda: opener)
    root = make_hostile_folder(top)
    before = outside_of(root)
    below = _entries(root)
    sandbox = Sandbox(workspace=Workspace(root, mode=mode, shown_root="/workspace"))
    result = sandbox.run_sync(case.code, modules=case.modules, limits=Limits(**case.limits))
    inside = sorted(str(path) for path in root.rglob("*"))
    assert not case.complaints(result)
    assert not leaks_of(result)
    assert outside_of(root) == before
    assert SECRET not in json.dumps(repr(result.value)) + "".join(result.logs)
    assert not [path for path in inside if ".nodetool-sandbox-" in path]
    if mode == "overlay":
        assert _entries(root) == below
        assert result.changes is not None
    until(lambda: sorted(str(path) for path in root.rglob("*")) == inside, "nothing changes any more")


def _entries(root: Path) -> dict[str, tuple[int, int, int]]:
    return {
        str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in root.rglob("*")
    }
