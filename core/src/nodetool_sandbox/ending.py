"""How a run ended, told from what the host knows first and from what the guest says after that."""

from __future__ import annotations

import logging
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.values import Undefined

from nodetool_sandbox._engine.guest import Guest, GuestEnded, NoRoom, Status, Stop
from nodetool_sandbox.errors import (
    TRUNCATED,
    EngineUnavailable,
    GuestError,
    InternalError,
    LimitExceeded,
    MarshalError,
)
from nodetool_sandbox.marshal import limit_output, replace_in_place, result_text, to_host
from nodetool_sandbox.pending import PendingCall
from nodetool_sandbox.plan import Plan
from nodetool_sandbox.result import Ended
from nodetool_sandbox.stacks import clean_stack, stack_position
from nodetool_sandbox.surface import HOW_TO_GRANT, POWERS

_log = logging.getLogger(__name__)

MAX_WRITTEN_BACK_BYTES: Final = 64 * 1024 * 1024
"""Of the globals that go back, as they cross; the guest holds the same bound (SYNC_BYTES in run.c)."""

_MOST_JSON_FOR_A_BYTE: Final = 6
"""Characters of JSON that one byte of a message can stand for: `false,`, or a control character's escape."""

_SECTION: Final = struct.Struct("<BBI")
_SECTION_SLACK: Final = 4096
_NAMES_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How it ended, with what."""

    ended: Ended
    value: object = None
    error: GuestError | None = None


def read_ending(
    plan: Plan,
    guest: Guest | None,
    *,
    status: Status | None,
    raised: BaseException | None,
    waiting: Sequence[PendingCall],
    is_late: bool,
    is_computing: bool,
) -> Ending:
    """The ending of a run whose guest will not be entered again.

    Args:
        plan: what was run.
        guest: its guest, if it came to one; frozen unless it is still computing.
        status: how the last entry into the guest came back.
        raised: what that entry raised instead.
        waiting: calls without an answer.
        is_late: the deadline has passed.
        is_computing: the guest could not be stopped in time.

    Raises:
        EngineUnavailable: there never was a guest.
        BaseException: what was raised, where it is a mistake of ours.
    """
    if isinstance(raised, EngineUnavailable):
        raise raised
    if plan.cancel.cancelled:
        return _failed(Ended.CANCELLED, "ExecutionCancelled", "Execution cancelled")
    # A value that came back counts for nothing here: an interrupt can be swallowed in the guest.
    if is_late or is_computing or (guest is not None and guest.stop_asked is Stop.DEADLINE):
        return Ending(ended=Ended.TIMEOUT, error=_timeout(plan, guest, waiting, is_computing=is_computing))
    if guest is None:
        raise raised or InternalError("a run ended before it began")
    if guest.words.stop == Stop.STEPS:
        line, column = plan.position(guest.words.stop_line, guest.words.stop_column)
        message = f"Execution used up its {plan.limits.max_steps:,} steps"
        error = GuestError(name="ExecutionSteps", message=message, line=line, column=column)
        return Ending(ended=Ended.STEPS, error=error)
    if isinstance(raised, GuestEnded | NoRoom):
        return _crashed(guest, raised)
    if raised is not None:
        raise raised
    if status is Status.WAITING and guest.words.heap_exhausted:
        # The engine could not make the job that would have gone on.
        return _out_of_memory()
    if status is Status.WAITING:
        return _failed(
            Ended.DEADLOCK,
            "ExecutionDeadlock",
            "The program waits for something that can never happen: "
            "no host call is unanswered and nothing is left to run",
        )
    return _read_outcome(plan, guest)


def _failed(ended: Ended, name: str, message: str) -> Ending:
    return Ending(ended=ended, error=GuestError(name=name, message=message))


def _out_of_memory() -> Ending:
    return _failed(Ended.FAILED, "InternalError", "out of memory")


def _timeout(
    plan: Plan, guest: Guest | None, waiting: Sequence[PendingCall], *, is_computing: bool
) -> GuestError:
    message = f"Execution timed out after {plan.limits.timeout_ms:,} ms"
    line = column = None
    if waiting and not is_computing:
        names = ", ".join(call.name for call in waiting[:_NAMES_SHOWN])
        message += f", waiting for {names}{' and others' if len(waiting) > _NAMES_SHOWN else ''}"
        line, column = plan.position(waiting[0].line, waiting[0].column)
    elif guest is not None:
        line, column = plan.position(guest.words.stop_line, guest.words.stop_column)
    return GuestError(name="ExecutionTimeout", message=message, line=line, column=column)


def _crashed(guest: Guest, ended: GuestEnded | NoRoom) -> Ending:
    if isinstance(guest.fault, InternalError):
        _log.error("a guest broke the protocol: %s", guest.fault)
    elif guest.fault is not None:
        _log.error("an import failed", exc_info=guest.fault)
    if isinstance(ended, NoRoom) or guest.words.heap_exhausted:
        return _out_of_memory()
    if ended.stack:
        message = "Maximum call stack size exceeded, deeper than the sandbox runtime can unwind"
        return _failed(Ended.CRASHED, "RangeError", message)
    _log.error("the sandbox runtime ended a guest: %s", ended)
    return _failed(
        Ended.CRASHED,
        "SandboxRuntimeError",
        "the sandbox runtime ended this run to protect its host; nothing else is affected. "
        "Work on smaller pieces, and report the program if it keeps happening",
    )


def _read_outcome(plan: Plan, guest: Guest) -> Ending:
    try:
        data = guest.outcome()
        thrown, cut, length = _SECTION.unpack_from(data)
        payload = data[_SECTION.size : _SECTION.size + length]
        kept, _, back_length = _SECTION.unpack_from(data, _SECTION.size + length)
        back = data[2 * _SECTION.size + length :][:back_length]
        value = to_host(payload, max_bytes=len(payload))
        # decoded before anything is written back: all of the globals, or none
        written = None if kept else _globals(plan, back)
    except MarshalError as cause:
        return _failed(Ended.FAILED, "RangeError", f"the result cannot cross: {cause}")
    except (InternalError, struct.error) as cause:
        _log.error("a guest broke the protocol: %s", cause)
        return _failed(Ended.CRASHED, "SandboxRuntimeError", "the guest's result is malformed")
    if isinstance(written, list):
        for target, fresh in zip(plan.given.written_back.values(), written, strict=False):
            replace_in_place(target, fresh)
    if thrown:
        return Ending(ended=Ended.FAILED, error=_guest_error(plan, value))
    try:
        limited = _limited(value, plan.limits.max_output_size, length=length, cut=bool(cut))
    except LimitExceeded as refusal:
        return _failed(Ended.FAILED, "RangeError", f"the result: {refusal}")
    return Ending(ended=Ended.OK, value=limited)


def _globals(plan: Plan, data: bytes) -> object:
    return to_host(
        data, max_bytes=MAX_WRITTEN_BACK_BYTES + _SECTION_SLACK, refs=True, functions=plan.given.functions
    )


_ENGINE_ID: Final = re.compile(r"nodetool-sandbox:[^\s'\"|]+\|[^\s'\"]+")


def _named(message: str, plan: Plan) -> str:
    """A message of the engine with the specifiers of modules where it has its own names for them."""
    if plan.graph is None or "nodetool-sandbox:" not in message:
        return message
    names = {engine_id: str(specifier) for specifier, engine_id in plan.graph.entries.items()}
    return _ENGINE_ID.sub(lambda found: names.get(found.group(), found.group()), message)


def _guest_error(plan: Plan, thrown: object) -> GuestError:
    parts = thrown if isinstance(thrown, dict) else {}
    name, message, stack = (
        part if isinstance(part := parts.get(key), str) else "" for key in ("name", "message", "stack")
    )
    line, column = stack_position(stack, plan.entry) or (None, None)
    if name == "ReferenceError":
        message += _missing_power(message)
    return GuestError(
        name=name,
        # a refusal quotes the program's own text and is left as it is
        message=_named(message, plan) if name == "SyntaxError" else message,
        stack=clean_stack(stack, plan.entry),
        line=line,
        column=column,
    )


_NOT_DEFINED: Final = re.compile(r"(\w+) is not defined")


def _missing_power(message: str) -> str:
    """What to say of a program that reads the name of a power that its run was not given."""
    found = _NOT_DEFINED.fullmatch(message)
    for power, names in POWERS.items():
        if found and found[1] in names:
            return f": this run was not given it (pass {HOW_TO_GRANT[power]})"
    return ""


def _limited(value: object, max_output_size: int, *, length: int, cut: bool) -> object:
    """A long text is cut, a large value becomes its cut JSON text. `length` is that of the message."""
    if isinstance(value, Undefined):
        return None
    if length * _MOST_JSON_FOR_A_BYTE <= max_output_size:
        return value
    limited = limit_output(value, max_output_size)
    if cut and limited is value:
        text = value if isinstance(value, str) else result_text(value)
        return text[:max_output_size] + TRUNCATED
    return limited
