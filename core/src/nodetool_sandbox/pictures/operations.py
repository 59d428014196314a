"""The operations of `image.*`, each as `(store, args) -> value`. They run in a picture worker."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from PIL import Image, ImageStat

from nodetool_sandbox.limits import MAX_DECODE_PIXELS, MAX_IMAGE_LAYERS
from nodetool_sandbox.pictures.adjusting import adjust, read_adjustments
from nodetool_sandbox.pictures.blending import MODES, blend
from nodetool_sandbox.pictures.caps import check_bytes, check_size
from nodetool_sandbox.pictures.colors import Rgba, require_color
from nodetool_sandbox.pictures.encoding import Output, encode, read_output
from nodetool_sandbox.pictures.formats import Format
from nodetool_sandbox.pictures.opening import open_image, read_size
from nodetool_sandbox.pictures.options import (
    Options,
    argument,
    as_number,
    is_given,
    number,
    option_bag,
    truth,
    whole,
)
from nodetool_sandbox.pictures.store import Picture, Store

Operation = Callable[[Store, Sequence[object]], object]

_CLEAR: Final[Rgba] = (0, 0, 0, 0)
_RGBA: Final = 4
_OPAQUE: Final = 255
_LUMA: Final = (0.299, 0.587, 0.114)
_QUARTERS: Final = {
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True)
class _Source:
    """A picture that a guest passed: its pixels, and whether it came as a handle."""

    image: Image.Image
    is_handle: bool


def _is_handle(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("uri"), str)


def _bytes_of(op: str, value: object, label: str) -> bytes:
    if not isinstance(value, bytes):
        raise HostCallError(f"{op}: {label} must be a Uint8Array of encoded image bytes, or a handle")
    check_bytes(op, value)
    return value


def _source(store: Store, op: str, value: object, label: str = "image") -> _Source:
    if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
        return _Source(store.image(op, uri), is_handle=True)
    return _Source(open_image(op, _bytes_of(op, value, label))[0], is_handle=False)


def _answer(store: Store, op: str, image: Image.Image, options: Options, *, as_handle: bool) -> object:
    """Bytes for bytes and a handle for a handle, unless the option `as` says otherwise."""
    output = read_output(op, options)
    wanted = options.get("as", UNDEFINED)
    if is_given(wanted):
        if wanted not in {"bytes", "handle"}:
            raise HostCallError(f"{op}: as must be bytes or handle")
        as_handle = wanted == "handle"
    if not as_handle:
        return encode(op, image, output)
    return store.put(op, Picture(image.width, image.height, output, image))


def info(store: Store, args: Sequence[object]) -> object:
    """Width, height, format and size in bytes, from the header alone."""
    op = "image.info"
    value = argument(args, 0)
    if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
        picture = store.picture(op, uri)
        width, height, kind = picture.width, picture.height, Format(picture.output.format)
        data = store.data(op, uri)
    else:
        data = _bytes_of(op, value, "image")
        width, height, kind = read_size(op, data)
    return {"width": width, "height": height, "format": kind.value, "byteLength": len(data)}


def open_(store: Store, args: Sequence[object]) -> object:
    """A handle for encoded bytes, which stay as they are."""
    op = "image.open"
    data = _bytes_of(op, argument(args, 0), "image")
    width, height, kind = read_size(op, data)
    picture = Picture(width, height, Output(format=kind.value), None, data)
    dto = store.put(op, picture)
    store.image(op, str(dto["uri"]))  # damaged bytes are refused here and not by a later operation
    return dto


def bytes_(store: Store, args: Sequence[object]) -> object:
    """The encoded bytes behind a handle."""
    op = "image.bytes"
    value = argument(args, 0)
    if isinstance(value, bytes):
        return value
    return store.data(op, _uri(op, value))


def release(store: Store, args: Sequence[object]) -> object:
    """Give a picture's room back to the run."""
    op = "image.release"
    store.release(op, _uri(op, argument(args, 0)))
    return UNDEFINED


def byte_length(store: Store, args: Sequence[object]) -> object:
    """How long the bytes of a handle are."""
    return len(store.data("image.byteLength", _uri("image.byteLength", argument(args, 0))))


def _uri(op: str, value: object) -> str:
    if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
        return uri
    raise HostCallError(f"{op}: expected a handle, as image.open gives one")


def decode(store: Store, args: Sequence[object]) -> object:
    """RGBA pixels."""
    op = "image.decode"
    value = argument(args, 0)
    if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
        picture = store.picture(op, uri)
        width, height = picture.width, picture.height
    else:
        width, height, _ = read_size(op, _bytes_of(op, value, "image"))
    if width * height > MAX_DECODE_PIXELS:
        raise HostCallError(
            f"{op}: {width}x{height} exceeds the {MAX_DECODE_PIXELS} pixel limit; resize or crop it first"
        )
    image = _source(store, op, value).image.convert("RGBA")
    return {"width": image.width, "height": image.height, "pixels": image.tobytes()}


def encode_(store: Store, args: Sequence[object]) -> object:
    """Encoded bytes of what `decode` gives."""
    op = "image.encode"
    given = option_bag(argument(args, 0))
    width, height = as_number(given.get("width")), as_number(given.get("height"))
    check_size(op, width or 0, height or 0)
    size = (int(width or 0), int(height or 0))
    pixels = given.get("pixels")
    if not isinstance(pixels, bytes):
        raise HostCallError(f"{op}: pixels must be a Uint8Array of RGBA bytes")
    wanted = size[0] * size[1] * _RGBA
    if len(pixels) != wanted:
        raise HostCallError(f"{op}: expected {wanted} RGBA bytes, got {len(pixels)}")
    return _answer(
        store, op, Image.frombytes("RGBA", size, pixels), option_bag(argument(args, 1)), as_handle=False
    )


def resize(store: Store, args: Sequence[object]) -> object:
    """To a width, a height or both."""
    op = "image.resize"
    options = option_bag(argument(args, 1))
    if not is_given(options.get("width", UNDEFINED)) and not is_given(options.get("height", UNDEFINED)):
        raise HostCallError(f"{op}: pass width, height, or both")
    fit = options.get("fit", UNDEFINED)
    fit = fit if is_given(fit) else "contain"
    if fit not in {"cover", "contain", "fill"}:
        raise HostCallError(f"{op}: fit must be cover, contain or fill")
    width, height = _wanted_edge(op, options, "width"), _wanted_edge(op, options, "height")
    check_size(op, width or 1, height or 1)
    output = read_output(op, options)
    source = _source(store, op, argument(args, 0))
    image = source.image
    if width is None or height is None:
        scale = (width / image.width) if width is not None else (height or 1) / image.height
        width = width or max(1, round(image.width * scale))
        height = height or max(1, round(image.height * scale))
        fit = "fill"
    check_size(op, width, height)
    return _answer(
        store, op, _fitted(image, (width, height), str(fit), output), options, as_handle=source.is_handle
    )


def _wanted_edge(op: str, options: Options, name: str) -> int | None:
    value = options.get(name, UNDEFINED)
    if not is_given(value):
        return None
    found = as_number(value)
    if found is None or found <= 0:
        raise HostCallError(f"{op}: width and height must be positive numbers")
    return max(1, round(found))


def _fitted(image: Image.Image, size: tuple[int, int], fit: str, output: Output) -> Image.Image:
    width, height = size
    if fit == "fill":
        return image.resize(size, Image.Resampling.BICUBIC)
    if fit == "cover":
        scale = max(width / image.width, height / image.height)
        part_width, part_height = min(image.width, width / scale), min(image.height, height / scale)
        left, top = (image.width - part_width) / 2, (image.height - part_height) / 2
        return image.resize(
            size, Image.Resampling.BICUBIC, box=(left, top, left + part_width, top + part_height)
        )
    scale = min(width / image.width, height / image.height)
    inner = (min(width, max(1, round(image.width * scale))), min(height, max(1, round(image.height * scale))))
    small = image.resize(inner, Image.Resampling.BICUBIC)
    if inner == size:
        return small
    around = Image.new("RGBA", size, output.background or _CLEAR)
    around.paste(small, ((width - inner[0]) // 2, (height - inner[1]) // 2))
    return around


def crop(store: Store, args: Sequence[object]) -> object:
    """A rectangle of it."""
    op = "image.crop"
    options = option_bag(argument(args, 1))
    source = _source(store, op, argument(args, 0))
    image = source.image
    x, y = whole(op, options, "x", 0), whole(op, options, "y", 0)
    width = whole(op, options, "width", image.width - x)
    height = whole(op, options, "height", image.height - y)
    if x < 0 or y < 0 or width < 1 or height < 1 or x + width > image.width or y + height > image.height:
        raise HostCallError(
            f"{op}: rectangle {width}x{height}+{x}+{y} falls outside the {image.width}x{image.height} image"
        )
    return _answer(store, op, image.crop((x, y, x + width, y + height)), options, as_handle=source.is_handle)


def rotate(store: Store, args: Sequence[object]) -> object:
    """Clockwise; the picture grows to what it then covers."""
    op = "image.rotate"
    degrees = as_number(argument(args, 1))
    if degrees is None:
        raise HostCallError(f"{op}: degrees must be a number")
    options = option_bag(argument(args, 2))
    source = _source(store, op, argument(args, 0))
    turn = degrees % 360
    if turn == 0:
        image = source.image
    elif turn in _QUARTERS:
        image = source.image.transpose(_QUARTERS[int(turn)])
    else:
        image = _turned(op, source.image, turn)
    return _answer(store, op, image, options, as_handle=source.is_handle)


def _turned(op: str, image: Image.Image, degrees: float) -> Image.Image:
    cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    width = max(1, round(image.width * cos + image.height * sin))
    height = max(1, round(image.width * sin + image.height * cos))
    check_size(op, width, height)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    middle_x, middle_y = image.width / 2, image.height / 2
    # from a pixel of the result back to one of the picture
    back = (
        cos, sin, middle_x - cos * width / 2 - sin * height / 2,
        -sin, cos, middle_y + sin * width / 2 - cos * height / 2,
    )  # fmt: skip
    return image.convert("RGBA").transform(
        (width, height), Image.Transform.AFFINE, back, resample=Image.Resampling.BICUBIC
    )


def flip(store: Store, args: Sequence[object]) -> object:
    """Left to right unless told otherwise."""
    op = "image.flip"
    options = option_bag(argument(args, 1))
    source = _source(store, op, argument(args, 0))
    image = source.image
    if truth(options, "horizontal", default=True):
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if truth(options, "vertical", default=False):
        image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    return _answer(store, op, image, options, as_handle=source.is_handle)


def adjust_(store: Store, args: Sequence[object]) -> object:
    """The CSS filter functions."""
    op = "image.adjust"
    options = option_bag(argument(args, 1))
    adjustments = read_adjustments(op, options)
    source = _source(store, op, argument(args, 0))
    return _answer(store, op, adjust(source.image, adjustments), options, as_handle=source.is_handle)


def composite(store: Store, args: Sequence[object]) -> object:
    """Pictures on a picture."""
    op = "image.composite"
    layers = argument(args, 1)
    if not isinstance(layers, list):
        raise HostCallError(f"{op}: layers must be an array")
    if len(layers) > MAX_IMAGE_LAYERS:
        raise HostCallError(f"{op}: at most {MAX_IMAGE_LAYERS} layers per call")
    options = option_bag(argument(args, 2))
    source = _source(store, op, argument(args, 0))
    image = source.image.convert("RGBA")
    for index, each in enumerate(layers):
        image = _with_layer(store, image, option_bag(each), f"{op}: layer {index}")
    return _answer(store, op, image, options, as_handle=source.is_handle)


def _with_layer(store: Store, below: Image.Image, layer: Options, op: str) -> Image.Image:
    mode = layer.get("blendMode", UNDEFINED)
    mode = mode if is_given(mode) else "source-over"
    if mode not in MODES:
        raise HostCallError(f"{op}: blendMode must be a globalCompositeOperation, such as 'multiply'")
    opacity = min(max(number(op, layer, "opacity", 1.0), 0.0), 1.0)
    x, y = whole(op, layer, "x", 0), whole(op, layer, "y", 0)
    image = _source(store, op, layer.get("image", UNDEFINED)).image
    size = (whole(op, layer, "width", image.width), whole(op, layer, "height", image.height))
    check_size(op, *size)
    if size != image.size:
        image = image.resize(size, Image.Resampling.BICUBIC)
    image = image.convert("RGBA")
    if opacity < 1:
        image.putalpha(image.getchannel("A").point(lambda value: round(value * opacity)))
    placed = Image.new("RGBA", below.size)
    placed.paste(image, (x, y))
    return blend(below, placed, str(mode))


def convert(store: Store, args: Sequence[object]) -> object:
    """The same picture in another format."""
    op = "image.convert"
    options = option_bag(argument(args, 1))
    read_output(op, options)
    source = _source(store, op, argument(args, 0))
    return _answer(store, op, source.image, options, as_handle=source.is_handle)


def stats(store: Store, args: Sequence[object]) -> object:
    """Mean, least and most of each channel."""
    image = _source(store, "image.stats", argument(args, 0)).image.convert("RGBA")
    found = ImageStat.Stat(image)
    means, extremes = found.mean, found.extrema
    return {
        "width": image.width,
        "height": image.height,
        "pixels": image.width * image.height,
        "luminance": sum(weight * mean for weight, mean in zip(_LUMA, means, strict=False)),
        "opaque": extremes[3][0] == _OPAQUE,
        "channels": {
            name: {"mean": mean, "min": least, "max": most}
            for name, mean, (least, most) in zip("rgba", means, extremes, strict=True)
        },
    }


def blank(store: Store, args: Sequence[object]) -> object:
    """A picture of one colour, transparent by default."""
    op = "image.blank"
    width, height = as_number(argument(args, 0)) or 0, as_number(argument(args, 1)) or 0
    check_size(op, width, height)
    options = option_bag(argument(args, 2))
    image = Image.new("RGBA", (int(width), int(height)), _color(op, options, "color"))
    return _answer(store, op, image, options, as_handle=True)


def pad(store: Store, args: Sequence[object]) -> object:
    """With room around it."""
    op = "image.pad"
    options = option_bag(argument(args, 1))
    every = whole(op, options, "all", 0)
    top, right, bottom, left = (
        whole(op, options, side, every) for side in ("top", "right", "bottom", "left")
    )
    if min(top, right, bottom, left) < 0:
        raise HostCallError(f"{op}: top, right, bottom and left must not be negative")
    source = _source(store, op, argument(args, 0))
    size = (source.image.width + left + right, source.image.height + top + bottom)
    check_size(op, *size)
    padded = Image.new("RGBA", size, _color(op, options, "color"))
    padded.paste(source.image, (left, top))
    return _answer(store, op, padded, options, as_handle=source.is_handle)


def grid(store: Store, args: Sequence[object]) -> object:
    """Pictures side by side, each in the middle of a cell as large as the largest."""
    op = "image.grid"
    given = argument(args, 0)
    if not isinstance(given, list) or not given:
        raise HostCallError(f"{op}: pass an array of images")
    if len(given) > MAX_IMAGE_LAYERS:
        raise HostCallError(f"{op}: at most {MAX_IMAGE_LAYERS} images per call")
    options = option_bag(argument(args, 1))
    columns = whole(op, options, "columns", math.ceil(math.sqrt(len(given))))
    gap = whole(op, options, "gap", 0)
    if columns < 1 or gap < 0:
        raise HostCallError(f"{op}: columns must be at least 1, and gap not negative")
    sizes = [_size_of(store, op, each) for each in given]
    cell_width, cell_height = max(size[0] for size in sizes), max(size[1] for size in sizes)
    columns = min(columns, len(given))
    rows = math.ceil(len(given) / columns)
    size = (columns * cell_width + (columns - 1) * gap, rows * cell_height + (rows - 1) * gap)
    check_size(op, *size)
    sheet = Image.new("RGBA", size, _color(op, options, "background"))
    for index, each in enumerate(given):
        image = _source(store, op, each).image.convert("RGBA")
        left = index % columns * (cell_width + gap) + (cell_width - image.width) // 2
        top = index // columns * (cell_height + gap) + (cell_height - image.height) // 2
        sheet.alpha_composite(image, (left, top))
    return _answer(store, op, sheet, options, as_handle=any(_is_handle(each) for each in given))


def _size_of(store: Store, op: str, value: object) -> tuple[int, int]:
    if isinstance(value, dict) and isinstance(uri := value.get("uri"), str):
        picture = store.picture(op, uri)
        return picture.width, picture.height
    return read_size(op, _bytes_of(op, value, "image"))[:2]


def _color(op: str, options: Options, name: str) -> Rgba:
    value = options.get(name, UNDEFINED)
    return require_color(op, value, name=name) if is_given(value) else _CLEAR


OPERATIONS: Final[Mapping[str, Operation]] = {
    "adjust": adjust_,
    "blank": blank,
    "byteLength": byte_length,
    "bytes": bytes_,
    "composite": composite,
    "convert": convert,
    "crop": crop,
    "decode": decode,
    "encode": encode_,
    "flip": flip,
    "grid": grid,
    "info": info,
    "open": open_,
    "pad": pad,
    "release": release,
    "resize": resize,
    "rotate": rotate,
    "stats": stats,
}
"""What a guest may ask for, by name."""
