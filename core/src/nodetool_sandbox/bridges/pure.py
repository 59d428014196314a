"""Capabilities that reach nothing: always present, answered on the guest's thread by a pure function.

Their modules load with the first call: a run that formats no number never loads a locale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Final

PURE: Final[Mapping[str, str]] = {
    "crypto": "nodetool_sandbox.bridges.crypto",
    "intl": "nodetool_sandbox.bridges.intl.calls",
    "url": "nodetool_sandbox.bridges.url",
}
"""Which module answers the calls of which bridge, in its `CALLS_NOW`."""


@cache
def pure_calls(bridge: str) -> Mapping[str, Callable[..., object]]:
    """The members of a pure bridge by name; none where there is no such bridge."""
    module = PURE.get(bridge)
    if module is None:
        return {}
    calls: Mapping[str, Callable[..., object]] = import_module(module).CALLS_NOW
    return calls
