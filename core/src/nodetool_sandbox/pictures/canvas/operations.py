"""What the bridge `canvas` can be asked, in a picture worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import skia
from nodetool_sandbox_registry.hosts import Deadline, HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from PIL import Image

from nodetool_sandbox.limits import MAX_DECODE_PIXELS
from nodetool_sandbox.pictures.canvas.fonts import DEFAULT_FONT, parse_font, parse_length
from nodetool_sandbox.pictures.canvas.painter import Painter, read_pixels
from nodetool_sandbox.pictures.canvas.recording import Recording
from nodetool_sandbox.pictures.canvas.text import Line, TextStyle
from nodetool_sandbox.pictures.encoding import encode, read_output
from nodetool_sandbox.pictures.operations import byte_length
from nodetool_sandbox.pictures.options import Options, argument, as_number, is_given, option_bag
from nodetool_sandbox.pictures.run import PictureRun
from nodetool_sandbox.pictures.store import Picture

MAX_TEXT_CHARACTERS: Final = 100_000
"""Of a text that is measured."""

_RENDER: Final = "canvas.render"
_OPAQUE: Final = 255


def render(run: PictureRun, args: Sequence[object], deadline: Deadline) -> object:
    """The encoded picture of a recording, or a handle of it."""
    recording = Recording.parse(_RENDER, argument(args, 0))
    options = option_bag(argument(args, 1))
    output = read_output(_RENDER, options)
    wanted = options.get("as", UNDEFINED)
    if is_given(wanted) and wanted not in {"bytes", "handle"}:
        raise HostCallError(f"{_RENDER}: as must be bytes or handle")
    painter = Painter(_RENDER, recording, run.store, run.fonts, deadline)
    painter.paint()
    size = (recording.width, recording.height)
    image = Image.frombytes("RGBA", size, read_pixels(painter.surface, 0, 0, *size))
    if image.getchannel("A").getextrema()[0] == _OPAQUE:
        image = image.convert("RGB")
    if wanted == "handle":
        return run.store.put(_RENDER, Picture(*size, output, image))
    return encode(_RENDER, image, output)


def pixels(run: PictureRun, args: Sequence[object], deadline: Deadline) -> object:
    """RGBA of a part of what a recording draws."""
    op = "getImageData"
    recording = Recording.parse(op, argument(args, 0))
    numbers = [as_number(argument(args, at)) for at in range(1, 5)]
    x, y, width, height = (int(each) if each is not None else 0 for each in numbers)
    if width < 1 or height < 1 or width * height > MAX_DECODE_PIXELS:
        raise HostCallError(f"{op}: {width}x{height} exceeds the {MAX_DECODE_PIXELS} pixel limit")
    painter = Painter(op, recording, run.store, run.fonts, deadline)
    painter.paint()
    return read_pixels(painter.surface, x, y, width, height)


def measure(run: PictureRun, args: Sequence[object], _: Deadline) -> object:
    """The metrics of a text."""
    op = "canvas.measureText"
    text = argument(args, 0)
    if not isinstance(text, str):
        raise HostCallError(f"{op}: text must be a string")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise HostCallError(f"{op}: text exceeds the {MAX_TEXT_CHARACTERS} character limit")
    options = option_bag(argument(args, 1))
    style = TextStyle(
        (parse_font(_text(options, "font", "")) or DEFAULT_FONT),
        parse_length(_text(options, "letterSpacing", "0px")) or 0.0,
        _text(options, "direction", "ltr") == "rtl",
        _choice(options, "textAlign", ("start", "end", "left", "right", "center")),
        _choice(options, "textBaseline", ("alphabetic", "top", "hanging", "middle", "ideographic", "bottom")),
    )
    return Line(run.fonts, text, style, skia.Paint()).measured()


def _text(options: Options, name: str, default: str) -> str:
    value = options.get(name)
    return value if isinstance(value, str) else default


def _choice(options: Options, name: str, choices: tuple[str, ...]) -> str:
    value = options.get(name)
    return value if isinstance(value, str) and value in choices else choices[0]


Operation = Callable[[PictureRun, Sequence[object], Deadline], object]

OPERATIONS: Final[Mapping[str, Operation]] = {
    "byteLength": lambda run, args, _: byte_length(run.store, args),
    "measure": measure,
    "measureText": measure,
    "pixels": pixels,
    "render": render,
}
"""What a guest may ask for, by name."""
