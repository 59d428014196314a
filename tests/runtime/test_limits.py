"""Every cap of a run at its last allowed value and one past it."""

from __future__ import annotations

from dataclasses import fields

import pytest
from nodetool_sandbox import Ended, LimitExceeded, Limits, RunResult, Sandbox
from nodetool_sandbox.bridges.progress import Progress
from nodetool_sandbox.errors import TRUNCATED
from nodetool_sandbox.limits import (
    FIXED_LIMITS,
    KIB,
    LIMITS,
    MAX_OUTPUT_BYTES,
    MAX_PROGRESS_CALLS,
    MAX_PROGRESS_MESSAGE_CHARS,
    MIB,
    PROGRESS_MIN_INTERVAL_MS,
)
from nodetool_sandbox.marshal import to_guest
from runs import failure, run, value

MOVABLE = [each for each in LIMITS if each.minimum is not None and each.ceiling is not None]


@pytest.mark.parametrize("row", MOVABLE, ids=lambda row: row.name)
def test_an_absurd_limit_is_moved_into_its_bounds(row: object) -> None:
    name, minimum, ceiling = (getattr(row, each) for each in ("name", "minimum", "ceiling"))
    assert getattr(Limits(**{name: 10**30}).clamped(), name) == ceiling
    assert getattr(Limits(**{name: -(10**30)}).clamped(), name) == minimum
    assert getattr(Limits(**{name: minimum}).clamped(), name) == minimum
    assert getattr(Limits(**{name: ceiling + 1}).clamped(), name) == ceiling


def test_the_defaults_and_ceilings_are_those_of_the_reference() -> None:
    table = {row.name: (row.default, row.ceiling) for row in LIMITS}
    assert table["timeout_ms"][0] == 30_000
    assert table["max_fetch_calls"] == (20, 100)
    assert table["max_response_body_bytes"] == (1_000_000, 50 * MIB)
    assert table["max_output_size"] == (100_000, 10 * MIB)
    assert table["memory_limit_bytes"] == (64 * MIB, 512 * MIB)
    assert table["stack_limit_bytes"] == (512 * KIB, 8 * MIB)
    assert table["fetch_timeout_ms"] == (15_000, 120_000)
    assert table["suspend_allowance_ms"][0] == 30 * 60 * 1000


def test_every_limit_stands_in_the_table_once() -> None:
    names = [row.name for row in (*LIMITS, *FIXED_LIMITS)]
    assert len(names) == len(set(names))
    assert {each.name for each in fields(Limits)} == {row.name for row in LIMITS}


# ---- output


def test_a_text_result_is_cut_one_past_the_limit() -> None:
    limits = Limits(max_output_size=2_000)
    assert value("return 'x'.repeat(2000)", limits=limits) == "x" * 2_000
    assert value("return 'x'.repeat(2001)", limits=limits) == "x" * 2_000 + TRUNCATED


def test_an_object_too_large_becomes_its_cut_json_text() -> None:
    limits = Limits(max_output_size=KIB)
    filled = "return {a: 'x'.repeat({n})}"
    around = len('{"a":""}')
    fits = value(filled.replace("{n}", str(KIB - around)), limits=limits)
    assert fits == {"a": "x" * (KIB - around)}
    cut = value(filled.replace("{n}", str(KIB - around + 1)), limits=limits)
    assert isinstance(cut, str)
    assert cut.startswith('{"a":"xx')
    assert cut.endswith(TRUNCATED)
    assert len(cut) == KIB + len(TRUNCATED)


def test_bytes_in_a_result_have_a_cap_of_their_own() -> None:
    room = Limits(memory_limit_bytes=256 * MIB)
    whole = value(f"return [new Uint8Array({MAX_OUTPUT_BYTES - 1}), new Uint8Array(1)]", limits=room)
    assert isinstance(whole, list)
    assert sum(map(len, whole)) == MAX_OUTPUT_BYTES
    error = failure(f"return [new Uint8Array({MAX_OUTPUT_BYTES}), new Uint8Array(1)]", limits=room)
    assert error.name == "RangeError"
    assert f"{MAX_OUTPUT_BYTES:,}" in error.message or str(MAX_OUTPUT_BYTES) in error.message


# ---- memory and stack


def test_memory_past_the_limit_is_out_of_memory_and_the_default_passes() -> None:
    code = "return Array.from({length: 200000}, (_, i) => ({i})).length"
    error = failure(code, limits=Limits(memory_limit_bytes=2 * MIB))
    assert (error.name, error.message) == ("InternalError", "out of memory")
    assert value(code) == 200_000


@pytest.mark.parametrize("limit", [2 * MIB, 16 * MIB])
def test_the_peak_of_the_heap_stays_below_its_limit(limit: int) -> None:
    code = "const kept = []; try { for (;;) kept.push(new Uint8Array(65536)) } catch {} kept.length = 0; return 1"
    result = run(code, limits=Limits(memory_limit_bytes=limit))
    assert limit / 2 < result.usage.peak_heap_bytes <= limit


@pytest.mark.parametrize(
    "what", ["new Uint8Array(n)", "'x'.repeat(n)", "new ArrayBuffer(n)", "'é€'.repeat(n / 4)"]
)
def test_bytes_and_texts_count_as_memory_too(what: str) -> None:
    code = f"const n = {4 * MIB}; const kept = []; for (let i = 0; i < 4; i++) kept.push({what}); return kept.length"
    assert failure(code, limits=Limits(memory_limit_bytes=8 * MIB)).message.startswith("out of memory")
    assert value(code, limits=Limits(memory_limit_bytes=32 * MIB)) == 4


def test_running_out_of_memory_can_be_caught() -> None:
    code = "try { new Uint8Array(1e9) } catch (e) { return e.message } return 'no'"
    text = value(code)
    assert isinstance(text, str)
    assert "out of memory" in text or "invalid array buffer length" in text


def test_recursion_past_the_stack_is_a_range_error_that_can_be_caught() -> None:
    depth = "let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { return [e.name, n] }"
    small = value(depth, limits=Limits(stack_limit_bytes=64 * KIB))
    large = value(depth, limits=Limits(stack_limit_bytes=MIB))
    assert isinstance(small, list)
    assert isinstance(large, list)
    assert small[0] == large[0] == "RangeError"
    assert 10 < small[1] < large[1] / 4


# ---- steps


def test_a_run_of_too_many_steps_ends_and_nothing_can_catch_it() -> None:
    result = run(
        "try { for (;;) {} } catch { return 1 } finally { console.log('f') }",
        limits=Limits(max_steps=100_000),
    )
    assert (result.ended, result.usage.steps, result.logs) == (Ended.STEPS, 100_000, ())
    assert result.error is not None
    assert (result.error.name, result.error.message) == (
        "ExecutionSteps",
        "Execution used up its 100,000 steps",
    )


COUNTED = """
let s = 0;
for (let i = 0; i < 3e5; i++) s += i;
await sleep(0);
for (const x of [3, 1, 2].sort()) s += x;
return s
"""


def test_the_same_program_takes_the_same_steps_each_time() -> None:
    steps = {run(COUNTED).usage.steps for _ in range(3)}
    assert len(steps) == 1
    assert steps.pop() > 0


def test_as_many_steps_as_a_program_takes_are_enough_and_fewer_are_not() -> None:
    needed = run(COUNTED).usage.steps
    assert run(COUNTED, limits=Limits(max_steps=needed + 10_000)).success
    stopped = [run(COUNTED, limits=Limits(max_steps=needed // 2)) for _ in range(2)]
    assert [(each.ended, each.usage.steps) for each in stopped] == [(Ended.STEPS, needed // 2)] * 2
    assert stopped[0].error == stopped[1].error


# ---- logs


def lines(code: str, **limits: int) -> tuple[str, ...]:
    return run(code, limits=Limits(**limits)).logs


def test_lines_past_their_number_are_dropped_and_counted() -> None:
    code = "for (let i = 0; i < {n}; i++) console.log(i)"
    assert lines(code.replace("{n}", "3"), max_log_lines=3) == ("0", "1", "2")
    *kept, marker = lines(code.replace("{n}", "4"), max_log_lines=3)
    assert kept == ["0", "1", "2"]
    assert marker.startswith("[warn] 1 log lines were dropped and 0 were cut")
    assert lines(code.replace("{n}", "1000"), max_log_lines=3)[-1].startswith(
        "[warn] 997 log lines were dropped"
    )


@pytest.mark.parametrize("letter", ["x", "é", "€"])
def test_characters_past_their_number_are_cut_and_counted(letter: str) -> None:
    code = f"console.log('{letter}'.repeat({{n}}))"
    assert lines(code.replace("{n}", "20"), max_log_characters=20) == (letter * 20,)
    line, marker = lines(code.replace("{n}", "21"), max_log_characters=20)
    assert line == letter * 20 + TRUNCATED
    assert marker.startswith("[warn] 0 log lines were dropped and 1 were cut")


def test_characters_are_counted_over_all_lines() -> None:
    ten = "console.log('x'.repeat(10));"
    assert lines(ten * 2, max_log_characters=20) == ("x" * 10, "x" * 10)
    assert lines(ten * 3, max_log_characters=20)[-1].startswith(
        "[warn] 1 log lines were dropped and 0 were cut"
    )


def test_without_any_room_a_log_says_only_what_is_missing() -> None:
    assert len(lines("console.log(1); console.log(2)", max_log_lines=0)) == 1
    assert len(lines("console.log(1); console.log(2)", max_log_characters=0)) == 1


# ---- calls


def test_the_call_past_the_limit_rejects_and_names_it() -> None:
    code = "for (let i = 0; i < {n}; i++) await f(); return 'all'"
    limits = Limits(max_host_calls=3)
    assert value(code.replace("{n}", "3"), globals={"f": lambda: 0}, limits=limits) == "all"
    result = run(code.replace("{n}", "4"), globals={"f": lambda: 0}, limits=limits)
    assert result.error is not None
    assert result.error.message == "f: host call limit exceeded (max 3 calls per run)"
    assert (result.usage.host_calls, len(result.calls)) == (3, 3)


def test_a_run_without_host_calls_refuses_the_first_and_can_catch_it() -> None:
    code = "try { await sleep(1) } catch (e) { return [e.name, e instanceof RangeError] }"
    assert value(code, limits=Limits(max_host_calls=0)) == ["RangeError", True]


def test_unanswered_calls_have_a_limit_that_answers_free() -> None:
    limits = Limits(max_pending_calls=3)
    code = """
    const all = n => Promise.allSettled(Array.from({length: n}, f));
    const at_once = async n => (await all(n)).filter(r => r.status === "rejected").length;
    return [await at_once(3), await at_once(4), await at_once(3)]"""
    assert value(code, globals={"f": lambda *_: 0}, limits=limits) == [0, 1, 0]
    error = value(
        "try { await Promise.all([f(), f(), f(), f()]) } catch (e) { return e.message }",
        globals={"f": lambda: 0},
        limits=limits,
    )
    assert error == "f: pending host call limit exceeded (max 3 unanswered calls at once)"


# ---- what is checked before a guest starts


def test_a_program_longer_than_the_limit_never_starts() -> None:
    limits = Limits(max_source_bytes=KIB)
    comment = "return 1 //"
    assert run(comment + "x" * (KIB - len(comment)), limits=limits).success
    for over in ("x" * (KIB - len(comment) + 1), "é" * (KIB // 2)):
        result = run(comment + over, limits=limits)
        assert result.error is not None
        assert result.error.name == "LimitExceeded"
        assert "max_source_bytes" in result.error.message
        assert result.usage.steps == 0


def test_more_globals_than_the_limit_are_refused_before_anything_runs() -> None:
    limits = Limits(max_globals=3)
    assert value("return g0 + g1 + g2", globals={f"g{n}": 1 for n in range(3)}, limits=limits) == 3
    with pytest.raises(LimitExceeded, match="max_globals: 4 where 3 are allowed"):
        run("return 1", globals={f"g{n}": 1 for n in range(4)}, limits=limits)


# ---- progress


def reported(code: str) -> tuple[RunResult, list[tuple[float, str | None]]]:
    reports: list[tuple[float, str | None]] = []
    result = Sandbox(on_progress=lambda percent, message: reports.append((percent, message))).run_sync(code)
    return result, reports


@pytest.mark.parametrize(
    ("given", "percent"),
    [
        ("42", 42),
        ("-5", 0),
        ("150", 100),
        ("NaN", 0),
        ("Infinity", 0),
        ("'7'", 7),
        ("{}", 0),
        ("1n", 0),
        ("null", 0),
    ],
)
def test_a_percentage_is_clamped(given: str, percent: float) -> None:
    result, reports = reported(f"return progress({given}, 'halfway')")
    assert (result.ended, result.value, reports) == (Ended.OK, None, [(percent, "halfway")])


def test_a_progress_message_is_cut_at_its_limit() -> None:
    _, [(_, exact)] = reported(f"progress(1, 'm'.repeat({MAX_PROGRESS_MESSAGE_CHARS}))")
    _, [(_, longer)] = reported(f"progress(1, 'm'.repeat({MAX_PROGRESS_MESSAGE_CHARS + 1}))")
    assert exact == longer == "m" * MAX_PROGRESS_MESSAGE_CHARS


def test_reports_come_no_faster_than_their_interval() -> None:
    code = f"""
    const end = Date.now() + {3 * PROGRESS_MIN_INTERVAL_MS};
    let n = 0;
    while (Date.now() < end) progress(n++ % 100);
    return n"""
    result, reports = reported(code)
    assert isinstance(result.value, int)
    assert result.value > 100
    assert 1 <= len(reports) <= 5


def test_a_report_without_a_sink_is_nothing() -> None:
    assert value("return progress(5, 'x')") is None


def test_no_more_reports_are_forwarded_than_the_limit() -> None:
    reports: list[float] = []
    sink = Progress(lambda percent, _: reports.append(percent))
    for _ in range(MAX_PROGRESS_CALLS + 1):
        sink.take(to_guest([1.5, None]).payload)
    assert len(reports) == MAX_PROGRESS_CALLS
