"""progress(percent, message?): fire and forget. The guest keeps the rate; this side keeps the count."""

from __future__ import annotations

from collections.abc import Callable

from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.limits import MAX_PROGRESS_CALLS, MAX_PROGRESS_MESSAGE_CHARS
from nodetool_sandbox.marshal import to_host

ProgressSink = Callable[[float, str | None], None]
"""`on_progress(percent, message)`: percent from 0 to 100, message at most 500 characters, or None."""


class Progress:
    """Forwards reports to the sink, at most `MAX_PROGRESS_CALLS` of them."""

    def __init__(self, sink: ProgressSink | None, *, redact: Callable[[str], str] | None = None) -> None:
        self._sink = sink
        self._redact = redact or str
        self._sent = 0

    def take(self, message: bytes) -> None:
        """Forward one report. A sink that raises is not called again; what is malformed is passed over."""
        if self._sink is None or self._sent >= MAX_PROGRESS_CALLS:
            return
        try:
            report = to_host(message, max_bytes=len(message))
        except MarshalError:
            return
        match report:
            case [float() | int() as percent, text] if not isinstance(percent, bool):
                self._sent += 1
                try:
                    note = self._redact(text)[:MAX_PROGRESS_MESSAGE_CHARS] if isinstance(text, str) else None
                    self._sink(min(max(float(percent), 0.0), 100.0), note)
                except Exception:  # noqa: BLE001 - a sink that fails changes nothing for the program
                    self._sink = None
