"""What a reader of the page sees as text: the HTML standard's innerText, without a style sheet."""

from __future__ import annotations

import re
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline
from selectolax.lexbor import LexborNode

from nodetool_sandbox_host._html_tree import visits

BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup"
    " option p plaintext pre search section summary table tbody tfoot thead tr ul xmp caption".split()
)
HIDDEN: Final = frozenset(
    "area audio base basefont canvas datalist head iframe input link meta noembed noframes object param rp"
    " script style template textarea title track video".split()
)
_PREFORMATTED: Final = frozenset("pre listing plaintext xmp".split())
_CELLS: Final = frozenset(("td", "th"))
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")


class _Lines:
    """Text with its breaks: those that blocks ask for are drawn when the next text comes."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._breaks = 0
        self._spaced = True
        self._preformatted = 0

    def element(self, node: LexborNode, name: str, *, entering: bool) -> None:
        if name in BLOCKS:
            self._breaks = max(self._breaks, 2 if name == "p" else 1)
        elif name in _CELLS and not entering and _next_cell(node):
            self.tab()
        elif name == "br" and entering:
            self.line_break()
        if name in _PREFORMATTED:
            self._preformatted += 1 if entering else -1

    def add(self, text: str) -> None:
        if not self._preformatted:
            text = _SPACES.sub(" ", text)
            if (self._spaced or self._breaks) and text.startswith(" "):
                text = text[1:]
            if not text:
                return
        self._draw()
        self.parts.append(text)
        self._spaced = not self._preformatted and text.endswith(" ")

    def line_break(self) -> None:
        self._draw()
        self._trim()
        self.parts.append("\n")
        self._spaced = True

    def tab(self) -> None:
        self._trim()
        self.parts.append("\t")
        self._spaced = True

    def _draw(self) -> None:
        if self._breaks:
            self._trim()
            if self.parts:
                self.parts.append("\n" * self._breaks)
            self._breaks = 0
            self._spaced = True

    def _trim(self) -> None:
        # a space before a break does not show
        if self._spaced and self.parts and self.parts[-1].endswith(" "):
            self.parts[-1] = self.parts[-1][:-1]


def visible_text(root: LexborNode, deadline: Deadline) -> str:
    """The text below the root: blocks and br break lines, cells of a row are apart by a tab.

    Elements that no browser shows are left out, and those that the page marks `hidden`.
    """
    lines = _Lines()
    passed_over: int | None = None
    for node, entering in visits(root, deadline):
        if passed_over is not None:
            if node.mem_id == passed_over:
                passed_over = None
        elif node.is_text_node:
            if entering:
                lines.add(node.text_content or "")
        elif node.is_element_node:
            name = node.tag or ""
            if entering and (name in HIDDEN or "hidden" in node.attributes):
                passed_over = node.mem_id
            else:
                lines.element(node, name, entering=entering)
    return "".join(lines.parts).strip(" \t\r\n\f")


def _next_cell(node: LexborNode) -> bool:
    after = node.next
    while after is not None and (after.tag or "") not in _CELLS:
        after = after.next
    return after is not None
