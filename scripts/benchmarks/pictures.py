"""Pictures: chains of operations against plain Pillow, drawings against Skia alone."""

from __future__ import annotations

import io
import time
from functools import lru_cache
from typing import Final

import skia
from nodetool_sandbox import Canvas, Limits, RunResult, Sandbox
from nodetool_sandbox import Image as ImagePower
from PIL import Image, ImageEnhance

_ROUNDS: Final = 9
"""Of five operations each."""

_CHAIN: Final = """
let picture = await image.open(png);
for (let round = 0; round < rounds; round++) {
  picture = await image.flip(picture);
  picture = await image.rotate(picture, 90);
  picture = await image.resize(picture, { width: 900 - round, height: 900 - round, fit: "fill" });
  picture = await image.adjust(picture, { brightness: 1.01 });
  picture = await image.crop(picture, { x: 1, y: 1 });
}
return (await image.bytes(picture)).length;
"""
_DRAWING: Final = """
let taken;
for (let again = 0; again < 2; again++) {  // the first one loads what draws
  const began = Date.now();
  const surface = createCanvas(800, 600), ctx = surface.getContext("2d");
  for (let at = 0; at < 2500; at++) {
    ctx.fillStyle = colors[at % colors.length];
    ctx.beginPath();
    ctx.rect((at * 37) % 780, (at * 53) % 580, 20, 20);
    ctx.fill();
  }
  await surface.toBytes();
  taken = Date.now() - began;
}
return taken;
"""
_COLORS: Final = [f"#{red:02x}{green:02x}80" for red in range(0, 250, 50) for green in range(0, 250, 50)]


@lru_cache
def _picture() -> bytes:
    """A PNG of two megabytes that looks like a photograph to an encoder."""
    noise = Image.effect_noise((1150, 1000), 25).convert("L")
    waves = Image.linear_gradient("L").resize((1150, 1000))
    image = Image.merge("RGB", (noise, waves, Image.blend(noise, waves, 0.5)))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _run(code: str, **given: object) -> RunResult:
    sandbox = Sandbox(image=ImagePower(), canvas=Canvas())
    result = sandbox.run_sync(code, globals=given, limits=Limits(timeout_ms=120_000))
    if not result.success:
        raise ValueError(str(result.error))
    return result


def picture_chain() -> float:
    """Seconds for 45 operations in a guest, from bytes to bytes."""
    return _run(_CHAIN, png=_picture(), rounds=_ROUNDS).usage.wall_ms / 1000


def picture_chain_in_pillow() -> float:
    """Seconds for the same in plain Pillow, which encodes nothing in between either."""
    data = _picture()
    began = time.perf_counter()
    image = Image.open(io.BytesIO(data)).copy()
    for number in range(_ROUNDS):
        side = 900 - number
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        image = image.transpose(Image.Transpose.ROTATE_270)
        image = image.resize((side, side), Image.Resampling.BICUBIC)
        image = ImageEnhance.Brightness(image).enhance(1.01)
        image = image.crop((1, 1, image.width, image.height))
    image.save(io.BytesIO(), "PNG")
    return time.perf_counter() - began


def drawing() -> float:
    """Seconds for 10,000 operations on a canvas, from the program to PNG bytes."""
    return float(str(_run(_DRAWING, colors=_COLORS).value)) / 1000


def drawing_with_skia() -> float:
    """Seconds for the same by Skia alone, called from Python."""
    began = time.perf_counter()
    surface = skia.Surface.MakeRasterN32Premul(800, 600)
    canvas = surface.getCanvas()
    paint = skia.Paint()
    paint.setAntiAlias(True)
    colors = [skia.Color4f(int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, 0.5, 1.0) for text in _COLORS]
    for at in range(2500):
        paint.setColor4f(colors[at % len(colors)])
        path = skia.Path()
        path.addRect(skia.Rect.MakeXYWH((at * 37) % 780, (at * 53) % 580, 20, 20))
        canvas.drawPath(path, paint)
    if not bytes(surface.makeImageSnapshot().encodeToData(skia.EncodedImageFormat.kPNG, 100)):
        raise ValueError("no picture")
    return time.perf_counter() - began
