"""What every test of the host modules may ask for."""

from __future__ import annotations

import pytest
from host_calls import Call, call_export


@pytest.fixture
def call() -> Call:
    """`call("csv.parse", text, options)`: what the dispatcher does, without the wall."""
    return call_export
