"""xml: values by shape, what is no XML with its place, every cap, and no file, network or entity."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from host_calls import Call, Over, call_export
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import xml
from nodetool_sandbox_host.limits import (
    MAX_INPUT_BYTES,
    MAX_RESULT_UNITS,
    MAX_TEXT_UNITS,
    MIB,
    XML_MAX_ATTRIBUTES,
    XML_MAX_DEPTH,
    XML_MAX_EXPRESSION_UNITS,
    XML_MAX_INDENT,
    XML_MAX_KEYS,
    XML_MAX_NAMESPACE_UNITS,
    XML_MAX_NAMESPACES,
    XML_MAX_NODES,
    XML_MAX_RESULTS,
    XML_RESULTS,
)
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED

ALL = ("xml.parse", "xml.xpath", "xml.records", "xml.feed")
EXTERNAL = "entity declarations are not allowed (External entities are not supported)"


def refusal(call: Call, where: str, *args: object) -> str:
    with pytest.raises(HostCallError) as refused:
        call(where, *args)
    return refused.value.message


def read(where: str, text: object, options: object = None) -> object:
    """Each of the functions that read, with arguments that fit."""
    second = {"xml.xpath": "/*", "xml.records": "a"}.get(where)
    return call_export(where, text, options) if second is None else call_export(where, text, second, options)


def outcome(where: str, text: object) -> object:
    """The value, or the message of the refusal."""
    try:
        return read(where, text)
    except HostCallError as refused:
        return refused.message


# --- shapes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<a/>", {"a": ""}),
        ("<a>  </a>", {"a": ""}),
        ('<a x="1">hi</a>', {"a": {"#text": "hi", "@_x": "1"}}),
        ("<a>one <b>two</b> three</a>", {"a": {"b": "two", "#text": "onethree"}}),
        ("<r><i>1</i><x/><i>2</i></r>", {"r": {"i": ["1", "2"], "x": ""}}),
        ('<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?><r>é</r>',
         {"?xml": {"@_version": "1.0", "@_encoding": "ISO-8859-1", "@_standalone": "yes"}, "r": "é"}),
        ("<?go a='1' b c=\"2\"?><r><?in x?></r>", {"?go": {"@_a": "1", "@_c": "2"}, "r": {"?in": ""}}),
        ("\ufeff<a>\ud83d\ude00</a>", {"a": "😀"}),
        ("<p:a xmlns:q='u'><p:b q:c='d'/></p:a>", {"p:a": {"p:b": {"@_q:c": "d"}, "@_xmlns:q": "u"}}),
        ("<a b='&lt;&nbsp;'>&amp;lt; &nbsp;&eacute; &#65;&#x1F600;</a>",
         {"a": {"#text": "&lt; &nbsp;&eacute; A😀", "@_b": "<&nbsp;"}}),
        ("<a><!-- &x; --><![CDATA[&x;]]><?p &x;?>&x;</a>", {"a": {"#text": "&x;&x;", "?p": ""}}),
        ("<!DOCTYPE html PUBLIC '-//x' 'http://127.0.0.1:9/x.dtd' [<!ATTLIST a b CDATA 'c'>]><a/>", {"a": ""}),
        ("<__proto__><constructor/></__proto__>", {"__proto__": {"constructor": ""}}),
        (
            """<r><code>007</code><big>12345678901234567890</big><e>0E68</e><i>1</i><x/><i>2</i>
            <b><![CDATA[  keep <b> ]]></b><c>\n <![CDATA[t]]>\n</c><d q="01"/><one>1</one></r>""",
            {"r": {"code": "007", "big": "12345678901234567890", "e": "0E68", "i": ["1", "2"], "x": "",
                   "b": "  keep <b> ", "c": "t", "d": {"@_q": "01"}, "one": "1"}},
        ),
    ],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_a_document_is_a_value(call: Call, text: str, value: object) -> None:
    assert call("xml.parse", text) == value


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"attributes": False}, {"r": {"i": "1", "x:n": ["007", "t"]}}),
        ({"attributes": 0}, {"r": {"i": "1", "x:n": [{"#text": "007", "@_q": "true"}, "t"], "@_xmlns:x": "u"}}),
        ({"attributePrefix": "$", "textKey": "_"},
         {"r": {"i": "1", "x:n": [{"_": "007", "$q": "true"}, "t"], "$xmlns:x": "u"}}),
        ({"alwaysArray": ["r.i"]},
         {"r": {"i": ["1"], "x:n": [{"#text": "007", "@_q": "true"}, "t"], "@_xmlns:x": "u"}}),
        ({"alwaysArray": ["i", "nothing"], "attributes": False}, {"r": {"i": ["1"], "x:n": ["007", "t"]}}),
        ({"stripPrefixes": True, "coerce": True}, {"r": {"i": 1, "n": [{"#text": "007", "@_q": True}, "t"]}}),
        ({"cdataKey": "__cdata", "commentKey": "__note", "attributes": False},
         {"r": {"i": "1", "__note": "c", "x:n": ["007", {"__cdata": "t"}]}}),
        ({"trim": False, "attributes": False}, {"r": {"i": " 1", "x:n": ["007", "t"]}}),
    ],
    ids=str,
)  # fmt: skip
def test_the_options_of_reading_are_kept(call: Call, options: object, value: object) -> None:
    text = "<r xmlns:x='u'><i> 1</i><!-- c --><x:n q='true'>007</x:n><x:n><![CDATA[t]]></x:n></r>"
    assert call("xml.parse", text, options) == value


def test_an_attribute_and_a_child_of_one_name_are_both_kept(call: Call) -> None:
    assert call("xml.parse", "<a b='1'><b>2</b></a>", {"attributePrefix": ""}) == {"a": {"b": ["2", "1"]}}


def test_numbers_are_read_where_that_is_asked_and_safe(call: Call) -> None:
    text = "<r><a>-0</a><a>1.5</a><a>1e3</a><a>9007199254740993</a><a>false</a><a>+1</a><a> 7 </a></r>"
    assert call("xml.parse", text, {"coerce": True}) == {
        "r": {"a": [0, 1.5, 1000, "9007199254740993", False, "+1", 7]}
    }
    assert str(cast("Any", call("xml.parse", "<a>-0</a>", {"coerce": True}))["a"]) == "-0.0"


# --- files


@pytest.mark.parametrize(
    "data",
    [
        '<?xml version="1.0" encoding="windows-1252"?><r a="€">Grüße</r>'.encode("cp1252"),
        "<?xml version='1.0' encoding='iso-8859-1'?><r a=\"€\">Grüße</r>".encode("cp1252"),
        '<?xml version="1.0" encoding="UTF-16"?><r a="€">Grüße</r>'.encode("utf-16"),
        '<?xml version="1.0" encoding="UTF-16"?><r a="€">Grüße</r>'.encode("utf-16-be"),
        "<r a='€'>Grüße</r>".encode("utf-16-le"),
        "<r a='€'>Grüße</r>".encode("utf-8-sig"),
        '<?xml version="1.0" encoding="utf-16"?><r a="€">Grüße</r>'.encode(),
    ],
)
def test_bytes_are_read_in_their_encoding(call: Call, data: bytes) -> None:
    assert cast("Any", call("xml.parse", data))["r"] == {"#text": "Grüße", "@_a": "€"}


def test_bytes_are_read_in_the_encoding_that_the_caller_names_where_they_name_none(call: Call) -> None:
    assert call("xml.parse", "<r>日本</r>".encode("shift_jis"), {"encoding": "shift_jis"}) == {"r": "日本"}
    assert call("xml.records", "<r>é</r>".encode("cp1252"), "r", {"encoding": "latin1"}) == ["é"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            b"<?xml version='1.0' encoding='utf-8'?>\n<r>\xff</r>",
            "bytes that are not UTF-8 in line 2, column 4",
        ),
        (b"\xef\xbb\xbf<r>\xff</r>", "bytes that are not UTF-8 in line 1, column 4"),
        ("<r>x</r>".encode("utf-16") + b"\0", "bytes that are not UTF-16-LE in line 1, column 9"),
        (
            b"<?xml version='1.0' encoding='utf-7'?><r/>",
            'the encoding "utf-7" is not known in line 1, column 1',
        ),
    ],
)
def test_bytes_that_are_not_in_their_encoding_are_refused(call: Call, data: bytes, reason: str) -> None:
    assert refusal(call, "xml.parse", data) == f"xml.parse: invalid XML ({reason})"


def test_the_argument_is_checked_first(call: Call) -> None:
    for where in ALL:
        values: list[object] = [None, 1, UNDEFINED, {}]
        for value in values:
            assert refusal(read, where, value) == f"{where}: text must be a string"
        message = f"{where}: input exceeds the {MAX_TEXT_UNITS} character limit"
        full = "<a>" + "x" * (MAX_TEXT_UNITS - 7) + "</a>"
        assert refusal(read, where, full + " ") == message
        assert refusal(read, where, (full + " ").encode()) == message
        past = bytes(MAX_INPUT_BYTES + 1)
        assert refusal(read, where, past) == f"{where}: input exceeds the {MAX_INPUT_BYTES} byte limit"
    assert cast("Any", call("xml.parse", full))["a"] == "x" * (MAX_TEXT_UNITS - 7)
    for options, name in (({"attributePrefix": 1}, "attributePrefix"), ({"textKey": []}, "textKey")):
        assert refusal(call, "xml.parse", "<a/>", options) == f"xml.parse: {name} must be a string"
    assert "alwaysArray must be an array" in refusal(call, "xml.parse", "<a/>", {"alwaysArray": "a"})


# --- what is no XML


@pytest.mark.parametrize(
    ("text", "reason", "line", "column"),
    [
        ("<a/><b/>", "something after the root element", 1, 5),
        ("<r>1</r>junk", "something after the root element", 1, 9),
        ('<r\na="1"\na="2"/>', "an attribute is repeated", 3, 1),
        ("<r>\n\na & b</r>", "a character that cannot stand here", 3, 4),
        ('<r a="<"/>', "a character that cannot stand here", 1, 7),
        ("<r><a></r>", 'the closing tag of "a" is expected', 1, 9),
        ('  <?xml version="1.0"?><r/>', "XML declaration allowed only at the start of the document", 1, 3),
        ("", "there is no element", 1, 1),
        ("just text", "text where a tag should stand", 1, 1),
        ("<r>\r\n<a>\r\n", '"a" is never closed', 3, 1),
        ("<r>&nbsp;é😀 &foo;\n&nbsp;&</r>", "a character that cannot stand here", 2, 8),
        ("<r>&nbsp;&foo; < </r>", "a character that cannot stand here", 1, 17),
        ("<r>\0</r>", "a character that cannot stand here", 1, 4),
        ("<r>\ud800</r>", "a character that cannot stand here", 1, 4),
        ("<r>]]></r>", "a character that cannot stand here", 1, 6),
        ("<r>&#0;</r>", "a reference to a character that XML has not", 1, 4),
        ("<r><![CDATA[x</r>", "a CDATA section that does not end", 1, 18),
        ("<r><!-- x</r>", "a tag or section that does not end", 1, 4),
        ("<r", "a tag or section that does not end", 1, 1),
    ],
)  # fmt: skip
def test_what_is_not_well_formed_is_refused_with_its_place(
    call: Call, text: str, reason: str, line: int, column: int
) -> None:
    with pytest.raises(HostCallError) as refused:
        call("xml.parse", text)
    assert refused.value.message == f"xml.parse: invalid XML ({reason} in line {line}, column {column})"
    assert refused.value.details == {"line": line, "column": column}


@pytest.mark.parametrize("where", ALL)
@pytest.mark.parametrize(
    ("declaration", "problem"),
    [
        ('<!ENTITY x "hello">', "entity declarations are not allowed"),
        ('<!ENTITY x "x">' * 100, "entity declarations are not allowed"),
        ('<!ENTITY x SYSTEM "FILE">', EXTERNAL),
        ('<!ENTITY x PUBLIC "p" "http://127.0.0.1:9/">', EXTERNAL),
        ('<!ENTITY % x SYSTEM "FILE"> %x;', EXTERNAL),
        ('<!ENTITY % x "y">', "entity declarations are not allowed"),
        ('<!NOTATION n SYSTEM "n"><!ENTITY x SYSTEM "FILE" NDATA n>', EXTERNAL),
        (
            '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x "&b;&b;&b;">',
            "entity declarations are not allowed",
        ),
        ('<!ENTITY x "&y;"><!ENTITY y "&x;">', "entity declarations are not allowed"),
    ],
)
def test_a_declared_entity_is_refused(where: str, declaration: str, problem: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    declaration = declaration.replace("FILE", secret.as_uri())
    for text in (
        f"<!DOCTYPE a [{declaration}]><a b='&x;'>&x;</a>",
        f"<!DOCTYPE a [{declaration}]><a>&x;</a>".encode("utf-16"),
    ):
        assert refusal(read, where, text) == f"{where}: {problem}"


def test_nothing_is_fetched_or_included(call: Call, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("<s>the secret</s>")
    uri = secret.as_uri()
    text = (
        f'<?xml-stylesheet href="{uri}"?><!DOCTYPE a SYSTEM "{uri}">'
        f'<a xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        f' xsi:schemaLocation="u {uri}"><xi:include href="{uri}" parse="text"/>&undefined;</a>'
    )
    for where in ("xml.parse", "xml.xpath"):
        assert "the secret" not in str(read(where, text))
    for expression in (
        f"document('{uri}')",
        f"unparsed-text('{uri}')",
        "system-property('x')",
        "re:test('a', 'a')",
    ):
        assert "is no XPath 1.0 expression" in refusal(call, "xml.xpath", text, expression)


# --- caps


def nested(levels: int, inside: str = "") -> str:
    return "<a>" * levels + inside + "</a>" * levels


def test_depth_is_capped(call: Call) -> None:
    value: Any = call("xml.parse", nested(XML_MAX_DEPTH + 1, "x"))
    for _ in range(XML_MAX_DEPTH + 1):
        value = value["a"]
    assert value == "x"
    message = f"Maximum nested tags exceeded: more than {XML_MAX_DEPTH} levels below the root"
    for levels in (XML_MAX_DEPTH + 2, 300, 100_000):
        for where in ALL:
            assert refusal(read, where, nested(levels)) == f"{where}: {message}"


def test_nodes_are_capped(call: Call) -> None:
    full = "<b/>" * (XML_MAX_NODES - 1)
    assert len(cast("Any", call("xml.parse", f"<a>{full}</a>"))["a"]["b"]) == XML_MAX_NODES - 1
    message = f"more than {XML_MAX_NODES} nodes"
    assert refusal(call, "xml.parse", f"<a>{full}<b/></a>") == f"xml.parse: {message}"
    mixed = "<b/><?p?>" * (XML_MAX_NODES // 2)
    assert refusal(call, "xml.records", f"<a>{mixed}</a>", "a.c") == f"xml.records: {message}"


def test_sections_and_comments_count_where_they_are_kept(call: Call) -> None:
    sections = "<a>" + "<![CDATA[x]]>" * 300_000 + "</a>"
    assert call("xml.parse", sections) == {"a": "x" * 300_000}
    comments = "<a>" + "<!---->" * XML_MAX_NODES + "</a>"
    assert call("xml.parse", comments) == {"a": ""}
    assert "nodes" in refusal(call, "xml.parse", comments, {"commentKey": "c"})


def test_attributes_of_one_element_are_capped(call: Call) -> None:
    def text(count: int) -> str:
        return "<a " + " ".join(f'a{n}=""' for n in range(count)) + "/>"

    assert len(cast("Any", call("xml.parse", text(XML_MAX_ATTRIBUTES)))["a"]) == XML_MAX_ATTRIBUTES
    message = f"more than {XML_MAX_ATTRIBUTES} attributes in one element"
    for count in (XML_MAX_ATTRIBUTES + 1, 300_000):
        assert refusal(call, "xml.parse", text(count)) == f"xml.parse: {message}"
    said = text(XML_MAX_ATTRIBUTES + 1)[3:-2]
    assert refusal(call, "xml.parse", f"<?p {said}?><a/>") == f"xml.parse: {message}"


def test_names_of_one_element_are_capped(call: Call) -> None:
    full = "".join(f"<i{n}/>" for n in range(XML_MAX_KEYS))
    assert len(cast("Any", call("xml.parse", f"<a>{full}</a>"))["a"]) == XML_MAX_KEYS
    message = f"xml.parse: more than {XML_MAX_KEYS} different names in one element"
    assert refusal(call, "xml.parse", f"<a>{full}<x/></a>") == message


@pytest.mark.parametrize(
    "text",
    [
        "<a b='" + "x" * 5_000_000 + "'/>",
        f"<a><!--{'x' * 5_000_000}--></a>",
        f"<a>{'&x;' * 1_700_000}</a>",
        f"<?p {'x' * 5_000_000}?><a/>",
        f"<a>{'<!--' * 1_200_000}",
        f"<a>&x;{'<![CDATA[' * 500_000}",
        f"<a>{'&' * 5_000_000}</a>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA '" + "x" * 100_000 + "'>]><a>" + "<a/>" * 400_000 + "</a>",
        "<a {}/>".format(" ".join(f'xmlns:n{n}="u"' for n in range(100_000))),
    ],
    ids=["attribute", "comment", "references", "instruction", "open comments", "open sections", "ampersands",
         "default attributes", "namespaces"],
)  # fmt: skip
def test_a_text_of_any_kind_is_read_or_refused_in_one_pass(text: str) -> None:
    got = outcome("xml.parse", text)
    assert isinstance(got, dict) or str(got).startswith("xml.parse: ")


def test_a_bomb_of_entities_takes_no_memory(call: Call) -> None:
    laughs = "".join(f"<!ENTITY l{n} '{10 * f'&l{n - 1};'}'>" for n in range(1, 10))
    blow_up = f"<!DOCTYPE a [<!ENTITY x '{'y' * 100_000}'>]><a>{'&x;' * 10_000}</a>"
    tracemalloc.start()
    try:
        for text in (f'<!DOCTYPE a [<!ENTITY l0 "lol">{laughs}]><a>&l9;</a>', blow_up):
            assert refusal(call, "xml.parse", text) == "xml.parse: entity declarations are not allowed"
        assert tracemalloc.get_traced_memory()[1] < 32 * MIB
    finally:
        tracemalloc.stop()


def test_a_long_call_asks_for_the_time() -> None:
    text = f"<r>{'<b>xxxxxxxxxxxxxxxxxxxx</b>' * 50_000}</r>"
    for at in (1, 2, 10):
        for function, second in (
            (xml.parse, None),
            (xml.records, "r.b"),
            (xml.xpath, "//b"),
            (xml.feed, None),
        ):
            with pytest.raises(HostCallError, match="deadline"):
                function([text, second], Over(at))
    with pytest.raises(HostCallError, match="deadline"):
        xml.xpath([text, "//b", {"limit": 5_000}], Over(230))
    with pytest.raises(HostCallError, match="deadline"):
        xml.build([{"r": {"b": ["x"] * 50_000}}], Over(5))


@given(st.text("<>/a='\"& !-[]?;xCDAT\n", max_size=80))
def test_text_of_any_kind_is_refused_or_read(text: str) -> None:
    for where in (*ALL, "xml.build"):
        got = outcome(where, text)
        assert not isinstance(got, str) or got.startswith(f"{where}: ")


# --- xpath

FEED = (
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="urn:m"><title type="text">T</title><m:id>7</m:id>'
    "<!-- note --><?p q?></feed>"
)


@pytest.mark.parametrize(
    ("expression", "options", "found"),
    [
        (
            "//a:title",
            {"namespaces": {"a": "http://www.w3.org/2005/Atom"}},
            [{"#text": "T", "@_type": "text"}],
        ),
        ("//title", {}, []),
        ("//m:id", {"namespaces": {"m": "urn:m"}}, ["7"]),
        ("//@type", {}, ["text"]),
        ("//*[local-name()='title']/text()", {}, ["T"]),
        ("count(//*)", {}, [3]),
        ("count(//*) = 3", {}, [True]),
        ("string(//@type)", {}, ["text"]),
        ("//comment()", {}, [" note "]),
        ("/*/processing-instruction()", {}, ["q"]),
        ("//*", {"limit": 2}, None),
        ("//*", {"limit": 0}, []),
        ("/*/namespace::m", {}, ["urn:m"]),
    ],
)
def test_a_query_finds_elements_attributes_texts_and_values(
    call: Call, expression: str, options: object, found: object
) -> None:
    got = call("xml.xpath", FEED, expression, options)
    assert got == found if found is not None else len(cast("list[object]", got)) == 2


def test_a_found_element_has_the_shape_of_parse(call: Call) -> None:
    text = "<r xmlns:p='u'><p:a x='1'>t<b/></p:a><p:a/></r>"
    whole = cast("Any", call("xml.parse", text))
    assert call("xml.xpath", text, "/r/*") == whole["r"]["p:a"]
    assert call("xml.xpath", text, "/r") == [whole["r"]]


@pytest.mark.parametrize(
    ("expression", "options", "problem"),
    [
        ("", {}, "expression must be a non-empty string"),
        (3, {}, "expression must be a non-empty string"),
        ("//[", {}, '"//[" is no XPath 1.0 expression, or uses a prefix or function that is not known'),
        ("//q:a", {}, '"//q:a" is no XPath 1.0 expression, or uses a prefix or function that is not known'),
        ("$x", {}, '"$x" is no XPath 1.0 expression, or uses a prefix or function that is not known'),
        ("\0", {}, '"\0" is no XPath 1.0 expression, or uses a prefix or function that is not known'),
        ("//a", {"namespaces": {"": "u"}}, '"" is no prefix; XPath 1.0 has no default namespace'),
        ("//a", {"namespaces": {"a b": "u"}}, '"a b" is no prefix; XPath 1.0 has no default namespace'),
        ("//a", {"namespaces": {"a": 1}}, "namespaces must map prefixes to namespace names"),
        ("//a", {"namespaces": ["a"]}, "namespaces must map prefixes to namespace names"),
        ("//a", {"limit": "x"}, f"limit must be a number from 0 to {XML_MAX_RESULTS}"),
    ],
)
def test_a_query_that_is_none_is_refused(
    call: Call, expression: object, options: object, problem: str
) -> None:
    assert refusal(call, "xml.xpath", "<a/>", expression, options).startswith(f"xml.xpath: {problem}")


def test_a_prefix_that_the_document_does_not_declare_is_refused_in_queries_alone(call: Call) -> None:
    assert call("xml.parse", "<p:a/>") == {"p:a": ""}
    assert refusal(call, "xml.xpath", "<p:a/>", "/*").startswith(
        "xml.xpath: invalid XML (a namespace prefix that is not declared"
    )


def test_queries_are_capped(call: Call) -> None:
    many = f"<r>{'<a/>' * (XML_MAX_RESULTS + 1)}</r>"

    def count(options: object) -> int:
        return len(cast("list[object]", call("xml.xpath", many, "//a", options)))

    assert count(None) == XML_RESULTS
    assert count({"limit": XML_MAX_RESULTS + 1}) == XML_MAX_RESULTS
    full = "a" * XML_MAX_EXPRESSION_UNITS
    assert call("xml.xpath", "<a/>", full) == []
    assert "expression exceeds" in refusal(call, "xml.xpath", "<a/>", full + "a")
    spaces = {f"p{n}": "u" * XML_MAX_NAMESPACE_UNITS for n in range(XML_MAX_NAMESPACES)}
    assert call("xml.xpath", "<a/>", "/b", {"namespaces": spaces}) == []
    for more in ({**spaces, "x": "u"}, {"x": "u" * (XML_MAX_NAMESPACE_UNITS + 1)}):
        assert "at most" in refusal(call, "xml.xpath", "<a/>", "/b", {"namespaces": more})
    name = "u" * XML_MAX_NAMESPACE_UNITS
    assert call("xml.xpath", f"<a xmlns='{name}'/>", "/*") == [{"@_xmlns": name}]
    assert "a namespace name is longer" in refusal(call, "xml.xpath", f"<a xmlns:p='{name}u'/>", "/*")


def test_the_size_of_a_result_counts_what_is_found_twice(call: Call) -> None:
    half = "x" * (MAX_RESULT_UNITS // 4)
    text = nested(3, half)
    assert len(cast("list[object]", call("xml.xpath", text, "//*"))) == 3
    message = f"xml.xpath: result exceeds the {MAX_RESULT_UNITS} character limit"
    assert refusal(call, "xml.xpath", nested(4, half), "//*") == message


# --- records and feeds


def test_records_are_a_list_whatever_their_number(call: Call) -> None:
    text = "<rss><channel><title>n</title><item><a>1</a></item><item x='2'/></channel><item/></rss>"
    assert call("xml.records", text, "rss.channel.item") == [{"a": "1"}, {"@_x": "2"}]
    assert call("xml.records", text, "rss.channel.item", {"limit": 1}) == [{"a": "1"}]
    assert call("xml.records", text, "rss.channel.item", {"limit": 0}) == []
    assert call("xml.records", text, "rss.channel.title") == ["n"]
    assert call("xml.records", text, "rss.nothing") == []
    assert call("xml.records", text, "rss", {"attributes": False}) == [
        {"channel": {"title": "n", "item": [{"a": "1"}, ""]}, "item": ""}
    ]
    assert call("xml.records", "<a><a/><b><a/></b></a>", "a") == [{"a": "", "b": {"a": ""}}]
    for path in ("", 3, UNDEFINED):
        assert refusal(call, "xml.records", text, path).startswith(
            "xml.records: path must be names joined by dots"
        )
    assert "never closed" in refusal(call, "xml.records", "<a><b/>", "a.b")


@pytest.mark.parametrize(
    ("text", "feed"),
    [
        (
            """<rss><channel><title>N</title><atom:link href='self'/><link>http://n</link>
            <item><guid isPermaLink='false'>1</guid><title>A</title><link>http://a</link><pubDate>Mon</pubDate>
            <description><![CDATA[<p>x</p>]]></description></item><item/></channel></rss>""",
            {
                "title": "N",
                "link": "http://n",
                "items": [
                    {"id": "1", "title": "A", "link": "http://a", "published": "Mon", "summary": "<p>x</p>"},
                    {"id": None, "title": None, "link": None, "published": None, "summary": None},
                ],
            },
        ),
        (
            """<feed xmlns='http://www.w3.org/2005/Atom'><title type='text'>N</title><link rel='self' href='s'/>
            <link href='http://n'/><entry><id>i</id><title>A</title><link rel='edit' href='e'/>
            <updated>2024-05-01T00:00:00Z</updated><content type='xhtml'><div>x<b>y</b></div></content>
            </entry></feed>""",
            {
                "title": "N",
                "link": "http://n",
                "items": [
                    {"id": "i", "title": "A", "link": "e", "published": "2024-05-01T00:00:00Z", "summary": "y x"}
                ],
            },
        ),
        (
            """<rdf:RDF><channel rdf:about='c'><title>N</title><link>http://n</link></channel>
            <item rdf:about='http://a'><title>A</title><link>http://a</link><dc:date>2024</dc:date></item></rdf:RDF>""",
            {
                "title": "N",
                "link": "http://n",
                "items": [
                    {"id": "http://a", "title": "A", "link": "http://a", "published": "2024", "summary": None}
                ],
            },
        ),
        (
            "<a:feed><a:title>N</a:title><a:entry><a:id>i</a:id></a:entry></a:feed>",
            {
                "title": "N",
                "link": None,
                "items": [{"id": "i", "title": None, "link": None, "published": None, "summary": None}],
            },
        ),
    ],
    ids=["rss 2", "atom", "rss 1", "prefixed atom"],
)  # fmt: skip
def test_feeds_have_one_shape(call: Call, text: str, feed: object) -> None:
    assert call("xml.feed", text) == feed


@pytest.mark.parametrize("text", ["<html/>", "<rss/>", "<rss>text</rss>"])
def test_what_is_no_feed_is_refused(call: Call, text: str) -> None:
    assert refusal(call, "xml.feed", text).startswith(
        "xml.feed: the root element is none of rss, feed and rdf:RDF"
    )


# --- build


@pytest.mark.parametrize(
    ("value", "options", "text"),
    [
        ({"a": ""}, {}, "<a/>"),
        ({"a": None}, {}, "<a/>"),
        ({"a": {"@_x": 1, "@_y": True, "@_z": UNDEFINED, "b": ["1", 2.5], "#text": "t<&>"}}, {},
         '<a x="1" y="true"><b>1</b><b>2.5</b>t&lt;&amp;&gt;</a>'),
        ({"a": {"@_q": 'x"<\n\'&'}}, {}, '<a q="x&quot;&lt;&#10;\'&amp;"/>'),
        ({"a": "x\r\ny"}, {}, "<a>x&#13;\ny</a>"),
        ({"a": {"b": {"c": "1"}, "d": []}}, {"indent": 2}, "<a>\n  <b>\n    <c>1</c>\n  </b>\n</a>"),
        ({"a": {"b": "", "#text": "t"}}, {"indent": 2}, "<a><b/>t</a>"),
        ({"a": "1"}, {"declaration": True}, '<?xml version="1.0" encoding="UTF-8"?><a>1</a>'),
        ({"?xml": {"@_version": "1.0"}, "a": "1"}, {"declaration": True, "indent": 1},
         '<?xml version="1.0"?>\n<a>1</a>'),
        ({"x:a": {"@_xmlns:x": "u"}}, {}, '<x:a xmlns:x="u"/>'),
        ({"a": {"$x": "1", "_": "t"}}, {"attributePrefix": "$", "textKey": "_"}, '<a x="1">t</a>'),
        ({"a": {"__c": "x]]>y", "__n": " n "}}, {"cdataKey": "__c", "commentKey": "__n"},
         "<a><![CDATA[x]]]]><![CDATA[>y]]><!-- n --></a>"),
        ({"a": datetime(2024, 5, 1, tzinfo=UTC)}, {}, "<a>2024-05-01T00:00:00.000Z</a>"),
        ({"__proto__": {"constructor": 1}}, {}, "<__proto__><constructor>1</constructor></__proto__>"),
        ({"a": "\ud83d\ude00"}, {}, "<a>😀</a>"),
    ],
)  # fmt: skip
def test_a_value_is_written(call: Call, value: object, options: object, text: str) -> None:
    assert call("xml.build", value, options) == text


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("a", "value must be an object with one root element"),
        ({}, "value must be an object with exactly one root element"),
        ({"a": 1, "b": 2}, "value must be an object with exactly one root element"),
        ({"a": [1, 2]}, "value must be an object with exactly one root element"),
        ({"@_a": 1}, "value must be an object with exactly one root element"),
        ({"a b": 1}, '"a b" is no name that XML allows'),
        ({"a": {"@_1": 1}}, '"1" is no name that XML allows'),
        ({"a": {"": 1}}, '"" is no name that XML allows'),
        ({"a><b": 1}, '"a><b" is no name that XML allows'),
        ({"a": "\0"}, "the character U+0000 cannot stand in XML"),
        ({"a": {"@_b": "\ud800"}}, "the character U+D800 cannot stand in XML"),
        ({"a": {"@_b": {}}}, 'the attribute "@_b" must be a text, number or boolean'),
        ({"a": {"b": [[1]]}}, '"b" is a list in a list; put an object between them'),
        ({"a": b"x"}, "a text must be a string, number, boolean or date"),
    ],
)
def test_a_value_that_cannot_be_written_is_refused(call: Call, value: object, problem: str) -> None:
    assert refusal(call, "xml.build", value) == f"xml.build: {problem}"


def test_a_comment_that_would_end_early_is_refused(call: Call) -> None:
    for content in ("a--b", "a-"):
        message = refusal(call, "xml.build", {"a": {"c": content}}, {"commentKey": "c"})
        assert message == f'xml.build: the comment "{content}" must not hold -- or end with -'


def test_what_is_written_is_capped(call: Call) -> None:
    def deep(levels: int) -> dict[str, object]:
        value: dict[str, object] = {"a": "x"}
        for _ in range(levels):
            value = {"a": value}
        return value

    assert call("xml.build", deep(XML_MAX_DEPTH)) == nested(XML_MAX_DEPTH + 1, "x")
    message = f"xml.build: more than {XML_MAX_DEPTH} levels below the root"
    assert refusal(call, "xml.build", deep(XML_MAX_DEPTH + 1)) == message
    assert call("xml.build", {"a": {"b": [""] * (XML_MAX_NODES - 1)}})
    message = f"xml.build: more than {XML_MAX_NODES} nodes"
    assert refusal(call, "xml.build", {"a": {"b": [""] * XML_MAX_NODES}}) == message
    full = "x" * (MAX_RESULT_UNITS - len("<a></a>"))
    assert len(cast("str", call("xml.build", {"a": full}))) == MAX_RESULT_UNITS
    message = f"xml.build: result exceeds the {MAX_RESULT_UNITS} character limit"
    assert refusal(call, "xml.build", {"a": full + "x"}) == message
    assert call("xml.build", {"a": {"b": ""}}, {"indent": 99}) == f"<a>\n{' ' * XML_MAX_INDENT}<b/>\n</a>"


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.\-]{0,4}", fullmatch=True)
CONTENT = st.text("aé<>&\"']]>😀", min_size=1, max_size=6)
ELEMENTS = st.recursive(
    CONTENT | st.just(""),
    lambda inner: st.dictionaries(
        NAMES, inner | st.lists(inner, min_size=2, max_size=3), min_size=1, max_size=3
    ),
    max_leaves=10,
)


@given(NAMES, ELEMENTS, st.integers(0, 2))
def test_what_is_built_is_parsed_back(name: str, value: object, indent: int) -> None:
    text = call_export("xml.build", {name: value}, {"indent": indent})
    assert call_export("xml.parse", text) == {name: value}
