"""A page as the tree that the HTML standard says, by selectolax's lexbor, and the ways through it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, cast

from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from selectolax.lexbor import LexborHTMLParser, LexborNode

from nodetool_sandbox_host._html_scan import check_markup
from nodetool_sandbox_host.arguments import (
    argument,
    option_bag,
    utf16_length,
    without_lone_surrogates,
)
from nodetool_sandbox_host.decoding import require_file_text
from nodetool_sandbox_host.limits import HTML_MAX_TEMPLATE_DEPTH, MAX_RESULT_UNITS

_STEP: Final = 256
_META_BYTES: Final = 1024
"""How far into a file the HTML standard looks for its encoding."""
_META_CHARSET: Final = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]+)", re.IGNORECASE)


class Page:
    """One parsed page, and how much of it has been given back."""

    def __init__(self, text: str, where: str, deadline: Deadline, *, scripting: bool = False) -> None:
        self.where = where
        self.deadline = deadline
        self.text = text = without_lone_surrogates(text)
        check_markup(text, where, deadline)
        deadline.check()
        self._parser = LexborHTMLParser(text, scripting=scripting)
        # the HTML standard gives every page an html element
        self.root = cast("LexborNode", self._parser.root)
        self._units = 0
        deadline.check()

    @property
    def body(self) -> LexborNode:
        """The body element; the root in a page of frames."""
        return self._parser.body or self.root

    def open_templates(self) -> None:
        """Put what templates hold inside of them, where selectors and text find it.

        Raises:
            HostCallError: templates lie deeper than HTML_MAX_TEMPLATE_DEPTH in one another.
        """
        for _ in range(HTML_MAX_TEMPLATE_DEPTH):
            fragments = self._parser.template_fragments()
            filled = [each for each in fragments if each.child is not None]
            if not filled:
                return
            for fragment in filled:
                self.deadline.check()
                template = fragment.parent
                if template is None:
                    continue
                for child in list(fragment.iter(include_text=True)):
                    template.insert_child(child, move=True)
        if any(each.child is not None for each in self._parser.template_fragments()):
            raise HostCallError(
                f"{self.where}: templates are nested deeper than {HTML_MAX_TEMPLATE_DEPTH} levels"
            )

    def take(self, text: str) -> str:
        """The text, counted as part of the result.

        Raises:
            HostCallError: the result is longer than MAX_RESULT_UNITS with it.
        """
        self._units += utf16_length(text)
        if self._units > MAX_RESULT_UNITS:
            raise HostCallError(f"{self.where}: result exceeds the {MAX_RESULT_UNITS} character limit")
        return text


def page_of(
    args: Sequence[object], where: str, deadline: Deadline, options: object, *, scripting: bool = False
) -> Page:
    """The page that the first argument holds: text, or a file's bytes.

    Raises:
        HostCallError: it is neither, too long, or costs too much to parse.
    """
    given = argument(args, 0)
    declared = None
    if isinstance(given, bytes):
        found = _META_CHARSET.search(given, 0, _META_BYTES)
        declared = None if found is None else found[1].decode("ascii")
        if declared is not None and declared.lower().startswith("utf-16"):
            declared = "utf-8"  # the HTML standard: a meta that could be read is not in UTF-16
    encoding = option_bag(options).get("encoding", UNDEFINED)
    text = require_file_text(given, where, "html", declared=declared, encoding=encoding)
    return Page(text, where, deadline, scripting=scripting)


def visits(root: LexborNode, deadline: Deadline) -> Iterator[tuple[LexborNode, bool]]:
    """Each node below and with the root: with True on the way in, with False on the way out."""
    stack = [(root, True)]
    steps = 0
    while stack:
        node, entering = stack.pop()
        steps += 1
        if not steps % _STEP:
            deadline.check()
        yield node, entering
        if entering:
            stack.append((node, False))
            children = []
            child = node.child
            while child is not None:
                children.append((child, True))
                child = child.next
            stack.extend(reversed(children))


def text_of(node: LexborNode) -> str:
    """What cheerio's `text()` gives: all text below, script and style too, comments not."""
    return node.text(deep=True, separator="", strip=False)


def attribute_of(node: LexborNode, name: str) -> str | None:
    """The attribute as written, or None; a boolean one is its own name, as in cheerio."""
    attributes = node.attributes
    if name not in attributes:
        return None
    return name if name in _BOOLEAN else attributes[name] or ""


_BOOLEAN: Final = frozenset(
    "autofocus autoplay async checked controls defer disabled hidden loop multiple open readonly required"
    " scoped selected".split()
)
