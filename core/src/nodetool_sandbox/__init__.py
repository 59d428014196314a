"""Runs JavaScript that nobody has to trust, with libraries that arrive as pip packages.

from nodetool_sandbox import Sandbox

result = await Sandbox().run("return 1 + 1")
result.value  # 2
"""

from nodetool_sandbox_registry import (
    MAX_SAFE_INTEGER,
    UNDEFINED,
    BigInt,
    JSDate,
    JSMap,
    JSSet,
    ModuleLock,
)

from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.clock import SandboxClock
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
from nodetool_sandbox.limits import Limits
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.result import CallOutcome, CallRecord, Ended, RunResult, Usage
from nodetool_sandbox.sandbox import INSTALLED, Program, Sandbox

__version__ = "0.1.0"

__all__ = [
    "INSTALLED",
    "MAX_SAFE_INTEGER",
    "UNDEFINED",
    "BigInt",
    "CallOutcome",
    "CallRecord",
    "Cancel",
    "Ended",
    "EngineUnavailable",
    "Execution",
    "GuestError",
    "ImportsRefused",
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
    "Usage",
]
