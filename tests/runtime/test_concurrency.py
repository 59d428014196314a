"""Host calls begin when they are made and go on side by side."""

from __future__ import annotations

import asyncio
import threading

import pytest
from nodetool_sandbox import Ended, Limits, Sandbox
from nodetool_sandbox.limits import MAX_PARALLEL_MAP_CONCURRENCY
from runs import run, value


class Meeting:
    """A function of the caller that returns once `size` calls of it are under way, and counts."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.inside = 0
        self.most = 0
        self._all_there: asyncio.Event | None = None

    async def __call__(self, answer: object = None) -> object:
        self._all_there = self._all_there or asyncio.Event()
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside >= self.size:
            self._all_there.set()
        await self._all_there.wait()
        self.inside -= 1
        return answer


def test_five_calls_under_promise_all_are_under_way_at_once() -> None:
    meet = Meeting(5)
    assert value("return await Promise.all([1,2,3,4,5].map(n => meet(n)))", globals={"meet": meet}) == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert meet.most == 5


def test_a_call_begins_when_it_is_made_and_not_when_it_is_awaited() -> None:
    meet = Meeting(2)
    assert value(
        "const a = meet(1); const b = meet(2); return [await a, await b]", globals={"meet": meet}
    ) == [1, 2]


def test_plain_functions_run_side_by_side_on_threads() -> None:
    barrier = threading.Barrier(4)

    def meet() -> int:
        barrier.wait(timeout=20)
        return 1

    code = "return (await Promise.all([meet(), meet(), meet(), meet()])).length"
    assert value(code, globals={"meet": meet}) == 4


def test_sleeps_overlap() -> None:
    code = """
    const order = [];
    await Promise.all([sleep(150).then(() => order.push("long")), sleep(1).then(() => order.push("short"))]);
    return order"""
    assert value(code) == ["short", "long"]


def test_all_settled_tells_both_ends_apart() -> None:
    def fails() -> None:
        raise ValueError("no")

    code = "return (await Promise.allSettled([ok(), fails()])).map(r => r.status + ':' + (r.value ?? r.reason.message))"
    assert value(code, globals={"ok": lambda: 1, "fails": fails}) == ["fulfilled:1", "rejected:no"]


def test_race_takes_the_faster_one() -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    assert (
        value(
            "return await Promise.race([never(), quick()])",
            globals={"never": never, "quick": lambda: "quick"},
        )
        == "quick"
    )


@pytest.mark.parametrize("width", [1, 2, 3])
def test_parallel_map_keeps_the_order_and_the_width(width: int) -> None:
    meet = Meeting(width)
    code = f"return await parallelMap([10, 20, 30, 40, 50], (item, index) => meet([item, index]), {width})"
    assert value(code, globals={"meet": meet}) == [[10, 0], [20, 1], [30, 2], [40, 3], [50, 4]]
    assert meet.most == width


def test_parallel_map_runs_no_more_than_its_cap_at_once() -> None:
    code = """
    let inside = 0, most = 0;
    const work = async () => { most = Math.max(most, ++inside); await sleep(0); inside-- };
    await parallelMap(Array(100).fill(0), work, 1e9);
    return most"""
    assert value(code) == MAX_PARALLEL_MAP_CONCURRENCY


def test_parallel_map_of_nothing_is_an_empty_list() -> None:
    assert value("return await parallelMap([], x => x)") == []


def test_parallel_map_rejects_with_the_first_failure_and_starts_nothing_more() -> None:
    code = """
    let started = 0;
    const work = async n => { started++; await sleep(0); if (n === 2) throw new Error("two") };
    try { await parallelMap([1, 2, 3, 4, 5, 6], work, 2) }
    catch (e) { await sleep(20); return [e.message, started] }"""
    found = value(code)
    assert isinstance(found, list)
    assert found[0] == "two"
    assert found[1] < 6


@pytest.mark.parametrize("code", ["parallelMap([1], 'x')", "parallelMap([1])", "parallelMap([1], null)"])
def test_parallel_map_needs_a_function(code: str) -> None:
    assert value(f"try {{ await {code} }} catch (e) {{ return [e.name, e.message] }}") == [
        "TypeError",
        "parallelMap: fn must be a function",
    ]


def test_two_runs_on_one_loop_do_not_wait_for_each_other() -> None:
    async def both() -> list[object]:
        sandbox = Sandbox()
        meet = Meeting(2)
        results = await asyncio.gather(
            *(sandbox.run("return await meet(1)", globals={"meet": meet}) for _ in range(2))
        )
        return [each.value for each in results]

    assert asyncio.run(both()) == [1, 1]


def test_a_call_that_nobody_awaits_does_not_hold_up_the_end() -> None:
    cancelled: list[str] = []

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("never")
            raise

    code = "for (const f of [never, () => sleep(4000)]) f().then(() => console.log('late')); await sleep(5); return 1"
    result = run(code, globals={"never": never})
    assert (result.ended, result.value, result.logs, cancelled) == (Ended.OK, 1, (), ["never"])
    assert [str(each.outcome) for each in result.calls] == ["ok", "unanswered", "unanswered"]


def test_a_blocking_function_does_not_hold_up_the_others() -> None:
    release = threading.Event()
    code = "const slow = blocks(); const fast = await quick(); await let_go(); return [fast, await slow]"
    given = {"blocks": lambda: release.wait(20), "quick": lambda: "quick", "let_go": release.set}
    assert value(code, globals=given, limits=Limits(timeout_ms=15_000)) == ["quick", True]
