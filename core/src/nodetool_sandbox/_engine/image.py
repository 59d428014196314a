"""The baked image, compiled once: the process's engine, its linker with our imports, and the module.

Compiling takes about a second, loading what was compiled before a millisecond. What was compiled is
kept in a private folder of the user's cache. It is machine code: a folder or a file that somebody
else could have written to is not read.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.metadata
import os
import platform
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from nodetool_sandbox import threads
from nodetool_sandbox._engine import capi
from nodetool_sandbox._engine.ticker import Ticker, register_fork
from nodetool_sandbox.errors import EngineUnavailable
from nodetool_sandbox.threads import MAX_WASM_STACK_BYTES
from nodetool_sandbox.user_cache import cache_folder, is_private

WASMTIME_MAJOR: Final = 50

FIXED_IN: Final = (
    # advisory, the first release on our line of majors with the fix, what it was
    ("GHSA-vc8c-j3xm-xj73", (41, 0, 1), "f64.copysign on x86-64 could read outside of the guest's memory"),
    (
        "GHSA-jhxm-h53p-jm7w",
        (43, 0, 1),
        "a miscompiled heap access on aarch64 could leave the guest's memory",
    ),
    ("GHSA-xx5w-cvp6-jv83", (43, 0, 1), "code of the Winch compiler could leave the guest's memory"),
    ("GHSA-897f-g5gm-fmxm", (50, 0, 1), "an overflow in Cranelift could miscompile a large function"),
    ("GHSA-mghf-wjfp-p5xm", (50, 0, 1), "a large br_table on aarch64 could jump to a wrong place"),
)
"""Releases below these are refused at start. The list names what could let a guest such as ours out."""

IMPORTS: Final = (
    ("post", "iii", ""),
    ("call", "iiii", "i"),
    ("normalize", "iiiiii", "i"),
    ("load", "iiii", "i"),
    ("clock", "", "d"),
    ("random", "ii", ""),
)
"""Every import of the guest: name, parameters, result."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # there is one a process
class Image:
    """The engine of this process, ready to make guests."""

    engine: Any
    engine_address: int
    instance_pre: int
    ticker: Ticker
    digest: str


def check_version(version: str) -> None:
    """Refuse a wasmtime that the engine was not made for, or one with a known hole.

    Raises:
        EngineUnavailable: another major version, or below the fixed release of an advisory.
    """
    numbers = tuple(int(part) for part in version.split(".")[:3] if part.isdigit())
    for advisory, fixed, what in FIXED_IN:
        if numbers < fixed:
            raise EngineUnavailable(
                f"wasmtime {version} has {advisory} ({what}); install wasmtime>={WASMTIME_MAJOR},<{WASMTIME_MAJOR + 1}"
            )
    if not numbers or numbers[0] != WASMTIME_MAJOR:
        raise EngineUnavailable(
            f"wasmtime {version} is installed and this release is made for {WASMTIME_MAJOR}.x; "
            f"install wasmtime>={WASMTIME_MAJOR},<{WASMTIME_MAJOR + 1}"
        )


PROPOSALS_OFF: Final = (
    "gc_support",
    "shared_memory",
    "wasm_component_model",
    "wasm_custom_page_sizes",
    "wasm_exceptions",
    "wasm_function_references",
    "wasm_gc",
    "wasm_memory64",
    "wasm_multi_memory",
    "wasm_relaxed_simd",
    "wasm_simd",
    "wasm_stack_switching",
    "wasm_tail_call",
    "wasm_threads",
    "wasm_wide_arithmetic",
)
"""What neither the image nor what compilers of C and Rust write unasked needs. What is off cannot be miscompiled."""


def new_config() -> Any:
    """The one configuration of the engine: Cranelift, epochs, no pooling, memory that stays where it is."""
    b = capi.b
    config = b.wasm_config_new()
    b.wasmtime_config_epoch_interruption_set(config, True)
    # the asynchronous stack is never used, but its size bounds the other one
    b.wasmtime_config_async_stack_size_set(config, MAX_WASM_STACK_BYTES + 64 * 1024)
    b.wasmtime_config_max_wasm_stack_set(config, MAX_WASM_STACK_BYTES)
    b.wasmtime_config_memory_may_move_set(config, False)
    for proposal in PROPOSALS_OFF:
        getattr(b, f"wasmtime_config_{proposal}_set")(config, False)
    return config


def _compile(engine: Any, wasm: bytes) -> tuple[Any, bytes]:
    b = capi.b
    module = ctypes.POINTER(b.wasmtime_module_t)()
    buffer = (ctypes.c_uint8 * len(wasm)).from_buffer_copy(wasm)
    error = b.wasmtime_module_new(engine, buffer, len(wasm), ctypes.byref(module))
    if error:
        raise EngineUnavailable(f"the guest image does not compile: {capi.take_error(_address(error))}")
    out = b.wasm_byte_vec_t()
    error = b.wasmtime_module_serialize(module, ctypes.byref(out))
    if error:
        raise EngineUnavailable(
            f"the compiled guest cannot be written down: {capi.take_error(_address(error))}"
        )
    compiled = ctypes.string_at(out.data, out.size)
    b.wasm_byte_vec_delete(ctypes.byref(out))
    return module, compiled


def _load(engine: Any, path: Path) -> Any | None:
    if not (is_private(path.parent) and is_private(path)):
        return None
    module = ctypes.POINTER(capi.b.wasmtime_module_t)()
    error = capi.b.wasmtime_module_deserialize_file(engine, os.fsencode(path), ctypes.byref(module))
    if error:  # another CPU, another build of wasmtime, a torn file: a miss
        capi.error_delete(_address(error))
        return None
    return module


def _store(path: Path, compiled: bytes) -> None:
    """Keep the compiled code, whole or not at all. A cache that cannot be written is no error."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(path.parent):
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".compiled-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(compiled)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink()
            raise


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def read_wasm() -> bytes:
    """The baked image that the wheel brought.

    Raises:
        EngineUnavailable: it is not there; a source tree needs its build first.
    """
    try:
        return files("nodetool_sandbox._engine").joinpath("quickjs.wasm").read_bytes()
    except FileNotFoundError as cause:
        raise EngineUnavailable(
            "the guest image quickjs.wasm is missing; install the wheel of nodetool-sandbox, "
            "or run `make guest` in a source tree"
        ) from cause


def _module(engine: Any, wasm: bytes, digest: str) -> Any:
    version = importlib.metadata.version("wasmtime")
    path = cache_folder() / f"guest-{digest[:32]}-wasmtime-{version}-{platform.machine()}.cwasm"
    module = _load(engine, path)
    if module is None:
        module, compiled = _compile(engine, wasm)
        _store(path, compiled)
    return module


def load_image(callbacks: dict[str, Any]) -> Image:
    """The image of this process: `callbacks` are the host's functions, one for each of `IMPORTS`.

    Raises:
        EngineUnavailable: no image, or a wasmtime that must not be used.
    """
    check_version(importlib.metadata.version("wasmtime"))
    b = capi.b
    wasm = read_wasm()
    digest = hashlib.sha256(wasm).hexdigest()
    engine = b.wasm_engine_new_with_config(new_config())
    module = _module(engine, wasm, digest)
    linker = b.wasmtime_linker_new(engine)
    for name, params, results in IMPORTS:
        ty = capi.functype(params, results)
        callback = ctypes.cast(callbacks[name], ctypes.c_void_p)
        error = capi.linker_define_func(
            linker, b"sandbox", 7, name.encode(), len(name), _address(ty), callback, None, None
        )
        b.wasm_functype_delete(ty)
        if error:
            raise EngineUnavailable(f"the import {name!r} cannot be defined: {capi.take_error(error)}")
    pre = ctypes.POINTER(b.wasmtime_instance_pre_t)()
    error = b.wasmtime_linker_instantiate_pre(linker, module, ctypes.byref(pre))
    if error:
        raise EngineUnavailable(f"the guest image does not link: {capi.take_error(_address(error))}")
    address = _address(engine)
    ticker = Ticker(lambda: capi.engine_increment_epoch(address), linger_s=threads.KEPT_S)
    register_fork(ticker)
    return Image(
        engine=engine,
        engine_address=address,
        instance_pre=_address(pre),
        ticker=ticker,
        digest=digest,
    )
