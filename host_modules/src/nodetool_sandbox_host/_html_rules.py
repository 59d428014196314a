"""`html.extract`: one object out of a page by named selectors, in the shape of cheerio's `extract`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from selectolax.lexbor import LexborNode

from nodetool_sandbox_host._html_selectors import Finder, require_selector
from nodetool_sandbox_host._html_tree import Page, attribute_of, text_of
from nodetool_sandbox_host.arguments import is_truthy, js_trim, quoted
from nodetool_sandbox_host.limits import (
    HTML_MAX_EXTRACTED,
    HTML_MAX_ITEMS,
    HTML_MAX_RULE_DEPTH,
    HTML_MAX_RULES,
)

_WHERE: Final = "html.extract"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one name of the result holds: text or an attribute of the first match or of all, or objects."""

    selector: str
    attr: str | None = None
    all: bool = False
    each: Mapping[str, Rule] | None = None


def parse_rules(value: object) -> Mapping[str, Rule]:
    """The rules as the guest wrote them.

    Raises:
        HostCallError: they are no rules, too many, or too deep.
    """
    count = [0]
    return _parsed(value, "rules", count, HTML_MAX_RULE_DEPTH)


def _parsed(value: object, path: str, count: list[int], depth: int) -> Mapping[str, Rule]:
    if not isinstance(value, dict):
        raise HostCallError(f"{_WHERE}: {path} must be an object of selectors")
    if depth == 0:
        raise HostCallError(f"{_WHERE}: rules are nested deeper than {HTML_MAX_RULE_DEPTH} levels")
    rules: dict[str, Rule] = {}
    for name, given in value.items():
        count[0] += 1
        if count[0] > HTML_MAX_RULES:
            raise HostCallError(f"{_WHERE}: more than {HTML_MAX_RULES} rules")
        rules[name] = _rule(given, f"{path}.{quoted(name)[1:-1]}", count, depth)
    return rules


def _rule(given: object, path: str, count: list[int], depth: int) -> Rule:
    every = isinstance(given, list) and len(given) == 1
    if isinstance(given, list) and every:
        given = given[0]  # cheerio's [selector] means all matches
    if isinstance(given, str):
        return Rule(selector=require_selector(given, _WHERE), all=every)
    if not isinstance(given, dict):
        raise HostCallError(f"{_WHERE}: {path} must be a selector or {{ selector, attr?, all?, each? }}")
    attr = given.get("attr", UNDEFINED)
    if attr not in (UNDEFINED, None) and not isinstance(attr, str):
        raise HostCallError(f"{_WHERE}: {path}.attr must be a string")
    each = given.get("each", UNDEFINED)
    return Rule(
        selector=require_selector(given.get("selector", UNDEFINED), _WHERE),
        attr=attr if isinstance(attr, str) else None,
        all=every or is_truthy(given.get("all", UNDEFINED)),
        each=None if each in (UNDEFINED, None) else _parsed(each, f"{path}.each", count, depth - 1),
    )


class Extraction:
    """Applies rules to elements of one page, and counts what they give."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._finder = Finder(page)
        self._count = 0

    def roots(self, selector: str) -> list[LexborNode]:
        """The elements that stand for an object each."""
        return self._finder.find(selector)[:HTML_MAX_ITEMS]

    def object_of(self, rules: Mapping[str, Rule], scope: LexborNode | None) -> dict[str, object]:
        """The object that the rules make of what is below the scope.

        Raises:
            HostCallError: a selector is not understood, or the result is past a cap.
        """
        return {name: self._value(rule, scope) for name, rule in rules.items()}

    def _value(self, rule: Rule, scope: LexborNode | None) -> object:
        found = self._finder.find(rule.selector, scope)
        if rule.all:
            values = (self._one(rule, node) for node in found[:HTML_MAX_ITEMS])
            return [value for value in values if value is not None]
        return self._one(rule, found[0]) if found else None

    def _one(self, rule: Rule, node: LexborNode) -> object:
        self._count += 1
        if self._count > HTML_MAX_EXTRACTED:
            raise HostCallError(f"{_WHERE}: more than {HTML_MAX_EXTRACTED} values")
        if rule.each is not None:
            return self.object_of(rule.each, node)
        if rule.attr is None:
            return self._page.take(js_trim(text_of(node)))
        value = attribute_of(node, rule.attr)
        return None if value is None else self._page.take(value)
