"""A folder full of traps, beside what must stay as it is."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Final

from nodetool_sandbox import Workspace
from nodetool_sandbox.bridges.workspace import Mode

SECRET: Final = "the secret of the outside"

_kept: list[tempfile.TemporaryDirectory[str]] = []


def hostile_workspace(mode: Mode = "rw") -> Workspace:
    """A workspace on a new folder of this kind, which goes when this process ends."""
    _kept.append(tempfile.TemporaryDirectory(prefix="hostile-"))
    return Workspace(make_hostile_folder(Path(_kept[-1].name)), mode=mode, shown_root="/workspace")


def make_hostile_folder(top: Path) -> Path:
    """`top/root`, with everything in it that may lead out or stand in the way."""
    root = top / "root"
    for folder in ("outside/deep", "root/full/deep", "root/empty", "root/unreadable"):
        (top / folder).mkdir(parents=True)
    (top / "outside.txt").write_text(SECRET)
    (top / "outside" / "secret.txt").write_text(SECRET)
    (root / "file").write_text("content")
    (root / "full" / "deep" / "leaf").write_text("leaf")
    for name, target in {
        "out_file": "../outside.txt",
        "out_folder": "../outside",
        "slash": "/",
        "up": "..",
        "proc": "/proc/self",
        "dev": "/dev",
        "itself": "itself",
        "one": "two",
        "two": "one",
        "dangling_out": "../made_outside",
        "dangling_in": "made_inside",
        "absolute_in": str(root / "file"),
        "full/back": "../file",
        "full/out": "../../outside",
        "full/deep/far_out": "../../../outside/secret.txt",
        "to_file": "file",
        "to_full": "full",
    }.items():
        (root / name).symlink_to(target)
    (root / "chain0").symlink_to("file")
    for number in range(1, 51):
        (root / f"chain{number}").symlink_to(f"chain{number - 1}")
    os.mkfifo(root / "fifo")
    os.link(top / "outside.txt", root / "hard")
    with (root / "sparse").open("wb") as file:
        file.truncate(10**12)
    (root / "forbidden").write_text("")
    (root / "forbidden").chmod(0)
    (root / "unreadable").chmod(0o600)
    with contextlib.suppress(OSError):  # only root may
        os.mknod(root / "device", 0o020666, os.makedev(1, 5))
    return root


def outside_of(root: Path) -> dict[str, str | None]:
    """Everything beside the folder, to compare."""
    return {
        str(path.relative_to(root.parent)): path.read_text() if path.is_file() else None
        for path in root.parent.rglob("*")
        if path != root and not path.is_relative_to(root)
    }
