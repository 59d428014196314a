"""Our own side, and what Python's standard library and PyYAML take for the same data."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import yaml
from nodetool_sandbox import Limits, RunResult, Sandbox

from benchmarks.compiling import compiling
from benchmarks.fetches import fetches, fetches_with_httpx
from benchmarks.files import file_in_careful_python, file_in_python, file_of_a_program, file_on_the_host
from benchmarks.imports import import_at_first, import_libraries, import_unkept
from benchmarks.installed_packs import discovery
from benchmarks.pack_calls import pack_alone, pack_crossing, pack_in_guest
from benchmarks.pictures import drawing, drawing_with_skia, picture_chain, picture_chain_in_pillow
from benchmarks.programs import PROGRAMS
from benchmarks.wasm_calls import wasm_calls, wasm_calls_on_the_host, wasm_directly
from benchmarks.workers import Worker, serve

MIB: Final = 1024 * 1024
FIRST_RESULT: Final = (
    "from nodetool_sandbox import Sandbox; assert Sandbox().run_sync('return 1 + 1').value == 2"
)
CSV_ROWS: Final = 50_000
YAML_CHARACTERS: Final = 660_000
THROUGHPUT_RUNS: Final = 4
LINGER_S: Final = 2.0
"""How long threads without work may stay before they count as kept."""

_loop = asyncio.new_event_loop()
_sandbox = Sandbox()
_roomy = Limits(max_output_size=10 * MIB, memory_limit_bytes=512 * MIB)


async def _run(code: str, wanted: object, **given: Any) -> RunResult:  # noqa: ANN401 - what `run` takes
    result = await _sandbox.run(code, **given)
    if not result.success or (wanted is not None and result.value != wanted):
        raise ValueError(f"{result.ended}: {result.error or repr(result.value)[:200]}")
    return result


def _seconds(work: Coroutine[Any, Any, object]) -> float:
    async def timed() -> float:
        began = time.perf_counter()
        await work
        return time.perf_counter() - began

    return _loop.run_until_complete(timed())


def _clocked(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def fresh(count: int) -> float:
    """Seconds for one fresh guest with its whole surface, from the program to the result: the median of some."""

    async def runs() -> float:
        taken: list[float] = []
        for _ in range(count):
            began = time.perf_counter()
            await _run("return 1 + 1", 2)
            taken.append(time.perf_counter() - began)
        return statistics.median(taken)

    return _loop.run_until_complete(runs())


def first_result(*, cold: bool) -> float:
    """Seconds for a process that imports the library, gets one result and ends."""
    with tempfile.TemporaryDirectory() as empty:
        env = {**os.environ, "NODETOOL_SANDBOX_CACHE_DIR": empty} if cold else None
        return _clocked(lambda: subprocess.run([sys.executable, "-c", FIRST_RESULT], env=env, check=True))


async def _same(value: object) -> object:
    return value


def calls(count: int) -> float:
    """Seconds for one call of an async function, each awaited before the next is made."""
    code = f"let sum = 0; for (let i = 0; i < {count}; i++) sum += await f(i); return sum;"
    return _seconds(_run(code, count * (count - 1) // 2, globals={"f": _same})) / count


def calls_at_once(count: int) -> float:
    """Seconds for one call of an async function, all made before the first is awaited."""
    code = f"return (await Promise.all(Array.from({{ length: {count} }}, (_, i) => f(i)))).length;"
    return _seconds(_run(code, count, globals={"f": _same})) / count


def blocking_calls_at_once(count: int) -> float:
    """Seconds for one call of a plain function, all made before the first is awaited."""

    def same(value: object) -> object:
        return value

    code = f"return (await Promise.all(Array.from({{ length: {count} }}, (_, i) => f(i)))).length;"
    return _seconds(_run(code, count, globals={"f": same})) / count


def bytes_there_and_back(size: int) -> float:
    """Seconds for a run that returns the bytes that it was given."""
    data = os.urandom(size)
    return _seconds(_run("return data;", data, globals={"data": data}))


def _records(count: int) -> list[dict[str, object]]:
    return [
        {"id": i, "name": f"name {i}", "score": i / 7, "ok": i % 2 == 0, "note": "some text here"}
        for i in range(count)
    ]


def records_there_and_back(count: int) -> float:
    """Seconds for a run that returns the records that it was given (a tuple: it is not written back)."""
    rows = _records(count)
    given = {"rows": tuple(rows)}
    return _seconds(_run("return rows;", rows, globals=given, limits=_roomy))


def records_as_json(count: int) -> float:
    """Seconds for `json.dumps` and `json.loads` of the same records."""
    rows = _records(count)
    return _clocked(lambda: json.loads(json.dumps(rows)))


async def _nothing(_: object) -> None:
    return None


def digest(size: int) -> float:
    """Seconds for a run that makes bytes and hashes them with `crypto.digest`."""
    code = f"return await crypto.digest('SHA-256', new Uint8Array({size}))"
    return _seconds(_run(code, hashlib.sha256(bytes(size)).digest()))


def digest_in_python(size: int) -> float:
    """Seconds for hashlib, and for a run that makes the same bytes and hands them to a function that looks away."""
    data = bytes(size)
    crossing = _seconds(_run(f"await f(new Uint8Array({size}))", None, globals={"f": _nothing}))
    return crossing + _clocked(lambda: hashlib.sha256(data).digest())


def program(name: str) -> float:
    """Seconds for one of the programs, its guest included."""
    return _seconds(_run(PROGRAMS[name], None))


def waiting(count: int, *, what: str) -> float:
    """In a process of its own: bytes or threads for one of so many guests that wait at the same time."""
    with Worker([sys.executable, "-m", "benchmarks.ours"]) as alone:
        return alone.ask("waiting_here", count=count, what=what)


def waiting_here(count: int, *, what: str) -> float:
    """Bytes for one waiting guest, or how many threads all of them together keep."""
    return _loop.run_until_complete(_waiting(count, what))


async def _waiting(count: int, what: str) -> float:
    await _run("return 1 + 1", 2)
    held = 0
    all_wait, go_on = asyncio.Event(), asyncio.Event()

    async def hold(value: int) -> int:
        nonlocal held
        held += 1
        if held == count:
            all_wait.set()
        await go_on.wait()
        return value

    given = {"hold": hold}
    before = _resident_bytes()
    tasks = [
        asyncio.create_task(_run(f"return await hold({number});", number, globals=given))
        for number in range(count)
    ]
    await all_wait.wait()
    for _ in range(100):
        if threading.active_count() == 1:
            break
        await asyncio.sleep(LINGER_S / 100)
    each = (_resident_bytes() - before) / count
    threads = threading.active_count() - 1
    go_on.set()
    await asyncio.gather(*tasks)
    return each if what == "bytes" else float(threads)


def _resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, check=True)  # noqa: S607
    return int(shown.stdout) * 1024


_COMPUTING: Final = "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } return fib(26);"


def computing(threads: int) -> float:
    """Seconds for some programs that only compute, so many at a time."""

    async def runs() -> None:
        left = iter(range(THROUGHPUT_RUNS))

        async def work() -> None:
            for _ in left:
                await _run(_COMPUTING, None)

        await asyncio.gather(*(work() for _ in range(threads)))

    return _seconds(runs())


_SPIN: Final = (
    "import time; began = time.perf_counter(); sum(range(3_000_000)); print(time.perf_counter() - began)"
)


def share_of_a_processor() -> float:
    """How much of one processor a thread gets that only computes: 1 where nobody else wants it."""
    began, began_cpu = time.perf_counter(), time.process_time()
    sum(range(1_000_000))
    return (time.process_time() - began_cpu) / (time.perf_counter() - began)


def two_processes() -> float:
    """How much more two processes of plain Python do at once than one: 2 where two processors are free."""
    (alone,) = _spin(1)
    return 2 * alone / max(_spin(2))


def _spin(count: int) -> list[float]:
    processes = [
        subprocess.Popen([sys.executable, "-c", _SPIN], stdout=subprocess.PIPE) for _ in range(count)
    ]
    return [float(process.communicate()[0]) for process in processes]


def _yaml_text() -> str:
    entries: list[str] = []
    while sum(map(len, entries)) < YAML_CHARACTERS:
        first = len(entries) * 100
        entries.append(
            "".join(
                f"- id: {i}\n  name: name {i}\n  score: {i / 7:.4f}\n  tags: [red, green, blue]\n"
                f"  nested:\n    left: {i}\n    right: 'quoted text'\n"
                for i in range(first, first + 100)
            )
        )
    return "".join(entries)


def yaml_in_guest() -> float:
    """Seconds for a run that loads the text and counts what is in it."""
    code = 'import { load } from "@nodetool-ai/sandbox-yaml"; return load(text).length;'
    text = _yaml_text()
    wanted = text.count("- id:")
    given = {"text": text}
    return _seconds(_run(code, wanted, globals=given, modules=["@nodetool-ai/sandbox-yaml"], limits=_roomy))


def yaml_in_python() -> float:
    """Seconds for PyYAML's parser in C."""
    text = _yaml_text()
    return _clocked(lambda: yaml.load(text, Loader=yaml.CSafeLoader))


def yaml_as_json() -> float:
    """Seconds for `json.loads` of the same values."""
    text = json.dumps(yaml.load(_yaml_text(), Loader=yaml.CSafeLoader))
    return _clocked(lambda: json.loads(text))


def _csv_text() -> str:
    fields = ",".join(f"column {column}" for column in range(10))
    rows = "".join(
        f'{i},name {i},{i / 7:.3f},plain text,"quoted, text",true,2024-05-01,,{i % 97},end\n'
        for i in range(CSV_ROWS)
    )
    return f"{fields}\n{rows}"


def csv_in_guest() -> float:
    """Seconds for a run that parses the text to records and counts them."""
    code = 'import { parse } from "@nodetool-ai/sandbox-csv"; return (await parse(text)).length;'
    given = {"text": _csv_text()}
    return _seconds(_run(code, CSV_ROWS, globals=given, modules=["@nodetool-ai/sandbox-csv"], limits=_roomy))


def csv_in_python() -> float:
    """Seconds for `csv.DictReader` over the same text."""
    text = _csv_text()
    return _clocked(lambda: list(csv.DictReader(io.StringIO(text, newline=""))))


if __name__ == "__main__":
    serve(
        {
            task.__name__: task
            for task in (
                fresh,
                first_result,
                calls,
                calls_at_once,
                blocking_calls_at_once,
                bytes_there_and_back,
                import_libraries,
                import_at_first,
                import_unkept,
                records_there_and_back,
                records_as_json,
                program,
                waiting,
                waiting_here,
                computing,
                share_of_a_processor,
                two_processes,
                yaml_in_guest,
                digest,
                digest_in_python,
                yaml_in_python,
                yaml_as_json,
                csv_in_guest,
                csv_in_python,
                pack_in_guest,
                pack_alone,
                pack_crossing,
                fetches,
                fetches_with_httpx,
                discovery,
                compiling,
                wasm_calls,
                wasm_calls_on_the_host,
                wasm_directly,
                file_of_a_program,
                file_on_the_host,
                file_in_python,
                file_in_careful_python,
                picture_chain,
                picture_chain_in_pillow,
                drawing,
                drawing_with_skia,
            )
        }
    )
