"""CSS filter functions on a canvas. One that refers to something (`url()`) is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import skia
import tinycss2

from nodetool_sandbox.pictures.adjusting import color_matrix
from nodetool_sandbox.pictures.canvas.fonts import parse_length
from nodetool_sandbox.pictures.colors import parse_color

MAX_FILTER_CHARACTERS: Final = 1_000
MAX_DEVIATION: Final = 512.0

Filter = Callable[[Any], Any]
"""From what a filter gets (None: the drawing itself) to an image filter of Skia."""

_NAMES: Final = {
    "brightness": ("brightness", 1.0),
    "contrast": ("contrast", 1.0),
    "grayscale": ("grayscale", 1.0),
    "hue-rotate": ("hueRotate", 0.0),
    "invert": ("invert", 1.0),
    "saturate": ("saturate", 1.0),
    "sepia": ("sepia", 1.0),
}
_AT_MOST_ONE: Final = frozenset({"grayscale", "invert", "sepia", "opacity"})
_ANGLES: Final = {"deg": 1.0, "rad": 180 / math.pi, "turn": 360.0, "grad": 0.9}


@lru_cache(maxsize=128)
def parse_filter(text: str) -> tuple[Filter, ...] | None:
    """The functions of a `filter` value, none for `none`; None where it is no such value."""
    if len(text) > MAX_FILTER_CHARACTERS:
        return None
    tokens = _solid(tinycss2.parse_component_value_list(text, skip_comments=True))
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value == "none":
        return ()
    found = [_filter(token) for token in tokens]
    return tuple(each for each in found if each is not None) if tokens and None not in found else None


def _solid(tokens: list[Any]) -> list[Any]:
    return [each for each in tokens if each.type != "whitespace"]


def _filter(token: Any) -> Filter | None:  # noqa: ANN401 - tinycss2's tokens have a class each
    if token.type != "function":
        return None
    name, arguments = token.lower_name, _solid(token.arguments)
    if name == "blur":
        deviation = parse_length(arguments[0].serialize()) if arguments else 0.0
        return None if deviation is None or deviation < 0 else blur(min(deviation, MAX_DEVIATION))
    if name == "drop-shadow":
        return _drop_shadow(arguments)
    amount = _amount(arguments, _NAMES[name][1] if name in _NAMES else 1.0)
    if amount is None or (amount < 0 and name != "hue-rotate"):
        return None
    if name in _AT_MOST_ONE:
        amount = min(amount, 1.0)
    if name == "opacity":
        return colors([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, amount, 0])
    if name not in _NAMES:
        return None
    m = color_matrix(_NAMES[name][0], amount)
    rows = [[*m[row : row + 3], 0.0, m[row + 3] / 255] for row in (0, 4, 8)]
    return colors([*rows[0], *rows[1], *rows[2], 0, 0, 0, 1, 0])


def _amount(arguments: list[Any], default: float) -> float | None:
    if not arguments:
        return default
    token = arguments[0]
    if len(arguments) > 1:
        return None
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) / 100
    if token.type == "dimension" and token.lower_unit in _ANGLES:
        return float(token.value) * _ANGLES[token.lower_unit]
    return None


def _drop_shadow(arguments: list[Any]) -> Filter | None:
    lengths: list[float] = []
    color = (0, 0, 0, 255)
    for token in arguments:
        text = token.serialize()
        if (length := parse_length(text)) is not None:
            lengths.append(length)
        elif (found := parse_color(text)) is not None:
            color = found
        else:
            return None
    if len(lengths) not in {2, 3}:
        return None
    x, y, deviation = (*lengths, 0.0)[:3]
    argb = skia.ColorSetARGB(color[3], *color[:3])
    deviation = min(max(deviation, 0.0), MAX_DEVIATION)
    return lambda source: skia.ImageFilters.DropShadow(x, y, deviation, deviation, argb, source)


def blur(deviation: float) -> Filter:
    """A Gaussian blur."""
    return lambda source: skia.ImageFilters.Blur(deviation, deviation, skia.TileMode.kDecal, source)


def colors(matrix: list[float]) -> Filter:
    """A colour matrix of four rows of five."""
    return lambda source: skia.ImageFilters.ColorFilter(skia.ColorFilters.Matrix(matrix), source)
