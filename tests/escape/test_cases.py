"""Each hostile program in cases/ ends as its first line says, shows nothing of its host and leaves nothing behind.

Each is a file whose header `case_files.py` reads. With ESCAPE_ALL=1 every one of them is also cancelled, not a few.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest
from escape.case_files import Case, load_cases
from escape.fresh import run_fresh
from escape.leaks import leaks_of
from nodetool_sandbox import Cancel, Ended, Limits, RunResult
from runs import left_clean, sandbox_threads, until, value

# The runner's own watchdog: a program that needs it has escaped its limits.
pytestmark = pytest.mark.timeout(60)

CASES = load_cases()
TIMED = [case for case in CASES if case.rss_mb is None]
MEASURED = [case for case in CASES if case.rss_mb is not None]

CANCEL_MS = 100
CANCELLED_TIMEOUT_MS = 30_000
CANCELLED_ALWAYS = {
    "a_time/array_like_reverse",
    "a_time/array_like_sort",
    "a_time/array_nested_flat",
    "a_time/atomics_spin_lock",
    "a_time/bigint_at_the_limit",
    "a_time/crossing_flood_console",
    "a_time/crossing_flood_yaml",
    "a_time/host_work_base64",
    "a_time/host_work_csv_stringify_loop",
    "a_time/json_shared_tree_max_memory",
    "a_time/regexp_back_reference",
    "a_time/regexp_nested_quantifier",
    "a_time/sort_float64_at_the_ceiling",
    "a_time/string_normalize",
    "a_time/substring_split",
    "a_time/swallow_async_catch",
    "a_time/swallow_catch_finally_continue",
    "a_time/typed_array_from_array_like_at_the_ceiling",
    "b_memory/retry_after_exhaustion",
    "c_crash/recursion_json_to_json",
    "d_jobs/await_loop",
    "d_jobs/promise_constructor_hijacked",
    "d_jobs/sleep_capped",
    "e_marshal/proxy_own_keys_loops",
    "e_marshal/sync_back_proxy_loops",
    "j_modules/dynamic_text_loops",
}
CANCELLED = [
    case
    for case in CASES
    if "timeout" in case.ends and (os.environ.get("ESCAPE_ALL") or case.id in CANCELLED_ALWAYS)
]

STACKS = (16 * 1024, 8 * 1024 * 1024)
DEEP = [case for case in CASES if case.path.stem.startswith(("recursion_", "overflow_"))]


@pytest.fixture(scope="module", autouse=True)
def _process_as_before() -> Iterator[None]:
    resource_tracker.ensure_running()  # Python's own, for the fresh processes; it stays
    with left_clean():
        yield


@pytest.fixture(autouse=True)
def _secret_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESCAPE_SECRET", "hunter2-d41d8cd98f00")


def ids(case: Case) -> str:
    return case.id


@pytest.mark.parametrize("case", TIMED, ids=ids)
def test_a_hostile_program_ends_as_its_first_line_says(case: Case, request: pytest.FixtureRequest) -> None:
    open_before = descriptors_of_runs()
    result = run(case)
    if result.ended is Ended.TIMEOUT:
        overshoot = round(result.usage.wall_ms - Limits(**case.limits).timeout_ms)
        request.node.user_properties.append(("overshoot_ms", overshoot))
    assert not case.complaints(result)
    assert not leaks_of(result)
    # a thread that is bringing a file to the disk lets go of it a moment later
    until(lambda: descriptors_of_runs() == open_before, "descriptors are closed")
    assert not strange_threads()
    assert value("return 1") == 1


@pytest.mark.parametrize("case", MEASURED, ids=ids)
def test_a_hostile_program_does_not_make_its_host_grow(case: Case, request: pytest.FixtureRequest) -> None:
    grown = run_fresh(case.path)
    request.node.user_properties.append(("megabytes", round(grown.megabytes)))
    assert not case.complaints(grown.result)
    assert not leaks_of(grown.result)
    assert case.rss_mb is not None
    assert grown.megabytes < case.rss_mb


@pytest.mark.parametrize("case", CANCELLED, ids=ids)
def test_a_hostile_program_can_be_cancelled(case: Case) -> None:
    result = asyncio.run(cancelled_run(case))
    # A fast machine may be through with one that does not loop for ever.
    assert result.ended is Ended.CANCELLED or (not case.stops and not case.complaints(result))
    assert not leaks_of(result)
    assert value("return 1") == 1


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("case", DEEP, ids=ids)
def test_deep_recursion_can_be_caught_on_the_smallest_and_on_the_largest_stack(
    case: Case, stack: int
) -> None:
    result = run(case, stack_limit_bytes=stack, timeout_ms=500)
    # What does not fit on a small stack may end it there; the engine itself must end no run.
    assert result.ended in {Ended.OK, Ended.FAILED, Ended.TIMEOUT}
    assert not leaks_of(result)


@pytest.mark.parametrize("case", [case for case in CASES if case.id.startswith("c_crash/thrown_")], ids=ids)
def test_whatever_is_thrown_the_error_is_text_of_bounded_length(case: Case) -> None:
    result = run(case)
    assert result.error is not None
    assert 0 < len(str(result.error)) <= 10_000
    assert len(result.error.stack.split("\n")) <= 5


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in CASES
        if case.path.stem.startswith(("shrink_", "resize_")) and "_each_call_" not in case.id
    ],
    ids=ids,
)
def test_a_program_at_the_engines_sore_spots_ends_the_same_every_time(case: Case) -> None:
    for _ in range(5):
        assert not case.complaints(run(case))


def run(case: Case, **limits: int) -> RunResult:
    return case.sandbox().run_sync(
        case.code,
        modules=case.modules,
        globals=dict(case.caller_globals),
        limits=Limits(**{**case.limits, **limits}),
        cancel=cancelled_after(case.cancel_ms),
    )


def cancelled_after(milliseconds: int | None) -> Cancel | None:
    if milliseconds is None:
        return None
    cancel = Cancel()
    timer = threading.Timer(milliseconds / 1000, cancel.cancel)
    timer.name = "nodetool-sandbox-test-timer"
    timer.daemon = True
    timer.start()
    return cancel


async def cancelled_run(case: Case) -> RunResult:
    """The program with half a minute of time, cancelled early from the event loop that it runs on."""
    cancel = Cancel()
    asyncio.get_running_loop().call_later(CANCEL_MS / 1000, cancel.cancel)
    return await case.sandbox().run(
        case.code,
        modules=case.modules,
        globals=dict(case.caller_globals),
        limits=Limits(**{**case.limits, "timeout_ms": CANCELLED_TIMEOUT_MS}),
        cancel=cancel,
    )


def descriptors_of_runs() -> list[str]:
    """What this process has open, less what it shares with worker processes: those stay a moment longer than a run."""
    found = []
    for descriptor in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):  # the one that lists them is closed by now
            found.append(str(descriptor.readlink()))
    return sorted(
        each
        for each in found
        if not each.startswith(("pipe:", "/dev/null")) and not each.endswith("(deleted)")
    )


def strange_threads() -> list[threading.Thread]:
    """Threads that are neither the test runner's nor ours (ours go when they were idle for a moment)."""
    known = {threading.main_thread(), threading.current_thread(), *sandbox_threads()}
    return [thread for thread in threading.enumerate() if thread not in known]
