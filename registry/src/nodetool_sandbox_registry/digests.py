"""What a lock pins: SHA-256 over one canonical JSON text, so that equal facts have equal digests."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Final, NewType

Digest = NewType("Digest", str)
"""SHA-256 in 64 lower-case hexadecimal digits."""

# ASCII escapes, so that no text is outside of UTF-8 and nobody's normalisation can merge two.
_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def is_digest(text: str) -> bool:
    """Whether the text is a digest as we write it."""
    return _DIGEST.fullmatch(text) is not None


def digest_bytes(data: bytes) -> Digest:
    """The digest of a file's bytes as they were read."""
    return Digest(hashlib.sha256(data).hexdigest())


def digest_facts(facts: object) -> Digest:
    """The digest of plain data: text, whole numbers, booleans, None, lists and dicts of them.

    The order of a dict's keys does not matter; the order of a list does, so callers sort theirs.
    """
    return digest_bytes(_CANONICAL.encode(facts).encode("ascii"))
