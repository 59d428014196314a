"""The demo: one useful program on the files in `examples/report`, then three that misbehave.

The useful one runs twice, through the command line and through Python. The others end as the limits say.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from nodetool_sandbox import INSTALLED, Limits, RunResult, Sandbox

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
REPORT = EXAMPLES / "report"
MIB = 1024 * 1024

COMMAND = "nodetool-sandbox run report.js --module all --input orders=@orders.csv --input prices=@prices.yaml"
MISBEHAVING = {
    "endless.js": Limits(timeout_ms=500),
    "hoard.js": Limits(memory_limit_bytes=16 * MIB),
    "escape.js": Limits(),
}


def main() -> int:
    """0 when the useful program succeeded and no other got anywhere."""
    say("A shop's orders (orders.csv) and its price list (prices.yaml) lie in examples/report, and")
    say("report.js, which nobody has to trust, makes a report of them. It sees those two texts, the")
    say("libraries for CSV and YAML, and nothing else of this machine.")

    heading("through the command line")
    say(f"$ {COMMAND}")
    program, *arguments = shlex.split(COMMAND)
    by_command = run(Path(sys.executable).with_name(program), *arguments)

    heading("through Python (examples/report/run.py)")
    by_python = run(sys.executable, "run.py")

    say("\nThree programs that misbehave. Each has its own fresh guest, and ends by itself or is ended:")
    sandbox = Sandbox()
    contained = True
    for name, limits in MISBEHAVING.items():
        code = (EXAMPLES / "misbehaving" / name).read_text(encoding="utf-8")
        heading(f"{name}: {code.splitlines()[0].removeprefix('// ')}")
        result = sandbox.run_sync(code, modules=INSTALLED, limits=limits)
        show(result)
        contained &= not result.success or (isinstance(result.value, dict) and result.value["found"] == [])
    return 0 if by_command and by_python and contained else 1


def run(*command: str | Path) -> bool:
    """Runs a program in the folder of the report, its output shown. Whether it ended with 0."""
    sys.stdout.flush()
    return subprocess.run(command, cwd=REPORT, check=False, timeout=60).returncode == 0


def say(line: str) -> None:
    """One line, before the output of whatever runs next."""
    print(line, flush=True)


def heading(text: str) -> None:
    """A line that says what comes."""
    say(f"\n--- {text}")


def show(result: RunResult) -> None:
    """How a run ended, and what it took."""
    if result.error is not None:
        where = f", line {result.error.line}" if result.error.line else ""
        say(f"  ended: {result.ended}. {result.error}{where}")
    else:
        say(f"  ended: {result.ended}. It found: {result.value}")
    usage = result.usage
    say(f"  ({usage.wall_ms:.0f} ms, {usage.peak_heap_bytes / 1024:,.0f} KiB of memory)")


if __name__ == "__main__":
    sys.exit(main())
