"""A thousand that wait, loops that spin, and small ones that must get through."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox.threads import MAX_GUEST_THREADS
from runs import left_clean, until

WAITING = 1_000
SPINNING = 64
SMALL = 100


@pytest.mark.slow
def test_small_runs_finish_while_a_thousand_wait_and_many_spin() -> None:
    """The small ones end first: what waits and what spins is still there when they are done."""

    async def main() -> None:
        sandbox = Sandbox()
        let_go, stop = asyncio.Event(), Cancel()

        async def wait() -> int:
            await let_go.wait()
            return 1

        waiting = [
            asyncio.create_task(sandbox.run("return await wait()", globals={"wait": wait}))
            for _ in range(WAITING)
        ]
        while sum(1 for each in engine._guests.values() if each.words.pending) < WAITING:  # noqa: ASYNC110 - a guest's words tell nobody of a change
            await asyncio.sleep(0.01)
        spinning = [
            asyncio.create_task(sandbox.run("for (;;) {}", cancel=stop, limits=Limits(timeout_ms=3_600_000)))
            for _ in range(SPINNING)
        ]
        small = await asyncio.gather(*(sandbox.run("return 1") for _ in range(SMALL)))
        assert [each.value for each in small] == [1] * SMALL
        assert not any(each.done() for each in itertools.chain(waiting, spinning))
        stop.cancel()
        assert {each.ended for each in await asyncio.gather(*spinning)} == {Ended.CANCELLED}
        let_go.set()
        assert [each.value for each in await asyncio.gather(*waiting)] == [1] * WAITING

    with left_clean():
        asyncio.run(main())
    until(lambda: not engine._guests, "every guest is closed")


@pytest.mark.slow
def test_more_loops_than_threads_all_run_out_of_time() -> None:
    async def main() -> list[RunResult]:
        sandbox = Sandbox()
        limits = Limits(timeout_ms=200)
        return await asyncio.gather(
            *(sandbox.run("for (;;) {}", limits=limits) for _ in range(MAX_GUEST_THREADS + 20))
        )

    with left_clean():
        assert {each.ended for each in asyncio.run(main())} == {Ended.TIMEOUT}


def test_the_loop_goes_on_while_guests_compute() -> None:
    async def main() -> int:
        turns = 0
        stop = Cancel()
        spinning = [
            asyncio.create_task(Sandbox().run("for (;;) {}", cancel=stop, limits=Limits(timeout_ms=60_000)))
            for _ in range(8)
        ]
        for _ in range(200):
            await asyncio.sleep(0)
            turns += 1
        assert not any(each.done() for each in spinning)
        stop.cancel()
        await asyncio.gather(*spinning)
        return turns

    with left_clean():
        assert asyncio.run(main()) == 200


def test_fifty_equal_programs_at_once_give_fifty_equal_results() -> None:
    async def main() -> list[RunResult]:
        sandbox = Sandbox()
        code = "let s = 0; for (let i = 0; i < 1e5; i++) s += i; await sleep(1); return [s, await f(s)]"
        return await asyncio.gather(*(sandbox.run(code, globals={"f": lambda s: s + 1}) for _ in range(50)))

    with left_clean():
        results = asyncio.run(main())
    assert {str(each.value) for each in results} == {"[4999950000, 4999950001]"}
    assert len({each.usage.steps for each in results}) == 1
