"""A blocking function, awaited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import anyio

from nodetool_sandbox.loops import Loop

_T = TypeVar("_T")


async def on_thread(loop: Loop, call: Callable[[], _T]) -> _T:
    """What a blocking function returns. Cancelling ends the waiting; the thread is a daemon, and is counted."""
    done = anyio.Event()
    ending: list[tuple[object, BaseException | None]] = []

    def outcome(value: object, error: BaseException | None) -> None:
        ending.append((value, error))
        done.set()

    loop.thread(call, outcome)
    await done.wait()
    value, error = ending[0]
    if error is not None:
        raise error
    return cast("_T", value)
