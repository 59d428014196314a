"""The directory of a zip archive, read from hostile bytes: which entries it has, and where their data lies.

The standard library's `zipfile` is not used for reading: it takes an end record out of the archive's
comment for the real one, makes an object for every entry before it can be asked how many there are,
cuts names at NUL, and differs between releases in what it says about overlapping entries. Integers of
the archive are compared here and never used to allocate.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host.arguments import quoted, utf16_length
from nodetool_sandbox_host.decoding import likeliest
from nodetool_sandbox_host.limits import MAX_ENCODING_SAMPLE_BYTES, ZIP_MAX_ENTRIES, ZIP_MAX_NAME_UNITS

STORED: Final = 0
DEFLATED: Final = 8

# APPNOTE 4.3.16, 4.3.15, 4.3.14, 4.3.12 and 4.3.7
_END: Final = struct.Struct("<4s4H2LH")
_END64_LOCATOR: Final = struct.Struct("<4sLQL")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_END_MARK: Final = b"PK\x05\x06"
_CENTRAL_MARK: Final = b"PK\x01\x02"
_LOCAL_MARK: Final = b"PK\x03\x04"

_FULL_16: Final = 0xFFFF
_FULL_32: Final = 0xFFFF_FFFF
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
"""Flag bits: encrypted, strongly encrypted, directory masked."""
_UTF8: Final = 0x800
_EXTRA_ZIP64: Final = 0x0001
_EXTRA_UNICODE_PATH: Final = 0x7075
_EXTRA_UNICODE_HEAD: Final = 5
_STEP: Final = 256
"""Entries between two looks at the clock."""

_MANY_BYTES: Final = ("cp932", "gb18030", "big5", "cp949", "euc_jp")
"""What Windows writes names in where characters take two bytes, likeliest first."""
_DOS: Final = "cp437"
_RUN_OF_HIGH_BYTES: Final = re.compile(rb"[\x80-\xff]{3}")
_WIDE: Final = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WIDE_RUN: Final = re.compile(rf"{_WIDE.pattern}{{2,}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the directory."""

    name: str
    raw_name: bytes
    method: int
    encrypted: bool
    crc32: int
    size: int
    compressed_size: int
    header_offset: int
    dos_date: int
    dos_time: int

    @property
    def is_directory(self) -> bool:
        return self.name.endswith("/")

    @property
    def modified(self) -> str | None:
        """The local time of whoever packed it, `2024-05-01T12:30:00`; None where it is no date."""
        day, time = self.dos_date, self.dos_time
        try:
            moment = datetime(  # noqa: DTZ001  (the archive does not say which zone)
                (day >> 9) + 1980, day >> 5 & 15, day & 31, time >> 11, time >> 5 & 63, (time & 31) * 2
            )
        except ValueError:
            return None
        return moment.isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    """Where the directory lies: its bytes, and by how much the offsets in it are off."""

    start: int
    stop: int
    count: int
    shift: int


class Archive:
    """An archive and its entries, in the order of its directory."""

    def __init__(self, data: bytes, *, where: str, encoding: str | None, deadline: Deadline) -> None:
        self._data = data
        self._where = where
        self._end = self._find_end()
        if self._end.count > ZIP_MAX_ENTRIES:
            raise self._too_many()
        self.entries = self._read_directory(encoding, deadline)

    def data_ranges(self, deadline: Deadline) -> list[memoryview]:
        """The compressed data of each entry.

        Raises:
            HostCallError: a local header is not what the directory says, or two entries share bytes.
        """
        ranges: list[tuple[int, int]] = []
        for index, entry in enumerate(self.entries):
            if index % _STEP == 0:
                deadline.check()
            ranges.append(self._data_range(entry))
        claimed = sorted(
            (entry.header_offset, stop) for entry, (_, stop) in zip(self.entries, ranges, strict=True)
        )
        end_before = 0
        for start, stop in claimed:
            if start < end_before:
                raise self.refusal("entries overlap")
            end_before = stop
        if end_before > self._end.start:
            raise self.refusal("an entry overlaps the directory")
        view = memoryview(self._data)
        return [view[start:stop] for start, stop in ranges]

    def refusal(self, reason: str) -> HostCallError:
        """The error for bytes that are no archive, or a broken one."""
        return HostCallError(f"{self._where}: not a readable zip archive ({reason})")

    def entry_refusal(self, entry: Entry, problem: str) -> HostCallError:
        """The error for one entry."""
        return HostCallError(f"{self._where}: entry {quoted(entry.name)} {problem}")

    def _too_many(self) -> HostCallError:
        return HostCallError(f"{self._where}: archive holds more than {ZIP_MAX_ENTRIES} entries")

    def _find_end(self) -> _End:
        data = self._data
        lowest = max(0, len(data) - _END.size - _FULL_16)
        loose: _End | None = None
        at = data.rfind(_END_MARK, lowest)
        while at >= 0:
            if at + _END.size <= len(data):
                comment_end = at + _END.size + _END.unpack_from(data, at)[7]
                found = self._end_at(at) if comment_end <= len(data) else None
                # the mark may also stand inside of a comment: the record whose comment ends the file wins
                if found is not None and comment_end == len(data):
                    return found
                loose = loose or found
            at = data.rfind(_END_MARK, lowest, at)
        if loose is None:
            raise self.refusal("it has no end record that fits" if data else "it is empty")
        return loose

    def _end_at(self, at: int) -> _End | None:
        """What this record says, or None where it cannot be one."""
        data = self._data
        _, disk, first_disk, on_disk, count, size, offset, _ = _END.unpack_from(data, at)
        stop = at
        if count == _FULL_16 or _FULL_32 in {size, offset}:
            record = self._end64(at)
            if record is not None:
                stop, disk, first_disk, on_disk, count, size, offset = record
        if disk or first_disk or on_disk != count:
            if data[stop - size : stop - size + 4] == _CENTRAL_MARK and 0 < size <= stop:
                raise self.refusal("it is one part of an archive in several files")
            return None
        start = stop - size
        if start >= 0 and (data.startswith(_CENTRAL_MARK, start) if count else not size):
            # bytes in front of the archive: its offsets count from its own beginning, or from the file's
            shift = start - offset
            return _End(start=start, stop=stop, count=count, shift=shift) if shift >= 0 else None
        if count and offset + size <= stop and data.startswith(_CENTRAL_MARK, offset):
            return _End(start=offset, stop=offset + size, count=count, shift=0)
        return None

    def _end64(self, at: int) -> tuple[int, int, int, int, int, int, int] | None:
        data = self._data
        locator = at - _END64_LOCATOR.size
        if locator < 0:
            return None
        mark, _, told, _ = _END64_LOCATOR.unpack_from(data, locator)
        if mark != b"PK\x06\x07":
            return None
        for place in (told, locator - _END64.size):
            if 0 <= place <= locator - _END64.size and data.startswith(b"PK\x06\x06", place):
                _, _, _, _, disk, first_disk, on_disk, count, size, offset = _END64.unpack_from(data, place)
                return place, disk, first_disk, on_disk, count, size, offset
        return None

    def _read_directory(self, encoding: str | None, deadline: Deadline) -> list[Entry]:
        lines: list[tuple[bytes, bytes, tuple[int, ...]]] = []
        at = self._end.start
        while at < self._end.stop:
            if len(lines) % _STEP == 0:
                deadline.check()
            if len(lines) == ZIP_MAX_ENTRIES:
                raise self._too_many()
            if at + _CENTRAL.size > self._end.stop or not self._data.startswith(_CENTRAL_MARK, at):
                raise self.refusal("its directory is damaged")
            fields = _CENTRAL.unpack_from(self._data, at)[1:]
            name_at = at + _CENTRAL.size
            extra_at = name_at + fields[9]
            at = extra_at + fields[10] + fields[11]
            if at > self._end.stop:
                raise self.refusal("its directory is cut off")
            lines.append((self._data[name_at:extra_at], self._data[extra_at : extra_at + fields[10]], fields))
        if len(lines) != self._end.count:
            raise self.refusal(
                f"its directory has {len(lines)} entries, its end record says {self._end.count}"
            )
        plain = [raw for raw, _, fields in lines if not fields[2] & _UTF8]
        codec = encoding or _names_codec(plain)
        return [self._entry(raw, extra, fields, codec) for raw, extra, fields in lines]

    def _entry(self, raw: bytes, extra: bytes, fields: tuple[int, ...], codec: str) -> Entry:
        _, _, flags, method, time, date, crc, packed, size, _, _, _, disk, _, _, offset = fields
        name = self._name(raw, extra, codec, is_utf8=bool(flags & _UTF8))
        # APPNOTE 4.5.3: the wide fields stand in this order, each only where the narrow one is full
        wide = iter(_extra_numbers(extra))
        if size == _FULL_32:
            size = next(wide, size)
        if packed == _FULL_32:
            packed = next(wide, packed)
        if offset == _FULL_32:
            offset = next(wide, offset)
        if disk not in (0, _FULL_16):
            raise self.refusal("it is one part of an archive in several files")
        return Entry(
            name=name,
            raw_name=raw,
            method=method,
            encrypted=bool(flags & _ENCRYPTED),
            crc32=crc,
            size=size,
            compressed_size=packed,
            header_offset=offset + self._end.shift,
            dos_date=date,
            dos_time=time,
        )

    def _name(self, raw: bytes, extra: bytes, codec: str, *, is_utf8: bool) -> str:
        for kind, content in _extras(extra):
            if kind == _EXTRA_UNICODE_PATH and len(content) > _EXTRA_UNICODE_HEAD and content[0] == 1:
                # it counts while the name beside it is the one that it was made for
                if int.from_bytes(content[1:5], "little") == zlib.crc32(raw):
                    return self._checked_name(content[_EXTRA_UNICODE_HEAD:], "utf-8")
                break
        return self._checked_name(raw, "utf-8" if is_utf8 else codec)

    def _checked_name(self, raw: bytes, codec: str) -> str:
        try:
            name = raw.decode(codec)
        except UnicodeDecodeError:
            shown = quoted(raw.decode("ascii", "replace"))
            raise HostCallError(
                f"{self._where}: the entry name {shown} is not valid {codec.upper()}"
            ) from None
        if utf16_length(name) > ZIP_MAX_NAME_UNITS:
            raise HostCallError(
                f"{self._where}: the entry name {quoted(name)} is longer than {ZIP_MAX_NAME_UNITS} characters"
            )
        if "\0" in name:
            shown = quoted(name.replace("\0", "\ufffd"))
            raise HostCallError(f"{self._where}: the entry name {shown} holds a NUL character")
        return name

    def _data_range(self, entry: Entry) -> tuple[int, int]:
        at = entry.header_offset
        if at + _LOCAL.size > self._end.start or not self._data.startswith(_LOCAL_MARK, at):
            raise self.entry_refusal(entry, "has no header where the directory says")
        fields = _LOCAL.unpack_from(self._data, at)
        method, name_length, extra_length = fields[3], fields[9], fields[10]
        name_at = at + _LOCAL.size
        if self._data[name_at : name_at + name_length] != entry.raw_name or method != entry.method:
            raise self.entry_refusal(
                entry, "has another name or method in its own header than in the directory"
            )
        start = name_at + name_length + extra_length
        stop = start + entry.compressed_size
        if stop > self._end.start:
            raise self.entry_refusal(entry, "reaches past the end of the data")
        return start, stop


def _extras(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        yield kind, extra[at + 4 : at + 4 + size]
        at += 4 + size


def _extra_numbers(extra: bytes) -> list[int]:
    for kind, content in _extras(extra):
        if kind == _EXTRA_ZIP64:
            return [number for (number,) in struct.iter_unpack("<Q", content[: len(content) // 8 * 8])]
    return []


def _names_codec(names: Sequence[bytes]) -> str:
    """What names without the UTF-8 flag are in: UTF-8 where they are valid, cp437, or what reads better.

    APPNOTE says cp437; macOS writes UTF-8 without the flag, and Windows its own code page.
    """
    telling = [name for name in names if not name.isascii()]
    if not telling:
        return _DOS
    joined = b"\n".join(telling)
    if _decoded(joined, "utf-8") is not None:
        return "utf-8"
    wide = [codec for codec in _MANY_BYTES if _reads_wide(_decoded(joined, codec))]
    if not wide and not _RUN_OF_HIGH_BYTES.search(joined):
        return _DOS  # single letters with accents between plain ones
    return likeliest(joined[:MAX_ENCODING_SAMPLE_BYTES], (*wide, _DOS, "cp866")) or _DOS


def _decoded(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _reads_wide(text: str | None) -> bool:
    """Whether wide characters stand together: cp437's accents, misread, give single ones."""
    if text is None:
        return False
    found = len(_WIDE.findall(text))
    return found > 0 and sum(map(len, _WIDE_RUN.findall(text))) * 2 >= found
