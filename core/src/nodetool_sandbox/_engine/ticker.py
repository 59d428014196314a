"""The tick: while guests compute, a thread advances wasmtime's epoch, and each guest notices at its next check.

At a tick a guest's own thread looks at its deadline and its cancellation (guest.py). A loop, a sort, a
builtin that never asks anybody: each of them passes an epoch check.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Final

TICK_S: Final = 0.005
"""Seconds between two ticks."""

_IDLE_TICKS: Final = 10
"""Ticks that nobody needed, after which the thread goes to sleep."""


class Ticker:
    """Calls `advance` every `TICK_S` between `enter` and `leave`, and a few ticks longer.

    Its thread then sleeps, and ends when it was not woken for `linger_s`.
    """

    def __init__(self, advance: Callable[[], None], *, linger_s: float) -> None:
        self._advance = advance
        self._linger_s = linger_s
        self._lock = threading.Lock()
        self._go = threading.Lock()  # held but for the moment of being woken
        self._go.acquire()
        self._inside = 0
        self._alive = False
        self._asleep = False

    def enter(self) -> None:
        """A guest begins to compute."""
        with self._lock:
            self._inside += 1
            if self._asleep:
                self._asleep = False
                self._go.release()
                return
            if self._alive:
                return
            self._alive = True
        threading.Thread(target=self._tick, name="nodetool-sandbox-ticker", daemon=True).start()

    def leave(self) -> None:
        """A guest stopped computing."""
        with self._lock:
            self._inside -= 1

    def _tick(self) -> None:
        idle = 0
        while True:
            time.sleep(TICK_S)
            self._advance()
            with self._lock:
                idle = 0 if self._inside else idle + 1
                if idle <= _IDLE_TICKS:
                    continue
                self._asleep = True
            idle = 0
            if self._go.acquire(timeout=self._linger_s):
                continue
            with self._lock:
                if self._asleep:
                    self._asleep = self._alive = False
                    return
            self._go.acquire()  # it was woken just now

    def forget(self) -> None:
        """In a forked child: the thread is not there, and whoever computed is not there either."""
        self.__init__(self._advance, linger_s=self._linger_s)  # type: ignore[misc]


def register_fork(ticker: Ticker) -> None:
    """Let a forked child start its own thread."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=ticker.forget)
