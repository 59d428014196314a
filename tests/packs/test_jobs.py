"""The programs in `examples/jobs`: each does its job on the files that lie beside it."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any, cast

FOLDER = Path(__file__).parents[2] / "examples" / "jobs"


def load_jobs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("jobs", FOLDER / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


jobs = load_jobs()


def done(name: str) -> dict[str, Any]:
    result = jobs.run_job(name)
    assert result.success, result.error
    return cast("dict[str, Any]", result.value)


def test_every_program_has_its_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.js")} == set(jobs.JOBS)


def test_three_exports_of_a_bank_become_one_table() -> None:
    merged = done("merge_bank_exports")
    assert (merged["balance"], merged["dropped"]) == (102.31, 1)
    lines = merged["table"].splitlines()
    assert lines[:2] == ["bank,date,amount,text", "rhein,2026-03-01,-1050,Miete"]
    assert 'mobile,2026-03-07,20,"From ""Ann"""' in lines


def test_a_messy_page_becomes_markdown() -> None:
    page = done("page_to_markdown")
    assert page["markdown"].startswith("# Spring prices\n\nWe **lowered")
    assert "track" not in page["markdown"]
    assert "-   Free returns, _always_" in page["markdown"]
    assert [(link["href"], link["type"]) for link in page["links"]] == [
        ("../terms.html", "internal"),
        ("mailto:shop@example.org", "external"),
    ]
    assert page["prices"] == [{"Item": "Tea", "Price": "4.50"}, {"Item": "Cup", "Price": "12.00"}]


def test_a_workbook_keeps_dates_and_formulas_through_json() -> None:
    book = done("workbook_round_trip")
    assert book["same"] is True
    assert '"due":"2026-03-29T00:00:00.000Z"' in book["json"]
    assert '"formula":"=C3*D3"' in book["json"]


def test_invoices_are_due_on_the_customers_clock_over_a_change_to_summer_time() -> None:
    value = done("invoice_due_dates")
    assert [(each["customer"], each["text"], each["hours"]) for each in value["due"]] == [
        (
            "Ada",
            "Monday, 1 April 2024 09:00 CEST",
            95,
        ),  # four days of 24 hours, less the one that was skipped
        ("Bo", "Friday, 29 March 2024 09:00 EDT", 10),
        ("Chi", "Monday, 1 April 2024 09:00 JST", 69),
    ]
    assert not any(each["weekend"] for each in value["due"])
    assert [f"{each:%m-%d %H}" for each in value["reminders"]] == ["03-29 08", "04-02 07"]


def test_a_feed_becomes_csv_with_its_times_in_utc() -> None:
    feed = done("feed_to_csv")
    assert feed["title"] == "Weather & tides"
    assert feed["csv"].splitlines()[1:] == [
        "2026-03-03T20:15:00.000Z,Storm <red>,https://weather.example/3",
        '2026-03-01T08:00:00.000Z,"Low water, ""Sunday""",https://weather.example/2',
    ]


def test_a_change_report_tells_meaning_and_text_apart() -> None:
    report = done("config_changes")
    assert report["changes"][0] == {"path": "server.port", "from": 8080, "to": 8443}
    assert [each["path"] for each in report["changes"]][1:] == [
        "server.tls.minimum",
        "jobs.1.name",
        "jobs.1.every",
    ]
    assert '+  tls: &tls { minimum: "1.3" }' in report["patch"]


def test_a_nested_archive_is_searched_to_its_bottom() -> None:
    assert jobs.run_job("search_archives").value == ["log/march.txt", "old.zip/deep/january.txt"]


def test_a_file_of_manifests_is_split_and_stays_what_it_was() -> None:
    files = done("split_manifests")
    assert list(files) == ["namespace-shop.yaml", "configmap-shop-rules.yaml", "service-shop.yaml"]
    assert (
        "VERSION: '1.10'\n  ENABLED: 'yes'\n  greeting: |\n    Hello,\n      and welcome.\n"
        in files["configmap-shop-rules.yaml"]
    )


def test_five_packs_make_a_report_together() -> None:
    report = done("five_packs")
    assert "-Tea,45\n+Tea,58.5" in report["changes"]
    with zipfile.ZipFile(io.BytesIO(report["files"])) as archive:
        assert archive.namelist() == ["totals.xlsx", "changes.diff"]
        with zipfile.ZipFile(io.BytesIO(archive.read("totals.xlsx"))) as workbook:
            assert "xl/workbook.xml" in workbook.namelist()
