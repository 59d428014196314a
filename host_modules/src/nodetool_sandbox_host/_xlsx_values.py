"""What a number of a sheet is: a number, or by its format a date, a time of day or a duration."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Final

from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel

from nodetool_sandbox_host._xlsx_book import DURATION
from nodetool_sandbox_host.arguments import iso_text

_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,6})?", re.ASCII)
_SAFE_DIGITS: Final = 15
_MAX_NUMBER_UNITS: Final = 1_000
_DAY_MS: Final = 86_400_000
_LAST_SERIAL: Final = 2_958_466  # 10000-01-01
_YEARS_1904: Final = 1_462
"""Days from the 1900 system's first to the 1904 system's."""

Value = str | int | float | bool | datetime | None


def number_of(text: str) -> int | float | None:
    """The number that a cell's text stands for, integral where JavaScript has it exactly; None of no number."""
    if text.isdecimal() and text.isascii() and len(text) <= _SAFE_DIGITS:
        return int(text)  # most numbers, at half the price
    text = text.strip(" \t\r\n")
    if len(text) > _MAX_NUMBER_UNITS or _NUMBER.fullmatch(text) is None:
        return None
    number = float(text)
    if number.is_integer() and abs(number) <= MAX_SAFE_INTEGER:
        return int(number)
    return number


def moment_of(serial: float, kind: int, *, date1904: bool, dates: str) -> Value:
    """A serial number as its format shows it: ISO text or a date, `12:45:00`, or `37:30:00` for a duration.

    What lies outside of the calendar (before the first day, after 9999) stays a number.
    """
    if dates == "serial" or not math.isfinite(serial):
        return serial
    last = _LAST_SERIAL - (_YEARS_1904 if date1904 else 0)
    if kind == DURATION:
        return _clock(round(serial * _DAY_MS)) if abs(serial) < last else serial
    if not 0 <= serial < last:
        return serial
    if serial < 1:
        ms = round(serial * _DAY_MS)
        if ms < _DAY_MS:
            return _clock(ms)
    found = from_excel(serial, MAC_EPOCH if date1904 else WINDOWS_EPOCH)
    if not isinstance(found, datetime):
        return serial
    moment = found.replace(tzinfo=UTC)
    return moment if dates == "date" else iso_text(moment)


def _clock(ms: int) -> str:
    sign = "-" if ms < 0 else ""
    seconds, ms = divmod(abs(ms), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours:02d}:{minutes:02d}:{seconds:02d}" + (f".{ms:03d}" if ms else "")


def iso_cell(text: str, *, dates: str) -> Value:
    """A cell of the type `d`, whose text is ISO 8601 already; other text stays as it is."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return text
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    moment -= timedelta(microseconds=moment.microsecond % 1000)
    return moment if dates == "date" else iso_text(moment)
