"""A headless Chromium, and a server on loopback for it: the page runs a script and posts what it found."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess  # noqa: TID251 - starts the browser
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn
from nodetool_sandbox.user_cache import cache_folder
from nodetool_sandbox_compiler.outcomes import EndsShort
from nodetool_sandbox_compiler.tools import find_npm
from starlette.applications import Starlette

VARIABLE: Final = "NODETOOL_SANDBOX_CHROMIUM"
"""A browser's program, where it is not on PATH."""

PACKAGE: Final = "@sparticuz/chromium"
VERSION: Final = "153.0.0"
"""From npm, with the program inside of the package: for machines without a browser."""

PATIENCE_S: Final = 60.0

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_UNPACK: Final = f'import("{PACKAGE}").then(async (all) => console.log(await all.default.executablePath()))'
_FLAGS: Final = (
    "--headless",
    "--no-sandbox",  # it loads pages of ours, and who runs tests may be the administrator
    "--no-zygote",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",  # without it some builds end when the page has loaded
)


class NoBrowser(Exception):
    """There is none, and why."""


@dataclass(frozen=True, slots=True)
class Browser:
    """How a browser is started."""

    program: Path
    flags: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    @contextmanager
    def showing(self, url: str, profile: Path) -> Iterator[None]:
        """The page, open for as long as this lasts."""
        process = subprocess.Popen(  # noqa: S603 - the browser
            [self.program, *_FLAGS, *self.flags, f"--user-data-dir={profile}", url],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **dict(self.environment)},
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()


def find_browser() -> Browser:
    """A browser of this machine, or the one that an npm package has inside.

    Raises:
        NoBrowser: neither is to be had.
    """
    given = os.environ.get(VARIABLE)
    for name in (given,) if given else _NAMES:
        if program := shutil.which(name):
            return Browser(Path(program))
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise NoBrowser(f"no Chromium on PATH, and {PACKAGE} is for Linux on x86-64; name one in {VARIABLE}")
    return _packaged()


def _packaged() -> Browser:
    npm = find_npm()
    if npm is None:
        raise NoBrowser(f"no Chromium on PATH, and no npm for {PACKAGE}; name one in {VARIABLE}")
    home = cache_folder() / f"chromium-{VERSION}"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    program, libraries = home / "chromium", home / "al2023" / "lib"
    if not program.is_file():
        try:
            (home / "package.json").write_text(json.dumps({"private": True}), encoding="utf-8")
            npm.lock(home, [f"{PACKAGE}@{VERSION}"])
            npm.install(home)
        except EndsShort as reason:
            raise NoBrowser(f"no Chromium on PATH, and {PACKAGE} cannot be installed: {reason}") from None
        node = shutil.which("node", path=npm.path) or "node"
        subprocess.run(  # noqa: S603 - unpacks what npm has installed
            [node, "--eval", _UNPACK],
            cwd=home,
            # it unpacks the libraries that the browser needs where it believes that the machine has none
            env={**os.environ, "TMPDIR": str(home), "AWS_EXECUTION_ENV": "AWS_Lambda_nodejs22.x"},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return Browser(program, ("--single-process",), (("LD_LIBRARY_PATH", str(libraries)),))


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """The address of the app on loopback, for as long as this lasts."""
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_level="error",
            lifespan="off",
            ws="none",
            http="h11",
            loop="asyncio",
        )
    )
    thread = threading.Thread(target=server.run, name="uvicorn", daemon=True)
    thread.start()
    try:
        wait_for(lambda: server.started, "the server starts")
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


def wait_for(true: Callable[[], object], what: str) -> None:
    """Return as soon as it is."""
    end = time.monotonic() + PATIENCE_S
    pause = threading.Event()
    while not true():
        assert time.monotonic() < end, what
        pause.wait(0.02)


Found = Mapping[str, object]
"""What a page posted: under each name of a scenario what it returned, or the message of its error."""
