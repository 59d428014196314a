"""Everything that one run was given, checked, resolved and ready to cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nodetool_sandbox_registry.linking import ModuleGraph

from nodetool_sandbox.bridges.console import LogSink
from nodetool_sandbox.bridges.power import Power
from nodetool_sandbox.bridges.progress import ProgressSink
from nodetool_sandbox.caller_globals import CallerGlobals
from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.clock import SandboxClock
from nodetool_sandbox.dispatch import Dispatcher
from nodetool_sandbox.entry import Entry
from nodetool_sandbox.limits import Limits

if TYPE_CHECKING:  # loads with the first run that declares such a module
    from nodetool_sandbox.wasm.calls import WasmModules


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run needs, from its program to its sinks. Nothing in it changes while the run goes on."""

    entry: Entry
    given: CallerGlobals
    limits: Limits
    graph: ModuleGraph | None
    dispatcher: Dispatcher
    powers: tuple[Power, ...]
    wasm: WasmModules | None
    warnings: tuple[str, ...]
    clock: SandboxClock | None
    cancel: Cancel
    on_log: LogSink | None
    on_progress: ProgressSink | None

    def position(self, line: int | None, column: int | None) -> tuple[int | None, int | None]:
        """A place that the guest tells, in the program as it was written; both None where it is not in it."""
        if not line:
            return None, None
        return self.entry.user_position(line, column or 1) or (None, None)
