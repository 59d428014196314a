"""Laws of the reader: whatever it is given it answers in one way, and where it admits the engine sees the same."""

from __future__ import annotations

import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st
from nodetool_sandbox_registry import WasmContractError, WasmModule
from nodetool_sandbox_registry.manifest import PackManifest, WasmEntry
from nodetool_sandbox_registry.wasm_contract import check_wasm
from wasm_forms import export, leb, module, signature
from wasm_packs import manifest, numbers

pytestmark = [pytest.mark.property, pytest.mark.timeout(120)]

TYPES = ("i32", "i64", "f32", "f64", "v128", "funcref", "externref")


def entry(exports: str = '["f"]') -> WasmEntry:
    (only,) = PackManifest.parse(manifest(exports).encode()).modules
    assert isinstance(only, WasmEntry)
    return only


def read(binary: bytes, of: WasmEntry) -> WasmModule | str:
    """The module or the refusal; anything else that it raises fails the law."""
    try:
        return check_wasm(binary, of)
    except WasmContractError as refused:
        return str(refused)


@given(st.binary(max_size=200))
def test_any_bytes_are_admitted_or_refused(noise: bytes) -> None:
    for binary in (noise, b"\0asm\1\0\0\0" + noise):
        assert isinstance(read(binary, entry()), WasmModule | str)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_what_is_admitted_of_a_damaged_binary_the_engine_sees_alike(data: st.DataObject) -> None:
    binary = bytearray(numbers())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(binary) - 1))
        binary[place] = data.draw(st.integers(0, 255))
    agrees(bytes(binary), entry('["add", "half", "nothing", "eight"]'))


@settings(deadline=None)
@given(
    params=st.lists(st.sampled_from(TYPES), max_size=10),
    results=st.lists(st.sampled_from(TYPES), max_size=3),
    pages=st.tuples(st.integers(0, 70_000), st.integers(0, 70_000)),
)
def test_what_is_admitted_of_any_signature_the_engine_sees_alike(
    params: list[str], results: list[str], pages: tuple[int, int]
) -> None:
    memory = b"\1" + leb(pages[0]) + leb(pages[1])
    agrees(
        module(signature(" ".join(params), " ".join(results)), memory=memory, exports=[export("f")]), entry()
    )


def agrees(binary: bytes, of: WasmEntry) -> None:
    """Where both take it, the types are the same, nothing is imported and memory is bounded."""
    ours = read(binary, of)
    if isinstance(ours, str):
        return
    try:
        theirs = wasmtime.Module(wasmtime.Engine(), binary)
    except wasmtime.WasmtimeError:
        return  # a body that is not valid: found when it is compiled
    assert theirs.imports == []
    types = {each.name: each.type for each in theirs.exports}
    for each in ours.functions:
        found = types[each.wasm]
        assert isinstance(found, wasmtime.FuncType)
        assert tuple(map(str, found.params)) == each.params
        assert tuple(map(str, found.results)) == ((each.result,) if each.result else ())
    for memory in types.values():
        if isinstance(memory, wasmtime.MemoryType):
            assert memory.limits.max is not None
            assert memory.limits.max <= of.memory_pages_max
