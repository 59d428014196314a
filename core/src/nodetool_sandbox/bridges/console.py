"""console: records of the guest become lines, within the caps of the run.

One line per call, arguments joined by a space, as the reference does it: text as it is, `null` and
`undefined` by name, everything else as JSON with two spaces. Past that: an Error with its stack, a
Map as its pairs, bytes as their count, a BigInt as its digits.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Iterator
from typing import Final

from nodetool_sandbox_registry.values import UNDEFINED, JSMap, JSSet, Undefined

from nodetool_sandbox.errors import TRUNCATED, MarshalError
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.marshal import result_text, to_host

LogSink = Callable[[str, str], None]
"""`on_log(level, text)`: level is "log", "info", "warn" or "error"; text has no prefix."""

LEVELS: Final = ("log", "info", "warn", "error")
_PREFIXES: Final = ("", "[info] ", "[warn] ", "[error] ")
_RECORD: Final = struct.Struct("<BI")


class Console:
    """The lines of one run. Past its caps lines are counted and not kept."""

    def __init__(
        self, limits: Limits, sink: LogSink | None, *, redact: Callable[[str], str] | None = None
    ) -> None:
        self._lines: list[str] = []
        self._room = limits.max_log_characters
        self._most = limits.max_log_lines
        self._sink = sink
        self._redact = redact
        self._dropped = 0
        self._cut = 0

    def take(self, records: bytes) -> None:
        """Keep the lines of these records. Malformed ones, which only a broken guest sends, are counted as dropped."""
        for level, payload in _records(records):
            try:
                arguments = to_host(payload, max_bytes=len(payload))
            except MarshalError:
                self._dropped += 1
                continue
            if isinstance(arguments, list):
                room = self._room if len(self._lines) < self._most else 0
                self.add(level, " ".join(text_of(argument, room) for argument in arguments))

    def add(self, level: int, text: str) -> None:
        """One line, if it may still be kept."""
        if len(self._lines) >= self._most or self._room <= 0:
            self._dropped += 1
            return
        if self._redact is not None:  # before it is cut: half of what must not be seen is too much of it
            text = self._redact(text)
        if len(text) > self._room:
            text = text[: self._room] + TRUNCATED
            self._cut += 1
        self._room -= len(text)
        self._lines.append(_PREFIXES[level] + text)
        if self._sink is not None:
            try:
                self._sink(LEVELS[level], text)
            except Exception:  # noqa: BLE001 - a sink that fails changes nothing for the program
                self._sink = None

    def lines(self, *, dropped: int = 0, cut: int = 0) -> tuple[str, ...]:
        """All lines, and last one that says what is missing: `dropped` and `cut` are the guest's own counts."""
        dropped += self._dropped
        cut = max(cut, self._cut)  # what the guest has cut is cut again here
        if not dropped and not cut:
            return tuple(self._lines)
        missing = f"{dropped:,} log lines were dropped and {cut:,} were cut"
        return (*self._lines, f"[warn] {missing}: raise max_log_lines or max_log_characters to see more")


def _records(data: bytes) -> Iterator[tuple[int, memoryview]]:
    view = memoryview(data)
    at = 0
    while at + _RECORD.size <= len(view):
        level, length = _RECORD.unpack_from(view, at)
        at += _RECORD.size
        if level >= len(LEVELS) or at + length > len(view):
            return
        yield level, view[at : at + length]
        at += length


def text_of(value: object, characters: int) -> str:
    """One argument as it is logged. Writing ends soon after so many characters: a small tree is a long text."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, Undefined):
        return "undefined"
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - NaN, which JSON would call null
        return "NaN"
    pieces = _Pieces(characters)
    with contextlib.suppress(_Full):
        pieces.write(value, "\n")
    return "".join(pieces.written)


class _Full(Exception):
    """There is no room for more text."""


class _Pieces:
    """JSON with an indent of two; as deep as the guest's walk went, which is bounded."""

    def __init__(self, characters: int) -> None:
        self.written: list[str] = []
        self._room = characters

    def write(self, value: object, line: str) -> None:
        """Add the text of a value.

        Raises:
            _Full: the room is used up.
        """
        if isinstance(value, JSMap):
            value = [list(entry) for entry in value]
        elif isinstance(value, JSSet):
            value = list(value)
        if isinstance(value, dict):
            members = [(key, member) for key, member in value.items() if member is not UNDEFINED]
            self._container("{", members, "}", line)
        elif isinstance(value, list):
            self._container("[", [(None, each) for each in value], "]", line)
        elif isinstance(value, bytes):
            self._add(f"[{len(value)} bytes]")
        else:
            self._add("null" if isinstance(value, Undefined) else result_text(value))

    def _container(
        self, opening: str, members: list[tuple[str | None, object]], closing: str, line: str
    ) -> None:
        inner = line + "  "
        before = opening + inner
        for key, member in members:
            self._add(before if key is None else f"{before}{result_text(key)}: ")
            self.write(member, inner)
            before = "," + inner
        self._add(line + closing if members else opening + closing)

    def _add(self, text: str) -> None:
        self.written.append(text)
        self._room -= len(text)
        if self._room < 0:
            raise _Full
