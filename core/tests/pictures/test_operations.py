"""The operations of `image.*`, asked as a worker asks them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from nodetool_sandbox.limits import (
    MAX_DECODE_PIXELS,
    MAX_IMAGE_DIMENSION,
    MAX_IMAGE_LAYERS,
    MAX_IMAGE_PIXELS,
    MIB,
)
from nodetool_sandbox.pictures.adjusting import NEUTRAL
from nodetool_sandbox.pictures.blending import MODES
from nodetool_sandbox.pictures.caps import check_size
from nodetool_sandbox.pictures.operations import OPERATIONS
from nodetool_sandbox.pictures.store import Store
from nodetool_sandbox_registry.hosts import HostCallError
from nodetool_sandbox_registry.values import UNDEFINED
from pictures.samples import BLUE, RED, decoded, encoded, plain, png, png_of, two_colors
from PIL import Image

Value = Any


def ask(operation: str, *arguments: object, store: Store | None = None) -> Value:
    return OPERATIONS[operation](store or Store(256 * MIB), list(arguments))


def refusal(operation: str, *arguments: object, store: Store | None = None) -> str:
    with pytest.raises(HostCallError) as refused:
        ask(operation, *arguments, store=store)
    return refused.value.message


def pixel(data: bytes, x: int = 0, y: int = 0) -> tuple[int, ...]:
    found = decoded(data).convert("RGBA").getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def near(found: tuple[int, ...], wanted: tuple[int, ...], most: int = 2) -> bool:
    return all(abs(a - b) <= most for a, b in zip(found, wanted, strict=True))


def test_info_tells_size_format_and_length() -> None:
    data = png(7, 5)

    assert ask("info", data) == {"width": 7, "height": 5, "format": "png", "byteLength": len(data)}


def test_decode_and_encode_are_each_others_opposite() -> None:
    pixels = bytes(range(4 * 3 * 4))
    made = ask("encode", {"width": 4, "height": 3, "pixels": pixels})

    assert ask("decode", made) == {"width": 4, "height": 3, "pixels": pixels}


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"width": 2, "height": 2, "pixels": bytes(15)}, "image.encode: expected 16 RGBA bytes, got 15"),
        ({"width": 2, "height": 2, "pixels": bytes(17)}, "image.encode: expected 16 RGBA bytes, got 17"),
        ({"width": 0, "height": 2, "pixels": b""}, "image.encode: width and height must be positive numbers"),
        ({"width": 2, "height": math.nan, "pixels": b""}, "image.encode: width and height must be positive numbers"),
        ({"width": 1e9, "height": 1, "pixels": b""}, "image.encode: no edge may exceed 16384 pixels"),
        ({"width": 2, "height": 2}, "image.encode: pixels must be a Uint8Array of RGBA bytes"),
        (UNDEFINED, "image.encode: width and height must be positive numbers"),
    ],
)  # fmt: skip
def test_encode_refuses_pixels_that_do_not_fit(argument: object, message: str) -> None:
    assert refusal("encode", argument) == message


def test_decode_counts_pixels_before_it_decodes() -> None:
    width = 4096
    height = MAX_DECODE_PIXELS // width

    assert refusal("decode", png_of(width, height + 1)).startswith(
        "image.decode: 4096x2049 exceeds the 8388608 pixel limit"
    )
    assert (
        len(ask("decode", encoded(Image.new("L", (width, height)), "PNG"))["pixels"]) == 4 * MAX_DECODE_PIXELS
    )


@pytest.mark.parametrize(
    ("width", "height", "message"),
    [
        (MAX_IMAGE_DIMENSION, 1, None),
        (MAX_IMAGE_DIMENSION + 1, 1, "no edge may exceed 16384 pixels"),
        (8192, MAX_IMAGE_PIXELS // 8192, None),
        (8192, MAX_IMAGE_PIXELS // 8192 + 1, "8192x4097 exceeds the 33554432 pixel limit"),
        (16_384, 16_384, "16384x16384 exceeds the 33554432 pixel limit"),
        (0, 1, "width and height must be positive numbers"),
        (-1, 1, "width and height must be positive numbers"),
        (math.inf, 1, "width and height must be positive numbers"),
        (math.nan, 1, "width and height must be positive numbers"),
    ],
)
def test_a_picture_is_measured_before_it_is_made(width: float, height: float, message: str | None) -> None:
    if message is None:
        check_size("image.blank", width, height)
    else:
        with pytest.raises(HostCallError) as refused:
            check_size("image.blank", width, height)
        assert refused.value.message == f"image.blank: {message}"


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"width": 4}, (4, 3)),
        ({"height": 12}, (16, 12)),
        ({"width": 4, "height": 4}, (4, 4)),
        ({"width": 4, "height": 4, "fit": "cover"}, (4, 4)),
        ({"width": 4, "height": 4, "fit": "fill"}, (4, 4)),
        ({"width": 0.4, "height": None}, (1, 1)),
    ],
)
def test_resize_gives_the_size_that_was_asked_for(options: object, size: tuple[int, int]) -> None:
    assert decoded(ask("resize", png(8, 6), options)).size == size


def test_contain_letterboxes_and_cover_cuts() -> None:
    contained = ask("resize", png(8, 4), {"width": 8, "height": 8, "background": "#00f"})
    bare = ask("resize", png(8, 4), {"width": 8, "height": 8})
    covered = ask("resize", encoded(two_colors(8, 4), "PNG"), {"width": 4, "height": 4, "fit": "cover"})

    assert [pixel(contained, 4, y)[:3] for y in (0, 4, 7)] == [BLUE, RED, BLUE]
    assert pixel(bare, 4, 0) == (0, 0, 0, 0)
    assert (pixel(covered, 0, 0)[:3], pixel(covered, 3, 3)[:3]) == (RED, BLUE)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "pass width, height, or both"),
        (UNDEFINED, "pass width, height, or both"),
        ({"width": 1, "fit": "stretch"}, "fit must be cover, contain or fill"),
        ({"width": "wide"}, "width and height must be positive numbers"),
        ({"width": -1}, "width and height must be positive numbers"),
        ({"width": 16_385}, "no edge may exceed 16384 pixels"),
        ({"width": 16_384, "height": 16_384}, "16384x16384 exceeds the 33554432 pixel limit"),
        ({"width": 1, "format": "tiff"}, "format must be one of png, jpeg, webp, avif"),
        ({"width": 1, "background": "a"}, "background must be a CSS colour, such as '#ff8800' or 'rgb(0 0 0 / 50%)'"),
        ({"width": 1, "as": "file"}, "as must be bytes or handle"),
    ],
)  # fmt: skip
def test_resize_refuses_in_the_reference_s_words(options: object, message: str) -> None:
    assert refusal("resize", png(), options) == f"image.resize: {message}"


def test_crop_takes_a_rectangle_and_refuses_one_outside() -> None:
    part = ask("crop", encoded(two_colors(8, 6), "PNG"), {"x": 4, "width": 2, "height": 2})

    assert (decoded(part).size, pixel(part)[:3]) == ((2, 2), BLUE)
    assert decoded(ask("crop", png(8, 6))).size == (8, 6)
    for options, rectangle in (
        ({"x": 7, "width": 2}, "2x6+7+0"),
        ({"x": -1}, "9x6+-1+0"),
        ({"width": 0}, "0x6+0+0"),
        ({"x": 8}, "0x6+8+0"),
    ):
        assert refusal("crop", png(8, 6), options) == (
            f"image.crop: rectangle {rectangle} falls outside the 8x6 image"
        )
    assert refusal("crop", png(8, 6), {"x": "left"}) == "image.crop: x must be a number"


def test_rotate_turns_clockwise_and_grows() -> None:
    quarter = ask("rotate", encoded(two_colors(8, 6), "PNG"), 90)
    eighth = ask("rotate", png(8, 8), 45)

    assert decoded(quarter).size == (6, 8)
    assert (pixel(quarter, 2, 0)[:3], pixel(quarter, 2, 7)[:3]) == (RED, BLUE)
    assert decoded(ask("rotate", png(8, 6), -270)).size == (6, 8)
    assert decoded(ask("rotate", png(8, 6), 720)).size == (8, 6)
    assert decoded(eighth).size == (11, 11)
    assert (pixel(eighth, 0, 0)[3], pixel(eighth, 5, 5)[:3]) == (0, RED)
    almost = ask("rotate", encoded(two_colors(40, 40), "PNG"), 1)
    assert near(pixel(almost, 5, 20)[:3], RED)
    for degrees in ("90", math.nan, math.inf, UNDEFINED, None, True):
        assert refusal("rotate", png(), degrees) == "image.rotate: degrees must be a number"


@pytest.mark.parametrize(
    ("options", "red_at"),
    [(UNDEFINED, (7, 0)), ({"horizontal": False}, (0, 0)), ({"vertical": True, "horizontal": 0}, (0, 5))],
)
def test_flip_goes_left_to_right_unless_told_otherwise(options: object, red_at: tuple[int, int]) -> None:
    flipped = ask("flip", encoded(two_colors(8, 6), "PNG"), options)

    assert pixel(flipped, *red_at)[:3] == RED


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"brightness": 0.5}, (50, 75, 100, 255)),
        ({"brightness": 10}, (255, 255, 255, 255)),
        ({"contrast": 0}, (128, 128, 128, 255)),
        ({"contrast": 2}, (72, 172, 255, 255)),
        ({"invert": 1}, (155, 105, 55, 255)),
        ({"invert": True}, (155, 105, 55, 255)),
        ({"invert": 7}, (155, 105, 55, 255)),
        ({"grayscale": 1}, (143, 143, 143, 255)),
        ({"saturate": 0}, (143, 143, 143, 255)),
        ({"sepia": 1}, (192, 171, 133, 255)),
        ({"hueRotate": 360}, (100, 150, 200, 255)),
        ({"hueRotate": 180}, (186, 136, 86, 255)),
        ({"opacity": 0.5}, (100, 150, 200, 128)),
        ({"brightness": 1}, (100, 150, 200, 255)),
    ],
    ids=str,
)
def test_adjust_follows_the_css_filter_functions(options: object, wanted: tuple[int, ...]) -> None:
    assert near(pixel(ask("adjust", png(4, 4, (100, 150, 200)), options)), wanted)


def test_adjust_keeps_alpha_and_blur_fades_the_edges() -> None:
    clear = ask("adjust", png(4, 4, (100, 150, 200, 90)), {"invert": 1})
    blurred = ask("adjust", png(40, 40), {"blur": 4})

    assert near(pixel(clear), (155, 105, 55, 90))
    assert near(pixel(blurred, 20, 20), (255, 0, 0, 255))
    assert pixel(blurred, 0, 20)[:3] == RED
    assert 100 < pixel(blurred, 0, 20)[3] < 160


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, f"name at least one of {', '.join(NEUTRAL)}"),
        ({"blur": "2px"}, "blur must be a number"),
        ({"brightness": math.nan}, "brightness must be a number"),
        ({"contrast": -1}, "contrast must not be negative"),
        ({"blur": 512.1}, "blur may be at most 512 pixels"),
        ({"blur": 1e6}, "blur may be at most 512 pixels"),
    ],
)  # fmt: skip
def test_adjust_refuses_in_the_reference_s_words(options: object, message: str) -> None:
    assert refusal("adjust", png(), options) == f"image.adjust: {message}"


def test_the_largest_blur_and_the_largest_picture_are_done() -> None:
    largest = encoded(Image.new("L", (8192, MAX_IMAGE_PIXELS // 8192)), "PNG")

    assert decoded(ask("adjust", png(), {"blur": 512})).size == (8, 6)
    assert decoded(ask("adjust", largest, {"blur": 20})).size == (8192, 4096)


@pytest.mark.parametrize("deviation", [3, 7.9, 16, 40])
def test_a_blur_spreads_by_its_standard_deviation(deviation: float) -> None:
    # the edge between transparent and opaque becomes the Gaussian's integral: 16 % at one deviation outside
    size = 400
    picture = Image.new("RGBA", (size, size))
    picture.paste((255, 0, 0, 255), (size // 2, 0, size, size))
    blurred = ask("adjust", encoded(picture, "PNG"), {"blur": deviation})
    alpha = [
        pixel(blurred, round(size / 2 + offset * deviation), size // 2)[3] / 255 for offset in (-1, 0, 1)
    ]

    assert alpha == pytest.approx([0.16, 0.5, 0.84], abs=0.08)


def _blended(mode: str, below: tuple[int, ...], above: tuple[int, ...]) -> tuple[int, ...]:
    return pixel(ask("composite", png(2, 2, below), [{"image": png(2, 2, above), "blendMode": mode}]))


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [
        # one opaque colour on another: (200, 100, 50) on (100, 150, 250)
        ("source-over", (200, 100, 50, 255)),
        ("destination-over", (100, 150, 250, 255)),
        ("source-in", (200, 100, 50, 255)),
        ("source-out", (0, 0, 0, 0)),
        ("source-atop", (200, 100, 50, 255)),
        ("destination-in", (100, 150, 250, 255)),
        ("destination-out", (0, 0, 0, 0)),
        ("destination-atop", (100, 150, 250, 255)),
        ("lighter", (255, 250, 255, 255)),
        ("copy", (200, 100, 50, 255)),
        ("xor", (0, 0, 0, 0)),
        ("multiply", (78, 59, 49, 255)),
        ("screen", (222, 191, 251, 255)),
        ("overlay", (157, 127, 247, 255)),
        ("darken", (100, 100, 50, 255)),
        ("lighten", (200, 150, 250, 255)),
        ("color-dodge", (255, 247, 255, 255)),
        ("color-burn", (57, 0, 230, 255)),
        ("hard-light", (189, 118, 98, 255)),
        ("soft-light", (134, 137, 247, 255)),
        ("difference", (100, 50, 200, 255)),
        ("exclusion", (143, 132, 202, 255)),
    ],
)
def test_composite_mixes_by_the_formulas_of_w3c_compositing(mode: str, wanted: tuple[int, ...]) -> None:
    assert near(_blended(mode, (100, 150, 250), (200, 100, 50)), wanted)


@pytest.mark.parametrize("mode", ["hue", "saturation", "color", "luminosity"])
def test_the_modes_that_mix_all_channels_keep_what_they_name(mode: str) -> None:
    def luma(color: tuple[int, ...]) -> float:
        return 0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]

    below, above = (100, 150, 250), (200, 100, 50)
    kept = above if mode == "luminosity" else below
    assert abs(luma(_blended(mode, below, above)) - luma(kept)) < 2


def test_there_are_all_26_modes_and_each_is_right_about_transparency() -> None:
    assert len(MODES) == 26
    for mode in MODES - {"source-in", "source-out", "destination-in", "destination-atop", "copy"}:
        assert _blended(mode, (10, 20, 30, 255), (0, 0, 0, 0)) == (10, 20, 30, 255), mode


def test_layers_are_placed_scaled_and_faded() -> None:
    layer = {"image": png(2, 2, BLUE), "x": 4, "y": -1, "width": 4, "height": 4, "opacity": 0.5}
    made = ask("composite", png(8, 6), [layer])

    assert pixel(made, 0, 0)[:3] == RED
    assert near(pixel(made, 6, 1), (127, 0, 128, 255))
    assert pixel(made, 6, 4)[:3] == RED


def test_composite_takes_as_many_layers_as_allowed_and_no_more() -> None:
    layer = {"image": png(1, 1)}

    assert decoded(ask("composite", png(), [layer] * MAX_IMAGE_LAYERS)).size == (8, 6)
    assert refusal("composite", png(), [layer] * (MAX_IMAGE_LAYERS + 1)) == (
        "image.composite: at most 64 layers per call"
    )
    assert refusal("composite", png(), "layer") == "image.composite: layers must be an array"
    assert refusal("composite", png(), [None]).startswith("image.composite: layer 0: image must be")
    assert "blendMode" in refusal("composite", png(), [{"image": png(), "blendMode": "burn"}])
    assert "no edge" in refusal("composite", png(), [{"image": png(), "width": 20_000}])


@pytest.mark.parametrize("kind", ["png", "jpeg", "jpg", "webp", "avif", "JPEG", " png "])
def test_convert_writes_every_format(kind: str) -> None:
    data = ask("convert", png(), {"format": kind})

    assert ask("info", data)["format"] == kind.strip().lower().replace("jpg", "jpeg")


def test_jpeg_fills_what_is_transparent_with_white_or_the_background() -> None:
    clear = png(8, 8, (0, 0, 0, 0))

    assert near(pixel(ask("convert", clear, {"format": "jpeg"}))[:3], (255, 255, 255))
    assert near(pixel(ask("convert", clear, {"format": "jpeg", "background": "blue"}))[:3], BLUE, 4)
    assert near(
        pixel(ask("convert", clear, {"format": "jpeg", "background": "transparent"}))[:3], (255, 255, 255)
    )


def test_quality_is_clamped_and_a_bad_one_is_the_default() -> None:
    noise = encoded(Image.effect_noise((64, 64), 90).convert("RGB"), "PNG")
    sizes = [
        len(ask("convert", noise, {"format": "jpeg", "quality": quality}))
        for quality in (-5, 0, 0.5, 0.92, "high", UNDEFINED, 1, 99)
    ]

    assert sizes[0] == sizes[1] < sizes[2] < sizes[3] == sizes[4] == sizes[5] < sizes[6] == sizes[7]


def test_stats_of_two_halves() -> None:
    found = ask("stats", encoded(two_colors(8, 6), "PNG"))

    assert (found["width"], found["height"], found["pixels"], found["opaque"]) == (8, 6, 48, True)
    assert found["channels"]["r"] == {"mean": 127.5, "min": 0, "max": 255}
    assert found["luminance"] == pytest.approx((0.299 * 255 + 0.114 * 255) / 2)


def test_blank_pad_and_grid() -> None:
    store = Store(256 * MIB)
    blank = ask("blank", 4, 3, {"color": "rgb(0 0 255 / 50%)"}, store=store)
    padded = ask("pad", png(4, 4), {"all": 1, "left": 3, "color": "blue"})
    sheet = ask(
        "grid", [png(4, 4), png(2, 2, BLUE), png(2, 2)], {"columns": 2, "gap": 2, "background": "lime"}
    )

    assert pixel(ask("bytes", blank, store=store)) == (0, 0, 255, 128)
    assert decoded(padded).size == (8, 6)
    assert (pixel(padded, 2, 2)[:3], pixel(padded, 3, 1)[:3]) == (BLUE, RED)
    assert decoded(sheet).size == (10, 10)
    assert [pixel(sheet, *at)[:3] for at in ((0, 0), (6, 0), (7, 1), (9, 9))] == [
        RED, (0, 255, 0), BLUE, (0, 255, 0),
    ]  # fmt: skip
    assert refusal("grid", []) == "image.grid: pass an array of images"
    assert refusal("grid", [png()] * 65) == "image.grid: at most 64 images per call"
    assert refusal("pad", png(), {"top": -1}) == "image.pad: top, right, bottom and left must not be negative"
    assert refusal("blank", "a", 1) == "image.blank: width and height must be positive numbers"


def test_bytes_give_bytes_and_handles_give_handles_unless_told_otherwise() -> None:
    store = Store(256 * MIB)
    handle = ask("open", png(8, 6), store=store)
    smaller = ask("resize", handle, {"width": 4}, store=store)

    assert handle == {"uri": "sandbox://media/1", "mimeType": "image/png", "width": 8, "height": 6}
    assert smaller == {"uri": "sandbox://media/2", "mimeType": "image/png", "width": 4, "height": 3}
    assert isinstance(ask("flip", handle, {"as": "bytes"}, store=store), bytes)
    assert ask("flip", png(), {"as": "handle"}, store=store)["uri"] == "sandbox://media/3"
    data = ask("bytes", smaller, store=store)
    assert decoded(data).size == (4, 3)
    assert ask("byteLength", smaller, store=store) == len(data)
    assert ask("info", smaller, store=store)["byteLength"] == len(data)


def test_a_handle_that_was_opened_gives_back_the_very_same_bytes() -> None:
    store = Store(256 * MIB)
    data = encoded(plain(), "GIF")

    assert ask("bytes", ask("open", data, store=store), store=store) == data


@pytest.mark.parametrize(
    "handle",
    [{"uri": "sandbox://media/1"}, {"uri": "file:///etc/hostname"}, {"uri": "x" * 10_000}, {"uri": ""}],
)
def test_a_handle_that_is_none_of_this_run_is_refused(handle: dict[str, str]) -> None:
    for operation in ("info", "bytes", "decode", "resize", "release", "byteLength", "stats"):
        message = refusal(operation, handle, {"width": 1})
        assert "there is no picture" in message
        assert len(message) < 200


def test_a_released_handle_is_gone_and_its_room_is_free() -> None:
    store = Store(4 * MIB)
    for _ in range(10):
        ask("release", ask("blank", 1000, 1000, store=store), store=store)
    handle = ask("blank", 1, 1, store=store)
    ask("release", handle, store=store)

    assert "there is no picture" in refusal("bytes", handle, store=store)


def test_the_budget_holds_so_many_bytes_and_not_one_more() -> None:
    data = encoded(Image.effect_noise((300, 300), 90), "PNG")
    store = Store(2 * len(data))
    ask("open", data, store=store)
    ask("open", data, store=store)

    assert refusal("open", data, store=store) == (
        f"image.open: the pictures of this run exceed {2 * len(data)} bytes (run_media_bytes); "
        "image.release(handle) gives back what is not needed any more"
    )
    tight = Store(2 * len(data) - 1)
    ask("open", data, store=tight)
    assert "run_media_bytes" in refusal("open", data, store=tight)


def test_short_of_room_pixels_become_bytes_and_stay_the_same_picture() -> None:
    store = Store(3 * MIB)
    handles = [ask("blank", 500, 500, {"color": color}, store=store) for color in ("red", "blue") * 10]

    assert [pixel(ask("bytes", each, store=store))[:3] for each in handles[:2]] == [RED, BLUE]
    assert ask("stats", handles[1], store=store)["channels"]["b"]["mean"] == 255


def test_a_worker_that_comes_after_another_gives_handles_of_its_own() -> None:
    first = ask("blank", 1, 1, store=Store(MIB))
    later = Store(MIB, 1)

    assert ask("blank", 1, 1, store=later)["uri"] == "sandbox://media/1-1"
    assert "there is no picture" in refusal("bytes", first, store=later)


@pytest.mark.parametrize("operation", sorted(set(OPERATIONS) - {"encode", "blank", "grid"}))
@pytest.mark.parametrize(
    "value", [UNDEFINED, None, 1, "text", True, [], {}, {"uri": 1}, [1, 2, 3], math.nan], ids=repr
)
def test_what_is_no_picture_is_refused_by_every_operation(operation: str, value: object) -> None:
    arguments = [{"width": 1, "blur": 1}]
    if operation == "rotate":
        message = refusal(operation, value, 1)
    elif operation == "composite":
        message = refusal(operation, value, [])
    else:
        message = refusal(operation, value, *arguments)
    assert message.startswith(f"image.{operation}: ")
