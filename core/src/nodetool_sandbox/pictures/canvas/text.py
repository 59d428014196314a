"""Text on a canvas: shaped by Skia's text layout, so that kerning, ligatures and both directions are as in browsers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import skia

from nodetool_sandbox.pictures.canvas.fonts import Face, Font, Fonts, em_ascent

_BLANKS: Final = re.compile("[\t\n\f\r\v]")
_RIGHT_TO_LEFT: Final = ("\u202b", "\u202c")
_WIDE: Final = 1e7
_HANGING: Final = 0.8


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How a text is set."""

    font: Font
    letter_spacing: float = 0.0
    is_right_to_left: bool = False
    align: str = "start"
    baseline: str = "alphabetic"


class Line:
    """One shaped line."""

    def __init__(self, fonts: Fonts, text: str, style: TextStyle, paint: Any) -> None:  # noqa: ANN401
        text = _BLANKS.sub(" ", text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.style = style
        self.text = text
        self.faces: Sequence[Face] = fonts.faces(style.font)
        if style.is_right_to_left:
            text = text.join(_RIGHT_TO_LEFT)
        look = skia.textlayout.TextStyle()
        look.setFontFamilies([face.name for face in self.faces])
        look.setFontSize(style.font.size)
        look.setLetterSpacing(style.letter_spacing)
        look.setForegroundPaint(paint)
        whole = skia.textlayout.ParagraphStyle()
        whole.setTextStyle(look)
        builder = skia.textlayout.ParagraphBuilder.make(whole, fonts.collection, fonts.unicode)
        builder.pushStyle(look)
        builder.addText(text)
        self.paragraph = builder.Build()
        self.paragraph.layout(_WIDE)

    @property
    def width(self) -> float:
        """Its advance."""
        if not self.text:
            return 0.0
        # the longest line is exact, and leaves out what is blank at the end
        longest, whole = float(self.paragraph.LongestLine), float(self.paragraph.MaxIntrinsicWidth)
        return longest if abs(longest - whole) < 0.02 else whole  # noqa: PLR2004 - the other is rounded

    @property
    def shift(self) -> float:
        """Where it begins, from the point that it is aligned to."""
        align = self.style.align
        if align in {"start", "end"}:
            align = "left" if (align == "start") != self.style.is_right_to_left else "right"
        return {"left": 0.0, "center": -self.width / 2, "right": -self.width}[align]

    @property
    def drop(self) -> float:
        """How far its alphabetic baseline lies below the one that was asked for."""
        size, baseline = self.style.font.size, self.style.baseline
        if baseline == "alphabetic":
            return 0.0
        typeface = self.faces[0].typeface
        ascent = em_ascent(typeface, size)
        metrics = self.metrics
        drops: dict[str, float] = {
            "top": ascent,
            "hanging": -metrics.fAscent * _HANGING,
            "middle": ascent - size / 2,
            "ideographic": -metrics.fDescent,
            "bottom": ascent - size,
        }
        return drops[baseline]

    @property
    def metrics(self) -> Any:  # noqa: ANN401 - Skia has no types
        """Those of its first face."""
        return self._font().getMetrics()

    def draw(self, canvas: Any, x: float, y: float, within: float | None) -> None:  # noqa: ANN401
        """Draw it, made narrower where it is wider than `within`."""
        width = self.width
        if within is not None and width > within > 0:
            canvas.save()
            canvas.translate(x, 0)
            canvas.scale(within / width, 1)
            self._paint(canvas, 0.0, y)
            canvas.restore()
        else:
            self._paint(canvas, x, y)

    def _paint(self, canvas: Any, x: float, y: float) -> None:  # noqa: ANN401
        # text layout puts half of the space before the first letter, canvases all of it after each
        x -= self.style.letter_spacing / 2
        self.paragraph.paint(canvas, x + self.shift, y + self.drop - self.paragraph.AlphabeticBaseline)

    def measured(self) -> dict[str, float]:
        """What `measureText` gives."""
        left, top, right, bottom = self._bounds()
        metrics, shift, drop = self.metrics, self.shift, self.drop
        return {
            "width": self.width,
            "actualBoundingBoxLeft": -left - shift,
            "actualBoundingBoxRight": right + shift,
            "actualBoundingBoxAscent": -top - drop,
            "actualBoundingBoxDescent": bottom + drop,
            "fontBoundingBoxAscent": round(-metrics.fAscent) - drop,
            "fontBoundingBoxDescent": round(metrics.fDescent) + drop,
        }

    def _font(self) -> Any:  # noqa: ANN401
        font = skia.Font(self.faces[0].typeface, self.style.font.size)
        font.setSubpixel(True)
        font.setLinearMetrics(True)
        return font

    def _bounds(self) -> tuple[float, float, float, float]:
        """The ink, from the beginning of the baseline: by the glyphs of the first face, set to the shaped width."""
        font = self._font()
        glyphs = font.textToGlyphs(self.text) if self.text else []
        if not glyphs:
            return 0.0, 0.0, 0.0, 0.0
        advances, boxes = font.getWidthsBounds(glyphs)
        plain = sum(advances)
        stretch = self.width / plain if plain else 1.0
        left, top, right, bottom = math.inf, math.inf, -math.inf, -math.inf
        at = 0.0
        for advance, box in zip(advances, boxes, strict=True):
            if not box.isEmpty():
                left, right = min(left, at + box.fLeft), max(right, at + box.fRight)
                top, bottom = min(top, box.fTop), max(bottom, box.fBottom)
            at += advance * stretch
        return (left, top, right, bottom) if left < math.inf else (0.0, 0.0, 0.0, 0.0)
