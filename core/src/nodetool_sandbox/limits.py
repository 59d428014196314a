"""Every limit of a run: its default, its bounds, who holds it and what the guest notices.

`Limits` is the table. Each field carries its whole row, so the documentation
(`docs/reference/limits.md`, written by `scripts/docs_tables.py`) and the clamping read the same facts.
A caller tightens a limit or raises it up to the ceiling; none can be switched off.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, cast

KIB: Final = 1024
MIB: Final = 1024 * KIB
GIB: Final = 1024 * MIB

_ROW: Final = "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRow:
    """One row of the limits table; a fixed limit has no ceiling, because nothing moves it."""

    name: str
    default: int | None
    minimum: int | None
    ceiling: int | None
    unit: str
    enforced_by: str
    guest_sees: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    minimum: int
    ceiling: int
    unit: str
    enforced_by: str
    guest_sees: str


def _limit(default: int, *, minimum: int, ceiling: int, unit: str, enforced_by: str, guest_sees: str) -> int:
    row = _Row(minimum=minimum, ceiling=ceiling, unit=unit, enforced_by=enforced_by, guest_sees=guest_sees)
    return field(default=default, metadata={_ROW: row})


def _optional_limit(
    *, minimum: int, ceiling: int, unit: str, enforced_by: str, guest_sees: str
) -> int | None:
    row = _Row(minimum=minimum, ceiling=ceiling, unit=unit, enforced_by=enforced_by, guest_sees=guest_sees)
    return field(default=None, metadata={_ROW: row})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run, as whole numbers; a float that is given is rounded down.

    Any number is accepted here and moved into its bounds by `clamped`, so `0`, `-1` and `10**30`
    mean "as tight" and "as wide as it goes".

    Raises:
        TypeError: a limit is not a number (text, None where none is allowed, True and False).
        ValueError: a limit is NaN or infinite. Both messages name the argument.
    """

    timeout_ms: int = _limit(
        30_000,
        minimum=1,
        ceiling=24 * 60 * 60 * 1000,
        unit="ms",
        enforced_by="interrupt flag and epoch deadline in the engine, wall clock outside",
        guest_sees="the run ends; no code of the guest runs again, not even `finally`",
    )
    max_steps: int | None = _optional_limit(
        minimum=1,
        ceiling=10**12,
        unit="interrupt polls of the engine",
        enforced_by="counter in the engine's interrupt handler, the same on every machine",
        guest_sees="the run ends; no code of the guest runs again, not even `finally`",
    )
    suspend_allowance_ms: int = _limit(
        30 * 60 * 1000,
        minimum=0,
        ceiling=2**31 - 1,
        unit="ms",
        enforced_by="wall clock outside of the engine, only with a clock",
        guest_sees="the run ends",
    )
    memory_limit_bytes: int = _limit(
        64 * MIB,
        minimum=1 * MIB,
        ceiling=512 * MIB,
        unit="bytes",
        enforced_by="the engine's allocator, and a wall around linear memory a little above it",
        guest_sees="a catchable `InternalError: out of memory`; covers strings and typed arrays too",
    )
    stack_limit_bytes: int = _limit(
        512 * KIB,
        minimum=16 * KIB,
        ceiling=8 * MIB,
        unit="bytes",
        enforced_by="the engine's stack check",
        guest_sees="a catchable `RangeError` (maximum call stack size exceeded)",
    )
    max_source_bytes: int = _limit(
        8 * MIB,
        minimum=1 * KIB,
        ceiling=64 * MIB,
        unit="bytes of UTF-8",
        enforced_by="a check of the program's length before it is parsed",
        guest_sees="the run fails before the guest starts, naming this limit",
    )
    max_globals: int = _limit(
        10_000,
        minimum=0,
        ceiling=100_000,
        unit="names",
        enforced_by="a check of `globals=` before the guest starts",
        guest_sees="the run fails before the guest starts, naming this limit",
    )
    max_output_size: int = _limit(
        100_000,
        minimum=1 * KIB,
        ceiling=10 * MIB,
        unit="characters",
        enforced_by="the walk over the returned value",
        guest_sees="nothing; a long text is cut and marked, a large object becomes its cut JSON text",
    )
    max_log_lines: int = _limit(
        10_000,
        minimum=0,
        ceiling=1_000_000,
        unit="entries",
        enforced_by="counter behind `console`",
        guest_sees="nothing; one last entry in `logs` says how many were dropped",
    )
    max_log_characters: int = _limit(
        1 * MIB,
        minimum=0,
        ceiling=64 * MIB,
        unit="characters",
        enforced_by="counter behind `console`",
        guest_sees="nothing; one last entry in `logs` says how many were dropped",
    )
    max_host_calls: int = _limit(
        100_000,
        minimum=0,
        ceiling=10_000_000,
        unit="calls a run",
        enforced_by="counter in the dispatcher, incremented before anything else",
        guest_sees="the call rejects, naming this limit",
    )
    max_pending_calls: int = _limit(
        10_000,
        minimum=1,
        ceiling=100_000,
        unit="unanswered calls at once",
        enforced_by="counter in the dispatcher",
        guest_sees="the call rejects, naming this limit",
    )
    max_fetch_calls: int = _limit(
        20,
        minimum=0,
        ceiling=100,
        unit="calls a run",
        enforced_by="counter in `fetch`, incremented before any check; redirect hops do not count",
        guest_sees="`Fetch limit exceeded (max N requests per execution)`",
    )
    fetch_timeout_ms: int = _limit(
        15_000,
        minimum=100,
        ceiling=120_000,
        unit="ms",
        enforced_by="a deadline over each request, its redirects and its body",
        guest_sees="the call rejects; a cut in the middle of the body gives what had arrived",
    )
    max_response_body_bytes: int = _limit(
        1_000_000,
        minimum=1 * KIB,
        ceiling=50 * MIB,
        unit="bytes",
        enforced_by="streaming read, counted decoded; the transfer is aborted at the cap",
        guest_sees="the first bytes of the body, and `truncated`; `json` is undefined when the cut text does not parse",
    )
    max_workspace_file_bytes: int = _limit(
        20 * MIB,
        minimum=0,
        ceiling=60 * MIB,
        unit="bytes",
        enforced_by="`workspace`, by the size that the system says and again while it reads",
        guest_sees="the call rejects, naming this limit",
    )
    max_workspace_bytes: int = _limit(
        256 * MIB,
        minimum=0,
        ceiling=16 * GIB,
        unit="bytes a run, read and written",
        enforced_by="counter in `workspace`, before each piece is read or written",
        guest_sees="the call rejects, naming this limit",
    )
    max_workspace_entries: int = _limit(
        10_000,
        minimum=0,
        ceiling=1_000_000,
        unit="files and folders made in a run",
        enforced_by="counter in `workspace`, before each is made",
        guest_sees="the call rejects, naming this limit",
    )
    run_media_bytes: int = _limit(
        256 * MIB,
        minimum=1 * MIB,
        ceiling=2 * GIB,
        unit="bytes a run",
        enforced_by="counter behind the picture handles, in the run's worker",
        guest_sees="the call rejects, naming this limit",
    )

    def __post_init__(self) -> None:
        """Make every value a whole number, or refuse it by name."""
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None or each.default is not None:
                object.__setattr__(self, each.name, _whole(value, name=each.name))

    def clamped(self) -> Limits:
        """The same limits, each moved into its bounds."""
        inside: dict[str, Any] = {name: _within(row, getattr(self, name)) for name, row in _ROWS.items()}
        return replace(self, **inside)


def _whole(value: object, *, name: str) -> int:
    if isinstance(value, bool) or not (isinstance(value, float) or hasattr(value, "__index__")):
        msg = f"Limits({name}=...) must be a number, not {type(value).__name__}"
        raise TypeError(msg)
    if isinstance(value, float):
        if not math.isfinite(value):
            msg = f"Limits({name}={value}) must be finite; leave it out for the default"
            raise ValueError(msg)
        return math.floor(value)
    return operator.index(value)


def _within(row: _Row, value: int | None) -> int | None:
    return value if value is None else max(row.minimum, min(value, row.ceiling))


_ROWS: Final[dict[str, _Row]] = {each.name: each.metadata[_ROW] for each in fields(Limits)}

LIMITS: Final = tuple(
    LimitRow(
        name=each.name,
        default=cast("int | None", each.default),
        minimum=_ROWS[each.name].minimum,
        ceiling=_ROWS[each.name].ceiling,
        unit=_ROWS[each.name].unit,
        enforced_by=_ROWS[each.name].enforced_by,
        guest_sees=_ROWS[each.name].guest_sees,
    )
    for each in fields(Limits)
)
"""The rows of the limits that a caller may move, in the order of the documentation."""


SERIALIZE_MAX_DEPTH: Final = 32
"""Levels of a returned value; what lies deeper becomes a short text."""

MAX_OUTPUT_BYTES: Final = 16 * MIB
"""Binary that one returned value may hold, all its byte arrays together."""

MAX_ERROR_CHARACTERS: Final = 10_000
MAX_STACK_LINES: Final = 5
MAX_STACK_LINE_CHARACTERS: Final = 500

MAX_SLEEP_MS: Final = 5_000
MAX_FETCH_REDIRECTS: Final = 5
MAX_RANDOM_BYTES: Final = 64 * KIB
MAX_PROGRESS_CALLS: Final = 1_000
PROGRESS_MIN_INTERVAL_MS: Final = 100
MAX_PROGRESS_MESSAGE_CHARS: Final = 500
MAX_EMIT_CALLS: Final = 10_000
DEFAULT_PARALLEL_MAP_CONCURRENCY: Final = 5
MAX_PARALLEL_MAP_CONCURRENCY: Final = 32
MAX_LOOP_ITERATIONS: Final = 10_000

MAX_WORKSPACE_DEPTH: Final = 64
MAX_WORKSPACE_PATH_BYTES: Final = 4 * KIB
MAX_WORKSPACE_LIST_ENTRIES: Final = 100_000

MAX_IMAGE_INPUT_BYTES: Final = 25 * MIB
MAX_IMAGE_PIXELS: Final = 32 * MIB
MAX_IMAGE_DIMENSION: Final = 16_384
MAX_DECODE_PIXELS: Final = 8 * MIB
MAX_IMAGE_FRAMES: Final = 1_000
MAX_IMAGE_LAYERS: Final = 64
MAX_CANVAS_OPS: Final = 10_000


def _fixed(name: str, value: int, unit: str, enforced_by: str, guest_sees: str) -> LimitRow:
    return LimitRow(
        name=name,
        default=value,
        minimum=None,
        ceiling=None,
        unit=unit,
        enforced_by=enforced_by,
        guest_sees=guest_sees,
    )


FIXED_LIMITS: Final = (
    _fixed(
        "SERIALIZE_MAX_DEPTH",
        SERIALIZE_MAX_DEPTH,
        "levels",
        "the walk over the returned value",
        "nothing; deeper parts become a short text",
    ),
    _fixed(
        "MAX_OUTPUT_BYTES",
        MAX_OUTPUT_BYTES,
        "bytes",
        "the walk over the returned value",
        "nothing; the run fails, naming this limit",
    ),
    _fixed(
        "MAX_ERROR_CHARACTERS",
        MAX_ERROR_CHARACTERS,
        "characters",
        "the error's construction",
        "nothing; the text is cut",
    ),
    _fixed("MAX_STACK_LINES", MAX_STACK_LINES, "lines", "the stack's cleaning", "nothing"),
    _fixed(
        "MAX_STACK_LINE_CHARACTERS",
        MAX_STACK_LINE_CHARACTERS,
        "characters a line",
        "the stack's cleaning",
        "nothing",
    ),
    _fixed("MAX_SLEEP_MS", MAX_SLEEP_MS, "ms a call", "`sleep`", "it returns after the cap"),
    _fixed(
        "MAX_FETCH_REDIRECTS",
        MAX_FETCH_REDIRECTS,
        "hops",
        "`fetch`",
        "`fetch: too many redirects`",
    ),
    _fixed(
        "MAX_RANDOM_BYTES",
        MAX_RANDOM_BYTES,
        "bytes a call",
        "`crypto.getRandomValues`",
        "that many bytes",
    ),
    _fixed(
        "MAX_PROGRESS_CALLS",
        MAX_PROGRESS_CALLS,
        "reports a run",
        "counter behind `progress`",
        "nothing; later ones are dropped",
    ),
    _fixed(
        "PROGRESS_MIN_INTERVAL_MS",
        PROGRESS_MIN_INTERVAL_MS,
        "ms between reports",
        "clock behind `progress`",
        "nothing; earlier ones are dropped",
    ),
    _fixed(
        "MAX_PROGRESS_MESSAGE_CHARS",
        MAX_PROGRESS_MESSAGE_CHARS,
        "characters",
        "`progress`",
        "nothing; the message is cut",
    ),
    _fixed(
        "MAX_EMIT_CALLS",
        MAX_EMIT_CALLS,
        "calls a run",
        "counter behind `emit`",
        "`emit: this run may emit at most N values (MAX_EMIT_CALLS)`",
    ),
    _fixed(
        "MAX_WORKSPACE_DEPTH",
        MAX_WORKSPACE_DEPTH,
        "folders inside of folders",
        "`workspace`, by the path alone",
        "the call rejects, naming this limit",
    ),
    _fixed(
        "MAX_WORKSPACE_PATH_BYTES",
        MAX_WORKSPACE_PATH_BYTES,
        "bytes of UTF-8",
        "`workspace`, by the path alone",
        "`ENAMETOOLONG`",
    ),
    _fixed(
        "MAX_WORKSPACE_LIST_ENTRIES",
        MAX_WORKSPACE_LIST_ENTRIES,
        "entries of one folder",
        "`workspace.list`",
        "the call rejects, naming this limit",
    ),
    _fixed(
        "MAX_PARALLEL_MAP_CONCURRENCY",
        MAX_PARALLEL_MAP_CONCURRENCY,
        "items at once",
        "`parallelMap`",
        "a higher number counts as this one",
    ),
    _fixed(
        "MAX_LOOP_ITERATIONS",
        MAX_LOOP_ITERATIONS,
        "turns",
        "nobody: it is the value of the global `__maxIter`",
        "the number",
    ),
    _fixed(
        "MAX_IMAGE_INPUT_BYTES",
        MAX_IMAGE_INPUT_BYTES,
        "bytes",
        "`image.*`, before decoding",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_IMAGE_PIXELS",
        MAX_IMAGE_PIXELS,
        "pixels",
        "`image.*` and `canvas`, before a surface is made",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_IMAGE_DIMENSION",
        MAX_IMAGE_DIMENSION,
        "pixels an edge",
        "`image.*` and `canvas`, before a surface is made",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_DECODE_PIXELS",
        MAX_DECODE_PIXELS,
        "pixels",
        "`image.decode`, before decoding",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_IMAGE_FRAMES",
        MAX_IMAGE_FRAMES,
        "frames of an animation",
        "`image.*`, before decoding",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_IMAGE_LAYERS",
        MAX_IMAGE_LAYERS,
        "layers a call",
        "`image.composite` and `image.grid`",
        "the call rejects, naming the limit",
    ),
    _fixed(
        "MAX_CANVAS_OPS",
        MAX_CANVAS_OPS,
        "operations a render",
        "`canvas.render`",
        "the call rejects, naming the limit",
    ),
)
"""The rows of the limits that nobody moves; what a pack holds of its own stands on that pack's page."""
