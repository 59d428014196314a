"""dates/zones: zones, free text, columns, rules and moves, with every cap and refusal."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251  (another process, because TZ is read once)
import sys
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
from host_calls import Call, Over, Unhurried, call_export
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import _dates_rules
from nodetool_sandbox_host._dates_zones import zone_names
from nodetool_sandbox_host.arguments import iso_text
from nodetool_sandbox_host.dates import MODULE
from nodetool_sandbox_host.limits import (
    DATES_MAX_BY_VALUES,
    DATES_MAX_COLUMN_VALUES,
    DATES_MAX_FORMATS,
    DATES_MAX_OCCURRENCES,
    DATES_MAX_RULE_DATES,
    DATES_MAX_RULE_STEPS,
    DATES_MAX_RULE_UNITS,
    DATES_MAX_RULES,
    DATES_MAX_TEXT_UNITS,
    DATES_MAX_WINDOW_YEARS,
)
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate

BERLIN = "Europe/Berlin"


def utc(*parts: int) -> datetime:
    year, month, day, *rest = parts
    return datetime(year, month, day, *rest, tzinfo=UTC)  # type: ignore[arg-type, misc]


def refusal(where: str, *args: object) -> str:
    with pytest.raises(HostCallError) as refused:
        call_export(where, *args)
    assert refused.value.message.startswith(f"{where}: ")
    return refused.value.message.removeprefix(f"{where}: ")


def days(dates: object) -> list[str]:
    return [iso_text(each) for each in cast("list[datetime]", dates)]


# --- zones


@pytest.mark.parametrize(
    ("wall", "ambiguous", "instant"),
    [
        ("2024-03-31T02:30:00", None, utc(2024, 3, 31, 1, 30)),
        ("2024-03-31T02:30", "later", utc(2024, 3, 31, 1, 30)),
        ("2024-03-31 02:30", "earlier", utc(2024, 3, 31, 0, 30)),
        ("2024-10-27T02:30:00", None, utc(2024, 10, 27, 0, 30)),
        ("2024-10-27T02:30:00", "earlier", utc(2024, 10, 27, 0, 30)),
        ("2024-10-27T02:30:00", "later", utc(2024, 10, 27, 1, 30)),
        ("2024-03-31T09:30:00", "reject", utc(2024, 3, 31, 7, 30)),
        ("2024-06-01", None, utc(2024, 5, 31, 22)),
        ("2024-06-01T24:00", None, utc(2024, 6, 1, 22)),
        ("2024-W01-1T10:00", None, utc(2024, 1, 1, 9)),
        ("2024-001T10:00:00,5", None, datetime(2024, 1, 1, 9, 0, 0, 500_000, tzinfo=UTC)),
        ("20240601T100000", None, utc(2024, 6, 1, 8)),
        ("2024-06-01T10:00:00-05:00", "reject", utc(2024, 6, 1, 15)),
    ],
)
def test_a_wall_time_in_a_zone_is_one_instant(
    call: Call, wall: str, ambiguous: str | None, instant: datetime
) -> None:
    options = UNDEFINED if ambiguous is None else {"ambiguous": ambiguous}
    assert call("dates.fromZonedTime", wall, BERLIN, options) == instant


def test_a_skipped_and_a_doubled_time_can_be_refused() -> None:
    reject = {"ambiguous": "reject"}
    skipped = refusal("dates.fromZonedTime", "2024-03-31T02:30:00", BERLIN, reject)
    assert skipped == '2024-03-31 02:30:00 is skipped in Europe/Berlin; pass ambiguous: "earlier" or "later"'
    assert "comes twice" in refusal("dates.fromZonedTime", "2024-10-27T02:30:00", BERLIN, reject)
    assert "ambiguous must be" in refusal(
        "dates.fromZonedTime", "2024-10-27T02:30", BERLIN, {"ambiguous": "first"}
    )


def test_the_fields_of_an_instant_have_luxons_names(call: Call) -> None:
    assert call("dates.toZonedTime", datetime(2024, 10, 27, 1, 30, 0, 7_000, tzinfo=UTC), BERLIN) == {
        "year": 2024,
        "month": 10,
        "day": 27,
        "hour": 2,
        "minute": 30,
        "second": 0,
        "millisecond": 7,
        "weekday": 7,
        "offsetMinutes": 60,
        "abbreviation": "CET",
        "iso": "2024-10-27T02:30:00.007+01:00",
    }
    old = cast("dict[str, object]", call("dates.toZonedTime", utc(1890, 1, 1), BERLIN))
    assert (old["offsetMinutes"], old["iso"]) == (53 + 28 / 60, "1890-01-01T00:53:28.000+00:53:28")


@given(
    at=st.integers(min_value=-(10**13), max_value=10**13),
    zone=st.sampled_from([*zone_names()[::7], "+05:30", "-0330", "Z"]),
)
def test_what_a_zones_clocks_show_leads_back_to_the_instant(at: int, zone: str) -> None:
    instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    fields = call_export("dates.toZonedTime", instant, zone)
    assert call_export("dates.fromZonedTime", fields, zone) == instant


@given(
    at=st.integers(min_value=0, max_value=4 * 10**12),
    zone=st.sampled_from(zone_names()[::5]),
    pattern=st.sampled_from(
        ["yyyy-MM-dd HH:mm:ss.SSS xxx", "EEEE, do MMMM yyyy h:mm:ss.SSS a XXX", "d/M/yy H:m:s.SSSXX"]
    ),
)
def test_a_written_date_is_read_back_by_its_pattern(at: int, zone: str, pattern: str) -> None:
    instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    text = call_export("dates.formatInTimeZone", instant, zone, pattern)
    whole = instant if instant.year < 2069 or "yyyy" in pattern else None
    read = call_export("dates.parseDate", text, {"formats": [pattern]})
    assert whole is None or read == whole


@pytest.mark.parametrize("name", ["europe/berlin", "EUROPE/BERLIN", "Europe/Berlin"])
def test_a_zones_name_is_found_in_any_case(call: Call, name: str) -> None:
    assert call("dates.getTimezoneOffset", name, utc(2024, 1, 1)) == 3_600_000


@pytest.mark.parametrize(
    "name",
    [
        "Mars/Phobos",
        "",
        "../../etc/passwd",
        "/etc/localtime",
        "Europe/Berlin\0",
        "+25:00",
        "+1",
        "CEST",
        "a" * 10**6,
    ],
)
def test_a_name_that_is_no_zone_is_refused_and_opens_no_file(name: str) -> None:
    message = refusal("dates.getTimezoneOffset", name, utc(2024, 1, 1))
    assert "is no time zone that is known; pass an IANA name such as Europe/Berlin" in message
    assert len(message) < 400


def test_every_listed_zone_has_an_offset(call: Call) -> None:
    names = cast("list[str]", call("dates.zones"))
    assert BERLIN in names
    assert names == sorted(names)
    for name in names:
        assert abs(cast("int", call("dates.getTimezoneOffset", name, 0))) <= 14 * 3_600_000


def test_an_offset_without_a_date_is_todays(call: Call) -> None:
    assert call("dates.getTimezoneOffset", "+01:30") == 5_400_000


@pytest.mark.parametrize(
    "value", [utc(2024, 1, 1), 1_704_067_200_000, "2024-01-01", "2024-01-01T01:00+01:00"]
)
def test_an_instant_is_a_date_or_milliseconds_or_iso_text(call: Call, value: object) -> None:
    assert call("dates.formatInTimeZone", value, "UTC", "yyyy-MM-dd HH:mm") == "2024-01-01 00:00"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (JSDate(float("nan")), "date is an Invalid Date"),
        (float("nan"), "date is an Invalid Date"),
        (float("inf"), "date is an Invalid Date"),
        pytest.param(BigInt(10**400), "date is an Invalid Date", id="a BigInt past every double"),
        (JSDate(8.64e15), "year out of range 1..9999"),
        (JSDate(-8.64e15), "year out of range 1..9999"),
        (
            "tomorrow",
            'date "tomorrow" is no ISO 8601 text such as 2024-03-31T02:30:00; parseDate reads other forms',
        ),
        ("2024-02-30", 'date "2024-02-30" is no ISO 8601 text'),
        ("٢٠٢٤-٠١-٠١", "is no ISO 8601 text"),
        (UNDEFINED, "date must be a Date, milliseconds since 1970 or ISO 8601 text"),
        (True, "date must be a Date"),
        ({}, "date must be a Date"),
        ("x" * (DATES_MAX_TEXT_UNITS + 1), f"text exceeds the {DATES_MAX_TEXT_UNITS} character limit"),
    ],
)
@pytest.mark.parametrize("where", ["dates.toZonedTime", "dates.formatInTimeZone", "dates.relative"])
def test_what_is_no_instant_is_refused(where: str, value: object, said: str) -> None:
    args = [value, {"days": 1}] if where == "dates.relative" else [value, "UTC", "yyyy"]
    assert said in refusal(where, *args)


def test_the_ends_of_the_calendar_are_refused_and_not_wrapped() -> None:
    assert refusal("dates.toZonedTime", utc(1, 1, 1), "-05:00") == "year out of range 1..9999"
    assert refusal("dates.toZonedTime", utc(9999, 12, 31, 23), "+05:00") == "year out of range 1..9999"
    assert refusal("dates.fromZonedTime", "0001-01-01", "+05:00") == "year out of range 1..9999"
    assert refusal("dates.relative", utc(9999, 1, 1), {"years": 1}) == "year out of range 1..9999"
    assert refusal("dates.relative", utc(2024, 1, 1), {"days": 10**9}) == "year out of range 1..9999"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "year must be a whole number from 1 to 9999"),
        ({"year": 2024, "month": 2, "day": 30}, "there is no day 30 in month 2 of 2024"),
        ({"year": 2024, "month": 13, "day": 1}, "month must be a whole number from 1 to 12"),
        ({"year": 2024, "month": 1.5, "day": 1}, "month must be a whole number"),
        ({"year": "2024", "month": 1, "day": 1}, "year must be a whole number"),
        ({"year": float("nan"), "month": 1, "day": 1}, "year must be a whole number"),
    ],
)
def test_fields_that_are_no_date_are_refused(fields: object, said: str) -> None:
    assert said in refusal("dates.fromZonedTime", fields, BERLIN)


def test_a_pattern_has_a_cap_and_must_be_text(call: Call) -> None:
    assert call("dates.formatInTimeZone", 0, "UTC", "'" + "x" * (DATES_MAX_TEXT_UNITS - 2) + "'") == "x" * 198
    assert "character limit" in refusal("dates.formatInTimeZone", 0, "UTC", "y" * (DATES_MAX_TEXT_UNITS + 1))
    assert "pattern must be a string" in refusal("dates.formatInTimeZone", 0, "UTC")


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("YYYY-MM-dd", "Use `yyyy` instead of `YYYY` (in `YYYY-MM-dd`) for formatting years"),
        ("yyyy-MM-DD", "Use `dd` instead of `DD` (in `yyyy-MM-DD`) for formatting days of the month"),
        ("yyyy n", "Format string contains an unescaped latin alphabet character `n`"),
    ],
)
def test_a_letter_that_is_no_token_is_a_range_error_in_date_fns_words(pattern: str, said: str) -> None:
    with pytest.raises(HostCallError) as refused:
        call_export("dates.formatInTimeZone", 0, "UTC", pattern)
    assert (refused.value.name, refused.value.message) == ("RangeError", f"dates.formatInTimeZone: {said}")


# --- free text


@pytest.mark.parametrize(
    ("text", "options", "instant"),
    [
        ("12.07.2022", {"dayFirst": True}, utc(2022, 7, 12)),
        ("12.07.2022", {"dayFirst": False}, utc(2022, 12, 7)),
        ("13.07.2022", {"dayFirst": True}, utc(2022, 7, 13)),
        ("13.07.2022", {}, utc(2022, 7, 13)),
        ("07.07.2022", {}, utc(2022, 7, 7)),
        ("2024-11-06", {"dayFirst": True}, utc(2024, 11, 6)),
        ("2024/11/6 10:30", {"dayFirst": True}, utc(2024, 11, 6, 10, 30)),
        ("2024-W45-3", {}, utc(2024, 11, 6)),
        ("2024-311", {}, utc(2024, 11, 6)),
        ("2024-11-05T24:00", {}, utc(2024, 11, 6)),
        ("10/11/12", {"yearFirst": True}, utc(2010, 11, 12)),
        ("10/11/12", {"dayFirst": True}, utc(2012, 11, 10)),
        ("Feb 2011", {}, utc(2011, 2, 1)),
        ("5 March 2024", {}, utc(2024, 3, 5)),
        ("March 5th, 2024 4:05 PM", {}, utc(2024, 3, 5, 16, 5)),
        ("Tue, 05 Mar 2024 16:05:00 +0200", {}, utc(2024, 3, 5, 14, 5)),
        ("Tue, 05 Mar 2024 16:05:00 EST", {}, utc(2024, 3, 5, 21, 5)),
        ("Tue, 05 Mar 2024 16:05:00 GMT", {}, utc(2024, 3, 5, 16, 5)),
        ("5 March 2024 10:00 GMT+3", {}, utc(2024, 3, 5, 7)),
        ("5 March 2024 10:00 UTC-03:30", {}, utc(2024, 3, 5, 13, 30)),
        ("5 March 2024 10:00", {"zone": BERLIN}, utc(2024, 3, 5, 9)),
        ("2024-03-05T10:00Z", {"zone": BERLIN}, utc(2024, 3, 5, 10)),
        ("5 Mar 68", {}, utc(2068, 3, 5)),
        ("5 Mar 69", {}, utc(1969, 3, 5)),
        ("05/03/24 4 PM", {"formats": ["yyyy", "dd/MM/yy h a"]}, None),
        ("05/03/24 4 PM", {"formats": ["yyyy-MM-dd", "dd/MM/yy h a"]}, utc(2024, 3, 5, 16)),
        ("5 de 3 de 2024", {"formats": ["d 'de' M 'de' yyyy"]}, utc(2024, 3, 5)),
    ],
)
def test_free_text_is_read_without_a_guess(
    text: str, options: dict[str, object], instant: datetime | None
) -> None:
    if instant is None:
        assert "needs a year, a month and a day" in refusal("dates.parseDate", text, options)
    else:
        assert call_export("dates.parseDate", text, options) == instant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12.07.2022", "can be 2022-12-07 or 2022-07-12; pass dayFirst: false or true"),
        ("10/11/12", "pass dayFirst"),
        ("26 s", "a date needs its year and month"),
        ("may", "a date needs its year and month"),
        ("10:30", "a date needs its year and month"),
        ("Tuesday", "a date needs its year and month"),
        ("Wed Feb 2011", "a day of the week does not say which day"),
        ("", "is no date that can be read"),
        ("now", "is no date that can be read"),
        ("tomorrow", "is no date that can be read"),
        ("1714725600", "is no date that can be read"),
        ("5 March 2024 10:00 CET", '"CET" is no zone that is known; write an offset, or pass zone'),
        ("5 March 2024 10:00 BRST+3", "a name with an offset"),
        ("5 March 2024 10:00 +99:99", "is no date that can be read"),
        ("9" * 40, "is no date that can be read"),
        ("٥ March ٢٠٢٤", "write its digits as 0 to 9"),
        ("30 Feb 2024", "is no date that can be read"),
        ("x" * (DATES_MAX_TEXT_UNITS + 1), "character limit"),
        ("1 " * 100, "is no date that can be read"),
        ("\ud800", "is no date that can be read"),
    ],
)
def test_a_text_that_says_too_little_or_two_things_is_refused(text: str, said: str) -> None:
    assert said in refusal("dates.parseDate", text)


@given(st.text(max_size=60) | st.text("0123456789 -/:.TZ+APMamp,JanFeb", max_size=40))
def test_no_text_ends_in_an_error_of_the_library(text: str) -> None:
    try:
        read = call_export("dates.parseDate", text, {"dayFirst": True})
    except HostCallError as refused:
        assert refused.message.startswith("dates.parseDate: ")  # noqa: PT017
    else:
        assert isinstance(read, datetime)


def test_nothing_is_taken_from_the_day_it_runs_on_or_from_the_hosts_zone() -> None:
    program = (
        "import sys; from datetime import datetime; sys.path[:0] = sys.argv[1:2]\n"
        "from host_calls import call_export\n"
        "for text in ('Feb 2011', '5 Mar 68', '2024-03-31T02:30', '5 March 2024 10:00'):\n"
        "    print(call_export('dates.parseDate', text))\n"
        "print(call_export('dates.formatInTimeZone', '2024-01-01', 'UTC', 'PPpp xxx'))\n"
    )
    answers = {
        subprocess.run(  # noqa: S603  (another process, because TZ is read once)
            [sys.executable, "-c", program, os.path.dirname(__file__)],  # noqa: PTH120
            env={**os.environ, "TZ": zone},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for zone in ("UTC", "America/Sao_Paulo", "Asia/Kolkata")
    }
    assert len(answers) == 1
    assert "2011-02-01 00:00:00+00:00" in answers.pop()


@pytest.mark.parametrize("name", ["dayFirst", "yearFirst"])
def test_an_order_is_true_or_false(name: str) -> None:
    assert refusal("dates.parseDate", "5 May 2024", {name: "yes"}) == f"{name} must be true or false"
    assert call_export("dates.parseDate", "5 May 2024", {name: UNDEFINED}) == utc(2024, 5, 5)


def test_formats_have_a_cap_and_tokens_that_can_be_read() -> None:
    formats = ["yyyy-MM-dd"] * DATES_MAX_FORMATS
    assert call_export("dates.parseDate", "2024-05-05", {"formats": formats}) == utc(2024, 5, 5)
    assert "more than" in refusal("dates.parseDate", "2024-05-05", {"formats": [*formats, "yyyy"]})
    assert "`QQQ`, which is not read here" in refusal("dates.parseDate", "x", {"formats": ["yyyy QQQ"]})
    assert "the token `yyyy` twice" in refusal("dates.parseDate", "x", {"formats": ["yyyy yyyy"]})
    assert "must be an array of strings" in refusal("dates.parseDate", "x", {"formats": "yyyy"})
    assert "it fits none of the formats" in refusal("dates.parseDate", "x", {"formats": ["yyyy-MM-dd"]})
    assert "fits none" in refusal("dates.parseDate", "Mon 2024-05-05", {"formats": ["EEE yyyy-MM-dd"]})
    assert "fits none" in refusal("dates.parseDate", "13 AM 2024-05-05", {"formats": ["h a yyyy-MM-dd"]})


# --- columns


@pytest.mark.parametrize(
    ("values", "options", "pattern", "misfits"),
    [
        (["2024-01-31", "2024-02-01"], {}, "yyyy-MM-dd", []),
        (["1/31/2024", "2/1/2024", "12/25/2024"], {}, "M/d/yyyy", []),
        (["31/01/2024", "01/02/2024", ""], {}, "dd/MM/yyyy", []),
        (["01/02/2024", "03/04/2024"], {"dayFirst": True}, "dd/MM/yyyy", []),
        (["01/02/2024", "03/04/2024"], {"dayFirst": False}, "MM/dd/yyyy", []),
        (["10/11/12", "11/12/13"], {"yearFirst": True}, "yy/MM/dd", []),
        (["5 Mar 2024", "17 Apr 2024", "n/a"], {}, "d MMM yyyy", [2]),
        (["March 5, 2024", "May 17, 2024"], {}, "MMMM d, yyyy", []),
        (["05-Mar-24", "17-Apr-24"], {}, "dd-MMM-yy", []),
        (["Tue, 5 Mar 2024", "Wed, 6 Mar 2024"], {}, "EEE, d MMM yyyy", []),
        (["2024-03-05T10:00:00Z", "2024-03-06T10:00:00+02:00"], {}, "yyyy-MM-dd'T'HH:mm:ssXXX", []),
        (["2024-03-05 10:00:00.123", "2024-03-06 10:00:00.1"], {}, "yyyy-MM-dd HH:mm:ss.SSS", []),
        (["3/5/2024 4:05 PM", "3/25/2024 11:05 am"], {}, "M/d/yyyy h:mm a", []),
        (["20240305", "20240306"], {}, "yyyyMMdd", []),
        (["05.03.2024", "31.03.2024", "32.03.2024", None], {}, "dd.MM.yyyy", [2]),
        (["x", "05|2024|3"], {"formats": ["dd|yyyy|M"]}, "dd|yyyy|M", [0]),
        (["", None, UNDEFINED], {}, "", []),
        ([], {}, "", []),
    ],
)
def test_a_column_is_read_by_one_format(
    values: list[object], options: dict[str, object], pattern: str, misfits: list[int]
) -> None:
    read = cast("dict[str, list[object]]", call_export("dates.parseColumn", values, options))
    assert read["misfits"] == misfits
    assert cast("object", read["format"]) == pattern
    empty = [index for index, each in enumerate(values) if each in ("", None, UNDEFINED)]
    assert [index for index, each in enumerate(read["dates"]) if each is None] == sorted([*misfits, *empty])


def test_a_column_that_fits_two_orders_alike_is_refused() -> None:
    said = refusal("dates.parseColumn", ["01/02/2024", "03/04/2024"])
    assert said == "the values fit d/M/yyyy and M/d/yyyy alike; pass dayFirst, or formats"
    assert "no format of a date is seen" in refusal("dates.parseColumn", ["red", "green"])
    assert "values must be an array" in refusal("dates.parseColumn", "2024-01-01")
    assert refusal("dates.parseColumn", ["2024-01-01", 3]) == "value 1 is no string"
    assert "character limit" in refusal("dates.parseColumn", ["1" * 201])


def test_a_column_has_a_cap_and_polls() -> None:
    most = ["2024-01-31"] * DATES_MAX_COLUMN_VALUES
    assert refusal("dates.parseColumn", [*most, ""]) == f"more than {DATES_MAX_COLUMN_VALUES} values"
    export = MODULE.export("parseColumn")
    assert export is not None
    for at in (1, 10, 12):
        with pytest.raises(HostCallError, match="deadline"):
            export.function([most[:1000]], Over(at))


# --- rules


@pytest.mark.parametrize(
    ("rule", "options", "dates"),
    [
        (
            "DTSTART;TZID=America/New_York:20241101T090000\nRRULE:FREQ=DAILY;COUNT=4",
            {},
            ["2024-11-01T13", "2024-11-02T13", "2024-11-03T14", "2024-11-04T14"],
        ),
        ("DTSTART:20240101T090000\nRRULE:FREQ=DAILY;UNTIL=20240103T090000Z", {"limit": 5}, 3),
        ("DTSTART;TZID=America/New_York:20240101T090000\nRRULE:FREQ=DAILY;UNTIL=20240103T140000Z", {}, 3),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;UNTIL=20240103", {}, 3),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;UNTIL=20240103T080000", {}, 2),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=SECONDLY", {"limit": 5}, 5),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=SECONDLY", {}, 100),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", {"limit": 5}, 0),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", {"limit": 5}, 0),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=20250101", {}, 0),
        ("DTSTART:20240101T090000Z\nFREQ=WEEKLY", {"to": "2024-01-15T09:00Z"}, 3),
        (
            "DTSTART:20240101T090000Z\nRRULE:FREQ=WEEKLY",
            {"from": "2024-01-08T09:00Z", "to": "2024-01-15T08:59Z"},
            1,
        ),
        (
            "DTSTART:20240101T090000Z\nRRULE:FREQ=MINUTELY",
            {"from": "2030-01-01", "limit": 2},
            ["2030-01-01T00"] * 2,
        ),
        ("DTSTART;VALUE=DATE:20240101\nRRULE:FREQ=DAILY;COUNT=2", {}, ["2024-01-01T00", "2024-01-02T00"]),
        (
            "DTSTART;VALUE=DATE:20240101\nRRULE:FREQ=DAILY;COUNT=2",
            {"zone": BERLIN},
            ["2023-12-31T23", "2024-01-01T23"],
        ),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20240102", {}, 2),
        (
            "DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;COUNT=2\nRRULE:FREQ=DAILY;COUNT=3\nRDATE:20240101T090000Z",
            {},
            3,
        ),
        ("DTSTART:20240101T090000Z\r\nRRULE:FREQ=DAILY;\r\n COUNT=2\r\n", {}, 2),
        (
            "dtstart;tzid=europe/berlin:20240330t083000\nrrule:freq=daily;count=3",
            {},
            ["2024-03-30T07", "2024-03-31T06", "2024-04-01T06"],
        ),
        (
            "DTSTART;TZID=Europe/Berlin:20240330T023000\nRRULE:FREQ=DAILY;COUNT=3",
            {},
            ["2024-03-30T01", "2024-03-31T01", "2024-04-01T00"],
        ),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=HOURLY;INTERVAL=2;BYHOUR=10", {"to": "2024-03-01"}, 0),
        (
            "DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;BYHOUR=8,9,10;BYSETPOS=1,-1;COUNT=3",
            {},
            ["2024-01-01T10", "2024-01-02T08", "2024-01-02T10"],
        ),
        (
            "DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY;BYDAY=2TU;BYMONTH=1;COUNT=2",
            {},
            ["2024-01-02T09", "2024-01-09T09"],
        ),
        ("DTSTART:00010101T000000Z\nRRULE:FREQ=YEARLY;COUNT=3", {}, 3),
        ("DTSTART:00010101T000000Z\nRRULE:FREQ=DAILY", {"from": "0001-01-01", "limit": 2}, 2),
        ("DTSTART:99980101T000000Z\nRRULE:FREQ=YEARLY", {}, 2),
        ("DTSTART:99991231T230000Z\nRRULE:FREQ=MINUTELY", {}, 60),
        ("DTSTART:20240101T090000Z\nRRULE:FREQ=DAILY", {"limit": 0}, 0),
    ],
)
def test_a_rule_gives_its_dates(rule: str, options: dict[str, object], dates: object) -> None:
    found = days(call_export("dates.occurrences", rule, options))
    if isinstance(dates, int):
        assert len(found) == dates
    else:
        assert [each[:13] for each in found] == dates


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("", "a rule needs one DTSTART line"),
        ("RRULE:FREQ=DAILY", "a rule needs one DTSTART line"),
        ("DTSTART:20240101\nDTSTART:20240101", "a rule needs one DTSTART line"),
        ("BEGIN:VTIMEZONE", '"BEGIN:VTIMEZONE" is no line that is read'),
        ("DTSTART:2024-01-01", '"2024-01-01" is no date of a rule'),
        ("DTSTART:20240230", "is no date of a rule"),
        ("DTSTART;TZID=/etc/localtime:20240101", "is no time zone that is known"),
        ("DTSTART:20240101\nRRULE:COUNT=3", "an RRULE needs FREQ"),
        ("DTSTART:20240101\nRRULE:FREQ=OFTEN", "an RRULE needs FREQ, one of YEARLY"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;FREQ=DAILY", "stands twice"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;COUNT", "has no value"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;COUNT=0", "COUNT takes numbers from 1 to"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;INTERVAL=0", "INTERVAL takes numbers from 1 to"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;INTERVAL=" + "9" * 5000, "INTERVAL takes numbers"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;BYMONTHDAY=0", "BYMONTHDAY takes numbers from -31 to 31"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;BYDAY=XX", "BYDAY takes days such as MO"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;BYDAY=0MO", "BYDAY takes days such as MO"),
        (
            "DTSTART:20240101\nRRULE:FREQ=HOURLY;BYSETPOS=1;BYHOUR=1",
            "BYSETPOS goes with FREQ=DAILY and slower",
        ),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;BYEASTER=1", "is no part of an RRULE"),
        ("DTSTART:20240101\nRRULE:FREQ=DAILY;UNTIL=soon", "is no date of a rule"),
    ],
)
def test_a_rule_that_is_none_is_refused(rule: str, said: str) -> None:
    assert said in refusal("dates.occurrences", rule)


def test_the_caps_of_a_rule(call: Call) -> None:
    start = "DTSTART:20240101T000000Z\n"
    daily = start + "RRULE:FREQ=DAILY"
    assert len(days(call("dates.occurrences", daily, {"limit": 10**9}))) == DATES_MAX_OCCURRENCES
    many = "RRULE:FREQ=YEARLY;COUNT=1\n"
    assert call("dates.occurrences", start + many * DATES_MAX_RULES)
    assert "RRULE lines" in refusal("dates.occurrences", start + many * (DATES_MAX_RULES + 1))
    dates = ",".join(["20240101"] * DATES_MAX_RULE_DATES)
    assert call("dates.occurrences", f"{daily}\nEXDATE:{dates}", {"limit": 1})
    assert "RDATE and EXDATE" in refusal("dates.occurrences", f"{daily}\nEXDATE:{dates},20240101")
    values = ",".join(["1"] * DATES_MAX_BY_VALUES)
    assert call("dates.occurrences", f"{daily};BYMONTHDAY={values}")
    assert "BY lists" in refusal("dates.occurrences", f"{daily};BYMONTHDAY={values},1")
    assert call("dates.occurrences", daily + "\n" * (DATES_MAX_RULE_UNITS - len(daily)))
    assert "character limit" in refusal(
        "dates.occurrences", daily + "\n" * (DATES_MAX_RULE_UNITS + 1 - len(daily))
    )
    last = f"{2024 + DATES_MAX_WINDOW_YEARS}-01-01"
    assert call("dates.occurrences", daily, {"from": last})
    assert "after DTSTART" in refusal("dates.occurrences", daily, {"from": last + "T00:00:01"})
    assert call("dates.occurrences", daily, {"to": last, "limit": 1})
    assert "after DTSTART" in refusal("dates.occurrences", daily, {"to": last + "T00:00:01"})
    assert "from must be a Date" in refusal("dates.occurrences", daily, {"from": {}})
    assert "limit must be a number" in refusal("dates.occurrences", daily, {"limit": "5"})
    assert "rule must be a string" in refusal("dates.occurrences", 3)


def test_a_search_ends_at_its_cap_and_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    far = "DTSTART:20240101T000000Z\nRRULE:FREQ=SECONDLY;BYSECOND=1;BYMINUTE=1;BYHOUR=23"
    assert f"was searched over {DATES_MAX_RULE_STEPS} times" in refusal(
        "dates.occurrences", far, {"limit": 3}
    )
    # the rule, the day, each of its seconds up to the one that matches, and that one
    monkeypatch.setattr(_dates_rules, "DATES_MAX_RULE_STEPS", 23 * 3600 + 62 + 3)
    assert len(days(call_export("dates.occurrences", far, {"limit": 1}))) == 1
    monkeypatch.setattr(_dates_rules, "DATES_MAX_RULE_STEPS", 23 * 3600 + 62 + 2)
    assert "was searched over" in refusal("dates.occurrences", far, {"limit": 1})
    export = MODULE.export("occurrences")
    assert export is not None
    with pytest.raises(HostCallError, match="deadline"):
        export.function([far], Over(2))
    assert export.function([far.replace("23", "0"), {"limit": 1}], Unhurried())


# --- moves


@pytest.mark.parametrize(
    ("date", "move", "zone", "moved"),
    [
        (utc(2024, 1, 31), {"months": 1}, UNDEFINED, utc(2024, 2, 29)),
        (utc(2024, 2, 29), {"years": 1}, UNDEFINED, utc(2025, 2, 28)),
        (utc(2024, 3, 30, 8, 30), {"days": 1}, BERLIN, utc(2024, 3, 31, 7, 30)),
        (utc(2024, 3, 30, 8, 30), {"days": 1}, None, utc(2024, 3, 31, 8, 30)),
        (utc(2024, 3, 30, 8, 30), {"hours": 24}, BERLIN, utc(2024, 3, 31, 7, 30)),
        (utc(2024, 3, 5), {"day": 31, "weekday": "FR(-1)"}, UNDEFINED, utc(2024, 3, 29)),
        (utc(2024, 3, 5), {"weekday": "MO"}, UNDEFINED, utc(2024, 3, 11)),
        (
            utc(2024, 3, 5),
            {"weeks": -1, "minutes": 5, "milliseconds": 7},
            "UTC",
            utc(2024, 2, 27, 0, 5) + timedelta(milliseconds=7),
        ),
        (
            utc(2024, 3, 5),
            {"hour": 9, "millisecond": 5},
            "UTC",
            utc(2024, 3, 5, 9) + timedelta(milliseconds=5),
        ),
        (utc(2024, 3, 5), {"years": None, "days": UNDEFINED}, "UTC", utc(2024, 3, 5)),
    ],
)
def test_a_date_is_moved_on_the_zones_wall_clock(
    date: datetime, move: object, zone: object, moved: datetime
) -> None:
    assert call_export("dates.relative", date, move, zone) == moved


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (UNDEFINED, "the second argument must be an object such as { months: 1 }"),
        ({"moths": 1}, '"moths" is no unit that is known'),
        ({"months": 1.5}, "months must be a whole number"),
        ({"months": "1"}, "months must be a whole number"),
        ({"months": 10**9 + 1}, "months must be a whole number from -1000000000 to 1000000000"),
        ({"month": 13}, "month must be a whole number from 1 to 12"),
        ({"weekday": "Monday"}, "weekday must be a day such as"),
        ({"weekday": "MO(0)"}, "weekday must be a day such as"),
        ({"weekday": 1}, "weekday must be a day such as"),
    ],
)
def test_a_move_that_is_none_is_refused(move: object, said: str) -> None:
    assert said in refusal("dates.relative", utc(2024, 1, 1), move)


def test_easter_is_a_sunday_within_its_years(call: Call) -> None:
    assert call("dates.easter", 2024) == utc(2024, 3, 31)
    assert call("dates.easter", 1583)
    assert call("dates.easter", 4099)
    for year in (1582, 4100, 2024.5, "2024", UNDEFINED, float("nan")):
        assert "year must be a whole number from 1583 to 4099" in refusal("dates.easter", year)
