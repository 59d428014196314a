"""The set-up says what it lacks."""

from __future__ import annotations

import sys

import pytest
import setup_env


def test_an_old_python_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(setup_env, "MIN_PYTHON", (99, 0))
    assert setup_env.main() == 1
    assert "make PYTHON=" in capsys.readouterr().err


def test_a_step_that_fails_says_which_and_what_to_do() -> None:
    with pytest.raises(setup_env.SetupFailedError, match=r"'step' ended with code 3\n  what now: look"):
        setup_env.run("step", [sys.executable, "-c", "raise SystemExit(3)"], now="look")


def test_the_pinned_uv_carries_hashes_and_no_index() -> None:
    lines = [each for each in setup_env.UV_REQUIREMENTS.read_text().splitlines() if not each.startswith("#")]
    assert lines[0].startswith("uv==")
    assert all(line.strip().startswith("--hash=sha256:") for line in lines[1:])
