"""What every host module asks of its arguments, and how JavaScript reads a value.

`where` is always `<id>.<export>`: the prefix of every message. Type first, then size, then
options, so that a refused call costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, UNDEFINED, JSDate, JSMap, JSSet

from nodetool_sandbox_host.limits import MAX_INPUT_BYTES, MAX_QUOTED_UNITS, MAX_TEXT_DEPTH, MAX_TEXT_UNITS

JS_WHITESPACE: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `String.prototype.trim` removes. `str.strip()` differs (U+FEFF, U+001C to U+001F)."""

# ECMA-262 Number::toString: with value = 0.digits * 10**point, no exponent for -6 < point <= 21
_MAX_PLAIN_POINT: Final = 21
_MIN_PLAIN_POINT: Final = -6
_LAST_PLAIN_YEAR: Final = 9999


def argument(args: Sequence[object], index: int) -> object:
    """The argument at `index`, or UNDEFINED where the guest passed fewer."""
    return args[index] if index < len(args) else UNDEFINED


def option_bag(value: object) -> Mapping[str, object]:
    """The options as a mapping; whatever is not a plain record counts as `{}`."""
    return value if isinstance(value, dict) else {}


def is_truthy(value: object) -> bool:
    """Whether `if (value)` would be taken: every object is, also an empty one."""
    if isinstance(value, str | bool | int):
        return bool(value)
    if isinstance(value, float):
        return value != 0 and not math.isnan(value)
    return value is not None and value is not UNDEFINED


def flag(options: Mapping[str, object], name: str, *, default: bool) -> bool:
    """A boolean option by JavaScript truthiness; only `undefined` means the default."""
    value = options.get(name, UNDEFINED)
    return default if value is UNDEFINED else is_truthy(value)


def whole_number(
    options: Mapping[str, object], name: str, *, default: int, low: int, high: int, where: str
) -> int:
    """An option that counts something: clamped to `low` and `high`, cut to an integer.

    Raises:
        HostCallError: it is given and is no number.
    """
    value = options.get(name, UNDEFINED)
    if value is UNDEFINED or value is None:
        return default
    # a BigInt may be too large for math.isnan
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:  # noqa: PLR0124
        raise HostCallError(f"{where}: {name} must be a number from {low} to {high}")
    return max(low, min(high, int(max(min(value, high), low))))


def text_option(options: Mapping[str, object], name: str, *, default: str, where: str) -> str:
    """A text option; `undefined` and `null` mean the default.

    Raises:
        HostCallError: it is given and is no string.
    """
    value = options.get(name, UNDEFINED)
    if value is UNDEFINED or value is None:
        return default
    if not isinstance(value, str):
        raise HostCallError(f"{where}: {name} must be a string")
    return value


def text_list_option(options: Mapping[str, object], name: str, *, where: str) -> list[str] | None:
    """An option that is a list of strings, or None where it is not given.

    Raises:
        HostCallError: it is given and is no array of strings.
    """
    value = options.get(name, UNDEFINED)
    if value is UNDEFINED or value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise HostCallError(f"{where}: {name} must be an array of strings")
    return list(value)


def require_text(value: object, where: str, label: str = "text") -> str:
    """The text argument.

    Raises:
        HostCallError: it is no string, or longer than MAX_TEXT_UNITS.
    """
    if not isinstance(value, str):
        raise HostCallError(f"{where}: {label} must be a string")
    check_text_length(value, where)
    return value


def check_text_length(text: str, where: str) -> None:
    """Return when the text is within MAX_TEXT_UNITS.

    Raises:
        HostCallError: it is longer.
    """
    # every code point is one unit or two, so most texts need no count
    if len(text) > MAX_TEXT_UNITS or (2 * len(text) > MAX_TEXT_UNITS and utf16_length(text) > MAX_TEXT_UNITS):
        raise HostCallError(f"{where}: input exceeds the {MAX_TEXT_UNITS} character limit")


def require_bytes(value: object, where: str) -> bytes:
    """The byte argument; every typed array, DataView and ArrayBuffer arrives as bytes.

    Raises:
        HostCallError: it is none of them, or longer than MAX_INPUT_BYTES.
    """
    if not isinstance(value, bytes):
        wanted = "bytes must be a Uint8Array (e.g. from workspace.readBytes or response.bytes())"
        raise HostCallError(f"{where}: {wanted}")
    if len(value) > MAX_INPUT_BYTES:
        raise HostCallError(f"{where}: input exceeds the {MAX_INPUT_BYTES} byte limit")
    return value


def utf16_length(text: str) -> int:
    """What JavaScript calls `text.length`."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def js_trim(text: str) -> str:
    """`text.trim()`."""
    return text.strip(JS_WHITESPACE)


def join_surrogates(text: str) -> str:
    """The text with every surrogate pair joined to the character that it stands for."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def without_lone_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, for libraries that read UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def quoted(text: str) -> str:
    """A guest's text for an error message, in double quotes and not longer than MAX_QUOTED_UNITS."""
    short = text if len(text) <= MAX_QUOTED_UNITS else text[: MAX_QUOTED_UNITS - 1] + "…"
    return f'"{short}"'


def number_to_text(value: float) -> str:
    """`String(value)` of a number: `1`, `0.1`, `1e+21`, `1e-7`, `NaN`, `Infinity`, and `0` for -0."""
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
        return str(int(value))
    # the shortest digits that read back, then zeros: 2**70 is not written out exactly
    return _plain(repr(value))


def _plain(python_digits: str) -> str:
    """Python's shortest digits of a float, laid out by ECMA-262 Number::toString."""
    sign = "-" if python_digits.startswith("-") else ""
    mantissa, _, exponent_text = python_digits.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent_text or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= _MAX_PLAIN_POINT:
        return sign + digits + "0" * (point - count)
    if 0 < point <= _MAX_PLAIN_POINT:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _MIN_PLAIN_POINT < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = point - 1
    tail = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"


def iso_text(value: datetime | JSDate) -> str:
    """`date.toISOString()`; an invalid date, which JavaScript throws for, gives `Invalid Date`."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03d}Z".rjust(24, "0")
    if math.isnan(value.epoch_ms):
        return "Invalid Date"
    days, ms = divmod(int(value.epoch_ms), 86_400_000)
    year, month, day = _civil(days)
    year_text = (
        f"{year:04d}" if 0 <= year <= _LAST_PLAIN_YEAR else f"{'-' if year < 0 else '+'}{abs(year):06d}"
    )
    hour, minute, second = ms // 3_600_000, ms // 60_000 % 60, ms // 1000 % 60
    return f"{year_text}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{ms % 1000:03d}Z"


def _civil(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day count since 1970, for years that `datetime` does not reach."""
    days += 719_468  # 0000-03-01
    era, day_of_era = divmod(days, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = (shifted + 2) % 12 + 1
    year = year_of_era + era * 400 + shifted // 10
    return year, month, day_of_year - (153 * shifted + 2) // 5 + 1


_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def js_text(value: object, where: str) -> str:
    """`String(value)` as the guest would write it; a guest's clock is UTC.

    Raises:
        HostCallError: arrays lie deeper than MAX_TEXT_DEPTH in one another, or a BigInt has too many digits.
    """
    return _js_text(value, where, MAX_TEXT_DEPTH)


def _js_text(value: object, where: str, depth: int) -> str:
    if isinstance(value, str):
        return value
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(
        value, int
    ):  # a BigInt is written whole; an integral number is exact, or it came as a float
        return _digits(value, where)
    if isinstance(value, float):
        return number_to_text(value)
    return _object_text(value, where, depth)


def _object_text(value: object, where: str, depth: int) -> str:
    if isinstance(value, bytes):
        return ",".join(map(str, value))
    if isinstance(value, list):
        if depth == 0:
            raise HostCallError(f"{where}: arrays nested deeper than {MAX_TEXT_DEPTH} levels have no text")
        return ",".join(
            "" if each is None or each is UNDEFINED else _js_text(each, where, depth - 1) for each in value
        )
    if isinstance(value, datetime):
        day = f"{_DAYS[value.weekday()]} {_MONTHS[value.month - 1]} {value.day:02d} {value.year:04d}"
        return f"{day} {value:%H:%M:%S} GMT+0000 (Coordinated Universal Time)"
    if isinstance(value, JSDate):
        return iso_text(value)
    names = {JSMap: "Map", JSSet: "Set"}
    return f"[object {names.get(type(value), 'Object')}]"


def _digits(value: int, where: str) -> str:
    try:
        return str(int(value))
    except ValueError:  # Python's own limit on the digits of one integer
        raise HostCallError(f"{where}: a BigInt of so many digits has no text here") from None
