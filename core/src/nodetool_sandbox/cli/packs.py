"""`packs list` and `packs info`: what is installed. Texts of a pack are a stranger's: shown, never obeyed."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from nodetool_sandbox_registry import Catalog, Diagnostic, quoted

from nodetool_sandbox import Sandbox
from nodetool_sandbox.cli.endings import OK, UsageError
from nodetool_sandbox.cli.json_form import json_text
from nodetool_sandbox.cli.output import write_standard_output
from nodetool_sandbox.cli.pack_arguments import InfoOptions, ListOptions
from nodetool_sandbox.cli.terminal import Terminal
from nodetool_sandbox.stacks import printable

_HEADINGS: Final = ("Module", "Package", "Version", "Kind")
_ROWS: Final = (
    "specifier",
    "distribution",
    "version",
    "kind",
    "digest",
    "available",
    "description",
    "modules",
    "summary",
    "license",
    "location",
    "requires",
)


def show_packs(options: ListOptions | InfoOptions) -> int:
    """Print what was asked for; the exit status.

    Raises:
        UsageError: no installed pack has the name.
    """
    packs = Sandbox().packs
    if isinstance(options, ListOptions):
        write_standard_output(_listing_json(packs) if options.as_json else _listing(packs))
        return OK
    document = _info(packs, options.name)
    write_standard_output(json_text(document) if options.as_json else _info_text(document))
    return OK


def _listing(packs: Catalog) -> str:
    complaints = [each for each in packs.diagnostics() if each.severity != "info"]
    for each in complaints:
        whose = f"{each.pack}: " if each.pack is not None else ""
        Terminal(sys.stderr).say(printable(f"{each.severity}: {whose}{each.message} ({each.code})"))
    rows = [
        (
            each.specifier,
            each.distribution,
            each.version,
            each.kind if each.available else f"{each.kind}, cannot run here",
        )
        for each in packs.summaries()
    ]
    if not rows:
        return "no packs are installed; one comes with: pip install nodetool-sandbox-yaml"
    return table(_HEADINGS, rows)


def _listing_json(packs: Catalog) -> str:
    diagnostics = [diagnostic_document(each) for each in packs.diagnostics()]
    return json_text({"modules": [asdict(each) for each in packs.summaries()], "diagnostics": diagnostics})


def diagnostic_document(told: Diagnostic) -> dict[str, object]:
    """A diagnostic, ready for JSON."""
    return {
        "code": told.code,
        "severity": told.severity,
        "message": told.message,
        "pack": told.pack,
        "specifier": told.specifier,
        "places": list(told.places),
    }


def _info(packs: Catalog, name: str) -> dict[str, object]:
    summaries = packs.summaries()
    named = next((each for each in summaries if name in {each.specifier, each.distribution}), None)
    pack = packs.pack(named.specifier) if named is not None else None
    if named is None or pack is None:
        raise UsageError(_not_there(packs, name))
    return {
        **asdict(named),
        **_metadata(named.distribution),
        "modules": [each.specifier for each in pack.modules],
        "files": [{"id": each.id, "kind": each.kind, "bytes": each.byte_count} for each in pack.files],
        "statuses": [each.message for each in pack.statuses if each.severity != "info"],
        "types": pack.types,
        "guide": None if pack.skill is None else pack.skill.body,
    }


def _not_there(packs: Catalog, name: str) -> str:
    refused = [each.message for each in packs.diagnostics() if each.pack == name]
    if refused:
        return f"{quoted(name)} is installed and cannot be used: {refused[0]}"
    installed = ", ".join(each.specifier for each in packs.summaries())
    return f"{quoted(name)} is not installed; there is: {installed or 'nothing'}"


def _metadata(distribution: str) -> dict[str, object]:
    """What pip knows of it, read from its metadata."""
    try:
        found = importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:  # a catalog of another path
        return {}
    return {
        "summary": _field(found, "Summary"),
        "license": _field(found, "License-Expression") or _field(found, "License"),
        "location": str(found.locate_file("")),
        "requires": found.requires or [],
    }


def _field(found: importlib.metadata.Distribution, name: str) -> str | None:
    return next(iter(found.metadata.get_all(name) or ()), None)


def _info_text(document: dict[str, object]) -> str:
    parts = ["\n".join(f"{row:13}{printable(_line(document[row]))}" for row in _ROWS if document.get(row))]
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


def _line(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns below their headings, as pip prints a list. Nothing in them acts on a terminal."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *shown, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (headings, ["-" * width for width in widths], *shown)
    )
    return "\n".join(lines)
