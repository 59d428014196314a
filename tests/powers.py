"""A run that was given powers, and its expected end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, Unpack

from nodetool_sandbox import Cancel, Fetch, GuestError, Limits, RunResult, Sandbox, Secret, Secrets


class Given(TypedDict, total=False):
    """What such a run may be given beside its program."""

    fetch: Fetch | None
    secrets: Secrets | Mapping[str, str | Secret] | None
    limits: Limits | None
    globals: Mapping[str, object] | None
    cancel: Cancel | None


def run_with(code: str, **given: Unpack[Given]) -> RunResult:
    """The result of a program."""
    sandbox = Sandbox(fetch=given.get("fetch"), secrets=given.get("secrets"))
    return sandbox.run_sync(
        code, limits=given.get("limits"), globals=given.get("globals"), cancel=given.get("cancel")
    )


def value_with(code: str, **given: Unpack[Given]) -> object:
    """What a program returns that must succeed."""
    result = run_with(code, **given)
    assert result.success, result
    return result.value


def failure_with(code: str, **given: Unpack[Given]) -> GuestError:
    """The error of a program that must not succeed."""
    result = run_with(code, **given)
    assert result.error is not None, result
    return result.error
