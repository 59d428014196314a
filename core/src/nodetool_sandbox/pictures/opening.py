"""Where bytes of a guest meet a decoder: the format by its magic, the header, the limits, and only then pixels."""

from __future__ import annotations

import io
import struct
import warnings
from contextlib import suppress
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from PIL import AvifImagePlugin, Image, ImageFile, ImageOps, UnidentifiedImageError

from nodetool_sandbox.limits import MAX_IMAGE_FRAMES
from nodetool_sandbox.pictures.caps import check_bytes, check_size
from nodetool_sandbox.pictures.formats import DECODED, Format, announced_size, count_frames, sniff

Image.MAX_IMAGE_PIXELS = None  # ours is lower, and asked before
ImageFile.LOAD_TRUNCATED_IMAGES = False
AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # a worker may start no thread of its own

_BROKEN: Final = (OSError, ValueError, SyntaxError, TypeError, KeyError, IndexError, EOFError, OverflowError,
                  struct.error, Image.DecompressionBombError, AttributeError, RuntimeError, ZeroDivisionError,
                  AssertionError, NotImplementedError)  # fmt: skip
"""What decoders raise over damaged bytes."""

_REFUSED: Final = {
    Format.SVG: "SVG is a drawing and not pixels; pass PNG, JPEG, GIF, BMP, WebP or AVIF",
    Format.HEIC: "HEIC is not supported; pass PNG, JPEG, GIF, BMP, WebP or AVIF",
    Format.UNKNOWN: "these are no PNG, JPEG, GIF, BMP, WebP or AVIF bytes",
}

_SIXTEEN_BITS: Final = frozenset({"I", "I;16", "I;16B", "I;16L", "I;16N", "F"})
_TO_EIGHT_BITS: Final = 1 / 257


def open_image(op: str, data: bytes) -> tuple[Image.Image, Format]:
    """The picture, upright, in RGB or RGBA: the first frame of several.

    Raises:
        HostCallError: it is above a limit, of a format that is not read, or damaged.
    """
    with warnings.catch_warnings(action="ignore"):  # over damaged metadata, which is no concern of ours
        kind, opened = _open(op, data)
        try:
            opened.seek(0)
            opened.load()
            return to_rgb(_upright(opened)), kind
        except _BROKEN as error:
            raise _undecodable(op, kind, _reason(error)) from None


def read_size(op: str, data: bytes) -> tuple[int, int, Format]:
    """Width and height as a viewer shows it, and the format; no pixel is decoded.

    Raises:
        HostCallError: as for `open_image`, as far as the header tells.
    """
    with warnings.catch_warnings(action="ignore"):
        kind, opened = _open(op, data)
        on_its_side = _orientation(opened) in _ON_ITS_SIDE
    width, height = opened.size
    return (height, width, kind) if on_its_side else (width, height, kind)


def to_rgb(image: Image.Image) -> Image.Image:
    """The same pixels in RGB, or in RGBA where some may be transparent."""
    if image.mode in {"RGB", "RGBA"} and "transparency" not in image.info:
        return image
    if image.mode in _SIXTEEN_BITS:
        # a conversion alone would cut at 255
        image = image.point(lambda value: value * _TO_EIGHT_BITS).convert("L")
    has_alpha = image.mode in {"RGBA", "RGBa", "LA", "La", "PA"} or "transparency" in image.info
    converted = image.convert("RGBA" if has_alpha else "RGB")
    converted.info.clear()
    return converted


def _open(op: str, data: bytes) -> tuple[Format, Image.Image]:
    check_bytes(op, data)
    kind = sniff(data)
    if kind not in DECODED:
        raise _undecodable(op, kind, _REFUSED[kind])
    announced = announced_size(kind, data)
    if announced is not None:
        check_size(op, *announced)
    _check_frames(op, count_frames(kind, data, MAX_IMAGE_FRAMES))
    try:
        opened = Image.open(io.BytesIO(data), formats=[kind.value.upper()])
    except _BROKEN as error:
        raise _undecodable(op, kind, _reason(error)) from None
    check_size(op, *opened.size)
    if kind is Format.AVIF:
        _check_frames(op, getattr(opened, "n_frames", 1))
    return kind, opened


def _check_frames(op: str, frames: int) -> None:
    if frames > MAX_IMAGE_FRAMES:
        raise HostCallError(f"{op}: the image has more than {MAX_IMAGE_FRAMES} frames")


_ON_ITS_SIDE: Final = frozenset({5, 6, 7, 8})
_ORIENTATION: Final = 0x0112


def _orientation(image: Image.Image) -> object:
    try:
        return image.getexif().get(_ORIENTATION, 1)
    except _BROKEN:  # damaged EXIF is no reason to refuse the pixels
        return 1


def _upright(image: Image.Image) -> Image.Image:
    if _orientation(image) == 1:
        return image
    with suppress(*_BROKEN):
        return ImageOps.exif_transpose(image)
    return image


def _undecodable(op: str, kind: Format, reason: str) -> HostCallError:
    return HostCallError(f"{op}: could not decode the image ({kind}) \u2014 {reason}")


def _reason(error: BaseException) -> str:
    """In words of ours: a library's may hold addresses and names of its own."""
    text = str(error).lower()
    if "truncated" in text or isinstance(error, EOFError):
        return "the data ends too early"
    if isinstance(error, UnidentifiedImageError):
        return "the header is damaged"
    return "the data is damaged"
