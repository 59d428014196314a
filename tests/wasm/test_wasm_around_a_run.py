"""WebAssembly of packs wherever a program may run: on either loop, held, in other processes, in a forked child."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import trio
from nodetool_sandbox import Execution, Program, Sandbox
from nodetool_sandbox.wasm.compiler import compile_binary
from nodetool_sandbox.wasm.compiling import CompiledModules, compiled_modules
from nodetool_sandbox.wasm.pool import WasmPool
from nodetool_sandbox_registry.hosts import HostCallError
from wasm_packs import NUMBERS, numbers, sandbox

pytestmark = pytest.mark.timeout(120)

SUM = f'import {{ add, spin }} from "{NUMBERS}";\n'

Runs = Callable[[Callable[[], Coroutine[Any, Any, object]]], object]


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return sandbox(tmp_path_factory.mktemp("site"), call_timeout_ms=100)


@pytest.mark.parametrize("runs", [lambda make: asyncio.run(make()), trio.run], ids=["asyncio", "trio"])
def test_calls_are_made_on_either_loop(on: Sandbox, runs: Runs) -> None:
    async def work() -> object:
        code = SUM + "const all = await Promise.allSettled([add(1, 2), spin(), add(3, 4), add('x', 1)]);\n"
        result = await on.run(
            code + "return all.map((each) => each.value ?? each.reason.name)", modules=[NUMBERS]
        )
        return result.value

    assert runs(work) == [3, "SandboxWasmError", 7, "SandboxWasmError"]


def test_a_run_is_held_at_its_calls_and_they_can_be_made_or_answered(on: Sandbox) -> None:
    async def work() -> object:
        held = await on.start(SUM + "return [await add(1, 2), await add(3, 4)]", modules=[NUMBERS])
        assert isinstance(held, Execution)
        async with held:
            (first,) = held.calls
            assert (first.name, first.arguments) == (f"{NUMBERS}.add", [1, 2])
            await held.resume({first.id: await held.perform(first)})
            (second,) = held.calls
            await held.resume({second.id: "somebody else's answer"})
            assert held.result is not None
            return held.result.value

    assert asyncio.run(work()) == [3, "somebody else's answer"]


def test_many_programs_share_what_is_compiled(on: Sandbox) -> None:
    programs = [Program(SUM + f"return add({number}, 1)", modules=[NUMBERS]) for number in range(12)]
    with ThreadPoolExecutor(3) as executor:
        assert [each.value for each in on.map(programs, executor=executor)] == list(range(1, 13))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_begins_anew(tmp_path: Path) -> None:
    on = sandbox(tmp_path)
    on.run_sync(SUM + "return add(1, 2)", modules=[NUMBERS])
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_in_a_child, (tmp_path,)).get(60) == 3
    assert on.run_sync(SUM + "return add(3, 4)", modules=[NUMBERS]).value == 7


def _in_a_child(root: Path) -> object:
    return sandbox(root).run_sync(SUM + "return add(1, 2)", modules=[NUMBERS]).value


# ---- what only goes wrong when something of ours does


def test_a_compiler_takes_one_binary() -> None:
    assert isinstance(compile_binary([numbers()], None), bytes)  # type: ignore[arg-type]
    with pytest.raises(HostCallError, match="is not valid WebAssembly"):
        compile_binary([numbers()[:-1]], None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a binary is bytes, not str"):
        compile_binary(["text"], None)  # type: ignore[arg-type]


def test_a_process_has_one_set_of_compiled_modules_and_one_pool() -> None:
    assert compiled_modules(in_process=False) is compiled_modules(in_process=False)
    assert isinstance(compiled_modules(in_process=True), CompiledModules)
    assert WasmPool().peak == 0
