"""What a bundle was made from: every file that was read, and everything that decided which files those were.

A lock file is not among them. What was really read is, and so a lock that changes nothing is no change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.digests import Digest, digest_bytes, digest_facts

from nodetool_sandbox_compiler.options import compiler_identity

ABSENT: Final = "absent"
UNREADABLE: Final = "unreadable"

Imports = Mapping[str, tuple[str, ...]]
"""Each file of a bundle, relative to the pack's folder, and the packages that it imports by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Digests by path, relative to the folder that the bundle was made in.

    `files` are the files of the bundle; `resolution` the package.json files that were looked for,
    among them those that are not there: one that appears nearer would be taken instead.
    """

    files: Mapping[str, str]
    resolution: Mapping[str, str]

    def digest(self) -> Digest:
        """The digest of both."""
        return digest_facts([sorted(self.files.items()), sorted(self.resolution.items())])

    def still_hold(self, pack_dir: Path) -> bool:
        """Whether every file is as it was. Nothing to compare is no agreement."""
        if not self.files or not self.resolution:
            return False
        both = {**self.resolution, **self.files}
        return all(_look(pack_dir, path) == digest for path, digest in both.items())


def build_key(npm: str, inputs: Inputs) -> Digest:
    """The name of a compiled module in the cache: the same inputs give the same, in any order."""
    return digest_facts([dict(compiler_identity()), npm, inputs.digest()])


def load_inputs(pack_dir: Path, npm: str, imports: Imports, *, top: Path | None = None) -> Inputs:
    """The digests of a bundle's files and of what decided on them, as they are now; not above `top`."""
    files = {path: _look(pack_dir, path) for path in imports}
    places = set(_governing(imports))
    wanted = {(".", npm)} | {
        (path.rpartition("/")[0] or ".", name) for path, names in imports.items() for name in names
    }
    for folder, name in wanted:
        places.update(_candidates(pack_dir, folder, name, top=top))
    # As SPEC 7 has it: for the library itself every place up to the root, also beyond the one that is taken.
    places.update(_candidates(pack_dir, ".", npm, top=top, beyond=True))
    return Inputs(files=files, resolution={path: _look(pack_dir, path) for path in places})


def _governing(imports: Imports) -> Iterator[str]:
    """The package.json of every folder that holds a file of the bundle, up to its node_modules or the pack."""
    yield "package.json"
    done: set[str] = set()
    for path in imports:
        folder = path.rpartition("/")[0]
        while folder not in done:
            done.add(folder)
            if folder.rpartition("/")[2] == "node_modules" or folder in {"", ".", ".."}:
                break
            yield f"{folder}/package.json"
            folder = folder.rpartition("/")[0]


def _candidates(
    pack_dir: Path, folder: str, name: str, *, top: Path | None, beyond: bool = False
) -> Iterator[str]:
    """Where node looks for a package from a folder: in each node_modules upwards, until it is there."""
    here = Path(os.path.normpath(pack_dir / folder))
    for each in (here, *here.parents):
        if each.name == "node_modules":
            continue
        place = each / "node_modules" / name / "package.json"
        yield Path(os.path.relpath(place, pack_dir)).as_posix()
        if each == top or (not beyond and place.parent.is_dir()):
            return


def _look(pack_dir: Path, path: str) -> str:
    try:
        return digest_bytes((pack_dir / path).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError:
        return UNREADABLE
