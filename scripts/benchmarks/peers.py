"""Other ways to run JavaScript, installed beside this project and never into it.

They go to a folder of the user's cache, with pinned versions, through pip and npm as they are set up here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nodetool_sandbox.user_cache import cache_folder

from benchmarks.workers import TaskFailedError

HERE: Final = Path(__file__).resolve().parent

PYTHON_PEERS: Final = ("quickjs==1.19.4", "quickjs-rs==0.2.6")
NODE_PEERS: Final = (
    "@sebastianwessel/quickjs@3.0.1",
    "@jitl/quickjs-ng-wasmfile-release-sync@0.31.0",
    "quickjs-wasi@3.7.0",
    # what the packs' functions are called after
    "papaparse@5.7.1",
    "js-yaml@4.3.2",
    "cheerio@1.2.0",
    "turndown@7.2.5",
    "fast-xml-parser@5.12.1",
    "exceljs@4.4.0",
    "diff@9.0.0",
    "fflate@0.8.3",
)
INSTALL_TIMEOUT_S: Final = 15 * 60


def python_command() -> Sequence[str | Path]:
    """The process that has `quickjs` and `quickjs-rs`.

    Raises:
        TaskFailedError: they cannot be installed.
    """
    folder = _folder("python")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not _is_installed(folder, PYTHON_PEERS):
        _say(f"installing {', '.join(PYTHON_PEERS)} into {folder}")
        try:
            venv.EnvBuilder(with_pip=True, clear=True, symlinks=sys.platform != "win32").create(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            raise TaskFailedError(f"no environment for the peers can be made: {error}") from error
        _install([python, "-m", "pip", "install", "--quiet", *PYTHON_PEERS], folder)
        _note(folder, PYTHON_PEERS)
    return [python, "-m", "benchmarks.python_peers"]


def node_command() -> Sequence[str | Path]:
    """The process that has the packages for Node.

    Raises:
        TaskFailedError: there is no Node, or they cannot be installed.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise TaskFailedError("node and npm are not installed")
    folder = _folder("node")
    if not _is_installed(folder, NODE_PEERS):
        _say(f"installing {', '.join(NODE_PEERS)} into {folder}")
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        _install(
            [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", *NODE_PEERS], folder
        )
        _note(folder, NODE_PEERS)
    # Node looks for packages beside the program.
    program = folder / "node_peers.mjs"
    shutil.copyfile(HERE / "node_peers.mjs", program)
    return [node, program]


def _folder(name: str) -> Path:
    folder = cache_folder() / "bench-peers" / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _is_installed(folder: Path, wanted: Sequence[str]) -> bool:
    note = folder / "installed.txt"
    return note.is_file() and note.read_text(encoding="utf-8").split() == list(wanted)


def _note(folder: Path, installed: Sequence[str]) -> None:
    (folder / "installed.txt").write_text("\n".join(installed) + "\n", encoding="utf-8")


def _install(command: Sequence[str | Path], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, check=False, timeout=INSTALL_TIMEOUT_S, stdout=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TaskFailedError(f"the peers cannot be installed: {error}") from error
    if done.returncode != 0:
        raise TaskFailedError(
            f"the peers cannot be installed: {Path(command[0]).name} ended with code {done.returncode}"
        )


def _say(line: str) -> None:
    print(f"bench: {line}", file=sys.stderr, flush=True)
