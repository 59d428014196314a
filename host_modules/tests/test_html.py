"""html: what the recordings do not cover: caps, functions of ours, hostile input."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from host_calls import Call, Over
from nodetool_sandbox_host import html as host_html
from nodetool_sandbox_host import limits
from nodetool_sandbox_host.table import HOSTS
from nodetool_sandbox_registry.hosts import HostCallError

Export = Callable[[list[object], Over], object]


def test_the_module_lists_its_exports_in_facade_order_and_none_is_synchronous() -> None:
    module = HOSTS["html"]
    assert [each.name for each in module.exports][:3] == ["select", "toMarkdown", "toText"]
    assert not any(each.sync for each in module.exports)


@pytest.mark.parametrize(
    ("where", "args", "message"),
    [
        ("html.select", (), "html.select: html must be a string"),
        ("html.select", (1, "p"), "html.select: html must be a string"),
        ("html.select", ("", ""), "html.select: selector must be a non-empty string"),
        ("html.select", ("", " \ufeff"), "html.select: selector must be a non-empty string"),
        ("html.select", ("",), "html.select: selector must be a non-empty string"),
        ("html.select", ("", "p:bogus"), 'html.select: invalid selector "p:bogus" ('),
        ("html.select", ("", "p::before"), 'html.select: invalid selector "p::before" ('),
        ("html.select", ("", "<p>"), 'html.select: invalid selector "<p>" ('),
        ("html.select", ("", "p:parent"), 'html.select: invalid selector "p:parent" ('),
        ("html.select", ("", "p:eq(1"), 'html.select: invalid selector "p:eq(1" ('),
        ("html.select", ("", "p["), 'html.select: invalid selector "p[" ('),
        ("html.select", ("", "a,,b"), 'html.select: invalid selector "a,,b" ('),
        ("html.select", ("", "p:not(:first)"), 'html.select: invalid selector "p:not(:first)" ('),
        ("html.select", ("", "p:contains"), 'html.select: invalid selector "p:contains" ('),
        ("html.select", ("", "p:not"), 'html.select: invalid selector "p:not" ('),
        ("html.select", ("", "p:contains('x)"), "html.select: invalid selector"),
        ("html.select", ("", ":lexbor-contains('x')"), "html.select: invalid selector"),
        ("html.select", ("", "p:"), 'html.select: invalid selector "p:" ('),
        ("html.select", ("", "p", {"attr": 1}), "html.select: attr must be a string"),
        ("html.select", (b"", "p", {"encoding": "klingon"}), 'html.select: "klingon" is no encoding'),
        ("html.toMarkdown", (1,), "html.toMarkdown: html must be a string"),
        ("html.toMarkdown", ("", {"tables": "x"}), 'html.toMarkdown: tables must be "gfm" or "text"'),
        ("html.toMarkdown", ("", {"turndown": {"hr": 1}}), "html.toMarkdown: hr must be a string"),
        (
            "html.toMarkdown",
            ("", {"turndown": {"headingStyle": "x"}}),
            'html.toMarkdown: headingStyle must be "setext" or "atx"',
        ),
        ("html.toMarkdown", ("", {"strip": "a"}), "html.toMarkdown: strip must be an array of strings"),
        ("html.toMarkdown", ("", {"selector": 1}), "html.toMarkdown: selector must be a non-empty string"),
        ("html.extractLinks", ("", 1), "html.extractLinks: baseUrl must be a string"),
        ("html.extract", ("", 1), "html.extract: rules must be an object of selectors"),
        ("html.extract", (1, {}), "html.extract: html must be a string"),
        ("html.extract", ("", {"a": 1}), "html.extract: rules.a must be a selector or"),
        ("html.extract", ("", {"a": {"selector": "p", "attr": 1}}), "html.extract: rules.a.attr must be"),
        ("html.extract", ("", {"a": {"selector": ""}}), "html.extract: selector must be a non-empty"),
        ("html.extract", ("", {"a": {"selector": "p", "each": 1}}), "html.extract: rules.a.each must be"),
    ],
)
def test_a_wrong_argument_is_refused_in_words(
    call: Call, where: str, args: tuple[object, ...], message: str
) -> None:
    with pytest.raises(HostCallError) as refused:
        call(where, *args)
    assert refused.value.message.startswith(message)


@pytest.mark.parametrize(
    ("limit", "count"), [(-1, 0), (2.9, 2), (10**9, 1000), (float("nan"), 100), ("2", 100), (None, 100)]
)
def test_a_limit_is_floored_and_clamped(call: Call, limit: object, count: int) -> None:
    page = "<p>x" * (limits.HTML_MAX_SELECT_LIMIT + 1)
    assert len(cast("list[object]", call("html.select", page, "p", {"limit": limit}))) == count


# --- caps, each at N and at N + 1

AT_AND_PAST = [
    (
        "attributes",
        lambda n: ("html.select", "<p " + " ".join(f"a{i}" for i in range(n)) + ">x", "p"),
        limits.HTML_MAX_ATTRIBUTES,
        "html.select: an element has more than 1000 attributes",
    ),
    (
        "levels",
        lambda n: ("html.select", "<div>" * n + "x", "p"),
        limits.HTML_MAX_NESTING_ESTIMATE,
        "html.select: elements are nested deeper than 2000 levels",
    ),
    (
        "elements",
        lambda n: ("html.select", "<br>" * n, "p"),
        limits.HTML_MAX_NODES,
        "html.select: the page has more than 500000 elements",
    ),
    (
        "selector",
        lambda n: ("html.select", "<p>x", "p" + " " * (n - 2) + "p"),
        limits.HTML_MAX_SELECTOR_UNITS,
        "html.select: invalid selector",
    ),
    (
        "parts",
        lambda n: ("html.select", "<p>x", ", ".join(["p"] * n)),
        limits.HTML_MAX_SELECTOR_PARTS,
        "html.select: invalid selector",
    ),
    (
        "has",
        lambda n: ("html.select", "<p>x", "p" + ":has(p" * n + ")" * n),
        limits.HTML_MAX_HAS_DEPTH,
        "html.select: invalid selector",
    ),
    (
        "templates",
        lambda n: ("html.select", "<template>" * n + "x", "p"),
        limits.HTML_MAX_TEMPLATE_DEPTH,
        "html.select: templates are nested deeper than 8 levels",
    ),
    (
        "markdown nodes",
        # the body, and n - 1 breaks
        lambda n: ("html.toMarkdown", "<br>" * (n - 1)),
        limits.HTML_MAX_MARKDOWN_NODES,
        "html.toMarkdown: the page has more than 200000 elements and texts",
    ),
    (
        "style",
        lambda n: ("html.toMarkdown", "<hr>", {"turndown": {"hr": "-" * n}}),
        limits.HTML_MAX_STYLE_UNITS,
        "html.toMarkdown: hr is longer than 100 characters",
    ),
    (
        "table cells",
        lambda n: (
            "html.tables",
            "<table>"
            + "<tr><td colspan=1000>x" * (n // 1000)
            + "</table>"
            + "<table><td>x</table>" * (n % 1000),
        ),
        limits.HTML_MAX_TABLE_CELLS,
        "html.tables: tables with more than 250000 cells",
    ),
    (
        "rules",
        lambda n: ("html.extract", "<p>x", {f"a{i}": "p" for i in range(n)}),
        limits.HTML_MAX_RULES,
        "html.extract: more than 200 rules",
    ),
    (
        "text",
        lambda n: ("html.toText", "x" * n),
        limits.MAX_TEXT_UNITS,
        "html.toText: input exceeds the 5242880 character limit",
    ),
    (
        "result",
        # four elements with the same text, and one with the rest
        lambda n: (
            "html.select",
            "<div>" * 4 + "x" * (n // 4) + "</div>" * 4 + "<div>" + "y" * (n % 4),
            "div",
        ),
        limits.MAX_RESULT_UNITS,
        "html.select: ",
    ),
]


@pytest.mark.parametrize(
    ("make", "cap", "message"), [each[1:] for each in AT_AND_PAST], ids=[each[0] for each in AT_AND_PAST]
)
def test_a_cap_holds_at_n_and_refuses_n_plus_1(
    call: Call, make: Callable[[int], tuple[object, ...]], cap: int, message: str
) -> None:
    call(*make(cap))
    with pytest.raises(HostCallError) as refused:
        call(*make(cap + 1))
    assert refused.value.message.startswith(message)


def test_many_nested_matches_stop_at_the_result_cap(call: Call) -> None:
    with pytest.raises(HostCallError, match=r"^html\.select: result exceeds the 10485760 character limit$"):
        call("html.select", "<div>" * 50 + "x" * 1_000_000, "div")


def test_rules_are_not_deeper_than_their_cap(call: Call) -> None:
    def nested(depth: int) -> dict[str, object]:
        rule: object = "p"
        for _ in range(depth - 1):
            rule = {"selector": "p", "each": {"a": rule}}
        return {"a": rule}

    call("html.extract", "<p>x", nested(limits.HTML_MAX_RULE_DEPTH))
    with pytest.raises(HostCallError, match="nested deeper than 10 levels"):
        call("html.extract", "<p>x", nested(limits.HTML_MAX_RULE_DEPTH + 1))


def test_extracted_values_are_counted(call: Call) -> None:
    rule = {"selector": "p", "all": True, "each": {"a": {"selector": "b", "all": True, "each": {"c": ["i"]}}}}
    page = "<p>" + "<b><i>x</i></b>" * 1000
    assert call("html.extract", page, {"p": rule})
    with pytest.raises(HostCallError, match="more than 100000 values"):
        call("html.extract", page * 60, {"p": rule})


@pytest.mark.parametrize("export", ["extractLinks", "extractImages", "extractAudio", "extractVideos"])
def test_extractors_stop_at_their_cap_silently(call: Call, export: str) -> None:
    one = "<a href=x></a><img src=x><audio src=x></audio><video src=x></video>"
    found = call(f"html.{export}", one * (limits.HTML_MAX_ITEMS + 1))
    assert len(cast("list[object]", found)) == limits.HTML_MAX_ITEMS


def test_markdown_keeps_text_alone_past_its_depth(call: Call) -> None:
    depth = limits.HTML_MAX_DEPTH - 1  # the body is a level
    assert call("html.toMarkdown", "<div>" * (depth - 1) + "<b>x") == "**x**"
    assert call("html.toMarkdown", "<div>" * depth + "<b>x") == "x"
    assert call("html.toMarkdown", "<div>" * 1900 + "<script>no</script>x") == "x"


def test_markdown_that_grows_with_its_depth_stops_at_the_result_cap(call: Call) -> None:
    with pytest.raises(HostCallError, match="result exceeds the 10485760 character limit"):
        call("html.toMarkdown", "<blockquote>" * 500 + "x<br>" * 12_000)


# --- hostile pages

HOSTILE = {
    "levels": "<div>" * 100_000,
    "lists": "<ul><li>" * 50_000,
    "bold": "<b>" * 100_000,
    "tables": "<table>" * 20_000,
    "foreign": "<svg><math>" * 10_000,
    "attributes": "<p " + "a=b " * 100_000,
    "quotes": "<a b='" * 500_000,
    "built again": "".join(f"<b a={i}>" for i in range(1_900)) + "<p>x" * 100_000,
}


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("where", ["html.toMarkdown", "html.toText", "html.readable", "html.tables"])
def test_a_page_that_would_take_for_ever_is_refused_before_it_is_parsed(
    call: Call, where: str, page: str
) -> None:
    with pytest.raises(HostCallError, match=r"levels|attributes|elements"):
        call(where, page)


@pytest.mark.parametrize(
    "page",
    [
        "<a href=x>" * 20_000,
        "<" * 200_000,
        "<!--" * 100_000,
        "<p><b>x" * 3_000,
        "<table>" + "<tr><td><font>x" * 3_000,
    ],
    ids=["links", "less-than", "comments", "unclosed bold", "unclosed font"],
)
def test_sloppy_pages_are_read(call: Call, page: str) -> None:
    call("html.select", page, "p, td", {"limit": 5})
    call("html.toMarkdown", page)


def test_script_text_is_no_markup(call: Call) -> None:
    page = "<script>" + "if (a<b && c<d) x('<div>');" * 5_000 + "</script><p>x"
    assert call("html.select", page, "div, p") == ["x"]
    assert call("html.toMarkdown", "<title><b></title><textarea><p></textarea>y") == "\\<p>y"


@pytest.mark.parametrize(
    "selector",
    [
        "*" * 10_000,
        ":not(" * 500 + "a" + ")" * 500,
        ":has(" * 50 + "a" + ")" * 50,
        "a " * 2_000 + "a",
        "a," * 100_000 + "a",
        ":nth-child(" + "9" * 100_000 + "n)",
        "[a=" + "\\" * 100_000,
        ":-soup-contains('" + "a" * 1_000_000 + "')",
    ],
    ids=lambda each: each[:12],
)
def test_a_hostile_selector_is_named_and_shortened(call: Call, selector: str) -> None:
    with pytest.raises(HostCallError) as refused:
        call("html.select", "<p>x" * 10_000, selector)
    assert refused.value.message.startswith("html.select: invalid selector ")
    assert len(refused.value.message) < 300


def test_a_selector_of_nul_matches_nothing(call: Call) -> None:
    assert call("html.select", "<p>x", "\0") == []


def test_a_structural_selector_is_refused_where_it_would_take_for_ever(call: Call) -> None:
    page = "<p>" + "<i></i>" * 40_000
    assert call("html.select", page, "i:eq(1)") == [""]
    with pytest.raises(HostCallError, match="too many siblings"):
        call("html.select", page, "i:nth-child(2n)")


@pytest.mark.parametrize(
    ("export", "args"),
    [
        (host_html.select, ["<p>x" * 5_000, "p:contains(x)"]),
        (host_html.to_markdown, ["<p>x" * 5_000]),
        (host_html.to_text, ["<p>x" * 5_000]),
        (host_html.tables, ["<table>" + "<tr><td>x" * 500]),
        (host_html.readable, ["<p>x" * 5_000]),
        (host_html.extract_readable_text, ["<p>x" * 5_000]),
    ],
)
def test_the_clock_is_looked_at_on_the_way(export: Export, args: list[object]) -> None:
    for at in (1, 4, 6):
        with pytest.raises(HostCallError, match="deadline"):
            export(args, Over(at))


# --- what the functions give

PAGE = "<div id=d><p class=a>one <b>two</b></p><p>three</p></div><p>four</p>"


def test_marks_of_a_selector_do_not_show_in_the_result(call: Call) -> None:
    assert call("html.selectAll", PAGE, "p:contains(two):eq(0)") == [
        {"text": "one two", "html": '<p class="a">one <b>two</b></p>', "attrs": {"class": "a"}}
    ]


def test_a_position_that_finds_nothing_does_not_borrow_the_finds_of_another(call: Call) -> None:
    assert call("html.select", PAGE, "p:eq(9), p:eq(0) b") == ["two"]
    assert call("html.select", PAGE, "p:contains(x):first, p:contains(three)") == ["three"]


def test_a_page_that_uses_the_mark_is_not_confused(call: Call) -> None:
    assert call("html.select", "<p nt0-t0 nt0-p1>a</p><p>b</p>", "p:contains(b)") == ["b"]


def test_text_is_folded_in_place(call: Call) -> None:
    assert call("html.select", "<p>İx</p><p>ABC</p>", "p:icontains(abc)") == ["ABC"]
    assert call("html.select", "<p>İx</p><p>a'b</p>", "p:contains('\\61\\'b')") == ["a'b"]


def test_lone_surrogates_and_nul_do_not_break_a_page(call: Call) -> None:
    assert call("html.select", "<p>a\ud800b\x00c</p>", "p") == ["a\ufffdbc"]
    assert call("html.toMarkdown", "<p>\udfff</p>", {"baseUrl": "\ud800"}) == "\ufffd"


LINKS = (
    '<a href="/x">x</a><a href="http://a.b/y">y</a><a href=//c.d>z</a><a href="mailto:q">m</a>'
    '<a href="">e</a><a href="#h">h</a><a href="HTTP://A.B:80/z">w</a><a>none</a>'
)


@pytest.mark.parametrize(
    ("base", "kinds"),
    [("http://a.b/c/d", "iieeiii"), (None, "ieeeiie"), ("no base", "ieeeiie")],
)
def test_links_are_internal_by_their_origin(call: Call, base: object, kinds: str) -> None:
    found = cast("list[dict[str, str]]", call("html.extractLinks", LINKS, base))
    assert "".join(each["type"][0] for each in found) == kinds
    assert found[0] == {"href": "/x", "text": "x", "type": "internal"}


def test_sources_are_resolved_as_browsers_do(call: Call) -> None:
    page = (
        '<base href=http://z><img src="..\\..\\i.png"><img src=""><img src="//c/x y.png"><img src="http://[">'
    )
    assert call("html.extractImages", page, "http://a.b/c/d/e") == [
        "http://a.b/i.png",
        "http://c/x%20y.png",
        "http://[",
    ]
    assert call("html.extractAudio", "<audio src=a><source src=b></audio>") == ["a", "b"]
    assert call("html.extractVideos", "<video><source src=b></video><iframe src=q></iframe>", "x") == [
        "b",
        "q",
    ]


def test_metadata(call: Call) -> None:
    page = (
        "<html lang=en><title> T </title><meta name=description content=d><meta name=Keywords content=k>"
        "<link rel='x canonical' href=/c><meta property=og:title content=O><meta property=og:title content=P>"
        '<script type="application/ld+json">{"a":[1,2.5,9007199254740993,{"b":null}]}</script>'
        '<script type="application/ld+json">{bad}</script><script type="application/ld+json">[NaN]</script>'
    )
    assert call("html.extractMetadata", page) == {
        "title": " T ",
        "description": "d",
        "keywords": None,
        "canonical": "/c",
        "lang": "en",
        "openGraph": {"title": "O"},
        "jsonLd": [{"a": [1, 2.5, 9007199254740992.0, {"b": None}]}],
    }
    assert call("html.extractMetadata", "") == {
        "title": None,
        "description": None,
        "keywords": None,
        "canonical": None,
        "lang": None,
        "openGraph": {},
        "jsonLd": [],
    }


def json_ld(page: str) -> int:
    found = cast("dict[str, list[object]]", host_html.extract_metadata([page], Over(10**9)))
    return len(found["jsonLd"])


def test_structured_data_has_caps_and_what_is_past_them_is_left_out() -> None:
    block = '<script type="application/ld+json">{}</script>'
    deep = limits.HTML_MAX_JSON_LD_DEPTH
    assert json_ld(block.format("1") * (limits.HTML_MAX_JSON_LD_BLOCKS + 1)) == limits.HTML_MAX_JSON_LD_BLOCKS
    assert json_ld(block.format("[" * deep + "]" * deep)) == 1
    assert json_ld(block.format("[" * (deep + 1) + "]" * (deep + 1))) == 0
    assert json_ld(block.format('"' + "x" * (limits.HTML_MAX_JSON_LD_UNITS - 2) + '"')) == 1
    assert json_ld(block.format('"' + "x" * (limits.HTML_MAX_JSON_LD_UNITS - 1) + '"')) == 0


def test_readable_text_is_the_first_part_that_has_some(call: Call) -> None:
    assert call("html.extractReadableText", "<nav>n</nav><article> </article><main>a\n b</main>") == "a b"
    assert call("html.extractReadableText", "<div id=my-content>c</div>d") == "c"
    assert call("html.extractReadableText", "") == "No main content found"


def test_an_article_is_told_from_what_stands_around_it(call: Call) -> None:
    paragraph = "<p>A long paragraph, with commas, and words to be read by a reader.</p>"
    page = (
        "<title>T</title><meta name=author content=Me><nav><a href=1>home, sweet, home</a></nav>"
        f"<div class=sidebar><p>short, links, more, and more text for the sidebar here</p></div>"
        f"<div class=content><h1>Head</h1>{paragraph * 5}<a href=javascript:x>y</a></div>"
    )
    found = cast("dict[str, object]", call("html.readable", page, {"baseUrl": "http://a.b/"}))
    assert (found["title"], found["byline"]) == ("T", "Me")
    assert found["excerpt"] == "A long paragraph, with commas, and words to be read by a reader."
    assert cast("str", found["markdown"]).startswith("# Head\n\nA long")
    assert "sidebar" not in cast("str", found["text"])
    assert "javascript" not in cast("str", found["markdown"])
    assert found["length"] == len(cast("str", found["text"]))


def test_tables_write_spans_out_and_name_columns(call: Call) -> None:
    page = (
        "<table><tr><th colspan=2>a<th><th>a<tr><td rowspan=2>1<td>2<td>3<td>4<tr><td>5</table>"
        "<table><tfoot><tr><td>f</tfoot><tr><td>b</table><div>no table</div>"
    )
    assert call("html.tables", page) == [
        [{"a": "1", "a_1": "2", "col_3": "3", "a_2": "4"}, {"a": "1", "a_1": "5", "col_3": "", "a_2": ""}],
        [{"b": "f"}],
    ]
    assert call("html.tables", page, {"header": False, "selector": "table:last, div"}) == [[["b"], ["f"]]]


def test_extract_gives_objects_by_rules(call: Call) -> None:
    page = "<ul><li><b>n1</b><a href=1>x</a><li><b>n2</b></ul>"
    rules = {"name": "b", "link": {"selector": "a", "attr": "href"}}
    assert call("html.extract", page, rules, {"root": "li"}) == [
        {"name": "n1", "link": "1"},
        {"name": "n2", "link": None},
    ]
    nested = {"names": ["b"], "items": {"selector": "li", "all": True, "each": {"n": "b:first"}}, "none": "i"}
    assert call("html.extract", page, nested) == {
        "names": ["n1", "n2"],
        "items": [{"n": "n1"}, {"n": "n2"}],
        "none": None,
    }
    assert list(cast("dict[str, object]", call("html.extract", page, {"__proto__": "b"}))) == ["__proto__"]


@pytest.mark.parametrize(
    ("page", "options", "markdown"),
    [
        (
            '<a href="javascript:alert(1)">x</a><a href=" java\nscript:x">y</a><img src="data:x,y"><a href=z>k</a>',
            {"safeLinks": True},
            "xy[k](z)",
        ),
        ("<a href='../z\n'>k</a>", {"baseUrl": "http://a.b/c/d"}, "[k](http://a.b/z)"),
        ("<nav>n</nav><p>a <a href=x>b</a></p>", {"strip": ["A"], "remove": ["NAV"]}, "a b"),
        ("<p>a</p><div><p>b</p></div>", {"selector": "div, p"}, "a\n\nb"),
        ("<p>a\U0001f600b", {"maxChars": 2}, "a"),
        ("<p>a\U0001f600b", {"maxChars": 3}, "a\U0001f600"),
        ("<table><tr><td>x</table>", {"tables": "text"}, "x"),
        ("<table><caption>C</caption><tr><td>x</table>", {}, "C\n\nx"),
        (
            "<table><tr><td>a<br>b<td><code>p|q</code><td><table><tr><td>in</table></table>",
            {},
            "|  |  |  |\n| --- | --- | --- |\n| a<br>b | `p\\|q` | in |",
        ),
        (
            "<table><thead><tr><th align=right>a<th align=center>b<th align=left>c</table>",
            {},
            "| a | b | c |\n| ---: | :---: | :--- |",
        ),
        (
            "<p>a &amp;lt; ~~x~~</p><p>!<a href=x>y</a></p><p>+</p><p>1.</p>",
            {},
            "a \\&lt; \\~~x\\~~\n\n\\![y](x)\n\n\\+\n\n1\\.",
        ),
        ("<a href=x><div>q</div><p>w</p></a>", {}, "[q w](x)"),
        ("<ol><li></li><li>a</li></ol>", {}, "2.  a"),
        ("<ol start=x><li>a</ol>", {}, "1.  a"),
        ("<p>1<span>. a</span></p>", {}, "1\\. a"),
        ("<pre>- a\n+ b</pre>", {}, "\\- a\n\\+ b"),
    ],
)
def test_markdown_options_and_layout(call: Call, page: str, options: object, markdown: str) -> None:
    assert call("html.toMarkdown", page, options) == markdown


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h1>A</h1><p>b", "A\n\nb"),
        ("a <b> b </b> c", "a b c"),
        ("<pre>a\n  b</pre>c", "a\n  b\nc"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a\tb\nc"),
        ("x<p hidden>h</p><p>y</p>", "x\n\ny"),
        ("a<br><br>b", "a\n\nb"),
        ("<title>t</title>", ""),
        ("a\u00a0 b", "a\u00a0 b"),
    ],
)
def test_text_is_what_a_reader_sees(call: Call, page: str, text: str) -> None:
    assert call("html.toText", page) == text
