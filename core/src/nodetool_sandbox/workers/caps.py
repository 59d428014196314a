"""What a worker takes away from itself before it works. Where a system lacks a cap, that one is left out."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Final

if sys.platform != "win32":
    import fcntl
    import resource
    import select

MIB: Final = 1024 * 1024

MAX_WORKER_BYTES: Final = 512 * MIB
"""Address space that a worker may take on top of what it had at its start."""

SPENT_BYTES: Final = 256 * MIB
"""Growth after which a worker is replaced: memory in pieces makes the next big call fail."""

MAX_WORKER_DESCRIPTORS: Final = 32

_at_start = 0


def address_space_bytes() -> int:
    """Address space of this process now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as statm:  # noqa: PTH123 - read at every call
            return int(statm.read(64).split(b" ", 1)[0]) * resource.getpagesize()
    except OSError:
        return 0


def has_grown() -> bool:
    """Whether memory that was taken has not come back."""
    return address_space_bytes() - _at_start > SPENT_BYTES


def cap_process(memory_bytes: int = MAX_WORKER_BYTES) -> None:
    """Cap memory (on top of what is taken now), descriptors and new processes, for good."""
    global _at_start  # noqa: PLW0603 - of the process, as the caps are
    if sys.platform == "win32":
        return
    _at_start = address_space_bytes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the embedding process
    if _at_start:
        _cap(resource.RLIMIT_AS, _at_start + memory_bytes)
    _cap(resource.RLIMIT_CORE, 0)
    _cap(resource.RLIMIT_NOFILE, MAX_WORKER_DESCRIPTORS)
    with suppress(AttributeError):  # not everywhere; the administrator passes over it
        _cap(resource.RLIMIT_NPROC, 0)


def cap_files() -> None:
    """Never again write to a file. Not earlier: Python keeps what it compiled of a module that it imports."""
    sys.dont_write_bytecode = True
    if sys.platform != "win32":
        _cap(resource.RLIMIT_FSIZE, 0)


def cap_call(seconds: float) -> None:
    """Let the system end this process after so much more work, whoever else is asleep by then."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = _within(hard, math.ceil(time.process_time() + seconds) + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def end_with(life: int) -> None:
    """End this process when the other end of `life` closes, at once and whatever it is doing."""
    if sys.platform == "linux":
        # The kernel does it: a thread of ours could not while a library holds the interpreter's lock.
        fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
        poll = select.poll()
        poll.register(life, select.POLLIN)
        if poll.poll(0):  # it closed before the kernel was asked
            os._exit(1)
    elif life >= 0:
        threading.Thread(target=_end_at_eof, args=(life,), daemon=True).start()


def _end_at_eof(life: int) -> None:
    os.read(life, 1)
    os._exit(1)


def _cap(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = _within(hard, value)
    with suppress(ValueError, OSError):  # a system may not let this one be set
        resource.setrlimit(which, (value, value))


def _within(hard: int, value: int) -> int:
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
