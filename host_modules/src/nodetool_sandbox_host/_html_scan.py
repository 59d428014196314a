"""One pass over the tags of a page before it is parsed: what would make the parser slow is refused here.

The tree builder's cost grows with the square of a tag's attributes and of the levels of open
elements, and unclosed formatting elements are built again in each paragraph that follows. The
pass estimates: it counts out void elements and the end tags that HTML lets authors leave out.
"""

from __future__ import annotations

import re
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host.limits import HTML_MAX_ATTRIBUTES, HTML_MAX_NESTING_ESTIMATE, HTML_MAX_NODES

VOID: Final = frozenset(
    "area base basefont bgsound br col command embed frame hr image img input keygen link meta param source"
    " track wbr".split()
)
_RAW: Final = frozenset("script style textarea title xmp iframe noembed noframes plaintext".split())
_FOREIGN: Final = frozenset(("svg", "math"))
_FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_BLOCKS: Final = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hgroup hr li dd dt main menu nav ol p pre section summary table ul".split()
)
# An open element of the second kind ends where one of the first kind begins.
_CLOSES: Final = {
    **dict.fromkeys(_BLOCKS, frozenset(("p",))),
    "li": frozenset(("li", "p")),
    "dt": frozenset(("dt", "dd", "p")),
    "dd": frozenset(("dt", "dd", "p")),
    "option": frozenset(("option",)),
    "optgroup": frozenset(("option", "optgroup")),
    "td": frozenset(("td", "th")),
    "th": frozenset(("td", "th")),
    "tr": frozenset(("td", "th", "tr")),
    "tbody": frozenset(("td", "th", "tr", "tbody", "thead", "tfoot")),
    "tfoot": frozenset(("td", "th", "tr", "tbody", "thead", "tfoot")),
    "rt": frozenset(("rt", "rp")),
    "rp": frozenset(("rt", "rp")),
    "a": frozenset(("a",)),
    "button": frozenset(("button",)),
}
_BARRIERS: Final = frozenset("table td th div ul ol dl section article svg math template select".split())
_LOOK_BACK: Final = 32
"""How many open elements an implied end tag reaches over."""
_SAME_FORMATTING: Final = 3
"""How many equal formatting elements the tree builder builds again (the HTML standard's Noah's Ark clause)."""
_STEP: Final = 4096

_TOKEN: Final = re.compile(
    r"<!--(?:>|->)?|<[!?]|</(?P<end>[a-zA-Z][^\s/>]*+)[^>]*+>?|<(?P<start>[a-zA-Z][^\s/>]*+)(?P<close>>)?"
)
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*+(?:(?P<end>>)|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?=>))?)?)"""
)


def check_markup(text: str, where: str, deadline: Deadline) -> None:
    """Return when the page is cheap enough to parse.

    Raises:
        HostCallError: a tag has more than HTML_MAX_ATTRIBUTES attributes, elements lie more than
            HTML_MAX_NESTING_ESTIMATE levels deep, or the page makes more than HTML_MAX_NODES elements.
    """
    _Scan(text, where).run(deadline)


class _Scan:
    def __init__(self, text: str, where: str) -> None:
        self._text = text
        self._where = where
        self._open: list[str] = []
        self._counts: dict[str, int] = {}
        self._formatting: dict[str, list[str]] = {}
        self._reopened = 0
        self._nodes = 0
        self._foreign = 0

    def run(self, deadline: Deadline) -> None:
        text = self._text
        place = steps = 0
        while (match := _TOKEN.search(text, place)) is not None:
            steps += 1
            if not steps % _STEP:
                deadline.check()
            place = match.end()
            if (name := match["end"]) is not None:
                self._end(name.lower())
            elif (name := match["start"]) is not None:
                if match["close"] is None:
                    place = self._attributes(place)
                self._start(name.lower(), text[match.start() : place])
                if name.lower() in _RAW and not self._foreign:
                    place = self._after_raw(name, place)
            elif match[0].startswith("<!--"):
                closed = text.find("-->", match.start() + 4)
                place = max(place, closed + 3) if closed >= 0 and not match[0].endswith(">") else place
                if closed < 0 and not match[0].endswith(">"):
                    return  # an open comment takes the rest
            else:
                closed = text.find(">", place)
                if closed < 0:
                    return
                place = closed + 1

    def _attributes(self, place: int) -> int:
        """Where the tag ends, whose attributes begin at `place`."""
        count = -1
        while (match := _ATTRIBUTE.match(self._text, place)) is not None and match.end() > place:
            place = match.end()
            if match["end"] is not None:
                break
            count += 1
            if count >= HTML_MAX_ATTRIBUTES:
                raise HostCallError(
                    f"{self._where}: an element has more than {HTML_MAX_ATTRIBUTES} attributes"
                )
        return place

    def _after_raw(self, name: str, place: int) -> int:
        end = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE).search(self._text, place)
        # without its end tag the element takes the rest
        return len(self._text) if end is None else end.start()

    def _start(self, name: str, tag: str) -> None:
        self._nodes += 1
        if name in _FORMATTING:
            kept = self._formatting.setdefault(name, [])
            if kept.count(tag) < _SAME_FORMATTING:
                kept.append(tag)
                self._reopened += 1
        elif name in _CLOSES:
            # each formatting element that is still open is built again inside of what begins here
            self._nodes += self._reopened
        if self._nodes > HTML_MAX_NODES:
            raise HostCallError(f"{self._where}: the page has more than {HTML_MAX_NODES} elements")
        if name in _CLOSES:
            self._imply_ends(_CLOSES[name])
        if name in VOID or (self._foreign and tag.endswith("/>")):
            return
        if name in _FOREIGN:
            self._foreign += 1
        self._open.append(name)
        self._counts[name] = self._counts.get(name, 0) + 1
        if len(self._open) > HTML_MAX_NESTING_ESTIMATE:
            raise HostCallError(
                f"{self._where}: elements are nested deeper than {HTML_MAX_NESTING_ESTIMATE} levels"
            )

    def _imply_ends(self, closed: frozenset[str]) -> None:
        for place in range(len(self._open) - 1, max(-1, len(self._open) - 1 - _LOOK_BACK), -1):
            if self._open[place] in closed:
                self._cut(place)
            elif self._open[place] in _BARRIERS:
                return

    def _cut(self, place: int) -> None:
        for name in self._open[place:]:
            self._counts[name] -= 1
            if name in _FOREIGN:
                self._foreign -= 1
        del self._open[place:]

    def _end(self, name: str) -> None:
        kept = self._formatting.get(name)
        if kept:
            kept.pop()
            self._reopened -= 1
        if not self._counts.get(name):
            return
        place = len(self._open) - 1
        while self._open[place] != name:
            place -= 1
        self._cut(place)
