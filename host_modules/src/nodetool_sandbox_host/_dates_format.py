"""date-fns' format tokens over a time in a zone: written, and read back.

The tokens are those of date-fns 4's `format`, English only. Both directions come from this one
tokenizer, so that a pattern that a column was read with writes it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError

from nodetool_sandbox_host._dates_zones import offset_of, offset_text
from nodetool_sandbox_host.arguments import quoted

MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)
DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

# date-fns' own expression: an escaped text, `''`, an ordinal, a run of one letter, anything else
_TOKEN: Final = re.compile(
    r"(?P<text>'(?:[^']|'')*'?)|(?P<letters>[A-Za-z]o|[Pp]{1,4}(?:p{1,4})?|([A-Za-z])\3*)|(?P<other>[^A-Za-z']+)"
)
_LONG_DATES: Final = {1: "MM/dd/yyyy", 2: "MMM d, yyyy", 3: "MMMM do, yyyy", 4: "EEEE, MMMM do, yyyy"}
_LONG_TIMES: Final = {1: "h:mm a", 2: "h:mm:ss a", 3: "h:mm:ss a z", 4: "h:mm:ss a zzzz"}
_PROTECTED: Final = {"YYYY": "yyyy", "YY": "yy", "DD": "dd", "D": "d"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of letters, or literal text."""

    letters: str
    text: str = ""


@lru_cache(maxsize=256)
def _pieces(pattern: str) -> tuple[Piece, ...]:
    return tuple(_split(pattern))


def _split(pattern: str) -> Iterator[Piece]:
    for found in _TOKEN.finditer(pattern):
        letters = found["letters"]
        if found["text"] is not None:
            quote = found["text"]
            yield Piece("", "'" if quote == "''" else quote[1:].removesuffix("'").replace("''", "'"))
        elif letters is None:
            yield Piece("", found["other"])
        elif letters[0] in "Pp" and letters[-1] != "o":
            yield from _pieces(_long(letters))
        else:
            yield Piece(letters)


def _long(letters: str) -> str:
    """`P` and `p`, a date and a time as English writes them."""
    date, time = letters.count("P"), letters.count("p")
    if date and time:
        join = " 'at' " if date > 2 else ", "  # noqa: PLR2004  (the long and the full form)
        return _LONG_DATES[date] + join + _LONG_TIMES[time]
    return _LONG_DATES[date] if date else _LONG_TIMES[time]


def format_time(time: datetime, pattern: str, where: str) -> str:
    """The text of an aware time.

    Raises:
        HostCallError: a letter of the pattern is no token, or one that date-fns protects.
    """
    return "".join(
        piece.text if not piece.letters else _written(time, piece.letters, pattern, where)
        for piece in _pieces(pattern)
    )


def _written(time: datetime, letters: str, pattern: str, where: str) -> str:
    if letters in _PROTECTED or letters[0] in "YD":
        meant = letters.replace("Y", "y").replace("D", "d")
        raise HostCallError(
            f"{where}: Use `{meant}` instead of `{letters}` (in `{pattern}`) for formatting "
            f"{'years' if letters[0] == 'Y' else 'days of the month'}",
            name="RangeError",
        )
    writer = _WRITERS.get(letters[0])
    if writer is None:
        raise HostCallError(
            f"{where}: Format string contains an unescaped latin alphabet character `{letters[0]}`",
            name="RangeError",
        )
    return writer(time, letters)


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    tens, ones = number % 100 // 10, number % 10
    return f"{number}{'th' if tens == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th')}"


def _number(value: int, letters: str) -> str:
    if letters[-1] == "o":
        return ordinal(value)
    sign = "-" if value < 0 else ""
    return sign + str(abs(value)).zfill(len(letters))


def _year(value: int, letters: str) -> str:
    return f"{value % 100:02d}" if letters in ("yy", "YY") else _number(value, letters)


def _named(value: int, names: list[str], letters: str, number: int) -> str:
    """Three letters abbreviate, four write out, five are narrow."""
    match len(letters):
        case 3:
            return names[value][:3]
        case 4:
            return names[value]
        case 5:
            return names[value][0]
        case _:
            return _number(number, letters) if len(letters) < 3 else names[value]  # noqa: PLR2004


def _weekday(time: datetime, letters: str) -> str:
    day, name = time.weekday(), letters[0]
    sunday_first = (day + 1) % 7 + 1
    iso = day + 1
    if name in "eci" and (len(letters) < 3 or letters[-1] == "o"):  # noqa: PLR2004  (numbers up to two letters)
        return _number(iso if name == "i" else sunday_first, letters)
    if len(letters) == 6:  # noqa: PLR2004
        return DAYS[day][:2]
    return DAYS[day][:3] if len(letters) < 4 else DAYS[day] if len(letters) == 4 else DAYS[day][0]  # noqa: PLR2004


def _quarter(time: datetime, letters: str) -> str:
    quarter = (time.month - 1) // 3 + 1
    if letters[-1] == "o" or len(letters) < 3:  # noqa: PLR2004
        return _number(quarter, letters)
    long = f"{ordinal(quarter)} quarter"
    return f"Q{quarter}" if len(letters) == 3 else str(quarter) if len(letters) == 5 else long  # noqa: PLR2004


def _period(letters: str, short: str, dotted: str, narrow: str) -> str:
    """Half a day: `AM`, and with three letters `am`, four `a.m.`, five `a`."""
    match len(letters):
        case 3:
            return short.lower()
        case 4:
            return dotted
        case 5:
            return narrow
        case _:
            return short


def _half_day(time: datetime, letters: str) -> str:
    half = "p" if time.hour >= 12 else "a"  # noqa: PLR2004
    return _period(letters, f"{half}m".upper(), f"{half}.m.", half)


def _noon(time: datetime, letters: str) -> str:
    # date-fns looks at the hour alone
    name = {0: "midnight", 12: "noon"}.get(time.hour)
    if name is None:
        return _half_day(time, letters)
    return {"midnight": "mi", "noon": "n"}[name] if len(letters) == 5 else name  # noqa: PLR2004


def _day_part(time: datetime, letters: str) -> str:
    del letters
    hour = time.hour
    if hour >= 17:  # noqa: PLR2004
        return "in the evening"
    if hour >= 12:  # noqa: PLR2004
        return "in the afternoon"
    return "in the morning" if hour >= 4 else "at night"  # noqa: PLR2004


def _fraction(time: datetime, letters: str) -> str:
    return f"{time.microsecond // 1000:03d}".ljust(len(letters), "0")[: len(letters)]


def _offset(time: datetime, letters: str) -> str:
    """`x` and `X`: one letter drops zero minutes, even lengths have no colon."""
    offset, zulu = offset_of(time), letters[0] == "X"
    if len(letters) == 1:
        short = offset_text(offset, colon="", zulu=zulu)
        return short.removesuffix("00") if len(short) == 5 else short  # noqa: PLR2004
    return offset_text(offset, colon="" if len(letters) % 2 == 0 else ":", zulu=zulu)


def _gmt(time: datetime, letters: str) -> str:
    """`O` is `GMT+1`, `OOOO` is `GMT+01:00`."""
    text = offset_text(offset_of(time))
    if len(letters) > 3:  # noqa: PLR2004
        return f"GMT{text}"
    hours, minutes = text[1:3].lstrip("0") or "0", text[3:]
    return f"GMT{text[0]}{hours}{'' if minutes == ':00' else minutes}"


def _zone_name(time: datetime, letters: str) -> str:
    """`z` is tzdata's abbreviation, or as `O` where the zone has none."""
    name = time.tzname() or ""
    if len(letters) > 3 or not name.isalpha():  # noqa: PLR2004
        return _gmt(time, "O" * len(letters))
    return name


def _epoch(time: datetime, letters: str) -> str:
    whole = (time - _EPOCH) // timedelta(milliseconds=1)
    return _number(whole if letters[0] == "T" else whole // 1000, letters)


def _week(time: datetime) -> int:
    """The week of English calendars: from Sunday, the first is the one with the first of January."""
    first = time.replace(month=1, day=1)
    if time.month == 12 and time.day + 6 - (time.weekday() + 1) % 7 > 31:  # noqa: PLR2004
        return 1
    return (time.timetuple().tm_yday - 1 + (first.weekday() + 1) % 7) // 7 + 1


def _era(_time: datetime, letters: str) -> str:
    return {4: "Anno Domini", 5: "A"}.get(len(letters), "AD")


_WRITERS: Final[Mapping[str, Callable[[datetime, str], str]]] = {
    "G": _era,
    "y": lambda time, letters: _year(time.year, letters),
    "u": lambda time, letters: _number(time.year, letters),
    "R": lambda time, letters: _number(time.isocalendar().year, letters),
    "Q": _quarter,
    "q": _quarter,
    "M": lambda time, letters: _named(time.month - 1, MONTHS, letters, time.month),
    "L": lambda time, letters: _named(time.month - 1, MONTHS, letters, time.month),
    "w": lambda time, letters: _number(_week(time), letters),
    "I": lambda time, letters: _number(time.isocalendar().week, letters),
    "d": lambda time, letters: _number(time.day, letters),
    "E": _weekday,
    "e": _weekday,
    "c": _weekday,
    "i": _weekday,
    "a": _half_day,
    "b": _noon,
    "B": _day_part,
    "h": lambda time, letters: _number(time.hour % 12 or 12, letters),
    "H": lambda time, letters: _number(time.hour, letters),
    "K": lambda time, letters: _number(time.hour % 12, letters),
    "k": lambda time, letters: _number(time.hour or 24, letters),
    "m": lambda time, letters: _number(time.minute, letters),
    "s": lambda time, letters: _number(time.second, letters),
    "S": _fraction,
    "X": _offset,
    "x": _offset,
    "O": _gmt,
    "z": _zone_name,
    "t": _epoch,
    "T": _epoch,
}

# --- reading

_MONTH_NAMES: Final = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_DAY_NAMES: Final = "|".join(f"{name}|{name[:3]}" for name in DAYS)
# token to (field, expression): what a pattern can be read with
_READERS: Final[Mapping[str, tuple[str, str]]] = {
    "y": ("year", r"\d{1,4}"),
    "yyyy": ("year", r"\d{4}"),
    "yy": ("short_year", r"\d{2}"),
    "M": ("month", r"\d{1,2}"),
    "MM": ("month", r"\d{2}"),
    **dict.fromkeys(("MMM", "MMMM", "LLL", "LLLL"), ("month_name", f"(?:{_MONTH_NAMES})")),
    "d": ("day", r"\d{1,2}"),
    "dd": ("day", r"\d{2}"),
    "do": ("ordinal", r"\d{1,2}(?:st|nd|rd|th)"),
    **dict.fromkeys(("E", "EE", "EEE", "EEEE"), ("weekday", f"(?:{_DAY_NAMES})")),
    "H": ("hour", r"\d{1,2}"),
    "HH": ("hour", r"\d{2}"),
    "h": ("hour12", r"\d{1,2}"),
    "hh": ("hour12", r"\d{2}"),
    "m": ("minute", r"\d{1,2}"),
    "mm": ("minute", r"\d{2}"),
    "s": ("second", r"\d{1,2}"),
    "ss": ("second", r"\d{2}"),
    **dict.fromkeys(("S", "SS", "SSS"), ("fraction", r"\d{1,9}")),
    **dict.fromkeys(("a", "aa", "aaa", "aaaa"), ("half", r"(?:[ap]\.?m\.?)")),
    **dict.fromkeys(("x", "xx", "xxx", "X", "XX", "XXX"), ("offset", r"(?:z|[+-]\d{2}(?::?\d{2})?)")),
}
_PIVOT: Final = 69
"""Two digits from here on are of the 20th century, as POSIX reads them."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A pattern ready to read texts with."""

    pattern: str
    expression: re.Pattern[str]

    def read(self, text: str) -> datetime | None:
        """The time of a text, aware when it has an offset; None when the text does not fit or is no date."""
        found = self.expression.fullmatch(text)
        if found is None:
            return None
        try:
            return _built(found.groupdict())
        except (ValueError, OverflowError):
            return None


@lru_cache(maxsize=256)
def reader(pattern: str, where: str) -> Reader:
    """A pattern as an expression.

    Raises:
        HostCallError: a token of it cannot be read, stands twice, or it has no year, month and day.
    """
    parts: list[str] = []
    fields: set[str] = set()
    for piece in _pieces(pattern):
        if not piece.letters:
            parts.append(re.escape(piece.text))
            continue
        field, expression = _READERS.get(piece.letters, ("", ""))
        if not field or field in fields:
            fault = (
                f"the token `{piece.letters}` twice"
                if field
                else f"`{piece.letters}`, which is not read here"
            )
            raise HostCallError(f"{where}: the format {quoted(pattern)} has {fault}")
        fields.add(field)
        parts.append(f"(?P<{field}>{expression})")
    if not (
        fields & {"year", "short_year"} and fields & {"month", "month_name"} and fields & {"day", "ordinal"}
    ):
        raise HostCallError(
            f"{where}: the format {quoted(pattern)} needs a year, a month and a day, such as yyyy-MM-dd"
        )
    return Reader(pattern, re.compile("".join(parts), re.ASCII | re.IGNORECASE))


def _built(fields: Mapping[str, str | None]) -> datetime:
    """The time of a match's fields.

    Raises:
        ValueError: there is no such date or time.
    """
    part: Callable[[str], str] = lambda name: fields.get(name) or "0"  # noqa: E731  (one line, used nine times)
    year = int(part("year")) if fields.get("year") else full_year(int(part("short_year")))
    name = fields.get("month_name")
    month = int(part("month")) if name is None else [each[:3] for each in MONTHS].index(name[:3].title()) + 1
    day = int(part("ordinal")[:-2]) if fields.get("ordinal") else int(part("day"))
    wall = datetime(  # noqa: DTZ001  (a wall clock has no zone)
        year,
        month,
        day,
        _hour(fields),
        int(part("minute")),
        int(part("second")),
        int(part("fraction").ljust(3, "0")[:3]) * 1000,
    )
    weekday = fields.get("weekday")
    if weekday is not None and DAYS[wall.weekday()][:3] != weekday[:3].title():
        raise ValueError("another day of the week")
    offset = fields.get("offset")
    return wall if offset is None else wall.replace(tzinfo=_fixed(offset))


def _hour(fields: Mapping[str, str | None]) -> int:
    half, short = fields.get("half"), fields.get("hour12")
    if short is None:
        return int(fields.get("hour") or 0)
    if not 1 <= int(short) <= 12:  # noqa: PLR2004
        raise ValueError("an hour past twelve")
    return int(short) % 12 + (12 if half is not None and half[0] in "pP" else 0)


def _fixed(offset: str) -> timezone:
    if offset in "zZ":
        return UTC
    minutes = int(offset[1:3]) * 60 + int(offset[3:].lstrip(":") or 0)
    return timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes))


def full_year(short: int) -> int:
    """The year of two digits; a fixed window, so that a text means the same next year."""
    return short + (1900 if short >= _PIVOT else 2000)
