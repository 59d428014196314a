"""Host calls: who may call what, checked again at every call, and the one seam behind which it is done.

`Runner.call(call, deadline) -> payload` is the seam. In process for now: synchronous exports on the
guest's own thread, asynchronous ones on a thread of the pool.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from nodetool_sandbox_registry import HostId, Resolution, Specifier, require_pin
from nodetool_sandbox_registry.hosts import HostCallError, HostExport, HostModule
from nodetool_sandbox_registry.names import DistName
from nodetool_sandbox_registry.texts import quoted

from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal import to_guest, to_host

_log = logging.getLogger(__name__)

MAX_CALL_BYTES: Final = 32 * 1024 * 1024
"""Of one call's arguments, as they cross."""

MAX_CALL_DEPTH: Final = 128
"""Containers inside of containers in one call's arguments."""

MAX_HOST_CALL_S: Final = 10.0
"""The deadline of one host call, or what is left of the run where that is less."""


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


def _require_wanted(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise HostCallError("the run was cancelled")


class CallDeadline:
    """When one host call must be over: its own time, or the end of the run."""

    def __init__(self, where: str, seconds: float, cancelled: Callable[[], bool]) -> None:
        self._where = where
        self._seconds = seconds
        self._at = time.monotonic() + seconds
        self._cancelled = cancelled

    def check(self) -> None:
        """Return while time is left.

        Raises:
            HostCallError: the time is up, or the run was cancelled.
        """
        _require_wanted(self._cancelled)
        if time.monotonic() > self._at:
            raise HostCallError(f"{self._where}: exceeded its {self._seconds * 1000:.0f} ms deadline")


class Runner(Protocol):
    """Does a call that was found to be allowed."""

    def call(self, module: HostModule, export: HostExport, call: HostCall, deadline: CallDeadline) -> Answer:
        """The answer, whatever happens."""


class InProcess:
    """In this process: a slow call in C is abandoned at its deadline and not stopped."""

    def call(self, module: HostModule, export: HostExport, call: HostCall, deadline: CallDeadline) -> Answer:
        where = f"{module.host_id}.{export.name}"
        try:
            arguments = to_host(call.payload, max_bytes=MAX_CALL_BYTES, refs=call.refs, marks="refuse")
            if not isinstance(arguments, list):
                return failure(
                    "Error", f"{call.specifier}: {export.name} was called with a non-list argument"
                )
            deadline.check()
            value = export.function(arguments, deadline)
        except HostCallError as refusal:
            return failure(refusal.name, refusal.message, refusal.details)
        except MarshalError as refusal:
            return failure("TypeError", f"{where}: {refusal}")
        except Exception:  # noqa: BLE001 - logged, and one fixed sentence for the guest
            # a host module words its own refusals: anything else is our mistake, and stays on this side
            _log.exception("%s failed", where)
            return failure(
                "InternalError", f"{where}: failed inside the host; this is a bug in the host module"
            )
        return success(value, at=where, shared=export.shared)


class Dispatcher:
    """The host modules that one run may reach."""

    def __init__(
        self, resolution: Resolution | None, hosts: Mapping[str, HostModule], runner: Runner
    ) -> None:
        self._declared: dict[str, tuple[HostId, DistName]] = {}
        self._hosts = hosts
        self._runner = runner
        for module in resolution.modules if resolution else ():
            for file in module.files:
                if file.host_id is not None and file.specifier is not None:
                    self._declared[file.specifier] = (file.host_id, module.distribution)

    @property
    def specifiers(self) -> tuple[Specifier, ...]:
        """What may be called."""
        return tuple(Specifier(each) for each in self._declared)

    def name(self, specifier: str, export: str) -> str:
        """How a call is called in logs: `csv.parse`."""
        declared = self._declared.get(specifier)
        return f"{declared[0] if declared else specifier}.{export}"[:200]

    def is_sync(self, specifier: str, export: str) -> bool:
        """Whether that export answers at once; False for what is not there."""
        try:
            return self._find(specifier, export)[1].sync
        except HostCallError:
            return False

    def call(self, call: HostCall, seconds: float, cancelled: Callable[[], bool]) -> Answer:
        """Check everything, then do it. Blocks; never raises."""
        try:
            _require_wanted(cancelled)
            module, export = self._find(call.specifier, call.export)
        except HostCallError as refusal:
            return failure(refusal.name, refusal.message)
        where = f"{module.host_id}.{export.name}"
        return self._runner.call(
            module, export, call, CallDeadline(where, min(seconds, MAX_HOST_CALL_S), cancelled)
        )

    def _find(self, specifier: str, name: str) -> tuple[HostModule, HostExport]:
        declared = self._declared.get(specifier)
        if declared is None:
            raise HostCallError(f"{quoted(specifier)} is not a host sandbox module declared by this run")
        host_id, distribution = declared
        pin = require_pin(host_id, distribution)
        if not any(export.name == name for export in pin.exports):
            raise HostCallError(f"{specifier} has no export named {quoted(name)}")
        module = self._hosts.get(host_id)
        export = module.export(name) if module is not None else None
        if module is None or export is None:
            raise HostCallError(
                f"{specifier}: {name} has no implementation in this runtime; "
                f"pip install nodetool-sandbox-host[{host_id}]"
            )
        return module, export
