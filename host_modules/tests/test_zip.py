"""zip: what is read and written, and what every bomb, lie and broken archive ends in."""

from __future__ import annotations

import gzip
import io
import random
import struct
import subprocess  # noqa: TID251  (another reader than ours has to agree)
import sys
import tracemalloc
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from host_calls import Call, Over, call_export
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox_host import zip as zip_module
from nodetool_sandbox_host.limits import (
    MAX_INPUT_BYTES,
    MAX_RESULT_UNITS,
    MIB,
    ZIP_MAX_COMMENT_BYTES,
    ZIP_MAX_ENTRIES,
    ZIP_MAX_INFLATED_BYTES,
    ZIP_MAX_NAME_UNITS,
    ZIP_MAX_PATTERN_UNITS,
    ZIP_MAX_PATTERNS,
)
from nodetool_sandbox_registry.hosts import HostCallError
from zip_bytes import Part, archive, deflated

PAST = f"zip.unzip: archive inflates past the {ZIP_MAX_INFLATED_BYTES} byte limit"


def refusal(call: Call, where: str, *args: object) -> str:
    with pytest.raises(HostCallError) as refused:
        call(where, *args)
    return refused.value.message


def unzipped(call: Call, data: bytes, options: object = None) -> dict[str, Any]:
    return cast("dict[str, Any]", call("zip.unzip", data, options))


def outcome(where: str, *args: object) -> object:
    """The value, or the message of the refusal."""
    try:
        return call_export(where, *args)
    except HostCallError as refused:
        return refused.message


def zipped(call: Call, files: object, options: object = None) -> bytes:
    return cast("bytes", call("zip.zip", files, options))


# --- reading


def test_stored_and_deflated_entries_are_read_in_the_order_of_the_directory(call: Call) -> None:
    data = archive(
        deflated(b"b.txt", b"hello " * 100), Part(name=b"d/"), Part(name=b"a.bin", content=b"\0\xff")
    )
    assert list(unzipped(call, data).items()) == [
        ("b.txt", b"hello " * 100),
        ("d/", b""),
        ("a.bin", b"\0\xff"),
    ]


def test_an_empty_archive_has_no_entries(call: Call) -> None:
    assert unzipped(call, archive()) == {}
    assert zipped(call, {}) == archive()


@pytest.mark.parametrize(
    ("part", "name"),
    [
        (Part(name="résumé.txt".encode("cp437")), "résumé.txt"),
        (Part(name="Möbel/Größe.txt".encode("cp437")), "Möbel/Größe.txt"),
        (Part(name="Grüße.txt".encode()), "Grüße.txt"),
        (Part(name="日本語フォルダ/説明書.txt".encode("shift_jis")), "日本語フォルダ/説明書.txt"),
        (Part(name="テスト.txt".encode("shift_jis")), "テスト.txt"),
        (Part(name="中文文件/说明.txt".encode("gbk")), "中文文件/说明.txt"),
        (Part(name="Документы/отчёт.txt".encode("cp866")), "Документы/отчёт.txt"),
        (Part(name="résumé.txt".encode(), flags=0x800), "résumé.txt"),
        (Part(name="cafe\u0301".encode(), flags=0x800), "cafe\u0301"),
        (
            Part(
                name=b"x.txt",
                extra=struct.pack("<2HBL", 0x7075, 11, 1, zlib.crc32(b"x.txt")) + "ж.txt".encode(),
            ),
            "ж.txt",
        ),
        (Part(name=b"x.txt", extra=struct.pack("<2HBL", 0x7075, 6, 1, 0) + b"y"), "x.txt"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)  # fmt: skip
def test_a_name_is_read_in_the_encoding_that_it_is_in(call: Call, part: Part, name: str) -> None:
    assert list(unzipped(call, archive(part))) == [name]


def test_a_name_is_read_in_the_encoding_that_the_caller_names(call: Call) -> None:
    data = archive(Part(name="Zażółć.txt".encode("cp852")), Part(name="ą".encode("cp852")))
    assert list(unzipped(call, data)) != ["Zażółć.txt", "ą"]
    data = archive(Part(name="Ünïcode".encode("cp1252")))
    assert list(unzipped(call, data, {"encoding": "iso-8859-1"})) == ["Ünïcode"]
    assert refusal(call, "zip.unzip", data, {"encoding": "klingon"}).startswith(
        'zip.unzip: "klingon" is no encoding'
    )


@pytest.mark.parametrize(
    "name",
    [
        "dir\\f.txt", "../up.txt", "/abs.txt", "C:\\x.txt", "a/./b//c.txt", "", ".", "__proto__", "x\u202etxt.exe",
        "A.txt", "constructor",
    ],
)  # fmt: skip
def test_a_name_comes_back_as_it_is(call: Call, name: str) -> None:
    assert unzipped(call, archive(Part(name=name.encode(), flags=0x800, content=b"1"))) == {name: b"1"}


@pytest.mark.parametrize(
    ("name", "flags", "problem"),
    [
        (b"nul\0.txt", 0, "holds a NUL character"),
        (b"\xff\xfe", 0x800, "is not valid UTF-8"),
        (b"\xed\xa0\x80", 0x800, "is not valid UTF-8"),
        (b"n" * (ZIP_MAX_NAME_UNITS + 1), 0, f"is longer than {ZIP_MAX_NAME_UNITS} characters"),
        (
            "🚀".encode() * (ZIP_MAX_NAME_UNITS // 2 + 1),
            0x800,
            f"is longer than {ZIP_MAX_NAME_UNITS} characters",
        ),
    ],
)
def test_a_name_that_cannot_be_a_key_is_refused(call: Call, name: bytes, flags: int, problem: str) -> None:
    message = refusal(call, "zip.unzip", archive(Part(name=name, flags=flags)))
    assert message.startswith("zip.unzip: the entry name ")
    assert message.endswith(problem)


def test_a_name_of_the_greatest_length_is_read(call: Call) -> None:
    assert list(unzipped(call, archive(Part(name=b"n" * ZIP_MAX_NAME_UNITS)))) == ["n" * ZIP_MAX_NAME_UNITS]


def test_of_two_entries_with_one_name_the_last_wins_and_list_shows_both(call: Call) -> None:
    data = archive(Part(name=b"a", content=b"1"), Part(name=b"b"), Part(name=b"a", content=b"2"))
    assert unzipped(call, data) == {"a": b"2", "b": b""}
    assert [each["name"] for each in cast("list[dict[str, object]]", call("zip.list", data))] == [
        "a",
        "b",
        "a",
    ]


def test_sizes_may_follow_the_data(call: Call) -> None:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object, /) -> int:
            self.data += memoryview(cast("bytes", data))
            return len(cast("bytes", data))

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("s.txt", b"s" * 300)
        written.writestr("empty.txt", b"")
    assert {name: len(each) for name, each in unzipped(call, bytes(pipe.data)).items()} == {
        "s.txt": 300,
        "empty.txt": 0,
    }


@pytest.mark.parametrize(
    "data",
    [
        archive(Part(name=b"a.txt", content=b"hi"), prefix=b"#!/bin/sh\nexit\n"),
        archive(Part(name=b"a.txt", content=b"hi"), suffix=b"\n\n"),
        archive(Part(name=b"a.txt", content=b"hi"), comment=b"c" * 40 + b"PK\x05\x06" + b"c" * 56),
        archive(Part(name=b"a.txt", content=b"hi"), comment=b"c" * 30 + archive()[:-2] + b"\x05\x00" + b"c" * 9),
        archive(Part(name=b"a.txt", content=b"hi"), comment=b"c" * 65_535),
        archive(Part(name=b"a.txt", content=b"hi"), wide=True),
        archive(Part(name=b"a.txt", content=b"hi"), wide=True, prefix=b"MZ" * 100),
        archive(
            Part(name=b"a.txt", content=b"hi", size=0xFFFF_FFFF, extra=struct.pack("<2HQ", 1, 8, 2))
        ),
    ],
    ids=["bytes before", "bytes after", "mark in comment", "record in comment", "long comment", "zip64",
         "zip64 after bytes", "wide size"],
)  # fmt: skip
def test_the_end_record_is_found(call: Call, data: bytes) -> None:
    assert unzipped(call, data) == {"a.txt": b"hi"}


def test_an_archive_inside_of_an_archive_stays_bytes(call: Call) -> None:
    inner = zipped(call, {"note.txt": "hi"})
    outer = unzipped(call, zipped(call, {"inner.zip": inner}, {"level": 0}))
    assert unzipped(call, bytes(outer["inner.zip"])) == {"note.txt": b"hi"}


def test_a_link_is_bytes(call: Call) -> None:
    data = archive(Part(name=b"link", content=b"/etc/passwd", external=0o120777 << 16))
    assert unzipped(call, data) == {"link": b"/etc/passwd"}


# --- what is broken


def text_of(name: str, problem: str) -> str:
    return f'zip.unzip: entry "{name}" {problem}'


def broken(reason: str) -> str:
    return f"zip.unzip: not a readable zip archive ({reason})"


OTHER_HEADER = "has another name or method in its own header than in the directory"
SEVERAL_FILES = "it is one part of an archive in several files"
NO_END = "it has no end record that fits"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", broken("it is empty")),
        (b"\0" * 1000, broken(NO_END)),
        (archive(Part(name=b"a"), count=2), broken("its directory has 1 entries, its end record says 2")),
        (archive(Part(name=b"a"), shift=5000), broken(NO_END)),
        (archive(Part(name=b"a"), disk=1), broken(SEVERAL_FILES)),
        (archive(Part(name=b"a", disk=2)), broken(SEVERAL_FILES)),
        (archive(Part(name=b"a", content=b"1", crc=7)), text_of("a", "is damaged (CRC)")),
        (
            archive(Part(name=b"a", content=b"1", flags=1)),
            text_of("a", "is encrypted; only archives without a password can be read"),
        ),
        (
            archive(Part(name=b"a", method=12)),
            text_of("a", "uses compression method 12, which is not supported"),
        ),
        (
            archive(Part(name=b"a", method=9)),
            text_of("a", "uses compression method 9, which is not supported"),
        ),
        (archive(Part(name=b"a", content=b"12", size=5)), text_of("a", "declares 5 bytes but holds 2")),
        (archive(deflated(b"a", b"x" * 1000, size=10)), text_of("a", "declares 10 bytes but holds more")),
        (archive(deflated(b"a", b"x" * 1000, size=2000)), text_of("a", "declares 2000 bytes but holds 1000")),
        (
            archive(Part(name=b"a", method=8, packed=b"\xff\xff\xff", size=1)),
            text_of("a", "is damaged (its compressed data)"),
        ),
        (archive(Part(name=b"a", method=8, packed=b"", size=1)), text_of("a", "is cut off")),
        (archive(deflated(b"a", b"x" * 1000, compressed_size=4)), text_of("a", "is cut off")),
        (archive(Part(name=b"a/", content=b"1")), text_of("a/", "is a directory and holds data")),
        (archive(Part(name=b"a", local_name=b"b")), text_of("a", OTHER_HEADER)),
        (archive(Part(name=b"a", local_method=8)), text_of("a", OTHER_HEADER)),
        (
            archive(Part(name=b"a", content=b"1", compressed_size=999)),
            text_of("a", "reaches past the end of the data"),
        ),
        (
            archive(Part(name=b"a"), Part(name=b"b", offset=77_777)),
            text_of("b", "has no header where the directory says"),
        ),
        (archive(Part(name=b"a"), Part(name=b"a", offset=0)), broken("entries overlap")),
        (
            archive(
                Part(name=b"aa", extra=struct.pack("<2HQ", 1, 8, 2**63), offset=0xFFFF_FFFF), Part(name=b"b")
            ),
            text_of("aa", "has no header where the directory says"),
        ),
    ],
    ids=lambda each: each[:60] if isinstance(each, str) else "",
)
def test_what_is_broken_is_refused_with_what_and_which(call: Call, data: bytes, message: str) -> None:
    assert refusal(call, "zip.unzip", data) == message


def test_an_archive_cut_anywhere_is_refused_in_our_words(call: Call) -> None:
    whole = archive(deflated(b"a.txt", b"hello " * 50), Part(name=b"b", content=b"b" * 40))
    for length in range(0, len(whole), 7):
        assert refusal(call, "zip.unzip", whole[:length]).startswith("zip.unzip: ")


def test_changed_bytes_give_a_refusal_or_the_right_contents() -> None:
    whole = archive(deflated(b"a.txt", b"hello " * 50), Part(name=b"b", content=b"b" * 40), comment=b"note")
    chance = random.Random(7)  # noqa: S311  (the same changes at every run)
    for _ in range(2_000):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        got = outcome("zip.unzip", bytes(data))
        if isinstance(got, str):
            assert got.startswith("zip.unzip: ")
        else:
            assert set(map(bytes, cast("dict[str, bytes]", got).values())) <= {b"hello " * 50, b"b" * 40}


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_refused_or_read(data: bytes) -> None:
    for where in ("zip.unzip", "zip.list", "zip.gunzip", "zip.inflate"):
        got = outcome(where, data)
        assert not isinstance(got, str) or got.startswith(f"{where}: ")


# --- bombs and caps


def test_contents_of_the_greatest_size_are_read_and_one_byte_more_is_refused(call: Call) -> None:
    half = ZIP_MAX_INFLATED_BYTES // 2
    data = archive(deflated(b"a", bytes(half)), deflated(b"b", bytes(half)))
    assert sum(map(len, unzipped(call, data).values())) == ZIP_MAX_INFLATED_BYTES
    data = archive(deflated(b"a", bytes(half)), deflated(b"b", bytes(half + 1)))
    assert refusal(call, "zip.unzip", data) == PAST


def test_the_cap_counts_what_is_made_and_not_what_headers_say(call: Call) -> None:
    # the first entry fills the limit, the second says that it is empty
    parts = deflated(b"a", bytes(ZIP_MAX_INFLATED_BYTES)), deflated(b"b", b"1", size=0)
    assert refusal(call, "zip.unzip", archive(*parts)) == PAST
    assert refusal(call, "zip.unzip", archive(parts[1])) == text_of("b", "declares 0 bytes but holds more")
    lying = deflated(b"a", bytes(60_000_000), size=10)
    assert refusal(call, "zip.unzip", archive(lying)) == text_of("a", "declares 10 bytes but holds more")


@pytest.mark.parametrize("size", [2**63, 2**64 - 1, ZIP_MAX_INFLATED_BYTES + 1])
def test_a_declared_size_past_the_limit_is_refused_before_anything_is_made(call: Call, size: int) -> None:
    part = Part(name=b"a", size=0xFFFF_FFFF, extra=struct.pack("<2HQ", 1, 8, size))
    assert refusal(call, "zip.unzip", archive(part)) == PAST


def test_a_bomb_is_stopped_with_little_memory(call: Call) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(200)) + packer.flush()
    bomb = archive(
        Part(name=b"a", method=8, packed=packed, size=10),
        Part(name=b"b", method=8, packed=packed, size=ZIP_MAX_INFLATED_BYTES - 10),
    )
    stream = gzip.compress(bytes(200 * MIB), 1)
    tracemalloc.start()
    try:
        assert "zip.unzip" in refusal(call, "zip.unzip", bomb)
        assert "zip.gunzip" in refusal(call, "zip.gunzip", stream)
        assert tracemalloc.get_traced_memory()[1] < 160 * MIB
    finally:
        tracemalloc.stop()


def test_a_smaller_limit_is_kept_and_a_larger_one_is_not(call: Call) -> None:
    data = archive(deflated(b"a", bytes(1000)))
    assert len(unzipped(call, data, {"maxBytes": 1000})["a"]) == 1000
    assert (
        refusal(call, "zip.unzip", data, {"maxBytes": 999})
        == "zip.unzip: archive inflates past the 999 byte limit"
    )
    past = archive(deflated(b"a", bytes(ZIP_MAX_INFLATED_BYTES + 1)))
    assert refusal(call, "zip.unzip", past, {"maxBytes": 10**12}) == PAST
    assert refusal(call, "zip.unzip", data, {"maxBytes": "9"}).startswith(
        "zip.unzip: maxBytes must be a number"
    )


@pytest.mark.parametrize("wide", [False, True], ids=["zip", "zip64"])
def test_the_number_of_entries_is_capped_whatever_the_end_record_says(call: Call, *, wide: bool) -> None:
    message = f"zip.unzip: archive holds more than {ZIP_MAX_ENTRIES} entries"
    full = [Part(name=b"%d" % index) for index in range(ZIP_MAX_ENTRIES)]
    assert len(unzipped(call, archive(*full, wide=wide))) == ZIP_MAX_ENTRIES
    more = [*full, Part(name=b"x")]
    assert refusal(call, "zip.unzip", archive(*more, wide=wide)) == message
    assert refusal(call, "zip.unzip", archive(*more, count=3, wide=wide)) == message
    assert refusal(call, "zip.list", archive(*more)) == message.replace("unzip", "list")


def test_seventy_thousand_entries_are_refused_by_their_number(call: Call) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as written:
        for index in range(70_000):
            written.writestr(zipfile.ZipInfo(str(index)), b"")
    assert (
        refusal(call, "zip.unzip", out.getvalue())
        == f"zip.unzip: archive holds more than {ZIP_MAX_ENTRIES} entries"
    )


def test_the_argument_is_checked_first(call: Call) -> None:
    wanted = "bytes must be a Uint8Array (e.g. from workspace.readBytes or response.bytes())"
    for where in ("zip.unzip", "zip.list", "zip.gunzip", "zip.inflate"):
        assert refusal(call, where, "text", {"encoding": "none", "maxBytes": "x"}) == f"{where}: {wanted}"
        past = bytes(MAX_INPUT_BYTES + 1)
        assert refusal(call, where, past) == f"{where}: input exceeds the {MAX_INPUT_BYTES} byte limit"
        assert "byte limit" not in refusal(call, where, past[1:])


def test_a_long_call_asks_for_the_time() -> None:
    data = archive(*(deflated(b"%d" % index, bytes(100_000)) for index in range(300)))
    for at in (1, 2, 5, 100):
        with pytest.raises(HostCallError, match="deadline"):
            zip_module.unzip([data, {"only": "*"}], Over(at))
    for function, args in (
        (zip_module.zip_files, [{"a": bytes(9), "b": b""}]),
        (zip_module.gzip, [bytes(9 * MIB)]),
    ):
        with pytest.raises(HostCallError, match="deadline"):
            function(args, Over(2))
    with pytest.raises(HostCallError, match="deadline"):
        zip_module.gunzip([gzip.compress(b"") * 1000], Over(999))


# --- options of reading


def test_only_the_wanted_entries_are_read(call: Call) -> None:
    names = ["a.txt", "b.md", "docs/c.txt", "docs/deep/er/d.txt", "[x].txt"]
    data = archive(
        *(Part(name=name.encode(), content=b"1") for name in names),
        Part(name=b"locked.txt", flags=1, content=b"2"),
    )

    def names_of(only: object) -> list[str]:
        return list(unzipped(call, data, {"only": only}))

    assert names_of("*.md") == ["b.md"]
    assert names_of(["a.txt", "nothing", "[x].txt"]) == ["a.txt", "[x].txt"]
    assert names_of("docs/*.txt") == ["docs/c.txt"]
    assert names_of("docs/**") == ["docs/c.txt", "docs/deep/er/d.txt"]
    assert names_of("**/d.txt") == ["docs/deep/er/d.txt"]
    assert names_of("**/deep/**/[c-e].txt") == ["docs/deep/er/d.txt"]
    assert names_of("?.*") == ["a.txt", "b.md"]
    assert names_of("[!b].txt") == ["a.txt"]
    assert names_of("[b-a]*") == []
    assert names_of([]) == []
    assert refusal(call, "zip.unzip", data, {"only": 3}).startswith(
        "zip.unzip: only must be a name or pattern"
    )
    assert "is encrypted" in refusal(call, "zip.unzip", data)


def test_patterns_are_few_and_short(call: Call) -> None:
    data = archive(Part(name=b"a"))
    many = [f"{index}*" for index in range(ZIP_MAX_PATTERNS)]
    long = "*" + "a" * (ZIP_MAX_PATTERN_UNITS - 1)
    assert unzipped(call, data, {"only": [*many[1:], long]}) == {}
    message = (
        f"zip.unzip: only takes at most {ZIP_MAX_PATTERNS} patterns of {ZIP_MAX_PATTERN_UNITS} characters"
    )
    assert refusal(call, "zip.unzip", data, {"only": [*many, "x*"]}) == message
    assert refusal(call, "zip.unzip", data, {"only": long + "a"}) == message


def test_contents_are_given_as_text_where_that_is_asked(call: Call) -> None:
    data = archive(
        Part(name=b"a", content="\ufeffgrüß".encode()), Part(name=b"b", content=b"\xff!"), Part(name=b"d/")
    )
    assert unzipped(call, data, {"text": True}) == {"a": "grüß", "b": "\ufffd!", "d/": ""}


@pytest.mark.parametrize("letter", ["a", "é", "日"])
def test_the_text_of_a_result_is_capped(call: Call, letter: str) -> None:
    full = letter.encode() * MAX_RESULT_UNITS
    assert unzipped(call, archive(deflated(b"a", full)), {"text": True})["a"] == letter * MAX_RESULT_UNITS
    message = refusal(
        call, "zip.unzip", archive(deflated(b"a", full), Part(name=b"b", content=b"1")), {"text": True}
    )
    assert message.startswith(f"zip.unzip: result exceeds the {MAX_RESULT_UNITS} character limit")


@pytest.mark.parametrize("name", ["/abs", "../up", "a/../../b", "C:\\x", "c:x", "\\share", "a\\..\\b", ".."])
def test_safe_refuses_names_that_point_out_of_their_folder(call: Call, name: str) -> None:
    data = archive(Part(name=name.encode()))
    assert "points out of its folder" in refusal(call, "zip.unzip", data, {"safe": True})
    assert unzipped(call, archive(Part(name=b"a/b..c"), Part(name=b"..d")), {"safe": True}) == {
        "a/b..c": b"",
        "..d": b"",
    }


def test_list_tells_what_the_directory_says_and_inflates_nothing(call: Call) -> None:
    data = archive(
        deflated(b"a.txt", b"x" * 500),
        Part(name=b"d/", date=0, time=0),
        Part(name=b"e", flags=1, method=99, time=0xFFFF),
    )
    listed = cast("list[dict[str, object]]", call("zip.list", data))
    assert listed[0] == {
        "name": "a.txt", "size": 500, "compressedSize": listed[0]["compressedSize"], "directory": False,
        "modified": "2024-03-01T12:00:00", "crc32": zlib.crc32(b"x" * 500), "encrypted": False,
    }  # fmt: skip
    assert [(each["directory"], each["modified"], each["encrypted"]) for each in listed[1:]] == [
        (True, None, False),
        (False, None, True),
    ]


# --- writing


def test_what_is_written_is_read_by_others(call: Call, tmp_path: Path) -> None:
    files = {"ü/日本.txt": "grüß", "bin": b"\0\xff" * 5000, "empty": "", "dir/": b"", "🚀.txt": "x"}
    data = zipped(call, files, {"comment": "héllo"})
    with zipfile.ZipFile(io.BytesIO(data)) as read:
        assert read.testzip() is None
        assert read.namelist() == list(files)
        assert read.read("ü/日本.txt").decode() == "grüß"
        assert read.read("bin") == files["bin"]
        assert read.comment.decode() == "héllo"
        assert all(bool(each.flag_bits & 0x800) != each.filename.isascii() for each in read.infolist())
        assert {each.date_time for each in read.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert read.getinfo("bin").compress_size < len(files["bin"])
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    done = subprocess.run(  # noqa: S603  (Python's own command line)
        [sys.executable, "-m", "zipfile", "-t", str(path)], capture_output=True, check=True, text=True
    )
    assert "Done testing" in done.stdout
    assert list(unzipped(call, data)) == list(files)


def test_equal_files_give_equal_bytes(call: Call) -> None:
    files = {"a": "1" * 1000, "b/": b""}
    assert zipped(call, files) == zipped(call, dict(files))


def test_the_options_of_writing_are_kept(call: Call) -> None:
    files = {"a.txt": "1" * 1000, "b.png": "1" * 1000, "c/d.png": "1" * 1000}
    with zipfile.ZipFile(
        io.BytesIO(zipped(call, files, {"store": ["*.png"], "modified": "2024-05-01T12:30:07"}))
    ) as read:
        assert [each.compress_type for each in read.infolist()] == [8, 0, 8]
        assert read.getinfo("a.txt").date_time == (2024, 5, 1, 12, 30, 6)
    with zipfile.ZipFile(io.BytesIO(zipped(call, files, {"level": 0}))) as read:
        assert {each.compress_type for each in read.infolist()} == {0}
    moment = datetime(2024, 5, 1, 12, 30, tzinfo=UTC)
    assert zipped(call, files, {"modified": moment}) == zipped(
        call, files, {"modified": "2024-05-01T14:30:00+02:00"}
    )
    assert len(zipped(call, files, {"level": 9})) <= len(zipped(call, files, {"level": 1}))


@pytest.mark.parametrize(
    "modified", ["yesterday", "1979-12-31", "2108-01-01", 5, "0001-01-01T00:00:00+14:00"]
)
def test_a_time_that_an_archive_cannot_hold_is_refused(call: Call, modified: object) -> None:
    message = refusal(call, "zip.zip", {}, {"modified": modified})
    assert message.startswith(
        "zip.zip: modified must be an ISO date such as 2024-05-01T12:30:00, from 1980 to 2107"
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["a"], "zip.zip: files must be an object mapping names to Uint8Array or string content"),
        (None, "zip.zip: files must be an object mapping names to Uint8Array or string content"),
        (b"a", "zip.zip: files must be an object mapping names to Uint8Array or string content"),
        ({"name": 3}, 'zip.zip: entry "name" must be a Uint8Array or string'),
        ({"d": {"e": b""}}, 'zip.zip: entry "d" must be a Uint8Array or string'),
        ({"": b""}, "zip.zip: an entry name must not be empty or hold a NUL character"),
        ({"a\0b": b""}, "zip.zip: an entry name must not be empty or hold a NUL character"),
        ({"a\ud800": b""}, 'zip.zip: the entry name "a\ufffd" holds half a surrogate pair'),
        ({"a\ufffd\ud800": b""}, 'zip.zip: the entry name "a\ufffd\ufffd" holds half a surrogate pair'),
        ({"d/": b"1"}, 'zip.zip: entry "d/" is a directory and cannot hold data'),
        ({"a\\b": b"", "a/b": b""}, 'zip.zip: "a\\b" and "a/b" are both "a/b" in the archive'),
    ],
)
def test_files_that_are_none_are_refused(call: Call, files: object, message: str) -> None:
    assert refusal(call, "zip.zip", files) == message


def test_names_are_written_as_they_are_but_for_the_backslash(call: Call) -> None:
    names = ["../x", "/abs", "__proto__", "a\ufffd", "n" * ZIP_MAX_NAME_UNITS]
    assert list(unzipped(call, zipped(call, {**dict.fromkeys(names, b""), "b\\c": b""}))) == [*names, "b/c"]
    message = refusal(call, "zip.zip", {"n" * (ZIP_MAX_NAME_UNITS + 1): b""})
    assert message.endswith(f"is longer than {ZIP_MAX_NAME_UNITS} characters")


def test_what_is_put_into_an_archive_is_capped(call: Call) -> None:
    half = bytes(ZIP_MAX_INFLATED_BYTES // 2)
    message = f"zip.zip: entries exceed the {ZIP_MAX_INFLATED_BYTES} byte limit"
    assert zipped(call, {"a": half, "b": half}, {"level": 1})
    assert refusal(call, "zip.zip", {"a": half, "b": half, "c": "1"}) == message
    assert refusal(call, "zip.zip", {"a": half, "b": half, "c": b"1"}) == message
    assert refusal(call, "zip.zip", {"a": half, "b": half[:-1], "c": "é"}) == message
    names = {str(index): b"" for index in range(ZIP_MAX_ENTRIES)}
    assert zipped(call, names)
    more = {**names, "x": b""}
    assert (
        refusal(call, "zip.zip", more)
        == f"zip.zip: more than {ZIP_MAX_ENTRIES} entries; make several archives"
    )
    assert zipped(call, {}, {"comment": "c" * ZIP_MAX_COMMENT_BYTES})
    assert "comment must have at most" in refusal(
        call, "zip.zip", {}, {"comment": "c" * (ZIP_MAX_COMMENT_BYTES + 1)}
    )


@given(st.dictionaries(st.text(min_size=1, max_size=20), st.binary(max_size=200), max_size=8))
def test_what_is_zipped_is_unzipped(files: dict[str, bytes]) -> None:
    data = outcome("zip.zip", files)
    if isinstance(data, str):
        assert any("\0" in name or "\\" in name or name.endswith("/") for name in files), data
        return
    expected = {name.replace("\\", "/"): content for name, content in files.items()}
    assert call_export("zip.unzip", data) == expected


# --- streams


@pytest.mark.parametrize("text", ["", "grüß", "x" * 1_000_000, "\ud800"])
def test_gzip_and_deflate_are_read_back_and_by_others(call: Call, text: str) -> None:
    content = text.encode("utf-8", "replace") if text != "\ud800" else "\ufffd".encode()
    packed = cast("bytes", call("zip.gzip", text))
    assert gzip.decompress(packed) == content == call("zip.gunzip", packed)
    assert packed == call("zip.gzip", content, {"level": 6})
    assert zlib.decompress(cast("bytes", call("zip.deflate", text))) == content
    raw = call("zip.deflate", content, {"raw": True, "level": 9})
    assert call("zip.inflate", raw, {"raw": True}) == content
    assert call("zip.inflate", call("zip.deflate", content)) == content


def test_members_of_gzip_are_joined_and_padding_is_passed_over(call: Call) -> None:
    two = gzip.compress(b"a" * 70_000) + gzip.compress(b"b")
    assert call("zip.gunzip", two + b"\0" * 512) == b"a" * 70_000 + b"b"
    for tail in (b"junk", b"\0junk"):
        assert refusal(call, "zip.gunzip", two + tail).startswith("zip.gunzip: not readable gzip data (")


@pytest.mark.parametrize(
    ("where", "data", "message"),
    [
        ("zip.gunzip", b"", "zip.gunzip: not readable gzip data (it is empty)"),
        ("zip.gunzip", b"nonsense", "zip.gunzip: not readable gzip data (it is damaged, or of another kind)"),
        ("zip.gunzip", gzip.compress(b"abc")[:-3], "zip.gunzip: not readable gzip data (it is cut off)"),
        (
            "zip.gunzip",
            gzip.compress(b"abc")[:-8] + b"\0" * 8,
            "zip.gunzip: not readable gzip data (it is damaged, or of another kind)",
        ),
        ("zip.inflate", b"xx", "zip.inflate: not readable zlib data (it is damaged, or of another kind)"),
        ("zip.inflate", zlib.compress(b"abc")[:-1], "zip.inflate: not readable zlib data (it is cut off)"),
    ],
)
def test_streams_that_are_none_are_refused(call: Call, where: str, data: bytes, message: str) -> None:
    assert refusal(call, where, data) == message


def test_streams_are_capped_in_both_directions(call: Call) -> None:
    full = bytes(ZIP_MAX_INFLATED_BYTES)
    assert len(cast("bytes", call("zip.gunzip", call("zip.gzip", full, {"level": 1})))) == len(full)
    past = zlib.compress(full + b"\0", 1)
    message = f"inflates past the {ZIP_MAX_INFLATED_BYTES} byte limit"
    assert refusal(call, "zip.inflate", past) == f"zip.inflate: data {message}"
    two = gzip.compress(full, 1) + gzip.compress(b"1")
    assert refusal(call, "zip.gunzip", two) == f"zip.gunzip: data {message}"
    for value in (full + b"1", "a" * (ZIP_MAX_INFLATED_BYTES + 1), "é" * (ZIP_MAX_INFLATED_BYTES // 2 + 1)):
        assert (
            refusal(call, "zip.gzip", value)
            == f"zip.gzip: input exceeds the {ZIP_MAX_INFLATED_BYTES} byte limit"
        )
    assert refusal(call, "zip.deflate", 3) == "zip.deflate: data must be a Uint8Array or string"
