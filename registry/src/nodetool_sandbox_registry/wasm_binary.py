"""As much of a WebAssembly binary as the contract of packs is about: imports, memories, exports, signatures.

The bodies of its functions are not looked into: the engine validates them when it compiles the module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from nodetool_sandbox_registry.texts import quoted

PAGE_BYTES: Final = 65_536

MAX_FUNCTIONS: Final = 50_000
"""Functions of one module, and as many types: what is read here one by one, and compiled one by one."""

MAX_BINARY_EXPORTS: Final = 10_000
"""Exports of one module, whether its pack names them or not."""

_HEADER: Final = b"\0asm\x01\0\0\0"
_MAX_LEB_BYTES: Final = 5

_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT = range(8)
_START, _ELEMENT, _CODE, _DATA, _DATA_COUNT = range(8, 13)
# The order in which sections stand, which is not that of their numbers.
_ORDER: Final = (
    _TYPE,
    _IMPORT,
    _FUNCTION,
    _TABLE,
    _MEMORY,
    _GLOBAL,
    _EXPORT,
    _START,
    _ELEMENT,
    _DATA_COUNT,
    _CODE,
    _DATA,
)
_KINDS: Final = ("function", "table", "memory", "global")
_FUNCTION_TYPE: Final = 0x60
_HAS_MAXIMUM, _SHARED, _WIDE, _OWN_PAGES = 1, 2, 4, 8
_HIGH_BIT: Final = 0x80

VALUE_TYPES: Final[Mapping[int, str]] = MappingProxyType(
    {
        0x7F: "i32",
        0x7E: "i64",
        0x7D: "f32",
        0x7C: "f64",
        0x7B: "v128",
        0x70: "funcref",
        0x6F: "externref",
    }
)


class WasmFormError(ValueError):
    """Bytes that are no WebAssembly module, or one in a form that packs may not use."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and returns, each value by the name of its type."""

    params: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory of its own, in pages of 64 KiB."""

    minimum: int
    maximum: int | None
    shared: bool
    wide: bool


@dataclass(slots=True)
class WasmBinary:
    """What a module says of itself outside of its functions' bodies."""

    types: list[Signature] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    exports: dict[str, tuple[str, int]] = field(default_factory=dict)
    first_import: tuple[str, str] | None = None
    bodies: int = 0

    @classmethod
    def parse(cls, data: bytes) -> WasmBinary:
        """The module in these bytes.

        Raises:
            WasmFormError: they are none, they end early, or they hold what no pack may have.
        """
        if data[: len(_HEADER)] != _HEADER:
            if _HEADER.startswith(data):
                raise WasmFormError("truncated WASM binary")
            raise WasmFormError("is not a WebAssembly module of version 1")
        binary = cls()
        reader = _Reader(data, len(_HEADER))
        place = -1
        while not reader.at_end:
            number = reader.byte()
            section = _Reader(reader.take(reader.unsigned()))
            if number == _CUSTOM:
                continue
            if number not in _ORDER or _ORDER.index(number) <= place:
                raise WasmFormError(f"has a section {number} where none may be")
            place = _ORDER.index(number)
            read = _SECTIONS.get(number)
            if read is not None:
                read(binary, section)
        if binary.bodies != len(binary.functions):
            raise WasmFormError("has another number of functions than of bodies")
        return binary

    def signature(self, index: int) -> Signature:
        """What a function takes and returns.

        Raises:
            WasmFormError: there is no such function.
        """
        if index >= len(self.functions) or self.functions[index] >= len(self.types):
            raise WasmFormError("exports a function that it does not have")
        return self.types[self.functions[index]]


class _Reader:
    """Reads on from a place, never past the end."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self._at = at

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._data)

    def take(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        if len(piece) != count:
            raise WasmFormError("truncated WASM binary")
        self._at += count
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def unsigned(self) -> int:
        value = 0
        for place in range(_MAX_LEB_BYTES):
            byte = self.byte()
            value |= (byte & ~_HIGH_BIT) << 7 * place
            if byte < _HIGH_BIT:
                break
        else:
            raise WasmFormError("holds a number of too many bytes")
        if value >= 1 << 32:
            raise WasmFormError("holds a number above 32 bits")
        return value

    def count(self, what: str, most: int) -> int:
        """How many entries follow; too many are refused before one is read."""
        found = self.unsigned()
        if found > most:
            raise WasmFormError(f"has {found:,} {what}, above the cap of {most:,}")
        return found

    def name(self) -> str:
        try:
            return self.take(self.unsigned()).decode()
        except UnicodeDecodeError:
            raise WasmFormError("holds a name that is not UTF-8") from None

    def end(self) -> None:
        if not self.at_end:
            raise WasmFormError("has a section that is longer than what it says")


def _read_types(binary: WasmBinary, section: _Reader) -> None:
    for _ in range(section.count("types", MAX_FUNCTIONS)):
        if section.byte() != _FUNCTION_TYPE:
            raise WasmFormError("declares a type that is no function's; compile for WebAssembly 2.0 at most")
        params, results = (_value_types(section.take(section.unsigned())) for _ in range(2))
        binary.types.append(Signature(params=params, results=results))
    section.end()


def _value_types(codes: bytes) -> tuple[str, ...]:
    try:
        return tuple(map(VALUE_TYPES.__getitem__, codes))
    except KeyError:
        raise WasmFormError(
            "uses a value of a type that is not known here; compile for WebAssembly 2.0 at most"
        ) from None


def _read_imports(binary: WasmBinary, section: _Reader) -> None:
    if section.unsigned():
        binary.first_import = (section.name(), section.name())
    else:
        section.end()


def _read_functions(binary: WasmBinary, section: _Reader) -> None:
    count = section.count("functions", MAX_FUNCTIONS)
    binary.functions = [section.unsigned() for _ in range(count)]
    section.end()


def _read_memories(binary: WasmBinary, section: _Reader) -> None:
    for _ in range(section.count("memories", 1)):
        flags = section.byte()
        if flags & ~(_HAS_MAXIMUM | _SHARED | _WIDE):
            raise WasmFormError("has a memory with pages of its own size, or of an unknown kind")
        if flags & _WIDE:  # its limits may be wider than the numbers that are read here
            binary.memories.append(Memory(minimum=0, maximum=None, shared=False, wide=True))
            return
        minimum = section.unsigned()
        maximum = section.unsigned() if flags & _HAS_MAXIMUM else None
        binary.memories.append(
            Memory(minimum=minimum, maximum=maximum, shared=bool(flags & _SHARED), wide=False)
        )
    section.end()


def _read_exports(binary: WasmBinary, section: _Reader) -> None:
    for _ in range(section.count("exports", MAX_BINARY_EXPORTS)):
        name, kind, index = section.name(), section.byte(), section.unsigned()
        if kind >= len(_KINDS):
            raise WasmFormError(f"exports {quoted(name)}, which is of an unknown kind")
        if name in binary.exports:
            raise WasmFormError(f"exports {quoted(name)} twice")
        binary.exports[name] = (_KINDS[kind], index)
    section.end()


def _read_bodies(binary: WasmBinary, section: _Reader) -> None:
    binary.bodies = section.count("bodies", MAX_FUNCTIONS)
    for _ in range(binary.bodies):
        section.take(section.unsigned())
    section.end()


_SECTIONS: Final[Mapping[int, Callable[[WasmBinary, _Reader], None]]] = MappingProxyType(
    {
        _TYPE: _read_types,
        _IMPORT: _read_imports,
        _FUNCTION: _read_functions,
        _MEMORY: _read_memories,
        _EXPORT: _read_exports,
        _CODE: _read_bodies,
    }
)
