"""Compiles every library of tests/npm from npm, and writes tests/npm/outcomes.json: how each ended.

`scripts/generate.py` makes the page of it, docs/reference/npm-libraries.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from nodetool_sandbox_compiler import Compiled, Skipped  # noqa: E402 - after the path
from npm.trial import LOCKED, compile_trial, versions  # noqa: E402 - the same


def main() -> int:
    """0 when the file is written."""
    wanted = versions()
    with tempfile.TemporaryDirectory() as folder:
        done = compile_trial(Path(folder) / "trial", wanted)
    rows = {each.npm: _row(each.outcome, wanted[each.npm]) for each in done.modules}
    if len({row.get("code") for row in rows.values()}) == 1:
        print(next(iter(done.skipped)).detail, file=sys.stderr)
        return 1
    text = json.dumps(rows, indent=1, sort_keys=True) + "\n"
    (LOCKED / "outcomes.json").write_text(text, encoding="utf-8")
    admitted = sum("code" not in row for row in rows.values())
    print(f"{admitted} of {len(rows)} libraries are admitted; now: scripts/generate.py")
    return 0


def _row(outcome: Compiled | Skipped, version: str) -> dict[str, object]:
    if isinstance(outcome, Skipped):
        return {"version": version, "code": str(outcome.code), "detail": outcome.detail}
    return {
        "version": version,
        "bytes": outcome.size,
        "exports": len(outcome.exports),
        "warnings": list(outcome.warnings),
    }


if __name__ == "__main__":
    sys.exit(main())
