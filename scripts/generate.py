"""Writes every generated text that is checked in; `--check` compares instead.

Whole pages are generated, and regions of pages that people write: a region lies between
`<!-- begin <name>: written by scripts/generate.py -->` and `<!-- end <name> -->`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from docs_codes import code_page
from docs_tables import amount, limits_page
from nodetool_sandbox.limits import LIMITS
from nodetool_sandbox_registry.codes import CODES
from nodetool_sandbox_registry.manifest import HostEntry, NpmEntry, PackManifest
from nodetool_sandbox_registry.pins import PINS

ROOT = Path(__file__).resolve().parent.parent
SELF = "scripts/generate.py"


class RegionMissing(Exception):
    """A page has no place for its table, or two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A file and the text it should hold."""

    path: str
    text: Callable[[], str]


def main(args: list[str]) -> int:
    """0 when everything is written, or with `--check` when everything is as it would be written."""
    if args not in ([], ["--check"]):
        print(f"usage: {SELF} [--check]", file=sys.stderr)
        return 2
    failed = False
    for output in OUTPUTS:
        path = ROOT / output.path
        try:
            wanted = output.text()
        except (RegionMissing, FileNotFoundError) as error:
            print(f"{output.path}: {error}", file=sys.stderr)
            failed = True
            continue
        if path.is_file() and path.read_text(encoding="utf-8") == wanted:
            continue
        if args:
            print(f"{output.path} is not what {SELF} writes: run it", file=sys.stderr)
            failed = True
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted, encoding="utf-8")
            print(f"wrote {output.path}")
    return 1 if failed else 0


def codes_page() -> str:
    """Every code that a diagnostic about a pack or a module carries."""
    rows = (
        (f"[`{code}`]({code}.md)", str(row.severity), row.sentence) for code, row in sorted(CODES.items())
    )
    body = "\n".join(
        (
            "# Diagnostic codes",
            "",
            "What is said about an installed pack or a declared module carries one of these codes. An error",
            "stops something, a warning stops nothing, an information is no complaint.",
            "",
            table(("code", "how grave", "what it means"), rows),
            "",
            "```{toctree}",
            ":hidden:",
            "",
            *sorted(CODES),
            "```",
            "",
        )
    )
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return (
        f"<!-- Written by {SELF} from nodetool_sandbox_registry.codes, {digest}: do not edit. -->\n\n{body}"
    )


def readme_limits() -> str:
    """README.md with its table of the limits that a caller sets."""
    rows = (
        (f"`{row.name}`", amount(row.default, row.unit), amount(row.ceiling, row.unit), row.unit)
        for row in LIMITS
    )
    return with_region("README.md", "limits", table(("limit", "default", "most", "unit"), rows))


def readme_packs() -> str:
    """README.md with its table of the packs whose functions this version has, and the names of the others."""
    ready = [pin for pin in PINS.values() if pin.exports]
    rows = (
        (f"`{pin.distribution}`", pin.description, pin.library, where_it_runs(pin.host_id)) for pin in ready
    )
    head = ("pack", "what it is for", "what does the work", "where it runs")
    reserved = [pin.host_id for pin in PINS.values() if not pin.exports]
    content = table(head, rows)
    if reserved:
        content += f"\n\nReserved for packs of this project, and not in this version: {', '.join(reserved)}."
    return with_region("README.md", "packs", content)


def where_it_runs(host_id: str) -> str:
    """On which side of the wall a pack's functions work, from its manifest."""
    manifest = ROOT / "packs" / host_id / "src" / f"nodetool_sandbox_{host_id}" / "pack.toml"
    public = [entry for entry in PackManifest.parse(manifest.read_bytes()).modules if entry.name == "."]
    if any(isinstance(entry, HostEntry) for entry in public):
        return "on the host"
    if any(isinstance(entry, NpmEntry) for entry in public):
        return "in the guest"
    return "classes and callbacks in the guest, the work on the host"


def npm_page() -> str:
    """How the npm libraries that were tried end in the compiler, from tests/npm/outcomes.json."""
    recorded = json.loads((ROOT / "tests" / "npm" / "outcomes.json").read_text(encoding="utf-8"))
    admitted = [name for name, row in recorded.items() if "code" not in row]
    rows = ((f"`{name}`", row["version"], *_npm_cells(name, row)) for name, row in sorted(recorded.items()))
    body = "\n".join(
        (
            "# npm libraries that were tried",
            "",
            f"{len(recorded)} popular libraries through the whole way: npm, bundler, scan, probe. {len(admitted)} are",
            "admitted, and each of those runs a small program in a guest (`make test-npm`). What is not admitted has",
            "its [code](../codes/index.md) and the first reason. A library that is turned away whole may have a part",
            "that is not, and several have a pack of ours that does the same work.",
            "",
            table(("library", "version", "outcome", "size or reason"), rows),
            "",
        )
    )
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f"<!-- Written by {SELF} from tests/npm/outcomes.json, {digest}: do not edit. -->\n\n{body}"


def _npm_cells(name: str, row: dict[str, object]) -> tuple[str, str]:
    if "code" in row:
        return f"[`{row['code']}`](../codes/{row['code']}.md)", str(row["detail"]).removeprefix(f"{name} ")
    told = f"{row['bytes']:,} bytes, {row['exports']} exports"
    warnings = row["warnings"]
    texts = map(str, warnings) if isinstance(warnings, list) else ()
    asked = [
        found[1] for each in texts if (found := re.search(r" (?:feature-detects|asks for) (\S+) at ", each))
    ]
    return "admitted", told + (f"; asks for {', '.join(asked)}" if asked else "")


OUTPUTS = (
    Output(path="docs/reference/npm-libraries.md", text=npm_page),
    Output(path="docs/reference/limits.md", text=limits_page),
    Output(path="docs/codes/index.md", text=codes_page),
    *(Output(path=f"docs/codes/{code}.md", text=partial(code_page, code)) for code in CODES),
    Output(path="README.md", text=readme_limits),
    Output(path="README.md", text=readme_packs),
)


def with_region(path: str, name: str, content: str) -> str:
    """A page with one region replaced. Refuses a page without the region, or with two."""
    begin, end = f"<!-- begin {name}: written by {SELF} -->", f"<!-- end {name} -->"
    text = (ROOT / path).read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    replaced, count = pattern.subn(lambda _: f"{begin}\n\n{content}\n\n{end}", text)
    if count != 1:
        raise RegionMissing(f"has {count} regions instead of one; put it between {begin!r} and {end!r}")
    return replaced


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
