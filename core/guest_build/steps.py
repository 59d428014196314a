"""A build step's name, its failure, and where its progress goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Say: TypeAlias = Callable[[str], None]
"""Takes one line of progress."""


class StepFailedError(Exception):
    """A step of the guest's build failed. Says which, what happened and what to do."""

    def __init__(self, step: str, *, what: str, now: str) -> None:
        super().__init__(f"building the guest failed at step {step!r}\n  what: {what}\n  what now: {now}")
        self.step = step
        self.what = what
        self.now = now
