"""The WebAssembly calls of one run: who may call what, on what budget, and in which order.

Everything here is decided on the run's loop, at each call, whatever a program or a pack holds in its
hands: a function that was bound while modules linked is a name and a specifier, and no more than that.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, cast

from nodetool_sandbox_registry import Resolution
from nodetool_sandbox_registry.manifest import MAX_WASM_LIMITS
from nodetool_sandbox_registry.texts import quoted
from nodetool_sandbox_registry.values import UNDEFINED
from nodetool_sandbox_registry.wasm_binary import PAGE_BYTES
from nodetool_sandbox_registry.wasm_contract import WasmFunction, WasmModule

from nodetool_sandbox._engine.wasm import CompiledWasm, WasmFailed, WasmStopped, call_wasm
from nodetool_sandbox.bridges.power import RunView
from nodetool_sandbox.errors import EngineUnavailable, MarshalError
from nodetool_sandbox.host_calls import CANCELLED, Answer, Done, failure, success
from nodetool_sandbox.loops import Report
from nodetool_sandbox.wasm.arguments import ArgumentRefused, convert_arguments
from nodetool_sandbox.wasm.compiling import CompiledModules, compiled_modules
from nodetool_sandbox.wasm.pool import Ticket, WasmPool, shared_pool

_log = logging.getLogger(__name__)

ERROR: Final = "SandboxWasmError"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one run may spend on WebAssembly: the lowest that any of its modules asks for."""

    concurrency: int
    calls: int
    wall_clock_ms: int


@dataclass(slots=True, eq=False)
class _Job:
    """One call whose arguments are right."""

    where: str
    module: WasmModule
    function: WasmFunction
    arguments: list[int | float]
    done: Done
    compiled: CompiledWasm | None = None
    reserved_ms: float = 0.0
    ticket: Ticket | None = field(default=None)


class WasmModules:
    """The WebAssembly modules that a run declared.

    Args:
        resolution: what the run may import.
        in_process: compile on a thread of this process, because no other may be started.
    """

    def __init__(self, resolution: Resolution, *, in_process: bool) -> None:
        self._modules = {
            str(file.specifier): file.wasm
            for module in resolution.modules
            for file in module.files
            if file.wasm is not None
        }
        self._in_process = in_process

    def open(self, run: RunView) -> WasmCalls:
        """The calls of one run."""
        return WasmCalls(
            self._modules, run, compiled=compiled_modules(in_process=self._in_process), pool=shared_pool()
        )


class WasmCalls:
    """Makes the calls of one run. On its loop alone; close it with the run."""

    def __init__(
        self, modules: dict[str, WasmModule], run: RunView, *, compiled: CompiledModules, pool: WasmPool
    ) -> None:
        self.budget = run_budget(modules)
        self._modules = modules
        self._run = run
        self._compiled = compiled
        self._pool = pool
        self._called = 0
        self._left_ms = float(self.budget.wall_clock_ms)
        self._running: set[_Job] = set()
        self._queue: deque[_Job] = deque()
        self._closed = False

    def start(self, where: str, export: str, read_arguments: Callable[[], object], done: Done) -> None:
        """Call an export of the module of that specifier; `done` gets the answer.

        `read_arguments` may raise MarshalError. The checks are in the order that the reference has.
        """
        refuse = partial(_refuse, done)
        if self._is_unwanted():
            refuse(CANCELLED)
            return
        module = self._modules.get(where)
        if module is None:
            refuse(f"{quoted(where)} is not a WASM sandbox module declared by this run")
            return
        function = next((each for each in module.functions if each.alias == export), None)
        if function is None:
            refuse(f"{where} has no export named {quoted(export)}")
            return
        try:
            arguments = convert_arguments(function, read_arguments())
        except (ArgumentRefused, MarshalError) as refusal:
            refuse(f"{where}: {refusal}")
            return
        if self._called >= self.budget.calls:
            refuse(f"{where}: this run exhausted its budget of {self.budget.calls} WASM calls per invocation")
            return
        self._called += 1
        self._require_compiled(_Job(where, module, function, arguments, done))

    def close(self) -> None:
        """The run is over: what waits is never begun, and what runs is ended at its next tick."""
        self._closed = True
        self._queue.clear()
        for job in self._running:
            if job.ticket is not None:
                self._pool.withdraw(job.ticket)

    # ---- on the loop

    def _is_unwanted(self) -> bool:
        return self._closed or self._run.is_unwanted()

    def _require_compiled(self, job: _Job) -> None:
        job.compiled = self._compiled.find(job.module.digest)
        if job.compiled is not None:
            self._enter(job)
            return
        self._run.loop.elsewhere(
            lambda report: self._compiled.compile(
                job.module, job.where, lambda outcome: report(outcome, None)
            ),
            lambda outcome, _: self._take_compiled(job, cast("CompiledWasm | str", outcome)),
        )

    def _take_compiled(self, job: _Job, outcome: CompiledWasm | str) -> None:
        if isinstance(outcome, str):
            _refuse(job.done, outcome if outcome.startswith(job.where) else f"{job.where} {outcome}")
            return
        job.compiled = outcome
        self._enter(job)

    def _enter(self, job: _Job) -> None:
        self._queue.append(job)
        self._move_up()

    def _move_up(self) -> None:
        """Begin what waits, as far as there is room for it."""
        while self._queue and len(self._running) < self.budget.concurrency:
            self._begin(self._queue.popleft())

    def _begin(self, job: _Job) -> None:
        if self._is_unwanted():
            _refuse(job.done, CANCELLED)
            return
        if self._left_ms <= 0:
            budget = self.budget.wall_clock_ms
            _refuse(
                job.done,
                f"{job.where}: this run exhausted its budget of {budget} ms of WASM wall clock per invocation",
            )
            return
        job.reserved_ms = min(_call_timeout_ms(job.module), self._left_ms)
        self._left_ms -= job.reserved_ms
        self._running.add(job)
        self._run.loop.elsewhere(partial(self._submit, job), partial(self._finish, job))

    def _submit(self, job: _Job, report: Report) -> None:
        try:
            job.ticket = self._pool.submit(lambda: partial(report, self._call(job), None))
        except EngineUnavailable as cause:
            report((failure(ERROR, f"{job.where}: {cause}"), 0.0), None)

    def _finish(self, job: _Job, outcome: object, _error: BaseException | None) -> None:
        answer, spent_ms = cast("tuple[Answer, float]", outcome)
        self._running.discard(job)
        self._left_ms += job.reserved_ms - spent_ms
        job.done(answer)
        self._move_up()

    # ---- on a worker

    def _call(self, job: _Job) -> tuple[Answer, float]:
        """The answer, and the milliseconds that it took."""
        began = time.monotonic()
        until = began + job.reserved_ms / 1000
        name = job.function.alias
        is_late = False

        def must_stop() -> bool:
            nonlocal is_late
            is_late = time.monotonic() >= until
            return is_late or self._is_unwanted()

        try:
            if self._is_unwanted():
                return failure(ERROR, CANCELLED), 0.0
            assert job.compiled is not None  # noqa: S101 - it came this far
            value = call_wasm(
                job.compiled,
                job.function.wasm,
                job.arguments,
                memory_bytes=min(job.module.memory_pages * PAGE_BYTES, self._run.limits.memory_limit_bytes),
                must_stop=must_stop,
            )
        except WasmStopped:
            self._pool.count_replaced()
            spent_ms = max(_since_ms(began), job.reserved_ms)
            if not is_late:
                return failure(ERROR, CANCELLED), spent_ms
            return (
                failure(
                    ERROR,
                    f"WASM call {name} exceeded its {math.ceil(job.reserved_ms)} ms per-call timeout; "
                    "the worker was terminated and replaced",
                ),
                spent_ms,
            )
        except WasmFailed as failed:
            return failure(ERROR, f"{job.where}: {name}: {failed}"), _since_ms(began)
        except Exception as cause:  # noqa: BLE001 - logged, and one fixed sentence for the program
            _log.error("%s failed", job.where, exc_info=cause)
            return failure(ERROR, f"{job.where}: {name} failed inside the host"), _since_ms(began)
        return success(value if job.function.result else UNDEFINED, at=f"{job.where}: {name}"), _since_ms(
            began
        )


def run_budget(modules: dict[str, WasmModule]) -> Budget:
    """What a run with these modules may spend."""
    return Budget(
        concurrency=_lowest(modules, lambda module: module.limits.call_concurrency, "call_concurrency"),
        calls=_lowest(modules, lambda module: module.limits.calls_per_invocation, "calls_per_invocation"),
        wall_clock_ms=_lowest(modules, lambda module: module.limits.wall_clock_ms, "wall_clock_ms"),
    )


def _lowest(modules: dict[str, WasmModule], asked: Callable[[WasmModule], int | None], name: str) -> int:
    ceiling = MAX_WASM_LIMITS[name]
    return min((asked(module) or ceiling for module in modules.values()), default=ceiling)


def _call_timeout_ms(module: WasmModule) -> int:
    return module.limits.call_timeout_ms or MAX_WASM_LIMITS["call_timeout_ms"]


def _refuse(done: Done, message: str) -> None:
    done(failure(ERROR, message))


def _since_ms(began: float) -> float:
    return (time.monotonic() - began) * 1000
