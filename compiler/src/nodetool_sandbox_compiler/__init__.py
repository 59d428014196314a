"""Compiles an npm library into one module that a guest can run, or says why it cannot.

outcome = compile_npm_module("my-pack", "date-fns")   # as it is installed for that folder
outcome = compile_project("my-pack")                  # every npm module of a pack, from its lock file
"""

from __future__ import annotations

from nodetool_sandbox_compiler.cache import CompileCache
from nodetool_sandbox_compiler.compile import compile_npm_module, read_compiled
from nodetool_sandbox_compiler.outcomes import Compiled, ModuleOutcome, ProjectError, ProjectOutcome, Skipped
from nodetool_sandbox_compiler.projects import Project, compile_project, is_current, lock_project
from nodetool_sandbox_compiler.scan import Finding, ScanReport, scan_bundle

__all__ = [
    "CompileCache",
    "Compiled",
    "Finding",
    "ModuleOutcome",
    "Project",
    "ProjectError",
    "ProjectOutcome",
    "ScanReport",
    "Skipped",
    "compile_npm_module",
    "compile_project",
    "is_current",
    "lock_project",
    "read_compiled",
    "scan_bundle",
]
