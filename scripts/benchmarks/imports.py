"""What importing large libraries adds to a run: the whole of date-fns, once or three times under three names."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import statistics
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from typing import Final

from nodetool_sandbox import Sandbox, preloading
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox.preloading import ModuleCache
from nodetool_sandbox_registry import discover

DATES: Final = "@nodetool-ai/sandbox-dates"
_NAMES: Final = ("one", "two", "three")
_loop: Final = asyncio.new_event_loop()


def import_libraries(libraries: int, runs: int) -> float:
    """Seconds that a run takes longer that imports so many libraries, which an earlier run imported."""
    return _run(libraries, runs) - _run(0, runs)


def import_at_first(libraries: int) -> float:
    """The same for the first run that ever imports them."""
    with tempfile.TemporaryDirectory() as empty:
        kept = preloading._cache  # noqa: SLF001 - a process that has seen nothing
        preloading._cache = ModuleCache(Path(empty))  # type: ignore[misc]  # noqa: SLF001
        try:
            return _run(libraries, 1) - _run(0, 5)
        finally:
            preloading._cache = kept  # type: ignore[misc]  # noqa: SLF001


def import_unkept(libraries: int, runs: int) -> float:
    """The same where nothing is kept and each run parses the texts."""
    most, preloading.MAX_SET_BYTES = preloading.MAX_SET_BYTES, 0  # type: ignore[misc]
    kept = preloading._cache  # noqa: SLF001
    with tempfile.TemporaryDirectory() as empty:
        preloading._cache = ModuleCache(Path(empty))  # type: ignore[misc]  # noqa: SLF001
        try:
            return _run(libraries, runs) - _run(0, runs)
        finally:
            preloading._cache, preloading.MAX_SET_BYTES = kept, most  # type: ignore[misc]  # noqa: SLF001


def _run(libraries: int, runs: int) -> float:
    names = _NAMES[:libraries]
    lines = [f'import {{ addDays as {name} }} from "large/{name}";' for name in names]
    code = "\n".join([*lines, f"return [{', '.join(f'{name}(0, 1).getTime()' for name in names)}]"])
    wanted = [86_400_000] * libraries
    modules = [f"large/{name}" for name in _NAMES]
    sandbox = _sandbox()

    async def timed() -> float:
        taken = []
        for _ in range(runs):
            began = time.perf_counter()
            result = await sandbox.run(code, modules=modules)
            taken.append(time.perf_counter() - began)
            if result.value != wanted:
                raise ValueError(f"{result.error or result.value}")
        return statistics.median(taken)

    return _loop.run_until_complete(timed())


@lru_cache
def _sandbox() -> Sandbox:
    """A sandbox whose one pack has date-fns three times."""
    root = Path(tempfile.mkdtemp(prefix="nodetool-sandbox-bench-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    (dates,) = Sandbox().packs.resolve([DATES]).modules
    folder = root / "large"
    folder.mkdir()
    manifest = ["api_version = 1"]
    for name in _NAMES:
        (folder / f"{name}.js").write_text(dates.source, encoding="utf-8")
        manifest.append(f'[[modules]]\nname = "{name}"\nkind = "js"\nfile = "{name}.js"')
    (folder / "pack.toml").write_text("\n".join(manifest) + "\n")
    (folder / "__init__.py").write_text("")
    info = root / "large-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: large\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[nodetool_sandbox.packs]\nlarge = large\n")
    (info / "RECORD").write_text("large/pack.toml,,\nlarge-1.dist-info/METADATA,,\n")
    return Sandbox(packs=discover([str(root)], imports_of=scan_imports))
