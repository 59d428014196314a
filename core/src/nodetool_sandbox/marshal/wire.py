"""The wire that both directions share: its extension types, bounds and numbers for functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final

from nodetool_sandbox.errors import UnsupportedShapeError

MAX_DEPTH: Final = 256
"""Containers inside of containers, in either direction."""

MAX_GUEST_VALUES: Final = 4_000_000
"""Values in one message to the guest, keys not counted; a part that occurs twice counts twice."""

MAX_HOST_VALUES: Final = 1_000_000
"""Values in one message from the guest, keys not counted."""

MAX_HOST_CONTAINERS: Final = 500_000
"""Lists, objects, maps and sets in one message from the guest: one byte there, up to 230 here."""

MAX_DATE_MS: Final = 8.64e15
"""The furthest time value of a Date from 1970, in either direction (ECMA-262, TimeClip)."""

MAX_BIGINT_BYTES: Final = 128 * 1024 + 1
"""The largest BigInt, which is what the engine holds: 2**20 bits and a sign."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Ext(IntEnum):
    """The extension types of the wire."""

    UNDEFINED = 1
    BIGINT = 2
    DATE = 3
    MAP = 4
    SET = 5
    REF = 6
    FUNCTION = 7
    CIRCULAR = 8
    TOO_DEEP = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestMessage:
    """A message for the guest; `refs` says whether it refers back to its own parts."""

    payload: bytes
    refs: bool


class FunctionTable:
    """The caller's functions of one run, by number; a function has one number however often it occurs."""

    __slots__ = ("_functions", "_numbers")

    def __init__(self) -> None:
        self._functions: list[Callable[..., object]] = []
        self._numbers: dict[int, int] = {}

    def number(self, function: Callable[..., object]) -> int:
        """The number of `function`, given out at the first time it is asked for."""
        # By identity: callables may compare equal or be unhashable. The list keeps each id alive.
        number = self._numbers.setdefault(id(function), len(self._functions))
        if number == len(self._functions):
            self._functions.append(function)
        return number

    def function(self, number: int) -> Callable[..., object] | None:
        """The function of that number, or None."""
        return self._functions[number] if 0 <= number < len(self._functions) else None

    def __len__(self) -> int:
        return len(self._functions)


TEXT_ONLY: Final = frozenset({str})
"""The types that the keys of an object may have."""


def epoch_ms(value: datetime) -> int:
    """The time value of a datetime with a zone, rounded down; one with none is refused."""
    if value.utcoffset() is None:
        msg = "a datetime with no zone cannot cross; pass value.replace(tzinfo=UTC) or value.astimezone()"
        raise UnsupportedShapeError(msg)
    return (value - EPOCH) // _MILLISECOND


def time_clip(epoch_ms: float) -> float:
    """TimeClip of ECMA-262: a time value as a Date keeps it, NaN where it keeps none."""
    if not math.isfinite(epoch_ms) or abs(epoch_ms) > MAX_DATE_MS:
        return math.nan
    return math.trunc(epoch_ms)
