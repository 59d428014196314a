"""A cancellation at every moment of a run, by each of the two ways to ask for one."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from pathlib import Path

import pytest
from nodetool_sandbox import Cancel, Ended, Limits, Sandbox
from nodetool_sandbox._engine import guest as engine
from runs import left_clean, until, value

EVERY_BRIDGE = """
console.log("a", {b: [1]}); progress(1, "m");
const one = plain(1), two = awaited(2), three = sleep(1);
state.n = await one; state.list.push(await two); await three;
await parallelMap([1, 2, 3], n => awaited(n), 2);
try { await fails() } catch (e) { console.warn(e) }
for (let i = 0; i < 3e4; i++) state.n += i;
return {n: state.n, bytes: new Uint8Array(1000)}
"""

STEP_S = 0.0002
MOMENTS = 250


def plain(n: int) -> int:
    return n


async def awaited(n: int) -> int:
    await asyncio.sleep(0)
    return n


async def fails() -> None:
    raise ValueError("no")


async def cancelled_after(seconds: float, *, by_task: bool) -> Ended | None:
    """How the run ended that was cancelled so long after its start; None where its task was cancelled."""
    state: dict[str, object] = {"n": 0, "list": []}
    cancel = Cancel()
    given = {"plain": plain, "awaited": awaited, "fails": fails, "state": state}
    task = asyncio.create_task(
        Sandbox(on_progress=lambda *_: None, on_log=lambda *_: None).run(
            EVERY_BRIDGE, globals=given, cancel=cancel, limits=Limits(timeout_ms=60_000)
        )
    )
    await asyncio.sleep(seconds)
    if by_task:
        task.cancel()
    else:
        cancel.cancel()
    try:
        result = await task
    except asyncio.CancelledError:
        return None
    return result.ended


def rss_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.parametrize("by_task", [False, True], ids=["signal", "task"])
def test_every_moment_ends_as_cancelled_or_finished(*, by_task: bool) -> None:
    seen: set[Ended | None] = set()

    async def main() -> None:
        for k in range(MOMENTS):
            seen.add(await cancelled_after(k % 100 * STEP_S, by_task=by_task))

    with left_clean():
        asyncio.run(main())
    until(lambda: not engine._guests, "every guest is closed")
    assert seen == {Ended.OK, None if by_task else Ended.CANCELLED}
    assert value("return 1") == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the process's size from /proc")
def test_cancelled_runs_leave_no_memory_behind() -> None:
    async def main(times: int) -> None:
        for k in range(times):
            await cancelled_after(k % 50 * STEP_S, by_task=bool(k % 2))

    asyncio.run(main(150))
    gc.collect()
    before = rss_bytes()
    asyncio.run(main(300))
    gc.collect()
    assert (rss_bytes() - before) / 300 < 20_000


def test_cancelling_from_many_threads_at_once_is_one_cancellation() -> None:
    async def main() -> list[Ended]:
        ended = []
        for _ in range(20):
            cancel = Cancel()
            threads = [threading.Thread(target=cancel.cancel) for _ in range(4)]
            task = asyncio.create_task(Sandbox().run("for (;;) await sleep(0)", cancel=cancel))
            await asyncio.sleep(0.002)
            for each in threads:
                each.start()
            ended.append((await task).ended)
            for each in threads:
                each.join()
        return ended

    with left_clean():
        assert set(asyncio.run(main())) == {Ended.CANCELLED}
