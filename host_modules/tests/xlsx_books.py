"""Workbooks for the tests, from the parts of the format, so that any part may be wrong."""

from __future__ import annotations

import io
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGES = "http://schemas.openxmlformats.org/package/2006"
FORMATS = (0, 14, 20, 164, 22)
"""Number formats of the cell styles 0 to 4: none, a date, h:mm, [h]:mm, date and time."""
NO_FILL = '<fill><patternFill patternType="none"/></fill>'


def parts(
    rows: str = "",
    *,
    tail: str = "",
    shared: str = "",
    fill: str = NO_FILL,
    properties: str = "",
    dimension: str = "",
    sheets: str = '<sheet name="S" sheetId="1" r:id="rId1"/>',
    format_code: str = "[h]:mm",
    extra_formats: str = "",
) -> dict[str, str]:
    """The parts of a workbook with one sheet `S`."""
    formats = "".join(f'<xf numFmtId="{each}"/>' for each in FORMATS) + extra_formats
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGES}/content-types"/>',
        "_rels/.rels": (
            f'<Relationships xmlns="{PACKAGES}/relationships">'
            f'<Relationship Id="rId1" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>"
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{properties}<sheets>{sheets}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{PACKAGES}/relationships">'
            f'<Relationship Id="rId1" Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{RELATIONS}/styles" Target="/xl/styles.xml"/>'
            f'<Relationship Id="rId3" Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>'
            f'<Relationship Id="rId4" Type="{RELATIONS}/chartsheet" Target="chartsheets/sheet1.xml"/>'
            f'<Relationship Id="rId5" Type="{RELATIONS}/externalLink" TargetMode="External" Target="file:///x"/>'
            "</Relationships>"
        ),
        "xl/styles.xml": (
            f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" formatCode="{format_code}"/></numFmts>'
            f"<fills>{fill}</fills><cellStyleXfs><xf/></cellStyleXfs><cellXfs>{formats}</cellXfs></styleSheet>"
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{shared}</sst>',
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{MAIN}">{dimension}<sheetData>{rows}</sheetData>{tail}</worksheet>'
        ),
    }


def packed(files: dict[str, str] | dict[str, bytes]) -> bytes:
    """The files as a zip archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def book(rows: str = "", **others: str) -> bytes:
    """A workbook with one sheet `S`."""
    return packed(parts(rows, **others))


def cell(reference: str, value: object, attributes: str = "") -> str:
    """A cell with a value."""
    return f'<c r="{reference}" {attributes}><v>{value}</v></c>'


def text(reference: str, value: str) -> str:
    """A cell with an inline text."""
    return f'<c r="{reference}" t="inlineStr"><is><t>{value}</t></is></c>'


def row(number: int, *cells: str) -> str:
    """A row."""
    return f'<row r="{number}">{"".join(cells)}</row>'
