"""What a host module is: a name, the functions that a pack's JavaScript may call, and their contract.

A host module carries no power. It takes values and gives values, holds every cap of its own,
and raises `HostCallError` with a message made for the guest. Whatever else it raises is our
bug and reaches the guest as one fixed sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NewType, Protocol

HostId = NewType("HostId", str)
"""The name of a host module: 1 to 64 characters, `[a-z][a-z0-9-]*`."""


class HostCallError(Exception):
    """A refusal that the guest sees: `name` and `message` become those of a JavaScript Error.

    `details` are set on the Error as own properties (plain values), such as a position.
    """

    def __init__(
        self, message: str, *, name: str = "Error", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.name = name
        self.details = dict(details or {})


class Deadline(Protocol):
    """When a call must be over. Long loops ask every few hundred steps."""

    def check(self) -> None:
        """Return while time is left.

        Raises:
            HostCallError: the time is up, or the run was cancelled.
        """


HostFunction = Callable[[Sequence[object], Deadline], object]
"""`function(args, deadline)`: args as they came, each from the list in `values`; missing ones are absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostExport:
    """One function of a host module.

    `sync` exports are pure and short and answer at once, in process; the others may sit in C
    for seconds and run where they can be killed. `shared` lets an object that occurs twice in
    the arguments, or a cycle, arrive as one Python object, and one that occurs twice in the
    result arrive in the guest as one.
    """

    name: str
    function: HostFunction
    sync: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HostModule:
    """One row of the host table: an id and its exports, in the order that the facade lists them."""

    host_id: HostId
    exports: tuple[HostExport, ...]

    def export(self, name: object) -> HostExport | None:
        """The export of exactly that name, or None."""
        return next((each for each in self.exports if each.name == name), None)
