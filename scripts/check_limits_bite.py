"""Each limit, switched off in a copy of the tree, must turn a test red: else nothing holds it.

    check_limits_bite.py                       all of them
    check_limits_bite.py timeout_ms max_steps  those two

A limit that the guest holds is switched off on the side that tells it to the guest, so nothing is rebuilt.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nodetool_sandbox.limits import FIXED_LIMITS, LIMITS

ROOT = Path(__file__).resolve().parent.parent
CORE = "core/src/nodetool_sandbox"
COPIED = ("core", "registry", "host_modules", "packs", "tests", "scripts", "pyproject.toml", "conftest.py")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".hypothesis", "*.egg-info", "recorded", "node_modules")
TIMEOUT_S = 120
OFF = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One limit, what switches it off, and the tests of which at least one must fail then."""

    limit: str
    file: str
    text: str
    instead: str
    tests: tuple[str, ...]


def off(limit: str, file: str, text: str, instead: str, *tests: str) -> Mutation:
    """A row of the table; tests are `file::name` below tests/, or below core/tests where they begin with core."""
    return Mutation(
        limit=limit,
        file=f"{CORE}/{file}",
        text=text,
        instead=instead,
        tests=tuple(each if each.startswith("core/") else f"tests/{each}" for each in tests),
    )


EACH_SIDE = "runtime/test_limits_on_each_side.py::"
LIMITS_TESTS = "runtime/test_limits.py::"
CALLS_TESTS = "runtime/test_call_limits.py::"
FILES_TESTS = "core/tests/files/test_files.py::"
READING = "core/tests/test_marshal_reading.py::"
WRITING = "core/tests/test_marshal_writing.py::"

MUTATIONS = (
    # ---- a run's own
    off(
        "timeout_ms",
        "deadline.py",
        "self._timeout_s = limits.timeout_ms / 1000",
        "self._timeout_s = 20.0",
        "runtime/test_cancelling.py::test_the_same_wait_without_a_clock_is_charged",
        "runtime/test_cancelling.py::test_nothing_runs_after_a_timeout_not_even_finally",
    ),
    off(
        "timeout_ms: the flag and the epoch",
        "execution.py",
        "return Stop.DEADLINE if self._deadline.remaining_s() <= 0 else Stop.NONE",
        "return Stop.NONE",
        EACH_SIDE + "test_a_guest_stops_on_its_own_thread_while_the_loop_is_blocked",
    ),
    off(
        "the end of an instance that does not stop by itself",
        "_engine/guest.py",
        "if guest.grace_ticks < 0:",
        "if False:",
        EACH_SIDE + "test_a_builtin_that_never_polls_is_ended_from_outside",
    ),
    off(
        "cancellation",
        "execution.py",
        "if self._raise is not None or self._plan.cancel.cancelled:",
        "if self._raise is not None:",
        "runtime/test_cancelling.py::test_a_cancellation_from_another_thread_ends_anything",
    ),
    off(
        "max_steps",
        "execution.py",
        "max_steps=limits.max_steps or 0,",
        "max_steps=0,",
        LIMITS_TESTS + "test_a_run_of_too_many_steps_ends_and_nothing_can_catch_it",
    ),
    off(
        "suspend_allowance_ms",
        "deadline.py",
        "given_back += min(suspended, self._allowance_s)",
        "given_back += suspended",
        "runtime/test_cancelling.py::test_no_more_than_the_allowance_is_given_back",
    ),
    off(
        "memory_limit_bytes",
        "execution.py",
        "heap_limit=limits.memory_limit_bytes,",
        f"heap_limit={OFF},",
        LIMITS_TESTS + "test_the_peak_of_the_heap_stays_below_its_limit",
    ),
    off(
        "memory_limit_bytes: the wall around linear memory",
        "_engine/guest.py",
        "heap_bytes + MEMORY_OVERHEAD_BYTES, -1, 1, -1, 1)",
        "-1, -1, 1, -1, 1)",
        EACH_SIDE + "test_linear_memory_has_a_wall_of_its_own",
    ),
    off(
        "memory_limit_bytes: arguments of unanswered calls",
        "execution.py",
        "if self._held_bytes + len(call.payload) > self._plan.limits.memory_limit_bytes:",
        "if False:",
        CALLS_TESTS + "test_unanswered_calls_together_keep_no_more_than_a_guest_may",
    ),
    off(
        "stack_limit_bytes",
        "execution.py",
        "stack_limit=limits.stack_limit_bytes,",
        "stack_limit=8 << 20,",
        LIMITS_TESTS + "test_recursion_past_the_stack_is_a_range_error_that_can_be_caught",
    ),
    off(
        "max_source_bytes",
        "entry.py",
        "if size > max_source_bytes:",
        "if False:",
        LIMITS_TESTS + "test_a_program_longer_than_the_limit_never_starts",
    ),
    off(
        "max_globals",
        "caller_globals.py",
        "if len(given) > limits.max_globals:",
        "if False:",
        LIMITS_TESTS + "test_more_globals_than_the_limit_are_refused_before_anything_runs",
    ),
    off(
        "max_output_size: texts",
        "marshal/output.py",
        "return value if len(value) <= max_output_size else value[:max_output_size] + TRUNCATED",
        "return value",
        LIMITS_TESTS + "test_a_text_result_is_cut_one_past_the_limit",
    ),
    off(
        "max_output_size: the rest",
        "marshal/output.py",
        "if size > max_output_size:",
        "if False:",
        LIMITS_TESTS + "test_an_object_too_large_becomes_its_cut_json_text",
    ),
    off(
        "max_output_size: on the guest's side",
        "execution.py",
        "result_bytes=3 * limits.max_output_size + 64 * KIB,",
        f"result_bytes={OFF},",
        EACH_SIDE + "test_a_result_is_cut_before_it_leaves_the_guest",
    ),
    off(
        "max_log_lines",
        "bridges/console.py",
        "if len(self._lines) >= self._most or self._room <= 0:",
        "if self._room <= 0:",
        EACH_SIDE + "test_the_console_holds_its_caps_by_itself",
    ),
    off(
        "max_log_lines: on the guest's side",
        "execution.py",
        "log_lines_max=limits.max_log_lines,",
        f"log_lines_max={OFF},",
        EACH_SIDE + "test_the_guest_hands_out_no_more_lines_than_are_kept",
    ),
    off(
        "max_log_characters",
        "bridges/console.py",
        "if len(text) > self._room:",
        "if False:",
        LIMITS_TESTS + "test_characters_past_their_number_are_cut_and_counted",
    ),
    off(
        "max_log_characters: on the guest's side",
        "execution.py",
        "log_bytes_max=_log_wall(limits),",
        f"log_bytes_max={OFF},",
        EACH_SIDE + "test_the_guest_hands_out_no_more_bytes_of_lines_than_the_wall",
    ),
    off(
        "max_host_calls",
        "execution.py",
        "calls_max=limits.max_host_calls,",
        f"calls_max={OFF},",
        LIMITS_TESTS + "test_the_call_past_the_limit_rejects_and_names_it",
    ),
    off(
        "max_pending_calls",
        "execution.py",
        "pending_max=limits.max_pending_calls,",
        f"pending_max={OFF},",
        LIMITS_TESTS + "test_unanswered_calls_have_a_limit_that_answers_free",
    ),
    # ---- what nobody moves
    off(
        "SERIALIZE_MAX_DEPTH",
        "execution.py",
        "result_depth=SERIALIZE_MAX_DEPTH,",
        "result_depth=1000,",
        "runtime/test_engine.py::test_what_lies_below_the_last_level_is_a_short_text",
    ),
    off(
        "MAX_OUTPUT_BYTES",
        "execution.py",
        "result_binary=MAX_OUTPUT_BYTES,",
        f"result_binary={OFF},",
        EACH_SIDE + "test_bytes_past_the_cap_never_leave_the_guest",
    ),
    off(
        "MAX_OUTPUT_BYTES: on this side",
        "marshal/output.py",
        "if seen_bytes > MAX_OUTPUT_BYTES:",
        "if False:",
        "core/tests/test_marshal_output.py::test_bytes_at_any_depth_have_their_own_cap",
    ),
    off(
        "MAX_ERROR_CHARACTERS",
        "errors.py",
        "    if len(text) <= characters:",
        "    if True:",
        "core/tests/test_errors.py::test_the_text_of_a_guest_error_has_a_cap",
    ),
    off(
        "MAX_STACK_LINES",
        "errors.py",
        '"\\n".join([*lines][:MAX_STACK_LINES])',
        '"\\n".join([*lines])',
        "core/tests/test_errors.py::test_a_stack_has_at_most_so_many_lines_of_such_a_length",
    ),
    off(
        "MAX_STACK_LINE_CHARACTERS",
        "errors.py",
        "line[:MAX_STACK_LINE_CHARACTERS] for line",
        "line for line",
        "core/tests/test_errors.py::test_a_stack_has_at_most_so_many_lines_of_such_a_length",
    ),
    off(
        "MAX_SLEEP_MS",
        "performing.py",
        "min(max(float(ms), 0.0), MAX_SLEEP_MS) / 1000",
        "max(float(ms), 0.0) / 1000",
        EACH_SIDE + "test_the_host_sleeps_no_longer_than_the_cap_whatever_it_is_asked",
    ),
    off(
        "MAX_PROGRESS_CALLS",
        "bridges/progress.py",
        "or self._sent >= MAX_PROGRESS_CALLS",
        "",
        LIMITS_TESTS + "test_no_more_reports_are_forwarded_than_the_limit",
    ),
    off(
        "MAX_PROGRESS_MESSAGE_CHARS",
        "bridges/progress.py",
        "(text)[:MAX_PROGRESS_MESSAGE_CHARS]",
        "(text)",
        EACH_SIDE + "test_a_longer_message_than_the_guest_sends_is_cut_here_too",
    ),
    # ---- the workspace
    off(
        "max_workspace_file_bytes",
        "files/budget.py",
        "if size > self.file_bytes:",
        "if False:",
        FILES_TESTS + "test_one_file_may_be_so_long_and_not_one_byte_more",
    ),
    off(
        "max_workspace_bytes",
        "files/budget.py",
        "if self._moved + size > self._run_bytes:",
        "if False:",
        FILES_TESTS + "test_bytes_read_and_written_are_counted_together",
    ),
    off(
        "max_workspace_entries",
        "files/budget.py",
        "if self._made >= self._entries:",
        "if False:",
        FILES_TESTS + "test_so_many_entries_are_made_and_not_one_more",
    ),
    off(
        "the quota of a workspace",
        "files/budget.py",
        "if size > 0 and self._kept + size > self._quota_bytes:",
        "if False:",
        FILES_TESTS + "test_the_quota_counts_what_stays",
    ),
    off(
        "MAX_WORKSPACE_LIST_ENTRIES",
        "files/folder.py",
        "if seen > MAX_WORKSPACE_LIST_ENTRIES:",
        "if False:",
        FILES_TESTS + "test_a_folder_of_too_many_entries_is_not_listed",
    ),
    off(
        "MAX_WORKSPACE_DEPTH",
        "files/paths.py",
        "if len(parts) > MAX_WORKSPACE_DEPTH:",
        "if False:",
        "core/tests/files/test_paths.py::test_a_path_is_so_many_folders_deep_and_not_one_more",
    ),
    off(
        "MAX_WORKSPACE_PATH_BYTES",
        "files/paths.py",
        "if length > MAX_WORKSPACE_PATH_BYTES:",
        "if False:",
        "core/tests/files/test_paths.py::test_a_path_is_so_long_and_not_one_byte_more",
    ),
    # ---- pictures
    off(
        "MAX_IMAGE_FRAMES",
        "pictures/opening.py",
        "if frames > MAX_IMAGE_FRAMES:",
        "if False:",
        "core/tests/pictures/test_opening.py::test_frames_are_counted_without_a_decoder",
    ),
    # ---- host calls
    off(
        "MAX_CALL_BYTES",
        "execution.py",
        "call_bytes=MAX_CALL_BYTES,",
        f"call_bytes={OFF},",
        EACH_SIDE + "test_arguments_past_the_limit_never_leave_the_guest",
    ),
    off(
        "MAX_CALL_BYTES: on this side",
        "pending.py",
        "max_bytes=MAX_CALL_BYTES",
        "max_bytes=10**12",
        EACH_SIDE + "test_arguments_past_the_limit_are_not_read",
    ),
    off(
        "MAX_CALL_DEPTH",
        "execution.py",
        "call_depth=MAX_CALL_DEPTH,",
        "call_depth=10_000,",
        CALLS_TESTS + "test_an_argument_nested_past_the_limit_is_refused",
    ),
    off(
        "MAX_CALL_RECORDS",
        "execution.py",
        "if len(self._records) >= MAX_CALL_RECORDS:",
        "if False:",
        CALLS_TESTS + "test_calls_past_those_that_are_listed_are_counted",
    ),
    # ---- values on the wall
    off(
        "max_bytes of a message",
        "marshal/reading.py",
        "if len(data) > max_bytes:",
        "if False:",
        READING + "test_a_message_may_have_so_many_bytes_and_not_one_more",
    ),
    off(
        "MAX_DEPTH: from the guest",
        "marshal/reading.py",
        "if len(stack) > MAX_DEPTH:",
        "if False:",
        READING + "test_nesting_reaches_to_the_limit_and_not_beyond",
    ),
    off(
        "MAX_HOST_VALUES",
        "marshal/reading.py",
        "if self._values > MAX_HOST_VALUES + 1:",
        "if False:",
        READING + "test_values_are_counted_the_exact_way_too",
    ),
    off(
        "MAX_HOST_CONTAINERS",
        "marshal/reading.py",
        "if len(self._containers) == MAX_HOST_CONTAINERS:",
        "if False:",
        READING + "test_containers_are_counted_to_the_last_one",
    ),
    off(
        "MAX_BIGINT_BYTES: from the guest",
        "marshal/reading.py",
        "1 <= len(data) <= MAX_BIGINT_BYTES:",
        "1 <= len(data):",
        READING + "test_a_bigint_has_a_cap",
    ),
    off(
        "MAX_BIGINT_BYTES: to the guest",
        "marshal/writing.py",
        "if size > MAX_BIGINT_BYTES:",
        "if False:",
        WRITING.removesuffix("::"),  # the whole file: its cap is a row of a table there
    ),
    off(
        "MAX_GUEST_VALUES",
        "marshal/writing.py",
        "if self._values > MAX_GUEST_VALUES + 1 or (",
        "if (",
        WRITING + "test_the_number_of_values_is_counted_the_exact_way_too",
    ),
    # ---- the process
    off(
        "MAX_HOST_THREADS",
        "threads.py",
        "most=MAX_HOST_THREADS",
        "most=10_000",
        "host/test_functions.py::test_stuck_threads_are_capped_and_those_past_the_cap_wait",
    ),
    off(
        "threads of a pool",
        "threads.py",
        "if self._count >= self._most:",
        "if False:",
        "host/test_threads_and_processes.py::test_a_pool_never_has_more_threads_than_its_most",
    ),
    off(
        "map: the window",
        "mapping.py",
        "while len(under_way) < window and",
        "while len(under_way) < 1000 and",
        "host/test_map.py::test_programs_are_taken_no_further_than_the_window",
    ),
    off(
        "MAX_PARSED_BYTES",
        "javascript.py",
        "if len(data) > max_bytes:",
        "if False:",
        "core/tests/test_javascript.py::test_a_text_is_parsed_up_to_the_cap_and_not_beyond",
    ),
)

NOT_SWITCHED_OFF = {
    "max_fetch_calls": "this version has no fetch",
    "fetch_timeout_ms": "this version has no fetch",
    "max_response_body_bytes": "this version has no fetch",
    "MAX_FETCH_REDIRECTS": "this version has no fetch",
    "run_media_bytes": "this version has no media",
    "MAX_RANDOM_BYTES": "this version has no crypto",
    "MAX_EMIT_CALLS": "this version has no emit",
    "MAX_IMAGE_INPUT_BYTES": "this version has no images",
    "MAX_IMAGE_PIXELS": "this version has no images",
    "MAX_IMAGE_DIMENSION": "this version has no images",
    "MAX_DECODE_PIXELS": "this version has no images",
    "MAX_IMAGE_LAYERS": "this version has no images",
    "MAX_CANVAS_OPS": "this version has no canvas",
    "MAX_LOOP_ITERATIONS": "a number that the guest may read; it holds nothing",
    "PROGRESS_MIN_INTERVAL_MS": "held in the guest's C; see test_reports_come_no_faster_than_their_interval",
    "MAX_PARALLEL_MAP_CONCURRENCY": "held in the prelude; see test_parallel_map_runs_no_more_than_its_cap_at_once",
}
"""The limits of the table that no row here switches off, and why."""


def forgotten() -> list[str]:
    """Limits of the documentation's table that neither a row nor a reason speaks of."""
    named = {each.limit.partition(":")[0] for each in MUTATIONS} | NOT_SWITCHED_OFF.keys()
    return [row.name for row in (*LIMITS, *FIXED_LIMITS) if row.name not in named]


def bites(mutation: Mutation, tree: Path) -> str:
    """Nothing when a test turned red; else what went wrong."""
    path = tree / mutation.file
    before = path.read_text(encoding="utf-8")
    if before.count(mutation.text) != 1:
        return f"its text stands {before.count(mutation.text)} times in {mutation.file}: {mutation.text!r}"
    tests = [each for each in mutation.tests if (tree / each.partition("::")[0]).is_file()]
    if not tests:
        return f"none of its tests is there: {', '.join(mutation.tests)}"
    path.write_text(before.replace(mutation.text, mutation.instead), encoding="utf-8")
    try:
        return _verdict(_pytest(tests, tree))
    finally:
        path.write_text(before, encoding="utf-8")


def _verdict(code: int) -> str:
    if code == 1:
        return ""
    if code == 0:
        return "no test turned red"
    return f"pytest did not run its tests (exit code {code})"


def _pytest(tests: Sequence[str], tree: Path) -> int:
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            str(tree / each / "src") for each in ("core", "registry", "host_modules")
        ),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "--no-header",
        "--timeout",
        "20",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    try:
        done = subprocess.run(command, cwd=tree, env=env, check=False, capture_output=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return 1  # a test that hangs without its limit is as red as can be
    # pytest-timeout and a crash end the process with other codes, and both are red
    return done.returncode if done.returncode in (0, 2, 3, 4, 5) else 1


def wanted(names: Sequence[str]) -> Iterator[Mutation]:
    """The rows of those limits; all of them where no name is given."""
    for each in MUTATIONS:
        if not names or each.limit in names or each.limit.partition(":")[0] in names:
            yield each


def main(names: Sequence[str]) -> int:
    """0 when every limit that was switched off turned a test red."""
    rows = list(wanted(names))
    if not rows:
        print(f"no limit is named {list(names)}", file=sys.stderr)
        return 2
    problems = [f"{name}: neither a row nor a reason speaks of it" for name in forgotten()]
    with tempfile.TemporaryDirectory(prefix="limits-bite-") as folder:
        tree = Path(folder)
        for each in COPIED:
            source = ROOT / each
            if source.is_dir():
                shutil.copytree(source, tree / each, ignore=LEFT_OUT, symlinks=True)
            else:
                shutil.copy2(source, tree / each)
        sound = _pytest(
            sorted(
                {test for row in rows for test in row.tests if (tree / test.partition("::")[0]).is_file()}
            ),
            tree,
        )
        if sound != 0:
            print("the tests are red before anything is switched off", file=sys.stderr)
            return 2
        for row in rows:
            started = time.monotonic()
            problem = bites(row, tree)
            print(
                f"{'NOT RED' if problem else 'red    '} {time.monotonic() - started:5.1f} s  {row.limit}",
                flush=True,
            )
            if problem:
                problems.append(f"{row.limit}: {problem}")
    print(f"\n{len(rows)} limits switched off, {len(rows) - len(problems)} turned a test red")
    for name, reason in NOT_SWITCHED_OFF.items():
        print(f"  not switched off: {name} ({reason})")
    for problem in problems:
        print(f"NOT RED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
