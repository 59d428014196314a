"""What a pack's WebAssembly may be: no imports, memory that is bounded, functions of plain numbers.

What passes is a value that holds all that a call needs: the binary, and for each export its types.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from nodetool_sandbox_registry.digests import Digest, digest_bytes
from nodetool_sandbox_registry.manifest import MAX_MEMORY_PAGES, WasmEntry, WasmLimits
from nodetool_sandbox_registry.texts import quoted
from nodetool_sandbox_registry.wasm_binary import Memory, Signature, WasmBinary, WasmFormError

MAX_WASM_BYTES: Final = 4 * 1024 * 1024
"""One WebAssembly file of a pack."""

MAX_PARAMS: Final = 8
"""Parameters of one export."""

SCALARS: Final = frozenset({"i32", "f32", "f64"})
"""The types that are plain numbers in JavaScript."""

_MAX_FAULTS_TOLD: Final = 5


class WasmContractError(ValueError):
    """A module outside of the contract. The message tells several violations at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WasmFunction:
    """One export as a program calls it: its own name, the one in the binary, and its types."""

    alias: str
    wasm: str
    params: tuple[str, ...]
    result: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WasmModule:
    """A module inside the contract. `memory_pages` is the most that its pack lets it have."""

    binary: bytes
    digest: Digest
    functions: tuple[WasmFunction, ...]
    memory_pages: int
    limits: WasmLimits

    def contract(self) -> dict[str, object]:
        """What a client is told of it, as plain data."""
        return {
            "memoryPagesMax": self.memory_pages,
            "exports": [
                {"wasm": each.wasm, "as": each.alias, "params": list(each.params), "result": each.result}
                for each in self.functions
            ],
            "limits": {name: value for name, value in asdict(self.limits).items() if value is not None},
        }


def check_wasm(binary: bytes, entry: WasmEntry) -> WasmModule:
    """The module of this entry, once it is inside the contract.

    Raises:
        WasmContractError: what is wrong with it, each violation beside the others.
    """
    try:
        module = WasmBinary.parse(binary)
        faults = list(_faults(module, entry))
        functions = () if faults else tuple(_functions(module, entry))
    except WasmFormError as fault:
        faults, functions = [str(fault)], ()
    if faults:
        raise WasmContractError(f"{quoted(entry.file)}: {'; '.join(_cut(faults))}")
    return WasmModule(
        binary=binary,
        digest=digest_bytes(binary),
        functions=functions,
        memory_pages=entry.memory_pages_max,
        limits=entry.limits,
    )


def _faults(module: WasmBinary, entry: WasmEntry) -> Iterator[str]:
    if module.first_import is not None:
        place, name = module.first_import
        yield f"imports {quoted(name)} from {quoted(place)}; a pack's WebAssembly is given nothing to import"
        return  # imports are counted before what is its own, so nothing else can be told
    for memory in module.memories:
        yield from _memory_faults(memory, entry)
    yield from _export_faults(module, entry)


def _memory_faults(memory: Memory, entry: WasmEntry) -> Iterator[str]:
    if memory.wide:
        yield "has a memory of 64-bit addresses"
        return
    if memory.shared:
        yield "has a shared memory"
    if memory.maximum is None:
        yield "has a memory without a maximum; link it with one (--max-memory)"
        return
    if memory.maximum < memory.minimum:
        yield f"has a memory of at least {memory.minimum:,} pages and at most {memory.maximum:,}"
    most = min(entry.memory_pages_max, MAX_MEMORY_PAGES)
    if max(memory.maximum, memory.minimum) > most:
        yield f"has a memory of up to {memory.maximum:,} pages, above its memory_pages_max of {most:,}"


def _export_faults(module: WasmBinary, entry: WasmEntry) -> Iterator[str]:
    for each in entry.exports:
        kind, index = module.exports.get(each.wasm, ("", 0))
        said = f"export {quoted(each.wasm)}"
        if not kind:
            yield f"{said} is missing from the binary"
        elif kind != "function":
            yield f"{said} is a {kind}, not a function"
        else:
            yield from (f"{said} {fault}" for fault in _signature_faults(module.signature(index)))


def _signature_faults(signature: Signature) -> Iterator[str]:
    params, results = signature.params, signature.results
    if len(params) > MAX_PARAMS:
        yield f"takes {len(params):,} parameters, above the {MAX_PARAMS} the scalar contract allows"
    if len(results) > 1:
        yield f"returns {len(results):,} values (multi-value), above the 1 the scalar contract allows"
    for place, each in enumerate(params[:MAX_PARAMS]):
        if each not in SCALARS:
            yield f"takes parameter {place} that uses {_why_not(each)}"
    if len(results) == 1 and results[0] not in SCALARS:
        yield f"returns a value that uses {_why_not(results[0])}"


def _why_not(value_type: str) -> str:
    if value_type == "i64":
        return "i64, which maps to bigint rather than number"
    return "v128, a vector type" if value_type == "v128" else f"the reference type {value_type}"


def _cut(faults: list[str]) -> list[str]:
    more = len(faults) - _MAX_FAULTS_TOLD
    return [*faults[:_MAX_FAULTS_TOLD], f"and {more:,} more"] if more > 0 else faults


def _functions(module: WasmBinary, entry: WasmEntry) -> Iterator[WasmFunction]:
    for each in entry.exports:
        signature = module.signature(module.exports[each.wasm][1])
        yield WasmFunction(
            alias=each.alias,
            wasm=each.wasm,
            params=signature.params,
            result=signature.results[0] if signature.results else None,
        )
