"""The part of a page that is meant to be read: text density against link density, as readability scores it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from nodetool_sandbox_host._html_tree import Page, visits

_NOT_READ: Final = frozenset(
    "script style template nav aside footer header form button select textarea iframe noscript object embed"
    " svg dialog menu".split()
)
_PARAGRAPHS: Final = frozenset("p pre td blockquote li dd h2 h3".split())
_CONTAINERS: Final = frozenset("article main section div td body blockquote".split())
_GOOD: Final = re.compile(r"article|body|content|entry|hentry|main|page|post|text|blog|story", re.IGNORECASE)
_BAD: Final = re.compile(
    r"combx|comment|contact|cookie|foot|gdpr|masthead|media|meta|modal|nav|outbrain|popup|promo|related"
    r"|scroll|share|shoutbox|sidebar|skyscraper|social|sponsor|subscribe|tags|toolbar|widget|advert|banner",
    re.IGNORECASE,
)
SHORT: Final = 25
"""With fewer characters a line is no paragraph."""
_UNITS_A_POINT: Final = 100
_MOST_LENGTH_POINTS: Final = 3
_WEIGHT: Final = 25
_HANDED_UP: Final = 2


@dataclass(slots=True)
class _Weight:
    """An element's text as it is summed up: characters, those in links, commas and points."""

    node: LexborNode
    name: str
    in_link: bool
    text: int = 0
    linked: int = 0
    commas: int = 0
    score: float = 0.0


def remove_clutter(page: Page) -> None:
    """Take out of the page what no article is made of."""
    for name in sorted(_NOT_READ):
        page.deadline.check()
        for node in page.root.css(name):
            node.decompose()


def find_article(page: Page) -> LexborNode:
    """The element that reads most like an article; the body where none does."""
    best: tuple[float, LexborNode] = (0.0, page.body)
    open_: list[_Weight] = []
    for node, entering in visits(page.root, page.deadline):
        if node.is_text_node:
            if entering and open_:
                _count_text(open_[-1], node.text_content or "")
        elif node.is_element_node and entering:
            in_link = node.tag == "a" or (bool(open_) and open_[-1].in_link)
            open_.append(_Weight(node, node.tag or "", in_link))
        elif node.is_element_node:
            done = open_.pop()
            _hand_up(done, open_)
            score = _score(done)
            if score > best[0]:
                best = (score, node)
    return best[1]


def _count_text(weight: _Weight, text: str) -> None:
    text = text.strip()
    weight.text += len(text)
    weight.commas += text.count(",") + text.count("、") + text.count("，")
    weight.linked += len(text) if weight.in_link else 0


def _hand_up(done: _Weight, above: list[_Weight]) -> None:
    """Add a closed element to what it lies in: its sums, and the points of a paragraph."""
    if done.name in _PARAGRAPHS and done.text >= SHORT:
        points = 1.0 + done.commas + min(done.text / _UNITS_A_POINT, _MOST_LENGTH_POINTS)
        for each in reversed(above[-_HANDED_UP:]):
            each.score += points
            points /= 2
    if above:
        above[-1].text += done.text
        above[-1].linked += done.linked
        above[-1].commas += done.commas


def _score(done: _Weight) -> float:
    if done.name not in _CONTAINERS or not done.score:
        return 0.0
    return (done.score + _class_weight(done.node)) * (1 - done.linked / max(done.text, 1))


def _class_weight(node: LexborNode) -> int:
    attributes = node.attributes
    weight = _WEIGHT if node.tag in ("article", "main") else 0
    for name in ("class", "id"):
        value = (attributes.get(name) or "")[:1000]
        weight += _WEIGHT * (bool(_GOOD.search(value)) - bool(_BAD.search(value)))
    return weight
