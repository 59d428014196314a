"""Time zones by name or offset, and the way between a wall clock and an instant."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from typing import Final, Literal
from zoneinfo import ZoneInfo

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, JSDate

from nodetool_sandbox_host.arguments import option_bag, quoted, utf16_length
from nodetool_sandbox_host.limits import DATES_MAX_TEXT_UNITS

Ambiguous = Literal["compatible", "earlier", "later", "reject"]
"""What a wall time that a transition skips or doubles becomes; `compatible` is RFC 5545, 3.3.5."""

_OFFSET: Final = re.compile(r"([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?", re.ASCII)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_JS_MS: Final = 8.64e15
"""The farthest time value of ECMA-262, 21.4.1.1."""


@cache
def zone_names() -> tuple[str, ...]:
    """Every IANA name that tzdata has, sorted."""
    return tuple(sorted(files("tzdata").joinpath("zones").read_text("utf-8").split()))


@cache
def _folded() -> Mapping[str, str]:
    return {name.casefold(): name for name in zone_names()}


@cache
def _zone(name: str) -> ZoneInfo:
    """A zone of `zone_names()`, out of tzdata and never out of the system's own files."""
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)


def require_zone(value: object, where: str) -> tzinfo:
    """The zone of an IANA name in any case, of `Z`, or of an offset such as `+02:00`.

    Raises:
        HostCallError: it is none of them.
    """
    if not isinstance(value, str):
        raise HostCallError(f"{where}: zone must be a string such as Europe/Berlin, UTC or +02:00")
    name = _folded().get("utc" if value in ("Z", "z") else value.casefold()) if len(value) < 64 else None  # noqa: PLR2004
    if name is not None:
        return _zone(name)
    offset = _OFFSET.fullmatch(value)
    if offset is None:
        raise HostCallError(
            f"{where}: {quoted(value)} is no time zone that is known; pass an IANA name such as Europe/Berlin, "
            "UTC, or an offset such as +02:00"
        )
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))


def zone_option(options: Mapping[str, object], where: str) -> tzinfo:
    """The option `zone`; UTC where it is not given.

    Raises:
        HostCallError: it is no zone.
    """
    value = options.get("zone", UNDEFINED)
    return UTC if value is UNDEFINED or value is None else require_zone(value, where)


def ambiguous_option(value: object, where: str) -> Ambiguous:
    """The option `ambiguous` of an option bag.

    Raises:
        HostCallError: it is none of its three words.
    """
    word = option_bag(value).get("ambiguous", UNDEFINED)
    if word is UNDEFINED or word is None:
        return "compatible"
    if word == "earlier" or word == "later" or word == "reject":  # noqa: PLR1714  (mypy narrows these)
        return word
    raise HostCallError(f'{where}: ambiguous must be "earlier", "later" or "reject"')


def out_of_range(where: str) -> HostCallError:
    """The refusal of a date that `datetime` cannot hold."""
    return HostCallError(f"{where}: year out of range 1..9999")


def require_instant(value: object, where: str, label: str = "date") -> datetime:
    """An instant in UTC: of a Date, of milliseconds since 1970, or of an ISO 8601 text.

    A text without an offset is UTC, as the guest's own clock is.

    Raises:
        HostCallError: it is none of them, an Invalid Date, or outside of the years 1 to 9999.
    """
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, JSDate):
        value = value.epoch_ms
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_ms(value, where, label)
    if isinstance(value, str):
        return to_instant(require_iso(value, where, label), UTC, "compatible", where)
    raise HostCallError(f"{where}: {label} must be a Date, milliseconds since 1970 or ISO 8601 text")


def _of_ms(value: float, where: str, label: str) -> datetime:
    # the comparison first: a BigInt may be too large for math.isnan
    if abs(value) > _MAX_JS_MS or math.isnan(value):
        raise HostCallError(f"{where}: {label} is an Invalid Date")
    return in_range(lambda: _EPOCH + timedelta(milliseconds=int(value)), where)


def in_range(work: Callable[[], datetime], where: str) -> datetime:
    """What `work` gives.

    Raises:
        HostCallError: it leaves the years 1 to 9999.
    """
    try:
        return work()
    except (OverflowError, ValueError):
        raise out_of_range(where) from None


def to_wall(instant: datetime, zone: tzinfo, where: str) -> datetime:
    """What the zone's clocks show at an instant; aware.

    Raises:
        HostCallError: they show a year outside of 1 to 9999.
    """
    return in_range(lambda: instant.astimezone(zone), where)


def to_instant(wall: datetime, zone: tzinfo, ambiguous: Ambiguous, where: str) -> datetime:
    """The instant at which the zone's clocks show that time; an aware time keeps its own offset.

    Raises:
        HostCallError: the zone skips or doubles the time and `ambiguous` is `reject`.
    """
    if wall.tzinfo is not None:
        return in_range(lambda: wall.astimezone(UTC), where)
    first = in_range(lambda: wall.replace(tzinfo=zone, fold=0).astimezone(UTC), where)
    second = in_range(lambda: wall.replace(tzinfo=zone, fold=1).astimezone(UTC), where)
    if first == second or ambiguous == "compatible":
        return first
    if ambiguous == "reject":
        fault = "is skipped" if second < first else "comes twice"
        raise HostCallError(
            f'{where}: {wall:%Y-%m-%d %H:%M:%S} {fault} in {zone}; pass ambiguous: "earlier" or "later"'
        )
    return min(first, second) if ambiguous == "earlier" else max(first, second)


# --- ISO 8601 text

_ISO_DATE: Final = r"(?:\d{4}-\d{2}-\d{2}|\d{4}-\d{2}|\d{8}|\d{4}-?W\d{2}(?:-?\d)?|\d{4}-\d{3}|\d{7}|\d{4})"
_ISO_TIME: Final = r"\d{2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{2}(?:\d{2}(?:[.,]\d{1,9})?)?)?"
_ISO: Final = re.compile(
    rf"(?P<date>{_ISO_DATE})(?:[Tt ](?P<time>{_ISO_TIME})(?: ?(?P<zone>[Zz]|[+-]\d{{2}}(?::?\d{{2}})?))?)?",
    re.ASCII,
)
_DECIMALS: Final = re.compile(r"[.,](\d{1,9})")


def iso_wall(text: str) -> datetime | None:
    """The time that an ISO 8601 text stands for, aware when it has an offset; None when it is no such text.

    Calendar, week and ordinal dates, extended and basic, `24:00` as the end of a day.
    """
    from dateutil.parser import isoparser  # noqa: PLC0415  (loaded with the first text)

    found = _ISO.fullmatch(text)
    if found is None:
        return None
    time = _DECIMALS.sub(lambda each: "." + each[1][:6], found["time"] or "00:00")
    try:
        wall: datetime = isoparser().isoparse(f"{found['date']}T{time}{(found['zone'] or '').upper()}")
    except (ValueError, OverflowError):
        return None
    return wall.replace(microsecond=wall.microsecond // 1000 * 1000)


def require_iso(text: str, where: str, label: str) -> datetime:
    """The time of an ISO 8601 text.

    Raises:
        HostCallError: it is too long or no such text.
    """
    check_text(text, where)
    wall = iso_wall(text.strip())
    if wall is None:
        raise HostCallError(
            f"{where}: {label} {quoted(text)} is no ISO 8601 text such as 2024-03-31T02:30:00; "
            "parseDate reads other forms"
        )
    return wall


def check_text(text: str, where: str) -> None:
    """Return when a text is short enough to be a date, a rule's line or a pattern.

    Raises:
        HostCallError: it is longer than DATES_MAX_TEXT_UNITS.
    """
    if len(text) > DATES_MAX_TEXT_UNITS or utf16_length(text) > DATES_MAX_TEXT_UNITS:
        raise HostCallError(f"{where}: text exceeds the {DATES_MAX_TEXT_UNITS} character limit")


def offset_text(offset: timedelta, *, colon: str = ":", zulu: bool = False) -> str:
    """`+05:30`, with seconds where the offset has any; `Z` for none where that is asked for."""
    total = round(offset.total_seconds())
    if zulu and total == 0:
        return "Z"
    hours, rest = divmod(abs(total), 3600)
    seconds = f"{colon}{rest % 60:02d}" if rest % 60 else ""
    return f"{'-' if total < 0 else '+'}{hours:02d}{colon}{rest // 60:02d}{seconds}"


def offset_of(wall: datetime) -> timedelta:
    """The offset of an aware time."""
    return wall.utcoffset() or timedelta(0)
