"""The bench's own arithmetic, and what it says where a side is missing. No test here looks at a clock."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence

import bench
import pytest
from benchmarks.arithmetic import Bound, Line, Spread, as_json, judge, table, written
from benchmarks.programs import PROGRAMS
from benchmarks.rows import ROWS, Room, Row
from benchmarks.workers import Ask, TaskFailedError, Worker, Workers
from nodetool_sandbox import Sandbox

DOUBLES = """
import json, sys
for line in sys.stdin:
    given = json.loads(line)["given"]
    print(json.dumps({"value": given["n"] * 2} if "n" in given else {"error": "no n"}), flush=True)
"""
ROOM = Room(ask=Ask(worker="room", task="any"), least=1.5, words="only {:.1f} here")


class FakeWorkers(Workers):
    """Sides with prepared figures, one a turn; one without figures cannot be had."""

    def __init__(self, figures: Mapping[str, Sequence[float]]) -> None:
        super().__init__({})
        self._figures = {name: iter(each) for name, each in figures.items()}
        self.asked: list[str] = []

    def ask(self, asked: Ask) -> float:
        self.asked.append(asked.worker)
        if asked.worker not in self._figures:
            raise TaskFailedError(f"{asked.worker} is not installed")
        return next(self._figures[asked.worker])


def row(*bounds: Bound, others: Sequence[str] = (), pairs: int = 3, room: bool = False) -> Row:
    return Row(
        name="row",
        unit="ms",
        pairs=pairs,
        ours=Ask(worker="ours", task="any"),
        others={name: Ask(worker=name, task="any") for name in others},
        bounds=bounds,
        room=ROOM if room else None,
    )


def test_a_spread_is_the_median_and_the_quarter_marks() -> None:
    assert Spread.of([5, 1, 2, 3, 4]) == Spread(low=2, median=3, high=4)


def test_one_figure_has_no_spread() -> None:
    assert Spread.of([7]) == Spread(low=7, median=7, high=7)


def test_a_ratio_is_that_of_the_medians_and_its_spread_that_of_the_pairs() -> None:
    line = judge("row", "ms", Bound(against="peer", most_times=1), [1, 2, 9], [4, 4, 6])
    assert (line.ours, line.other, line.ratio) == (2, 4, 0.5)
    assert (line.low, line.high) == (0.375, 1.0)


@pytest.mark.parametrize(
    ("bound", "held"),
    [
        (Bound(most=2), True),
        (Bound(most=1.999), False),
        (Bound(), None),
        (Bound(against="peer", most_times=0.5), True),
        (Bound(against="peer", most_times=0.499), False),
        (Bound(against="peer", least_times_as_fast=2), True),
        (Bound(against="peer", least_times_as_fast=2.001), False),
        (Bound(against="peer"), None),
    ],
    ids=str,
)
def test_a_bound_is_held_up_to_its_very_figure(*, bound: Bound, held: bool | None) -> None:
    assert judge("row", "ms", bound, [2, 2, 2], [4, 4, 4]).held is held


def test_how_much_faster_ours_is_turns_its_quarter_marks_round() -> None:
    line = judge("row", "ms", Bound(against="peer", least_times_as_fast=1), [1, 1, 1], [1, 2, 4])
    assert line.ratio == 2
    assert line.low is not None
    assert line.high is not None
    assert line.low < line.ratio < line.high


@pytest.mark.parametrize(
    ("figure", "unit", "text"),
    [
        (0.000_373_4, "ms", "0.37 ms"),
        (0.25, "ms", "250 ms"),
        (0.0135, "ms", "13.5 ms"),
        (40e-6, "us", "40 us"),
        (2.5, "s", "2.5 s"),
        (1_234_567, "MB", "1.23 MB"),
        (1.9, "ms", "1,900 ms"),
        (0, "threads", "0 threads"),
    ],
)
def test_figures_are_written_with_the_digits_that_mean_something(figure: float, unit: str, text: str) -> None:
    assert written(figure, unit) == text


def test_all_sides_are_asked_in_turn_and_the_first_turn_is_not_counted() -> None:
    workers = FakeWorkers({"ours": [99, 1, 1, 1], "peer": [99, 2, 2, 2]})
    (line,) = bench.measure(row(Bound(against="peer", most_times=1), others=["peer"]), workers)
    assert workers.asked == ["ours", "peer"] * 4
    assert (line.ours, line.other, line.held) == (1, 2, True)


def test_a_side_without_a_bound_is_shown_for_scale() -> None:
    workers = FakeWorkers({"ours": [1] * 4, "peer": [2] * 4, "scale": [4] * 4})
    lines = [*bench.measure(row(Bound(against="peer", most_times=1), others=["peer", "scale"]), workers)]
    assert [(line.against, line.ratio, line.held) for line in lines] == [
        ("peer", 0.5, True),
        ("scale", 0.25, None),
    ]


def test_a_peer_that_this_machine_cannot_have_fails_nothing() -> None:
    workers = FakeWorkers({"ours": [1] * 4})
    (line,) = bench.measure(row(Bound(against="peer", most_times=1), others=["peer"]), workers)
    assert line.not_measured == "peer is not installed"
    assert not bench.has_failed(line)
    assert "not measured: peer is not installed" in table([line])


def test_our_own_side_failing_fails_the_row() -> None:
    (line,) = bench.measure(row(Bound(most=1)), FakeWorkers({}))
    assert bench.has_failed(line)


@pytest.mark.parametrize(
    ("ours", "room", "held", "said"),
    [
        (2.0, 1.5, False, ""),
        (2.0, 1.4, None, "only 1.4 here"),
        (1.0, 1.4, True, ""),
    ],
)
def test_a_miss_is_not_called_one_where_the_machine_had_no_room(
    *, ours: float, room: float, held: bool | None, said: str
) -> None:
    workers = FakeWorkers({"ours": [ours] * 3, "room": [room] * 3})
    (line,) = bench.measure(row(Bound(most=1), room=True), workers)
    assert (line.held, line.not_judged) == (held, said)
    assert said in table([line])


def test_a_table_says_what_was_missed() -> None:
    lines = [
        judge("good", "ms", Bound(most=1), [0.5]),
        judge("bad", "ms", Bound(against="peer", most_times=0.5), [1, 1], [1, 1]),
    ]
    heading, rule, good, bad = table(lines).splitlines()
    assert len({len(heading), len(rule), len(good), len(bad)}) == 1
    assert good.split("|")[-2].strip() == "held"
    assert bad.split("|")[-2].strip() == "MISSED"
    assert "1.00x" in bad


def test_lines_go_out_as_json_in_base_units() -> None:
    line = judge("row", "us", Bound(most=40e-6), [30e-6])
    assert json.loads(json.dumps(as_json(line)))["ours"] == 30e-6


@pytest.mark.parametrize(("limit", "code"), [(1.0, 0), (0.5, 1)])
def test_the_exit_code_says_whether_a_row_missed(
    limit: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "ROWS", (row(Bound(most=limit)),))
    monkeypatch.setattr(bench, "Workers", lambda _: FakeWorkers({"ours": [0.75] * 3}))
    assert bench.main(["--json"]) == code
    (line,) = json.loads(capsys.readouterr().out)
    assert line["held"] is (code == 0)


def test_a_row_that_does_not_exist_is_refused_with_those_that_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        bench.main(["--only", "nothing"])
    assert "fresh" in capsys.readouterr().err


def test_every_row_has_a_name_of_its_own_and_bounds_against_sides_that_it_measures() -> None:
    assert len({each.name for each in ROWS}) == len(ROWS)
    for each in ROWS:
        assert {bound.against for bound in each.bounds} <= {None, *each.others}
        assert all(
            [bound.most, bound.most_times, bound.least_times_as_fast].count(None) == 2
            for bound in each.bounds
        )


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_programs_run_in_the_guest(name: str) -> None:
    assert isinstance(Sandbox().run_sync(PROGRAMS[name]).value, int | float)


@pytest.fixture
def doubling() -> Callable[[], Sequence[str]]:
    return lambda: [sys.executable, "-c", DOUBLES]


def test_a_worker_answers_what_it_is_asked(doubling: Callable[[], Sequence[str]]) -> None:
    with Workers({"doubling": doubling}) as workers:
        assert [workers.ask(Ask(worker="doubling", task="any", given={"n": n})) for n in (1, 2)] == [2, 4]


def test_a_task_that_fails_says_why_and_the_worker_goes_on(
    doubling: Callable[[], Sequence[str]],
) -> None:
    with Worker(doubling()) as worker:
        with pytest.raises(TaskFailedError, match="any: no n"):
            worker.ask("any")
        assert worker.ask("any", n=3) == 6


def test_a_worker_that_ends_is_told_with_its_exit_code() -> None:
    with (
        Worker([sys.executable, "-c", "raise SystemExit(3)"]) as worker,
        pytest.raises(TaskFailedError, match="code 3"),
    ):
        worker.ask("any")


def test_a_side_that_cannot_be_started_is_tried_once() -> None:
    tried: list[int] = []

    def command() -> Sequence[str]:
        tried.append(1)
        raise TaskFailedError("no such thing here")

    with Workers({"missing": command}) as workers:
        for _ in range(2):
            with pytest.raises(TaskFailedError, match="no such thing here"):
                workers.ask(Ask(worker="missing", task="any"))
    assert tried == [1]


def test_a_line_without_figures_still_has_all_its_columns() -> None:
    (*_, text) = table([Line(row="row", unit="ms", not_measured="why")]).splitlines()
    assert text.count("|") == len(table([]).splitlines()[0].split("|")) - 1
