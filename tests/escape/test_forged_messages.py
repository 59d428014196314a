"""The decoder is the real border: whoever owns guest memory chooses its bytes."""

from __future__ import annotations

import random
import struct

import msgpack
import pytest
from nodetool_sandbox.errors import MarshalError
from nodetool_sandbox.marshal import Ext, to_host
from nodetool_sandbox.marshal.reading import Marks

SEED = 20240229
MUTATIONS = 5_000
MAX_BYTES = 1 << 20


def sound_messages() -> list[bytes]:
    """Messages as a guest writes them, of every type."""
    date = msgpack.ExtType(Ext.DATE, struct.pack(">d", 1.5))
    pairs = msgpack.ExtType(Ext.MAP, msgpack.packb(["a", 1, date, [None]]))
    members = msgpack.ExtType(Ext.SET, msgpack.packb([1, pairs]))
    values: list[object] = [
        None,
        [1, -1, 2**53 - 1, 1.5, float("nan"), True, "text", b"bytes"],
        {"a": {"b": [{"c": date}]}, "__proto__": 1, "": []},
        [msgpack.ExtType(Ext.UNDEFINED, b""), msgpack.ExtType(Ext.BIGINT, b"\x7f" * 40)],
        [pairs, members, msgpack.ExtType(Ext.CIRCULAR, b""), msgpack.ExtType(Ext.TOO_DEEP, b"")],
        [
            [],
            msgpack.ExtType(Ext.REF, struct.pack(">I", 1)),
            msgpack.ExtType(Ext.FUNCTION, struct.pack(">I", 0)),
        ],
        [[[[[[["deep"]]]]]]],
        ["x" * 300, b"y" * 70_000, [0] * 300],
    ]
    return [msgpack.packb(value, strict_types=False, unicode_errors="surrogatepass") for value in values]


def mutated(message: bytes, chance: random.Random) -> bytes:
    """The message with some of it changed, cut, doubled or given a type and a length of its own."""
    data = bytearray(message)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at:]
            case 2:
                data[at:at] = bytes([chance.randrange(256)])
            case 3:
                data[at:at] = bytes([chance.choice((0xC6, 0xC9, 0xDB, 0xDD, 0xDF))]) + b"\xff\xff\xff\xff"
            case 4:
                data[at:at] = data[at : at + 20]
            case _:
                data[at:at] = bytes([0xC7, chance.randrange(9), chance.randrange(256)]) + chance.randbytes(4)
    return bytes(data)


def outcome(message: bytes, *, refs: bool = False, marks: Marks = "text") -> type[BaseException] | None:
    """None for a value, else the class of what was raised."""
    try:
        to_host(message, max_bytes=MAX_BYTES, refs=refs, marks=marks)
    except Exception as raised:  # noqa: BLE001 - which classes come is the question
        return type(raised)
    return None


def refused_or_read(message: bytes, *, refs: bool) -> bool:
    raised = outcome(message, refs=refs)
    return raised is None or issubclass(raised, MarshalError)


@pytest.mark.parametrize("refs", [False, True])
def test_a_mutated_message_is_a_value_or_one_class_of_error(refs: bool) -> None:  # noqa: FBT001
    chance = random.Random(SEED)  # noqa: S311 - the same messages each time
    messages = sound_messages()
    for _ in range(MUTATIONS):
        message = mutated(chance.choice(messages), chance)
        assert refused_or_read(message, refs=refs), message


@pytest.mark.parametrize("refs", [False, True])
def test_bytes_of_no_meaning_are_a_value_or_one_class_of_error(refs: bool) -> None:  # noqa: FBT001
    chance = random.Random(SEED)  # noqa: S311 - the same messages each time
    for _ in range(MUTATIONS):
        message = chance.randbytes(chance.randrange(40))
        assert refused_or_read(message, refs=refs), message


FORGED = {
    "nothing": b"",
    "two values": b"\xc0\xc0",
    "a byte that means nothing": b"\xc1",
    "a text of 4 GiB": b"\xdb\xff\xff\xff\xffabc",
    "bytes of 4 GiB": b"\xc6\xff\xff\xff\xffabc",
    "an array of 4 G": b"\xdd\xff\xff\xff\xff\xc0",
    "a map of 4 G": b"\xdf\xff\xff\xff\xff\xc0\xc0",
    "an extension of 4 GiB": b"\xc9\xff\xff\xff\xff\x02abc",
    "a map without its values": b"\x82\xa1a",
    "a number as a key": b"\x81\x01\x02",
    "nothing as a key": b"\x81\xc0\x02",
    "not a number as a key": b"\x81\xcb\x7f\xf8\0\0\0\0\0\0\x01",
    "an array as a key": b"\x81\x90\x01",
    "text that is no UTF-8": b"\xa2\xff\xfe",
    "text that is overlong UTF-8": b"\xa2\xc0\x80",
    "text cut inside of a character": b"\xa2\xe2\x82",
    "an unknown extension": b"\xd4\x63\x00",
    "msgpack's own timestamp": b"\xd6\xff\0\0\0\0",
    "an extension of a negative type": b"\xd4\x80\x00",
    "undefined with content": b"\xd4\x01\x00",
    "a bigint of no bytes": b"\xc7\x00\x02",
    "a date of 4 bytes": b"\xd6\x03\0\0\0\0",
    "a map of an odd count": b"\xd5\x04\x91\xc0",
    "a map of no array": b"\xd4\x04\xc0",
    "a set of two values": b"\xd5\x05\x90\x90",
    "a reference ahead": b"\x91\xd6\x06\0\0\0\x05",
    "a reference of 3 bytes": b"\xc7\x03\x06\0\0\0",
    "a function that was not given": b"\xd6\x07\0\0\0\x05",
    "arrays in arrays, 10^6 deep": b"\x91" * 10**6 + b"\xc0",
    "maps in maps, 10^5 deep": b"\x81\xa1a" * 10**5 + b"\xc0",
    "a bigint of 2^20 bytes": b"\xc9\x00\x10\x00\x00\x02" + b"\x7f" * 2**20,
}


@pytest.mark.parametrize("refs", [False, True])
@pytest.mark.parametrize("what", FORGED)
def test_a_forged_message_is_refused(what: str, refs: bool) -> None:  # noqa: FBT001
    raised = outcome(FORGED[what], refs=refs)
    assert raised is not None
    assert issubclass(raised, MarshalError)


def test_the_same_key_twice_is_one_member_and_the_last_one_counts() -> None:
    assert to_host(b"\x82\xa1a\x01\xa1a\x02", max_bytes=100) == {"a": 2}


def test_a_message_one_byte_longer_than_it_may_be_is_refused() -> None:
    message = msgpack.packb("x" * 100)
    assert to_host(message, max_bytes=len(message)) == "x" * 100
    with pytest.raises(MarshalError):
        to_host(message, max_bytes=len(message) - 1)
