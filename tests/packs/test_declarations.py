"""Every pack's index.d.ts, and the examples of its guide under it, by TypeScript's own compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nodetool_sandbox.declarations import declarations_of
from nodetool_sandbox.surface import POWERS
from nodetool_sandbox_registry import Skill
from typescript import complaints

ROOT = Path(__file__).parents[2]
DECLARATIONS = {each.parents[2].name: each for each in sorted(ROOT.glob("packs/*/src/*/index.d.ts"))}
OTHER_MODULE = re.compile(r'^declare module "[^"]+" \{$.*?^\}$', re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^import\b.*?;\n", re.MULTILINE | re.DOTALL)


def project() -> tuple[dict[str, str], dict[str, list[str]]]:
    """The declarations of all packs as files of a TypeScript project, and the paths of their specifiers."""
    files: dict[str, str] = {}
    paths: dict[str, list[str]] = {}
    for pack, source in DECLARATIONS.items():
        text = source.read_text(encoding="utf-8")
        # a `declare module` counts as an ambient module when it stands in a file without exports
        files[f"{pack}.d.ts"] = OTHER_MODULE.sub("", text)
        files[f"{pack}-others.d.ts"] = "\n".join(OTHER_MODULE.findall(text))
        paths[f"@nodetool-ai/sandbox-{pack}"] = [f"./{pack}.d.ts"]
    return files, paths


def examples() -> Iterator[tuple[str, str]]:
    """A file name and the code of each example of the guides."""
    for pack, source in DECLARATIONS.items():
        skill = Skill.parse((source.parent / "SKILL.md").read_bytes())
        for number, (_, code) in enumerate(skill.examples()):
            yield f"{pack}_{number}.ts", code


def test_every_declaration_is_strict_typescript(tmp_path: Path) -> None:
    assert len(DECLARATIONS) == 8
    files, paths = project()
    assert complaints(tmp_path, files, paths=paths) == []


def test_the_examples_of_the_guides_fit_the_declarations(tmp_path: Path) -> None:
    files, paths = project()
    files["guest.d.ts"] = declarations_of(POWERS) + "declare const inputs: any;\n"
    for name, code in examples():
        imports = "".join(IMPORT.findall(code))
        body = IMPORT.sub("", code)
        files[name] = f"{imports}export const result = (async () => {{\n{body}\n}})();\n"
    assert complaints(tmp_path, files, paths=paths, strict=False, moduleDetection="auto") == []


def test_a_wrong_call_is_seen(tmp_path: Path) -> None:
    files, paths = project()
    files["wrong.ts"] = (
        'import { easter } from "@nodetool-ai/sandbox-dates/zones"; export const day: string = easter("2024");\n'
    )
    found = complaints(tmp_path, files, paths=paths)
    assert [each.split("(")[0] for each in found] == ["wrong.ts", "wrong.ts"]
