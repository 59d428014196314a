"""xml, diff and zip on reproductions of faults that other libraries' users reported."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from host_calls import Call
from zip_bytes import Part, archive


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0" encoding="UTF-8"?>\n<r><n>é</n></r>',
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<r><n>é</n></r>',
        '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<r><n>é</n></r>',
    ],
)
def test_xml_does_not_decode_a_text_a_second_time(call: Call, text: str) -> None:
    assert cast("Any", call("xml.parse", text))["r"] == {"n": "é"}


def test_xml_keeps_prefixes_and_queries_by_namespace(call: Call) -> None:
    text = '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m"><title type="text">T</title><m:id>7</m:id></feed>'
    assert call("xml.parse", text) == {
        "feed": {
            "title": {"#text": "T", "@_type": "text"},
            "m:id": "7",
            "@_xmlns": "http://www.w3.org/2005/Atom",
            "@_xmlns:m": "urn:m",
        }
    }
    queries: list[tuple[str, dict[str, str]]] = [
        ("//a:title", {"a": "http://www.w3.org/2005/Atom"}),
        ("//title", {}),
        ("//m:id", {"m": "urn:m"}),
    ]
    found = [call("xml.xpath", text, expression, {"namespaces": names}) for expression, names in queries]
    assert [len(cast("list[object]", each)) for each in found] == [1, 0, 1]


@pytest.mark.parametrize(
    "text",
    [f"<r>{'x' * 5_000_000}</r>", f"<r>{''.join(f'<i{n}/>' for n in range(50_000))}</r>"],
    ids=["one text", "many names"],
)
def test_xml_has_no_limit_that_it_does_not_tell(call: Call, text: str) -> None:
    assert len(json.dumps(call("xml.parse", text))) > 0


@pytest.mark.parametrize(
    ("old", "new", "options", "headers"),
    [
        ("", "new\n", {}, ["@@ -0,0 +1,1 @@"]),
        ("p\nq\n", "p\nn\nq\n", {"context": 0}, ["@@ -1,0 +2,1 @@"]),
        ("old\n", "", {}, ["@@ -1,1 +0,0 @@"]),
        ("same\n", "same\n", {}, []),
    ],
)
def test_diff_numbers_hunks_as_jsdiff_does(
    call: Call, old: str, new: str, options: object, headers: list[str]
) -> None:
    patch = cast("str", call("diff.unified", old, new, options))
    assert [line for line in patch.split("\n") if line.startswith("@@")] == headers


@pytest.mark.parametrize(
    ("text", "patch", "patched"),
    [
        ("one\ntwo\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-three\n+four\n", False),
        ("x\n\nold\n", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n\n-old\n+new\n", "x\n\nnew\n"),
        ("one\r\ntwo\r\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n", "one\r\n2\r\n"),
        ("a\nb\n", "@@ -1 +1 @@\n-a\n+c\n", "c\nb\n"),
    ],
)
def test_diff_applies_a_patch_where_it_fits_and_nowhere_else(
    call: Call, text: str, patch: str, patched: object
) -> None:
    assert call("diff.applyPatch", text, patch) == patched


def test_diff_finds_nothing_in_common_in_twenty_thousand_lines(call: Call) -> None:
    old, new = ("".join(f"{side}{n}\n" for n in range(20_000)) for side in "ab")
    patch = cast("str", call("diff.unified", old, new, {"context": 0}))
    assert sum(line[:2] in {"-a", "+b"} for line in patch.split("\n")) == 40_000


def test_zip_keeps_names_that_an_archive_should_not_have(call: Call) -> None:
    names = [b"dir\\f.txt", b"../up.txt", b"/abs.txt", b"C:\\x.txt", b"a/./b//c.txt"]
    data = archive(*(Part(name=name, content=b"%d" % index) for index, name in enumerate(names)))
    assert call("zip.unzip", data) == {name.decode(): b"%d" % index for index, name in enumerate(names)}


def test_zip_writes_the_same_bytes_for_the_same_files(call: Call) -> None:
    files = {"ü/日本.txt": "grüß", "bin": b"\0\xff", "empty": "", "dir/": b"", "🚀.txt": "x"}
    data = cast("bytes", call("zip.zip", files))
    assert data == call("zip.zip", dict(files))
    assert list(cast("dict[str, bytes]", call("zip.unzip", data))) == list(files)
