"""date-fns in the guest against date-fns in node, and together with the zones of the host."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox_host.limits import DATES_MAX_TEXT_UNITS

ROOT = Path(__file__).parents[2]
DATES, ZONES = "@nodetool-ai/sandbox-dates", "@nodetool-ai/sandbox-dates/zones"
RECORDED = json.loads((ROOT / "host_modules/tests/recorded/dates.json").read_text(encoding="utf-8"))

# Runs every recorded call, and writes each answer as scripts/record_dates.mjs does.
REPLAY = """
import * as fns from "@nodetool-ai/sandbox-dates";

const tagged = (value) => {
  if (value === undefined) return { $undefined: 1 };
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (Object.is(value, -0)) return 0;
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tagged(each)]));
};
const untagged = (value) => {
  if (value === null || typeof value !== "object") return value;
  if ("$date" in value) return new Date(value.$date ?? NaN);
  if ("$undefined" in value) return undefined;
  if (Array.isArray(value)) return value.map(untagged);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, untagged(each)]));
};
const answers = inputs.calls.map(([name, args]) => {
  try {
    return tagged(fns[name](...args.map(untagged)));
  } catch (error) {
    return { $error: error.name };
  }
});
return { answers, names: Object.keys(fns).sort() };
"""


def run(code: str, **inputs: object) -> object:
    result = Sandbox().run_sync(code, modules=[DATES, ZONES], globals={"inputs": inputs})
    assert result.success, f"{result.error}\n{code}"
    return result.value


def test_every_recorded_call_of_date_fns_has_nodes_answer() -> None:
    recorded = RECORDED["dateFns"]
    replayed = cast(
        "dict[str, list[object]]", run(REPLAY, calls=[[name, args] for name, args, _ in recorded])
    )
    wrong = [
        (name, args, ours, theirs)
        for (name, args, theirs), ours in zip(recorded, replayed["answers"], strict=True)
        if ours != theirs
    ]
    assert wrong == []
    assert len({name for name, _, _ in recorded}) > 180
    assert replayed["names"] == RECORDED["dateFnsNames"]


# shared/cases: C60, C66, C67, with the names of this pack
CASES = [
    (
        "a day is not 24 hours at a transition",
        f"""
        import {{ addDays, addHours }} from "{DATES}";
        import {{ fromZonedTime }} from "{ZONES}";
        const noon = new Date("2024-03-30T08:30:00Z");
        return [addDays(noon, 1), fromZonedTime("2024-03-31T09:30:00", "Europe/Berlin"), addHours(noon, 24)]
          .map((each) => each.toISOString());
        """,
        ["2024-03-31T08:30:00.000Z", "2024-03-31T07:30:00.000Z", "2024-03-31T08:30:00.000Z"],
    ),
    (
        "months and leap days",
        f"""
        import {{ addMonths, addYears, format, parse, parseISO, isValid, differenceInMonths }} from "{DATES}";
        const f = (date) => format(date, "yyyy-MM-dd");
        return [f(addMonths(new Date(2024, 0, 31), 1)), f(addMonths(new Date(2023, 0, 31), 1)),
          f(addYears(new Date(2024, 1, 29), 1)), differenceInMonths(new Date(2024, 1, 29), new Date(2024, 0, 31)),
          isValid(parse("31/02/2024", "dd/MM/yyyy", new Date(0))), isValid(parseISO("2024-02-30")),
          f(parse("05/03/24", "dd/MM/yy", new Date(2024, 0, 1)))];
        """,
        ["2024-02-29", "2023-02-28", "2025-02-28", 1, False, False, "2024-03-05"],
    ),
    (
        "the year that a week belongs to",
        f"""
        import {{ format }} from "{DATES}";
        const day = new Date(2024, 11, 30);
        let name;
        try {{ name = format(day, "YYYY-MM-dd"); }} catch (error) {{ name = error.name; }}
        return [format(day, "yyyy-MM-dd"), format(day, "RRRR-'W'II"), format(new Date(2021, 0, 1), "RRRR-'W'II"), name];
        """,
        ["2024-12-30", "2025-W01", "2020-W53", "RangeError"],
    ),
    (
        "both modules take each other's dates, and write them the same",
        f"""
        import {{ addDays, format, isEqual }} from "{DATES}";
        import zones, {{ formatInTimeZone, parseDate, toZonedTime, fromZonedTime }} from "{ZONES}";
        const day = addDays(parseDate("5 March 2024"), 1);
        const pattern = "PPPPpp QQQ II RRRR";
        return [isEqual(day, fromZonedTime(toZonedTime(day, "Asia/Tehran"), "Asia/Tehran")),
          formatInTimeZone(day, "UTC", pattern) === format(day, pattern), zones.easter(2024) instanceof Date];
        """,
        [True, True, True],
    ),
    (
        "an invalid date and one out of range are errors of the pack",
        f"""
        import {{ toZonedTime, formatInTimeZone }} from "{ZONES}";
        const said = (work) => {{ try {{ return work(); }} catch (error) {{ return error.message; }} }};
        return [said(() => toZonedTime(new Date(NaN), "UTC")), said(() => toZonedTime(new Date(8.64e15), "UTC")),
          said(() => formatInTimeZone(new Date(0), "UTC", "x".repeat({DATES_MAX_TEXT_UNITS + 1})))];
        """,
        [
            "dates.toZonedTime: date is an Invalid Date",
            "dates.toZonedTime: year out of range 1..9999",
            f"dates.formatInTimeZone: text exceeds the {DATES_MAX_TEXT_UNITS} character limit",
        ],
    ),
    (
        "a rule that never matches ends, and the next call works",
        f"""
        import {{ occurrences }} from "{ZONES}";
        const never = "DTSTART:18000101T000000Z\\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30";
        return [occurrences(never).length, occurrences("DTSTART:20240101T000000Z\\nRRULE:FREQ=DAILY;COUNT=2").length];
        """,
        [0, 2],
    ),
]


@pytest.mark.parametrize(("code", "value"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_program_with_dates_and_zones(code: str, value: object) -> None:
    assert run(code) == value
