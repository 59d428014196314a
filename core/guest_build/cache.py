"""The build's cache: downloaded sources, compiled modules, finished images, each under its inputs' digest.

What lies here is put into wheels and run, so the folder is the user's alone: made with mode 0700, and
refused when it belongs to somebody else or others can write to it.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from guest_build.steps import StepFailedError

ENV_OVERRIDE = "NODETOOL_SANDBOX_CACHE_DIR"
APP = "nodetool-sandbox"


def user_cache_folder() -> Path:
    """The folder this user's caches belong in on this platform; `NODETOOL_SANDBOX_CACHE_DIR` overrides it."""
    if override := os.environ.get(ENV_OVERRIDE):
        return Path(override).absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local or Path.home() / "AppData" / "Local") / APP
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / APP
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG base directory specification: a relative value is ignored.
    return Path(xdg if xdg.startswith("/") else Path.home() / ".cache") / APP


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCache:
    """Files by name, written whole or not at all."""

    folder: Path

    @classmethod
    def open(cls) -> BuildCache:
        """The cache, its folders made. Refuses a folder that others can write to."""
        top = user_cache_folder()
        try:
            top.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = top / "guest"
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StepFailedError(
                "open the cache",
                what=f"the cache folder cannot be made: {error}",
                now=f"make it writable, or name another folder in {ENV_OVERRIDE}",
            ) from error
        for each in (top, folder):
            _require_private(each)
        return cls(folder=folder)

    def read(self, name: str) -> bytes | None:
        """The file's bytes, or None where the cache has no such file."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Puts the file there in one move, so that a build beside this one never sees half of it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def write_whole(path: Path, content: bytes) -> None:
    """Replaces the file in one move: a reader sees the old bytes or the new ones."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _require_private(folder: Path) -> None:
    if sys.platform == "win32":
        return  # no POSIX modes; a user's LOCALAPPDATA is theirs alone by default
    seen = folder.stat()
    if seen.st_uid != os.geteuid() or seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise StepFailedError(
            "open the cache",
            what=f"others may write to {folder} (owner {seen.st_uid}, mode {stat.filemode(seen.st_mode)}), "
            "and what is cached there ends up in wheels",
            now=f"`chmod go-w` it (and own it), or name a private folder in {ENV_OVERRIDE}",
        )
