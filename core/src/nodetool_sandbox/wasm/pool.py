"""The workers that make WebAssembly calls: a few threads of this process, and whoever waits for one."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

from nodetool_sandbox.threads import HOST_STACK_BYTES, Threads

POOL_WORKERS: Final = 4
"""WebAssembly calls that one process makes at once, those of all its runs together."""


Tell = Callable[[], None]
"""Hands on what a job came to. Called when its worker counts as free: whoever is told may submit again at once."""

WasmJob = Callable[[], Tell]
"""Does the work. Neither raises."""


class Ticket:
    """A job's place in the queue."""

    __slots__ = ("job",)

    def __init__(self, job: WasmJob) -> None:
        self.job = job


class WasmPool:
    """First come, first served. A worker is a thread and, for one call, an instance that dies with the call.

    `replaced` counts the workers whose call had to be ended, `peak` the most that were at work at once.
    """

    def __init__(self, *, most: int = POOL_WORKERS) -> None:
        self.replaced = 0
        self.peak = 0
        self._most = most
        self._lock = threading.Lock()
        self._threads = Threads(name="nodetool-sandbox-wasm", stack_bytes=HOST_STACK_BYTES, most=most)
        self._waiting: deque[Ticket] = deque()
        self._working = 0

    def submit(self, job: WasmJob) -> Ticket:
        """Do this when a worker is free.

        Raises:
            EngineUnavailable: no thread could be started.
        """
        ticket = Ticket(job)
        with self._lock:
            self._waiting.append(ticket)
            if self._working >= self._most:
                return ticket
            self._working += 1
            self.peak = max(self.peak, self._working)
        try:
            self._threads.submit(self._work)
        except BaseException:
            with self._lock:
                self._working -= 1
                if ticket in self._waiting:
                    self._waiting.remove(ticket)
            raise
        return ticket

    def withdraw(self, ticket: Ticket) -> bool:
        """Take a job back that no worker has begun; whether it was there."""
        with self._lock:
            if ticket not in self._waiting:
                return False
            self._waiting.remove(ticket)
            return True

    def count_replaced(self) -> None:
        """Note that a call was ended and its worker is a fresh one from now on."""
        with self._lock:
            self.replaced += 1

    def _work(self) -> None:
        # it counts as working from before it began
        while True:
            with self._lock:
                if not self._waiting:
                    self._working -= 1
                    return
                ticket = self._waiting.popleft()
            tell = ticket.job()
            with self._lock:
                self._working -= 1
            tell()
            with self._lock:
                if not self._waiting or self._working >= self._most:
                    return
                self._working += 1


_shared = WasmPool()


def shared_pool() -> WasmPool:
    """The pool of this process."""
    return _shared


def _after_fork() -> None:
    # a child has none of the threads, and nobody waits in it
    global _shared  # noqa: PLW0603
    _shared = WasmPool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
