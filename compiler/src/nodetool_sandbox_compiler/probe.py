"""A compiled module loaded once in a real guest that has no powers: it must get through its own first lines.

That proves that it starts, no more. What it does later happens in a guest as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox import Ended, EngineUnavailable, Limits, RunResult, Sandbox
from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.digests import Digest, digest_bytes
from nodetool_sandbox_registry.graphs import FileKind, PackFile
from nodetool_sandbox_registry.names import DistName, ModuleId, PackName, Specifier
from nodetool_sandbox_registry.packs import DiscoveredModule, DiscoveredPack, ModuleKind
from nodetool_sandbox_registry.resolution import Catalog

from nodetool_sandbox_compiler.options import (
    MAX_EXPORTS,
    PROBE_LOG_LINE_CHARS,
    PROBE_LOG_LINES,
    PROBE_MEMORY_BYTES,
    PROBE_STACK_BYTES,
    PROBE_TIMEOUT_MS,
)
from nodetool_sandbox_compiler.outcomes import EndsShort

_MODULE: Final = Specifier("nodetool-sandbox-probe")
_PROGRAM: Final = (
    f'import * as found from "{_MODULE}"; '
    'return Reflect.ownKeys(found).filter((name) => typeof name === "string").sort();'
)
_LIMITS: Final = Limits(
    timeout_ms=PROBE_TIMEOUT_MS,
    memory_limit_bytes=PROBE_MEMORY_BYTES,
    stack_limit_bytes=PROBE_STACK_BYTES,
    max_log_lines=PROBE_LOG_LINES,
    max_log_characters=PROBE_LOG_LINES * PROBE_LOG_LINE_CHARS,
    max_host_calls=0,
    max_pending_calls=0,
)
_DENIED: Final = re.compile(r"(\"[^\n]*\") is not a sandbox package declared for this run")
_MAX_NAME_CHARS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The names that the module exports, sorted, and the first lines that it logged while it loaded."""

    exports: tuple[str, ...]
    logs: tuple[str, ...]


def probe(source: str, *, limits: Limits = _LIMITS) -> Probed:
    """Load a module in a fresh guest without bridges, files, network or host modules.

    Raises:
        EndsShort: it throws, does not end in time, asks for another module, or takes too much memory.
    """
    sandbox = Sandbox(packs=Catalog([_pack(source)]), hosts={}, limits=limits)
    try:
        result = sandbox.run_sync(_PROGRAM, modules=[_MODULE])
    except EngineUnavailable as error:
        raise EndsShort(Code.COMPILER_UNAVAILABLE, f"no guest can be made here: {error}") from None
    logs = tuple(line[:PROBE_LOG_LINE_CHARS] for line in result.logs[:PROBE_LOG_LINES])
    if not result.success:
        raise EndsShort(Code.NPM_MODULE_PROBE_FAILED, _told(result, logs))
    return Probed(exports=_exports(result.value), logs=logs)


def _exports(value: object) -> tuple[str, ...]:
    # The module has run in that guest before our lines did: what comes out is a stranger's word.
    if not isinstance(value, list) or len(value) > MAX_EXPORTS:
        raise EndsShort(
            Code.NPM_MODULE_PROBE_FAILED, f"it exports more than {MAX_EXPORTS:,} names, or hides them"
        )
    names = [each for each in value if isinstance(each, str) and len(each) <= _MAX_NAME_CHARS]
    if len(names) != len(value):
        raise EndsShort(Code.NPM_MODULE_PROBE_FAILED, "it exports something that has no usable name")
    return tuple(sorted(names))


def _told(result: RunResult, logs: tuple[str, ...]) -> str:
    error = result.error
    said = "it ended without a reason" if error is None else str(error)
    denied = _DENIED.search(said)
    if denied is not None:
        return f"probe module requested {denied[1]}, which admission does not serve"
    if result.ended is Ended.TIMEOUT:
        said = f"it did not get through its first lines within {PROBE_TIMEOUT_MS:,} ms"
    said = said.split("\n", 1)[0][:PROBE_LOG_LINE_CHARS]
    return f"loading it in an empty guest fails: {said}" + (f"; it logged {logs[0]!r}" if logs else "")


def _pack(source: str) -> DiscoveredPack:
    """A pack of one module that is on no disk."""
    module_id = ModuleId("npm:probe")
    sha256 = digest_bytes(source.encode("utf-8", "surrogatepass"))
    file = PackFile(
        id=module_id, path="probe.js", kind=FileKind.JS, source=source, sha256=sha256, internal=False
    )
    module = DiscoveredModule(
        specifier=_MODULE,
        kind=ModuleKind.JS,
        module_id=module_id,
        digest=sha256,
        description="",
        files=(module_id,),
        unavailable=None,
    )
    return DiscoveredPack(
        distribution=DistName(_MODULE),
        version="0",
        name=PackName(_MODULE),
        digest=Digest(sha256),
        modules=(module,),
        files=(file,),
        statuses=(),
        skill=None,
        types=None,
    )
