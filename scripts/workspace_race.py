"""A guest works in a folder in which links are swapped in all the while: nothing outside is read or written.

workspace_race.py           20,000 tries, each way of opening folders, on disk and in an overlay
workspace_race.py 100000    that many
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from nodetool_sandbox.bridges.workspace import Mode
from nodetool_sandbox.files.beneath import KernelBeneath, WalkBeneath
from workspace.race import race

TRIES = 20_000
MODES: tuple[Mode, ...] = ("rw", "overlay")


def main(arguments: Sequence[str]) -> int:
    """0 when nothing got out or in."""
    tries = int(arguments[0]) if arguments else TRIES
    failed = False
    for opener in (KernelBeneath(), WalkBeneath()):
        for mode in MODES:
            started = time.monotonic()
            raced = race(opener, tries=tries, mode=mode)
            failed |= bool(raced.leaks) or raced.changed or not raced.refused
            print(
                f"{type(opener).__name__:13} {mode:8} {tries:,} tries, {raced.swaps:,} swaps: {raced.done:,} done, "
                f"{raced.refused:,} refused as outside, {len(raced.leaks)} leaks, "
                f"outside {'CHANGED' if raced.changed else 'as it was'} ({time.monotonic() - started:.0f} s)",
                flush=True,
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
