"""zip: archives and compressed streams in and out; every byte is counted before it is kept.

Reading is done on zlib with a directory reader of our own (`_zip_directory` says why), writing by the
standard library's `zipfile`.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import translate
from typing import Final

from nodetool_sandbox_registry.hosts import Deadline, HostCallError, HostExport, HostId, HostModule
from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox_host._zip_directory import DEFLATED, STORED, Archive, Entry
from nodetool_sandbox_host.arguments import (
    argument,
    flag,
    option_bag,
    quoted,
    require_bytes,
    text_option,
    utf16_length,
    whole_number,
    without_lone_surrogates,
)
from nodetool_sandbox_host.decoding import option_codec
from nodetool_sandbox_host.limits import (
    MAX_RESULT_UNITS,
    ZIP_MAX_COMMENT_BYTES,
    ZIP_MAX_ENTRIES,
    ZIP_MAX_INFLATED_BYTES,
    ZIP_MAX_NAME_UNITS,
    ZIP_MAX_PATTERN_UNITS,
    ZIP_MAX_PATTERNS,
)

_CHUNK_BYTES: Final = 64 * 1024
"""Bytes that one step inflates at most."""
_FED_BYTES: Final = 16 * 1024
"""Compressed bytes that one step takes at most: zlib hands back a copy of what it did not use."""
_STEP: Final = 256
_WINDOW_ZLIB: Final = zlib.MAX_WBITS
_WINDOW_RAW: Final = -zlib.MAX_WBITS
_WINDOW_GZIP: Final = zlib.MAX_WBITS + 16
_DEFAULT_LEVEL: Final = 6
_MAX_LEVEL: Final = 9
_FIRST_YEAR: Final = 1980
_LAST_YEAR: Final = 2107
_FIRST_MOMENT: Final = (_FIRST_YEAR, 1, 1, 0, 0, 0)
_ON_UNIX: Final = 3
_FILE_MODE: Final = 0o100644 << 16
_FOLDER_MODE: Final = 0o40755 << 16 | 0x10
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_SEPARATORS: Final = re.compile(r"[/\\]")
_GLOB: Final = re.compile(r"[*?\[]")


# --- reading


@dataclass(slots=True)
class _Budget:
    """Inflated bytes that may still be made, counted over a whole call."""

    where: str
    what: str
    allowed: int
    made: int = field(default=0)

    def take(self, count: int) -> None:
        """Count that many bytes more.

        Raises:
            HostCallError: they are past the limit.
        """
        self.made += count
        if self.made > self.allowed:
            raise self.refusal()

    def refusal(self) -> HostCallError:
        return HostCallError(f"{self.where}: {self.what} inflates past the {self.allowed} byte limit")


def _budget(options: Mapping[str, object], where: str, what: str) -> _Budget:
    allowed = whole_number(
        options, "maxBytes", default=ZIP_MAX_INFLATED_BYTES, low=0, high=ZIP_MAX_INFLATED_BYTES, where=where
    )
    return _Budget(where, what, allowed)


class _Inflating:
    """One compressed stream: its content in pieces, none of them past the budget."""

    def __init__(self, window: int, budget: _Budget, deadline: Deadline) -> None:
        self._decompressor = zlib.decompressobj(window)
        self._budget = budget
        self._deadline = deadline
        self._fed = 0

    @property
    def complete(self) -> bool:
        """Whether the stream's own end was seen."""
        return self._decompressor.eof

    @property
    def used(self) -> int:
        """How many bytes of the data were the stream's."""
        return self._fed - len(self._decompressor.unused_data)

    def pieces(self, data: memoryview) -> Iterator[bytes]:
        """The content, up to the stream's end or the end of the data.

        Raises:
            HostCallError: it is past the budget.
            zlib.error: the data are no such stream.
        """
        for start in range(0, len(data), _FED_BYTES):
            self._deadline.check()
            part = data[start : start + _FED_BYTES]
            self._fed += len(part)
            yield from self._some(part)
            while self._decompressor.unconsumed_tail and not self.complete:
                yield from self._some(self._decompressor.unconsumed_tail)
            if self.complete:
                return
        before = -1
        while not self.complete and before != self._budget.made:
            before = self._budget.made
            yield from self._some(b"")  # what the last step held back

    def _some(self, data: bytes | memoryview) -> Iterator[bytes]:
        # one byte past the limit shows that there is more, without making it
        left = self._budget.allowed - self._budget.made
        piece = self._decompressor.decompress(data, min(_CHUNK_BYTES, left + 1))
        self._budget.take(len(piece))
        yield piece


def unzip(args: Sequence[object], deadline: Deadline) -> object:
    """The entries of an archive, name to bytes; of two with one name the last.

    Raises:
        HostCallError: these are no bytes of an archive, it is damaged, or it is past a cap.
    """
    where = "zip.unzip"
    data = require_bytes(argument(args, 0), where)
    options = option_bag(argument(args, 1))
    encoding = _encoding(options, where)
    wanted = _wanted(options, "only", where, deadline)
    budget = _budget(options, where, "archive")
    as_text = flag(options, "text", default=False)
    safe = flag(options, "safe", default=False)
    archive = Archive(data, where=where, encoding=encoding, deadline=deadline)
    ranges = archive.data_ranges(deadline)
    chosen: list[tuple[Entry, memoryview]] = []
    for index, (entry, packed) in enumerate(zip(archive.entries, ranges, strict=True)):
        if index % _STEP == 0:
            deadline.check()
        if wanted(entry.name):
            chosen.append((entry, packed))
    for entry, _ in chosen:
        _check_entry(archive, entry, safe=safe)
    # what the headers admit to is refused before anything is inflated
    if sum(entry.size for entry, _ in chosen) > budget.allowed:
        raise budget.refusal()
    files: dict[str, bytes | bytearray] = {}
    for index, (entry, packed) in enumerate(chosen):
        if index % _STEP == 0:
            deadline.check()
        files[entry.name] = _content(archive, entry, packed, budget, deadline)
    return _texts(files, where) if as_text else files


def _check_entry(archive: Archive, entry: Entry, *, safe: bool) -> None:
    if entry.encrypted:
        raise archive.entry_refusal(entry, "is encrypted; only archives without a password can be read")
    if entry.method not in (STORED, DEFLATED):
        raise archive.entry_refusal(entry, f"uses compression method {entry.method}, which is not supported")
    parts = _SEPARATORS.split(entry.name)
    if safe and (".." in parts or not parts[0] or _DRIVE.match(entry.name)):
        raise archive.entry_refusal(entry, "points out of its folder, which `safe` refuses")


def _content(
    archive: Archive, entry: Entry, packed: memoryview, budget: _Budget, deadline: Deadline
) -> bytes | bytearray:
    content = bytearray()
    if entry.method == STORED:
        budget.take(len(packed))
        content += packed
        complete = True
    else:
        stream = _Inflating(_WINDOW_RAW, budget, deadline)
        try:
            for piece in stream.pieces(packed):
                if len(content) + len(piece) > entry.size:
                    raise archive.entry_refusal(entry, f"declares {entry.size} bytes but holds more")
                content += piece
        except zlib.error:
            raise archive.entry_refusal(entry, "is damaged (its compressed data)") from None
        complete = stream.complete
    if not complete:
        raise archive.entry_refusal(entry, "is cut off")
    if len(content) != entry.size:
        raise archive.entry_refusal(entry, f"declares {entry.size} bytes but holds {len(content)}")
    if zlib.crc32(content) != entry.crc32:
        raise archive.entry_refusal(entry, "is damaged (CRC)")
    if entry.is_directory and content:
        raise archive.entry_refusal(entry, "is a directory and holds data")
    return content


def _texts(files: Mapping[str, bytes | bytearray], where: str) -> dict[str, str]:
    """The contents as TextDecoder reads them: without the byte order mark, U+FFFD for what is no UTF-8."""
    texts: dict[str, str] = {}
    left = MAX_RESULT_UNITS
    for name, content in files.items():
        # a character of three bytes is one unit: fewer than a third is not possible
        if len(content) > 3 * left:
            left = -1
        else:
            texts[name] = content.decode("utf-8", "replace").removeprefix("\ufeff")
            left -= utf16_length(texts[name])
        if left < 0:
            raise HostCallError(
                f"{where}: result exceeds the {MAX_RESULT_UNITS} character limit; leave out `text` for bytes"
            )
    return texts


def list_entries(args: Sequence[object], deadline: Deadline) -> object:
    """What the directory says of each entry; nothing is inflated.

    Raises:
        HostCallError: these are no bytes of an archive, or its directory is damaged or past a cap.
    """
    where = "zip.list"
    data = require_bytes(argument(args, 0), where)
    encoding = _encoding(option_bag(argument(args, 1)), where)
    archive = Archive(data, where=where, encoding=encoding, deadline=deadline)
    return [
        {
            "name": entry.name,
            "size": entry.size,
            "compressedSize": entry.compressed_size,
            "directory": entry.is_directory,
            "modified": entry.modified,
            "crc32": entry.crc32,
            "encrypted": entry.encrypted,
        }
        for entry in archive.entries
    ]


def gunzip(args: Sequence[object], deadline: Deadline) -> object:
    """The content of gzip data; members one after another are joined.

    Raises:
        HostCallError: these are no gzip bytes, or they inflate past the limit.
    """
    where = "zip.gunzip"
    data = require_bytes(argument(args, 0), where)
    budget = _budget(option_bag(argument(args, 1)), where, "data")
    content = bytearray()
    rest = memoryview(data)
    members = 0
    while not members or rest:
        members += 1
        stream = _Inflating(_WINDOW_GZIP, budget, deadline)
        _append(content, stream, rest, f"{where}: not readable gzip data")
        rest = rest[stream.used :]
        # files on tapes and disks end in zeros up to the next block
        if rest and not rest[0] and not any(rest):
            break
    return content


def inflate(args: Sequence[object], deadline: Deadline) -> object:
    """The content of deflated data: with zlib's header, or without it where `raw` is true.

    Raises:
        HostCallError: these are no such bytes, or they inflate past the limit.
    """
    where = "zip.inflate"
    data = require_bytes(argument(args, 0), where)
    options = option_bag(argument(args, 1))
    budget = _budget(options, where, "data")
    raw = flag(options, "raw", default=False)
    content = bytearray()
    stream = _Inflating(_WINDOW_RAW if raw else _WINDOW_ZLIB, budget, deadline)
    _append(
        content, stream, memoryview(data), f"{where}: not readable {'raw deflate' if raw else 'zlib'} data"
    )
    return content


def _append(content: bytearray, stream: _Inflating, data: memoryview, refusal: str) -> None:
    try:
        for piece in stream.pieces(data):
            content += piece
    except zlib.error:
        raise HostCallError(f"{refusal} (it is damaged, or of another kind)") from None
    if not stream.complete:
        raise HostCallError(f"{refusal} ({'it is cut off' if len(data) else 'it is empty'})")


def _encoding(options: Mapping[str, object], where: str) -> str | None:
    value = options.get("encoding", UNDEFINED)
    return None if value is UNDEFINED or value is None else option_codec(value, where)


# --- names by pattern


def _wanted(
    options: Mapping[str, object], name: str, where: str, deadline: Deadline
) -> Callable[[str], bool]:
    """Whether a name is meant: by itself, or by a pattern with `*`, `?`, `[...]` and `**` over folders.

    Raises:
        HostCallError: the option is neither text nor a list of texts, or there are too many or too long patterns.
    """
    value = options.get(name, UNDEFINED)
    if value is UNDEFINED or value is None:
        return lambda _name: True
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise HostCallError(f"{where}: {name} must be a name or pattern, or an array of them")
    exact = frozenset(texts)
    patterns = [each for each in exact if _GLOB.search(each)]
    if len(patterns) > ZIP_MAX_PATTERNS or any(len(each) > ZIP_MAX_PATTERN_UNITS for each in patterns):
        raise HostCallError(
            f"{where}: {name} takes at most {ZIP_MAX_PATTERNS} patterns of {ZIP_MAX_PATTERN_UNITS} characters"
        )
    globs = [[_segment(each) for each in pattern.split("/")] for pattern in patterns]

    def is_wanted(entry: str) -> bool:
        if entry in exact:
            return True
        parts = entry.split("/")
        for glob in globs:
            deadline.check()
            if _matches(glob, parts):
                return True
        return False

    return is_wanted


def _segment(text: str) -> re.Pattern[str] | None:
    """One folder's part of a pattern; None stands for `**`. Several stars in a row are one."""
    if text == "**":
        return None
    try:
        return re.compile(translate(re.sub(r"\*+", "*", text)))
    except re.error:  # such as [b-a]
        return re.compile(re.escape(text))


def _matches(glob: Sequence[re.Pattern[str] | None], parts: Sequence[str]) -> bool:
    """Whether the parts of a name fit; after a mismatch the last `**` takes one part more."""
    at = part = 0
    resume_at, resume_part = -1, 0
    while part < len(parts):
        segment = glob[at] if at < len(glob) else None
        if at < len(glob) and segment is None:
            resume_at, resume_part = at, part
            at += 1
        elif segment is not None and segment.match(parts[part]):
            at += 1
            part += 1
        elif resume_at >= 0:
            resume_part += 1
            at, part = resume_at + 1, resume_part
        else:
            return False
    return all(each is None for each in glob[at:])


# --- writing


def zip_files(args: Sequence[object], deadline: Deadline) -> object:
    """The bytes of an archive of these files; equal files give equal bytes.

    Raises:
        HostCallError: these are no files, a name or an option is wrong, or they are past a cap.
    """
    where = "zip.zip"
    files = argument(args, 0)
    if not isinstance(files, dict):
        raise HostCallError(f"{where}: files must be an object mapping names to Uint8Array or string content")
    options = option_bag(argument(args, 1))
    level = _level(options, where)
    comment = without_lone_surrogates(text_option(options, "comment", default="", where=where)).encode()
    if len(comment) > ZIP_MAX_COMMENT_BYTES:
        raise HostCallError(f"{where}: comment must have at most {ZIP_MAX_COMMENT_BYTES} bytes in UTF-8")
    moment = _moment(options, where)
    stored = _wanted(options, "store", where, deadline) if options.get("store", None) else lambda _name: False
    contents = list(_contents(files, where, deadline))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.comment = comment
        for name, content in contents:
            deadline.check()
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system = _ON_UNIX  # not the host's
            entry.external_attr = _FOLDER_MODE if name.endswith("/") else _FILE_MODE
            method = zipfile.ZIP_DEFLATED if content and level and not stored(name) else zipfile.ZIP_STORED
            archive.writestr(entry, content, method, level or None)
    return out.getvalue()


def _contents(files: Mapping[str, object], where: str, deadline: Deadline) -> Iterator[tuple[str, bytes]]:
    """Names as an archive has them, each with its bytes."""
    if len(files) > ZIP_MAX_ENTRIES:
        raise HostCallError(f"{where}: more than {ZIP_MAX_ENTRIES} entries; make several archives")
    seen: dict[str, str] = {}
    total = 0
    for index, (given, value) in enumerate(files.items()):
        if index % _STEP == 0:
            deadline.check()
        name = _written_name(given, where)
        if name in seen:
            raise HostCallError(
                f"{where}: {quoted(seen[name])} and {quoted(given)} are both {quoted(name)} in the archive"
            )
        seen[name] = given
        if isinstance(value, str):
            # every unit is at least one byte: what cannot fit is not encoded
            if total + len(value) > ZIP_MAX_INFLATED_BYTES:
                raise _past_input(where)
            content = without_lone_surrogates(value).encode()
        elif isinstance(value, bytes):
            content = value
        else:
            raise HostCallError(f"{where}: entry {quoted(given)} must be a Uint8Array or string")
        total += len(content)
        if total > ZIP_MAX_INFLATED_BYTES:
            raise _past_input(where)
        if name.endswith("/") and content:
            raise HostCallError(f"{where}: entry {quoted(given)} is a directory and cannot hold data")
        yield name, content


def _past_input(where: str) -> HostCallError:
    return HostCallError(f"{where}: entries exceed the {ZIP_MAX_INFLATED_BYTES} byte limit")


def _written_name(given: str, where: str) -> str:
    name = given.replace("\\", "/")
    if not name or "\0" in name:
        raise HostCallError(f"{where}: an entry name must not be empty or hold a NUL character")
    if utf16_length(name) > ZIP_MAX_NAME_UNITS:
        raise HostCallError(
            f"{where}: the entry name {quoted(name)} is longer than {ZIP_MAX_NAME_UNITS} characters"
        )
    joined = without_lone_surrogates(name)
    if "\ufffd" in joined and joined.count("\ufffd") != name.count("\ufffd"):
        raise HostCallError(f"{where}: the entry name {quoted(joined)} holds half a surrogate pair")
    return joined


def _moment(options: Mapping[str, object], where: str) -> tuple[int, int, int, int, int, int]:
    """The time of all entries: that of a Date in UTC, or of ISO text as written; 1980 where none is given."""
    value = options.get("modified", UNDEFINED)
    if value is UNDEFINED or value is None:
        return _FIRST_MOMENT
    moment = value if isinstance(value, datetime) else None
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            moment = None
    if moment is not None and moment.tzinfo is not None:
        moment = moment.astimezone(UTC) if _FIRST_YEAR <= moment.year <= _LAST_YEAR else None
    if moment is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise HostCallError(
            f"{where}: modified must be an ISO date such as 2024-05-01T12:30:00, from {_FIRST_YEAR} to {_LAST_YEAR}"
        )
    return (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)


def _level(options: Mapping[str, object], where: str) -> int:
    return whole_number(options, "level", default=_DEFAULT_LEVEL, low=0, high=_MAX_LEVEL, where=where)


def _parts(content: bytes) -> Iterable[memoryview]:
    view = memoryview(content)
    return (view[start : start + _STEP * _FED_BYTES] for start in range(0, len(view), _STEP * _FED_BYTES))


def gzip(args: Sequence[object], deadline: Deadline) -> object:
    """The data as gzip; equal data give equal bytes.

    Raises:
        HostCallError: it is neither bytes nor text, or past the limit.
    """
    return _deflated(args, "zip.gzip", _WINDOW_GZIP, deadline)


def deflate(args: Sequence[object], deadline: Deadline) -> object:
    """The data deflated: with zlib's header, or without it where `raw` is true.

    Raises:
        HostCallError: it is neither bytes nor text, or past the limit.
    """
    raw = flag(option_bag(argument(args, 1)), "raw", default=False)
    return _deflated(args, "zip.deflate", _WINDOW_RAW if raw else _WINDOW_ZLIB, deadline)


def _deflated(args: Sequence[object], where: str, window: int, deadline: Deadline) -> bytes:
    value = argument(args, 0)
    if not isinstance(value, str | bytes):
        raise HostCallError(f"{where}: data must be a Uint8Array or string")
    if len(value) > ZIP_MAX_INFLATED_BYTES:
        raise HostCallError(f"{where}: input exceeds the {ZIP_MAX_INFLATED_BYTES} byte limit")
    data = without_lone_surrogates(value).encode() if isinstance(value, str) else value
    if len(data) > ZIP_MAX_INFLATED_BYTES:
        raise HostCallError(f"{where}: input exceeds the {ZIP_MAX_INFLATED_BYTES} byte limit")
    compressor = zlib.compressobj(_level(option_bag(argument(args, 1)), where), zlib.DEFLATED, window)
    parts: list[bytes] = []
    for part in _parts(data):
        deadline.check()
        parts.append(compressor.compress(part))
    parts.append(compressor.flush())
    return b"".join(parts)


MODULE: Final = HostModule(
    host_id=HostId("zip"),
    exports=(
        HostExport(name="unzip", function=unzip),
        HostExport(name="zip", function=zip_files),
        HostExport(name="list", function=list_entries),
        HostExport(name="gzip", function=gzip),
        HostExport(name="gunzip", function=gunzip),
        HostExport(name="deflate", function=deflate),
        HostExport(name="inflate", function=inflate),
    ),
)
