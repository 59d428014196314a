"""What a canvas reads: CSS fonts, lengths and filters, and the numbers of a recording, which may be anything."""

from __future__ import annotations

import random
import re
import struct
from array import array
from pathlib import Path
from typing import Any

import pytest
from nodetool_sandbox.limits import MAX_CANVAS_OPS, MIB
from nodetool_sandbox.pictures.canvas.filters import parse_filter
from nodetool_sandbox.pictures.canvas.fonts import Font, Fonts, bundled_fonts, parse_font, parse_length
from nodetool_sandbox.pictures.canvas.painter import Painter, read_pixels
from nodetool_sandbox.pictures.canvas.recording import NUMBERS, OPS, TEXTS, Recording
from nodetool_sandbox.pictures.store import Store
from nodetool_sandbox_registry.hosts import HostCallError

CODES = {name: code for code, (name, _) in enumerate(OPS)}
GUEST_HALF = Path(__file__).parents[2] / "guest" / "prelude" / "canvas.js"


class NoDeadline:
    def check(self) -> None:
        """Time is left."""


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def recorded(*operations: tuple[Any, ...], **parts: object) -> dict[str, object]:
    words = array("d")
    for name, *operands in operations:
        words.append(CODES[name] if isinstance(name, str) else name)
        words.extend(operands)
    spec: dict[str, object] = {
        "width": 10,
        "height": 10,
        "words": words.tobytes(),
        "texts": [],
        "gradients": [],
        "patterns": [],
        "paths": [],
        "images": [],
    }
    return {**spec, **parts}


def painted(fonts: Fonts, spec: object) -> bytes:
    recording = Recording.parse("canvas.render", spec)
    painter = Painter("canvas.render", recording, Store(MIB), fonts, NoDeadline())
    painter.paint()
    return read_pixels(painter.surface, 0, 0, recording.width, recording.height)


def refusal(fonts: Fonts, spec: object) -> str:
    with pytest.raises(HostCallError) as refused:
        painted(fonts, spec)
    return refused.value.message


def test_both_halves_have_the_same_operations_and_properties() -> None:
    guest = GUEST_HALF.read_text(encoding="utf-8")
    table = guest[guest.index("const OPS") : guest.index("const CODE")]
    numbers = guest[guest.index("const NUMBERS") : guest.index("const TEXTS")]
    texts = guest[guest.index("const TEXTS") : guest.index("const EVEN_ODD")]

    assert tuple((name, int(count)) for name, count in re.findall(r'\["(\w+)", (\d+)\]', table)) == OPS
    assert tuple(re.findall(r'"(\w+)"', numbers)) == NUMBERS
    assert tuple(re.findall(r'"(\w+)"', texts)) == TEXTS
    assert f"MAX_CANVAS_OPS = {MAX_CANVAS_OPS};" in guest


@pytest.mark.parametrize(
    ("text", "font"),
    [
        ("10px sans-serif", Font()),
        ("bold 24px Arimo", Font(24, ("Arimo",), 700)),
        ("italic 300 1.5em/2 'Source Serif 4', serif", Font(15, ("Source Serif 4", "serif"), 300, is_slanted=True)),
        ("oblique small-caps 12pt Times New Roman", Font(16, ("Times New Roman",), 400, is_slanted=True)),
        ("large Verdana", Font(18, ("Verdana",))),
        ("4096px a", Font(4096, ("a",))),
        ("4097px a", None),
        ("-1px a", None),
        ("12px", None),
        ("bold", None),
        ("", None),
        ("12px 'unclosed", None),
        ("12px ../x.ttf", None),
        ("12px url(file:///etc/hostname)", None),
        ("x" * 1_000_000, None),
        ("bold " * 98 + "12px a", Font(12, ("a",), 700)),
        ("bold " * 100 + "12px a", None),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_font_is_read_as_css_or_not_at_all(text: str, font: Font | None) -> None:
    assert parse_font(text) == font


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("none", 0),
        ("blur(2px)", 1),
        ("blur()", 1),
        ("blur(1e9px) sepia(50%)", 2),
        ("drop-shadow(1px 2px 3px rgb(0 0 0 / 50%)) opacity(.5) hue-rotate(90deg)", 3),
        ("url(#a)", None),
        ("url(file:///etc/hostname)", None),
        ("blur(-1px)", None),
        ("brightness(-1)", None),
        ("brightness(1 2)", None),
        ("drop-shadow(red)", None),
        ("frobnicate(1)", None),
        ("blur", None),
        ("", None),
        ("blur(1px) " * 200, None),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_filter_is_a_list_of_functions_or_none(text: str, count: int | None) -> None:
    found = parse_filter(text)

    assert (None if found is None else len(found)) == count


@pytest.mark.parametrize(
    ("text", "pixels"), [("3px", 3), ("1in", 96), ("0", 0), ("3", None), ("a", None), ("", None)]
)
def test_a_length_is_in_pixels(text: str, pixels: float | None) -> None:
    assert parse_length(text) == pixels


def test_the_fonts_that_come_with_it_are_there_and_a_name_opens_no_file(fonts: Fonts) -> None:
    assert len(bundled_fonts()) == 6
    assert all(path.is_file() for path in bundled_fonts().values())
    for name in ("../x.ttf", "/etc/hostname", str(next(iter(bundled_fonts().values()))), "DejaVu Sans", ""):
        assert [face.typeface.getFamilyName() for face in fonts.faces(Font(12, (name,)))] == ["Arimo"]


def test_a_thousand_weights_and_sizes_are_few_variants(fonts: Fonts) -> None:
    names = {
        fonts.faces(Font(size, ("serif",), weight))[0].name
        for weight in range(1, 1000, 7)
        for size in (8, 20, 900)
    }
    assert len(names) <= 3 * 21


def test_a_font_of_the_embedder_is_known_by_its_name() -> None:
    file = next(
        path for (family, slanted), path in bundled_fonts().items() if family == "Roboto Mono" and not slanted
    )
    given = Fonts({"Brand": str(file)})

    assert given.faces(Font(12, ("brand",)))[0].typeface.getFamilyName() == "Roboto Mono"


def test_as_many_operations_as_allowed_are_drawn_and_no_more(fonts: Fonts) -> None:
    fill = ("fillRect", 0, 0, 1, 1)

    assert painted(fonts, recorded(*[fill] * MAX_CANVAS_OPS))[:4] == b"\0\0\0\xff"
    assert refusal(fonts, recorded(*[fill] * (MAX_CANVAS_OPS + 1))) == (
        "canvas.render: 10001 operations exceeds the 10000 limit"
    )


IMAGE = ("drawImage", 0, 0, 0)
PIXELS = ("putImageData", 0, 0, 0, 0, 0, 1, 1)
UNKNOWN = "could not decode the image (unknown) \u2014 these are no PNG, JPEG, GIF, BMP, WebP or AVIF bytes"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (None, "width and height must be positive numbers"),
        (recorded(width=0), "width and height must be positive numbers"),
        (recorded(width=16_385), "no edge may exceed 16384 pixels"),
        (recorded(width=16_384, height=16_384), "16384x16384 exceeds the 33554432 pixel limit"),
        (recorded(words=b"1234567"), "the recording is malformed"),
        (recorded(words="text"), "the recording is malformed"),
        (recorded(texts="text"), "the recording is malformed"),
        (recorded(images=[None] * 10_001), "the recording is malformed"),
        (recorded((len(OPS),)), "the recording is malformed"),
        (recorded((-1,)), "the recording is malformed"),
        (recorded((0.5,)), "the recording is malformed"),
        (recorded((float("nan"),)), "the recording is malformed"),
        (recorded(("fillRect", 1, 2)), "the recording is malformed"),
        (recorded(("setLineDash", 1e300)), "the recording is malformed"),
        (recorded(("setLineDash", -1)), "the recording is malformed"),
        (recorded(("setText", 0, 0)), "the recording is malformed"),
        (recorded(("setNumber", 99, 0)), "the recording is malformed"),
        (recorded(("setGradient", 0, 0)), "the recording is malformed"),
        (recorded(("setPattern", 0, 0)), "the recording is malformed"),
        (recorded(("fillText", 0, 0, 0)), "the recording is malformed"),
        (recorded(("fillPath", 0, 0)), "the recording is malformed"),
        (recorded(("drawImage", 0, 0, 0)), "the recording is malformed"),
        (recorded(("addPath", 1, 0, 0, 1, 0, 0, 0)), "the recording is malformed"),
        (recorded(IMAGE, images=[None]), "an image must be a Uint8Array of encoded image bytes, or a handle"),
        (recorded(IMAGE, images=[b"GIF"]), UNKNOWN),
        (recorded(IMAGE, images=[{"uri": "sandbox://media/1"}]), "there is no picture 'sandbox://media/1' in this run"),
        (recorded(PIXELS, images=[{"width": 9, "height": 9, "pixels": b""}]), "the recording is malformed"),
        (recorded(gradients=[{"kind": "linear", "args": [1], "stops": []}]), "the recording is malformed"),
        (recorded(gradients=[{"kind": "linear", "args": [0] * 4, "stops": [[2, ""]]}]), "the recording is malformed"),
        (recorded(patterns=[{}]), "the recording is malformed"),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_a_recording_that_no_recorder_makes_is_refused(fonts: Fonts, spec: object, message: str) -> None:
    assert refusal(fonts, spec) == f"canvas.render: {message}"


def test_a_path_within_paths_without_end_is_refused(fonts: Fonts) -> None:
    inner: list[float] = []
    for _ in range(40):
        inner = [CODES["addPath"], 1, 0, 0, 1, 0, 0, len(inner), *inner]
    path = array("d", inner).tobytes()

    assert refusal(fonts, recorded(("fillPath", 0, 0), paths=[path])).endswith("the recording is malformed")
    assert refusal(fonts, recorded(("fillPath", 0, 0), paths=[struct.pack("d", CODES["save"])])).endswith(
        "malformed"
    )


def test_before_anything_is_drawn_a_surface_is_transparent(fonts: Fonts) -> None:
    assert painted(fonts, recorded()) == bytes(400)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_numbers_are_it_draws_or_refuses(fonts: Fonts, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a law, and no secret
    values = [0.0, 1.0, -1.0, 5.0, 0.5, 1e9, -1e30, 1e300, float("nan"), float("inf"), 3.0, 255.0]
    operations = [
        (name, *(chance.choice(values) for _ in range(count)))
        for name, count in chance.choices([each for each in OPS if "Dash" not in each[0]], k=60)
    ]
    spec = recorded(
        *operations,
        texts=["red", "12px Arimo", "multiply", "blur(2px)", "x\ud800"],
        gradients=[{"kind": "radial", "args": [0, 0, 1, 5, 5, 9], "stops": [[0, "red"], [1, "blue"]]}],
        paths=[array("d", [CODES["moveTo"], 1, 1, CODES["lineTo"], 9, 9]).tobytes()],
        images=[{"width": 1, "height": 1, "pixels": b"\1\2\3\4"}],
    )
    try:
        assert len(painted(fonts, spec)) == 400
    except HostCallError as refused:
        assert refused.message.startswith("canvas.render: ")  # noqa: PT017 - either is right
