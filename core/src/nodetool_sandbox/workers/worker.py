"""The program of a worker process: `python -I worker.py <life> <memory>`.

It is started by path with nothing on its path but the standard library, so it imports nothing of
ours before it was told where that is. `life` is a pipe on which nothing is ever said: the embedding
process holds the other end, and when that closes this process has nobody to work for. `memory` are the bytes
that it may take.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import FileIO


def main() -> None:
    """Serve until the pipe closes."""
    requests, replies = FileIO(os.dup(0)), FileIO(os.dup(1), "w")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)  # what a library prints must not be taken for an answer
    os.dup2(null, 1)
    os.close(null)
    os.environ.clear()
    # a library that counts the processors would take memory for a thread on each
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    size = int.from_bytes(requests.read(4), "big")
    greeting = b""
    while len(greeting) < size:
        part = requests.read(size - len(greeting))
        if not part:
            return
        greeting += part
    module, attribute, *sys.path = os.fsdecode(greeting).split("\0")
    caps = import_module("nodetool_sandbox.workers.caps")
    caps.end_with(int(sys.argv[1]))
    caps.cap_process(int(sys.argv[2]))
    serving = import_module("nodetool_sandbox.workers.serving")
    serving.serve(requests, replies, lambda: getattr(import_module(module), attribute))


if __name__ == "__main__":
    main()
