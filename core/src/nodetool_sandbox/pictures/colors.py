"""CSS colours as four numbers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import tinycss2.color4
from nodetool_sandbox_registry.hosts import HostCallError

Rgba = tuple[int, int, int, int]
"""Red, green, blue, alpha, each 0 to 255."""

MAX_COLOR_CHARACTERS: Final = 200

_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_SHORT: Final = 5


@lru_cache(maxsize=4096)
def parse_color(text: str) -> Rgba | None:
    """The colour, or None where CSS knows none of that name; `currentcolor` is black, as on a canvas."""
    text = text.strip()
    if _HEX.match(text):
        digits = text[1:]
        if len(text) <= _SHORT:
            digits = "".join(each * 2 for each in digits)
        return (
            int(digits[0:2], 16),
            int(digits[2:4], 16),
            int(digits[4:6], 16),
            int(digits[6:8] or "ff", 16),
        )
    if len(text) > MAX_COLOR_CHARACTERS:
        return None
    try:
        color = tinycss2.color4.parse_color(text)
        if color == "currentcolor":
            return (0, 0, 0, 255)
        if color is None:
            return None
        red, green, blue, alpha = color.to("srgb")
    except (ValueError, TypeError, NotImplementedError):
        return None
    return _byte(red), _byte(green), _byte(blue), _byte(alpha)


def require_color(op: str, value: object, *, name: str = "background") -> Rgba:
    """The colour of an option.

    Raises:
        HostCallError: it is none.
    """
    color = parse_color(value) if isinstance(value, str) else None
    if color is None:
        raise HostCallError(f"{op}: {name} must be a CSS colour, such as '#ff8800' or 'rgb(0 0 0 / 50%)'")
    return color


def _byte(value: float | None) -> int:
    return round(min(max(value or 0.0, 0.0), 1.0) * 255)
