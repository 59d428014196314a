"""Host calls of real runs: in worker processes by default, in this process where that was asked for."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Hashable, Iterator, Mapping

import anyio
import pytest
from nodetool_sandbox import INSTALLED, Cancel, Ended, InProcess, Limits, RunResult, Sandbox, Workers
from nodetool_sandbox.dispatch import Runner
from nodetool_sandbox.host_calls import CallDeadline, Done, HostCall, success
from nodetool_sandbox.workers.pool import shared_workers
from nodetool_sandbox_registry import HostTableEntry
from nodetool_sandbox_registry.hosts import HostModule
from runner_table import HOSTS
from runs import left_clean, until

CSV = "@nodetool-ai/sandbox-csv"
PARSE = f'import {{ parse }} from "{CSV}"; '


class Fake:
    """Answers every call with what it was asked for, and remembers."""

    def __init__(self) -> None:
        self.warmed = 0
        self.runs: list[Hashable] = []

    def warm(self) -> None:
        self.warmed += 1

    def start(
        self,
        host_id: str,
        call: HostCall,
        deadline: CallDeadline,
        *,
        hosts: Mapping[str, HostModule],
        run: Hashable,
        done: Done,
    ) -> None:
        assert deadline.remaining_s() > 0
        assert call.specifier == CSV
        assert host_id in hosts
        self.runs.append(run)
        done(success(f"{host_id}.{call.export}", at="fake"))


@pytest.fixture
def workers() -> Iterator[Workers]:
    pool = Workers(table=HostTableEntry(version="0", module="runner_table", attribute="HOSTS"), most=2)
    yield pool
    pool.kill()
    until(lambda: not pool.pids, "workers that were killed leave")


def parse(
    code: str, runner: Runner | None, *, limits: Limits | None = None, cancel: Cancel | None = None
) -> RunResult:
    sandbox = Sandbox(hosts=HOSTS, runner=runner)
    return sandbox.run_sync(PARSE + code, modules=[CSV], limits=limits, cancel=cancel)


@pytest.mark.parametrize("runner", [None, InProcess()], ids=["workers", "in process"])
def test_a_pack_gives_the_same_with_either_runner(runner: Runner | None) -> None:
    code = 'return [await parse("a,b\\n1,2"), await parse(7).catch((error) => `${error.name}: ${error.message}`)]'
    with left_clean():
        result = Sandbox(runner=runner).run_sync(PARSE + code, modules=[CSV])
    assert result.value == [[{"a": "1", "b": "2"}], "Error: csv.parse: text must be a string"]


def test_the_installed_table_works_in_processes_and_in_none_when_told_so() -> None:
    code = PARSE + 'await parse("a"); return 1'
    until(lambda: not shared_workers().pids, "workers of other tests leave")
    assert Sandbox(runner=InProcess()).run_sync(code, modules=[CSV]).success
    assert shared_workers().pids == ()
    assert Sandbox().run_sync(code, modules=[CSV]).success
    assert shared_workers().pids != ()


def test_a_table_of_the_embedder_works_in_this_process() -> None:
    assert parse('return await parse("pid")', None).value == os.getpid()


def test_a_worker_is_started_for_programs_that_import_what_needs_one() -> None:
    fake = Fake()
    sandbox = Sandbox(runner=fake)
    assert sandbox.run_sync("return 1", modules=INSTALLED).success
    assert sandbox.run_sync(
        'import yaml from "@nodetool-ai/sandbox-yaml"; return 1', modules=INSTALLED
    ).success
    assert fake.warmed == 0
    assert sandbox.run_sync(PARSE + "return 1", modules=INSTALLED).success
    assert (fake.warmed, fake.runs) == (1, [])


def test_a_synchronous_export_is_answered_here() -> None:
    fake = Fake()
    code = 'import yaml from "@nodetool-ai/sandbox-yaml"; return [yaml.load("a: 1"), await yaml.load("2")]'
    assert Sandbox(runner=fake).run_sync(code, modules=INSTALLED).value == [{"a": 1}, 2]
    assert fake.runs == []


def test_the_calls_of_one_run_belong_together() -> None:
    fake = Fake()
    for _ in range(2):
        assert parse('await parse("a"); return await parse("b")', fake).value == "csv.parse"
    first, second = {*fake.runs[:2]}, {*fake.runs[2:]}
    assert (len(first), len(second)) == (1, 1)
    assert first != second


@pytest.mark.parametrize(
    ("code", "ended", "timeout_ms"),
    [
        ('await parse("stuck")', Ended.TIMEOUT, 1_000),
        ('parse("stuck"); await parse("a"); return 1', Ended.OK, 30_000),
        ('parse("stuck"); await parse("a"); throw new Error("no")', Ended.FAILED, 30_000),
    ],
)
def test_the_end_of_a_run_ends_its_calls_in_c(
    workers: Workers, code: str, ended: Ended, timeout_ms: int
) -> None:
    with left_clean():
        assert parse(code, workers, limits=Limits(timeout_ms=timeout_ms)).ended is ended
        until(lambda: not workers.pids, "the worker that was stuck, and the idle one")


def test_a_cancelled_run_ends_its_call_in_c(workers: Workers) -> None:
    cancel = Cancel()

    async def main() -> RunResult:
        sandbox = Sandbox(hosts=HOSTS, runner=workers, on_log=lambda _level, _text: cancel.cancel())
        code = PARSE + 'await parse("a"); const stuck = parse("stuck"); console.log("now"); await stuck'
        return await sandbox.run(code, modules=[CSV], cancel=cancel)

    with left_clean():
        assert asyncio.run(main()).ended is Ended.CANCELLED
        until(lambda: not workers.pids, "the worker that was stuck")


def test_a_crash_is_an_error_that_the_program_can_catch(workers: Workers) -> None:
    code = """
        const error = await parse("die").catch((error) => error);
        return [error.name, error.message, await parse("a")];
    """
    assert parse(code, workers).value == [
        "Error",
        "csv.parse: the worker ended unexpectedly; the call may or may not have finished",
        "a",
    ]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_either_event_loop_will_do(workers: Workers, backend: str) -> None:
    async def main() -> RunResult:
        code = PARSE + "return await Promise.all([1, 2, 3].map((each) => parse(each)))"
        return await Sandbox(hosts=HOSTS, runner=workers).run(code, modules=[CSV])

    assert anyio.run(main, backend=backend).value == [1, 2, 3]


def test_a_held_call_is_performed_in_a_worker(workers: Workers) -> None:
    async def main() -> object:
        sandbox = Sandbox(hosts=HOSTS, runner=workers)
        execution = await sandbox.start(PARSE + 'return await parse("pid")', modules=[CSV])
        assert not isinstance(execution, RunResult)
        async with execution:
            call = execution.calls[0]
            await execution.resume({call.id: await execution.perform(call)})
            assert execution.result is not None
            return execution.result.value

    pid = asyncio.run(main())
    assert pid != os.getpid()
    assert pid in workers.pids


def test_a_sandbox_with_a_runner_stays_in_its_process() -> None:
    with pytest.raises(TypeError, match=r"Sandbox\(runner=\.\.\.\)"):
        Sandbox(runner=InProcess()).map(["return 1"])
