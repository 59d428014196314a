"""What becomes of a request at a redirect: its method, its body, and what it must not carry to another origin."""

from __future__ import annotations

import re
from typing import Final

from nodetool_sandbox.bridges.net.messages import BODILESS, Header, without
from nodetool_sandbox.bridges.net.targets import Target
from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.quoting import quoted

MAX_LOCATION_CHARACTERS: Final = 4096
"""Of one Location."""

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

_OF_THE_BODY: Final = frozenset(
    {b"content-encoding", b"content-language", b"content-location", b"content-type", b"content-length"}
)

HARMLESS: Final = frozenset(
    "accept accept-charset accept-language cache-control content-encoding content-language content-type dnt pragma "
    "priority range user-agent".split()
)
"""Headers that every origin may see, whatever stands in them."""

TELLING: Final = (
    "api amz auth bearer cookie cred csrf goog jwt key ms oauth otp pass pin private referer referrer secret security "
    "session sid sig signature token user xsrf"
).split()
"""A header one of whose words begins or ends with one of these may carry a credential."""

_WORDS: Final = re.compile(r"[a-z0-9]+")
_LOOKS_SECRET: Final = re.compile(r"(?=[^\s,;]*[0-9])(?=[^\s,;]*[A-Za-z])[A-Za-z0-9+/_.=~-]{16,}")
_SCHEMES: Final = re.compile(r"(?i)\s*(basic|bearer|digest|token|negotiate|apikey|aws4-)\b")


def may_carry_a_credential(name: str, value: str) -> bool:
    """Whether a header must not go to another origin.

    True where the name says so, and where the value looks like one: it begins with the name of an
    authentication scheme, or holds 16 or more characters in a row with letters and digits among them.
    Headers in `HARMLESS` never count.
    """
    if name in HARMLESS:
        return False
    if any(word.startswith(each) or word.endswith(each) for word in _WORDS.findall(name) for each in TELLING):
        return True
    return bool(_SCHEMES.match(value) or _LOOKS_SECRET.search(value))


def kept_across_origins(headers: list[Header]) -> list[Header]:
    """The headers that may go on to another origin."""
    return [
        (name, value)
        for name, value in headers
        if not may_carry_a_credential(name.decode("ascii"), value.decode("latin-1"))
    ]


def next_target(locations: list[bytes], current: Target) -> Target:
    """Where a redirect leads.

    Raises:
        BridgeError: nowhere that may be asked.
    """
    if len(locations) != 1:
        raise BridgeError(f"fetch: {quoted(current.host)} redirects to more than one place")
    (raw,) = locations
    if not raw:
        raise BridgeError(f"fetch: {quoted(current.host)} redirects to an empty Location")
    if len(raw) > MAX_LOCATION_CHARACTERS:
        raise BridgeError(
            f"fetch: {quoted(current.host)} redirects to a Location of more than {MAX_LOCATION_CHARACTERS:,} bytes"
        )
    try:
        location = raw.decode("utf-8")
    except UnicodeDecodeError:
        location = raw.decode("latin-1")
    target = Target.parse(location, current.without_fragment())
    if not target.fragment and current.fragment:
        target = Target.parse(current.fragment, target)
    return target


def next_method(status: int, method: str) -> str:
    """The method of the request that follows a redirect; where it becomes GET, the body is dropped."""
    if status == 303 and method not in BODILESS:  # noqa: PLR2004 - See Other
        return "GET"
    if status in {301, 302} and method not in BODILESS:
        return "GET"
    return method


def without_body(headers: list[Header]) -> list[Header]:
    """The headers of a request that has lost its body."""
    return without(headers, _OF_THE_BODY)
