"""Pixels as PNG, JPEG, WebP or AVIF bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from PIL import Image

from nodetool_sandbox.pictures.colors import Rgba, require_color
from nodetool_sandbox.pictures.options import Options, as_number, is_given

DEFAULT_QUALITY: Final = 0.92
WHITE: Final[Rgba] = (255, 255, 255, 255)

_FORMATS: Final = ("png", "jpeg", "webp", "avif")
_MAX_EDGE: Final = {"webp": 16_383}


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What bytes a picture becomes."""

    format: str = "png"
    quality: float = DEFAULT_QUALITY
    background: Rgba | None = None

    @property
    def mime_type(self) -> str:
        """As a handle names it."""
        return f"image/{self.format}"


def read_output(op: str, options: Options) -> Output:
    """The options that every operation shares.

    Raises:
        HostCallError: no such format, or a background that is no colour.
    """
    value = options.get("format", UNDEFINED)
    name = value.strip().lower() if isinstance(value, str) else value
    if not is_given(name):
        name = "png"
    if name == "jpg":
        name = "jpeg"
    if name not in _FORMATS:
        raise HostCallError(f"{op}: format must be one of {', '.join(_FORMATS)}")
    quality = as_number(options.get("quality", UNDEFINED))
    background = options.get("background", UNDEFINED)
    return Output(
        format=str(name),
        quality=DEFAULT_QUALITY if quality is None else min(max(quality, 0.0), 1.0),
        background=require_color(op, background) if is_given(background) else None,
    )


def encode(op: str, image: Image.Image, output: Output) -> bytes:
    """The bytes.

    Raises:
        HostCallError: the format holds no picture of that size.
    """
    most = _MAX_EDGE.get(output.format)
    if most is not None and max(image.size) > most:
        raise HostCallError(f"{op}: a {output.format} image holds at most {most} pixels an edge")
    if output.format == "jpeg" or output.background is not None:
        image = on_background(image, output.background or WHITE)
    if output.format == "jpeg" and image.mode != "RGB":
        image = on_background(image, WHITE)
    quality = round(output.quality * 100)
    buffer = io.BytesIO()
    if output.format == "png":
        image.save(buffer, "PNG", compress_level=3)
    elif output.format == "jpeg":
        image.save(buffer, "JPEG", quality=max(quality, 1))
    elif output.format == "webp":
        image.save(buffer, "WEBP", quality=quality, method=2)
    else:
        image.save(buffer, "AVIF", quality=quality, speed=8, max_threads=1)
    return buffer.getvalue()


def on_background(image: Image.Image, color: Rgba) -> Image.Image:
    """The picture over a colour; RGB where that colour is opaque."""
    if image.mode == "RGB":
        return image
    below = Image.new("RGBA", image.size, color)
    below.alpha_composite(image)
    return below.convert("RGB") if color[3] == WHITE[3] else below
