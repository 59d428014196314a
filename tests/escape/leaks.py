"""What must not occur in anything that a program or its caller gets to see."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nodetool_sandbox import RunResult

ROOT: Final = Path(__file__).parents[2]

_FOLDERS: Final = {
    str(folder)
    for folder in (ROOT, Path.home(), Path.cwd(), sys.prefix, sys.base_prefix, tempfile.gettempdir())
} - {"/"}
_INSIDE: Final = (
    "GuestEnded",
    "HostCallError",
    "LimitExceeded(",
    "MarshalError",
    "PendingCall",
    "SharedWords",
    "Traceback (most recent call last)",
    "UnsupportedShapeError",
    "UnsupportedValueError",
    "call stack exhausted",
    "nodetool_sandbox.",
    "site-packages",
    "wasm backtrace",
    "wasm trap",
    "wasmtime",
)
_PYTHON: Final = re.compile(r"\.py\b|<class '|<function | object at 0x|\bFile \"")


def leaks_of(result: RunResult) -> list[str]:
    """What of the host shows in a result; nothing, one hopes."""
    found = []
    for where, text in _texts(result):
        hidden = (*_FOLDERS, *_INSIDE, *_secrets())
        found += [f"{each!r} in {where}" for each in hidden if each in text]
        python = _PYTHON.search(text)
        if python is not None:
            found.append(f"{python.group()!r} in {where}")
    return found


def _texts(result: RunResult) -> Iterator[tuple[str, str]]:
    if result.error is not None:
        yield "error", f"{result.error.name}: {result.error.message}"
        yield "stack", result.error.stack
    yield "logs", "\n".join(result.logs)
    yield "value", repr(result.value)


def _secrets() -> list[str]:
    """Values of the environment that stand for nothing else."""
    return [value for name, value in os.environ.items() if name.startswith("ESCAPE_SECRET")]
