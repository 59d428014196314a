"""Which addresses are public: the one table that decides what a guest's request may connect to.

An address is public when the registries of special-purpose addresses (RFC 6890 and its successors) do
not set it apart, and no cloud keeps a service for its machines there. What carries an IPv4 address inside
an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) is never public: what it leads to is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

IPV4_SPECIAL: Final[dict[str, str]] = {
    "0.0.0.0/8": "this host",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "carrier-grade NAT",
    "127.0.0.0/8": "loopback",
    "168.63.129.16/32": "a cloud's own service",
    "169.254.0.0/16": "link-local, metadata of clouds",
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "protocol assignments",
    "192.0.2.0/24": "documentation",
    "192.88.99.0/24": "6to4 relays",
    "192.168.0.0/16": "private",
    "198.18.0.0/15": "benchmarks",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved, broadcast",
}
"""IPv4 networks that are not public, and why."""

IPV6_PUBLIC: Final = "2000::/3"
"""Global unicast. Everything else of IPv6 is loopback, local, multicast, an IPv4 address, or assigned to nobody."""

IPV6_SPECIAL: Final[dict[str, str]] = {
    "2001::/23": "protocol assignments: Teredo, benchmarks, ORCHID",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "3fff::/20": "documentation",
}
"""Networks inside of `IPV6_PUBLIC` that are not public, and why."""

_IPV4: Final = tuple(IPv4Network(text) for text in IPV4_SPECIAL)
_IPV6: Final = tuple(IPv6Network(text) for text in IPV6_SPECIAL)
_GLOBAL_UNICAST: Final = IPv6Network(IPV6_PUBLIC)

Address = IPv4Address | IPv6Address


def parse_address(text: object) -> Address | None:
    """The address that a text spells in the one usual way; None where it spells none, or one with a zone."""
    if not isinstance(text, str):
        return None
    try:
        address = ip_address(text)
    except (AddressValueError, ValueError):
        return None
    return None if isinstance(address, IPv6Address) and address.scope_id is not None else address


def is_public(address: Address) -> bool:
    """Whether anybody on the internet could be meant, and nobody nearby."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _IPV4)
    return address in _GLOBAL_UNICAST and not any(address in network for network in _IPV6)


def all_public(addresses: Iterable[Address]) -> bool:
    """Whether each is. One that is not spoils a whole answer: nobody has to choose the right one."""
    return all(is_public(address) for address in addresses)


def is_localhost(host: str) -> bool:
    """Whether a name means this machine without any resolver being asked."""
    name = host.removesuffix(".")
    return name == "localhost" or name.endswith(".localhost")
