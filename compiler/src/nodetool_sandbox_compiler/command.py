"""`nodetool-sandbox packs compile`: the npm modules of packs, compiled into their packages."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nodetool_sandbox.stacks import printable

from nodetool_sandbox_compiler.outcomes import Compiled, ModuleOutcome, ProjectError, ProjectOutcome
from nodetool_sandbox_compiler.projects import compile_project, lock_project

OK: Final = 0
SKIPPED: Final = 1
USAGE: Final = 2

_ABOUT: Final = """\
Compile the modules that packs declare as npm libraries, each into the one file that its wheel brings. Versions
come from the project's package-lock.json; --lock writes it.
"""
_END: Final = (
    "exit status: 0 everything is compiled, 1 something is skipped, 2 a folder is no pack's project\n"
)


def main(arguments: Sequence[str]) -> int:
    """The exit status; `arguments` are what stands behind `packs compile`.

    Raises:
        SystemExit: help was asked for (0), or the arguments are wrong (2).
    """
    given = _build_parser().parse_args(arguments)
    outcomes: list[ProjectOutcome] = []
    for folder in given.folders or [Path()]:
        try:
            unlocked = lock_project(folder) if given.lock else None
            if unlocked is not None:
                _complain(f"{folder}: {unlocked.npm}: {unlocked.detail} ({unlocked.code})")
                return SKIPPED
            outcomes.append(compile_project(folder, force=given.force))
        except ProjectError as error:
            _complain(f"{folder}: {error}")
            return USAGE
    print(_document(outcomes) if given.json else _report(outcomes))  # noqa: T201 - a command
    return SKIPPED if any(outcome.skipped for outcome in outcomes) else OK


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nodetool-sandbox packs compile",
        description=_ABOUT,
        epilog=_END,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "folders", nargs="*", type=Path, metavar="DIR", help="a pack's project; this folder otherwise"
    )
    parser.add_argument("--force", action="store_true", help="compile again what is cached")
    parser.add_argument("--lock", action="store_true", help="write package-lock.json first")
    parser.add_argument("--json", action="store_true", help="as one JSON document")
    return parser


def _report(outcomes: Sequence[ProjectOutcome]) -> str:
    modules = [module for outcome in outcomes for module in outcome.modules]
    if not modules:
        return 'no pack here declares an npm module; one does with: npm = "date-fns" in pack.toml'
    lines = [line for module in modules for line in _lines(module)]
    skipped = sum(len(outcome.skipped) for outcome in outcomes)
    return "\n".join([*map(printable, lines), f"{len(modules) - skipped} compiled, {skipped} skipped."])


def _lines(module: ModuleOutcome) -> list[str]:
    found = module.outcome
    if not isinstance(found, Compiled):
        return [f"skip  {module.specifier}: {found.npm}: {found.detail} ({found.code})"]
    grade = "warn" if found.warnings else "ok  "
    cached = " (cached)" if found.cached else ""
    told = f"{grade}  {module.specifier}: {found.npm} {found.version}, {found.size:,} bytes{cached}"
    return [told, *(f"      {warning}" for warning in found.warnings)]


def _document(outcomes: Sequence[ProjectOutcome]) -> str:
    compiled: list[dict[str, object]] = []
    diagnostics: list[dict[str, object]] = []
    for outcome in outcomes:
        for module in outcome.modules:
            about = {"pack": outcome.distribution, "specifier": module.specifier, "npm": module.npm}
            found = module.outcome
            if not isinstance(found, Compiled):
                diagnostics.append({**about, "code": found.code, "message": found.detail})
                continue
            compiled.append(
                {
                    **about,
                    "version": found.version,
                    "file": module.place,
                    "bytes": found.size,
                    "sha256": found.sha256,
                    "exports": list(found.exports),
                    "warnings": list(found.warnings),
                    "cached": found.cached,
                    "written": module.written,
                }
            )
    return json.dumps({"compiled": compiled, "diagnostics": diagnostics}, indent=2)


def _complain(line: str) -> None:
    print(f"nodetool-sandbox: error: {printable(line)}", file=sys.stderr)  # noqa: T201 - a command
