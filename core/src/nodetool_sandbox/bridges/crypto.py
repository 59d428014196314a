"""crypto: digests of the standard library. Random bytes come through the guest's own import, not from here."""

from __future__ import annotations

import hashlib
import hmac as standard_hmac
from collections.abc import Callable, Mapping
from typing import Final

from nodetool_sandbox.bridges.power import BridgeError

ALGORITHMS: Final[Mapping[str, str]] = {
    f"SHA{dash}{bits}": f"sha{bits}" for bits in (1, 256, 384, 512) for dash in ("-", "")
}
"""hashlib's names by those that programs use."""


def digest(algorithm: object, data: object) -> bytes | None:
    """The digest of bytes, or None where there is no such algorithm."""
    name = _algorithm(algorithm)
    if name is None:
        return None
    return hashlib.new(name, _bytes(data), usedforsecurity=False).digest()


def hmac(algorithm: object, key: object, data: object) -> bytes | None:
    """The keyed digest of bytes, or None where there is no such algorithm."""
    name = _algorithm(algorithm)
    return None if name is None else standard_hmac.digest(_bytes(key), _bytes(data), name)


def equal(first: object, second: object) -> bool | None:
    """Whether bytes are the same, in a time that does not tell where they differ; None for unequal lengths."""
    one, other = _bytes(first), _bytes(second)
    return standard_hmac.compare_digest(one, other) if len(one) == len(other) else None


def _algorithm(name: object) -> str | None:
    return ALGORITHMS.get(name.strip().upper()) if isinstance(name, str) else None


def _bytes(data: object) -> bytes:
    if isinstance(data, bytes):
        return data
    if not isinstance(data, str):
        raise BridgeError("crypto: data must be a string or Uint8Array")
    try:
        return data.encode()
    except UnicodeEncodeError:  # lone surrogates, which a text encoder replaces
        return data.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


CALLS_NOW: Final[Mapping[str, Callable[..., object]]] = {"digest": digest, "hmac": hmac, "equal": equal}
