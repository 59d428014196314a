"""What a command prints on standard output, or writes to the file that was named."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from nodetool_sandbox.cli.endings import UsageError
from nodetool_sandbox.stacks import printable


def write_result(file: Path | None, data: str | bytes) -> None:
    """A result to its file, or to standard output where it has none.

    Raises:
        UsageError: the file cannot be written.
    """
    if file is None:
        write_standard_output(data)
        return
    content = data if isinstance(data, bytes) else encoded(data)
    try:
        _replace(file, content)
    except OSError as error:
        raise UsageError(f"--output {file}: cannot be written: {error.strerror}") from None


def write_standard_output(data: str | bytes) -> None:
    """Bytes as they are; text as UTF-8 that ends its last line, on a terminal with nothing in it that acts."""
    stream = sys.stdout
    if isinstance(data, bytes):
        stream.buffer.write(data)
    elif stream.isatty():
        shown = printable(data, keep_newlines=True)
        stream.write(shown if shown.endswith("\n") else f"{shown}\n")
    else:
        # UTF-8 whatever the locale: a pipe carries what the program said.
        stream.buffer.write(encoded(data if data.endswith("\n") else f"{data}\n"))
    stream.flush()


def encoded(text: str) -> bytes:
    """UTF-8; a half of a surrogate pair becomes U+FFFD, as the guest's own TextEncoder does it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def _replace(file: Path, content: bytes) -> None:
    """The file, whole or not at all."""
    if file.exists() and not file.is_file():  # a device or a pipe: written to, not replaced
        file.write_bytes(content)
        return
    handle, name = tempfile.mkstemp(dir=file.absolute().parent, prefix=".nodetool-sandbox-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        mode = file.stat().st_mode if file.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode & 0o777)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now
