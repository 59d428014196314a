"""What the guest's Intl asks: a formatter's options as they came out, and a value as text or in parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Protocol

from nodetool_sandbox.bridges.intl.dates import date_time_format
from nodetool_sandbox.bridges.intl.numbers import number_format
from nodetool_sandbox.bridges.intl.options import Options, Part, joined, range_error, shown
from nodetool_sandbox.bridges.intl.tags import forget_with, known, parse_tags
from nodetool_sandbox.bridges.intl.words import list_format, plural_rules, relative_time_format
from nodetool_sandbox.bridges.power import BridgeError

MAX_OPTIONS: Final = 40
MAX_TEXT_CHARACTERS: Final = 200
"""Of an option: as many as a language tag may have, and more than any other needs."""

MAX_KEPT: Final = 256
"""Formatters that are kept made, of all runs of the process: they hold nothing of a program."""


class Formatter(Protocol):
    """What the five kinds have in common."""

    @property
    def resolved(self) -> dict[str, object]:
        """The options, with what was not said filled in."""

    def parts(self, value: object) -> list[Part]:
        """The value in typed parts."""


_KINDS: Final[Mapping[str, Callable[[object, Options], Formatter]]] = {
    "NumberFormat": number_format,
    "DateTimeFormat": date_time_format,
    "ListFormat": list_format,
    "RelativeTimeFormat": relative_time_format,
    "PluralRules": plural_rules,
}


def resolve(kind: object, tags: object, options: object) -> dict[str, object]:
    """The options of a formatter, with what was not said filled in."""
    return _formatter(kind, tags, options).resolved


def format_value(kind: object, tags: object, options: object, value: object) -> str:
    """A value as a formatter writes it."""
    text = joined(_formatter(kind, tags, options).parts(value))
    # as V8 does, in texts and not in parts: programs look for a space before AM and PM
    return text.replace("\u202f", " ") if kind == "DateTimeFormat" else text


def format_parts(kind: object, tags: object, options: object, value: object) -> list[list[str]]:
    """The same in its parts, each a type and a text."""
    return [list(part) for part in _formatter(kind, tags, options).parts(value)]


def canonical(tags: object) -> list[str]:
    """Language tags in their canonical form."""
    return [tag.whole for tag in parse_tags(tags)]


def supported(tags: object) -> list[str]:
    """Those of the tags that some locale answers for."""
    return [tag.whole for tag in parse_tags(tags) if known(tag) is not None]


def _formatter(kind: object, tags: object, options: object) -> Formatter:
    if not isinstance(options, dict) or not isinstance(tags, list):
        raise BridgeError("options and language tags are expected", name="TypeError")
    if len(options) > MAX_OPTIONS:
        raise range_error(f"more than {MAX_OPTIONS} options")
    for value in (*options, *options.values(), *tags):
        if not isinstance(value, str | int | float | bool | None):
            raise range_error(f"{shown(value)} is no option")
        if isinstance(value, str) and len(value) > MAX_TEXT_CHARACTERS:  # what is kept must be small
            where = "Incorrect locale information provided" if value in tags else "Invalid option"
            raise range_error(f"{where}: {shown(value)}")
    return _made(str(kind), tuple(tags), tuple((name, type(value), value) for name, value in options.items()))


@lru_cache(maxsize=MAX_KEPT)
def _made(kind: str, tags: tuple[object, ...], options: tuple[tuple[str, type, object], ...]) -> Formatter:
    make = _KINDS.get(kind)
    if make is None:
        raise range_error(f"there is no Intl.{shown(kind)}")
    return make(list(tags), {name: value for name, _, value in options})


forget_with(_made.cache_clear)

CALLS_NOW: Final[Mapping[str, Callable[..., object]]] = {
    "resolve": resolve,
    "format": format_value,
    "parts": format_parts,
    "canonical": canonical,
    "supported": supported,
}
