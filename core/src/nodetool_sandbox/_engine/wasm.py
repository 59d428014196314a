"""The engine for WebAssembly modules of packs: compiles one, and makes one call on a fresh instance.

An engine of its own, apart from the guest's: other limits, another clock of epochs. A module imports
nothing, so all that its code can do is compute on its own memory, return a number, or trap.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import itertools
import os
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import wasmtime

from nodetool_sandbox import threads
from nodetool_sandbox._engine import capi
from nodetool_sandbox._engine.image import PROPOSALS_OFF, check_version
from nodetool_sandbox._engine.ticker import Ticker, register_fork
from nodetool_sandbox.errors import EngineUnavailable

MAX_STACK_BYTES: Final = 1024 * 1024
"""Native stack of one call; a thread that makes calls needs more."""

MAX_TABLE_ELEMENTS: Final = 100_000
MAX_TABLES: Final = 16

_TRAPS: Final = (
    "call stack exhausted",
    "out of bounds memory access",
    "unaligned atomic",
    "out of bounds table access",
    "call of an empty table element",
    "indirect call type mismatch",
    "integer overflow",
    "integer divide by zero",
    "invalid conversion to integer",
    "unreachable",
)
_ASYNC_STACK_ROOM: Final = 64 * 1024
_SLOTS: Final = 16  # more than any signature of the contract fills


class WasmFailed(Exception):
    """A module or one of its calls failed by its own doing; the message may be shown to its program."""


class WasmStopped(Exception):
    """The call was ended from outside."""


class _KeptEngine(wasmtime.Engine):
    """One of a process, and so never deleted: at its end wasmtime's own functions may be gone before this is."""

    def _delete(self, ptr: Any) -> None:
        pass


class _Module(wasmtime.Module):
    """Deleted when nobody holds it, but not when everything goes anyway, for the same reason."""

    def _delete(self, ptr: Any, _is_ending: Callable[[], bool] = sys.is_finalizing) -> None:
        if not _is_ending():
            super()._delete(ptr)


@dataclass(frozen=True, slots=True)
class CompiledWasm:
    """A module as machine code of this process, its size, and the types of the functions that it exports."""

    module: wasmtime.Module
    byte_count: int
    types: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


def compile_wasm(binary: bytes) -> bytes:
    """The machine code of a module, for `load_wasm` of a process with the same wasmtime.

    It may take long and much memory: whoever calls it gives it a process that can be ended.

    Raises:
        WasmFailed: the binary is not valid.
    """
    try:
        return bytes(_Module(_engine().engine, binary).serialize())
    except wasmtime.WasmtimeError as error:
        raise WasmFailed(f"is not valid WebAssembly ({_reason(error)})") from None


def load_wasm(machine_code: bytes) -> CompiledWasm:
    """A module ready to be called, out of what `compile_wasm` wrote.

    It is machine code, and runs as such: only what our own compiling made may come here.

    Raises:
        WasmFailed: another wasmtime wrote it, or another machine.
    """
    try:
        module = _Module.deserialize(_engine().engine, machine_code)
    except wasmtime.WasmtimeError as error:
        raise WasmFailed(f"cannot be loaded ({_reason(error)})") from None
    types = {
        each.name: (_names(each.type.params), _names(each.type.results))
        for each in module.exports
        if isinstance(each.type, wasmtime.FuncType)
    }
    return CompiledWasm(module, len(machine_code), types)


def call_wasm(
    compiled: CompiledWasm,
    name: str,
    arguments: Sequence[int | float],
    *,
    memory_bytes: int,
    must_stop: Callable[[], bool],
) -> int | float | None:
    """What an export returns for these numbers, on an instance that nothing else sees.

    Arguments fit the export's types. `must_stop` is asked every few milliseconds, on this thread.

    Raises:
        WasmFailed: it trapped, or its memory does not fit into `memory_bytes`.
        WasmStopped: `must_stop` said so.
    """
    params, results = compiled.types[name]
    engine = _engine()
    number = next(_numbers)
    _asked[number] = must_stop
    store = capi.store_new(engine.address, number, None)
    engine.ticker.enter()
    try:
        context = capi.store_context(store)
        capi.store_limiter(store, memory_bytes, MAX_TABLE_ELEMENTS, 1, MAX_TABLES, 1)
        capi.set_epoch_deadline(context, 1)
        capi.store_epoch_deadline_callback(store, _ON_TICK, None, None)
        instance = _instantiate(compiled.module, context)
        raw = (capi.RawValue * _SLOTS)()
        for slot, kind, argument in zip(raw, params, arguments, strict=False):
            setattr(slot, kind, argument)
        item = capi.Extern()
        encoded = name.encode()
        if not capi.instance_export_get(
            context, ctypes.addressof(instance), encoded, len(encoded), ctypes.addressof(item)
        ):
            raise WasmFailed("is not callable")
        trap = ctypes.c_void_p()
        error = capi.func_call(
            context,
            ctypes.addressof(item.of.func),
            ctypes.addressof(raw),
            _SLOTS,
            ctypes.addressof(trap),
        )
        _raise_failure(error, trap)
        return getattr(raw[0], results[0]) if results else None
    finally:
        engine.ticker.leave()
        capi.store_delete(store)
        del _asked[number]


@dataclass(frozen=True, slots=True)
class _Engine:
    engine: wasmtime.Engine
    address: int
    ticker: Ticker


_made: _Engine | None = None
_making = threading.Lock()
_numbers = itertools.count(1)
_asked: dict[int, Callable[[], bool]] = {}


def _engine() -> _Engine:
    """The engine of this process, made at the first use.

    Raises:
        EngineUnavailable: the installed wasmtime must not be used.
    """
    global _made  # noqa: PLW0603 - once a process
    if _made is None:
        with _making:
            if _made is None:
                _made = _make_engine()
    return _made


def _make_engine() -> _Engine:
    check_version(importlib.metadata.version("wasmtime"))
    config = wasmtime.Config()
    pointer = config.ptr()
    capi.b.wasmtime_config_epoch_interruption_set(pointer, True)
    # one call's compiling must not start a thread on each processor, nor find that it may not
    capi.b.wasmtime_config_parallel_compilation_set(pointer, False)
    capi.b.wasmtime_config_async_stack_size_set(pointer, MAX_STACK_BYTES + _ASYNC_STACK_ROOM)
    capi.b.wasmtime_config_max_wasm_stack_set(pointer, MAX_STACK_BYTES)
    for proposal in PROPOSALS_OFF:
        getattr(capi.b, f"wasmtime_config_{proposal}_set")(pointer, False)
    engine = _KeptEngine(config)
    address = ctypes.cast(engine.ptr(), ctypes.c_void_p).value
    if not address:
        raise EngineUnavailable("no engine can be made for the WebAssembly of packs")
    ticker = Ticker(lambda: capi.engine_increment_epoch(address), linger_s=threads.KEPT_S)
    register_fork(ticker)
    return _Engine(engine, address, ticker)


def _instantiate(module: wasmtime.Module, context: int) -> Any:
    instance = capi.Instance()
    trap = ctypes.c_void_p()
    # its start function runs here, so the interpreter's lock is given up
    error = capi.instance_new(
        context,
        ctypes.cast(module.ptr(), ctypes.c_void_p),
        None,
        0,
        ctypes.addressof(instance),
        ctypes.addressof(trap),
    )
    _raise_failure(error, trap)
    return instance


def _raise_failure(error: int | None, trap: ctypes.c_void_p) -> None:
    if error:
        text = capi.take_error(error)
        if _STOPPED in text:
            raise WasmStopped
        raise WasmFailed(text.splitlines()[0][:200])
    if trap.value:
        code = capi.take_trap_code(trap.value)
        if code == capi.TRAP_INTERRUPT:
            raise WasmStopped
        raise WasmFailed(_TRAPS[code] if code is not None and code < len(_TRAPS) else "trapped")


_STOPPED: Final = "the host ended this call"


def _tick(context: int, _data: int, delta: int, kind: int) -> int:
    try:
        if not _asked[capi.context_get_data(context)]():
            ctypes.c_uint64.from_address(delta).value = 1
            ctypes.c_uint8.from_address(kind).value = capi.UPDATE_DEADLINE_CONTINUE
            return 0
    except BaseException:  # noqa: BLE001, S110 - an exception through wasm ends the process
        pass
    return int(capi.error_new(_STOPPED.encode()))


_ON_TICK: Final = capi.EpochCallback(_tick)


def _names(types: Sequence[wasmtime.ValType]) -> tuple[str, ...]:
    return tuple(str(each) for each in types)


def _reason(error: wasmtime.WasmtimeError) -> str:
    # the first line says little, the numbered causes below it say what is wrong; none holds a path
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].lstrip("0123456789: ")[:200] if lines else "no reason given"


def _forget() -> None:
    # a forked child has none of the threads that made calls
    global _making  # noqa: PLW0603
    _making = threading.Lock()
    _asked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
