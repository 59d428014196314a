"""html: pages of the web in the words of cheerio and Turndown, on lexbor's tree and markdownify's converter.

The tree is the one that the HTML standard says (selectolax's lexbor): tbody inserted, misnesting
repaired. `select` and its kin read it directly; Markdown goes over a BeautifulSoup tree, which is
slow to build, so it has a cap of its own.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Final, cast

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED
from selectolax.lexbor import LexborNode

from nodetool_sandbox_host._column_names import column_names
from nodetool_sandbox_host._html_article import SHORT, find_article, remove_clutter
from nodetool_sandbox_host._html_grid import Grid
from nodetool_sandbox_host._html_markdown import MarkdownOptions, markdown_of
from nodetool_sandbox_host._html_rules import Extraction, parse_rules
from nodetool_sandbox_host._html_selectors import Finder, require_selector
from nodetool_sandbox_host._html_text import visible_text
from nodetool_sandbox_host._html_tree import Page, attribute_of, page_of, text_of
from nodetool_sandbox_host._html_urls import origin, resolve, scheme
from nodetool_sandbox_host.arguments import (
    JS_WHITESPACE,
    argument,
    flag,
    js_trim,
    option_bag,
    text_list_option,
    text_option,
    utf16_length,
    whole_number,
)
from nodetool_sandbox_host.limits import (
    HTML_MAX_ITEMS,
    HTML_MAX_JSON_LD_BLOCKS,
    HTML_MAX_JSON_LD_DEPTH,
    HTML_MAX_JSON_LD_UNITS,
    HTML_MAX_SELECT_LIMIT,
    HTML_MAX_STYLE_UNITS,
    HTML_MAX_TABLE_CELLS,
    HTML_SELECT_LIMIT,
    MAX_RESULT_UNITS,
    MAX_TEXT_UNITS,
)

_EXCERPT_UNITS: Final = 300
_NO_CONTENT: Final = "No main content found"
_READABLE_PARTS: Final = ("article", "main", "[id*=content]", "[class*=content]", "body")
_UNREAD: Final = ("script", "style", "nav", "aside", "footer", "header")
_JS_SPACES: Final = re.compile(f"[{JS_WHITESPACE}]+")
_CHOICES: Final = {
    "headingStyle": ("setext", "atx"),
    "codeBlockStyle": ("indented", "fenced"),
    "linkStyle": ("inlined", "referenced"),
    "linkReferenceStyle": ("full", "collapsed", "shortcut"),
}


def select(args: Sequence[object], deadline: Deadline) -> object:
    """The trimmed texts of the elements that match, or an attribute of those that have it.

    Raises:
        HostCallError: an argument is wrong, the selector is not understood, or a cap is passed.
    """
    where = "html.select"
    page, found, options = _selected(args, where, deadline)
    by_text = options.get("attr", UNDEFINED) in (UNDEFINED, None)
    attr = text_option(options, "attr", default="", where=where)
    limit = _limit(options)
    texts: list[object] = []
    for node in found:
        if len(texts) >= limit:
            break
        deadline.check()
        value = js_trim(text_of(node)) if by_text else attribute_of(node, attr)
        if value is not None:
            texts.append(page.take(value))
    return texts


def select_all(args: Sequence[object], deadline: Deadline) -> object:
    """`{ text, html, attrs }` of each element that matches.

    Raises:
        HostCallError: as for `select`.
    """
    page, found, options = _selected(args, "html.selectAll", deadline)
    elements: list[object] = []
    for node in found[: _limit(options)]:
        deadline.check()
        elements.append(
            {
                "text": page.take(js_trim(text_of(node))),
                "html": page.take(node.html or ""),
                "attrs": {name: page.take(value or "") for name, value in node.attributes.items()},
            }
        )
    return elements


def _selected(
    args: Sequence[object], where: str, deadline: Deadline
) -> tuple[Page, list[LexborNode], Mapping[str, object]]:
    options = option_bag(argument(args, 2))
    if not isinstance(argument(args, 0), str | bytes):
        page_of(args, where, deadline, options)  # the text is checked before the selector
    selector = require_selector(argument(args, 1), where)
    page = page_of(args, where, deadline, options, scripting=True)
    page.open_templates()
    return page, Finder(page).find(selector), options


def _limit(options: Mapping[str, object]) -> int:
    """The option `limit`: what is no finite number is the default, as in the reference."""
    value = options.get("limit", UNDEFINED)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return HTML_SELECT_LIMIT
    return int(max(0, min(math.floor(value), HTML_MAX_SELECT_LIMIT)))


def to_markdown(args: Sequence[object], deadline: Deadline) -> object:
    """The page, or what `selector` finds in it, as Markdown.

    Raises:
        HostCallError: an argument is wrong, the selector is not understood, or a cap is passed.
    """
    where = "html.toMarkdown"
    options = option_bag(argument(args, 1))
    how = _markdown_options(options, where)
    most = whole_number(
        options, "maxChars", default=MAX_RESULT_UNITS, low=0, high=MAX_RESULT_UNITS, where=where
    )
    page = page_of(args, where, deadline, options)
    nodes = [page.body]
    if options.get("selector", UNDEFINED) not in (UNDEFINED, None):
        found = Finder(page).find(require_selector(options["selector"], where))
        nodes = _outermost(found)
    return _cut(markdown_of(nodes, how, where, deadline), most)


def _outermost(nodes: list[LexborNode]) -> list[LexborNode]:
    """The elements that lie in no other of them; they come in page order."""
    kept: list[LexborNode] = []
    known: set[int] = set()
    for node in nodes:
        above = node.parent
        while above is not None and above.mem_id not in known:
            above = above.parent
        if above is None:
            kept.append(node)
        known.add(node.mem_id)
    return kept


def _markdown_options(options: Mapping[str, object], where: str) -> MarkdownOptions:
    turndown = option_bag(options.get("turndown"))

    def style(name: str, default: str) -> str:
        value = text_option(turndown, name, default=default, where=where)
        if name in _CHOICES and value not in _CHOICES[name]:
            allowed = " or ".join(f'"{each}"' for each in _CHOICES[name])
            raise HostCallError(f"{where}: {name} must be {allowed}")
        if utf16_length(value) > HTML_MAX_STYLE_UNITS:
            raise HostCallError(f"{where}: {name} is longer than {HTML_MAX_STYLE_UNITS} characters")
        return value

    tables = text_option(options, "tables", default="gfm", where=where)
    if tables not in ("gfm", "text"):
        raise HostCallError(f'{where}: tables must be "gfm" or "text"')
    base_url = text_option(options, "baseUrl", default="", where=where)
    return MarkdownOptions(
        heading_style=style("headingStyle", "atx"),
        hr=style("hr", "* * *"),
        bullet=style("bulletListMarker", "-"),
        code_block_style=style("codeBlockStyle", "fenced"),
        fence=style("fence", "```"),
        em=style("emDelimiter", "_"),
        strong=style("strongDelimiter", "**"),
        link_style=style("linkStyle", "inlined"),
        link_reference_style=style("linkReferenceStyle", "full"),
        br=style("br", "  "),
        preformatted_code=flag(turndown, "preformattedCode", default=False),
        gfm_tables=tables == "gfm",
        safe_links=flag(options, "safeLinks", default=False),
        base_url=base_url or None,
        plain=_names(options, "strip", where),
        removed=_names(options, "remove", where),
    )


def _names(options: Mapping[str, object], name: str, where: str) -> frozenset[str]:
    return frozenset(each.lower() for each in text_list_option(options, name, where=where) or ())


def _cut(text: str, most: int) -> str:
    """The text, or its first characters without half a surrogate pair."""
    if utf16_length(text) <= most:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def to_text(args: Sequence[object], deadline: Deadline) -> object:
    """What a reader sees of the page: blocks and br break lines, no scripts, no title.

    Raises:
        HostCallError: the page is no text, too long, or costs too much to parse.
    """
    page = page_of(args, "html.toText", deadline, argument(args, 1))
    return page.take(visible_text(page.root, deadline))


def extract_links(args: Sequence[object], deadline: Deadline) -> object:
    """`{ href, text, type }` of each link: href as written, internal or external by the base.

    Raises:
        HostCallError: an argument is wrong, or a cap is passed.
    """
    where = "html.extractLinks"
    base = _base(args, where)
    page = page_of(args, where, deadline, argument(args, 2), scripting=True)
    home = None if base is None else origin(base)
    links: list[object] = []
    for node in page.root.css("a[href]")[:HTML_MAX_ITEMS]:
        href = attribute_of(node, "href") or ""
        kind = "internal" if _is_internal(href, base, home) else "external"
        links.append({"href": page.take(href), "text": page.take(js_trim(text_of(node))), "type": kind})
    return links


def _is_internal(href: str, base: str | None, home: str | None) -> bool:
    if not href or href.startswith("#"):
        return True
    if base is None or home is None:
        return scheme(href) is None and not href.startswith("//")
    return origin(resolve(href, base)) == home


def _base(args: Sequence[object], where: str) -> str | None:
    base = argument(args, 1)
    if base is UNDEFINED or base is None:
        return None
    if not isinstance(base, str):
        raise HostCallError(f"{where}: baseUrl must be a string")
    if utf16_length(base) > MAX_TEXT_UNITS:
        raise HostCallError(f"{where}: input exceeds the {MAX_TEXT_UNITS} character limit")
    return base


def _media(args: Sequence[object], where: str, selector: str, deadline: Deadline) -> list[object]:
    base = _base(args, where)
    page = page_of(args, where, deadline, argument(args, 2), scripting=True)
    urls: list[object] = []
    for node in page.root.css(selector):
        if len(urls) >= HTML_MAX_ITEMS:
            break
        source = attribute_of(node, "src")
        if source:
            urls.append(page.take(source if base is None else resolve(source, base)))
    return urls


def extract_images(args: Sequence[object], deadline: Deadline) -> object:
    """The sources of the images, against the base where one is given.

    Raises:
        HostCallError: an argument is wrong, or a cap is passed.
    """
    return _media(args, "html.extractImages", "img[src]", deadline)


def extract_audio(args: Sequence[object], deadline: Deadline) -> object:
    """The sources of audio elements.

    Raises:
        HostCallError: an argument is wrong, or a cap is passed.
    """
    return _media(args, "html.extractAudio", "audio[src], audio source[src]", deadline)


def extract_videos(args: Sequence[object], deadline: Deadline) -> object:
    """The sources of video elements and of iframes.

    Raises:
        HostCallError: an argument is wrong, or a cap is passed.
    """
    selector = "video[src], video source[src], iframe[src]"
    return _media(args, "html.extractVideos", selector, deadline)


def extract_metadata(args: Sequence[object], deadline: Deadline) -> object:
    """Title, description, keywords, canonical URL, language, Open Graph and JSON-LD of the page.

    Raises:
        HostCallError: the page is no text, too long, or costs too much to parse.
    """
    page = page_of(args, "html.extractMetadata", deadline, argument(args, 1), scripting=True)
    return {
        "title": _title(page),
        "description": _meta(page, "description"),
        "keywords": _meta(page, "keywords"),
        "canonical": _first(page, 'link[rel~="canonical" i]', "href"),
        "lang": attribute_of(page.root, "lang") or None,
        "openGraph": _open_graph(page),
        "jsonLd": _json_ld(page),
    }


def _title(page: Page) -> str | None:
    # a title in an svg is that of the drawing
    titles = page.root.css("title")
    title = next((each for each in titles if each.parent is not None and each.parent.tag != "svg"), None)
    return (page.take(text_of(title)) or None) if title is not None else None


def _meta(page: Page, name: str) -> str | None:
    for node in page.root.css("meta[name]"):
        if node.attributes.get("name") == name:  # its case counts, as in the reference
            return page.take(node.attributes.get("content") or "") or None
    return None


def _first(page: Page, selector: str, attr: str) -> str | None:
    node = page.root.css_first(selector)
    return None if node is None else page.take(attribute_of(node, attr) or "") or None


def _open_graph(page: Page) -> dict[str, object]:
    found: dict[str, object] = {}
    for node in page.root.css('meta[property^="og:"]')[:HTML_MAX_ITEMS]:
        name = (node.attributes.get("property") or "").removeprefix("og:")
        if name and name not in found:
            found[page.take(name)] = page.take(node.attributes.get("content") or "")
    return found


def _json_ld(page: Page) -> list[object]:
    """The values of the JSON-LD blocks that are JSON; the others, and those past the caps, are left out."""
    blocks: list[object] = []
    left = HTML_MAX_JSON_LD_UNITS
    for node in page.root.css('script[type="application/ld+json" i]')[:HTML_MAX_JSON_LD_BLOCKS]:
        text = text_of(node)
        left -= utf16_length(text)
        if left < 0:
            break
        value = _json(text)
        if value is not None:
            blocks.append(value)
    return blocks


def _json(text: str) -> object:
    depth = deepest = 0
    for char in re.findall(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', text):
        depth += (char in "[{") - (char in "]}") if len(char) == 1 else 0
        deepest = max(deepest, depth)
    if deepest > HTML_MAX_JSON_LD_DEPTH:
        return None
    try:
        value: object = json.loads(text, parse_int=_number, parse_float=float, parse_constant=_no_constant)
    except ValueError:
        return None
    return value


def _number(digits: str) -> float | int:
    number = float(digits)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _no_constant(name: str) -> object:
    message = f"{name} is no JSON"
    raise ValueError(message)


def extract_readable_text(args: Sequence[object], deadline: Deadline) -> object:
    """The text of the page's main part on one line, or `No main content found`.

    Raises:
        HostCallError: the page is no text, too long, or costs too much to parse.
    """
    page = page_of(args, "html.extractReadableText", deadline, argument(args, 1), scripting=True)
    for name in _UNREAD:
        deadline.check()
        for node in page.root.css(name):
            node.decompose()
    for selector in _READABLE_PARTS:
        for node in page.root.css(selector)[:1]:
            deadline.check()
            text = js_trim(_JS_SPACES.sub(" ", text_of(node)))
            if text:
                return page.take(text)
    return _NO_CONTENT


def tables(args: Sequence[object], deadline: Deadline) -> object:
    """The rows of each table: records by its header, or arrays where `header` is false.

    Raises:
        HostCallError: an argument is wrong, the selector is not understood, or a cap is passed.
    """
    where = "html.tables"
    options = option_bag(argument(args, 1))
    selector = options.get("selector", UNDEFINED)
    css = "table" if selector in (UNDEFINED, None) else require_selector(selector, where)
    header = flag(options, "header", default=True)
    page = page_of(args, where, deadline, options, scripting=True)
    found: list[object] = []
    room = HTML_MAX_TABLE_CELLS
    for node in Finder(page).find(css)[:HTML_MAX_ITEMS]:
        if node.tag != "table":
            continue
        rows = [
            [
                (cell, cell.attributes.get("colspan") or "", cell.attributes.get("rowspan") or "")
                for cell in row
            ]
            for row in _table_rows(node)
        ]
        grid = Grid.of(rows, where, deadline, room=room)
        room -= grid.size
        found.append(_records(page, grid, header=header))
    return found


def _table_rows(table: LexborNode) -> list[list[LexborNode]]:
    parts: dict[str, list[LexborNode]] = {"thead": [], "tbody": [], "tfoot": []}
    for part in table.iter():
        if part.tag in parts:
            parts[part.tag] += [row for row in part.iter() if row.tag == "tr"]
    return [
        [cell for cell in row.iter() if cell.tag in ("td", "th")] for rows in parts.values() for row in rows
    ]


def _records(page: Page, grid: Grid[LexborNode], *, header: bool) -> list[object]:
    texts: dict[int, str] = {}
    rows: list[list[str]] = []
    for row in grid.rows:
        page.deadline.check()
        line: list[str] = []
        for cell, _ in row:
            if cell is None:
                line.append("")
                continue
            if cell.mem_id not in texts:
                whole = visible_text(cell, page.deadline)
                texts[cell.mem_id] = js_trim(_JS_SPACES.sub(" ", whole))
            line.append(page.take(texts[cell.mem_id]))
        rows.append(line)
    if not header:
        return cast("list[object]", rows)
    names = column_names([text or None for text in rows.pop(0)] if rows else [])
    for name in names:
        page.take(name * len(rows))
    return [dict(zip(names, row, strict=True)) for row in rows]


def extract(args: Sequence[object], deadline: Deadline) -> object:
    """An object by named selectors, or with `root` one object for each element that it matches.

    Raises:
        HostCallError: the rules are none, a selector is not understood, or a cap is passed.
    """
    where = "html.extract"
    options = option_bag(argument(args, 2))
    if not isinstance(argument(args, 0), str | bytes):
        page_of(args, where, deadline, options)
    rules = parse_rules(argument(args, 1))
    root = options.get("root", UNDEFINED)
    root_selector = None if root in (UNDEFINED, None) else require_selector(root, where)
    page = page_of(args, where, deadline, options, scripting=True)
    page.open_templates()
    extraction = Extraction(page)
    if root_selector is None:
        return extraction.object_of(rules, None)
    return [extraction.object_of(rules, node) for node in extraction.roots(root_selector)]


def readable(args: Sequence[object], deadline: Deadline) -> object:
    """The article of the page: title, byline, excerpt, HTML, Markdown, text and its length.

    Raises:
        HostCallError: an argument is wrong, or a cap is passed.
    """
    where = "html.readable"
    options = option_bag(argument(args, 1))
    base_url = text_option(options, "baseUrl", default="", where=where)
    page = page_of(args, where, deadline, options)
    title = _first(page, 'meta[property="og:title"]', "content") or js_trim(_title(page) or "") or None
    byline = _first(page, 'meta[name="author" i]', "content")
    if byline is None:
        for node in page.root.css('[rel~="author"], [itemprop~="author"], .byline, .author')[:1]:
            byline = page.take(js_trim(_JS_SPACES.sub(" ", text_of(node)))) or None
    excerpt = _meta(page, "description") or _first(page, 'meta[property="og:description"]', "content")
    remove_clutter(page)
    article = find_article(page)
    text = visible_text(article, deadline)
    if excerpt is None:
        lines = [line for line in text.split("\n") if js_trim(line)]
        first = next((line for line in lines if len(line) >= SHORT), lines[0] if lines else "")
        excerpt = _cut(first, _EXCERPT_UNITS) or None
    how = MarkdownOptions(safe_links=True, base_url=base_url or None)
    return {
        "title": title,
        "byline": byline,
        "excerpt": excerpt,
        "html": page.take(article.html or ""),
        "markdown": page.take(markdown_of([article], how, where, deadline)),
        "text": page.take(text),
        "length": utf16_length(text),
    }


MODULE: Final = HostModule(
    host_id=HostId("html"),
    exports=(
        HostExport(name="select", function=select),
        HostExport(name="toMarkdown", function=to_markdown),
        HostExport(name="toText", function=to_text),
        HostExport(name="extractLinks", function=extract_links),
        HostExport(name="extractImages", function=extract_images),
        HostExport(name="extractAudio", function=extract_audio),
        HostExport(name="extractVideos", function=extract_videos),
        HostExport(name="extractMetadata", function=extract_metadata),
        HostExport(name="extractReadableText", function=extract_readable_text),
        HostExport(name="selectAll", function=select_all),
        HostExport(name="extract", function=extract),
        HostExport(name="tables", function=tables),
        HostExport(name="readable", function=readable),
    ),
)
