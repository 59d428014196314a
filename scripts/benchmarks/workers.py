"""Each side of a comparison is a process of its own that is asked one task at a time, in lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

SCRIPTS: Final = Path(__file__).resolve().parent.parent

Task = Callable[..., float]


class TaskFailedError(Exception):
    """A side could not do its task; the message says why."""


class Worker:
    """A process that measures. Use it in a `with`."""

    def __init__(self, command: Sequence[str | Path]) -> None:
        env = {**os.environ, "PYTHONPATH": str(SCRIPTS)}  # where `-m benchmarks....` is found
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, task: str, **given: object) -> float:
        """What the task measured, in seconds, bytes or pieces.

        Raises:
            TaskFailedError: it failed over there, or the process is gone.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - asked for above
        assert stdout is not None  # noqa: S101 - asked for above
        try:
            stdin.write(json.dumps({"task": task, "given": given}) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise TaskFailedError(f"{task}: the process ended with code {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise TaskFailedError(f"{task}: {answer['error']}")
        return float(answer["value"])

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def serve(tasks: Mapping[str, Task]) -> None:
    """The other end: do what each line of standard input asks for, until it ends."""
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        try:
            answer: dict[str, object] = {"value": tasks[asked["task"]](**asked["given"])}
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One side of a row: whom to ask for what."""

    worker: str
    task: str
    given: Mapping[str, object] = field(default_factory=dict)


class Workers:
    """The processes of one bench, each started when it is first asked. Use it in a `with`."""

    def __init__(self, commands: Mapping[str, Callable[[], Sequence[str | Path]]]) -> None:
        self._commands = commands
        self._running: dict[str, Worker] = {}
        self._missing: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._running.values():
            worker.close()

    def ask(self, asked: Ask) -> float:
        """What that side measured.

        Raises:
            TaskFailedError: the side cannot be had on this machine, or its task failed.
        """
        if asked.worker in self._missing:
            raise TaskFailedError(self._missing[asked.worker])
        if asked.worker not in self._running:
            try:
                self._running[asked.worker] = Worker(self._commands[asked.worker]())
            except (TaskFailedError, OSError) as error:
                self._missing[asked.worker] = str(error)
                raise TaskFailedError(str(error)) from error
        return self._running[asked.worker].ask(asked.task, **asked.given)
