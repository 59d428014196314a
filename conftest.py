"""How hypothesis looks for counter-examples: a few while working, many in CI. And what is built once for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: how long an example takes says something about the machine, not about the law.
settings.register_profile("dev", max_examples=50, deadline=None)
# The same examples on each run, so that a change is blamed only for what it changed.
settings.register_profile("ci", max_examples=300, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

pytest_plugins = ["built_wheels"]
