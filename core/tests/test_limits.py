from __future__ import annotations

import dataclasses
import math

import nodetool_sandbox.limits as table
import pytest
from nodetool_sandbox.limits import FIXED_LIMITS, LIMITS, MIB, LimitRow, Limits

ROWS = pytest.mark.parametrize("row", LIMITS, ids=lambda row: row.name)
MANDATORY = pytest.mark.parametrize(
    "row", [row for row in LIMITS if row.default is not None], ids=lambda row: row.name
)


def test_the_table_has_every_field_and_the_fields_have_its_defaults() -> None:
    assert [row.name for row in LIMITS] == [each.name for each in dataclasses.fields(Limits)]
    assert all(getattr(Limits(), row.name) == row.default for row in LIMITS)


def test_the_defaults_are_those_that_programs_were_written_for() -> None:
    limits = Limits()
    assert limits.timeout_ms == 30_000
    assert limits.max_fetch_calls == 20
    assert limits.max_response_body_bytes == 1_000_000
    assert limits.max_output_size == 100_000
    assert limits.memory_limit_bytes == 64 * MIB
    assert limits.stack_limit_bytes == 512 * 1024
    assert limits.fetch_timeout_ms == 15_000
    assert limits.suspend_allowance_ms == 1_800_000
    assert limits.max_host_calls == 100_000
    assert limits.max_steps is None


def test_absurd_values_clamp_to_the_known_ceilings() -> None:
    absurd = {row.name: 10**30 for row in LIMITS}
    limits = Limits(**absurd).clamped()
    assert limits.max_fetch_calls == 100
    assert limits.max_response_body_bytes == 50 * MIB
    assert limits.max_output_size == 10 * MIB
    assert limits.memory_limit_bytes == 512 * MIB
    assert limits.stack_limit_bytes == 8 * MIB
    assert limits.fetch_timeout_ms == 120_000


def test_the_defaults_are_within_their_own_bounds() -> None:
    assert Limits().clamped() == Limits()


@ROWS
@pytest.mark.parametrize("value", [0, -1, -(10**30), 10**30, 1.5, -0.5, 1e300])
def test_any_number_ends_between_the_least_and_the_most(row: LimitRow, value: float) -> None:
    clamped = getattr(Limits(**{row.name: value}).clamped(), row.name)  # type: ignore[arg-type]
    assert type(clamped) is int
    assert row.minimum is not None
    assert row.ceiling is not None
    assert row.minimum <= clamped <= row.ceiling
    assert clamped == max(row.minimum, min(math.floor(value), row.ceiling))


@ROWS
def test_the_bounds_themselves_stay_and_one_more_does_not(row: LimitRow) -> None:
    assert row.minimum is not None
    assert row.ceiling is not None
    for value, kept in (
        (row.minimum, row.minimum),
        (row.minimum - 1, row.minimum),
        (row.ceiling, row.ceiling),
        (row.ceiling + 1, row.ceiling),
    ):
        assert getattr(Limits(**{row.name: value}).clamped(), row.name) == kept


@ROWS
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=str)
def test_what_is_not_finite_is_refused_by_name(row: LimitRow, value: float) -> None:
    with pytest.raises(ValueError, match=row.name):
        Limits(**{row.name: value})  # type: ignore[arg-type]


@MANDATORY
@pytest.mark.parametrize("value", ["30", True, False, None, b"1", [], 1j], ids=repr)
def test_what_is_no_number_is_refused_by_name(row: LimitRow, value: object) -> None:
    with pytest.raises(TypeError, match=row.name):
        Limits(**{row.name: value})  # type: ignore[arg-type]


def test_the_step_budget_alone_may_be_absent() -> None:
    assert [row.name for row in LIMITS if row.default is None] == ["max_steps"]
    assert Limits(max_steps=None).clamped().max_steps is None
    assert Limits(max_steps=0).clamped().max_steps == 1
    with pytest.raises(TypeError, match="max_steps"):
        Limits(max_steps="1")  # type: ignore[arg-type]


def test_what_counts_as_a_whole_number_is_taken() -> None:
    class Whole:
        def __index__(self) -> int:
            return 77

    assert Limits(max_fetch_calls=Whole()).max_fetch_calls == 77  # type: ignore[arg-type]


def test_every_fixed_row_tells_the_constant_of_its_name() -> None:
    assert {row.name: row.default for row in FIXED_LIMITS} == {
        row.name: getattr(table, row.name) for row in FIXED_LIMITS
    }


def test_every_constant_that_is_a_limit_has_a_row() -> None:
    constants = {name for name in vars(table) if name.startswith(("MAX_", "SERIALIZE_", "PROGRESS_"))}
    assert constants == {row.name for row in FIXED_LIMITS}
