"""Modules that are compiled already: memory of a guest that compiled them, where it is not the image's.

The engine's own data structures, copied back to the same addresses of a fresh guest. They were made
inside the wall and stay inside it: whatever stands in them, a guest can do no more with it than a
program could.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Final, Self

from nodetool_sandbox._engine.shared import SHADOW_STACK_BYTES
from nodetool_sandbox._engine.warm_pages import changed_pages, joined_pages
from nodetool_sandbox.errors import InternalError

WASM_PAGE_BYTES: Final = 65_536
_MAGIC: Final = b"nodetool-sandbox preloaded 1\n"
_HEAD: Final = struct.Struct("<QI")
_PIECE: Final = struct.Struct("<QQ")


@dataclass(frozen=True, slots=True)
class Preloaded:
    """How large memory was, and the pieces of it that differ from the image, by rising address."""

    memory_bytes: int
    pieces: tuple[tuple[int, bytes], ...]

    @classmethod
    def between(cls, before: bytes, after: bytes) -> Self:
        """What has to be written to data that is `before` to make it `after`: all above the C stack.

        Raises:
            InternalError: memory has shrunk.
        """
        if len(after) < len(before):
            raise InternalError("the memory of a guest has shrunk")
        starts = changed_pages(before.ljust(len(after), b"\0"), after)
        pieces = tuple((SHADOW_STACK_BYTES + start, after[start:end]) for start, end in joined_pages(starts))
        return cls(SHADOW_STACK_BYTES + len(after), pieces)

    @property
    def byte_count(self) -> int:
        """Bytes that are copied into each guest."""
        return sum(len(content) for _, content in self.pieces)

    def to_bytes(self) -> bytes:
        """As a file holds it: its own digest first."""
        parts = [_HEAD.pack(self.memory_bytes, len(self.pieces))]
        parts += [_PIECE.pack(start, len(content)) for start, content in self.pieces]
        parts += [content for _, content in self.pieces]
        body = b"".join(parts)
        return _MAGIC + hashlib.sha256(body).digest() + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self | None:
        """What `to_bytes` wrote, or None where the bytes are anything else."""
        head, body = data[: len(_MAGIC) + 32], memoryview(data)[len(_MAGIC) + 32 :]
        if head != _MAGIC + hashlib.sha256(body).digest():
            return None
        memory_bytes, count = _HEAD.unpack_from(body)
        at = _HEAD.size + count * _PIECE.size
        pieces = []
        for index in range(count):
            start, length = _PIECE.unpack_from(body, _HEAD.size + index * _PIECE.size)
            if start < SHADOW_STACK_BYTES or start + length > memory_bytes:
                return None
            pieces.append((start, bytes(body[at : at + length])))
            at += length
        return cls(memory_bytes, tuple(pieces))
