"""The body of an answer, read up to its cap."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Final

import httpcore

from nodetool_sandbox.bridges.net.codings import PIECE_BYTES, CodingBroken, Decoding
from nodetool_sandbox.bridges.secret_text import Finder

BROKEN: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, CodingBroken)
"""What ends a body before its end."""


class Body:
    """The first `max_bytes` of a body, decoded, without secrets. `truncated` says that there was more, or should be.

    What has come is kept whatever happens: an error in the middle, or a cancelled `read`.
    """

    def __init__(self, *, max_bytes: int, codings: list[str], finder: Finder) -> None:
        self.truncated = True
        self._max = max_bytes
        self._decoding = Decoding(codings, max_bytes=max_bytes)
        self._finder = finder
        self._kept = bytearray()
        # What decodes to nothing must not come in for ever either.
        self._wire_room = 2 * max_bytes + PIECE_BYTES

    async def read(self, chunks: AsyncIterable[bytes]) -> None:
        """Read to the end, to the cap, or to an error."""
        try:
            async for chunk in chunks:
                if not self._take(chunk):
                    return
        except BROKEN:
            return
        self.truncated = not self._decoding.is_complete

    def _take(self, chunk: bytes) -> bool:
        self._wire_room -= len(chunk)
        for piece in self._decoding.feed(chunk):
            self._kept += self._finder.feed(piece)
            if len(self._kept) > self._max:
                return False
        return self._wire_room >= 0

    def close(self) -> bytes:
        """What was read."""
        self._kept += self._finder.finish()
        if len(self._kept) > self._max:
            self.truncated = True
        return bytes(memoryview(self._kept)[: self._max])
