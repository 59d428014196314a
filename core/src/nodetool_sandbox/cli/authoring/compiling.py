"""`packs compile`: the way to the compiler, which is a distribution of its own.

What compiles needs a bundler and nobody else does. Only the pinned distribution's command is taken: a pack
that declares one must not run for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

from nodetool_sandbox_registry import COMPILER_DISTRIBUTION, find_compile_command

from nodetool_sandbox.cli.endings import UsageError
from nodetool_sandbox.cli.pack_arguments import CompileOptions


def compile_packs(options: CompileOptions) -> int:
    """The exit status of the compiler.

    Raises:
        UsageError: it is not installed.
    """
    found = find_compile_command()
    if found is None:
        raise UsageError(
            "packs compile needs the compiler, which is not installed; "
            f"install it with: pip install {COMPILER_DISTRIBUTION}"
        )
    module, attribute = found
    command = cast("Callable[[Sequence[str]], int]", getattr(import_module(module), attribute))
    return command(options.arguments)
