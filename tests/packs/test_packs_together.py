"""A run that imports yaml and csv, computes and returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from nodetool_sandbox import Ended, Sandbox

REPORT = Path(__file__).parents[2] / "examples" / "report"
CSV, YAML = "@nodetool-ai/sandbox-csv", "@nodetool-ai/sandbox-yaml"


def read(name: str) -> str:
    return (REPORT / name).read_text(encoding="utf-8")


@pytest.fixture
def inputs() -> dict[str, object]:
    return {"orders": read("orders.csv"), "prices": read("prices.yaml")}


def test_a_report_is_made_of_two_files(inputs: dict[str, object]) -> None:
    result = Sandbox().run_sync(read("report.js"), modules=[CSV, YAML], globals={"inputs": inputs})
    assert result.success, result.error
    assert isinstance(result.value, dict)
    assert result.value["total"] == 4928.76
    assert [call.name for call in result.calls] == ["csv.parse", "yaml.load"]
    assert result.logs == (
        "[warn] order 1008 is left out: stool-pine is not on the price list",
        "9 orders of 4 customers",
    )


def test_the_files_rows_are_what_their_author_meant(inputs: dict[str, object]) -> None:
    code = f'import {{ parse }} from "{CSV}"; return (await parse(inputs.orders)).map((row) => row.note)'
    notes = Sandbox().run_sync(code, modules=[CSV], globals={"inputs": inputs}).value
    assert notes == [
        "A gift; please wrap",
        "",
        "",
        "Deliver to the back door,\nring twice",
        'Engrave "M. T."',
        "",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize("missing", [CSV, YAML])
def test_a_pack_that_was_not_declared_stops_the_run_before_it_starts(
    missing: str, inputs: dict[str, object]
) -> None:
    declared = [CSV, YAML]
    declared.remove(missing)
    result = Sandbox().run_sync(read("report.js"), modules=declared, globals={"inputs": inputs})
    assert (result.ended, result.calls) == (Ended.FAILED, ())
    assert missing in str(result.error)
