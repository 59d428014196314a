"""Sets up `.venv`: a pinned uv, every locked dependency, the guest, and the workspace's members.

Starts under any Python >= 3.11 with nothing installed. Each call brings the environment to what uv.lock says;
when it is there already, that takes well under a second.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
VENV_PYTHON = BIN / "python"
UV_REQUIREMENTS = ROOT / "scripts" / "uv-requirements.txt"
MIN_PYTHON = (3, 11)

sys.path.insert(0, str(ROOT / "core"))


class SetupFailedError(Exception):
    """Says which step of the set-up failed and what to do."""


def main() -> int:
    """0 when the environment is there."""
    if sys.version_info < MIN_PYTHON:
        print(
            f"setup: this is Python {sys.version.split()[0]}, 3.11 or newer is needed; "
            "name one: make PYTHON=python3.12 ...",
            file=sys.stderr,
        )
        return 1
    try:
        make_venv()
        install_uv()
        build_guest_once()
        sync()
        compile_packs()
    except SetupFailedError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


def make_venv() -> None:
    """`.venv` with pip, by the standard library. One whose Python is gone is made anew."""
    if VENV_PYTHON.exists() and _runs(VENV_PYTHON, "-c", "import pip"):
        return
    say("making .venv")
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt", clear=True).create(VENV)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SetupFailedError(
            f"making .venv failed: {error}\n  what now: some systems package venv apart from Python (Debian: "
            "python3-venv); install that, or name a complete Python: make PYTHON=... "
        ) from error


def install_uv() -> None:
    """The pinned uv, inside `.venv`."""
    pinned = UV_REQUIREMENTS.read_text(encoding="utf-8").split("uv==", 1)[1].split()[0]
    if _runs(BIN / "uv", "--version", says=f"uv {pinned}"):
        return
    say(f"installing uv {pinned}")
    run(
        "install uv",
        [VENV_PYTHON, "-m", "pip", "install", "--require-hashes", "-r", UV_REQUIREMENTS],
        now="check that pip can reach its package index",
    )


def build_guest_once() -> None:
    """The guest, built where it can be watched: a wheel's build says nothing until its end."""
    from guest_build.chain import missing_toolchain  # noqa: PLC0415 - not before the version check
    from guest_build.steps import StepFailedError  # noqa: PLC0415

    try:
        missing = missing_toolchain(ROOT / "core")
    except StepFailedError as error:
        raise SetupFailedError(str(error)) from error
    if missing:
        say("installing what compiles the guest (a C compiler of 100 MB; the first time takes a while)")
        uv_sync("--inexact", "--only-group", "guest")
    run(
        "build the guest",
        [VENV_PYTHON, ROOT / "scripts" / "build_guest.py"],
        now="read the step's own message above",
    )


def sync() -> None:
    """Everything in uv.lock, and the members as editable installs. node, 60 MB, where the machine has none."""
    has_npm = shutil.which("node") and shutil.which("npm")
    uv_sync("--all-packages", "--all-extras", *(["--no-extra", "node"] if has_npm else []))


def compile_packs() -> None:
    """The npm libraries of our packs, where a lock or the compiler changed since they were installed."""
    run(
        "compile the packs' npm libraries",
        [VENV_PYTHON, ROOT / "scripts" / "compile_packs.py"],
        now="read the reason above; npm must reach its registry once",
    )


def uv_sync(*args: str) -> None:
    """`uv sync` into `.venv`, under the lock."""
    run(
        "install the locked dependencies",
        [BIN / "uv", "sync", "--locked", "--python", VENV_PYTHON, *args],
        now="read uv's message above; if a pyproject.toml changed, `.venv/bin/uv lock` renews the lock",
    )


def run(step: str, command: list[str | Path], *, now: str) -> None:
    """Runs a command, its output shown. Refuses when it fails."""
    env = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}
    env.pop("VIRTUAL_ENV", None)  # another environment's; uv would warn about it on each call
    code = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
    if code != 0:
        raise SetupFailedError(f"{step!r} ended with code {code}\n  what now: {now}")


def say(line: str) -> None:
    """One line of progress."""
    print(f"setup: {line}", file=sys.stderr, flush=True)


def _runs(program: Path, *args: str, says: str = "") -> bool:
    try:
        done = subprocess.run([program, *args], capture_output=True, check=False, text=True)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.startswith(says)


if __name__ == "__main__":
    sys.exit(main())
