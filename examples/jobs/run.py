"""Runs the programs of this folder on the files in `files`, and prints what they return: `run.py [NAME]...`."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from nodetool_sandbox import INSTALLED, RunResult, Sandbox

HERE = Path(__file__).parent


def text(name: str) -> str:
    """A file of `files`."""
    return (HERE / "files" / name).read_text(encoding="utf-8")


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these files, as a user would bring it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return packed.getvalue()


JOBS: Mapping[str, Mapping[str, object]] = {
    "merge_bank_exports": {name: text(f"{name}.csv") for name in ("north", "rhein", "mobile")},
    "page_to_markdown": {"page": text("page.html")},
    "workbook_round_trip": {},
    "feed_to_csv": {"feed": text("feed.xml")},
    "config_changes": {"before": text("before.yaml"), "after": text("after.yaml")},
    "search_archives": {
        "word": "tide",
        "archive": archive(
            {
                "readme.txt": "nothing here",
                "log/march.txt": "high tide at nine",
                "old.zip": archive({"february.txt": "no wind", "deep/january.txt": "low tide, no wind"}),
            }
        ),
    },
    "invoice_due_dates": {
        "invoices": [
            {"customer": "Ada", "sent": "28.03.2024 09:00", "zone": "Europe/Berlin", "days": 2},
            {
                "customer": "Bo",
                "sent": "Thu, 28 Mar 2024 22:30:00 -0400",
                "zone": "America/New_York",
                "days": 1,
            },
            {"customer": "Chi", "sent": "2024-03-29T02:30:00Z", "zone": "Asia/Tokyo", "days": 1},
        ],
    },
    "split_manifests": {"manifests": text("manifests.yaml")},
    "five_packs": {
        "archive": archive(
            {
                "orders.csv": "item,count\nTea,12\nCup,3\nTea,1\nHat,1\n",
                "prices.yaml": "prices: { Tea: 4.5, Cup: 12 }\n",
                "last.csv": "item,total\nCup,36\nTea,45\n",
            }
        )
    },
}
"""What each program finds as `inputs`."""


def run_job(name: str) -> RunResult:
    """The result of one program."""
    code = (HERE / f"{name}.js").read_text(encoding="utf-8")
    return Sandbox().run_sync(code, modules=INSTALLED, globals={"inputs": dict(JOBS[name])})


def main() -> int:
    """0 when every program succeeded."""
    failed = 0
    for name in sys.argv[1:] or JOBS:
        result = run_job(name)
        failed += not result.success
        shown = result.value if result.success else str(result.error)
        print(f"{name}: {json.dumps(shown, indent=2, default=lambda each: f'{len(each):,} bytes')}")
        for line in result.logs:
            print(f"  {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
