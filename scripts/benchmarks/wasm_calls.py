"""A call of a pack's WebAssembly, and the same call made with wasmtime alone."""

from __future__ import annotations

import asyncio
import time
from functools import lru_cache
from typing import Final

import wasmtime
from nodetool_sandbox import Limits, Sandbox
from nodetool_sandbox.bridges.power import RunView
from nodetool_sandbox.dispatch import InProcess
from nodetool_sandbox.host_calls import Answer
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox.loops import AsyncioLoop
from nodetool_sandbox.wasm.calls import WasmCalls
from nodetool_sandbox.wasm.compiling import CompiledModules
from nodetool_sandbox.wasm.pool import WasmPool
from nodetool_sandbox_registry import Catalog, discover
from nodetool_sandbox_registry.manifest import PackManifest, WasmEntry
from nodetool_sandbox_registry.wasm_contract import WasmModule, check_wasm

from benchmarks.installed_packs import installed

PACK: Final = "bench-sums"
MANIFEST: Final = (
    '[[modules]]\nname = "."\nkind = "wasm"\nfile = "sums.wasm"\nmemory_pages_max = 2\nexports = ["add"]\n'
)
TEXT: Final = """
(module
  (memory 1 2)
  (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))
"""
PROGRAM: Final = f"""
import {{ add }} from "{PACK}";
await add(0, 0);
const began = Date.now();
for (let i = 0; i < count; i++) await add(i, 1);
return Date.now() - began;
"""


def wasm_calls(count: int) -> float:
    """Seconds for one of so many calls, one after the other, by the clock of the program that makes them."""
    result = _sandbox().run_sync(PROGRAM, modules=[PACK], globals={"count": count})
    if not isinstance(result.value, int | float):
        raise TypeError(f"{result.ended}: {result.error}")
    return result.value / 1000 / count


def wasm_calls_on_the_host(count: int) -> float:
    """Seconds for one of so many calls, one after the other, from the loop that gets it to the answer there."""

    async def all_of_them() -> float:
        view = RunView(
            limits=Limits(), loop=AsyncioLoop(), remaining_s=lambda: 60.0, is_unwanted=lambda: False
        )
        calls = WasmCalls({PACK: _module()}, view, compiled=_compiled(), pool=_pool())
        loop = asyncio.get_running_loop()

        async def one(number: int) -> Answer:
            answer: asyncio.Future[Answer] = loop.create_future()
            calls.start(PACK, "add", lambda: [number, 1], answer.set_result)
            return await answer

        await one(0)
        began = time.perf_counter()
        for number in range(count):
            if (await one(number)).failed:
                raise ValueError("a call failed")
        return (time.perf_counter() - began) / count

    return asyncio.run(all_of_them())


def wasm_directly(count: int) -> float:
    """Seconds for one of so many calls, each on a store and an instance of its own, with wasmtime's Python."""
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, _binary())
    began = time.perf_counter()
    for number in range(count):
        store = wasmtime.Store(engine)
        add = wasmtime.Instance(store, module, []).exports(store)["add"]
        if not isinstance(add, wasmtime.Func) or add(store, number, 1) != number + 1:
            raise ValueError("a call failed")
    return (time.perf_counter() - began) / count


@lru_cache
def _binary() -> bytes:
    return bytes(wasmtime.wat2wasm(TEXT))


@lru_cache
def _sandbox() -> Sandbox:
    return Sandbox(packs=_catalog())


@lru_cache
def _catalog() -> Catalog:
    root = installed("bench_sums", {"pack.toml": MANIFEST, "sums.wasm": _binary()})
    return discover([str(root)], imports_of=scan_imports)


@lru_cache
def _module() -> WasmModule:
    (entry,) = PackManifest.parse(MANIFEST.encode()).modules
    if not isinstance(entry, WasmEntry):
        raise TypeError(entry)
    return check_wasm(_binary(), entry)


@lru_cache
def _compiled() -> CompiledModules:
    return CompiledModules(InProcess())


@lru_cache
def _pool() -> WasmPool:
    return WasmPool()
