"""From the linked module to the image: the prelude evaluated once, its memory written back as data segments.

A fresh instance of the image stands where the prelude ended. Same module and prelude, same bytes: what could
differ between two bakes (a clock, random numbers, what the C stack happens to hold) is zero or left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import wasmtime

from guest_build import flags
from guest_build.steps import StepFailedError
from guest_build.wasm import (
    DATA_COUNT,
    PAGE_BYTES,
    START,
    Module,
    Segment,
    WasmFormError,
)

STEP: Final = "bake the prelude"
_GLOBAL_PREFIX: Final = "__bake_global_"
_MAX_ERROR_BYTES: Final = 4_096
_MAX_SEGMENTS: Final = 100_000  # wasmtime's own limit
_RUNS: Final = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % (flags.MIN_GAP_BYTES - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Baked:
    """The image, and the numbers worth printing about it."""

    image: bytes
    memory_bytes: int
    segment_count: int
    data_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Snapshot:
    memory: bytes


def bake(raw: bytes, prelude: bytes) -> Baked:
    """The image of a linked module and a prelude.

    Refuses imports from elsewhere than the sandbox's own module, a prelude that throws or calls its host, and
    a module whose state after the prelude is more than its linear memory.
    """
    try:
        module = Module.parse(raw)
        _require_stack_first(module)
        globals_ = module.mutable_globals()
        snapshot = _evaluate(module.exporting_globals(globals_, prefix=_GLOBAL_PREFIX), prelude, globals_)
        segments = tuple(
            Segment(found.start(), found.group())
            for found in _RUNS.finditer(snapshot.memory, flags.SHADOW_STACK_BYTES)
        )
        if len(segments) > _MAX_SEGMENTS:
            raise _refusal(
                f"{len(segments):,} data segments, {_MAX_SEGMENTS:,} are allowed", "raise MIN_GAP_BYTES"
            )
        image = (
            module.without(START, DATA_COUNT)
            .with_exports(each for each in module.exports() if each.name not in flags.DROPPED_EXPORTS)
            .with_min_pages(len(snapshot.memory) // PAGE_BYTES)
            .with_segments(segments)
            .binary()
        )
    except WasmFormError as error:
        raise _refusal(
            f"the linked module has {error}", "mend LINK_FLAGS in core/guest_build/flags.py"
        ) from error
    _require_same_memory(image, snapshot.memory)
    return Baked(
        image=image,
        memory_bytes=len(snapshot.memory),
        segment_count=len(segments),
        data_bytes=sum(len(each.content) for each in segments),
    )


def _refusal(what: str, now: str) -> StepFailedError:
    return StepFailedError(STEP, what=what, now=now)


def _require_stack_first(module: Module) -> None:
    """The bake leaves the C stack's leftovers out, so it must know where the stack is: below all data."""
    lowest = min((each.offset for each in module.segments()), default=0)
    if lowest < flags.SHADOW_STACK_BYTES:
        raise _refusal(
            f"data begins at {lowest:,}, inside the stack's {flags.SHADOW_STACK_BYTES:,} bytes",
            "link with the stack first and with -z stack-size=SHADOW_STACK_BYTES",
        )


def _evaluate(module: Module, prelude: bytes, globals_: tuple[int, ...]) -> _Snapshot:
    """Linear memory after the prelude. Refuses when anything else than memory changed on the way."""
    store = wasmtime.Store(wasmtime.Engine())
    instance = _instantiate(store, module.binary())
    exports = instance.exports(store)
    memory = exports["memory"]
    if not isinstance(memory, wasmtime.Memory):
        raise _refusal("the module exports no memory", "export it under the name `memory`")
    before = _read_globals(store, exports, globals_)
    try:
        if flags.INITIALIZE_EXPORT in exports:
            _call(store, exports, flags.INITIALIZE_EXPORT)
        address = _call(store, exports, flags.ALLOC_EXPORT, len(prelude))
        memory.write(store, prelude, address)
        failure = _call(store, exports, flags.BAKE_EXPORT, address, len(prelude))
    except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
        raise _refusal(f"the guest trapped: {error}", "mend core/guest/shim.c or the prelude") from error
    if failure:
        text = bytes(memory.read(store, failure, min(failure + _MAX_ERROR_BYTES, memory.data_len(store))))
        message = text.split(b"\0", 1)[0].decode("utf-8", "replace")
        raise _refusal(f"the prelude did not evaluate: {message}", "mend core/guest/prelude")
    after = _read_globals(store, exports, globals_)
    if changed := [index for index in globals_ if before[index] != after[index]]:
        raise _refusal(
            f"mutable globals {changed} changed (the first is the stack pointer)",
            "return from every call in core/guest/shim.c; the image holds memory alone",
        )
    return _Snapshot(memory=bytes(memory.read(store, 0, memory.data_len(store))))


def _instantiate(store: wasmtime.Store, binary: bytes) -> wasmtime.Instance:
    module = wasmtime.Module(store.engine, binary)
    linker = wasmtime.Linker(store.engine)
    for wanted in module.imports:
        kind = wanted.type
        if wanted.module != flags.IMPORT_MODULE or not isinstance(kind, wasmtime.FuncType):
            others = sorted(
                f"{each.module}.{each.name}" for each in module.imports if each.module != flags.IMPORT_MODULE
            )
            raise _refusal(
                f"the module imports {others or wanted.name} beside functions of {flags.IMPORT_MODULE!r}",
                "define them in core/guest/shim.c: the guest has no WASI",
            )
        linker.define_func(
            wanted.module, str(wanted.name), kind, _stand_in(str(wanted.name), kind), access_caller=True
        )
    return linker.instantiate(store, module)


def _stand_in(name: str, kind: wasmtime.FuncType) -> Callable[..., object]:
    """What an import does during the bake: zero from the clock and for random numbers, else the end."""
    zeros: list[int | float] = [0.0 if str(each) in {"f32", "f64"} else 0 for each in kind.results]
    fills = [str(each) for each in kind.params] == ["i32", "i32"]

    def answer(caller: wasmtime.Caller, *args: int) -> object:
        if name not in flags.BAKE_IMPORTS:
            raise _refusal(
                f"the prelude calls its host ({name}) while it is being baked", "do that when a run begins"
            )
        memory = caller.get("memory")
        if fills and isinstance(memory, wasmtime.Memory):
            address, count = args
            memory.write(caller, bytes(count), address)
        return zeros[0] if len(zeros) == 1 else (zeros or None)

    return answer


def _call(store: wasmtime.Store, exports: Mapping[str, object], name: str, *args: int) -> int:
    function = exports.get(name)
    if not isinstance(function, wasmtime.Func):
        raise _refusal(f"the module exports no function {name!r}", "export it in core/guest/shim.c")
    result = function(store, *args)
    return result & 0xFFFF_FFFF if isinstance(result, int) else 0


def _read_globals(
    store: wasmtime.Store, exports: Mapping[str, object], indices: tuple[int, ...]
) -> dict[int, object]:
    found: dict[int, object] = {}
    for index in indices:
        item = exports[f"{_GLOBAL_PREFIX}{index}"]
        if isinstance(item, wasmtime.Global):
            found[index] = item.value(store)
    return found


def _require_same_memory(image: bytes, memory: bytes) -> None:
    """Two instances of the image hold the memory that the bake saw, less the dead stack."""
    expected = bytes(flags.SHADOW_STACK_BYTES) + memory[flags.SHADOW_STACK_BYTES :]
    engine = wasmtime.Engine()
    for _ in range(2):
        store = wasmtime.Store(engine)
        exports = _instantiate(store, image).exports(store)
        fresh = exports["memory"]
        if (
            not isinstance(fresh, wasmtime.Memory)
            or bytes(fresh.read(store, 0, fresh.data_len(store))) != expected
        ):
            raise _refusal(
                "an instance of the image does not hold what the bake saw",
                "please report this: it is a fault of core/guest_build",
            )
