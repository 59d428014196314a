"""What happens in a run, in order.

sandbox = Sandbox()
result = await sandbox.run(code, modules=["@nodetool-ai/sandbox-yaml"], globals={"inputs": {...}})
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from nodetool_sandbox_registry.hosts import HostModule
from nodetool_sandbox_registry.linking import ModuleGraph

from nodetool_sandbox.bridges.console import LogSink
from nodetool_sandbox.bridges.power import Power, granted
from nodetool_sandbox.bridges.progress import ProgressSink
from nodetool_sandbox.caller_globals import cross_globals
from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.clock import SandboxClock
from nodetool_sandbox.dispatch import Dispatcher, InProcess, Runner
from nodetool_sandbox.entry import build_entry
from nodetool_sandbox.errors import GuestError, ImportsRefused, LimitExceeded
from nodetool_sandbox.execution import Execution
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.link import refused_imports
from nodetool_sandbox.loops import current_loop, end_tasks
from nodetool_sandbox.plan import Plan
from nodetool_sandbox.result import Ended, RunResult

if TYPE_CHECKING:
    # What reads packs, starts workers or maps over processes is a third of all that would load. It loads in
    # the first run that needs it: a process that runs one program has its result that much sooner.
    from concurrent.futures import Executor

    from nodetool_sandbox_registry import Catalog, ModuleLock, Resolution
    from nodetool_sandbox_registry.resolution import OnDrift

    from nodetool_sandbox.bridges.secrets import Provider, Secret
    from nodetool_sandbox.import_sites import ImportSite
    from nodetool_sandbox.wasm.calls import WasmModules


class Installed(Enum):
    """The type of `INSTALLED`."""

    INSTALLED = "installed"


INSTALLED: Final = Installed.INSTALLED
"""Pass `modules=INSTALLED` to let a program import every installed pack."""

Modules = Iterable[object] | Literal[Installed.INSTALLED]


@dataclass(frozen=True, slots=True)
class Program:
    """One program for `Sandbox.map`, with what `run` would be given beside it."""

    code: str
    modules: Modules = ()
    globals: Mapping[str, object] | None = None
    limits: Limits | None = None


class Sandbox:
    """Runs programs that nobody has to trust. One object serves any number of runs, at once too.

    Args:
        limits: the limits of runs that bring none of their own.
        packs: the packs that runs may declare; those of this environment by default.
        hosts: what host modules do, by id; the installed table by default, `{}` for none.
        runner: does the asynchronous calls of host modules. By default worker processes do, which are
            stopped at the deadline; they know the installed table alone, so with another `hosts` it is
            `InProcess()`.
        lock: versions and digests that the packs are compared with.
        on_drift: "warn" puts a difference into `result.warnings`, "refuse" refuses the run.
        on_log: called with level and text of each line that a program logs, as it comes.
        on_progress: called with percent and message when a program reports progress.
        fetch: lets programs make HTTP requests.
        workspace: lets programs read and write files of one folder.
        secrets: what programs may ask for with `getSecret`: names and secrets, a function, or `Secrets(...)`.
        assets: where `assetToSandbox` and `sandboxToAsset` read and write.
        image: lets programs work on pictures.
        canvas: lets programs draw.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        packs: Catalog | None = None,
        hosts: Mapping[str, HostModule] | None = None,
        runner: Runner | None = None,
        lock: ModuleLock | None = None,
        on_drift: OnDrift = "warn",
        on_log: LogSink | None = None,
        on_progress: ProgressSink | None = None,
        fetch: Power | None = None,
        workspace: Power | None = None,
        secrets: Power | Mapping[str, str | Secret] | Provider | None = None,
        assets: Power | None = None,
        image: Power | None = None,
        canvas: Power | None = None,
    ) -> None:
        self._powers = granted(
            fetch=fetch,
            workspace=workspace,
            secrets=_secrets_power(secrets),
            assets=assets,
            image=image,
            canvas=canvas,
        )
        self._limits = limits or Limits()
        self._packs = packs
        self._hosts = hosts
        self._runner = runner
        self._lock = lock
        self._on_drift: OnDrift = on_drift
        self._on_log = on_log
        self._on_progress = on_progress

    async def run(
        self,
        code: str,
        *,
        modules: Modules = (),
        globals: Mapping[str, object] | None = None,  # noqa: A002 - the reference's word for them
        limits: Limits | None = None,
        cancel: Cancel | None = None,
        clock: SandboxClock | None = None,
    ) -> RunResult:
        """Run a program to its end. Whatever the program does, this returns and says how it ended.

        Args:
            code: the body of an async function: `return` gives the result, `await` works anywhere,
                static imports stand at the top.
            modules: specifiers that the program may import, or `INSTALLED`.
            globals: names and values that the program finds. Dicts and lists are copied in, and what
                the program did to them is copied back. Functions become async functions.
            limits: limits of this run, each within its ceiling.
            cancel: ends the run when its `cancel()` is called.
            clock: gives back time in which the run waits on a person.

        Raises:
            TypeError, ValueError: an argument is wrong; nothing was run.
            ImportsRefused: `modules` names what cannot be had; all refusals at once.
            EngineUnavailable: no guest can be made on this machine.
        """
        plan = self._plan(code, modules, globals, limits, cancel, clock)
        if isinstance(plan, RunResult):
            return plan
        return await Execution(plan, current_loop()).run_to_end()

    async def start(
        self,
        code: str,
        *,
        modules: Modules = (),
        globals: Mapping[str, object] | None = None,  # noqa: A002
        limits: Limits | None = None,
        cancel: Cancel | None = None,
        clock: SandboxClock | None = None,
    ) -> Execution | RunResult:
        """Start a program and hold it at its first unanswered calls. Arguments and errors as for `run`.

        While it is held its time stands still. A program that never begins (blank, refused) is a
        result at once.
        """
        plan = self._plan(code, modules, globals, limits, cancel, clock)
        if isinstance(plan, RunResult):
            return plan
        execution = Execution(plan, current_loop())
        execution.begin()
        await execution.advance()
        return execution

    def run_sync(
        self,
        code: str,
        *,
        modules: Modules = (),
        globals: Mapping[str, object] | None = None,  # noqa: A002
        limits: Limits | None = None,
        cancel: Cancel | None = None,
        clock: SandboxClock | None = None,
    ) -> RunResult:
        """`run` for code without an event loop.

        Raises:
            RuntimeError: an event loop runs in this thread; await `run` there.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise RuntimeError("an event loop runs in this thread: use `await sandbox.run(...)`")
        with asyncio.Runner() as runner:
            try:
                return runner.run(
                    self.run(
                        code, modules=modules, globals=globals, limits=limits, cancel=cancel, clock=clock
                    )
                )
            finally:
                end_tasks(runner.get_loop())

    def map(
        self,
        programs: Iterable[str | Program],
        *,
        executor: Executor | None = None,
        window: int | None = None,
    ) -> Iterator[RunResult]:
        """The results of many programs, in their order, run on every processor or on a cluster.

        Programs are taken when there is room for them, so there may be endlessly many. Closing the
        iterator ends those under way. A worker that dies costs its own program alone: that one's
        result ends as `CRASHED`, and what ran beside it is run again.

        Args:
            programs: texts, or `Program` objects with modules, globals and limits of their own.
            executor: any `concurrent.futures.Executor`; by default a pool of fresh processes, one a
                processor, for which everything must pickle. What a program does to its `globals`
                comes back only from an executor of threads.
            window: how many may be under way or wait to be taken by you; 4 a processor by default.

        Raises:
            TypeError, ValueError: an argument is wrong, or this sandbox was given what no other
                process can have (`on_log`, `on_progress`, `hosts`, `packs`, `runner`).
            ImportsRefused, EngineUnavailable: as for `run`, at the place of that program.
        """
        from nodetool_sandbox.mapping import map_programs  # noqa: PLC0415 - see above

        if executor is None:
            self.__getstate__()
        return map_programs(self._run_program, programs, executor=executor, window=window)

    def _run_program(self, program: str | Program, cancel: Cancel | None) -> RunResult:
        each = program if isinstance(program, Program) else Program(program)
        return self.run_sync(
            each.code, modules=each.modules, globals=each.globals, limits=each.limits, cancel=cancel
        )

    def __getstate__(self) -> dict[str, object]:
        """The settings that mean the same in another process.

        Raises:
            TypeError: it was given something else, which is named.
        """
        given = [
            each
            for each in ("packs", "hosts", "runner", "on_log", "on_progress")
            if getattr(self, f"_{each}") is not None
        ]
        if given:
            names = ", ".join(f"{each}=" for each in given)
            raise TypeError(
                f"Sandbox({names}...) cannot go to another process: only limits, lock and on_drift do; "
                "leave it out, or pass map an executor of threads"
            )
        return dict(self.__dict__)

    @property
    def packs(self) -> Catalog:
        """The packs that runs may declare."""
        from nodetool_sandbox.hosts import installed_packs  # noqa: PLC0415 - see above

        return self._packs if self._packs is not None else installed_packs()

    @property
    def declarations(self) -> str:
        """TypeScript declarations of what a program of this sandbox finds, for an editor, a check or a prompt.

        What packs bring is apart: each has its `index.d.ts`.
        """
        from nodetool_sandbox.declarations import declarations_of  # noqa: PLC0415 - no run needs it

        return declarations_of(power.name for power in self._powers)

    # ---- the steps before the guest starts

    def _plan(  # noqa: PLR0917 - passed on as they came
        self,
        code: str,
        modules: Modules,
        caller_globals: Mapping[str, object] | None,
        limits: Limits | None,
        cancel: Cancel | None,
        clock: SandboxClock | None,
    ) -> Plan | RunResult:
        if not isinstance(code, str):
            raise TypeError(f"code must be a str, not {type(code).__name__}")
        for name, passed, wanted in (
            ("limits", limits, Limits),
            ("cancel", cancel, Cancel),
            ("clock", clock, SandboxClock),
        ):
            if passed is not None and not isinstance(passed, wanted):
                raise TypeError(f"{name} must be a {wanted.__name__}, not {type(passed).__name__}")
        clamped = _clamped(limits or self._limits)
        resolved = self._resolve(modules)
        given = cross_globals(caller_globals, clamped)
        if not code or code.isspace():
            return _failed(Ended.FAILED, "No code provided")
        if cancel is not None and cancel.cancelled:
            return _failed(Ended.CANCELLED, "Execution cancelled", name="ExecutionCancelled")
        try:
            entry = build_entry(code, max_source_bytes=clamped.max_source_bytes)
        except LimitExceeded as refusal:
            return _failed(Ended.FAILED, str(refusal), name="LimitExceeded")
        graph = ModuleGraph.build(resolved) if resolved is not None else None
        refused = refused_imports(entry, graph)
        if refused:
            return _failed(Ended.FAILED, "\n".join(refused), site=next(iter(refused.values())), code=code)
        hosts = self._host_table(resolved)
        dispatcher = Dispatcher(resolved, hosts, self._runner or _runner_of(hosts))
        wasm = self._wasm_modules(resolved) if resolved is not None and _has_wasm(resolved) else None
        dispatcher.warm(each.specifier for each in entry.imports)
        return Plan(
            entry=entry,
            given=given,
            limits=clamped,
            graph=graph,
            dispatcher=dispatcher,
            powers=self._powers,
            wasm=wasm,
            warnings=tuple(each.message for each in resolved.warnings) if resolved else (),
            clock=clock,
            cancel=cancel or Cancel(),
            on_log=self._on_log,
            on_progress=self._on_progress,
        )

    def _resolve(self, modules: Modules) -> Resolution | None:
        """What the run may import; None when it declares nothing."""
        if isinstance(modules, str | bytes):
            raise TypeError("modules must be a list of specifiers or INSTALLED, not one text")
        if modules is INSTALLED:
            packs = self.packs
            declared: list[object] = [each.specifier for each in packs.summaries() if each.available]
        else:
            declared = list(modules)
            if not declared:
                return None
            packs = self.packs
        from nodetool_sandbox_registry import resolution  # noqa: PLC0415 - see above

        try:
            return packs.resolve(declared, lock=self._lock, on_drift=self._on_drift)
        except resolution.ImportsRefused as refused:
            raise ImportsRefused(refused.refusals) from None

    def _wasm_modules(self, resolved: Resolution) -> WasmModules:
        from nodetool_sandbox.wasm.calls import WasmModules  # noqa: PLC0415 - see above
        from nodetool_sandbox.workers.pool import can_start_workers  # noqa: PLC0415 - see above

        return WasmModules(
            resolved, in_process=isinstance(self._runner, InProcess) or not can_start_workers()
        )

    def _host_table(self, resolved: Resolution | None) -> Mapping[str, HostModule]:
        if self._hosts is not None or resolved is None:
            return self._hosts or {}
        from nodetool_sandbox.hosts import installed_hosts  # noqa: PLC0415 - see above

        return installed_hosts()


def _secrets_power(secrets: Power | Mapping[str, str | Secret] | Provider | None) -> Power | None:
    if secrets is None or isinstance(secrets, Power):
        return secrets
    from nodetool_sandbox.bridges.secrets import Secrets  # noqa: PLC0415 - most runs have none

    return Secrets(secrets)


def _has_wasm(resolution: Resolution) -> bool:
    return any(file.wasm is not None for module in resolution.modules for file in module.files)


def _runner_of(hosts: Mapping[str, HostModule]) -> Runner:
    """Who does the calls of this table when the caller does not say."""
    if not hosts:  # makes no call; asking which table is installed would read the whole path
        return InProcess()
    from nodetool_sandbox.hosts import installed_hosts  # noqa: PLC0415 - see above
    from nodetool_sandbox.workers.pool import can_start_workers, shared_workers  # noqa: PLC0415 - see above

    return shared_workers() if hosts is installed_hosts() and can_start_workers() else InProcess()


# Most runs of a process share their limits, and clamping fifteen of them costs more than finding them.
_clamped = lru_cache(maxsize=64)(Limits.clamped)


def _failed(
    ended: Ended, message: str, *, name: str = "Error", site: ImportSite | None = None, code: str = ""
) -> RunResult:
    line = column = None
    if site is not None:
        before = code[: site.start]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return RunResult(ended=ended, error=GuestError(name=name, message=message, line=line, column=column))


__all__ = ["INSTALLED", "ImportsRefused", "Program", "Sandbox"]
