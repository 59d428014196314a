"""A workbook's file: the parts of its archive, inflated as they are read and never past the cap.

No part is handed to a library. Sheets go through the standard library's expat, which stops at a
document type declaration, so no entity is ever expanded; parts that hold no cells (pictures,
macros, links to other files) are not even inflated.
"""

from __future__ import annotations

import posixpath
import zlib
from collections.abc import Iterator
from typing import Final, Protocol
from xml.parsers import expat

from nodetool_sandbox_registry.hosts import Deadline, HostCallError

from nodetool_sandbox_host._zip_directory import DEFLATED, STORED, Archive, Entry
from nodetool_sandbox_host.arguments import quoted
from nodetool_sandbox_host.limits import (
    XLSX_MAX_INFLATED_BYTES,
    XLSX_MAX_PARTS,
    XLSX_MAX_TAG_BYTES,
    XLSX_MAX_XML_ATTRIBUTES,
    XLSX_MAX_XML_DEPTH,
)

_CHUNK_BYTES: Final = 64 * 1024
_FED_BYTES: Final = 16 * 1024
_OLE: Final = b"\xd0\xcf\x11\xe0"
_ENCODINGS: Final = frozenset(("utf-8", "utf8", "utf-16", "us-ascii", "ascii"))


class Events(Protocol):
    """What takes the events of one part: local names, attributes, text."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, data: str) -> None:
        """Text between tags."""


class Package(Archive):
    """The parts of one workbook by their names; names do not differ by case."""

    def __init__(self, data: bytes, *, where: str, deadline: Deadline) -> None:
        self.where = where
        self.deadline = deadline
        self._left = XLSX_MAX_INFLATED_BYTES
        if data.startswith(_OLE):
            raise HostCallError(f"{where}: this is an old .xls (or encrypted) file; save it as .xlsx")
        super().__init__(data, where=where, encoding=None, deadline=deadline)
        if len(self.entries) > XLSX_MAX_PARTS:
            raise HostCallError(f"{where}: the workbook has more than {XLSX_MAX_PARTS} parts")
        ranges = self.data_ranges(deadline)
        # an entry that stands twice: the last one wins
        self._parts = {
            _part_name(entry.name): (entry, held) for entry, held in zip(self.entries, ranges, strict=True)
        }

    def refusal(self, reason: str) -> HostCallError:
        """The error for bytes that are no workbook, or a broken one."""
        return HostCallError(f"{self.where}: not a readable .xlsx workbook ({reason})")

    def entry_refusal(self, entry: Entry, problem: str) -> HostCallError:
        """The error for one part."""
        return self.refusal(f"its part {quoted(entry.name)} {problem}")

    def __contains__(self, name: str) -> bool:
        return _part_name(name) in self._parts

    def read(self, name: str, events: Events) -> None:
        """Give the part's events.

        Raises:
            HostCallError: it is not there, no XML, has a document type, or is past a cap.
        """
        reader = _Reader(self, name, events)
        for chunk in self._inflated(name):
            reader.feed(chunk, last=False)
        reader.feed(b"", last=True)

    def _inflated(self, name: str) -> Iterator[bytes]:
        found = self._parts.get(_part_name(name))
        if found is None:
            raise self.refusal(f"its part {quoted(name)} is missing")
        entry, data = found
        if entry.encrypted:
            raise self.entry_refusal(entry, "is encrypted")
        if entry.method not in (STORED, DEFLATED):
            raise self.entry_refusal(entry, "is compressed in a way that workbooks do not use")
        if entry.size > self._left:
            raise self._too_big()
        checksum = 0
        for chunk in _chunks(data) if entry.method == STORED else self._deflated(entry, data):
            self.deadline.check()
            self._left -= len(chunk)
            if self._left < 0:
                raise self._too_big()
            checksum = zlib.crc32(chunk, checksum)
            yield chunk
        if checksum != entry.crc32:
            raise self.entry_refusal(entry, "is damaged")

    def _deflated(self, entry: Entry, data: memoryview) -> Iterator[bytes]:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            for fed in _chunks(data, _FED_BYTES):
                pending: bytes | memoryview = fed
                while pending and not inflater.eof:
                    yield inflater.decompress(pending, _CHUNK_BYTES)
                    pending = inflater.unconsumed_tail
        except zlib.error:
            raise self.entry_refusal(entry, "is damaged") from None
        rest = inflater.flush()
        if rest:
            yield rest
        if not inflater.eof:
            raise self.entry_refusal(entry, "is cut off")

    def _too_big(self) -> HostCallError:
        return HostCallError(
            f"{self.where}: the workbook inflates past the {XLSX_MAX_INFLATED_BYTES} byte limit"
        )


def target_of(base: str, target: str) -> str:
    """The part that a relationship of the part `base` leads to."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target)).lstrip("/")


def _part_name(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _chunks(data: memoryview, size: int = _CHUNK_BYTES) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield bytes(data[start : start + size])


class _Reader:
    """Expat over one part."""

    def __init__(self, package: Package, name: str, events: Events) -> None:
        self._package = package
        self._name = name
        self._start_of = events.start
        self._end_of = events.end
        self._depth = 0
        self._fed = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = events.text
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.XmlDeclHandler = self._declaration

    def feed(self, chunk: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise self._package.refusal(
                f"its part {quoted(self._name)} is not well-formed XML at line {error.lineno}"
            ) from None
        # a tag is looked at again with each chunk until it ends: its length squared
        self._fed += len(chunk)
        if self._fed - self._parser.CurrentByteIndex > XLSX_MAX_TAG_BYTES:
            raise self._package.refusal(
                f"its part {quoted(self._name)} has a tag longer than {XLSX_MAX_TAG_BYTES} bytes"
            )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        # once a tag, so these two are the inner loop of all reading
        self._depth += 1
        if self._depth > XLSX_MAX_XML_DEPTH:
            raise self._package.refusal(
                f"its part {quoted(self._name)} is nested deeper than {XLSX_MAX_XML_DEPTH} levels"
            )
        if len(attributes) > XLSX_MAX_XML_ATTRIBUTES:
            raise self._package.refusal(
                f"its part {quoted(self._name)} has an element with more than "
                f"{XLSX_MAX_XML_ATTRIBUTES} attributes"
            )
        self._start_of(name if ":" not in name else name[name.rfind(":") + 1 :], attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._end_of(name if ":" not in name else name[name.rfind(":") + 1 :])

    def _doctype(self, *_: object) -> None:
        raise HostCallError(f"{self._package.where}: document type declarations are not allowed")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise self._package.refusal(f"its part {quoted(self._name)} is neither UTF-8 nor UTF-16")
