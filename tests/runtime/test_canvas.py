"""The canvas as a program finds it: recorded in the guest, drawn in the run's worker."""

from __future__ import annotations

import io
from typing import Any

import pytest
from nodetool_sandbox import Canvas, Image, Limits, RunResult, Sandbox
from nodetool_sandbox.limits import MAX_CANVAS_OPS
from pictures.samples import decoded, png
from PIL import Image as Pillow

SANDBOX = Sandbox(canvas=Canvas(), image=Image())
START = "const surface = createCanvas(40, 30), ctx = surface.getContext('2d');\n"


def run(code: str, **given: Any) -> RunResult:  # noqa: ANN401 - what `run_sync` takes
    return SANDBOX.run_sync(START + code, globals={"inputs": {"png": png(4, 4)}}, **given)


def value(code: str, **given: Any) -> Any:  # noqa: ANN401
    result = run(code, **given)
    assert result.success, result.error
    return result.value


def drawn(code: str) -> Pillow.Image:
    data = value(code + "\nreturn await surface.toBytes()")
    assert isinstance(data, bytes)
    return decoded(data).convert("RGBA")


def error(code: str) -> str:
    return str(value(f"try {{ {code} }} catch (e) {{ return e.message }}"))


def test_what_was_recorded_is_a_picture() -> None:
    picture = drawn("ctx.fillStyle = 'red'; ctx.fillRect(0, 0, 10, 10)")

    assert picture.size == (40, 30)
    assert picture.getpixel((5, 5)) == (255, 0, 0, 255)
    assert picture.getpixel((20, 20)) == (0, 0, 0, 0)


def test_nothing_drawn_is_nothing_but_transparent_pixels() -> None:
    assert drawn("").getextrema() == ((0, 0),) * 4


@pytest.mark.parametrize(
    ("options", "kind", "corner"),
    [
        ("{}", "PNG", (0, 0, 0, 0)),
        ("{ format: 'jpeg' }", "JPEG", (255, 255, 255, 255)),
        ("{ format: 'jpg', background: 'blue', quality: 1 }", "JPEG", (0, 0, 254, 255)),
        ("{ format: 'webp' }", "WEBP", (0, 0, 0, 0)),
        ("{ background: '#0f0' }", "PNG", (0, 255, 0, 255)),
    ],
)
def test_to_bytes_takes_format_and_background(options: str, kind: str, corner: tuple[int, ...]) -> None:
    data = value(f"return await surface.toBytes({options})")

    assert Pillow.open(io.BytesIO(data)).format == kind
    assert decoded(data).convert("RGBA").getpixel((39, 29)) == corner


def test_methods_give_the_context_and_properties_what_was_set() -> None:
    assert value("return ctx.save().translate(1, 2).beginPath().rect(0, 0, 1, 1).fill().restore() === ctx")
    assert value("return [ctx.fillStyle === undefined, (ctx.fillStyle = 'red', ctx.fillStyle)]") == [
        True,
        "red",
    ]
    assert value("ctx.lineWidth = 3; ctx.save(); ctx.lineWidth = 5; ctx.restore(); return ctx.lineWidth") == 3
    assert value("return [ctx.canvas === surface, surface.width, surface.height]") == [True, 40, 30]
    assert value("return surface.getContext() === surface.getContext('2d')")
    assert error("surface.getContext('webgl')") == 'createCanvas: only the "2d" context exists'


def test_every_method_and_property_of_the_reference_is_there() -> None:
    methods = (
        "save restore translate rotate scale transform setTransform resetTransform beginPath closePath moveTo lineTo "
        "bezierCurveTo quadraticCurveTo arc arcTo ellipse rect roundRect fill stroke clip fillRect strokeRect "
        "clearRect "
        "fillText strokeText setLineDash drawImage createLinearGradient createRadialGradient createConicGradient"
    )
    properties = (
        "fillStyle strokeStyle lineWidth lineCap lineJoin miterLimit lineDashOffset globalAlpha "
        "globalCompositeOperation filter font textAlign textBaseline direction letterSpacing imageSmoothingEnabled "
        "imageSmoothingQuality shadowColor shadowBlur shadowOffsetX shadowOffsetY"
    )
    assert value(f"return '{methods}'.split(' ').filter((name) => typeof ctx[name] !== 'function')") == []
    assert value(f"return '{properties}'.split(' ').filter((name) => !(name in ctx))") == []


def test_stops_that_are_added_after_a_gradient_was_set_still_count() -> None:
    picture = drawn("""
        const paint = ctx.createLinearGradient(0, 0, 40, 0).addColorStop(0, "red");
        ctx.fillStyle = paint;
        ctx.fillRect(0, 0, 40, 30);
        paint.addColorStop(0.1, "blue");
    """)

    assert picture.getpixel((20, 10)) == (0, 0, 255, 255)


def test_a_spec_draws_the_same_picture_again() -> None:
    drawing = """
        const paint = ctx.createRadialGradient(20, 15, 2, 20, 15, 14).addColorStop(0, "gold").addColorStop(1, "#00f8");
        ctx.fillStyle = paint; ctx.font = "bold 12px Arimo"; ctx.setLineDash([3, 2]); ctx.globalAlpha = 0.8;
        ctx.beginPath(); ctx.roundRect(2, 2, 30, 20, [3, { x: 5, y: 8 }]); ctx.arc(20, 15, 8, 0, 3, true);
        ctx.fill("evenodd"); ctx.stroke(); ctx.fillText("Ab", 5, 20, 20); ctx.imageSmoothingEnabled = false;
        ctx.drawImage(inputs.png, 30, 20); ctx.strokeText("c", 30, 10);
    """
    first, again, spec = value(
        drawing + "const spec = surface.toSpec({ format: 'png' });"
        "return [await surface.toBytes(), await canvas.render(spec), JSON.parse(JSON.stringify(spec, (k, v) => v))]"
    )

    assert first == again
    assert (spec["width"], spec["height"], spec["format"]) == (40, 30, "png")
    assert spec["ops"][0] == {"op": "set", "args": ["fillStyle", {"__nodetool_canvas_gradient__": 0}]}
    assert {"op": "set", "args": ["globalAlpha", 0.8]} in spec["ops"]


NO_GRADIENT = "canvas.render: unknown gradient reference"
NO_FORMAT = "canvas.render: format must be one of png, jpeg, webp, avif"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("null", "canvas.render: spec must be an object"),
        ("1", "canvas.render: spec must be an object"),
        ("{}", "canvas.render: ops must be an array"),
        ("{ ops: { length: 1 } }", "canvas.render: ops must be an array"),
        ("{ ops: new Array(10001) }", "canvas.render: 10001 operations exceeds the 10000 limit"),
        ("{ ops: [{ op: 'set', args: ['zoom', 1] }] }", 'canvas.render: op 0 sets unknown property "zoom"'),
        ("{ ops: [{ op: 'set', args: ['__proto__', 1] }] }", 'canvas.render: op 0 sets unknown property "__proto__"'),
        ("{ ops: [{ op: 'save' }, { op: 'constructor' }] }", 'canvas.render: op 1 calls unknown method "constructor"'),
        ("{ ops: [null] }", 'canvas.render: op 0 calls unknown method "undefined"'),
        ("{ ops: [{ op: 'drawImage', args: [] }] }", "canvas.render: op 0 has no image"),
        ("{ ops: [{ op: 'set', args: ['fillStyle', { __nodetool_canvas_gradient__: 3 }] }] }", NO_GRADIENT),
        ("{ gradients: [{}], ops: [] }", NO_GRADIENT),
        ("{ ops: [] }", "canvas.render: width and height must be positive numbers"),
        ("{ width: -1, height: 5, ops: [] }", "canvas.render: width and height must be positive numbers"),
        ("{ width: 20000, height: 5, ops: [] }", "canvas.render: no edge may exceed 16384 pixels"),
        ("{ width: 16384, height: 4096, ops: [] }", "canvas.render: 16384x4096 exceeds the 33554432 pixel limit"),
        ("{ width: 5, height: 5, ops: [], format: 'gif' }", NO_FORMAT),
    ],
)  # fmt: skip
def test_render_refuses_in_the_reference_s_words(spec: str, message: str) -> None:
    assert error(f"return await canvas.render({spec})") == message


def test_as_many_operations_as_allowed_are_drawn_and_the_count_is_told_beyond() -> None:
    most = f"for (let i = 0; i < {MAX_CANVAS_OPS}; i++) ctx.fillRect(i % 40, 0, 1, 1);"

    assert drawn(most).getpixel((39, 0)) == (0, 0, 0, 255)
    assert error(most + "ctx.save(); await surface.toBytes()") == (
        "canvas.render: 10001 operations exceeds the 10000 limit"
    )
    assert "20000 operations exceeds" in error(most + most + "surface.toSpec()")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("ctx.drawImage('x', 0, 0)", "drawImage: the image must be encoded bytes or a handle"),
        ("ctx.drawImage(surface, 0, 0)", "a surface is drawn with what its toBytes() gives"),
        ("ctx.createPattern(inputs.png, 'twice')", 'createPattern: "twice" is no repetition'),
        ("ctx.arc(0, 0, -1, 0, 1)", "arc: the radius -1 is negative"),
        ("ctx.roundRect(0, 0, 1, 1, [1, 2, 3, 4, 5])", "roundRect: 5 radii, not 1 to 4"),
        ("ctx.createLinearGradient(0, 0, 1, 1).addColorStop(2, 'red')", "the offset 2 is not between 0 and 1"),
        ("ctx.setLineDash(Array(1001).fill(1))", "setLineDash: at most 1000 segments"),
        ("ctx.putImageData({}, 0, 0)", "putImageData: the first argument must be an ImageData"),
        ("ctx.getImageData(0, 0, 0, 1)", "getImageData: width and height must be 1 to 16384"),
        ("ctx.getImageData(0, 0, 4097, 2049)", "getImageData: 4097x2049 exceeds the 8388608 pixel limit"),
        ("new Path2D().addPath({})", "addPath: the first argument must be a Path2D"),
        ("await canvas.measureText(7)", "canvas.measureText: text must be a string"),
        ("ctx.drawImage(new Uint8Array(5), 0, 0); await surface.toBytes()", "could not decode the image (unknown)"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_by_name(code: str, message: str) -> None:
    assert message in error(code)


def test_text_is_measured_as_it_is_drawn() -> None:
    measured = value("""
        ctx.font = "40px Arimo";
        const words = ctx.measureText("AVA");
        ctx.letterSpacing = "10px";
        const apart = ctx.measureText("AVA");
        ctx.textAlign = "center";
        const same = await canvas.measureText("AVA", "40px Arimo");
        const left = ctx.measureText("A").actualBoundingBoxLeft;
        return [words, apart.width - words.width, same, ctx.measureText("").width, left]
    """)
    words, apart, same, empty, centred = measured

    assert words == same
    assert set(words) == {
        "width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "actualBoundingBoxAscent",
        "actualBoundingBoxDescent", "fontBoundingBoxAscent", "fontBoundingBoxDescent",
    }  # fmt: skip
    assert words["width"] == pytest.approx(74.1, abs=0.3)  # kerned; its letters alone are 80 wide
    assert apart == pytest.approx(30, abs=0.1)
    assert empty == 0
    assert centred > 10


def test_pixels_are_read_back_and_written() -> None:
    found = value("""
        ctx.fillStyle = "rgb(10 20 30)";
        ctx.fillRect(0, 0, 5, 5);
        const read = ctx.getImageData(4, 4, 2, 2);
        read.data[0] = 200;
        ctx.translate(7, 7); ctx.globalAlpha = 0.1;  // neither counts for pixels
        ctx.putImageData(read, 20, 20);
        const again = ctx.getImageData(20, 20, 2, 1);
        const outside = ctx.getImageData(-1, -1, 2, 2);
        return [[...read.data.slice(0, 8)], [...again.data], [...outside.data.slice(12)], read instanceof ImageData]
    """)

    assert found == [[200, 20, 30, 255, 0, 0, 0, 0], [200, 20, 30, 255, 0, 0, 0, 0], [10, 20, 30, 255], True]


def test_a_surface_may_become_a_handle_and_a_handle_be_drawn() -> None:
    found = value("""
        ctx.fillStyle = "red"; ctx.fillRect(0, 0, 40, 30);
        const handle = await surface.toBytes({ as: "handle" });
        const half = await image.resize(handle, { width: 20 });
        const other = createCanvas(30, 30);
        other.getContext("2d").drawImage(half, 5, 5);
        return [handle.byteLength > 0, half.width, await other.toBytes()]
    """)

    assert found[:2] == [True, 20]
    assert decoded(found[2]).convert("RGBA").getpixel((10, 10)) == (255, 0, 0, 255)


def test_a_canvas_alone_needs_no_image_power() -> None:
    result = Sandbox(canvas=Canvas()).run_sync(
        "return [typeof image, (await createCanvas(2, 2).toBytes({ as: 'handle' })).byteLength > 0]"
    )

    assert result.value == ["undefined", True]


def test_replaced_intrinsics_change_nothing() -> None:
    picture = drawn("""
        Array.prototype[Symbol.iterator] = Array.prototype.map = Array.prototype.slice = Array.from = () => { throw 1 };
        Object.defineProperty = Object.create = Reflect.apply = RegExp.prototype.exec = () => { throw 2 };
        Float64Array.prototype.set = Object.getPrototypeOf(Uint8Array.prototype).set = () => { throw 3 };
        ctx.fillStyle = "lime";
        for (let i = 0; i < 100; i++) ctx.fillRect(0, 0, 40, 30);
        ctx.fill(new Path2D("M0 0h10v10z"));
        ctx.fillText("a", 0, 0, 5);
        ctx.setTransform({ a: 2 });
    """)

    assert picture.getpixel((30, 20)) == (0, 255, 0, 255)


def test_fonts_of_the_embedder_are_known_and_a_missing_one_is_told_at_once(tmp_path: Any) -> None:  # noqa: ANN401
    from nodetool_sandbox.pictures.canvas.fonts import bundled_fonts  # noqa: PLC0415

    mono = bundled_fonts()["Roboto Mono", False]
    width = "return (await canvas.measureText('iiii', '20px Brand')).width"
    branded = Sandbox(canvas=Canvas(fonts={"Brand": mono})).run_sync(width)
    plain = Sandbox(canvas=Canvas()).run_sync(width)

    assert branded.value == pytest.approx(48, abs=0.1)
    assert plain.value == pytest.approx(17.8, abs=0.1)
    with pytest.raises(FileNotFoundError):
        Canvas(fonts={"Brand": tmp_path / "none.ttf"})


def test_fonts_of_the_machine_are_used_on_request_alone() -> None:
    assert (
        Sandbox(canvas=Canvas(system_fonts=True))
        .run_sync("return (await canvas.measureText('abc', '20px No Such Font, sans-serif')).width")
        .value
        == Sandbox(canvas=Canvas())
        .run_sync("return (await canvas.measureText('abc', '20px sans-serif')).width")
        .value
    )


def test_a_drawing_that_takes_longer_than_its_run_is_ended() -> None:
    result = run(
        """
        const wall = createCanvas(8192, 4096), wide = wall.getContext("2d");
        wide.shadowColor = "red"; wide.shadowBlur = 400;
        for (let i = 0; i < 5000; i++) wide.fillRect(i, 0, 4000, 4000);
        return await wall.toBytes()
        """,
        limits=Limits(timeout_ms=1500),
    )

    assert result.ended == "timeout"


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "nodetool_sandbox.pictures.power.find_spec", lambda name: None if name == "skia" else name
    )

    with pytest.raises(ImportError, match=r"skia.*pip install 'nodetool-sandbox\[canvas\]'"):
        Canvas()
