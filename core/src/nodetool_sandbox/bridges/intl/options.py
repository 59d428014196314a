"""Options as a program gives them, checked, and what is said of bad ones: RangeError, in V8's words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from nodetool_sandbox.bridges.power import BridgeError

Options = Mapping[str, object]
Part = tuple[str, str]
"""The type of a part, and its text."""

_MAX_SHOWN: Final = 60


def range_error(message: str) -> BridgeError:
    """What a program catches as a RangeError."""
    return BridgeError(message, name="RangeError")


def shown(value: object) -> str:
    """Text of the guest, short enough to stand in a message."""
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."


def text(options: Options, name: str) -> str | None:
    """An option that is text, or None where it is absent."""
    value = options.get(name)
    return value if isinstance(value, str) else None


def flag(options: Options, name: str) -> bool | None:
    """An option that is true or false, or None where it is absent."""
    value = options.get(name)
    return value if isinstance(value, bool) else None


def choice(options: Options, name: str, allowed: tuple[str, ...], default: str) -> str:
    """One of some texts.

    Raises:
        BridgeError: it is none of them.
    """
    value = options.get(name)
    if value is None:
        return default
    if not isinstance(value, str) or value not in allowed:
        raise range_error(f"Value {shown(value)} out of range for Intl options property {name}")
    return value


def optional_choice(options: Options, name: str, allowed: tuple[str, ...]) -> str | None:
    """One of some texts, or None where it is absent."""
    return choice(options, name, allowed, "") or None


def integer(options: Options, name: str, least: int, most: int) -> int | None:
    """A whole number within bounds, or None where it is absent.

    Raises:
        BridgeError: it is out of them, or no number.
    """
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise range_error(f"{name} value is out of range.")
    if not math.isfinite(value) or not least <= value <= most:
        raise range_error(f"{name} value is out of range.")
    return math.floor(value)


def joined(parts: list[Part]) -> str:
    """The text that parts make."""
    return "".join(value for _, value in parts)
