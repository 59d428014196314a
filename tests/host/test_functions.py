"""Functions of the caller that raise, never return, or come back into the sandbox."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Callable

import pytest
from nodetool_sandbox import CallOutcome, Cancel, Ended, Limits, RunResult, Sandbox
from nodetool_sandbox.threads import MAX_HOST_THREADS
from processes import printed
from runs import left_clean, run, until, value

CATCHES = "try { await f() } catch (e) { return [e.name, e.message, e instanceof Error] }"


class Below(BaseException):
    """An exception that is no Exception."""


class NoText(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no text either")


ORDINARY = [
    (Exception("told"), "Exception", "told"),
    (Below("deep"), "Below", "deep"),
    (GeneratorExit(), "GeneratorExit", ""),
    (asyncio.CancelledError("by itself"), "CancelledError", "by itself"),
    (StopAsyncIteration("s"), "StopAsyncIteration", "s"),
    (MemoryError(), "MemoryError", ""),
    (RecursionError("too deep"), "RecursionError", "too deep"),
    (NoText(), "NoText", "the function failed, and its error has no text"),
    (ExceptionGroup("two", [ValueError("a"), TypeError("b")]), "ExceptionGroup", "two (2 sub-exceptions)"),
    (KeyError("key"), "KeyError", "'key'"),
    (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "UnicodeDecodeError", None),
]


def raising(error: BaseException) -> dict[str, Callable[[], object]]:
    def plain() -> None:
        raise error

    async def awaited() -> None:
        raise error

    return {"plain": plain, "awaited": awaited}


@pytest.mark.parametrize("kind", ["plain", "awaited"])
@pytest.mark.parametrize(("error", "name", "message"), ORDINARY, ids=lambda each: type(each).__name__)
def test_what_a_function_raises_is_an_error_of_the_guest(
    kind: str, error: BaseException, name: str, message: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    with left_clean():
        found = value(CATCHES, globals={"f": raising(error)[kind]})
    assert isinstance(found, list)
    assert found[0] == name
    assert found[2] is True
    assert message is None or found[1] == message
    assert "Traceback" not in str(found)
    assert not caplog.records


def test_stop_iteration_reaches_the_guest_too() -> None:
    assert value(CATCHES, globals={"f": raising(StopIteration(1))["plain"]}) == ["StopIteration", "1", True]
    # Python itself renames it where it leaves a coroutine
    assert value(CATCHES, globals={"f": raising(StopIteration(1))["awaited"]}) == [
        "RuntimeError",
        "coroutine raised StopIteration",
        True,
    ]


def test_raising_what_is_no_exception_is_a_type_error() -> None:
    def f() -> None:
        raise 5  # type: ignore[misc]  # noqa: B016 - what a careless caller does

    found = value(CATCHES, globals={"f": f})
    assert isinstance(found, list)
    assert found[0] == "TypeError"


@pytest.mark.parametrize("kind", ["plain", "awaited"])
@pytest.mark.parametrize(
    "error", [KeyboardInterrupt("stop"), SystemExit(3)], ids=lambda each: type(each).__name__
)
def test_what_ends_a_process_ends_the_run_and_reaches_the_caller(kind: str, error: BaseException) -> None:
    with left_clean():
        with pytest.raises(type(error)) as raised:
            run(
                "try { await f() } catch { return 'caught' } return 'on'", globals={"f": raising(error)[kind]}
            )
        assert raised.value is error
        assert value("return 1") == 1


def test_only_an_errors_own_text_crosses() -> None:
    def f() -> None:
        secret = "s3cr3t"
        try:
            raise ValueError(f"cause with {secret}")  # noqa: TRY301 - a cause is what is asked about
        except ValueError as cause:
            error = RuntimeError("shown")
            error.add_note(f"note with {secret}")
            error.hidden = secret  # type: ignore[attr-defined]
            raise error from cause

    code = """try { await f() } catch (e) {
        return [e.name, e.message, e.stack, JSON.stringify(e), Object.getOwnPropertyNames(e), String(e.cause)]
    }"""
    found = str(value(code, globals={"f": f}))
    assert "shown" in found
    assert "s3cr3t" not in found
    assert ".py" not in found


def test_a_very_long_error_text_fails_that_call_alone() -> None:
    error = ValueError("x" * 10_000_000)
    assert (
        value(
            "try { await f() } catch (e) { return e.message.length > 0 }",
            globals={"f": raising(error)["plain"]},
        )
        is True
    )


# ---- functions that do not return


def test_a_coroutine_that_never_ends_is_cancelled_and_awaited() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)  # tidying up takes a turn
            ended.append("tidy")
            raise

    with left_clean():
        result = run("await waits()", globals={"waits": waits}, limits=Limits(timeout_ms=50))
    assert ended == ["tidy"]
    assert result.ended is Ended.TIMEOUT
    assert "waits" in str(result.error)
    assert result.usage.abandoned_calls == 0


def test_a_coroutine_that_ignores_its_cancellation_is_left_behind_and_counted() -> None:
    async def stays() -> None:
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                continue

    result = run("await stays()", globals={"stays": stays}, limits=Limits(timeout_ms=50))
    assert (result.ended, result.usage.abandoned_calls) == (Ended.TIMEOUT, 1)
    assert value("return 1") == 1


@pytest.mark.parametrize("how", ["sleeps", "spins"])
def test_a_stuck_thread_is_counted_and_the_run_ends_anyway(how: str) -> None:
    release = threading.Event()

    def sleeps() -> None:
        release.wait(60)

    def spins() -> None:
        while not release.is_set():
            pass

    result = run(
        "await f()", globals={"f": {"sleeps": sleeps, "spins": spins}[how]}, limits=Limits(timeout_ms=100)
    )
    try:
        assert result.ended is Ended.TIMEOUT
        assert result.error is not None
        assert result.error.message.endswith("waiting for f")
        assert [each.outcome for each in result.calls] == [CallOutcome.UNANSWERED]
        assert result.usage.abandoned_calls == 1
        assert value("return await g()", globals={"g": lambda: "served"}) == "served"
    finally:
        release.set()


def test_a_function_that_holds_the_interpreter_in_c_still_times_out() -> None:
    def holds() -> object:
        return re.match(r"(a+)+$", "a" * 24 + "b")  # some 0.5 s in C that nothing can interrupt

    result = run("await holds()", globals={"holds": holds}, limits=Limits(timeout_ms=50))
    assert result.ended is Ended.TIMEOUT
    assert value("return 1") == 1


def test_stuck_threads_are_capped_and_those_past_the_cap_wait() -> None:
    release = threading.Event()
    inside: list[int] = []

    def stuck(number: int) -> int:
        inside.append(number)
        release.wait(60)
        return number

    async def main() -> list[RunResult]:
        sandbox = Sandbox()
        runs = [
            asyncio.create_task(
                sandbox.run(f"return await f({n})", globals={"f": stuck}, limits=Limits(timeout_ms=300))
            )
            for n in range(MAX_HOST_THREADS + 1)
        ]
        return await asyncio.gather(*runs)

    with left_clean():
        try:
            results = asyncio.run(main())
            assert {each.ended for each in results} == {Ended.TIMEOUT}
            assert len(inside) == MAX_HOST_THREADS
        finally:
            release.set()


def test_a_stuck_thread_does_not_hold_up_the_end_of_the_process() -> None:
    code = (
        "import time; from nodetool_sandbox import Sandbox, Limits\n"
        "r = Sandbox().run_sync('await f()', globals={'f': lambda: time.sleep(3600)}, limits=Limits(timeout_ms=50))\n"
        "print(r.ended, r.usage.abandoned_calls)"
    )
    assert printed(code) == "timeout 1\n"


# ---- re-entrancy

DEPTH = 50
NESTED = "return n ? await f(n - 1) + 1 : 0"


def test_a_function_may_run_the_sandbox_again() -> None:
    sandbox = Sandbox()

    def again(n: int) -> object:
        return sandbox.run_sync(NESTED, globals={"n": n, "f": again}).value

    with left_clean():
        assert again(DEPTH) == DEPTH


def test_a_coroutine_may_run_the_sandbox_again() -> None:
    sandbox = Sandbox()

    async def again(n: int) -> object:
        return (await sandbox.run(NESTED, globals={"n": n, "f": again})).value

    with left_clean():
        assert asyncio.run(again(DEPTH)) == DEPTH


def test_run_sync_inside_of_a_coroutine_is_refused_by_name() -> None:
    async def again() -> object:
        return Sandbox().run_sync("return 1").value

    found = value("try { await f() } catch (e) { return [e.name, e.message] }", globals={"f": again})
    assert found == ["RuntimeError", "an event loop runs in this thread: use `await sandbox.run(...)`"]


def test_a_function_of_the_guest_does_not_cross() -> None:
    given: list[object] = []

    def takes(*arguments: object) -> None:
        given.extend(arguments)

    result = run("await takes(() => 1, {f() {}, a: 1})", globals={"takes": takes})
    assert result.ended in (Ended.OK, Ended.FAILED)
    assert not any(callable(each) for each in given)


def test_a_function_may_cancel_its_own_run() -> None:
    cancel = Cancel()
    with left_clean():
        assert (
            run("await stop(); return 1", globals={"stop": cancel.cancel}, cancel=cancel).ended
            is Ended.CANCELLED
        )


def test_changing_the_globals_dict_during_a_run_changes_nothing() -> None:
    given: dict[str, object] = {"a": 1}

    def mischief() -> None:
        given.clear()
        given["b"] = 2

    given["mischief"] = mischief
    assert value("await mischief(); return [a, typeof b]", globals=given) == [1, "undefined"]


def test_changing_a_state_during_a_run_is_overwritten_whole() -> None:
    state: dict[str, object] = {"a": 1}
    value("state.c = 3; await mischief()", globals={"state": state, "mischief": lambda: state.update(b=2)})
    assert state == {"a": 1, "c": 3}


def test_an_answer_after_the_end_is_dropped_without_a_word(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    release = threading.Event()
    done = threading.Event()

    def late() -> str:
        release.wait(60)
        done.set()
        return "late"

    caplog.set_level(logging.DEBUG, "nodetool_sandbox")
    with left_clean():
        assert value("late(); return 1", globals={"late": late}) == 1
        release.set()
        until(done.is_set, "the function returns")
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert capfd.readouterr().err == ""


def test_one_sandbox_serves_runs_inside_of_runs_side_by_side() -> None:
    sandbox = Sandbox()

    async def inner(n: int) -> object:
        return (await sandbox.run(f"await sleep(1); return {n}")).value

    async def main() -> list[object]:
        code = "return await Promise.all([1,2,3,4].map(n => inner(n)))"
        return [
            each.value
            for each in await asyncio.gather(*(sandbox.run(code, globals={"inner": inner}) for _ in range(5)))
        ]

    with left_clean():
        assert asyncio.run(main()) == [[1, 2, 3, 4]] * 5
