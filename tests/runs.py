"""What the tests across parts share: a run and its expected end, and a process that is as it was before."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypedDict, Unpack

from nodetool_sandbox import Cancel, GuestError, Limits, RunResult, Sandbox, SandboxClock

PATIENCE_S = 10.0
"""How long something that must come may take on a busy machine."""


class Given(TypedDict, total=False):
    """What a run may be given beside its program."""

    globals: Mapping[str, object]
    limits: Limits
    cancel: Cancel
    clock: SandboxClock


def run(code: str, **given: Unpack[Given]) -> RunResult:
    """The result of a program in a fresh sandbox."""
    return Sandbox().run_sync(code, **given)


def value(code: str, **given: Unpack[Given]) -> object:
    """What a program returns that must succeed."""
    result = run(code, **given)
    assert result.success, result
    return result.value


def failure(code: str, **given: Unpack[Given]) -> GuestError:
    """The error of a program that must not succeed."""
    result = run(code, **given)
    assert not result.success, result
    assert result.error is not None
    return result.error


def until(true: Callable[[], object], what: str) -> None:
    """Return as soon as `true()` is."""
    end = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while not true():
        assert time.monotonic() < end, what
        pause.wait(0.005)


def descriptors() -> int:
    """How many descriptors this process has open."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


@contextlib.contextmanager
def left_clean() -> Iterator[None]:
    """The threads and descriptors of this process are as many afterwards as before."""
    value("return 1")  # what a process makes once is no leak
    until(lambda: not sandbox_threads(), "threads of an earlier test go")
    threads, open_before = threading.active_count(), descriptors()
    yield
    until(lambda: threading.active_count() <= threads, f"threads go: {threading.enumerate()}")
    until(lambda: descriptors() <= open_before, "descriptors are closed")


def sandbox_threads() -> list[threading.Thread]:
    """The threads that are ours."""
    return [each for each in threading.enumerate() if each.name.startswith("nodetool-sandbox")]
