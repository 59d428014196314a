"""A worker's day: load the table, then take a call, do it, answer."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import FileIO
from typing import Final

from nodetool_sandbox_registry.hosts import HostModule

from nodetool_sandbox.host_calls import Answer, CallDeadline, failure, perform
from nodetool_sandbox.workers.caps import MAX_WORKER_BYTES, MIB, cap_call, cap_files, has_grown
from nodetool_sandbox.workers.frames import READY, Reply, Request, read_request, write_reply

OUT_OF_MEMORY: Final = f"out of memory in the worker ({MAX_WORKER_BYTES // MIB} MiB)"


class _LastRecord(logging.Handler):
    """Keeps the traceback of a mistake, for the embedding process's log: here is nobody to read one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self._text = self.format(record)

    def take(self) -> str:
        text, self._text = self._text, ""
        return text


def serve(requests: FileIO, replies: FileIO, load_table: Callable[[], Mapping[str, HostModule]]) -> None:
    """Answer calls until nobody asks any more."""
    record = _LastRecord()
    logging.getLogger("nodetool_sandbox.host_calls").addHandler(record)
    table = load_table()
    write_reply(replies, Reply(number=READY, answer=Answer(payload=b"")))
    try:
        while True:
            request = read_request(requests)
            answer, is_spent = _answer(request, table)
            write_reply(
                replies,
                Reply(
                    number=request.number, answer=answer, log=record.take(), is_spent=is_spent or has_grown()
                ),
            )
    except (EOFError, BrokenPipeError):
        return


def _answer(request: Request, table: Mapping[str, HostModule]) -> tuple[Answer, bool]:
    """The answer, and whether this process had better be replaced."""
    where = f"{request.host_id}.{request.call.export}"
    deadline = CallDeadline(where, request.seconds, _never)
    try:
        cap_call(request.seconds)
        with suppress(ImportError):  # said again by the call itself
            table.get(request.host_id)  # its library loads here, before the caps on files
        cap_files()
        return perform(table, request.host_id, request.call, deadline), False
    except MemoryError:
        return failure("Error", f"{where}: {OUT_OF_MEMORY}"), True


def _never() -> bool:
    # a cancelled call's worker is ended from outside
    return False
