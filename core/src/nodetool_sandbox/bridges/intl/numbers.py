"""Intl.NumberFormat: a number as a locale writes it, as a decimal, a percentage, an amount of money or of a unit."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

from babel import Locale
from babel.numbers import NumberPattern, get_currency_name, get_currency_precision, get_currency_symbol

from nodetool_sandbox.bridges.intl.digits import (
    CONTEXT,
    ZEROS,
    Rounding,
    exact,
    in_digits,
    plural_operand,
    rounding_of,
)
from nodetool_sandbox.bridges.intl.options import (
    Options,
    Part,
    choice,
    flag,
    range_error,
    shown,
    text,
)
from nodetool_sandbox.bridges.intl.tags import Chosen, choose

_NARROW: Final = re.compile(r"[A-Za-z.]+")
_LETTERS: Final = re.compile(r"[A-Za-z]{3}", re.ASCII)
_AFFIX: Final = re.compile(r"('[^']*')|(¤+)|([-+%])|([^'¤\-+%]+)")
_NO_BREAK: Final = "\u00a0"
_COMPACT_DIGITS: Final = 2

UNITS: Final = frozenset(
    "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare "
    "hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian "
    "milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit "
    "terabyte week yard year".split()
)
"""The units that the standard sanctions; two of them with `-per-` between are one too."""

_LATE_GROUPS: Final = frozenset(
    "be bg es es-EA es-ES es-GQ es-IC es-PH et hu hy ia ie it ka lv pl pt-CH pt-CV pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-PT "
    "pt-ST pt-TL ru-UA sl sq".split()
)
"""Locales that group from five digits on: CLDR says so, and Babel does not pass it on. Languages stand for all regions
that are not of another custom, so `es` is looked up whole."""


@dataclass(frozen=True)
class NumberFormat:
    """One number's look, made by `number_format`."""

    chosen: Chosen
    style: str
    rounding: Rounding
    notation: str
    compact_display: str
    grouping: str | bool
    sign_display: str
    system: str
    currency: str | None
    currency_display: str
    currency_sign: str
    unit: str | None
    unit_display: str

    # ---- what it says of itself

    @property
    def resolved(self) -> dict[str, object]:
        """As `resolvedOptions` tells it."""
        told: dict[str, object] = {
            "locale": self.chosen.tag,
            "numberingSystem": self.system,
            "style": self.style,
        }
        if self.style == "currency":
            told |= {
                "currency": self.currency,
                "currencyDisplay": self.currency_display,
                "currencySign": self.currency_sign,
            }
        if self.style == "unit":
            told |= {"unit": self.unit, "unitDisplay": self.unit_display}
        told |= self._told_rounding.resolved
        told |= {"useGrouping": self.grouping, "notation": self.notation}
        if self.notation == "compact":
            told["compactDisplay"] = self.compact_display
        return told | {
            "signDisplay": self.sign_display,
            "roundingIncrement": 1,
            "roundingMode": self.rounding.mode,
            "roundingPriority": "morePrecision" if self._is_free else "auto",
            "trailingZeroDisplay": "stripIfInteger" if self.rounding.strip_zeros else "auto",
        }

    @property
    def _is_free(self) -> bool:
        """Compact without a word about digits: two of them, or whole numbers."""
        return self.rounding.fraction is None and self.rounding.significant is None

    @property
    def _told_rounding(self) -> Rounding:
        return replace(self.rounding, fraction=(0, 0), significant=(1, 2)) if self._is_free else self.rounding

    # ---- formatting

    def parts(self, value: object) -> list[Part]:
        """The parts of a number, a BigInt or the text of one."""
        number = exact(value)
        if self.style == "percent":
            number = number.scaleb(2, context=CONTEXT) if number.is_finite() else number
        if number.is_nan():
            body: list[Part] = [("nan", self._symbol("nan"))]
            return self._signed(body, Decimal(0), "other", is_zero=False, is_nan=True)
        if number.is_infinite():
            body = [("infinity", self._symbol("infinity"))]
            return self._signed(body, number, "other", is_zero=False)
        if self.notation == "compact":
            return self._compact(number)
        if self.notation != "standard":
            return self._scientific(number)
        digits = self.rounding.digits(number)
        return self._signed(self._grouped(digits), number, self._plural(digits), is_zero=_is_zero(digits))

    def _scientific(self, number: Decimal) -> list[Part]:
        exponent, digits = 0, self.rounding.digits(number)
        if number:
            exponent = number.adjusted()
            for _ in range(2):  # rounding may make a digit more
                if self.notation == "engineering":
                    exponent -= exponent % 3
                digits = self.rounding.digits(number.scaleb(-exponent, context=CONTEXT))
                whole = len(digits.partition(".")[0])
                if whole <= (3 if self.notation == "engineering" else 1):
                    break
                exponent += 1 if self.notation == "scientific" else 3
        body = [*self._grouped(digits), ("exponentSeparator", self._symbol("exponential"))]
        if exponent < 0:
            body.append(("exponentMinusSign", self._symbol("minusSign")))
        body.append(("exponentInteger", in_digits(str(abs(exponent)), self.system)))
        return self._signed(body, number, "other", is_zero=_is_zero(digits))

    def _compact(self, number: Decimal) -> list[Part]:
        magnitude = number.adjusted() if number else 0
        while True:
            pattern, shift = self._compact_pattern(magnitude, "other")
            scaled = number.scaleb(-shift, context=CONTEXT)
            digits = self._compact_digits(scaled)
            if _is_zero(digits) or len(digits.partition(".")[0]) <= max(magnitude - shift, 0) + 1:
                break
            magnitude += 1
        category = self._plural(digits)
        pattern, _ = self._compact_pattern(magnitude, category)
        body = self._grouped(digits)
        if pattern is not None:
            before, after = _around_zeros(pattern.pattern)
            body = [*_compact_affix(before), *body, *_compact_affix(after)]
        return self._signed(body, number, category, is_zero=_is_zero(digits))

    def _compact_digits(self, scaled: Decimal) -> str:
        if not self._is_free:
            return self.rounding.digits(scaled)
        whole = scaled.adjusted() >= _COMPACT_DIGITS - 1 if scaled else False
        rule = (
            replace(self.rounding, fraction=(0, 0))
            if whole
            else replace(self.rounding, significant=(1, _COMPACT_DIGITS))
        )
        return rule.digits(scaled)

    def _compact_pattern(self, magnitude: int, category: str) -> tuple[NumberPattern | None, int]:
        """The pattern of numbers of so many digits after the first, and how many powers of ten it stands for."""
        patterns: Any = self._locale.compact_decimal_formats[self.compact_display]
        by_power = patterns.get(category) or patterns["other"]
        power = min(magnitude, 14)
        found = by_power.get(str(10**power)) if power >= 3 else None  # noqa: PLR2004 - from thousands on
        if found is None and power >= 3:  # noqa: PLR2004
            found = patterns["other"].get(str(10**power))
        if found is None:
            return None, 0
        zeros = _unquoted(found.pattern).count("0")
        if _unquoted(found.pattern).strip("0") == "" and "'" not in found.pattern:
            return None, 0
        return found, power - zeros + 1

    def _grouped(self, digits: str) -> list[Part]:
        whole, _, fraction = digits.partition(".")
        groups = self._groups(whole)
        parts: list[Part] = []
        for i, group in enumerate(groups):
            if i:
                parts.append(("group", self._symbol(self._group_symbol)))
            parts.append(("integer", in_digits(group, self.system)))
        if fraction:
            parts.append(("decimal", self._symbol(self._decimal_symbol)))
            parts.append(("fraction", in_digits(fraction, self.system)))
        return parts

    def _groups(self, whole: str) -> list[str]:
        first, others = self._pattern.grouping
        late = 2 if self.grouping == "min2" or (self.grouping == "auto" and self._groups_late) else 1
        if not self.grouping or len(whole) < first + late or first > len(whole):
            return [whole]
        groups = [whole[-first:]]
        end = len(whole) - first
        while end > 0:
            groups.append(whole[max(end - others, 0) : end])
            end -= others
        return groups[::-1]

    @cached_property
    def _groups_late(self) -> bool:
        tag = self.chosen.tag
        language = tag.partition("-")[0]
        return tag in _LATE_GROUPS or (language in _LATE_GROUPS and language != "es")

    # ---- signs, and what stands around the digits

    def _signed(
        self, body: list[Part], number: Decimal, category: str, *, is_zero: bool, is_nan: bool = False
    ) -> list[Part]:
        sign = self._sign(number, is_zero=is_zero, is_nan=is_nan)
        pattern = self._pattern
        negative = 1 if sign else 0
        before, after = pattern.prefix[negative], pattern.suffix[negative]
        if sign == "+" and "-" not in before + after:  # a negative in parentheses: its positive, and a sign
            before, after = "-" + pattern.prefix[0], pattern.suffix[0]
        parts = [
            *self._affix(before, sign, is_prefix=True),
            *body,
            *self._affix(after, sign, is_prefix=False),
        ]
        if self.style == "currency" and self.currency_display == "name":
            template: Any = self._locale._data["currency_unit_patterns"]  # noqa: SLF001 - Babel has no public way
            name = get_currency_name(self.currency or "", _count_of(category), locale=self._locale)
            return _around(template.get(category) or template["other"], parts, "currency", {"{1}": name})
        if self.style == "unit":
            return self._with_unit(parts, category)
        return parts

    def _sign(self, number: Decimal, *, is_zero: bool, is_nan: bool) -> str:
        is_negative = number.is_signed() and not is_nan
        match self.sign_display:
            case "never":
                return ""
            case "always":
                return "-" if is_negative else "+"
            case "exceptZero":
                return "" if is_zero or is_nan else "-" if is_negative else "+"
            case "negative":
                return "-" if is_negative and not is_zero else ""
            case _:
                return "-" if is_negative else ""

    def _affix(self, affix: str, sign: str, *, is_prefix: bool) -> list[Part]:
        parts: list[Part] = []
        for quoted, currency, symbol, literal in _AFFIX.findall(affix):
            if currency:
                name = self._currency_text
                edge = name[-1] if is_prefix else name[0]
                is_edge = affix.endswith(currency) if is_prefix else affix.startswith(currency)
                spaced = is_edge and unicodedata.category(edge)[0] not in "SZ"
                space: list[Part] = [("literal", _NO_BREAK)] if spaced else []
                parts += [("currency", name), *space] if is_prefix else [*space, ("currency", name)]
            elif symbol == "%":
                parts.append(("percentSign", self._symbol("percentSign")))
            elif symbol:
                kind = "plusSign" if sign == "+" else "minusSign"
                parts.append((kind, self._symbol(kind)))
            else:
                parts.append(("literal", literal or quoted[1:-1] or "'"))
        return parts

    def _with_unit(self, parts: list[Part], category: str) -> list[Part]:
        unit = self.unit or ""
        found = self._unit_pattern(unit, category)
        if found is not None:
            return _around(found, parts, "unit", {})
        over, _, under = unit.partition("-per-")
        top = self._unit_pattern(over, category) or "{0}"
        bottom: Any = self._unit_patterns(under)
        per = bottom.get("per") if bottom else None
        if per is None:
            compound: Any = self._locale._data["compound_unit_patterns"]["per"][self.unit_display]  # noqa: SLF001
            one = (self._unit_pattern(under, "one") or under).replace("{0}", "").strip()
            per = compound["compound"].replace("{1}", one)
        return _around(per.replace("{0}", top), parts, "unit", {})

    def _unit_patterns(self, unit: str) -> Any:  # noqa: ANN401 - Babel's data has no types
        everything: Any = self._locale._data["unit_patterns"]  # noqa: SLF001 - Babel has no public way
        for key in everything:
            if key.partition("-")[2] == unit:
                return everything[key].get(self.unit_display)
        return None

    def _unit_pattern(self, unit: str, category: str) -> str | None:
        patterns = self._unit_patterns(unit)
        if not patterns:
            return None
        found: str | None = patterns.get(category) or patterns.get("other")
        return found

    # ---- the locale's own

    @property
    def _locale(self) -> Locale:
        return self.chosen.locale

    @cached_property
    def _pattern(self) -> NumberPattern:
        if self.style == "percent":
            found: NumberPattern = self._locale.percent_formats[None]
        elif self.style == "currency" and self.currency_display != "name":
            found = self._locale.currency_formats[self.currency_sign]
        else:
            found = self._locale.decimal_formats[None]
        return found

    @cached_property
    def _symbols(self) -> Any:  # noqa: ANN401 - Babel's data has no types
        every: Any = self._locale.number_symbols
        return every.get(self.system) or every.get(self._locale.default_numbering_system) or every["latn"]

    def _symbol(self, name: str) -> str:
        found: str | None = self._symbols.get(name)
        if found is None:
            found = self._locale.number_symbols["latn"].get(name, "")
        return found or ""

    @property
    def _decimal_symbol(self) -> str:
        return (
            "currencyDecimal"
            if self.style == "currency" and self._symbols.get("currencyDecimal")
            else "decimal"
        )

    @property
    def _group_symbol(self) -> str:
        return "currencyGroup" if self.style == "currency" and self._symbols.get("currencyGroup") else "group"

    @cached_property
    def _currency_text(self) -> str:
        code = self.currency or ""
        if self.currency_display == "code":
            return code
        symbol = get_currency_symbol(code, locale=self._locale)
        if self.currency_display == "narrowSymbol" and symbol != code:
            return _NARROW.sub("", symbol) or symbol
        return symbol

    def _plural(self, digits: str) -> str:
        if self.style != "unit" and self.currency_display != "name" and self.notation != "compact":
            return "other"  # nothing that stands beside the digits asks
        return str(self._locale.plural_form(plural_operand(digits)))


def _is_zero(digits: str) -> bool:
    return not digits.strip("0.")


def _count_of(category: str) -> int:
    return 1 if category == "one" else 2


def _unquoted(pattern: str) -> str:
    return re.sub(r"'[^']*'", "", pattern)


def _around_zeros(pattern: str) -> tuple[str, str]:
    found = re.search(r"0+", pattern)
    if found is None:
        return "", pattern
    return pattern[: found.start()], pattern[found.end() :]


def _compact_affix(affix: str) -> list[Part]:
    text = affix.replace("¤", "").replace("'", "")
    stripped = text.strip()
    if not stripped:
        return [("literal", text)] if text else []
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return [
        (kind, value)
        for kind, value in (("literal", before), ("compact", stripped), ("literal", after))
        if value
    ]


def _around(template: str, parts: list[Part], kind: str, names: dict[str, str]) -> list[Part]:
    """Parts in the place of `{0}`; what stands beside it is of a kind, but for spaces."""
    for mark, name in names.items():
        template = template.replace(mark, name)
    found: list[Part] = []
    before, mark, after = template.partition("{0}")
    for text_, is_before in ((before, True), (after, False)):
        stripped = text_.strip()
        if not stripped and text_:
            found.append(("literal", text_))
        elif stripped:
            lead = text_[: len(text_) - len(text_.lstrip())]
            tail = text_[len(text_.rstrip()) :]
            found += [(k, v) for k, v in (("literal", lead), (kind, stripped), ("literal", tail)) if v]
        if is_before and mark:
            found += parts
    return found


def number_format(tags: object, options: Options) -> NumberFormat:
    """The look that a program asks for.

    Raises:
        BridgeError: a locale or an option is none.
    """
    chosen = choose(tags)
    style = choice(options, "style", ("decimal", "percent", "currency", "unit"), "decimal")
    currency = text(options, "currency")
    if currency is not None and not _LETTERS.fullmatch(currency):
        raise range_error(f"Invalid currency code : {shown(currency)}")
    unit = text(options, "unit")
    if unit is not None:
        _require_unit(unit)
    if style == "currency" and currency is None:
        raise _type_error("Currency code is required with currency style.")
    if style == "unit" and unit is None:
        raise _type_error("Unit is required with unit style.")
    notation = choice(options, "notation", ("standard", "scientific", "engineering", "compact"), "standard")
    is_money = style == "currency" and notation == "standard"
    money_digits = get_currency_precision(currency.upper()) if is_money and currency else 2
    default = (money_digits, money_digits) if is_money else (0, 0) if style == "percent" else (0, 3)
    return NumberFormat(
        chosen=chosen,
        style=style,
        rounding=rounding_of(options, default, is_compact=notation == "compact"),
        notation=notation,
        compact_display=choice(options, "compactDisplay", ("short", "long"), "short"),
        grouping=_grouping(options, notation),
        sign_display=choice(
            options, "signDisplay", ("auto", "never", "always", "exceptZero", "negative"), "auto"
        ),
        system=numbering_system(options, chosen),
        currency=currency.upper() if currency else None,
        currency_display=choice(
            options, "currencyDisplay", ("symbol", "narrowSymbol", "code", "name"), "symbol"
        ),
        currency_sign=choice(options, "currencySign", ("standard", "accounting"), "standard"),
        unit=unit,
        unit_display=choice(options, "unitDisplay", ("short", "narrow", "long"), "short"),
    )


def numbering_system(options: Options, chosen: Chosen) -> str:
    """The digits that are asked for, where we have them; else the locale's own."""
    asked = text(options, "numberingSystem") or chosen.keywords.get("nu")
    if asked is not None and asked in ZEROS:
        return asked
    return str(chosen.locale.default_numbering_system)


def _grouping(options: Options, notation: str) -> str | bool:
    given = flag(options, "useGrouping")
    if given is not None:
        return "always" if given else False
    asked = choice(options, "useGrouping", ("min2", "auto", "always", "true", "false"), "")
    if asked in {"", "true", "false"}:
        return "min2" if notation == "compact" else "auto"
    return asked


def _require_unit(unit: str) -> None:
    over, per, under = unit.partition("-per-")
    if over not in UNITS or (per and under not in UNITS):
        raise range_error(f"Invalid unit argument for Intl.NumberFormat() '{shown(unit)}'")


def _type_error(message: str) -> Exception:
    error = range_error(message)
    error.name = "TypeError"
    return error
