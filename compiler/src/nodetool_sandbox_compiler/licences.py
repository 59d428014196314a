"""The licence texts of what went into a bundle: whoever passes on the one has to pass on the other."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

MAX_LICENCE_BYTES: Final = 64 * 1024
"""One licence file; what is longer is cut."""

MAX_LICENCES_BYTES: Final = 1024 * 1024
"""All of one bundle's."""

_NAMES: Final = ("license", "licence", "copying", "notice", "unlicense")


def collect_licences(folder: Path, paths: Iterable[str]) -> str:
    """The licences of the packages that these files are of, by name; empty where there is no package."""
    texts = [_licence(folder / root, root) for root in sorted({_root(path) for path in paths} - {""})]
    return "\n".join(texts)[:MAX_LICENCES_BYTES]


def _root(path: str) -> str:
    """The folder of the package that a file belongs to: what stands up to the name behind node_modules."""
    above, found, inside = path.rpartition("node_modules/")
    if not found:
        return ""
    parts = inside.split("/")
    return above + found + "/".join(parts[: 2 if parts[0].startswith("@") else 1])


def _licence(root: Path, name: str) -> str:
    try:
        facts = json.loads((root / "package.json").read_bytes()[:MAX_LICENCES_BYTES])
    except (OSError, ValueError, RecursionError):
        facts = None
    told = facts if isinstance(facts, dict) else {}
    package = name.rpartition("node_modules/")[2]
    title = f"{package} {told.get('version', '')}: {told.get('license', 'licence not stated')}"
    texts = [_read(file) for file in _files(root)]
    return "\n\n".join([title, *texts]).strip() + "\n"


def _files(root: Path) -> list[Path]:
    try:
        found = [each for each in root.iterdir() if each.name.lower().startswith(_NAMES)]
    except OSError:
        return []
    return sorted(each for each in found if each.is_file() and not each.is_symlink())


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_LICENCE_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        return ""
