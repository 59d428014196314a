"""Programs that flood their host: lines, reports, imports, keys, results at the same time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from nodetool_sandbox import Cancel, Ended, Limits, Sandbox
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox.errors import TRUNCATED
from nodetool_sandbox.limits import MAX_ERROR_CHARACTERS, MAX_PROGRESS_CALLS, MAX_PROGRESS_MESSAGE_CHARS, MIB
from nodetool_sandbox.stacks import printable
from processes import printed
from runs import run, until, value

DEFAULT = Limits()
STEPS = 1_000_000


def growth_bytes(program: str, **given: object) -> tuple[int, list[object]]:
    """How much the peak of a fresh process grows over a run, and how it ended: (ended, lines, last line)."""
    script = f"""
        import json, resource, sys
        from nodetool_sandbox import Limits, Sandbox
        sandbox = Sandbox()
        sandbox.run_sync("console.log(1); return [1]")
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        before = peak()
        r = sandbox.run_sync({program!r}, limits=Limits(**{given!r}))
        print(json.dumps([peak() - before, str(r.ended), len(r.logs), r.logs[-1][:200] if r.logs else ""]))
    """
    grown, *rest = json.loads(printed(script))
    assert isinstance(grown, int)
    return grown, rest


# ---- console

FLOODS = {
    "lines": ("for (;;) console.log('x'.repeat(1000))", "timeout"),
    "one long line": ("console.log('x'.repeat(5e7)); return 1", "ok"),
    "many arguments": ("console.log(...Array(60000).fill('y')); return 1", "ok"),
    "empty lines": ("for (let i = 0; i < 1e7; i++) console.log(); return 1", "ok"),
    "a tree": ("let t = 1; for (let i = 0; i < 60; i++) t = {l: t, r: t}; console.log(t); return 1", "ok"),
    "bytes": ("for (let i = 0; i < 200; i++) console.log(new Uint8Array(1e7)); return 1", "ok"),
    "digits": ("console.log(10n ** 5000n); return 1", "ok"),
    "all levels": ("for (;;) { console.warn('w'.repeat(500)); console.error('e'.repeat(500)) }", "timeout"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_lines_is_capped_and_one_line_says_so(name: str) -> None:
    code, ended = FLOODS[name]
    grown, (how, lines, last) = growth_bytes(code, timeout_ms=10_000 if ended == "ok" else 500)
    assert how == ended
    assert isinstance(lines, int)
    assert lines <= DEFAULT.max_log_lines + 1
    if name not in ("digits", "many arguments", "bytes"):
        assert str(last).startswith("[warn] ")
        assert "log lines were dropped and" in str(last)
    # the guest's own memory is capped by itself; beside it: the lines, twice, and a margin
    assert grown < DEFAULT.memory_limit_bytes + 64 * MIB


def test_the_stored_characters_are_capped_together() -> None:
    logs = run("for (let i = 0; i < 1e5; i++) console.log('x'.repeat(1000))").logs
    assert sum(map(len, logs[:-1])) <= DEFAULT.max_log_characters + len(TRUNCATED)
    assert len([each for each in logs if each.startswith("[warn] ")]) == 1


@pytest.mark.parametrize(
    "argument",
    [
        "(() => { const a = {}; a.a = a; return a })()",
        "new Proxy({}, {ownKeys() { throw 1 }, get() { throw 2 }})",
        "new Proxy([], {})",
        "{get x() { throw new Error('no') }}",
        "{toJSON() { throw 1 }}",
        "{toString() { throw 1 }}",
        "Symbol('s')",
        "10n",
        "Object.create(null)",
        "new Map([[1, new Set([2])]])",
        "function f() {}",
        "class A {}",
        "new Error('e')",
        "new Date(NaN)",
        "/re/g",
        "undefined",
        "Array(3)",
        "globalThis",
    ],
)
def test_anything_is_one_line(argument: str) -> None:
    result = run(f"console.log('before', {argument}, 'after'); return 1")
    assert (result.ended, len(result.logs)) == (Ended.OK, 1)


def test_a_getter_that_loops_while_it_is_logged_runs_out_of_time() -> None:
    assert run("console.log({get x() { for (;;); }})", limits=Limits(timeout_ms=50)).ended is Ended.TIMEOUT


def test_a_sink_that_raises_is_not_asked_again_and_changes_nothing() -> None:
    asked: list[str] = []

    def sink(level: str, text: str) -> None:
        asked.append(level + text)
        raise ValueError("sink")

    result = Sandbox(on_log=sink).run_sync("for (let i = 0; i < 5; i++) console.log(i); return 1")
    assert (result.value, result.logs, asked) == (1, ("0", "1", "2", "3", "4"), ["log0"])


def test_a_sink_sees_what_is_kept_and_no_more() -> None:
    seen: list[tuple[str, str]] = []
    sandbox = Sandbox(on_log=lambda level, text: seen.append((level, text)), limits=Limits(max_log_lines=3))
    sandbox.run_sync("console.log(1); console.warn(2); console.error(3); console.info(4)")
    assert seen == [("log", "1"), ("warn", "2"), ("error", "3")]


@pytest.mark.parametrize("which", ["on_log", "on_progress"])
def test_a_sink_may_cancel_the_run(which: str) -> None:
    cancel = Cancel()
    sinks: dict[str, Callable[..., None]] = {which: lambda *_: cancel.cancel()}
    result = Sandbox(**sinks).run_sync("console.log(1); progress(1); for (;;) {}", cancel=cancel)  # type: ignore[arg-type]
    assert result.ended is Ended.CANCELLED


def test_a_slow_sink_does_not_hold_up_the_guest() -> None:
    """The sink sits until the guest computes no more: it would sit for ever if the guest waited for it."""
    sat: list[int] = []

    def sink(*_: str) -> None:
        until(
            lambda: not any(each.words.steps < STEPS for each in engine._guests.values()), "the guest goes on"
        )
        sat.append(1)

    code = f"console.log(1); for (let i = 0; i < {STEPS}; i++) {{}} return 1"
    assert Sandbox(on_log=sink).run_sync(code).value == 1
    assert sat == [1]


# ---- control characters

HOSTILE = "\x1b[2J\x1b]0;x\x07\r\n[error] forged\0\u2028\u202e"


def test_a_line_is_one_entry_with_exactly_its_text() -> None:
    assert run("console.log(text)", globals={"text": HOSTILE}).logs == (HOSTILE,)


def test_an_error_message_keeps_its_text() -> None:
    error = run("throw new Error(text)", globals={"text": HOSTILE}).error
    assert error is not None
    assert error.message == HOSTILE


@pytest.mark.parametrize("text", [HOSTILE, "a\nb", "\x9b31m", "\u200b", "\ud800", "\x7f"])
def test_what_is_shown_on_a_terminal_cannot_act(text: str) -> None:
    shown = printable(text)
    assert all(character.isprintable() for character in shown)
    shown.encode()


def test_a_long_error_is_cut() -> None:
    error = run("throw new Error('x'.repeat(1e6))").error
    assert error is not None
    assert len(error.message) <= MAX_ERROR_CHARACTERS
    named = run("const e = new Error('m'); e.name = 'n'.repeat(1e6); throw e").error
    assert named is not None
    assert len(named.name) <= MAX_ERROR_CHARACTERS


# ---- progress


def test_a_flood_of_reports_is_thinned() -> None:
    reports: list[tuple[float, str | None]] = []
    sandbox = Sandbox(on_progress=lambda percent, text: reports.append((percent, text)))
    result = sandbox.run_sync("for (let i = 0; i < 1e5; i++) progress(i % 100, 'm'.repeat(1000)); return 1")
    assert result.value == 1
    assert 1 <= len(reports) <= MAX_PROGRESS_CALLS
    assert all(len(text or "") == MAX_PROGRESS_MESSAGE_CHARS for _, text in reports)


def test_a_progress_sink_that_raises_is_not_asked_again() -> None:
    asked: list[float] = []

    def sink(percent: float, _: str | None) -> None:
        asked.append(percent)
        raise ValueError("sink")

    code = "progress(1); await sleep(120); progress(2); await sleep(1); return 1"
    assert Sandbox(on_progress=sink).run_sync(code).value == 1
    assert asked == [1]


@pytest.mark.parametrize(
    "what",
    [
        "progress(V, V)",
        "progress()",
        "progress(Symbol())",
        "progress(1, Symbol())",
        "progress(10n)",
        "progress({valueOf() { throw 1 }}, {toString() { throw 1 }})",
    ],
)
def test_progress_never_throws(what: str) -> None:
    for odd in ("-1", "NaN", "1e308", "'8'", "null", "{}", "-0", "1.5", "2n"):
        assert Sandbox(on_progress=lambda *_: None).run_sync(f"{what.replace('V', odd)}; return 1").value == 1


# ---- many of everything


def test_ten_thousand_imports_of_one_module_are_refused_once() -> None:
    error = run("\n".join(f'import m{n} from "nope";' for n in range(10_000)) + "\nreturn 1").error
    assert error is not None
    assert error.message.count('"nope"') == 1


def test_ten_thousand_different_imports_end_in_one_bounded_error() -> None:
    error = run("\n".join(f'import m{n} from "nope{n}";' for n in range(10_000)) + "\nreturn 1").error
    assert error is not None
    assert len(error.message) <= MAX_ERROR_CHARACTERS


def test_many_globals_pass_up_to_the_ceiling() -> None:
    names = {f"g{n}": n for n in range(100_000)}
    assert value("return g99999", globals=names, limits=Limits(max_globals=100_000)) == 99_999


def test_a_million_keys_become_their_cut_text() -> None:
    code = "const o = {}; for (let i = 0; i < 3e5; i++) o['k' + i] = i; return o"
    found = value(code, limits=Limits(memory_limit_bytes=256 * MIB))
    assert isinstance(found, str)
    assert found.startswith('{"k0":0,')
    assert found.endswith(TRUNCATED)
    assert len(found) == DEFAULT.max_output_size + len(TRUNCATED)


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "// " + "c" * (7 * MIB) + "\nreturn 1",
        "/*" + "*" * (7 * MIB) + "*/ return 1",
        ";" * MIB + "return 1",
        "let a = 0;" + "a++;" * 200_000 + "return 1",
        "return " + "[" * 100_000 + "]" * 100_000,
        "return " + "-" * 500_001 + "1",
        "let = ;" * 20_000,
        "import " * 100_000,
        "`${" * 50_000,
    ],
    ids=[
        "line comment",
        "block comment",
        "empty statements",
        "statements",
        "brackets",
        "minus",
        "mistakes",
        "imports",
        "templates",
    ],
)
def test_a_large_program_ends_within_its_time_or_is_refused(code: str) -> None:
    assert run(code, limits=Limits(timeout_ms=20_000)).ended in (Ended.OK, Ended.FAILED)
    assert value("return 1") == 1


# ---- results at the same time


AT_ONCE = """
    import asyncio, gc, json, os
    from pathlib import Path
    from nodetool_sandbox import Sandbox
    def rss(): return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    async def main():
        sandbox = Sandbox()
        code = "for (let i = 0; i < 1000; i++) console.log('l'.repeat(1000)); return 'x'.repeat(1e6)"
        results = await asyncio.gather(*(sandbox.run(code) for _ in range(200)))
        return rss(), sorted({(str(each.ended), len(each.value), len(each.logs)) for each in results})
    Sandbox().run_sync("return 1")
    told = [["start", rss(), rss()]]
    for _ in range(3):
        held, ends = asyncio.run(main())
        gc.collect()
        told.append([ends, held, rss()])
    print(json.dumps(told))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the process's size from /proc")
def test_two_hundred_large_results_at_once_add_up_and_go_again() -> None:
    (_, start, _), *rounds = json.loads(printed(AT_ONCE))
    for ends, held, _ in rounds:
        assert ends == [["ok", DEFAULT.max_output_size + len(TRUNCATED), 1000]]
        # what a run may keep: its output and its lines, in Python's wider texts
        assert held - start < 200 * 4 * (DEFAULT.max_output_size + DEFAULT.max_log_characters)
    # what the allocators keep varies by tens of MB; results that stay would add all of theirs each round
    one_round = 200 * (DEFAULT.max_output_size + DEFAULT.max_log_characters)
    assert rounds[-1][2] - rounds[0][2] < one_round / 2
