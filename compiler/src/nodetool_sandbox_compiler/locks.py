"""A pack's package.json and package-lock.json, checked, and cut down to what npm is told.

A lock may name any address and any file of the machine; ours names none. What goes to npm has names,
versions and integrity hashes alone: the configured registry has each of them, or nobody, and the hash
decides. No script, no setting and no path of the pack's goes along.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.digests import Digest, digest_facts
from nodetool_sandbox_registry.manifest import is_npm_name
from nodetool_sandbox_registry.texts import quoted

from nodetool_sandbox_compiler.outcomes import EndsShort

MAX_PACKAGE_BYTES: Final = 256 * 1024
MAX_LOCK_BYTES: Final = 8 * 1024 * 1024
MAX_PACKAGES: Final = 2_000

_NAME: Final = "nodetool-sandbox-pack"
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.+-]+)?")
_RANGE: Final = re.compile(r"(?:npm:(?:@[a-z0-9~._-]+/)?[a-z0-9~._-]+@)?[0-9A-Za-z.*^~<>=|+ -]*", re.ASCII)
_INTEGRITY: Final = re.compile(r"sha(?:512|384|256)-[A-Za-z0-9+/]+={0,2}")
_DEPENDENCIES: Final = ("dependencies", "optionalDependencies", "peerDependencies")
_KEPT: Final = (
    *("version", "integrity", "name", "optional", "peer", "inBundle", "os", "cpu", "libc", "engines"),
    *("bundleDependencies", "peerDependenciesMeta", *_DEPENDENCIES),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What npm is told to install, as the texts of its two files."""

    package: str
    lock: str

    def digest(self) -> Digest:
        """The digest of both."""
        return digest_facts([self.package, self.lock])

    def write(self, folder: Path) -> None:
        """Put both files there."""
        (folder / "package.json").write_text(self.package, encoding="utf-8")
        (folder / "package-lock.json").write_text(self.lock, encoding="utf-8")


def load_lock(project: Path) -> Lock:
    """The project's dependencies, every one of them pinned with its integrity.

    Raises:
        EndsShort: a file is missing or unreadable, or something is not a package of a registry that
            is pinned by a hash.
    """
    package = _load(project / "package.json", MAX_PACKAGE_BYTES)
    lock = _load(project / "package-lock.json", MAX_LOCK_BYTES)
    dependencies = _dependencies(package, "package.json")
    packages = lock.get("packages")
    if lock.get("lockfileVersion") not in {2, 3} or not isinstance(packages, dict):
        raise _refusal("package-lock.json is not of version 2 or 3; write it anew with npm 7 or later")
    if len(packages) > MAX_PACKAGES:
        raise _refusal(f"package-lock.json has {len(packages):,} packages, above the cap of {MAX_PACKAGES:,}")
    root = {"name": _NAME, "version": "0.0.0", "dependencies": dependencies}
    kept = dict(_entries(packages))
    told = {"name": _NAME, "version": "0.0.0", "lockfileVersion": 3, "requires": True}
    return Lock(
        package=json.dumps({**root, "private": True}, sort_keys=True),
        lock=json.dumps({**told, "packages": {"": root, **kept}}, sort_keys=True),
    )


def _load(path: Path, max_bytes: int) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError:
        raise _refusal(
            f"{path.name} is not in the pack's project; it and its lock say what is compiled: "
            "npm install --package-lock-only <library>"
        ) from None
    if len(data) > max_bytes:
        raise _refusal(f"{path.name} is above the {max_bytes:,} byte cap")
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _refusal(f"{path.name} is not a JSON object in UTF-8")
    return found


def _dependencies(table: Mapping[str, object], where: str, field: str = "dependencies") -> dict[str, str]:
    found = table.get(field, {})
    if not isinstance(found, dict):
        raise _refusal(f"{where}: {field} is not an object")
    for name, wanted in found.items():
        if not is_npm_name(name) or not isinstance(wanted, str) or _RANGE.fullmatch(wanted) is None:
            raise _refusal(
                f"{where}: {quoted(str(name))} is wanted as {quoted(str(wanted))}, which is no version of a registry; "
                "a folder, a URL or a repository has no integrity that could be checked"
            )
    return dict(found)


def _entries(packages: Mapping[object, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    for path, entry in packages.items():
        if path == "":
            continue
        if not isinstance(path, str) or not isinstance(entry, dict) or not _is_place(path):
            raise _refusal(f"package-lock.json: {quoted(str(path))} is no place in node_modules")
        if entry.get("dev") is True:
            continue
        yield path, _entry(path, entry)


def _entry(path: str, entry: Mapping[str, object]) -> Mapping[str, object]:
    where = f"package-lock.json: {quoted(path)}"
    version, integrity, alias = entry.get("version"), entry.get("integrity"), entry.get("name")
    if entry.get("link") or not isinstance(version, str) or _VERSION.fullmatch(version) is None:
        raise _refusal(f"{where} is not one version of a package of a registry")
    bundled = (
        entry.get("inBundle") is True
    )  # it comes in the archive of the package above it, under that one's hash
    if not bundled and (not isinstance(integrity, str) or not _all_hashes(integrity)):
        raise _refusal(f"{where} has no integrity of SHA-256 or more; lock it anew")
    if alias is not None and not (isinstance(alias, str) and is_npm_name(alias)):
        raise _refusal(f"{where} is another package, whose name cannot be told")
    for field in _DEPENDENCIES:
        _dependencies(entry, where, field)
    return {name: entry[name] for name in _KEPT if name in entry}


def _all_hashes(integrity: str) -> bool:
    return bool(integrity) and all(_INTEGRITY.fullmatch(each) for each in integrity.split(" "))


def _is_place(path: str) -> bool:
    first, *names = f"/{path}".split("/node_modules/")
    return not first and bool(names) and all(map(is_npm_name, names))


def _refusal(detail: str) -> EndsShort:
    return EndsShort(Code.NPM_MODULE_UNRESOLVED, detail)
