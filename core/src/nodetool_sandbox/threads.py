"""Threads that come when there is work and go soon after: for guests, and for blocking functions of the host.

A waiting guest needs no thread. A computing one needs one whose stack holds what the guest's own
stack limit allows: the engine recurses natively, about 4 times its JavaScript stack for calls and
16 times for its parser (measured; docs/decisions/engine.md).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from nodetool_sandbox.errors import EngineUnavailable

MIB: Final = 1024 * 1024

MAX_WASM_STACK_BYTES: Final = 160 * MIB
"""Native stack that a guest may use: 16 times the ceiling of `stack_limit_bytes`, and a margin."""

GUEST_STACK_BYTES: Final = MAX_WASM_STACK_BYTES + 8 * MIB
"""Address space of one guest thread's stack; memory is taken only where a guest recurses that deep."""

HOST_STACK_BYTES: Final = 8 * MIB

MAX_GUEST_THREADS: Final = 128
"""Guests that compute at once; more of them wait for a thread under their own deadline."""

MAX_HOST_THREADS: Final = 64
"""Blocking functions of the host at once. One that never returns keeps its thread for ever."""

LINGER_S: Final = 0.05
"""How long a thread without work stays: it keeps what its part of the heap once held."""

KEPT_THREADS: Final = 2
"""Threads of a pool that stay longer, because to start one costs the run after a pause half a millisecond."""

KEPT_S: Final = 2.0
"""How long those stay."""

Job = Callable[[], None]


class _Seat:
    """Where one thread waits for its next job."""

    __slots__ = ("go", "job")

    def __init__(self) -> None:
        self.go = threading.Lock()  # held while there is no job
        self.go.acquire()
        self.job: Job | None = None


class Threads:
    """A pool that grows when no thread is idle and shrinks to nothing by itself. A job must not raise.

    A job is handed to one waiting thread by name, the last that came free: its stack is warm, and
    nobody else can take what was promised to it.
    """

    def __init__(self, *, name: str, stack_bytes: int, most: int, linger_s: float = LINGER_S) -> None:
        self._name = name
        self._stack_bytes = stack_bytes
        self._most = most
        self._linger_s = linger_s
        self._lock = threading.Lock()
        self._seats: list[_Seat] = []
        self._backlog: deque[Job] = deque()
        self._count = 0

    @property
    def count(self) -> int:
        """Threads alive now."""
        return self._count

    def submit(self, job: Job) -> None:
        """Run the job on a thread of the pool, now if one can be had.

        Raises:
            EngineUnavailable: no thread could be started.
        """
        with self._lock:
            if self._seats:
                seat = self._seats.pop()
                seat.job = job
                seat.go.release()
                return
            if self._count >= self._most:
                self._backlog.append(job)
                return
            self._count += 1
        try:
            _start(self._work, job, name=self._name, stack_bytes=self._stack_bytes)
        except (RuntimeError, MemoryError) as cause:
            with self._lock:
                self._count -= 1
            raise EngineUnavailable(
                f"no thread with {self._stack_bytes // MIB} MiB of stack can be started; "
                "raise the limit on threads or on address space (ulimit -u, ulimit -v)"
            ) from cause

    def _work(self, job: Job | None) -> None:
        seat = _Seat()
        while job is not None:
            job()
            job = None  # a thread that waits must not keep the last guest alive
            with self._lock:
                if self._backlog:
                    job = self._backlog.popleft()
                    continue
                kept = len(self._seats) < KEPT_THREADS
                self._seats.append(seat)
            if not seat.go.acquire(timeout=max(self._linger_s, KEPT_S) if kept else self._linger_s):
                with self._lock:
                    if seat in self._seats:
                        self._seats.remove(seat)
                        self._count -= 1
                        return
                seat.go.acquire()  # a job was given to this seat just now
            job, seat.job = seat.job, None


_start_lock = threading.Lock()


def _start(target: Callable[[Job], None], job: Job, *, name: str, stack_bytes: int) -> None:
    # The stack size is a setting of the process that the next thread takes: set, start, set back.
    with _start_lock:
        before = threading.stack_size(stack_bytes)
        try:
            threading.Thread(target=target, args=(job,), name=name, daemon=True).start()
        finally:
            threading.stack_size(before)


def _new_pools() -> tuple[Threads, Threads]:
    return (
        Threads(name="nodetool-sandbox-guest", stack_bytes=GUEST_STACK_BYTES, most=MAX_GUEST_THREADS),
        Threads(name="nodetool-sandbox-host", stack_bytes=HOST_STACK_BYTES, most=MAX_HOST_THREADS),
    )


_guest_pool, _host_pool = _new_pools()


def guest_threads() -> Threads:
    """The threads of this process that guests compute on."""
    return _guest_pool


def host_threads() -> Threads:
    """The threads of this process for the host's blocking functions."""
    return _host_pool


def _after_fork() -> None:
    # A child has none of the threads, and may have inherited a lock that one of them held.
    global _guest_pool, _host_pool, _start_lock  # noqa: PLW0603
    _start_lock = threading.Lock()
    _guest_pool, _host_pool = _new_pools()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
