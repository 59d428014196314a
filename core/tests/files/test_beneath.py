"""Opening a folder beneath a root: by the kernel and by the walk, with one answer."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from files.workspaces import descriptors
from nodetool_sandbox.files import beneath
from nodetool_sandbox.files.beneath import MAX_LINKS, KernelBeneath, Opener, WalkBeneath, best_beneath
from nodetool_sandbox.files.refusals import OutsideError

OPENERS = [KernelBeneath(), WalkBeneath()]
both = pytest.mark.parametrize("opener", OPENERS, ids=lambda each: type(each).__name__)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[int]:
    inside = tmp_path / "inside"
    (inside / "a" / "b").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (inside / "file").write_text("x")
    for name, target in {
        "to_b": "a/b",
        "a/up": "../a/b",
        "a/b/over_the_top": "../../../outside",
        "out": "../outside",
        "out_and_back": "../inside/a",
        "absolute": str(inside / "a"),
        "system": "/",
        "proc": "/proc/self/cwd",
        "itself": "itself",
        "one": "two",
        "two": "one",
        "dangling": "nothing",
        "to_file": "file",
    }.items():
        (inside / name).symlink_to(target)
    (inside / "chain0").symlink_to("a")
    for number in range(1, MAX_LINKS + 1):
        (inside / f"chain{number}").symlink_to(f"chain{number - 1}")
    descriptor = os.open(inside, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@both
@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("", None),
        (".", None),
        ("a", {"b", "up"}),
        ("a/b", {"over_the_top"}),
        ("a//b/.", {"over_the_top"}),
        ("to_b", {"over_the_top"}),
        ("a/up", {"over_the_top"}),
        ("to_b/../../a", {"b", "up"}),
        (f"chain{MAX_LINKS - 1}", {"b", "up"}),
    ],
)
def test_what_lies_inside_is_opened(root: int, opener: Opener, path: str, names: set[str] | None) -> None:
    descriptor = opener.open_folder(root, path)
    try:
        assert os.get_inheritable(descriptor) is False
        found = {path.name for path in Path(f"/proc/self/fd/{descriptor}").iterdir()}
        assert found == names if names is not None else "a" in found
    finally:
        os.close(descriptor)


@both
@pytest.mark.parametrize(
    "path",
    [
        "..",
        "a/../..",
        "out",
        "out/x",
        "a/b/over_the_top",
        "to_b/over_the_top",
        "absolute",
        "system",
        "system/etc",
        "proc",
        "out_and_back",
    ],
)
def test_what_leads_outside_is_not(root: int, opener: Opener, path: str) -> None:
    before = descriptors()
    with pytest.raises(OutsideError):
        opener.open_folder(root, path)
    assert descriptors() == before


@both
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("nothing", errno.ENOENT),
        ("dangling", errno.ENOENT),
        ("file", errno.ENOTDIR),
        ("to_file", errno.ENOTDIR),
        ("file/x", errno.ENOTDIR),
        ("itself", errno.ELOOP),
        ("one/x", errno.ELOOP),
        (f"chain{MAX_LINKS}", errno.ELOOP),
        ("n" * 256, errno.ENAMETOOLONG),
    ],
)
def test_what_is_no_folder_is_said_in_the_systems_codes(
    root: int, opener: Opener, path: str, code: int
) -> None:
    before = descriptors()
    with pytest.raises(OSError, match=r"\[Errno") as refusal:
        opener.open_folder(root, path)
    assert refusal.value.errno == code
    assert descriptors() == before


def test_the_kernel_is_asked_again_and_then_the_walk_does_it(
    root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = KernelBeneath()
    asked: list[int] = []

    def busy(*_: object) -> int:
        asked.append(1)
        ctypes.set_errno(errno.EAGAIN)
        return -1

    monkeypatch.setattr(kernel, "_syscall", busy)
    os.close(kernel.open_folder(root, "to_b"))
    with pytest.raises(OutsideError):
        kernel.open_folder(root, "out")
    assert len(asked) == 2 * beneath._TRIES


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EPERM, errno.EINVAL])
def test_a_system_without_openat2_gets_the_walk(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def refuse(*_: object) -> int:
        raise OSError(code, "")

    monkeypatch.setattr(KernelBeneath, "open_folder", refuse)
    best_beneath.cache_clear()
    assert isinstance(best_beneath(), WalkBeneath)
    monkeypatch.setattr(sys, "platform", "darwin")
    best_beneath.cache_clear()
    assert isinstance(best_beneath(), WalkBeneath)
    best_beneath.cache_clear()
