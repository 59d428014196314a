"""Tables in the documentation come from the code."""

from __future__ import annotations

from pathlib import Path

import generate
import pytest
from nodetool_sandbox.limits import LIMITS

REGION = "<!-- begin limits: written by scripts/generate.py -->{}<!-- end limits -->"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(
        generate,
        "OUTPUTS",
        (
            generate.Output(path="whole/page.md", text=lambda: "made\n"),
            generate.Output(path="README.md", text=generate.readme_limits),
        ),
    )
    return tmp_path


def test_a_region_is_filled_and_the_text_around_it_kept(root: Path) -> None:
    (root / "README.md").write_text(f"before\n{REGION.format('old')}\nafter\n")
    assert generate.main([]) == 0
    text = (root / "README.md").read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert all(f"`{row.name}`" in text for row in LIMITS)
    assert (root / "whole" / "page.md").read_text() == "made\n"


def test_a_stale_table_fails_the_check_and_stays(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "README.md").write_text(REGION.format("old"))
    assert generate.main(["--check"]) == 1
    assert (root / "README.md").read_text() == REGION.format("old")
    assert "README.md is not what scripts/generate.py writes: run it" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["none", REGION.format(1) * 2], ids=["no region", "two regions"])
def test_a_page_without_one_place_for_its_table_is_refused(
    root: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "README.md").write_text(text)
    assert generate.main([]) == 1
    assert "put it between" in capsys.readouterr().err


def test_a_cell_with_a_bar_stays_one_cell() -> None:
    assert generate.table(("a",), (("x|y",),)) == "| a |\n| --- |\n| x\\|y |"
