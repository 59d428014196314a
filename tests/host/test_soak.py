"""A short soak in the ordinary suite; `make soak` is the long one."""

from __future__ import annotations

import pytest
from runs import until
from soak import MAX_SLOPE_BYTES, Report, main, slope, soak

SHORT = 500


@pytest.mark.slow
def test_a_short_soak_leaves_nothing_behind() -> None:
    report = soak(SHORT)
    assert report.wrong == ()
    assert sum(report.ended.values()) == SHORT
    assert (max(report.threads, 0), max(report.descriptors, 0), report.guests) == (0, 0, 0)
    # the slope of so few runs is noise: what a leak of one guest a run would cost is not
    assert report.slope_bytes < 100 * MAX_SLOPE_BYTES


def test_the_slope_of_a_line_is_its_rise() -> None:
    assert slope([(0, 5), (1, 8), (2, 11)]) == 3
    assert slope([(0, 7), (10, 7)]) == 0
    assert slope([(3, 9)]) == 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"slope_bytes": MAX_SLOPE_BYTES + 1.0}, "memory grows by 1,001 bytes a run"),
        ({"threads": 1}, "1 more threads"),
        ({"descriptors": 2}, "2 more descriptors"),
        ({"guests": 3}, "3 more guests"),
        ({"wrong": ("x ended as y",)}, "x ended as y"),
    ],
)
def test_what_is_left_over_is_a_problem(changed: dict[str, object], words: str) -> None:
    flat: dict[str, object] = {
        "runs": 1,
        "seconds": 1.0,
        "ended": {},
        "wrong": (),
        "rss_first": 0,
        "rss_last": 0,
    }
    flat |= {"slope_bytes": float(MAX_SLOPE_BYTES), "threads": 0, "descriptors": 0, "guests": 0}
    assert Report(**flat).problems() == []  # type: ignore[arg-type]
    [problem] = Report(**flat | changed).problems()  # type: ignore[arg-type]
    assert problem.startswith(words)


@pytest.mark.parametrize("arguments", [["0"], ["-1"], ["many"], ["1", "2"]])
def test_a_wrong_number_of_runs_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "one number of runs" in capsys.readouterr().err


def test_a_wait_for_what_never_comes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.PATIENCE_S", 0.02)
    with pytest.raises(AssertionError, match="never"):
        until(lambda: False, "it never comes")
