"""The wall clock of one run, and what is given back to it."""

from __future__ import annotations

import time

from nodetool_sandbox.clock import SandboxClock
from nodetool_sandbox.limits import Limits


class Deadline:
    """When a run must be over: its time-out, moved by what is given back."""

    def __init__(self, limits: Limits, clock: SandboxClock | None) -> None:
        self.started = time.monotonic()
        self._timeout_s = limits.timeout_ms / 1000
        self._allowance_s = limits.suspend_allowance_ms / 1000
        self._clock = clock
        self._suspended_before = clock.suspended_ms() if clock else 0.0
        self._held_s = 0.0
        self._held_since: float | None = None

    def remaining_s(self) -> float:
        """Seconds that are left, negative when it is over."""
        now = time.monotonic()
        given_back = self._held_s
        if self._held_since is not None:
            given_back += now - self._held_since
        if self._clock is not None:
            suspended = (self._clock.suspended_ms() - self._suspended_before) / 1000
            given_back += min(suspended, self._allowance_s)
        return self.started + self._timeout_s + given_back - now

    def hold(self) -> None:
        """Stop counting: whoever holds the run thinks about its calls."""
        if self._held_since is None:
            self._held_since = time.monotonic()

    def release(self) -> None:
        """Count again."""
        if self._held_since is not None:
            self._held_s += time.monotonic() - self._held_since
            self._held_since = None
