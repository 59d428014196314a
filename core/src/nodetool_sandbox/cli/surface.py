"""`surface`: what a program finds, asked of a guest, and the limits that it would have."""

from __future__ import annotations

import textwrap
from typing import Any, Final, cast

from nodetool_sandbox import Sandbox
from nodetool_sandbox.cli.arguments import SurfaceOptions
from nodetool_sandbox.cli.endings import OK
from nodetool_sandbox.cli.json_form import json_text
from nodetool_sandbox.cli.output import write_standard_output
from nodetool_sandbox.declarations import declarations_of
from nodetool_sandbox.limits import FIXED_LIMITS, LIMITS
from nodetool_sandbox.surface import ABSENT, HOW_TO_GRANT, LANGUAGE, POWERS

_ASKED: Final = """
const members = (value) => {
  if (value === null || typeof value !== "object") return [];
  const names = Object.getOwnPropertyNames(value);
  return names.filter((name) => typeof value[name] === "function").sort();
};
return {
  globals: Object.getOwnPropertyNames(globalThis)
    .filter((name) => name !== "inputs")
    .sort()
    .map((name) => ({ name, type: typeof globalThis[name], members: members(globalThis[name]) })),
  absent: inputs.filter((name) => !(name in globalThis)).sort(),
};
"""


def show_surface(options: SurfaceOptions) -> int:
    """Print it; the exit status."""
    if options.types:
        write_standard_output(declarations_of(POWERS))
        return OK
    document = surface_document()
    write_standard_output(json_text(document) if options.as_json else surface_text(document))
    return OK


def surface_document() -> dict[str, object]:
    """The globals of a fresh guest, the familiar names that are not among them, and the limits."""
    asked = Sandbox().run_sync(_ASKED, globals={"inputs": sorted(ABSENT)})
    found = cast("dict[str, list[dict[str, object]]]", asked.value)
    rows = found["globals"]
    return {
        "globals": [row for row in rows if row["name"] not in LANGUAGE],
        "language": [row["name"] for row in rows if row["name"] in LANGUAGE],
        "powers": [
            {"name": name, "globals": list(names), "granted_by": HOW_TO_GRANT[name]}
            for name, names in POWERS.items()
        ],
        "absent": found["absent"],
        "limits": [
            {
                "name": row.name,
                "default": row.default,
                "least": row.minimum,
                "most": row.ceiling,
                "unit": row.unit,
            }
            for row in LIMITS
        ],
        "fixed_limits": [{"name": row.name, "value": row.default, "unit": row.unit} for row in FIXED_LIMITS],
    }


def surface_text(document: dict[str, object]) -> str:
    """The same, to read."""
    rows = cast("list[dict[str, object]]", document["globals"])
    limits = cast("list[dict[str, object]]", document["limits"])
    powers = cast("list[dict[str, Any]]", document["powers"])
    parts = [
        "What a program finds beside the language:",
        *(f"  {_named(row)}" for row in rows),
        "",
        "The language:",
        *_wrapped(cast("list[str]", document["language"])),
        "",
        "With a power:",
        *(f"  {', '.join(row['globals'])}: {row['granted_by']}" for row in powers),
        "",
        "Absent on purpose:",
        *_wrapped(cast("list[str]", document["absent"])),
        "",
        "Limits of a run (default; least to most):",
        *(f"  {_limit(row)}" for row in limits),
    ]
    return "\n".join(parts)


def _named(row: dict[str, object]) -> str:
    members = cast("list[str]", row["members"])
    return ", ".join(f"{row['name']}.{member}" for member in members) if members else f"{row['name']}"


def _limit(row: dict[str, object]) -> str:
    default = "none" if row["default"] is None else f"{row['default']:,}"
    return f"{row['name']:26}{default} ({row['least']:,} to {row['most']:,}) {row['unit']}"


def _wrapped(names: list[str]) -> list[str]:

    return textwrap.wrap(" ".join(names), width=100, initial_indent="  ", subsequent_indent="  ")
