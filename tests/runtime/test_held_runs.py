"""A run that somebody holds: its calls are answered in any order, wrongly, late, twice or never."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from itertools import permutations

import pytest
from nodetool_sandbox import CallOutcome, Cancel, Ended, Execution, Limits, MarshalError, RunResult, Sandbox
from runs import left_clean

THREE = """const all = await Promise.allSettled([f('a'), f('b'), f('c')]);
return all.map(r => r.value ?? r.reason.message)"""


def unused(*_: object) -> None:
    """A function that is there to be called and answered by whoever holds the run."""
    raise AssertionError("held calls are performed by nobody")


def hold(
    code: str,
    then: Callable[[Execution], Awaitable[object]],
    given: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> RunResult:
    """Start a program, do `then` with it, close it; its result."""

    async def main() -> RunResult:
        held = await Sandbox().start(
            code, globals=given if given is not None else {"f": unused}, limits=limits
        )
        assert isinstance(held, Execution)
        async with held:
            await then(held)
        assert held.result is not None
        return held.result

    with left_clean():
        return asyncio.run(main())


def test_a_run_is_held_at_its_first_unanswered_calls() -> None:
    async def then(held: Execution) -> None:
        assert held.result is None
        assert [(call.name, call.arguments, call.line) for call in held.calls] == [
            ("f", [each], 1) for each in "abc"
        ]
        await held.resume({call.id: call.arguments[0] for call in held.calls})

    assert hold(THREE, then).value == ["a", "b", "c"]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_answers_may_come_in_any_order(order: tuple[int, ...]) -> None:
    async def then(held: Execution) -> None:
        calls = held.calls
        for place in order:
            assert held.result is None
            await held.resume({calls[place].id: place})

    assert hold(THREE, then).value == [0, 1, 2]


def test_an_exception_is_an_answer() -> None:
    async def then(held: Execution) -> None:
        first, second, third = held.calls
        await held.resume({first.id: ValueError("no"), second.id: None, third.id: 3})

    result = hold(THREE.replace("r.value ??", "'value' in r ? r.value :"), then)
    assert result.value == ["no", None, 3]
    assert [each.outcome for each in result.calls] == [CallOutcome.FAILED, CallOutcome.OK, CallOutcome.OK]


def test_a_second_answer_is_refused_and_changes_nothing() -> None:
    async def then(held: Execution) -> None:
        first, second, third = held.calls
        await held.resume({first.id: 1})
        with pytest.raises(KeyError):
            await held.resume({first.id: "again", second.id: "lost"})
        assert held.calls == (second, third)
        await held.resume({second.id: 2, third.id: 3})

    assert hold(THREE, then).value == [1, 2, 3]


@pytest.mark.parametrize("number", [0, -1, 4, 2**40])
def test_an_answer_to_nothing_is_refused(number: int) -> None:
    async def then(held: Execution) -> None:
        with pytest.raises(KeyError):
            await held.resume({number: 1})
        await held.resume({call.id: 1 for call in held.calls})

    assert hold(THREE, then).value == [1, 1, 1]


def test_a_value_that_cannot_cross_is_refused_and_nothing_is_answered() -> None:
    async def then(held: Execution) -> None:
        first, second, third = held.calls
        with pytest.raises(MarshalError, match="f"):
            await held.resume({first.id: 1, second.id: object()})
        assert held.calls == (first, second, third)
        await held.resume({first.id: 1, second.id: 2, third.id: 3})

    assert hold(THREE, then).value == [1, 2, 3]


def test_an_answer_after_the_end_is_refused() -> None:
    async def then(held: Execution) -> None:
        first, second = held.calls
        await held.resume({first.id: "first"})
        assert held.result is not None
        with pytest.raises(KeyError):
            await held.resume({second.id: "late"})

    result = hold("const first = f(1); f(2); return await first", then)
    assert (result.value, [each.outcome for each in result.calls]) == (
        "first",
        [CallOutcome.OK, CallOutcome.UNANSWERED],
    )


def test_calls_that_are_never_answered_end_with_the_run() -> None:
    async def main() -> Execution:
        held = await Sandbox().start(THREE, globals={"f": unused})
        assert isinstance(held, Execution)
        async with held:
            assert len(held.calls) == 3
        return held

    with left_clean():
        assert asyncio.run(main()).result is None


def test_perform_does_what_run_would_do() -> None:
    async def double(n: int) -> int:
        return n * 2

    def fails() -> None:
        raise ValueError("no")

    async def then(held: Execution) -> None:
        while held.result is None:
            call = held.calls[0]
            await held.resume({call.id: await held.perform(call)})

    code = """const out = [await double(2)];
    try { await fails() } catch (e) { out.push(e.message) }
    await sleep(1);
    return out"""
    result = hold(code, then, given={"double": double, "fails": fails})
    assert result.value == [4, "no"]
    assert [(each.name, each.outcome) for each in result.calls] == [
        ("double", CallOutcome.OK),
        ("fails", CallOutcome.FAILED),
        ("sleep", CallOutcome.OK),
    ]


def test_time_stands_still_while_a_run_is_held() -> None:
    async def then(held: Execution) -> None:
        await asyncio.sleep(0.3)  # six times the run's own time-out
        await held.resume({held.calls[0].id: 1})

    assert hold("return await f()", then, limits=Limits(timeout_ms=50)).value == 1


def test_a_held_run_that_computes_too_long_runs_out_of_time() -> None:
    async def then(held: Execution) -> None:
        await held.resume({held.calls[0].id: 1})

    assert hold("await f(); for (;;) {}", then, limits=Limits(timeout_ms=50)).ended is Ended.TIMEOUT


def test_a_run_that_waits_for_nothing_after_its_answers_is_a_deadlock() -> None:
    async def then(held: Execution) -> None:
        await held.resume({held.calls[0].id: 1})

    assert hold("await f(); await new Promise(() => {})", then).ended is Ended.DEADLOCK


@pytest.mark.parametrize("code", ["return 1", "throw 1", "await new Promise(() => {})", "let ="])
def test_a_run_without_calls_is_over_when_it_is_started(code: str) -> None:
    async def main() -> RunResult:
        held = await Sandbox().start(code)
        assert isinstance(held, Execution)
        async with held:
            assert held.calls == ()
            assert held.result is not None
            return held.result

    assert asyncio.run(main()).ended in (Ended.OK, Ended.FAILED, Ended.DEADLOCK)


def test_a_program_that_never_begins_is_a_result() -> None:
    cancelled = Cancel()
    cancelled.cancel()

    async def main() -> list[object]:
        sandbox = Sandbox()
        return [
            await sandbox.start(" "),
            await sandbox.start("import 'x'"),
            await sandbox.start("return 1", cancel=cancelled),
        ]

    found = asyncio.run(main())
    assert all(isinstance(each, RunResult) for each in found)
    assert [each.ended for each in found if isinstance(each, RunResult)] == [
        Ended.FAILED,
        Ended.FAILED,
        Ended.CANCELLED,
    ]


def test_a_held_run_can_be_cancelled() -> None:
    async def main() -> RunResult:
        cancel = Cancel()
        held = await Sandbox().start(THREE, globals={"f": unused}, cancel=cancel)
        assert isinstance(held, Execution)
        async with held:
            cancel.cancel()
            await held.resume({held.calls[0].id: 1})
            assert held.result is not None
            return held.result

    with left_clean():
        assert asyncio.run(main()).ended is Ended.CANCELLED


def test_many_held_runs_share_a_loop() -> None:
    async def main() -> list[object]:
        sandbox = Sandbox()
        held = [await sandbox.start(f"return await f({n})", globals={"f": unused}) for n in range(50)]
        results = []
        for each in reversed(held):
            assert isinstance(each, Execution)
            async with each:
                await each.resume({each.calls[0].id: each.calls[0].arguments[0]})
                assert each.result is not None
                results.append(each.result.value)
        return results

    with left_clean():
        assert asyncio.run(main()) == list(reversed(range(50)))
