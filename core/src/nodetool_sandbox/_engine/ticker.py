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

_LINGER_TICKS: Final = 10


class Ticker:
    """Calls `advance` every `TICK_S` between `enter` and `leave`, and a few ticks longer."""

    def __init__(self, advance: Callable[[], None]) -> None:
        self._advance = advance
        self._lock = threading.Lock()
        self._inside = 0
        self._alive = False

    def enter(self) -> None:
        """A guest begins to compute."""
        with self._lock:
            self._inside += 1
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
                if idle > _LINGER_TICKS:
                    self._alive = False
                    return

    def forget(self) -> None:
        """In a forked child: the thread is not there, and whoever computed is not there either."""
        self._lock = threading.Lock()
        self._inside = 0
        self._alive = False


def register_fork(ticker: Ticker) -> None:
    """Let a forked child start its own thread."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=ticker.forget)
