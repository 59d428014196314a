"""The one run that a picture worker serves: its pictures, and its fonts once something is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nodetool_sandbox.pictures.store import Store

if TYPE_CHECKING:
    from nodetool_sandbox.pictures.canvas.fonts import Fonts


@dataclass(slots=True)
class PictureRun:
    """What stays between the calls of a run."""

    store: Store
    given_fonts: Mapping[str, str]
    use_system_fonts: bool
    made_fonts: Fonts | None = None

    @property
    def fonts(self) -> Fonts:
        """Every font that a canvas of this run knows."""
        if self.made_fonts is None:
            from nodetool_sandbox.pictures.canvas.fonts import Fonts  # noqa: PLC0415 - Skia loads with the first drawing

            self.made_fonts = Fonts(self.given_fonts, use_system=self.use_system_fonts)
        return self.made_fonts
