"""Archives written field by field, so that no library chooses an encoding or refuses to lie."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Part:
    """One entry; what is None is what is true."""

    name: bytes
    content: bytes = b""
    flags: int = 0
    method: int = 0
    packed: bytes | None = None
    size: int | None = None
    compressed_size: int | None = None
    crc: int | None = None
    extra: bytes = b""
    disk: int = 0
    offset: int | None = None
    local_name: bytes | None = None
    local_method: int | None = None
    date: int = 0x5861  # 2024-03-01
    time: int = 0x6000  # 12:00:00
    external: int = 0


def deflated(name: bytes, content: bytes, **lies: int) -> Part:
    """An entry as most tools write it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = Part(name=name, content=content, method=8, packed=packer.compress(content) + packer.flush())
    for field, value in lies.items():
        setattr(part, field, value)
    return part


def archive(
    *parts: Part,
    prefix: bytes = b"",
    suffix: bytes = b"",
    comment: bytes = b"",
    count: int | None = None,
    disk: int = 0,
    wide: bool = False,
    shift: int = 0,
) -> bytes:
    """The bytes; `wide` writes the end in zip64, `shift` moves the stated start of the directory."""
    body = bytearray()
    directory = bytearray()
    for part in parts:
        packed = part.content if part.packed is None else part.packed
        crc = zlib.crc32(part.content) if part.crc is None else part.crc
        size = len(part.content) if part.size is None else part.size
        compressed = len(packed) if part.compressed_size is None else part.compressed_size
        local_name = part.name if part.local_name is None else part.local_name
        method = part.method if part.local_method is None else part.local_method
        offset = len(body) if part.offset is None else part.offset
        if part.offset is None:
            body += struct.pack(
                "<4s5H3L2H", b"PK\x03\x04", 20, part.flags, method, part.time, part.date, crc, compressed, size,
                len(local_name), 0,
            )  # fmt: skip
            body += local_name + packed
        directory += struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, part.flags, part.method, part.time, part.date, crc,
            compressed, size, len(part.name), len(part.extra), 0, part.disk, 0, part.external, offset,
        )  # fmt: skip
        directory += part.name + part.extra
    total = len(parts) if count is None else count
    start = len(body) + shift
    end = b""
    if wide:
        end += struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, total, total, len(directory), start)
        end += struct.pack("<4sLQL", b"PK\x06\x07", 0, len(body) + len(directory), 1)
    narrow = (0xFFFF, 0xFFFF, 0xFFFF_FFFF, 0xFFFF_FFFF) if wide else (total, total, len(directory), start)
    end += struct.pack("<4s4H2LH", b"PK\x05\x06", disk, disk, *narrow, len(comment))
    return prefix + bytes(body) + bytes(directory) + end + comment + suffix
