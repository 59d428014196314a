"""Binaries that are made to hurt: each is refused where it is read, or costs one call and nothing else."""

from __future__ import annotations

import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from escape.fresh import _most_megabytes
from nodetool_sandbox import Cancel, Ended, Limits, RunResult, Sandbox
from nodetool_sandbox.dispatch import InProcess
from nodetool_sandbox.wasm.compiling import MAX_IN_PROCESS_BYTES, CompiledModules
from nodetool_sandbox.workers.pool import Workers
from nodetool_sandbox_registry import HostTableEntry
from nodetool_sandbox_registry.manifest import PackManifest, WasmEntry
from nodetool_sandbox_registry.wasm_binary import MAX_FUNCTIONS
from nodetool_sandbox_registry.wasm_contract import MAX_WASM_BYTES, check_wasm
from runs import until
from wasm_forms import (
    CODE,
    DATA,
    ELEMENT,
    EXPORT,
    FUNCTION,
    HEADER,
    MEMORY,
    START,
    TABLE,
    TYPE,
    export,
    leb,
    module,
    section,
    signature,
    vector,
)
from wasm_packs import catalog, install, manifest, numbers, sandbox

pytestmark = pytest.mark.timeout(120)

PACK = "acme-hurts"
LOOP = b"\0\x03\x40\x0c\0\x0b\x0b"
I32 = signature("", "i32")
BLOCK, LOOP_BLOCK, END, DROP = b"\x02\x40", b"\x03\x40", b"\x0b", b"\x1a"


def built(*sections: bytes, types: bytes = I32) -> bytes:
    """One exported function of these sections and what it needs."""
    order = (TYPE, FUNCTION, TABLE, MEMORY, EXPORT, START, ELEMENT, CODE, DATA)
    own = {
        TYPE: section(TYPE, vector([types])),
        FUNCTION: section(FUNCTION, vector([b"\0"])),
        EXPORT: section(EXPORT, vector([export("f")])),
    }
    given = own | {each[0]: each for each in sections}
    return HEADER + b"".join(given[number] for number in order if number in given)


def code(*bodies: bytes) -> bytes:
    return section(CODE, vector(leb(len(body)) + body for body in bodies))


def body(instructions: bytes, *, locals_count: int = 0) -> bytes:
    declared = vector([leb(locals_count) + b"\x7f"]) if locals_count else b"\0"
    return declared + instructions + b"\x41\x07" + END


def hurt(root: Path, binary: bytes, *, limits: Limits | None = None, calls: int = 1) -> RunResult:
    """A run that calls `f` so often; what a call came to is in the list that it returns."""
    text = manifest('["f"]', limits="call_timeout_ms = 200")
    install(root, PACK, text, {"w.wasm": binary})
    program = (
        f'import {{ f }} from "{PACK}"; const told = [];\n'
        f"for (let i = 0; i < {calls}; i++) told.push(await f().catch((e) => e.name + ': ' + e.message));\n"
        "return told;"
    )
    return Sandbox(packs=catalog(root)).run_sync(program, modules=[PACK], limits=limits)


def told(root: Path, binary: bytes) -> str:
    result = hurt(root, binary)
    assert isinstance(result.value, list), result
    return str(result.value[0])


def test_a_start_function_that_never_ends_is_part_of_the_call(tmp_path: Path) -> None:
    start = built(section(START, leb(1)), code(body(b""), LOOP), section(FUNCTION, vector([b"\0", b"\1"])))
    start = start.replace(section(TYPE, vector([I32])), section(TYPE, vector([I32, signature()])))
    assert "exceeded its 200 ms per-call timeout" in told(tmp_path, start)


def test_data_past_the_end_of_memory_fails_the_call(tmp_path: Path) -> None:
    data = section(DATA, vector([b"\0\x41\xff\xff\x03\x0b" + vector([b"\1"] * 8)]))
    binary = built(section(MEMORY, vector([b"\1\1\1"])), data, code(body(b"")))
    assert "out of bounds memory access" in told(tmp_path, binary)


def test_a_table_without_measure_is_no_memory(tmp_path: Path) -> None:
    table = section(TABLE, vector([b"\x70\0" + leb(10_000_000)]))
    assert "table" in told(tmp_path, built(table, code(body(b""))))


@pytest.mark.parametrize(
    ("instructions", "words"),
    [
        (b"\xfd\x0c" + bytes(16) + DROP, "SIMD"),
        (b"\x41\0\xfb\x1c" + DROP, "gc"),
        (b"\x12\0", "tail call"),
        (b"\xfe\x03\0", "threads"),
        (b"\x06\x40" + END, "exceptions"),
    ],
    ids=["v128", "references", "tail call", "atomics", "exceptions"],
)
def test_what_the_engine_has_switched_off_is_named(tmp_path: Path, instructions: bytes, words: str) -> None:
    message = told(tmp_path, built(code(body(instructions))))
    assert message.startswith(f"SandboxWasmError: {PACK} ")
    assert words in message


def test_more_functions_than_one_module_may_have_are_refused_where_it_is_read(tmp_path: Path) -> None:
    count = MAX_FUNCTIONS * 2
    binary = built(section(FUNCTION, vector([b"\0"] * count)), code(*[body(b"")] * count))
    install(tmp_path, PACK, manifest('["f"]'), {"w.wasm": binary})
    (refused,) = catalog(tmp_path).diagnostics()
    assert "has 100,000 functions, above the cap of 50,000" in refused.message


ROOM = MAX_WASM_BYTES - 4_096
BOMBS = {
    "many locals": body((BLOCK + b"\x41\0\x0d\0" + END) * 20_000, locals_count=49_000),
    "deep blocks": body(BLOCK * 50_000 + END * 50_000),
    "deep loops": body((LOOP_BLOCK + b"\x41\0\x0d\0") * 400_000 + END * 400_000),
    "blocks in blocks": body(BLOCK * (ROOM // 3) + END * (ROOM // 3)),
    "a branch table": body(BLOCK + b"\x41\0\x0e" + leb(2_000_000) + b"\0" * 2_000_001 + END),
    "branch tables": body((BLOCK + b"\x41\0\x0e" + leb(900) + b"\0" * 901 + END) * 1_000),
    "a long body": body(b"\x41\0\x1a" * (ROOM // 3)),
}


@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS)
def test_what_is_hard_to_compile_costs_its_calls_and_nothing_else(tmp_path: Path, bomb: str) -> None:
    """Some compile; the others end with their worker, at its deadline or at its memory cap."""
    message = told(tmp_path, built(code(BOMBS[bomb])))
    assert message == "7" or message.startswith(f"SandboxWasmError: {PACK}"), message
    on = sandbox(tmp_path / "after")
    after = on.run_sync('import { add } from "acme-numbers"; return add(1, 1)', modules=["acme-numbers"])
    assert after.value == 2, after


def test_compiling_has_a_deadline() -> None:
    (entry,) = PackManifest.parse(manifest('["f"]').encode()).modules
    assert isinstance(entry, WasmEntry)
    module = check_wasm(built(code(BOMBS["deep loops"])), entry)
    table = HostTableEntry(version="", module="nodetool_sandbox.wasm.compiler", attribute="TABLE")
    workers = Workers(table=table, most=1)
    told: list[object] = []
    CompiledModules(workers, seconds=0.1).compile(module, PACK, told.append)
    until(lambda: told, "the deadline passes")
    workers.kill()
    assert told == [f"{PACK}: compiling its WebAssembly: exceeded its 100 ms deadline"]


def test_a_run_that_waits_for_a_compiler_is_cancelled_like_any_other(tmp_path: Path) -> None:
    install(tmp_path, PACK, manifest('["f"]'), {"w.wasm": built(code(BOMBS["deep loops"]))})
    cancel = Cancel()
    threading.Timer(0.1, cancel.cancel).start()
    program = f'import {{ f }} from "{PACK}"; await f();'
    result = Sandbox(packs=catalog(tmp_path)).run_sync(program, modules=[PACK], cancel=cancel)
    assert result.ended is Ended.CANCELLED
    assert [each.outcome for each in result.calls] == ["unanswered"]


@pytest.mark.slow
def test_memory_that_a_bomb_takes_is_not_this_process_s(tmp_path: Path) -> None:
    """Compiled here, this one took 900 MB."""
    assert _in_a_fresh_process(tmp_path, built(code(BOMBS["blocks in blocks"]))) < 128


@pytest.mark.slow
def test_a_call_that_grows_its_memory_stays_within_that_of_the_run(tmp_path: Path) -> None:
    assert _in_a_fresh_process(tmp_path, numbers()) < 128


def _in_a_fresh_process(root: Path, binary: bytes) -> float:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(grow, root, binary).result()


def grow(root: Path, binary: bytes) -> float:
    """By how many megabytes this process grows over calls of a binary, four at once."""
    export_name = "grow" if b"grow" in binary else "f"
    install(root, PACK, manifest(f'["{export_name}"]'), {"w.wasm": binary})
    argument = "100000" if export_name == "grow" else ""
    on = Sandbox(packs=catalog(root))
    on.run_sync("return 1")
    before = _most_megabytes()
    on.run_sync(
        f'import {{ {export_name} as f }} from "{PACK}";\n'
        f"await Promise.allSettled([1, 2, 3, 4].map(() => f({argument})));",
        modules=[PACK],
    )
    return _most_megabytes() - before


def test_where_no_process_can_be_started_a_large_binary_is_not_compiled(tmp_path: Path) -> None:
    def size(padding: int) -> bytes:
        return module(I32, body=body(b"")) + section(0, b"\0" + bytes(padding))

    spare = MAX_IN_PROCESS_BYTES - len(size(70_000)) + 70_000
    for padding, words in (
        (spare, "7"),
        (spare + 1, "above the 262,144 that are compiled where no worker process"),
    ):
        root = tmp_path / str(padding)
        install(root, PACK, manifest('["f"]'), {"w.wasm": size(padding)})
        on = Sandbox(packs=catalog(root), runner=InProcess())
        result = on.run_sync(
            f'import {{ f }} from "{PACK}"; return String(await f().catch((e) => e.message))', modules=[PACK]
        )
        assert words in str(result.value), result
