"""The words that both sides of the wall read and write: core/guest/shared.c, field by field."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Final

SHADOW_STACK_BYTES: Final = 12 * 1024 * 1024
"""The guest's C stack, which lies below all of its data."""

_HOST_WORDS = (
    ("stop", ctypes.c_uint32),
    ("tick", ctypes.c_uint32),
    ("flush", ctypes.c_uint32),
    ("heap_limit", ctypes.c_uint32),
    ("stack_limit", ctypes.c_uint32),
    ("_pad0", ctypes.c_uint32),
    ("max_steps", ctypes.c_uint64),
    ("modules", ctypes.c_uint32),
    ("result_bytes", ctypes.c_uint32),
    ("result_binary", ctypes.c_uint32),
    ("result_depth", ctypes.c_uint32),
    ("call_bytes", ctypes.c_uint32),
    ("call_depth", ctypes.c_uint32),
    ("pending_max", ctypes.c_uint32),
    ("calls_max", ctypes.c_uint32),
    ("log_lines_max", ctypes.c_uint32),
    ("log_bytes_max", ctypes.c_uint32),
    ("powers", ctypes.c_uint32),
)
_GUEST_WORDS = (
    ("calls", ctypes.c_uint32),
    ("pending", ctypes.c_uint32),
    ("steps", ctypes.c_uint64),
    ("heap_used", ctypes.c_uint32),
    ("heap_peak", ctypes.c_uint32),
    ("heap_exhausted", ctypes.c_uint32),
    ("rejections", ctypes.c_uint32),
    ("log_ptr", ctypes.c_uint32),
    ("log_len", ctypes.c_uint32),
    ("log_lines", ctypes.c_uint32),
    ("log_bytes", ctypes.c_uint32),
    ("log_dropped", ctypes.c_uint32),
    ("log_cut", ctypes.c_uint32),
    ("out_ptr", ctypes.c_uint32),
    ("out_len", ctypes.c_uint32),
    ("stop_line", ctypes.c_int32),
    ("stop_column", ctypes.c_int32),
    ("inbox_ptr", ctypes.c_uint32),
    ("inbox_len", ctypes.c_uint32),
)


class SharedWords(ctypes.LittleEndianStructure):
    """What the host sets before a run, and what the guest reports. Read it as untrusted: it is guest memory."""

    _fields_ = (*_HOST_WORDS, *_GUEST_WORDS)


def pack_host_words(**values: int) -> bytes:
    """The words that the host sets before a run, as they lie at the beginning of the shared ones.

    Raises:
        TypeError: a name is none of them.
    """
    unknown = values.keys() - {name for name, *_ in _HOST_WORDS}
    if unknown:
        raise TypeError(f"no such words: {', '.join(sorted(unknown))}")
    return bytes(SharedWords(**values))[: SharedWords.calls.offset]


class Status(IntEnum):
    """How an entry into the guest came back."""

    WAITING = 1
    DONE = 2
    STOPPED = 3


class Stop(IntEnum):
    """Why a guest may run no more code."""

    NONE = 0
    DEADLINE = 1
    CANCELLED = 2
    STEPS = 3


class Post(IntEnum):
    """What a guest hands out one way."""

    LOGS = 1
    PROGRESS = 2
    CALL = 3
