"""Compiling date-fns again, when nothing has changed and when its bundle must be made anew."""

from __future__ import annotations

import atexit
import shutil
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Final

from nodetool_sandbox_compiler import CompileCache, Compiled, compile_npm_module
from nodetool_sandbox_compiler.locks import load_lock
from nodetool_sandbox_compiler.tools import require_npm

_PROJECT: Final = Path(__file__).resolve().parents[2] / "packs" / "dates"


def compiling(*, warm: bool) -> float:
    """Seconds for date-fns as npm installs it: out of the cache, or bundled, scanned and tried once more."""
    folder, cache = _installed(), CompileCache.open()
    began = time.perf_counter()
    outcome = compile_npm_module(folder, "date-fns", cache=cache, force=not warm)
    taken = time.perf_counter() - began
    if not isinstance(outcome, Compiled):
        raise ValueError(outcome.detail)  # noqa: TRY004 - an outcome, not a type
    if outcome.cached is not warm:
        raise ValueError("the cache was not as it should be")
    return taken


@lru_cache
def _installed() -> Path:
    """A folder with date-fns in its node_modules, compiled once, for as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix="nodetool-sandbox-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    load_lock(_PROJECT).write(folder)
    require_npm().install(folder)
    compile_npm_module(folder, "date-fns")
    return folder
