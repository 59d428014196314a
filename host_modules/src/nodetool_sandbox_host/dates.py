"""dates: time zones, free text and recurrence rules beside date-fns, synchronous; `.../zones` in a program.

The names are those of date-fns-tz. An instant is a Date on both sides: what one function returns,
every other one and date-fns itself takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host._dates_format import format_time, reader
from nodetool_sandbox_host._dates_zones import (
    ambiguous_option,
    check_text,
    in_range,
    offset_of,
    offset_text,
    require_instant,
    require_iso,
    require_zone,
    to_instant,
    to_wall,
    zone_names,
    zone_option,
)
from nodetool_sandbox_host.arguments import argument, option_bag, quoted, text_list_option, whole_number
from nodetool_sandbox_host.limits import (
    DATES_MAX_COLUMN_VALUES,
    DATES_MAX_FORMATS,
    DATES_MAX_OCCURRENCES,
    DATES_OCCURRENCES,
)

# at import, not at the first call: a missing library must show when the module is loaded
from nodetool_sandbox_host._dates_rules import Window, list_occurrences, parse_recurrence  # isort: skip
from nodetool_sandbox_host._dates_text import Reading, column_format, padded, read_flag, read_text  # isort: skip
from dateutil.easter import easter as dateutil_easter  # isort: skip
from dateutil.relativedelta import relativedelta, weekday  # isort: skip

_FIELDS: Final = (
    ("year", 1, 9999),
    ("month", 1, 12),
    ("day", 1, 31),
    ("hour", 0, 23),
    ("minute", 0, 59),
    ("second", 0, 59),
    ("millisecond", 0, 999),
)
_MOST: Final = 10**9
"""The largest number of units that `relative` moves by."""
_WEEKDAY: Final = re.compile(r"(MO|TU|WE|TH|FR|SA|SU)(?:\(([+-]?[1-9]\d{0,2})\))?", re.ASCII)
_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_EASTER_YEARS: Final = (1583, 4099)
"""The years for which the Gregorian reckoning of dateutil holds."""
_POLL_EVERY: Final = 200


def from_zoned_time(args: Sequence[object], _deadline: Deadline) -> object:
    """The instant at which a zone's clocks show a time.

    Raises:
        HostCallError: the time or the zone is none, or the zone skips or doubles it and that is refused.
    """
    where = "dates.fromZonedTime"
    value, zone = argument(args, 0), require_zone(argument(args, 1), where)
    ambiguous = ambiguous_option(argument(args, 2), where)
    if isinstance(value, str):
        return to_instant(require_iso(value, where, "time"), zone, ambiguous, where)
    if not isinstance(value, dict):
        # a Date stands for what it shows in UTC, as in date-fns-tz
        return to_instant(require_instant(value, where, "time").replace(tzinfo=None), zone, ambiguous, where)
    wall = _wall_of_fields(value, where)
    offset = value.get("offsetMinutes")
    if isinstance(offset, int | float) and not isinstance(offset, bool):
        # fields of toZonedTime say which of two equal times they were
        for each in ("earlier", "later"):
            instant = to_instant(wall, zone, each, where)
            shown = to_wall(instant, zone, where)
            if shown.replace(tzinfo=None) == wall and _minutes(shown) == offset:
                return instant
    return to_instant(wall, zone, ambiguous, where)


def _wall_of_fields(fields: Mapping[str, object], where: str) -> datetime:
    """The time of `{ year, month, day, hour?, ... }`.

    Raises:
        HostCallError: one is missing or out of range, or there is no such day.
    """
    numbers = {
        name: _whole(
            fields.get(name, UNDEFINED), name, low, high, where, needed=name in ("year", "month", "day")
        )
        for name, low, high in _FIELDS
    }
    numbers["microsecond"] = numbers.pop("millisecond") * 1000
    try:
        return datetime(**numbers)  # type: ignore[arg-type]  # noqa: DTZ001  (a wall clock)
    except ValueError:
        raise HostCallError(
            f"{where}: there is no day {numbers['day']} in month {numbers['month']} of {numbers['year']}"
        ) from None


def _whole(value: object, name: str, low: int, high: int, where: str, *, needed: bool = True) -> int:
    """A whole number of a field.

    Raises:
        HostCallError: it is missing, no whole number or out of range.
    """
    if value is UNDEFINED and not needed:
        return 0
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not low <= value <= high
        or value != int(value)
    ):
        raise HostCallError(f"{where}: {name} must be a whole number from {low} to {high}")
    return int(value)


def to_zoned_time(args: Sequence[object], _deadline: Deadline) -> object:
    """What a zone's clocks show at an instant.

    Raises:
        HostCallError: the date or the zone is none, or its year there is out of range.
    """
    where = "dates.toZonedTime"
    wall = to_wall(require_instant(argument(args, 0), where), require_zone(argument(args, 1), where), where)
    return {
        "year": wall.year,
        "month": wall.month,
        "day": wall.day,
        "hour": wall.hour,
        "minute": wall.minute,
        "second": wall.second,
        "millisecond": wall.microsecond // 1000,
        "weekday": wall.isoweekday(),
        "offsetMinutes": _minutes(wall),
        "abbreviation": wall.tzname() or "",
        "iso": f"{wall.replace(tzinfo=None).isoformat(timespec='milliseconds')}{offset_text(offset_of(wall))}",
    }


def _minutes(wall: datetime) -> float:
    minutes = offset_of(wall) / timedelta(minutes=1)
    return int(minutes) if minutes.is_integer() else minutes


def format_in_time_zone(args: Sequence[object], _deadline: Deadline) -> object:
    """The text of an instant in a zone, by date-fns' tokens.

    Raises:
        HostCallError: an argument is none, or a letter of the pattern is no token.
    """
    where = "dates.formatInTimeZone"
    instant = require_instant(argument(args, 0), where)
    zone = require_zone(argument(args, 1), where)
    pattern = argument(args, 2)
    if not isinstance(pattern, str):
        raise HostCallError(f"{where}: pattern must be a string such as yyyy-MM-dd HH:mm XXX")
    check_text(pattern, where)
    return format_time(to_wall(instant, zone, where), pattern, where)


def get_timezone_offset(args: Sequence[object], _deadline: Deadline) -> object:
    """A zone's offset from UTC in milliseconds, as date-fns-tz gives it; now, where no date is given.

    Raises:
        HostCallError: the zone or the date is none.
    """
    where = "dates.getTimezoneOffset"
    zone = require_zone(argument(args, 0), where)
    date = argument(args, 1)
    instant = datetime.now(UTC) if date is UNDEFINED or date is None else require_instant(date, where)
    return round(offset_of(to_wall(instant, zone, where)) / timedelta(milliseconds=1))


def zones(_args: Sequence[object], _deadline: Deadline) -> object:
    """Every name of a time zone, sorted."""
    return list(zone_names())


def parse_date(args: Sequence[object], _deadline: Deadline) -> object:
    """The instant that a free text stands for; no part of it is ever taken from today.

    Raises:
        HostCallError: it is no date, says too little, or can be read in two ways.
    """
    where = "dates.parseDate"
    text = argument(args, 0)
    if not isinstance(text, str):
        raise HostCallError(f"{where}: text must be a string")
    check_text(text, where)
    return read_text(text, _reading(argument(args, 1), where), where)


def _reading(bag: object, where: str) -> Reading:
    """The options of parseDate and parseColumn.

    Raises:
        HostCallError: one of them is not what it should be.
    """
    options = option_bag(bag)
    formats = text_list_option(options, "formats", where=where) or []
    if len(formats) > DATES_MAX_FORMATS:
        raise HostCallError(f"{where}: more than {DATES_MAX_FORMATS} formats")
    for each in formats:
        check_text(each, where)
    return Reading(
        day_first=read_flag(options, "dayFirst", where),
        year_first=read_flag(options, "yearFirst", where),
        zone=zone_option(options, where),
        ambiguous=ambiguous_option(options, where),
        readers=tuple(reader(each, where) for each in formats),
    )


def parse_column(args: Sequence[object], deadline: Deadline) -> object:
    """`{ dates, format, misfits }`: a column's dates, by the one format that most of its values fit.

    Raises:
        HostCallError: the values are no list of texts, no format is seen, or two fit alike.
    """
    where = "dates.parseColumn"
    values = argument(args, 0)
    if not isinstance(values, list):
        raise HostCallError(f"{where}: values must be an array of strings")
    if len(values) > DATES_MAX_COLUMN_VALUES:
        raise HostCallError(f"{where}: more than {DATES_MAX_COLUMN_VALUES} values")
    reading = _reading(argument(args, 1), where)
    texts: list[str] = []
    for index, value in enumerate(values):
        text = "" if value is None or value is UNDEFINED else value
        if not isinstance(text, str):
            raise HostCallError(f"{where}: value {index} is no string")
        check_text(text, where)
        texts.append(text.strip())
    filled = [text for text in texts if text]
    if not filled:
        return {"dates": [None] * len(texts), "format": "", "misfits": []}
    chosen = padded(column_format(filled, reading, deadline, where), filled, where)
    dates: list[datetime | None] = []
    for index, text in enumerate(texts):
        if index % _POLL_EVERY == 0:
            deadline.check()
        wall = chosen.read(text) if text else None
        dates.append(None if wall is None else to_instant(wall, reading.zone, reading.ambiguous, where))
    misfits = [
        index for index, (text, date) in enumerate(zip(texts, dates, strict=True)) if text and date is None
    ]
    return {"dates": dates, "format": chosen.pattern, "misfits": misfits}


def occurrences(args: Sequence[object], deadline: Deadline) -> object:
    """The dates of a text of DTSTART, RRULE, RDATE and EXDATE lines, in order.

    Raises:
        HostCallError: the text is no such rule, an option is wrong, or a cap is passed.
    """
    where = "dates.occurrences"
    text = argument(args, 0)
    if not isinstance(text, str):
        raise HostCallError(f"{where}: rule must be a string of DTSTART and RRULE lines")
    options = option_bag(argument(args, 1))
    limit = whole_number(
        options, "limit", default=DATES_OCCURRENCES, low=0, high=DATES_MAX_OCCURRENCES, where=where
    )
    ends = [
        None if value is UNDEFINED or value is None else require_instant(value, where, name)
        for name in ("from", "to")
        for value in (options.get(name),)
    ]
    recurrence = parse_recurrence(text, zone_option(options, where), where)
    return list_occurrences(recurrence, Window(first=ends[0], last=ends[1], limit=limit), deadline, where)


_MOVES: Final = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")


def relative(args: Sequence[object], _deadline: Deadline) -> object:
    """A date moved on a zone's wall clock by dateutil's relativedelta.

    Raises:
        HostCallError: the date, a number, the weekday or the zone is wrong, or the year is out of range.
    """
    where = "dates.relative"
    instant = require_instant(argument(args, 0), where)
    bag = argument(args, 1)
    if not isinstance(bag, dict):
        raise HostCallError(f"{where}: the second argument must be an object such as {{ months: 1 }}")
    zone_value = argument(args, 2)
    zone = UTC if zone_value is UNDEFINED or zone_value is None else require_zone(zone_value, where)
    move = {name: value for name, value in bag.items() if value is not None and value is not UNDEFINED}
    known = {*_MOVES, "milliseconds", "weekday", *(name for name, _, _ in _FIELDS)}
    strange = next((name for name in move if name not in known), None)
    if strange is not None:
        raise HostCallError(
            f"{where}: {quoted(strange)} is no unit that is known; use {', '.join(_MOVES)} or weekday"
        )
    numbers = {name: _whole(move[name], name, -_MOST, _MOST, where) for name in _MOVES if name in move}
    fixed = {name: _whole(move[name], name, low, high, where) for name, low, high in _FIELDS if name in move}
    if "millisecond" in fixed:
        fixed["microsecond"] = fixed.pop("millisecond") * 1000
    thousandths = _whole(move.get("milliseconds", 0), "milliseconds", -_MOST, _MOST, where)
    day = _weekday(move.get("weekday", UNDEFINED), where)

    def moved() -> datetime:
        delta = relativedelta(
            **numbers,  # type: ignore[arg-type]
            **fixed,  # type: ignore[arg-type]
            microseconds=thousandths * 1000,
            weekday=day,
        )
        result: datetime = to_wall(instant, zone, where).replace(tzinfo=None) + delta
        return result

    return to_instant(in_range(moved, where), zone, "compatible", where)


def _weekday(value: object, where: str) -> weekday | None:
    if value is UNDEFINED or value is None:
        return None
    found = _WEEKDAY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise HostCallError(f'{where}: weekday must be a day such as "MO", or "FR(-1)" for the last Friday')
    return weekday(_DAYS.index(found[1]), int(found[2]) if found[2] else None)


def easter(args: Sequence[object], _deadline: Deadline) -> object:
    """Midnight UTC of Easter Sunday of a year, by the Gregorian reckoning.

    Raises:
        HostCallError: the year is no whole number, or before that reckoning began.
    """
    low, high = _EASTER_YEARS
    day = dateutil_easter(_whole(argument(args, 0), "year", low, high, "dates.easter"))
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


MODULE: Final = HostModule(
    host_id=HostId("dates"),
    exports=(
        HostExport(name="fromZonedTime", function=from_zoned_time, sync=True),
        HostExport(name="toZonedTime", function=to_zoned_time, sync=True),
        HostExport(name="formatInTimeZone", function=format_in_time_zone, sync=True),
        HostExport(name="getTimezoneOffset", function=get_timezone_offset, sync=True),
        HostExport(name="zones", function=zones, sync=True),
        HostExport(name="parseDate", function=parse_date, sync=True),
        HostExport(name="parseColumn", function=parse_column, sync=True),
        HostExport(name="occurrences", function=occurrences, sync=True),
        HostExport(name="relative", function=relative, sync=True),
        HostExport(name="easter", function=easter, sync=True),
    ),
)
