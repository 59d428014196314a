"""Runs one program in a process that runs nothing else, for how much that process grows."""

from __future__ import annotations

import multiprocessing
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from escape.case_files import Case
from nodetool_sandbox import Limits, RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """A result, and by how many megabytes the most memory that the process ever held has grown over it."""

    result: RunResult
    megabytes: float


def run_fresh(path: Path) -> Grown:
    """The program of a file, run once in a fresh process."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(grow, path).result()


def grow(path: Path) -> Grown:
    """The program of a file, run in this process."""
    case = Case.parse(path)
    sandbox = case.sandbox()
    sandbox.run_sync("return 1")
    before = _most_megabytes()
    result = sandbox.run_sync(
        case.code,
        modules=case.modules,
        globals=dict(case.caller_globals),
        limits=Limits(**case.limits),
    )
    return Grown(result=result, megabytes=_most_megabytes() - before)


def _most_megabytes() -> float:
    status = Path("/proc/self/status")
    if status.is_file():
        # Not getrusage: there Linux counts what the process that started this one held.
        words = status.read_text(encoding="utf-8").split()
        return int(words[words.index("VmHWM:") + 1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1024**2
