"""Intl.ListFormat, Intl.RelativeTimeFormat and Intl.PluralRules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from nodetool_sandbox.bridges.intl.digits import Rounding, exact, plural_operand, rounding_of
from nodetool_sandbox.bridges.intl.numbers import NumberFormat, number_format
from nodetool_sandbox.bridges.intl.options import Options, Part, choice, range_error, shown
from nodetool_sandbox.bridges.intl.tags import Chosen, choose
from nodetool_sandbox.bridges.power import BridgeError

_WIDTHS: Final = ("long", "short", "narrow")
_SUFFIX: Final = {"long": "", "short": "-short", "narrow": "-narrow"}
_LISTS: Final = {"conjunction": "standard", "disjunction": "or", "unit": "unit"}
UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")


@dataclass(frozen=True, slots=True)
class ListFormat:
    """How texts are listed."""

    chosen: Chosen
    type: str
    style: str

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        return {"locale": self.chosen.tag, "type": self.type, "style": self.style}

    @property
    def _patterns(self) -> Any:  # noqa: ANN401 - Babel's data has no types
        """Those of the style, or of the next longer one where a locale has no others."""
        every: Any = self.chosen.locale.list_patterns
        for name in (_LISTS[self.type], "standard"):
            for suffix in (_SUFFIX[self.style], "-short", ""):
                found = every.get(name + suffix)
                if found and "2" in found and "end" in found:
                    return found
        return every["standard"]

    def parts(self, items: object) -> list[Part]:
        """The items, and what stands between them."""
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise BridgeError("a list of strings is expected", name="TypeError")
        patterns = self._patterns
        elements: list[Part] = [("element", item) for item in items]
        if len(elements) < 2:  # noqa: PLR2004 - one or none needs nothing between
            return elements
        if len(elements) == 2:  # noqa: PLR2004 - two have a pattern of their own
            return _filled(patterns["2"], [elements[0]], [elements[1]])
        start, middle, end = (
            _between(patterns.get(key) or patterns["end"]) for key in ("start", "middle", "end")
        )
        # what the standard patterns put in front of the first item or behind the last is nothing in any locale
        parts: list[Part] = [elements[0]]
        for i, element in enumerate(elements[1:], start=1):
            joint = start if i == 1 else end if i == len(elements) - 1 else middle
            parts += [("literal", joint), element]
        return parts


def _between(pattern: str) -> str:
    return pattern.partition("{0}")[2].partition("{1}")[0]


def _filled(pattern: str, first: list[Part], second: list[Part]) -> list[Part]:
    before, _, rest = pattern.partition("{0}")
    between, _, after = rest.partition("{1}")
    parts: list[Part] = [("literal", before), *first, ("literal", between), *second, ("literal", after)]
    return [part for part in parts if part[1] or part[0] != "literal"]


def list_format(tags: object, options: Options) -> ListFormat:
    """The way of listing that a program asks for."""
    return ListFormat(
        chosen=choose(tags),
        type=choice(options, "type", tuple(_LISTS), "conjunction"),
        style=choice(options, "style", _WIDTHS, "long"),
    )


@dataclass(frozen=True, slots=True)
class RelativeTimeFormat:
    """How long ago, or how soon."""

    chosen: Chosen
    style: str
    numeric: str
    numbers: NumberFormat

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        return {
            "locale": self.chosen.tag,
            "style": self.style,
            "numeric": self.numeric,
            "numberingSystem": self.numbers.system,
        }

    def parts(self, given: object) -> list[Part]:
        """The parts of a value and its unit."""
        match given:
            case [value, str() as unit]:
                pass
            case _:
                raise BridgeError("a value and a unit are expected", name="TypeError")
        name = unit.removesuffix("s")
        if name not in UNITS or unit not in {name, name + "s"}:
            raise range_error(f"Invalid unit argument for format() '{shown(unit)}'")
        number = exact(value)
        if not number.is_finite():
            raise range_error("Invalid time value")
        fields: Any = self.chosen.locale._data["date_fields"]  # noqa: SLF001 - Babel has no public way
        found = fields.get(name + _SUFFIX[self.style]) or fields[name]
        patterns = found["past" if number.is_signed() else "future"]
        parts = self.numbers.parts(str(number.copy_abs()))
        digits = self.numbers.rounding.digits(number)
        category = self.chosen.locale.plural_form(plural_operand(digits))
        template: str = patterns.get(category) or patterns["other"]
        before, mark, after = template.partition("{0}")
        every: list[Part] = [("literal", before), *(parts if mark else []), ("literal", after)]
        return [part for part in every if part[1]]


def relative_time_format(tags: object, options: Options) -> RelativeTimeFormat:
    """The way of telling relative time that a program asks for."""
    numbers = number_format(tags, {"numberingSystem": options.get("numberingSystem")})
    return RelativeTimeFormat(
        chosen=numbers.chosen,
        style=choice(options, "style", _WIDTHS, "long"),
        numeric=choice(options, "numeric", ("always", "auto"), "always"),
        numbers=numbers,
    )


@dataclass(frozen=True, slots=True)
class PluralRules:
    """Which of its plural's forms a number takes."""

    chosen: Chosen
    type: str
    rounding: Rounding

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        return {
            "locale": self.chosen.tag,
            "type": self.type,
            **self.rounding.resolved,
            "pluralCategories": [each for each in CATEGORIES if each in self._rule.tags or each == "other"],
            "roundingIncrement": 1,
            "roundingMode": self.rounding.mode,
            "roundingPriority": "auto",
            "trailingZeroDisplay": "stripIfInteger" if self.rounding.strip_zeros else "auto",
        }

    @property
    def _rule(self) -> Any:  # noqa: ANN401 - Babel's rules have no types
        return self.chosen.locale.ordinal_form if self.type == "ordinal" else self.chosen.locale.plural_form

    def parts(self, value: object) -> list[Part]:
        """The form's name, as one part."""
        number = exact(value)
        if not number.is_finite():
            return [("category", "other")]
        return [("category", self._rule(plural_operand(self.rounding.digits(number))))]


def plural_rules(tags: object, options: Options) -> PluralRules:
    """The rules that a program asks for."""
    return PluralRules(
        chosen=choose(tags),
        type=choice(options, "type", ("cardinal", "ordinal"), "cardinal"),
        rounding=rounding_of(options, (0, 3)),
    )
