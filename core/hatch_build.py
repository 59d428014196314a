"""Puts the guest into core's wheel: hatchling calls this before it collects the files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from guest_build.chain import missing_toolchain, require_image


class GuestBuildHook(BuildHookInterface[Any]):
    """Builds `quickjs.wasm` beside the engine's Python code, for wheels and editable installs alike."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The pinned toolchain; nothing where the image is in place or cached: no network is needed then."""
        return list(missing_toolchain(Path(self.root)))

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Refuses the build, naming the step, when the image cannot be made."""
        require_image(Path(self.root), self.app.display_info)
