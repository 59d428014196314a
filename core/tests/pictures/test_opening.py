"""Bytes of a guest before a decoder sees them: formats, headers, limits, damage."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import pytest
from nodetool_sandbox.limits import (
    MAX_IMAGE_DIMENSION,
    MAX_IMAGE_FRAMES,
    MAX_IMAGE_INPUT_BYTES,
    MAX_IMAGE_PIXELS,
)
from nodetool_sandbox.pictures import opening
from nodetool_sandbox.pictures.formats import Format, sniff
from nodetool_sandbox.pictures.opening import open_image, read_size
from nodetool_sandbox_registry.hosts import HostCallError
from pictures.samples import (
    BLUE,
    RED,
    animation,
    chunk,
    encoded,
    gif_of_frames,
    plain,
    png,
    png_of,
    two_colors,
    webp_of,
)
from PIL import Image

OP = "image.info"
WHOLE = {kind: encoded(plain(), kind) for kind in ("PNG", "JPEG", "GIF", "BMP", "WEBP", "AVIF")}


def refusal(data: bytes) -> str:
    with pytest.raises(HostCallError) as refused:
        open_image(OP, data)
    return refused.value.message


def outcome(data: bytes) -> tuple[int, int] | str:
    try:
        return open_image(OP, data)[0].size
    except HostCallError as refused:
        return refused.message


@pytest.mark.parametrize("kind", WHOLE)
def test_every_documented_format_is_read(kind: str) -> None:
    image, found = open_image(OP, WHOLE[kind])

    assert found == kind.lower()
    assert (image.size, image.mode) == ((8, 6), "RGB")
    assert read_size(OP, WHOLE[kind]) == (8, 6, found)
    assert all(abs(a - b) < 8 for a, b in zip(image.getpixel((3, 3)), RED, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "svg"),
        (b"\xef\xbb\xbf  <?xml version='1.0'?>\n<!-- x --><svg>", "svg"),
        (b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg><image href='file:///etc/hostname'/></svg>", "svg"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "heic"),
        (b"II*\0\x08\0\0\0", "unknown"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "unknown"),
        (b"8BPS\0\x01", "unknown"),
        (b"icns\0\0\0\x10", "unknown"),
        (b"SIMPLE  =", "unknown"),
        (b"\0\0\x01\0\x01\0", "unknown"),
        (b"P6 1 1 255 abc", "unknown"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "unknown"),
        (b"not a picture", "unknown"),
        (b"\0", "unknown"),
    ],
    ids=str,
)
def test_other_formats_are_named_and_meet_no_decoder(
    data: bytes, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("a decoder saw it"))

    assert refusal(data).startswith(f"image.info: could not decode the image ({kind}) \u2014 ")


def test_the_magic_decides_and_one_decoder_alone_is_asked() -> None:
    assert sniff(WHOLE["JPEG"]) is Format.JPEG
    mislabelled = WHOLE["PNG"][:8] + WHOLE["JPEG"]

    assert refusal(mislabelled) == "image.info: could not decode the image (png) \u2014 the header is damaged"


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.95])
def test_a_picture_that_is_cut_off_is_refused(kind: str, part: float) -> None:
    noise = Image.effect_noise((64, 64), 60).convert("RGB")
    data = encoded(noise, kind)
    message = refusal(data[: max(12, int(len(data) * part))])

    assert message.startswith("image.info: could not decode the image (")
    assert "0x" not in message
    assert "BytesIO" not in message


def test_no_bytes_and_too_many_bytes_are_refused_before_anything_else() -> None:
    picture = png()
    padded = picture + bytes(MAX_IMAGE_INPUT_BYTES - len(picture))

    assert refusal(b"") == "image.info: image bytes are empty"
    assert open_image(OP, padded)[0].size == (8, 6)
    assert refusal(padded + b"\0") == "image.info: image exceeds the 26214400 byte limit"


@pytest.mark.parametrize("width", [MAX_IMAGE_DIMENSION, MAX_IMAGE_DIMENSION + 1])
@pytest.mark.parametrize("make", [png_of, webp_of])
def test_the_longest_edge_is_read_from_the_header(width: int, make: object) -> None:
    assert callable(make)
    data = make(width, 1)
    if width > MAX_IMAGE_DIMENSION:
        assert refusal(data) == "image.info: no edge may exceed 16384 pixels"
    else:
        assert "no edge" not in refusal(data)  # within the limit, and its body is missing


def test_pixels_are_counted_from_the_header() -> None:
    width = 8192
    height = MAX_IMAGE_PIXELS // width

    assert read_size(OP, png_of(width, height))[:2] == (width, height)
    assert refusal(png_of(width, height + 1)) == "image.info: 8192x4097 exceeds the 33554432 pixel limit"


@pytest.mark.parametrize(
    "data",
    [
        png_of(65_535, 65_535, data=b"x" * 100),
        png_of(2**31 - 1, 2**31 - 1),
        webp_of(16_384, 16_384),
        b"GIF89a" + struct.pack("<HHBBB", 65_535, 65_535, 0, 0, 0) + b";",
        b"BM" + struct.pack("<IHHI", 100, 0, 0, 54) + struct.pack("<IiiHH6I", 40, 30_000, 30_000, 1, 24, *[0] * 6),
        encoded(plain(), "JPEG").replace(struct.pack(">HH", 6, 8), struct.pack(">HH", 65_000, 65_000)),
    ],
    ids=["png", "png largest", "webp", "gif", "bmp", "jpeg"],
)  # fmt: skip
def test_a_bomb_is_refused_by_its_header_and_no_pixel_is_made(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("new", "fill"):
        monkeypatch.setattr(f"PIL.Image.core.{name}", lambda *_: pytest.fail("pixels were made"))

    assert "limit" in (message := refusal(data)) or "no edge may exceed" in message


@pytest.mark.parametrize("make", [gif_of_frames, lambda count: webp_of(8, 8, count)], ids=["gif", "webp"])
def test_frames_are_counted_without_a_decoder(make: object) -> None:
    assert callable(make)
    too_many = f"image.info: the image has more than {MAX_IMAGE_FRAMES} frames"

    assert refusal(make(MAX_IMAGE_FRAMES + 1)) == too_many
    assert refusal(make(100_000)) == too_many
    if make is gif_of_frames:
        assert open_image(OP, make(MAX_IMAGE_FRAMES))[0].size == (1, 1)


def test_an_animated_png_says_its_frames_in_its_header() -> None:
    def animated(count: int) -> bytes:
        return png_of(1, 1, chunk(b"acTL", struct.pack(">II", count, 0)), data=b"\0\xff\0\0")

    assert open_image(OP, animated(1))[0].size == (1, 1)
    assert "frames" in refusal(animated(MAX_IMAGE_FRAMES + 1))


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "AVIF"])
def test_of_an_animation_the_first_frame_counts(kind: str) -> None:
    image, _ = open_image(OP, animation(kind, [RED, BLUE, RED]))

    assert image.size == (8, 6)
    pixel = image.convert("RGB").getpixel((2, 2))
    assert isinstance(pixel, tuple)
    assert (pixel[0] > 200, pixel[2] < 60) == (True, True)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied_and_the_header_tells_the_same_size(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(two_colors(8, 6), "JPEG", exif=exif, quality=95)
    image, _ = open_image(OP, data)

    assert image.size == ((8, 6) if orientation < 5 else (6, 8))
    assert read_size(OP, data)[:2] == image.size
    # where the red half is after each of the eight
    red_at = {1: (0, 0), 2: (7, 0), 3: (7, 5), 4: (0, 5), 5: (0, 0), 6: (5, 0), 7: (5, 7), 8: (0, 7)}[
        orientation
    ]
    pixel = image.getpixel(red_at)
    assert isinstance(pixel, tuple)
    assert (pixel[0] > 150, pixel[2] < 100) == (True, True)


def test_damaged_and_huge_exif_is_no_reason_to_refuse_the_pixels() -> None:
    for exif in (b"Exif\0\0MM\0*garbage", b"Exif\0\0" + b"\xff" * 60_000):
        assert open_image(OP, encoded(plain(), "JPEG", exif=exif))[0].size == (8, 6)
    huge = chunk(b"eXIf", b"MM\0*\0\0\0\x08" + b"\xee" * 10_000_000)
    assert open_image(OP, png_of(1, 1, huge, data=b"\0\xff\0\0"))[0].size == (1, 1)


def test_a_huge_colour_profile_and_compressed_text_are_not_unpacked() -> None:
    bomb = zlib.compress(bytes(200_000_000), 9)
    profile = chunk(b"iCCP", b"x\0\0" + bomb)
    text = chunk(b"zTXt", b"x\0\0" + bomb)
    for each in (profile, text):
        data = png_of(1, 1, each, data=b"\0\xff\0\0")
        assert outcome(data) in {
            (1, 1),
            "image.info: could not decode the image (png) \u2014 the data is damaged",
        }
    assert open_image(OP, encoded(plain(), "JPEG", icc_profile=bytes(3_000_000)))[0].size == (8, 6)


def cmyk() -> bytes:
    return encoded(Image.new("CMYK", (4, 4), (0, 255, 255, 0)), "JPEG", quality=95)


def sixteen_bit_gray() -> bytes:
    return png_of(2, 1, bits=16, color=0, data=b"\0" + struct.pack(">HH", 0xFFFF, 0x8080))


def sixteen_bit_rgb() -> bytes:
    return png_of(1, 1, bits=16, color=2, data=b"\0" + struct.pack(">HHH", 0xFFFF, 0x8080, 0))


def palette_with_transparency() -> bytes:
    image = Image.new("P", (2, 1))
    image.putpalette([255, 0, 0, 0, 0, 255])
    image.putpixel((1, 0), 1)
    return encoded(image, "PNG", transparency=b"\x80\xff")


def palette_index_out_of_range() -> bytes:
    return png_of(2, 1, chunk(b"PLTE", b"\xff\0\0"), color=3, data=b"\0\0\x09")


def color_key() -> bytes:
    return png_of(1, 1, chunk(b"tRNS", struct.pack(">HHH", 255, 0, 0)), color=2, data=b"\0\xff\0\0")


def one_bit() -> bytes:
    return encoded(Image.new("1", (2, 2), 1), "PNG")


def gray_alpha() -> bytes:
    return encoded(Image.new("LA", (2, 2), (128, 64)), "PNG")


@pytest.mark.parametrize(
    ("data", "mode", "pixel"),
    [
        (cmyk(), "RGB", (255, 0, 0)),
        (sixteen_bit_gray(), "RGB", (255, 255, 255)),
        (sixteen_bit_rgb(), "RGB", (255, 128, 0)),
        (palette_with_transparency(), "RGBA", (255, 0, 0, 128)),
        (palette_index_out_of_range(), "RGB", (255, 0, 0)),
        (color_key(), "RGBA", (255, 0, 0, 0)),
        (one_bit(), "RGB", (255, 255, 255)),
        (gray_alpha(), "RGBA", (128, 128, 128, 64)),
    ],
    ids="cmyk gray16 rgb16 palette out-of-range key bit gray-alpha".split(),
)
def test_every_kind_of_pixel_becomes_rgb_or_rgba(data: bytes, mode: str, pixel: tuple[int, ...]) -> None:
    image, _ = open_image(OP, data)
    found = image.getpixel((0, 0))

    assert image.mode == mode
    assert isinstance(found, tuple)
    assert all(abs(a - b) <= 3 for a, b in zip(found, pixel, strict=True)), found


@pytest.fixture
def opened_files() -> Iterator[list[str]]:
    import sys  # noqa: PLC0415 - the hook lives as long as the process

    seen: list[str] = []
    is_on = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event == "open":
            seen.append(str(arguments[0]))

    sys.addaudithook(hook)
    yield seen
    is_on = False


def test_no_file_is_opened_for_what_a_picture_says(opened_files: list[str]) -> None:
    for data in WHOLE.values():
        open_image(OP, data)
    opened_files.clear()
    for data in (*WHOLE.values(), b"<svg><image href='file:///etc/hostname'/></svg>"):
        try:
            opening.open_image(OP, data)
        except HostCallError:
            continue
    assert opened_files == []
