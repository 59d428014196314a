"""As much of the WebAssembly binary format as the bake needs: sections, globals, exports, memory, data.

Reads what our own compiler wrote a moment ago, so it knows the forms that occur there and refuses all others.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

PAGE_BYTES: Final = 65_536
_HEADER: Final = b"\0asm\x01\0\0\0"

# Section numbers and entity kinds, from the core specification's binary format.
IMPORT, MEMORY, GLOBAL, EXPORT, START, DATA, DATA_COUNT = 2, 5, 6, 7, 8, 11, 12
_KIND_GLOBAL: Final = 3
_I32, _I64, _F32, _F64 = 0x7F, 0x7E, 0x7D, 0x7C
_I32_CONST, _I64_CONST, _F32_CONST, _F64_CONST, _END = 0x41, 0x42, 0x43, 0x44, 0x0B


class WasmFormError(Exception):
    """A module in a form that the bake does not know."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its number and its payload."""

    number: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Export:
    """One export, as it stands in the export section."""

    name: str
    kind: int
    index: int


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes that instantiation puts at an address."""

    offset: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Module:
    """A module as a list of sections, in file order."""

    sections: tuple[Section, ...]

    @classmethod
    def parse(cls, binary: bytes) -> Module:
        """The sections of a binary module. Refuses anything that is none."""
        if binary[:8] != _HEADER:
            raise WasmFormError("not a WebAssembly module of version 1")
        reader = _Reader(binary, 8)
        sections = []
        while not reader.at_end:
            number = reader.byte()
            sections.append(Section(number, reader.take(reader.unsigned())))
        return cls(tuple(sections))

    def binary(self) -> bytes:
        """The module's bytes."""
        parts = [_HEADER]
        parts += [
            bytes([each.number]) + unsigned_leb(len(each.payload)) + each.payload for each in self.sections
        ]
        return b"".join(parts)

    def payload(self, number: int) -> bytes:
        """A section's payload. Refuses a module without it."""
        for section in self.sections:
            if section.number == number:
                return section.payload
        raise WasmFormError(f"no section {number}")

    def without(self, *numbers: int) -> Module:
        """The same module less some sections."""
        return Module(tuple(each for each in self.sections if each.number not in numbers))

    def with_payload(self, number: int, payload: bytes) -> Module:
        """The same module with one section's payload replaced."""
        self.payload(number)
        return Module(
            tuple(replace(each, payload=payload) if each.number == number else each for each in self.sections)
        )

    def exports(self) -> tuple[Export, ...]:
        """The exports, in order."""
        reader = _Reader(self.payload(EXPORT))
        return tuple(
            Export(reader.take(reader.unsigned()).decode(), reader.byte(), reader.unsigned())
            for _ in range(reader.unsigned())
        )

    def with_exports(self, exports: Iterable[Export]) -> Module:
        """The same module with another export section."""
        return self.with_payload(
            EXPORT,
            _vector(
                unsigned_leb(len(name := each.name.encode()))
                + name
                + bytes([each.kind])
                + unsigned_leb(each.index)
                for each in exports
            ),
        )

    def mutable_globals(self) -> tuple[int, ...]:
        """The indices of the mutable globals, in a module that imports none."""
        reader = _Reader(self.payload(GLOBAL))
        found = []
        for index in range(reader.unsigned()):
            reader.byte()
            if reader.byte():
                found.append(index)
            reader.constant()
        return tuple(found)

    def exporting_globals(self, indices: Iterable[int], *, prefix: str) -> Module:
        """The same module with those globals exported too, under `prefix` and their index."""
        extra = [Export(f"{prefix}{index}", _KIND_GLOBAL, index) for index in indices]
        return self.with_exports([*self.exports(), *extra])

    def segments(self) -> tuple[Segment, ...]:
        """The data segments. Refuses passive ones: memory.init would find them changed by a bake."""
        reader = _Reader(self.payload(DATA))
        found = []
        for _ in range(reader.unsigned()):
            if (flag := reader.unsigned()) != 0:
                raise WasmFormError(f"a data segment with flag {flag} (passive, or of a second memory)")
            offset = reader.constant()
            found.append(Segment(int(offset) & 0xFFFF_FFFF, reader.take(reader.unsigned())))
        return tuple(found)

    def with_segments(self, segments: Iterable[Segment]) -> Module:
        """The same module with other data segments."""
        return self.with_payload(
            DATA,
            _vector(
                b"".join(
                    (
                        bytes([0, _I32_CONST]),
                        signed_leb(each.offset if each.offset < 1 << 31 else each.offset - (1 << 32)),
                        bytes([_END]),
                        unsigned_leb(len(each.content)),
                        each.content,
                    )
                )
                for each in segments
            ),
        )

    def with_min_pages(self, pages: int) -> Module:
        """The same module with a memory of at least that many pages. Refuses more than one memory."""
        reader = _Reader(self.payload(MEMORY))
        if reader.unsigned() != 1:
            raise WasmFormError("not exactly one memory of the module's own")
        flag = reader.byte()
        if flag not in (0, 1):
            raise WasmFormError(f"a memory with flag {flag} (shared, or 64-bit)")
        reader.unsigned()
        maximum = unsigned_leb(reader.unsigned()) if flag else b""
        return self.with_payload(MEMORY, _vector([bytes([flag]) + unsigned_leb(pages) + maximum]))


class _Reader:
    def __init__(self, data: bytes, position: int = 0) -> None:
        self._data = data
        self._at = position

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._data)

    def take(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        if len(piece) != count:
            raise WasmFormError(f"ends {count - len(piece)} bytes early")
        self._at += count
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - the continuation bit
                return value

    def signed(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - the continuation bit
                return value - (1 << shift) if byte & 0x40 else value

    def constant(self) -> int | float:
        """An initialiser: one constant and its end."""
        opcode = self.byte()
        value: int | float
        if opcode in (_I32_CONST, _I64_CONST):
            value = self.signed()
        elif opcode == _F32_CONST:
            (value,) = struct.unpack("<f", self.take(4))
        elif opcode == _F64_CONST:
            (value,) = struct.unpack("<d", self.take(8))
        else:
            raise WasmFormError(f"an initialiser with opcode {opcode:#x}")
        if self.byte() != _END:
            raise WasmFormError("an initialiser of more than one instruction")
        return value


def unsigned_leb(value: int) -> bytes:
    """A non-negative integer in LEB128."""
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def signed_leb(value: int) -> bytes:
    """An integer in signed LEB128."""
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        done = value == (-1 if low & 0x40 else 0)
        out.append(low if done else low | 0x80)
        if done:
            return bytes(out)


def _vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return unsigned_leb(len(listed)) + b"".join(listed)
