"""What crosses when a surface is rendered: one buffer of numbers, and the tables that they refer to.

The guest's half is `core/guest/prelude/canvas.js`. Nothing in here is believed: an operation that is none, an
operand that is missing or a reference to nothing ends the render.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError

from nodetool_sandbox.limits import MAX_CANVAS_OPS
from nodetool_sandbox.pictures.caps import check_size
from nodetool_sandbox.pictures.options import as_number

OPS: Final = (
    ("save", 0), ("restore", 0), ("translate", 2), ("rotate", 1), ("scale", 2), ("transform", 6),
    ("setTransform", 6), ("resetTransform", 0), ("beginPath", 0), ("closePath", 0), ("moveTo", 2), ("lineTo", 2),
    ("bezierCurveTo", 6), ("quadraticCurveTo", 4), ("arc", 6), ("arcTo", 5), ("ellipse", 8), ("rect", 4),
    ("roundRect", 12), ("svgArc", 7), ("addPath", 7), ("fill", 1), ("stroke", 0), ("clip", 1), ("fillPath", 2),
    ("strokePath", 1), ("clipPath", 2), ("fillRect", 4), ("strokeRect", 4), ("clearRect", 4), ("fillText", 3),
    ("fillTextWithin", 4), ("strokeText", 3), ("strokeTextWithin", 4), ("setLineDash", 1), ("drawImage", 3),
    ("drawImageScaled", 5), ("drawImagePart", 9), ("putImageData", 7), ("setNumber", 2), ("setText", 2),
    ("setGradient", 2), ("setPattern", 2),
)  # fmt: skip
"""Name and number of operands of each operation; its code is its place. A test compares with the guest's table."""

NUMBERS: Final = (
    "lineWidth", "miterLimit", "lineDashOffset", "globalAlpha", "imageSmoothingEnabled", "shadowBlur", "shadowOffsetX",
    "shadowOffsetY",
)  # fmt: skip
TEXTS: Final = (
    "fillStyle", "strokeStyle", "lineCap", "lineJoin", "globalCompositeOperation", "filter", "font", "textAlign",
    "textBaseline", "direction", "letterSpacing", "imageSmoothingQuality", "shadowColor",
)  # fmt: skip
PAINTS: Final = 2
"""How many of the texts, from the first, are paints: a colour, a gradient or a pattern."""

_SET_LINE_DASH: Final = [name for name, _ in OPS].index("setLineDash")
_ADD_PATH: Final = [name for name, _ in OPS].index("addPath")
_ARITY: Final = tuple(count for _, count in OPS)
_PATH_CODES: Final = frozenset(range(9, 21))
_MAX_DEPTH: Final = 16
_MAX_STOPS: Final = 1_000

Step = tuple[int, list[float]]
"""The code of an operation and its operands."""


@dataclass(frozen=True, slots=True)
class Gradient:
    """A gradient as it was made, with its stops."""

    kind: str
    args: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """An image that repeats."""

    image: int
    repetition: str
    matrix: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One surface as a guest recorded it."""

    width: int
    height: int
    words: array[float]
    texts: Sequence[str]
    gradients: Sequence[Gradient]
    patterns: Sequence[Pattern]
    paths: Sequence[array[float]]
    images: Sequence[object]

    @classmethod
    def parse(cls, op: str, value: object) -> Recording:
        """The recording in what a guest sent.

        Raises:
            HostCallError: it is none, or too large a one.
        """
        spec = value if isinstance(value, dict) else {}
        width, height = as_number(spec.get("width")) or 0, as_number(spec.get("height")) or 0
        check_size(op, width, height)
        return cls(
            width=int(width),
            height=int(height),
            words=_words(op, spec.get("words")),
            texts=[each if isinstance(each, str) else "" for each in _list(op, spec, "texts")],
            gradients=[_gradient(op, each) for each in _list(op, spec, "gradients")],
            patterns=[_pattern(op, each) for each in _list(op, spec, "patterns")],
            paths=[_words(op, each) for each in _list(op, spec, "paths")],
            images=_list(op, spec, "images"),
        )

    def steps(self, op: str) -> Iterator[Step]:
        """The operations, in order."""
        return _steps(op, self.words)

    def path_steps(self, op: str, words: array[float] | list[float], depth: int = 0) -> Iterator[Step]:
        """The operations of a path; a path within it follows its own step as that many words."""
        if depth > _MAX_DEPTH:
            raise malformed(op)
        for step in _steps(op, words, is_path=True):
            if step[0] not in _PATH_CODES:
                raise malformed(op)
            yield step


def malformed(op: str) -> HostCallError:
    """The refusal of what no recorder of ours sends."""
    return HostCallError(f"{op}: the recording is malformed")


def _steps(op: str, words: array[float] | list[float], *, is_path: bool = False) -> Iterator[Step]:
    at, end, count = 0, len(words), 0
    words = words.tolist() if isinstance(words, array) else words
    known = len(OPS)
    while at < end:
        word = words[at]
        if not 0 <= word < known or word != (code := int(word)):
            raise malformed(op)
        operands_end = at + 1 + _ARITY[code]
        if code == _SET_LINE_DASH or (is_path and code == _ADD_PATH):
            if operands_end > end or not 0 <= (more := words[operands_end - 1]) <= end:
                raise malformed(op)
            operands_end += int(more)
        count += 1
        if operands_end > end:
            raise malformed(op)
        if count > MAX_CANVAS_OPS:
            raise HostCallError(f"{op}: {count} operations exceeds the {MAX_CANVAS_OPS} limit")
        yield code, words[at + 1 : operands_end]
        at = operands_end


def _words(op: str, value: object) -> array[float]:
    if not isinstance(value, bytes) or len(value) % 8:
        raise malformed(op)
    words = array("d")
    words.frombytes(value)
    return words


def _list(op: str, spec: Mapping[str, object], name: str) -> list[object]:
    value = spec.get(name)
    if not isinstance(value, list) or len(value) > MAX_CANVAS_OPS:
        raise malformed(op)
    return value


def _gradient(op: str, value: object) -> Gradient:
    spec = value if isinstance(value, dict) else {}
    args, stops, kind = spec.get("args"), spec.get("stops"), spec.get("kind")
    if not isinstance(args, list) or not isinstance(stops, list) or len(stops) > _MAX_STOPS:
        raise malformed(op)
    wanted = {"linear": 4, "radial": 6, "conic": 3}.get(str(kind))
    numbers = tuple(as_number(each) for each in args)
    if wanted != len(numbers):
        raise malformed(op)
    parsed: list[tuple[float, str]] = []
    for each in stops:
        if not isinstance(each, list) or len(each) != 2 or not isinstance(each[1], str):  # noqa: PLR2004 - a pair
            raise malformed(op)
        offset = as_number(each[0])
        if offset is None or not 0 <= offset <= 1:
            raise malformed(op)
        parsed.append((offset, each[1]))
    finite = tuple(each for each in numbers if each is not None)
    # a gradient whose numbers are not finite paints nothing
    return Gradient(str(kind), finite if len(finite) == wanted else (), tuple(parsed))


def _pattern(op: str, value: object) -> Pattern:
    spec = value if isinstance(value, dict) else {}
    matrix, image, repetition = spec.get("matrix"), spec.get("image"), spec.get("repetition")
    if not isinstance(matrix, list) or not isinstance(image, int) or not isinstance(repetition, str):
        raise malformed(op)
    numbers = tuple(as_number(each) for each in matrix)
    finite = tuple(each for each in numbers if each is not None)
    return Pattern(image, repetition, finite if len(finite) == 6 else ())  # noqa: PLR2004 - a 2d matrix
