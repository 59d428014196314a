"""The pages of a guest's memory that every program writes to, copied ahead of the run that needs them.

A guest's memory is the image's until it is written to; the first write to each page copies it, at 2 to
3 us. Some thirty pages are written by any program, which is more than half of a small run. A guest
that waits for its run can have them copied meanwhile.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

from nodetool_sandbox._engine.shared import SHADOW_STACK_BYTES

PAGE_BYTES: Final = 4_096
MAX_PAGES: Final = 96
"""More than a small program writes to: what a larger one wrote tells nothing about the next."""

MAX_LESSONS: Final = 8
"""Guests that are looked at, which takes milliseconds each, before it is given up."""

_STACK_PAGES: Final = 2
_POPULATE_WRITE: Final = 23
"""MADV_POPULATE_WRITE of Linux 5.14 and later; an older one refuses it, and nothing is lost."""


def changed_pages(before: bytes, after: bytes) -> list[int]:
    """Where the pages begin in which two pictures of one memory differ."""
    old, new = memoryview(before), memoryview(after)
    return [
        start
        for start in range(0, len(after), PAGE_BYTES)
        if old[start : start + PAGE_BYTES] != new[start : start + PAGE_BYTES]
    ]


def joined_pages(starts: list[int]) -> Iterable[tuple[int, int]]:
    """Runs of pages that follow each other, each from its start to its end."""
    breaks = [0, *(index + 1 for index, (one, two) in enumerate(pairwise(starts)) if two != one + PAGE_BYTES)]
    for begin, end in pairwise([*breaks, len(starts)]):
        if begin < end:
            yield starts[begin], starts[end - 1] + PAGE_BYTES


class WarmPages:
    """Learns from one guest, and helps those after it. Where the system cannot, it does nothing."""

    def __init__(self) -> None:
        self._runs: tuple[tuple[int, int], ...] = ()
        self._lessons = 0
        self._madvise: Any = None
        self.is_learned = not (sys.platform == "linux" and mmap.PAGESIZE == PAGE_BYTES)
        if not self.is_learned:
            self._madvise = ctypes.CDLL(None).madvise  # gives up the interpreter lock
            self._madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

    def learn(self, before: bytes, after: bytes) -> None:
        """Remember what a guest has written to: pictures of its data before and after its program."""
        starts = changed_pages(before, after)
        self._lessons += 1
        self.is_learned = self._lessons >= MAX_LESSONS
        if len(starts) <= MAX_PAGES:
            stack = (SHADOW_STACK_BYTES - _STACK_PAGES * PAGE_BYTES, SHADOW_STACK_BYTES)
            data = (
                (SHADOW_STACK_BYTES + start, SHADOW_STACK_BYTES + end) for start, end in joined_pages(starts)
            )
            self._runs = (stack, *data)
            self.is_learned = True

    def populate(self, base: int) -> None:
        """Have the pages of the guest whose memory begins here copied now."""
        for start, end in self._runs:
            self._madvise(base + start, end - start, _POPULATE_WRITE)
