"""A race: a guest reads and writes while somebody swaps what it names with links that lead outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from nodetool_sandbox import Limits, Sandbox, Workspace
from nodetool_sandbox.bridges.workspace import Mode
from nodetool_sandbox.files.beneath import Opener

SECRET = "nobody may read this"
OPEN = "everybody may read this"
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder in memory, where both sides are fastest

PROGRAM = """
const works = [
  () => workspace.read("d/secret"),
  () => workspace.readBytes("d/secret").then((bytes) => new TextDecoder().decode(bytes)),
  () => workspace.write("d/made" + n, "x"),
  () => workspace.list("d").then((names) => names.includes("only_outside") && inputs.secret),
  () => workspace.read("file"),
  () => workspace.write("file", inputs.open),
  () => workspace.copy("d/secret", "copy").then(() => workspace.read("copy")),
  () => workspace.copy("copy", "d/copy"),
  () => workspace.move("copy", "d/moved"),
  () => workspace.mkdir("d/new/deep"),
  () => workspace.write("d/new/deep/x", "x"),
  () => workspace.remove("d/new/deep/x"),
  () => workspace.remove("d/new/deep"),
  () => workspace.remove("d/secret_of_outside"),
  () => workspace.stat("d/only_outside").then((found) => found.exists && inputs.secret),
  () => workspace.read("d/deep/secret"),
  () => workspace.read("fifo"),
];
let n = 0;
let done = 0;
let refused = 0;
const leaks = [];
await parallelMap({ length: inputs.tries }, async () => {
  const at = n++ % works.length;
  try {
    const seen = await works[at]();
    done++;
    if (seen === inputs.secret) leaks.push(String(works[at]));
  } catch (error) {
    refused += error.message.includes("outside the workspace");
  }
}, 16);
return { done, refused, leaks };
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raced:
    """What came of a race."""

    swaps: int
    done: int
    refused: int
    leaks: list[str]
    changed: bool
    """Whether anything outside is other than before."""


def race(opener: Opener, *, tries: int, mode: Mode = "rw") -> Raced:
    """Let a guest make so many tries against the swapper."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        outside, inside = Path(folder, "outside"), Path(folder, "inside")
        _fill(outside, SECRET)
        (outside / "only_outside").write_text(SECRET)
        (outside / "secret_of_outside").write_text(SECRET)
        _fill(inside / "d", OPEN)
        (inside / "to_outside").symlink_to("../outside")
        (inside / "file").write_text(OPEN)
        (inside / "to_secret").symlink_to("../outside/secret")
        (inside / "fifo").write_text(OPEN)
        os.mkfifo(inside / "other_fifo")
        before = _contents(outside)
        with swapping(inside, "d", "to_outside", "file", "to_secret", "fifo", "other_fifo") as swaps:
            found = _guest(opener, inside, tries, mode)
        return Raced(
            swaps=swaps.pop(),
            done=found["done"],
            refused=found["refused"],
            leaks=found["leaks"],
            changed=_contents(outside) != before,
        )


def _guest(opener: Opener, inside: Path, tries: int, mode: Mode) -> dict[str, Any]:
    limits = Limits(timeout_ms=600_000, max_host_calls=4 * tries, max_workspace_entries=4 * tries)
    with mock.patch("nodetool_sandbox.bridges.workspace.best_beneath", return_value=opener):
        result = Sandbox(workspace=Workspace(inside, mode=mode)).run_sync(
            PROGRAM, globals={"inputs": {"tries": tries, "secret": SECRET, "open": OPEN}}, limits=limits
        )
    assert isinstance(result.value, dict), result.error
    return result.value


def _fill(folder: Path, text: str) -> None:
    (folder / "deep").mkdir(parents=True)
    (folder / "secret").write_text(text)
    (folder / "deep" / "secret").write_text(text)


def _contents(folder: Path) -> dict[str, str | None]:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


@contextmanager
def swapping(folder: Path, *names: str) -> Iterator[list[int]]:
    """Swap these pairs until the block is left; the list then holds how often."""
    swaps: list[int] = []
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(__file__).with_name("swapper.py")), str(folder), *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield swaps
    finally:
        said, _ = process.communicate(timeout=10)
        assert process.returncode == 0, f"the swapper failed: errno {process.returncode}"
        swaps.append(int(said))
