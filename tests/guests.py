"""A guest without a run around it: what it asks of its host is noted down, and what it sends is looked at."""

from __future__ import annotations

import time

from nodetool_sandbox import Limits
from nodetool_sandbox._engine.guest import Guest
from nodetool_sandbox._engine.shared import Post, Status, Stop, pack_host_words
from nodetool_sandbox.entry import build_entry
from nodetool_sandbox.execution import _host_words
from nodetool_sandbox.marshal import to_host
from nodetool_sandbox.pending import PendingCall

FUNCTION_F = b"\x81\xa1f\xc7\x04\x07\x00\x00\x00\x00"
"""Globals as they cross: `f` is function number 0 of the caller."""


class Host:
    """A host that answers nothing by itself; it asks a guest to stop when its time is over."""

    def __init__(self, *, seconds: float = 60) -> None:
        self.calls: list[PendingCall] = []
        self.logs = b""
        self.until = time.monotonic() + seconds

    def on_post(self, kind: int, message: bytes) -> None:
        if kind == Post.CALL:
            self.calls.append(PendingCall(message, 0.0))
        elif kind == Post.LOGS:
            self.logs += message

    def on_call(self, message: bytes) -> bytes:
        raise AssertionError(message)

    def on_normalize(self, base: bytes, name: bytes) -> tuple[bool, bytes]:
        raise AssertionError(base, name)

    def on_load(self, module_id: bytes) -> bytes | None:
        raise AssertionError(module_id)

    def on_clock(self) -> float:
        return 0.0

    def on_random(self, count: int) -> bytes:
        return bytes(count)

    def stop_reason(self) -> Stop:
        return Stop.DEADLINE if time.monotonic() > self.until else Stop.NONE


def boot(host: Host, limits: Limits | None = None, *, heap_words: int | None = None) -> Guest:
    """A guest of these limits. With `heap_words` it believes in another memory limit than it has."""
    clamped = (limits or Limits()).clamped()
    words = _host_words(clamped, has_modules=False)
    if heap_words is not None:
        told = int.from_bytes(pack_host_words(heap_limit=heap_words), "little") ^ int.from_bytes(
            pack_host_words(heap_limit=clamped.memory_limit_bytes), "little"
        )
        words = (int.from_bytes(words, "little") ^ told).to_bytes(len(words), "little")
    return Guest.boot(words, clamped.memory_limit_bytes, host)


def start(guest: Guest, code: str, given: bytes = b"") -> Status:
    """Run a program until it waits or is over."""
    return guest.run(build_entry(code).source.encode(), given, b"")


def sections(guest: Guest) -> tuple[bool, object]:
    """Whether it failed, and the value or the error of a guest that is DONE."""
    data = guest.outcome()
    length = int.from_bytes(data[2:6], "little")
    return bool(data[0]), to_host(data[6 : 6 + length], max_bytes=length)


def log_records(host: Host, guest: Guest) -> list[bytes]:
    """The log lines that a guest handed out, as they crossed."""
    data = host.logs + guest.take_logs()
    records = []
    while data:
        length = int.from_bytes(data[1:5], "little")
        records.append(data[5 : 5 + length])
        data = data[5 + length :]
    return records
