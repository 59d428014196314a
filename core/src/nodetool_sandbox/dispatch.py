"""Host calls: who may call what, checked again at every call, and the one seam behind which it is done.

`Runner` is the seam. Synchronous exports are done at once, on the guest's own thread; asynchronous
ones by the runner: in worker processes (`workers.pool`), or on threads of this process (`InProcess`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from nodetool_sandbox_registry.hosts import HostCallError, HostId, HostModule
from nodetool_sandbox_registry.names import DistName, Specifier
from nodetool_sandbox_registry.pins import PINS, PinnedExport, require_pin
from nodetool_sandbox_registry.texts import quoted

from nodetool_sandbox.host_calls import (
    MAX_HOST_CALL_S,
    Answer,
    CallDeadline,
    Done,
    HostCall,
    failure,
    perform,
)
from nodetool_sandbox.marshal import content_bytes
from nodetool_sandbox.threads import host_threads

if TYPE_CHECKING:  # see `sandbox`
    from nodetool_sandbox_registry import Resolution

MAX_INFLATED_BYTES: Final = 200 * 1024 * 1024
"""What the archives and workbooks that one run opens may give it, all calls together.

A call cannot see the run it belongs to, so a program that opens archives inside of archives is counted here.
Counted is the content of files, without names and framing: four archives of 50 MiB are allowed.
"""

_INFLATING: Final = frozenset({"zip", "xlsx"})


class Runner(Protocol):
    """Does the asynchronous calls that were found to be allowed."""

    def warm(self) -> None:
        """Get ready: calls may come."""

    def start(
        self,
        host_id: str,
        call: HostCall,
        deadline: CallDeadline,
        *,
        hosts: Mapping[str, HostModule],
        run: Hashable,
        done: Done,
    ) -> None:
        """Have the call done and `done` called once with its answer, whatever happens. Does not block.

        `hosts` is for who does it in this process; looking one up in it may load a library. `run` says
        which calls belong together, so that no run takes every place.
        """


class InProcess:
    """Runs asynchronous host exports on threads of this process, for embedders who may not start processes.

    A Python thread cannot be killed: a slow call in C, such as a parser on the wrong input, is abandoned
    at its deadline and not stopped. It keeps its thread, and often the interpreter, until it is done.
    """

    def warm(self) -> None:
        """See Runner."""

    def start(
        self,
        host_id: str,
        call: HostCall,
        deadline: CallDeadline,
        *,
        hosts: Mapping[str, HostModule],
        run: Hashable,  # noqa: ARG002 - threads are not shared out
        done: Done,
    ) -> None:
        """See Runner."""
        host_threads().submit(lambda: done(_call_here(hosts, host_id, call, deadline)))


def _call_here(
    hosts: Mapping[str, HostModule], host_id: str, call: HostCall, deadline: CallDeadline
) -> Answer:
    try:
        return perform(hosts, host_id, call, deadline)
    except MemoryError:
        return failure("Error", f"{deadline.where}: out of memory")


class Dispatcher:
    """The host modules that one run may reach."""

    def __init__(
        self, resolution: Resolution | None, hosts: Mapping[str, HostModule], runner: Runner
    ) -> None:
        self._declared: dict[str, tuple[HostId, DistName]] = {}
        self._hosts = hosts
        self._runner = runner
        self._threads = InProcess()
        self._inflated = 0
        self._lock = threading.Lock()
        self._behind: dict[str, list[HostId]] = {}
        for module in resolution.modules if resolution else ():
            for file in module.files:
                if file.host_id is not None and file.specifier is not None:
                    self._declared[file.specifier] = (file.host_id, module.distribution)
                    self._behind.setdefault(module.specifier, []).append(file.host_id)

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
            return self._require(specifier, export)[1].sync
        except HostCallError:
            return False

    def warm(self, specifiers: Iterable[str]) -> None:
        """Let the runner get ready when what is imported, or what that imports, has asynchronous exports."""
        hosts = {host_id for each in specifiers for host_id in self._behind.get(each, ())}
        if any(not export.sync for host_id in hosts for export in PINS[host_id].exports):
            self._runner.warm()

    def call_now(self, call: HostCall, seconds: float, cancelled: Callable[[], bool]) -> Answer:
        """Check everything, then do a synchronous call. Never raises."""
        try:
            host_id, _ = self._require(call.specifier, call.export)
        except HostCallError as refusal:
            return failure(refusal.name, refusal.message)
        deadline = _deadline(host_id, call, seconds, cancelled)
        return self._counted(deadline.where, host_id, _call_here(self._hosts, host_id, call, deadline))

    def start(self, call: HostCall, seconds: float, cancelled: Callable[[], bool], done: Done) -> None:
        """Check everything, then have it done; `done` gets the answer, now or on another thread."""
        try:
            host_id, export = self._require(call.specifier, call.export)
        except HostCallError as refusal:
            done(failure(refusal.name, refusal.message))
            return
        deadline = _deadline(host_id, call, seconds, cancelled)
        if self._inflated >= MAX_INFLATED_BYTES and host_id in _INFLATING:
            done(_inflated_too_much(deadline.where))
            return

        def finish(answer: Answer) -> None:
            done(self._counted(deadline.where, host_id, answer))

        runner = self._threads if export.sync else self._runner
        runner.start(host_id, call, deadline, hosts=self._hosts, run=self, done=finish)

    def _counted(self, where: str, host_id: HostId, answer: Answer) -> Answer:
        """The answer, or the refusal of it where this run has been given too much. Calls end on several threads."""
        if host_id not in _INFLATING or answer.failed:
            return answer
        with self._lock:
            self._inflated += content_bytes(answer.payload)
            return answer if self._inflated <= MAX_INFLATED_BYTES else _inflated_too_much(where)

    def _require(self, specifier: str, name: str) -> tuple[HostId, PinnedExport]:
        """What may be called under these names.

        Raises:
            HostCallError: this run did not declare it, or its pin does not have it.
        """
        declared = self._declared.get(specifier)
        if declared is None:
            raise HostCallError(f"{quoted(specifier)} is not a host sandbox module declared by this run")
        host_id, distribution = declared
        for export in require_pin(host_id, distribution).exports:
            if export.name == name:
                return host_id, export
        raise HostCallError(f"{specifier} has no export named {quoted(name)}")


def _inflated_too_much(where: str) -> Answer:
    return failure("RangeError", f"{where}: this run has inflated more than {MAX_INFLATED_BYTES} bytes")


def _deadline(host_id: HostId, call: HostCall, seconds: float, cancelled: Callable[[], bool]) -> CallDeadline:
    return CallDeadline(f"{host_id}.{call.export}", min(seconds, MAX_HOST_CALL_S), cancelled)
