"""Draws a recording with Skia, operation by operation, as the canvas standard says."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final

import skia
from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from PIL import Image

from nodetool_sandbox.limits import MAX_IMAGE_PIXELS
from nodetool_sandbox.pictures.canvas.filters import Filter, parse_filter
from nodetool_sandbox.pictures.canvas.fonts import DEFAULT_FONT, Font, Fonts, parse_font, parse_length
from nodetool_sandbox.pictures.canvas.paths import STEPS, Path, build_path, matrix_of
from nodetool_sandbox.pictures.canvas.recording import NUMBERS, OPS, PAINTS, TEXTS, Recording, malformed
from nodetool_sandbox.pictures.canvas.text import Line, TextStyle
from nodetool_sandbox.pictures.colors import Rgba, parse_color
from nodetool_sandbox.pictures.opening import open_image
from nodetool_sandbox.pictures.store import Store

BLACK: Final[Rgba] = (0, 0, 0, 255)
CLEAR: Final[Rgba] = (0, 0, 0, 0)

_B: Final = skia.BlendMode
_MODES: Final = {
    "source-over": _B.kSrcOver, "source-in": _B.kSrcIn, "source-out": _B.kSrcOut, "source-atop": _B.kSrcATop,
    "destination-over": _B.kDstOver, "destination-in": _B.kDstIn, "destination-out": _B.kDstOut,
    "destination-atop": _B.kDstATop, "lighter": _B.kPlus, "copy": _B.kSrc, "xor": _B.kXor, "multiply": _B.kMultiply,
    "screen": _B.kScreen, "overlay": _B.kOverlay, "darken": _B.kDarken, "lighten": _B.kLighten,
    "color-dodge": _B.kColorDodge, "color-burn": _B.kColorBurn, "hard-light": _B.kHardLight,
    "soft-light": _B.kSoftLight, "difference": _B.kDifference, "exclusion": _B.kExclusion, "hue": _B.kHue,
    "saturation": _B.kSaturation, "color": _B.kColor, "luminosity": _B.kLuminosity,
}  # fmt: skip
_WHOLE_SURFACE: Final = frozenset({"source-in", "source-out", "destination-in", "destination-atop", "copy"})
"""Modes that also change what lies outside of the shape."""

_CAPS: Final = {
    "butt": skia.Paint.kButt_Cap,
    "round": skia.Paint.kRound_Cap,
    "square": skia.Paint.kSquare_Cap,
}
_JOINS: Final = {
    "miter": skia.Paint.kMiter_Join,
    "round": skia.Paint.kRound_Join,
    "bevel": skia.Paint.kBevel_Join,
}
_CHOICES: Final = {
    "lineCap": frozenset(_CAPS),
    "lineJoin": frozenset(_JOINS),
    "globalCompositeOperation": frozenset(_MODES),
    "textAlign": frozenset({"start", "end", "left", "right", "center"}),
    "textBaseline": frozenset({"top", "hanging", "middle", "alphabetic", "ideographic", "bottom"}),
    "direction": frozenset({"ltr", "rtl", "inherit"}),
    "imageSmoothingQuality": frozenset({"low", "medium", "high"}),
}
_TILES: Final = {
    "repeat": (skia.TileMode.kRepeat, skia.TileMode.kRepeat),
    "repeat-x": (skia.TileMode.kRepeat, skia.TileMode.kDecal),
    "repeat-y": (skia.TileMode.kDecal, skia.TileMode.kRepeat),
    "no-repeat": (skia.TileMode.kDecal, skia.TileMode.kDecal),
}
_STEPS_A_CHECK: Final = 64


@dataclass(slots=True)
class State:
    """What `save` keeps."""

    numbers: list[float] = field(default_factory=lambda: [1.0, 10.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    choices: dict[str, str] = field(
        default_factory=lambda: {
            "lineCap": "butt",
            "lineJoin": "miter",
            "globalCompositeOperation": "source-over",
            "textAlign": "start",
            "textBaseline": "alphabetic",
            "direction": "ltr",
            "imageSmoothingQuality": "low",
        }
    )
    paints: list[Any] = field(default_factory=lambda: [BLACK, BLACK])
    """Fill and stroke: a colour, or a shader; None paints nothing."""
    font: Font = DEFAULT_FONT
    letter_spacing: float = 0.0
    filters: tuple[Filter, ...] = ()
    shadow: Rgba = CLEAR
    dash: tuple[float, ...] = ()

    def saved(self) -> State:
        """A copy that later changes leave alone."""
        kept = copy(self)
        kept.numbers, kept.choices, kept.paints = list(self.numbers), dict(self.choices), list(self.paints)
        return kept


_LINE_WIDTH, _MITER, _DASH_OFFSET, _ALPHA, _SMOOTHING, _SHADOW_BLUR, _SHADOW_X, _SHADOW_Y = range(
    len(NUMBERS)
)
_POSITIVE: Final = frozenset({_LINE_WIDTH, _MITER})


class Painter:
    """Draws one recording on one surface."""

    def __init__(self, op: str, recording: Recording, store: Store, fonts: Fonts, deadline: Deadline) -> None:
        self._op = op
        self._recording = recording
        self._store = store
        self._fonts = fonts
        self._deadline = deadline
        self.surface = skia.Surface.MakeRasterN32Premul(recording.width, recording.height)
        if self.surface is None:
            raise MemoryError
        self._canvas = self.surface.getCanvas()
        self._state = State()
        self._saved: list[State] = []
        self._path = Path()
        self._path_matrix = skia.Matrix()
        self._is_moved = False  # the matrix may differ from the one under which the path was made
        self._cached: list[Any] = [None, None]
        self._of_color: dict[tuple[int, Rgba], Any] = {}
        self._images: dict[int, Any] = {}
        self._shaders: dict[tuple[str, int], Any] = {}
        self._paths: dict[int, Any] = {}
        self._pixels = 0
        self._is_layered = False

    def paint(self) -> None:
        """Do everything."""
        handlers = self._handlers()
        for number, (code, operands) in enumerate(self._recording.steps(self._op)):
            if not number % _STEPS_A_CHECK:
                self._deadline.check()
            if sum(operands) * 0 == 0:  # with an operand that is not finite the standard drops the operation
                handlers[code](*operands)

    def _handlers(self) -> list[Callable[..., None]]:
        named: dict[str, Callable[..., None]] = {
            "save": self._save,
            "restore": self._restore,
            "translate": self._translate,
            "rotate": self._rotate,
            "scale": self._scale,
            "transform": self._transform,
            "setTransform": self._set_transform,
            "resetTransform": self._reset_transform,
            "beginPath": self._begin_path,
            "addPath": self._refused,
            "fill": self._fill,
            "stroke": self._stroke,
            "clip": self._clip,
            "fillPath": self._fill_path,
            "strokePath": self._stroke_path,
            "clipPath": self._clip_path,
            "fillRect": self._fill_rect,
            "strokeRect": self._stroke_rect,
            "clearRect": self._clear_rect,
            "fillText": lambda text, x, y: self._text(0, text, x, y, None),
            "fillTextWithin": lambda *all_: self._text(0, *all_),
            "strokeText": lambda text, x, y: self._text(1, text, x, y, None),
            "strokeTextWithin": lambda *all_: self._text(1, *all_),
            "setLineDash": self._set_line_dash,
            "drawImage": self._draw_image,
            "drawImageScaled": self._draw_image_scaled,
            "drawImagePart": self._draw_image_part,
            "putImageData": self._put_image_data,
            "setNumber": self._set_number,
            "setText": self._set_text,
            "setGradient": self._set_gradient,
            "setPattern": self._set_pattern,
        }
        return [named[name] if name in named else self._path_step(name) for name, _ in OPS]

    def _path_step(self, name: str) -> Callable[..., None]:
        step = STEPS[name]

        def handler(*operands: float) -> None:
            if self._is_moved:
                self._move_path()
            step(self._path, *operands)

        return handler

    def _refused(self, *_: float) -> None:
        raise malformed(self._op)

    # ---- state

    def _save(self) -> None:
        self._canvas.save()
        self._saved.append(self._state.saved())

    def _restore(self) -> None:
        if self._saved:
            self._canvas.restore()
            self._state = self._saved.pop()
            self._is_moved = True
            self._changed()

    def _changed(self) -> None:
        self._cached = [None, None]
        self._of_color.clear()
        state = self._state
        self._is_layered = (
            bool(state.filters)
            or self._has_shadow()
            or state.choices["globalCompositeOperation"] in _WHOLE_SURFACE
        )

    def _has_shadow(self) -> bool:
        numbers = self._state.numbers
        return bool(
            self._state.shadow[3] and (numbers[_SHADOW_BLUR] or numbers[_SHADOW_X] or numbers[_SHADOW_Y])
        )

    def _set_number(self, index: float, value: float) -> None:
        at = self._index(index, len(NUMBERS))
        if (at in _POSITIVE and value <= 0) or (at == _ALPHA and not 0 <= value <= 1):
            return
        if at == _SHADOW_BLUR and value < 0:
            return
        self._state.numbers[at] = value
        self._changed()

    def _set_text(self, index: float, number: float) -> None:
        at = self._index(index, len(TEXTS))
        text = self._recording.texts[self._index(number, len(self._recording.texts))]
        state, name = self._state, TEXTS[at]
        if at < PAINTS:
            color = parse_color(text)
            if color is not None and color != state.paints[at]:
                state.paints[at] = color
                self._cached[at] = None
            return
        if name in _CHOICES:
            if text in _CHOICES[name]:
                state.choices[name] = text
        elif name == "font":
            state.font = parse_font(text) or state.font
        elif name == "letterSpacing":
            spacing = parse_length(text)
            state.letter_spacing = state.letter_spacing if spacing is None else spacing
        elif name == "filter":
            filters = parse_filter(text)
            state.filters = state.filters if filters is None else filters
        else:
            state.shadow = parse_color(text) or state.shadow
        self._changed()

    def _set_gradient(self, index: float, number: float) -> None:
        at, number = self._index(index, PAINTS), self._index(number, len(self._recording.gradients))
        self._state.paints[at] = self._shader("gradient", number, self._gradient)
        self._cached[at] = None

    def _set_pattern(self, index: float, number: float) -> None:
        at, number = self._index(index, PAINTS), self._index(number, len(self._recording.patterns))
        self._state.paints[at] = self._shader("pattern", number, self._pattern)
        self._cached[at] = None

    def _shader(self, kind: str, number: int, make: Callable[[int], Any]) -> Any:  # noqa: ANN401
        if (kind, number) not in self._shaders:
            self._shaders[kind, number] = make(number)
        return self._shaders[kind, number]

    def _gradient(self, number: int) -> Any:  # noqa: ANN401 - a colour, a shader of Skia, or nothing
        gradient = self._recording.gradients[number]
        stops = sorted(
            ((at, parse_color(color) or BLACK) for at, color in gradient.stops), key=lambda stop: stop[0]
        )
        if not gradient.args or not stops:
            return None
        colors = [skia.ColorSetARGB(color[3], *color[:3]) for _, color in stops]
        places = [at for at, _ in stops]
        if len(colors) == 1:
            colors, places = colors * 2, [0.0, 1.0]
        args = gradient.args
        if gradient.kind == "linear":
            if args[:2] == args[2:]:
                return None
            return skia.GradientShader.MakeLinear(
                [skia.Point(*args[:2]), skia.Point(*args[2:])], colors, places
            )
        if gradient.kind == "radial":
            if args[:3] == args[3:] or min(args[2], args[5]) < 0:
                return None
            return skia.GradientShader.MakeTwoPointConical(
                skia.Point(*args[:2]), args[2], skia.Point(*args[3:5]), args[5], colors, places
            )
        turned = skia.Matrix()
        turned.setRotate(args[0] * 57.29577951308232, args[1], args[2])
        return skia.GradientShader.MakeSweep(args[1], args[2], colors, places, localMatrix=turned)

    def _pattern(self, number: int) -> Any:  # noqa: ANN401
        pattern = self._recording.patterns[number]
        if not pattern.matrix or pattern.repetition not in _TILES:
            return None
        image = self._image(self._index(pattern.image, len(self._recording.images)))
        return image.makeShader(*_TILES[pattern.repetition], self._sampling(), matrix_of(pattern.matrix))

    def _index(self, value: float, count: int) -> int:
        """A reference that a guest sent.

        Raises:
            HostCallError: there is nothing of that number.
        """
        if not 0 <= value < count or value != int(value):
            raise malformed(self._op)
        return int(value)

    def _set_line_dash(self, count: float, *segments: float) -> None:
        if min(segments, default=0) >= 0 and count == len(segments):
            self._state.dash = segments if len(segments) % 2 == 0 else segments * 2
            self._changed()

    # ---- transformations

    def _translate(self, x: float, y: float) -> None:
        self._canvas.translate(x, y)
        self._is_moved = True

    def _rotate(self, angle: float) -> None:
        self._canvas.rotate(angle * 57.29577951308232)
        self._is_moved = True

    def _scale(self, x: float, y: float) -> None:
        self._canvas.scale(x, y)
        self._is_moved = True

    def _transform(self, *values: float) -> None:
        self._canvas.concat(matrix_of(values))
        self._is_moved = True

    def _set_transform(self, *values: float) -> None:
        self._canvas.setMatrix(matrix_of(values))
        self._is_moved = True

    def _reset_transform(self) -> None:
        self._canvas.resetMatrix()
        self._is_moved = True

    def _move_path(self) -> None:
        """Points of a path stay where they were put, whatever is transformed afterwards."""
        self._is_moved = False
        matrix = self._canvas.getTotalMatrix()
        if matrix == self._path_matrix:
            return
        if not self._path.path.isEmpty():
            back = skia.Matrix()
            if not matrix.invert(back):
                return
            back.preConcat(self._path_matrix)
            self._path.path.transform(back)
        self._path_matrix = matrix

    # ---- paints and layers

    def _paint(self, which: int) -> Any:  # noqa: ANN401
        """The paint to fill (0) or stroke (1) with; None paints nothing."""
        paint = self._cached[which]
        if paint is not None:
            return paint
        state = self._state
        source = state.paints[which]
        if source is None:
            return None
        if isinstance(source, tuple) and (which, source) in self._of_color:
            return self._of_color[which, source]
        paint = self._plain_paint()
        if isinstance(source, tuple):
            red, green, blue, alpha = source
            paint.setColor4f(
                skia.Color4f(red / 255, green / 255, blue / 255, alpha / 255 * state.numbers[_ALPHA])
            )
        else:
            paint.setShader(source)
        if which:
            paint.setStyle(skia.Paint.kStroke_Style)
            paint.setStrokeWidth(state.numbers[_LINE_WIDTH])
            paint.setStrokeMiter(state.numbers[_MITER])
            paint.setStrokeCap(_CAPS[state.choices["lineCap"]])
            paint.setStrokeJoin(_JOINS[state.choices["lineJoin"]])
            if any(state.dash):
                paint.setPathEffect(skia.DashPathEffect.Make(list(state.dash), state.numbers[_DASH_OFFSET]))
        self._cached[which] = paint
        if isinstance(source, tuple):
            self._of_color[which, source] = paint
        return paint

    def _plain_paint(self) -> Any:  # noqa: ANN401
        state = self._state
        paint = skia.Paint()
        paint.setAntiAlias(True)
        paint.setAlphaf(state.numbers[_ALPHA])
        if not self._is_layered:
            paint.setBlendMode(_MODES[state.choices["globalCompositeOperation"]])
        return paint

    def _draw(self, work: Callable[[], None]) -> None:
        """Draw, through a layer where filter, shadow or mode need all of it at once."""
        if not self._is_layered:
            work()
            return
        canvas, state = self._canvas, self._state
        filter_ = None
        for each in state.filters:
            filter_ = each(filter_)
        if self._has_shadow():
            red, green, blue, alpha = state.shadow
            deviation = min(state.numbers[_SHADOW_BLUR] / 2, 512.0)
            filter_ = skia.ImageFilters.DropShadow(
                state.numbers[_SHADOW_X],
                state.numbers[_SHADOW_Y],
                deviation,
                deviation,
                skia.ColorSetARGB(alpha, red, green, blue),
                filter_,
            )
        layer = skia.Paint()
        layer.setBlendMode(_MODES[state.choices["globalCompositeOperation"]])
        if filter_ is not None:
            layer.setImageFilter(filter_)
        matrix = canvas.getTotalMatrix()
        canvas.save()
        canvas.resetMatrix()  # shadows and filters are measured in pixels of the surface
        canvas.saveLayer(None, layer)
        canvas.setMatrix(matrix)
        work()
        canvas.restore()
        canvas.restore()

    # ---- shapes

    def _begin_path(self) -> None:
        self._path = Path()

    def _draw_path(self, which: int, path: Any, rule: float = 0) -> None:  # noqa: ANN401
        paint = self._paint(which)
        if paint is None:
            return
        path.setFillType(skia.PathFillType.kEvenOdd if rule else skia.PathFillType.kWinding)
        if self._is_layered:
            self._draw(lambda: self._canvas.drawPath(path, paint))
        else:
            self._canvas.drawPath(path, paint)

    def _current(self) -> Any:  # noqa: ANN401
        if self._is_moved:
            self._move_path()
        return self._path.path

    def _fill(self, rule: float) -> None:
        self._draw_path(0, self._current(), rule)

    def _stroke(self) -> None:
        self._draw_path(1, self._current())

    def _clip(self, rule: float) -> None:
        self._clip_to(self._current(), rule)

    def _clip_to(self, path: Any, rule: float) -> None:  # noqa: ANN401
        path.setFillType(skia.PathFillType.kEvenOdd if rule else skia.PathFillType.kWinding)
        self._canvas.clipPath(path, skia.ClipOp.kIntersect, True)

    def _numbered(self, number: float) -> Any:  # noqa: ANN401
        index = self._index(number, len(self._recording.paths))
        if index not in self._paths:
            self._paths[index] = build_path(self._op, self._recording, index)
        return self._paths[index]

    def _fill_path(self, number: float, rule: float) -> None:
        self._draw_path(0, self._numbered(number), rule)

    def _stroke_path(self, number: float) -> None:
        self._draw_path(1, self._numbered(number))

    def _clip_path(self, number: float, rule: float) -> None:
        self._clip_to(self._numbered(number), rule)

    def _fill_rect(self, x: float, y: float, width: float, height: float) -> None:
        paint = self._cached[0] or self._paint(0)
        if paint is None or not width or not height:
            return
        rect = skia.Rect(x, y, x + width, y + height)
        if width < 0 or height < 0:
            rect.sort()
        if self._is_layered:
            self._draw(lambda: self._canvas.drawRect(rect, paint))
        else:
            self._canvas.drawRect(rect, paint)

    def _stroke_rect(self, x: float, y: float, width: float, height: float) -> None:
        paint = self._paint(1)
        if paint is None or not (width or height):
            return
        if width and height:
            rect = skia.Rect(x, y, x + width, y + height)
            rect.sort()
            self._draw(lambda: self._canvas.drawRect(rect, paint))
        else:
            self._draw(lambda: self._canvas.drawLine(x, y, x + width, y + height, paint))

    def _clear_rect(self, x: float, y: float, width: float, height: float) -> None:
        rect = skia.Rect(x, y, x + width, y + height)
        rect.sort()
        paint = skia.Paint()
        paint.setAntiAlias(True)
        paint.setBlendMode(_B.kClear)
        self._canvas.drawRect(rect, paint)

    # ---- text

    def _text(self, which: int, number: float, x: float, y: float, within: float | None) -> None:
        paint = self._paint(which)
        if paint is None or (within is not None and within <= 0):
            return
        text = self._recording.texts[self._index(number, len(self._recording.texts))]
        state = self._state
        style = TextStyle(
            state.font,
            state.letter_spacing,
            state.choices["direction"] == "rtl",
            state.choices["textAlign"],
            state.choices["textBaseline"],
        )
        line = Line(self._fonts, text, style, paint)
        self._draw(lambda: line.draw(self._canvas, x, y, within))

    # ---- images

    def _image(self, number: int) -> Any:  # noqa: ANN401
        """The image of that number, decoded once."""
        if number not in self._images:
            picture = self._picture(self._recording.images[number])
            self._pixels += picture.width * picture.height
            if self._pixels > 2 * MAX_IMAGE_PIXELS:
                raise HostCallError(
                    f"{self._op}: its images exceed the {2 * MAX_IMAGE_PIXELS} pixel limit together"
                )
            self._images[number] = _to_skia(picture)
        return self._images[number]

    def _picture(self, value: object) -> Image.Image:
        if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
            return self._store.image(self._op, uri)
        if isinstance(value, bytes):
            return open_image(self._op, value)[0]
        raise HostCallError(f"{self._op}: an image must be a Uint8Array of encoded image bytes, or a handle")

    def _sampling(self) -> Any:  # noqa: ANN401
        state = self._state
        if not state.numbers[_SMOOTHING]:
            return skia.SamplingOptions(skia.FilterMode.kNearest)
        if state.choices["imageSmoothingQuality"] == "low":
            return skia.SamplingOptions(skia.FilterMode.kLinear)
        return skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)

    def _draw_image(self, number: float, x: float, y: float) -> None:
        image = self._image(self._index(number, len(self._recording.images)))
        self._draw_part(image, (0, 0, image.width(), image.height()), (x, y, image.width(), image.height()))

    def _draw_image_scaled(self, number: float, x: float, y: float, width: float, height: float) -> None:
        image = self._image(self._index(number, len(self._recording.images)))
        self._draw_part(image, (0, 0, image.width(), image.height()), (x, y, width, height))

    def _draw_image_part(self, number: float, *parts: float) -> None:
        image = self._image(self._index(number, len(self._recording.images)))
        self._draw_part(image, parts[:4], parts[4:])

    def _draw_part(self, image: Any, part: tuple[float, ...], place: tuple[float, ...]) -> None:  # noqa: ANN401
        source = skia.Rect(part[0], part[1], part[0] + part[2], part[1] + part[3])
        target = skia.Rect(place[0], place[1], place[0] + place[2], place[1] + place[3])
        source.sort()
        target.sort()
        if source.isEmpty() or target.isEmpty():
            return
        whole = skia.Rect(0, 0, image.width(), image.height())
        inside = skia.Rect(source.left(), source.top(), source.right(), source.bottom())
        if not inside.intersect(whole):
            return
        if inside != source:  # what lies outside of the image is not drawn, and the rest stays where it was
            wide, high = target.width() / source.width(), target.height() / source.height()
            target = skia.Rect(
                target.left() + (inside.left() - source.left()) * wide,
                target.top() + (inside.top() - source.top()) * high,
                target.right() - (source.right() - inside.right()) * wide,
                target.bottom() - (source.bottom() - inside.bottom()) * high,
            )
        paint = self._plain_paint()
        self._draw(lambda: self._canvas.drawImageRect(image, inside, target, self._sampling(), paint))

    def _put_image_data(self, number: float, x: float, y: float, *dirty: float) -> None:
        value = self._recording.images[self._index(number, len(self._recording.images))]
        spec = value if isinstance(value, dict) else {}
        width, height, pixels = spec.get("width"), spec.get("height"), spec.get("pixels")
        if not isinstance(width, int) or not isinstance(height, int) or not isinstance(pixels, bytes):
            raise malformed(self._op)
        if width < 1 or height < 1 or len(pixels) != 4 * width * height:
            raise malformed(self._op)
        left, top = (
            max(0, int(min(dirty[0], dirty[0] + dirty[2]))),
            max(0, int(min(dirty[1], dirty[1] + dirty[3]))),
        )
        right = min(width, int(max(dirty[0], dirty[0] + dirty[2])))
        bottom = min(height, int(max(dirty[1], dirty[1] + dirty[3])))
        if right <= left or bottom <= top:
            return
        part = Image.frombytes("RGBA", (width, height), pixels).crop((left, top, right, bottom))
        info = skia.ImageInfo.Make(
            part.width, part.height, skia.ColorType.kRGBA_8888_ColorType, skia.AlphaType.kUnpremul_AlphaType
        )
        edge = 1 << 20
        at_x, at_y = (int(min(max(at, -edge), edge)) for at in (x + left, y + top))
        self._canvas.writePixels(info, part.tobytes(), part.width * 4, at_x, at_y)


def _to_skia(picture: Image.Image) -> Any:  # noqa: ANN401
    is_opaque = picture.mode == "RGB"
    data = picture.convert("RGBA").tobytes() if is_opaque else picture.convert("RGBa").tobytes()
    alpha = skia.AlphaType.kOpaque_AlphaType if is_opaque else skia.AlphaType.kPremul_AlphaType
    return skia.Image.frombytes(data, picture.size, skia.ColorType.kRGBA_8888_ColorType, alpha)


def read_pixels(surface: Any, x: int, y: int, width: int, height: int) -> bytes:  # noqa: ANN401
    """RGBA of a part; what lies outside of the surface is transparent."""
    pixels = bytearray(4 * width * height)
    info = skia.ImageInfo.Make(
        width, height, skia.ColorType.kRGBA_8888_ColorType, skia.AlphaType.kUnpremul_AlphaType
    )
    surface.readPixels(info, pixels, width * 4, x, y)
    return bytes(pixels)
