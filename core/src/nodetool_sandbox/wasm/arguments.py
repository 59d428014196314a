"""What a program passes to a WebAssembly function, as the numbers that the function takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from nodetool_sandbox_registry.values import UNDEFINED, BigInt
from nodetool_sandbox_registry.wasm_contract import WasmFunction

MIN_I32: Final = -(2**31)
MAX_I32: Final = 2**31 - 1

_MAX_SHOWN_DIGITS: Final = 30


class ArgumentRefused(Exception):
    """Arguments that a function does not take. The message lacks the specifier."""


def convert_arguments(function: WasmFunction, given: object) -> list[int | float]:
    """The numbers for a call.

    Raises:
        ArgumentRefused: no list, another number of them, or one that the parameter's type does not hold.
            Nothing is rounded or wrapped to fit.
    """
    name = function.alias
    if not isinstance(given, list):
        raise ArgumentRefused(f"{name} was called with a non-list argument")
    arity = len(function.params)
    if len(given) != arity:
        raise ArgumentRefused(
            f"{name} takes {arity} argument{'' if arity == 1 else 's'}, received {len(given)}"
        )
    return [_convert(name, place, kind, each) for place, (kind, each) in enumerate(_pairs(function, given))]


def _pairs(function: WasmFunction, given: Sequence[object]) -> zip[tuple[str, object]]:
    return zip(function.params, given, strict=True)


def _convert(name: str, place: int, kind: str, value: object) -> int | float:
    number = _number(value)
    if kind == "i32":
        if number is not None and number.is_integer() and MIN_I32 <= number <= MAX_I32:
            return int(number)
        expected = f"i32 in the range {MIN_I32}...{MAX_I32}"
    else:
        if number is not None:
            return float(number)
        expected = f"{kind}, a number"
    raise ArgumentRefused(f"{name} argument {place} expects {expected}, received {_described(value)}")


def _number(value: object) -> float | None:
    """A JavaScript number; None where it is something else."""
    if isinstance(value, bool | BigInt) or not isinstance(value, int | float):
        return None
    return float(value)


def _described(value: object) -> str:
    if value is None:
        return "null"
    if value is UNDEFINED:
        return "undefined"
    if isinstance(value, BigInt):
        digits = str(value) if value.bit_length() < _MAX_SHOWN_DIGITS else "of many digits"
        return f"the bigint {digits}"
    if isinstance(value, bool | str):
        return f"a {'string' if isinstance(value, str) else 'boolean'} value"
    if isinstance(value, int | float):
        return _described_number(float(value))
    return "an array" if isinstance(value, list) else "an object value"


def _described_number(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return f"{number:.0f}" if number.is_integer() else f"the non-integer {number!r}"
