"""What a run came to: frozen values, the same for a good end and a bad one."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from nodetool_sandbox.errors import GuestError

if TYPE_CHECKING:  # what works on files loads with the first workspace
    from nodetool_sandbox.files.changes import Changes

MAX_CALL_RECORDS: Final = 10_000
"""Host calls that a result lists one by one; `usage.host_calls` counts the others too."""


class Ended(StrEnum):
    """How a run ended. Only `OK` is a success."""

    OK = "ok"
    """The program returned."""
    FAILED = "failed"
    """The program threw, did not parse, or imported what it may not."""
    TIMEOUT = "timeout"
    """`timeout_ms` was used up."""
    STEPS = "steps"
    """`max_steps` was used up."""
    CANCELLED = "cancelled"
    """The caller cancelled."""
    DEADLOCK = "deadlock"
    """The program waits for what can never happen."""
    CRASHED = "crashed"
    """The engine ended the instance; nothing of it is left."""


class CallOutcome(StrEnum):
    """What became of one host call."""

    OK = "ok"
    FAILED = "failed"
    UNANSWERED = "unanswered"
    """The run ended first. Its effect may have happened or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One host call: when it began after the start of the run, how long it took, what crossed."""

    name: str
    started_ms: float
    ms: float
    bytes_in: int
    """Bytes of the arguments, as they crossed to the host."""
    bytes_out: int
    """Bytes of the reply, as they crossed to the guest."""
    outcome: CallOutcome
    line: int | None
    column: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a run took."""

    cpu_ms: float = 0.0
    """Processor time of the guest itself, host calls that answer at once included."""
    wall_ms: float = 0.0
    peak_heap_bytes: int = 0
    steps: int = 0
    """The engine's interrupt polls (backward jumps and calls), the same number on every machine."""
    host_calls: int = 0
    unhandled_rejections: int = 0
    abandoned_calls: int = 0
    """Functions of the caller and host calls that were at work when the run ended; a thread cannot be stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The end of one run. `value` is the program's result when `success`, `error` says why it is not."""

    ended: Ended
    value: object = None
    error: GuestError | None = None
    logs: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    calls: tuple[CallRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    """What the operator should know, such as an installed module that is not the locked one."""
    changes: Changes | None = None
    """What the program did in a workspace that is an overlay; None in every other run."""

    @property
    def success(self) -> bool:
        """Whether the program ran to its end."""
        return self.ended is Ended.OK
