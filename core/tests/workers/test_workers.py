"""What worker processes do beyond the contract: they can be stopped, they are few, and nothing is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from nodetool_sandbox.host_calls import Answer
from nodetool_sandbox.workers import pool, queueing
from nodetool_sandbox.workers.caps import MAX_WORKER_BYTES, MAX_WORKER_DESCRIPTORS, MIB, SPENT_BYTES
from nodetool_sandbox.workers.frames import MAX_LOG_BYTES, MAX_REPLY_BYTES
from nodetool_sandbox.workers.pool import RENEW_AFTER_CALLS, Workers
from nodetool_sandbox.workers.process import PROGRAM, WorkerProcess
from nodetool_sandbox.workers.queueing import MAX_WAITING_CALLS
from nodetool_sandbox.workers.serving import OUT_OF_MEMORY
from nodetool_sandbox_registry import HostTableEntry
from worker_calls import PATIENCE_S, TABLE, UNEXPECTED, Asked, call_of, descriptors, is_alive, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc")


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers(table=TABLE, most=2)
    yield made
    made.kill()
    until(lambda: not made.pids, "workers that were killed leave")


@pytest.fixture
def single() -> Iterator[Workers]:
    made = Workers(table=TABLE, most=1)
    yield made
    made.kill()
    until(lambda: not made.pids, "workers that were killed leave")


def pid_of(workers: Workers) -> int:
    return cast("int", Asked(workers, "pid").value)


# ---- a call that must not go on


def test_a_call_in_c_is_ended_at_its_deadline_and_the_next_one_works(single: Workers) -> None:
    before = pid_of(single)
    assert Asked(single, "stuck", seconds=0.2).error[1] == "probe.stuck: exceeded its 200 ms deadline"
    assert pid_of(single) != before
    assert not is_alive(before)


def test_a_call_in_c_is_ended_when_its_run_is_cancelled(single: Workers) -> None:
    cancelled: list[bool] = []
    before = pid_of(single)
    asked = Asked(single, "stuck", cancelled=lambda: bool(cancelled))
    assert not asked.is_answered
    cancelled.append(True)
    assert asked.error[1] == "the run was cancelled"
    assert pid_of(single) != before


def test_a_call_that_polls_keeps_its_worker(single: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GRACE_S", PATIENCE_S)  # on a busy machine it may take its time to poll
    before = pid_of(single)
    assert Asked(single, "spin", seconds=0.1).error[1] == "probe.spin: exceeded its 100 ms deadline"
    assert pid_of(single) == before


def test_a_worker_that_is_killed_from_outside_costs_its_call(workers: Workers) -> None:
    before = pid_of(workers)
    asked = Asked(workers, "stuck")
    os.kill(before, signal.SIGKILL)
    assert asked.error == ("Error", f"probe.stuck: {UNEXPECTED}", None)
    assert Asked(workers, "echo", 1).value == 1


def test_an_idle_worker_that_is_killed_costs_no_call(single: Workers) -> None:
    before = pid_of(single)
    os.kill(before, signal.SIGKILL)
    until(lambda: not is_alive(before), "it ends")
    assert Asked(single, "echo", 1).value == 1


def test_a_crash_costs_one_call(workers: Workers) -> None:
    asked = [Asked(workers, "echo", 1), Asked(workers, "die"), Asked(workers, "echo", 2)]
    assert asked[0].value == 1
    assert asked[1].error[1] == f"probe.die: {UNEXPECTED}"
    assert asked[2].value == 2


# ---- a worker that lies

# Greets as a worker does, and answers the first request with the bytes that it is given.
FAKE = """
import os, struct, sys
def read(size):
    data = b""
    while len(data) < size:
        data += os.read(0, size - len(data)) or sys.exit()
    return data
read(int.from_bytes(read(4), "big"))
os.write(1, struct.pack("!IIHB", 0, 0, 0, 0))
number, size, _, _, *lengths = struct.unpack("!IIdBHHH", read(23))
read(sum(lengths) + size)
os.write(1, REPLY)
read(1)
"""


def faking(reply: str, *, most: int = 1) -> Workers:
    def make(table: HostTableEntry) -> WorkerProcess:
        return WorkerProcess(table, program=("-c", FAKE.replace("REPLY", reply)))

    return Workers(table=TABLE, most=most, make=make)


@pytest.mark.parametrize(
    "reply",
    [
        'struct.pack("!IIHB", 2, 1, 0, 0) + b"\\xc0"',
        'struct.pack("!IIHB", 1, 1, 0, 8) + b"\\xc0"',
        f'struct.pack("!IIHB", 1, {MAX_REPLY_BYTES + 1}, 0, 0)',
        f'struct.pack("!IIHB", 1, 1, {MAX_LOG_BYTES + 1}, 0)',
        'struct.pack("!IIHB", 1, 0, 0, 0)',
        'struct.pack("!IIHB", 1, 1, 0, 0) + b"\\xc1"',
        'struct.pack("!IIHB", 1, 2, 0, 0) + b"\\xc0\\xc0"',
        'struct.pack("!IIHB", 1, 2, 0, 0) + b"\\x92\\xc0"',
        'struct.pack("!IIHB", 1, 2000, 0, 0) + b"\\x91" * 2000',
        'b"x" * 100_000',
    ],
)
def test_a_malformed_answer_fails_its_call_and_ends_its_worker(reply: str) -> None:
    workers = faking(reply)
    asked = Asked(workers, "echo", 1)
    assert (
        asked.error[1]
        == "probe.echo: the worker's answer is malformed; the call may or may not have finished"
    )
    until(lambda: not workers.pids, "a worker that lied ends")


def test_an_answer_that_breaks_off_is_a_crash() -> None:
    workers = faking('(os.write(1, struct.pack("!IIHB", 1, 9, 0, 0)), sys.exit())[0]')
    assert Asked(workers, "echo", 1).error[1] == f"probe.echo: {UNEXPECTED}"


@pytest.mark.parametrize(
    "program", [("-c", "pass"), ("-c", "print('hello, I am no worker')"), ("/does/not/exist",)]
)
def test_a_worker_that_does_not_start_fails_whoever_waits(program: tuple[str, ...]) -> None:
    workers = Workers(table=TABLE, most=2, make=lambda table: WorkerProcess(table, program=program))
    asked = [Asked(workers, "echo", number) for number in range(5)]
    for each in asked:
        assert each.error[1].startswith("probe.echo: no worker process could be started; ")
    until(lambda: not workers.pids, "nothing is left")


def test_a_table_that_cannot_be_imported_is_told_and_not_tried_for_ever() -> None:
    workers = Workers(table=HostTableEntry(version="0", module="no_such_table", attribute="HOSTS"))
    assert "no worker process could be started" in Asked(workers, "echo").error[1]


# ---- how many, and whose turn it is


def test_two_runs_are_at_work_side_by_side(workers: Workers, tmp_path: Path) -> None:
    asked = [Asked(workers, "meet", str(tmp_path), run=run) for run in "ab"]
    assert [each.value for each in asked] == [True, True]


def test_there_are_never_more_workers_than_the_most(workers: Workers) -> None:
    asked = [Asked(workers, "pid", run=number) for number in range(RENEW_AFTER_CALLS // 2)]
    assert len({each.value for each in asked}) <= 2
    assert len(workers.pids) <= 2


def test_a_run_with_many_calls_does_not_keep_another_from_its_turn(workers: Workers) -> None:
    cancelled: list[bool] = []
    ends = Asked(workers, "spin", run="greedy", cancelled=lambda: bool(cancelled))
    goes_on = Asked(workers, "spin", run="greedy", cancelled=lambda: len(cancelled) == 2)
    until(lambda: not len(workers._queue), "both are at work")
    greedy = [Asked(workers, "pid", run="greedy") for _ in range(50)]
    modest = Asked(workers, "pid", run="modest")
    cancelled.append(True)
    assert ends.answer.failed
    assert modest.value
    assert all(each.value for each in greedy)
    assert modest.place < min(each.place for each in greedy)
    cancelled.append(True)
    assert goes_on.answer.failed


def test_so_many_calls_wait_and_one_more_is_refused(single: Workers) -> None:
    cancelled: list[bool] = []
    working = Asked(single, "spin", cancelled=lambda: bool(cancelled))
    until(lambda: not len(single._queue), "the first is at work")
    waiting = [Asked(single, "echo", cancelled=lambda: bool(cancelled)) for _ in range(MAX_WAITING_CALLS)]
    assert not any(each.is_answered for each in waiting)
    assert Asked(single, "echo").error[1] == (
        f"probe.echo: {MAX_WAITING_CALLS:,} calls wait for a worker already; "
        "await earlier calls first, or try again when the machine is less busy"
    )
    cancelled.append(True)
    assert {each.error[1] for each in (working, *waiting)} == {"the run was cancelled"}


def test_a_call_that_waits_too_long_says_so(single: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled: list[bool] = []
    working = Asked(single, "spin", cancelled=lambda: bool(cancelled))
    until(lambda: not len(single._queue), "the first is at work")
    monkeypatch.setattr(queueing, "MAX_WAIT_S", 0.05)
    assert Asked(single, "echo").error[1].startswith("probe.echo: waited ")
    cancelled.append(True)
    assert working.answer.failed


# ---- fresh ones for old ones


def test_a_worker_is_replaced_after_so_many_calls_and_not_before(single: Workers) -> None:
    first = pid_of(single)
    assert {pid_of(single) for _ in range(RENEW_AFTER_CALLS - 2)} == {first}
    assert single.pids == (first,)
    assert pid_of(single) == first  # the last one makes it old
    until(lambda: len(single._idle) == 2, "a fresh one is there")
    assert pid_of(single) != first
    until(lambda: first not in single.pids, "the old one leaves")


def test_a_worker_that_kept_memory_is_replaced(single: Workers) -> None:
    first = Asked(single, "keep", SPENT_BYTES // 2).value
    assert pid_of(single) == first
    assert Asked(single, "keep", SPENT_BYTES // 2 + MIB).value == first
    assert pid_of(single) != first


# ---- caps


def test_so_much_memory_is_had_and_more_fails_the_call_alone(single: Workers) -> None:
    assert Asked(single, "take", MAX_WORKER_BYTES // 2).value == MAX_WORKER_BYTES // 2
    assert Asked(single, "take", MAX_WORKER_BYTES).error == ("Error", f"probe.take: {OUT_OF_MEMORY}", None)
    assert Asked(single, "take", MAX_WORKER_BYTES // 2).value == MAX_WORKER_BYTES // 2


def test_the_system_ends_a_call_that_computes_on_when_nobody_watches() -> None:
    process = WorkerProcess(TABLE)
    process.wait_ready()
    with pytest.raises(EOFError):
        process.ask("probe", call_of("stuck"), 0.1)
    process.close()
    assert process._process.returncode == -signal.SIGXCPU


def test_a_worker_has_nothing_of_the_embedding_process(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.chdir(tmp_path)
    inherited = os.open(tmp_path / "open", os.O_CREAT | os.O_RDWR)
    os.set_inheritable(inherited, True)
    try:
        seen = cast("dict[str, object]", Asked(workers, "around").value)
    finally:
        os.close(inherited)
    assert seen["environment"] == {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    links = cast("list[str]", seen["descriptors"])
    assert sorted(link.split("[")[0] for link in links) == ["/dev/null"] * 3 + ["pipe:"] * 3
    assert seen["folder"] == "/"
    assert seen["path"] == [str(Path(each).absolute()) for each in sys.path]
    assert seen["main"] == PROGRAM[0]
    assert seen["has_engine"] is False
    assert seen["limits"] == {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": MAX_WORKER_DESCRIPTORS,
        "RLIMIT_NPROC": 0,
    }


def test_a_worker_cannot_write_to_a_file(workers: Workers, tmp_path: Path) -> None:
    assert Asked(workers, "write", str(tmp_path / "file")).value == "OSError"


def test_what_a_library_prints_is_no_answer(workers: Workers) -> None:
    assert Asked(workers, "shout").value == "quiet"


def test_a_worker_finds_what_is_on_the_path_of_this_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "table_elsewhere.py").write_text(
        "from worker_table import HOSTS as ELSEWHERE\n", encoding="utf-8"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, os.path.relpath(tmp_path)])
    workers = Workers(table=HostTableEntry(version="0", module="table_elsewhere", attribute="ELSEWHERE"))
    assert Asked(workers, "echo", 1).value == 1


# ---- nothing is left


def test_a_thousand_calls_leave_no_process_and_no_descriptor() -> None:
    workers = Workers(table=TABLE)
    before = descriptors()
    seen: set[int] = set()
    for _ in range(10):
        asked = [Asked(workers, "pid", run=number) for number in range(100)]
        seen.update(cast("int", each.value) for each in asked)
    until(lambda: not workers.pids, "idle workers leave")
    assert not any(is_alive(each) for each in seen)
    assert descriptors() <= before


def test_calls_that_crash_leave_no_process_and_no_descriptor() -> None:
    workers = Workers(table=TABLE)
    before = descriptors()
    for _ in range(3):
        asked = [Asked(workers, "die"), Asked(workers, "stuck", seconds=0.05), Asked(workers, "die")]
        assert all(each.answer.failed for each in asked)
    until(lambda: not workers.pids, "idle workers leave")
    until(lambda: descriptors() <= before, "pipes are closed")


EMBEDDER = """
import os, sys, threading
sys.path[:0] = {path!r}
from nodetool_sandbox.workers.pool import Workers
from worker_calls import TABLE, Asked, until
if __name__ != "__main__":
    raise SystemExit("a worker must not run the main module again")
workers = Workers(table=TABLE)
print(Asked(workers, "pid").value, flush=True)
asked = Asked(workers, {export!r}, seconds=3600)
until(lambda: not len(workers._queue), "it is at work")
{then}
"""


def embedder(then: str, *, export: str = "stuck") -> subprocess.Popen[str]:
    program = EMBEDDER.format(path=sys.path, export=export, then=then)
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("export", ["stuck", "echo"], ids=["in C", "idle"])
@pytest.mark.parametrize("end", ["killed", "killed while a forked child lives on", "exits", "exits at once"])
def test_no_worker_outlives_the_embedding_process(end: str, export: str) -> None:
    then = {
        "killed": "print(0, flush=True); threading.Event().wait()",
        "killed while a forked child lives on": (
            "child = os.fork()\n"
            "if child: print(child, flush=True)\n"
            "sys.stdout.close(); os.close(1); threading.Event().wait()"
        ),
        "exits": "print(0, flush=True)",
        "exits at once": "print(0, flush=True); os._exit(0)",
    }[end]
    with embedder(then, export=export) as process:
        assert process.stdout is not None
        worker, child = int(process.stdout.readline()), int(process.stdout.readline())
        if end.startswith("killed"):
            assert is_alive(worker)
            process.kill()
        process.wait(PATIENCE_S)
    try:
        until(lambda: not is_alive(worker), "the worker ends")
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize(
    "program", ["Workers().warm()", "workers = Workers(); workers.warm(); workers.kill()"]
)
def test_a_process_that_ends_while_a_worker_starts_says_nothing(program: str) -> None:
    program = f"from nodetool_sandbox.workers.pool import Workers\n{program}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=PATIENCE_S, check=True
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_forked_child_has_workers_of_its_own() -> None:
    then = """
child = os.fork()
if child:
    _, status = os.waitpid(child, 0)
    print(status, flush=True)
    os._exit(0)
assert workers.pids == ()
os._exit(0 if Asked(workers, "echo", 5).value == 5 else 1)
"""
    with embedder(then, export="echo") as process:
        assert process.stdout is not None
        assert process.stdout.read().split()[1:] == ["0"]


def test_an_answer_is_given_once(workers: Workers) -> None:
    answers: list[Answer] = []
    asked = Asked(workers, "stuck", seconds=0.05)
    answers.append(asked.answer)
    assert Asked(workers, "echo", 1).value == 1
    assert not asked.is_answered


def test_fewer_workers_than_one_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Workers(most=0)
