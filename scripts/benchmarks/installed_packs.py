"""Finding and reading hundreds of installed packs."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox_registry import DiscoveryCache, discover
from nodetool_sandbox_registry.snapshots import SETTLED_NS

_FILES: Final = {
    "__init__.py": "raise SystemExit('a pack was imported')\n",
    "pack.toml": (
        'api_version = 1\ninternal = ["js/inner.js"]\n\n'
        '[[modules]]\nname = "."\nkind = "js"\nfile = "js/index.js"\n'
    ),
    "SKILL.md": (
        "---\nname: example\ndescription: Sums of numbers, for a bench.\n---\n\n# Sums\n\n## sum\n\n"
        '```js\nimport { sum } from "example";\n\nreturn sum([1, 2]);\n```\n'
    ),
    "index.d.ts": "/** The sum of the numbers. */\nexport function sum(numbers: number[]): number;\n",
    "js/index.js": (
        'import { add } from "./inner.js";\n\n'
        "/** The sum of the numbers. */\n"
        "export function sum(numbers) {\n"
        "  if (!Array.isArray(numbers)) throw new TypeError(`sum: numbers must be an array, not ${numbers}`);\n"
        "  return numbers.reduce(add, 0);\n}\n"
    ),
    "js/inner.js": "export const add = (left, right) => left + right;\n",
}
_settled: Final = DiscoveryCache(now_ns=lambda: time.time_ns() + 2 * SETTLED_NS)


def discovery(count: int, *, warm: bool) -> float:
    """Seconds to a catalog of so many packs: read anew, or kept because nothing has changed."""
    path = [str(_site(count))]
    cache = _settled if warm else None
    if warm:
        discover(path, imports_of=scan_imports, cache=cache)
    loaded = set(sys.modules)
    began = time.perf_counter()
    catalog = discover(path, imports_of=scan_imports, cache=cache)
    taken = time.perf_counter() - began
    if len(catalog.summaries()) != count or catalog.diagnostics():
        raise ValueError(f"{len(catalog.summaries())} packs, {catalog.diagnostics()[:1]}")
    if imported := {name for name in set(sys.modules) - loaded if name.startswith("example_pack")}:
        raise ValueError(f"discovery imported {sorted(imported)[:3]}")
    return taken


@lru_cache
def _site(count: int) -> Path:
    """A folder with so many packs as an installer leaves them, for as long as this process lives."""
    root = _folder()
    for number in range(count):
        _install(root, f"example_pack_{number}", _FILES)
    return root


def installed(name: str, files: Mapping[str, str | bytes]) -> Path:
    """A folder with one pack of these files, for as long as this process lives."""
    root = _folder()
    _install(root, name, files)
    return root


def _folder() -> Path:
    root = Path(tempfile.mkdtemp(prefix="nodetool-sandbox-bench-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


def _install(root: Path, name: str, own: Mapping[str, str | bytes]) -> None:
    info = f"{name}-1.0.0.dist-info"
    files: dict[str, str | bytes] = {f"{name}/{file}": content for file, content in own.items()}
    files |= {
        f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {name.replace('_', '-')}\nVersion: 1.0.0\n\n# A pack\n",
        f"{info}/entry_points.txt": f"[nodetool_sandbox.packs]\npack = {name}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/INSTALLER": "pip\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in files)
    for file, content in files.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
