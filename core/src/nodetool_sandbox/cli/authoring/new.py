"""`packs new`: the project of a pack, complete, to be changed."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry import PINS, DistName, InvalidNameError, parse_dist_name, quoted

from nodetool_sandbox.cli.endings import OK, UsageError
from nodetool_sandbox.cli.output import write_standard_output
from nodetool_sandbox.cli.pack_arguments import NewOptions

_FILES: Final[Mapping[str, str]] = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "LICENSE": "LICENSE.txt",
    ".gitignore": "gitignore.txt",
    "src/@PACKAGE@/__init__.py": "init.py.txt",
    "src/@PACKAGE@/pack.toml": "pack.toml.txt",
    "src/@PACKAGE@/SKILL.md": "SKILL.md.txt",
    "src/@PACKAGE@/index.d.ts": "index.d.ts.txt",
    "src/@PACKAGE@/js/index.js": "index.js.txt",
    "src/@PACKAGE@/js/checks.js": "checks.js.txt",
    "tests/test_pack.py": "test_pack.py.txt",
}
"""Each file of the project, and the text beside this one that it is made of."""

_MAX_SKILL_NAME_CHARS: Final = 64
_PLACEHOLDER: Final = re.compile("@(NAME|PACKAGE|SKILL|YEAR)@")


def write_pack(options: NewOptions) -> int:
    """Write the project; the exit status.

    Raises:
        UsageError: the name cannot be a pack's, or the folder holds something already.
    """
    name = _require_name(options.name)
    folder = options.folder or Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already and not an empty folder; name another one")
    try:
        for place, text in build_project(name, year=datetime.now(UTC).year).items():
            file = folder / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None
    write_standard_output(
        f"{name} is in {folder}. Next:\n\n"
        f"  cd {folder}\n  pip install --editable .\n  nodetool-sandbox packs check\n"
        f"  nodetool-sandbox run --module {name} -e "
        f'\'import {{ countWords }} from "{name}"; return countWords("to be or not to be")\'\n'
    )
    return OK


def build_project(name: DistName, *, year: int) -> dict[str, str]:
    """The text of each file of a new pack, by its path in the project."""
    values = {
        "NAME": name,
        "PACKAGE": package_name(name),
        "SKILL": name[:_MAX_SKILL_NAME_CHARS].rstrip("-"),
        "YEAR": str(year),
    }

    def filled(text: str) -> str:
        return _PLACEHOLDER.sub(lambda found: values[found[1]], text)

    template = files(__package__) / "template"
    return {
        filled(place): filled((template / source).read_text(encoding="utf-8"))
        for place, source in _FILES.items()
    }


def package_name(name: DistName) -> str:
    """The name of the package's folder: no keyword, and no module that Python has already."""
    package = name.replace("-", "_")
    if package[0].isdigit() or keyword.iskeyword(package) or package in sys.stdlib_module_names:
        return f"pack_{package}"
    return package


def _require_name(text: str) -> DistName:
    try:
        name = parse_dist_name(text)
    except InvalidNameError as error:
        raise UsageError(str(error)) from None
    if name in {pin.distribution for pin in PINS.values()}:
        raise UsageError(f"{quoted(text)} is the name of a first-party pack; choose another")
    return name
