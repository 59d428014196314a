"""A program that writes a file and reads it back, what of that the workspace takes, and Python that does the same."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from nodetool_sandbox import Limits, Sandbox, Workspace
from nodetool_sandbox.bridges.power import RunView
from nodetool_sandbox.loops import AsyncioLoop

PROGRAM: Final = """
const data = new Uint8Array(size).fill(120);
const began = Date.now();
await workspace.writeBytes("file", data);
const { length } = await workspace.readBytes("file");
if (length !== size) throw new Error("not what was written");
return Date.now() - began;
"""
_ROOMY: Final = Limits(memory_limit_bytes=256 << 20)


def file_of_a_program(size: int) -> float:
    """Seconds for writing so many bytes and reading them back, by the clock of the program that does it."""
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(workspace=Workspace(folder))
        result = sandbox.run_sync(PROGRAM, globals={"size": size}, limits=_ROOMY)
    if not isinstance(result.value, int | float):
        raise TypeError(f"{result.ended}: {result.error}")
    return result.value / 1000


def file_on_the_host(size: int) -> float:
    """Seconds for the same from the loop that gets the two calls to their answers there."""
    data = b"x" * size

    async def both(folder: str) -> float:
        view = RunView(limits=_ROOMY, loop=AsyncioLoop(), remaining_s=lambda: 60.0, is_unwanted=lambda: False)
        bridge = Workspace(folder).open(view)

        began = time.perf_counter()
        await bridge.calls["writeBytes"]("file", data)
        back = await bridge.calls["readBytes"]("file")
        taken = time.perf_counter() - began
        bridge.close()
        if back != data:
            raise ValueError("not what was written")
        return taken

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(both(folder))


def file_in_python(size: int) -> float:
    """Seconds for `Path.write_bytes` and `Path.read_bytes`."""
    return _in_python(size, Path.write_bytes)


def file_in_careful_python(size: int) -> float:
    """Seconds for a temporary file that is brought to the disk and renamed, then read."""
    return _in_python(size, _write_whole)


def _in_python(size: int, write: Callable[[Path, bytes], object]) -> float:
    data = b"x" * size
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        began = time.perf_counter()
        write(path, data)
        back = path.read_bytes()
        taken = time.perf_counter() - began
    if back != data:
        raise ValueError("not what was written")
    return taken


def _write_whole(path: Path, data: bytes) -> None:
    beside = path.with_suffix(".tmp")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
