"""dates/zones against what date-fns-tz and rrule answered; every difference is listed with its reason."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from host_calls import call_export
from nodetool_sandbox_host.arguments import iso_text
from nodetool_sandbox_registry.hosts import HostCallError

RECORDED = cast(
    "dict[str, list[list[object]]]",
    json.loads((Path(__file__).parent / "recorded" / "dates.json").read_text(encoding="utf-8")),
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

GAP = "a skipped time has the offset before the gap (RFC 5545, 3.3.5); date-fns-tz takes the one after"
TWICE = "of a time that comes twice the first is meant (RFC 5545, 3.3.5); date-fns-tz takes the second"
OWN_OFFSET = "a text with an offset is that instant; date-fns-tz reads its digits as wall time"
NEAR_A_TRANSITION = "date-fns-tz is an hour off beside a transition"
UNKNOWN = "an unknown zone is an error; date-fns-tz gives NaN"
TIMESTAMP = "t and T are the instant's; date-fns-tz moves it by the zone's offset"
PROTECTED = "YYYY and DD have no opt-in here, and errors have this pack's prefix"
LONG_NAME = "zzzz is GMT+01:00; the long names are CLDR's, which are not here"
EMPTY = "an empty pattern has an empty text; date-fns-tz throws a TypeError"
LINE_END = "a line end in a pattern is written; date-fns-tz drops it"
NO_RULE = "DTSTART is the first date when there is no RRULE (RFC 5545, 3.8.5.3)"

BERLIN_MARCH, BERLIN_OCTOBER = "2024-03-31T02:30:00", "2024-10-27T02:30:00"
WALL_DIFFERENCES = {
    (BERLIN_MARCH, "Europe/Berlin"): GAP,
    ("2024-03-10T02:15:00", "America/New_York"): GAP,
    ("2024-03-10T02:15:00", "Africa/Casablanca"): TWICE,
    ("2024-03-10T02:15:00", "America/St_Johns"): GAP,
    ("2011-12-30T10:00:00", "Pacific/Apia"): GAP,
    (BERLIN_OCTOBER, "Europe/Berlin"): TWICE,
}
PATTERN_DIFFERENCES = {
    "t tt T TT": TIMESTAMP,
    "zzzz": LONG_NAME,
    "": EMPTY,
    "dd\nMM": LINE_END,
}


def answered(name: str, *args: object) -> object:
    """Our answer, as the recording writes it."""
    try:
        value = call_export(f"dates.{name}", *args)
    except HostCallError as refused:
        return {"$error": refused.name}
    if isinstance(value, list):
        return [{"$date": iso_text(each)} for each in value]
    return {"$date": iso_text(value)} if isinstance(value, datetime) else value


def test_every_recorded_wall_time_is_the_same_instant_or_a_listed_difference() -> None:
    for wall, zone, theirs in RECORDED["fromZonedTime"]:
        differs = answered("fromZonedTime", wall, zone) != theirs
        own_offset = OWN_OFFSET if str(wall).endswith(("Z", "+02:00")) and zone not in ("UTC", "Z") else None
        reason = WALL_DIFFERENCES.get((str(wall), str(zone)), own_offset)
        assert differs == (reason is not None), (wall, zone, reason)


def test_every_recorded_offset_is_the_same_or_a_listed_difference() -> None:
    seen: set[tuple[object, str]] = set()
    for zone, at, theirs in RECORDED["getTimezoneOffset"]:
        ours = answered("getTimezoneOffset", zone, at)
        if zone == "Mars/Phobos":
            assert ours == {"$error": "Error"}, UNKNOWN
        elif ours != theirs:
            seen.add((zone, iso_text(EPOCH + timedelta(milliseconds=cast("int", at)))))
    assert seen == {
        ("Europe/Berlin", "2024-03-31T01:00:00.000Z"),
        ("America/New_York", "2024-11-03T05:59:00.000Z"),
        ("Europe/Berlin", "2024-10-27T01:30:00.000Z"),
    }, NEAR_A_TRANSITION


def test_every_recorded_pattern_is_written_the_same_or_a_listed_difference() -> None:
    differing = set()
    for at, zone, pattern, theirs in RECORDED["formatInTimeZone"]:
        if (
            answered("formatInTimeZone", EPOCH + timedelta(milliseconds=cast("int", at)), zone, pattern)
            != theirs
        ):
            differing.add(str(pattern))
    assert differing == set(PATTERN_DIFFERENCES)


@pytest.mark.parametrize("case", RECORDED["occurrences"], ids=lambda case: repr(case[0]))
def test_every_recorded_rule_gives_the_same_dates(case: list[object]) -> None:
    text, theirs = case
    ours = answered("occurrences", text)
    if "RRULE" in str(text):
        assert ours == theirs
    else:
        assert ours == [{"$date": "2024-01-01T09:30:00.000Z"}, *cast("list[object]", theirs)], NO_RULE
