"""A host table for the tests of runners: functions that tell about their process, or harm it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule

if sys.platform != "win32":
    import resource

_kept: list[bytearray] = []


def echo(args: Sequence[object], _deadline: Deadline) -> object:
    return args[0] if args else None


def twice(args: Sequence[object], _deadline: Deadline) -> object:
    return [args[0], args[0]]


def refuse(_args: Sequence[object], _deadline: Deadline) -> object:
    raise HostCallError("probe.refuse: no", name="RangeError", details={"row": 3})


def mistake(_args: Sequence[object], _deadline: Deadline) -> object:
    raise ZeroDivisionError("secret")


def leave(_args: Sequence[object], _deadline: Deadline) -> object:
    raise SystemExit(3)


def strange(_args: Sequence[object], _deadline: Deadline) -> object:
    return object()


def spin(_args: Sequence[object], deadline: Deadline) -> object:
    """Polls, for ever."""
    while True:
        deadline.check()


def stuck(_args: Sequence[object], _deadline: Deadline) -> object:
    """In C, holding the interpreter's lock, for hours."""
    return re.match(r"(a+)+$", "a" * 40 + "b") is None


def pid(_args: Sequence[object], _deadline: Deadline) -> object:
    return os.getpid()


def die(_args: Sequence[object], _deadline: Deadline) -> object:
    os._exit(7)


def take(args: Sequence[object], _deadline: Deadline) -> object:
    """So many bytes at once."""
    return len(bytearray(int(str(args[0]))))


def keep(args: Sequence[object], _deadline: Deadline) -> object:
    """So many bytes, for good."""
    _kept.append(bytearray(int(str(args[0]))))
    return os.getpid()


def shout(_args: Sequence[object], _deadline: Deadline) -> object:
    print("x" * 100_000)  # noqa: T201 - as a library might
    os.write(1, b"y" * 1000)
    return "quiet"


def write(args: Sequence[object], _deadline: Deadline) -> object:
    try:
        return Path(str(args[0])).write_text("x")
    except OSError as refusal:
        return type(refusal).__name__


def meet(args: Sequence[object], deadline: Deadline) -> object:
    """Returns when another process is here too."""
    place = Path(str(args[0]))
    (place / str(os.getpid())).mkdir(exist_ok=True)
    while len(list(place.iterdir())) < 2:
        deadline.check()
        time.sleep(0.005)
    return True


def around(_args: Sequence[object], _deadline: Deadline) -> object:
    """What this process can see of the one that started it."""
    names = ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC")
    return {
        "environment": dict(os.environ),
        "descriptors": [
            str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()
        ],
        "folder": str(Path.cwd()),
        "path": list(sys.path),
        "limits": {each: resource.getrlimit(getattr(resource, each))[1] for each in names},
        "main": sys.modules["__main__"].__file__,
        "has_engine": "wasmtime" in sys.modules,
    }


_FUNCTIONS = (
    echo, refuse, mistake, leave, strange, spin, stuck, pid, die, take, keep, shout, write, meet, around,
)  # fmt: skip
PROBE = HostModule(
    host_id=HostId("probe"),
    exports=(
        *(HostExport(name=each.__name__, function=each) for each in _FUNCTIONS),
        HostExport(name="twice", function=twice, shared=True),
    ),
)
HOSTS = {"probe": PROBE}
