"""The folder for what can be made again, and whether a path in it is the user's alone."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Final

CACHE_VARIABLE: Final = "NODETOOL_SANDBOX_CACHE_DIR"


def cache_folder() -> Path:
    """Where it is: `NODETOOL_SANDBOX_CACHE_DIR`, or the user's cache folder."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "nodetool-sandbox"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "nodetool-sandbox"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nodetool-sandbox"


def is_private(path: Path) -> bool:
    """Whether nobody but this user (or root) can have written to the path; it is no link."""
    try:
        found = path.lstat()
    except OSError:
        return False
    if stat.S_ISLNK(found.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    return found.st_uid in (os.getuid(), 0) and not found.st_mode & 0o022
