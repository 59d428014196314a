"""The check script runs everything it is asked for, and says what failed."""

from __future__ import annotations

import sys

import check
import pytest


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three checks, the middle one failing, and the names of those that ran."""
    names: list[str] = []

    def stand_in(name: str, *, passes: bool) -> bool:
        names.append(name)
        return passes

    checks = {
        "first": lambda: stand_in("first", passes=True),
        "second": lambda: stand_in("second", passes=False),
        "third": lambda: stand_in("third", passes=True),
    }
    monkeypatch.setattr(check, "CHECKS", checks)
    return names


def test_a_failed_check_does_not_keep_the_next_from_running(
    ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check.main([]) == 1
    assert ran == ["first", "second", "third"]
    assert "failed: second." in capsys.readouterr().out


def test_the_named_checks_alone_run(ran: list[str]) -> None:
    assert check.main(["third", "first"]) == 0
    assert ran == ["third", "first"]


def test_an_unknown_check_is_refused_before_any_runs(
    ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert check.main(["first", "fast"]) == 2
    assert ran == []
    assert "no check is named ['fast']; there are: first, second, third" in capsys.readouterr().err


def test_a_tool_that_hangs_is_stopped() -> None:
    assert check.run(sys.executable, "-c", "input()", timeout_s=0.05) is False
