"""Many programs over an executor: lazily taken, in order, each with its own result.

The one thing that an executor does not do by itself is to survive a worker that dies. The default
pool is rebuilt then, and what had been under way is run again one at a time, so that the program
that kills its worker is found and every other one still gets its result.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final, Generic, TypeVar

from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.errors import GuestError
from nodetool_sandbox.result import Ended, RunResult

WINDOW_PER_WORKER: Final = 4
"""Programs that are under way or wait for their turn to be given out, for each worker, by default."""

Item = TypeVar("Item")
Run = Callable[[Item, Cancel | None], RunResult]
"""Runs one program. With the default pool it crosses to another process, so it must pickle."""


def map_programs(
    run: Run[Item], items: Iterable[Item], *, executor: Executor | None, window: int | None
) -> Iterator[RunResult]:
    """The results of `run` over `items`, in their order, at most `window` of them under way.

    An item is taken when there is room for it. Closing the iterator ends what runs on the default
    pool or on a pool of threads; other executors finish what they have begun.

    Raises:
        TypeError, ValueError: `window` is no number above 0.
        Whatever `run` raises, at the place of the program that it was raised for.
    """
    if window is not None and (isinstance(window, bool) or not isinstance(window, int)):
        raise TypeError(f"window must be a whole number, not {type(window).__name__}")
    if window is not None and window < 1:
        raise ValueError(f"window must be at least 1, not {window}")
    most = window or WINDOW_PER_WORKER * _cpu_count()
    return _mapped(_Given(executor) if executor is not None else _Pool(), run, items, most)


def _mapped(
    workers: _Given | _Pool, run: Run[Item], items: Iterable[Item], window: int
) -> Iterator[RunResult]:
    source = enumerate(items)
    under_way: deque[_UnderWay[Item]] = deque()
    try:
        while True:
            while len(under_way) < window and (taken := next(source, None)) is not None:
                number, item = taken
                under_way.append(_UnderWay(number=number, item=item, future=workers.submit(run, item)))
            if not under_way:
                return
            yield _first_result(workers, run, under_way)
            under_way.popleft()
    finally:
        workers.close([each.future for each in under_way])


@dataclass(slots=True, kw_only=True)
class _UnderWay(Generic[Item]):
    number: int
    item: Item
    future: Future[RunResult]


def _first_result(workers: _Given | _Pool, run: Run[Item], under_way: deque[_UnderWay[Item]]) -> RunResult:
    first = under_way[0]
    try:
        return first.future.result()
    except BrokenExecutor:
        if not workers.rebuild():
            return _died(
                "its executor broke while this program was under way, which may be the fault of another"
            )
        _run_alone(workers, run, under_way)
        return first.future.result()
    except Exception as cause:
        cause.add_note(f"raised for program number {first.number:,} (counted from 0) of the map")
        raise


def _run_alone(workers: _Given | _Pool, run: Run[Item], suspects: deque[_UnderWay[Item]]) -> None:
    """Run again, one at a time, what a dead worker left without a result."""
    for suspect in suspects:
        if suspect.future.done() and not isinstance(suspect.future.exception(), BrokenExecutor):
            continue
        suspect.future = workers.submit(run, suspect.item)
        if isinstance(suspect.future.exception(), BrokenExecutor):
            suspect.future = Future()
            suspect.future.set_result(
                _died("the worker process that ran this program died, and again when it was run alone")
            )
            workers.rebuild()


def _died(message: str) -> RunResult:
    return RunResult(ended=Ended.CRASHED, error=GuestError(name="WorkerDied", message=message))


class _Given:
    """An executor of the caller's: used, never shut down."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        # a cancellation reaches the threads of this process and no other
        self._cancel = Cancel() if isinstance(executor, ThreadPoolExecutor) else None

    def submit(self, run: Run[Item], item: Item) -> Future[RunResult]:
        return self._executor.submit(run, item, self._cancel)

    def rebuild(self) -> bool:
        return False

    def close(self, futures: Iterable[Future[RunResult]]) -> None:
        for future in futures:
            future.cancel()
        if self._cancel is not None:
            self._cancel.cancel()


class _Pool:
    """Processes of our own, started afresh: a forked copy of a process with threads is not safe to compute in."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        # Whoever waits at the one end learns that the other is closed, by us or because we are dead.
        self._alive, self._end = self._context.Pipe(duplex=False)
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            max_workers=_cpu_count(), mp_context=self._context, initializer=_watch, initargs=(self._alive,)
        )

    def submit(self, run: Run[Item], item: Item) -> Future[RunResult]:
        try:
            return self._executor.submit(_run_here, run, item)
        except BrokenExecutor as cause:  # a worker died just now; told like any other such death
            failed: Future[RunResult] = Future()
            failed.set_exception(cause)
            return failed

    def rebuild(self) -> bool:
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._start()
        return True

    def close(self, futures: Iterable[Future[RunResult]]) -> None:
        for future in futures:
            future.cancel()
        self._end.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        self._alive.close()


# ---- in a worker

_cancelled: Final = Cancel()


def _watch(alive: Connection) -> None:
    """Cancel this worker's runs when the process that asked for them closes its end, or dies."""

    def wait() -> None:
        with contextlib.suppress(OSError):
            alive.poll(None)
        _cancelled.cancel()

    threading.Thread(target=wait, name="nodetool-sandbox-map", daemon=True).start()


def _run_here(run: Run[Item], item: Item) -> RunResult:
    return run(item, _cancelled)


def _cpu_count() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
