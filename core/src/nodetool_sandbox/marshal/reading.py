"""The guest's messages as Python values: the border, which believes nothing."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgpack
from nodetool_sandbox_registry.values import (
    MAX_SAFE_INTEGER,
    UNDEFINED,
    BigInt,
    JSDate,
    JSMap,
    JSSet,
    Undefined,
)

from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal.wire import (
    EPOCH,
    MAX_BIGINT_BYTES,
    MAX_DEPTH,
    MAX_HOST_CONTAINERS,
    MAX_HOST_VALUES,
    TEXT_ONLY,
    Ext,
    FunctionTable,
    time_clip,
)

_MAX_C_DECODED_BYTES: Final = 4 * 1024 * 1024
_MAX_NESTED_FACTOR: Final = 32

Marks = Literal["text", "refuse"]
"""What becomes of the guest's marks for a cycle and for too deep a part: a text, or a refusal."""


def to_host(
    payload: bytes | bytearray | memoryview,
    *,
    max_bytes: int,
    refs: bool = False,
    functions: FunctionTable | None = None,
    marks: Marks = "text",
    circular: str = "[Circular]",
    too_deep: str = "[Depth limit]",
) -> object:
    """The value in a message of the guest, made of plain types alone.

    A key that occurs twice in an object counts as it does in JSON: the last one stays. The memory
    that decoding takes is at most about 25 times the message and never more than some 150 MB above
    its byte arrays and texts.

    Raises:
        MarshalError: the message is longer than `max_bytes`, malformed, deeper than `MAX_DEPTH`, of
            more than `MAX_HOST_VALUES` values, refers back without `refs`, names a function that is
            not in `functions`, or is marked cyclic or too deep and `marks` is "refuse".
    """
    data = bytes(payload)
    if len(data) > max_bytes:
        msg = f"a message of {len(data):,} bytes where {max_bytes:,} are allowed"
        raise MarshalError(msg)
    header = _BYTES_HEADERS.get(data[:1], 0)
    if header and len(data) >= header and int.from_bytes(data[1:header], "big") == len(data) - header:
        return data[header:]  # nothing but bytes: no value to count and none to look into
    reader = _Reader(
        refs=refs, functions=functions, marks=marks, circular=circular, too_deep=too_deep, size=len(data)
    )
    try:
        if len(data) <= _MAX_C_DECODED_BYTES:
            value = reader.plain(data)
            if value is not _NOT_PLAIN:
                return value
        return reader.exact(data)
    except _MALFORMED as error:
        msg = f"a malformed message ({type(error).__name__})"
        raise MarshalError(msg) from None


def content_bytes(payload: bytes) -> int:
    """How much a message holds without its framing: of bytes and text, and of an object of those, their own length.

    Whatever else stands there, malformed or not, counts with all of its bytes.
    """
    if payload[:1] in _MAP_HEADERS:
        walk = _unpacker(payload)
        try:
            count = walk.read_map_header()
            held = 0
            for _ in range(min(count, _MAX_COUNTED_MEMBERS)):
                walk.skip()
                begin = walk.tell()
                walk.skip()
                end = walk.tell()
                held += end - begin - _header_size(payload[begin])
            rest = len(payload) - int(walk.tell())
        except _MALFORMED:
            return len(payload)
        return int(held) + rest
    return len(payload) - (_header_size(payload[0]) if payload else 0)


_MAP_HEADERS: Final = frozenset(bytes([each]) for each in (*range(0x80, 0x90), 0xDE, 0xDF))
_MAX_COUNTED_MEMBERS: Final = 20_000


def _header_size(first: int) -> int:
    """The bytes before the content of a text or of bytes, told by the first of them; 0 for any other value."""
    if 0xA0 <= first <= 0xBF:  # noqa: PLR2004  (a short text, by MessagePack's table)
        return 1
    return {0xC4: 2, 0xC5: 3, 0xC6: 5, 0xD9: 2, 0xDA: 3, 0xDB: 5}.get(first, 0)


class _NotPlainError(Exception):
    """Raised through msgpack: the message holds what only the exact way reads."""


_NOT_PLAIN: Final = object()
_MALFORMED: Final = (ValueError, OverflowError, msgpack.UnpackException, MemoryError)
_HOST_LEAVES: Final = frozenset(
    {type(None), bool, int, float, str, bytes, datetime, JSDate, Undefined, BigInt}
)
_BYTES_HEADERS: Final = {b"\xc4": 2, b"\xc5": 3, b"\xc6": 5}
_UINT64: Final = b"\xcf"
_INT64: Final = b"\xd3"
# A list costs its header on the wire and 56 bytes here, an object up to 230: the first byte of every
# container is one of these, so deleting all others tells at once how many there can be.
_CONTAINER_BYTES: Final = frozenset([*range(0x80, 0xA0), *range(0xDC, 0xE0)])
_OTHER_BYTES: Final = bytes(each for each in range(256) if each not in _CONTAINER_BYTES)


class _Reader:
    """Reads one message."""

    def __init__(
        self,
        *,
        refs: bool,
        functions: FunctionTable | None,
        marks: Marks,
        circular: str,
        too_deep: str,
        size: int,
    ) -> None:
        self._refs = refs
        self._functions = functions
        self._marks = marks
        self._circular = circular
        self._too_deep = too_deep
        self._nested_budget = max(size * _MAX_NESTED_FACTOR, 1024 * 1024)
        self._values = 0
        self._containers: list[object] = []

    # The way of most messages: two passes in C, then a look at the containers alone.

    def plain(self, data: bytes) -> object:
        """The value, or `_NOT_PLAIN` when it takes the exact way."""
        if len(data) > MAX_HOST_CONTAINERS and len(data.translate(None, _OTHER_BYTES)) > MAX_HOST_CONTAINERS:
            return _NOT_PLAIN
        # Skipping allocates nothing, so a header that promises more than the message holds ends here.
        skipping = _unpacker(data)
        skipping.skip()
        if skipping.tell() != len(data):
            msg = "a malformed message (more than one value)"
            raise MarshalError(msg)
        try:
            value = msgpack.unpackb(
                data,
                raw=False,
                unicode_errors="surrogatepass",
                strict_map_key=True,
                ext_hook=self._plain_leaf,
            )
        except _NotPlainError:
            return _NOT_PLAIN
        # Two searches for one byte run at the speed of memory; one for a set of them does not.
        wide = _UINT64 in data or _INT64 in data
        return value if self._is_plain(value, wide=wide) else _NOT_PLAIN

    def _is_plain(self, value: object, *, wide: bool) -> bool:
        """Whether it can stay as msgpack made it; raises where nothing can."""
        level: list[Any] = [value]
        values = 0
        for _ in range(MAX_DEPTH + 1):
            if wide and any(type(each) is int and _is_unsafe(each) for each in level):
                return False
            level = [each for each in level if type(each) not in _HOST_LEAVES]
            if not level:
                return True
            inner: list[Any] = []
            for each in level:
                if type(each) is dict:
                    if not TEXT_ONLY.issuperset(map(type, each)):
                        raise _not_text()
                    inner += each.values()
                elif type(each) is list:
                    inner += each
                else:
                    raise _unknown(f"a {type(each).__name__}")
            values += len(inner)
            if values > MAX_HOST_VALUES:
                raise _too_many()
            level = inner
        raise _too_nested()

    def _plain_leaf(self, code: int, data: bytes) -> object:
        if code in _EXACT_ONLY:
            raise _NotPlainError
        return self._leaf(code, data)

    # The exact way: one value at a time, every one of them counted.

    def exact(self, data: bytes) -> object:
        """The value, at about a microsecond for each that it holds."""
        root: list[object] = []
        stack = [_Reading(source=_Source(data), left=1, target=root, ends_source=True)]
        while stack:
            top = stack[-1]
            if top.left:
                top.left -= 1
                top.next_key()
                top.put(self._next(top.source, stack))
            else:
                stack.pop().close()
        return root[0]

    def _next(self, source: _Source, stack: list[_Reading]) -> object:
        self._values += 1
        # The root counts too, so it is one more than the values inside of it.
        if self._values > MAX_HOST_VALUES + 1:
            raise _too_many()
        target, size = source.header()
        if target is not None:
            self._opens(target, stack)
            stack.append(_Reading(source=source, left=size, target=target))
            return target
        value = source.leaf()
        if isinstance(value, msgpack.ExtType):
            return self._extension(value.code, value.data, stack)
        if type(value) is int and _is_unsafe(value):
            return BigInt(value)
        if type(value) not in _HOST_LEAVES:
            raise _unknown(f"a {type(value).__name__}")
        return value

    def _opens(self, container: object, stack: list[_Reading]) -> None:
        # The pretend list around the root is on the stack, and it is no container of the message.
        if len(stack) > MAX_DEPTH:
            raise _too_nested()
        if len(self._containers) == MAX_HOST_CONTAINERS:
            raise _too_many()
        self._containers.append(container)

    def _extension(self, code: int, data: bytes, stack: list[_Reading]) -> object:
        if code in {Ext.MAP, Ext.SET}:
            # Each level of nesting copies what is inside of it, so the copies have a budget.
            self._nested_budget -= len(data)
            if self._nested_budget < 0:
                raise _too_nested()
            box: JSMap | JSSet = JSMap() if code == Ext.MAP else JSSet()
            self._opens(box, stack)
            source = _Source(data)
            target, size = source.header()
            if type(target) is not list:
                raise _unknown(f"a {Ext(code).name} that is no list")
            stack.append(_Reading(source=source, left=size, target=target, box=box, ends_source=True))
            return box
        if code == Ext.REF and self._refs:
            number = _number(data)
            if number >= len(self._containers):
                raise _unknown("a reference to nothing")
            return self._containers[number]
        if code == Ext.FUNCTION and self._functions is not None:
            function = self._functions.function(_number(data))
            if function is None:
                raise _unknown("a function that was never given")
            return function
        return self._leaf(code, data)

    def _leaf(self, code: int, data: bytes) -> object:
        if code == Ext.BIGINT and 1 <= len(data) <= MAX_BIGINT_BYTES:
            return BigInt.from_bytes(data, "big", signed=True)
        if code == Ext.DATE and len(data) == _DATE_BYTES:
            return _date_twin(struct.unpack(">d", data)[0])
        if not data:
            if code == Ext.UNDEFINED:
                return UNDEFINED
            if code == Ext.CIRCULAR:
                return self._mark(self._circular, "the value is cyclic; a cycle cannot cross here")
            if code == Ext.TOO_DEEP:
                return self._mark(self._too_deep, "the value is nested too deep to cross")
        raise _unknown(f"extension {code} of {len(data):,} bytes")

    def _mark(self, text: str, refusal: str) -> str:
        if self._marks == "refuse":
            raise MarshalError(refusal)
        return text


_EXACT_ONLY: Final = frozenset({Ext.MAP, Ext.SET, Ext.REF, Ext.FUNCTION})
_DATE_BYTES: Final = 8
_NUMBER_BYTES: Final = 4


class _Source:
    """The bytes of a message, or of a map or set inside of one, read from front to back."""

    __slots__ = ("_data", "_unpacker")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._unpacker = _unpacker(data)

    def at_end(self) -> bool:
        return bool(self._unpacker.tell() == len(self._data))

    def header(self) -> tuple[list[object] | dict[str, object] | None, int]:
        """An empty container and how much belongs into it, or None when a leaf comes next."""
        first = self._first()
        if first in _ARRAY_BYTES:
            return [], self._unpacker.read_array_header()
        if first in _MAP_BYTES:
            return {}, self._unpacker.read_map_header()
        return None, 0

    def key(self) -> str:
        if self._first() not in _TEXT_BYTES:
            raise _not_text()
        return str(self._unpacker.unpack())

    def leaf(self) -> object:
        return self._unpacker.unpack()

    def _first(self) -> int:
        if self.at_end():
            msg = "a malformed message (it ends in the middle)"
            raise MarshalError(msg)
        return self._data[int(self._unpacker.tell())]


_ARRAY_BYTES: Final = frozenset([*range(0x90, 0xA0), 0xDC, 0xDD])
_MAP_BYTES: Final = frozenset([*range(0x80, 0x90), 0xDE, 0xDF])
_TEXT_BYTES: Final = frozenset([*range(0xA0, 0xC0), 0xD9, 0xDA, 0xDB])


@dataclass(slots=True, kw_only=True)
class _Reading:
    """A container whose children are being read; `box` is the map or set that a list of them becomes."""

    source: _Source
    left: int
    target: list[object] | dict[str, object]
    box: JSMap | JSSet | None = None
    ends_source: bool = False
    key: str = ""

    def next_key(self) -> None:
        if isinstance(self.target, dict):
            self.key = self.source.key()

    def put(self, value: object) -> None:
        if isinstance(self.target, dict):
            self.target[self.key] = value
        else:
            self.target.append(value)

    def close(self) -> None:
        if self.ends_source and not self.source.at_end():
            msg = "a malformed message (bytes after the value)"
            raise MarshalError(msg)
        # The box was handed out before its content was known, because the content may refer to it.
        if type(self.box) is JSMap:
            if len(self.target) % 2:
                raise _unknown("a MAP with a key and no value")
            flat = iter(self.target)
            object.__setattr__(self.box, "entries", tuple(zip(flat, flat, strict=True)))
        elif self.box is not None:
            object.__setattr__(self.box, "members", tuple(self.target))


def _unpacker(data: bytes) -> msgpack.Unpacker:
    # Not 0, which means "no limit" to msgpack.
    unpacker = msgpack.Unpacker(raw=False, unicode_errors="surrogatepass", max_buffer_size=max(len(data), 1))
    unpacker.feed(data)
    return unpacker


def _number(data: bytes) -> int:
    if len(data) != _NUMBER_BYTES:
        raise _unknown(f"a number of {len(data):,} bytes")
    return int.from_bytes(data, "big")


def _date_twin(epoch_ms: float) -> datetime | JSDate:
    if math.isnan(epoch_ms):
        return JSDate(math.nan)
    if epoch_ms != time_clip(epoch_ms):
        raise _unknown("a date that no Date holds")
    try:
        return EPOCH + timedelta(milliseconds=int(epoch_ms))
    except OverflowError:
        return JSDate(epoch_ms)


def _is_unsafe(value: int) -> bool:
    return not -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER


def _unknown(what: str) -> MarshalError:
    return MarshalError(f"a malformed message ({what})")


def _not_text() -> MarshalError:
    return _unknown("a key that is not text")


def _too_many() -> MarshalError:
    return MarshalError(
        f"more than {MAX_HOST_VALUES:,} values, or more than {MAX_HOST_CONTAINERS:,} lists and objects;"
        " pass less at once"
    )


def _too_nested() -> MarshalError:
    return MarshalError(f"nested deeper than {MAX_DEPTH} levels")
