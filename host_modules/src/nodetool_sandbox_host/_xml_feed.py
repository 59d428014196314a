"""RSS 2, RSS 1 and Atom in one shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from nodetool_sandbox_host._xml_reader import XmlValue

_ITEM_ID: Final = ("guid", "@_rdf:about", "dc:identifier")
_PUBLISHED: Final = ("pubDate", "dc:date", "published", "updated")
_SUMMARY: Final = ("description", "summary", "content:encoded", "content")
_CHANNEL_PLACES: Final = (("rss", "channel"), ("channel",))


def build_feed(root: Mapping[str, XmlValue]) -> dict[str, object] | None:
    """`{ title, link, items }` of a parsed feed, or None where it is none; what is missing is None."""
    name = next((key for key in root if not key.startswith("?")), "")
    prefix, _, kind = name.rpartition(":")
    prefix = f"{prefix}:" if prefix else ""
    top = root[name] if name else ""
    if kind == "feed":
        return _shape(top, _each(top, f"{prefix}entry"), prefix)
    if kind == "RDF":
        return _shape(_first(top, "channel"), _each(top, "item"), "")
    channel = _first(top, "channel") if name == "rss" else top if name == "channel" else None
    return None if channel is None else _shape(channel, _each(channel, "item"), "")


def _shape(channel: XmlValue, items: Iterator[XmlValue], prefix: str) -> dict[str, object]:
    return {
        "title": _text(_first(channel, f"{prefix}title")),
        "link": _link(channel, prefix),
        "items": [
            {
                "id": _named(item, (f"{prefix}id", *_ITEM_ID)) or _link(item, prefix),
                "title": _text(_first(item, f"{prefix}title")),
                "link": _link(item, prefix),
                "published": _named(
                    item, tuple(prefix + each if ":" not in each else each for each in _PUBLISHED)
                ),
                "summary": _named(
                    item, tuple(prefix + each if ":" not in each else each for each in _SUMMARY)
                ),
            }
            for item in items
        ],
    }


def _each(parent: XmlValue, key: str) -> Iterator[XmlValue]:
    value = parent.get(key) if isinstance(parent, dict) else None
    if value is not None:
        yield from value if isinstance(value, list) else (value,)


def _first(parent: XmlValue, key: str) -> XmlValue | None:
    return next(_each(parent, key), None)


def _text(value: XmlValue | None) -> str | None:
    """All text of a value without its attributes, in the order of its keys."""
    found = " ".join(each for each in _texts(value) if each)
    return found or None


def _texts(value: XmlValue | None) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if not key.startswith(("@_", "?")):
                yield from _texts(each)


def _named(item: XmlValue, keys: tuple[str, ...]) -> str | None:
    return next((text for key in keys if (text := _text(_first(item, key)))), None)


def _link(item: XmlValue, prefix: str) -> str | None:
    """RSS's text, or of Atom's links the one to the page itself."""
    other: str | None = None
    for link in _each(item, f"{prefix}link"):
        if isinstance(link, str) and link:
            return link
        address = link.get("@_href") if isinstance(link, dict) else None
        if isinstance(link, dict) and isinstance(address, str):
            if link.get("@_rel", "alternate") == "alternate":
                return address
            other = other or address
        elif isinstance(link, dict) and (text := _text(link)):
            return text
    return other
