from __future__ import annotations

import pytest
from nodetool_sandbox.host_calls import CallDeadline
from nodetool_sandbox.workers import queueing
from nodetool_sandbox.workers.queueing import FairQueue, Job
from worker_calls import call_of


def job(run: str, *, cancelled: bool = False) -> Job:
    deadline = CallDeadline("probe.echo", 1.0, lambda: cancelled)
    return Job(host_id="probe", call=call_of("echo"), deadline=deadline, run=run, done=lambda _: None)


def test_the_next_place_goes_to_the_run_with_the_fewest_calls_at_work() -> None:
    queue = FairQueue()
    for each in [*map(job, "aaaa"), *map(job, "bb")]:
        queue.put(each)
    assert [queue.take().run for _ in range(6)] == ["a", "b", "a", "b", "a", "a"]
    assert len(queue) == 0


def test_equals_are_served_in_the_order_in_which_they_came() -> None:
    queue = FairQueue()
    first = [job(run) for run in "cab"]
    for each in first:
        queue.put(each)
    assert [queue.take() for _ in first] == first


def test_a_finished_call_makes_room_for_its_run() -> None:
    queue = FairQueue()
    for each in map(job, "aab"):
        queue.put(each)
    queue.finished(queue.take())
    assert queue.take().run == "a"
    assert queue.take().run == "b"


def test_calls_of_a_cancelled_run_do_not_wait() -> None:
    queue = FairQueue()
    gone, stays = [job("a", cancelled=True) for _ in range(3)], job("b")
    for each in (*gone, stays):
        queue.put(each)
    assert queue.take_refused() == [(each, "the run was cancelled") for each in gone]
    assert queue.take_all() == [stays]


def test_a_call_waits_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = FairQueue()
    queue.put(job("a"))
    assert queue.take_refused() == []
    monkeypatch.setattr(queueing, "MAX_WAIT_S", 0.0)
    [(_, reason)] = queue.take_refused()
    assert reason.startswith("probe.echo: waited ")
    assert "for a worker" in reason
