"""What is measured, and what each row must reach. docs/explanation/performance.md says what each row means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.arithmetic import Bound
from benchmarks.pack_calls import PACK_CALLS
from benchmarks.programs import PROGRAMS
from benchmarks.workers import Ask

MB: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What the machine itself must have to spare for a miss to say something about us.

    Args:
        ask: measures it, in turn with the sides of the row.
        least: below this a bound that is not held is not called missed.
        words: says how much there was.
    """

    ask: Ask
    least: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing to measure: our side, the sides beside it, and the bounds.

    Args:
        pairs: how many times each side is asked, in turn.
        others: the other sides by name; each has a bound of its own or none.
        bounds: what must be reached. A side without one is shown for scale.
        room: what the row needs of a machine that others may be using too.
    """

    name: str
    unit: str
    pairs: int
    ours: Ask
    others: Mapping[str, Ask]
    bounds: tuple[Bound, ...]
    room: Room | None = None


def _own(task: str, **given: object) -> Ask:
    return Ask(worker="ours", task=task, given=given)


def _python(task: str, **given: object) -> Ask:
    return Ask(worker="python peers", task=task, given=given)


def _node(task: str, **given: object) -> Ask:
    return Ask(worker="node peers", task=task, given=given)


def _row(
    name: str, unit: str, pairs: int, ours: Ask, *bounds: Bound, others: Mapping[str, Ask] | None = None
) -> Row:
    is_timed = unit in {"s", "ms", "us"} and any(bound.most is not None for bound in bounds)
    return Row(
        name=name,
        unit=unit,
        pairs=pairs,
        ours=ours,
        others=others or {},
        bounds=bounds,
        room=PROCESSOR if is_timed else None,
    )


DATE_FNS: Final = str(Path(__file__).parents[2] / "packs/dates/src/nodetool_sandbox_dates/npm/date-fns.js")

PROCESSOR: Final = Room(
    ask=_own("share_of_a_processor"), least=0.85, words="one thread gets {:.2f} of a processor here now"
)
TWO_PROCESSORS: Final = Room(
    ask=_own("two_processes"), least=1.7, words="two processes of their own do {:.2f}x of one here now"
)


ROWS: Final = (
    _row(
        "fresh",
        "ms",
        21,
        _own("fresh", count=40),
        Bound(against="quickjs-rs", most_times=0.4),
        Bound(against="reference stack", most_times=0.2),
        Bound(against="native quickjs", most_times=2),
        others={
            "quickjs-rs": _python("wasm_fresh", count=20),
            "reference stack": _node("stack_fresh", count=5),
            "native quickjs": _python("native_fresh", count=40),
            "quickjs-wasi": _node("wasi_fresh", count=5),
        },
    ),
    _row("first-result", "ms", 7, _own("first_result", cold=False), Bound(most=0.25)),
    _row("first-result-cold", "s", 3, _own("first_result", cold=True), Bound(most=3)),
    _row(
        "calls",
        "us",
        7,
        _own("calls", count=2000),
        Bound(against="reference stack", most_times=0.5),
        others={"reference stack": _node("stack_calls", count=2000)},
    ),
    _row(
        "calls-at-once",
        "us",
        15,
        _own("calls_at_once", count=1000),
        Bound(most=40e-6),
        others={"reference stack": _node("stack_calls_at_once", count=1000)},
    ),
    _row("blocking-calls-at-once", "us", 15, _own("blocking_calls_at_once", count=1000)),
    _row("bytes", "ms", 21, _own("bytes_there_and_back", size=MB), Bound(most=5e-3)),
    _row(
        "records",
        "ms",
        15,
        _own("records_there_and_back", count=10_000),
        Bound(against="json.dumps and loads", most_times=3),
        others={"json.dumps and loads": _own("records_as_json", count=10_000)},
    ),
    *(
        _row(
            name,
            "ms",
            15,
            _own("program", name=name),
            Bound(against="native quickjs", most_times=2.5),
            others={"native quickjs": _python("native_program", source=source)},
        )
        for name, source in PROGRAMS.items()
    ),
    _row("waiting-memory", "MB", 3, _own("waiting", count=1000, what="bytes"), Bound(most=1.2 * MB)),
    _row("waiting-threads", "threads", 1, _own("waiting", count=1000, what="threads"), Bound(most=10)),
    Row(
        name="two-threads",
        unit="ms",
        pairs=15,
        ours=_own("computing", threads=2),
        others={"one thread": _own("computing", threads=1)},
        bounds=(Bound(against="one thread", least_times_as_fast=1.5),),
        room=TWO_PROCESSORS,
    ),
    _row(
        "yaml",
        "ms",
        5,
        _own("yaml_in_guest"),
        others={
            "PyYAML in C": _own("yaml_in_python"),
            "json.loads": _own("yaml_as_json"),
            "js-yaml": _node("npm_alone", name="yaml"),
        },
    ),
    _row(
        "csv",
        "ms",
        5,
        _own("csv_in_guest"),
        others={
            "csv.DictReader": _own("csv_in_python"),
            "its crossing": _own("pack_crossing", name="csv"),
            "papaparse": _node("npm_alone", name="csv"),
        },
    ),
    *(
        _row(
            name,
            "ms",
            3,
            _own("pack_in_guest", name=name),
            *(() if name == "html-markdown" else (Bound(against=call.npm, most_times=3),)),
            others={
                call.library: _own("pack_alone", name=name),
                "its crossing": _own("pack_crossing", name=name),
                call.npm: _node("npm_alone", name=name),
            },
        )
        for name, call in PACK_CALLS.items()
        if name != "csv"
    ),
    _row(
        "fetch",
        "ms",
        15,
        _own("fetches", count=100),
        Bound(against="httpx", most_times=1.5),
        others={"httpx": _own("fetches_with_httpx", count=100)},
    ),
    _row(
        "wasm-call",
        "us",
        15,
        _own("wasm_calls_on_the_host", count=200),
        Bound(against="wasmtime", most_times=3),
        others={
            "wasmtime": _own("wasm_directly", count=200),
            "out of a guest": _own("wasm_calls", count=200),
        },
    ),
    _row(
        "workspace-file",
        "ms",
        15,
        _own("file_on_the_host", size=10 * MB),
        Bound(against="Python, as careful", most_times=2),
        others={
            "Python, as careful": _own("file_in_careful_python", size=10 * MB),
            "write_bytes, read_bytes": _own("file_in_python", size=10 * MB),
            "out of a guest": _own("file_of_a_program", size=10 * MB),
        },
    ),
    *(
        _row(
            name,
            "ms",
            7,
            _own("import_libraries", libraries=libraries, runs=20),
            Bound(most=most),
            others={
                "the first run of all": _own("import_at_first", libraries=libraries),
                "parsed in each run": _own("import_unkept", libraries=libraries, runs=5),
                "reference stack": _node("stack_import", path=DATE_FNS, libraries=libraries, runs=5),
            },
        )
        for name, libraries, most in (("import-dates", 1, 3e-3), ("import-three", 3, 8e-3))
    ),
    _row(
        "sha256",
        "ms",
        9,
        _own("digest", size=10 * MB),
        Bound(against="hashlib and a crossing", most_times=1.5),
        others={"hashlib and a crossing": _own("digest_in_python", size=10 * MB)},
    ),
    _row("discovery", "ms", 7, _own("discovery", count=500, warm=False), Bound(most=0.3)),
    _row("discovery-again", "ms", 15, _own("discovery", count=500, warm=True), Bound(most=0.02)),
    _row("compile", "ms", 3, _own("compiling", warm=False)),
    _row("compile-again", "ms", 15, _own("compiling", warm=True), Bound(most=0.1)),
    _row(
        "pictures",
        "s",
        5,
        _own("picture_chain"),
        Bound(against="Pillow", most_times=3),
        others={"Pillow": _own("picture_chain_in_pillow")},
    ),
    _row(
        "drawing",
        "ms",
        9,
        _own("drawing"),
        Bound(against="skia", most_times=3),
        others={"skia": _own("drawing_with_skia")},
    ),
)
