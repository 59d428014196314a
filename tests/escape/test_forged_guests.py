"""Guests that are not our own engine: they lie to every import, and the host believes none of it.

The host must not trust its shim, because the shim lives in guest memory. Each guest here is a small module with
the exports of the real one; it is linked to the real imports and driven by a real run.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import wasmtime
from escape.leaks import leaks_of
from nodetool_sandbox import Ended, Limits, RunResult
from nodetool_sandbox._engine import guest as engine
from nodetool_sandbox._engine import image as images
from nodetool_sandbox._engine.shared import Post, SharedWords, Status
from nodetool_sandbox.user_cache import CACHE_VARIABLE
from runs import run, value

pytestmark = pytest.mark.timeout(60)

SHARED = 1024
DATA = 4096
LAST = 2**32 - 1

Runner = Callable[[str], RunResult]

MODULE = """
(module
  (import "sandbox" "post" (func $post (param i32 i32 i32)))
  (import "sandbox" "call" (func $call (param i32 i32 i32 i32) (result i32)))
  (import "sandbox" "normalize" (func $normalize (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "sandbox" "load" (func $load (param i32 i32 i32 i32) (result i32)))
  (import "sandbox" "clock" (func $clock (result f64)))
  (import "sandbox" "random" (func $random (param i32 i32)))
  (memory (export "memory") 4)
  (data (i32.const {data}) "{bytes}")
  (func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))
  (func (export "sb_shared") (result i32) (i32.const {shared}))
  (func (export "sb_alloc") (param i32) (result i32) {alloc})
  (func (export "sb_run") (param i32 i32 i32) (result i32) {run})
  (func (export "sb_settle") (param i32 i32) (result i32) {settle}))
"""

DONE = f"(i32.const {int(Status.DONE)})"
WAITING = f"(i32.const {int(Status.WAITING)})"


@pytest.fixture
def forged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Runner]:
    """Runs a program in a guest whose `sb_run` has the given body."""

    def run_forged(
        body: str, *, data: bytes = b"", alloc: str = "(i32.const 8192)", settle: str = DONE
    ) -> RunResult:
        text = MODULE.format(
            run=body,
            settle=settle,
            alloc=alloc,
            shared=SHARED,
            data=DATA,
            bytes="".join(f"\\{byte:02x}" for byte in data),
        )
        wasm = bytes(wasmtime.wat2wasm(text))
        monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "compiled"))
        with monkeypatch.context() as patched:
            patched.setattr(images, "read_wasm", lambda: wasm)
            patched.setattr(engine, "_image", None)
            patched.setattr(engine, "_shared_address", 0)
            return run("return 1", globals={"f": len}, limits=Limits(timeout_ms=500))

    yield run_forged
    assert value("return 1") == 1


def offset(word: str) -> int:
    return SHARED + int(getattr(SharedWords, word).offset)


def store(word: str, number: int) -> str:
    return (
        f"(i32.store (i32.const {offset(word)}) (i32.const {number - 2**32 if number >= 2**31 else number}))"
    )


def const(number: int) -> str:
    return f"(i32.const {number - 2**32 if number >= 2**31 else number})"


CRASHING = {
    "an abort": "unreachable",
    "a read past the end": f"(drop (i32.load {const(LAST - 8)})) {DONE}",
    "a division by zero": "(i32.div_u (i32.const 1) (i32.const 0))",
    "endless recursion": "(call $deep (i32.const 1))",
    "a status of nothing": "(i32.const 0)",
    "a status of 77": "(i32.const 77)",
    "a status of -1": "(i32.const -1)",
    "done without an outcome": DONE,
    "an outcome outside of memory": f"{store('out_ptr', LAST)} {store('out_len', 100)} {DONE}",
    "an outcome of 4 GiB": f"{store('out_ptr', DATA)} {store('out_len', LAST)} {DONE}",
    "an outcome across the end of memory": f"{store('out_ptr', 4 * 65536 - 8)} {store('out_len', 64)} {DONE}",
    "a post of no kind": f"(call $post (i32.const 0) {const(DATA)} (i32.const 4)) {DONE}",
    "a post of kind 99": f"(call $post (i32.const 99) {const(DATA)} (i32.const 4)) {DONE}",
    "a post outside of memory": f"(call $post (i32.const {int(Post.LOGS)}) {const(LAST)} (i32.const 100)) {DONE}",
    "a post of 4 GiB": f"(call $post (i32.const {int(Post.LOGS)}) (i32.const 0) {const(LAST)}) {DONE}",
    "a post past the end": f"(call $post (i32.const 1) {const(4 * 65536 - 1)} (i32.const 2)) {DONE}",
    "a call of 2 bytes": f"(call $post (i32.const {int(Post.CALL)}) {const(DATA)} (i32.const 2)) {DONE}",
    "a call outside of memory": f"(drop (call $call {const(LAST)} (i32.const 8) (i32.const 0) (i32.const 0))) {DONE}",
    "a call of 2 GiB": f"(drop (call $call (i32.const 0) {const(2**31)} (i32.const 0) (i32.const 0))) {DONE}",
    "random bytes outside of memory": f"(call $random {const(LAST - 4)} (i32.const 8)) {DONE}",
    "2 GiB of random bytes": f"(call $random (i32.const 0) {const(2**31)}) {DONE}",
    "an import without modules": "(drop (call $normalize (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1)"
    f" (i32.const 0) (i32.const 8))) {DONE}",
    "names outside of memory": f"(drop (call $normalize {const(LAST)} (i32.const 9) {const(LAST)} (i32.const 9)"
    f" {const(LAST)} {const(LAST)})) {DONE}",
    "a module outside of memory": f"(drop (call $load {const(LAST)} (i32.const 9) (i32.const 0) (i32.const 0))) {DONE}",
    "an answer before a question": f"(drop (call $call {const(0)} {const(0)} {const(LAST)} {const(LAST)})) {DONE}",
    "no place for a message": DONE,
}


@pytest.mark.parametrize("what", CRASHING)
def test_a_guest_that_lies_is_ended_and_nobody_else(what: str, forged: Callable[..., RunResult]) -> None:
    alloc = const(LAST) if what == "no place for a message" else "(i32.const 8192)"
    result = forged(CRASHING[what], alloc=alloc)
    assert result.ended is Ended.CRASHED
    assert result.error is not None
    assert result.error.name in {"SandboxRuntimeError", "RangeError"}
    assert not leaks_of(result)


def test_the_error_of_an_abort_says_what_it_means_and_what_to_do(forged: Callable[..., RunResult]) -> None:
    result = forged("unreachable")
    assert result.error is not None
    assert "sandbox runtime" in result.error.message
    assert "report" in result.error.message


QUIET = {
    "waiting for nothing": (WAITING, Ended.DEADLOCK),
    "an endless loop": (f"(loop (br 0)) {DONE}", Ended.TIMEOUT),
    "an endless loop of crossings": (f"(loop (drop (call $clock)) (br 0)) {DONE}", Ended.TIMEOUT),
    "an endless loop of posts": (
        f"(loop (call $post (i32.const {int(Post.LOGS)}) (i32.const 0) (i32.const 0)) (br 0)) {DONE}",
        Ended.TIMEOUT,
    ),
    "a stop flag that it clears": (
        f"(loop {store('stop', 0)} {store('tick', 0)} (br 0)) {DONE}",
        Ended.TIMEOUT,
    ),
    "limits that it lifts": (
        f"{store('heap_limit', LAST)} (loop (drop (memory.grow (i32.const 1000))) (br 0)) {DONE}",
        Ended.TIMEOUT,
    ),
    "logs outside of memory": (
        f"{store('log_ptr', LAST)} {store('log_len', LAST)} {WAITING}",
        Ended.DEADLOCK,
    ),
    "counts of everything at their most": (
        " ".join(store(word, LAST) for word in ("calls", "rejections", "log_dropped", "heap_peak")) + WAITING,
        Ended.DEADLOCK,
    ),
}


@pytest.mark.parametrize("what", QUIET)
def test_a_guest_cannot_talk_its_way_past_its_limits(what: str, forged: Callable[..., RunResult]) -> None:
    body, ended = QUIET[what]
    result = forged(body)
    assert result.ended is ended
    assert not leaks_of(result)


def call_message(bridge: bytes, member: bytes, payload: bytes, *, number: int = 1) -> bytes:
    return struct.pack("<IiiHHB", number, 1, 1, len(bridge), len(member), 0) + bridge + member + payload


CALLS = {
    "a function of no number": call_message(b"function", b"x", b"\x90"),
    "a function of a digit that is none": call_message(b"function", "²".encode(), b"\x90"),
    "a function of 5,000 digits": call_message(b"function", b"9" * 5_000, b"\x90"),
    "a function that was not given": call_message(b"function", b"7", b"\x90"),
    "a negative function": call_message(b"function", b"-1", b"\x90"),
    "arguments that are no list": call_message(b"function", b"0", b"\xc0"),
    "arguments that are no message": call_message(b"function", b"0", b"\xc1\xff"),
    "an unknown bridge": call_message(b"shell", b"run", b"\x90"),
    "a bridge that is no text": call_message(b"\xff\xfe", b"\xff", b"\x90"),
    "a bridge without a name": call_message(b"", b"", b"\x90"),
    "a host module of a run without any": call_message(
        b"host:@nodetool-ai/sandbox-yaml", b"load", b"\x91\xa11"
    ),
    "a sleep for ever": call_message(b"sleep", b"", b"\x91\xcb\x7f\xf0\0\0\0\0\0\0"),
    "a sleep of no number": call_message(b"sleep", b"", b"\x91\xcb\x7f\xf8\0\0\0\0\0\0"),
    "a sleep of a text": call_message(b"sleep", b"", b"\x91\xa1x"),
}


@pytest.mark.parametrize("what", CALLS)
def test_a_forged_call_is_refused_or_answered_and_harms_nobody(
    what: str, forged: Callable[..., RunResult]
) -> None:
    message = CALLS[what]
    post = f"(call $post (i32.const {int(Post.CALL)}) {const(DATA)} {const(len(message))})"
    result = forged(f"{post} {WAITING}", data=message, settle=WAITING)
    assert result.ended in {Ended.DEADLOCK, Ended.TIMEOUT}
    assert not leaks_of(result)


def test_two_calls_of_one_number_are_two_mistakes_of_the_guest_alone(
    forged: Callable[..., RunResult],
) -> None:
    message = call_message(b"sleep", b"", b"\x91\x01")
    post = f"(call $post (i32.const {int(Post.CALL)}) {const(DATA)} {const(len(message))})"
    result = forged(f"{post} {post} {WAITING}", data=message, settle=WAITING)
    assert result.ended is Ended.DEADLOCK


def test_a_synchronous_call_to_nobody_is_an_answer_and_no_exception(forged: Callable[..., RunResult]) -> None:
    message = call_message(b"host:@nodetool-ai/sandbox-yaml", b"load", b"\x90")
    body = f"(drop (call $call {const(DATA)} {const(len(message))} {const(DATA)} (i32.const 0))) {WAITING}"
    result = forged(body, data=message)
    assert result.ended is Ended.DEADLOCK
    assert [call.outcome for call in result.calls] == ["failed"]


def test_a_guest_cannot_grow_past_its_limit_and_a_margin(forged: Callable[..., RunResult]) -> None:
    # It reports how many pages it has got, as the number of its unhandled rejections.
    body = (
        "(local $n i32) (block (loop (br_if 1 (i32.eq (memory.grow (i32.const 16)) (i32.const -1)))"
        " (local.set $n (i32.add (local.get $n) (i32.const 16))) (br 0)))"
        f" (i32.store (i32.const {offset('rejections')}) (local.get $n)) {WAITING}"
    )
    result = forged(body)
    most = Limits().memory_limit_bytes + engine.MEMORY_OVERHEAD_BYTES
    assert result.ended is Ended.DEADLOCK
    assert 0 < result.usage.unhandled_rejections * 65536 <= most
