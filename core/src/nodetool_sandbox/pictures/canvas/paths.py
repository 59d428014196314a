"""Paths as the canvas standard builds them, on Skia's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import skia

from nodetool_sandbox.pictures.canvas.recording import OPS, Recording, malformed

_TURN: Final = 2 * math.pi


def matrix_of(values: Sequence[float]) -> Any:  # noqa: ANN401 - Skia has no types
    """The matrix of a, b, c, d, e, f."""
    a, b, c, d, e, f = values
    return skia.Matrix.MakeAll(a, c, e, b, d, f, 0, 0, 1)


class Path:
    """One path that grows."""

    def __init__(self) -> None:
        self.path = skia.Path()
        self._is_begun = False

    def close_path(self) -> None:
        """Back to where this part began."""
        if self._is_begun:
            self.path.close()

    def move_to(self, x: float, y: float) -> None:
        """Begin a part."""
        self.path.moveTo(x, y)
        self._is_begun = True

    def line_to(self, x: float, y: float) -> None:
        """A line; the first begins a part."""
        if self._is_begun:
            self.path.lineTo(x, y)
        else:
            self.move_to(x, y)

    def bezier_curve_to(self, a: float, b: float, c: float, d: float, x: float, y: float) -> None:  # noqa: PLR0917
        """A cubic curve."""
        self._begin(a, b)
        self.path.cubicTo(a, b, c, d, x, y)

    def quadratic_curve_to(self, a: float, b: float, x: float, y: float) -> None:
        """A quadratic curve."""
        self._begin(a, b)
        self.path.quadTo(a, b, x, y)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, back: float) -> None:  # noqa: PLR0917
        """A part of a circle."""
        self.ellipse(x, y, radius, radius, 0.0, start, end, back)

    def ellipse(  # noqa: PLR0917
        self, x: float, y: float, a: float, b: float, turn: float, start: float, end: float, back: float
    ) -> None:
        """A part of an ellipse, after a line to where it begins."""
        if a < 0 or b < 0:
            return
        sweep = _sweep(start, end, is_back=back != 0)
        if turn:
            around = skia.Matrix()
            around.setRotate(math.degrees(turn), x, y)
            back_again = skia.Matrix()
            back_again.setRotate(-math.degrees(turn), x, y)
            self.path.transform(back_again)
            self._arc(x, y, a, b, start, sweep)
            self.path.transform(around)
        else:
            self._arc(x, y, a, b, start, sweep)

    def _arc(self, x: float, y: float, a: float, b: float, start: float, sweep: float) -> None:  # noqa: PLR0917
        if a == 0 or b == 0 or sweep == 0:
            self.line_to(x + a * math.cos(start), y + b * math.sin(start))
            if sweep:
                end = start + sweep
                self.line_to(x + a * math.cos(end), y + b * math.sin(end))
            return
        oval = skia.Rect.MakeLTRB(x - a, y - b, x + a, y + b)
        first, degrees = math.degrees(start), math.degrees(sweep)
        if abs(sweep) >= _TURN:
            half = math.copysign(180.0, sweep)
            self.path.arcTo(oval, first, half, False)
            self.path.arcTo(oval, first + half, half, False)
        else:
            self.path.arcTo(oval, first, degrees, False)
        self._is_begun = True

    def arc_to(self, a: float, b: float, c: float, d: float, radius: float) -> None:
        """A line and an arc that touches it and the next."""
        self._begin(a, b)
        self.path.arcTo(a, b, c, d, radius)

    def svg_arc(  # noqa: PLR0917
        self, a: float, b: float, turn: float, large: float, sweep: float, x: float, y: float
    ) -> None:
        """An elliptical arc as SVG has it."""
        self._begin(x, y)
        size = skia.Path.ArcSize.kLarge_ArcSize if large else skia.Path.ArcSize.kSmall_ArcSize
        direction = skia.PathDirection.kCW if sweep else skia.PathDirection.kCCW
        self.path.arcTo(a, b, turn, size, direction, x, y)

    def rect(self, x: float, y: float, width: float, height: float) -> None:
        """A rectangle, and a new part at its first corner."""
        self.path.addRect(skia.Rect(x, y, x + width, y + height))
        self._is_begun = True  # Skia goes on from the corner where a closed part began

    def round_rect(self, x: float, y: float, width: float, height: float, *radii: float) -> None:
        """A rectangle with round corners, from the upper left one on."""
        corners = [(radii[at], radii[at + 1]) for at in range(0, 8, 2)]
        if width < 0:
            x, width = x + width, -width
            corners = [corners[1], corners[0], corners[3], corners[2]]
        if height < 0:
            y, height = y + height, -height
            corners = [corners[3], corners[2], corners[1], corners[0]]
        rounded = skia.RRect()
        rounded.setRectRadii(
            skia.Rect.MakeXYWH(x, y, width, height), [skia.Point(*corner) for corner in corners]
        )
        self.path.addRRect(rounded)
        self.move_to(x, y)

    def add_path(self, other: Any, matrix: Any) -> None:  # noqa: ANN401
        """All of another path, transformed."""
        moved = skia.Path(other)
        moved.transform(matrix)
        self.path.addPath(moved)
        self._is_begun = True

    def _begin(self, x: float, y: float) -> None:
        if not self._is_begun:
            self.move_to(x, y)


def _sweep(start: float, end: float, *, is_back: bool) -> float:
    """The angle from start to end, in the direction that is asked for, at most a turn."""
    sweep = end - start
    if not is_back:
        if sweep >= _TURN:
            return _TURN
        return sweep % _TURN if sweep < 0 else sweep
    if sweep <= -_TURN:
        return -_TURN
    return -(-sweep % _TURN) if sweep > 0 else sweep


STEPS: Final[Mapping[str, Callable[..., None]]] = {
    "closePath": Path.close_path,
    "moveTo": Path.move_to,
    "lineTo": Path.line_to,
    "bezierCurveTo": Path.bezier_curve_to,
    "quadraticCurveTo": Path.quadratic_curve_to,
    "arc": Path.arc,
    "arcTo": Path.arc_to,
    "ellipse": Path.ellipse,
    "rect": Path.rect,
    "roundRect": Path.round_rect,
    "svgArc": Path.svg_arc,
}
"""The operations that make a path."""

_BY_CODE: Final = {code: STEPS[name] for code, (name, _) in enumerate(OPS) if name in STEPS}


def build_path(op: str, recording: Recording, index: float, depth: int = 0) -> Any:  # noqa: ANN401
    """The path of that number.

    Raises:
        HostCallError: there is none, or it is malformed.
    """
    if not 0 <= index < len(recording.paths):
        raise malformed(op)
    return _built(op, recording, recording.paths[int(index)], depth)


def _built(op: str, recording: Recording, words: Any, depth: int) -> Any:  # noqa: ANN401
    path = Path()
    for code, operands in recording.path_steps(op, words, depth):
        if sum(operands[:12]) * 0 != 0:  # one that is not finite: the standard drops the operation
            continue
        if code in _BY_CODE:
            _BY_CODE[code](path, *operands)
        else:
            path.add_path(_built(op, recording, operands[7:], depth + 1), matrix_of(operands[:6]))
    return path.path
