"""Packages as npm would have installed them, and the caches and outcomes of tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nodetool_sandbox.user_cache import cache_folder
from nodetool_sandbox_compiler import CompileCache, Compiled, Skipped, compile_npm_module


def install(pack: Path, name: str, files: Mapping[str, str] | str, **package: object) -> Path:
    """A package in the folder's node_modules; one text is its index.js."""
    folder = pack / "node_modules" / name
    folder.mkdir(parents=True, exist_ok=True)
    facts = {"name": name, "version": "1.2.3", "type": "module", "main": "index.js", **package}
    (folder / "package.json").write_text(json.dumps(facts), encoding="utf-8")
    for place, text in ({"index.js": files} if isinstance(files, str) else files).items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return folder


def own_cache(folder: Path) -> CompileCache:
    """An empty cache that has the bundler of the user's, so that no test fetches it again."""
    cache = CompileCache.open(folder / "cache")
    tools = cache.folder / "tools"
    if not tools.exists():
        shared = cache_folder() / "tools"
        shared.mkdir(mode=0o700, parents=True, exist_ok=True)
        tools.symlink_to(shared, target_is_directory=True)
    return cache


def compiled(outcome: Compiled | Skipped) -> Compiled:
    assert isinstance(outcome, Compiled), outcome
    return outcome


def skipped(outcome: Compiled | Skipped) -> Skipped:
    assert isinstance(outcome, Skipped), outcome
    return outcome


def compile_text(pack: Path, text: str, cache: CompileCache, **package: object) -> Compiled | Skipped:
    install(pack, "lib", text, **package)
    return compile_npm_module(pack, "lib", cache=cache)
