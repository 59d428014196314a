"""No run learns anything of another: not its values, not its memory, not its random numbers, not the image's clock."""

from __future__ import annotations

import asyncio
import datetime as dt
from pathlib import Path

import pytest
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox, Workspace
from runs import run, value

pytestmark = pytest.mark.timeout(60)

RUNS = 200
AT_ONCE = 100
TOGETHER = 50
CANCELLED = 17

LEAVERS = {
    "one that returned": "{leave} return 1",
    "one that failed": "{leave} throw new Error('secret-7f3a')",
    "one that timed out": "{leave} while (1);",
    "one that ran out of memory": "{leave} const a = []; for (;;) a.push([1]);",
    "one that deadlocked": "{leave} await new Promise(() => {{}});",
}
LEAVE = (
    "globalThis.leak = 'secret-7f3a'; Array.prototype.leak = 'secret-7f3a'; Object.prototype.leak = 'secret-7f3a';"
    "Symbol.for('secret-7f3a'); console.log.leak = 'secret-7f3a'; globalThis.kept = new Uint8Array(2e7).fill(0x5a);"
)
SEARCH = """
    const found = [];
    if (globalThis.leak !== undefined || [].leak !== undefined || console.log.leak !== undefined) found.push("names");
    const bytes = new Uint8Array(3e7);
    for (const written of [0x5a, 0x73]) if (bytes.includes(written)) found.push("bytes");
    const texts = [];
    for (let i = 0; i < 2e5; i++) texts.push("secret" + i);
    if (texts.some((text) => text.includes("7f3a") || text.includes("ZZZZ"))) found.push("texts");
    return found;
"""


@pytest.mark.parametrize("what", LEAVERS)
def test_a_run_finds_nothing_of_the_one_before(what: str) -> None:
    sandbox = Sandbox()
    sandbox.run_sync(LEAVERS[what].format(leave=LEAVE), limits=Limits(timeout_ms=300))
    assert sandbox.run_sync(SEARCH).value == []


async def _many_at_once(code: str, count: int) -> list[RunResult]:
    sandbox = Sandbox()
    return list(await asyncio.gather(*(sandbox.run(code) for _ in range(count))))


def test_no_two_runs_share_a_random_sequence() -> None:
    code = "return Array.from({ length: 16 }, Math.random)"
    one_by_one = [run(code) for _ in range(RUNS - AT_ONCE)]
    at_once = asyncio.run(_many_at_once(code, AT_ONCE))
    drawn: list[object] = []
    for result in (*one_by_one, *at_once):
        assert isinstance(result.value, list)
        drawn += result.value
    assert len(set(drawn)) == RUNS * 16


def test_a_run_begins_at_the_present_and_not_when_the_image_was_made() -> None:
    before = dt.datetime.now(dt.UTC).timestamp() * 1000
    told = value("return [Date.now(), new Date().getUTCFullYear()]")
    assert isinstance(told, list)
    now, year = told
    after = dt.datetime.now(dt.UTC).timestamp() * 1000
    assert before - 1 <= now <= after + 1
    assert year in {
        dt.datetime.now(dt.UTC).year,
        dt.datetime.fromtimestamp(before / 1000, dt.UTC).year,
    }


def test_the_clock_of_a_run_goes_on() -> None:
    assert value("const t = Date.now(); await sleep(20); return Date.now() - t >= 15") is True


def test_runs_side_by_side_do_not_see_each_others_globals() -> None:
    async def both() -> list[RunResult]:
        sandbox = Sandbox()
        code = "globalThis.mine = name; await sleep(20); return [mine, name]"
        return list(
            await asyncio.gather(*(sandbox.run(code, globals={"name": f"run {i}"}) for i in range(20)))
        )

    for index, result in enumerate(asyncio.run(both())):
        assert result.value == [f"run {index}", f"run {index}"]


PROGRAM = """
import { dump } from "@nodetool-ai/sandbox-yaml";
import { parse } from "@nodetool-ai/sandbox-csv";

const seen = new Set();
for (let i = 0; i < 20; i++) {
  console.log(inputs.mine);
  await sleep(1);
  seen.add(await getSecret("KEY")).add(inputs.mine).add(await mine(i));
  await workspace.write("mine.txt", inputs.mine);
  seen.add(await workspace.read("mine.txt")).add((await workspace.list(".")).join());
  seen.add(dump([inputs.mine]).slice(2).trim()).add((await parse("a\\n" + inputs.mine))[0].a);
  globalThis.left = inputs.mine;
  seen.add(globalThis.left);
}
return [...seen].sort();
"""


def test_fifty_runs_at_once_each_see_their_own_and_a_cancelled_one_takes_nobody_along(tmp_path: Path) -> None:
    async def one(number: int, cancel: Cancel) -> RunResult:
        name = f"run-{number}"
        (tmp_path / name).mkdir()

        async def mine(_: int) -> str:
            await asyncio.sleep(0.001)
            if number == CANCELLED:
                cancel.cancel()
            return name

        sandbox = Sandbox(workspace=Workspace(tmp_path / name), secrets={"KEY": f"secret of {name}"})
        return await sandbox.run(
            PROGRAM,
            modules=["@nodetool-ai/sandbox-yaml", "@nodetool-ai/sandbox-csv"],
            globals={"inputs": {"mine": name}, "mine": mine},
            cancel=cancel,
        )

    async def all_of_them() -> list[RunResult]:
        return list(await asyncio.gather(*(one(number, Cancel()) for number in range(TOGETHER))))

    for number, result in enumerate(asyncio.run(all_of_them())):
        if number == CANCELLED:
            assert result.ended is Ended.CANCELLED
            continue
        assert result.value == sorted([f"run-{number}", "mine.txt", f"secret of run-{number}"]), result
        assert result.logs == (f"run-{number}",) * 20
        assert (tmp_path / f"run-{number}" / "mine.txt").read_text() == f"run-{number}"
