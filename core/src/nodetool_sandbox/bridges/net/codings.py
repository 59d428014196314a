"""Content codings, undone while the body comes in, a bounded piece at a time.

What asks for the pieces stops asking at its cap, so a bomb is never inflated beyond it. `gzip` and `deflate`
are what fetch offers to servers; an answer in another coding is refused, because it was not asked for.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final, Protocol

OFFERED: Final = b"gzip, deflate"
"""The Accept-Encoding of every request."""

MAX_CODINGS: Final = 3
"""Codings one inside of the other."""

PIECE_BYTES: Final = 64 * 1024
"""What one step of inflating gives at most."""

_GZIP: Final = zlib.MAX_WBITS | 16
_HEADER_BYTES: Final = 2
"""What it takes to tell zlib's wrapping from none."""


class UnknownCoding(Exception):
    """A coding that was not offered; the text is its name."""


class CodingBroken(Exception):
    """The body is not of the coding that it claims."""


class Stage(Protocol):
    """One coding being undone."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` comes to, in pieces."""

    @property
    def is_complete(self) -> bool:
        """Whether the body may end here."""


class Inflate:
    """gzip (any number of members) or deflate (with or without its zlib wrapping)."""

    def __init__(self, coding: str) -> None:
        self._is_gzip = coding == "gzip"
        self._begun = False
        self._held = b""
        self._decoder = zlib.decompressobj(_GZIP if self._is_gzip else zlib.MAX_WBITS)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """See Stage.

        Raises:
            CodingBroken: it is something else.
        """
        if not self._begun:
            data = self._held + data
            self._held = data if len(data) < _HEADER_BYTES else b""
        while data and not self._held:
            if self._decoder.eof:
                if not self._is_gzip:  # what follows belongs to nothing
                    return
                self._decoder = zlib.decompressobj(_GZIP)
            try:
                piece = self._decoder.decompress(data, PIECE_BYTES)
            except zlib.error:
                if self._begun or self._is_gzip:
                    raise CodingBroken from None
                self._decoder = zlib.decompressobj(-zlib.MAX_WBITS)  # some servers leave the wrapping away
                self._begun = True
                continue
            self._begun = True
            data = self._decoder.unused_data if self._decoder.eof else self._decoder.unconsumed_tail
            if piece:
                yield piece

    @property
    def is_complete(self) -> bool:
        """See Stage."""
        return self._decoder.eof or not (self._begun or self._held)


class Decoding:
    """All codings of one body, the last applied undone first."""

    def __init__(self, names: list[str], *, max_bytes: int) -> None:
        self._stages = [Inflate(name) for name in reversed(names)]
        # What lies between two codings is counted too: it may be large where the last one gives nothing.
        self._room = [2 * max_bytes + PIECE_BYTES] * len(names)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What `data` comes to, in pieces; whoever has enough stops asking.

        Raises:
            CodingBroken: the body is not of its codings.
        """
        return self._through(0, data)

    def _through(self, stage: int, data: bytes) -> Iterator[bytes]:
        if stage == len(self._stages):
            yield data
            return
        for piece in self._stages[stage].feed(data):
            self._room[stage] -= len(piece)
            if self._room[stage] < 0:
                raise CodingBroken
            yield from self._through(stage + 1, piece)

    @property
    def is_complete(self) -> bool:
        """Whether the body may end here."""
        return all(stage.is_complete for stage in self._stages)


def parse_codings(values: list[bytes]) -> list[str]:
    """The codings of a body, in the order in which they were applied.

    Raises:
        UnknownCoding: one was not offered, or there are more than `MAX_CODINGS`.
    """
    named = (part.strip().lower() for value in values for part in value.decode("latin-1").split(","))
    codings = [name.removeprefix("x-") for name in named if name not in {"", "identity"}]
    for coding in codings:
        if coding not in {"gzip", "deflate"}:
            raise UnknownCoding(coding)
    if len(codings) > MAX_CODINGS:
        raise UnknownCoding(", ".join(codings))
    return codings
