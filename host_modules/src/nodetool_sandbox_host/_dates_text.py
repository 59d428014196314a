"""Dates out of free text: dateutil's parser with nothing guessed, and one format for a whole column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final

from dateutil.parser import parse, parserinfo
from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host._dates_format import Reader, full_year, reader
from nodetool_sandbox_host._dates_zones import Ambiguous, iso_wall, to_instant
from nodetool_sandbox_host.arguments import quoted

# RFC 2822, 4.3; the military letters are left out, as that page asks
_NAMED_OFFSETS: Final = {
    "UT": 0,
    "GMT": 0,
    "UTC": 0,
    "Z": 0,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
}
_AHEAD_OF_GMT: Final = re.compile(r"(?:GMT|UTC)\s?([+-])(\d{1,2})(?::?(\d{2}))?(?![\d:])", re.IGNORECASE)
_NAME_WITH_OFFSET: Final = re.compile(r"\b[A-Za-z]{3,5}[+-]\d{1,2}(?::?\d{2})?$")
_YEAR_FIRST: Final = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)")
_POLL_EVERY: Final = 200
# Two defaults that share no part: where the answers differ, the text did not say. They lie two weeks apart in
# their months, because dateutil moves a default day on to the weekday that the text names.
_ONE_DEFAULT: Final = datetime(2000, 1, 1)  # noqa: DTZ001  (a wall clock)
_OTHER_DEFAULT: Final = datetime(2004, 2, 15)  # noqa: DTZ001


@dataclass(frozen=True, slots=True)
class Reading:
    """How the guest wants texts read; None where it did not say."""

    day_first: bool | None
    year_first: bool | None
    zone: tzinfo
    ambiguous: Ambiguous
    readers: tuple[Reader, ...]


class _English(parserinfo):
    """dateutil's words, with a fixed window for two digits of a year."""

    def convertyear(self, year: int, century_specified: bool = False) -> int:  # noqa: FBT001, FBT002  (dateutil's)
        return year if year > 99 or century_specified else full_year(year)  # noqa: PLR2004


_ORDERS: Final = {
    (day_first, year_first): _English(dayfirst=day_first, yearfirst=year_first)
    for day_first in (False, True)
    for year_first in (False, True)
}


class _UnknownZoneError(Exception):
    """A name behind the time that is no zone."""


def read_text(text: str, reading: Reading, where: str) -> datetime:
    """The instant that a text stands for.

    Raises:
        HostCallError: it is no date, says too little, or can be read in two ways.
    """
    text = text.strip()
    if any(char.isdigit() and not char.isascii() for char in text):
        raise _unread(text, where, "write its digits as 0 to 9")
    if reading.readers:
        walls = (each.read(text) for each in reading.readers)
        wall = next((each for each in walls if each is not None), None)
        if wall is None:
            raise _unread(text, where, "it fits none of the formats")
    else:
        wall = iso_wall(text) or _free(text, reading, where)
    return to_instant(wall, reading.zone, reading.ambiguous, where)


def _free(text: str, reading: Reading, where: str) -> datetime:
    """The time of a text that is not ISO 8601.

    Raises:
        HostCallError: as `read_text` says.
    """
    if _YEAR_FIRST.match(text):
        return _complete(text, where, day_first=False, year_first=True)
    year_first = reading.year_first is True
    if reading.day_first is not None or year_first:
        return _complete(text, where, day_first=reading.day_first is True, year_first=year_first)
    month_first = _complete(text, where, day_first=False, year_first=False)
    day_first = _complete(text, where, day_first=True, year_first=False)
    if month_first != day_first:
        raise HostCallError(
            f"{where}: {quoted(text)} can be {month_first:%Y-%m-%d} or {day_first:%Y-%m-%d}; "
            "pass dayFirst: false or true"
        )
    return month_first


def _complete(text: str, where: str, *, day_first: bool, year_first: bool) -> datetime:
    """What dateutil reads, when the text itself has year, month and day (or year and month).

    Raises:
        HostCallError: it is no date, or a part of it is missing.
    """
    order = _ORDERS[day_first, year_first]
    plain = _AHEAD_OF_GMT.sub(_own_offset, text)
    if _NAME_WITH_OFFSET.search(plain):
        raise _unread(
            text, where, "its time zone is a name with an offset; write the offset alone, as +03:00"
        )
    try:
        one = parse(plain, order, default=_ONE_DEFAULT, tzinfos=_named_zone)
        other = parse(plain, order, default=_OTHER_DEFAULT, tzinfos=_named_zone)
        offset = one.utcoffset()  # a stray offset such as +99:99 shows here
    except _UnknownZoneError as unknown:
        raise _unread(
            text, where, f"{quoted(str(unknown))} is no zone that is known; write an offset, or pass zone"
        ) from None
    except (ValueError, OverflowError, TypeError, ArithmeticError):
        raise _unread(text, where, "pass formats to say how it is written") from None
    del offset
    if one.year != other.year or one.month != other.month:
        raise _unread(text, where, "a date needs its year and month")
    if one.day not in (other.day, _ONE_DEFAULT.day):
        raise _unread(text, where, "a day of the week does not say which day")
    return one.replace(microsecond=one.microsecond // 1000 * 1000)


def _unread(text: str, where: str, what_now: str) -> HostCallError:
    return HostCallError(f"{where}: {quoted(text)} is no date that can be read: {what_now}")


def _own_offset(found: re.Match[str]) -> str:
    """`GMT+3` is three hours ahead; dateutil takes it the POSIX way round."""
    return f"{found[1]}{found[2].zfill(2)}:{found[3] or '00'}"


def _named_zone(name: str | None, offset: int | None) -> tzinfo | None:
    """The zone for what stood behind the time.

    Raises:
        _UnknownZoneError: only a name stood there, and it is none of RFC 2822's.
    """
    if offset is not None:
        return timezone(timedelta(seconds=offset))
    if name is None:
        return None
    hours = _NAMED_OFFSETS.get(name.upper())
    if hours is None:
        raise _UnknownZoneError(name)
    return UTC if hours == 0 else timezone(timedelta(hours=hours))


# --- columns

_TIME: Final = re.compile(
    r"(?P<date>.*?\d)(?P<gap>T|,? | at )(?P<time>(?P<hour>\d{1,2}):\d{2}(?P<second>:\d{2}(?P<fraction>[.,]\d{1,3})?)?)"
    r"(?P<half>(?P<space> ?)[AaPp]\.?[Mm]\.?)?(?P<zone_gap> ?)(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?",
    re.ASCII,
)
_SEPARATED: Final = re.compile(r"(\d{1,4})([-/. ])(\d{1,2})([-/. ])(\d{1,4})", re.ASCII)
_WITH_NAME: Final = re.compile(
    r"(?P<weekday>[A-Za-z]{3,9})?(?P<after>,? )?"
    r"(?:(?P<first>\d{1,2}(?:st|nd|rd|th)?)(?P<a>[- ]|\. )(?P<name>[A-Za-z]{3,9})|"
    r"(?P<front>[A-Za-z]{3,9})(?P<b> )(?P<second>\d{1,2}(?:st|nd|rd|th)?))(?P<c>[- ]|, )(?P<year>\d{4}|\d{2})",
    re.ASCII,
)


def column_format(texts: Sequence[str], reading: Reading, deadline: Deadline, where: str) -> Reader:
    """The one format that most of the texts fit; of two that fit as many, the order that the guest asked for.

    Raises:
        HostCallError: none is seen, or the texts fit day first and month first alike.
    """
    if reading.readers:
        return max(reading.readers, key=lambda each: _fitting(each, texts, deadline))
    votes: Counter[str] = Counter()
    for index, text in enumerate(texts):
        if index % _POLL_EVERY == 0:
            deadline.check()
        votes.update(_shapes(text))
    ranked: list[tuple[int, Reader]] = []
    for pattern, _ in votes.most_common(_CANDIDATES):
        each = reader(pattern, where)
        ranked.append((_fitting(each, texts, deadline), each))
    ranked.sort(key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] == 0:
        raise HostCallError(f"{where}: no format of a date is seen in the values; pass formats")
    best = [each for count, each in ranked if count == ranked[0][0]]
    return best[0] if len(best) == 1 else _preferred(best, texts, reading, where)


_CANDIDATES: Final = 16
"""Formats that are tried on the whole column, those that most values suggest."""


def _fitting(each: Reader, texts: Sequence[str], deadline: Deadline) -> int:
    count = 0
    for index, text in enumerate(texts):
        if index % _POLL_EVERY == 0:
            deadline.check()
        count += each.read(text) is not None
    return count


def _preferred(best: Sequence[Reader], texts: Sequence[str], reading: Reading, where: str) -> Reader:
    """One of formats that as many texts fit.

    Raises:
        HostCallError: they give different dates and the guest did not say which comes first.
    """
    readings = {tuple(each.read(text) for text in texts) for each in best}
    if len(readings) == 1:
        return best[0]
    if reading.year_first is not None or reading.day_first is not None:
        wanted = "y" if reading.year_first else "d" if reading.day_first else "M"
        first = [each for each in best if each.pattern.lstrip("E, ")[0] == wanted]
        if len(first) == 1:
            return first[0]
    shown = " and ".join(each.pattern for each in best[:2])
    raise HostCallError(f"{where}: the values fit {shown} alike; pass dayFirst, or formats")


def _shapes(text: str) -> list[str]:
    """The patterns that a text may be written in."""
    if iso_wall(text) is not None and not re.match(r"\d{4}-\d{2}-\d{2}", text):
        return ["yyyyMMdd"] if re.fullmatch(r"\d{8}", text) else []
    found = _TIME.fullmatch(text)
    if found is None:
        return _date_shapes(text)
    hour = "h" if found["half"] else "H"
    time = hour * (2 if len(found["hour"]) == 2 and not found["half"] else 1) + ":mm"  # noqa: PLR2004
    if found["second"]:
        time += ":ss" + (f"{found['fraction'][0]}SSS" if found["fraction"] else "")
    if found["half"]:
        time += found["space"] + "a"
    gap = {"T": "'T'", " at ": " 'at' "}.get(found["gap"], found["gap"])
    zone = (
        f"{found['zone_gap']}{'XXX' if ':' in found['zone'] or found['zone'] == 'Z' else 'XX'}"
        if found["zone"]
        else ""
    )
    return [f"{date}{gap}{time}{zone}" for date in _date_shapes(found["date"])]


def _date_shapes(text: str) -> list[str]:
    numbers = _SEPARATED.fullmatch(text)
    if numbers is not None:
        first, a, _, b, last = numbers.groups()
        if len(first) == 4:  # noqa: PLR2004
            return [f"yyyy{a}MM{b}dd" if len(text) == 10 else f"yyyy{a}M{b}d"]  # noqa: PLR2004
        year = "yyyy" if len(last) == 4 else "yy"  # noqa: PLR2004
        shapes = [f"d{a}M{b}{year}", f"M{a}d{b}{year}"]
        return shapes if year == "yyyy" else [*shapes, f"yy{a}M{b}d"]
    named = _WITH_NAME.fullmatch(text)
    return [] if named is None else [_named_shape(named)]


def _named_shape(found: re.Match[str]) -> str:
    """The pattern of a date with a month's name."""
    name = found["name"] or found["front"]
    number = found["first"] or found["second"]
    month = "MMM" if len(name) == 3 else "MMMM"  # noqa: PLR2004  (May is read by both)
    day = "do" if not number.isdigit() else "d"
    year = "yyyy" if len(found["year"]) == 4 else "yy"  # noqa: PLR2004
    week = ""
    if found["weekday"]:
        week = ("EEE" if len(found["weekday"]) == 3 else "EEEE") + (found["after"] or "")  # noqa: PLR2004
    middle = f"{day}{found['a']}{month}" if found["first"] else f"{month}{found['b']}{day}"
    return f"{week}{middle}{found['c']}{year}"


def padded(best: Reader, texts: Sequence[str], where: str) -> Reader:
    """The format with `dd/MM` for `d/M` where every text has both digits, so that it writes them too."""
    pattern = re.sub(r"(?<![A-Za-z])([dM])(?![A-Za-z])", r"\1\1", best.pattern)
    if pattern == best.pattern:
        return best
    strict = reader(pattern, where)
    fits = [text for text in texts if best.read(text) is not None]
    return strict if all(strict.read(text) is not None for text in fits) else best


def read_flag(options: Mapping[str, object], name: str, where: str) -> bool | None:
    """An option that is true, false or not given.

    Raises:
        HostCallError: it is something else.
    """
    value = options.get(name)
    if value is None or isinstance(value, bool):
        return value
    if not value:  # undefined
        return None
    raise HostCallError(f"{where}: {name} must be true or false")
