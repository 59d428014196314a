"""`image.*` as a program finds it, in a run that was given it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from nodetool_sandbox import Cancel, Ended, Image, Limits, RunResult, Sandbox
from nodetool_sandbox.pictures.power import IMAGE_CALLS, IMAGE_CALLS_NOW
from pictures.samples import RED, decoded, png
from runs import left_clean

SANDBOX = Sandbox(image=Image())
INPUTS = {"inputs": {"png": png(8, 6)}}


def run(code: str, **given: Any) -> RunResult:  # noqa: ANN401 - what `run_sync` takes
    return SANDBOX.run_sync(code, globals=INPUTS, **given)


def value(code: str, **given: Any) -> Any:  # noqa: ANN401
    result = run(code, **given)
    assert result.success, result.error
    return result.value


def test_bytes_go_in_and_bytes_come_out_as_in_the_reference() -> None:
    data = value("return await image.resize(inputs.png, { width: 4 })")

    assert isinstance(data, bytes)
    assert decoded(data).size == (4, 3)


def test_a_handle_tells_what_it_stands_for_and_its_length_is_that_of_its_bytes() -> None:
    found = value("""
        const handle = await image.flip(await image.open(inputs.png));
        const before = Object.getOwnPropertyDescriptor(handle, "byteLength").get !== undefined;
        const bytes = await image.bytes(handle);
        return [handle, Object.keys(handle), before, bytes.length === handle.byteLength, JSON.stringify(handle)]
    """)
    handle = found[0]

    assert found[1:4] == [["uri", "mimeType", "byteLength", "width", "height"], True, True]
    assert handle["mimeType"] == "image/png"
    assert (handle["width"], handle["height"]) == (8, 6)
    assert found[4] == (
        '{"uri":"sandbox://media/2","mimeType":"image/png",'
        f'"byteLength":{handle["byteLength"]},"width":8,"height":6}}'
    )


def test_a_handle_is_worth_its_uri_alone() -> None:
    assert value("return (await image.info({ uri: (await image.open(inputs.png)).uri })).width") == 8


@pytest.mark.parametrize(
    "picture",
    [
        "inputs.png.buffer",
        "new DataView(inputs.png.buffer)",
        "[...inputs.png]",
        "{ length: inputs.png.length, ...inputs.png }",
        "new Uint8Array([0, ...inputs.png]).subarray(1)",
        "new Uint16Array(inputs.png.slice(0, inputs.png.length & ~1).buffer)",
    ],
)
def test_whatever_holds_the_bytes_is_taken(picture: str) -> None:
    assert value(f"return (await image.info({picture})).width") == 8


def test_every_operation_is_there_and_is_a_promise() -> None:
    names = value("return Object.keys(image)")

    assert sorted(names) == sorted(IMAGE_CALLS)
    assert value("return Object.values(image).every((f) => typeof f === 'function' && f.name in image)")
    assert value("const p = image.info(1); p.catch(() => {}); return p instanceof Promise")
    assert IMAGE_CALLS_NOW == ("byteLength",)


def test_errors_are_the_program_s_own_with_its_line() -> None:
    result = run(
        "try { await image.crop(inputs.png, { x: 9 }) } catch (e) { console.log(e.message) }\nawait image.decode('x')"
    )

    assert result.logs == ("image.crop: rectangle -1x6+9+0 falls outside the 8x6 image",)
    assert result.error is not None
    assert (
        result.error.message == "image.decode: image must be a Uint8Array of encoded image bytes, or a handle"
    )
    assert result.error.line == 2


def test_pictures_of_one_run_are_unknown_to_every_other() -> None:
    async def both() -> list[RunResult]:
        code = """
            const mine = await image.blank(size, size);
            await sleep(100);
            const seen = [];
            for (const n of [1, 2, 3]) {
              try { seen.push((await image.info({ uri: `sandbox://media/${n}` })).width) } catch { seen.push(null) }
            }
            return seen
        """
        return await asyncio.gather(*(SANDBOX.run(code, globals={"size": size}) for size in (1, 2, 3, 4)))

    assert [each.value for each in asyncio.run(both())] == [[size, None, None] for size in (1, 2, 3, 4)]


def test_calls_are_done_in_the_order_in_which_they_were_made() -> None:
    code = (
        "return (await Promise.all([1, 2, 3, 4].map((n) => image.blank(n, n)))).map((h) => [h.width, h.uri])"
    )

    assert value(code) == [[n, f"sandbox://media/{n}"] for n in (1, 2, 3, 4)]


def test_the_budget_of_a_run_names_its_limit() -> None:
    code = """
        const noise = await image.encode(
            { width: 400, height: 400, pixels: crypto_like(640000) }, { as: "handle" });
        for (let n = 0; ; n++) { try { await image.flip(noise) } catch (e) { return [n, e.message] } }
        function crypto_like(n) { return Uint8Array.from({ length: n }, (_, i) => Math.imul(i, 2654435761) >>> 11) }
    """
    few = value(code, limits=Limits(run_media_bytes=2**20))
    more = value(code, limits=Limits(run_media_bytes=2**22))

    assert few[0] < more[0]
    assert "exceed 1048576 bytes (run_media_bytes)" in few[1]


def test_a_cancelled_run_leaves_no_worker_behind() -> None:
    code = "const a = await image.blank(4000, 4000); for (;;) await image.adjust(a, { blur: 7 })"

    async def cancelled() -> RunResult:
        cancel = Cancel()
        asyncio.get_running_loop().call_later(0.5, cancel.cancel)
        return await SANDBOX.run(code, cancel=cancel)

    with left_clean():
        assert asyncio.run(cancelled()).ended is Ended.CANCELLED


def test_a_run_ends_at_its_deadline_whatever_its_worker_does() -> None:
    code = """
        const a = await image.blank(5000, 5000);
        for (;;) await image.composite(a, [{ image: a, blendMode: 'hue' }])
    """

    assert run(code, limits=Limits(timeout_ms=600)).ended is Ended.TIMEOUT


def test_what_a_held_run_asks_for_is_performed_by_whoever_holds_it() -> None:
    async def held() -> object:
        execution = await SANDBOX.start("return (await image.info(inputs.png)).height", globals=INPUTS)
        assert not isinstance(execution, RunResult)
        async with execution:
            (call,) = execution.calls
            assert call.name == "image.info"
            await execution.resume({call.id: await execution.perform(call)})
            assert execution.result is not None
            return execution.result.value

    assert asyncio.run(held()) == 6


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "nodetool_sandbox.pictures.power.find_spec", lambda name: None if name == "PIL" else name
    )

    with pytest.raises(ImportError, match=r"PIL.*pip install 'nodetool-sandbox\[image\]'"):
        Image()


def test_the_pixels_are_what_they_were() -> None:
    pixels = value("return (await image.decode(inputs.png)).pixels")

    assert pixels == bytes((*RED, 255)) * 48
