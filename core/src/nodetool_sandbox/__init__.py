"""Runs JavaScript that nobody has to trust, with libraries that arrive as pip packages.

from nodetool_sandbox import Sandbox

result = await Sandbox().run("return 1 + 1")
result.value  # 2
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nodetool_sandbox_registry import (
        MAX_SAFE_INTEGER,
        UNDEFINED,
        BigInt,
        JSDate,
        JSMap,
        JSSet,
        ModuleLock,
    )

    from nodetool_sandbox.bridges.assets import Assets, AssetStore, FileAssets
    from nodetool_sandbox.bridges.fetch import Fetch
    from nodetool_sandbox.bridges.secrets import Secret, Secrets
    from nodetool_sandbox.bridges.workspace import Workspace
    from nodetool_sandbox.cancel import Cancel
    from nodetool_sandbox.clock import SandboxClock
    from nodetool_sandbox.dispatch import InProcess
    from nodetool_sandbox.errors import (
        EngineUnavailable,
        GuestError,
        ImportsRefused,
        InternalError,
        LimitExceeded,
        MarshalError,
        SandboxError,
    )
    from nodetool_sandbox.execution import Execution
    from nodetool_sandbox.files.changes import Change, ChangeKind, Changes, ChangesConflict
    from nodetool_sandbox.limits import Limits
    from nodetool_sandbox.pending import PendingCall
    from nodetool_sandbox.pictures.power import Canvas, Image
    from nodetool_sandbox.result import CallOutcome, CallRecord, Ended, RunResult, Usage
    from nodetool_sandbox.sandbox import INSTALLED, Program, Sandbox
    from nodetool_sandbox.workers.pool import Workers

__version__ = "0.1.0"

__all__ = [
    "INSTALLED",
    "MAX_SAFE_INTEGER",
    "UNDEFINED",
    "AssetStore",
    "Assets",
    "BigInt",
    "CallOutcome",
    "CallRecord",
    "Cancel",
    "Canvas",
    "Change",
    "ChangeKind",
    "Changes",
    "ChangesConflict",
    "Ended",
    "EngineUnavailable",
    "Execution",
    "Fetch",
    "FileAssets",
    "GuestError",
    "Image",
    "ImportsRefused",
    "InProcess",
    "InternalError",
    "JSDate",
    "JSMap",
    "JSSet",
    "LimitExceeded",
    "Limits",
    "MarshalError",
    "ModuleLock",
    "PendingCall",
    "Program",
    "RunResult",
    "Sandbox",
    "SandboxClock",
    "SandboxError",
    "Secret",
    "Secrets",
    "Usage",
    "Workers",
    "Workspace",
]

# Loaded when first asked for: a worker process imports parts of this package and must start without the engine.
_HOMES: Final = {
    "nodetool_sandbox_registry": "BigInt JSDate JSMap JSSet MAX_SAFE_INTEGER ModuleLock UNDEFINED",
    "nodetool_sandbox.bridges.assets": "AssetStore Assets FileAssets",
    "nodetool_sandbox.bridges.fetch": "Fetch",
    "nodetool_sandbox.bridges.secrets": "Secret Secrets",
    "nodetool_sandbox.bridges.workspace": "Workspace",
    "nodetool_sandbox.cancel": "Cancel",
    "nodetool_sandbox.clock": "SandboxClock",
    "nodetool_sandbox.dispatch": "InProcess",
    "nodetool_sandbox.errors": "EngineUnavailable GuestError ImportsRefused InternalError LimitExceeded"
    " MarshalError SandboxError",
    "nodetool_sandbox.execution": "Execution",
    "nodetool_sandbox.files.changes": "Change ChangeKind Changes ChangesConflict",
    "nodetool_sandbox.limits": "Limits",
    "nodetool_sandbox.pending": "PendingCall",
    "nodetool_sandbox.pictures.power": "Canvas Image",
    "nodetool_sandbox.result": "CallOutcome CallRecord Ended RunResult Usage",
    "nodetool_sandbox.sandbox": "INSTALLED Program Sandbox",
    "nodetool_sandbox.workers.pool": "Workers",
}
_HOME_OF: Final = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
