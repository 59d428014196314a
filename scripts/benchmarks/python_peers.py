"""The side of `quickjs` and `quickjs-rs`: runs in an environment that has those two and nothing of ours."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable

from benchmarks.workers import serve


def native_fresh(count: int) -> float:
    """Seconds for one fresh context of native QuickJS that answers `1 + 1`: the median of some."""
    quickjs = importlib.import_module("quickjs")

    def run() -> object:
        return quickjs.Context().eval("1 + 1")

    return _median(run, count)


def native_program(source: str) -> float:
    """Seconds for one program in native QuickJS, its context included."""
    quickjs = importlib.import_module("quickjs")
    began = time.perf_counter()
    quickjs.Context().eval(f"(function () {{{source}}})()")
    return time.perf_counter() - began


def wasm_fresh(count: int) -> float:
    """Seconds for one fresh runtime of quickjs-rs with a bare context that answers `1 + 1`: the median of some."""
    quickjs_rs = importlib.import_module("quickjs_rs")

    def run() -> object:
        runtime = quickjs_rs.Runtime()
        context = runtime.new_context()
        value: object = context.eval("1 + 1")
        context.close()
        runtime.close()
        return value

    return _median(run, count)


def _median(run: Callable[[], object], count: int) -> float:
    taken: list[float] = []
    for _ in range(count):
        began = time.perf_counter()
        value = run()
        taken.append(time.perf_counter() - began)
        if value != 2:  # noqa: PLR2004
            raise ValueError(f"1 + 1 is not {value}")
    return statistics.median(taken)


if __name__ == "__main__":
    serve({"native_fresh": native_fresh, "native_program": native_program, "wasm_fresh": wasm_fresh})
