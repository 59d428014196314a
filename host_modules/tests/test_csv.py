"""csv: what the recordings do not cover: caps, options of ours, hostile input, laws."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

import pytest
from host_calls import Call, Over, Unhurried
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import csv as host_csv
from nodetool_sandbox_host import limits
from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet


def rows(text: str, **options: object) -> list[object]:
    return cast("list[object]", host_csv.parse([text, options], Unhurried()))


def report(text: str, **options: object) -> dict[str, object]:
    return cast("dict[str, object]", host_csv.parse_with_errors([text, options], Unhurried()))


def test_the_module_lists_its_exports_in_facade_order_and_none_is_synchronous() -> None:
    module = HOSTS["csv"]
    assert [each.name for each in module.exports] == ["parse", "stringify", "parseWithErrors", "detect"]
    assert not any(each.sync for each in module.exports)


@pytest.mark.parametrize(
    ("where", "args", "message"),
    [
        ("csv.parse", (), "csv.parse: text must be a string"),
        ("csv.parse", (1,), "csv.parse: text must be a string"),
        ("csv.parse", ("a", {"delimiter": "ab"}), "csv.parse: delimiter must be a single character"),
        ("csv.parse", ("a", {"delimiter": "😀"}), "csv.parse: delimiter must be a single character"),
        ("csv.parse", ("a", {"delimiter": 1}), "csv.parse: delimiter must be a single character"),
        ("csv.parse", ("a", {"columns": "a"}), "csv.parse: columns must be an array of strings"),
        ("csv.parse", ("a", {"maxRows": "1"}), "csv.parse: maxRows must be a number from 0 to 5242880"),
        ("csv.parse", (b"a", {"encoding": "klingon"}), 'csv.parse: "klingon" is no encoding that is known;'),
        (
            "csv.parse",
            ("a,b\n1,2", {"columns": ["c"]}),
            'csv.parse: there is no column "c"; the columns are "a"',
        ),
        ("csv.stringify", (), "csv.stringify: rows must be an array of records or arrays"),
        ("csv.stringify", ({"length": 10**9},), "csv.stringify: rows must be an array of records or arrays"),
        ("csv.stringify", ([1],), "csv.stringify: rows must be an array of records or arrays; row 0 is not"),
        (
            "csv.stringify",
            ([[], {}],),
            "csv.stringify: rows must be an array of records or arrays; row 1 is not",
        ),
        (
            "csv.stringify",
            ([None],),
            "csv.stringify: rows must be an array of records or arrays; row 0 is not",
        ),
        ("csv.stringify", ([], {"delimiter": ""}), "csv.stringify: delimiter must be a single character"),
        ("csv.stringify", ([], {"delimiter": "ab"}), "csv.stringify: delimiter must be a single character"),
        ("csv.stringify", ([], {"quote": "some"}), 'csv.stringify: quote must be "minimal" or "all"'),
        ("csv.stringify", ([], {"newline": "x"}), 'csv.stringify: newline must be "\\n" or "\\r\\n"'),
        ("csv.detect", (1,), "csv.detect: text must be a string"),
        ("csv.parseWithErrors", (1,), "csv.parseWithErrors: text must be a string"),
    ],
)
def test_a_wrong_argument_is_named(call: Call, where: str, args: tuple[object, ...], message: str) -> None:
    with pytest.raises(HostCallError) as refusal:
        call(where, *args)
    assert refusal.value.message.startswith(message)


@pytest.mark.parametrize("options", [None, UNDEFINED, 3, "x", [], JSMap(), {"unknown": 1}], ids=repr)
def test_what_is_no_option_bag_counts_as_an_empty_one(call: Call, options: object) -> None:
    assert call("csv.parse", "a\n1", options) == [{"a": "1"}]


@pytest.mark.parametrize(
    ("header", "is_header"), [(UNDEFINED, True), (None, False), (0, False), ("", False), ([], True)]
)
def test_header_is_read_as_javascript_truth(call: Call, header: object, is_header: object) -> None:
    assert call("csv.parse", "a\n1", {"header": header}) == ([{"a": "1"}] if is_header else [["a"], ["1"]])


EURO = 'Kunde;Betrag (€);Ort\r\nMüller & Söhne;1.234,50;Köln\r\n"Groß; Klein";-7,99;Zürich\r\n'


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (EURO.encode("cp1252"), {}),
        (EURO.encode("cp1252"), {"encoding": "iso-8859-1"}),
        (EURO.encode("cp1252"), {"encoding": "windows-1252"}),
        (EURO.encode("utf-8"), {}),
        (EURO.encode("utf-8-sig"), {"encoding": "windows-1252"}),
        (EURO.encode("utf-16"), {}),
        (EURO.encode("utf-16-le"), {"encoding": "utf-16le"}),
        (EURO.encode("utf-16-be"), {}),
    ],
    ids=["guessed", "label-iso", "label", "utf-8", "mark-wins", "utf-16", "utf-16le", "utf-16be-no-mark"],
)
def test_the_bytes_of_a_file_are_decoded(call: Call, data: bytes, options: dict[str, object]) -> None:
    assert call("csv.parse", data, options) == [
        {"Kunde": "Müller & Söhne", "Betrag (€)": "1.234,50", "Ort": "Köln"},
        {"Kunde": "Groß; Klein", "Betrag (€)": "-7,99", "Ort": "Zürich"},
    ]


def test_a_mark_before_a_quoted_header_is_dropped_once(call: Call) -> None:
    assert call("csv.parse", '\ufeff"id","city"\r\n7,Oslo\r\n') == [{"id": "7", "city": "Oslo"}]
    assert call("csv.parse", "\ufeff\ufeffa\n1") == [{"\ufeffa": "1"}]


def test_a_field_may_be_as_long_as_the_text(call: Call) -> None:
    text = 'a\n"' + "x" * (limits.MAX_TEXT_UNITS - 4) + '"'
    (row,) = cast("list[dict[str, str]]", call("csv.parse", text[: limits.MAX_TEXT_UNITS]))
    assert len(row["a"]) == limits.MAX_TEXT_UNITS - 4
    assert csv.field_size_limit() >= limits.MAX_TEXT_UNITS


@pytest.mark.parametrize("tail", ["xx", "😀"], ids=["one-unit", "two-units"])
def test_a_text_past_the_cap_is_refused_by_its_utf_16_length(call: Call, tail: str) -> None:
    fits = "x" * (limits.MAX_TEXT_UNITS - 2) + tail
    assert call("csv.parse", fits) == []
    with pytest.raises(HostCallError, match=f"input exceeds the {limits.MAX_TEXT_UNITS} character limit"):
        call("csv.parse", "x" + fits)


def test_bytes_past_the_cap_are_refused(call: Call) -> None:
    with pytest.raises(HostCallError, match=f"input exceeds the {limits.MAX_INPUT_BYTES} byte limit"):
        call("csv.parse", b"x" * (limits.MAX_INPUT_BYTES + 1))


@pytest.mark.parametrize("header", [True, False])
def test_a_row_past_the_column_cap_is_refused(call: Call, header: object) -> None:
    fits = "," * (limits.CSV_MAX_COLUMNS - 1)
    assert len(rows(fits, header=False)) == 1
    with pytest.raises(HostCallError, match=f"more than {limits.CSV_MAX_COLUMNS} columns"):
        call("csv.parse", fits + ",", {"header": header})


def test_a_table_past_the_cell_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_csv, "CSV_MAX_CELLS", 10)
    assert len(rows("1,2\n" * 5, header=False)) == 5
    with pytest.raises(HostCallError, match="more than 10 cells"):
        rows("1,2\n" * 5 + "1", header=False)


def test_a_long_header_over_many_rows_is_refused_as_records_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_csv, "CSV_MAX_KEY_UNITS", 100)
    fits = "x" * 50 + "\n" + "a\n" * 2
    assert len(rows(fits)) == 2
    with pytest.raises(HostCallError, match="pass header: false"):
        rows(fits + "a\n")
    assert len(rows(fits + "a\n", header=False)) == 4


def test_equal_names_are_numbered_in_one_pass() -> None:
    names = ["a"] * limits.CSV_MAX_COLUMNS
    (row,) = cast("list[dict[str, str]]", rows(",".join(names) + "\n" + ",".join("1" for _ in names)))
    assert list(row)[:3] == ["a", "a_1", "a_2"]
    assert len(row) == limits.CSV_MAX_COLUMNS


@pytest.mark.parametrize(
    "text",
    ['"' + "a" * 500_000, '"' * 500_001, '" ' * 250_000, '"," ' * 100_000, "\r" * 500_000, "a\n" * 200_000],
    ids=["unclosed", "quotes", "quotes-and-spaces", "fields", "blank-lines", "rows"],
)
@pytest.mark.parametrize("where", ["csv.parse", "csv.parseWithErrors", "csv.detect"])
def test_odd_input_ends_in_an_answer_or_a_refusal(call: Call, where: str, text: str) -> None:
    try:
        call(where, text)
    except HostCallError as refusal:
        assert refusal.message.startswith(f"{where}: more than")  # noqa: PT017  (either is right)


@pytest.mark.parametrize("line_end", ["\u0085", "\u2028", "\v", "\f"])
def test_only_carriage_return_and_line_feed_end_rows(line_end: str) -> None:
    assert rows(f"a{line_end}b,c\n1,2\n", header=False) == [[f"a{line_end}b", "c"], ["1", "2"]]


@pytest.mark.parametrize("delimiter", ['"', "\n", "\r", "\ufeff"])
def test_a_delimiter_that_cannot_be_one_counts_as_a_comma(call: Call, delimiter: str) -> None:
    assert rows("a,b\n1,2", delimiter=delimiter) == [{"a": "1", "b": "2"}]
    assert call("csv.stringify", [["a", "b"]], {"delimiter": delimiter}) == "a,b"


def test_numbers_booleans_and_nothing_get_their_types() -> None:
    text = "a\n1\n-0.5\n1e3\n007\n+1\n9007199254740993\n9007199254740992\nTRUE\nfalse\n1.50\n0x1F\n1_0\nNaN\n"
    got = [cast("dict[str, object]", row)["a"] for row in rows(text, dynamicTyping=True)]
    expected = [
        1,
        -0.5,
        1000,
        "007",
        "+1",
        "9007199254740993",
        2.0**53,
        True,
        False,
        1.5,
        "0x1F",
        "1_0",
        "NaN",
    ]
    assert got == expected
    assert [type(each) for each in got] == [type(each) for each in expected]
    assert rows("a,b\n1,\n", dynamicTyping=["b"]) == [{"a": "1", "b": None}]
    assert rows("a,b\n1,x,3\n", dynamicTyping=True) == [{"a": 1, "b": "x", "__parsed_extra": [3]}]
    assert rows("1,\n", dynamicTyping=True, header=False) == [[1, None]]


def test_the_reading_options_work_together() -> None:
    text = 'made by us\n# a note, "with a quote\n a , b ,c\n1, 2 ,3\n#x\n"#no",5,6\n7,8,9\n'
    got = rows(text, skipRows=1, comment="#", trim=True, columns=["c", "a"], maxRows=2)
    assert got == [{"c": "3", "a": "1"}, {"c": "6", "a": "#no"}]


def test_columns_name_the_fields_of_a_table_without_a_header() -> None:
    assert rows("1,2,3\n4\n", header=False, columns=["a", "b"]) == [
        {"a": "1", "b": "2", "__parsed_extra": ["3"]},
        {"a": "4"},
    ]


def test_a_comment_inside_a_quoted_field_is_data() -> None:
    assert rows('a\n"x\n#y"\n#z\n', comment="#") == [{"a": "x\n#y"}]


def test_problems_are_reported_with_the_row_they_are_in() -> None:
    got = report('a,b\n\n1\n"x"y,2\n1,2,3\n5,"open\n')
    told = cast("list[dict[str, object]]", got["errors"])
    assert [(each["row"], each["code"]) for each in told] == [
        (0, "TooFewFields"),
        (1, "BadQuote"),
        (2, "TooManyFields"),
        (3, "UnclosedQuote"),
    ]
    assert told[0]["message"] == "2 fields expected, 1 found"
    assert (got["delimiter"], got["fields"]) == (",", ["a", "b"])
    assert cast("list[object]", got["rows"])[3] == {"a": "5", "b": "open\n"}


def test_a_problem_in_the_header_has_row_minus_one() -> None:
    assert report('"a"x,b\n1,2')["errors"] == [
        {"row": -1, "code": "BadQuote", "message": "a closing quote is followed by more text in its field"}
    ]


def test_no_more_problems_are_listed_than_the_cap_allows() -> None:
    assert len(cast("list[object]", report("a,b\n" + "1\n" * (limits.CSV_MAX_ERRORS + 1))["errors"])) == (
        limits.CSV_MAX_ERRORS
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name;n\r\nann;1\r\n", {"delimiter": ";", "newline": "\r\n", "header": True}),
        ("1\t2\n3\t4\n", {"delimiter": "\t", "newline": "\n", "header": False}),
        ('a,"x\r\ny"\rb,c\r', {"delimiter": ",", "newline": "\r", "header": True}),
        ("", {"delimiter": ",", "newline": "\n", "header": False}),
        ("a,a\n1,2", {"delimiter": ",", "newline": "\n", "header": False}),
    ],
)
def test_detect_tells_delimiter_line_end_and_header(call: Call, text: str, expected: object) -> None:
    assert call("csv.detect", text) == expected


def test_cells_are_written_as_javascript_writes_them(call: Call) -> None:
    cells = [
        True,
        None,
        UNDEFINED,
        1.0,
        -0.0,
        1e21,
        BigInt(7),
        datetime(2024, 1, 2, tzinfo=UTC),
        JSDate(float("nan")),
    ]
    others = [JSDate(8.64e15), b"\x01\x02", [1, [None, 2]], {"a": 1}, JSMap(), JSSet()]
    assert call("csv.stringify", [cells]) == "true,,,1,0,1e+21,7,2024-01-02T00:00:00.000Z,"
    expected = "+275760-09-13T00:00:00.000Z;1,2;1,,2;[object Object];[object Map];[object Set]"
    assert call("csv.stringify", [others], {"delimiter": ";"}) == expected


def test_formulas_are_left_alone_unless_asked_for(call: Call) -> None:
    row = [["=1+1", "-1", -1, "\t=1", "a=1"]]
    assert call("csv.stringify", row) == "=1+1,-1,-1,\t=1,a=1"
    assert call("csv.stringify", row, {"escapeFormulae": True}) == '"\'=1+1","\'-1",-1,"\'\t=1",a=1'


def test_writing_options(call: Call) -> None:
    records: list[object] = [{"a": 1, "b": None}, {"c": 'x"'}]
    assert call("csv.stringify", records, {"quote": "all"}) == '"a","b","c"\n"1",,\n,,"x"""'
    assert (
        call("csv.stringify", records, {"columns": ["c"], "newline": "\r\n", "bom": True})
        == '\ufeffc\r\n\r\n"x"""'
    )
    assert call("csv.stringify", [[1]], {"columns": ["n"]}) == "n\n1"
    assert call("csv.stringify", [{"a": 1}], {"header": False}) == "1"


def test_a_written_table_past_a_cap_is_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_csv, "CSV_MAX_ROWS", 3)
    monkeypatch.setattr(host_csv, "CSV_MAX_CELLS", 6)
    monkeypatch.setattr(host_csv, "MAX_RESULT_UNITS", 20)
    assert call("csv.stringify", [[1, 2]] * 3) == "1,2\n1,2\n1,2"
    for table, message in (
        ([[1]] * 4, "3 rows"),
        ([[1, 2, 3]] * 3, "6 cells"),
        ([["x" * 21]], "20 character"),
    ):
        with pytest.raises(HostCallError, match=message):
            call("csv.stringify", table)


def test_arrays_too_deep_for_text_are_refused(call: Call) -> None:
    deep: list[object] = [1]
    for _ in range(limits.MAX_TEXT_DEPTH):
        deep = [deep]
    with pytest.raises(HostCallError, match=r"^csv\.stringify: arrays nested deeper than"):
        call("csv.stringify", [[deep]])


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (host_csv.parse, "a,b\n" * 3_000),
        (host_csv.parse_with_errors, 'a,"b\n",c\n"x"y\n' * 3_000),
        (host_csv.stringify, [[1]] * 3_000),
        (host_csv.stringify, [{"a": 1}] * 3_000),
        (host_csv.detect, "a,b\n"),
    ],
)
@pytest.mark.parametrize("at", [1, 5])
def test_long_work_asks_for_the_time(function: Callable[..., object], argument: object, at: int) -> None:
    with pytest.raises(HostCallError, match="deadline"):
        function([argument], Over(at))


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), max_size=8)


@pytest.mark.property
@given(st.lists(st.lists(CELL, min_size=2, max_size=4), max_size=5), st.sampled_from([",", ";", "\t", "|"]))
def test_what_is_written_is_read_back(table: list[list[str]], delimiter: str) -> None:
    text = host_csv.stringify([table, {"delimiter": delimiter}], Unhurried())
    assert host_csv.parse([text, {"delimiter": delimiter, "header": False}], Unhurried()) == table


@pytest.mark.property
@given(st.text(alphabet='a1,;|\t "\r\n', max_size=60), st.booleans())
def test_any_text_is_a_table_and_problems_change_no_row(text: str, header: object) -> None:
    options = {"header": header}
    plain = host_csv.parse([text, options], Unhurried())
    assert report(text, header=header)["rows"] == plain
