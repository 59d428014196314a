"""Which sandbox packs are installed, what they declare, and what a run may import.

The path of a pack, each step a value that the next one takes::

    catalog = discover(imports_of=imports_of)
    resolution = catalog.resolve(["@nodetool-ai/sandbox-yaml"], lock=lock)
    graph = ModuleGraph.build(resolution)
    graph.normalize(base_id, requested)

Nothing here imports or runs a pack, and nothing here needs more than the standard library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nodetool_sandbox_registry.codes import CODES, Code, CodeRow, Diagnostic, Severity
    from nodetool_sandbox_registry.declarations import (
        Declaration,
        DeclarationError,
        Declarations,
        LockError,
        ModuleLock,
    )
    from nodetool_sandbox_registry.delivery import Delivery, NotDelivered
    from nodetool_sandbox_registry.discovery import (
        DiscoveryCache,
        HostTableEntry,
        discover,
        find_compile_command,
        find_host_table,
    )
    from nodetool_sandbox_registry.facades import (
        HOST_BRIDGE,
        HOST_FACADE_VERSION,
        WASM_BRIDGE,
        WASM_FACADE_VERSION,
        build_host_facade,
        build_wasm_facade,
    )
    from nodetool_sandbox_registry.fields import ManifestError
    from nodetool_sandbox_registry.files import PackFileError, PackFileMissingError, PackFolder
    from nodetool_sandbox_registry.graphs import FileKind, ImportScan, ImportsOf, PackFile
    from nodetool_sandbox_registry.hosts import (
        Deadline,
        HostCallError,
        HostExport,
        HostFunction,
        HostId,
        HostModule,
    )
    from nodetool_sandbox_registry.linking import (
        HOST_BRIDGE_ID,
        ImportDenied,
        LinkedFile,
        ModuleGraph,
        dynamic_import_denied,
    )
    from nodetool_sandbox_registry.manifest import PackManifest
    from nodetool_sandbox_registry.names import (
        DistName,
        InvalidNameError,
        ModuleId,
        PackName,
        Specifier,
        parse_dist_name,
        parse_host_id,
        parse_specifier,
    )
    from nodetool_sandbox_registry.packs import (
        DiscoveredModule,
        DiscoveredPack,
        ModuleKind,
        SandboxPackDiscoveryError,
        read_pack,
    )
    from nodetool_sandbox_registry.pins import (
        COMMAND_GROUP,
        COMPILER_DISTRIBUTION,
        HOST_TABLE_DISTRIBUTION,
        HOST_TABLE_GROUP,
        PACK_GROUP,
        PINS,
        Pin,
        PinnedExport,
        SandboxHostModuleError,
        require_pin,
    )
    from nodetool_sandbox_registry.resolution import (
        Catalog,
        ImportsRefused,
        ModuleSummary,
        Resolution,
        ResolvedModule,
    )
    from nodetool_sandbox_registry.skill import Skill, SkillError
    from nodetool_sandbox_registry.snapshots import Snapshot
    from nodetool_sandbox_registry.texts import quoted
    from nodetool_sandbox_registry.values import (
        MAX_SAFE_INTEGER,
        UNDEFINED,
        BigInt,
        JSDate,
        JSMap,
        JSSet,
        Undefined,
    )
    from nodetool_sandbox_registry.wasm_contract import WasmContractError, WasmFunction, WasmModule

__all__ = [
    "CODES",
    "COMMAND_GROUP",
    "COMPILER_DISTRIBUTION",
    "HOST_BRIDGE",
    "HOST_BRIDGE_ID",
    "HOST_FACADE_VERSION",
    "HOST_TABLE_DISTRIBUTION",
    "HOST_TABLE_GROUP",
    "MAX_SAFE_INTEGER",
    "PACK_GROUP",
    "PINS",
    "UNDEFINED",
    "WASM_BRIDGE",
    "WASM_FACADE_VERSION",
    "BigInt",
    "Catalog",
    "Code",
    "CodeRow",
    "Deadline",
    "Declaration",
    "DeclarationError",
    "Declarations",
    "Delivery",
    "Diagnostic",
    "DiscoveredModule",
    "DiscoveredPack",
    "DiscoveryCache",
    "DistName",
    "FileKind",
    "HostCallError",
    "HostExport",
    "HostFunction",
    "HostId",
    "HostModule",
    "HostTableEntry",
    "ImportDenied",
    "ImportScan",
    "ImportsOf",
    "ImportsRefused",
    "InvalidNameError",
    "JSDate",
    "JSMap",
    "JSSet",
    "LinkedFile",
    "LockError",
    "ManifestError",
    "ModuleGraph",
    "ModuleId",
    "ModuleKind",
    "ModuleLock",
    "ModuleSummary",
    "NotDelivered",
    "PackFile",
    "PackFileError",
    "PackFileMissingError",
    "PackFolder",
    "PackManifest",
    "PackName",
    "Pin",
    "PinnedExport",
    "Resolution",
    "ResolvedModule",
    "SandboxHostModuleError",
    "SandboxPackDiscoveryError",
    "Severity",
    "Skill",
    "SkillError",
    "Snapshot",
    "Specifier",
    "Undefined",
    "WasmContractError",
    "WasmFunction",
    "WasmModule",
    "build_host_facade",
    "build_wasm_facade",
    "discover",
    "dynamic_import_denied",
    "find_compile_command",
    "find_host_table",
    "parse_dist_name",
    "parse_host_id",
    "parse_specifier",
    "quoted",
    "read_pack",
    "require_pin",
]

# Loaded when first asked for: who needs the values alone, as a worker process does, starts without the rest.
_HOMES: Final = {
    "codes": "CODES Code CodeRow Diagnostic Severity",
    "declarations": "Declaration DeclarationError Declarations LockError ModuleLock",
    "delivery": "Delivery NotDelivered",
    "discovery": "DiscoveryCache HostTableEntry discover find_compile_command find_host_table",
    "facades": "HOST_BRIDGE HOST_FACADE_VERSION WASM_BRIDGE WASM_FACADE_VERSION build_host_facade"
    " build_wasm_facade",
    "fields": "ManifestError",
    "files": "PackFileError PackFileMissingError PackFolder",
    "graphs": "FileKind ImportScan ImportsOf PackFile",
    "hosts": "Deadline HostCallError HostExport HostFunction HostId HostModule",
    "linking": "HOST_BRIDGE_ID ImportDenied LinkedFile ModuleGraph dynamic_import_denied",
    "manifest": "PackManifest",
    "names": "DistName InvalidNameError ModuleId PackName Specifier parse_dist_name"
    " parse_host_id parse_specifier",
    "packs": "DiscoveredModule DiscoveredPack ModuleKind SandboxPackDiscoveryError read_pack",
    "pins": "COMMAND_GROUP COMPILER_DISTRIBUTION HOST_TABLE_DISTRIBUTION HOST_TABLE_GROUP PACK_GROUP PINS Pin"
    " PinnedExport SandboxHostModuleError require_pin",
    "resolution": "Catalog ImportsRefused ModuleSummary Resolution ResolvedModule",
    "skill": "Skill SkillError",
    "snapshots": "Snapshot",
    "texts": "quoted",
    "values": "BigInt JSDate JSMap JSSet MAX_SAFE_INTEGER UNDEFINED Undefined",
    "wasm_contract": "WasmContractError WasmFunction WasmModule",
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
