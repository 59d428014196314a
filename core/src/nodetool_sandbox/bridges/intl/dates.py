"""Intl.DateTimeFormat: a moment as a locale writes it, in a time zone, by the Gregorian calendar."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

from babel.dates import DateTimeFormat as BabelFormat

from nodetool_sandbox.bridges.intl.digits import in_digits
from nodetool_sandbox.bridges.intl.numbers import numbering_system
from nodetool_sandbox.bridges.intl.options import (
    Options,
    Part,
    flag,
    integer,
    optional_choice,
    range_error,
    text,
)
from nodetool_sandbox.bridges.intl.patterns import (
    Token,
    best_pattern,
    kind,
    tokens_of,
    with_hours,
)
from nodetool_sandbox.bridges.intl.tags import Chosen, choose
from nodetool_sandbox.bridges.intl.zones import zone_of
from nodetool_sandbox.bridges.power import BridgeError

MAX_DATE_MS: Final = 8.64e15
_STYLES: Final = ("full", "long", "medium", "short")
_TEXTS: Final = {"narrow": 5, "short": 3, "long": 4}
_NUMBERS: Final = {"numeric": 1, "2-digit": 2}
_CYCLES: Final = {"h11": "K", "h12": "h", "h23": "H", "h24": "k"}
_CYCLE_OF: Final = {letter: name for name, letter in _CYCLES.items()}
_ZONE_NAMES: Final = {
    "short": ("z", 1),
    "long": ("z", 4),
    "shortOffset": ("O", 1),
    "longOffset": ("O", 4),
    "shortGeneric": ("v", 1),
    "longGeneric": ("v", 4),
}
_PARTS: Final = {
    "G": "era",
    "y": "year",
    "M": "month",
    "d": "day",
    "E": "weekday",
    "a": "dayPeriod",
    "B": "dayPeriod",
    "h": "hour",
    "H": "hour",
    "m": "minute",
    "s": "second",
    "S": "fractionalSecond",
    "z": "timeZoneName",
}
_DATE_OPTIONS: Final = ("weekday", "era", "year", "month", "day")
_TIME_OPTIONS: Final = ("dayPeriod", "hour", "minute", "second", "fractionalSecondDigits")

_OFFSET: Final = re.compile(r"[+-][0-9]{4}", re.ASCII)
"""What Babel says where a zone has no short name in a locale."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
"""The calendar repeats after so many years and days; 20,871 weeks, so weekdays repeat too."""
_FIRST_DAY: Final = -(1970 - 400) * 365
_LONG_MONTH: Final = 4
_SECONDS_OF_WORD: Final = 3


@dataclass(frozen=True, slots=True)
class DateTimeFormat:
    """One look of a moment, made by `date_time_format`."""

    chosen: Chosen
    system: str
    zone_name: str
    zone: tzinfo
    tokens: tuple[Token, ...]
    shown: tuple[tuple[str, object], ...]
    """The options that `resolvedOptions` tells."""

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        return {
            "locale": self.chosen.tag,
            "calendar": "gregory",
            "numberingSystem": self.system,
            "timeZone": self.zone_name,
            **dict(self.shown),
        }

    def parts(self, value: object) -> list[Part]:
        """The parts of a moment, which is milliseconds since 1970.

        Raises:
            BridgeError: it is no moment that a Date can hold.
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BridgeError("a number of milliseconds is expected", name="TypeError")
        if not math.isfinite(value) or abs(value) > MAX_DATE_MS:
            raise range_error("Invalid time value")
        moment, cycles = _moment(math.floor(value), self.zone)
        fields = BabelFormat(moment, self.chosen.locale)
        parts: list[Part] = []
        for name, found in self.tokens:
            part = ("literal", str(found)) if name == "chars" else self._field(fields, moment, cycles, *found)
            if parts and part[0] == "literal" and parts[-1][0] == "literal":
                parts[-1] = ("literal", parts[-1][1] + part[1])
            else:
                parts.append(part)
        return parts

    def _field(self, fields: BabelFormat, moment: datetime, cycles: int, letter: str, width: int) -> Part:
        year = moment.year + cycles * _CYCLE_YEARS
        if kind(letter) == "y":
            said = year if year > 0 else 1 - year
            text_ = f"{said % 100:02d}" if width == 2 else f"{said:0{width}d}"  # noqa: PLR2004 - two digits
            return "year", in_digits(text_, self.system)
        if letter == "G":
            names: Any = self.chosen.locale.eras[{4: "wide", 5: "narrow"}.get(width, "abbreviated")]
            return "era", names[1 if year > 0 else 0]
        if letter == "S":
            return "fractionalSecond", in_digits(f"{moment.microsecond // 1000:03d}"[:width], self.system)
        if kind(letter) == "z":
            return "timeZoneName", self._zone_text(fields, moment, letter, width)
        try:
            found = fields[letter * width]
        except ValueError:  # a locale without names for parts of the day
            found = fields["a"]
        return _PARTS.get(kind(letter), "literal"), in_digits(found, self.system)

    def _zone_text(self, fields: BabelFormat, moment: datetime, letter: str, width: int) -> str:
        is_long = width == _LONG_MONTH
        if letter != "O":
            if self.zone_name == "UTC":
                return str(fields["zzzz"]) if is_long else "UTC"
            found = str(fields[letter * width])
            if not _OFFSET.fullmatch(found):
                return found
        minutes = round((moment.utcoffset() or timedelta()).total_seconds() / 60)
        symbols: Any = self.chosen.locale.number_symbols
        sign = "+" if minutes >= 0 else symbols["latn"]["minusSign"]
        hours, rest = divmod(abs(minutes), 60)
        text_ = f"{hours:02d}:{rest:02d}" if is_long else f"{hours}:{rest:02d}" if rest else str(hours)
        template = str(self.chosen.locale.zone_formats["gmt"])
        return in_digits(template % (sign + text_ if minutes or is_long else ""), self.system)


def _moment(ms: int, zone: tzinfo) -> tuple[datetime, int]:
    """A moment in a zone, moved into the years that Python has by whole cycles of the calendar, and how many."""
    days, rest = divmod(ms, 86_400_000)
    cycles = 0
    if not _FIRST_DAY < days < -_FIRST_DAY:
        cycles = (days - _FIRST_DAY) // _CYCLE_DAYS if days < 0 else days // _CYCLE_DAYS
        days -= cycles * _CYCLE_DAYS
    moment = _EPOCH + timedelta(days=days, milliseconds=rest)
    return moment.astimezone(zone), cycles


def date_time_format(tags: object, options: Options) -> DateTimeFormat:
    """The look that a program asks for. `defaults` says what is shown where no field is named.

    Raises:
        BridgeError: a locale or an option is none.
    """
    chosen = choose(tags)
    system = numbering_system(options, chosen)
    zone_name, zone = zone_of(text(options, "timeZone"))
    date_style = optional_choice(options, "dateStyle", _STYLES)
    time_style = optional_choice(options, "timeStyle", _STYLES)
    hours = _hours(options, chosen)
    wanted = _wanted(options)
    if date_style or time_style:
        if wanted or options.get("timeZoneName") is not None:
            raise BridgeError("Can't set option when dateStyle or timeStyle is used", name="TypeError")
        tokens = _styled(chosen, date_style, time_style, hours)
        shown: dict[str, object] = {"dateStyle": date_style, "timeStyle": time_style}
        if time_style:
            shown = _cycle(hours) | shown
    else:
        if not any(
            name in wanted for name in (*_DATE_OPTIONS, *_TIME_OPTIONS) if name != "era"
        ) or not _has_needed(options, wanted):
            wanted = _defaults(options) | wanted
        tokens = _matched(chosen, system, wanted, hours, _zone_field(options))
        shown = (_cycle(hours) if "hour" in wanted else {}) | _told(options, wanted)
    return DateTimeFormat(
        chosen=chosen,
        system=system,
        zone_name=zone_name,
        zone=zone,
        tokens=tokens,
        shown=tuple((name, value) for name, value in shown.items() if value is not None),
    )


def _wanted(options: Options) -> dict[str, int]:
    """The fields that options name, each with its width."""
    wanted: dict[str, int] = {}
    texts = ("narrow", "short", "long")
    for name in ("weekday", "era"):
        if found := optional_choice(options, name, texts):
            wanted[name] = _TEXTS[found]
    for name in ("year", "day"):
        if found := optional_choice(options, name, tuple(_NUMBERS)):
            wanted[name] = _NUMBERS[found]
    if found := optional_choice(options, "month", (*_NUMBERS, *texts)):
        wanted["month"] = (_NUMBERS | _TEXTS)[found]
    if found := optional_choice(options, "dayPeriod", texts):
        wanted["dayPeriod"] = {"narrow": 5, "short": 1, "long": 4}[found]
    for name in ("hour", "minute", "second"):
        if found := optional_choice(options, name, tuple(_NUMBERS)):
            wanted[name] = _NUMBERS[found]
    if digits := integer(options, "fractionalSecondDigits", 1, 3):
        wanted["fractionalSecondDigits"] = digits
    return wanted


def _defaults(options: Options) -> dict[str, int]:
    date = {"year": 1, "month": 1, "day": 1}
    time = {"hour": 1, "minute": 1, "second": 1}
    match options.get("defaults"):
        case "all":
            return date | time
        case "time":
            return time
        case _:
            return date


def _has_needed(options: Options, wanted: dict[str, int]) -> bool:
    """Whether what is named is what `toLocaleDateString` or `toLocaleTimeString` is about."""
    match options.get("required"):
        case "date":
            return any(name in wanted for name in _DATE_OPTIONS if name != "era")
        case "time":
            return any(name in wanted for name in _TIME_OPTIONS)
        case _:
            return True


def _told(options: Options, wanted: dict[str, int]) -> dict[str, object]:
    defaults = {"year": "numeric", "month": "numeric", "day": "numeric", "hour": "numeric"}
    told: dict[str, object] = {}
    for name in (*_DATE_OPTIONS, *_TIME_OPTIONS):
        if name in wanted:
            told[name] = options.get(name) or defaults.get(name, "2-digit")
    if "hour" in wanted:
        told |= {name: "2-digit" for name in ("minute", "second") if name in wanted}
    told["timeZoneName"] = options.get("timeZoneName")
    return told


def _hours(options: Options, chosen: Chosen) -> str:
    """The letter of the hours: h or K for twelve, H or k for twenty-four."""
    short = str(chosen.locale.time_formats["short"].pattern)
    usual = next(
        (value[0] for name, value in tokens_of(short) if name == "field" and value[0] in "hHkK"), "H"
    )
    asked = flag(options, "hour12")
    if asked is not None:
        if asked:
            return "K" if usual == "K" else "h"
        return "H"
    cycle = optional_choice(options, "hourCycle", tuple(_CYCLES)) or chosen.keywords.get("hc")
    return _CYCLES.get(cycle or "", usual)


def _cycle(hours: str) -> dict[str, object]:
    return {"hourCycle": _CYCLE_OF[hours], "hour12": hours in "hK"}


def _zone_field(options: Options) -> tuple[str, int] | None:
    found = optional_choice(options, "timeZoneName", tuple(_ZONE_NAMES))
    return _ZONE_NAMES[found] if found else None


def _styled(chosen: Chosen, date_style: str | None, time_style: str | None, hours: str) -> tuple[Token, ...]:
    locale = chosen.locale
    date = tokens_of(str(locale.date_formats[date_style].pattern)) if date_style else ()
    time: tuple[Token, ...] = ()
    if time_style:
        time = tokens_of(str(locale.time_formats[time_style].pattern))
        usual = next((value[0] for name, value in time if name == "field" and value[0] in "hHkK"), hours)
        if (usual in "hK") != (hours in "hK"):
            wanted = {
                kind(value[0]): value[1] for name, value in time if name == "field" and value[0] in "ms"
            }
            zone = next((value for name, value in time if name == "field" and kind(value[0]) == "z"), None)
            time = _time(chosen, {"h" if hours in "hK" else "H": 1} | wanted, zone)
        time = with_hours(time, hours)
    if not date or not time:
        return date or time
    return _glued(chosen, date, time, date_style or "medium")


def _matched(
    chosen: Chosen, system: str, wanted: dict[str, int], hours: str, zone: tuple[str, int] | None
) -> tuple[Token, ...]:
    letters = {"weekday": "E", "era": "G", "year": "y", "month": "M", "day": "d"}
    dates = {letters[name]: width for name, width in wanted.items() if name in letters}
    times: dict[str, int] = {}
    if "hour" in wanted:
        times["h" if hours in "hK" else "H"] = wanted["hour"]
        if hours in "hK" and "dayPeriod" in wanted:
            times["B"] = wanted["dayPeriod"]
    elif "dayPeriod" in wanted:
        times["B"] = wanted["dayPeriod"]
    if "minute" in wanted:
        times["m"] = wanted["minute"]
    if "second" in wanted:
        times["s"] = wanted["second"]
    date = best_pattern(chosen.locale, dates) if dates else ()
    time = with_hours(_time(chosen, times, None), hours) if times else ()
    if "fractionalSecondDigits" in wanted:
        time = _with_fraction(chosen, system, time, wanted["fractionalSecondDigits"])
    if zone is not None:
        if time:
            time = (*time, ("chars", " "), ("field", zone))
        else:
            date = (*date, ("chars", ", "), ("field", zone))
    if not date or not time:
        return date or time
    return _glued(chosen, date, time, _style_of(dates))


def _style_of(dates: dict[str, int]) -> str:
    month = dates.get("M", 0)
    if month == _LONG_MONTH:
        return "full" if "E" in dates else "long"
    return "medium" if month >= _SECONDS_OF_WORD else "short"


def _time(chosen: Chosen, times: dict[str, int], zone: tuple[str, int] | None) -> tuple[Token, ...]:
    # in a pattern with hours, minutes and seconds have two digits whatever is asked
    asked = {letter: 1 if letter in "ms" else width for letter, width in times.items()}
    tokens = best_pattern(chosen.locale, asked)
    return (*tokens, ("chars", " "), ("field", zone)) if zone else tokens


def _with_fraction(chosen: Chosen, system: str, time: tuple[Token, ...], digits: int) -> tuple[Token, ...]:
    found: list[Token] = []
    symbols: Any = chosen.locale.number_symbols
    point = (symbols.get(system) or symbols["latn"]).get("decimal", ".")
    is_placed = False
    for name, value in time:
        found.append((name, value))
        if name == "field" and value[0] == "s":
            found += [("chars", point), ("field", ("S", digits))]
            is_placed = True
    return tuple(found) if is_placed else (*found, ("field", ("S", digits)))


def _glued(chosen: Chosen, date: tuple[Token, ...], time: tuple[Token, ...], style: str) -> tuple[Token, ...]:
    locale = chosen.locale
    at: Any = locale._data.get("datetime_formats_relative") or {}  # noqa: SLF001 - Babel has no public way
    pattern = str((at.get(style) if style in {"full", "long"} else None) or locale.datetime_formats[style])
    tokens: list[Token] = []
    for piece in pattern.replace("{1}", "\0{1}\0").replace("{0}", "\0{0}\0").split("\0"):
        if piece == "{1}":
            tokens += date
        elif piece == "{0}":
            tokens += time
        elif piece:
            tokens.append(("chars", piece.replace("'", "")))
    return tuple(tokens)
