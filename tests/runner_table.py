"""A host table in place of the installed one: `csv.parse` does what its text says."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from nodetool_sandbox_registry.hosts import Deadline, HostExport, HostId, HostModule


def parse(args: Sequence[object], _deadline: Deadline) -> object:
    """`stuck` is in C for hours, `die` crashes, `pid` tells the process; anything else comes back."""
    match args[0]:
        case "stuck":
            return re.match(r"(a+)+$", "a" * 40 + "b") is None
        case "die":
            os._exit(1)
        case "pid":
            return os.getpid()
    return args[0]


HOSTS = {"csv": HostModule(host_id=HostId("csv"), exports=(HostExport(name="parse", function=parse),))}
