"""AbortController, AbortSignal, and who listens to them."""

from __future__ import annotations

import time

import pytest
from runs import failure, run, value


def test_an_aborted_sleep_rejects_at_once_with_the_reason() -> None:
    code = """
        const control = new AbortController();
        const slept = sleep(5000, { signal: control.signal });
        control.abort(new RangeError("enough"));
        return slept.then(() => "slept", (error) => [error.name, error.message]);
    """
    began = time.monotonic()
    assert value(code) == ["RangeError", "enough"]
    assert time.monotonic() - began < 4


@pytest.mark.parametrize(
    ("signal", "outcome"),
    [
        ("new AbortController().signal", "slept"),
        ("undefined", "slept"),
        ("null", "slept"),
        ("AbortSignal.abort()", "AbortError"),
        ("AbortSignal.abort('why')", "why"),
        ("AbortSignal.any([new AbortController().signal, AbortSignal.abort(3)])", 3),
        ("{ aborted: true }", "TypeError"),
        ("7", "TypeError"),
    ],
)
def test_a_sleep_heeds_the_signal_that_it_is_given(signal: str, outcome: object) -> None:
    code = (
        f"return sleep(1, {{ signal: {signal} }}).then(() => 'slept', (e) => e instanceof Error ? e.name : e)"
    )
    assert value(code) == outcome


@pytest.mark.parametrize("options", ["7", "'x'", "Symbol()", "null", "() => 1"])
def test_options_without_a_signal_change_nothing(options: str) -> None:
    assert value(f"await sleep(1, {options}); return 1") == 1


def test_the_reason_of_an_abort_is_an_abort_error_unless_another_is_given() -> None:
    code = (
        "const r = AbortSignal.abort().reason; return [r instanceof Error, r.name, r.message, Object.keys(r)]"
    )
    assert value(code) == [True, "AbortError", "This operation was aborted", []]


def test_a_signal_with_a_timeout_aborts_by_itself() -> None:
    code = """
        const signal = AbortSignal.timeout(5);
        const before = signal.aborted;
        const seen = await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return [before, seen.type, seen.target === signal, signal.aborted, signal.reason.name];
    """
    assert value(code) == [False, "abort", True, True, "TimeoutError"]


def test_what_a_listener_throws_stops_nobody_and_is_told_as_an_unhandled_rejection() -> None:
    result = run("""
        const control = new AbortController();
        const seen = [];
        control.signal.addEventListener("abort", () => { throw new Error("from the listener") });
        control.signal.addEventListener("abort", () => seen.push(1));
        control.abort();
        return seen;
    """)
    assert result.value == [1]
    assert result.usage.unhandled_rejections == 1
    assert "from the listener" in result.logs[0]


def test_a_signal_that_nothing_aborts_is_no_reason_to_wait() -> None:
    assert (
        str(run("await new Promise((done) => new AbortController().signal.onabort = done)").ended)
        == "deadlock"
    )


def test_an_abort_reaches_signals_that_depend_on_signals_once_each() -> None:
    code = """
        const control = new AbortController();
        const one = AbortSignal.any([control.signal]);
        const two = AbortSignal.any([one, control.signal, AbortSignal.any([])]);
        let fired = 0;
        two.addEventListener("abort", () => fired++);
        control.abort("why");
        return [one.reason, two.reason, fired];
    """
    assert value(code) == ["why", "why", 1]


def test_only_a_controller_makes_a_signal_and_only_its_own_kind_answers() -> None:
    assert failure("new AbortSignal()").message.startswith("AbortSignal: use new AbortController().signal")
    assert failure("AbortSignal.any([{}])").name == "TypeError"
    assert (
        failure("Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted').get.call({})").name
        == "TypeError"
    )
    assert failure("new AbortController().signal.addEventListener('abort', 7)").name == "TypeError"
