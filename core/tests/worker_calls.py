"""Calls of the table `worker_table`, as a run makes them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from itertools import count
from pathlib import Path
from queue import SimpleQueue

from nodetool_sandbox.dispatch import Runner
from nodetool_sandbox.host_calls import Answer, CallDeadline, HostCall
from nodetool_sandbox.marshal import to_guest, to_host
from nodetool_sandbox_registry import HostTableEntry
from worker_table import HOSTS

PATIENCE_S = 30.0
"""How long something that must come may take on a busy machine."""

TABLE = HostTableEntry(version="0", module="worker_table", attribute="HOSTS")

UNEXPECTED = "the worker ended unexpectedly; the call may or may not have finished"


def until(true: Callable[[], object], what: str) -> None:
    """Return as soon as `true()` is."""
    end = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while not true():
        assert time.monotonic() < end, what
        pause.wait(0.005)


def call_of(export: str, *args: object, shared: bool = False) -> HostCall:
    message = to_guest(list(args), shared=shared)
    return HostCall(specifier="probe-pack", export=export, payload=message.payload, refs=message.refs)


_places = count()


class Asked:
    """A call that was made; `answer` waits for its answer, `place` says before which others it came."""

    def __init__(
        self,
        runner: Runner,
        export: str,
        *args: object,
        seconds: float = PATIENCE_S,
        run: Hashable = "run",
        cancelled: Callable[[], bool] = lambda: False,
        call: HostCall | None = None,
    ) -> None:
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        runner.start(
            "probe",
            call or call_of(export, *args),
            CallDeadline(f"probe.{export}", seconds, cancelled),
            hosts=HOSTS,
            run=run,
            done=self._done,
        )

    def _done(self, answer: Answer) -> None:
        self.place = next(_places)
        self._answers.put(answer)

    @property
    def is_answered(self) -> bool:
        return not self._answers.empty()

    @property
    def answer(self) -> Answer:
        return self._answers.get(timeout=PATIENCE_S)

    @property
    def value(self) -> object:
        answer = self.answer
        value = to_host(answer.payload, max_bytes=1 << 30, refs=answer.refs)
        assert not answer.failed, value
        return value

    @property
    def error(self) -> tuple[str, str, object]:
        answer = self.answer
        error = to_host(answer.payload, max_bytes=1 << 20)
        assert answer.failed, error
        assert isinstance(error, list)
        name, message, details = error
        return name, message, details


def is_alive(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be buried by whoever adopted it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
