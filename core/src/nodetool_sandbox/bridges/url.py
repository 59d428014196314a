"""URL: the WHATWG parser that browsers' and Node's answers agree with, behind two synchronous calls.

A URL is parsed once, into its parts; the guest reads them where they are. Setting a part parses the
guest's own serialization again, so the host keeps nothing about a URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ada_url import URL

from nodetool_sandbox.bridges.power import BridgeError

PARTS: Final = (
    "href",
    "origin",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
)
"""In the order in which they cross; `core/guest/prelude/url.js` reads them by number."""

_SETTABLE: Final = frozenset(PARTS) - {"origin"}


def parse(url: object, base: object = None) -> list[str] | None:
    """The parts of a URL, or None where it is none."""
    parsed = _parsed(_text(url), None if base is None else _text(base))
    return None if parsed is None else _parts(parsed)


def replace(url: object, part: object, value: object) -> list[str] | None:
    """The parts of a URL after one of them was set, or None where the standard ignores that value."""
    parsed = _parsed(_text(url), None)
    if parsed is None or part not in _SETTABLE:
        return None
    try:
        setattr(parsed, str(part), _text(value))
    except ValueError:  # what ada says to a value that the standard passes over
        return None
    return _parts(parsed)


def _parsed(url: str, base: str | None) -> URL | None:
    try:
        return URL(url, base)
    except ValueError:
        return None


def _parts(url: URL) -> list[str]:
    return [getattr(url, part) for part in PARTS]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BridgeError("a URL and its parts are texts", name="TypeError")
    return value  # the guest has replaced lone surrogates; ada refuses what is no UTF-8


CALLS_NOW: Final[Mapping[str, Callable[..., object]]] = {"parse": parse, "replace": replace}
