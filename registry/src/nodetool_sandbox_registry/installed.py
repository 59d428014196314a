"""Which installed distributions declare an entry point, told from their metadata alone.

Nothing is imported. Only wheel installs count (a `.dist-info` folder); their name must agree in
the folder, in METADATA and, for what they own, in RECORD.
"""

# ruff: noqa: PTH100
# Hundreds of short-lived paths a scan: text is several times faster than Path.
from __future__ import annotations

import csv
import importlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.parser import HeaderParser
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from nodetool_sandbox_registry.files import read_at_most
from nodetool_sandbox_registry.names import MAX_NAME_CHARS, DistName, InvalidNameError, parse_dist_name
from nodetool_sandbox_registry.snapshots import Snapshot
from nodetool_sandbox_registry.texts import quoted

MAX_METADATA_BYTES: Final = 4 * 1024 * 1024
"""One file of a distribution's metadata."""

_VERSION = re.compile(rf"[A-Za-z0-9.!+_-]{{1,{MAX_NAME_CHARS}}}")
_END_OF_HEADERS = re.compile(r"\n\r?\n")
# Without waiting for whoever would write into a FIFO that took the file's place.
_READ_PLAINLY: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WINDOWS_DRIVE = re.compile(r"/[A-Za-z]:")


class MetadataError(Exception):
    """Metadata that cannot be trusted to say who owns what.

    `name` is the name to tell it under. A `leftover` is what some tools leave beside a wheel of that
    name, so it is worth telling only where there is no such wheel.
    """

    def __init__(self, message: str, *, name: str, leftover: bool = False) -> None:
        super().__init__(message)
        self.name = name
        self.leftover = leftover


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledEntry:
    """An entry point and the distribution that declares it.

    `info` is its metadata folder, `root` the folder of the path that it is in, `record` what RECORD
    lists with the hash of each (None where an operating system's packager left it out), `editable` the
    folder of an editable install's project.
    """

    distribution: DistName
    version: str
    value: str
    info: str
    root: str
    record: Mapping[str, str] | None
    editable: str | None

    def startup_files(self) -> list[str]:
        """The `.pth` files that it brings: Python reads them whenever it starts, and runs what they import."""
        return sorted(each for each in self.record or () if each.endswith(".pth") and "/" not in each)

    def lists(self, folder: str) -> bool:
        """Whether the distribution owns something in this folder beside its metadata."""
        return self.record is None or any(each.startswith(f"{folder}/") for each in self.record)


def absolute_path(path: Sequence[str] | None) -> tuple[str, ...]:
    """The folders to look in: `path`, or else `sys.path` as it is now."""
    return tuple(dict.fromkeys(os.path.abspath(each) for each in (sys.path if path is None else path)))


def installed_entries(
    path: Sequence[str], group: str, *, seen: Snapshot
) -> Iterator[InstalledEntry | MetadataError]:
    """Each distribution on the path that declares an entry point of the group, or why it does not count."""
    # importlib.metadata keeps listings by a time stamp that is coarser than a quick reinstall.
    importlib.invalidate_caches()
    for folder in path:
        seen.note(folder)
    for found in distributions(path=list(path)):
        try:
            entry = _load_entry(found, group, seen)
        except MetadataError as error:
            yield error
        else:
            if entry is not None:
                yield entry


def _load_entry(found: Distribution, group: str, seen: Snapshot) -> InstalledEntry | None:
    # No public name for it in importlib.metadata; what has no such folder is told as what it is.
    info = getattr(found, "_path", None)
    if not isinstance(info, Path):
        _refuse_elsewhere(found, group)
        return None
    metadata = _Metadata(info, seen)
    declared = metadata.text("entry_points.txt")
    if declared is None or group not in declared:
        return None
    entry = _one_entry(declared, group, told_as=metadata.folder_name)
    if entry is None:
        return None
    if info.suffix != ".dist-info":
        message = "is not installed as a wheel (it has no .dist-info folder); install it with pip"
        raise MetadataError(message, name=metadata.folder_name, leftover=True)
    name, version = metadata.require_identity()
    record = metadata.load_record()
    if record is not None and f"{info.name}/METADATA" not in record:
        message = (
            f"the metadata folder {quoted(info.name)} is not in its own RECORD, which is of another wheel"
        )
        raise MetadataError(message, name=name)
    return InstalledEntry(
        distribution=name,
        version=version,
        value=entry.value,
        info=str(info),
        root=str(info.parent),
        record=record,
        editable=metadata.load_editable(),
    )


def _refuse_elsewhere(found: Distribution, group: str) -> None:
    """Tell a pack that lies in an archive, or that some import hook makes up."""
    text = found.read_text("entry_points.txt")
    if text is not None and group in text:
        name = str(HeaderParser().parsestr(_head(found.read_text("METADATA") or ""))["Name"])
        message = "is inside of an archive or behind an import hook; install it as a folder with pip"
        raise MetadataError(message, name=name[:MAX_NAME_CHARS])


class _Declared(Distribution):
    """A distribution of which nothing but its entry points is there: a text that was read already."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "entry_points.txt" else None

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        raise FileNotFoundError(path)


def _head(metadata: str) -> str:
    """METADATA without its body, which can be long and is not asked for."""
    end = _END_OF_HEADERS.search(metadata)
    return metadata if end is None else metadata[: end.end()]


def _one_entry(declared: str, group: str, *, told_as: str) -> EntryPoint | None:
    try:
        entries = [each for each in _Declared(declared).entry_points if each.group == group]
    except (TypeError, ValueError):  # what its line parser makes of a line without "="
        message = "entry_points.txt cannot be read"
        raise MetadataError(message, name=told_as) from None
    if len(entries) > 1:
        message = f"declares {len(entries):,} entry points in {group}, where one is allowed"
        raise MetadataError(message, name=told_as)
    return entries[0] if entries else None


class _Metadata:
    """The files of one metadata folder. A link is followed, but nothing except a plain file is opened."""

    def __init__(self, info: Path, seen: Snapshot) -> None:
        self._info = str(info)
        self._seen = seen
        self.folder_name = info.name.removesuffix(info.suffix).partition("-")[0]

    def text(self, file: str) -> str | None:
        """The file as text, or None where it is missing."""
        path = f"{self._info}{os.sep}{file}"
        found = self._seen.note(path)
        if found is None:
            return None
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_METADATA_BYTES:
            message = f"{file} is not a file of at most {MAX_METADATA_BYTES:,} bytes"
            raise MetadataError(message, name=self.folder_name)
        try:
            handle = os.open(path, _READ_PLAINLY)
            try:
                return read_at_most(handle, MAX_METADATA_BYTES, likely=found.st_size).decode()
            finally:
                os.close(handle)
        except (OSError, UnicodeDecodeError):
            message = f"{file} cannot be read as UTF-8"
            raise MetadataError(message, name=self.folder_name) from None

    def require_identity(self) -> tuple[DistName, str]:
        """The name and version in METADATA, where the folder has that name too."""
        headers = HeaderParser().parsestr(_head(self.text("METADATA") or ""))
        names, versions = headers.get_all("Name", []), headers.get_all("Version", [])
        try:
            name = parse_dist_name(str(names[0]))
            version = str(versions[0])
        except (IndexError, InvalidNameError) as error:
            why = str(error) if names else "it is missing"
            message = f"METADATA has no usable Name and Version: {why}"
            raise MetadataError(message, name=self.folder_name) from None
        if len(names) > 1 or len(versions) > 1 or _VERSION.fullmatch(version) is None:
            message = f"METADATA does not give one name and one version: {quoted(str(names + versions))}"
            raise MetadataError(message, name=self.folder_name)
        try:
            same = parse_dist_name(self.folder_name) == name
        except InvalidNameError:
            same = False
        if not same:
            message = (
                f"the metadata says {quoted(name)}, but its folder belongs to {quoted(self.folder_name)}; "
                "reinstall both"
            )
            raise MetadataError(message, name=self.folder_name)
        return name, version

    def load_record(self) -> Mapping[str, str] | None:
        """The paths that RECORD lists and what it says of each file's hash, or None where there is none."""
        text = self.text("RECORD")
        if text is None:
            return None
        try:
            rows = csv.reader(text.splitlines())
            return {row[0].replace("\\", "/"): row[1] if len(row) > 1 else "" for row in rows if row}
        except csv.Error:
            message = "RECORD cannot be read"
            raise MetadataError(message, name=self.folder_name) from None

    def load_editable(self) -> str | None:
        """The project folder of an editable install, or None for a plain one."""
        text = self.text("direct_url.json")
        try:
            document = json.loads(text or "null")
        except (ValueError, RecursionError):
            document = None
        match document:
            case {"url": str(url), "dir_info": {"editable": True}} if url.startswith("file:"):
                path = unquote(urlsplit(url).path)
                return path[1:] if _WINDOWS_DRIVE.match(path) else path
        return None
