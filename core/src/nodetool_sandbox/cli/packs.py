"""`packs list` and `packs info`: what is installed. Texts of a pack are a stranger's: shown, never obeyed."""

from __future__ import annotations

import sys
from dataclasses import asdict

from nodetool_sandbox import Sandbox
from nodetool_sandbox.cli.arguments import PacksOptions
from nodetool_sandbox.cli.endings import OK, UsageError
from nodetool_sandbox.cli.json_form import json_text
from nodetool_sandbox.cli.output import write_standard_output
from nodetool_sandbox.cli.terminal import Terminal
from nodetool_sandbox.stacks import printable


def show_packs(options: PacksOptions) -> int:
    """Print what was asked for; the exit status.

    Raises:
        UsageError: no installed pack offers the specifier.
    """
    sandbox = Sandbox()
    if options.specifier is None:
        write_standard_output(_listing_json(sandbox) if options.as_json else _listing(sandbox))
        return OK
    document = _info(sandbox, options.specifier)
    write_standard_output(json_text(document) if options.as_json else _info_text(document))
    return OK


def _listing(sandbox: Sandbox) -> str:
    for diagnostic in sandbox.packs.diagnostics():
        if diagnostic.severity != "info":
            whose = f"{diagnostic.pack}: " if diagnostic.pack is not None else ""
            line = f"{diagnostic.severity}: {whose}{diagnostic.message} ({diagnostic.code})"
            Terminal(sys.stderr).say(printable(line))
    rows = [
        (
            each.specifier,
            f"{each.distribution} {each.version}",
            each.kind,
            "" if each.available else "cannot run here",
        )
        for each in sandbox.packs.summaries()
    ]
    if not rows:
        return "no packs are installed; one comes with: pip install nodetool-sandbox-yaml"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(printable(line.rstrip()) for line in lines)


def _listing_json(sandbox: Sandbox) -> str:
    packs = sandbox.packs
    diagnostics = [
        {
            "code": each.code,
            "severity": each.severity,
            "message": each.message,
            "pack": each.pack,
            "specifier": each.specifier,
            "places": list(each.places),
        }
        for each in packs.diagnostics()
    ]
    return json_text({"modules": [asdict(each) for each in packs.summaries()], "diagnostics": diagnostics})


def _info(sandbox: Sandbox, specifier: str) -> dict[str, object]:
    packs = sandbox.packs
    summary = next((each for each in packs.summaries() if each.specifier == specifier), None)
    pack = packs.pack(summary.specifier) if summary is not None else None
    if summary is None or pack is None:
        installed = ", ".join(each.specifier for each in packs.summaries())
        raise UsageError(f"{specifier!r} is not installed; there is: {installed or 'nothing'}")
    return {
        **asdict(summary),
        "statuses": [each.message for each in pack.statuses if each.severity != "info"],
        "types": pack.types,
        "guide": None if pack.skill is None else pack.skill.body,
    }


def _info_text(document: dict[str, object]) -> str:
    rows = ("specifier", "distribution", "version", "kind", "digest", "available", "description")
    parts = ["\n".join(f"{row:13}{printable(str(document[row]))}" for row in rows)]
    statuses = document["statuses"]
    if isinstance(statuses, list) and statuses:
        parts.append("\n".join(f"warning: {printable(each)}" for each in statuses))
    for row, heading in (("types", "index.d.ts"), ("guide", "SKILL.md")):
        text = document[row]
        if isinstance(text, str):
            parts.append(
                f"--- {heading}, as the pack has it\n\n{printable(text, keep_newlines=True).rstrip()}"
            )
    return "\n\n".join(parts)
