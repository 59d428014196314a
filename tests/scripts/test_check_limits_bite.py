"""The table of limits that are switched off one by one still speaks of the code and the tests that are there."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_limits_bite import MUTATIONS, NOT_SWITCHED_OFF, ROOT, Mutation, bites, forgotten, main


def test_every_limit_of_the_documentation_is_spoken_of() -> None:
    assert forgotten() == []


def test_no_limit_is_both_switched_off_and_excused() -> None:
    assert {each.limit.partition(":")[0] for each in MUTATIONS} & NOT_SWITCHED_OFF.keys() == set()


@pytest.mark.parametrize("row", MUTATIONS, ids=lambda row: row.limit)
def test_the_text_that_is_switched_off_stands_once_in_its_file(row: Mutation) -> None:
    assert (ROOT / row.file).read_text(encoding="utf-8").count(row.text) == 1
    assert row.instead != row.text


@pytest.mark.parametrize("row", MUTATIONS, ids=lambda row: row.limit)
def test_the_tests_of_a_row_are_there(row: Mutation) -> None:
    for test in row.tests:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text, test


def test_a_text_that_is_gone_is_a_problem_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "limits.py").write_text("cap = 1\n", encoding="utf-8")
    gone = Mutation(limit="cap", file="limits.py", text="cap = 2", instead="cap = 9", tests=("limits.py",))
    assert "stands 0 times in limits.py" in bites(gone, tmp_path)
    missing = Mutation(
        limit="cap", file="limits.py", text="cap = 1", instead="cap = 9", tests=("gone.py::test",)
    )
    assert "none of its tests is there" in bites(missing, tmp_path)
    assert (tmp_path / "limits.py").read_text(encoding="utf-8") == "cap = 1\n"


@pytest.mark.parametrize(("holds", "problem"), [("cap == 1", ""), ("True", "no test turned red")])
def test_a_limit_bites_when_a_test_turns_red_without_it(tmp_path: Path, holds: str, problem: str) -> None:
    (tmp_path / "capped.py").write_text("cap = 1\n", encoding="utf-8")
    body = f"from capped import cap\n\ndef test_cap():\n    assert {holds}\n"
    (tmp_path / "test_cap.py").write_text(body, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    row = Mutation(limit="cap", file="capped.py", text="cap = 1", instead="cap = 9", tests=("test_cap.py",))
    assert bites(row, tmp_path) == problem
    assert (tmp_path / "capped.py").read_text(encoding="utf-8") == "cap = 1\n"


def test_an_unknown_limit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no_such_limit"]) == 2
    assert "no limit is named ['no_such_limit']" in capsys.readouterr().err
