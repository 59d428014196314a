"""What the tests of the host modules share: deadlines, and calling an export as the dispatcher does."""

from __future__ import annotations

from collections.abc import Callable

from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.hosts import HostCallError

Call = Callable[..., object]


class Unhurried:
    """A deadline that is never over."""

    def check(self) -> None:
        return


class Over:
    """A deadline that is over when it is asked for the n-th time."""

    def __init__(self, at: int) -> None:
        self._left = at

    def check(self) -> None:
        self._left -= 1
        if self._left == 0:
            message = "the call exceeded its 1 ms deadline"
            raise HostCallError(message)


def call_export(where: str, *args: object) -> object:
    """`call_export("csv.parse", text, options)`: the call without the wall."""
    host_id, name = where.split(".")
    export = HOSTS[host_id].export(name)
    assert export is not None
    return export.function(args, Unhurried())
