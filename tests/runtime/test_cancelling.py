"""A cancelled run, and a clock that stands still while a person is asked."""

from __future__ import annotations

import asyncio
import threading

import pytest
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox, SandboxClock
from runs import left_clean, run, until, value

MANY_MS = 24 * 3600 * 1000


def assert_cancelled(result: RunResult) -> None:
    assert result.ended is Ended.CANCELLED
    assert result.error is not None
    assert (result.error.name, str(result.error)) == ("ExecutionCancelled", "Execution cancelled")


def test_a_run_that_was_cancelled_before_never_starts() -> None:
    cancel = Cancel()
    cancel.cancel()
    result = run("return 1", cancel=cancel)
    assert_cancelled(result)
    assert (result.logs, result.usage.steps) == ((), 0)


WAITS_AND_LOOPS = [
    "at_work(); await sleep(5000)",
    "at_work(); await never()",
    "at_work(); for (;;) {}",
    "await at_work(); for (;;) {}",
    "at_work(); for (;;) await sleep(0)",
    "at_work(); try { for (;;) {} } finally { for (;;) {} }",
    "at_work(); (function f() { queueMicrotask(f) })(); await never()",
    "at_work(); JSON.stringify(Array(3e7).fill([[]]))",
    "at_work(); /(a+)+$/.test('a'.repeat(40) + 'b')",
    "at_work(); Array(2**27).join('abc').indexOf('abd')",
]


@pytest.mark.parametrize("code", WAITS_AND_LOOPS)
def test_a_cancellation_from_another_thread_ends_anything(code: str) -> None:
    """There is no other way for these to end: without the cancellation they last a day."""
    cancel = Cancel()

    async def never() -> None:
        await asyncio.Event().wait()

    def at_work() -> None:
        threading.Timer(0.02, cancel.cancel).start()

    limits = Limits(timeout_ms=MANY_MS, memory_limit_bytes=512 * 1024 * 1024)
    with left_clean():
        assert_cancelled(
            run(code, globals={"at_work": at_work, "never": never}, cancel=cancel, limits=limits)
        )
    assert value("return 1") == 1


def test_no_call_is_made_after_a_cancellation() -> None:
    cancel = Cancel()
    made: list[int] = []

    def call(number: int) -> None:
        made.append(number)
        if number == 3:
            cancel.cancel()

    assert_cancelled(run("for (let i = 0;; i++) await call(i)", globals={"call": call}, cancel=cancel))
    assert made in ([0, 1, 2, 3], [0, 1, 2, 3, 4])


def test_the_task_of_a_run_can_be_cancelled() -> None:
    ended: list[str] = []

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("never")

    async def main() -> None:
        for code in ("await never()", "never(); for (;;) {}"):
            started = asyncio.Event()
            task = asyncio.create_task(
                Sandbox().run(
                    "started(); " + code,
                    globals={"never": never, "started": started.set},
                    limits=Limits(timeout_ms=MANY_MS),
                )
            )
            await asyncio.wait_for(started.wait(), 10)
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    with left_clean():
        asyncio.run(main())
    assert ended == ["never"] * 2


def test_one_cancellation_ends_many_runs() -> None:
    async def main() -> list[RunResult]:
        cancel = Cancel()
        sandbox = Sandbox()
        runs = [asyncio.create_task(sandbox.run("await sleep(5000)", cancel=cancel)) for _ in range(20)]
        await asyncio.sleep(0.01)
        cancel.cancel()
        return await asyncio.gather(*runs)

    with left_clean():
        for each in asyncio.run(main()):
            assert_cancelled(each)


def test_a_cancellation_after_the_end_changes_nothing() -> None:
    cancel = Cancel()
    result = run("return 1", cancel=cancel)
    cancel.cancel()
    assert result.value == 1


def test_the_logs_until_a_cancellation_are_kept() -> None:
    cancel = Cancel()
    result = run(
        "console.log('here'); await stop(); for (;;) {}", globals={"stop": cancel.cancel}, cancel=cancel
    )
    assert_cancelled(result)
    assert result.logs == ("here",)


def test_nothing_runs_after_a_timeout_not_even_finally() -> None:
    called: list[object] = []
    code = "try { for (;;) {} } catch { tell('catch') } finally { tell('finally'); console.log('finally') }"
    result = run(code, globals={"tell": called.append}, limits=Limits(timeout_ms=50))
    assert (result.ended, result.logs, called) == (Ended.TIMEOUT, (), [])


def test_a_lot_of_bytes_cross_in_one_run() -> None:
    code = "let n = 0; for (let i = 0; i < 24; i++) n += await size(new Uint8Array(1024 * 1024)); return n"
    assert value(code, globals={"size": len}) == 24 * 1024 * 1024


def test_an_answer_too_large_for_the_guest_fails_that_run_alone() -> None:
    result = run(
        "return (await big()).length",
        globals={"big": lambda: bytes(16 * 1024 * 1024)},
        limits=Limits(memory_limit_bytes=8 * 1024 * 1024),
    )
    assert result.ended in (Ended.FAILED, Ended.CRASHED)
    assert result.error is not None
    assert "out of memory" in result.error.message or "sandbox" in result.error.message
    assert value("return 1") == 1


# ---- the clock


class HandClock(SandboxClock):
    """A clock whose suspended time is what the test says."""

    def __init__(self) -> None:
        super().__init__(now=lambda: self.seconds)
        self.seconds = 0.0


def test_time_that_the_clock_gives_back_is_not_charged() -> None:
    clock = HandClock()

    async def asks() -> int:
        with clock.suspend():
            clock.seconds += 1_000
            await asyncio.sleep(0.2)  # four times the time-out
        return 1

    assert (
        value("return await asks()", globals={"asks": asks}, clock=clock, limits=Limits(timeout_ms=50)) == 1
    )


def test_the_same_wait_without_a_clock_is_charged() -> None:
    async def asks() -> None:
        await asyncio.sleep(20)

    result = run("return await asks()", globals={"asks": asks}, limits=Limits(timeout_ms=50))
    assert (result.ended, result.error is not None and result.error.name) == (
        Ended.TIMEOUT,
        "ExecutionTimeout",
    )


def test_a_loop_is_stopped_at_its_running_time_whatever_was_given_back() -> None:
    clock = SandboxClock()

    async def asks() -> None:
        with clock.suspend():
            await asyncio.sleep(0.05)

    result = run(
        "await asks(); for (;;) {}", globals={"asks": asks}, clock=clock, limits=Limits(timeout_ms=100)
    )
    assert result.ended is Ended.TIMEOUT


def test_no_more_than_the_allowance_is_given_back() -> None:
    clock = HandClock()

    async def asks() -> None:
        clock.suspend()  # and nobody answers
        clock.seconds += 1_000
        await asyncio.Event().wait()

    limits = Limits(timeout_ms=30, suspend_allowance_ms=30)
    assert run("await asks()", globals={"asks": asks}, clock=clock, limits=limits).ended is Ended.TIMEOUT


def test_what_a_clock_gave_back_before_a_run_is_not_that_runs() -> None:
    clock = HandClock()
    with clock.suspend():
        clock.seconds += 1_000
    assert run("for (;;) {}", clock=clock, limits=Limits(timeout_ms=30)).ended is Ended.TIMEOUT


def test_a_clock_may_be_held_by_another_thread() -> None:
    clock = SandboxClock()
    suspended, answered = threading.Event(), threading.Event()

    def person() -> None:
        with clock.suspend():
            suspended.set()
            answered.wait(20)

    async def asks() -> str:
        threading.Thread(target=person).start()
        await asyncio.to_thread(suspended.wait, 20)
        await asyncio.sleep(0.2)
        answered.set()
        return "yes"

    assert (
        value("return await asks()", globals={"asks": asks}, clock=clock, limits=Limits(timeout_ms=100))
        == "yes"
    )
    until(lambda: clock.suspended_ms() == clock.suspended_ms(), "the clock runs again")
