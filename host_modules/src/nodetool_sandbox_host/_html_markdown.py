"""From a page to Markdown: markdownify's converter, taught Turndown's layout.

What differs from markdownify, and why it is done here: it calls itself for each level, so a deep
page ends it (the walk below does not); it leaves text that reads as Markdown bare (`1)`, `<b>`,
`[`); and lists, links, code, white space and tables are laid out as Turndown and GFM have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from bs4.element import NavigableString, Tag
from markdownify import MarkdownConverter
from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from selectolax.lexbor import LexborNode

from nodetool_sandbox_host._html_grid import Grid
from nodetool_sandbox_host._html_soup import (
    BLOCKS,
    MEANINGFUL,
    VOIDS,
    WhiteSpace,
    attribute_text,
    build_soup,
    children_of,
    elements_of,
)
from nodetool_sandbox_host._html_urls import is_safe, resolve
from nodetool_sandbox_host.arguments import JS_WHITESPACE, js_trim, utf16_length
from nodetool_sandbox_host.limits import MAX_RESULT_UNITS

_STEP: Final = 256
_RULES: Final = frozenset(
    "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s strike strong table td th tr"
    " ul".split()
)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

_BLANK_LINES: Final = re.compile(r"(?:\n+[^\S\n]*)+")
_FENCE_LANGUAGE: Final = re.compile(r"language-(\S+)")
_TICKS: Final = re.compile(r"`+")
_PADDED_CODE: Final = re.compile(r"^`|^ .*?[^ ].* $|`$")
_DESTINATION: Final = re.compile(r"([<>()])")
_BREAKS: Final = re.compile(r"\s*\n\s*")
_TWO_BREAKS: Final = re.compile(r"\s*\n\s*\n\s*")

# Turndown's escapes, then those that CommonMark and GFM need on top.
_ANYWHERE: Final = re.compile(r"[\\*`\[\]_]")
_NUMBERED: Final = re.compile(r"^(\d+)([.)])(?=\s|$)", re.MULTILINE)
_ESCAPED_NUMBER: Final = r"\1\\\2"
_LINE_STARTS: Final = (
    (re.compile(r"^-", re.MULTILINE), r"\\-"),
    (re.compile(r"^\+(?=\s|$)", re.MULTILINE), r"\\+"),
    (re.compile(r"^(=+)", re.MULTILINE), r"\\\1"),
    (re.compile(r"^(#{1,6})(?=\s|$)", re.MULTILINE), r"\\\1"),
    (re.compile(r"^~~~", re.MULTILINE), r"\\~~~"),
    (re.compile(r"^>", re.MULTILINE), r"\\>"),
    (_NUMBERED, _ESCAPED_NUMBER),
)
_STRUCTURE: Final = frozenset("-+=#~>")
_TAG_START: Final = re.compile(r"<(?=[a-zA-Z/!?])")
_ENTITY: Final = re.compile(r"&(?=#\d{1,7};|#[xX][0-9a-fA-F]{1,6};|[a-zA-Z][a-zA-Z0-9]{1,31};)")
_STRIKE: Final = re.compile(r"~(?=~)")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownOptions:
    """Turndown's options by their names, and ours: tables, links and what is left out."""

    heading_style: str = "atx"
    hr: str = "* * *"
    bullet: str = "-"
    code_block_style: str = "fenced"
    fence: str = "```"
    em: str = "_"
    strong: str = "**"
    link_style: str = "inlined"
    link_reference_style: str = "full"
    br: str = "  "
    preformatted_code: bool = False
    gfm_tables: bool = True
    safe_links: bool = False
    base_url: str | None = None
    plain: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Info:
    """What a node's text looks like from outside: its ends, and whether there is anything in it."""

    lead: str = ""
    trail: str = ""
    blank: bool = True
    void: bool = False
    meaningful: bool = False


class _Joined:
    """Pieces of Markdown, with at most one blank line between any two."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._breaks = 0

    def add(self, piece: str) -> None:
        body = piece.lstrip("\n")
        self._breaks = min(2, max(self._breaks, len(piece) - len(body)))
        if not body:
            return
        kept = body.rstrip("\n")
        self._parts.append("\n" * self._breaks)
        self._parts.append(kept)
        self._breaks = len(body) - len(kept)

    def text(self) -> str:
        return "".join(self._parts) + "\n" * self._breaks


@dataclass(slots=True)
class _Frame:
    node: Tag
    code: bool
    inline: bool
    children: list[Tag | NavigableString]
    place: int = 0
    joined: _Joined = field(default_factory=_Joined)


def markdown_of(nodes: list[LexborNode], options: MarkdownOptions, where: str, deadline: Deadline) -> str:
    """The Markdown of these elements, one after the other.

    Raises:
        HostCallError: they hold more than HTML_MAX_MARKDOWN_NODES nodes, or the Markdown is past
            MAX_RESULT_UNITS.
    """
    root = build_soup(nodes, options.removed, where, deadline)
    converter = _Converter(options, where, deadline)
    return converter.document(root)


class _Converter(MarkdownConverter):
    def __init__(self, options: MarkdownOptions, where: str, deadline: Deadline) -> None:
        super().__init__(heading_style="underlined" if options.heading_style == "setext" else "atx")
        self._how = options
        self._where = where
        self._deadline = deadline
        self._infos: dict[int, _Info] = {}
        self._places: dict[int, int] = {}
        self._cells: dict[int, str] = {}
        self._references: list[str] = []
        self._steps = 0

    def document(self, root: Tag) -> str:
        spaces = WhiteSpace({"pre", "code"} if self._how.preformatted_code else {"pre"}, self._tick)
        spaces.collapse(root)
        self._look(root)
        text = str(self.process_tag(root))
        if self._references:
            text = text.rstrip("\n") + "\n\n" + "\n".join(self._references)
        return self._capped(text.lstrip("\t\r\n").rstrip(JS_WHITESPACE))

    def _tick(self) -> None:
        self._steps += 1
        if not self._steps % _STEP:
            self._deadline.check()

    def _capped(self, text: str) -> str:
        if len(text) > MAX_RESULT_UNITS or (
            2 * len(text) > MAX_RESULT_UNITS and utf16_length(text) > MAX_RESULT_UNITS
        ):
            raise HostCallError(
                f"{self._where}: result exceeds the {MAX_RESULT_UNITS} character limit; "
                "convert a part of the page with the option selector"
            )
        return text

    def _indented(self, text: str, prefix: str, *, first: bool) -> str:
        """The text with the prefix before each line, or before each but the first."""
        if len(text) + text.count("\n") * len(prefix) > MAX_RESULT_UNITS:
            self._capped("x" * (MAX_RESULT_UNITS + 1))
        self._deadline.check()
        return (prefix if first else "") + text.replace("\n", "\n" + prefix)

    def _look(self, root: Tag) -> None:
        """Fill in what each element holds, from the leaves up."""
        stack: list[tuple[Tag, bool]] = [(root, True)]
        while stack:
            node, entering = stack.pop()
            self._tick()
            if entering:
                stack.append((node, False))
                stack.extend((each, True) for each in elements_of(node))
                continue
            info = _Info()
            if node.name == "ol":
                items = [each for each in elements_of(node) if each.name == "li"]
                self._places.update((id(item), place) for place, item in enumerate(items))
            for child in children_of(node):
                if isinstance(child, NavigableString):
                    _extend(info, *_ends(child))
                    continue
                inner = self._infos[id(child)]
                _extend(info, inner.lead, inner.trail, blank=inner.blank)
                info.void = info.void or inner.void or child.name in VOIDS
                info.meaningful = info.meaningful or inner.meaningful or child.name in MEANINGFUL
            self._infos[id(node)] = info

    def _is_blank(self, node: Tag) -> bool:
        info = self._infos[id(node)]
        return (
            info.blank
            and not info.void
            and not info.meaningful
            and node.name not in VOIDS
            and node.name not in MEANINGFUL
        )

    def process_tag(self, node: Tag, parent_tags: set[str] | None = None) -> str:
        """The Markdown of an element, without a call per level."""
        del parent_tags  # what markdownify hands down is in the frames
        frames = [_Frame(node, code=False, inline=False, children=children_of(node))]
        while True:
            frame = frames[-1]
            self._tick()
            if frame.place < len(frame.children):
                child = frame.children[frame.place]
                frame.place += 1
                if isinstance(child, NavigableString):
                    frame.joined.add(str(child) if frame.code else self._escaped(child))
                elif self._is_blank(child):
                    # a blank inline element is the white space at its ends
                    inner = _Frame(child, code=frame.code or child.name == "code", inline=False, children=[])
                    frame.joined.add("\n\n" if child.name in BLOCKS else "".join(self._flanks(child, inner)))
                else:
                    frames.append(
                        _Frame(
                            child,
                            code=frame.code or child.name == "code",
                            inline=frame.inline or child.name in ("td", "th"),
                            children=[] if self._is_code_block(child) else children_of(child),
                        )
                    )
                continue
            frames.pop()
            text = frame.joined.text()
            if not frames:
                return text
            frames[-1].joined.add(self._replacement(frame, text, outer=frames[-1]))

    def _is_code_block(self, node: Tag) -> bool:
        first = children_of(node)[0] if node.contents else None
        return node.name == "pre" and isinstance(first, Tag) and first.name == "code"

    def _replacement(self, frame: _Frame, text: str, outer: _Frame) -> str:
        node = frame.node
        leading, trailing = self._flanks(node, frame)
        if leading or trailing:
            text = js_trim(text)
        convert = self.get_conv_fn_cached(node.name)  # type: ignore[attr-defined]  # not in its stubs
        if convert is not None:
            tags = {"_inline"} if outer.inline else set()
            if outer.code:
                tags.add("_noformat")
            text = convert(node, text, tags)
        elif node.name in BLOCKS:
            text = f"\n\n{text}\n\n"
        return self._capped(f"{leading}{text}{trailing}")

    def get_conv_fn(self, tag_name: str) -> Callable[[Tag, str, set[str]], str] | None:
        """The look-up of markdownify, for the elements that Turndown has a rule for."""
        if tag_name not in _RULES or tag_name in self._how.plain:
            return None
        if not self._how.gfm_tables and tag_name in ("table", "tr", "td", "th"):
            return None
        found = super().get_conv_fn(tag_name)  # type: ignore[misc]  # not in its stubs
        return cast("Callable[[Tag, str, set[str]], str] | None", found)

    def _flanks(self, node: Tag, frame: _Frame) -> tuple[str, str]:
        """The white space at the ends of an inline element, which goes outside of its marks."""
        if node.name in BLOCKS or node.name == "x-root" or (self._how.preformatted_code and frame.code):
            return "", ""
        info = self._infos[id(node)]
        if info.blank:
            leading = info.lead
            ends = leading.strip(" \t\r\n")
            return (ends if self._is_flanked(node, left=True) else leading), ""
        leading, trailing = info.lead, info.trail
        if leading[:1] in _ASCII and self._is_flanked(node, left=True):
            leading = leading.lstrip(" \t\r\n")
        if trailing[-1:] in _ASCII and self._is_flanked(node, left=False):
            trailing = trailing.rstrip(" \t\r\n")
        return leading, trailing

    def _is_flanked(self, node: Tag, *, left: bool) -> bool:
        sibling = node.previous_sibling if left else node.next_sibling
        if isinstance(sibling, NavigableString):
            return sibling.endswith(" ") if left else sibling.startswith(" ")
        if isinstance(sibling, Tag) and sibling.name not in BLOCKS:
            if self._how.preformatted_code and sibling.name == "code":
                return False
            info = self._infos[id(sibling)]
            return info.trail.endswith(" ") if left else info.lead.startswith(" ")
        return False

    def _escaped(self, node: NavigableString) -> str:
        text = self.escape(str(node), set())
        after = node.next_sibling
        if text.endswith("!") and isinstance(after, Tag) and after.name == "a":
            text = text[:-1] + "\\!"  # or the link would read as an image
        return text

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Text that reads as itself in Markdown."""
        del parent_tags
        text = _ANYWHERE.sub(r"\\\g<0>", text)
        if text[:1] in _STRUCTURE or text[:1].isdigit() or "\n" in text:
            for pattern, replacement in _LINE_STARTS:
                text = pattern.sub(replacement, text)
        if "~~" in text.removeprefix("\\~~~"):
            text = _STRIKE.sub(r"\\~", text.replace("\\~", "~"))
        text = _TAG_START.sub(r"\\<", text)
        return _ENTITY.sub(r"\\&", text)

    def convert_p(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A block of its own; no list, where the number and its dot are in two elements."""
        return f"\n\n{_NUMBERED.sub(_ESCAPED_NUMBER, text)}\n\n"

    def convert_br(self, _el: Tag, _text: str, _parent_tags: set[str]) -> str:
        """A break in the line."""
        return f"{self._how.br}\n"

    def convert_hr(self, _el: Tag, _text: str, _parent_tags: set[str]) -> str:
        """A rule."""
        return f"\n\n{self._how.hr}\n\n"

    def convert_blockquote(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A quote."""
        return f"\n\n{self._indented(text.strip(chr(10)), '> ', first=True)}\n\n"

    def convert_ul(self, el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A list; as the last element of an item it follows on the next line."""
        parent = el.parent
        if parent is not None and parent.name == "li" and elements_of(parent)[-1] is el:
            return f"\n{text}"
        return f"\n\n{text}\n\n"

    convert_ol = convert_ul

    def convert_li(self, el: Tag, text: str, _parent_tags: set[str]) -> str:
        """An item, its further lines indented by the width of its marker."""
        parent = el.parent
        prefix = f"{self._how.bullet}   "
        if parent is not None and parent.name == "ol":
            prefix = f"{_first_number(parent) + self._places[id(el)]}.  "
        loose = text.endswith("\n")
        text = self._indented(text.strip("\n") + ("\n" if loose else ""), " " * len(prefix), first=False)
        return prefix + text + ("\n" if el.next_sibling is not None else "")

    def convert_em(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """Emphasis."""
        return f"{self._how.em}{text}{self._how.em}" if js_trim(text) else ""

    convert_i = convert_em

    def convert_strong(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """Strong emphasis."""
        return f"{self._how.strong}{text}{self._how.strong}" if js_trim(text) else ""

    convert_b = convert_strong

    def convert_strike(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """Struck out text, as GFM has it."""
        return f"~~{text}~~" if js_trim(text) else ""

    convert_s = convert_strike
    convert_del = convert_strike

    def convert_a(self, el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A link, or its text where it leads nowhere."""
        href = self._destination(el, "href")
        if not href:
            return text
        title = _title(el)
        text = _TWO_BREAKS.sub(" ", text.strip("\n"))  # a link ends where a block does
        if self._how.link_style != "referenced":
            return f"[{text}]({href}{title})"
        if self._how.link_reference_style == "collapsed":
            self._references.append(f"[{text}]: {href}{title}")
            return f"[{text}][]"
        if self._how.link_reference_style == "shortcut":
            self._references.append(f"[{text}]: {href}{title}")
            return f"[{text}]"
        number = len(self._references) + 1
        self._references.append(f"[{number}]: {href}{title}")
        return f"[{text}][{number}]"

    def convert_img(self, el: Tag, _text: str, _parent_tags: set[str]) -> str:
        """An image; nothing without a source."""
        source = self._destination(el, "src")
        alt = self.escape(_BLANK_LINES.sub("\n", attribute_text(el, "alt")), set())
        return f"![{alt}]({source}{_title(el)})" if source else ""

    def _destination(self, el: Tag, name: str) -> str:
        url = attribute_text(el, name)
        if not url or (self._how.safe_links and not is_safe(url)):
            return ""
        if self._how.base_url is not None:
            url = resolve(url, self._how.base_url)
        # a URL parser removes them, and a line end would end the link
        url = _DESTINATION.sub(r"\\\1", re.sub(r"[\t\r\n]", "", url))
        return f"<{url}>" if " " in url else url

    def convert_code(self, _el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A span of code, in as many backticks as it needs."""
        if not text:
            return ""
        text = re.sub(r"\r?\n|\r", " ", text)
        space = " " if _PADDED_CODE.search(text) else ""
        runs = {len(run) for run in _TICKS.findall(text)}
        ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
        return f"{ticks}{space}{text}{space}{ticks}"

    def convert_pre(self, el: Tag, text: str, _parent_tags: set[str]) -> str:
        """A block of code, or preformatted text as a paragraph."""
        if not self._is_code_block(el):
            return f"\n\n{text}\n\n"
        first = cast("Tag", el.contents[0])
        code = self._plain_text(first)
        if self._how.code_block_style == "indented":
            return f"\n\n{self._indented(code, '    ', first=True)}\n\n"
        language = _FENCE_LANGUAGE.search(attribute_text(first, "class"))
        char = self._how.fence[:1] or "`"
        size = max(
            (len(run) + 1 for run in re.findall(rf"^{re.escape(char)}{{3,}}", code, re.MULTILINE)), default=3
        )
        fence = char * size
        return f"\n\n{fence}{language[1] if language else ''}\n{code.removesuffix(chr(10))}\n{fence}\n\n"

    def _plain_text(self, node: Tag) -> str:
        parts: list[str] = []
        stack: list[Tag | NavigableString] = [node]
        while stack:
            self._tick()
            each = stack.pop()
            if isinstance(each, NavigableString):
                parts.append(each)
            else:
                stack.extend(reversed(children_of(each)))
        return "".join(parts)

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Nothing: the cell waits for its table. A table within a cell is text."""
        if "_inline" in parent_tags:
            return f"\n\n{text}\n\n"
        self._cells[id(el)] = text
        return ""

    convert_th = convert_td

    def convert_tr(self, _el: Tag, text: str, parent_tags: set[str]) -> str:
        """Nothing: the row is its table's."""
        return f"\n\n{text}\n\n" if "_inline" in parent_tags else ""

    def convert_table(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """The grid of the table; what spans more is written once."""
        if "_inline" in parent_tags:
            return f"\n\n{text}\n\n"
        rows = _rows(el)
        grid = Grid.of(
            [
                [(cell, attribute_text(cell, "colspan"), attribute_text(cell, "rowspan")) for cell in row]
                for row in rows
            ],
            self._where,
            self._deadline,
        )
        if not grid.rows:
            return f"\n\n{text}\n\n"
        contents = [
            ["" if cell is None or not first else self._cells.get(id(cell), "") for cell, first in row]
            for row in grid.rows
        ]
        caption = f"\n\n{caption}" if (caption := js_trim(text)) else ""
        if len(grid.rows) == 1 and grid.width == 1:
            return f"{caption}\n\n{contents[0][0].strip(chr(10))}\n\n"
        has_header = any(cell is not None and cell.name == "th" for cell, _ in grid.rows[0])
        lines = [[_in_cell(each) for each in row] for row in contents]
        head = lines.pop(0) if has_header else [""] * grid.width
        marks = [_alignment(cell) for cell, _ in grid.rows[0]]
        drawn = "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *lines))
        return f"{caption}\n\n{self._capped(drawn)}\n\n"


_ASCII: Final = frozenset(" \t\r\n")


def _ends(text: str) -> tuple[str, str, bool]:
    """The white space at both ends, and whether there is nothing else."""
    bare = text.strip(JS_WHITESPACE)
    if not bare:
        return text, text, True
    return (
        text[: len(text) - len(text.lstrip(JS_WHITESPACE))],
        text[len(text.rstrip(JS_WHITESPACE)) :],
        False,
    )


def _extend(info: _Info, lead: str, trail: str, blank: bool) -> None:  # noqa: FBT001  (the third of `_ends`)
    if info.blank:
        info.lead += lead
    info.trail = info.trail + trail if blank else trail
    info.blank = info.blank and blank


def _title(el: Tag) -> str:
    title = _BLANK_LINES.sub("\n", attribute_text(el, "title")).replace('"', '\\"')
    return f' "{title}"' if title else ""


def _first_number(ordered: Tag) -> int:
    start = attribute_text(ordered, "start").strip()
    return int(start) if re.fullmatch(r"[+-]?\d{1,9}", start, re.ASCII) else 1


def _rows(table: Tag) -> list[list[Tag]]:
    """The cells of each row of the table itself, in the order in which a browser shows them."""
    parts: dict[str, list[Tag]] = {"thead": [], "tbody": [], "tfoot": []}
    for each in elements_of(table):
        if each.name in parts:
            parts[each.name] += [row for row in elements_of(each) if row.name == "tr"]
        elif each.name == "tr":
            parts["tbody"].append(each)
    return [
        [cell for cell in elements_of(row) if cell.name in ("td", "th")]
        for each in parts.values()
        for row in each
    ]


def _in_cell(text: str) -> str:
    """The Markdown as the content of one cell: on one line, no pipe of its own."""
    text = js_trim(text).replace("|", "\\|")
    return _BREAKS.sub("<br>", text)


def _alignment(cell: Tag | None) -> str:
    align = "" if cell is None else attribute_text(cell, "align").lower()
    return {"left": ":---", "center": ":---:", "right": "---:"}.get(align, "---")
