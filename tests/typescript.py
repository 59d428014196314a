"""TypeScript's compiler for the tests: installed once a lock into the user's cache, run on files that a test writes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from nodetool_sandbox.user_cache import cache_folder
from nodetool_sandbox_compiler.processes import run_tool
from nodetool_sandbox_compiler.tools import require_npm

_LOCKED = Path(__file__).parent / "types"
_CONFIGURATION = {
    "noEmit": True,
    "strict": True,
    "target": "es2024",
    "lib": ["es2024", "esnext.disposable"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "moduleDetection": "force",
    "types": [],
}


@cache
def compiler() -> Path:
    """Where `tsc.js` is. npm checks what it fetches against the hash in the lock."""
    lock = (_LOCKED / "package-lock.json").read_bytes()
    home = cache_folder() / f"typescript-{hashlib.sha256(lock).hexdigest()[:16]}"
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as scratch:
            folder = Path(scratch) / "typescript"
            folder.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(_LOCKED / name, folder)
            require_npm().install(folder)
            try:
                folder.rename(home)
            except OSError:  # another test run was first
                assert home.is_dir()
    return home / "node_modules" / "typescript" / "lib" / "tsc.js"


def complaints(folder: Path, files: Mapping[str, str], **options: object) -> list[str]:
    """What the compiler says of these files: one line each, none where they are well typed."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    configuration = {"compilerOptions": {**_CONFIGURATION, **options}, "files": list(files)}
    (folder / "tsconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
    npm = require_npm()
    node = shutil.which("node", path=npm.path) or shutil.which("node")
    assert node is not None
    ran = run_tool(
        [node, str(compiler()), "--pretty", "false"], cwd=folder, env=dict(os.environ), timeout_s=300
    )
    assert ran.status in {0, 1, 2}, ran
    return [line for line in ran.output.splitlines() if line]
