"""One call of a host module: what is asked, how long it may take, what is answered, and the doing of it.

A worker process imports this file and no more of the runtime than what stands below it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError, HostExport, HostModule

from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal import to_guest, to_host

_log = logging.getLogger(__name__)

MAX_CALL_BYTES: Final = 64 * 1024 * 1024
"""Of one call's arguments, as they cross."""

MAX_CALL_DEPTH: Final = 128
"""Containers inside of containers in one call's arguments."""

MAX_HOST_CALL_S: Final = 10.0
"""The deadline of one host call, or what is left of the run where that is less."""

CANCELLED: Final = "the run was cancelled"
"""What a call is told whose run is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCall:
    """One call of a host export, arguments still as the guest wrote them."""

    specifier: str
    export: str
    payload: bytes
    refs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes back to the guest: a message, and how to read it."""

    payload: bytes
    failed: bool = False
    refs: bool = False


Done = Callable[[Answer], None]
"""Gets the answer of one call, once, on any thread."""


def failure(name: str, message: str, details: Mapping[str, object] | None = None) -> Answer:
    """An Error for the guest."""
    try:
        payload = to_guest([name, message, dict(details) if details else None]).payload
    except MarshalError:  # details of ours that cannot cross are left out
        payload = to_guest([name, message, None]).payload
    return Answer(payload=payload, failed=True)


def success(value: object, *, at: str, shared: bool = False) -> Answer:
    """A value for the guest, or the refusal to take it there."""
    try:
        message = to_guest(value, at=at, shared=shared)
    except MarshalError as cause:
        return failure("TypeError", str(cause))
    return Answer(payload=message.payload, refs=message.refs)


class CallDeadline:
    """When one host call must be over: its own time, or the end of the run."""

    def __init__(self, where: str, seconds: float, cancelled: Callable[[], bool]) -> None:
        self.where = where
        self._seconds = seconds
        self._cancelled = cancelled
        self.begin()

    def begin(self) -> None:
        """Count from now: time that was spent waiting is not the call's."""
        self._at = time.monotonic() + self._seconds

    @property
    def cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._cancelled()

    def remaining_s(self) -> float:
        """Seconds that are left, negative when it is over."""
        return self._at - time.monotonic()

    def refusal(self, *, grace_s: float = 0.0) -> str | None:
        """Why the call must not go on, or None."""
        if self.cancelled:
            return CANCELLED
        if self.remaining_s() < -grace_s:
            return f"{self.where}: exceeded its {self._seconds * 1000:.0f} ms deadline"
        return None

    def check(self) -> None:
        """Return while time is left.

        Raises:
            HostCallError: the time is up, or the run was cancelled.
        """
        refusal = self.refusal()
        if refusal is not None:
            raise HostCallError(refusal)


def perform(hosts: Mapping[str, HostModule], host_id: str, call: HostCall, deadline: CallDeadline) -> Answer:
    """Do a call, here and now. Never raises but for memory.

    Raises:
        MemoryError: there is not enough; what that means is the caller's to say.
    """
    where = deadline.where
    try:
        export = _find(hosts, host_id, call)
        arguments = to_host(call.payload, max_bytes=MAX_CALL_BYTES, refs=call.refs, marks="refuse")
        if not isinstance(arguments, list):
            return failure("Error", f"{call.specifier}: {call.export} was called with a non-list argument")
        deadline.check()
        value = export.function(arguments, deadline)
    except HostCallError as refusal:
        return failure(refusal.name, refusal.message, refusal.details)
    except MarshalError as refusal:
        return failure("TypeError", f"{where}: {refusal}")
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - logged, and one fixed sentence for the guest
        # a host module words its own refusals: anything else is our mistake, and stays on this side
        _log.exception("%s failed", where)
        return failure("InternalError", f"{where}: failed inside the host; this is a bug in the host module")
    return success(value, at=where, shared=export.shared)


def _find(hosts: Mapping[str, HostModule], host_id: str, call: HostCall) -> HostExport:
    module = hosts.get(host_id)  # a library loads here when it is the first call
    export = module.export(call.export) if module is not None else None
    if export is None:
        raise HostCallError(
            f"{call.specifier}: {call.export} has no implementation in this runtime; "
            f"pip install nodetool-sandbox-host[{host_id}]"
        )
    return export
