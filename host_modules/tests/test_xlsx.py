"""xlsx: what the recordings do not cover: caps, options of ours, hostile workbooks, writing."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

import pytest
from host_calls import Call, Over, Unhurried
from hypothesis import given, settings
from hypothesis import strategies as st
from nodetool_sandbox_host import limits, xlsx
from nodetool_sandbox_host._xlsx_write import write
from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from xlsx_books import book, cell, packed, parts, row, text

FLAT = {"header": False, "sheet": "S"}


def written(sheets: object, **options: object) -> bytes:
    return cast("bytes", write([sheets, options], Unhurried()))


def page_of(data: bytes, name: str = "S") -> Worksheet:
    return load_workbook(io.BytesIO(data))[name]


def test_the_module_lists_its_exports_in_facade_order_and_none_is_synchronous() -> None:
    module = HOSTS["xlsx"]
    assert [each.name for each in module.exports] == ["parse", "write", "sheets", "toCsv"]
    assert not any(each.sync for each in module.exports)


SHEET = {"name": "S", "rows": []}
BOOK = book()


@pytest.mark.parametrize(
    ("where", "args", "message"),
    [
        ("xlsx.parse", (), "xlsx.parse: bytes must be a Uint8Array"),
        ("xlsx.parse", ("text",), "xlsx.parse: bytes must be a Uint8Array"),
        ("xlsx.parse", (BOOK, {"sheet": "X"}), 'xlsx.parse: no sheet named "X". Sheets: S'),
        ("xlsx.parse", (BOOK, {"sheet": 1}), 'xlsx.parse: no sheet named "1". Sheets: S'),
        ("xlsx.parse", (BOOK, {"sheet": "s"}), 'xlsx.parse: no sheet named "s". Sheets: S'),
        ("xlsx.parse", (BOOK, {"range": "A0"}), 'xlsx.parse: "A0" is not a cell range such as "B3:F200"'),
        ("xlsx.parse", (BOOK, {"range": "A1:"}), 'xlsx.parse: "A1:" is not a cell range'),
        ("xlsx.parse", (BOOK, {"range": "XFE1"}), 'xlsx.parse: "XFE1" is not a cell range'),
        ("xlsx.parse", (BOOK, {"dates": "x"}), 'xlsx.parse: dates must be "iso" or "date" or "serial"'),
        ("xlsx.parse", (BOOK, {"blank": 0}), 'xlsx.parse: blank must be null or ""'),
        ("xlsx.parse", (BOOK, {"limit": "1"}), "xlsx.parse: limit must be a number from 0 to 1048576"),
        ("xlsx.sheets", (1,), "xlsx.sheets: bytes must be a Uint8Array"),
        ("xlsx.toCsv", (1,), "xlsx.toCsv: bytes must be a Uint8Array"),
        ("xlsx.toCsv", (BOOK, {"sheet": "X"}), 'xlsx.toCsv: no sheet named "X". Sheets: S'),
        ("xlsx.toCsv", (BOOK, {"delimiter": "ab"}), "xlsx.toCsv: delimiter must be a single character"),
        (
            "xlsx.write",
            (),
            "xlsx.write: sheets must be {name: rows} or [{name, rows}], not undefined",
        ),
        ("xlsx.write", ("x",), "xlsx.write: sheets must be {name: rows} or [{name, rows}], not string"),
        ("xlsx.write", (None,), "xlsx.write: sheets must be {name: rows} or [{name, rows}], not object"),
        ("xlsx.write", (1,), "xlsx.write: sheets must be {name: rows} or [{name, rows}], not number"),
        ("xlsx.write", (True,), "xlsx.write: sheets must be {name: rows} or [{name, rows}], not boolean"),
        ("xlsx.write", (BigInt(1),), "xlsx.write: sheets must be {name: rows} or [{name, rows}], not bigint"),
        ("xlsx.write", ({},), "xlsx.write: a workbook needs at least one sheet"),
        ("xlsx.write", ([],), "xlsx.write: a workbook needs at least one sheet"),
        ("xlsx.write", ([1],), "xlsx.write: sheet 1 must be an object with a name"),
        ("xlsx.write", ([{}],), "xlsx.write: sheet 1 has no name"),
        ("xlsx.write", ([{"name": " "}],), "xlsx.write: sheet 1 has no name"),
        ("xlsx.write", ({"S": 1},), 'xlsx.write: sheet "S" must hold an array of rows'),
        ("xlsx.write", ([SHEET, {"name": " s ", "rows": []}],), 'xlsx.write: duplicate sheet name "s"'),
        (
            "xlsx.write",
            ([{**SHEET, "columns": "a"}],),
            'xlsx.write: sheet "S" columns must be an array of names',
        ),
        ("xlsx.write", ([{**SHEET, "styles": 1}],), 'xlsx.write: sheet "S" styles must be an array'),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [1]}],),
            'xlsx.write: every sheet "S" styles entry must be an object',
        ),
        (
            "xlsx.write",
            ({"S": [[1]]},),
            'xlsx.write: sheet "S" rows must be objects (pass header: false for arrays)',
        ),
        (
            "xlsx.write",
            ({"S": [{}]}, {"header": False}),
            'xlsx.write: sheet "S" rows must be arrays when header is false',
        ),
        ("xlsx.write", ({"S": [{"a": b"x"}]},), "xlsx.write: a cell cannot hold bytes"),
        ("xlsx.write", ({"S": [{"a": [b"x"]}]},), "xlsx.write: a cell cannot hold bytes"),
        ("xlsx.write", ([{**SHEET, "styles": [{}]}],), 'xlsx.write: a style needs a range like "A1:C20"'),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [{"range": "A0:B"}]}],),
            'xlsx.write: "A0:B" is not a cell range',
        ),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [{"range": "A1", "color": "red"}]}],),
            'xlsx.write: color must be a hex colour like "FFCC00"',
        ),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [{"range": "A1", "background": 1}]}],),
            'xlsx.write: background must be a hex colour like "FFCC00"',
        ),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [{"range": "A1", "size": 0}]}],),
            "xlsx.write: size must be a number from 1 to 409",
        ),
        (
            "xlsx.write",
            ([{**SHEET, "styles": [{"range": "A1", "numberFormat": 1}]}],),
            "xlsx.write: numberFormat must be a non-empty string",
        ),
        ("xlsx.write", ([{**SHEET, "widths": [-1]}],), 'xlsx.write: sheet "S" widths must be numbers from'),
        (
            "xlsx.write",
            ([{**SHEET, "merges": ["A1:B2", "B2:C3"]}],),
            'xlsx.write: sheet "S" has merges that overlap',
        ),
        (
            "xlsx.write",
            ([{**SHEET, "freeze": "x"}],),
            'xlsx.write: sheet "S" freeze must be a cell like "A2"',
        ),
        ("xlsx.write", ([{**SHEET, "table": "A1"}],), 'xlsx.write: sheet "S" table must be a name'),
        ("xlsx.write", ([{**SHEET, "table": "T"}],), 'xlsx.write: sheet "S" table needs a header'),
        (
            "xlsx.write",
            ({"S": [{"a": {"formula": "1"}}]},),
            'xlsx.write: cell A2 of sheet "S" has a formula; pass allowFormulas: true',
        ),
        (
            "xlsx.write",
            ({"S": [{"a": {"value": 1, "link": "javascript:x"}}]},),
            'xlsx.write: the link of cell A2 of sheet "S" must be an http(s) or mailto address',
        ),
    ],
)
def test_a_wrong_argument_is_refused_in_words(
    call: Call, where: str, args: tuple[object, ...], message: str
) -> None:
    with pytest.raises(HostCallError) as refused:
        call(where, *args)
    assert refused.value.message.startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"not a readable \.xlsx workbook \(.*empty"),
        (b"PK\x03\x04 nothing", r"not a readable \.xlsx workbook"),
        (b"\xd0\xcf\x11\xe0" + b"x" * 100, r"this is an old \.xls \(or encrypted\) file; save it as \.xlsx"),
        (packed({"xl/workbook.bin": ""}), r"this is an \.xlsb file"),
        (packed({"content.xml": "<x/>"}), r"this is an \.ods file"),
        (packed({"x": ""}), "it holds no workbook"),
        (book("<row><c t='s'><v>9</v></c></row>"), "cell A1 refers to a shared text that is not there"),
        (book("<row r='99999999999'/>"), "outside of any sheet"),
        (book("<row r='0'/>"), "outside of any sheet"),
        (book("<row><c r='A0'/></row>"), '"A0", outside of any sheet'),
        (book("<row><c r='ZZZZ1'/></row>"), '"ZZZZ1", outside of any sheet'),
        (book("<row r='1048577'/>"), "outside of any sheet"),
        (book("<row><c></row>"), "not well-formed XML"),
        (book("", sheets='<sheet name="x" r:id="rId9"/>'), "a sheet has no part"),
    ],
)
@pytest.mark.parametrize("where", ["xlsx.parse", "xlsx.sheets", "xlsx.toCsv"])
def test_what_is_no_workbook_is_refused_in_words(call: Call, where: str, data: bytes, message: str) -> None:
    if where == "xlsx.sheets" and "shared text" in message:
        return  # no value is read there
    with pytest.raises(HostCallError, match=message) as refused:
        call(where, data)
    assert refused.value.message.startswith(f"{where}: ")


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"]
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_in_every_part(call: Call, part: str, codec: str) -> None:
    given: dict[str, bytes] = {name: content.encode() for name, content in parts().items()}
    doctype = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;">]>'
    given[part] = (doctype + parts()[part]).encode(codec)
    with pytest.raises(HostCallError, match=r"^xlsx\.parse: document type declarations are not allowed$"):
        call("xlsx.parse", packed(given))


def test_a_part_is_utf_8_or_utf_16(call: Call) -> None:
    given: dict[str, bytes] = {name: content.encode() for name, content in parts().items()}
    given["xl/workbook.xml"] = b'<?xml version="1.0" encoding="iso-8859-1"?>' + given["xl/workbook.xml"]
    with pytest.raises(HostCallError, match="neither UTF-8 nor UTF-16"):
        call("xlsx.parse", packed(given))
    given["xl/workbook.xml"] = parts()["xl/workbook.xml"].replace('"S"', '"\u00e9"').encode("utf-16")
    assert call("xlsx.parse", packed(given)) == {"\u00e9": []}


# --- caps, each at N and at N + 1


def tag(size: int) -> str:
    return f'<row a="{"x" * size}"/>'


AT_AND_PAST: list[tuple[str, Callable[[int], bytes], int, str]] = [
    (
        "parts",
        lambda n: packed({**parts(), **{f"x{i}": "" for i in range(n - len(parts()))}}),
        limits.XLSX_MAX_PARTS,
        "xlsx.parse: the workbook has more than 2000 parts",
    ),
    ("rows", lambda n: book("<row/>" * n), limits.XLSX_MAX_ROWS_WALKED, "xlsx.parse: more than 1000000 rows"),
    (
        "sheets",
        lambda n: book(sheets='<sheet name="x" r:id="rId1"/>' * n),
        limits.XLSX_MAX_SHEETS_READ,
        "xlsx.parse: more than 1000 sheets",
    ),
    (
        "shared texts",
        lambda n: book("<row><c/></row>", shared="<si/>" * n),
        limits.XLSX_MAX_SHARED_TEXTS,
        "xlsx.parse: more than 1000000 shared texts",
    ),
    (
        # five are of the part itself
        "depth",
        lambda n: book("<a>" * (n - 2) + "</a>" * (n - 2)),
        limits.XLSX_MAX_XML_DEPTH,
        "xlsx.parse: not a readable .xlsx workbook (its part",
    ),
    (
        "attributes",
        lambda n: book("<row " + " ".join(f'a{i}=""' for i in range(n)) + "/>"),
        limits.XLSX_MAX_XML_ATTRIBUTES,
        "xlsx.parse: not a readable .xlsx workbook (its part",
    ),
    (
        "result",
        lambda n: book(
            # the sheet's name is one character of it
            "<row>" + "<c t='s'><v>0</v></c>" * 10 + "<c t='s'><v>1</v></c></row>",
            shared=f"<si><t>{'x' * ((n - 1) // 10)}</t></si><si><t>{'y' * ((n - 1) % 10)}</t></si>",
        ),
        limits.MAX_RESULT_UNITS,
        "xlsx.parse: result exceeds the 10485760 character limit",
    ),
]


@pytest.mark.parametrize(
    ("make", "cap", "message"), [each[1:] for each in AT_AND_PAST], ids=[each[0] for each in AT_AND_PAST]
)
def test_a_cap_of_reading_holds_at_n_and_refuses_n_plus_1(
    call: Call, make: Callable[[int], bytes], cap: int, message: str
) -> None:
    call("xlsx.parse", make(cap), {"header": False})
    with pytest.raises(HostCallError) as refused:
        call("xlsx.parse", make(cap + 1), {"header": False})
    assert refused.value.message.startswith(message)


def test_inflated_bytes_are_counted_as_they_come(call: Call) -> None:
    size = sum(len(each) for each in parts().values()) - len(parts()["[Content_Types].xml"])
    room = limits.XLSX_MAX_INFLATED_BYTES - size
    given = parts(" " * room)
    assert call("xlsx.parse", packed(given)) == {"S": []}
    given = parts(" " * (room + 1))
    with pytest.raises(HostCallError, match="inflates past the 52428800 byte limit"):
        call("xlsx.parse", packed(given))
    # a directory that lies about the size does not help
    data = packed(given)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        told = archive.getinfo("xl/worksheets/sheet1.xml").file_size
    lying = data.replace(told.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(HostCallError, match=r"^xlsx\.parse: "):
        call("xlsx.parse", lying)


def test_parts_without_cells_are_not_inflated(call: Call) -> None:
    held = io.BytesIO(packed(parts(row(1, cell("A1", 1)))))
    with zipfile.ZipFile(held, "a", zipfile.ZIP_DEFLATED) as archive:
        for name in ("xl/media/a.png", "xl/vbaProject.bin", "xl/drawings/d.vml"):
            archive.writestr(name, b"\0" * (limits.XLSX_MAX_INFLATED_BYTES // 2 + 1))
    assert call("xlsx.parse", held.getvalue(), FLAT) == [[1]]


def test_cells_are_counted_with_the_gaps_that_are_given(call: Call) -> None:
    wide = limits.XLSX_LAST_COLUMN
    rows = limits.XLSX_MAX_CELLS_READ // wide
    data = book("".join(row(number, cell(f"XFD{number}", 1)) for number in range(1, rows + 1)))
    assert len(cast("list[object]", call("xlsx.parse", data, FLAT))) == rows
    data = book("".join(row(number, cell(f"XFD{number}", 1)) for number in range(1, rows + 2)))
    with pytest.raises(HostCallError, match="more than 2000000 cells; read a part with sheet and range"):
        call("xlsx.parse", data, FLAT)


def test_a_cell_in_the_last_corner_costs_one_row(call: Call) -> None:
    data = book(
        row(1, text("A1", "a")) + row(limits.XLSX_LAST_ROW, cell("XFD1048576", 1)),
        dimension='<dimension ref="A1:XFD1048576"/>',
    )
    rows = cast("list[list[object]]", call("xlsx.parse", data, FLAT))
    assert [len(each) for each in rows] == [1, limits.XLSX_LAST_COLUMN]
    assert call("xlsx.sheets", data) == [
        {"name": "S", "state": "visible", "rows": limits.XLSX_LAST_ROW, "columns": limits.XLSX_LAST_COLUMN}
    ]
    with pytest.raises(HostCallError, match="more than 2000000 cells"):
        call("xlsx.parse", data, {**FLAT, "blankRows": True})


def test_a_long_tag_is_refused_before_it_costs_its_square(call: Call) -> None:
    assert call("xlsx.parse", book(tag(limits.XLSX_MAX_TAG_BYTES - 200_000)), FLAT) == []
    with pytest.raises(HostCallError, match="has a tag longer than 1048576 bytes"):
        call("xlsx.parse", book(tag(limits.XLSX_MAX_TAG_BYTES + 200_000)), FLAT)


def test_column_names_are_counted_for_each_row(call: Call) -> None:
    size = 32_766
    rows = limits.XLSX_MAX_KEY_UNITS // (size + 1)
    head = row(1, text("A1", "k" * size))
    assert call("xlsx.parse", book(head + "<row><c><v>1</v></c></row>" * rows), {"sheet": "S"})
    with pytest.raises(HostCallError, match="column names repeated in every row exceed 67108864 characters"):
        call("xlsx.parse", book(head + "<row><c><v>1</v></c></row>" * (rows + 1)), {"sheet": "S"})


@pytest.mark.parametrize(
    "tail",
    [
        '<mergeCell ref="A1:CV20001"/>',
        '<mergeCell ref="A1:CV10000"/>' * 3,
        '<mergeCell ref="A1:XFD1048576"/>',
    ],
)
def test_merged_cells_count(call: Call, tail: str) -> None:
    data = book(row(1, cell("A1", 1)), tail=f"<mergeCells>{tail}</mergeCells>")
    with pytest.raises(HostCallError, match="more than 2000000 cells"):
        call("xlsx.parse", data, FLAT)
    assert call("xlsx.parse", data, {**FLAT, "merged": "first"}) == [[1]]
    assert call("xlsx.parse", data, {**FLAT, "range": "A1:B1"}) == [[1, 1]]


def test_a_number_format_that_is_too_long_is_none(call: Call) -> None:
    cells = row(1, cell("A1", 1, 's="3"'))
    longest = "d" * limits.XLSX_MAX_FORMAT_UNITS
    assert call("xlsx.parse", book(cells, format_code=longest), FLAT) == [["1900-01-01T00:00:00.000Z"]]
    assert call("xlsx.parse", book(cells, format_code=longest + "d"), FLAT) == [[1]]
    assert call("xlsx.parse", book(cells, format_code="[" * 1_000_000), FLAT) == [[1]]


def test_many_styles_are_read(call: Call) -> None:
    data = book(row(1, cell("A1", 1, 's="65004"')), extra_formats='<xf numFmtId="14"/>' * 65_000)
    assert call("xlsx.parse", data, FLAT) == [["1900-01-01T00:00:00.000Z"]]


def test_a_damaged_workbook_is_a_refusal_of_ours_or_a_right_value(call: Call) -> None:
    data = book(row(1, text("A1", "a"), cell("B1", 1, 's="1"')), shared="<si><t>x</t></si>")
    chance = random.Random(7)  # noqa: S311  (which bytes are damaged)
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        cut = bytes(damaged)[: chance.choice((len(data), chance.randrange(len(data))))]
        try:
            call("xlsx.parse", cut)
        except HostCallError as error:
            assert error.message.startswith("xlsx.parse: ")  # noqa: PT017  (either end is right)


CELLS = st.text(st.sampled_from("<>/\"'= crvtsiA1f0-.e&;x"), max_size=60)


@pytest.mark.property
@settings(deadline=None)
@given(CELLS)
def test_odd_markup_is_a_refusal_of_ours_or_a_value(markup: str) -> None:
    try:
        xlsx.parse([book(markup), {}], Unhurried())
    except HostCallError as error:
        assert error.message.startswith("xlsx.parse: ")  # noqa: PT017  (either end is right)


# --- reading


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        ("<c><v>1e400</v></c>", float("inf")),
        ("<c><v>NaN</v></c>", "NaN"),
        ("<c><v>abc</v></c>", "abc"),
        ("<c><v> 7 </v></c>", 7),
        ("<c><v>0x10</v></c>", "0x10"),
        ("<c><v>1e3</v></c>", 1000),
        ("<c><v>9007199254740993</v></c>", 9007199254740992.0),
        ('<c s="1"><v>0</v></c>', "00:00:00"),
        ('<c s="2"><v>0.53125</v></c>', "12:45:00"),
        ('<c s="2"><v>0.531251</v></c>', "12:45:00.086"),
        ('<c s="2"><v>43831.5</v></c>', "2020-01-01T12:00:00.000Z"),
        ('<c s="3"><v>1.5625</v></c>', "37:30:00"),
        ('<c s="3"><v>-0.5</v></c>', "-12:00:00"),
        ('<c s="3"><v>1e300</v></c>', 1e300),
        ('<c s="1"><v>60</v></c>', "1900-02-28T00:00:00.000Z"),
        ('<c s="1"><v>-1</v></c>', -1),
        ('<c s="1"><v>1e10</v></c>', 10**10),
        ('<c s="1"><v>0.9999999999</v></c>', "1900-01-01T00:00:00.000Z"),
        ('<c s="99"><v>5</v></c>', 5),
        ('<c s="x"><v>5</v></c>', 5),
        ('<c t="b"><v>true</v></c>', True),
        ('<c t="d"><v>2024-03-05T07:08:09.1234+02:00</v></c>', "2024-03-05T05:08:09.123Z"),
        ('<c t="d"><v>soon</v></c>', "soon"),
        ('<c t="str"><v>_x0041_</v></c>', "A"),
        ('<c r="a1"><v>5</v></c>', 5),
        ('<c t="inlineStr"><is><r><t>a</t></r><r><t> b</t></r><rPh><t>f</t></rPh></is></c>', "a b"),
    ],
)
def test_a_cell_is_its_value(call: Call, cells: str, value: object) -> None:
    assert call("xlsx.parse", book(f"<row>{cells}</row>"), FLAT) == [[value]]


def test_prefixed_names_and_missing_references_are_read(call: Call) -> None:
    given = parts()
    given["xl/worksheets/sheet1.xml"] = (
        '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row>'
        "<x:row/><x:row><x:c><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    )
    assert call("xlsx.parse", packed(given), {**FLAT, "blankRows": True}) == [[1, 2], [None, None], [3, None]]


def test_names_that_javascript_knows_are_data(call: Call) -> None:
    data = book(
        row(1, text("A1", "__proto__"), text("B1", "constructor"), cell("C1", 5), cell("D1", 1, 't="b"'))
        + row(2, cell("A2", 1), cell("B2", 2)),
        sheets='<sheet name="__proto__" r:id="rId1"/>',
    )
    assert call("xlsx.parse", data) == {
        "__proto__": [{"__proto__": 1, "constructor": 2, "5": None, "true": None}]
    }


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({"range": "B2:C3"}, [["b", None]]),
        ({"range": "C3:B2", "header": False}, [["b", "c"]]),
        ({"headerRow": 2}, [{"col_1": 3, "b": 4, "c": None}]),
        ({"limit": 1}, [{"h": None, "col_2": "b", "col_3": "c"}]),
        ({"limit": 0}, []),
        ({"header": False, "limit": 1}, [["h"]]),
        ({"header": False, "blank": ""}, [["h"], ["", "b", "c"], [3, 4]]),
        (
            {"header": False, "skipEmptyRows": False, "limit": 3},
            [["h", None, None], [None, "b", "c"], [None] * 3],
        ),
        ({"blank": "", "headerRow": 4}, [{"col_1": 3, "col_2": 4}]),
        ({"header": None, "sheet": 0}, [["h"], [None, "b", "c"], [3, 4]]),
    ],
)
def test_options_choose_what_is_read(call: Call, options: dict[str, object], rows: object) -> None:
    data = book(
        row(1, text("A1", "h"))
        + row(2, text("B2", "b"), text("C2", "c"))
        + row(5, cell("A5", 3), cell("B5", 4))
    )
    if options == {"range": "B2:C3"}:
        rows = []  # a header alone
    assert call("xlsx.parse", data, {"sheet": "S", **options}) == rows


def test_dates_are_given_as_asked(call: Call) -> None:
    data = book(row(1, cell("A1", 43831.5, 's="4"'), cell("B1", 0.5, 's="2"')))
    assert call("xlsx.parse", data, {**FLAT, "dates": "date"}) == [
        [datetime(2020, 1, 1, 12, tzinfo=UTC), "12:00:00"]
    ]
    assert call("xlsx.parse", data, {**FLAT, "dates": "serial"}) == [[43831.5, 0.5]]


def test_sheets_that_are_hidden_are_given_and_charts_are_not(call: Call) -> None:
    data = book(
        sheets='<sheet name="V" r:id="rId1"/><sheet name="H" state="veryHidden" r:id="rId1"/>'
        '<sheet name="C" r:id="rId4"/>'
    )
    assert call("xlsx.parse", data) == {"V": [], "H": []}
    listed = cast("list[dict[str, object]]", call("xlsx.sheets", data))
    assert [each["state"] for each in listed] == ["visible", "veryHidden"]


def test_a_sheet_becomes_csv(call: Call) -> None:
    data = book(row(1, text("A1", "x,y"), cell("B1", 1.5)) + row(3, cell("B3", 1, 't="b"')))
    assert call("xlsx.toCsv", data) == '"x,y",1.5\n,\n,true'
    assert call("xlsx.toCsv", data, {"delimiter": ";", "sheet": "S"}) == "x,y;1.5\n;\n;true"


@pytest.mark.parametrize(
    ("export", "data"),
    [
        (xlsx.parse, book("<row><c/></row>" * 5_000)),
        (xlsx.sheets, book("<row><c/></row>" * 50_000)),
        (xlsx.to_csv, book("<row><c/></row>" * 5_000)),
    ],
)
def test_the_clock_is_looked_at_while_reading(
    export: Callable[[list[object], Over], object], data: bytes
) -> None:
    for at in (1, 3, 6):
        with pytest.raises(HostCallError, match="deadline"):
            export([data], Over(at))


# --- writing


def test_records_get_the_union_of_their_keys_as_header() -> None:
    data = written({"S": [{"b": 1, "a": UNDEFINED}, {"c": None, "a": True}]})
    assert [[each.value for each in line] for line in page_of(data).iter_rows()] == [
        ["b", "a", "c"],
        [1, None, None],
        [None, True, None],
    ]
    chosen = written([{"name": "S", "rows": [{"a": 1, "b": 2}], "columns": ["b", "x"]}])
    assert [[each.value for each in line] for line in page_of(chosen).iter_rows()] == [["b", "x"], [2, None]]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (-0.0, 0),
        (1.5, 1.5),
        (float("inf"), None),
        (BigInt(5), 5),
        (BigInt(2**70), str(2**70)),
        (JSDate(float("nan")), None),
        (JSDate(-1e15), "-029719-04-05T22:13:20.000Z"),
        (datetime(1899, 1, 1, tzinfo=UTC), "1899-01-01T00:00:00.000Z"),
        ([1, UNDEFINED, {"a": UNDEFINED, "b": BigInt(2**70)}], '[1,null,{"b":"1180591620717411303424"}]'),
        ({"at": datetime(2020, 1, 1, tzinfo=UTC)}, '{"at":"2020-01-01T00:00:00.000Z"}'),
        ([float("nan"), JSMap(), JSSet(), JSDate(float("nan"))], "[null,{},{},null]"),
        ({}, "{}"),
        ("a\x00\x0b\ufffe\ud800b", "ab"),
        ("\ud83d\ude00", "\U0001f600"),
        ("+1", "+1"),
        ("", None),  # an empty text is an empty cell
    ],
)
def test_a_value_is_written_as_a_cell_holds_it(call: Call, value: object, shown: object) -> None:
    data = written({"S": [[value, "end"]]}, header=False)
    assert call("xlsx.parse", data, FLAT) == [[shown, "end"]]


def test_a_text_is_never_a_formula() -> None:
    page = page_of(written({"S": [["=1+1", "@x", "#REF!"]]}, header=False, quotePrefix=True))
    assert [each.data_type for each in page[1]] == ["s", "s", "s"]
    assert [bool(each.quotePrefix) for each in page[1]] == [True, True, False]


def test_styles_are_applied_in_order() -> None:
    styles: list[object] = [
        {"range": "A1:B2", "bold": True, "color": "#ff0000"},
        {"range": "B2:A1", "italic": True, "background": "80FFCC00"},
        {"range": "A1", "size": 20, "numberFormat": "0.00", "bold": False, "background": "00ff00"},
    ]
    page = page_of(written([{"name": "S", "rows": [{"a": 1, "b": 2}], "styles": styles}]))
    assert (page["B2"].font.b, page["B2"].font.i, page["B2"].font.color.rgb) == (True, True, "FFFF0000")
    assert page["B2"].fill.fgColor.rgb == "80FFCC00"
    assert (page["A1"].font.b, page["A1"].font.sz, page["A1"].number_format) == (False, 20, "0.00")
    assert page["A1"].fill.fgColor.rgb == "FF00FF00"


def test_a_style_does_not_take_a_dates_format(call: Call) -> None:
    moment = datetime(2020, 1, 1, tzinfo=UTC)
    styles: list[object] = [{"range": "A1:A3", "bold": True}]
    data = written([{"name": "S", "header": False, "rows": [[1], [moment], [2]], "styles": styles}])
    assert call("xlsx.parse", data, FLAT) == [[1], ["2020-01-01T00:00:00.000Z"], [2]]


def test_a_sheet_has_widths_panes_merges_filters_and_tables() -> None:
    sheet = {"name": "S", "rows": [{"a": "x" * 100, "b": "y" * 20, "c": 1}], "widths": [12], "freeze": "$a$2"}
    page = page_of(written([{**sheet, "merges": ["D1:E2"], "autoFilter": True}]))
    widths = [page.column_dimensions[each].width for each in "ABC"]
    assert widths == [12, 22, limits.XLSX_MIN_COLUMN_WIDTH]
    assert (page.freeze_panes, page.auto_filter.ref) == ("A2", "A1:C2")
    assert [str(each) for each in page.merged_cells.ranges] == ["D1:E2"]
    page = page_of(written([{**sheet, "widths": None, "table": "Data"}]))
    assert page.tables["Data"].ref == "A1:C2"
    assert page.column_dimensions["A"].width == limits.XLSX_MAX_COLUMN_WIDTH
    page = page_of(written({"S": [{"a": "x" * 100}]}, autoFitColumns=False))
    assert page.column_dimensions["A"].width == 13


def test_described_cells_have_formulas_formats_and_links(call: Call) -> None:
    rows = [
        [
            2,
            {"formula": "=A1*2", "numberFormat": "0.0"},
            {"value": "go", "link": "https://a.b/?c=d"},
            {"value": 1, "x": 2},
        ]
    ]
    data = written({"S": rows}, header=False, allowFormulas=True)
    page = page_of(data)
    assert (page["B1"].value, page["B1"].number_format) == ("=A1*2", "0.0")
    assert page["C1"].hyperlink.target == "https://a.b/?c=d"
    assert page["D1"].value == '{"value":1,"x":2}'
    assert call("xlsx.parse", data, {**FLAT, "formulas": "text"}) == [[2, "=A1*2", "go", '{"value":1,"x":2}']]


@pytest.mark.parametrize(
    "formula",
    [
        'WEBSERVICE("http://x")',
        'webservice ("http://x")',
        "cmd|'/c calc'!A0",
        "DDE(1)",
        "[other.xlsx]S!A1",
        "1+'[other.xlsx]My ''S'!A1",
        "_xlfn.WEBSERVICE(A1)",
        "'\\\\host\\share\\[b.xlsx]S'!A1",
        'HYPERLINK("file:///c:/x")',
        'HYPERLINK("javascript:x", "y")',
        "HYPERLINK(A1)",
        "'file:///x'#S.A1",
        "RTD(1)",
        "",
        "=",
        5,
    ],
)
def test_a_formula_that_reaches_out_is_refused(formula: object) -> None:
    with pytest.raises(HostCallError, match=r'^xlsx\.write: the formula of cell A1 of sheet "S"'):
        written({"S": [[{"formula": formula}]]}, header=False, allowFormulas=True)


@pytest.mark.parametrize(
    "formula",
    [
        'HYPERLINK("https://a.b","x")',
        "SUM(A1:A3)",
        "Data[Price]*2+'My S'!A1",
        "Data[x]+S!A1",
        '"a|b"&"[x]y!"',
        "S!A1",
    ],
)
def test_a_formula_that_stays_is_written(formula: str) -> None:
    assert written({"S": [[{"formula": formula}]]}, header=False, allowFormulas=True)


def spec(**others: object) -> list[object]:
    return [{"name": "S", "rows": [], **others}]


WRITTEN_AT_AND_PAST: list[tuple[str, Callable[[int], object], int, str]] = [
    (
        "sheets",
        lambda n: {f"s{i}": [] for i in range(n)},
        limits.XLSX_MAX_SHEETS_WRITTEN,
        "xlsx.write: 65 sheets exceeds the 64 sheet limit",
    ),
    (
        "cells",
        lambda n: spec(rows=[[None] * 1000] * (n // 1000) + [[None] * 1000] * (n % 1000 > 0), header=False),
        limits.XLSX_MAX_CELLS_WRITTEN,
        "xlsx.write: the workbook exceeds the 250000 cell limit",
    ),
    (
        "merged cells",
        lambda n: spec(merges=[f"A1:A{n}"]),
        limits.XLSX_MAX_CELLS_WRITTEN,
        "xlsx.write: the workbook exceeds the 250000 cell limit",
    ),
    (
        "cell text",
        lambda n: spec(rows=[["x" * n]], header=False),
        limits.XLSX_MAX_CELL_UNITS,
        "xlsx.write: a cell holds at most 32767 characters",
    ),
    (
        "name",
        lambda n: {"x" * n: []},
        limits.XLSX_MAX_NAME_UNITS,
        "xlsx.write: sheet name",
    ),
    (
        "styles",
        lambda n: spec(styles=[{"range": "A1"}] * n),
        limits.XLSX_MAX_STYLES,
        'xlsx.write: sheet "S" has more than 10000 styles',
    ),
    (
        "format",
        lambda n: spec(styles=[{"range": "A1", "numberFormat": "0" * n}]),
        limits.XLSX_MAX_FORMAT_UNITS,
        "xlsx.write: numberFormat is longer than 255 characters",
    ),
    (
        "formula",
        lambda n: spec(rows=[[{"formula": "1" * n}]], header=False),
        limits.XLSX_MAX_FORMULA_UNITS,
        "xlsx.write: the formula of cell A1",
    ),
    (
        "link",
        lambda n: spec(rows=[[{"value": 1, "link": "https://" + "x" * (n - 8)}]], header=False),
        limits.XLSX_MAX_LINK_UNITS,
        "xlsx.write: the link of cell A1",
    ),
    (
        "links",
        lambda n: spec(
            rows=[[{"value": 1, "link": "https://x"}] * 10] * (n // 10)
            + [[{"value": 1, "link": "https://x"}] * (n % 10)],
            header=False,
        ),
        limits.XLSX_MAX_LINKS,
        "xlsx.write: more than 10000 links",
    ),
    (
        "texts",
        lambda n: spec(rows=[["x" * 32_000]] * (n // 32_000) + [["x" * (n % 32_000)]], header=False),
        limits.MAX_RESULT_UNITS,
        "xlsx.write: the texts of the workbook exceed the 10485760 character limit",
    ),
]


@pytest.mark.parametrize(
    ("make", "cap", "message"),
    [each[1:] for each in WRITTEN_AT_AND_PAST],
    ids=[each[0] for each in WRITTEN_AT_AND_PAST],
)
def test_a_cap_of_writing_holds_at_n_and_refuses_n_plus_1(
    make: Callable[[int], object], cap: int, message: str
) -> None:
    assert written(make(cap), allowFormulas=True)
    with pytest.raises(HostCallError) as refused:
        written(make(cap + 1), allowFormulas=True)
    assert refused.value.message.startswith(message)


def test_cells_of_styles_count(call: Call) -> None:
    with pytest.raises(HostCallError, match="exceeds the 250000 cell limit"):
        call("xlsx.write", spec(styles=[{"range": "A1:XFD1048576", "bold": True}]))


def test_nothing_is_written_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        message = "a file was made"
        raise AssertionError(message)

    for name in ("NamedTemporaryFile", "TemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    monkeypatch.setattr("openpyxl.worksheet._writer.NamedTemporaryFile", refuse)
    assert written({"S": [{"a": 1}]})


def test_no_time_of_the_host_is_in_a_workbook() -> None:
    data = written({"S": [{"a": 1}]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.read("docProps/core.xml").count(b"2000-01-01T00:00:00Z") == 2
    assert written({"S": [{"a": 1}]}) == data


def test_the_clock_is_looked_at_while_writing() -> None:
    for at in (1, 2, 5, 9):
        with pytest.raises(HostCallError, match="deadline"):
            write([{"S": [{"a": 1}] * 3_000}], Over(at))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.floats(allow_nan=False, allow_infinity=False).filter(lambda each: each != 0),
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
        min_size=1,
        max_size=20,
    ),
)


@pytest.mark.property
@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(VALUES, max_size=4), max_size=4))
def test_rows_come_back_as_they_were_written(rows: list[list[object]]) -> None:
    back = xlsx.parse([written({"S": rows}, header=False), {**FLAT, "blankRows": True}], Unhurried())
    kept = [*rows]
    while kept and all(each is None for each in kept[-1]):
        kept.pop()
    width = max((at for each in kept for at, value in enumerate(each, 1) if value is not None), default=0)
    assert back == [(each + [None] * width)[:width] for each in kept]
