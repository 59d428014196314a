"""Which format bytes have, by their first ones, and what their header says before any decoder sees them."""

from __future__ import annotations

import re
import struct
from enum import StrEnum
from typing import Final


class Format(StrEnum):
    """What bytes of a picture can be; the value is what a guest reads."""

    PNG = "png"
    JPEG = "jpeg"
    GIF = "gif"
    BMP = "bmp"
    WEBP = "webp"
    AVIF = "avif"
    HEIC = "heic"
    SVG = "svg"
    UNKNOWN = "unknown"


DECODED: Final = frozenset({Format.PNG, Format.JPEG, Format.GIF, Format.BMP, Format.WEBP, Format.AVIF})
"""What can be read. No decoder but these is ever asked."""

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_AVIF_BRANDS: Final = {b"avif", b"avis"}
_HEIC_BRANDS: Final = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}
_SVG: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>\s*)*<svg[\s>]", re.DOTALL
)
_SVG_HEAD: Final = 4096
_GIF_TABLE: Final = 0x80
_GIF_IMAGE: Final = 0x2C
_GIF_EXTENSION: Final = 0x21


def sniff(data: bytes) -> Format:
    """The format that the first bytes announce."""
    for start, found in (
        (_PNG, Format.PNG),
        (b"\xff\xd8\xff", Format.JPEG),
        (b"GIF87a", Format.GIF),
        (b"GIF89a", Format.GIF),
        (b"BM", Format.BMP),
    ):
        if data.startswith(start):
            return found
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Format.WEBP
    if data[4:8] == b"ftyp":
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, min(_box_size(data), 64), 4))}
        if brands & _AVIF_BRANDS:
            return Format.AVIF
        if brands & _HEIC_BRANDS:
            return Format.HEIC
    if _SVG.match(data[:_SVG_HEAD].removeprefix(b"\xef\xbb\xbf")):
        return Format.SVG
    return Format.UNKNOWN


def _box_size(data: bytes) -> int:
    return int.from_bytes(data[:4], "big")


def announced_size(kind: Format, data: bytes) -> tuple[int, int] | None:
    """Width and height in the header, where its decoder would take memory for them at once."""
    if kind is Format.WEBP:
        return _webp_size(data)
    if kind is Format.PNG and data[12:16] == b"IHDR":
        width, height = struct.unpack_from(">II", data.ljust(24, b"\0"), 16)
        return width, height
    if kind is Format.GIF:
        width, height = struct.unpack_from("<HH", data.ljust(10, b"\0"), 6)
        return width, height
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    chunk, body = data[12:16], data[20:30].ljust(10, b"\0")
    if chunk == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if chunk == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None


def count_frames(kind: Format, data: bytes, most: int) -> int:
    """How many frames there are, counted without a decoder and not much further than `most`."""
    if kind is Format.GIF:
        return _gif_frames(data, most)
    if kind is Format.WEBP:
        return max(1, _webp_frames(data, most))
    if kind is Format.PNG:
        at = data.find(b"acTL", 8, 4096)
        return int.from_bytes(data[at + 4 : at + 8], "big") if at > 0 else 1
    return 1  # what an AVIF sequence holds is asked of its decoder, which reads the header alone


def _gif_frames(data: bytes, most: int) -> int:
    frames, at = 0, 13
    if len(data) > at and data[10] & _GIF_TABLE:
        at += 3 << (data[10] & 7) + 1
    while at < len(data) and frames <= most:
        if data[at] == _GIF_IMAGE:
            frames += 1
            flags = data[at + 9] if at + 9 < len(data) else 0
            at += 10 + (3 << (flags & 7) + 1 if flags & _GIF_TABLE else 0) + 1
        elif data[at] == _GIF_EXTENSION:
            at += 2
        else:
            break
        while at < len(data) and data[at]:
            at += data[at] + 1
        at += 1
    return frames


def _webp_frames(data: bytes, most: int) -> int:
    frames, at = 0, 12
    while at + 8 <= len(data) and frames <= most:
        frames += data[at : at + 4] == b"ANMF"
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + size + (size & 1)
    return frames
