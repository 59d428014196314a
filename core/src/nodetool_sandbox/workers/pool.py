"""Asynchronous host exports in worker processes: killed at the deadline, replaced, and gone when idle.

One thread serves one worker and ends with it; a call that waits costs no thread. One more thread
watches: every few milliseconds it ends the workers whose call is late or not wanted any more.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Final

from nodetool_sandbox_registry import HostTableEntry, find_host_table
from nodetool_sandbox_registry.hosts import HostModule

from nodetool_sandbox.host_calls import Answer, CallDeadline, Done, HostCall, failure
from nodetool_sandbox.workers.frames import MalformedReplyError
from nodetool_sandbox.workers.process import WorkerProcess
from nodetool_sandbox.workers.queueing import MAX_WAITING_CALLS, FairQueue, Job

_log = logging.getLogger(__name__)

MIN_WORKERS: Final = 2
MAX_WORKERS: Final = 8
"""How many calls are at work at once: one a processor, within these."""

RENEW_AFTER_CALLS: Final = 200
"""Calls after which a fresh worker is started; it takes the place of the old one as soon as it is there."""

LINGER_S: Final = 2.0
"""How long a worker without work stays."""

WATCH_S: Final = 0.02
"""How often it is looked at which calls are late or not wanted any more."""

GRACE_S: Final = 0.05
"""What a call gets past its deadline, so that one which polls ends by itself and keeps its worker."""

START_S: Final = 30.0
"""How long a worker may take to start."""

_ENDED: Final = (EOFError, OSError)
"""What the pipes of a worker that ended raise."""

_UNWANTED: Final = "it was ended with all others"


class _Seat:
    """One worker, its thread, and the call that it does."""

    __slots__ = ("calls", "go", "job", "late_at", "process", "verdict")

    def __init__(self) -> None:
        self.go = threading.Lock()  # held while there is no job
        self.go.acquire()
        self.job: Job | None = None
        self.process: WorkerProcess | None = None
        self.calls = 0
        self.late_at = time.monotonic() + START_S
        self.verdict: str | None = None  # why it was killed


class Workers:
    """Runs asynchronous host exports in worker processes, at most `most` calls at once.

    A call that is late, cancelled or crashes costs its own worker and nothing else. Workers start when
    they are needed and end when they are not; when this process ends, however it does, they end too.

    Args:
        table: where workers find the host table; the installed one by default.
        most: calls at work at once; one a processor by default, at least 2 and at most 8.
        make: starts a worker.

    Raises:
        ValueError: `most` is less than 1.
    """

    def __init__(
        self,
        *,
        table: HostTableEntry | None = None,
        most: int | None = None,
        make: Callable[[HostTableEntry], WorkerProcess] = WorkerProcess,
    ) -> None:
        if most is not None and most < 1:
            raise ValueError(f"most must be at least 1, not {most}")
        self._table = table
        self._most = most or min(max(os.cpu_count() or 1, MIN_WORKERS), MAX_WORKERS)
        self._make = make
        self._reset()
        _pools.add(self)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._queue = FairQueue()
        self._seats: set[_Seat] = set()
        self._idle: list[_Seat] = []  # the last that came free is the first to be taken: it is warm
        self._starting = 0
        self._working = 0
        self._is_watched = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The worker processes that are there now."""
        with self._lock:
            return tuple(seat.process.pid for seat in self._seats if seat.process is not None)

    def warm(self) -> None:
        """Have a worker started, unless one is there that has nothing to do."""
        with self._lock:
            if not self._idle and not self._starting and len(self._seats) < self._most:
                self._grow()

    def start(
        self,
        host_id: str,
        call: HostCall,
        deadline: CallDeadline,
        *,
        hosts: Mapping[str, HostModule],  # noqa: ARG002 - a worker has a table of its own
        run: Hashable,
        done: Done,
    ) -> None:
        """Do a call when its turn comes, and give the answer to `done`, on a thread of the pool."""
        job = Job(host_id=host_id, call=call, deadline=deadline, run=run, done=done)
        with self._lock:
            if has_room := len(self._queue) < MAX_WAITING_CALLS:
                self._queue.put(job)
                self._hand_out()
            stranded = self._take_stranded()
        self._tell(stranded)
        if not has_room:
            done(
                failure(
                    "Error",
                    f"{deadline.where}: {MAX_WAITING_CALLS:,} calls wait for a worker already; "
                    "await earlier calls first, or try again when the machine is less busy",
                )
            )

    # ---- under the lock

    def _hand_out(self) -> None:
        """Give jobs to those who wait for one, and start as many workers as are missing."""
        while self._queue and self._idle and self._working < self._most:
            seat = self._idle.pop()
            if seat.process is None or seat.process.has_ended:  # somebody else killed it: no call need pay
                seat.go.release()
                continue
            seat.job = self._queue.take()
            seat.job.deadline.begin()
            self._working += 1
            seat.go.release()
        for _ in range(min(len(self._queue) - self._starting, self._most - len(self._seats))):
            self._grow()

    def _take_stranded(self) -> list[Job]:
        """Who waits though nobody is there to come free."""
        return [] if self._seats else self._queue.take_all()

    def _grow(self) -> None:
        seat = _Seat()
        self._seats.add(seat)
        try:
            if not self._is_watched:
                _start_thread(self._watch)
                self._is_watched = True
            _start_thread(lambda: self._serve(seat))
        except RuntimeError:  # no more threads can be had
            self._seats.discard(seat)
        else:
            self._starting += 1

    # ---- a worker's thread

    def _serve(self, seat: _Seat) -> None:
        is_ready = False
        try:
            seat.process = self._make(self._required_table())
            seat.process.wait_ready()
            is_ready = True
        except (*_ENDED, MalformedReplyError) as error:
            if seat.verdict != _UNWANTED:
                _log.warning("a worker process could not be started: %s", seat.verdict or repr(error))
        with self._lock:
            self._starting -= 1
            is_ready = is_ready and seat.verdict is None
            if is_ready:
                self._idle.append(seat)
                self._hand_out()
        while is_ready and self._wait(seat):
            self._do(seat)
        if seat.process is not None:
            seat.process.close()
        with self._lock:
            self._seats.discard(seat)
            if is_ready or seat.verdict == _UNWANTED:  # else the next one would not start either
                self._hand_out()
            stranded = self._take_stranded()
        self._tell(stranded)

    def _required_table(self) -> HostTableEntry:
        self._table = self._table or find_host_table()
        if self._table is None:
            raise FileNotFoundError("no host table is installed")
        return self._table

    def _wait(self, seat: _Seat) -> bool:
        """Whether there is a job; not when there was none for long, or the worker is of no more use."""
        while not seat.go.acquire(timeout=LINGER_S):
            with self._lock:
                if seat in self._idle:
                    self._idle.remove(seat)
                    return False
        return seat.job is not None

    def _do(self, seat: _Seat) -> None:
        job, process = seat.job, seat.process
        assert job is not None  # noqa: S101 - for the type checker: _wait said so
        assert process is not None  # noqa: S101
        is_spent = True
        try:
            reply = process.ask(job.host_id, job.call, job.deadline.remaining_s())
        except _ENDED:
            answer = self._lost(seat, job)
        except MalformedReplyError:
            answer = failure(
                "Error",
                f"{job.deadline.where}: the worker's answer is malformed; "
                "the call may or may not have finished",
            )
        else:
            answer, is_spent = reply.answer, reply.is_spent
            if reply.log:
                _log.error("in a worker: %s", reply.log)
        with self._lock:
            seat.job = None
            seat.calls += 1
            self._working -= 1
            self._queue.finished(job)
            is_old = seat.calls >= RENEW_AFTER_CALLS
            if is_spent or seat.verdict is not None or (is_old and self._idle):
                seat.go.release()  # without a job: it leaves
            else:
                self._idle.append(seat)
                if is_old and seat.calls % RENEW_AFTER_CALLS == 0 and not self._starting:
                    self._grow()  # one above the most while both are there; still no more calls at work
            self._hand_out()
        # last: whoever gets the answer may call again at once, and then this worker must count as free
        job.done(answer)

    def _lost(self, seat: _Seat, job: Job) -> Answer:
        with self._lock:
            verdict = seat.verdict
        return failure(
            "Error",
            verdict
            or f"{job.deadline.where}: the worker ended unexpectedly; the call may or may not have finished",
        )

    def _tell(self, stranded: list[Job]) -> None:
        for job in stranded:
            job.done(
                failure(
                    "Error",
                    f"{job.deadline.where}: no worker process could be started; "
                    "Sandbox(runner=InProcess()) does without",
                )
            )

    # ---- the watching thread

    def _watch(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(WATCH_S)
            with self._lock:
                if not self._seats:
                    self._is_watched = False
                    return
                for seat in self._seats:
                    self._look_at(seat)
                refused = self._queue.take_refused()
            for job, reason in refused:
                job.done(failure("Error", reason))

    def _look_at(self, seat: _Seat) -> None:
        """Kill its worker when it must not go on. Under the lock, so that it dies with this call and no other."""
        if seat.process is None or seat.verdict is not None:
            return
        if seat.job is not None:
            seat.verdict = seat.job.deadline.refusal(grace_s=GRACE_S)
        elif seat.calls == 0 and seat not in self._idle and time.monotonic() > seat.late_at:
            seat.verdict = f"not ready after {START_S:.0f} s"
        if seat.verdict is not None:
            seat.process.kill()

    # ---- the end of this process, and its copies

    def kill(self) -> None:
        """End every worker now. Calls at work fail; the next call starts another one."""
        with self._lock:
            for seat in self._seats:
                if seat.job is None:
                    seat.verdict = _UNWANTED
                if seat.process is not None:
                    seat.process.kill()
            while self._idle:
                self._idle.pop().go.release()  # without a job: it leaves

    def forget(self) -> None:
        """Begin anew, in a forked child that has neither the threads nor the workers."""
        for seat in self._seats:
            if seat.process is not None:
                seat.process.forget()
        self._reset()


def _start_thread(target: Callable[[], None]) -> None:
    threading.Thread(target=target, name="nodetool-sandbox-worker", daemon=True).start()


_pools: Final[weakref.WeakSet[Workers]] = weakref.WeakSet()


def can_start_workers() -> bool:
    """Whether this is an interpreter that can be started a second time, not a program made of one."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


@lru_cache(maxsize=1)
def shared_workers() -> Workers:
    """The workers of this process, which every sandbox uses that was given no others."""
    return Workers()


def _kill_all() -> None:
    for pool in tuple(_pools):
        pool.kill()


def _forget_all() -> None:
    for pool in tuple(_pools):
        pool.forget()


atexit.register(_kill_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
