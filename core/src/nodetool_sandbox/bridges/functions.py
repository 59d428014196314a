"""Functions of the caller: what was passed in `globals` as a callable is an async function of the guest.

Coroutine functions run on the caller's event loop, plain functions on a thread, so that one that
blocks holds up its own call and nothing else. Arguments come as plain values; what a function
returns crosses back the same way.
"""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from nodetool_sandbox.loops import Loop, Outcome


def is_async(function: Callable[..., object]) -> bool:
    """Whether calling it gives a coroutine: a coroutine function, or an object whose `__call__` is one."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - the method itself is looked at, not whether there is one
    )


def arity_problem(function: Callable[..., object], given: int) -> str | None:
    """Why a function cannot be called with so many arguments, in words of ours.

    None where it can, or where it cannot be told (some functions in C).
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = [
        each for each in parameters if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}
    ]
    least = sum(each.default is each.empty for each in positional)
    named = [
        each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.default is each.empty
    ]
    if named:
        return "needs arguments by name, and JavaScript has none"
    takes_any = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    most = max(given, least) if takes_any else len(positional)
    if least <= given <= most:
        return None
    wanted = str(least) if least == most else f"at least {least}" if given < least else f"at most {most}"
    return f"takes {wanted} argument{'s' if wanted != '1' else ''}, and {given} came"


def call_function(
    loop: Loop, function: Callable[..., object], arguments: list[object], outcome: Outcome
) -> None:
    """Call it; `outcome` gets what it returned or raised, on the loop."""
    if is_async(function):
        make: Callable[..., Any] = function
        loop.spawn(lambda: make(*arguments), outcome)
        return
    context = contextvars.copy_context()

    def settle(value: object, error: BaseException | None) -> None:
        if error is None and inspect.isawaitable(value):
            awaitable: Awaitable[object] = value
            loop.spawn(lambda: _wait(awaitable), outcome)
        else:
            outcome(value, error)

    loop.thread(lambda: context.run(function, *arguments), settle)


async def _wait(awaitable: Awaitable[object]) -> object:
    return await awaitable


def describe_failure(error: BaseException) -> tuple[str, str]:
    """The name and message that the guest sees of what the caller's function raised."""
    try:
        message = str(error)
    except BaseException:  # noqa: BLE001 - an error whose text raises is still an error
        message = "the function failed, and its error has no text"
    return type(error).__name__, message
