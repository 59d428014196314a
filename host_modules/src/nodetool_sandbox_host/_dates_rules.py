"""Recurrence rules of RFC 5545 over dateutil's rrule, in steps that poll and under a cap on steps.

dateutil counts on naive wall clocks here, so that local time is kept over a transition; the zone is
put on afterwards.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count, islice, product
from typing import Final, Literal, TypedDict

from dateutil import rrule as dateutil_rrule
from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host._dates_zones import require_zone, to_instant
from nodetool_sandbox_host.arguments import quoted
from nodetool_sandbox_host.limits import (
    DATES_MAX_BY_VALUES,
    DATES_MAX_RULE_DATES,
    DATES_MAX_RULE_STEPS,
    DATES_MAX_RULE_UNITS,
    DATES_MAX_RULES,
    DATES_MAX_WINDOW_YEARS,
)

_FREQUENCIES: Final = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY")
_OF_DATEUTIL: Final[Mapping[str, Literal[0, 1, 2]]] = {
    "YEARLY": dateutil_rrule.YEARLY,
    "MONTHLY": dateutil_rrule.MONTHLY,
    "WEEKLY": dateutil_rrule.WEEKLY,
}
_WITHIN_A_YEAR: Final = {
    "DAILY": timedelta(days=1),
    "HOURLY": timedelta(hours=1),
    "MINUTELY": timedelta(minutes=1),
    "SECONDLY": timedelta(seconds=1),
}
"""Frequencies of days and less: dateutil chooses the days, and the steps in them are counted here."""
_CALENDAR_YEARS: Final = 400
_MOST_TIMES: Final = 10**9
_MOST_PERIODS: Final = 10**6
_LAST_YEAR: Final = 9999
_NO_END: Final = datetime(9999, 12, 31, 23, 59, 59)  # noqa: DTZ001  (a wall clock)
_POLL_EVERY: Final = 200
_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_TIME: Final = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?", re.ASCII)
_BY_DAY: Final = re.compile(r"([+-]?\d{1,3})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_WHOLE: Final = re.compile(r"[+-]?\d{1,9}", re.ASCII)
# the lists of numbers, and what stands in them (RFC 5545, 3.3.10); BYSETPOS and the days also count from the end
_BY_NUMBERS: Final[Mapping[str, tuple[str, int, int]]] = {
    "BYMONTH": ("bymonth", 1, 12),
    "BYMONTHDAY": ("bymonthday", -31, 31),
    "BYYEARDAY": ("byyearday", -366, 366),
    "BYWEEKNO": ("byweekno", -53, 53),
    "BYHOUR": ("byhour", 0, 23),
    "BYMINUTE": ("byminute", 0, 59),
    "BYSECOND": ("bysecond", 0, 59),
    "BYSETPOS": ("bysetpos", -366, 366),
}


class _Parts(TypedDict, total=False):
    """What dateutil's rrule is made of."""

    interval: int
    wkst: int
    bysetpos: list[int]
    bymonth: list[int]
    bymonthday: list[int]
    byyearday: list[int]
    byweekno: list[int]
    byweekday: list[dateutil_rrule.weekday]
    byhour: list[int]
    byminute: list[int]
    bysecond: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One RRULE line. `until` is the last instant, or the last wall time, or the last day."""

    frequency: str
    parts: _Parts
    count: int | None
    until: datetime | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A text of DTSTART, RRULE, RDATE and EXDATE lines. Times are wall clock times of the zone."""

    start: datetime
    zone: tzinfo
    rules: tuple[Rule, ...]
    added: tuple[datetime, ...]
    removed: frozenset[datetime]
    removed_days: frozenset[date]


def parse_recurrence(text: str, zone: tzinfo, where: str) -> Recurrence:
    """The recurrence that a text describes; `zone` is that of a start which names none.

    Raises:
        HostCallError: a line is none of the four, is malformed, or there are too many.
    """
    if len(text) > DATES_MAX_RULE_UNITS:
        raise HostCallError(f"{where}: the rule exceeds the {DATES_MAX_RULE_UNITS} character limit")
    # RFC 5545, 3.1: a line that begins with a blank goes on from the one before
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    lines = [_line(each.strip(), where) for each in unfolded.splitlines() if each.strip()]
    starts = [line for line in lines if line.name == "DTSTART"]
    if len(starts) != 1:
        raise HostCallError(
            f"{where}: a rule needs one DTSTART line, such as DTSTART;TZID=Europe/Berlin:20240131T090000"
        )
    zone = _zone_of(starts[0], zone, where)
    start = _moments(starts[0], zone, where)[0][0]
    rules = [_rule(line.value, where) for line in lines if line.name == "RRULE"]
    added = [each for line in lines if line.name == "RDATE" for each, _ in _moments(line, zone, where)]
    removed = [each for line in lines if line.name == "EXDATE" for each in _moments(line, zone, where)]
    _check_counts(rules, len(added) + len(removed), where)
    start_is_day = "T" not in starts[0].value
    return Recurrence(
        start=start,
        zone=zone,
        rules=tuple(rules),
        # without a rule the start is the first date itself
        added=tuple(sorted([start, *added] if not rules else added)),
        removed=frozenset(each for each, is_day in removed if not is_day or start_is_day),
        removed_days=frozenset(each.date() for each, is_day in removed if is_day),
    )


def _check_counts(rules: list[Rule], dates: int, where: str) -> None:
    if len(rules) > DATES_MAX_RULES:
        raise HostCallError(f"{where}: more than {DATES_MAX_RULES} RRULE lines")
    if dates > DATES_MAX_RULE_DATES:
        raise HostCallError(f"{where}: more than {DATES_MAX_RULE_DATES} dates in RDATE and EXDATE lines")


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    options: Mapping[str, str]
    value: str


def _line(text: str, where: str) -> _Line:
    head, colon, value = text.partition(":")
    name, *options = head.split(";")
    name = name.upper()
    if not colon and "FREQ=" in text.upper():
        return _Line("RRULE", {}, text.upper())  # a bare rule, as many libraries write it
    if not colon or name not in ("DTSTART", "RRULE", "RDATE", "EXDATE"):
        raise HostCallError(
            f"{where}: {quoted(text)} is no line that is read; a rule has DTSTART, RRULE, RDATE and EXDATE lines"
        )
    pairs = (each.partition("=") for each in options)
    return _Line(name, {key.upper(): word.strip('"') for key, _, word in pairs}, value.strip().upper())


def _zone_of(line: _Line, zone: tzinfo, where: str) -> tzinfo:
    name = line.options.get("TZID")
    if name is not None:
        return require_zone(name, where)
    return UTC if line.value.endswith("Z") else zone


def _moments(line: _Line, zone: tzinfo, where: str) -> list[tuple[datetime, bool]]:
    """The wall times in the rule's zone of a line's dates, and whether each is a whole day.

    Raises:
        HostCallError: one is no date.
    """
    own = _zone_of(line, zone, where)
    moments: list[tuple[datetime, bool]] = []
    for text in line.value.split(","):
        moment = _moment(text, where)
        if isinstance(moment, datetime):
            if moment.tzinfo is not None or own is not zone:
                moment = to_instant(moment, own, "compatible", where).astimezone(zone).replace(tzinfo=None)
            moments.append((moment.replace(fold=0), False))
        else:
            moments.append((datetime(moment.year, moment.month, moment.day), True))  # noqa: DTZ001
    return moments


def _moment(text: str, where: str) -> datetime | date:
    """A date, a wall time, or with a Z an instant.

    Raises:
        HostCallError: it is none of them.
    """
    found = _TIME.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError  # noqa: TRY301  (one refusal for both)
        day = date(int(found[1]), int(found[2]), int(found[3]))
        if found[4] is None:
            return day
        # 60 is a leap second, which no clock of ours has
        return datetime(
            day.year,
            day.month,
            day.day,
            int(found[4]),
            int(found[5]),
            min(int(found[6]), 59),
            tzinfo=UTC if found[7] else None,
        )
    except ValueError:
        raise HostCallError(
            f"{where}: {quoted(text)} is no date of a rule, such as 20240131T090000Z or 20240131"
        ) from None


def _rule(text: str, where: str) -> Rule:
    """One RRULE's value.

    Raises:
        HostCallError: a part of it is unknown, malformed, out of range or stands twice.
    """
    words: dict[str, str] = {}
    for each in text.strip(";").split(";"):
        name, _, value = each.partition("=")
        if name in words or not value:
            fault = "stands twice" if value else "has no value"
            raise HostCallError(f"{where}: {quoted(each)} in RRULE {fault}")
        words[name] = value
    frequency = words.pop("FREQ", "")
    if frequency not in _FREQUENCIES:
        raise HostCallError(f"{where}: an RRULE needs FREQ, one of {', '.join(_FREQUENCIES)}")
    count_word, until_word = words.pop("COUNT", None), words.pop("UNTIL", None)
    parts: _Parts = {}
    for name, value in words.items():
        _add_part(parts, name, value, where)
    if frequency in ("HOURLY", "MINUTELY", "SECONDLY") and "bysetpos" in parts:
        raise HostCallError(f"{where}: BYSETPOS goes with FREQ=DAILY and slower")
    if sum(len(each) for each in parts.values() if isinstance(each, list)) > DATES_MAX_BY_VALUES:
        raise HostCallError(f"{where}: more than {DATES_MAX_BY_VALUES} values in the BY lists of a rule")
    return Rule(
        frequency=frequency,
        parts=parts,
        count=None if count_word is None else _whole(count_word, 1, _MOST_TIMES, "COUNT", where),
        until=None if until_word is None else _moment(until_word, where),
    )


def _add_part(parts: _Parts, name: str, value: str, where: str) -> None:
    """Put one `NAME=value` of a rule into its parts.

    Raises:
        HostCallError: it is unknown, malformed or out of range.
    """
    if name == "INTERVAL":
        parts["interval"] = _whole(value, 1, _MOST_PERIODS, name, where)
    elif name == "WKST" and value in _WEEKDAYS:
        parts["wkst"] = _WEEKDAYS.index(value)
    elif name == "BYDAY":
        parts["byweekday"] = [_by_day(day, where) for day in value.split(",")]
    elif name in _BY_NUMBERS:
        field, low, high = _BY_NUMBERS[name]
        numbers = [_whole(number, low, high, name, where) for number in value.split(",")]
        parts[field] = numbers  # type: ignore[literal-required]
    else:
        raise HostCallError(f"{where}: {quoted(f'{name}={value}')} is no part of an RRULE that is known")


def _whole(text: str, low: int, high: int, name: str, where: str) -> int:
    number = int(text) if _WHOLE.fullmatch(text) else None
    if number is None or not low <= number <= high or (low < 0 and number == 0):
        raise HostCallError(f"{where}: {name} takes numbers from {low} to {high}, not {quoted(text)}")
    return number


def _by_day(text: str, where: str) -> dateutil_rrule.weekday:
    found = _BY_DAY.fullmatch(text)
    position = int(found[1]) if found is not None and found[1] else None
    if found is None or position == 0:
        raise HostCallError(f"{where}: BYDAY takes days such as MO, 2TU or -1FR, not {quoted(text)}")
    return dateutil_rrule.weekday(_WEEKDAYS.index(found[2]), position)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What the guest asked to see: instants from `first` to `last`, both included, at most `limit`."""

    first: datetime | None
    last: datetime | None
    limit: int


def list_occurrences(
    recurrence: Recurrence, window: Window, deadline: Deadline, where: str
) -> list[datetime]:
    """The instants of a recurrence within a window, in order, each once.

    Raises:
        HostCallError: the window ends too long after the start, or the search goes past its cap.
    """
    if window.limit == 0:
        return []
    budget = _Budget(deadline, where)
    end = _end(recurrence, window, where)
    streams = [_walls(rule, recurrence, window, end, budget) for rule in recurrence.rules]
    found: list[datetime] = []
    last: datetime | None = None
    for wall in heapq.merge(*streams, recurrence.added):
        budget.spend()
        if wall == last or wall in recurrence.removed or wall.date() in recurrence.removed_days:
            continue
        last = wall
        instant = to_instant(wall, recurrence.zone, "compatible", where)
        if window.last is not None and instant > window.last:
            break
        if window.first is None or instant >= window.first:
            found.append(instant)
        if len(found) == window.limit:
            break
    return found


class _Budget:
    """Times looked at in one call, over all of its rules; the deadline is asked along the way."""

    def __init__(self, deadline: Deadline, where: str) -> None:
        self._deadline = deadline
        self._where = where
        self._spent = 0

    def spend(self) -> None:
        """Count one time that is looked at.

        Raises:
            HostCallError: the call has looked at too many, or its time is up.
        """
        self._spent += 1
        if self._spent % _POLL_EVERY == 0:
            self._deadline.check()
        if self._spent > DATES_MAX_RULE_STEPS:
            raise HostCallError(
                f"{self._where}: the rule was searched over {DATES_MAX_RULE_STEPS} times; pass a from and a to that "
                "lie closer together, or a rule that matches more often"
            )


def _end(recurrence: Recurrence, window: Window, where: str) -> datetime:
    """The last wall time that is looked at.

    Raises:
        HostCallError: the window ends too long after the start.
    """
    start = recurrence.start
    last_year = start.year + DATES_MAX_WINDOW_YEARS
    farthest = _NO_END if last_year > _LAST_YEAR else _same_day(start, last_year)
    if window.first is not None and window.first.replace(tzinfo=None) > farthest:
        raise HostCallError(
            f"{where}: from lies more than {DATES_MAX_WINDOW_YEARS} years after DTSTART; begin the rule later"
        )
    if window.last is None:
        return farthest
    if window.last.replace(tzinfo=None) > farthest:
        raise HostCallError(
            f"{where}: to lies more than {DATES_MAX_WINDOW_YEARS} years after DTSTART; end the window earlier"
        )
    # a day later than any offset needs; the instants are compared after
    try:
        return min(farthest, window.last.replace(tzinfo=None) + timedelta(days=2))
    except OverflowError:
        return farthest


def _same_day(start: datetime, year: int) -> datetime:
    return start.replace(year=year, day=min(start.day, 28)) + timedelta(days=start.day - min(start.day, 28))


def _walls(
    rule: Rule, recurrence: Recurrence, window: Window, end: datetime, budget: _Budget
) -> Iterator[datetime]:
    """The wall times of one rule, up to its COUNT, its UNTIL or the end of the window."""
    walls = _searched(rule, recurrence, window, end, budget)
    for wall in islice(walls, rule.count):
        if wall > end or _is_past(wall, rule.until, recurrence.zone):
            return
        yield wall


def _is_past(wall: datetime, until: datetime | date | None, zone: tzinfo) -> bool:
    """Whether a time lies behind UNTIL; a date there includes its whole day."""
    if until is None:
        return False
    if not isinstance(until, datetime):
        return wall.date() > until
    if until.tzinfo is None:
        return wall > until
    return wall.replace(tzinfo=zone).astimezone(UTC) > until


def _searched(
    rule: Rule, recurrence: Recurrence, window: Window, end: datetime, budget: _Budget
) -> Iterator[datetime]:
    """The wall times of a rule without its ends, none before the start."""
    budget.spend()
    start, parts = recurrence.start, rule.parts
    if rule.frequency not in _WITHIN_A_YEAR:
        for wall in _made(_OF_DATEUTIL[rule.frequency], parts, start):
            budget.spend()
            yield wall
        return
    step, interval = _WITHIN_A_YEAR[rule.frequency], parts.get("interval", 1)
    daily = _times(parts, start) if rule.frequency == "DAILY" else []
    # with a COUNT every time from the start on has to be counted
    seen_from = None if window.first is None or rule.count is not None else _days_before(window.first.date())
    for day in _days(parts, start):
        budget.spend()
        if day > end:
            return
        if seen_from is not None and day.date() < seen_from:
            continue
        if rule.frequency != "DAILY":
            yield from _within(day, parts, start, step * interval, budget)
        elif (day.date() - start.date()).days % interval == 0:
            walls = (datetime.combine(day, each) for each in daily)
            yield from (wall for wall in walls if wall >= start)


def _days_before(day: date) -> date:
    """Two days earlier, which is more than any offset; the first day of the calendar has none before it."""
    return day - timedelta(days=2) if day.year > 1 else day


def _days(parts: _Parts, start: datetime) -> Iterator[datetime]:
    """The days that a rule's parts choose.

    They are asked for a year at a time: dateutil takes a thirtieth of the time of a daily rule for it.
    """
    chosen = _Parts(byhour=[0], byminute=[0], bysecond=[0])
    for name in ("bymonth", "bymonthday", "byyearday", "byweekno"):
        if name in parts:
            chosen[name] = parts[name]
    if "byweekday" in parts:
        # a position such as 2TU counts in months and years alone
        chosen["byweekday"] = [dateutil_rrule.weekday(each.weekday) for each in parts["byweekday"]]
    if not chosen.keys() & {"bymonthday", "byyearday", "byweekno", "byweekday"}:
        chosen["bymonthday"] = list(range(1, 32))
    return _made(dateutil_rrule.YEARLY, chosen, datetime.combine(start, time.min))


def _times(parts: _Parts, start: datetime) -> list[time]:
    """The times of each day of a daily rule, in order."""
    times = [
        time(*each)
        for each in product(
            sorted(set(parts.get("byhour", [start.hour]))),
            sorted(set(parts.get("byminute", [start.minute]))),
            sorted(set(parts.get("bysecond", [start.second]))),
        )
    ]
    positions = parts.get("bysetpos")
    if positions is None:
        return times
    picked = {each - 1 if each > 0 else len(times) + each for each in positions}
    return [each for index, each in enumerate(times) if index in picked]


def _within(
    day: datetime, parts: _Parts, start: datetime, step: timedelta, budget: _Budget
) -> Iterator[datetime]:
    """The times of one day that lie a whole number of steps after the start."""
    steps = max(0, -((start - day) // step))
    hours, minutes, seconds = parts.get("byhour"), parts.get("byminute"), parts.get("bysecond")
    for number in count(steps):
        try:
            wall = start + step * number
        except OverflowError:
            return
        if wall.date() > day.date():
            return
        budget.spend()
        if (
            (hours is None or wall.hour in hours)
            and (minutes is None or wall.minute in minutes)
            and (seconds is None or wall.second in seconds)
        ):
            yield wall


def _made(frequency: Literal[0, 1, 2], parts: _Parts, start: datetime) -> Iterator[datetime]:
    """Dateutil's times of a rule without an end.

    A rule that never matches is searched by dateutil to the year 9999, without a pause. The
    calendar repeats after 400 years, so it counts in the last years that hold the longest window.
    """
    cycles = (_LAST_YEAR - DATES_MAX_WINDOW_YEARS - start.year) // _CALENDAR_YEARS
    late = start.replace(year=start.year + _CALENDAR_YEARS * max(0, cycles))
    made = dateutil_rrule.rrule(frequency, dtstart=late, cache=False, **parts)
    shift = late - start
    return (wall - shift for wall in made)
