"""Whether a package's folder is what its installer wrote, by the hashes in RECORD.

Asked only where two distributions claim one folder: a file that was changed by hand is its owner's affair,
and a lock tells it.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from nodetool_sandbox_registry.files import MAX_PACK_BYTES, PackFileError, PackFolder
from nodetool_sandbox_registry.installed import InstalledEntry
from nodetool_sandbox_registry.snapshots import Snapshot


def is_intact(entry: InstalledEntry, seen: Snapshot) -> bool:
    """Whether the folder holds the files that RECORD lists for it, each with its hash, and no others.

    What Python compiled in it (`__pycache__`) does not count.
    """
    prefix = f"{entry.value}/"
    record = {
        path.removeprefix(prefix): told
        for path, told in (entry.record or {}).items()
        if path.startswith(prefix) and "/__pycache__/" not in path
    }
    package = Path(entry.root, entry.value)
    found = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*")
        if file.parent.name != "__pycache__" and (file.is_symlink() or not file.is_dir())
    }
    if not record or found != record.keys():
        return False
    try:
        with PackFolder(entry.root, entry.value, seen=seen) as folder:
            return all(
                told == _told(folder.read(path, max_bytes=MAX_PACK_BYTES)) for path, told in record.items()
            )
    except PackFileError:
        return False


def _told(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"
