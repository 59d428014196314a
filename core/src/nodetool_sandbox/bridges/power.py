"""Capabilities: what an embedder passes in, and what becomes of it in one run.

A power is made by the embedder and may serve any number of runs. `open` makes its bridge, which
belongs to one run, holds what that run has used up, and is closed with it. A guest calls members of
a bridge by name and may pass anything: a bridge checks every argument.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Protocol, runtime_checkable

from nodetool_sandbox.host_calls import Answer, Done, HostCall
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.result import RunResult

_NONE: Mapping[str, Callable[..., object]] = MappingProxyType({})


class BridgeError(Exception):
    """What a bridge says to the program, word for word. Every other exception is our own affair.

    Args:
        message: what, which and what now. No path of the host, no secret.
        name: the name of the Error that the program catches.
        details: properties of that Error.
    """

    def __init__(
        self, message: str, *, name: str = "Error", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.name = name
        self.message = message
        self.details = details


@dataclass(frozen=True, slots=True)
class RunView:
    """What a bridge may know of its run."""

    limits: Limits
    loop: Loop
    remaining_s: Callable[[], float]
    """Seconds until the run's deadline; none or less when it has passed."""
    is_unwanted: Callable[[], bool]
    """The run was cancelled or is over: work on its behalf should stop."""
    peer: Callable[[str], Bridge | None] = lambda _name: None
    """Another bridge of the same run, by name: fetch asks the secrets what to put in and to take out."""


class Bridge:
    """One power in one run. A subclass fills the tables that it needs, and overrides what it means."""

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        """Members that are coroutine functions: each call is a task of the run's loop, cancelled at its end."""
        return {}

    @property
    def blocking(self) -> Mapping[str, Callable[..., object]]:
        """Members that block: each call runs on a thread, and should look at `RunView.is_unwanted`."""
        return _NONE

    @property
    def calls_now(self) -> Mapping[str, Callable[..., object]]:
        """Members that the guest waits for, on its own thread: short, or polling the run's deadline."""
        return _NONE

    @property
    def relayed(self) -> Mapping[str, Callable[[HostCall, Done], None]]:
        """Members answered elsewhere, such as in a worker: the message goes through as it crossed."""
        return {}

    @property
    def relayed_now(self) -> Mapping[str, Callable[[HostCall], Answer]]:
        """The same for members that the guest waits for, on its own thread."""
        return {}

    def close(self) -> None:
        """Give back what is held. The run is over and its tasks were cancelled."""

    def redact(self, text: str) -> str:
        """Text that leaves the run (a log line, a message, a stack) without what must stay inside."""
        return text

    def attach(self, result: RunResult) -> RunResult:
        """The result with what this power has to add."""
        return result


@runtime_checkable
class Power(Protocol):
    """What an embedder passes to `Sandbox` under this name."""

    name: ClassVar[str]

    def open(self, run: RunView) -> Bridge:
        """The bridge of one run. It must be quick: nothing may be known to need it yet."""


def granted(**powers: Power | None) -> tuple[Power, ...]:
    """The powers that were passed, each under its own name.

    Raises:
        TypeError: something else was passed, or one under the name of another.
    """
    for name, power in powers.items():
        if power is not None and (not isinstance(power, Power) or power.name != name):
            raise TypeError(f"{name}= takes the power of that name, not {type(power).__name__}")
    return tuple(power for power in powers.values() if power is not None)
