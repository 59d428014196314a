"""Calls that wait for a worker, and whose turn is next: the run with the fewest at work, then the oldest."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from nodetool_sandbox.host_calls import CANCELLED, CallDeadline, Done, HostCall

MAX_WAITING_CALLS: Final = 1_000
"""Calls of all runs that wait for a worker. One more is refused."""

MAX_WAIT_S: Final = 30.0
"""How long one of them waits before it is told so."""

_numbers: Final = count()


@dataclass(slots=True, eq=False, kw_only=True)
class Job:
    """One call on its way to a worker."""

    host_id: str
    call: HostCall
    deadline: CallDeadline
    run: Hashable
    done: Done
    number: int = field(default_factory=lambda: next(_numbers))
    since: float = field(default_factory=time.monotonic)

    def waited_too_long(self) -> str | None:
        """Why it must not wait any longer, or None."""
        waited = time.monotonic() - self.since
        if waited > MAX_WAIT_S:
            return (
                f"{self.deadline.where}: waited {waited * 1000:.0f} ms for a worker; "
                "make fewer calls at once, or try again when the machine is less busy"
            )
        return CANCELLED if self.deadline.cancelled else None  # its own time has not begun


class FairQueue:
    """First come first served within a run; between runs, whoever has the fewest calls at work."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[Job]] = {}
        self._at_work: Counter[Hashable] = Counter()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, job: Job) -> None:
        """Let it wait."""
        self._waiting.setdefault(job.run, deque()).append(job)
        self._count += 1

    def take(self) -> Job:
        """Whose turn it is; it is at work until `finished`."""
        run = min(self._waiting, key=lambda run: (self._at_work[run], self._waiting[run][0].number))
        self._at_work[run] += 1
        return self._pop(run)

    def finished(self, job: Job) -> None:
        """It is at work no longer."""
        self._at_work[job.run] -= 1
        if not self._at_work[job.run]:
            del self._at_work[job.run]

    def take_refused(self) -> list[tuple[Job, str]]:
        """Those that must not wait any longer, each with the reason."""
        refused: list[tuple[Job, str]] = []
        for run in tuple(self._waiting):
            # the oldest first: when it may wait, so may those behind it
            while run in self._waiting and (reason := self._waiting[run][0].waited_too_long()):
                refused.append((self._pop(run), reason))
        return refused

    def take_all(self) -> list[Job]:
        """Everything that waits."""
        jobs = [job for waiting in self._waiting.values() for job in waiting]
        self._waiting.clear()
        self._count = 0
        return jobs

    def _pop(self, run: Hashable) -> Job:
        waiting = self._waiting[run]
        job = waiting.popleft()
        if not waiting:
            del self._waiting[run]
        self._count -= 1
        return job
