"""What a plain scalar means: js-yaml's schemas, the same for reading and for writing."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER, JSDate

from nodetool_sandbox_host.limits import YAML_MAX_INTEGER_DIGITS

STANDARD: Final = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Which types there are: `implicit` ones a plain scalar may turn out to be, `tags` one may be given."""

    implicit: bool
    dates: bool
    merge: bool
    tags: frozenset[str]


_FAILSAFE_TAGS: Final = frozenset({"str", "seq", "map"})
_CORE_TAGS: Final = _FAILSAFE_TAGS | {"null", "bool", "int", "float"}
_EXTRA_TAGS: Final = frozenset({"merge", "binary", "omap", "pairs", "set"})
_CORE: Final = Schema(implicit=True, dates=False, merge=False, tags=_CORE_TAGS)

SCHEMAS: Final = {
    "failsafe": Schema(implicit=False, dates=False, merge=False, tags=_FAILSAFE_TAGS),
    "json": _CORE,
    "core": _CORE,
    "default": Schema(implicit=True, dates=True, merge=True, tags=_CORE_TAGS | _EXTRA_TAGS | {"timestamp"}),
    # the default schema with `dates: "string"`
    "dateless": Schema(implicit=True, dates=False, merge=True, tags=_CORE_TAGS | _EXTRA_TAGS),
}
"""js-yaml's four by name, and our fifth; its JSON and core schemas are the same."""

_WORDS: Final[dict[str, object]] = {
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    ".inf": math.inf,
    ".Inf": math.inf,
    ".INF": math.inf,
    "+.inf": math.inf,
    "+.Inf": math.inf,
    "+.INF": math.inf,
    "-.inf": -math.inf,
    "-.Inf": -math.inf,
    "-.INF": -math.inf,
    ".nan": math.nan,
    ".NaN": math.nan,
    ".NAN": math.nan,
}
RESOLVING_STARTS: Final = frozenset("~nNtTfF.+-0123456789")
"""A plain scalar that begins with anything else is text."""

_DECIMAL: Final = re.compile(r"[-+]?[0-9]+")
_BASED: Final = re.compile(r"([-+]?)0(?:b([01]+)|o([0-7]+)|x([0-9a-fA-F]+))")
_FLOAT: Final = re.compile(r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?")
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIMESTAMP: Final = re.compile(
    r"([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)"
    r"(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?"
    r"(?:[ \t]*(Z|([-+])([0-9][0-9]?)(?::([0-9]{2}))?))?"
)
_DATE_UNITS: Final = len("2001-12-14")
_EXACT_DIGITS: Final = 15


def plain_value(text: str, schema: Schema) -> object:
    """The value of a plain scalar; the very same `text` where it is none but text."""
    if not schema.implicit or text[:1] not in RESOLVING_STARTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    number = integer_value(text)
    if number is None:
        number = float_value(text)
    if number is not None:
        return number
    if schema.dates and len(text) >= _DATE_UNITS and text[0].isdigit():
        date = timestamp_value(text)
        if date is not None:
            return date
    return text


def reads_as_text(text: str, schema: Schema) -> bool:
    """Whether a plain scalar of this text would come back as the text."""
    return plain_value(text, schema) is text and not (schema.merge and text == "<<")


def integer_value(text: str) -> float | None:
    """The number that an integer of YAML 1.2 stands for (also `0b`), or None."""
    if _DECIMAL.fullmatch(text):
        if len(text) <= _EXACT_DIGITS:
            value = int(text)
            # js-yaml reads -0 as 0 and -00 as -0
            return -0.0 if value == 0 and text[0] == "-" and text != "-0" else value
        return _finite(float(text)) if len(text) <= YAML_MAX_INTEGER_DIGITS else None
    based = _BASED.fullmatch(text)
    if based is None or len(text) > YAML_MAX_INTEGER_DIGITS + 3:
        return None
    sign, binary, octal, hexadecimal = based.groups()
    digits, base = (binary, 2) if binary else (octal, 8) if octal else (hexadecimal, 16)
    magnitude = int(digits, base)
    try:
        value_float = float(magnitude)
    except OverflowError:
        return None
    return _finite(-value_float if sign == "-" else value_float)


def float_value(text: str) -> float | None:
    """The number that a float of YAML 1.2 stands for, or None."""
    word = _WORDS.get(text)
    if isinstance(word, float):
        return word
    if len(text) > YAML_MAX_INTEGER_DIGITS or _FLOAT.fullmatch(text) is None:
        return None
    return _finite(float(text))


def _finite(value: float) -> float | None:
    """As an int where JavaScript's number is a safe integer; a number past a double's range is text."""
    if math.isinf(value):
        return None
    if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER and (value != 0 or math.copysign(1, value) > 0):
        return int(value)
    return value


def word_value(text: str, kind: type[bool] | None) -> tuple[bool, object]:
    """Whether the text is a boolean (or null, for None), and which."""
    if text not in _WORDS:
        return False, None
    value = _WORDS[text]
    return (value is None if kind is None else isinstance(value, kind)), value


def timestamp_value(text: str) -> datetime | JSDate | None:
    """The moment that a timestamp names, in UTC, or None; as in JavaScript, 30 February is 2 March."""
    date = _DATE.fullmatch(text)
    if date is not None:
        year, month, day = map(int, date.groups())
        return moment(_epoch_ms(year, month, day))
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(found[i]) for i in range(1, 7))
    at = _epoch_ms(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000
    at += int((found[7] or "")[:3].ljust(3, "0"))
    if found[9]:
        offset = (int(found[10]) * 60 + int(found[11] or 0)) * 60_000
        at += offset if found[9] == "-" else -offset
    return moment(at)


def _epoch_ms(year: int, month: int, day: int) -> int:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    # year 0 and year 10000 are not datetime's: the calendar repeats every 400 years
    cycles, year = divmod(year, 400)
    days = (datetime(year + 400, month, 1, tzinfo=UTC) - _EPOCH).days + (cycles - 1) * 146_097 + day - 1
    return days * 86_400_000


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def moment(epoch_ms: int) -> datetime | JSDate:
    """The Date of a time value."""
    try:
        return _EPOCH + timedelta(milliseconds=epoch_ms)
    except OverflowError:
        return JSDate(float(epoch_ms))
