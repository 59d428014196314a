"""What goes through the pipes between the pool and a worker: a greeting, requests, replies.

The pool believes nothing that a worker says: `read_reply` is as strict as the border to a guest.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from io import FileIO
from typing import Final

from nodetool_sandbox.host_calls import Answer, HostCall

MAX_REPLY_BYTES: Final = 256 * 1024 * 1024
"""Of one answer, as it crosses: above what any host module's own caps let out."""

MAX_LOG_BYTES: Final = 8 * 1024
"""Of the traceback of a mistake in a host module, for the embedding process's log."""

_GREETING: Final = struct.Struct("!I")
_REQUEST: Final = struct.Struct("!IIdBHHH")  # number, payload, seconds, refs, host id, export, specifier
_REPLY: Final = struct.Struct("!IIHB")  # number, payload, log, flags
_FAILED, _REFS, _SPENT = 1, 2, 4
_ONE_WRITE: Final = 64 * 1024
_ONE_READ: Final = 1024 * 1024

READY: Final = 0
"""The number of the first reply, which says that the table is loaded; requests count from 1."""


class MalformedReplyError(Exception):
    """A worker said something that no worker of ours says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call; `seconds` are what it may take."""

    number: int
    host_id: str
    seconds: float
    call: HostCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to one request. `is_spent`: the worker asks to be replaced. `log` is for our log alone."""

    number: int
    answer: Answer
    log: str = ""
    is_spent: bool = False


def write_greeting(pipe: FileIO, texts: Sequence[str]) -> None:
    """Texts without a NUL, such as paths, whatever their encoding."""
    body = os.fsencode("\0".join(texts))
    _write(pipe, _GREETING.pack(len(body)), body)


def write_request(pipe: FileIO, request: Request) -> None:
    """Send a call, its arguments as the guest wrote them."""
    call = request.call
    names = [each.encode("utf-8", "surrogatepass") for each in (request.host_id, call.export, call.specifier)]
    head = _REQUEST.pack(
        request.number, len(call.payload), request.seconds, call.refs, *(len(each) for each in names)
    )
    _write(pipe, head + b"".join(names), call.payload)


def read_request(pipe: FileIO) -> Request:
    """The next call.

    Raises:
        EOFError: the embedding process is gone.
    """
    number, size, seconds, refs, *lengths = _REQUEST.unpack(_read(pipe, _REQUEST.size))
    host_id, export, specifier = (_read(pipe, each).decode("utf-8", "surrogatepass") for each in lengths)
    call = HostCall(specifier=specifier, export=export, payload=_read(pipe, size), refs=bool(refs))
    return Request(number=number, host_id=host_id, seconds=seconds, call=call)


def write_reply(pipe: FileIO, reply: Reply) -> None:
    """Send an answer."""
    answer = reply.answer
    flags = _FAILED * answer.failed | _REFS * answer.refs | _SPENT * reply.is_spent
    log = reply.log.encode("utf-8", "replace")[-MAX_LOG_BYTES:]
    _write(pipe, _REPLY.pack(reply.number, len(answer.payload), len(log), flags) + log, answer.payload)


def read_reply(pipe: FileIO, number: int) -> Reply:
    """The answer to the request of that number.

    Raises:
        EOFError: the worker is gone.
        MalformedReplyError: another number, an unknown flag, a length above its cap.
    """
    seen, size, log_size, flags = _REPLY.unpack(_read(pipe, _REPLY.size))
    if (
        seen != number
        or flags > _FAILED | _REFS | _SPENT
        or size > MAX_REPLY_BYTES
        or log_size > MAX_LOG_BYTES
    ):
        raise MalformedReplyError
    log = _read(pipe, log_size).decode("utf-8", "replace")
    answer = Answer(payload=_read(pipe, size), failed=bool(flags & _FAILED), refs=bool(flags & _REFS))
    return Reply(number=seen, answer=answer, log=log, is_spent=bool(flags & _SPENT))


def _read(pipe: FileIO, size: int) -> bytes:
    parts: list[bytes] = []
    missing = size
    while missing:
        part = pipe.read(min(missing, _ONE_READ))
        if not part:
            raise EOFError
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _write(pipe: FileIO, head: bytes, body: bytes) -> None:
    for part in (head + body,) if len(body) < _ONE_WRITE else (head, body):
        left = memoryview(part)
        while left:
            left = left[pipe.write(left) or 0 :]
