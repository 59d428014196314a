"""A program that reaches for a power that its run was not given hears how to give it."""

from __future__ import annotations

import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox.surface import HOW_TO_GRANT, POWERS


@pytest.mark.parametrize(
    ("power", "name"), [(power, name) for power, names in POWERS.items() for name in names]
)
def test_the_error_names_the_argument_and_the_flag(power: str, name: str) -> None:
    result = Sandbox().run_sync(f"return {name}")
    assert result.error is not None
    assert result.error.name == "ReferenceError"
    assert (
        result.error.message
        == f"{name} is not defined: this run was not given it (pass {HOW_TO_GRANT[power]})"
    )
    assert Sandbox().run_sync(f"return typeof {name}").value == "undefined"


def test_another_name_gets_no_such_advice() -> None:
    result = Sandbox().run_sync("return fetcher")
    assert result.error is not None
    assert result.error.message == "fetcher is not defined"
