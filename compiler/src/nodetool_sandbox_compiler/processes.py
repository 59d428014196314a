"""The compiler's one home of child processes: npm and the bundler, each with a time and an output limit."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_OUTPUT_BYTES: Final = 256 * 1024
"""What is read of a tool's output: its beginning, where the first error is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A tool that has ended: its exit status, or None when it took too long, and what it wrote."""

    status: int | None
    output: str


def run_tool(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    stdin: bytes = b"",
) -> Ran:
    """Run a tool to its end, with this environment and no other. Its whole process group ends with it.

    Raises:
        OSError: it cannot be started.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(  # noqa: S603 - the tools and arguments are ours, and no shell reads them
            [str(each) for each in command],
            cwd=cwd,
            env=dict(env),
            stdin=given,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=os.name != "nt",
        )
        try:
            status: int | None = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end(process)
        output.seek(0)
        return Ran(status=status, output=output.read(MAX_OUTPUT_BYTES).decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    if os.name != "nt":
        # What it started is in its group still, when it was stopped or left something behind.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()
