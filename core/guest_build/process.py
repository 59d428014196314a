"""The build's one home of child processes: pip and the compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from guest_build.steps import StepFailedError

TAIL_LINES = 25
"""How much of a failed command's output is shown: its end, where compilers and pip say what went wrong."""


def run_module(
    step: str, module: str, args: Sequence[str], *, cwd: Path, now: str, env: Mapping[str, str] | None = None
) -> None:
    """Runs `python -m module args` to its end. Refuses, with the end of its output, when it fails."""
    done = subprocess.run(  # noqa: S603 - the arguments are ours, and no shell reads them
        [sys.executable, "-m", module, *args],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        tail = "\n".join(f"    | {line}" for line in done.stdout.splitlines()[-TAIL_LINES:])
        raise StepFailedError(
            step, what=f"`python -m {module} {args[0]}` ended with code {done.returncode}\n{tail}", now=now
        )
