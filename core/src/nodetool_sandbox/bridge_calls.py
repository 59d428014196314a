"""The bridges of one run: opened together, asked by name, closed together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import cast

from nodetool_sandbox.bridges.power import Bridge, BridgeError, Power, RunView
from nodetool_sandbox.bridges.pure import pure_calls
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.host_calls import Answer, Done, HostCall, failure, success
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.result import RunResult

_log = logging.getLogger(__name__)


class Bridges:
    """What the powers of one run can do. The guest names a bridge and a member; only what is listed is called."""

    def __init__(self, powers: Iterable[Power], run: RunView) -> None:
        self._bridges: dict[str, Bridge] = {}
        run = replace(run, peer=self._bridges.get)
        with ExitStack() as opened:
            for power in powers:
                bridge = power.open(run)
                opened.callback(bridge.close)
                self._bridges[power.name] = bridge
            self._closing = opened.pop_all()

    def start(
        self, call: PendingCall, loop: Loop, done: Done, on_raise: Callable[[BaseException], None]
    ) -> bool:
        """Start the work of an asynchronous call; whether there is such a member."""
        bridge = self._bridges.get(call.bridge)
        if bridge is None:
            return False

        def outcome(value: object, error: BaseException | None) -> None:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                on_raise(error)
            else:
                done(success(value, at=call.name) if error is None else _refusal(call, error))

        if (coroutine := bridge.calls.get(call.member)) is not None:
            loop.spawn(lambda: coroutine(*call.arguments), outcome)
        elif (function := bridge.blocking.get(call.member)) is not None:
            loop.thread(lambda: function(*call.arguments), outcome)
        elif (relay := bridge.relayed.get(call.member)) is not None:
            loop.elsewhere(
                lambda report: relay(_host_call(call), lambda answer: report(answer, None)),
                lambda answer, _: done(cast("Answer", answer)),
            )
        else:
            return False
        return True

    def answer_now(self, call: PendingCall) -> Answer | None:
        """The answer to a synchronous call, or None where there is no such member."""
        bridge = self._bridges.get(call.bridge)
        if bridge is not None and (relay := bridge.relayed_now.get(call.member)) is not None:
            return relay(_host_call(call))
        members: Mapping[str, Callable[..., object]] = (
            bridge.calls_now if bridge is not None else pure_calls(call.bridge)
        )
        function = members.get(call.member)
        if function is None:
            return None
        try:
            return success(function(*call.arguments), at=call.name)
        except Exception as error:  # noqa: BLE001 - told apart in `_refusal`
            return _refusal(call, error)

    def redact(self, text: str) -> str:
        """Text that leaves the run, without what a bridge keeps inside."""
        for bridge in self._bridges.values():
            text = bridge.redact(text)
        return text

    def attach(self, result: RunResult) -> RunResult:
        """The result with what each bridge has to add."""
        for bridge in self._bridges.values():
            result = bridge.attach(result)
        return result

    def close(self) -> None:
        """Close every bridge. One that fails keeps none of the others open."""
        try:
            self._closing.close()
        except Exception:  # noqa: BLE001 - whatever it is, the run has its result
            _log.exception("a bridge failed to close")


def _host_call(call: PendingCall) -> HostCall:
    return HostCall(specifier=call.bridge, export=call.member, payload=call.payload, refs=call.refs)


def _refusal(call: PendingCall, error: BaseException) -> Answer:
    if isinstance(error, BridgeError):
        return failure(error.name, error.message, error.details)
    if isinstance(error, MarshalError):
        return failure("TypeError", f"{call.name}: {error}")
    _log.error("%s failed", call.name, exc_info=error)
    return failure("Error", f"{call.name} failed inside the host")
