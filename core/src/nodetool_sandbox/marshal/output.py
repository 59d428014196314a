"""What leaves a run: its value within the output limits, as JSON text, and back in the caller's globals."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Final

from nodetool_sandbox_registry.values import UNDEFINED, JSDate, JSMap, JSSet, Undefined

from nodetool_sandbox.errors import TRUNCATED, LimitExceeded
from nodetool_sandbox.limits import MAX_OUTPUT_BYTES
from nodetool_sandbox.marshal.wire import epoch_ms, time_clip


def result_text(value: object) -> str:
    """The JSON text of a value from the guest, as `JSON.stringify` would write it, and it never refuses.

    A BigInt is written as its digits, bytes as base64 text, a part inside of itself as "[Circular]".
    """
    return "".join(_json_pieces(value, bytes_text=_base64_text, map_content=False, longest=None))


def limit_output(value: object, max_output_size: int) -> object:
    """The value as it leaves a run: itself when it is small enough, else a text that is cut and marked.

    Counted is its JSON text, with maps and sets as lists of what they hold and each byte array as a
    short mark. A text that is too long is cut; anything else becomes its JSON text, cut.

    Raises:
        LimitExceeded: its byte arrays hold more than `MAX_OUTPUT_BYTES` together.
    """
    if isinstance(value, str):
        return value if len(value) <= max_output_size else value[:max_output_size] + TRUNCATED
    if _surely_fits(value, max_output_size):
        return value
    seen_bytes = 0

    def bytes_text(data: bytes) -> str:
        nonlocal seen_bytes
        seen_bytes += len(data)
        return f'"[{len(data)} bytes]"'

    pieces: list[str] = []
    size = 0
    for piece in _json_pieces(value, bytes_text=bytes_text, map_content=True, longest=max_output_size + 1):
        pieces.append(piece)
        size += len(piece)
        if size > max_output_size:
            return "".join(pieces)[:max_output_size] + TRUNCATED
    if seen_bytes > MAX_OUTPUT_BYTES:
        raise LimitExceeded(
            limit="MAX_OUTPUT_BYTES", allowed=MAX_OUTPUT_BYTES, seen=seen_bytes, what="the returned value"
        )
    return value


def _surely_fits(value: object, characters: int) -> bool:
    """Whether plain lists and objects certainly fit, told without writing their text.

    Most results are small; this takes a tenth of the time that writing them takes.
    """
    level: list[object] = [value]
    room: float = characters
    while level and room >= 0:
        inner: list[object] = []
        texts: list[str] = []
        for each in level:
            # Two for brackets, or for a comma and the colon before it.
            room -= 2 + _most_characters(each)
            if isinstance(each, dict):
                texts += each
                inner += each.values()
            elif isinstance(each, list):
                inner += each
            elif isinstance(each, str):
                texts.append(each)
            if room < len(inner) + len(texts):
                return False
        for text in texts:
            room -= 3 + len(text)
            if room < 0:
                return False
            room -= len(_quoted(text)) - len(text)
        level = inner
    return room >= 0


def _most_characters(value: object) -> float:
    """The most that the value's own text takes, but for texts and what is inside of it."""
    kind = type(value)
    if kind in _MEASURED:
        return 0
    if kind is int:
        return len(repr(value))
    return _SHORT_LEAF_CHARACTERS if kind in _SHORT_LEAVES else math.inf


_MEASURED: Final = frozenset({dict, list, str})
_SHORT_LEAVES: Final = frozenset({type(None), bool, float, datetime, JSDate, Undefined})
_SHORT_LEAF_CHARACTERS: Final = 32
"""No leaf of those types takes more: a float at most 25 characters, a date at most 29."""


def _json_pieces(
    root: object, *, bytes_text: Callable[[bytes], str], map_content: bool, longest: int | None
) -> Iterator[str]:
    """The JSON text in pieces; no text in it is written past `longest` characters."""

    def leaf(value: object) -> str:
        if isinstance(value, str):
            return _quoted(value[:longest])
        return bytes_text(value) if isinstance(value, bytes) else _leaf_text(value)

    open_parts = [iter([("", root)])]
    closing = [""]
    path: list[int] = [0]
    on_path: set[int] = set()
    while open_parts:
        step = next(open_parts[-1], None)
        if step is None:
            open_parts.pop()
            on_path.discard(path.pop())
            yield closing.pop()
            continue
        before, value = step
        part = _json_part(value, map_content=map_content)
        if part is None:
            yield before + leaf(value)
        elif id(value) in on_path:
            yield before + '"[Circular]"'
        else:
            brackets, children = part
            yield before + brackets[0]
            open_parts.append(children)
            closing.append(brackets[1])
            path.append(id(value))
            on_path.add(id(value))


def _json_part(value: object, *, map_content: bool) -> tuple[str, Iterator[tuple[str, object]]] | None:
    """The brackets and the children of a container, each with the text before it; None for a leaf."""
    if isinstance(value, dict):
        return "{}", _json_members(value)
    if isinstance(value, list | tuple):
        return "[]", _json_elements(value)
    if isinstance(value, JSMap):
        return ("[]", _json_elements(value.entries)) if map_content else ("{}", iter(()))
    if isinstance(value, JSSet):
        return ("[]", _json_elements(value.members)) if map_content else ("{}", iter(()))
    return None


def _json_elements(items: Iterable[object]) -> Iterator[tuple[str, object]]:
    before = ""
    for each in items:
        yield before, each
        before = ","


def _json_members(members: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    before = ""
    for key, each in members.items():
        if each is not UNDEFINED and not callable(each):
            yield f"{before}{_quoted(key)}:", each
            before = ","


def _leaf_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, float):
        return _number_text(value)
    if isinstance(value, datetime):
        return _date_text(epoch_ms(value))
    if isinstance(value, JSDate):
        return _date_text(value.epoch_ms)
    return "null"  # null itself, undefined and functions, the latter two in an array


def _digits(value: int) -> str:
    # Python refuses to write more than some 4,300 digits with str(); Decimal has no such limit.
    return str(value) if value.bit_length() < _MANY_BITS else format(Decimal(value), "f")


_MANY_BITS: Final = 2_000


def _number_text(value: float) -> str:
    """Number::toString of ECMA-262, and null for what JSON cannot say."""
    if not math.isfinite(value):
        return "null"
    text = repr(value)
    if "e" not in text and not text.endswith(".0"):
        return text
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(text).normalize().as_tuple()
    shown = "".join(map(str, digits))
    # The point stands after so many digits.
    point = len(shown) + int(exponent)
    if len(shown) <= point <= _MAX_PLAIN_DIGITS:
        shown = shown.ljust(point, "0")
    elif _MIN_PLAIN_POINT < point <= 0:
        shown = "0." + "0" * -point + shown
    else:
        mantissa = shown if len(shown) == 1 else f"{shown[0]}.{shown[1:]}"
        shown = f"{mantissa}e{point - 1:+d}"
    return "-" * sign + shown


_MAX_PLAIN_DIGITS: Final = 21
_MIN_PLAIN_POINT: Final = -6


def _date_text(epoch_ms: float) -> str:
    """The text of `Date.prototype.toJSON`, quoted; null for an invalid one."""
    clipped = time_clip(epoch_ms)
    if math.isnan(clipped):
        return "null"
    days, ms = divmod(int(clipped), _MS_A_DAY)
    # Python's calendar has the years 1 to 9999; 400 years later every date is the same.
    cycles, day = divmod(days + _DAYS_BEFORE_1970, _DAYS_IN_400_YEARS)
    in_cycle = date.fromordinal(day + 1)
    year = in_cycle.year + 400 * cycles
    shown = f"{year:04d}" if 0 <= year <= _MAX_PLAIN_YEAR else f"{year:+07d}"
    clock = time(ms // 3_600_000, ms // 60_000 % 60, ms // 1000 % 60, ms % 1000 * 1000)
    return f'"{shown}-{in_cycle:%m-%d}T{clock.isoformat("milliseconds")}Z"'


_MS_A_DAY: Final = 86_400_000
_DAYS_BEFORE_1970: Final = date(1970, 1, 1).toordinal() - 1
_DAYS_IN_400_YEARS: Final = 146_097
_MAX_PLAIN_YEAR: Final = 9999

_quoting = json.JSONEncoder(ensure_ascii=False)
_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def _quoted(text: str) -> str:
    quoted = _quoting.encode(text)
    return quoted if quoted.isascii() else _SURROGATES.sub(_surrogate_text, quoted)


def _surrogate_text(found: re.Match[str]) -> str:
    units = found.group()
    if len(units) == 1:
        return f"\\u{ord(units):04x}"
    return units.encode("utf-16", "surrogatepass").decode("utf-16")


def _base64_text(data: bytes) -> str:
    return f'"{base64.b64encode(data).decode()}"'


def replace_in_place(target: dict[str, object] | list[object], fresh: object) -> None:
    """Make a caller's object hold what the guest left in it, keeping the object itself.

    A value of the other shape leaves it empty; what is no object of the guest at all (null, a number,
    text, undefined, a function) means that the name was given to something else, and changes nothing.
    """
    if fresh is None or callable(fresh) or isinstance(fresh, str | int | float | Undefined):
        return
    if isinstance(target, list):
        target[:] = fresh if isinstance(fresh, list) else []
        return
    members = dict(fresh) if isinstance(fresh, dict) else {}
    target.clear()
    target.update(members)
