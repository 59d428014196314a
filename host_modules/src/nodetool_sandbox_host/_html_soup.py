"""The BeautifulSoup tree that Markdown is made from: built from lexbor's nodes, with its white space collapsed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

from bs4.element import NavigableString, Tag
from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from selectolax.lexbor import LexborNode

from nodetool_sandbox_host.limits import HTML_MAX_DEPTH, HTML_MAX_MARKDOWN_NODES

_STEP: Final = 256
BLOCKS: Final = frozenset(
    "address article aside audio blockquote body canvas center dd dir div dl dt fieldset figcaption figure"
    " footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html isindex li main menu nav noframes noscript"
    " ol output p pre section table tbody td tfoot th thead tr ul".split()
)
VOIDS: Final = frozenset(
    "area base br col command embed hr img input keygen link meta param source track wbr".split()
)
MEANINGFUL: Final = frozenset("a table thead tbody tfoot th td iframe script audio video".split())
_DROPPED: Final = frozenset("script style template title".split())
_LISTS: Final = frozenset(("ul", "ol"))
_SPACES: Final = re.compile(r"[ \r\n\t]+")


def build_soup(nodes: list[LexborNode], removed: frozenset[str], where: str, deadline: Deadline) -> Tag:
    """The tree for Markdown: without what is dropped, text alone past HTML_MAX_DEPTH levels.

    A list that stands in a list goes into the item before it, which is what its author meant.
    """
    root = Tag(name="x-root")
    count = 0
    stack: list[tuple[LexborNode, Tag, int]] = [(node, root, 1) for node in reversed(nodes)]
    while stack:
        source, parent, depth = stack.pop()
        count += 1
        if not count % _STEP:
            deadline.check()
        if count > HTML_MAX_MARKDOWN_NODES:
            raise HostCallError(
                f"{where}: the page has more than {HTML_MAX_MARKDOWN_NODES} elements and texts; "
                "convert a part of it with the option selector"
            )
        if source.is_text_node:
            _link(parent, NavigableString(source.text_content or ""))
            continue
        if not source.is_element_node:
            continue
        name = (source.tag or "").lower()
        if name in _DROPPED or name in removed:
            continue
        target = parent
        if depth <= HTML_MAX_DEPTH:
            if name in _LISTS and parent.name in _LISTS and (item := _last_item(parent)) is not None:
                parent = item
            attributes = {key: value or "" for key, value in source.attributes.items()}
            target = Tag(name=name, attrs=attributes)
            _link(parent, target)
        children = []
        child = source.child
        while child is not None:
            children.append((child, target, depth + 1))
            child = child.next
        stack.extend(reversed(children))
    return root


def _link(parent: Tag, child: Tag | NavigableString) -> None:
    # the neighbours alone: the converter never walks next_element, which `append` would keep up
    last = parent.contents[-1] if parent.contents else None
    child.parent = parent
    child.previous_sibling = last
    child.next_sibling = None
    if last is not None:
        last.next_sibling = child
    parent.contents.append(child)


def _unlink(child: NavigableString) -> None:
    before, after = child.previous_sibling, child.next_sibling
    if before is not None:
        before.next_sibling = after
    if after is not None:
        after.previous_sibling = before


def _last_item(parent: Tag) -> Tag | None:
    for each in reversed(parent.contents):
        if isinstance(each, Tag):
            return each if each.name == "li" else None
    return None


def children_of(node: Tag) -> list[Tag | NavigableString]:
    """Elements and texts of an element."""
    return cast("list[Tag | NavigableString]", node.contents)


def elements_of(node: Tag) -> list[Tag]:
    """Its elements alone."""
    return [each for each in node.contents if isinstance(each, Tag)]


class WhiteSpace:
    """White space as a browser would show it: the algorithm that Turndown uses."""

    def __init__(self, preformatted: set[str], tick: Callable[[], None]) -> None:
        self._preformatted = preformatted
        self._tick = tick
        self._before: NavigableString | None = None
        self._keep_leading = False
        self._texts: dict[int, str] = {}
        self._order: list[NavigableString] = []

    def collapse(self, root: Tag) -> None:
        """Change the texts below the root; those that are left empty are taken out."""
        stack: list[tuple[Tag | NavigableString, bool]] = [
            (each, True) for each in reversed(children_of(root))
        ]
        while stack:
            node, entering = stack.pop()
            self._tick()
            if isinstance(node, NavigableString):
                self._text(node)
                continue
            self._element(node.name)
            if entering and node.name not in self._preformatted and node.contents:
                stack.append((node, False))
                stack.extend((each, True) for each in reversed(children_of(node)))
        self._trim_before()
        for each in self._order:
            if not self._texts[id(each)]:
                _unlink(each)
        self._replace(root)

    def _text(self, node: NavigableString) -> None:
        text = _SPACES.sub(" ", node)
        at_edge = self._before is None or self._texts[id(self._before)].endswith(" ")
        if at_edge and not self._keep_leading:
            text = text.removeprefix(" ")
        self._order.append(node)
        self._texts[id(node)] = text
        if text:
            self._before = node

    def _element(self, name: str) -> None:
        if name in BLOCKS or name == "br":
            self._trim_before()
            self._before = None
            self._keep_leading = False
        elif name in VOIDS or name in self._preformatted:
            self._before = None
            self._keep_leading = True
        elif self._before is not None:
            self._keep_leading = False

    def _trim_before(self) -> None:
        if self._before is not None:
            self._texts[id(self._before)] = self._texts[id(self._before)].removesuffix(" ")

    def _replace(self, root: Tag) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            self._tick()
            kept: list[Tag | NavigableString] = []
            for child in children_of(node):
                if isinstance(child, Tag):
                    stack.append(child)
                    kept.append(child)
                elif (text := self._texts.get(id(child))) is None:
                    kept.append(child)  # in preformatted text
                elif text:
                    kept.append(_replaced(child, text))
            node.contents[:] = kept


def _replaced(old: NavigableString, text: str) -> NavigableString:
    new = NavigableString(text)
    new.parent, new.previous_sibling, new.next_sibling = old.parent, old.previous_sibling, old.next_sibling
    if new.previous_sibling is not None:
        new.previous_sibling.next_sibling = new
    if new.next_sibling is not None:
        new.next_sibling.previous_sibling = new
    return new


def attribute_text(el: Tag, name: str) -> str:
    """The attribute, or `""` without it."""
    value: Any = el.attrs.get(name)
    return value if isinstance(value, str) else ""
