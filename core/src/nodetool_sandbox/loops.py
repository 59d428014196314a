"""The event loop that a run lives on: asyncio, or trio.

A run needs few things of it: to be woken from another thread, to wait with a time-out, to start
the caller's coroutines and to have them all gone at the end.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from nodetool_sandbox.threads import host_threads

CLOSE_PATIENCE_S: Final = 0.05
"""How long a cancelled coroutine of the caller may take to end before it is left to itself."""

OnWake = Callable[[], bool]
"""Called on the loop at a wake; whether `wait` returns for it. It must not raise."""

END_PATIENCE_S: Final = 0.5
"""How long what is left on a loop of our own may take to end: a run unwinds in less."""

Outcome = Callable[[object, BaseException | None], None]
"""Called on the loop with a value, or with what was raised."""

Report = Callable[[object, BaseException | None], None]
"""Called once on any thread, with the same."""


class Loop(Protocol):
    """What a run asks of its event loop."""

    def wake(self) -> None:
        """End the current or the next `wait`. From any thread, any number of times."""

    def on_wake(self, callback: OnWake | None) -> None:
        """Have this called at each wake from now on, so that whoever waits has its turn only where it says so."""

    async def wait(self, timeout_s: float) -> None:
        """Return at `wake` or when the time is over."""

    def spawn(self, make: Callable[[], Awaitable[object]], outcome: Outcome) -> None:
        """Run a coroutine beside the others; `outcome` gets its end."""

    def elsewhere(self, start: Callable[[Report], None], outcome: Outcome) -> None:
        """Start what goes on outside of the loop and reports its end; `outcome` gets that, on the loop."""

    def thread(self, call: Callable[[], object], outcome: Outcome) -> None:
        """Run a blocking function on a thread; `outcome` gets its end, on the loop."""

    def after(self, seconds: float, callback: Callable[[], None]) -> None:
        """Call back later, unless the loop is closed before."""

    def soon(self, callback: Callable[[], None]) -> None:
        """Call back on the loop as soon as what is ready now has run."""

    async def turn(self) -> None:
        """Let everything that is ready run once."""

    async def close(self) -> int:
        """Cancel and await everything that was started; how many of those elsewhere have not ended."""


def current_loop() -> Loop:
    """The loop that the caller runs on.

    Raises:
        RuntimeError: there is none.
    """
    trio = sys.modules.get("trio")
    if trio is not None:
        try:
            trio.lowlevel.current_task()
        except RuntimeError:
            pass
        else:
            return TrioLoop(trio)
    return AsyncioLoop()


class AsyncioLoop:
    """On asyncio."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()  # functions of the caller see what it has set
        self._on_wake: OnWake | None = None
        self._woken = False
        self._scheduled = False
        self._waiter: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._timers: set[asyncio.TimerHandle] = set()
        self._on_threads = 0
        self._back: deque[tuple[Outcome, object, BaseException | None]] = deque()
        self._closed = False

    def wake(self) -> None:
        if self._scheduled:
            return
        self._scheduled = True
        try:
            self._loop.call_soon_threadsafe(self._fire, context=self._context)
        except RuntimeError:  # the loop is closed: nobody waits any more
            self._closed = True

    def on_wake(self, callback: OnWake | None) -> None:
        self._on_wake = callback

    def _fire(self) -> None:
        self._scheduled = False
        while self._back:
            outcome, value, error = self._back.popleft()
            self._on_threads -= 1
            if not self._closed:
                outcome(value, error)
        if self._on_wake is None or self._on_wake():
            self._end_wait()

    def _end_wait(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        else:
            self._woken = True

    async def wait(self, timeout_s: float) -> None:
        if self._woken:
            self._woken = False
            return
        self._waiter = waiter = self._loop.create_future()
        timer = self._loop.call_later(timeout_s, self._end_wait)
        try:
            await waiter
        finally:
            timer.cancel()
            self._waiter = None

    def spawn(self, make: Callable[[], Awaitable[object]], outcome: Outcome) -> None:
        self._tasks.add(self._loop.create_task(self._finish(make, outcome)))

    async def _finish(self, make: Callable[[], Awaitable[object]], outcome: Outcome) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - `spawn` made it
        try:
            value = await make()
        except asyncio.CancelledError as cause:
            if task.cancelling():
                raise
            outcome(None, cause)  # the function raised it by itself: a failure like any other
        except BaseException as cause:  # noqa: BLE001 - told apart by whoever asked
            outcome(None, cause)
        else:
            outcome(value, None)
        finally:
            self._tasks.discard(task)  # here: as a callback it would cost the loop one more turn a call

    def elsewhere(self, start: Callable[[Report], None], outcome: Outcome) -> None:
        self._on_threads += 1

        def report(value: object, error: BaseException | None) -> None:
            self._back.append((outcome, value, error))
            self.wake()

        start(report)

    def thread(self, call: Callable[[], object], outcome: Outcome) -> None:
        self.elsewhere(lambda report: host_threads().submit(lambda: report(*_call(call))), outcome)

    def after(self, seconds: float, callback: Callable[[], None]) -> None:
        def fire() -> None:
            self._timers.discard(timer)
            callback()

        timer = self._loop.call_later(seconds, fire)
        self._timers.add(timer)

    def soon(self, callback: Callable[[], None]) -> None:
        self._loop.call_soon(callback)

    async def turn(self) -> None:
        await asyncio.sleep(0)

    async def close(self) -> int:
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_PATIENCE_S)
        return self._on_threads + sum(not task.done() for task in tasks)


def end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Let a loop of our own end: cancel what is left on it, and leave behind what ignores that."""
    tasks = asyncio.all_tasks(loop)
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    _, ignoring = loop.run_until_complete(asyncio.wait(tasks, timeout=END_PATIENCE_S))
    for task in ignoring:
        # what a task of another kind calls at its end: nobody cancels and awaits it any more
        asyncio._unregister_task(task)  # noqa: SLF001
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001


def _call(call: Callable[[], object]) -> tuple[object, BaseException | None]:
    try:
        return call(), None
    except BaseException as cause:  # noqa: BLE001 - told apart by whoever asked
        return None, cause


class TrioLoop:
    """On trio, which is imported by whoever runs on it and never by us."""

    def __init__(self, trio: Any) -> None:  # noqa: ANN401 - a module, which is not imported here
        self._trio = trio
        self._token = trio.lowlevel.current_trio_token()
        self._context = contextvars.copy_context()
        self._on_wake: OnWake | None = None
        self._event = trio.Event()
        self._scheduled = False
        self._scopes: set[Any] = set()
        self._on_threads = 0
        self._closed = False

    def wake(self) -> None:
        if self._scheduled:
            return
        self._scheduled = True
        self._post(self._fire)

    def _post(self, callback: Callable[..., None], *arguments: object) -> None:
        try:
            self._token.run_sync_soon(callback, *arguments)
        except self._trio.RunFinishedError:
            self._closed = True

    def on_wake(self, callback: OnWake | None) -> None:
        self._on_wake = callback

    def _fire(self) -> None:
        self._scheduled = False
        if self._on_wake is None or self._context.run(self._on_wake):
            self._event.set()

    async def wait(self, timeout_s: float) -> None:
        with self._trio.move_on_after(timeout_s):
            await self._event.wait()
        self._event = self._trio.Event()

    def _system_task(self, work: Callable[[], Awaitable[None]]) -> None:
        scope = self._trio.CancelScope()
        self._scopes.add(scope)

        async def run() -> None:
            try:
                with scope:
                    await work()
            finally:
                self._scopes.discard(scope)

        self._trio.lowlevel.spawn_system_task(run, context=contextvars.copy_context())

    def spawn(self, make: Callable[[], Awaitable[object]], outcome: Outcome) -> None:
        async def work() -> None:
            try:
                value = await make()
            except self._trio.Cancelled:
                raise
            except BaseException as cause:  # noqa: BLE001 - told apart by whoever asked
                outcome(None, cause)
            else:
                outcome(value, None)

        self._system_task(work)

    def elsewhere(self, start: Callable[[Report], None], outcome: Outcome) -> None:
        self._on_threads += 1

        def back(value: object, error: BaseException | None) -> None:
            self._on_threads -= 1
            if not self._closed:
                outcome(value, error)

        start(lambda value, error: self._post(back, value, error))

    def thread(self, call: Callable[[], object], outcome: Outcome) -> None:
        self.elsewhere(lambda report: host_threads().submit(lambda: report(*_call(call))), outcome)

    def after(self, seconds: float, callback: Callable[[], None]) -> None:
        async def work() -> None:
            await self._trio.sleep(seconds)
            callback()

        self._system_task(work)

    def soon(self, callback: Callable[[], None]) -> None:
        self._post(callback)

    async def turn(self) -> None:
        await self._trio.lowlevel.checkpoint()

    async def close(self) -> int:
        self._closed = True
        with self._trio.CancelScope(shield=True):
            for scope in tuple(self._scopes):
                scope.cancel()
            with self._trio.move_on_after(CLOSE_PATIENCE_S):
                while self._scopes:
                    await self._trio.lowlevel.checkpoint()
        return self._on_threads + len(self._scopes)
