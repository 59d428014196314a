"""The modules that are compiled: each once, whoever asks and however many do, under a deadline."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from nodetool_sandbox_registry.digests import Digest
from nodetool_sandbox_registry.discovery import HostTableEntry
from nodetool_sandbox_registry.wasm_contract import MAX_WASM_BYTES, WasmModule

from nodetool_sandbox._engine.wasm import CompiledWasm, WasmFailed, load_wasm
from nodetool_sandbox.dispatch import InProcess, Runner
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.host_calls import Answer, CallDeadline, HostCall
from nodetool_sandbox.marshal import to_guest, to_host
from nodetool_sandbox.wasm.compiler import COMPILE, COMPILER, TABLE
from nodetool_sandbox.workers.pool import Workers

MAX_COMPILE_S: Final = 10.0
"""How long one module may take to compile."""

MAX_COMPILED_BYTES: Final = 64 * 1024 * 1024
"""Machine code of one module: about a dozen times the largest binary."""

MAX_KEPT_MODULES: Final = 64
"""Compiled modules that a process keeps; the one that was used longest ago goes first."""

MAX_KEPT_BYTES: Final = 256 * 1024 * 1024
"""Machine code of all of them. What is at work is not counted: it goes when its calls are over."""

MAX_IN_PROCESS_BYTES: Final = 256 * 1024
"""Of one binary where no process can be started for it: what compiles in this process cannot be ended."""

MAX_COMPILERS: Final = 2

Ready = Callable[[CompiledWasm | str], None]
"""Gets the module, or why there is none, once, on any thread."""


class CompiledModules:
    """Keeps compiled modules by the digests of their binaries. What could not be compiled is not kept.

    Args:
        runner: does the compiling, as a host call of `compiler.TABLE`.
        most: how many are kept.
        most_kept_bytes: how much machine code.
        seconds: how long one may take.
        most_bytes: the largest binary.
    """

    def __init__(
        self,
        runner: Runner,
        *,
        most: int = MAX_KEPT_MODULES,
        most_kept_bytes: int = MAX_KEPT_BYTES,
        seconds: float = MAX_COMPILE_S,
        most_bytes: int = MAX_WASM_BYTES,
    ) -> None:
        self.compiled = 0
        self._runner = runner
        self._most = most
        self._most_kept_bytes = most_kept_bytes
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[Digest, CompiledWasm] = OrderedDict()
        self._waiting: dict[Digest, list[Ready]] = {}

    def find(self, digest: Digest) -> CompiledWasm | None:
        """The module, if it is compiled."""
        with self._lock:
            found = self._kept.get(digest)
            if found is not None:
                self._kept.move_to_end(digest)
            return found

    def compile(self, module: WasmModule, where: str, ready: Ready) -> None:
        """Have it compiled, unless somebody else's call does that already, and tell `ready`. Does not block."""
        if len(module.binary) > self._most_bytes:
            ready(
                f"is {len(module.binary):,} bytes of WebAssembly, above the {self._most_bytes:,} that are "
                "compiled where no worker process can be started; run it without InProcess()"
            )
            return
        with self._lock:
            waiting = self._waiting.setdefault(module.digest, [])
            waiting.append(ready)
            if len(waiting) > 1:
                return
            self.compiled += 1
        message = to_guest([module.binary])
        call = HostCall(specifier=where, export=COMPILE, payload=message.payload, refs=message.refs)
        self._runner.start(
            COMPILER,
            call,
            CallDeadline(f"{where}: compiling its WebAssembly", self._seconds, _never),
            hosts=TABLE,
            run=module.digest,  # turns are taken between modules: a bad one does not hold up the others
            done=lambda answer: self._finish(module, answer),
        )

    def _finish(self, module: WasmModule, answer: Answer) -> None:
        outcome = _load(module, answer)
        with self._lock:
            if isinstance(outcome, CompiledWasm):
                self._kept[module.digest] = outcome
                while len(self._kept) > self._most or self._kept_bytes() > self._most_kept_bytes:
                    self._kept.popitem(last=False)
            waiting = self._waiting.pop(module.digest)
        for ready in waiting:
            ready(outcome)

    def _kept_bytes(self) -> int:
        return sum(each.byte_count for each in self._kept.values())


def _load(module: WasmModule, answer: Answer) -> CompiledWasm | str:
    """The module out of a compiler's answer, or why there is none."""
    try:
        value = to_host(answer.payload, max_bytes=MAX_COMPILED_BYTES)
        if answer.failed:
            return str(value[1]) if isinstance(value, list) else "could not be compiled"
        if not isinstance(value, bytes):
            return "could not be compiled"
        loaded = load_wasm(value)
    except (MarshalError, WasmFailed) as refusal:
        return f"could not be compiled: {refusal}"
    for each in module.functions:
        wanted = (each.params, (each.result,) if each.result else ())
        if loaded.types.get(each.wasm) != wanted:
            # the registry's reader and the engine do not agree: then neither is believed
            return f"export {each.alias} has other types than those that were checked"
    return loaded


def _never() -> bool:
    # other runs may wait for the same module
    return False


@lru_cache(maxsize=2)
def compiled_modules(*, in_process: bool) -> CompiledModules:
    """The compiled modules of this process; with `in_process` it compiles them itself."""
    if in_process:
        return CompiledModules(InProcess(), most_bytes=MAX_IN_PROCESS_BYTES)
    table = HostTableEntry(version="", module="nodetool_sandbox.wasm.compiler", attribute="TABLE")
    return CompiledModules(Workers(table=table, most=MAX_COMPILERS))


if hasattr(os, "register_at_fork"):
    # a child may have inherited a lock that somebody held, and has nobody who compiles
    os.register_at_fork(after_in_child=compiled_modules.cache_clear)
