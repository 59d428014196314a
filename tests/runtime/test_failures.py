"""What a failed run still tells: where it failed, what it logged, what it took, which calls it made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from nodetool_sandbox import CallOutcome, Cancel, Ended, Limits, RunResult
from runs import failure, run, value


def at(code: str, **given: object) -> tuple[int | None, int | None]:
    error = failure(code, **given)  # type: ignore[arg-type]
    return error.line, error.column


async def never() -> None:
    await asyncio.Event().wait()


def boom() -> None:
    raise ValueError("bad")


# ---- positions, in the program as it was written

POSITIONS = [
    ("throw new Error('x')", (1, 11)),
    ("\n\n  null.x", (3, 8)),
    ("const ok = 1;\nlet x = ;", (2, 9)),
    ("const a = 1;\nawait sleep(1);\n  missing()", (3, 3)),
    ("async function deep() { await sleep(1);\n throw new TypeError('d') }\nawait deep()", (2, 12)),
    ("const f = () => {\n  throw new Error('inner')\n};\nf()", (2, 18)),
    ("await boom()", (1, 11)),
    ("try { await boom() } catch (e) { throw e }", (1, 17)),
    ("'é€😀'; null.x", (1, 13)),
]


@pytest.mark.parametrize(("code", "position"), POSITIONS)
def test_an_error_names_the_programs_own_line(code: str, position: tuple[int, int]) -> None:
    line, column = at(code, globals={"boom": boom})
    assert line == position[0]
    assert column is not None
    assert 1 <= column <= len(code.split("\n")[line - 1]) + 1


@pytest.mark.parametrize(("code", "position"), POSITIONS)
def test_lines_above_move_an_error_by_as_many_lines(code: str, position: tuple[int, int]) -> None:
    line, column = at("\n" * 7 + code, globals={"boom": boom})
    assert (line, column) == (position[0] + 7, at(code, globals={"boom": boom})[1])


def test_a_program_that_ends_too_soon_names_its_last_line() -> None:
    assert at("const a = [\n1,\n2")[0] == 3


def test_the_stack_speaks_of_the_program_alone() -> None:
    error = failure("const f = () => { throw new Error('x') };\n\nf()")
    assert "user-code:1:" in error.stack
    assert "user-code:3:" in error.stack
    assert all("user-code" in line for line in error.stack.splitlines())


def test_the_stack_that_a_program_sees_has_its_own_lines_too() -> None:
    stack = value("try {\n\n  null.x } catch (e) { return e.stack }")
    assert isinstance(stack, str)
    assert "user-code:3:" in stack


@pytest.mark.parametrize("limits", [Limits(timeout_ms=50), Limits(max_steps=100_000)], ids=["time", "steps"])
@pytest.mark.parametrize(
    "loop", ["for (;;) { Math.sqrt(a) }", "while (true) {}", "for (;;) [1].map(() => a)"]
)
def test_a_loop_that_is_cut_says_where_it_was(loop: str, limits: Limits) -> None:
    assert at(f"const a = 1;\n{loop}", limits=limits)[0] == 2


def test_a_wait_that_runs_out_of_time_names_the_call_and_its_place() -> None:
    error = failure("const a = 1;\n\nawait never()", globals={"never": never}, limits=Limits(timeout_ms=30))
    assert error.name == "ExecutionTimeout"
    assert error.message == "Execution timed out after 30 ms, waiting for never"
    assert error.line == 3


def test_many_waiting_calls_are_named_up_to_five() -> None:
    def waiting() -> Callable[[], Awaitable[None]]:
        async def wait() -> None:
            await never()

        return wait

    names: dict[str, object] = {f"wait{n}": waiting() for n in range(7)}
    calls = ", ".join(f"{each}()" for each in names)
    message = failure(f"await Promise.all([{calls}])", globals=names, limits=Limits(timeout_ms=30)).message
    assert message.endswith("waiting for wait0, wait1, wait2, wait3, wait4 and others")


# ---- what a failed result holds

BEFORE = "console.log('before'); await good(); try { await boom() } catch {} never();"


@pytest.mark.parametrize(
    ("code", "ended", "limits"),
    [
        (BEFORE + "throw new Error('x')", Ended.FAILED, Limits()),
        (BEFORE + "await never()", Ended.TIMEOUT, Limits(timeout_ms=100)),
        (BEFORE + "for (;;) {}", Ended.TIMEOUT, Limits(timeout_ms=100)),
        (BEFORE + "for (;;) {}", Ended.STEPS, Limits(max_steps=1_000_000)),
        (BEFORE + "new Uint8Array(1e9)", Ended.FAILED, Limits()),
        (BEFORE + "stop(); await never()", Ended.CANCELLED, Limits()),
    ],
    ids=["throw", "waiting", "computing", "steps", "memory", "cancel"],
)
def test_logs_usage_and_calls_survive_a_bad_end(code: str, ended: Ended, limits: Limits) -> None:
    cancel = Cancel()
    given = {"good": lambda: 1, "boom": boom, "never": never, "stop": cancel.cancel}
    result = run(code, globals=given, limits=limits, cancel=cancel)
    assert result.ended is ended
    assert result.value is None
    assert result.error is not None
    assert result.logs[0] == "before"
    outcomes = [(each.name, each.outcome) for each in result.calls]
    assert outcomes[:2] == [("good", CallOutcome.OK), ("boom", CallOutcome.FAILED)]
    assert ("never", CallOutcome.UNANSWERED) in outcomes
    assert result.usage.host_calls == len(result.calls)
    assert result.usage.peak_heap_bytes > 0
    assert result.usage.wall_ms >= result.usage.cpu_ms / 2 > 0


def test_a_call_record_says_where_it_was_made_and_what_crossed() -> None:
    [record] = run("\n  await good('four')", globals={"good": lambda text: text * 2}).calls
    assert (record.name, record.line, record.outcome) == ("good", 2, CallOutcome.OK)
    assert record.bytes_out == len("fourfour") + 1
    assert record.bytes_in > len("four")
    assert record.started_ms >= 0
    assert record.ms >= 0


@pytest.mark.parametrize("ended", [each for each in Ended if each is not Ended.OK])
def test_only_ok_is_a_success(ended: Ended) -> None:
    assert RunResult(ended=Ended.OK).success
    assert not RunResult(ended=ended).success


# ---- unhandled rejections


@pytest.mark.parametrize(
    ("code", "count", "words"),
    [
        ("Promise.reject(new Error('lost')); return 1", 1, "lost"),
        ("(async () => { throw new TypeError('gone') })(); await sleep(1); return 1", 1, "gone"),
        ("(async () => { throw Object.create(null) })(); await sleep(1); return 1", 1, ""),
        ("for (let i = 0; i < 3; i++) Promise.reject(i); return 1", 3, ""),
        ("Promise.reject(1).catch(() => {}); return 1", 0, ""),
        ("const p = Promise.reject(1); await sleep(1); p.catch(() => {}); await sleep(1); return 1", 0, ""),
        ("boom(); await sleep(20); return 1", 1, "bad"),
        ("queueMicrotask(() => { throw new Error('micro') }); await sleep(1); return 1", 1, "micro"),
    ],
)
def test_an_unhandled_rejection_is_a_warning_and_a_number(code: str, count: int, words: str) -> None:
    result = run(code, globals={"boom": boom})
    assert (result.ended, result.value, result.usage.unhandled_rejections) == (Ended.OK, 1, count)
    assert len(result.logs) == count
    assert all(line.startswith("[warn] ") for line in result.logs)
    assert words in "".join(result.logs)


def test_rejections_past_those_that_are_remembered_are_still_counted() -> None:
    assert run("for (let i = 0; i < 1000; i++) Promise.reject(i)").usage.unhandled_rejections == 1000


def test_the_rejection_that_ends_a_run_is_its_error_and_no_warning() -> None:
    result = run("await Promise.reject(new Error('last'))")
    assert (str(result.error), result.logs, result.usage.unhandled_rejections) == ("last", (), 0)


# ---- waiting for nothing


@pytest.mark.parametrize(
    "code",
    [
        "await new Promise(() => {})",
        "await Promise.race([])",
        "for await (const x of {[Symbol.asyncIterator]() { return {next() { return new Promise(() => {}) }} }});",
        "await sleep(1); await new Promise(() => {})",
        "await good(); await {then() {}}",
        "const never = Promise.withResolvers(); never.promise.then(never.resolve); await never.promise",
    ],
)
def test_a_program_that_waits_for_nothing_is_told_so_at_once(code: str) -> None:
    # the default time-out is 30 s: a run that sat it out would not get past the limit of a test
    result = run(code, globals={"good": lambda: 1}, limits=Limits(timeout_ms=24 * 3600 * 1000))
    assert result.ended is Ended.DEADLOCK
    assert result.error is not None
    assert (result.error.name, result.error.message) == (
        "ExecutionDeadlock",
        "The program waits for something that can never happen: no host call is unanswered and nothing is left to run",
    )


def test_a_deadlock_keeps_its_logs_and_calls() -> None:
    result = run(
        "console.log('here'); await good(); await new Promise(() => {})", globals={"good": lambda: 1}
    )
    assert (result.ended, result.logs, len(result.calls)) == (Ended.DEADLOCK, ("here",), 1)
