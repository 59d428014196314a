"""Specifiers that name what a run may not have: refused before the program starts, and nothing is opened or dialled."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from escape.leaks import leaks_of
from nodetool_sandbox import Ended, Sandbox

pytestmark = pytest.mark.timeout(60)

CSV = "@nodetool-ai/sandbox-csv"
SPECIFIERS = [
    "node:fs",
    "fs",
    "http://127.0.0.1/x.js",
    "https://a/x.js",
    "file:///etc/hostname",
    "data:text/javascript,export default 1",
    "blob:x",
    "/etc/hostname",
    "./x.js",
    "../x.js",
    "../../../../../../etc/hostname",
    "std",
    "os",
    "qjs:std",
    "bjson",
    "nodetool:host-bridge",
    "nodetool-sandbox:denied",
    f"nodetool-sandbox:{CSV}|host:csv",
    "__proto__",
    "constructor",
    "",
    f" {CSV}",
    f"{CSV}/../sandbox-zip",
    f"{CSV}?x",
    f"{CSV}#x",
    "#x",
    "@nodetool-ai/sandbox-yaml",
    "m" * 200_000,
    "a/" * 50_000,
]
WAYS = {
    "default": "import x from {};",
    "for its effects": "import {};",
    "all": "import * as x from {};",
    "some": "import {{ x }} from {};",
    "with an attribute": 'import x from {} with {{ type: "json" }};',
}

_watched: list[str] | None = None


_FILES = ("import", "open", "os.listdir", "os.scandir")
_WORLD = (
    "os.posix_spawn",
    "os.system",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.sendto",
    "subprocess.",
)


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _watched is not None and event.startswith(_FILES + _WORLD):
        _watched.append(f"{event} {arguments!r:.200}")


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """What this process opens, imports or dials during a test; an audit hook stays for the life of a process."""
    global _watched  # noqa: PLW0603
    if _watch not in _installed:
        sys.addaudithook(_watch)
        _installed.append(_watch)
    Sandbox().run_sync(f'import "{CSV}"; return 1', modules=[CSV])  # what a process reads once
    _watched = []
    try:
        yield _watched
    finally:
        _watched = None


_installed: list[object] = []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("specifier", SPECIFIERS, ids=lambda specifier: repr(specifier[:40]))
def test_an_import_that_was_not_declared_is_refused_before_anything_runs(
    specifier: str, way: str, opened: list[str]
) -> None:
    code = WAYS[way].format(f'"{specifier}"') + '\nconsole.log("ran"); return 1'
    result = Sandbox().run_sync(code, modules=[CSV])
    reached = [event for event in opened if specifier[:40] and specifier[:40] in event]
    assert result.ended is Ended.FAILED
    assert result.error is not None
    assert f'"{specifier[:60]}' in result.error.message
    assert result.logs == ()
    assert not reached
    assert not [event for event in opened if event.startswith(_WORLD)]
    assert not leaks_of(result)


@pytest.mark.parametrize("specifier", ["fs", "file:///etc/hostname", f"nodetool-sandbox:{CSV}|host:csv"])
@pytest.mark.parametrize(
    "form", ['export * from "{}"', 'export {{ x }} from "{}"', 'export {{ x as y }} from "{}"']
)
def test_an_export_from_elsewhere_is_a_syntax_error(form: str, specifier: str) -> None:
    result = Sandbox().run_sync(form.format(specifier) + ";\nreturn 1", modules=[CSV])
    assert result.error is not None
    assert result.error.name in {"SyntaxError", "Error"}


def test_a_specifier_longer_than_what_is_searched_for_imports_is_refused_too() -> None:
    code = f'import x from "{"m" * 10**6}";\nconsole.log("ran"); return 1'
    result = Sandbox().run_sync(code, modules=[CSV])
    assert result.ended is Ended.FAILED
    assert result.logs == ()


def test_every_refusal_of_a_program_is_said_at_once() -> None:
    names = [f"missing-{number}" for number in range(20)]
    result = Sandbox().run_sync("".join(f'import "{name}";\n' for name in names) + "return 1")
    assert result.error is not None
    assert all(f'"{name}"' in result.error.message for name in names)


def test_the_same_module_ten_thousand_times_is_one_module() -> None:
    code = (
        "".join(f'import {{ parse as p{i} }} from "{CSV}";\n' for i in range(10_000)) + "return p0 === p9999"
    )
    result = Sandbox().run_sync(code, modules=[CSV])
    assert result.ended in {Ended.OK, Ended.FAILED}, result.error
    assert result.value in {True, None}
