"""A cancellation that any thread may ask for."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancel:
    """Pass one to `run(cancel=...)` and call `cancel()` when the result is not wanted any more.

    One object may cancel many runs. It stays cancelled: a run that starts with it ends at once.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """End every run that has this object, within about 100 ms. A second call does nothing."""
        with self._lock:
            self._cancelled = True
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def add(self, callback: Callable[[], None]) -> None:
        """Call back once, when cancelled: at once if that was before."""
        with self._lock:
            if not self._cancelled:
                self._callbacks.append(callback)
                return
        callback()

    def discard(self, callback: Callable[[], None]) -> None:
        """Forget a callback, if it is still waiting."""
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
