"""A guest that floods its host does not keep another from its work."""

from __future__ import annotations

import threading

import pytest
from nodetool_sandbox import Ended, Limits, RunResult, Sandbox

pytestmark = pytest.mark.timeout(60)

FLOODS = {
    "log lines": "for (;;) console.log('');",
    "progress": "for (;;) progress(1);",
    "calls that nobody awaits": "for (;;) sleep(0).catch(() => {});",
    "awaited calls": "for (;;) await sleep(0);",
    "work that never polls": "for (;;) 'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'b');",
    "microtasks": "for (;;) await null;",
    "memory": "for (;;) { try { const a = []; for (;;) a.push([1]); } catch { } }",
    "deep recursion": "const f = () => f(); for (;;) { try { f(); } catch { } }",
}
OTHERS = 20


@pytest.mark.parametrize("what", FLOODS)
def test_twenty_short_programs_are_through_before_a_flood_has_ended(what: str) -> None:
    flooded: list[RunResult] = []

    def flood() -> None:
        flooded.append(Sandbox().run_sync(FLOODS[what], limits=Limits(timeout_ms=1_000)))

    thread = threading.Thread(target=flood)
    thread.start()
    others = [Sandbox().run_sync("return 1").value for _ in range(OTHERS)]
    still_flooding = thread.is_alive()
    thread.join()
    assert others == [1] * OTHERS
    assert still_flooding
    assert flooded[0].ended is Ended.TIMEOUT or (
        flooded[0].error is not None and flooded[0].error.message == "out of memory"
    )
