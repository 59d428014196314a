"""What Node answered, and the same asked of the guest: many expressions in one run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from nodetool_sandbox import Limits, Sandbox

RECORDED = Path(__file__).parent / "web" / "recorded"
ROOMY = Limits(timeout_ms=30_000, max_output_size=10_000_000, memory_limit_bytes=256 * 1024 * 1024)


def recorded(name: str) -> list[list[object]]:
    """The cases of a recording. The file's first line names the script that wrote it."""
    cases: list[list[object]] = json.loads((RECORDED / name).read_text(encoding="utf-8"))["cases"]
    return cases


def answers(code: str, **given: object) -> list[object]:
    """What a program returns that answers many cases."""
    result = Sandbox().run_sync(code, globals=given, limits=ROOMY)
    assert result.success, result.error
    assert isinstance(result.value, list)
    return result.value


def answers_of(expressions: Iterable[str]) -> list[object]:
    """The value of each expression, or the name of its error; null where it is undefined, as JSON has it."""
    functions = ",\n".join(f"() => ({each})" for each in expressions)
    return answers(
        f"return [{functions}].map((f) => {{ try {{ return f() ?? null }} catch (e) {{ return e.name }} }})"
    )
