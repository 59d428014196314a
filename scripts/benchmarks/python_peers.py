"""The side of `quickjs` and `quickjs-rs`: runs in an environment that has those two and nothing of ours."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.workers import serve


def native_fresh(count: int) -> float:
    """Seconds for one fresh context of native QuickJS that answers `1 + 1`."""
    quickjs = importlib.import_module("quickjs")
    began = time.perf_counter()
    for _ in range(count):
        if quickjs.Context().eval("1 + 1") != 2:  # noqa: PLR2004
            raise ValueError("quickjs: 1 + 1 is not 2")
    return (time.perf_counter() - began) / count


def native_program(source: str) -> float:
    """Seconds for one program in native QuickJS, its context included."""
    quickjs = importlib.import_module("quickjs")
    began = time.perf_counter()
    quickjs.Context().eval(f"(function () {{{source}}})()")
    return time.perf_counter() - began


def wasm_fresh(count: int) -> float:
    """Seconds for one fresh runtime of quickjs-rs with a bare context that answers `1 + 1`."""
    quickjs_rs = importlib.import_module("quickjs_rs")
    began = time.perf_counter()
    for _ in range(count):
        runtime = quickjs_rs.Runtime()
        context = runtime.new_context()
        if context.eval("1 + 1") != 2:  # noqa: PLR2004
            raise ValueError("quickjs-rs: 1 + 1 is not 2")
        context.close()
        runtime.close()
    return (time.perf_counter() - began) / count


if __name__ == "__main__":
    serve({"native_fresh": native_fresh, "native_program": native_program, "wasm_fresh": wasm_fresh})
