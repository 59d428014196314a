from __future__ import annotations

import threading

import pytest
from nodetool_sandbox.clock import SandboxClock


class Now:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_a_clock_that_was_never_stopped_has_no_suspended_time() -> None:
    now = Now()
    clock = SandboxClock(now)
    now.seconds += 5
    assert clock.suspended_ms() == 0


def test_suspended_time_is_what_lies_between_suspend_and_resume() -> None:
    now = Now()
    clock = SandboxClock(now)
    resume = clock.suspend()
    now.seconds += 2
    resume()
    now.seconds += 10
    assert clock.suspended_ms() == 2000


def test_an_open_suspension_counts_until_now() -> None:
    now = Now()
    clock = SandboxClock(now)
    clock.suspend()
    now.seconds += 3
    assert clock.suspended_ms() == 3000
    now.seconds += 1
    assert clock.suspended_ms() == 4000


def test_nested_suspensions_count_once_from_the_first_to_the_last() -> None:
    now = Now()
    clock = SandboxClock(now)
    outer = clock.suspend()
    now.seconds += 1
    with clock.suspend():
        now.seconds += 1
        outer()
        now.seconds += 1
    now.seconds += 1
    assert clock.suspended_ms() == 3000


def test_a_second_resume_does_nothing() -> None:
    now = Now()
    clock = SandboxClock(now)
    first = clock.suspend()
    second = clock.suspend()
    first()
    first()
    now.seconds += 1
    second()
    assert clock.suspended_ms() == 1000


def test_separate_suspensions_add_up() -> None:
    now = Now()
    clock = SandboxClock(now)
    for _ in range(3):
        with clock.suspend():
            now.seconds += 1
        now.seconds += 7
    assert clock.suspended_ms() == 3000


def test_a_suspension_ends_when_its_block_raises() -> None:
    now = Now()
    clock = SandboxClock(now)

    def refuse() -> None:
        now.seconds += 1
        raise KeyError

    with pytest.raises(KeyError), clock.suspend():
        refuse()
    now.seconds += 1
    assert clock.suspended_ms() == 1000


def test_many_threads_may_suspend_and_resume() -> None:
    now = Now()
    clock = SandboxClock(now)
    held = clock.suspend()

    def turn() -> None:
        for _ in range(200):
            resume = clock.suspend()
            resume()
            resume()

    threads = [threading.Thread(target=turn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now.seconds += 1
    held()
    now.seconds += 1
    assert clock.suspended_ms() == 1000


def test_the_real_clock_is_the_default() -> None:
    clock = SandboxClock()
    with clock.suspend():
        pass
    assert clock.suspended_ms() >= 0
