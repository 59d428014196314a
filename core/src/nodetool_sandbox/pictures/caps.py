"""The limits of pictures, and their refusals in the reference's words. Each is asked before the work."""

from __future__ import annotations

import math
from typing import Final

from nodetool_sandbox_registry.hosts import HostCallError

from nodetool_sandbox.limits import (
    MAX_IMAGE_DIMENSION,
    MAX_IMAGE_INPUT_BYTES,
    MAX_IMAGE_PIXELS,
    MIB,
)

WORKING_BYTES: Final = 768 * MIB
"""Memory of a picture worker beside the pictures that its run keeps: libraries, and what one operation takes."""


def check_size(op: str, width: float, height: float) -> None:
    """Return when a picture may be so large.

    Raises:
        HostCallError: it may not.
    """
    if not (math.isfinite(width) and math.isfinite(height) and width >= 1 and height >= 1):
        raise HostCallError(f"{op}: width and height must be positive numbers")
    if max(width, height) > MAX_IMAGE_DIMENSION:
        raise HostCallError(f"{op}: no edge may exceed {MAX_IMAGE_DIMENSION} pixels")
    if width * height > MAX_IMAGE_PIXELS:
        raise HostCallError(f"{op}: {int(width)}x{int(height)} exceeds the {MAX_IMAGE_PIXELS} pixel limit")


def check_bytes(op: str, data: bytes) -> None:
    """Return when there are bytes and not too many.

    Raises:
        HostCallError: none, or more than the limit.
    """
    if not data:
        raise HostCallError(f"{op}: image bytes are empty")
    if len(data) > MAX_IMAGE_INPUT_BYTES:
        raise HostCallError(f"{op}: image exceeds the {MAX_IMAGE_INPUT_BYTES} byte limit")
