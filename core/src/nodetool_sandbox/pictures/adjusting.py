"""`image.adjust`: the CSS filter functions, in the order in which the reference applies them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from PIL import Image, ImageFilter

from nodetool_sandbox.pictures.options import Options, as_number, is_given

NEUTRAL: Final[Mapping[str, float]] = {
    "brightness": 1,
    "contrast": 1,
    "saturate": 1,
    "grayscale": 0,
    "sepia": 0,
    "invert": 0,
    "blur": 0,
    "hueRotate": 0,
    "opacity": 1,
}
"""Every adjustment, with the value that changes nothing."""

MAX_BLUR: Final = 512.0
"""Pixels; a picture that is blurred more is one colour."""

_AT_MOST_ONE: Final = frozenset({"grayscale", "sepia", "invert", "opacity"})
_LUMA: Final = (0.2126, 0.7152, 0.0722)
_HUE: Final = (0.213, 0.715, 0.072)
_OPAQUE: Final = 255
_FINEST: Final = 8.0  # standard deviation, in pixels, up to which a blur is done at full size
_REACH: Final = 3  # standard deviations beyond which a Gaussian is nothing

Matrix = tuple[float, ...]


def read_adjustments(op: str, options: Options) -> dict[str, float]:
    """What was asked for, in the order in which it is applied.

    Raises:
        HostCallError: nothing, or a value that is no number or outside of what CSS allows.
    """
    found: dict[str, float] = {}
    for name in NEUTRAL:
        value = options.get(name, UNDEFINED)
        if not is_given(value):
            continue
        if isinstance(value, bool) and name in {"grayscale", "sepia", "invert"}:
            value = float(value)
        number = as_number(value)
        if number is None:
            raise HostCallError(f"{op}: {name} must be a number")
        if number < 0 and name != "hueRotate":
            raise HostCallError(f"{op}: {name} must not be negative")
        if name == "blur" and number > MAX_BLUR:
            raise HostCallError(f"{op}: blur may be at most {MAX_BLUR:.0f} pixels")
        found[name] = min(number, 1.0) if name in _AT_MOST_ONE else number
    if not found:
        raise HostCallError(f"{op}: name at least one of {', '.join(NEUTRAL)}")
    return found


def adjust(image: Image.Image, adjustments: Mapping[str, float]) -> Image.Image:
    """The picture with each of them applied in turn."""
    for name, value in adjustments.items():
        if value == NEUTRAL[name]:
            continue
        if name == "blur":
            image = _blurred(image, value)
        elif name == "opacity":
            image = _faded(image, value)
        elif name in _CURVES:
            image = _on_colors(image, lambda rgb, n=name, v=value: rgb.point(_table(_CURVES[n](v))))  # type: ignore[misc]
        else:
            matrix = _MATRICES[name](value)
            image = _on_colors(image, lambda rgb, m=matrix: rgb.convert("RGB", m))  # type: ignore[misc]
    return image


def _on_colors(image: Image.Image, work: Callable[[Image.Image], Image.Image]) -> Image.Image:
    """What `work` makes of the colours; the alpha stays."""
    if image.mode == "RGB":
        return work(image)
    alpha = image.getchannel("A")
    changed = work(image.convert("RGB"))
    changed.putalpha(alpha)
    return changed


def _table(curve: Callable[[float], float]) -> list[int]:
    return [round(min(max(curve(value / 255), 0.0), 1.0) * 255) for value in range(256)] * 3


_CURVES: Final[Mapping[str, Callable[[float], Callable[[float], float]]]] = {
    "brightness": lambda amount: lambda value: value * amount,
    "contrast": lambda amount: lambda value: (value - 0.5) * amount + 0.5,
    "invert": lambda amount: lambda value: value * (1 - amount) + (1 - value) * amount,
}


def _saturate(amount: float) -> Matrix:
    red, green, blue = _HUE
    rest = 1 - amount
    return (
        red + (1 - red) * amount, green * rest, blue * rest, 0,
        red * rest, green + (1 - green) * amount, blue * rest, 0,
        red * rest, green * rest, blue + (1 - blue) * amount, 0,
    )  # fmt: skip


def _grayscale(amount: float) -> Matrix:
    red, green, blue = _LUMA
    keep = 1 - amount
    return (
        red + (1 - red) * keep, green * (1 - keep), blue * (1 - keep), 0,
        red * (1 - keep), green + (1 - green) * keep, blue * (1 - keep), 0,
        red * (1 - keep), green * (1 - keep), blue + (1 - blue) * keep, 0,
    )  # fmt: skip


def _sepia(amount: float) -> Matrix:
    keep = 1 - amount
    return (
        0.393 + 0.607 * keep, 0.769 * amount, 0.189 * amount, 0,
        0.349 * amount, 0.686 + 0.314 * keep, 0.168 * amount, 0,
        0.272 * amount, 0.534 * amount, 0.131 + 0.869 * keep, 0,
    )  # fmt: skip


def _hue_rotate(degrees: float) -> Matrix:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    red, green, blue = _HUE
    return (
        red + cos * (1 - red) - sin * red, green - cos * green - sin * green, blue - cos * blue + sin * (1 - blue), 0,
        red - cos * red + sin * 0.143, green + cos * (1 - green) + sin * 0.140, blue - cos * blue - sin * 0.283, 0,
        red - cos * red - sin * (1 - red), green - cos * green + sin * green, blue + cos * (1 - blue) + sin * blue, 0,
    )  # fmt: skip


_MATRICES: Final[Mapping[str, Callable[[float], Matrix]]] = {
    "saturate": _saturate,
    "grayscale": _grayscale,
    "sepia": _sepia,
    "hueRotate": _hue_rotate,
}


def color_matrix(name: str, amount: float) -> Matrix:
    """Three rows of four: what a filter function does to red, green and blue, each from 0 to 255."""
    if name in _MATRICES:
        return _MATRICES[name](amount)
    curve = _CURVES[name](amount)
    offset, slope = curve(0.0) * 255, curve(1.0) - curve(0.0)
    return (slope, 0, 0, offset, 0, slope, 0, offset, 0, 0, slope, offset)


def _faded(image: Image.Image, opacity: float) -> Image.Image:
    image = image.convert("RGBA")
    image.putalpha(image.getchannel("A").point(lambda value: round(value * opacity)))
    return image


def _blurred(image: Image.Image, deviation: float) -> Image.Image:
    """As CSS does it: what lies outside of the picture is transparent, and colours count by their alpha."""
    width, height = image.size
    # a wide blur leaves nothing that a smaller copy would not hold, and takes a fraction of the room
    factor = max(1, int(deviation / _FINEST))
    small = image.convert("RGBA").convert("RGBa")
    if factor > 1:
        small = small.reduce(factor)
    reach = math.ceil(_REACH * deviation / factor)
    padded = Image.new("RGBa", (small.width + 2 * reach, small.height + 2 * reach))
    padded.paste(small, (reach, reach))
    padded = padded.filter(ImageFilter.GaussianBlur(deviation / factor))
    box = (reach, reach, reach + width / factor, reach + height / factor)
    if factor == 1:
        return padded.crop((reach, reach, reach + width, reach + height)).convert("RGBA")
    return padded.resize((width, height), Image.Resampling.BILINEAR, box=box).convert("RGBA")
