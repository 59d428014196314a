"""What a program may put into a request: method and headers, checked before a byte is written.

Names and values that would end a line, or that decide where one message ends and the next begins, never
reach the wire: the former are refused, the latter are ours and dropped.
"""

from __future__ import annotations

import re
from typing import Final

from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.quoting import quoted

MAX_HEADER_BYTES: Final = 64 * 1024
"""Of all header lines of one request that a program gives."""

MAX_METHOD_CHARACTERS: Final = 64

OURS: Final = frozenset(
    "accept-encoding connection content-length expect host keep-alive proxy-connection te trailer "
    "transfer-encoding upgrade".split()
)
"""Headers that a program cannot set: they are dropped, as browsers do."""

BODILESS: Final = frozenset({"GET", "HEAD"})
"""Methods whose requests have no body."""

_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_BREAKS: Final = re.compile(r"[\r\n\0]")
_NORMALIZED: Final = frozenset("DELETE GET HEAD OPTIONS POST PUT".split())
_FORBIDDEN: Final = frozenset("CONNECT TRACE TRACK".split())

Header = tuple[bytes, bytes]


def parse_method(method: object) -> str:
    """The method as it goes out.

    Raises:
        BridgeError: it is none, or one that is not for programs.
    """
    if not isinstance(method, str) or len(method) > MAX_METHOD_CHARACTERS or not _TOKEN.fullmatch(method):
        raise BridgeError("fetch: method must be the name of an HTTP method, such as POST", name="TypeError")
    upper = method.upper()
    if upper in _FORBIDDEN:
        raise BridgeError(f"fetch: method {quoted(method)} is not allowed", name="TypeError")
    return upper if upper in _NORMALIZED else method


def parse_headers(pairs: object) -> list[Header]:
    """The header lines that a program may send, names in lower case.

    Raises:
        BridgeError: one of them is no header, or they are too many.
    """
    if not isinstance(pairs, list):
        raise BridgeError("fetch: headers must be an object of names and values", name="TypeError")
    found: list[Header] = []
    room = MAX_HEADER_BYTES
    for pair in pairs:
        match pair:
            case [str() as name, str() as value]:
                header = _parse_header(name, value)
            case _:
                raise BridgeError("fetch: headers must be an object of names and values", name="TypeError")
        room -= len(header[0]) + len(header[1]) + 4
        if room < 0:
            raise BridgeError(
                f"fetch: headers are larger than {MAX_HEADER_BYTES:,} bytes together; send less"
            )
        if header[0].decode() not in OURS:
            found.append(header)
    return found


def _parse_header(name: str, value: str) -> Header:
    if not _TOKEN.fullmatch(name):
        raise BridgeError(f"fetch: {quoted(name)} is no name of a header", name="TypeError")
    value = value.strip(" \t\r\n")
    if _BREAKS.search(value):
        raise BridgeError(
            f"fetch: the value of header {quoted(name)} holds a line break or a NUL", name="TypeError"
        )
    try:
        return name.lower().encode("ascii"), value.encode("latin-1")
    except UnicodeEncodeError:
        raise BridgeError(
            f"fetch: the value of header {quoted(name)} holds a character that HTTP cannot carry; encode it",
            name="TypeError",
        ) from None


def header_value(headers: list[Header], name: bytes) -> str | None:
    """The first value of a header."""
    return next((value.decode("latin-1") for each, value in headers if each == name), None)


def without(headers: list[Header], names: frozenset[bytes]) -> list[Header]:
    """The other headers."""
    return [header for header in headers if header[0] not in names]
