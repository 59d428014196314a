"""Time zones by name. A name is looked up in the list of those that there are; it never becomes a path before that."""

from __future__ import annotations

import re
from datetime import UTC, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from nodetool_sandbox.bridges.intl.options import range_error, shown

_OFFSET: Final = re.compile(r"([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?", re.ASCII)
_MAX_NAME: Final = 64
_UTC_NAMES: Final = frozenset(
    {"utc", "etc/utc", "etc/gmt", "gmt", "etc/uct", "etc/zulu", "universal", "zulu"}
)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() if name not in {"localtime", "posixrules"}}


def zone_of(name: str | None) -> tuple[str, tzinfo]:
    """A time zone and its name; UTC where none is asked for.

    Raises:
        BridgeError: there is none of that name.
    """
    if name is None or name.lower() in _UTC_NAMES:
        return "UTC", UTC
    found = _OFFSET.fullmatch(name)
    if found is not None:
        minutes = int(found[2]) * 60 + int(found[3] or 0)
        sign = -1 if found[1] == "-" and minutes else 1
        offset = timedelta(minutes=sign * minutes)
        return f"{'-' if sign < 0 else '+'}{found[2]}:{found[3] or '00'}", timezone(offset)
    known = _names().get(name.lower()) if len(name) <= _MAX_NAME else None
    if known is None:
        raise range_error(f"Invalid time zone specified: {shown(name)}")
    return known, ZoneInfo(known)
