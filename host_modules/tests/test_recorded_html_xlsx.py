"""html and xlsx against what cheerio, turndown and exceljs answered; every difference has its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from host_calls import Call
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import MAX_SAFE_INTEGER
from xlsx_books import packed

RECORDED = Path(__file__).parent / "recorded"
Case = tuple[list[object], object]
REFUSED = {"$error": 1}

STRIKE = "struck out text is GFM's ~~"
TABLE = "tables are GFM's"
DROPPED = "script, style, template and title are not for readers"
RAW_HTML = "a < that would begin a tag is escaped, or text would become HTML"
DANGLING = "a selector that ends with a combinator is refused"
POSITION_FIRST = ":first + p follows the first match alone; cheerio's css-select goes on from all of them"
NEGATIVE_LT = ":lt(-1) counts from the end, as jQuery says"

LIST = "<ul id=u><li class='a x'>one<li class=b>two<li class=a>three<li>four</ul><ol><li>five<li>six</ol>"

# (export, arguments): our answer, why it differs
HTML_DIFFERENCES: dict[tuple[str, str], tuple[object, str]] = {
    ("html.select", json.dumps(["<p>a", "p >", {}])): (REFUSED, DANGLING),
    ("html.select", json.dumps(["<p>a</p><p>b</p><p>c</p>", "p:first + p", {}])): (["b"], POSITION_FIRST),
    ("html.select", json.dumps([LIST, "li:lt(-1)", {}])): (
        ["one", "two", "three", "four", "five"],
        NEGATIVE_LT,
    ),
    ("html.toMarkdown", json.dumps(["<del>a</del> <s>b</s>", {}])): ("~~a~~ ~~b~~", STRIKE),
    (
        "html.toMarkdown",
        json.dumps(["<table><tr><th>a<th>b<tr><td>1<td>2</table>", {}]),
    ): ("| a | b |\n| --- | --- |\n| 1 | 2 |", TABLE),
    ("html.toMarkdown", json.dumps(["<script>var a</script><style>b</style>x", {}])): ("x", DROPPED),
    ("html.toMarkdown", json.dumps(["<title>T</title>x", {}])): ("x", DROPPED),
    (
        "html.toMarkdown",
        json.dumps(["<p>a - b = # > ~ + | ! &lt;b&gt; &amp;</p>", {}]),
    ): ("a - b = # > ~ + | ! \\<b> &", RAW_HTML),
}
ERROR_CELL = "an error cell is its text"
NO_RESULT = "a formula without a stored result is null"
TIME_OF_DAY = "a time of day is its text, not a moment of 1899"
DURATION = "a duration is its text, hours past 24 too"
EXCEL_DAYS = "serial 1 is 1900-01-01, as Excel shows it"
OFF_CALENDAR = "what lies outside of Excel's calendar stays a number"
NOTHING_LOST = "a name that is there already gets one of its own, and cells past the last name are kept"
EMPTY_NAME = "an empty text is a name; exceljs drops the cell"
ISO_CELL = "a cell of ISO 8601 text is a date"
ESCAPES = "_x000D_ and its like are decoded (ECMA-376)"

# (cells of the first sheet, options): our answer, why it differs
XLSX_DIFFERENCES: dict[tuple[str, str], tuple[object, str]] = {
    ("SUM(A1:A9)", "flat"): ([[None, 1]], NO_RESULT),
    ("<v>#N/A</v></c>", "flat"): ([["#N/A", 1]], ERROR_CELL),
    ("<f>1/0</f>", "flat"): ([["#DIV/0!", 1]], ERROR_CELL),
    ('s="2"><v>0.5</v>', "flat"): ([["12:00:00"], ["2020-01-01T12:00:00.000Z"]], TIME_OF_DAY),
    ('s="3"><v>1.25</v>', "flat"): ([["30:00:00"], ["12:00:00"]], DURATION),
    ('s="1"><v>59</v>', "flat"): (
        [
            ["1900-01-01T00:00:00.000Z"],
            ["1900-02-28T00:00:00.000Z"],
            ["1900-02-28T00:00:00.000Z"],
            ["1900-03-01T00:00:00.000Z"],
        ],
        EXCEL_DAYS,
    ),
    ('s="1"><v>0</v>', "flat"): ([["00:00:00"]], TIME_OF_DAY),
    ("<v>2958466</v>", "flat"): ([[2958466]], OFF_CALENDAR),
    ("<v>-1</v>", "flat"): ([[-1]], OFF_CALENDAR),
    ('s="3"><v>0.75</v>', "flat"): ([["18:00:00"]], TIME_OF_DAY),
    ("<t>Ann</t>", "records"): (
        [{"name": "Ann", "col_2": 9, "qty": 1, "qty_1": 5, "col_5": 7}],
        NOTHING_LOST,
    ),
    ("<is><t></t></is>", "records"): ([{"": "x", "b": "y"}], EMPTY_NAME),
    ('t="d"', "flat"): ([["2024-03-05T07:08:09.000Z"]], ISO_CELL),
    ("_x000D_", "flat"): ([["a\rb & _x000D_ \u00e9 \U0001f600"]], ESCAPES),
}


def difference(where: str, given: list[object]) -> tuple[object, str] | None:
    """Our listed answer to these arguments, and why."""
    if where != "xlsx.parse":
        return HTML_DIFFERENCES.get((where, json.dumps(given)))
    cells = cast("dict[str, str]", given[0])["xl/worksheets/sheet1.xml"]
    shape = "flat" if cast("dict[str, object]", given[1]).get("header") is False else "records"
    for (part, listed), (ours, reason) in XLSX_DIFFERENCES.items():
        if part in cells and listed == shape:
            return {"S": ours}, reason
    return None


def cases(name: str, part: str) -> list[Case]:
    recording = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return [(each[:-1], each[-1]) for each in recording[part]]


ALL = [
    *(("html.select", case) for case in cases("html", "select")),
    *(("html.toMarkdown", case) for case in cases("html", "toMarkdown")),
    *(("xlsx.parse", case) for case in cases("xlsx", "parse")),
]


def plain(value: object) -> object:
    """What the script tagged, as Python has it."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict) and "$object" in value:
        return {key: plain(each) for key, each in cast("list[tuple[str, object]]", value["$object"])}
    if isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER:
        return float(value)  # JSON's digits of a double
    return value


def answer(call: Call, where: str, given: list[object]) -> object:
    first = given[0]
    try:
        return call(where, packed(first) if isinstance(first, dict) else first, *given[1:])
    except HostCallError as error:
        return REFUSED if error.message.startswith(f"{where}: ") else error


@pytest.mark.parametrize(
    ("where", "case"), ALL, ids=lambda each: each if isinstance(each, str) else json.dumps(each[0])[-70:]
)
def test_the_answer_is_the_recorded_one_or_a_listed_difference(call: Call, where: str, case: Case) -> None:
    given, recorded = case
    expected, _reason = difference(where, given) or (plain(recorded), "")
    assert answer(call, where, given) == expected


def test_every_listed_difference_is_in_the_recording_and_still_differs() -> None:
    listed = [
        (found[0], plain(recorded))
        for where, (given, recorded) in ALL
        if (found := difference(where, given)) is not None
    ]
    assert len(listed) == len(HTML_DIFFERENCES) + len(XLSX_DIFFERENCES)
    assert [ours for ours, recorded in listed if ours == recorded] == []


def test_each_pack_has_its_forty_recorded_inputs() -> None:
    counts: dict[str, int] = {}
    for where, _ in ALL:
        host_id = where.split(".")[0]
        counts[host_id] = counts.get(host_id, 0) + 1
    assert all(count >= 40 for count in counts.values())
