"""Runs that end badly give everything back: the memory of a process that makes many of them stays where it is."""

from __future__ import annotations

import gc
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from escape.case_files import CASES
from nodetool_sandbox import Limits, Sandbox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(120),
    pytest.mark.skipif(
        not Path("/proc/self/statm").is_file(), reason="this system does not tell the memory in use"
    ),
]

EXHAUSTED = """
let n = 0;
for (;;) { try { const a = []; for (;;) a.push(new Array(1000)); } catch { if (++n > 1) return n; } }
"""
IN_JOBS = "await null; const a = []; for (let i = 0; i < 300000; i++) a.push({ i }); return a.length;"
SHRUNK = sorted((CASES / "c_crash").glob("shrink_*.js"))


def megabytes_in_use() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def settled_megabytes() -> float:
    """The least of some looks: the last guests are given back beside what goes on."""
    least = megabytes_in_use()
    for _ in range(20):
        time.sleep(0.05)
        least = min(least, megabytes_in_use())
    return least


def growth(programs: list[str], *, warm: int, times: int, timeout_ms: int) -> float:
    """Megabytes in use after so many rounds of the programs, past the first few that fill what is kept for good."""
    sandbox = Sandbox(limits=Limits(timeout_ms=timeout_ms))
    for _ in range(warm):
        for program in programs:
            sandbox.run_sync(program)
    before = settled_megabytes()
    for _ in range(times):
        for program in programs:
            sandbox.run_sync(program)
    return settled_megabytes() - before


def fresh_growth(programs: list[str], *, warm: int, times: int, timeout_ms: int = 20_000) -> float:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(growth, programs, warm=warm, times=times, timeout_ms=timeout_ms).result()


def test_twenty_runs_that_used_up_their_memory_give_it_back() -> None:
    assert fresh_growth([EXHAUSTED], warm=3, times=20, timeout_ms=400) < 16


def test_runs_that_allocate_in_jobs_do_not_add_up() -> None:
    times = 30
    assert fresh_growth([IN_JOBS], warm=10, times=times) * 1024 / times < 50


def test_runs_that_shrink_arrays_under_the_engine_do_not_add_up() -> None:
    programs = [path.read_text(encoding="utf-8") for path in SHRUNK]
    times = 20
    assert fresh_growth(programs, warm=5, times=times) * 1024 / (times * len(programs)) < 5


def test_runs_that_time_out_do_not_add_up() -> None:
    times = 60
    assert (
        fresh_growth(["const b = new Uint8Array(1e7); while (1);"], warm=30, times=times, timeout_ms=20)
        * 1024
        / times
        < 50
    )


def test_runs_that_are_left_waiting_do_not_add_up() -> None:
    times = 200
    program = "for (let i = 0; i < 100; i++) sleep(5000); return 1"
    assert fresh_growth([program], warm=20, times=times) * 1024 / times < 50
