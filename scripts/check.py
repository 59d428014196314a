"""Every check, in turn: `check.py` runs all, `check.py lint types` those two.

A failing check does not keep the next from running; the summary names them all, and the exit code is 1 if
any failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent

# One mypy run a part: test folders of two parts may hold files of one name.
TYPED_PARTS = {
    "core": ("core/src", "core/guest_build", "core/hatch_build.py", "core/tests"),
    "registry": ("registry/src", "registry/tests"),
    "host_modules": ("host_modules/src", "host_modules/tests"),
    "compiler": ("compiler/src", "compiler/tests"),
    "packs": ("packs",),
    "root": ("tests", "scripts", "examples", "conftest.py", "docs/conf.py"),
}
# Where a line or branch that no test reaches fails the check. Elsewhere coverage is reported.
FULLY_COVERED = (
    "registry/src/*",
    "core/src/nodetool_sandbox/limits.py",
    "core/src/nodetool_sandbox/dispatch.py",
    "core/src/nodetool_sandbox/host_calls.py",
    "core/src/nodetool_sandbox/marshal/*",
    "core/src/nodetool_sandbox/files/*",
    "core/src/nodetool_sandbox/link.py",
    "core/src/nodetool_sandbox/wasm/arguments.py",
    "core/src/nodetool_sandbox/wasm/calls.py",
)
TESTS_TIMEOUT_S = 45 * 60


def main(wanted: Sequence[str]) -> int:
    """0 when every wanted check passed."""
    if unknown := [name for name in wanted if name not in CHECKS]:
        print(f"no check is named {unknown}; there are: {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    outcomes: list[tuple[str, bool, float]] = []
    for name in wanted or CHECKS:
        print(f"\n=== {name} ===", flush=True)
        started = time.monotonic()
        passed = CHECKS[name]()
        outcomes.append((name, passed, time.monotonic() - started))
    print("\n=== summary ===")
    for name, passed, seconds in outcomes:
        print(f"{'ok    ' if passed else 'FAILED'} {name:10} {seconds:7.1f} s")
    failed = [name for name, passed, _ in outcomes if not passed]
    if failed:
        print(f"\nfailed: {', '.join(failed)}. Again: .venv/bin/python scripts/check.py {' '.join(failed)}")
    return 1 if failed else 0


def check_lock() -> bool:
    """uv.lock says what the pyproject files ask for."""
    return run(BIN / "uv", "lock", "--check")


def check_format() -> bool:
    """Every Python file is as ruff would write it."""
    return run(BIN / "ruff", "format", "--check", ".")


def check_lint() -> bool:
    """Ruff has nothing to say."""
    return run(BIN / "ruff", "check", ".")


def check_types() -> bool:
    """Strict mypy passes on each part."""
    passed = True
    for part, paths in TYPED_PARTS.items():
        present = [path for path in paths if _holds_python(ROOT / path)]
        if present:
            passed &= run(BIN / "mypy", f"--cache-dir=.mypy_cache/{part}", *present)
    return passed


def check_imports() -> bool:
    """The arrows between the parts, and the layers inside core."""
    return run(BIN / "lint-imports", "--cache-dir", ".import_linter_cache")


def check_generated() -> bool:
    """Generated text that is checked in is what its script writes today."""
    return run(sys.executable, "scripts/generate.py", "--check")


def check_tests() -> bool:
    """All tests, branch coverage measured; full coverage where a gap would be a hole."""
    passed = run(sys.executable, "-m", "pytest", "--cov", "--cov-report=", timeout_s=TESTS_TIMEOUT_S)
    print("\n--- coverage, reported", flush=True)
    run(sys.executable, "-m", "coverage", "report")
    print("\n--- coverage, 100 % required", flush=True)
    gate = ",".join(FULLY_COVERED)
    return run(sys.executable, "-m", "coverage", "report", f"--include={gate}", "--fail-under=100") and passed


def check_docs() -> bool:
    """The documentation builds without a warning, and every change's fragment can be read."""
    built = run(
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-n",
        "-q",
        "-E",
        "-b",
        "html",
        "docs",
        "docs/_build/html",
    )
    return run(BIN / "towncrier", "build", "--draft", "--date", "unreleased") and built


CHECKS: dict[str, Callable[[], bool]] = {
    "lock": check_lock,
    "format": check_format,
    "lint": check_lint,
    "types": check_types,
    "imports": check_imports,
    "generated": check_generated,
    "tests": check_tests,
    "docs": check_docs,
}


def run(program: str | Path, *args: str, timeout_s: float | None = None) -> bool:
    """Runs a tool from the root, its output shown. Whether it ended with 0."""
    print(f"$ {Path(program).name} {' '.join(args)}", flush=True)
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    try:
        return (
            subprocess.run([program, *args], cwd=ROOT, env=env, check=False, timeout=timeout_s).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        print(f"stopped after {timeout_s:.0f} s")
        return False


def _holds_python(path: Path) -> bool:
    return path.is_file() or any(path.rglob("*.py"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
