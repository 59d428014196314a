"""The powers `image` and `canvas`, and what becomes of them in one run: messages that go to its worker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import ClassVar, Final

from nodetool_sandbox_registry import HostTableEntry

from nodetool_sandbox.bridges.power import Bridge, RunView
from nodetool_sandbox.host_calls import Answer, Done, HostCall
from nodetool_sandbox.marshal import to_guest
from nodetool_sandbox.pictures.caps import WORKING_BYTES
from nodetool_sandbox.workers.run_worker import RunWorker, WorkerKind

_TABLE: Final = HostTableEntry(version="0", module="nodetool_sandbox.pictures.table", attribute="TABLE")

IMAGE_CALLS: Final = (
    "adjust blank bytes composite convert crop decode encode flip grid info open pad release resize rotate stats"
).split()
"""What `image.*` asks of the worker."""

IMAGE_CALLS_NOW: Final = ("byteLength",)


class Image:
    """Lets programs read, change and write pictures: `Sandbox(image=Image())`.

    It reaches nothing: bytes in, bytes out. Decoders run in a process that serves one run and is gone with it.

    Raises:
        ImportError: Pillow is not installed; the message names the extra.
    """

    name: ClassVar[str] = "image"

    def __init__(self) -> None:
        _require("Image", "image", ("PIL", "tinycss2"))

    def open(self, run: RunView) -> Bridge:
        """The bridge of one run; its worker starts with the first call."""
        return _Relay("image", run, calls=IMAGE_CALLS, calls_now=IMAGE_CALLS_NOW)


def _require(power: str, extra: str, modules: tuple[str, ...]) -> None:
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ImportError(
            f"{power}() needs {', '.join(missing)}, which is not installed: pip install 'nodetool-sandbox[{extra}]'"
        )


class _Relay(Bridge):
    """Hands the messages of one run to its worker, which it shares with the other picture power."""

    def __init__(self, name: str, run: RunView, *, calls: list[str], calls_now: tuple[str, ...]) -> None:
        self._run = run
        worker = _worker_of(run)
        self._calls: dict[str, Callable[[HostCall, Done], None]] = {
            each: partial(worker.start, name) for each in calls
        }
        self._calls_now: dict[str, Callable[[HostCall], Answer]] = {
            each: partial(worker.ask, name) for each in calls_now
        }

    @property
    def relayed(self) -> Mapping[str, Callable[[HostCall, Done], None]]:
        return self._calls

    @property
    def relayed_now(self) -> Mapping[str, Callable[[HostCall], Answer]]:
        return self._calls_now

    def close(self) -> None:
        with _lock:
            worker = _workers.pop(self._run, None)
        if worker is not None:
            worker.close()


_lock: Final = threading.Lock()
_workers: Final[dict[RunView, RunWorker]] = {}


def _worker_of(run: RunView) -> RunWorker:
    """The worker of a run, whichever of the two powers asks first."""
    with _lock:
        worker = _workers.get(run)
        if worker is None:
            budget = run.limits.run_media_bytes
            worker = _workers[run] = RunWorker(
                WorkerKind(table=_TABLE, memory_bytes=WORKING_BYTES + budget),
                partial(_opening, budget),
                remaining_s=run.remaining_s,
                is_unwanted=run.is_unwanted,
            )
        return worker


def _opening(budget: int, number: int) -> tuple[str, HostCall]:
    payload = to_guest([budget, number]).payload
    return "run", HostCall(specifier="run", export="begin", payload=payload, refs=False)
