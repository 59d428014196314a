"""Untrusted TOML, read field by field: every fault comes with the place where it stands.

`Table` hands out each field once, to a reader that narrows it; what is left over at the end is what
nobody knows, and is refused.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Self, TypeVar

from nodetool_sandbox_registry.texts import quoted

MAX_MANIFEST_BYTES: Final = 256 * 1024

MAX_KEY_PARTS: Final = 16
"""The longest dotted key, in parts; no key of the contract has more than two."""

# tomllib's time grows with the square of a dotted key's length: 256 KiB of "a.a.a" take minutes. A
# match starts only where a key can start, so that this search is linear itself.
_KEY_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_KEY_START: Final = r"""(?:(?<![A-Za-z0-9_-])(?=[^"])|(?<!\\)(?="))"""
_LONG_KEY = re.compile(rf"{_KEY_START}(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}")

_T = TypeVar("_T")


class ManifestError(ValueError):
    """A manifest that breaks the contract: what is wrong, and where (`modules[1].host`)."""

    def __init__(self, message: str, *, at: str = "") -> None:
        super().__init__(f"{at}: {message}" if at else message)
        self.message = message
        self.at = at


def parse_text(data: bytes) -> str:
    """The text in these bytes.

    Raises:
        ManifestError: too big (checked first), with a byte order mark or a NUL, or not UTF-8.
    """
    if len(data) > MAX_MANIFEST_BYTES:
        message = f"it is {len(data):,} bytes, above the {MAX_MANIFEST_BYTES:,} byte cap"
        raise ManifestError(message)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        message = "it starts with a byte order mark; save it as plain UTF-8"
        raise ManifestError(message)
    if b"\x00" in data:
        message = f"byte {data.index(0)} is NUL"
        raise ManifestError(message)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        raise ManifestError(message) from None


def parse_toml(text: str) -> dict[str, object]:
    """The document in this text.

    Raises:
        ManifestError: not TOML, or written to cost more than its size.
    """
    if _LONG_KEY.search(text) is not None:
        message = f"it holds a dotted key of more than {MAX_KEY_PARTS} parts"
        raise ManifestError(message)
    try:
        return tomllib.loads(text)
    except RecursionError:
        message = "it is nested too deeply"
        raise ManifestError(message) from None
    except ValueError as error:  # TOMLDecodeError, and the interpreter's own cap on an integer's digits
        message = f"it is not TOML: {quoted(str(error))}"
        raise ManifestError(message) from None


class Table:
    """A TOML table whose fields are taken one by one."""

    def __init__(self, fields: dict[str, object], *, at: str) -> None:
        self._fields = fields
        self._at = at

    @classmethod
    def parse(cls, value: object, *, at: str, spellings: Mapping[str, str]) -> Self:
        """The table; `spellings` gives a field's name for another spelling of it.

        Raises:
            ManifestError: it is no table, or a field is there in two spellings.
        """
        if not isinstance(value, dict):
            raise expected(value, "a table", at=at)
        fields: dict[str, object] = {}
        for spelling, item in value.items():
            name = spellings.get(spelling, spelling)
            if name in fields:
                message = f"{name} is there in both spellings"
                raise ManifestError(message, at=join(at, name))
            fields[name] = item
        return cls(fields, at=at)

    def forget(self, names: Iterable[str]) -> None:
        """Drop fields that are another reader's."""
        for name in names:
            self._fields.pop(name, None)

    def has(self, name: str) -> bool:
        """Whether the field is there and was not taken yet."""
        return name in self._fields

    def optional(self, name: str, read: Callable[[object, str], _T]) -> _T | None:
        """The field's value as `read` narrows it, or None where it is absent."""
        return read(self._fields.pop(name), join(self._at, name)) if name in self._fields else None

    def required(self, name: str, read: Callable[[object, str], _T]) -> _T:
        """The field's value as `read` narrows it. A missing field is refused."""
        at = join(self._at, name)
        if name not in self._fields:
            message = "it is missing"
            raise ManifestError(message, at=at)
        return read(self._fields.pop(name), at)

    def items(self, name: str, *, required: bool) -> list[tuple[str, object]]:
        """A list's items, each with its place. An absent list is an empty one, unless it is required."""
        at = join(self._at, name)
        value = self._fields.pop(name, [])
        if not isinstance(value, list):
            raise expected(value, "a list", at=at)
        if required and not value:
            message = "at least one is needed"
            raise ManifestError(message, at=at)
        return [(f"{at}[{index}]", item) for index, item in enumerate(value)]

    def require_empty(self) -> None:
        """Refuse what nobody took."""
        for name in self._fields:
            message = "unknown field"
            raise ManifestError(message, at=join(self._at, quoted(name, 80)))


def join(at: str, name: str) -> str:
    """The place of a field within a place."""
    return f"{at}.{name}" if at else name


_KINDS: Final = (
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a float"),
    (str, "a string"),
    (list, "a list"),
    (dict, "a table"),
)


def expected(value: object, what: str, *, at: str) -> ManifestError:
    """The refusal of a value of another type."""
    found = next((shown for kind, shown in _KINDS if isinstance(value, kind)), "a date or time")
    return ManifestError(f"expected {what}, found {found}", at=at)


def shown_integer(value: int | None) -> str:
    """The number as a message shows it."""
    # A hexadecimal literal can be longer than the interpreter is willing to print in decimal.
    return str(value) if value is not None and abs(value) < 10**18 else "a number of more than 18 digits"


def string(value: object, at: str) -> str:
    """The value, which is a string."""
    if not isinstance(value, str):
        raise expected(value, "a string", at=at)
    return value


def boolean(value: object, at: str) -> bool:
    """The value, which is true or false."""
    if not isinstance(value, bool):
        raise expected(value, "a boolean", at=at)
    return value


def integer(value: object, at: str) -> int:
    """The value, which is an integer (TOML's booleans are none)."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise expected(value, "an integer", at=at)
    return value


def integer_within(low: int, high: int) -> Callable[[object, str], int]:
    """A reader of integers from `low` to `high`, both included."""

    def read(value: object, at: str) -> int:
        number = integer(value, at)
        if not low <= number <= high:
            message = f"must be {low} to {high:,}, not {shown_integer(number)}"
            raise ManifestError(message, at=at)
        return number

    return read
