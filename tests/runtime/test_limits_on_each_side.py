"""Limits that the guest holds and the host holds again: each side by itself, the other not there."""

from __future__ import annotations

import struct

import pytest
from guests import FUNCTION_F, Host, boot, log_records, sections, start
from nodetool_sandbox import Cancel, Ended, Limits, MarshalError, Sandbox
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox._engine.guest import GuestEnded
from nodetool_sandbox._engine.shared import Status
from nodetool_sandbox.bridges.console import Console
from nodetool_sandbox.bridges.progress import Progress
from nodetool_sandbox.execution import _log_wall
from nodetool_sandbox.host_calls import MAX_CALL_BYTES
from nodetool_sandbox.limits import KIB, MAX_OUTPUT_BYTES, MAX_PROGRESS_MESSAGE_CHARS, MAX_SLEEP_MS, MIB
from nodetool_sandbox.loops import AsyncioLoop
from nodetool_sandbox.marshal import to_guest
from nodetool_sandbox.pending import PendingCall
from runs import run, until, value

HUGE = 2**31 - 1


@pytest.mark.parametrize("asked_by", ["deadline", "cancel"])
def test_a_guest_stops_on_its_own_thread_while_the_loop_is_blocked(asked_by: str) -> None:
    cancel = Cancel()
    stopped: list[bool] = []

    async def block() -> None:
        """Holds up the event loop until the guest is told to stop, which nobody on the loop can do then."""
        if asked_by == "cancel":
            cancel.cancel()
        until(lambda: all(each.words.stop for each in engine._guests.values()), "the guest is stopped")
        stopped.append(True)

    limits = Limits(timeout_ms=300 if asked_by == "deadline" else 60_000)
    result = run("block(); for (;;) {}", globals={"block": block}, cancel=cancel, limits=limits)
    assert stopped == [True]
    assert result.ended is (Ended.TIMEOUT if asked_by == "deadline" else Ended.CANCELLED)


def test_a_builtin_that_never_polls_is_ended_from_outside() -> None:
    host = Host(seconds=0.1)
    code = "const a = Array(2e6).fill([[]]); return JSON.stringify(Array(20).fill(a)).length"
    with boot(host, Limits(memory_limit_bytes=512 * MIB)) as guest, pytest.raises(GuestEnded):
        start(guest, code)


def test_linear_memory_has_a_wall_of_its_own() -> None:
    host = Host()
    code = """
    const kept = [];
    try { for (let i = 0; i < 200; i++) kept.push(new Uint8Array(1024 * 1024)) } catch {}
    return kept.length"""
    with boot(host, Limits(memory_limit_bytes=8 * MIB), heap_words=HUGE) as guest:
        assert start(guest, code) is Status.DONE
        _, held = sections(guest)
    assert isinstance(held, int)
    assert held < (8 * MIB + engine.MEMORY_OVERHEAD_BYTES) / MIB


def test_a_result_is_cut_before_it_leaves_the_guest() -> None:
    with boot(Host(), Limits(max_output_size=KIB)) as guest:
        assert start(guest, "return 'x'.repeat(5e6)") is Status.DONE
        assert len(guest.outcome()) < 3 * KIB + 65 * KIB


def test_bytes_past_the_cap_never_leave_the_guest() -> None:
    with boot(Host(), Limits(memory_limit_bytes=128 * MIB)) as guest:
        assert start(guest, f"return [new Uint8Array({MAX_OUTPUT_BYTES}), new Uint8Array(1)]") is Status.DONE
        failed, error = sections(guest)
        assert failed
        assert isinstance(error, dict)
        assert error["name"] == "RangeError"
        assert len(guest.outcome()) < KIB


def test_the_guest_hands_out_no_more_lines_than_are_kept() -> None:
    host = Host()
    with boot(host, Limits(max_log_lines=3)) as guest:
        assert start(guest, "for (let i = 0; i < 100; i++) console.log(i)") is Status.DONE
        assert len(log_records(host, guest)) == 3
        assert guest.words.log_dropped == 97


def test_the_guest_hands_out_no_more_bytes_of_lines_than_the_wall() -> None:
    host = Host()
    limits = Limits(max_log_characters=1_000, max_log_lines=100)
    with boot(host, limits) as guest:
        assert start(guest, "for (let i = 0; i < 100; i++) console.log('x'.repeat(1000))") is Status.DONE
        assert sum(map(len, log_records(host, guest))) <= _log_wall(limits) + 20


def test_the_console_holds_its_caps_by_itself() -> None:
    console = Console(Limits(max_log_lines=2, max_log_characters=10), None)
    for text in ("a", "b", "c"):
        console.add(0, text)
    *kept, marker = console.lines()
    assert kept == ["a", "b"]
    assert marker.startswith("[warn] 1 log lines were dropped")


def test_a_longer_message_than_the_guest_sends_is_cut_here_too() -> None:
    told: list[str | None] = []
    Progress(lambda _, message: told.append(message)).take(
        to_guest([1.5, "m" * (MAX_PROGRESS_MESSAGE_CHARS + 1)]).payload
    )
    assert told == ["m" * MAX_PROGRESS_MESSAGE_CHARS]


def test_the_host_sleeps_no_longer_than_the_cap_whatever_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prelude clamps too, so the call is changed on its way as a broken guest could."""
    slept: list[float] = []
    whole = PendingCall.__init__

    def changed(self: PendingCall, message: bytes, started: float) -> None:
        names = struct.unpack_from("<HH", message, 12)
        whole(self, message[: 17 + sum(names)] + to_guest([10.0 * MAX_SLEEP_MS + 0.5]).payload, started)

    def after(self: AsyncioLoop, seconds: float, callback: object) -> None:
        slept.append(seconds)
        assert callable(callback)
        self.soon(callback)

    monkeypatch.setattr(PendingCall, "__init__", changed)
    monkeypatch.setattr(AsyncioLoop, "after", after)
    assert Sandbox().run_sync("await sleep(1); return 1").value == 1
    assert slept == [MAX_SLEEP_MS / 1000]


def test_a_sleep_past_the_cap_asks_for_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    def after(self: AsyncioLoop, seconds: float, callback: object) -> None:
        slept.append(seconds)
        assert callable(callback)
        self.soon(callback)

    monkeypatch.setattr(AsyncioLoop, "after", after)
    assert (
        value(
            f"await sleep({MAX_SLEEP_MS}); await sleep({MAX_SLEEP_MS + 1}); await sleep(Infinity); return 1"
        )
        == 1
    )
    assert slept == [MAX_SLEEP_MS / 1000] * 3


def test_arguments_past_the_limit_never_leave_the_guest() -> None:
    host = Host()
    code = f"try {{ await f('x'.repeat({MAX_CALL_BYTES + 1})) }} catch (e) {{ return e.name }}"
    with boot(host, Limits(memory_limit_bytes=512 * MIB)) as guest:
        assert start(guest, code, FUNCTION_F) is Status.DONE
        assert sections(guest) == (False, "RangeError")
    assert host.calls == []


@pytest.mark.parametrize(("size", "fits"), [(MAX_CALL_BYTES, True), (MAX_CALL_BYTES + 1, False)])
def test_arguments_past_the_limit_are_not_read(size: int, *, fits: bool) -> None:
    header = struct.pack("<IiiHHB", 1, 1, 1, 1, 0, 0) + b"f"
    around = b"\xdd\x00\x00\x00\x01\xc6" + (size - 10).to_bytes(4, "big")
    call = PendingCall(header + around + bytes(size - 10), 0.0)
    if fits:
        assert call.arguments == [bytes(size - 10)]
    else:
        with pytest.raises(MarshalError, match=f"{size:,} bytes where {MAX_CALL_BYTES:,} are allowed"):
            _ = call.arguments
