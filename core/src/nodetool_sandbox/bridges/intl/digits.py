"""Numbers as digits: what a program's number is exactly, rounded as options say, in a locale's digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Context,
    Decimal,
)
from functools import lru_cache
from typing import Final

from nodetool_sandbox_registry.values import BigInt

from nodetool_sandbox.bridges.intl.options import Options, choice, integer, range_error

MAX_BIGINT_BITS: Final = 32_768
MAX_FRACTION_DIGITS: Final = 100
MAX_SIGNIFICANT_DIGITS: Final = 21
_MAX_EXPONENT: Final = 1_000
_MAX_PLURAL_DIGITS: Final = 15

CONTEXT: Final = Context(prec=20_000, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""Wide enough for every number that comes here; nothing in it raises."""

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_ROUNDING: Final = {
    "ceil": (ROUND_CEILING, ROUND_CEILING),
    "floor": (ROUND_FLOOR, ROUND_FLOOR),
    "expand": (ROUND_UP, ROUND_UP),
    "trunc": (ROUND_DOWN, ROUND_DOWN),
    "halfCeil": (ROUND_HALF_UP, ROUND_HALF_DOWN),
    "halfFloor": (ROUND_HALF_DOWN, ROUND_HALF_UP),
    "halfExpand": (ROUND_HALF_UP, ROUND_HALF_UP),
    "halfTrunc": (ROUND_HALF_DOWN, ROUND_HALF_DOWN),
    "halfEven": (ROUND_HALF_EVEN, ROUND_HALF_EVEN),
}
"""Python's name of each mode, for numbers from 0 on and for those below."""

ZEROS: Final = {
    "arab": "\u0660", "arabext": "\u06f0", "beng": "\u09e6", "deva": "\u0966", "gujr": "\u0ae6", "guru": "\u0a66",
    "khmr": "\u17e0", "knda": "\u0ce6", "laoo": "\u0ed0", "latn": "0", "mlym": "\u0d66", "mymr": "\u1040",
    "orya": "\u0b66", "tamldec": "\u0be6", "telu": "\u0c66", "thai": "\u0e50", "tibt": "\u0f20", "fullwide": "\uff10",
    "olck": "\u1c50", "cakm": "\U00011136", "adlm": "\U0001e950", "nkoo": "\u07c0",
    "rohg": "\U00010d30", "mtei": "\uabf0",
}  # fmt: skip
"""The digit 0 of each numbering system; the other nine follow it."""


def in_digits(text: str, system: str) -> str:
    """Text with its digits those of a numbering system."""
    zero = ZEROS.get(system, "0")
    return text if zero == "0" else text.translate({48 + i: chr(ord(zero) + i) for i in range(10)})


def plural_operand(digits: str) -> Decimal:
    """What plural rules look at: they divide by a million at most, so a long number counts by its end."""
    whole, point, fraction = digits.partition(".")
    if len(whole) > _MAX_PLURAL_DIGITS:
        whole = "1" + whole[-_MAX_PLURAL_DIGITS:]
    return Decimal(whole + point + fraction)


def exact(value: object) -> Decimal:
    """The number that a program gave, exactly; NaN for what is none.

    Raises:
        BridgeError: it is a BigInt of more than `MAX_BIGINT_BITS`.
    """
    if isinstance(value, BigInt):
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > MAX_BIGINT_BITS:
            raise range_error(f"a BigInt of more than {MAX_BIGINT_BITS:,} bits is not formatted")
        return CONTEXT.create_decimal(value)
    if isinstance(value, float):
        return CONTEXT.create_decimal(repr(value))
    return _of_text(value) if isinstance(value, str) else Decimal("NaN")


def _of_text(text: str) -> Decimal:
    stripped = text.strip()
    if not stripped:
        return Decimal(0)
    if stripped.lstrip("+-") == "Infinity":
        return (
            Decimal(stripped.replace("Infinity", "inf"))
            if len(stripped) <= len("+Infinity")
            else Decimal("NaN")
        )
    if not _NUMBER.fullmatch(stripped) or len(stripped) > MAX_BIGINT_BITS:
        return Decimal("NaN")
    found = CONTEXT.create_decimal(stripped)
    if found and abs(found.adjusted()) > _MAX_EXPONENT and "e" in stripped.lower():
        return CONTEXT.create_decimal(repr(float(stripped)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounding:
    """How many digits stay, and which way the rest goes."""

    least_integer: int
    fraction: tuple[int, int] | None
    significant: tuple[int, int] | None
    mode: str
    strip_zeros: bool

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        told: dict[str, object] = {"minimumIntegerDigits": self.least_integer}
        if self.fraction is not None:
            told["minimumFractionDigits"], told["maximumFractionDigits"] = self.fraction
        if self.significant is not None:
            told["minimumSignificantDigits"], told["maximumSignificantDigits"] = self.significant
        return told

    def digits(self, number: Decimal) -> str:
        """A finite number without its sign: its digits, with a point where there is a fraction."""
        mode = _ROUNDING[self.mode][number.is_signed()]
        if self.significant is not None:
            least, most = self.significant
            rounded = _context(most, mode).plus(number)
            places = max(least - 1 - rounded.adjusted(), 0)
        else:
            least, most = self.fraction or (0, 0)
            rounded = number.quantize(Decimal(1).scaleb(-most), context=_context(CONTEXT.prec, mode))
            places = least
        whole, _, fraction = format(rounded.copy_abs(), "f").partition(".")
        fraction = fraction.rstrip("0").ljust(places, "0")
        if self.strip_zeros and not fraction.strip("0"):
            fraction = ""
        whole = (whole.lstrip("0") or "0").rjust(self.least_integer, "0")
        return f"{whole}.{fraction}" if fraction else whole


@lru_cache(maxsize=64)
def _context(digits: int, mode: str) -> Context:
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[], rounding=mode)


def rounding_of(options: Options, fraction: tuple[int, int], *, is_compact: bool = False) -> Rounding:
    """The digits that options ask for, with `fraction` where they do not say.

    Raises:
        BridgeError: one is out of range, or the least is more than the most.
    """
    least_integer = integer(options, "minimumIntegerDigits", 1, 21) or 1
    low = integer(options, "minimumFractionDigits", 0, MAX_FRACTION_DIGITS)
    high = integer(options, "maximumFractionDigits", 0, MAX_FRACTION_DIGITS)
    least = integer(options, "minimumSignificantDigits", 1, MAX_SIGNIFICANT_DIGITS)
    most = integer(options, "maximumSignificantDigits", 1, MAX_SIGNIFICANT_DIGITS)
    mode = choice(options, "roundingMode", tuple(_ROUNDING), "halfExpand")
    strip = choice(options, "trailingZeroDisplay", ("auto", "stripIfInteger"), "auto") == "stripIfInteger"
    significant: tuple[int, int] | None = None
    kept: tuple[int, int] | None = fraction
    if least is not None or most is not None:
        significant = (least or 1, MAX_SIGNIFICANT_DIGITS if most is None else most)
        kept = None
        if significant[0] > significant[1]:
            raise range_error("maximumSignificantDigits value is out of range.")
    elif low is not None or high is not None:
        kept = _fraction(low, high, fraction)
    elif is_compact:
        kept = None
    return Rounding(
        least_integer=least_integer, fraction=kept, significant=significant, mode=mode, strip_zeros=strip
    )


def _fraction(low: int | None, high: int | None, default: tuple[int, int]) -> tuple[int, int]:
    if low is None:
        low = min(default[0], high or 0)
    elif high is None:
        high = max(default[1], low)
    high = default[1] if high is None else high
    if low > high:
        raise range_error("maximumFractionDigits value is out of range.")
    return low, high
