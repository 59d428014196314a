"""Values that can cross, for the laws."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from nodetool_sandbox_registry.values import UNDEFINED, BigInt, JSDate, JSMap, JSSet

# JavaScript's text is any sequence of code units. A pair of halves is one character there, so the
# halves are drawn alone, between characters that are none.
_texts = st.lists(
    st.text(max_size=8) | st.sampled_from(["\0", "\ud800-", "\udfff-", "\N{GRINNING FACE}", "\u2028"]),
    max_size=3,
).map("".join)

_FIRST = datetime.min.replace(tzinfo=UTC)
_MS_OF_ALL_YEARS = (datetime.max.replace(tzinfo=UTC) - _FIRST) // timedelta(milliseconds=1)
_dates = st.integers(0, _MS_OF_ALL_YEARS).map(lambda ms: _FIRST + timedelta(milliseconds=ms))


def leaves() -> st.SearchStrategy[object]:
    """Values that hold no others, each with itself as its twin on the other side."""
    return (
        st.none()
        | st.booleans()
        | st.just(UNDEFINED)
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.integers().map(BigInt)
        | st.integers(-(2**70), 2**70)
        | st.floats(allow_nan=False)
        | _texts
        | st.binary(max_size=20)
        | _dates
        | st.sampled_from([JSDate(8.64e15), JSDate(-8.64e15), JSDate(-62135596800001.0), JSDate(math.nan)])
    )


def values() -> st.SearchStrategy[object]:
    """Any value that comes back from a trip through the wire equal to itself."""
    return st.recursive(
        leaves(),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(_texts, inner, max_size=4)
            | st.lists(st.tuples(inner, inner), max_size=3).map(lambda each: JSMap(tuple(each)))
            | st.lists(inner, max_size=3).map(lambda each: JSSet(tuple(each)))
        ),
        max_leaves=20,
    )


def as_told(value: object) -> object:
    """`value` in a form that tells what `==` does not: types, the sign of zero, NaN, the order of keys."""
    if isinstance(value, float) or type(value) is bool:
        return repr(value)
    if isinstance(value, JSDate):
        return ("JSDate", repr(value.epoch_ms))
    if isinstance(value, int):
        # An int beyond the safe range crosses as a BigInt.
        return ("BigInt" if type(value) is BigInt or abs(value) >= 2**53 else "int", int(value))
    if isinstance(value, dict):
        return ("dict", [(key, as_told(each)) for key, each in value.items()])
    if isinstance(value, list | tuple):
        return (type(value).__name__, [as_told(each) for each in value])
    if isinstance(value, JSMap | JSSet):
        return (type(value).__name__, [as_told(each) for each in value])
    return (type(value).__name__, value)
