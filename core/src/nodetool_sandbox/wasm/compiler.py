"""Compiling as a worker process does it: a host table of its own, with one function.

What a stranger's binary makes of a compiler's time and memory is not known beforehand, so it is compiled
where it can be ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule

from nodetool_sandbox._engine.wasm import WasmFailed, compile_wasm

COMPILER: Final = HostId("wasm")
COMPILE: Final = "compile"


def compile_binary(arguments: Sequence[object], _deadline: Deadline) -> object:
    """The machine code of the one binary in `arguments`."""
    (binary,) = arguments
    if not isinstance(binary, bytes):
        raise TypeError(f"a binary is bytes, not {type(binary).__name__}")
    try:
        return compile_wasm(binary)
    except WasmFailed as failed:
        raise HostCallError(str(failed)) from None


TABLE: Final[Mapping[str, HostModule]] = {
    COMPILER: HostModule(host_id=COMPILER, exports=(HostExport(name=COMPILE, function=compile_binary),))
}
"""What a worker serves that was started for compiling."""
