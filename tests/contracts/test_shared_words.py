"""The words that both sides of the wall read: C and Python say the same, by name, order, width and offset."""

from __future__ import annotations

import ctypes
import re
from enum import IntEnum
from pathlib import Path

import pytest
from nodetool_sandbox._engine.shared import Post, SharedWords, Status, Stop

GUEST = Path(__file__).parents[2] / "core" / "guest"
SOURCE = (GUEST / "shared.c").read_text(encoding="utf-8")
WIDTHS = {"uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8}
ALL_C = "\n".join(path.read_text(encoding="utf-8") for path in sorted(GUEST.glob("*.c")))


def c_fields() -> list[tuple[str, int, bool]]:
    """Name, width and sign of each field of the struct, in its order."""
    body = SOURCE.split("typedef struct {", 1)[1].split("} Shared;", 1)[0]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.DOTALL)
    declared = [each.split() for each in body.split(";") if each.strip()]
    return [(name, WIDTHS[kind], kind.startswith("int")) for kind, name in declared]


def python_fields() -> list[tuple[str, int, bool]]:
    return [
        (name, ctypes.sizeof(kind), kind in (ctypes.c_int32, ctypes.c_int64))
        for name, kind, *_ in SharedWords._fields_
        if not name.startswith("_pad")
    ]


def test_the_fields_are_the_same_in_name_order_width_and_sign() -> None:
    assert python_fields() == c_fields()


def test_the_offsets_are_the_same() -> None:
    at = 0
    for name, width, _ in c_fields():
        at = (at + width - 1) // width * width  # how C aligns a field to its own width
        assert getattr(SharedWords, name).offset == at, name
        at += width
    assert ctypes.sizeof(SharedWords) == (at + 7) // 8 * 8


def c_enum(prefix: str) -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(rf"\b{prefix}_([A-Z]+) = (\d+)", ALL_C)}


@pytest.mark.parametrize(("kind", "prefix"), [(Status, "STATUS"), (Stop, "STOP"), (Post, "POST")])
def test_the_numbers_with_a_name_are_the_same(kind: type[IntEnum], prefix: str) -> None:
    assert {each.name: each.value for each in kind} == c_enum(prefix)


def test_the_words_are_little_endian_on_any_host() -> None:
    words = SharedWords(stop=1)
    assert bytes(words)[:4] == b"\1\0\0\0"
