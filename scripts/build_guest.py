"""Builds `quickjs.wasm` when this tree's sources are not those of the one in place, which takes a moment."""

from __future__ import annotations

import sys
import time
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "core"
sys.path.insert(0, str(CORE))

from guest_build.chain import require_image  # noqa: E402 - found only by the path above
from guest_build.steps import StepFailedError  # noqa: E402


def main() -> int:
    """0 when the image of this tree's sources is in place."""
    started = time.monotonic()
    try:
        outcome = require_image(CORE, lambda line: print(f"guest: {line}", file=sys.stderr, flush=True))
    except StepFailedError as error:
        print(f"guest: {error}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - started
    print(
        f"guest: {outcome.did} quickjs.wasm, {outcome.image_bytes:,} bytes, {seconds:.1f} s", file=sys.stderr
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
