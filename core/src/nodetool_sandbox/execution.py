"""One run, from its first instruction to its result, in steps that somebody holds.

The guest computes on a thread until it can go no further without an answer. Calls are handed to
the event loop the moment they are made; answers are collected and brought back in batches.
`advance` is one such step; `run_to_end` is the loop over it.
"""

from __future__ import annotations

import logging
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from nodetool_sandbox_registry.linking import ImportDenied, ModuleGraph
from nodetool_sandbox_registry.values import Undefined

from nodetool_sandbox._engine.guest import Guest, GuestEnded, Post, Reply, Status, Stop, random_bytes
from nodetool_sandbox.bridges.console import Console, LogSink
from nodetool_sandbox.bridges.functions import call_function, describe_failure
from nodetool_sandbox.bridges.progress import Progress, ProgressSink
from nodetool_sandbox.cancel import Cancel
from nodetool_sandbox.clock import SandboxClock
from nodetool_sandbox.dispatch import (
    MAX_CALL_BYTES,
    MAX_CALL_DEPTH,
    Answer,
    Dispatcher,
    HostCall,
    failure,
    success,
)
from nodetool_sandbox.entry import Entry
from nodetool_sandbox.errors import (
    TRUNCATED,
    EngineUnavailable,
    GuestError,
    InternalError,
    LimitExceeded,
    MarshalError,
)
from nodetool_sandbox.limits import MAX_OUTPUT_BYTES, MAX_SLEEP_MS, MIB, SERIALIZE_MAX_DEPTH, Limits
from nodetool_sandbox.loops import Loop
from nodetool_sandbox.marshal import FunctionTable, limit_output, replace_in_place, result_text, to_host
from nodetool_sandbox.result import MAX_CALL_RECORDS, CallOutcome, CallRecord, Ended, RunResult, Usage
from nodetool_sandbox.stacks import clean_stack, stack_position
from nodetool_sandbox.threads import guest_threads

_log = logging.getLogger(__name__)

UNWIND_S: Final = 0.08
"""How long a stopped guest is waited for; then its thread is left to end by itself."""

SYNC_BYTES: Final = 64 * 1024 * 1024

LOG_LINE_BYTES: Final = 16
"""What one log line may take on the wire beside its characters."""

_CALL_HEADER: Final = struct.Struct("<IiiHHB")
_SECTION: Final = struct.Struct("<BBI")
_HOST: Final = "host:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that a run was given, checked and ready to cross."""

    entry: Entry
    globals_payload: bytes
    globals_refs: bool
    functions: FunctionTable
    function_names: Mapping[int, str]
    written_back: Mapping[str, dict[str, object] | list[object]]
    names_payload: bytes
    limits: Limits
    graph: ModuleGraph | None
    dispatcher: Dispatcher
    warnings: tuple[str, ...]
    clock: SandboxClock | None
    cancel: Cancel
    on_log: LogSink | None
    on_progress: ProgressSink | None


class PendingCall:
    """A host call that waits for its answer."""

    __slots__ = ("_arguments", "_payload", "_refs", "bridge", "column", "id", "line", "member", "name", "started")

    def __init__(self, message: bytes, started: float) -> None:
        number, line, column, bridge, member, refs = _CALL_HEADER.unpack_from(message)
        end = _CALL_HEADER.size + bridge + member
        if end > len(message):
            raise InternalError("a call of the guest is malformed")
        names = message[_CALL_HEADER.size : end].decode("utf-8", "replace")
        self.id: int = number
        self.bridge = message[_CALL_HEADER.size : _CALL_HEADER.size + bridge].decode("utf-8", "replace")
        self.member = names[len(self.bridge) :]
        self.name = self.bridge
        self.line: int | None = line if line > 0 else None
        """Where in the program it was made, from 1; None where no code of the program was on the stack."""
        self.column: int | None = column if line > 0 else None
        self.started = started
        self._payload = message[end:]
        self._refs = bool(refs)
        self._arguments: list[object] | None = None

    @property
    def payload(self) -> bytes:
        """The arguments as they crossed."""
        return self._payload

    @property
    def refs(self) -> bool:
        """Whether the arguments refer back to their own parts."""
        return self._refs

    @property
    def arguments(self) -> list[object]:
        """The arguments.

        Raises:
            MarshalError: the guest sent what is no list of values.
        """
        if self._arguments is None:
            decoded = to_host(self._payload, max_bytes=MAX_CALL_BYTES, refs=self._refs, marks="refuse")
            if not isinstance(decoded, list):
                raise MarshalError("the arguments are no list")
            self._arguments = decoded
        return self._arguments


class Deadline:
    """When a run must be over: its time-out, moved by what is given back."""

    def __init__(self, limits: Limits, clock: SandboxClock | None) -> None:
        self.started = time.monotonic()
        self._timeout_s = limits.timeout_ms / 1000
        self._allowance_s = limits.suspend_allowance_ms / 1000
        self._clock = clock
        self._suspended_before = clock.suspended_ms() if clock else 0.0
        self._held_s = 0.0
        self._held_since: float | None = None

    def remaining_s(self) -> float:
        """Seconds that are left, negative when it is over."""
        now = time.monotonic()
        given_back = self._held_s
        if self._held_since is not None:
            given_back += now - self._held_since
        if self._clock is not None:
            suspended = (self._clock.suspended_ms() - self._suspended_before) / 1000
            given_back += min(suspended, self._allowance_s)
        return self.started + self._timeout_s + given_back - now

    def hold(self) -> None:
        """Stop counting: whoever holds the run thinks about its calls."""
        if self._held_since is None:
            self._held_since = time.monotonic()

    def release(self) -> None:
        """Count again."""
        if self._held_since is not None:
            self._held_s += time.monotonic() - self._held_since
            self._held_since = None


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
        self._console = Console(plan.limits, plan.on_log)
        self._progress = Progress(plan.on_progress)
        self._lock = threading.Lock()
        # between the guest's thread and the loop, under the lock
        self._computing = False
        self._abandoned = False
        self._status: Status | None = None
        self._ended: BaseException | None = None
        self._replies: list[Reply] = []
        self._posted: deque[tuple[int, bytes | PendingCall]] = deque()
        # on the loop alone
        self._guest: Guest | None = None
        self._waiting: dict[int, PendingCall] = {}
        self._new: list[PendingCall] = []
        self._records: list[CallRecord] = []
        self._sync_calls = 0
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
        self._perform(call, lambda answer: (done.append(answer), self._loop.wake())[1])
        while not done:
            await self._loop.wait(1.0)
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
            self._begin(self._start)
            while not self._is_over():
                await self._loop.wait(self._patience_s())
                self._drain()
                for call in self._take_new():
                    self._perform(call, lambda answer, call=call: self._settle(call.id, answer))  # type: ignore[misc]
        except BaseException:
            await self._abandon(Stop.CANCELLED)
            raise
        return await self._finish()

    def begin(self) -> None:
        """Start computing."""
        self._begin(self._start)

    def _take_new(self) -> list[PendingCall]:
        new, self._new = self._new, []
        return new

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
                message.name = self._name(message)
                self._waiting[message.id] = message
                self._new.append(message)
            elif kind == Post.LOGS:
                self._console.take(message)
            else:
                self._progress.take(message)

    def _name(self, call: PendingCall) -> str:
        if call.bridge == "function" and call.member.isdigit():
            return self._plan.function_names.get(int(call.member), call.bridge)
        if call.bridge.startswith(_HOST):
            return self._plan.dispatcher.name(call.bridge[len(_HOST) :], call.member)
        return call.bridge if not call.member else f"{call.bridge}.{call.member}"

    # ---- calls

    def _perform(self, call: PendingCall, done: Callable[[Answer], None]) -> None:
        """Start the work of one call; `done` gets the answer, on the loop."""
        if call.bridge == "function":
            self._perform_function(call, done)
        elif call.bridge == "sleep":
            self._perform_sleep(call, done)
        elif call.bridge.startswith(_HOST):
            self._perform_host(call, done)
        else:
            done(failure("Error", f"{call.name} is not available in this run"))

    def _perform_sleep(self, call: PendingCall, done: Callable[[Answer], None]) -> None:
        try:
            (ms,) = call.arguments
        except (MarshalError, ValueError):
            ms = 0
        seconds = min(max(float(ms), 0.0), MAX_SLEEP_MS) / 1000 if isinstance(ms, int | float) else 0.0
        self._loop.after(seconds, lambda: done(success(None, at="sleep")))

    def _perform_function(self, call: PendingCall, done: Callable[[Answer], None]) -> None:
        function = self._plan.functions.function(int(call.member)) if call.member.isdigit() else None
        try:
            arguments = call.arguments
        except MarshalError as refusal:
            done(failure("TypeError", f"{call.name}: {refusal}"))
            return
        if function is None:
            done(failure("Error", f"{call.name} is not available in this run"))
            return

        def outcome(value: object, error: BaseException | None) -> None:
            if isinstance(error, KeyboardInterrupt | SystemExit):
                self._raise = error
                self._loop.wake()
            elif error is not None:
                done(failure(*describe_failure(error)))
            else:
                done(success(value, at=f"the result of {call.name}"))

        call_function(self._loop, function, arguments, outcome)

    def _perform_host(self, call: PendingCall, done: Callable[[Answer], None]) -> None:
        host_call = self._host_call(call)
        seconds = self._deadline.remaining_s()
        self._loop.thread(
            lambda: self._plan.dispatcher.call(host_call, seconds, self._is_unwanted),
            lambda value, error: done(value if isinstance(value, Answer) else _broken(call, error)),
        )

    def _host_call(self, call: PendingCall) -> HostCall:
        return HostCall(
            specifier=call.bridge[len(_HOST) :], export=call.member, payload=call.payload, refs=call.refs
        )

    def _is_unwanted(self) -> bool:
        return self._plan.cancel.cancelled or self.result is not None or self._abandoned

    def _settle(self, number: int, answer: Answer) -> None:
        """An answer is there: bring it to the guest once the loop has run what is ready now."""
        if number in self._waiting and self.result is None:
            self._answer(number, answer)
            if not self._flushing:
                self._flushing = True
                self._loop.soon(self._flush)

    def _answer(self, number: int, answer: Answer) -> None:
        call = self._waiting.pop(number)
        self._record(call, CallOutcome.FAILED if answer.failed else CallOutcome.OK, len(answer.payload))
        reply = Reply(number, answer.payload, failed=answer.failed, refs=answer.refs)
        with self._lock:
            self._replies.append(reply)

    def _flush(self) -> None:
        self._flushing = False
        with self._lock:
            if self._computing or not self._replies or self._status is not Status.WAITING or self.result:
                return
            if self._guest is None:
                return
        self._begin(self._resume)

    def _record(self, call: PendingCall, outcome: CallOutcome, bytes_out: int) -> None:
        if len(self._records) >= MAX_CALL_RECORDS:
            return
        line, column = self._position(call.line, call.column)
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

    def _position(self, line: int | None, column: int | None) -> tuple[int | None, int | None]:
        if not line:
            return None, None
        return self._plan.entry.user_position(line, column or 1) or (None, None)

    # ---- on the guest's thread

    def _begin(self, step: Callable[[], Status]) -> None:
        with self._lock:
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
        self._guest = Guest.boot(
            {
                "heap_limit": limits.memory_limit_bytes,
                "stack_limit": limits.stack_limit_bytes,
                "max_steps": limits.max_steps or 0,
                "modules": int(plan.graph is not None),
                "result_bytes": 3 * limits.max_output_size + 64 * 1024,
                "result_binary": MAX_OUTPUT_BYTES,
                "result_depth": SERIALIZE_MAX_DEPTH,
                "call_bytes": MAX_CALL_BYTES,
                "call_depth": MAX_CALL_DEPTH,
                "pending_max": limits.max_pending_calls,
                "calls_max": limits.max_host_calls,
                "log_lines_max": limits.max_log_lines,
                "log_bytes_max": _log_wall(limits),
            },
            self,
        )
        source = plan.entry.source.encode("utf-8", "surrogatepass")
        return self._guest.run(
            source,
            plan.globals_payload,
            plan.names_payload,
            refs=plan.globals_refs,
            lines_above=plan.entry.line_offset,
        )

    def _resume(self) -> Status:
        with self._lock:
            replies, self._replies = self._replies, []
        assert self._guest is not None  # noqa: S101 - `_start` made it
        return self._guest.settle(replies)

    def _compute(self, step: Callable[[], Status]) -> None:
        cpu = time.thread_time()
        while True:
            status: Status | None = None
            try:
                status = step()
            except BaseException as cause:  # noqa: BLE001 - told apart in `_outcome`
                self._ended = cause
            if self._guest is not None and (records := self._logs_left(self._guest)):
                self._posted.append((Post.LOGS, records))
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
        if abandoned and self._guest is not None:
            self._guest.close()

    def _logs_left(self, guest: Guest) -> bytes:
        try:
            return guest.take_logs()
        except InternalError:
            return b""

    def on_post(self, kind: int, message: bytes) -> None:
        """See GuestEvents."""
        if kind == Post.CALL:
            self._posted.append((kind, PendingCall(message, time.monotonic())))
        elif kind in (Post.LOGS, Post.PROGRESS):
            self._posted.append((kind, message))
        else:
            raise InternalError("a post of the guest is of no known kind")
        self._loop.wake()

    def on_call(self, message: bytes) -> bytes:
        """See GuestEvents."""
        call = PendingCall(message, time.monotonic())
        call.name = self._name(call)
        self._sync_calls += 1
        if call.bridge.startswith(_HOST):
            host_call = self._host_call(call)
            if self._plan.dispatcher.is_sync(host_call.specifier, host_call.export):
                answer = self._plan.dispatcher.call(host_call, self._deadline.remaining_s(), self._is_unwanted)
            else:
                answer = failure("Error", f"{call.name} is asynchronous and cannot be called like this")
        else:
            answer = failure("Error", f"{call.name} is not available in this run")
        self._record(call, CallOutcome.FAILED if answer.failed else CallOutcome.OK, len(answer.payload))
        return bytes((answer.failed, answer.refs)) + answer.payload

    def on_normalize(self, base: bytes, name: bytes) -> tuple[bool, bytes]:
        """See GuestEvents."""
        if self._plan.graph is None:
            raise InternalError("an import was asked of a run without modules")
        try:
            found = self._plan.graph.normalize(base.decode("utf-8", "replace"), name.decode("utf-8", "surrogatepass"))
        except (ImportDenied, UnicodeDecodeError) as refusal:
            return False, str(refusal).encode("utf-8", "replace")
        return True, found.encode()

    def on_load(self, module_id: bytes) -> bytes | None:
        """See GuestEvents."""
        if self._plan.graph is None:
            return None
        try:
            return self._plan.graph.source(module_id.decode("utf-8", "replace")).encode("utf-8", "surrogatepass")
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
            self._plan.cancel.discard(self._on_cancel)
            if not computing and self._guest is not None:
                self._guest.close()
            self._stuck = await self._loop.close()

    async def _finish(self) -> RunResult:
        if self._computing:
            await self._unwind()
        self._drain()
        ended, value, error = self._outcome()
        for call in self._waiting.values():
            self._record(call, CallOutcome.UNANSWERED, 0)
        await self._abandon(Stop.CANCELLED)
        if self._raise is not None:
            raise self._raise
        words = self._guest.words if self._guest is not None else None
        self.result = RunResult(
            ended=ended,
            value=value,
            error=error,
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
        return self.result

    async def _unwind(self) -> None:
        guest = self._guest
        if guest is not None:
            guest.stop(Stop.CANCELLED if self._plan.cancel.cancelled or self._raise else Stop.DEADLINE)
        until = time.monotonic() + UNWIND_S
        while self._computing and time.monotonic() < until:
            await self._loop.wait(0.01)

    def _outcome(self) -> tuple[Ended, object, GuestError | None]:
        """How it ended. What the host knows comes before what the guest says."""
        guest, limits = self._guest, self._plan.limits
        if isinstance(self._ended, EngineUnavailable):
            raise self._ended
        if self._plan.cancel.cancelled:
            return Ended.CANCELLED, None, GuestError(name="ExecutionCancelled", message="Execution cancelled")
        asked = guest.stop_asked if guest is not None else Stop.NONE
        if asked is Stop.DEADLINE or self._deadline.remaining_s() <= 0 or self._computing:
            return Ended.TIMEOUT, None, self._timeout_error(limits)
        if guest is None:
            raise self._ended or InternalError("a run ended before it began")
        if guest.words.stop == Stop.STEPS:
            line, column = self._position(guest.words.stop_line, guest.words.stop_column)
            message = f"Execution used up its {limits.max_steps:,} steps"
            return Ended.STEPS, None, GuestError(name="ExecutionSteps", message=message, line=line, column=column)
        if isinstance(self._ended, GuestEnded):
            return self._crash(guest, self._ended)
        if self._ended is not None:
            raise self._ended
        if self._status is Status.WAITING:
            message = (
                "The program waits for something that can never happen: "
                "no host call is unanswered and nothing is left to run"
            )
            return Ended.DEADLOCK, None, GuestError(name="ExecutionDeadlock", message=message)
        return self._read_outcome(guest)

    def _timeout_error(self, limits: Limits) -> GuestError:
        message = f"Execution timed out after {limits.timeout_ms:,} ms"
        names = [call.name for call in self._waiting.values()]
        line = column = None
        if names and not self._computing:
            message += f", waiting for {', '.join(names[:5])}{' and others' if len(names) > 5 else ''}"
            first = next(iter(self._waiting.values()))
            line, column = self._position(first.line, first.column)
        elif self._guest is not None:
            line, column = self._position(self._guest.words.stop_line, self._guest.words.stop_column)
        return GuestError(name="ExecutionTimeout", message=message, line=line, column=column)

    def _crash(self, guest: Guest, ended: GuestEnded) -> tuple[Ended, object, GuestError | None]:
        if isinstance(guest.fault, InternalError):
            _log.error("a guest broke the protocol: %s", guest.fault)
        elif guest.fault is not None:
            _log.error("an import failed", exc_info=guest.fault)
        if guest.words.heap_exhausted:
            return Ended.FAILED, None, GuestError(name="InternalError", message="out of memory")
        if ended.stack:
            message = "Maximum call stack size exceeded: the program recursed deeper than the sandbox runtime can unwind"
            return Ended.CRASHED, None, GuestError(name="RangeError", message=message)
        _log.error("the sandbox runtime ended a guest: %s", ended)
        message = (
            "the sandbox runtime ended this run to protect its host; nothing else is affected. "
            "Work on smaller pieces, and report the program if it keeps happening"
        )
        return Ended.CRASHED, None, GuestError(name="SandboxRuntimeError", message=message)

    def _read_outcome(self, guest: Guest) -> tuple[Ended, object, GuestError | None]:
        try:
            data = guest.outcome()
            kind, cut, length = _SECTION.unpack_from(data)
            payload = data[_SECTION.size : _SECTION.size + length]
            kept, _, back_length = _SECTION.unpack_from(data, _SECTION.size + length)
            back = data[2 * _SECTION.size + length :][:back_length]
            value = to_host(payload, max_bytes=len(payload))
            globals_back = None if kept else to_host(
                back, max_bytes=SYNC_BYTES + 4096, refs=True, functions=self._plan.functions
            )
        except (InternalError, MarshalError, struct.error) as cause:
            return self._refused(cause)
        if isinstance(globals_back, list):
            for target, fresh in zip(self._plan.written_back.values(), globals_back, strict=False):
                replace_in_place(target, fresh)
        if kind:
            return Ended.FAILED, None, self._guest_error(value)
        try:
            return Ended.OK, _limited(value, self._plan.limits.max_output_size, cut=bool(cut)), None
        except LimitExceeded as refusal:
            return Ended.FAILED, None, GuestError(name="RangeError", message=f"the result: {refusal}")

    def _refused(self, cause: Exception) -> tuple[Ended, object, GuestError | None]:
        if isinstance(cause, MarshalError):
            return Ended.FAILED, None, GuestError(name="RangeError", message=f"the result cannot cross: {cause}")
        _log.error("a guest broke the protocol: %s", cause)
        return Ended.CRASHED, None, GuestError(name="SandboxRuntimeError", message="the guest's result is malformed")

    def _guest_error(self, thrown: object) -> GuestError:
        parts = thrown if isinstance(thrown, dict) else {}
        name, message, stack = (part if isinstance(part := parts.get(key), str) else "" for key in ("name", "message", "stack"))
        entry = self._plan.entry
        line, column = stack_position(stack, entry) or (None, None)
        return GuestError(name=name, message=message, stack=clean_stack(stack, entry), line=line, column=column)


def _log_wall(limits: Limits) -> int:
    """Bytes of log that the guest hands out: above the cap, which is held where lines are text (console.py)."""
    characters = limits.max_log_characters
    return min(4 * characters, characters + MIB) + LOG_LINE_BYTES * limits.max_log_lines


def _broken(call: PendingCall, error: BaseException | None) -> Answer:
    _log.error("%s failed", call.name, exc_info=error)
    return failure("InternalError", f"{call.name}: failed inside the host")


def _limited(value: object, max_output_size: int, *, cut: bool) -> object:
    """A long text is cut, a large value becomes its cut JSON text."""
    if isinstance(value, Undefined):
        return None
    limited = limit_output(value, max_output_size)
    if cut and limited is value:
        text = value if isinstance(value, str) else result_text(value)
        return text[:max_output_size] + TRUNCATED
    return limited
