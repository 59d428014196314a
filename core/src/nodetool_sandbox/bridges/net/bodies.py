"""The body of an answer, read up to its cap."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Final

import anyio.lowlevel
import httpcore

from nodetool_sandbox.bridges.net.codings import PIECE_BYTES, CodingBroken, Decoding
from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.secret_text import Finder

BROKEN: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, CodingBroken)
"""What ends a body before its end."""

_CHUNKS_A_TURN: Final = 32


class Room:
    """What the bodies of one run may hold together while they arrive."""

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._left = max_bytes

    def take(self, size: int) -> None:
        """Take room for so many bytes.

        Raises:
            BridgeError: there is none.
        """
        if size > self._left:
            raise BridgeError(
                f"fetch: bodies that arrive at the same time exceed {self._max:,} bytes (memory_limit_bytes); "
                "fetch fewer at once",
                name="RangeError",
            )
        self._left -= size

    def give_back(self, size: int) -> None:
        """The bytes are somewhere else, or nowhere."""
        self._left += size


class Body:
    """The first `max_bytes` of a body, decoded, without secrets. `truncated` says that there was more, or should be.

    What has come is kept whatever happens: an error in the middle, or a cancelled `read`.
    """

    def __init__(self, *, max_bytes: int, codings: list[str], finder: Finder, room: Room) -> None:
        self.truncated = True
        self._max = max_bytes
        self._decoding = Decoding(codings, max_bytes=max_bytes)
        self._finder = finder
        self._room = room
        self._taken = 0
        self._kept = bytearray()
        # What decodes to nothing must not come in for ever either.
        self._wire_room = 2 * max_bytes + PIECE_BYTES
        self._chunks = 0

    async def read(self, chunks: AsyncIterable[bytes]) -> None:
        """Read to the end, to the cap, or to an error."""
        try:
            async for chunk in chunks:
                if not self._take(chunk):
                    return
                self._chunks += 1
                if self._chunks % _CHUNKS_A_TURN == 0:  # a chunk may be one byte, and thousands come at once
                    await anyio.lowlevel.checkpoint()
        except BROKEN:
            return
        self.truncated = not self._decoding.is_complete

    def _take(self, chunk: bytes) -> bool:
        self._wire_room -= len(chunk)
        for piece in self._decoding.feed(chunk):
            self._room.take(len(piece))
            self._taken += len(piece)
            self._kept += self._finder.feed(piece)
            if len(self._kept) > self._max:
                return False
        return self._wire_room >= 0

    def close(self) -> None:
        """Give back the room that it took."""
        self._room.give_back(self._taken)
        self._taken = 0

    def content(self) -> bytes:
        """What was read."""
        self._kept += self._finder.finish()
        if len(self._kept) > self._max:
            self.truncated = True
        return bytes(memoryview(self._kept)[: self._max])
