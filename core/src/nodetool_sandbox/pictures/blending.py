"""Compositing: the 26 values of `globalCompositeOperation`, by the formulas of W3C Compositing, on strips of pixels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from PIL import Image, ImageMath

_STRIP_PIXELS: Final = 512 * 1024
_SOURCE_OVER: Final = "source-over"

Plane = Any
"""One channel of a strip, 0.0 to 1.0, in Pillow's arithmetic."""
Colors = tuple[Plane, Plane, Plane]
_Functions = Mapping[str, Any]


def _where(condition: Plane, then: Plane, otherwise: Plane) -> Plane:
    return then * condition + otherwise * (1 - condition)


def _least(planes: Colors, f: _Functions) -> Plane:
    return f["min"](f["min"](planes[0], planes[1]), planes[2])


def _most(planes: Colors, f: _Functions) -> Plane:
    return f["max"](f["max"](planes[0], planes[1]), planes[2])


def _hard_light(below: Plane, above: Plane, _: _Functions) -> Plane:
    doubled = above * 2
    return _where(above <= 0.5, below * doubled, below + (doubled - 1) - below * (doubled - 1))  # noqa: PLR2004


def _soft_light(below: Plane, above: Plane, _: _Functions) -> Plane:
    curve = _where(below <= 0.25, ((below * 16 - 12) * below + 4) * below, below**0.5)  # noqa: PLR2004
    darker = below - (1 - above * 2) * below * (1 - below)
    lighter = below + (above * 2 - 1) * (curve - below)
    return _where(above <= 0.5, darker, lighter)  # noqa: PLR2004


_TINY: Final = 1e-6


def _color_dodge(below: Plane, above: Plane, f: _Functions) -> Plane:
    shone = f["min"](below / f["max"](1 - above, below * 0 + _TINY), below * 0 + 1)
    return _where(below <= 0, below * 0, shone)


def _color_burn(below: Plane, above: Plane, f: _Functions) -> Plane:
    burnt = 1 - f["min"]((1 - below) / f["max"](above, below * 0 + _TINY), below * 0 + 1)
    return _where(below >= 1, below * 0 + 1, burnt)


_SEPARABLE: Final[Mapping[str, Callable[[Plane, Plane, _Functions], Plane]]] = {
    "multiply": lambda below, above, _: below * above,
    "screen": lambda below, above, _: below + above - below * above,
    "overlay": lambda below, above, f: _hard_light(above, below, f),
    "darken": lambda below, above, f: f["min"](below, above),
    "lighten": lambda below, above, f: f["max"](below, above),
    "color-dodge": _color_dodge,
    "color-burn": _color_burn,
    "hard-light": _hard_light,
    "soft-light": _soft_light,
    "difference": lambda below, above, _: abs(below - above),
    "exclusion": lambda below, above, _: below + above - below * above * 2,
}


def _luminosity(colors: Colors) -> Plane:
    return colors[0] * 0.3 + colors[1] * 0.59 + colors[2] * 0.11


def _with_luminosity(colors: Colors, wanted: Plane, f: _Functions) -> Colors:
    shift = wanted - _luminosity(colors)
    moved = (colors[0] + shift, colors[1] + shift, colors[2] + shift)
    light, least, most = _luminosity(moved), _least(moved, f), _most(moved, f)
    tiny = light * 0 + _TINY

    def clipped(plane: Plane) -> Plane:
        raised = _where(least < 0, light + (plane - light) * light / f["max"](light - least, tiny), plane)
        return _where(most > 1, light + (raised - light) * (1 - light) / f["max"](most - light, tiny), raised)

    return clipped(moved[0]), clipped(moved[1]), clipped(moved[2])


def _saturation(colors: Colors, f: _Functions) -> Plane:
    return _most(colors, f) - _least(colors, f)


def _with_saturation(colors: Colors, wanted: Plane, f: _Functions) -> Colors:
    least = _least(colors, f)
    span = f["max"](_saturation(colors, f), least * 0 + _TINY)
    red, green, blue = ((plane - least) * wanted / span for plane in colors)
    return red, green, blue


_NOT_SEPARABLE: Final[Mapping[str, Callable[[Colors, Colors, _Functions], Colors]]] = {
    "hue": lambda below, above, f: _with_luminosity(
        _with_saturation(above, _saturation(below, f), f), _luminosity(below), f
    ),
    "saturation": lambda below, above, f: _with_luminosity(
        _with_saturation(below, _saturation(above, f), f), _luminosity(below), f
    ),
    "color": lambda below, above, f: _with_luminosity(above, _luminosity(below), f),
    "luminosity": lambda below, above, f: _with_luminosity(below, _luminosity(above), f),
}

# what is left of the source and of what is below it, by the alpha of the other (Porter and Duff)
_PORTER_DUFF: Final[Mapping[str, Callable[[Plane, Plane], tuple[Plane | int, Plane | int]]]] = {
    "source-over": lambda above, _: (1, 1 - above),
    "source-in": lambda _, below: (below, 0),
    "source-out": lambda _, below: (1 - below, 0),
    "source-atop": lambda above, below: (below, 1 - above),
    "destination-over": lambda _, below: (1 - below, 1),
    "destination-in": lambda above, _: (0, above),
    "destination-out": lambda above, _: (0, 1 - above),
    "destination-atop": lambda above, below: (1 - below, above),
    "lighter": lambda _above, _below: (1, 1),
    "copy": lambda _above, _below: (1, 0),
    "xor": lambda above, below: (1 - below, 1 - above),
}

MODES: Final = frozenset({*_PORTER_DUFF, *_SEPARABLE, *_NOT_SEPARABLE})
"""Every value of `globalCompositeOperation`."""


def blend(below: Image.Image, above: Image.Image, mode: str) -> Image.Image:
    """`above` on `below`, both RGBA and of one size."""
    if mode == _SOURCE_OVER:
        return Image.alpha_composite(below, above)
    width, height = below.size
    rows = max(1, _STRIP_PIXELS // width)
    result = Image.new("RGBA", below.size)
    for top in range(0, height, rows):
        box = (0, top, width, min(top + rows, height))
        result.paste(_blend_strip(below.crop(box), above.crop(box), mode), box)
    return result


def _blend_strip(below: Image.Image, above: Image.Image, mode: str) -> Image.Image:
    planes = {f"b{i}": plane.convert("F") for i, plane in enumerate(below.split())}
    planes |= {f"a{i}": plane.convert("F") for i, plane in enumerate(above.split())}
    channels = ImageMath.lambda_eval(
        lambda f: tuple(f["convert"](plane * 255 + 0.5, "L") for plane in _channels(f, mode)), **planes
    )
    return Image.merge("RGBA", [plane.im for plane in channels])


def _channels(f: _Functions, mode: str) -> tuple[Plane, Plane, Plane, Plane]:
    below: Colors = (f["b0"] / 255, f["b1"] / 255, f["b2"] / 255)
    above: Colors = (f["a0"] / 255, f["a1"] / 255, f["a2"] / 255)
    below_alpha, above_alpha = f["b3"] / 255, f["a3"] / 255
    if mode in _SEPARABLE:
        work = _SEPARABLE[mode]
        mixed = (work(below[0], above[0], f), work(below[1], above[1], f), work(below[2], above[2], f))
    else:
        mixed = _NOT_SEPARABLE[mode](below, above, f) if mode in _NOT_SEPARABLE else above
    keep_above, keep_below = _PORTER_DUFF.get(mode, _PORTER_DUFF[_SOURCE_OVER])(above_alpha, below_alpha)
    one = above_alpha * 0 + 1
    alpha = f["min"](above_alpha * keep_above + below_alpha * keep_below, one)
    divisor = f["max"](alpha, above_alpha * 0 + _TINY)

    def channel(source: Plane, blended: Plane, under: Plane) -> Plane:
        color = (1 - below_alpha) * source + below_alpha * blended if mode not in _PORTER_DUFF else source
        sum_ = color * above_alpha * keep_above + under * below_alpha * keep_below
        return f["max"](f["min"](sum_ / divisor, one), one * 0)

    red, green, blue = (channel(above[i], mixed[i], below[i]) for i in range(3))
    return red, green, blue, alpha
