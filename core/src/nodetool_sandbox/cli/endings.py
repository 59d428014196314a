"""How a call of the command line ends."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILED: Final = 1
"""A program ran and did not succeed."""
USAGE: Final = 2
"""Nothing ran: a wrong argument, a file that cannot be read, a module that is not installed."""
INTERNAL: Final = 70
"""A mistake of this package (`EX_SOFTWARE`)."""
INTERRUPTED: Final = 130
"""Ctrl-C (128 and the number of SIGINT)."""
READER_GONE: Final = 141
"""Whoever read our output closed it (128 and the number of SIGPIPE)."""


class UsageError(Exception):
    """Something about the call is wrong and nothing was run; the message says what, and what now."""
