"""One worker process, seen from the embedding process. The one home of child processes in the runtime."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final, cast

import msgpack
from nodetool_sandbox_registry import HostTableEntry

from nodetool_sandbox.host_calls import HostCall
from nodetool_sandbox.workers import worker
from nodetool_sandbox.workers.caps import MAX_WORKER_BYTES
from nodetool_sandbox.workers.frames import (
    READY,
    MalformedReplyError,
    Reply,
    Request,
    read_reply,
    write_greeting,
    write_request,
)

PROGRAM: Final = (os.path.abspath(worker.__file__),)  # noqa: PTH100 - a link stays a link

# What an interpreter itself needs to start: Windows its own folder, others where their libraries lie.
_ENVIRONMENT: Final = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class WorkerProcess:
    """A started worker, which holds nothing of this process but the ends of three pipes.

    Args:
        table: where the host table is.
        program: what the interpreter runs, and its arguments.
        memory_bytes: what it may take on top of what it has at its start.

    Raises:
        OSError: no process could be started.
    """

    def __init__(
        self,
        table: HostTableEntry,
        *,
        program: Sequence[str] = PROGRAM,
        memory_bytes: int = MAX_WORKER_BYTES,
    ) -> None:
        life, self._life = (-1, -1) if sys.platform == "win32" else os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-I", *program, str(life), str(memory_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=Path(sys.executable).anchor,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                pass_fds=() if life < 0 else (life,),
                start_new_session=True,  # signals of a terminal are for the embedding process
            )
        except BaseException:
            self._close(self._life)
            raise
        finally:
            self._close(life)
        self._requests = cast("FileIO", self._process.stdin)
        self._replies = cast("FileIO", self._process.stdout)
        self._asked = READY
        self._table = table

    @property
    def pid(self) -> int:
        """The number that the system gave it."""
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it is there no more."""
        return self._process.poll() is not None

    def wait_ready(self) -> None:
        """Return when it takes calls.

        Raises:
            EOFError, BrokenPipeError: it ended instead.
            MalformedReplyError: it said something else.
        """
        path = [os.path.abspath(each) for each in sys.path if isinstance(each, str)]  # noqa: PTH100
        write_greeting(self._requests, [self._table.module, self._table.attribute, *path])
        read_reply(self._replies, READY)

    def ask(self, host_id: str, call: HostCall, seconds: float) -> Reply:
        """The reply to one call. Blocks for as long as the worker lives and does not answer.

        Raises:
            EOFError, BrokenPipeError: it ended.
            MalformedReplyError: its reply cannot be one.
        """
        self._asked += 1
        request = Request(number=self._asked, host_id=host_id, seconds=seconds, call=call)
        write_request(self._requests, request)
        reply = read_reply(self._replies, self._asked)
        if not _is_message(reply.answer.payload):
            raise MalformedReplyError
        return reply

    def kill(self) -> None:
        """End it, from any thread; whoever waits for its reply gets EOFError."""
        with suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """End it and give back what it held. Nothing of it is left."""
        self.kill()
        self._process.wait()
        self._close_pipes()

    def forget(self) -> None:
        """In a forked child, whose it is not: close the copies, so that they keep no worker alive."""
        self._process.returncode = 0
        self._close_pipes()

    def _close_pipes(self) -> None:
        self._requests.close()
        self._replies.close()
        self._close(self._life)
        self._life = -1

    @staticmethod
    def _close(descriptor: int) -> None:
        if descriptor >= 0:
            os.close(descriptor)


def _is_message(payload: bytes) -> bool:
    """Whether it is one whole value; nothing of it is built."""
    unpacker = msgpack.Unpacker(max_buffer_size=max(len(payload), 1))
    try:
        unpacker.feed(payload)
        unpacker.skip()
    except (ValueError, msgpack.UnpackException):
        return False
    return bool(unpacker.tell() == len(payload))
