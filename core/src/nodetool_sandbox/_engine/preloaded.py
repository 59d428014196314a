"""Modules that are compiled already: memory of a guest that compiled them, where it is not the image's.

The engine's own data structures, copied back to the same addresses of a fresh guest. They were made
inside the wall and stay inside it: whatever stands in them, a guest can do no more with it than a
program could.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

from nodetool_sandbox._engine.shared import SHADOW_STACK_BYTES
from nodetool_sandbox.errors import InternalError

WASM_PAGE_BYTES: Final = 65_536
PAGE_BYTES: Final = 4_096
"""Of the machine: what is written page by page costs page by page."""

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
        before = before.ljust(len(after), b"\0")
        starts = list(_changed_pages(before, after))
        pieces = tuple((SHADOW_STACK_BYTES + start, after[start:end]) for start, end in _joined(starts))
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


def _changed_pages(before: bytes, after: bytes) -> Iterator[int]:
    old, new = memoryview(before), memoryview(after)
    for start in range(0, len(after), PAGE_BYTES):
        if old[start : start + PAGE_BYTES] != new[start : start + PAGE_BYTES]:
            yield start


def _joined(starts: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of pages that follow each other, each from its start to its end."""
    breaks = [0, *(index + 1 for index, (one, two) in enumerate(pairwise(starts)) if two != one + PAGE_BYTES)]
    for begin, end in pairwise([*breaks, len(starts)]):
        if begin < end:
            yield starts[begin], starts[end - 1] + PAGE_BYTES
