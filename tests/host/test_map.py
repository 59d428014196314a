"""Many programs over an executor: lazily, in order, and whole when a worker dies."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context, resource_tracker

import pytest
from nodetool_sandbox import Ended, ImportsRefused, LimitExceeded, Limits, Program, Sandbox
from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.mapping import map_programs
from nodetool_sandbox.result import RunResult
from runs import left_clean


@pytest.fixture(autouse=True, scope="module")
def _resource_tracker() -> None:
    """What multiprocessing starts once a process and keeps is no leak."""
    resource_tracker.ensure_running()


def die() -> None:
    """Ends the process that it runs in, as the system's memory killer would."""
    os.kill(os.getpid(), signal.SIGKILL)


class Inline(Executor):
    """An executor that does its work when it is asked for it, as a cluster's stand-in."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(  # type: ignore[override]
        self, fn: Callable[..., RunResult], /, *args: object, **kwargs: object
    ) -> Future[RunResult]:
        self.submitted += 1
        future: Future[RunResult] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - what an executor does
            future.set_exception(error)
        return future


def counted(taken: list[int]) -> Iterator[str]:
    for n in itertools.count():
        taken.append(n)
        yield f"return {n}"


def test_results_come_in_the_order_of_their_programs() -> None:
    # the first takes longest
    programs = [
        "let s = 0; for (let i = 0; i < 3e6; i++) s += i; return 0",
        *(f"return {n}" for n in range(1, 40)),
    ]
    assert [each.value for each in Sandbox().map(programs)] == list(range(40))


def test_each_program_has_its_own_result_and_limits() -> None:
    programs: list[str | Program] = [
        "return 1",
        Program("throw new Error('x')"),
        Program("for (;;) {}", limits=Limits(timeout_ms=50)),
        Program("return inputs.n", globals={"inputs": {"n": 4}}),
        "await new Promise(() => {})",
        Program("import 'nope'"),
        "",
    ]
    ended = [each.ended for each in Sandbox().map(programs)]
    assert ended == [
        Ended.OK,
        Ended.FAILED,
        Ended.TIMEOUT,
        Ended.OK,
        Ended.DEADLOCK,
        Ended.FAILED,
        Ended.FAILED,
    ]


def test_the_limits_of_the_sandbox_cross() -> None:
    [result] = Sandbox(limits=Limits(max_steps=50_000)).map(["for (;;) {}"])
    assert (result.ended, result.usage.steps) == (Ended.STEPS, 50_000)


def test_values_of_every_kind_come_back_from_another_process() -> None:
    code = """return [undefined, null, 10n, new Date(NaN), new Map([[1, {a: 2}]]), new Set([1]),
        new Uint8Array([1]), NaN, "\ud800"]"""
    sandbox = Sandbox()
    [mapped] = sandbox.map([code])
    assert repr(mapped.value) == repr(sandbox.run_sync(code).value)


@pytest.mark.slow
def test_a_worker_that_dies_costs_its_own_program_alone() -> None:
    programs = [
        Program("await die(); return 'survived'", globals={"die": die})
        if n in (3, 17)
        else Program(f"return {n}")
        for n in range(30)
    ]
    results = list(Sandbox().map(programs))
    assert [each.value for each in results] == [None if n in (3, 17) else n for n in range(30)]
    for n in (3, 17):
        error = results[n].error
        assert results[n].ended is Ended.CRASHED
        assert error is not None
        assert (error.name, error.message) == (
            "WorkerDied",
            "the worker process that ran this program died, and again when it was run alone",
        )


def test_programs_are_taken_no_further_than_the_window() -> None:
    taken: list[int] = []
    with ThreadPoolExecutor(2) as executor:
        results = Sandbox().map(counted(taken), executor=executor, window=5)
        assert taken == []
        for n in range(20):
            assert next(results).value == n
            assert len(taken) <= n + 1 + 5
        results.close()  # type: ignore[attr-defined]


def test_an_endless_list_of_programs_is_taken_lazily_by_the_default_pool() -> None:
    taken: list[int] = []
    results = Sandbox().map(counted(taken), window=3)
    assert [next(results).value for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 3


def test_closing_ends_what_is_under_way_and_leaves_nothing() -> None:
    day = Limits(timeout_ms=24 * 3600 * 1000)
    loops: Iterator[str | Program] = itertools.repeat(Program("for (;;) {}", limits=day))
    programs = itertools.chain(["return 1"], loops)
    with left_clean():
        results = Sandbox().map(programs)
        assert next(results).value == 1
        results.close()  # type: ignore[attr-defined]


def test_closing_ends_the_runs_of_a_pool_of_threads() -> None:
    day = Limits(timeout_ms=24 * 3600 * 1000)
    programs: list[str | Program] = ["return 1", *[Program("for (;;) {}", limits=day)] * 5]
    with left_clean(), ThreadPoolExecutor(3) as executor:
        results = Sandbox().map(programs, executor=executor)
        assert next(results).value == 1
        results.close()  # type: ignore[attr-defined]


def test_many_tiny_programs_pass_through_a_small_window() -> None:
    most = 0
    taken: list[int] = []
    with ThreadPoolExecutor(4) as executor:
        for n, result in enumerate(
            Sandbox().map(itertools.islice(counted(taken), 2_000), executor=executor, window=8)
        ):
            assert result.value == n
            most = max(most, len(taken) - n)
    assert len(taken) == 2_000
    assert most <= 9


def test_any_executor_will_do() -> None:
    inline = Inline()
    assert [each.value for each in Sandbox().map(["return 1", "return 2"], executor=inline, window=1)] == [
        1,
        2,
    ]
    assert inline.submitted == 2


def test_an_executor_of_the_caller_stays_open() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        for _ in range(2):
            assert [each.value for each in Sandbox().map(["return 1"], executor=executor)] == [1]


def test_a_broken_executor_of_the_caller_fails_what_was_under_way_and_then_says_so() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        endless = itertools.repeat(Program("await die()", globals={"die": die}))
        results = Sandbox().map(endless, executor=executor, window=2)
        first = next(results)
        assert first.ended is Ended.CRASHED
        assert "executor broke" in str(first.error)
        with pytest.raises(BrokenExecutor):
            for _ in results:
                pass


def test_an_empty_list_has_no_results() -> None:
    assert list(Sandbox().map([])) == []


def test_functions_and_sinks_work_on_threads() -> None:
    lines: list[str] = []
    state: dict[str, object] = {}
    sandbox = Sandbox(on_log=lambda _, text: lines.append(text))
    with ThreadPoolExecutor(1) as executor:
        program = Program("console.log('l'); state.x = await f()", globals={"f": lambda: 1, "state": state})
        assert [each.ended for each in sandbox.map([program], executor=executor)] == [Ended.OK]
    assert (lines, state) == (["l"], {"x": 1})


# ---- mistakes


@pytest.mark.parametrize(
    ("sandbox", "names"),
    [
        (Sandbox(on_log=print), "on_log="),
        (Sandbox(on_progress=print), "on_progress="),
        (Sandbox(hosts={}), "hosts="),
        (Sandbox(on_log=print, hosts={}), "hosts=, on_log="),
    ],
    ids=["on_log", "on_progress", "hosts", "two"],
)
def test_what_no_other_process_can_have_is_refused_by_name(sandbox: Sandbox, names: str) -> None:
    with pytest.raises(TypeError, match=f"Sandbox\\({names}...\\) cannot go to another process"):
        sandbox.map(["return 1"])


def test_a_wrong_argument_is_raised_at_the_place_of_its_program() -> None:
    programs: list[Program | str] = ["return 1", Program("return 1", modules=["no-such-pack"]), "return 3"]
    results = Sandbox().map(programs)
    assert next(results).value == 1
    with pytest.raises(ImportsRefused) as raised:
        next(results)
    assert "program number 1" in str(raised.value.__notes__)
    assert "no-such-pack" in str(raised.value)
    assert len(raised.value.refusals) == 1


def test_an_exceeded_limit_keeps_its_fields_on_the_way_back() -> None:
    program = Program("return 1", globals={"a": 1, "b": 2}, limits=Limits(max_globals=1))
    with pytest.raises(LimitExceeded) as raised:
        list(Sandbox().map([program]))
    assert (raised.value.limit, raised.value.allowed, raised.value.seen) == ("max_globals", 1, 2)


def test_globals_that_do_not_pickle_are_raised_too() -> None:
    with left_clean(), pytest.raises(Exception, match="pickle"):
        list(Sandbox().map([Program("return 1", globals={"f": lambda: 1})]))


@pytest.mark.parametrize("window", [0, -1, True, 1.5, "2"])
def test_a_window_must_be_a_number_above_zero(window: object) -> None:
    with pytest.raises((TypeError, ValueError), match="window must be"):
        Sandbox().map([], window=window)  # type: ignore[arg-type]


def test_what_an_iterable_of_programs_raises_is_raised() -> None:
    def programs() -> Iterator[str]:
        yield "return 1"
        raise LookupError("no more")

    with left_clean():
        results = Sandbox().map(programs(), window=1)
        assert next(results).value == 1
        with pytest.raises(LookupError, match="no more"):
            next(results)


def test_a_cancellation_reaches_only_what_shares_memory() -> None:
    cancels: list[Cancel | None] = []

    def run(_: int, cancel: Cancel | None) -> RunResult:
        cancels.append(cancel)
        return RunResult(ended=Ended.OK)

    with ThreadPoolExecutor(1) as executor:
        list(map_programs(run, [1], executor=executor, window=None))
    list(map_programs(run, [1], executor=Inline(), window=None))
    assert isinstance(cancels[0], Cancel)
    assert cancels[0].cancelled
    assert cancels[1] is None
