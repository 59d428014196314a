"""xlsx on reproductions of faults that other libraries' users reported."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import cast

import pytest
from host_calls import Call
from nodetool_sandbox_registry.hosts import HostCallError
from openpyxl import load_workbook
from xlsx_books import book, cell, packed, parts, row, text

FLAT = {"header": False, "sheet": "S"}


def test_a_workbook_of_1904_has_its_own_dates(call: Call) -> None:
    data = book(row(1, cell("A1", 43894, 's="1"')), properties='<workbookPr date1904="1"/>')
    assert call("xlsx.parse", data, FLAT) == [["2024-03-05T00:00:00.000Z"]]


def test_values_are_read_whatever_the_decoration_is(call: Call) -> None:
    given = parts(row(1, cell("A1", 7)), fill="<fill/>")
    assert call("xlsx.parse", packed(given), FLAT) == [[7]]
    del given["xl/styles.xml"]
    assert call("xlsx.parse", packed(given), FLAT) == [[7]]
    del given["xl/sharedStrings.xml"], given["[Content_Types].xml"], given["_rels/.rels"]
    assert call("xlsx.parse", packed(given), FLAT) == [[7]]


def test_formulas_errors_booleans_and_rich_text(call: Call) -> None:
    data = book(
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>SUM(A1:A9)</f></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1" t="str"><f>"x"</f><v>x</v></c>'
        '<c r="E1" t="b"><v>1</v></c><c r="F1" t="s"><v>0</v></c>'
        '<c r="G1"><f t="shared" ref="G1:G2" si="0">A1*2</f><v>4</v></c></row>'
        '<row r="2"><c r="G2"><f t="shared" si="0"/><v>6</v></c></row>',
        shared='<si><r><t xml:space="preserve">a </t></r><r><rPr><b/></rPr><t>b</t></r>'
        '<rPh sb="0" eb="1"><t>furi</t></rPh></si>',
    )
    rows = [[2, None, "#DIV/0!", "x", True, "a b", 4], [None, None, None, None, None, None, 6]]
    assert call("xlsx.parse", data, FLAT) == rows
    formulas = cast("list[list[object]]", call("xlsx.parse", data, {**FLAT, "formulas": "text"}))
    assert formulas[0] == ["=1+1", "=SUM(A1:A9)", "=1/0", '="x"', True, "a b", "=A1*2"]
    assert formulas[1][6] == "=A2*2"
    both = cast("list[list[object]]", call("xlsx.parse", data, {**FLAT, "formulas": "both"}))
    assert both[1][6] == {"formula": "=A2*2", "value": 6}


def test_no_value_of_a_ragged_sheet_is_missing(call: Call) -> None:
    data = book(
        row(1, text("A1", "name"), text("C1", "qty"), text("D1", "qty"))
        + row(2, text("A2", "Ann"), cell("B2", 9), cell("C2", 1), cell("D2", 5))
        + row(5, cell("C5", 2))
    )
    ann = {"name": "Ann", "col_2": 9, "qty": 1, "qty_1": 5}
    assert call("xlsx.parse", data, {"sheet": "S"}) == [
        ann,
        {"name": None, "col_2": None, "qty": 2, "qty_1": None},
    ]
    blank = dict.fromkeys(ann)
    assert call("xlsx.parse", data, {"sheet": "S", "blankRows": True}) == [
        ann,
        blank,
        blank,
        {**blank, "qty": 2},
    ]
    # rows without a cell are left out, as in the reference; blankRows keeps each row's place
    assert call("xlsx.parse", data, {**FLAT, "blankRows": True}) == [
        ["name", None, "qty", "qty"],
        ["Ann", 9, 1, 5],
        [None, None, None, None],
        [None, None, None, None],
        [None, None, 2, None],
    ]


@pytest.mark.parametrize(
    ("names", "rule"),
    [
        (["Gross written premium (calendar years)"], "longer than 31 characters"),
        (["a/b"], r"holds one of \* \? : \\ / \[ \]"),
        (["Data", "data"], 'duplicate sheet name "data"'),
        (["'x"], "begins or ends with '"),
        (["\U0001f3ac" * 16], "longer than 31 characters"),
        (["History"], "reserved by Excel"),
        (["a\x01"], "control character"),
        ([""], "sheet 1 has no name"),
    ],
)
def test_a_sheet_name_that_excel_refuses_is_refused_with_the_rule(
    call: Call, names: list[str], rule: str
) -> None:
    with pytest.raises(HostCallError, match=f"^xlsx\\.write: .*{rule}"):
        call("xlsx.write", {name: [] for name in names})


def test_what_is_written_comes_back(call: Call) -> None:
    moment = datetime(2024, 3, 5, 6, 7, 8, 90_000, tzinfo=UTC)
    cells = [
        "=1+1",
        9007199254740993,
        float("nan"),
        "2024-03-05",
        moment,
        "#N/A",
        " x ",
        "a\r\n_x000D_b",
        "-0",
    ]
    data = call("xlsx.write", {"S": [cells]}, {"header": False})
    assert call("xlsx.parse", data, FLAT) == [
        [
            "=1+1",
            "9007199254740993",
            None,
            "2024-03-05",
            "2024-03-05T06:07:08.090Z",
            "#N/A",
            " x ",
            "a\r\n_x000D_b",
            "-0",
        ]
    ]
    page = load_workbook(io.BytesIO(cast("bytes", data)))["S"]
    assert page["A1"].data_type == "s"
    assert page["E1"].is_date


def test_a_cell_that_is_too_long_is_named(call: Call) -> None:
    with pytest.raises(HostCallError, match=r'^xlsx\.write: a cell holds at most 32767 .* B1 of sheet "S"'):
        call("xlsx.write", {"S": [["a", "x" * 40_000]]}, {"header": False})
