"""What every runner does: the same calls, in worker processes and on threads of this process."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from nodetool_sandbox.dispatch import InProcess, Runner
from nodetool_sandbox.host_calls import HostCall
from nodetool_sandbox.workers.pool import Workers
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSMap, JSSet
from worker_calls import TABLE, Asked, call_of


@pytest.fixture(params=["workers", "in process"])
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    if request.param == "in process":
        yield InProcess()
        return
    workers = Workers(table=TABLE)
    yield workers
    workers.kill()


@pytest.mark.parametrize(
    "value",
    [
        None,
        UNDEFINED,
        True,
        1.5,
        -math.inf,
        "text \0 \ud800 \N{GRINNING FACE}",
        b"\0" * 300_000,
        BigInt(2**70),
        datetime(2024, 2, 29, tzinfo=UTC),
        JSMap(((1, [2]),)),
        JSSet((1, "1")),
        {"a": [{"b": {}}], "__proto__": 1},
        ["row"] * 50_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_cross_there_and_back(runner: Runner, value: object) -> None:
    assert Asked(runner, "echo", value).value == value


def test_a_missing_argument_is_absent(runner: Runner) -> None:
    assert Asked(runner, "echo").value is None


def test_one_object_stays_one_where_the_export_says_so(runner: Runner) -> None:
    value = Asked(runner, "twice", [1]).value
    assert isinstance(value, list)
    assert value[0] is value[1]


def test_a_cycle_crosses_where_the_export_says_so(runner: Runner) -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    value = Asked(runner, "twice", call=call_of("twice", cycle, shared=True)).value
    assert isinstance(value, list)
    assert value[0][0] is value[0]


@pytest.mark.parametrize(
    ("export", "error"),
    [
        ("refuse", ("RangeError", "probe.refuse: no", {"row": 3})),
        (
            "mistake",
            (
                "InternalError",
                "probe.mistake: failed inside the host; this is a bug in the host module",
                None,
            ),
        ),
        (
            "leave",
            ("InternalError", "probe.leave: failed inside the host; this is a bug in the host module", None),
        ),
    ],
)
def test_a_failure_is_an_error_for_the_guest(
    runner: Runner, export: str, error: tuple[object, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assert Asked(runner, export).error == error
    assert ("Traceback" in caplog.text) == (export != "refuse"), "our mistakes are logged here, in full"


def test_a_result_that_cannot_cross_is_a_type_error(runner: Runner) -> None:
    name, message, _ = Asked(runner, "strange").error
    assert (name, message.split(":")[0]) == ("TypeError", "probe.strange")


@pytest.mark.parametrize(
    ("payload", "name"),
    [(b"\x01", "Error"), (b"", "TypeError"), (b"\xc1", "TypeError"), (b"\x92\x01", "TypeError")],
)
def test_a_malformed_request_fails_and_harms_nobody(runner: Runner, payload: bytes, name: str) -> None:
    call = HostCall(specifier="probe-pack", export="echo", payload=payload, refs=False)
    assert Asked(runner, "echo", call=call).error[0] == name
    assert Asked(runner, "echo", 1).value == 1


def test_a_call_that_polls_ends_at_its_deadline(runner: Runner) -> None:
    assert Asked(runner, "spin", seconds=0.2).error[1] == "probe.spin: exceeded its 200 ms deadline"


def test_a_call_ends_when_its_run_is_cancelled(runner: Runner) -> None:
    cancelled: list[bool] = []
    asked = Asked(runner, "spin", cancelled=lambda: bool(cancelled))
    assert Asked(runner, "echo", 1).value == 1
    assert not asked.is_answered
    cancelled.append(True)
    assert asked.error[1] == "the run was cancelled"


def test_many_calls_at_once_each_get_their_own_answer(runner: Runner) -> None:
    asked = [Asked(runner, "echo", number, run=number % 7) for number in range(500)]
    assert [each.value for each in asked] == list(range(500))


def test_getting_ready_twice_is_fine(runner: Runner) -> None:
    runner.warm()
    runner.warm()
    assert Asked(runner, "echo", 1).value == 1
