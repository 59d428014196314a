"""Programs of Python in a process of their own, for what must not happen in the one that runs the tests."""

from __future__ import annotations

import subprocess  # noqa: TID251 - the one home of child processes among these tests
import sys
import textwrap

PATIENCE_S = 55


def ended(program: str) -> subprocess.CompletedProcess[str]:
    """The end of a fresh process that runs the program, and what it printed."""
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # noqa: S603 - our own


def printed(program: str) -> str:
    """What a process prints that ends well and says nothing on stderr."""
    done = ended(program)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout
