"""A clock that can be stopped while a person is asked, so that the wait is not charged to the program."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self


class SandboxClock:
    """Adds up the time in which at least one suspension is open.

    Give one to a run and hold `suspend()` open around a wait that the program should not pay for:
    the suspended time is added to its `timeout_ms`, up to `suspend_allowance_ms`. Suspensions nest
    and may be opened and closed from any thread. `now` gives seconds that never go back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._depth = 0
        self._opened_at = 0.0
        self._closed_seconds = 0.0

    def suspend(self) -> Resume:
        """Stop the clock from now until the returned `Resume` is called or its `with` block ends."""
        with self._lock:
            if self._depth == 0:
                self._opened_at = self._now()
            self._depth += 1
        return Resume(self._close)

    def suspended_ms(self) -> float:
        """All suspended time until now in milliseconds, an open suspension included."""
        with self._lock:
            open_seconds = self._now() - self._opened_at if self._depth else 0.0
            return (self._closed_seconds + open_seconds) * 1000

    def _close(self) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._closed_seconds += self._now() - self._opened_at


class Resume:
    """Ends one suspension; a second call does nothing."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._lock = threading.Lock()
        self._done = False

    def __call__(self) -> None:
        with self._lock:
            if self._done:
                return
            self._done = True
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self()
