"""Every pack's index.d.ts, and the examples of its guide under it, by TypeScript's own compiler.

The compiler comes from npm by the lock in `typescript/`, which has its hash; where no node is, this is skipped.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess  # noqa: TID251  (node is no part of the runtime)
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodetool_sandbox_compiler.tools import find_npm
from nodetool_sandbox_registry import Skill

ROOT = Path(__file__).parents[2]
LOCK = Path(__file__).parent / "typescript"
DECLARATIONS = {each.parents[2].name: each for each in sorted(ROOT.glob("packs/*/src/*/index.d.ts"))}
OTHER_MODULE = re.compile(r'^declare module "[^"]+" \{$.*?^\}$', re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^import\b.*?;\n", re.MULTILINE | re.DOTALL)
# What a guest has beside the language, as far as the examples use it.
GUEST = """
declare const inputs: any, workspace: any, console: any, TextEncoder: any, TextDecoder: any, structuredClone: any;
declare function fetch(...args: any[]): Promise<any>;
declare function toBase64(bytes: Uint8Array): string;
declare function fromBase64(text: string): Uint8Array;
"""


@pytest.fixture(scope="session")
def tsc(request: pytest.FixtureRequest) -> Path:
    """TypeScript's compiler, fetched once by the lock."""
    npm = find_npm()
    if npm is None or shutil.which("node") is None:
        pytest.skip("needs node and npm on PATH")
    digest = hashlib.sha256((LOCK / "package-lock.json").read_bytes()).hexdigest()[:16]
    assert request.config.cache is not None
    folder = request.config.cache.mkdir(f"typescript-{digest}")
    compiler = folder / "node_modules" / "typescript" / "lib" / "tsc.js"
    if not compiler.exists():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LOCK / name, folder / name)
        npm.install(folder)
    return compiler


def write_project(folder: Path, *, strict: bool) -> dict[str, list[str]]:
    """The declarations of all packs as a TypeScript project's own files; gives the paths of their specifiers."""
    paths: dict[str, list[str]] = {}
    for pack, source in DECLARATIONS.items():
        text = source.read_text(encoding="utf-8")
        # a `declare module` counts as an ambient module when it stands in a file without exports
        others = OTHER_MODULE.findall(text)
        (folder / f"{pack}.d.ts").write_text(OTHER_MODULE.sub("", text), encoding="utf-8")
        (folder / f"{pack}-others.d.ts").write_text("\n".join(others), encoding="utf-8")
        paths[f"@nodetool-ai/sandbox-{pack}"] = [f"./{pack}.d.ts"]
    options = {
        "strict": strict,
        "noEmit": True,
        "target": "es2022",
        "lib": ["es2023"],
        "module": "esnext",
        "moduleResolution": "bundler",
        "types": [],
        "paths": paths,
        "skipLibCheck": False,
    }
    (folder / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": options, "include": ["*.ts"]}), encoding="utf-8"
    )
    return paths


def complaints(tsc: Path, folder: Path) -> list[str]:
    done = subprocess.run(  # noqa: S603  (our own words)
        [shutil.which("node") or "node", str(tsc), "--project", str(folder), "--pretty", "false"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    found = done.stdout.splitlines()
    assert bool(found) == (done.returncode != 0), done.stderr
    return found


def examples() -> Iterator[tuple[str, str]]:
    """A file name and the code of each example of the guides."""
    for pack, source in DECLARATIONS.items():
        skill = Skill.parse((source.parent / "SKILL.md").read_bytes())
        for number, (_, code) in enumerate(skill.examples()):
            yield f"{pack}_{number}.ts", code


@pytest.mark.timeout(180)
def test_every_declaration_is_strict_typescript(tsc: Path, tmp_path: Path) -> None:
    assert len(DECLARATIONS) == 8
    write_project(tmp_path, strict=True)
    assert complaints(tsc, tmp_path) == []


@pytest.mark.timeout(180)
def test_the_examples_of_the_guides_fit_the_declarations(tsc: Path, tmp_path: Path) -> None:
    write_project(tmp_path, strict=False)
    (tmp_path / "guest.d.ts").write_text(GUEST, encoding="utf-8")
    for name, code in examples():
        imports = "".join(IMPORT.findall(code))
        body = IMPORT.sub("", code)
        wrapped = f"{imports}export const result = (async () => {{\n{body}\n}})();\n"
        (tmp_path / name).write_text(wrapped, encoding="utf-8")
    assert complaints(tsc, tmp_path) == []


@pytest.mark.timeout(180)
def test_a_wrong_call_is_seen(tsc: Path, tmp_path: Path) -> None:
    write_project(tmp_path, strict=True)
    (tmp_path / "wrong.ts").write_text(
        'import { easter } from "@nodetool-ai/sandbox-dates/zones"; export const day: string = easter("2024");\n',
        encoding="utf-8",
    )
    assert [each.split("(")[0] for each in complaints(tsc, tmp_path)] == ["wrong.ts", "wrong.ts"]
