"""The report, from Python: hand two files to a program that nobody has to trust, and use what it returns."""

from __future__ import annotations

import sys
from pathlib import Path

from nodetool_sandbox import Limits, Sandbox

HERE = Path(__file__).parent


def main() -> int:
    """0 when the program returned its report."""
    sandbox = Sandbox(
        limits=Limits(timeout_ms=5_000), on_log=lambda level, text: print(f"  [{level}] {text}")
    )
    result = sandbox.run_sync(
        (HERE / "report.js").read_text(encoding="utf-8"),
        modules=["@nodetool-ai/sandbox-csv", "@nodetool-ai/sandbox-yaml"],
        globals={
            "inputs": {
                "orders": (HERE / "orders.csv").read_text(encoding="utf-8"),
                "prices": (HERE / "prices.yaml").read_text(encoding="utf-8"),
            }
        },
    )
    if not isinstance(result.value, dict):
        print(f"the program failed: {result.error}", file=sys.stderr)
        return 1
    report = result.value
    print(f"  prices from {report['pricesFrom']:%d %B %Y}")
    for customer in report["customers"]:
        print(
            f"  {customer['name']:20} {customer['orders']} orders {customer['paid']:10.2f} {report['currency']}"
        )
    print(f"  {'together':20} {'':8} {report['total']:10.2f}, with tax {report['withTax']:.2f}")
    usage = result.usage
    print(
        f"  ({usage.host_calls} host calls, {usage.wall_ms:.0f} ms, {usage.peak_heap_bytes / 1024:.0f} KiB of memory)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
