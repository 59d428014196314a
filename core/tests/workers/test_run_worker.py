"""The worker of one run: what stays between its calls, and that nothing stays after it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from queue import SimpleQueue

import pytest
from nodetool_sandbox.host_calls import Answer, HostCall
from nodetool_sandbox.marshal import to_host
from nodetool_sandbox.workers import run_worker
from nodetool_sandbox.workers.caps import MIB
from nodetool_sandbox.workers.run_worker import RunWorker, WorkerKind, spares
from worker_calls import PATIENCE_S, TABLE, call_of, until

KIND = WorkerKind(table=TABLE, memory_bytes=256 * MIB)


class Run:
    """What a worker asks of its run."""

    def __init__(self) -> None:
        self.seconds = PATIENCE_S
        self.is_unwanted = False
        self.openings: list[int] = []
        self.worker = RunWorker(
            KIND, self._opening, remaining_s=lambda: self.seconds, is_unwanted=lambda: self.is_unwanted
        )

    def _opening(self, number: int) -> tuple[str, HostCall]:
        self.openings.append(number)
        return "probe", call_of("echo", number)

    def ask(self, export: str, *arguments: object) -> object:
        answer = self.worker.ask("probe", call_of(export, *arguments))
        return to_host(answer.payload, max_bytes=MIB, refs=answer.refs)

    def error(self, export: str, *arguments: object) -> str:
        answer = self.ask(export, *arguments)
        assert isinstance(answer, list)
        return str(answer[1])


@pytest.fixture
def run() -> Iterator[Run]:
    run = Run()
    yield run
    run.worker.close()


def is_gone(pid: object) -> bool:
    try:
        os.kill(int(str(pid)), 0)
    except ProcessLookupError:
        return True
    return False


def test_the_calls_of_a_run_meet_in_one_process_of_which_no_other_run_knows(run: Run) -> None:
    other = Run()
    first = run.ask("keep", 1000)

    assert run.ask("pid") == first != other.ask("pid")
    assert run.openings == [0]
    other.worker.close()


def test_nothing_starts_before_the_first_call(run: Run) -> None:
    assert run.openings == []
    run.worker.close()
    assert run.error("pid") == "the run was cancelled"


def test_when_the_run_is_over_its_process_is_gone(run: Run) -> None:
    pid = run.ask("pid")
    run.worker.close()

    until(lambda: is_gone(pid), "its process goes")


@pytest.mark.parametrize("ends", ["cancelled", "late", "closed"])
def test_work_that_nobody_wants_any_more_is_ended(run: Run, ends: str) -> None:
    pid = run.ask("pid")
    answers: SimpleQueue[Answer] = SimpleQueue()
    run.worker.start("probe", call_of("stuck"), answers.put)
    run.worker.start("probe", call_of("pid"), answers.put)
    until(lambda: run.worker._is_busy, "it begins")
    if ends == "cancelled":
        run.is_unwanted = True
    elif ends == "late":
        run.seconds = 0.0
    else:
        run.worker.close()

    assert all(answers.get(timeout=PATIENCE_S).failed for _ in range(2))
    until(lambda: is_gone(pid), "its process goes")


def test_a_worker_that_crashed_is_replaced_by_one_with_the_next_number(run: Run) -> None:
    pid = run.ask("pid")

    assert run.error("die") == "probe.die: its worker ended unexpectedly, and the pictures in it are gone"
    assert run.ask("pid") != pid
    assert run.openings == [0, 1]


def test_memory_is_capped_as_its_kind_says(run: Run) -> None:
    assert run.ask("take", 128 * MIB) == 128 * MIB
    assert "out of memory" in run.error("take", 300 * MIB)


def test_more_waiting_calls_than_allowed_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_worker, "MAX_QUEUED", 3)
    run.ask("pid")
    answers: SimpleQueue[Answer] = SimpleQueue()
    run.worker.start("probe", call_of("stuck"), answers.put)
    for _ in range(2):
        run.worker.start("probe", call_of("pid"), answers.put)
    run.worker.start("probe", call_of("pid"), answers.put)

    refused = to_host(answers.get(timeout=PATIENCE_S).payload, max_bytes=MIB)
    assert refused == [
        "Error",
        "probe.pid: 3 calls of this run wait already; await earlier calls first",
        None,
    ]
    run.worker.close()
    assert all(answers.get(timeout=PATIENCE_S).failed for _ in range(3))


def test_the_next_run_finds_a_spare_worker_that_no_run_has_met(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_worker, "SPARE_S", 5.0)
    pid = run.ask("pid")
    until(lambda: not spares._is_starting, "one of an earlier test is there")
    spares.close()
    run.worker.close()
    until(lambda: is_gone(pid), "its process goes")
    until(lambda: spares._spare is not None, "a spare one starts")
    spare = spares._spare
    assert spare is not None
    follower = Run()

    assert follower.ask("pid") == spare.process.pid != pid
    follower.worker.close()


def test_a_spare_that_nobody_takes_goes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_worker, "SPARE_S", 0.01)
    run.ask("pid")
    spares.close()
    run.worker.close()

    until(lambda: spares._spare is None and not spares._is_starting, "the spare one goes")


def test_when_no_worker_can_be_started_the_call_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spares.close()
    monkeypatch.setattr(run_worker, "WorkerProcess", lambda *_, **__: (_ for _ in ()).throw(OSError))

    assert run.error("pid") == "probe.pid: no worker process could be started"


def test_a_run_above_the_most_waits_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_worker, "_places", threading.BoundedSemaphore(1))
    monkeypatch.setattr(run_worker, "MAX_WAIT_S", 0.0)
    first, second = Run(), Run()
    first.ask("pid")

    assert "try again when the machine is less busy" in second.error("pid")
    for each in (first, second):
        each.worker.close()
