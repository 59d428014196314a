"""One run, from its first instruction to its result, in steps that somebody holds.

The guest computes on a thread until it can go no further without an answer. Calls are handed to
the event loop the moment they are made; answers are collected and brought back in batches.
`advance` is one such step; `run_to_end` is the loop over it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, Self

from nodetool_sandbox_registry.linking import ImportDenied

from nodetool_sandbox._engine.guest import (
    MEMORY_OVERHEAD_BYTES,
    Guest,
    GuestEnded,
    NoRoom,
    Post,
    Reply,
    Status,
    Stop,
    random_bytes,
)
from nodetool_sandbox._engine.preloaded import Preloaded
from nodetool_sandbox._engine.shared import pack_host_words
from nodetool_sandbox.bridge_calls import Bridges
from nodetool_sandbox.bridges.console import Console
from nodetool_sandbox.bridges.functions import describe_failure
from nodetool_sandbox.bridges.power import Power, RunView
from nodetool_sandbox.bridges.progress import Progress
from nodetool_sandbox.bridges.pure import PURE
from nodetool_sandbox.deadline import Deadline
from nodetool_sandbox.ending import read_ending
from nodetool_sandbox.errors import EngineUnavailable, GuestError, InternalError, MarshalError
from nodetool_sandbox.host_calls import MAX_CALL_BYTES, MAX_CALL_DEPTH, Answer, failure, success
from nodetool_sandbox.limits import KIB, MAX_OUTPUT_BYTES, MIB, SERIALIZE_MAX_DEPTH, Limits
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.performing import Performer
from nodetool_sandbox.plan import Plan
from nodetool_sandbox.result import MAX_CALL_RECORDS, CallOutcome, CallRecord, RunResult, Usage
from nodetool_sandbox.surface import POWERS
from nodetool_sandbox.threads import guest_threads

UNWIND_S: Final = 0.08
"""How long a stopped guest is waited for; then its thread is left to end by itself."""

LOG_LINE_BYTES: Final = 16
"""What one log line may take on the wire beside its characters."""


class Execution:
    """A run that is under way, held at its unanswered calls. From `Sandbox.start`; use it in `async with`.

    `calls` lists what waits. Answer any of them, in any order, with `resume`; `perform` does what
    `run` would do with one. When `result` is set the run is over.
    """

    def __init__(self, plan: Plan, loop: Loop) -> None:
        self.result: RunResult | None = None
        self._plan = plan
        self._loop = loop
        self._deadline = Deadline(plan.limits, plan.clock)
        view = RunView(
            limits=plan.limits,
            loop=loop,
            remaining_s=self._deadline.remaining_s,
            is_unwanted=self._is_unwanted,
        )
        self._bridges = Bridges(plan.powers, view)
        self._wasm = plan.wasm.open(view) if plan.wasm is not None else None
        self._console = Console(plan.limits, plan.on_log, redact=self._bridges.redact)
        self._progress = Progress(plan.on_progress, redact=self._bridges.redact)
        self._performer = Performer(
            plan,
            loop,
            self._deadline,
            self._bridges,
            self._wasm,
            is_unwanted=self._is_unwanted,
            on_raise=self._on_raise,
        )
        self._lock = threading.Lock()
        # between the guest's thread and the loop, under the lock
        self._computing = False
        self._abandoned = False
        self._status: Status | None = None
        self._ended: BaseException | None = None
        self._replies: list[Reply] = []
        self._posted: deque[tuple[int, bytes | PendingCall]] = deque()
        self._held_bytes = 0
        # on the loop alone
        self._guest: Guest | None = None
        self._waiting: dict[int, PendingCall] = {}
        self._new: list[PendingCall] = []
        self._records: list[CallRecord] = []
        self._cpu_s = 0.0
        self._flushing = False
        self._raise: BaseException | None = None
        self._stuck = 0
        plan.cancel.add(self._on_cancel)

    # ---- for whoever holds the run

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def calls(self) -> tuple[PendingCall, ...]:
        """The calls that wait for an answer, in the order in which they were made."""
        return tuple(self._waiting.values())

    async def resume(self, answers: Mapping[int, object]) -> None:
        """Answer calls by their ids, each with a value or with an exception, and go on to the next stop.

        Raises:
            KeyError: no call of that id waits (it was answered, or the run is over).
            MarshalError: a value cannot cross. Nothing was answered.
        """
        made: dict[int, Answer] = {}
        for number, value in answers.items():
            call = self._waiting[number]
            if isinstance(value, BaseException):
                made[number] = failure(*describe_failure(value))
            elif isinstance(value, Answer):
                made[number] = value
            else:
                made[number] = success(value, at=call.name)
                if made[number].failed:
                    raise MarshalError(f"the answer to {call.name} cannot cross")
        for number, answer in made.items():
            self._answer(number, answer)
        await self.advance()

    async def perform(self, call: PendingCall) -> Answer:
        """Do what `run` would do with this call, and give its answer for `resume`."""
        done: list[Answer] = []

        def take(answer: Answer) -> None:
            done.append(answer)
            self._loop.wake()

        self._performer.start(call, take)
        while not done and self._raise is None:
            await self._loop.wait(max(self._deadline.remaining_s(), 1.0))
        if self._raise is not None:
            raise self._raise
        return done[0]

    async def advance(self) -> None:
        """Go on until the guest waits for an answer or is over."""
        self._deadline.release()
        try:
            self._flush()
            while not self._is_over() and not (self._is_idle() and (self._waiting or self._posted)):
                await self._loop.wait(self._patience_s())
                self._drain()
            self._drain()
        except BaseException:
            await self._abandon(Stop.CANCELLED)
            raise
        self._deadline.hold()
        if self._is_over():
            await self._finish()

    async def close(self) -> None:
        """End the run if it is not over, and give back what it holds."""
        if self.result is None:
            await self._abandon(Stop.CANCELLED)

    # ---- the loop over it

    async def run_to_end(self) -> RunResult:
        """Perform every call the moment it is made, until there is a result.

        Raises:
            KeyboardInterrupt, SystemExit: a function of the caller raised it; the run has ended.
        """
        try:
            self._loop.on_wake(self._pump)
            self._begin(self._start)
            while not self._is_over():
                await self._loop.wait(self._patience_s())
            self._loop.on_wake(None)
            if self._status is Status.DONE:
                self._pump()
                if self._waiting:  # what the program called and did not wait for has begun when the run ends
                    await self._loop.turn()
        except BaseException:
            self._loop.on_wake(None)
            await self._abandon(Stop.CANCELLED)
            raise
        return await self._finish()

    def begin(self) -> None:
        """Start computing."""
        self._begin(self._start)

    def _pump(self) -> bool:
        """Perform what the guest has called since the last time; whether the run is over."""
        try:
            self._drain()
            new, self._new = self._new, []
            if self._raise is None and not self._plan.cancel.cancelled:
                for call in new:
                    self._performer.start(call, partial(self._settle, call.id))
        except BaseException as cause:  # noqa: BLE001 - it belongs to whoever awaits the run
            self._raise = cause
        return self._is_over()

    def _patience_s(self) -> float:
        """How long the loop may sleep before it looks again by itself."""
        remaining = self._deadline.remaining_s()
        if self._computing:  # the guest's own ticks come first; this is for one that is stuck in the host
            remaining += UNWIND_S
        return max(remaining, 0.001)

    def _is_idle(self) -> bool:
        with self._lock:
            return not self._computing and not self._replies

    def _is_over(self) -> bool:
        with self._lock:
            if self._raise is not None or self._plan.cancel.cancelled:
                return True
            if self._computing:
                return self._deadline.remaining_s() < -UNWIND_S
            if self._status is not Status.WAITING or self._deadline.remaining_s() <= 0:
                return True
            if self._replies or self._posted:
                return False
        return not self._waiting

    def _drain(self) -> None:
        """Take what the guest handed out."""
        while self._posted:
            kind, message = self._posted.popleft()
            if isinstance(message, PendingCall):
                message.name = self._performer.name(message)
                self._waiting[message.id] = message
                if message.dropped:
                    self._settle(message.id, self._too_much(message))
                else:
                    self._new.append(message)
            elif kind == Post.LOGS:
                self._console.take(message)
            else:
                self._progress.take(message)

    # ---- calls

    def _is_unwanted(self) -> bool:
        return self._plan.cancel.cancelled or self.result is not None or self._abandoned

    def _on_raise(self, error: BaseException) -> None:
        self._raise = error
        self._loop.wake()

    def _too_much(self, call: PendingCall) -> Answer:
        limit = self._plan.limits.memory_limit_bytes
        return failure(
            "RangeError",
            f"{call.name}: the arguments of unanswered calls exceed {limit:,} bytes (memory_limit_bytes); "
            "await earlier calls first",
        )

    def _settle(self, number: int, answer: Answer) -> None:
        """An answer is there: bring it to the guest once the loop has run what is ready now."""
        if number in self._waiting and self.result is None:
            self._answer(number, answer)
            if not self._waiting:  # nothing could come along
                self._flush()
            elif not self._flushing:
                self._flushing = True
                self._loop.soon(self._flush)

    def _answer(self, number: int, answer: Answer) -> None:
        call = self._waiting.pop(number)
        self._record(call, CallOutcome.FAILED if answer.failed else CallOutcome.OK, len(answer.payload))
        reply = Reply(number, answer.payload, failed=answer.failed, refs=answer.refs)
        with self._lock:
            self._held_bytes -= len(call.payload)
            self._replies.append(reply)

    def _flush(self) -> None:
        self._flushing = False
        with self._lock:
            if self._computing or not self._replies or self._status is not Status.WAITING or self._abandoned:
                return
            if self._guest is None:
                return
        self._begin(self._resume)

    def _record(self, call: PendingCall, outcome: CallOutcome, bytes_out: int) -> None:
        if len(self._records) >= MAX_CALL_RECORDS:
            return
        line, column = self._plan.position(call.line, call.column)
        self._records.append(
            CallRecord(
                name=call.name,
                started_ms=(call.started - self._deadline.started) * 1000,
                ms=(time.monotonic() - call.started) * 1000,
                bytes_in=len(call.payload),
                bytes_out=bytes_out,
                outcome=outcome,
                line=line,
                column=column,
            )
        )

    # ---- on the guest's thread

    def _begin(self, step: Callable[[], Status]) -> None:
        with self._lock:
            if self._abandoned:  # its guest is closed
                return
            self._computing = True
        try:
            guest_threads().submit(lambda: self._compute(step))
        except EngineUnavailable:
            with self._lock:
                self._computing = False
            raise

    def _start(self) -> Status:
        plan = self._plan
        limits = plan.limits
        words = _host_words(limits, has_modules=plan.graph is not None, powers=_power_bits(plan.powers))
        self._guest = Guest.boot(words, limits.memory_limit_bytes, self, self._preloaded(words))
        source = plan.entry.source.encode("utf-8", "surrogatepass")
        return self._guest.run(
            source,
            plan.given.payload,
            plan.given.names_payload,
            refs=plan.given.refs,
            lines_above=plan.entry.line_offset,
        )

    def _preloaded(self, words: bytes) -> Preloaded | None:
        """The compiled modules that the program imports."""
        plan = self._plan
        if plan.graph is None or not plan.entry.imports:
            return None
        from nodetool_sandbox.preloading import module_cache  # noqa: PLC0415 - runs without modules go without

        def compile_modules(ids: tuple[str, ...]) -> Preloaded | None:
            # under the run's own limits, deadline and cancel
            with Guest.boot(words, plan.limits.memory_limit_bytes, self) as guest:
                try:
                    return guest.difference() if guest.preload(ids) else None
                except (GuestEnded, NoRoom):
                    return None

        found = module_cache().find(
            plan.graph, (each.specifier for each in plan.entry.imports), compile_modules
        )
        # where there is no room for it, the program runs out of memory by itself, and says so
        room = plan.limits.memory_limit_bytes + MEMORY_OVERHEAD_BYTES
        return found if found is not None and found.memory_bytes <= room else None

    def _resume(self) -> Status:
        with self._lock:
            replies, self._replies = self._replies, []
        assert self._guest is not None  # noqa: S101 - `_start` made it
        while True:
            try:
                return self._guest.settle(replies)
            except NoRoom:
                # The largest is what there is no room for: its call fails, and the program may go on.
                largest = max(range(len(replies)), key=lambda index: len(replies[index].bytes))
                call_id, size = replies[largest].call_id, len(replies[largest].bytes)
                if size <= len(_no_room(call_id, size).bytes):
                    raise  # not even the words for it
                replies[largest] = _no_room(call_id, size)

    def _compute(self, step: Callable[[], Status]) -> None:
        cpu = time.thread_time()
        while True:
            status: Status | None = None
            try:
                status = step()
            except BaseException as cause:  # noqa: BLE001 - told apart in `read_ending`
                self._ended = cause
            if self._guest is not None:
                if records := self._logs_left(self._guest):
                    self._posted.append((Post.LOGS, records))
                if status is not Status.WAITING:
                    self._guest.freeze()
            with self._lock:
                # asked under the lock: a reply that comes now is either seen here or starts a new step
                if status is Status.WAITING and self._replies and not self._abandoned:
                    step = self._resume
                    continue
                self._cpu_s += time.thread_time() - cpu
                self._computing = False
                self._status = status
                abandoned = self._abandoned
            break
        self._loop.wake()
        if (abandoned or status is not Status.WAITING) and self._guest is not None:
            # here, while the loop goes on with the result
            self._guest.close()
            Guest.make_spare()

    def _logs_left(self, guest: Guest) -> bytes:
        try:
            return guest.take_logs()
        except InternalError:
            return b""

    def on_post(self, kind: int, message: bytes) -> None:
        """See GuestEvents."""
        first = not self._posted
        if kind == Post.CALL:
            call = PendingCall(message, time.monotonic())
            self._hold(call)
            self._posted.append((kind, call))
        elif kind in (Post.LOGS, Post.PROGRESS):
            self._posted.append((kind, message))
        else:
            raise InternalError("a post of the guest is of no known kind")
        if first:
            # Not at each of many: the loop takes all that there are, and two threads that wake each
            # other at every call fight for the interpreter.
            self._loop.wake()

    def _hold(self, call: PendingCall) -> None:
        """Keep the arguments until the call is answered, unless what is kept outgrows the guest's own memory."""
        with self._lock:
            if self._held_bytes + len(call.payload) > self._plan.limits.memory_limit_bytes:
                call.drop_arguments()
            self._held_bytes += len(call.payload)

    def on_call(self, message: bytes) -> bytes:
        """See GuestEvents."""
        call = PendingCall(message, time.monotonic())
        call.name = self._performer.name(call)
        answer = self._performer.answer_now(call)
        if call.bridge not in PURE:  # thousands of parsed URLs would bury the calls that did something
            outcome = CallOutcome.FAILED if answer.failed else CallOutcome.OK
            self._record(call, outcome, len(answer.payload))
        return bytes((answer.failed, answer.refs)) + answer.payload

    def on_normalize(self, base: bytes, name: bytes) -> tuple[bool, bytes]:
        """See GuestEvents."""
        if self._plan.graph is None:
            raise InternalError("an import was asked of a run without modules")
        try:
            requested = name.decode("utf-8", "surrogatepass")
            found = self._plan.graph.normalize(base.decode("utf-8", "replace"), requested)
        except (ImportDenied, UnicodeDecodeError) as refusal:
            return False, str(refusal).encode("utf-8", "replace")
        return True, found.encode()

    def on_load(self, module_id: bytes) -> bytes | None:
        """See GuestEvents."""
        if self._plan.graph is None:
            return None
        try:
            return self._plan.graph.source(module_id.decode("utf-8", "replace")).encode(
                "utf-8", "surrogatepass"
            )
        except KeyError:
            return None

    def on_clock(self) -> float:
        """See GuestEvents."""
        return time.time() * 1000

    def on_random(self, count: int) -> bytes:
        """See GuestEvents."""
        return random_bytes(count)

    def stop_reason(self) -> Stop:
        """See GuestEvents."""
        if self._abandoned or self._plan.cancel.cancelled:
            return Stop.CANCELLED
        return Stop.DEADLINE if self._deadline.remaining_s() <= 0 else Stop.NONE

    def _on_cancel(self) -> None:
        guest = self._guest
        if guest is not None:
            guest.stop(Stop.CANCELLED)
        self._loop.wake()

    # ---- the end

    async def _abandon(self, reason: Stop) -> None:
        """Stop the guest, give it a moment to unwind, and let go of everything."""
        guest = self._guest
        if guest is not None:
            guest.stop(reason)
        until = time.monotonic() + UNWIND_S
        try:
            while self._computing and time.monotonic() < until:
                await self._loop.wait(0.01)
        finally:
            with self._lock:
                self._abandoned = True
                computing = self._computing
            self._waiting.clear()
            self._plan.cancel.discard(self._on_cancel)
            if not computing and self._guest is not None:
                self._guest.close()
            if self._wasm is not None:
                self._wasm.close()
            self._stuck = await self._loop.close()
            self._bridges.close()

    async def _finish(self) -> RunResult:
        if self._computing:
            await self._unwind()
        self._drain()
        ending = read_ending(
            self._plan,
            self._guest,
            status=self._status,
            raised=self._ended,
            waiting=self.calls,
            is_late=self._deadline.remaining_s() <= 0,
            is_computing=self._computing,
        )
        for call in self._waiting.values():
            self._record(call, CallOutcome.UNANSWERED, 0)
        await self._abandon(Stop.CANCELLED)
        if self._raise is not None:
            raise self._raise
        words = self._guest.words if self._guest is not None else None
        result = RunResult(
            ended=ending.ended,
            value=ending.value,
            error=self._redacted(ending.error),
            logs=self._console.lines(dropped=words.log_dropped, cut=words.log_cut) if words else (),
            usage=Usage(
                cpu_ms=self._cpu_s * 1000,
                wall_ms=(time.monotonic() - self._deadline.started) * 1000,
                peak_heap_bytes=words.heap_peak if words else 0,
                steps=words.steps if words else 0,
                host_calls=words.calls if words else 0,
                unhandled_rejections=words.rejections if words else 0,
                abandoned_calls=self._stuck,
            ),
            calls=tuple(self._records),
            warnings=self._plan.warnings,
        )
        self.result = self._bridges.attach(result)
        return self.result

    def _redacted(self, error: GuestError | None) -> GuestError | None:
        if error is None or not self._plan.powers:
            return error
        redact = self._bridges.redact
        return replace(
            error, name=redact(error.name), message=redact(error.message), stack=redact(error.stack)
        )

    async def _unwind(self) -> None:
        guest = self._guest
        if guest is not None:
            guest.stop(Stop.CANCELLED if self._plan.cancel.cancelled or self._raise else Stop.DEADLINE)
        until = time.monotonic() + UNWIND_S
        while self._computing and time.monotonic() < until:
            await self._loop.wait(0.01)


def _power_bits(powers: Iterable[Power]) -> int:
    """Which powers a run was given, as the guest reads it."""
    order = list(POWERS)
    return sum(1 << order.index(power.name) for power in powers)


@lru_cache(maxsize=64)
def _host_words(limits: Limits, *, has_modules: bool, powers: int = 0) -> bytes:
    """What a guest is told of its limits."""
    return pack_host_words(
        heap_limit=limits.memory_limit_bytes,
        stack_limit=limits.stack_limit_bytes,
        max_steps=limits.max_steps or 0,
        modules=has_modules,
        result_bytes=3 * limits.max_output_size + 64 * KIB,
        result_binary=MAX_OUTPUT_BYTES,
        result_depth=SERIALIZE_MAX_DEPTH,
        call_bytes=MAX_CALL_BYTES,
        call_depth=MAX_CALL_DEPTH,
        pending_max=limits.max_pending_calls,
        calls_max=limits.max_host_calls,
        log_lines_max=limits.max_log_lines,
        log_bytes_max=_log_wall(limits),
        powers=powers,
    )


def _no_room(call_id: int, size: int) -> Reply:
    message = f"out of memory: an answer of {size:,} bytes does not fit (memory_limit_bytes)"
    return Reply(call_id, failure("InternalError", message).payload, failed=True)


def _log_wall(limits: Limits) -> int:
    """Bytes of log that the guest hands out: above the cap, which is held where lines are text (console.py)."""
    characters = limits.max_log_characters
    return min(4 * characters, characters + MIB) + LOG_LINE_BYTES * limits.max_log_lines
