"""A host call as the guest hands it out: its number, its name, its arguments still as they crossed."""

from __future__ import annotations

import struct
from typing import Final

from nodetool_sandbox.errors import InternalError, MarshalError
from nodetool_sandbox.host_calls import MAX_CALL_BYTES
from nodetool_sandbox.marshal import to_host

_CALL_HEADER: Final = struct.Struct("<IiiHHB")


class PendingCall:
    """A host call that waits for its answer."""

    __slots__ = (
        "_arguments",
        "_payload",
        "_refs",
        "bridge",
        "column",
        "dropped",
        "id",
        "line",
        "member",
        "name",
        "started",
    )

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
        self.dropped = False
        self._arguments: list[object] | None = None

    def drop_arguments(self) -> None:
        """Let go of the arguments: the call will be refused."""
        self._payload = b""
        self.dropped = True

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
