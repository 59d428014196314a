"""Python values as a message for the guest."""

from __future__ import annotations

import reprlib
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any, Final, cast

import msgpack
from nodetool_sandbox_registry.values import BigInt, JSDate, JSMap, JSSet, Undefined

from nodetool_sandbox.errors import MarshalError, UnsupportedShapeError, UnsupportedValueError
from nodetool_sandbox.marshal.wire import (
    MAX_BIGINT_BYTES,
    MAX_DEPTH,
    MAX_GUEST_VALUES,
    TEXT_ONLY,
    Ext,
    FunctionTable,
    GuestMessage,
    epoch_ms,
    time_clip,
)


def to_guest(
    value: object, *, at: str = "value", functions: FunctionTable | None = None, shared: bool = False
) -> GuestMessage:
    """The message that makes `value` in the guest.

    With `functions` a callable crosses as a function of the guest. With `shared` an object that
    occurs twice becomes one object of the guest, and a cycle is fine.

    Raises:
        UnsupportedValueError: something has no JavaScript twin; the message says where and what to pass.
        UnsupportedShapeError: cyclic without `shared`, deeper than `MAX_DEPTH`, more than
            `MAX_GUEST_VALUES` values, a date with no zone.
    """
    if _is_plain(value, each_once=shared):
        try:
            return GuestMessage(payload=_packer().pack(value), refs=False)
        except MarshalError:
            pass  # said again below, with the place
    return _Writer(at=at, functions=functions, shared=shared).message(value)


_PLAIN_LEAVES: Final = frozenset(
    {type(None), bool, int, float, str, bytes, bytearray, datetime, Undefined, BigInt}
)


def _is_plain(value: object, *, each_once: bool) -> bool:
    """Whether msgpack alone packs it right: exact types, keys that are text, a tree within the bounds."""
    level = [] if type(value) in _PLAIN_LEAVES else [value]
    seen: set[int] = set()
    values = 0
    containers = 0
    for _ in range(MAX_DEPTH):
        if each_once:
            containers += len(level)
            seen.update(map(id, level))
            if len(seen) < containers:
                return False
        inner = _children(level)
        if inner is None:
            return False
        values += len(inner)
        if values > MAX_GUEST_VALUES:
            return False
        level = [each for each in inner if type(each) not in _PLAIN_LEAVES]
        if not level:
            return True
        # Shared parts double with every level; no need to see where that ends.
        if len(level) > _MANY_PARTS and len(set(map(id, level))) * 2 <= len(level):
            return False
    return False


_MANY_PARTS: Final = 1_000


def _children(level: list[object]) -> list[object] | None:
    """What the containers of one level hold, or None where one of them is not plain."""
    inner: list[object] = []
    for each in level:
        # Exact types: a subclass may iterate as it likes.
        if type(each) is dict:
            if not TEXT_ONLY.issuperset(map(type, each)):
                return None
            inner += each.values()
        elif type(each) is list or type(each) is tuple:
            inner += each
        else:
            return None
        # Asked here, because a list that holds itself twice doubles with every level.
        if len(inner) > MAX_GUEST_VALUES:
            return None
    return inner


def _packer(*, autoreset: bool = True) -> msgpack.Packer:
    return msgpack.Packer(
        default=_packed_leaf,
        strict_types=True,
        unicode_errors="surrogatepass",
        autoreset=autoreset,
        buf_size=4096,
    )


def _packed_leaf(value: object) -> object:
    """What msgpack packs in place of a leaf (or a tuple) that it does not know."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Undefined):
        return _UNDEFINED_EXT
    if isinstance(value, datetime):
        return _date_ext(epoch_ms(value))
    if isinstance(value, JSDate):
        return _date_ext(time_clip(value.epoch_ms))
    # A BigInt, or an int of more than 64 bits; _is_plain and _leaf_twin let nothing else through.
    return msgpack.ExtType(int(Ext.BIGINT), _bigint_bytes(cast("int", value)))


_UNDEFINED_EXT: Final = msgpack.ExtType(int(Ext.UNDEFINED), b"")


def _bigint_bytes(value: int) -> bytes:
    size = (value.bit_length() + 8) // 8
    if size > MAX_BIGINT_BYTES:
        msg = f"an integer of {size:,} bytes cannot cross; {MAX_BIGINT_BYTES:,} are allowed"
        raise UnsupportedShapeError(msg)
    return int(value).to_bytes(size, "big", signed=True)


def _date_ext(time_value: float) -> msgpack.ExtType:
    return msgpack.ExtType(int(Ext.DATE), struct.pack(">d", time_value))


class _Writer:
    """The exact way to the guest: one value at a time, knowing where it stands."""

    def __init__(self, *, at: str, functions: FunctionTable | None, shared: bool) -> None:
        self._at = at
        self._root: object = None
        self._functions = functions
        self._shared = shared
        self._refs = False
        self._values = 0
        self._open: list[_Writing] = []
        self._on_path: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._kept: list[object] = []

    def message(self, value: object) -> GuestMessage:
        out = _packer(autoreset=False)
        self._root = value
        self._value(value, out)
        while self._open:
            top = self._open[-1]
            try:
                top.step, child = next(top.children)
            except StopIteration:
                self._close()
            else:
                self._value(child, top.out)
        return GuestMessage(payload=out.bytes(), refs=self._refs)

    def _close(self) -> None:
        top = self._open.pop()
        self._on_path.discard(top.identity)
        if top.extension is not None and top.parent is not None:
            top.parent.pack_ext_type(int(top.extension), top.out.bytes())

    def _value(self, value: object, out: msgpack.Packer) -> None:
        self._values += 1
        # The root counts too, so it is one more than the values inside of it.
        if self._values > MAX_GUEST_VALUES + 1 or (
            self._values == _RECKONED_AT and not self._shared and _expanded(self._root) > MAX_GUEST_VALUES
        ):
            raise self._shape(f"more than {MAX_GUEST_VALUES:,} values in one message; pass less at once")
        try:
            leaf = _leaf_twin(value)
            if leaf is not _NO_LEAF:
                out.pack(leaf)
                return
        except MarshalError as error:
            raise type(error)(str(error), at=self._place()) from None
        if isinstance(value, list | tuple):
            self._array(value, out)
        elif isinstance(value, Mapping):
            self._object(value, out)
        elif isinstance(value, JSMap):
            flat = [each for entry in value.entries for each in entry]
            steps = (f".{part}({n})" for n in range(len(value)) for part in ("key", "value"))
            self._extension(value, Ext.MAP, zip(steps, flat, strict=True), len(flat), out)
        elif isinstance(value, JSSet | set | frozenset):
            steps = (f".member({n})" for n in count())
            self._extension(value, Ext.SET, zip(steps, value, strict=False), len(value), out)
        elif callable(value) and not isinstance(value, type) and self._functions is not None:
            number = self._functions.number(value)
            out.pack_ext_type(int(Ext.FUNCTION), number.to_bytes(4, "big"))
        else:
            raise UnsupportedValueError(_no_twin(value), at=self._place())

    def _array(self, value: Sequence[object], out: msgpack.Packer) -> None:
        if self._enters(value, out):
            items = [*value]
            out.pack_array_header(len(items))
            self._push(value, ((f"[{n}]", each) for n, each in enumerate(items)), out)

    def _object(self, value: Mapping[Any, object], out: msgpack.Packer) -> None:
        if self._enters(value, out):
            entries = [*value.items()]
            out.pack_map_header(len(entries))
            self._push(value, self._fields(entries, out), out)

    def _fields(
        self, entries: Iterable[tuple[object, object]], out: msgpack.Packer
    ) -> Iterator[tuple[str, object]]:
        for key, child in entries:
            if not isinstance(key, str):
                self._open[-1].step = ""
                msg = f"a key is {type(key).__name__}, not text; pass str(key), or a JSMap"
                raise UnsupportedValueError(msg, at=self._place())
            out.pack(str.__str__(key))
            yield f"[{reprlib.repr(str.__str__(key))}]", child

    def _extension(
        self,
        value: object,
        extension: Ext,
        children: Iterator[tuple[str, object]],
        size: int,
        out: msgpack.Packer,
    ) -> None:
        if self._enters(value, out):
            inner = _packer(autoreset=False)
            inner.pack_array_header(size)
            self._push(value, children, inner, extension=extension, parent=out)

    def _enters(self, value: object, out: msgpack.Packer) -> bool:
        """Whether the container is to be written here; otherwise it was, and a reference stands for it."""
        if self._shared and not _is_empty_constant(value):
            number = self._numbers.setdefault(id(value), len(self._kept))
            if number < len(self._kept):
                self._refs = True
                out.pack_ext_type(int(Ext.REF), number.to_bytes(4, "big"))
                return False
        elif id(value) in self._on_path:
            raise self._shape("the value is cyclic; a cycle cannot cross here")
        if len(self._open) >= MAX_DEPTH:
            raise self._shape(f"nested deeper than {MAX_DEPTH} levels")
        # Kept alive, so that no later object takes over its id; each container has a place in the list.
        self._kept.append(value)
        return True

    def _push(
        self,
        value: object,
        children: Iterator[tuple[str, object]],
        out: msgpack.Packer,
        *,
        extension: Ext | None = None,
        parent: msgpack.Packer | None = None,
    ) -> None:
        self._on_path.add(id(value))
        self._open.append(
            _Writing(identity=id(value), children=children, out=out, extension=extension, parent=parent)
        )

    def _shape(self, message: str) -> UnsupportedShapeError:
        return UnsupportedShapeError(message, at=self._place())

    def _place(self) -> str:
        steps = [each.step for each in self._open]
        if len(steps) > _MAX_STEPS_SHOWN:
            steps[_MAX_STEPS_SHOWN // 2 : -_MAX_STEPS_SHOWN // 2] = ["[...]"]
        return self._at + "".join(steps)


_MAX_STEPS_SHOWN: Final = 20
_RECKONED_AT: Final = 50_000


def _expanded(root: object) -> int:
    """How many values `root` holds, each part counted as often as it occurs but walked through once.

    A part inside of itself counts as nothing; writing comes to it and refuses.
    """
    sizes: dict[int, int] = {}
    # Each part with what it holds, kept so that no other object takes over the id of one of them,
    # and how many values it has so far. The pretend part around the root takes the root's size.
    walk: list[tuple[int, list[object], Iterator[object]]] = [(0, [], iter([root]))]
    totals = [1]
    while walk:
        identity, _, rest = walk[-1]
        for child in rest:
            inner = _parts(child) if id(child) not in sizes else None
            if inner is not None:
                sizes[id(child)] = 0
                walk.append((id(child), inner, (each for each in inner if type(each) not in _PLAIN_LEAVES)))
                totals.append(len(inner))
                break
            totals[-1] += sizes.get(id(child), 0)
        else:
            walk.pop()
            sizes[identity] = totals.pop()
            if totals:
                totals[-1] += sizes[identity]
    return sizes[0] - 1


def _parts(value: object) -> list[object] | None:
    if isinstance(value, list | tuple | set | frozenset | JSSet):
        return [*value]
    if isinstance(value, Mapping):
        return [*value.values()]
    if isinstance(value, JSMap):
        return [each for entry in value.entries for each in entry]
    return None


@dataclass(slots=True, kw_only=True)
class _Writing:
    """A container whose children are being written."""

    identity: int
    children: Iterator[tuple[str, object]]
    out: msgpack.Packer
    extension: Ext | None
    parent: msgpack.Packer | None
    step: str = ""


_NO_LEAF: Final = object()


def _leaf_twin(value: object) -> object:
    """The leaf that `_packer` packs for `value`, or `_NO_LEAF`; subclasses count as what they extend."""
    kind = type(value)
    if kind in _PLAIN_LEAVES or kind is JSDate:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    if isinstance(value, datetime):
        return _date_ext(epoch_ms(value))
    return _NO_LEAF


def _is_empty_constant(value: object) -> bool:
    # Python has one () and one frozenset(): that two of them are the same object means nothing.
    return not value and type(value) in {tuple, frozenset}


_HINTS: Final = {
    "decimal.Decimal": "pass str(value) or float(value)",
    "fractions.Fraction": "pass str(value) or float(value)",
    "builtins.complex": "pass [value.real, value.imag]",
    "datetime.date": "pass value.isoformat(), or a datetime with a zone",
    "datetime.time": "pass value.isoformat()",
    "datetime.timedelta": "pass value.total_seconds()",
    "uuid.UUID": "pass str(value)",
    "pathlib.PurePath": "pass str(value), or the bytes that the file holds",
    "_io._IOBase": "pass what value.read() gives",
    "numpy.ndarray": "pass value.tolist() or value.tobytes()",
    "numpy.generic": "pass value.item()",
    "pandas.DataFrame": 'pass value.to_dict("records")',
    "pandas.Series": "pass value.to_list()",
    "pydantic.BaseModel": "pass value.model_dump()",
    "enum.Enum": "pass value.value or value.name",
    "builtins.BaseException": "pass str(value)",
    "builtins.coroutine": "await it first and pass what it gives",
    "builtins.generator": "pass list(value)",
    "builtins.range": "pass list(value)",
    "collections.deque": "pass list(value)",
    "builtins.module": "pass the values of it that the program needs",
    "builtins.type": "pass an object or a function",
}


def _no_twin(value: object) -> str:
    kind = type(value)
    names = (f"{each.__module__.partition('.')[0]}.{each.__name__}" for each in kind.__mro__)
    hint = next((_HINTS[name] for name in names if name in _HINTS), None)
    if hint is None and hasattr(kind, "__dataclass_fields__"):
        hint = "pass dataclasses.asdict(value)"
    if hint is None and callable(value):
        hint = "functions cross in globals alone"
    if hint is None:
        hint = "pass a dict, a list, text, a number or bytes made from it"
    article = "an" if kind.__name__[:1].lower() in set("aeiou") else "a"
    return f"{article} {kind.__name__} cannot cross; {hint}"
