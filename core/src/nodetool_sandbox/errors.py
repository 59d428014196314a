"""The exceptions of this package, one class per reaction, and the value of a failed guest.

A guest's own failure is no exception here: it is a `GuestError` in the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.codes import Diagnostic

from nodetool_sandbox.limits import MAX_ERROR_CHARACTERS, MAX_STACK_LINE_CHARACTERS, MAX_STACK_LINES

TRUNCATED: Final = "\n...[truncated]"
"""What stands at the end of a text that was cut."""

_MAX_NAME_CHARACTERS: Final = 200


class SandboxError(Exception):
    """The root of every exception that this package raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        # a copy in another process keeps the fields too, whatever `__init__` asks for
        return _copy_of, (type(self), self.args, self.__dict__)


class ImportsRefused(SandboxError, ValueError):
    """Modules that were asked for cannot be served: `refusals` are all of them, each with its code."""

    def __init__(self, refusals: Sequence[Diagnostic]) -> None:
        self.refusals = tuple(refusals)
        super().__init__("\n".join(each.message for each in self.refusals))


class LimitExceeded(SandboxError, ValueError):
    """Something is larger than a limit allows; a smaller input or a higher limit helps."""

    def __init__(self, *, limit: str, allowed: int, seen: int, what: str = "the run") -> None:
        self.limit = limit
        self.allowed = allowed
        self.seen = seen
        super().__init__(f"{what} exceeds {limit}: {seen:,} where {allowed:,} are allowed")


class MarshalError(SandboxError):
    """A value cannot cross the wall; `at` says where it is, such as `globals['rows'][2]`."""

    def __init__(self, message: str, *, at: str = "") -> None:
        self.at = at
        super().__init__(f"{at}: {message}" if at else message)


class UnsupportedValueError(MarshalError, TypeError):
    """A value of a type that has no JavaScript twin."""


class UnsupportedShapeError(MarshalError, ValueError):
    """A value whose type is fine and whose content is not: cyclic, too deep, a date with no zone."""


class EngineUnavailable(SandboxError, RuntimeError):
    """The engine cannot start on this machine, so no program can run; the message says what is missing."""


class InternalError(SandboxError, RuntimeError):
    """A mistake of this package, never one of the guest or the caller."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message} (this is a bug in nodetool-sandbox, please report it)")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestError:
    """How a guest failed, as text of bounded length; the position is in the program as it was written.

    `line` and `column` count from 1 and are None where the engine gave none. Nothing in here is
    trusted: a program chooses its own error names, messages and stacks.
    """

    name: str = "Error"
    message: str = ""
    stack: str = ""
    line: int | None = None
    column: int | None = None

    def __post_init__(self) -> None:
        """Cut what is too long, whoever built it."""
        lines = (line[:MAX_STACK_LINE_CHARACTERS] for line in self.stack.split("\n", MAX_STACK_LINES))
        object.__setattr__(self, "name", self.name[:_MAX_NAME_CHARACTERS])
        object.__setattr__(self, "message", cut(self.message, MAX_ERROR_CHARACTERS))
        object.__setattr__(self, "stack", "\n".join([*lines][:MAX_STACK_LINES]))

    def __str__(self) -> str:
        """`name: message`, or the one of them that says it all; never empty."""
        name = self.name or "Error"
        if not self.message:
            return name
        if name == "Error" or name.lower() in self.message.lower().replace(" ", ""):
            return self.message
        return cut(f"{name}: {self.message}", MAX_ERROR_CHARACTERS)


def _copy_of(
    kind: type[SandboxError], arguments: tuple[object, ...], fields: dict[str, object]
) -> SandboxError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


def cut(text: str, characters: int) -> str:
    """`text`, or its beginning and a mark, together no longer than `characters`."""
    if len(text) <= characters:
        return text
    return text[: characters - len(TRUNCATED)] + TRUNCATED
