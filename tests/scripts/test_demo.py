"""The demo does what the README promises of it."""

from __future__ import annotations

import demo
import pytest


def test_the_demo_reports_on_its_files_and_ends_what_misbehaves(capfd: pytest.CaptureFixture[str]) -> None:
    assert demo.main() == 0
    shown, told = capfd.readouterr()
    assert "[warn] order 1008 is left out: stool-pine is not on the price list" in told
    for line in (
        '"name": "Ödegård & Söner AB"',
        '"withTax": 6160.95',
        "Ödegård & Söner AB   2 orders    3697.31 EUR",
        "ended: timeout. ExecutionTimeout: Execution timed out after 500 ms",
        "ended: failed. InternalError: out of memory, line 3",
        "ended: ok. It found: {'found': [], 'outside': 'TypeError', 'files': 'dynamic import() is not allowed",
    ):
        assert line in shown
