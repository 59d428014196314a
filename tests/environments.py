"""Fresh virtual environments with wheels in them, and wheels that no build tool would make."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
import subprocess  # noqa: TID251 - builds and installs wheels, and runs what they install
import sys
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from nodetool_sandbox_registry import PACK_GROUP

ROOT: Final = Path(__file__).parents[1]
UV: Final = Path(sys.executable).with_name("uv")
BIN: Final = "Scripts" if sys.platform == "win32" else "bin"

INDEX: Final = '[[modules]]\nname = "."\nkind = "js"\nfile = "index.js"\n'
SKILL: Final = "---\nname: example\ndescription: An example.\n---\n# Example\n"
TYPES: Final = "export const one: number;\n"


def uv(*arguments: str | Path) -> None:
    """Run the pinned uv of this environment."""
    done = subprocess.run(  # noqa: S603 - a tool of this environment
        [UV, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=170
    )
    assert done.returncode == 0, done.stderr


def run_pytest(folder: Path, *, path: Path) -> subprocess.CompletedProcess[str]:
    """The tests of a project, with one folder more to find packs in."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    env = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(  # noqa: S603 - pytest
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=60
    )


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment of its own."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, wheels: Iterable[Path]) -> Environment:
        """One with these wheels, and from the index what they depend on."""
        uv("venv", "--quiet", "--python", sys.executable, folder)
        uv("pip", "install", "--quiet", "--python", folder / BIN / "python", *wheels)
        return cls(folder)

    def pip(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """What pip answers; it reaches no index."""
        command = [sys.executable, "-m", "pip", "--python", self.folder / BIN / "python", *arguments]
        return subprocess.run(  # noqa: S603 - pip
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120
        )

    def install(self, *wheels: Path, target: Path | None = None) -> None:
        """Install wheels with pip, as they are; into a folder that is not in the environment if one is named."""
        options: list[str | Path] = ["--no-index", "--no-deps", "--disable-pip-version-check"]
        if target is not None:
            options += ["--target", target]
        done = self.pip("install", *options, *wheels)
        assert done.returncode == 0, done.stderr

    def place(self, wheel: Path, target: Path) -> None:
        """Install a wheel into a folder that is not in the environment, by uv: pip takes a second for it."""
        python = self.folder / BIN / "python"
        uv("pip", "install", "-q", "--offline", "--no-deps", "--python", python, "--target", target, wheel)

    def command(
        self, *arguments: str, path: Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """What the installed command line answers; `path` is a folder more to find packs in."""
        given = {**os.environ, **(env or {}), **({} if path is None else {"PYTHONPATH": str(path)})}
        program = self.folder / BIN / "nodetool-sandbox"
        return subprocess.run(  # noqa: S603 - our own program
            [program, *arguments],
            cwd=self.folder,
            env=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def listed(self, path: Path | None = None, env: Mapping[str, str] | None = None) -> Listing:
        """What `packs list --json` says."""
        done = self.command("packs", "list", "--json", path=path, env=env)
        assert (done.returncode, done.stderr) == (0, "")
        return Listing(cast("dict[str, Any]", json.loads(done.stdout)))

    def distributions(self) -> set[str]:
        """The names of everything that is installed."""
        done = self.pip("list", "--format", "json", "--disable-pip-version-check")
        assert done.returncode == 0, done.stderr
        return {each["name"].lower().replace("_", "-") for each in json.loads(done.stdout)}


@dataclass(frozen=True, slots=True)
class Listing:
    """What a listing shows, and what it complains of."""

    document: Mapping[str, Any]

    @property
    def specifiers(self) -> list[str]:
        """Every module that could be imported."""
        return [each["specifier"] for each in self.document["modules"] if each["available"]]

    def complaints(self, pack: str) -> list[tuple[str, str]]:
        """Code and message of all that is said about a pack, except for what is no complaint."""
        return [
            (each["code"], each["message"])
            for each in self.document["diagnostics"]
            if each["pack"] == pack and each["severity"] != "info"
        ]


def build_wheel(
    folder: Path,
    name: str,
    files: Mapping[str, str | bytes] | None = None,
    *,
    manifest: str | bytes = INDEX,
    package: str | None = None,
    version: str = "1.0",
    told_name: str | None = None,
    value: str | None = None,
    links: Mapping[str, str] | None = None,
    record_more: Iterable[str] = (),
    beside: Mapping[str, str] | None = None,
) -> Path:
    """A pack's wheel, right in all but what the test says.

    `told_name` is the name in METADATA, `value` that of the entry point, `links` are symbolic links and what
    they lead to, `beside` are files at the wheel's own root, `record_more` further paths for RECORD.
    """
    stem = name.replace("-", "_")
    package = package or stem
    info = f"{stem}-{version}.dist-info"
    content: dict[str, str | bytes] = {
        f"{package}/{file}": text
        for file, text in {
            "__init__.py": '"""A pack."""\n',
            "pack.toml": manifest,
            "SKILL.md": SKILL,
            "index.d.ts": TYPES,
            "index.js": "export const one = 1;\n",
            **(files or {}),
        }.items()
    }
    content |= beside or {}
    content[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {told_name or name}\nVersion: {version}\n"
    content[f"{info}/WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    content[f"{info}/entry_points.txt"] = f"[{PACK_GROUP}]\npack = {value or package}\n"
    rows = [f"{place},{_hash(text)}" for place, text in content.items()]
    rows += [f"{place},," for place in (*record_more, f"{info}/RECORD")]
    path = folder / f"{stem}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for place, text in content.items():
            wheel.writestr(place, text)
        for place, target in (links or {}).items():
            link = zipfile.ZipInfo(f"{package}/{place}")
            link.create_system = 3  # Unix, whose modes stand in the upper half
            link.external_attr = (stat.S_IFLNK | 0o777) << 16
            wheel.writestr(link, target)
        wheel.writestr(f"{info}/RECORD", "\n".join(rows) + "\n")
    return path


def _hash(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest},{len(data)}"
