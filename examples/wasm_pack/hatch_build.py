"""Compiles the pack's C when its wheel is built."""

from __future__ import annotations

import subprocess  # noqa: TID251 - a build runs its compiler
import sys
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS: Final = (
    "-target",
    "wasm32-freestanding",
    "-O2",
    "-nostdlib",
    "-Wl,--no-entry",
    "-Wl,-z,stack-size=16384",
    "-Wl,--initial-memory=65536",
    "-Wl,--max-memory=65536",  # a memory without a maximum is refused
    "-s",
)


class CompileHook(BuildHookInterface[Any]):
    """Makes `fractal.wasm` out of `fractal.c`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Compile; a failure ends the build with the compiler's own words."""
        root = Path(self.root)
        target = root / "src" / "acme_fractal" / "fractal.wasm"
        subprocess.run(  # noqa: S603 - arguments of our own
            [sys.executable, "-m", "ziglang", "cc", *FLAGS, str(root / "c" / "fractal.c"), "-o", str(target)],
            check=True,
        )
