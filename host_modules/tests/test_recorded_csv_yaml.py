"""csv and yaml against what papaparse and js-yaml answered; every difference is listed with its reason."""

from __future__ import annotations

import base64
import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from host_calls import Call
from nodetool_sandbox_host.arguments import iso_text
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, JSDate

RECORDED = Path(__file__).parent / "recorded"
Case = tuple[object, dict[str, object], object]

SYNTAX = "libyaml finds the same fault and words it its own way"
FLOW_COLON = "libyaml takes no plain scalar that begins with a colon inside [ ] and { }; quote it"
UNDERSCORES = "1_000 is a number to a reader of YAML 1.1, so it is quoted; js-yaml leaves it plain"
DOCUMENT_END = "a plain ... would end the document, so it is quoted"
NO_BYTES = "js-yaml writes no bytes at all as three zero bytes"
DATE_KEY = "a date as a key keeps its text; js-yaml writes String(date)"
LINE_ENDS = "rows end at CRLF, LF and CR alike; papaparse takes one kind for the whole text"
QUOTE_JUNK = "a quoted field ends at its closing quote; papaparse looks on for another one"
CUT_QUOTES = "a delimiter that would cut through quoted fields is guessed last"
OWN_PROPERTIES = "names such as __proto__ are data; papaparse loses them"
UNION = "the header is the union of all rows' keys; papaparse takes those of the first row"

# (export, input): our answer, why it differs
DIFFERENCES: dict[tuple[str, str], tuple[object, str]] = {
    ("yaml.loadAll", "[a,,b]"): ({"$error": "did not find expected node content"}, SYNTAX),
    ("yaml.loadAll", "a: b: c"): ({"$error": "mapping values are not allowed in this context"}, SYNTAX),
    ("yaml.loadAll", "a: 'b"): ({"$error": "found unexpected end of stream"}, SYNTAX),
    ("yaml.loadAll", "a: @x"): ({"$error": "found character that cannot start any token"}, SYNTAX),
    ("yaml.loadAll", "a: 1\n b: 2"): ({"$error": "mapping values are not allowed in this context"}, SYNTAX),
    ("yaml.loadAll", "- a\nb: c"): ({"$error": "did not find expected '-' indicator"}, SYNTAX),
    ("yaml.loadAll", '"a\\qb"'): ({"$error": "found unknown escape character"}, SYNTAX),
    ("yaml.loadAll", "[http://x.y, a:b, ::c, -d]"): (
        {"$error": "did not find expected node content"},
        FLOW_COLON,
    ),
    ("yaml.loadAll", "? 2024-03-05\n: key\n"): ([{"$object": [["2024-03-05", "key"]]}], DATE_KEY),
    ("yaml.dump", '["1_000"]'): ("- '1_000'\n", UNDERSCORES),
    ("yaml.dump", "..."): ("'...'\n", DOCUMENT_END),
    ("yaml.dump", '{"$bytes": ""}'): ("!!binary ''\n", NO_BYTES),
    ("csv.parse", "a,b\r\n1,2\n3,4\r5,6\r\n"): (
        [{"$object": [["a", x], ["b", y]]} for x, y in ("12", "34", "56")],
        LINE_ENDS,
    ),
    ("csv.parse", 'a,b\n"1\r\n2",3\r\n'): ([{"$object": [["a", "1\r\n2"], ["b", "3"]]}], LINE_ENDS),
    ("csv.parse", 'a;b;"x,y,z,w"\n'): ([["a", "b", "x,y,z,w"]], CUT_QUOTES),
    ("csv.parse", 'a,b\n"x"y,2\n'): ([{"$object": [["a", "xy"], ["b", "2"]]}], QUOTE_JUNK),
    ("csv.parse", "__proto__,constructor,toString\n1,2,3\n"): (
        [{"$object": [["__proto__", "1"], ["constructor", "2"], ["toString", "3"]]}],
        OWN_PROPERTIES,
    ),
    (
        "csv.stringify",
        '[{"$object": [["a", 1], ["b", null]]}, {"$object": [["b", 2], ["c", 3]]}]',
    ): ("a,b,c\n1,,\n,2,3", UNION),
}


def from_tagged(value: object) -> object:
    """The value that the recording stands for."""
    if isinstance(value, list):
        return [from_tagged(each) for each in value]
    if not isinstance(value, dict):
        return value
    tag, content = next(iter(value.items()))
    match tag:
        case "$undefined":
            return UNDEFINED
        case "$number":
            return float(str(content).replace("Infinity", "inf"))
        case "$date":
            return datetime.fromisoformat(str(content)).astimezone(UTC)
        case "$bytes":
            return base64.b64decode(str(content))
        case "$object":
            pairs = cast("list[list[object]]", content)
            return {str(key): from_tagged(each) for key, each in pairs}
    return value


def to_tagged(value: object) -> object:
    """The recording of a value."""
    if value is UNDEFINED:
        return {"$undefined": 1}
    if isinstance(value, float):
        if not math.isfinite(value):
            return {"$number": str(value).replace("inf", "Infinity").replace("nan", "NaN")}
        return {"$number": "-0"} if value == 0 and math.copysign(1, value) < 0 else value
    if isinstance(value, datetime | JSDate):
        return {"$date": iso_text(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, list):
        return [to_tagged(each) for each in value]
    if isinstance(value, dict):
        return {"$object": [[key, to_tagged(value[key])] for key in js_order(value)]}
    return value


def js_order(record: dict[str, object]) -> list[str]:
    """The keys as a JavaScript object lists them: array indexes first."""
    indexes = sorted(
        (key for key in record if key.isascii() and key.isdigit() and str(int(key)) == key), key=int
    )
    return indexes + [key for key in record if key not in indexes]


def cases(name: str, part: str) -> list[Case]:
    recording = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return [(each[0], each[1], each[2]) for each in recording[part]]


def answer(call: Call, where: str, given: object, options: dict[str, object]) -> object:
    try:
        got = call(where, from_tagged(given), options)
    except HostCallError as error:
        return {"$error": error.details.get("reason", error.message)}
    if where == "yaml.loadAll":
        got = cast("dict[str, object]", got)["documents"]
    return to_tagged(got)


@pytest.mark.parametrize(
    ("where", "case"),
    [
        *(("yaml.loadAll", case) for case in cases("yaml", "load")),
        *(("yaml.dump", case) for case in cases("yaml", "dump")),
        *(("csv.parse", case) for case in cases("csv", "parse")),
        *(("csv.stringify", case) for case in cases("csv", "stringify")),
    ],
    ids=lambda each: each if isinstance(each, str) else json.dumps(each[:2])[:60],
)
def test_the_answer_is_the_recorded_one_or_a_listed_difference(call: Call, where: str, case: Case) -> None:
    given, options, recorded = case
    name = given if isinstance(given, str) else json.dumps(given)
    expected, _reason = DIFFERENCES.get((where, name), (recorded, ""))
    assert answer(call, where, given, options) == expected


def test_every_listed_difference_is_in_the_recording_and_still_differs() -> None:
    recorded = {
        (where, given if isinstance(given, str) else json.dumps(given)): got
        for where, (name, part) in {
            "yaml.loadAll": ("yaml", "load"),
            "yaml.dump": ("yaml", "dump"),
            "csv.parse": ("csv", "parse"),
            "csv.stringify": ("csv", "stringify"),
        }.items()
        for given, options, got in cases(name, part)
    }
    assert [key for key, (ours, _reason) in DIFFERENCES.items() if recorded[key] == ours] == []
