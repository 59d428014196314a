"""What the host does with the calls of one run: each goes to its bridge, and its answer comes back.

The name of a bridge decides: `sleep`, `function` (of the caller), `host:<specifier>` or `wasm:<specifier>`
(of a pack), a power that the run was given, or one that reaches nothing. Everything else that a guest may
name is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, cast

from nodetool_sandbox.bridge_calls import Bridges
from nodetool_sandbox.bridges.functions import arity_problem, call_function, describe_failure
from nodetool_sandbox.deadline import Deadline
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.host_calls import Answer, Done, HostCall, failure, success
from nodetool_sandbox.limits import MAX_SLEEP_MS
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.marshal import FunctionTable
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.plan import Plan

if TYPE_CHECKING:  # see `plan`
    from nodetool_sandbox.wasm.calls import WasmCalls

_HOST: Final = "host:"
_WASM: Final = "wasm:"
_FUNCTION_DIGITS: Final = 10


class Performer:
    """Performs calls. `on_raise` gets what must end the run and reach the caller: KeyboardInterrupt, SystemExit."""

    def __init__(
        self,
        plan: Plan,
        loop: Loop,
        deadline: Deadline,
        bridges: Bridges,
        wasm: WasmCalls | None,
        *,
        is_unwanted: Callable[[], bool],
        on_raise: Callable[[BaseException], None],
    ) -> None:
        self._plan = plan
        self._loop = loop
        self._deadline = deadline
        self._bridges = bridges
        self._wasm = wasm
        self._is_unwanted = is_unwanted
        self._on_raise = on_raise
        # by number, because functions need not be hashable; looking at a signature costs more than the call
        self._arity_problem = lru_cache(maxsize=64)(partial(_find_arity_problem, plan.given.functions))

    def name(self, call: PendingCall) -> str:
        """What a call is called in logs and messages."""
        if call.bridge == "function":
            number = _function_number(call.member)
            return (
                self._plan.given.function_names.get(number, call.bridge)
                if number is not None
                else call.bridge
            )
        if call.bridge.startswith(_HOST):
            return self._plan.dispatcher.name(call.bridge[len(_HOST) :], call.member)
        if call.bridge.startswith(_WASM):
            return f"{call.bridge[len(_WASM) :]}.{call.member}"[:200]
        return f"{call.bridge}.{call.member}" if call.member else call.bridge

    def start(self, call: PendingCall, done: Done) -> None:
        """Start the work of one call."""
        if call.bridge == "function":
            self._start_function(call, done)
        elif call.bridge == "sleep":
            self._start_sleep(call, done)
        elif call.bridge.startswith(_HOST):
            self._start_host(call, done)
        elif call.bridge.startswith(_WASM) and self._wasm is not None:
            self._wasm.start(call.bridge[len(_WASM) :], call.member, lambda: call.arguments, done)
        elif not self._bridges.start(call, self._loop, done, self._on_raise):
            done(_unavailable(call))

    def answer_now(self, call: PendingCall) -> Answer:
        """The answer to a synchronous call, on the guest's own thread."""
        if not call.bridge.startswith(_HOST):
            return self._bridges.answer_now(call) or _unavailable(call)
        host_call = _host_call(call)
        if not self._plan.dispatcher.is_sync(host_call.specifier, host_call.export):
            return failure("Error", f"{call.name} is asynchronous and cannot be called like this")
        return self._plan.dispatcher.call_now(host_call, self._deadline.remaining_s(), self._is_unwanted)

    def _start_sleep(self, call: PendingCall, done: Done) -> None:
        try:
            (ms,) = call.arguments
        except (MarshalError, ValueError):
            ms = 0
        seconds = min(max(float(ms), 0.0), MAX_SLEEP_MS) / 1000 if isinstance(ms, int | float) else 0.0
        self._loop.after(seconds, lambda: done(success(None, at="sleep")))

    def _start_function(self, call: PendingCall, done: Done) -> None:
        number = _function_number(call.member)
        function = self._plan.given.functions.function(number) if number is not None else None
        try:
            arguments = call.arguments
        except MarshalError as refusal:
            done(failure("TypeError", f"{call.name}: {refusal}"))
            return
        if number is None or function is None:
            done(_unavailable(call))
            return

        problem = self._arity_problem(number, len(arguments))
        if problem is not None:
            done(failure("TypeError", f"{call.name}: {problem}"))
            return

        def outcome(value: object, error: BaseException | None) -> None:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                self._on_raise(error)
            elif error is not None:
                done(failure(*describe_failure(error)))
            else:
                done(success(value, at=f"the result of {call.name}"))

        call_function(self._loop, function, arguments, outcome)

    def _start_host(self, call: PendingCall, done: Done) -> None:
        self._loop.elsewhere(
            lambda report: self._plan.dispatcher.start(
                _host_call(call),
                self._deadline.remaining_s(),
                self._is_unwanted,
                lambda answer: report(answer, None),
            ),
            lambda answer, _: done(cast("Answer", answer)),
        )


def _find_arity_problem(functions: FunctionTable, number: int, given: int) -> str | None:
    function = functions.function(number)
    return arity_problem(function, given) if function is not None else None


def _host_call(call: PendingCall) -> HostCall:
    return HostCall(
        specifier=call.bridge[len(_HOST) :], export=call.member, payload=call.payload, refs=call.refs
    )


def _function_number(member: str) -> int | None:
    """The number of a function of the caller; None where a guest made up something else."""
    return int(member) if len(member) < _FUNCTION_DIGITS and member.isascii() and member.isdigit() else None


def _unavailable(call: PendingCall) -> Answer:
    return failure("Error", f"{call.name} is not available in this run")
