"""Swaps pairs of entries of a folder with one another, as fast as it can, until its input ends.

Run as a process of its own: `swapper.py FOLDER NAME OTHER ...`. A swap is one step of the kernel
(RENAME_EXCHANGE), so that both names are always there: nothing makes a race that is harder to win against.
"""

from __future__ import annotations

import ctypes
import os
import select
import sys

RENAME_EXCHANGE = 2


def main(folder: str, *names: str) -> int:
    """Swap until standard input is closed; then say how often."""
    exchange = ctypes.CDLL(None, use_errno=True).renameat2
    root = os.open(folder, os.O_RDONLY)
    pairs = [(names[at].encode(), names[at + 1].encode()) for at in range(0, len(names), 2)]
    swaps = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        for _ in range(20):
            for one, other in pairs:
                if exchange(root, one, root, other, RENAME_EXCHANGE):
                    return ctypes.get_errno()
                swaps += 1
    sys.stdout.write(str(swaps))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
