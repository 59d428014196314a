from __future__ import annotations

from pathlib import Path

import docs_tables
import pytest
from nodetool_sandbox.limits import FIXED_LIMITS, LIMITS


def test_the_page_of_limits_is_what_the_code_says() -> None:
    assert docs_tables.main(["--check"]) == 0


def test_the_page_has_every_row() -> None:
    page = docs_tables.limits_page()
    assert all(f"| `{row.name}` |" in page for row in (*LIMITS, *FIXED_LIMITS))
    assert "| `memory_limit_bytes` | 64 MiB | 1 MiB | 512 MiB | bytes |" in page


def test_a_page_that_was_edited_is_noticed_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs" / "limits.md"
    monkeypatch.setattr(docs_tables, "ROOT", tmp_path)
    monkeypatch.setattr(docs_tables, "PAGE", page)
    assert docs_tables.main(["--check"]) == 1
    assert docs_tables.main([]) == 0
    assert docs_tables.main(["--check"]) == 0
    page.write_text(page.read_text() + "more")
    assert docs_tables.main(["--check"]) == 1
    assert "docs/limits.md is out of date" in capsys.readouterr().err
