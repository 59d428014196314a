"""How options of a guest are read: what, which, and in the reference's words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED

Options = Mapping[str, object]

_NONE: Final[Options] = {}


def argument(args: Sequence[object], index: int) -> object:
    """The argument at `index`, or UNDEFINED where the guest passed fewer."""
    return args[index] if index < len(args) else UNDEFINED


def option_bag(value: object) -> Options:
    """The options as a mapping; whatever is no plain object counts as `{}`."""
    return value if isinstance(value, dict) else _NONE


def is_given(value: object) -> bool:
    """Whether it is neither `undefined` nor `null`."""
    return value is not UNDEFINED and value is not None


def as_number(value: object) -> float | None:
    """A finite number, or None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:  # a BigInt may be larger
        return None
    return number if math.isfinite(number) else None


def number(op: str, options: Options, name: str, default: float) -> float:
    """An option that is a number.

    Raises:
        HostCallError: it is given and is none.
    """
    value = options.get(name, UNDEFINED)
    if not is_given(value):
        return default
    found = as_number(value)
    if found is None:
        raise HostCallError(f"{op}: {name} must be a number")
    return found


def whole(op: str, options: Options, name: str, default: int) -> int:
    """A number option, rounded."""
    return round(number(op, options, name, default))


def truth(options: Options, name: str, *, default: bool) -> bool:
    """An option by JavaScript truthiness; only `undefined` means the default."""
    value = options.get(name, UNDEFINED)
    if value is UNDEFINED:
        return default
    return bool(value) and value == value if isinstance(value, float | int | str) else value is not None  # noqa: PLR0124
