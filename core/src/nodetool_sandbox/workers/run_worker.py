"""A worker process that serves one run: it comes with the run's first call and is gone when the run is over.

So what a call leaves behind (a decoded picture) is there for the next one, at no cost of crossing, and
no other run ever meets it. A spare worker is started ahead, so that a run seldom waits for one.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry import HostTableEntry

from nodetool_sandbox.host_calls import CANCELLED, Answer, Done, HostCall, failure
from nodetool_sandbox.workers.frames import MalformedReplyError
from nodetool_sandbox.workers.process import WorkerProcess

_log = logging.getLogger(__name__)

MAX_RUN_WORKERS: Final = 32
"""Runs that have a worker of their own at once; the next one waits for one of them to end."""

MAX_QUEUED: Final = 1_000
"""Calls of one run that wait for its worker. One more is refused."""

MAX_WAIT_S: Final = 30.0
"""How long a run waits for a worker before it is told so."""

START_S: Final = 30.0
"""How long a worker may take to start."""

WATCH_S: Final = 0.02
"""How often it is looked at whether a call is still wanted."""

SPARE_S: Final = 2.0
"""How long a worker that no run has taken yet stays."""

_ENDED: Final = (EOFError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerKind:
    """Which workers are alike: a spare one serves the next run of its kind."""

    table: HostTableEntry
    memory_bytes: int
    warm_up: tuple[str, HostCall] | None = None
    """What a spare worker is asked while it waits, so that its libraries are loaded by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    host_id: str
    call: HostCall
    where: str
    done: Done


class RunWorker:
    """The worker of one run. Its calls are done one after the other, in the order in which they came.

    Args:
        kind: which worker.
        opening: the call that a fresh worker is asked first, with its host id; it tells the worker's number
            in this run, from 0, so that nothing is mistaken for what an earlier one held.
        remaining_s: seconds until the run's deadline.
        is_unwanted: whether the run was cancelled or is over.
    """

    def __init__(
        self,
        kind: WorkerKind,
        opening: Callable[[int], tuple[str, HostCall]],
        *,
        remaining_s: Callable[[], float],
        is_unwanted: Callable[[], bool],
    ) -> None:
        self._kind = kind
        self._opening = opening
        self._remaining_s = remaining_s
        self._is_unwanted = is_unwanted
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._queued = 0
        self._started = 0
        self._is_serving = False
        self._is_closed = False
        self._process: WorkerProcess | None = None
        self._is_busy = False
        self._places = _places

    def start(self, host_id: str, call: HostCall, done: Done) -> None:
        """Do a call when its turn comes, and give the answer to `done`, on a thread of its own."""
        job = _Job(host_id=host_id, call=call, where=f"{host_id}.{call.export}", done=done)
        with self._lock:
            if refusal := self._refusal(job):
                pass
            else:
                self._queued += 1
                self._jobs.put(job)
                if not self._is_serving:
                    self._is_serving = True
                    _watcher.add(self)
                    threading.Thread(target=self._serve, name="nodetool-sandbox-run", daemon=True).start()
        if refusal:
            done(failure("Error", refusal))

    def _refusal(self, job: _Job) -> str | None:
        if self._is_closed:
            return CANCELLED
        if self._queued >= MAX_QUEUED:
            return f"{job.where}: {MAX_QUEUED:,} calls of this run wait already; await earlier calls first"
        return None

    def ask(self, host_id: str, call: HostCall) -> Answer:
        """The answer to a call that somebody waits for."""
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self.start(host_id, call, answers.put)
        return answers.get()

    def close(self) -> None:
        """The run is over: its worker ends now, and everything in it."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()
            self._jobs.put(None)

    def forget(self) -> None:
        """In a forked child, whose it is not: close the copies of its pipes."""
        if self._process is not None:
            self._process.forget()

    def look(self) -> None:
        """End the worker when nobody wants what it does. Called every few milliseconds."""
        with self._lock:
            if self._is_busy and self._process is not None and self._verdict() is not None:
                self._process.kill()

    def _verdict(self) -> str | None:
        if self._is_closed or self._is_unwanted():
            return CANCELLED
        return "the run's time is over" if self._remaining_s() <= 0 else None

    # ---- its thread

    def _serve(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                answer = self._answer(job)
                with self._lock:
                    self._queued -= 1
                job.done(answer)
        finally:
            _watcher.discard(self)
            self._drop()
        # what came after the end
        while not self._jobs.empty():
            if (job := self._jobs.get()) is not None:
                job.done(failure("Error", CANCELLED))

    def _answer(self, job: _Job) -> Answer:
        verdict = self._verdict()
        if verdict is not None:
            return failure("Error", f"{job.where}: {verdict}")
        process = self._process
        if process is None or process.has_ended:
            self._drop()
            try:
                process = self._take(job)
            except _NoWorkerError as reason:
                return failure("Error", str(reason))
        return self._asked(process, job.host_id, job.call, job.where)

    def _asked(self, process: WorkerProcess, host_id: str, call: HostCall, where: str) -> Answer:
        with self._lock:
            self._is_busy = True
        try:
            reply = process.ask(host_id, call, max(self._remaining_s(), 0.001))
        except _ENDED:
            reason = self._verdict() or "its worker ended unexpectedly, and the pictures in it are gone"
            self._drop()
            return failure("Error", f"{where}: {reason}")
        except MalformedReplyError:
            self._drop()
            return failure("Error", f"{where}: the worker's answer is malformed")
        finally:
            self._is_busy = False
        if reply.log:
            _log.error("in a worker: %s", reply.log)
        return reply.answer

    def _take(self, job: _Job) -> WorkerProcess:
        until = time.monotonic() + MAX_WAIT_S
        while not self._places.acquire(timeout=WATCH_S):
            if verdict := self._verdict():
                raise _NoWorkerError(f"{job.where}: {verdict}")
            if time.monotonic() > until:
                raise _NoWorkerError(
                    f"{job.where}: {MAX_RUN_WORKERS} runs have a worker already; "
                    "try again when the machine is less busy"
                )
        try:
            process = spares.take(self._kind)
        except (*_ENDED, MalformedReplyError) as error:
            self._places.release()
            _log.warning("a worker process could not be started: %r", error)
            raise _NoWorkerError(f"{job.where}: no worker process could be started") from None
        with self._lock:
            self._process = process
            number = self._started
            self._started += 1
            if self._is_closed:
                process.kill()
        host_id, opening = self._opening(number)
        answer = self._asked(process, host_id, opening, job.where)
        if answer.failed:
            self._drop()
            raise _NoWorkerError(f"{job.where}: its worker could not begin")
        return process

    def _drop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.close()
            self._places.release()
            spares.prepare(self._kind)


class _NoWorkerError(Exception):
    """No worker is to be had; the text is for the guest."""


@dataclass(frozen=True, slots=True)
class _Spare:
    kind: WorkerKind
    process: WorkerProcess
    taken: threading.Event


class Spares:
    """At most one worker that no run has met yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spare: _Spare | None = None
        self._is_starting = False

    def take(self, kind: WorkerKind) -> WorkerProcess:
        """A worker that takes calls.

        Raises:
            OSError, EOFError, MalformedReplyError: none can be started.
        """
        spare = self._taken()
        if spare is not None:
            if spare.kind == kind and not spare.process.has_ended:
                return spare.process
            spare.process.close()
        return self._made(kind)

    def _taken(self) -> _Spare | None:
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is not None:
            spare.taken.set()
        return spare

    def prepare(self, kind: WorkerKind) -> None:
        """Have one ready for the next run, for a while."""
        with self._lock:
            if self._is_starting or self._spare is not None:
                return
            self._is_starting = True
        try:
            threading.Thread(
                target=self._keep, args=(kind,), name="nodetool-sandbox-spare", daemon=True
            ).start()
        except RuntimeError:  # no more threads can be had
            self._is_starting = False

    def close(self) -> None:
        """End the spare worker."""
        spare = self._taken()
        if spare is not None:
            spare.process.close()

    def forget(self) -> None:
        """Begin anew in a forked child, whose the worker is not."""
        if self._spare is not None:
            self._spare.process.forget()
        self._lock = threading.Lock()
        self._spare = None
        self._is_starting = False

    def _keep(self, kind: WorkerKind) -> None:
        try:
            process = self._made(kind)
            if kind.warm_up is not None:
                process.ask(*kind.warm_up, START_S)
        except (*_ENDED, MalformedReplyError):  # said when a run needs one
            self._is_starting = False
            return
        mine = _Spare(kind, process, threading.Event())
        with self._lock:
            self._is_starting = False
            self._spare = mine
        if mine.taken.wait(SPARE_S):
            return
        with self._lock:
            if self._spare is not mine:
                return
            self._spare = None
        process.close()

    @staticmethod
    def _made(kind: WorkerKind) -> WorkerProcess:
        process = WorkerProcess(kind.table, memory_bytes=kind.memory_bytes)
        late = threading.Timer(START_S, process.kill)
        late.daemon, late.name = True, "nodetool-sandbox-start"
        late.start()
        try:
            process.wait_ready()
        except BaseException:
            process.close()
            raise
        finally:
            late.cancel()
        return process


class _Watcher:
    """One thread that looks at every run's worker, while there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: set[RunWorker] = set()
        self._is_watching = False

    def add(self, worker: RunWorker) -> None:
        with self._lock:
            self._watched.add(worker)
            if self._is_watching:
                return
            self._is_watching = True
        threading.Thread(target=self._watch, name="nodetool-sandbox-watch", daemon=True).start()

    def discard(self, worker: RunWorker) -> None:
        with self._lock:
            self._watched.discard(worker)

    def all(self) -> tuple[RunWorker, ...]:
        with self._lock:
            return tuple(self._watched)

    def _watch(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(WATCH_S)
            with self._lock:
                if not self._watched:
                    self._is_watching = False
                    return
                watched = tuple(self._watched)
            for each in watched:
                each.look()

    def forget(self) -> None:
        self._lock = threading.Lock()
        self._watched = set()
        self._is_watching = False


_places = threading.BoundedSemaphore(MAX_RUN_WORKERS)
_watcher: Final = _Watcher()
spares: Final = Spares()
"""The spare worker of this process."""


def _close_all() -> None:
    spares.close()
    for worker in _watcher.all():
        worker.close()


def _forget_all() -> None:
    global _places  # noqa: PLW0603 - a forked child has none of the workers
    for worker in _watcher.all():
        worker.forget()
    _watcher.forget()
    spares.forget()
    _places = threading.BoundedSemaphore(MAX_RUN_WORKERS)


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
