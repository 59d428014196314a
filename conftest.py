"""What all tests share: how hypothesis looks, what is built once, threads that do not linger."""

from __future__ import annotations

import os

from hypothesis import settings
from nodetool_sandbox import threads

# No deadline: how long an example takes says something about the machine, not about the law.
settings.register_profile("dev", max_examples=50, deadline=None)
# The same examples on each run, so that a change is blamed only for what it changed.
settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

pytest_plugins = ["built_wheels"]

# Many tests look whether a thread was left behind, and would each wait for those that are kept for a run to come.
threads.KEPT_S = threads.LINGER_S  # type: ignore[misc]
