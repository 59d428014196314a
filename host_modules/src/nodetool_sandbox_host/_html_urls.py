"""URLs by the WHATWG standard, as a browser and the guest resolve them."""

from __future__ import annotations

import re
from typing import Final

import ada_url

from nodetool_sandbox_host.arguments import without_lone_surrogates

_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_SAFE_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel", "ftp"))
# what a URL parser strips at the ends and removes anywhere
_CONTROLS: Final = "".join(map(chr, range(0x21)))
_REMOVED: Final = re.compile(r"[\t\r\n]")


def resolve(url: str, base: str) -> str:
    """The URL against the base; as written where either is none."""
    try:
        return str(ada_url.join_url(without_lone_surrogates(base), without_lone_surrogates(url)))
    except ValueError:
        return url


def origin(url: str) -> str | None:
    """Scheme, host and port of a URL that names a server; None of any other text."""
    try:
        found = str(ada_url.URL(without_lone_surrogates(url)).origin)
    except ValueError:
        return None
    return None if found == "null" else found


def scheme(url: str) -> str | None:
    """The scheme of an absolute URL, in lower case."""
    match = _SCHEME.match(_REMOVED.sub("", url.strip(_CONTROLS)))
    return None if match is None else match[1].lower()


def is_safe(url: str) -> bool:
    """Whether following it runs nothing: relative, or of a scheme that only leads somewhere."""
    found = scheme(url)
    return found is None or found in _SAFE_SCHEMES
