"""Compiles the npm libraries of our own packs into their packages, where they are not there already.

The build of an editable install does the same; this is for a checkout whose lock, compiler or files changed
since. Nothing is started when everything is in place.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nodetool_sandbox_compiler import ProjectOutcome, compile_project, is_current

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """0 when every npm module of every pack is in place."""
    failed = False
    for manifest in sorted(ROOT.glob("packs/*/package.json")):
        project = manifest.parent
        if is_current(project):
            continue
        failed |= not report(compile_project(project, keep=True))
    return 1 if failed else 0


def report(outcome: ProjectOutcome) -> bool:
    """Whether everything was compiled; says what was not."""
    for each in outcome.skipped:
        print(f"{outcome.distribution}: {each.npm}: {each.detail} ({each.code})", file=sys.stderr)
    for module in outcome.modules:
        if module.written:
            print(f"compiled {module.specifier}", file=sys.stderr)
    return not outcome.skipped


if __name__ == "__main__":
    sys.exit(main())
