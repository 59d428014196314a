"""What one host call may carry, and what all of them together may."""

from __future__ import annotations

import asyncio

import pytest
from nodetool_sandbox import Ended, Limits, Sandbox
from nodetool_sandbox.host_calls import MAX_CALL_BYTES, MAX_CALL_DEPTH
from nodetool_sandbox.limits import MIB
from nodetool_sandbox.result import MAX_CALL_RECORDS
from runs import run, value

ROOM = Limits(memory_limit_bytes=512 * MIB)
AROUND = 10
"""What the wire takes beside one byte array: the list of arguments and the header of the bytes."""


def levels(given: object) -> int:
    deep = 0
    while isinstance(given, list):
        given, deep = (given[0] if given else None), deep + 1
    return deep


@pytest.mark.parametrize(("depth", "crosses"), [(MAX_CALL_DEPTH, True), (MAX_CALL_DEPTH + 1, False)])
def test_an_argument_nested_past_the_limit_is_refused(depth: int, *, crosses: bool) -> None:
    nested = f"let v = []; for (let i = 1; i < {depth}; i++) v = [v];"
    code = nested + "try { return await f(v) } catch (e) { return e.message }"
    expected = depth if crosses else f"f: a value is nested deeper than {MAX_CALL_DEPTH} levels"
    assert value(code, globals={"f": levels}) == expected


@pytest.mark.parametrize("make", ["new Uint8Array(N)", "'x'.repeat(N)"])
def test_arguments_past_the_limit_are_refused(make: str) -> None:
    code = "try { return await f(" + make + ") } catch (e) { return [e.name, e.message] }"
    fits = MAX_CALL_BYTES - AROUND
    assert value(code.replace("N", str(fits)), globals={"f": len}, limits=ROOM) == fits
    refused = value(code.replace("N", str(MAX_CALL_BYTES + 1)), globals={"f": len}, limits=ROOM)
    assert isinstance(refused, list)
    assert refused[0] in ("RangeError", "TypeError")
    assert refused[1].startswith("f: ")


def test_unanswered_calls_together_keep_no_more_than_a_guest_may() -> None:
    async def never(_: str) -> None:
        await asyncio.Event().wait()

    code = """
    const errors = [];
    for (let i = 0; i < 12; i++) never('x'.repeat(1024 * 1024)).catch(e => errors.push(e.message));
    await sleep(20);
    return errors"""
    found = value(code, globals={"never": never}, limits=Limits(memory_limit_bytes=8 * MIB))
    assert isinstance(found, list)
    assert len(found) == 12 - 7  # seven texts and their headers fit into 8 MiB
    assert f"exceed {8 * MIB:,} bytes (memory_limit_bytes)" in found[0]


def test_calls_past_those_that_are_listed_are_counted() -> None:
    result = run(f"for (let i = 0; i <= {MAX_CALL_RECORDS}; i++) await f()", globals={"f": lambda: None})
    assert result.ended is Ended.OK
    assert len(result.calls) == MAX_CALL_RECORDS
    assert result.usage.host_calls == MAX_CALL_RECORDS + 1


def test_globals_past_what_may_go_back_stay_as_they_were() -> None:
    big: dict[str, object] = {}
    small: dict[str, object] = {}
    code = "small.n = 1; big.b = new Uint8Array({n} * 1024 * 1024)"
    run(code.replace("{n}", "32"), globals={"big": big, "small": small}, limits=ROOM)
    assert (len(big["b"]), small) == (32 * MIB, {"n": 1})  # type: ignore[arg-type]
    big, small = {}, {}
    result = run(code.replace("{n}", "65"), globals={"big": big, "small": small}, limits=ROOM)
    assert (result.ended, big, small) == (Ended.OK, {}, {})
    [line] = result.logs
    assert line.startswith("[warn] the globals were not written back")


@pytest.mark.parametrize("size", [5 * MIB, 9 * MIB, 40 * MIB])
def test_an_answer_that_does_not_fit_fails_its_call_and_not_the_run(size: int) -> None:
    async def big() -> bytes:
        return bytes(size)

    async def small() -> int:
        return 1

    code = """
        const settled = await Promise.allSettled([big(), small(), big()]);
        return [...settled.map((each) => each.value ?? each.reason.message), await small()];
    """
    result = Sandbox().run_sync(
        code, globals={"big": big, "small": small}, limits=Limits(memory_limit_bytes=8 * MIB)
    )
    assert isinstance(result.value, list), result
    first, one, second, again = result.value
    assert (one, again) == (1, 1)
    assert all("out of memory" in str(each) for each in (first, second))
