"""The JavaScript values that have no plain Python twin, as both sides of the wall know them.

Everything else crosses as itself: None, bool, int, float, str, bytes, list, dict and an
aware datetime. The table of every row, in both directions, is in docs/reference/values.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

MAX_SAFE_INTEGER: Final = 2**53 - 1
"""The largest integer that a JavaScript number holds exactly (ECMA-262, Number.MAX_SAFE_INTEGER)."""


@final
class Undefined:
    """The type of `UNDEFINED`, JavaScript's `undefined`; it is falsy and equal to itself alone."""

    __slots__ = ()
    _only: Undefined | None = None

    def __new__(cls) -> Undefined:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNDEFINED"

    def __reduce__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined()


@final
class BigInt(int):
    """A JavaScript BigInt: an int that crosses as `10n` and not as `10`.

    A plain int outside of plus or minus `MAX_SAFE_INTEGER` crosses as a BigInt by itself.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"BigInt({int.__repr__(self)})"

    def __str__(self) -> str:
        return int.__repr__(self)


@final
@dataclass(frozen=True, slots=True)
class JSDate:
    """A JavaScript Date that `datetime` cannot hold: invalid, or outside the years 1 to 9999.

    `epoch_ms` is the time value of ECMA-262: milliseconds since 1970-01-01 UTC, NaN when invalid.
    """

    epoch_ms: float


@final
@dataclass(frozen=True, slots=True)
class JSMap:
    """A JavaScript Map: its entries in insertion order. Keys may be any value, so it is no dict."""

    entries: tuple[tuple[object, object], ...] = ()

    def __iter__(self) -> Iterator[tuple[object, object]]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


@final
@dataclass(frozen=True, slots=True)
class JSSet:
    """A JavaScript Set: its members in insertion order. Members may be any value, so it is no set."""

    members: tuple[object, ...] = ()

    def __iter__(self) -> Iterator[object]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)
