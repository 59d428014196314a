"""CSS selectors, with the jQuery ones that programs use, over lexbor.

lexbor does not know jQuery's, and cannot be taught. So what they mean is found out here and
marked on the elements with an attribute that the page does not use, and the selector that
lexbor gets asks for the mark: `li:contains("x"):eq(1) a` becomes `[mark-2] a`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from selectolax.lexbor import LexborNode, SelectolaxError

from nodetool_sandbox_host._html_tree import Page, visits
from nodetool_sandbox_host.arguments import js_trim, quoted, utf16_length, without_lone_surrogates
from nodetool_sandbox_host.limits import (
    HTML_MAX_HAS_DEPTH,
    HTML_MAX_SELECTOR_PARTS,
    HTML_MAX_SELECTOR_STEPS,
    HTML_MAX_SELECTOR_UNITS,
)

_POSITIONS: Final = frozenset("first last eq nth gt lt even odd".split())
_WITH_SELECTORS: Final = frozenset("not is where has matches".split())
_NAME: Final = re.compile(r"[-\w]+")
_STRING: Final = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\])*+\1""", re.DOTALL)
_NOT_EQUAL: Final = re.compile(r"""\s*([-\w:|\\.]+)\s*!=\s*(.*)""", re.DOTALL)
_STEP: Final = 1024
_INTEGER: Final = re.compile(r"\s*[-+]?\d{1,9}")
_COMBINATOR: Final = re.compile(r"\s*[>+~]\s*|\s+")
_ESCAPE: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_COSTLY: Final = re.compile(r":(?:nth-|only-|first-of|last-of|has)")


@dataclass(slots=True)
class _Step:
    """A selector for lexbor, and which of its matches count: `(name, number)`, or None for all."""

    css: str
    position: tuple[str, int | None] | None = None


@dataclass(slots=True)
class _Reader:
    """Reads one selector, to the steps of each of its comma separated parts."""

    selector: str
    page: Page
    parts: int = 0
    needles: dict[tuple[str, bool], str] = field(default_factory=dict)
    mark: str = ""
    positions: int = 0

    def refuse(self, reason: str) -> HostCallError:
        return HostCallError(f"{self.page.where}: invalid selector {quoted(self.selector)} ({reason})")

    def count_part(self) -> None:
        self.parts += 1
        if self.parts > HTML_MAX_SELECTOR_PARTS:
            raise self.refuse(f"more than {HTML_MAX_SELECTOR_PARTS} parts")

    def items(self, text: str, *, top: bool, has_depth: int, not_depth: int) -> list[list[_Step]]:
        """The steps of each comma separated part; only a top one may have positions."""
        if not_depth > HTML_MAX_SELECTOR_PARTS:
            raise self.refuse(f"more than {HTML_MAX_SELECTOR_PARTS} parts")
        found: list[list[_Step]] = []
        steps: list[_Step] = []
        css: list[str] = []
        place = 0
        self.count_part()
        while place < len(text):
            char = text[place]
            if char == ",":
                found.append(self._closed(steps, css, last=False))
                steps, css = [], []
                self.count_part()
                place += 1
            elif char == ":":
                name, arguments, place = self._pseudo(text, place)
                if name not in _POSITIONS:
                    css.append(self._rewritten(name, arguments, has_depth, not_depth))
                elif top:
                    steps.append(_Step("".join(css), (name, _number(arguments))))
                    css = []
                else:
                    raise self.refuse(f":{name} cannot stand inside of another pseudo-class")
            else:
                piece, place = self._simple(text, place, first=not (css or steps))
                css.append(piece)
        found.append(self._closed(steps, css, last=not found))
        return found

    def _closed(self, steps: list[_Step], css: list[str], *, last: bool) -> list[_Step]:
        if not steps and not "".join(css).strip():
            raise self.refuse("it is empty" if last else "a part between commas is empty")
        return [*steps, _Step("".join(css))]

    def _simple(self, text: str, place: int, *, first: bool) -> tuple[str, int]:
        """The next piece that is neither a comma nor a pseudo-class, for lexbor, and where it ends."""
        char = text[place]
        if char == "[":
            end = self._closing(text, place, "]")
            return self._attribute(text[place + 1 : end]), end + 1
        if char in ")]({}<;@\"'":
            raise self.refuse(f"unexpected {char}")
        if char == "\\":
            return text[place : place + 2], place + 2
        combinator = _COMBINATOR.match(text, place)
        if combinator is None:
            return char, place + 1
        if not first and text[combinator.end() :].lstrip()[:1] not in ("", ","):
            self.count_part()
        return combinator[0], combinator.end()

    def _pseudo(self, text: str, place: int) -> tuple[str, str | None, int]:
        """Name, text between the brackets (None without any) and end of the pseudo-class at `place`."""
        match = _NAME.match(text, place + 1)
        if match is None:
            raise self.refuse(
                "pseudo-elements match nothing" if text[place : place + 2] == "::" else "bare :"
            )
        if text[match.end() : match.end() + 1] != "(":
            return match[0].lower(), None, match.end()
        end = self._closing(text, match.end(), ")")
        return match[0].lower(), text[match.end() + 1 : end], end + 1

    def _closing(self, text: str, place: int, closer: str) -> int:
        """Where the bracket at `place` is closed."""
        depth = 0
        opener = text[place]
        while place < len(text):
            char = text[place]
            if char in "\"'":
                string = _STRING.match(text, place)
                if string is None:
                    raise self.refuse("a string is not closed")
                place = string.end()
                continue
            if char == "\\":
                place += 2
                continue
            if char == opener:
                depth += 1
            elif char == closer:
                depth -= 1
                if not depth:
                    return place
            place += 1
        raise self.refuse(f"{opener} is not closed")

    def _attribute(self, inside: str) -> str:
        different = _NOT_EQUAL.fullmatch(inside)
        return f"[{inside}]" if different is None else f":not([{different[1]}={different[2]}])"

    def _rewritten(self, name: str, arguments: str | None, has_depth: int, not_depth: int) -> str:
        if name == "header":
            return ":is(h1, h2, h3, h4, h5, h6)"
        if name in ("contains", "icontains"):
            if arguments is None:
                raise self.refuse(f":{name} needs a text")
            key = (_unquoted(arguments), name == "icontains")
            mark = self.needles.setdefault(key, f"{self.mark}t{len(self.needles)}")
            return f"[{mark}]"
        if name.startswith(("lexbor-", "-")):
            raise self.refuse(f"unknown pseudo-class :{name}")
        if name in _WITH_SELECTORS:
            if arguments is None:
                raise self.refuse(f":{name} needs a selector")
            has_depth += name == "has"
            if has_depth > HTML_MAX_HAS_DEPTH:
                raise self.refuse(f":has deeper than {HTML_MAX_HAS_DEPTH} levels in itself")
            inner = self.items(arguments, top=False, has_depth=has_depth, not_depth=not_depth + 1)
            written = ", ".join(steps[0].css.strip() for steps in inner)
            return f":{'is' if name == 'matches' else name}({written})"
        return f":{name}" if arguments is None else f":{name}({arguments})"


def _unquoted(arguments: str) -> str:
    text = arguments.strip()
    if _STRING.fullmatch(text) is not None:
        text = text[1:-1]

    def plain(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[2]
        code = int(match[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"  # noqa: PLR2004

    return _ESCAPE.sub(plain, text)


def _number(arguments: str | None) -> int | None:
    match = _INTEGER.match(arguments or "")
    return None if match is None else int(match[0])


def _picked(nodes: list[LexborNode], position: tuple[str, int | None]) -> list[LexborNode]:
    name, number = position
    if name in ("first", "last", "even", "odd"):
        return {"first": nodes[:1], "last": nodes[-1:], "even": nodes[::2], "odd": nodes[1::2]}[name]
    if number is None:
        return []
    if name in ("eq", "nth"):
        return nodes[number:][:1] if -len(nodes) <= number < len(nodes) else []
    if name == "lt":
        return nodes[:number]
    # :gt(-1) is after the last one
    return nodes[number + 1 :] if number != -1 else []


def require_selector(selector: object, where: str) -> str:
    """The selector argument.

    Raises:
        HostCallError: it is no string, blank, or longer than HTML_MAX_SELECTOR_UNITS.
    """
    if not isinstance(selector, str) or not js_trim(selector):
        raise HostCallError(f"{where}: selector must be a non-empty string")
    if utf16_length(selector) > HTML_MAX_SELECTOR_UNITS:
        reason = f"longer than {HTML_MAX_SELECTOR_UNITS} characters"
        raise HostCallError(f"{where}: invalid selector {quoted(selector)} ({reason})")
    return without_lone_surrogates(selector)


class Finder:
    """Finds elements of one page; it is not to be used any more once the page has changed."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._mark = ""
        self._cost: int | None = None
        self._spans: list[tuple[LexborNode, int, int]] | None = None
        self._texts: tuple[str, str] = ("", "")
        self._held: dict[tuple[str, bool], list[LexborNode]] = {}

    def find(self, selector: str, scope: LexborNode | None = None) -> list[LexborNode]:
        """The elements below the scope (the whole page without one) that match, each once, in page order.

        Raises:
            HostCallError: the selector is not understood, or costs too much on this page.
        """
        reader = _Reader(selector, self._page, mark=self._free_mark())
        items = reader.items(selector.strip(), top=True, has_depth=0, not_depth=0)
        marked: list[tuple[LexborNode, str]] = []
        try:
            for (needle, folded), mark in reader.needles.items():
                marked += self._mark_all(self._holding(needle, folded=folded), mark)
            written = [self._resolved(steps, scope, reader, marked) for steps in items]
            found = self._css(", ".join(written), scope, reader)
        finally:
            for node, mark in marked:
                del node.attrs[mark]
        # lexbor gives an element once for each part that it matches
        once = {node.mem_id: node for node in found}
        if scope is not None:
            once.pop(scope.mem_id, None)
        return list(once.values())

    def _free_mark(self) -> str:
        if not self._mark:
            text = self._page.text.lower()
            number = 0
            while (mark := f"nt{number}-") in text:
                number += 1
            self._mark = mark
        return self._mark

    def _resolved(
        self,
        steps: list[_Step],
        scope: LexborNode | None,
        reader: _Reader,
        marked: list[tuple[LexborNode, str]],
    ) -> str:
        """The selector of one part, its positions found out and marked."""
        head = ""
        for step in steps:
            css = head + step.css
            if step.position is None:
                return css if css.strip() else "*"
            whole = css if css.strip() and not re.search(r"[\s>+~]\Z", css) else f"{css}*"
            nodes = self._css(whole, scope, reader)
            reader.positions += 1
            mark = f"{self._mark}p{reader.positions}"
            marked += self._mark_all(_picked(nodes, step.position), mark)
            head = f"[{mark}]"
        return head

    def _mark_all(self, nodes: list[LexborNode], mark: str) -> list[tuple[LexborNode, str]]:
        for count, node in enumerate(nodes):
            if count % _STEP == 0:
                self._page.deadline.check()
            node.attrs[mark] = ""
        return [(node, mark) for node in nodes]

    def _css(self, css: str, scope: LexborNode | None, reader: _Reader) -> list[LexborNode]:
        self._page.deadline.check()
        if _COSTLY.search(css) is not None and self._steps() > HTML_MAX_SELECTOR_STEPS:
            raise reader.refuse(
                "this page has too many siblings or levels for it; select by class or position"
            )
        try:
            return (scope or self._page.root).css(css)
        except SelectolaxError:
            raise reader.refuse("it is not CSS, or a part of CSS that is not supported") from None

    def _steps(self) -> int:
        """About how many steps a structural pseudo-class takes over the page: sibling pairs and levels."""
        if self._cost is None:
            cost = depth = 0
            children = [0]
            for node, entering in visits(self._page.root, self._page.deadline):
                if not node.is_element_node:
                    continue
                if entering:
                    depth += 1
                    children[-1] += 1
                    children.append(0)
                    cost += depth
                else:
                    depth -= 1
                    cost += children.pop() ** 2
            self._cost = cost
        return self._cost

    def _holding(self, needle: str, *, folded: bool) -> list[LexborNode]:
        """The elements whose text holds the needle: one pass, each place of the needle looked for once."""
        if (needle, folded) in self._held:
            return self._held[needle, folded]
        if self._spans is None:
            self._spans, text = _spans(self._page)
            self._texts = (text, _folded(text))
        text = self._texts[folded]
        found = self._held[needle, folded] = []
        needle = _folded(needle) if folded else needle
        place = text.find(needle)
        for count, (node, start, end) in enumerate(self._spans):
            if count % _STEP == 0:
                self._page.deadline.check()
            if 0 <= place < start:
                place = text.find(needle, start)
            if place < 0:
                break
            if place + len(needle) <= end:
                found.append(node)
        return found


def _folded(text: str) -> str:
    """The text in lower case, with every character in its place."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := each.lower()) == 1 else each for each in text)


def _spans(page: Page) -> tuple[list[tuple[LexborNode, int, int]], str]:
    """Each element, in page order, with the part of the page's text that it holds; and that text."""
    nodes: list[LexborNode] = []
    starts: list[int] = []
    ends: list[int] = []
    open_places: list[int] = []
    parts: list[str] = []
    length = 0
    for node, entering in visits(page.root, page.deadline):
        if node.is_text_node:
            if entering:
                parts.append(node.text_content or "")
                length += len(parts[-1])
        elif node.is_element_node:
            if entering:
                open_places.append(len(nodes))
                nodes.append(node)
                starts.append(length)
                ends.append(length)
            else:
                ends[open_places.pop()] = length
    return list(zip(nodes, starts, ends, strict=True)), "".join(parts)
