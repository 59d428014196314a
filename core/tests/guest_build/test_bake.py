"""The bake, on guests of a few lines that stand where the real one stands."""

from __future__ import annotations

import pytest
import wasmtime
from guest_build import bake as bake_module
from guest_build import flags
from guest_build.bake import bake
from guest_build.steps import StepFailedError

STACK = flags.SHADOW_STACK_BYTES
PAGES = STACK // 65_536 + 2
PRELUDE_AT = STACK + 4_096


def guest(
    body: str = "(i32.const 0)",
    *,
    imports: str = "",
    data_at: int = STACK,
    extra: str = "",
    alloc: str = "sb_alloc",
) -> bytes:
    """A linked guest whose `sb_bake` is the body, its prelude lying at PRELUDE_AT."""
    return bytes(
        wasmtime.wat2wasm(f"""
        (module
          {imports}
          (memory (export "memory") {PAGES})
          (global $stack (mut i32) (i32.const {STACK}))
          (data (i32.const {data_at}) "linked")
          (func (export "{alloc}") (param i32) (result i32) (i32.const {PRELUDE_AT}))
          (func (export "_initialize") (i32.store8 (i32.const {STACK + 100}) (i32.const 1)))
          (func (export "sb_bake") (param $at i32) (param $n i32) (result i32) {body})
          (func (export "peek") (param i32) (result i32) (i32.load8_u (local.get 0)))
          {extra})
        """)
    )


def peek(image: bytes, address: int) -> int:
    store = wasmtime.Store()
    function = wasmtime.Instance(store, wasmtime.Module(store.engine, image), []).exports(store)["peek"]
    assert isinstance(function, wasmtime.Func)
    value = function(store, address)
    assert isinstance(value, int)
    return value


def test_an_instance_of_the_image_stands_where_the_prelude_ended() -> None:
    baked = bake(guest(f"(i32.store8 (i32.const {STACK + 500}) (i32.const 77)) (i32.const 0)"), b"prelude")
    assert peek(baked.image, STACK + 500) == 77
    assert peek(baked.image, STACK) == ord("l")
    assert peek(baked.image, PRELUDE_AT) == ord("p")


def test_initialization_is_baked_in_and_its_exports_are_gone() -> None:
    image = bake(guest(), b"").image
    names = [each.name for each in wasmtime.Module(wasmtime.Engine(), image).exports]
    assert names == ["memory", "sb_alloc", "peek"]
    assert peek(image, STACK + 100) == 1


def test_a_memory_that_grew_is_baked_at_its_size() -> None:
    baked = bake(guest("(drop (memory.grow (i32.const 3))) (i32.const 0)"), b"")
    assert baked.memory_bytes == (PAGES + 3) * 65_536
    assert peek(baked.image, baked.memory_bytes - 1) == 0


def test_what_the_c_stack_held_is_not_in_the_image() -> None:
    baked = bake(guest("(i32.store8 (i32.const 64) (i32.const 9)) (i32.const 0)"), b"")
    assert peek(baked.image, 64) == 0


def test_two_bakes_give_the_same_bytes() -> None:
    raw = guest(f"(i32.store8 (i32.const {STACK + 500}) (i32.const 77)) (i32.const 0)")
    assert bake(raw, b"prelude") == bake(raw, b"prelude")


@pytest.mark.parametrize(("gap", "segments"), [(flags.MIN_GAP_BYTES - 1, 2), (flags.MIN_GAP_BYTES, 3)])
def test_zeros_split_a_segment_only_where_that_pays(gap: int, segments: int) -> None:
    first = STACK + 1_000
    stores = "".join(f"(i32.store8 (i32.const {at}) (i32.const 1))" for at in (first, first + gap + 1))
    baked = bake(guest(f"(i32.store8 (i32.const {STACK + 100}) (i32.const 0)) {stores} (i32.const 0)"), b"")
    assert baked.segment_count == segments


@pytest.mark.parametrize(("beyond", "refused"), [(0, False), (1, True)])
def test_more_segments_than_the_engine_takes_are_refused(beyond: int, refused: bool) -> None:  # noqa: FBT001
    # One is the linked data, one the byte of _initialize.
    count = bake_module._MAX_SEGMENTS - 2 + beyond
    loop = f"""
        (local $i i32)
        (drop (memory.grow (i32.const {count * 80 // 65_536 + 1})))
        (loop $again
          (i32.store8
            (i32.add (i32.const {PRELUDE_AT}) (i32.mul (local.get $i) (i32.const 80))) (i32.const 1))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br_if $again (i32.lt_u (local.get $i) (i32.const {count}))))
        (i32.const 0)"""
    if refused:
        with pytest.raises(StepFailedError, match=r"100,001 data segments(.|\n)*raise MIN_GAP_BYTES"):
            bake(guest(loop), b"")
    else:
        assert bake(guest(loop), b"").segment_count == bake_module._MAX_SEGMENTS


def test_the_clock_and_random_numbers_are_zero_in_a_bake() -> None:
    imports = """
        (import "sandbox" "clock" (func $clock (result f64)))
        (import "sandbox" "random" (func $random (param i32 i32)))"""
    body = f"""
        (i32.store (i32.const {STACK + 600}) (i32.const -1))
        (call $random (i32.const {STACK + 600}) (i32.const 2))
        (i32.trunc_f64_s (call $clock))"""
    image = bake(guest(body, imports=imports), b"").image
    store = wasmtime.Store()
    linker = wasmtime.Linker(store.engine)
    linker.define_unknown_imports_as_traps(module := wasmtime.Module(store.engine, image))
    memory = linker.instantiate(store, module).exports(store)["memory"]
    assert isinstance(memory, wasmtime.Memory)
    assert bytes(memory.read(store, STACK + 600, STACK + 604)) == b"\0\0\xff\xff"


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        (guest(f"(i32.const {STACK})"), "the prelude did not evaluate: linked"),
        (guest("unreachable"), "the guest trapped"),
        (guest("(global.set $stack (i32.const 5)) (i32.const 0)"), r"mutable globals \[0\] changed"),
        (guest(data_at=STACK - 1), "data begins at 12,582,911, inside the stack"),
        (guest(imports='(import "wasi_snapshot_preview1" "proc_exit" (func (param i32)))'), "proc_exit"),
        (guest(imports='(import "sandbox" "table" (table 1 funcref))'), r"imports table beside functions"),
        (
            guest("(call $post) (i32.const 0)", imports='(import "sandbox" "post" (func $post))'),
            r"calls its host \(post\) while it is being baked",
        ),
        (guest(extra='(memory $two 1) (export "two" (memory $two))'), "not exactly one memory"),
        (guest(alloc="malloc"), "exports no function 'sb_alloc'"),
        (b"text", "not a WebAssembly module"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_baked_is_refused_with_the_reason(raw: bytes, complaint: str) -> None:
    with pytest.raises(StepFailedError, match=complaint) as caught:
        bake(raw, b"prelude")
    assert "what now:" in str(caught.value)
