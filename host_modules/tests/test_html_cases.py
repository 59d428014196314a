"""html on reproductions of faults that other libraries' users reported."""

from __future__ import annotations

from typing import cast

import pytest
from host_calls import Call
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nodetool_sandbox_host import html as host_html

TABLE = (
    "<table>{}<tr><td>Jan</td><td>1|2</td><td rowspan='2'><p>50</p></td></tr>"
    "<tr><td>Feb</td><td>80</td></tr></table>"
)
HEADER = "<tr><th>Month</th><th>Saved</th><th>Total</th></tr>"


class _Unhurried:
    def check(self) -> None:
        return


def rendered(markdown: str) -> str:
    return str(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown))


def test_a_table_with_pipes_and_spans_keeps_its_columns(call: Call) -> None:
    body = "| --- | --- | --- |\n| Jan | 1\\|2 | 50 |\n| Feb | 80 |  |"
    assert call("html.toMarkdown", TABLE.format(HEADER)) == f"| Month | Saved | Total |\n{body}"
    assert call("html.toMarkdown", TABLE.format("")) == f"|  |  |  |\n{body}"
    assert rendered(f"|  |  |  |\n{body}").count("<td>") == 6


def test_text_that_reads_like_markdown_stays_text(call: Call) -> None:
    texts = [
        "1. not a list",
        "1) nor this",
        "# no heading",
        "- dash",
        "+ plus",
        "> no quote",
        "a_b*c [x] \\ <b>",
        "167. is mid",
    ]
    page = "".join(
        f"<p>{each.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</p>" for each in texts
    )
    markdown = cast("str", call("html.toMarkdown", page))
    assert markdown.split("\n\n")[:3] == ["1\\. not a list", "1\\) nor this", "\\# no heading"]
    assert call("html.select", rendered(markdown), "body > p") == texts
    assert call("html.select", rendered(markdown), "body > :not(p), b") == []


LINE = st.text(st.sampled_from("ab1.)-+*_#>=~`[]()!|\\<&;/ \u00e9\U0001f600"), min_size=1, max_size=30)


@pytest.mark.property
@settings(deadline=None)
@given(LINE)
def test_the_markdown_of_a_text_renders_to_that_text(text: str) -> None:
    page = f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}</p>"
    markdown = cast("str", host_html.to_markdown([page], _Unhurried()))
    wanted = " ".join(text.split())
    shown = cast("list[str]", host_html.select([rendered(markdown), "body"], _Unhurried()))
    assert shown == [wanted]


def test_lists_in_lists_keep_their_levels_and_numbers(call: Call) -> None:
    page = (
        "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>"
        '<ol start="9"><li>nine<ul><li>x</li></ul></li><li><p>ten</p><p>more</p></li></ol>'
    )
    markdown = cast("str", call("html.toMarkdown", page))
    # Turndown's layout: the line between an item's paragraphs keeps its indent
    assert markdown == ("-   a\n    -   b\n-   c\n\n9.  nine\n    -   x\n10.  ten\n     \n     more")
    shown = rendered(markdown)
    assert call("html.select", shown, "ul ul li") == ["b"]
    assert call("html.select", shown, "ol", {"attr": "start"}) == ["9"]
    assert call("html.select", shown, "ol > li:eq(1) > p") == ["ten", "more"]


def test_visible_text_has_no_scripts_and_keeps_words_apart(call: Call) -> None:
    page = (
        "<body><ul><li>one</li><li>two</li></ul><p>a<br>b</p><style>p{}</style><script>var x = 1</script>"
        "<noscript>ns</noscript><template>t</template><p>in<b>ter</b>word</p></body>"
    )
    text = cast("str", call("html.toText", page))
    # no script runs here, so what stands for it is shown
    assert text.split() == ["one", "two", "a", "b", "ns", "interword"]
    assert call("html.select", page, "ul") == ["onetwo"]


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ('<meta charset="iso-8859-1"><p>price \x80 5 \x93q\x94</p>'.encode("latin-1"), ["price € 5 “q”"]),
        (
            (
                '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head>'
                "<body><p>Привет</p></body></html>"
            ).encode("cp1251"),
            ["Привет"],
        ),
        ('<meta charset="iso-8859-1"><p>price € 5 “q”</p>', ["price € 5 “q”"]),
        ("\ufeff<p>é</p>".encode("utf-16-le"), ["é"]),
        ('<meta charset="utf-16"><p>é</p>'.encode(), ["é"]),
        ("<p>&#128;</p>", ["€"]),
    ],
)
def test_bytes_are_read_as_the_page_says(call: Call, page: object, texts: object) -> None:
    assert call("html.select", page, "p") == texts
