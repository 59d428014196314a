"""Hostile programs as files: what stands in their headers, and whether a result is what it says.

    // ends: error InternalError /out of memory/
    // limits: timeout_ms=500 memory_limit_bytes=536870912
    // rss: 160
    const a = []; for (;;) a.push(new Uint8Array(1 << 20));

Line 1 states the ending; where the machine's speed decides between two, both stand there with a ` | `:

    timeout, cancelled, deadlock, steps      how the run ended
    value                                    it returned; what, is no matter
    value 36                                 it returned this, as JSON
    value /^x+/                              it returned text in which this is found
    repr JSMap(entries=((1, 2),))            it returned what Python writes like this
    error TypeError                          it failed with an error of this name
    error TypeError /not a function/         ... in whose message this is found

Further header lines, in any order: `limits` (fields of `Limits`), `modules` (specifiers), `powers` (names of
`POWERS`: what the program is given), `globals` (a JSON object), `logs` (the exact log lines as a JSON array),
`cancel` (milliseconds), `rss` (megabytes by which a fresh process may grow).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from escape.hostile_folder import hostile_workspace
from escape.network import fetch_of_cases, secrets_of_cases
from nodetool_sandbox import Canvas, Ended, Image, RunResult, Sandbox
from nodetool_sandbox.bridges.power import Power

CASES: Final = Path(__file__).parent / "cases"

POWERS: Final[Mapping[str, Callable[[], Power]]] = {
    "canvas": Canvas,
    "fetch": fetch_of_cases,
    "image": Image,
    "secrets": secrets_of_cases,
    "workspace": hostile_workspace,
}
"""What a program may ask for in its header."""

_HEADER: Final = re.compile(r"// (ends|limits|modules|powers|globals|logs|cancel|rss): (.*)")
_ENDED: Final = {"timeout", "cancelled", "deadlock", "steps"}
_ERROR: Final = re.compile(r"error (\S+)(?: /(.*)/)?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One hostile program. `ends` lists the endings that are right."""

    path: Path
    code: str
    ends: tuple[str, ...]
    limits: Mapping[str, int] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    caller_globals: Mapping[str, object] = field(default_factory=dict)
    logs: tuple[str, ...] | None = None
    cancel_ms: int | None = None
    rss_mb: int | None = None

    @property
    def id(self) -> str:
        """Area and name, as in `a_time/sort_strings`."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def stops(self) -> bool:
        """Whether time is what ends it, in whatever time it is given."""
        return self.ends == ("timeout",)

    @classmethod
    def parse(cls, path: Path) -> Case:
        """The program of a file.

        Raises:
            ValueError: its first line states no ending.
        """
        code = path.read_text(encoding="utf-8")
        headers: dict[str, str] = {}
        for line in code.split("\n"):
            found = _HEADER.fullmatch(line)
            if found is None:
                break
            headers[found[1]] = found[2]
        if "ends" not in headers:
            raise ValueError(f"{path.name}: line 1 must say how it ends: `// ends: timeout`")
        logs = json.loads(headers["logs"]) if "logs" in headers else None
        return cls(
            path=path,
            code=code,
            ends=tuple(headers["ends"].split(" | ")),
            limits={name: int(value) for name, _, value in _pairs(headers.get("limits", ""))},
            modules=tuple(headers.get("modules", "").split()),
            powers=tuple(headers.get("powers", "").split()),
            caller_globals=json.loads(headers.get("globals", "{}")),
            logs=None if logs is None else tuple(logs),
            cancel_ms=int(headers["cancel"]) if "cancel" in headers else None,
            rss_mb=int(headers["rss"]) if "rss" in headers else None,
        )

    def sandbox(self) -> Sandbox:
        """A sandbox that gives the program what it says."""
        given: dict[str, Any] = {name: POWERS[name]() for name in self.powers}
        return Sandbox(**given)

    def complaints(self, result: RunResult) -> list[str]:
        """What is wrong with how it ended; nothing when it ended as it says."""
        found = []
        if not any(ended_so(result, ending) for ending in self.ends):
            found.append(f"it says {' | '.join(self.ends)} and ended as {_described(result)}")
        if self.logs is not None and result.logs != self.logs:
            found.append(f"it should log {self.logs} and logged {result.logs[:20]}")
        return found


def _pairs(text: str) -> list[tuple[str, str, str]]:
    return [part.partition("=") for part in text.split()]


def load_cases() -> list[Case]:
    """Every program, by area and name."""
    return [Case.parse(path) for path in sorted(CASES.glob("*/*.js"))]


def ended_so(result: RunResult, ending: str) -> bool:
    """Whether a run ended in one of the ways that a header may state.

    Raises:
        ValueError: the header states what is none.
    """
    if ending in _ENDED:
        return result.ended == Ended(ending)
    if ending == "value" or ending.startswith(("value ", "repr ")):
        return result.success and _is_value(result.value, ending)
    found = _ERROR.fullmatch(ending)
    if found is None:
        raise ValueError(f"no ending: {ending!r}")
    name, pattern = found.groups()
    error = result.error
    if result.ended is not Ended.FAILED or error is None:
        return False
    named = error.name == ("" if name == "-" else name)
    return named and (pattern is None or re.search(pattern, error.message) is not None)


def _is_value(value: object, ending: str) -> bool:
    kind, _, wanted = ending.partition(" ")
    if kind == "repr":
        return repr(value) == wanted
    if not wanted:
        return True
    if wanted.startswith("/"):
        return isinstance(value, str) and re.search(wanted[1:-1], value) is not None
    expected = json.loads(wanted)
    return value == expected and type(value) is type(expected)


def _described(result: RunResult) -> str:
    if result.success:
        return f"value {result.value!r:.300}"
    return f"{result.ended} {result.error!r:.600}"
