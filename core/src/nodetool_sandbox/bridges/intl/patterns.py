"""Which of a locale's date patterns shows the fields that are asked for: CLDR's skeletons, matched and widened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from babel import Locale
from babel.dates import tokenize_pattern

from nodetool_sandbox.bridges.intl.tags import forget_with

Token = tuple[str, Any]
"""`("chars", text)` or `("field", (letter, width))`."""

_SAME: Final = {
    "L": "M",
    "c": "E",
    "e": "E",
    "u": "y",
    "U": "y",
    "r": "y",
    "k": "H",
    "K": "h",
    "b": "a",
    "v": "z",
    "O": "z",
}
DATE_LETTERS: Final = "GyMEd"
TIME_LETTERS: Final = "BhHmsz"
_TEXT_WIDTH: Final = 3
"""From so many letters on a month is a word."""
_KIND_PENALTY: Final = 100


def kind(letter: str) -> str:
    """A field's letter, with those that mean the same as one."""
    return _SAME.get(letter, letter)


def tokens_of(pattern: str) -> tuple[Token, ...]:
    """A pattern's texts and fields."""
    return tuple(tokenize_pattern(pattern))


def fields_of(tokens: Iterable[Token]) -> dict[str, int]:
    """The fields of a pattern or of a skeleton, each with its width."""
    return {kind(value[0]): value[1] for name, value in tokens if name == "field"}


@dataclass(frozen=True, slots=True)
class _Known:
    fields: Mapping[str, int]
    tokens: tuple[Token, ...]


@lru_cache(maxsize=64)
def _known(locale_id: str) -> tuple[_Known, ...]:
    locale = Locale.parse(locale_id)
    found: dict[tuple[tuple[str, int], ...], _Known] = {}

    def add(fields: dict[str, int], pattern: str) -> None:
        key = tuple(sorted(fields.items()))
        if key not in found:
            found[key] = _Known(fields, tokens_of(pattern))

    for skeleton, pattern in locale.datetime_skeletons.items():
        fields = fields_of(tokens_of(skeleton))
        if all(letter in DATE_LETTERS + TIME_LETTERS for letter in fields):
            add(fields, str(pattern.pattern))
    for styles in (locale.date_formats, locale.time_formats):
        for style in ("full", "long", "medium", "short"):
            pattern_text = str(styles[style].pattern)
            fields = fields_of(tokens_of(pattern_text))
            fields.pop("a", None)
            add(fields, pattern_text)
    return tuple(found.values())


forget_with(_known.cache_clear)


def best_pattern(locale: Locale, wanted: Mapping[str, int]) -> tuple[Token, ...]:
    """The tokens that show these fields of a date, or of a time, in the locale's order."""
    known = _known(str(locale))
    same = [each for each in known if each.fields.keys() == wanted.keys()]
    if same:
        best = min(same, key=lambda each: _distance(each.fields, wanted))
        return widened(best, wanted)
    return _composed(locale, wanted, known)


def _composed(locale: Locale, wanted: Mapping[str, int], known: tuple[_Known, ...]) -> tuple[Token, ...]:
    """The pattern of most of the fields, and the others behind it."""
    inner = [each for each in known if each.fields and each.fields.keys() < wanted.keys()]
    if not inner:
        tokens: list[Token] = []
        for letter, width in wanted.items():
            tokens += ([("chars", " ")] if tokens else []) + [("field", (letter, width))]
        return tuple(tokens)
    best = max(inner, key=lambda each: (len(each.fields), -_distance(each.fields, wanted)))
    rest = {letter: width for letter, width in wanted.items() if letter not in best.fields}
    first = widened(best, {letter: wanted[letter] for letter in best.fields})
    return (*first, ("chars", " "), *best_pattern(locale, rest))


def _distance(fields: Mapping[str, int], wanted: Mapping[str, int]) -> int:
    total = 0
    for letter, width in wanted.items():
        has = fields.get(letter, 0)
        total += abs(has - width)
        if letter in "ME" and (has >= _TEXT_WIDTH) != (width >= _TEXT_WIDTH):
            total += _KIND_PENALTY if letter == "M" else 0
    return total


def widened(known: _Known, wanted: Mapping[str, int]) -> tuple[Token, ...]:
    """The pattern's tokens with its fields as wide as they were asked for."""
    tokens: list[Token] = []
    for name, value in known.tokens:
        if name == "field":
            letter, width = value
            asked = wanted.get(kind(letter))
            has = known.fields.get(kind(letter))
            if asked is not None and has is not None and asked != has:
                is_text = kind(letter) in "ME" and (width >= _TEXT_WIDTH) != (asked >= _TEXT_WIDTH)
                if not is_text or kind(letter) == "E":
                    width = asked
            tokens.append((name, (letter, width)))
        else:
            tokens.append((name, value))
    return tuple(tokens)


def with_hours(tokens: Iterable[Token], letter: str) -> tuple[Token, ...]:
    """The tokens with hours counted in another way of the same 12 or 24."""
    return tuple(
        (name, (letter, value[1])) if name == "field" and value[0] in "hHkK" else (name, value)
        for name, value in tokens
    )
