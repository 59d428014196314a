"""WebAssembly binaries piece by piece, also those that no compiler writes."""

from __future__ import annotations

from collections.abc import Iterable

from nodetool_sandbox_registry.wasm_binary import VALUE_TYPES

HEADER = b"\0asm\x01\0\0\0"
TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(1, 13)
_CODES = {name: bytes([code]) for code, name in VALUE_TYPES.items()}
_KINDS = {"function": 0, "table": 1, "memory": 2, "global": 3}
UNREACHABLE = b"\0\0\x0b"


def leb(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)


def section(number: int, content: bytes) -> bytes:
    return bytes([number]) + leb(len(content)) + content


def vector(items: Iterable[bytes]) -> bytes:
    listed = list(items)
    return leb(len(listed)) + b"".join(listed)


def text(name: str) -> bytes:
    encoded = name.encode()
    return leb(len(encoded)) + encoded


def signature(params: str = "", results: str = "") -> bytes:
    """A function's type: `signature("i32 f64", "f32")`."""
    return b"\x60" + b"".join(vector(_CODES[each] for each in types.split()) for types in (params, results))


def export(name: str, kind: str = "function", index: int = 0) -> bytes:
    return text(name) + bytes([_KINDS[kind]]) + leb(index)


def module(
    *signatures: bytes,
    memory: bytes = b"",
    exports: Iterable[bytes] | None = None,
    body: bytes = UNREACHABLE,
) -> bytes:
    """One function of each signature; the first is exported as `f` unless `exports` says otherwise."""
    types = signatures or (signature(),)
    exported = [export("f")] if exports is None else exports
    return b"".join(
        [
            HEADER,
            section(TYPE, vector(types)),
            section(FUNCTION, vector(leb(index) for index in range(len(types)))),
            section(MEMORY, vector([memory])) if memory else b"",
            section(EXPORT, vector(exported)),
            section(CODE, vector(leb(len(body)) + body for _ in types)),
        ]
    )
