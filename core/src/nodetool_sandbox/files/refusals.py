"""Why something is not done with a file, beside what the system itself says (OSError)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class RefusedError(Exception):
    """It may not be done there. `index` says at which of the call's paths: the first, unless said otherwise."""

    index = 0

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class OutsideError(RefusedError):
    """The path leads out of the folder."""


class PathRefusedError(RefusedError):
    """The text is no path that may be opened; its words are for the program."""


class EntryRefusedError(RefusedError):
    """What stands there is not for this; its words are for the program, and follow the path."""


class HardLinkError(RefusedError):
    """The file has another name, which may lie outside."""


class BudgetExceededError(Exception):
    """A limit would be passed; the message names it."""


class RunOverError(Exception):
    """Nobody wants this work any more."""


@contextmanager
def at_second_path() -> Iterator[None]:
    """What is refused in here is refused for the second path of the call."""
    try:
        yield
    except RefusedError as refusal:
        refusal.index = 1
        raise
