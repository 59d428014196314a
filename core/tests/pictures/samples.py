"""Pictures of every kind, made here: whole ones, damaged ones, and headers that promise too much."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from PIL import Image

RED = (255, 0, 0)
BLUE = (0, 0, 255)


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:  # noqa: ANN401 - Pillow's own options
    """The bytes of a picture."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def decoded(data: bytes) -> Image.Image:
    """The picture in bytes, which are known to be good."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def plain(width: int = 8, height: int = 6, color: tuple[int, ...] = RED) -> Image.Image:
    """A picture of one colour."""
    return Image.new("RGBA" if len(color) == 4 else "RGB", (width, height), color)


def png(width: int = 8, height: int = 6, color: tuple[int, ...] = RED) -> bytes:
    """The same as PNG."""
    return encoded(plain(width, height, color), "PNG")


def two_colors(width: int = 8, height: int = 6) -> Image.Image:
    """Red on the left, blue on the right."""
    image = plain(width, height)
    image.paste(BLUE, (width // 2, 0, width, height))
    return image


def chunk(name: bytes, body: bytes) -> bytes:
    """A PNG chunk with its checksum."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_of(
    width: int, height: int, *chunks: bytes, bits: int = 8, color: int = 2, data: bytes = b""
) -> bytes:
    """A PNG with the header and the chunks that are asked for."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0))
    end = chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + end


def animation(kind: str, colors: Sequence[tuple[int, ...]]) -> bytes:
    """One frame a colour."""
    first, *rest = (plain(color=color) for color in colors)
    return encoded(first, kind, save_all=True, append_images=rest, duration=50)


def gif_of_frames(count: int) -> bytes:
    """A GIF that holds so many frames of one pixel."""
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return (
        b"GIF89a"
        + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0)
        + b"\xff\x00\x00\x00\x00\x00"
        + frame * count
        + b";"
    )


def webp_of(width: int, height: int, frames: int = 0) -> bytes:
    """A WebP header that promises a canvas, and so many frames without a body."""
    body = b"VP8X" + struct.pack("<I", 10) + b"\x02\0\0\0"
    body += (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body += (b"ANMF" + struct.pack("<I", 0)) * frames
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body
