"""The binary format, as far as the bake reads and writes it."""

from __future__ import annotations

import pytest
import wasmtime
from guest_build.wasm import Module, Segment, WasmFormError, signed_leb, unsigned_leb
from hypothesis import given
from hypothesis import strategies as st

SMALL = """
(module
  (import "sandbox" "clock" (func (result f64)))
  (memory (export "memory") 1 9)
  (global (mut i32) (i32.const -7))
  (global i64 (i64.const 9))
  (global (export "pi") (mut f64) (f64.const 3.25))
  (func (export "f") (result i32) (global.get 0))
  (data (i32.const 16) "abc"))
"""


def parsed(text: str) -> Module:
    return Module.parse(bytes(wasmtime.wat2wasm(text)))


def compiles(module: Module) -> wasmtime.Module:
    return wasmtime.Module(wasmtime.Engine(), module.binary())


@pytest.mark.property
@given(st.integers(min_value=-(2**63), max_value=2**63 - 1))
def test_signed_numbers_are_written_as_the_engine_writes_them(number: int) -> None:
    theirs = bytes(wasmtime.wat2wasm(f"(module (global i64 (i64.const {number})))"))
    assert theirs.endswith(b"\x42" + signed_leb(number) + b"\x0b")


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (2**32 - 1, b"\xff\xff\xff\xff\x0f")],
)
def test_unsigned_numbers_are_written_short(number: int, written: bytes) -> None:
    assert unsigned_leb(number) == written


def test_a_module_that_is_read_and_written_is_the_same_bytes() -> None:
    binary = bytes(wasmtime.wat2wasm(SMALL))
    assert Module.parse(binary).binary() == binary


def test_mutable_globals_are_found_among_the_others() -> None:
    assert parsed(SMALL).mutable_globals() == (0, 2)


def test_a_global_can_be_exported_to_be_read() -> None:
    names = [each.name for each in compiles(parsed(SMALL).exporting_globals((0,), prefix="g")).exports]
    assert names == ["memory", "pi", "f", "g0"]


def test_the_memory_starts_larger_and_keeps_its_maximum() -> None:
    memory = next(
        each.type for each in compiles(parsed(SMALL).with_min_pages(5)).exports if each.name == "memory"
    )
    assert isinstance(memory, wasmtime.MemoryType)
    assert (memory.limits.min, memory.limits.max) == (5, 9)


def test_segments_are_replaced_also_beyond_two_gigabytes() -> None:
    segments = (Segment(3, b"x"), Segment(2**31 + 5, b"high"))
    assert parsed(SMALL).with_segments(segments).segments() == segments


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('(module (memory 1) (data "passive"))', "data segment with flag 1"),
        ('(module (memory 1 2 shared) (data (i32.const 0) "x"))', "memory with flag 3"),
        ('(module (memory 1) (memory 1) (data (i32.const 0) "x"))', "not exactly one memory"),
    ],
)
def test_a_form_that_a_bake_would_break_is_refused(text: str, complaint: str) -> None:
    module = parsed(text)
    with pytest.raises(WasmFormError, match=complaint):
        module.with_min_pages(1).segments()


@pytest.mark.parametrize(
    ("binary", "complaint"),
    [
        (b"", "not a WebAssembly module"),
        (b"\0asm\x02\0\0\0", "version 1"),
        (b"\0asm\x01\0\0\0\x05\x09", "9 bytes early"),
    ],
)
def test_bytes_that_are_no_module_are_refused(binary: bytes, complaint: str) -> None:
    with pytest.raises(WasmFormError, match=complaint):
        Module.parse(binary)
