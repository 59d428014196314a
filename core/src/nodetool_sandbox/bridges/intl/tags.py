"""Language tags: which of Babel's locales a program means. A tag never becomes a path: known names are looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from babel import Locale
from babel.localedata import clear_caches, exists

from nodetool_sandbox.bridges.intl.options import range_error, shown

DEFAULT: Final = "en-US"
MAX_TAG_CHARACTERS: Final = 200
MAX_TAGS: Final = 100
MAX_LOCALES: Final = 64
"""Locales that are kept loaded, for all runs of the process."""

_TAG: Final = re.compile(
    r"(?P<language>[a-z]{2,3}|[a-z]{5,8})"
    r"(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*)"
    r"(?P<private>(?:-x(?:-[a-z0-9]{1,8})+)?)"
)
_OLD_LANGUAGES: Final = {"iw": "he", "in": "id", "ji": "yi", "mo": "ro", "tl": "fil"}


@dataclass(frozen=True, slots=True)
class Tag:
    """A language tag: its canonical text without extensions, the parts that name a locale, and its `-u-` keywords."""

    text: str
    whole: str
    language: str
    script: str | None
    region: str | None
    keywords: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The locale that answers, under the tag that it was asked by."""

    tag: str
    locale: Locale
    keywords: Mapping[str, str]


def parse_tag(text: object) -> Tag:
    """A tag in its canonical form.

    Raises:
        BridgeError: it is no language tag.
    """
    found = (
        _TAG.fullmatch(text.lower())
        if isinstance(text, str) and text.isascii() and len(text) <= MAX_TAG_CHARACTERS
        else None
    )
    if found is None:
        raise range_error(f'Incorrect locale information provided: "{shown(text)}" is no language tag')
    language = _OLD_LANGUAGES.get(found["language"], found["language"])
    script = found["script"].title() if found["script"] else None
    region = found["region"].upper() if found["region"] else None
    variants = sorted(found["variants"].split("-")[1:])
    if len(set(variants)) < len(variants):
        raise range_error(f'Incorrect locale information provided: "{shown(text)}" has a variant twice')
    plain = "-".join(part for part in (language, script, region, *variants) if part)
    return Tag(
        text=plain,
        whole=plain + found["extensions"] + found["private"],
        language=language,
        script=script,
        region=region,
        keywords=_keywords(found["extensions"]),
    )


def _keywords(extensions: str) -> dict[str, str]:
    """`nu`, `hc` and their like of `-u-nu-latn-hc-h23`."""
    found: dict[str, list[str]] = {}
    inside = False
    key = ""
    for part in extensions.split("-")[1:]:
        if len(part) == 1:
            inside, key = part == "u", ""
        elif inside and len(part) == 2:  # noqa: PLR2004 - a key has two letters
            key = part
            found.setdefault(key, [])
        elif inside and key:
            found[key].append(part)
    return {key: "-".join(values) for key, values in found.items()}


def parse_tags(tags: object) -> list[Tag]:
    """Every tag of a list, each once.

    Raises:
        BridgeError: one is no language tag, or there are too many.
    """
    if not isinstance(tags, list) or len(tags) > MAX_TAGS:
        raise range_error(
            f"Incorrect locale information provided: a list of at most {MAX_TAGS} tags is expected"
        )
    return list({tag.whole: tag for tag in map(parse_tag, tags)}.values())


def choose(tags: object) -> Chosen:
    """The first locale that is known, or that of `DEFAULT`."""
    for tag in parse_tags(tags):
        found = known(tag)
        if found is not None:
            return found
    return Chosen(tag=DEFAULT, locale=_load("en_US"), keywords={})


def known(tag: Tag) -> Chosen | None:
    """The locale of a tag, or of a shorter one in front of it; None where Babel has neither."""
    for script, region in ((tag.script, tag.region), (None, tag.region), (tag.script, None), (None, None)):
        parts = [part for part in (tag.language, script, region) if part]
        name = "_".join(parts)
        if exists(name):
            return Chosen(tag="-".join(parts), locale=_load(name), keywords=tag.keywords)
        if tag.language == "zh" and region in {"TW", "HK", "MO"}:
            return Chosen(tag="-".join(parts), locale=_load(f"zh_Hant_{region}"), keywords=tag.keywords)
        if tag.language == "zh" and region in {"CN", "SG"}:
            return Chosen(tag="-".join(parts), locale=_load(f"zh_Hans_{region}"), keywords=tag.keywords)
    return None


_loaded: dict[str, Locale] = {}
_forgetting: list[Callable[[], None]] = [_loaded.clear, clear_caches]


def forget_with(forget: Callable[[], None]) -> None:
    """Have this called whenever the locales that were loaded are dropped: it holds some of them."""
    _forgetting.append(forget)


def _load(name: str) -> Locale:
    """A locale of Babel's. There are more than a thousand of some 200 KB: past `MAX_LOCALES` all are dropped."""
    found = _loaded.get(name)
    if found is None:
        if len(_loaded) >= MAX_LOCALES:
            for forget in _forgetting:
                forget()
        found = _loaded[name] = Locale.parse(name)
    return found
