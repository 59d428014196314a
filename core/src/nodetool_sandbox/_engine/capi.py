"""wasmtime's C API, as much of it as the engine uses: the one file that touches wasmtime-py's bindings.

wasmtime-py's own Func, Store and Memory objects cost 25 to 90 us a crossing and keep process-wide
tables without a lock. Called directly, a crossing costs a few. Its major version is pinned for this
file: the signatures come from its generated `_bindings`.

Two handles to one library: `quick` calls never block and keep the interpreter lock (giving it up and
asking for it again costs more than they do, and on a busy interpreter up to 5 ms); calls that run
guest code give it up.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

from wasmtime import _bindings, _ffi

b: Final = _bindings

_quick_dll: Final = ctypes.PyDLL(str(_ffi.filename))


def _raw(name: str, restype: Any, *argtypes: Any) -> Any:
    """A function of the C API with a signature of plain addresses, called under the interpreter lock."""
    function = getattr(_quick_dll, name)
    function.restype = restype
    function.argtypes = argtypes
    return function


_pointer = ctypes.c_void_p

store_new: Final = _raw("wasmtime_store_new", _pointer, _pointer, _pointer, _pointer)
store_context: Final = _raw("wasmtime_store_context", _pointer, _pointer)
store_limiter: Final = _raw("wasmtime_store_limiter", None, _pointer, *[ctypes.c_int64] * 5)
context_get_data: Final = _raw("wasmtime_context_get_data", _pointer, _pointer)
caller_context: Final = _raw("wasmtime_caller_context", _pointer, _pointer)
set_epoch_deadline: Final = _raw("wasmtime_context_set_epoch_deadline", None, _pointer, ctypes.c_uint64)
instance_pre_instantiate: Final = _raw("wasmtime_instance_pre_instantiate", _pointer, *[_pointer] * 4)
instance_export_get: Final = _raw(
    "wasmtime_instance_export_get",
    ctypes.c_bool,
    _pointer,
    _pointer,
    ctypes.c_char_p,
    ctypes.c_size_t,
    _pointer,
)
memory_data: Final = _raw("wasmtime_memory_data", _pointer, _pointer, _pointer)
memory_data_size: Final = _raw("wasmtime_memory_data_size", ctypes.c_size_t, _pointer, _pointer)
memory_grow: Final = _raw("wasmtime_memory_grow", _pointer, _pointer, _pointer, ctypes.c_uint64, _pointer)
engine_increment_epoch: Final = _raw("wasmtime_engine_increment_epoch", None, _pointer)
error_new: Final = _raw("wasmtime_error_new", _pointer, ctypes.c_char_p)
error_delete: Final = _raw("wasmtime_error_delete", None, _pointer)
error_message: Final = _raw("wasmtime_error_message", None, _pointer, _pointer)
trap_delete: Final = _raw("wasm_trap_delete", None, _pointer)
trap_code: Final = _raw("wasmtime_trap_code", ctypes.c_bool, _pointer, _pointer)

linker_define_func: Final = _raw(
    "wasmtime_linker_define_func_unchecked",
    _pointer,
    _pointer,
    ctypes.c_char_p,
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
    _pointer,
    _pointer,
    _pointer,
    _pointer,
)

EpochCallback: Final = ctypes.CFUNCTYPE(ctypes.c_size_t, _pointer, _pointer, _pointer, _pointer)
HostCallback: Final = ctypes.CFUNCTYPE(ctypes.c_size_t, _pointer, _pointer, _pointer, ctypes.c_size_t)

store_epoch_deadline_callback: Final = _raw(
    "wasmtime_store_epoch_deadline_callback", None, _pointer, EpochCallback, _pointer, _pointer
)

# These give up the interpreter lock: they run guest code, unmap all that a guest has touched, or make a guest
# that nobody waits for.
_slow_dll: Final = ctypes.CDLL(str(_ffi.filename))
instance_pre_instantiate_aside: Final = _slow_dll.wasmtime_instance_pre_instantiate
instance_pre_instantiate_aside.restype = _pointer
instance_pre_instantiate_aside.argtypes = (_pointer,) * 4
store_delete: Final = _slow_dll.wasmtime_store_delete
store_delete.restype = None
store_delete.argtypes = (_pointer,)
func_call: Final = _slow_dll.wasmtime_func_call_unchecked
func_call.restype = _pointer
func_call.argtypes = (_pointer, _pointer, _pointer, ctypes.c_size_t, _pointer)
instance_new: Final = _slow_dll.wasmtime_instance_new
instance_new.restype = _pointer
instance_new.argtypes = (_pointer, _pointer, _pointer, ctypes.c_size_t, _pointer, _pointer)

RawValue: Final = b.wasmtime_val_raw_t
RAW_BYTES: Final = ctypes.sizeof(RawValue)
Func: Final = b.wasmtime_func_t
Instance: Final = b.wasmtime_instance_t
Extern: Final = b.wasmtime_extern_t
Memory: Final = b.wasmtime_memory_t

UPDATE_DEADLINE_CONTINUE: Final = 0

TRAP_STACK_OVERFLOW: Final = 0
TRAP_MEMORY_OUT_OF_BOUNDS: Final = 1
TRAP_UNREACHABLE: Final = 9
TRAP_INTERRUPT: Final = 10


def take_error(error: int) -> str:
    """The text of a wasmtime error; the error is freed. For our logs: it never reaches a guest."""
    text = b.wasm_byte_vec_t()
    error_message(error, ctypes.addressof(text))
    try:
        return ctypes.string_at(text.data, text.size).decode("utf-8", "replace")
    finally:
        b.wasm_byte_vec_delete(ctypes.byref(text))
        error_delete(error)


def take_trap_code(trap: int) -> int | None:
    """The code of a trap, None where it has none; the trap is freed."""
    code = ctypes.c_uint8(255)
    has = trap_code(trap, ctypes.addressof(code))
    trap_delete(trap)
    return code.value if has else None


def wasm_type(kinds: str) -> ctypes.Array[Any]:
    """An array of value types, one letter each: i for i32, d for f64."""
    codes = {"i": 0, "d": 3}
    return (ctypes.POINTER(b.wasm_valtype_t) * len(kinds))(
        *[b.wasm_valtype_new(codes[kind]) for kind in kinds]
    )


def functype(params: str, results: str) -> Any:
    """A function type; the caller deletes it."""
    vectors = []
    for kinds in (params, results):
        vector = b.wasm_valtype_vec_t()
        b.wasm_valtype_vec_new(ctypes.byref(vector), len(kinds), wasm_type(kinds))
        vectors.append(vector)
    return b.wasm_functype_new(ctypes.byref(vectors[0]), ctypes.byref(vectors[1]))
