"""Where a request goes: a URL, parsed once by the parser of the URL standard, and what an embedder allows.

Nothing after this parses the URL again: what is checked is what is connected to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from ada_url import URL

from nodetool_sandbox.bridges.net.addresses import Address, is_public, parse_address
from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.quoting import quoted

MAX_URL_CHARACTERS: Final = 64 * 1024
"""Of a URL that a program asks for."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_SCHEME: Final = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+.\-\t\r\n]*):")
_LEADING_ZERO: Final = re.compile(r"(?<![0-9A-Za-z])0[0-9]")

# fetch.spec.whatwg.org/#port-blocking: ports of protocols that HTTP's first line could be mistaken in
BAD_PORTS: Final = frozenset(
    int(port)
    for port in (
        "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 "
        "113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 "
        "554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 "
        "6665 6666 6667 6668 6669 6679 6697 10080"
    ).split()
)
"""Ports that no request goes to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One URL of the schemes that fetch knows. `host` has no brackets; `path` and `query` are as they go out."""

    scheme: str
    host: str
    port: int
    path: str
    query: str
    fragment: str = ""

    @classmethod
    def parse(cls, text: object, base: Target | None = None) -> Target:
        """The target of a program's URL, or of a Location seen from `base`.

        Raises:
            BridgeError: it is none that may be asked for, said as the program will read it.
        """
        if not isinstance(text, str) or not text:
            raise BridgeError("fetch: url must be a non-empty string")
        if len(text) > MAX_URL_CHARACTERS:
            raise _invalid(f"it is longer than {MAX_URL_CHARACTERS:,} characters")
        if base is None and (scheme := scheme_of(text)) not in {*_DEFAULT_PORTS, ""}:
            raise BridgeError(f"fetch: unsupported scheme {quoted(scheme + ':')}; use http: or https:")
        try:
            url = URL(text, base.url) if base is not None else URL(text)
        except ValueError:  # a lone surrogate too
            raise _invalid() from None
        scheme = url.protocol.removesuffix(":")
        if scheme not in _DEFAULT_PORTS:
            raise BridgeError(f"fetch: unsupported scheme {quoted(scheme + ':')}; use http: or https:")
        if url.username or url.password:
            raise _invalid("it holds a user name or a password; send them in an authorization header")
        host = url.hostname.removeprefix("[").removesuffix("]")
        if not host:
            raise _invalid()
        _require_plain(host, text)
        port = int(url.port) if url.port else _DEFAULT_PORTS[scheme]
        return cls(
            scheme=scheme, host=host, port=port, path=url.pathname, query=url.search, fragment=url.hash
        )

    @property
    def address(self) -> Address | None:
        """The address, where the host is one and no name."""
        return parse_address(self.host)

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """What two URLs must have in common to be of one origin."""
        return self.scheme, self.host, self.port

    @property
    def is_secure(self) -> bool:
        """Whether it is spoken to over TLS."""
        return self.scheme == "https"

    @property
    def url(self) -> str:
        """The whole of it as text."""
        return f"{self.scheme}://{self.authority}{self.path}{self.query}{self.fragment}"

    def without_fragment(self) -> Target:
        """The same, as a server gets to know it."""
        return replace(self, fragment="")


def scheme_of(text: str) -> str:
    """The scheme that a text begins with as the standard reads it, lower-cased; empty where there is none."""
    found = _SCHEME.match(text)
    return re.sub(r"[\t\r\n]", "", found[1]).lower() if found else ""


def _require_plain(host: str, text: str) -> None:
    """Refuse leading zeros in a public address: to some readers they mean octal, to others nothing."""
    address = parse_address(host)
    if address is None or not is_public(address) or host in text:
        return
    if _LEADING_ZERO.search(re.split("[?#]", text)[0]):
        raise _invalid(
            f"an address with leading zeros means different things to different readers; write {host}"
        )


def _invalid(why: str = "") -> BridgeError:
    return BridgeError(f"fetch: invalid URL: {why}" if why else "fetch: invalid URL")


_RULE: Final = re.compile(r"(\*\.)?([^:\[\]/@\s*]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class HostRule:
    """`example.com`, `*.example.com` (names below it), `[2606::1]`; with `:8443` that port alone, else any."""

    host: str
    below: bool
    port: int | None

    @classmethod
    def parse(cls, text: object) -> HostRule:
        """The rule that a text spells.

        Raises:
            TypeError: it is no text.
            ValueError: it is no host, such as a whole URL.
        """
        if not isinstance(text, str):
            raise TypeError(f"a host is text, such as 'api.example.com', not {type(text).__name__}")
        found = _RULE.fullmatch(text)
        if found is None:
            raise ValueError(
                f"{text!r} is no host; write it like 'api.example.com', '*.example.com' or 'localhost:8080'"
            )
        below, host, port = found.groups()
        try:
            target = Target.parse(f"https://{host}/")
        except BridgeError:
            raise ValueError(f"{text!r} is no host that a URL can name") from None
        if port is not None and not 0 < int(port) < 65536:  # noqa: PLR2004 - ports have 16 bits
            raise ValueError(f"{text!r}: a port lies between 1 and 65535")
        return cls(target.host.removesuffix("."), bool(below), int(port) if port else None)

    def matches(self, target: Target) -> bool:
        """Whether the target is one that is meant."""
        host = target.host.removesuffix(".")
        named = host.endswith("." + self.host) if self.below else host == self.host
        return named and self.port in {None, target.port}

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return ("*." if self.below else "") + host + (f":{self.port}" if self.port else "")


def parse_hosts(hosts: object, *, argument: str) -> tuple[HostRule, ...]:
    """The rules of a list of hosts.

    Raises:
        TypeError, ValueError: it is no list of hosts; the message names the argument.
    """
    if isinstance(hosts, str | bytes) or not hasattr(hosts, "__iter__"):
        raise TypeError(f"{argument} takes a list of hosts, such as ['api.example.com']")
    try:
        return tuple(HostRule.parse(each) for each in hosts)
    except (TypeError, ValueError) as cause:
        raise type(cause)(f"{argument}: {cause}") from None


def listed(rules: tuple[HostRule, ...], most: int = 5) -> str:
    """The rules as a message names them."""
    shown = ", ".join(str(rule) for rule in rules[:most])
    return (shown + " and others" if len(rules) > most else shown) or "no host"
