"""Many runs in one process: its memory stays flat, and no thread, descriptor or guest is left.

    soak.py            10,000 runs
    soak.py 500        as many as that

Good ends, throws, timeouts, steps, deadlocks, cancellations and instances that are ended from outside
are mixed by a fixed seed. The slope of the resident memory over the second half of the runs is judged.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox
from nodetool_sandbox._engine import guest as engine

MAX_SLOPE_BYTES = 1_000
"""Growth a run, over the second half of the runs, that still counts as flat."""

SAMPLES = 100
AT_ONCE = 8
# Fills memory with what only the collector frees, then sits in a builtin that never polls.
NEVER_POLLS = "const a = Array(2e6).fill([[]]); JSON.stringify(Array(50).fill(a))"


async def double(n: int) -> int:
    """What a guest asks for."""
    await asyncio.sleep(0)
    return n * 2


def fails() -> None:
    """What goes wrong on a thread."""
    raise ValueError("no")


async def good(sandbox: Sandbox) -> RunResult:
    """Calls, lines, state and bytes."""
    state: dict[str, object] = {"n": 1}
    code = """
    console.log("run", {n: state.n}); progress(1);
    state.list = await Promise.all([1, 2, 3].map(n => double(n)));
    try { await fails() } catch (e) { state.error = e.message }
    await sleep(1);
    return {bytes: new Uint8Array(1000), map: new Map([[1, 2]]), text: "x".repeat(1000)}"""
    return await sandbox.run(code, globals={"state": state, "double": double, "fails": fails})


async def throws(sandbox: Sandbox) -> RunResult:
    """An error with a long stack, and rejections that nobody handles."""
    code = """
    for (let i = 0; i < 10; i++) Promise.reject(new Error("lost"));
    const f = n => n ? f(n - 1) : missing();
    f(50)"""
    return await sandbox.run(code)


async def computes_too_long(sandbox: Sandbox) -> RunResult:
    """A loop that the flag stops."""
    return await sandbox.run(
        "const kept = []; for (;;) kept.push([]), kept.length %= 1000", limits=Limits(timeout_ms=10)
    )


async def waits_too_long(sandbox: Sandbox) -> RunResult:
    """A wait whose function is cancelled."""
    return await sandbox.run(
        "await wait()", globals={"wait": asyncio.Event().wait}, limits=Limits(timeout_ms=10)
    )


async def ended_from_outside(sandbox: Sandbox) -> RunResult:
    """A builtin that never polls: the instance is ended at its next epoch."""
    return await sandbox.run(NEVER_POLLS, limits=Limits(timeout_ms=20, memory_limit_bytes=256 * 1024 * 1024))


async def runs_out_of_memory(sandbox: Sandbox) -> RunResult:
    """Memory up to the wall."""
    return await sandbox.run(
        "const kept = []; for (;;) kept.push('x'.repeat(1e5) + kept.length)",
        limits=Limits(memory_limit_bytes=4 * 1024 * 1024),
    )


async def runs_out_of_steps(sandbox: Sandbox) -> RunResult:
    """A budget of steps."""
    return await sandbox.run("for (;;) {}", limits=Limits(max_steps=100_000))


async def deadlocks(sandbox: Sandbox) -> RunResult:
    """A wait for nothing."""
    return await sandbox.run("await new Promise(() => {})")


async def is_cancelled(sandbox: Sandbox) -> RunResult:
    """A cancellation at some moment of a loop that also calls."""
    cancel = Cancel()
    asyncio.get_running_loop().call_later(0.002, cancel.cancel)
    return await sandbox.run("for (;;) await double(1)", globals={"double": double}, cancel=cancel)


async def does_not_parse(sandbox: Sandbox) -> RunResult:
    """A mistake in the program."""
    return await sandbox.run("let x = ;")


Kind = Callable[[Sandbox], Awaitable[RunResult]]
KINDS: tuple[tuple[Kind, int, Ended], ...] = (
    (good, 50, Ended.OK),
    (throws, 15, Ended.FAILED),
    (computes_too_long, 6, Ended.TIMEOUT),
    (waits_too_long, 6, Ended.TIMEOUT),
    (ended_from_outside, 1, Ended.TIMEOUT),
    (runs_out_of_memory, 3, Ended.FAILED),
    (runs_out_of_steps, 5, Ended.STEPS),
    (deadlocks, 5, Ended.DEADLOCK),
    (is_cancelled, 6, Ended.CANCELLED),
    (does_not_parse, 3, Ended.FAILED),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a soak came to."""

    runs: int
    seconds: float
    ended: Counter[tuple[str, str]]
    wrong: tuple[str, ...]
    rss_first: int
    rss_last: int
    slope_bytes: float
    threads: int
    descriptors: int
    guests: int

    def problems(self) -> list[str]:
        """What is not as it should be."""
        found = list(self.wrong[:5])
        if self.slope_bytes > MAX_SLOPE_BYTES:
            found.append(
                f"memory grows by {self.slope_bytes:,.0f} bytes a run, {MAX_SLOPE_BYTES:,} are allowed"
            )
        found += [
            f"{count} more {what} than before"
            for what, count in (
                ("threads", self.threads),
                ("descriptors", self.descriptors),
                ("guests", self.guests),
            )
            if count > 0
        ]
        return found


def soak(runs: int, *, seed: int = 1) -> Report:
    """Do so many runs, mixed."""
    asyncio.run(_warm_up())
    _settle()
    threads, descriptors = threading.active_count(), _descriptors()
    started = time.monotonic()
    ended: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    sizes: list[tuple[int, int]] = []
    asyncio.run(_runs(runs, random.Random(seed), ended, wrong, sizes))  # noqa: S311 - a mix that can be run again
    _settle()
    second_half = sizes[len(sizes) // 2 :]
    return Report(
        runs=runs,
        seconds=time.monotonic() - started,
        ended=ended,
        wrong=tuple(wrong),
        rss_first=sizes[0][1],
        rss_last=sizes[-1][1],
        slope_bytes=slope(second_half),
        threads=threading.active_count() - threads,
        descriptors=_descriptors() - descriptors,
        guests=len(engine._guests),  # noqa: SLF001 - the one place that knows
    )


async def _warm_up() -> None:
    sandbox = Sandbox()
    for kind, _, _ in KINDS:
        for _ in range(3):
            await kind(sandbox)


async def _runs(
    runs: int,
    rng: random.Random,
    ended: Counter[tuple[str, str]],
    wrong: list[str],
    sizes: list[tuple[int, int]],
) -> None:
    sandbox = Sandbox(on_log=lambda *_: None, on_progress=lambda *_: None)
    kinds, weights, _ = zip(*KINDS, strict=True)
    every = max(AT_ONCE, runs // SAMPLES)
    expected = {kind: end for kind, _, end in KINDS}
    done = 0
    while done < runs:
        batch = rng.choices(kinds, weights, k=min(AT_ONCE, runs - done))
        for kind, result in zip(batch, await asyncio.gather(*(kind(sandbox) for kind in batch)), strict=True):
            ended[kind.__name__, str(result.ended)] += 1
            if result.ended is not expected[kind]:
                wrong.append(f"{kind.__name__} ended as {result.ended}: {result.error}")
        before, done = done, done + len(batch)
        if before // every != done // every or not sizes:
            gc.collect()
            sizes.append((done, _rss_bytes()))


def slope(points: list[tuple[int, int]]) -> float:
    """The rise of a straight line through the points (least squares); 0 of fewer than two."""
    if len(points) < 2:  # noqa: PLR2004 - a line
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def _settle() -> None:
    """Let idle threads go; they linger for a moment."""
    pause = threading.Event()
    for _ in range(200):
        if not any(each.name.startswith("nodetool-sandbox") for each in threading.enumerate()):
            return
        pause.wait(0.01)


def _descriptors() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


def _rss_bytes() -> int:
    statm = Path("/proc/self/statm")
    if not statm.is_file():
        return 0  # where there is no such file, threads and descriptors alone are judged
    return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(arguments: list[str]) -> int:
    """0 when everything stayed flat."""
    if len(arguments) > 1 or any(not each.isdecimal() or int(each) == 0 for each in arguments):
        print("soak.py takes one number of runs above 0, 10000 by default", file=sys.stderr)
        return 2
    report = soak(int(arguments[0]) if arguments else 10_000)
    for (kind, end), count in sorted(report.ended.items()):
        print(f"{count:7,} {kind} -> {end}")
    print(f"{report.runs:,} runs in {report.seconds:,.1f} s")
    print(
        f"resident memory {report.rss_first / 1e6:,.1f} MB at first, {report.rss_last / 1e6:,.1f} MB at last; "
        f"slope over the second half {report.slope_bytes:,.0f} bytes a run"
    )
    print(f"left over: {report.threads} threads, {report.descriptors} descriptors, {report.guests} guests")
    problems = report.problems()
    for problem in problems:
        print(f"NOT FLAT: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
