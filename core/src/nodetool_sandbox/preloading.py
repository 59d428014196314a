"""Sets of modules that were compiled before: the second run that imports them does not parse them again.

Compiled and not evaluated, so that the state of a module, its clock and its random numbers are each
run's own. What is kept was made by our own engine from texts whose digests are its name, in memory
and in a private folder of the user's cache. Nothing that a pack brings is ever read as compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.linking import ModuleGraph

from nodetool_sandbox._engine.guest import image
from nodetool_sandbox._engine.preloaded import Preloaded
from nodetool_sandbox.limits import MIB
from nodetool_sandbox.link import USER_CODE
from nodetool_sandbox.user_cache import cache_folder, is_private

MAX_MEMORY_BYTES: Final = 64 * MIB
"""Of compiled modules that one process keeps."""

MAX_FOLDER_BYTES: Final = 256 * MIB
"""Of compiled modules in the cache folder; the longest unused go first."""

MAX_SET_BYTES: Final = 32 * MIB
"""Of one set. A larger one is compiled in each run, as if it were never kept."""

_SUFFIX: Final = ".modules"

Compile = Callable[[tuple[str, ...]], Preloaded | None]
"""Compiles modules by the engine's names in a guest of their own; None where that does not go well."""


class ModuleCache:
    """What was compiled, by what it was compiled from. Any thread may ask."""

    def __init__(self, folder: Path | None = None, *, most_bytes: int = MAX_MEMORY_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, Preloaded | None] = OrderedDict()
        self._bytes = 0

    def find(self, graph: ModuleGraph, specifiers: Iterable[str], compile_: Compile) -> Preloaded | None:
        """What a program begins with that imports these; None where it must load them by itself."""
        entries = tuple(sorted({graph.normalize(USER_CODE, each) for each in specifiers}))
        if not entries:
            return None
        key = (entries, graph.contents(entries))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = self._find_file(key)
        if found is None:
            made = compile_(entries)
            if made is None:  # in a run with more memory or time it may go well
                return None
            if made.byte_count <= MAX_SET_BYTES:
                found = made
                _store(self._path(key), found.to_bytes())
        with self._lock:
            self._keep(key, found)
        return found

    def _keep(self, key: object, found: Preloaded | None) -> None:
        if key in self._kept:
            return
        self._kept[key] = found
        self._bytes += found.byte_count if found else 0
        while self._bytes > self._most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= dropped.byte_count if dropped else 0

    def _path(self, key: object) -> Path:
        name = hashlib.sha256(repr((image().digest, key)).encode()).hexdigest()
        return (self._folder or cache_folder() / "modules") / f"{name}{_SUFFIX}"

    def _find_file(self, key: object) -> Preloaded | None:
        path = self._path(key)
        if not (is_private(path.parent) and is_private(path)):
            return None
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        found = Preloaded.from_bytes(data)
        if found is None:  # torn, or another's
            with contextlib.suppress(OSError):
                path.unlink()
        return found


def _store(path: Path, data: bytes) -> None:
    """Keep a file, whole or not at all, and make room for it. A cache that cannot be written is no error."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(path.parent):
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".modules-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink()
            raise
        _make_room(path.parent)


def _make_room(folder: Path) -> None:
    found = sorted(
        ((each.stat().st_mtime_ns, each.stat().st_size, each) for each in folder.glob(f"*{_SUFFIX}")),
        reverse=True,
    )
    total = 0
    for _, size, path in found:
        total += size
        if total > MAX_FOLDER_BYTES:
            path.unlink(missing_ok=True)


_cache: Final = ModuleCache()


def module_cache() -> ModuleCache:
    """The cache of this process."""
    return _cache
