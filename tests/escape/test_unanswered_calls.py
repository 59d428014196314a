"""What a guest makes its host hold: the arguments of calls that nobody has answered yet."""

from __future__ import annotations

import asyncio

from nodetool_sandbox import Ended, Limits, RunResult, Sandbox
from nodetool_sandbox.limits import MIB

LETTERS = 1_000_000


async def hold(_: object) -> None:
    await asyncio.Event().wait()


def calls_at_once(count: int, *, memory_limit_bytes: int) -> RunResult:
    """A program that makes so many calls with a long argument, and returns how those ended that ended."""
    return Sandbox().run_sync(
        f"""
        const text = "x".repeat({LETTERS}), ends = [];
        for (let i = 0; i < {count}; i++) hold(text).catch((e) => ends.push(`${{e.name}}: ${{e.message}}`));
        await sleep(1);
        return ends;
        """,
        globals={"hold": hold},
        limits=Limits(memory_limit_bytes=memory_limit_bytes),
    )


def test_unanswered_calls_may_hold_as_much_as_the_guest_itself() -> None:
    memory = 8 * MIB
    fitting = memory // (LETTERS + 100)
    assert calls_at_once(fitting, memory_limit_bytes=memory).value == []


def test_the_call_past_that_is_refused_at_once_and_says_which_limit() -> None:
    memory = 8 * MIB
    fitting = memory // (LETTERS + 100)
    result = calls_at_once(fitting + 1, memory_limit_bytes=memory)
    assert result.ended is Ended.OK
    assert isinstance(result.value, list)
    (refusal,) = result.value
    assert refusal.startswith("RangeError: hold: ")
    assert "memory_limit_bytes" in refusal


def test_a_call_that_was_answered_holds_nothing_any_more() -> None:
    result = Sandbox().run_sync(
        f"""
        const text = "x".repeat({LETTERS});
        for (let i = 0; i < 40; i++) await take(text);
        return "all";
        """,
        globals={"take": len},
        limits=Limits(memory_limit_bytes=8 * MIB),
    )
    assert result.value == "all"
