"""Every example in the documentation runs here.

In README.md, in each member's README.md and in docs/, from top to bottom:

- `python` blocks run in one namespace a file, in an empty folder; `await` works at the top level. A `text`
  block that follows, with no other block between, is what the block printed (`...` stands for anything).
- `js` blocks run as programs in our own guest and must succeed: in the file's own `sandbox` where a `python`
  block made one, else in `Sandbox()`; every installed pack may be imported. A first line `// fails: Name`
  says that the program ends with that error.
- `console` blocks: what stands below `$ nodetool-sandbox ...` is its output. Commands that set things up are
  not run.
- a block right below `<!-- not run: why -->` does not run.
"""

from __future__ import annotations

import ast
import asyncio
import doctest
import inspect
import itertools
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from nodetool_sandbox import INSTALLED, Sandbox

ROOT = Path(__file__).parents[2]
MEMBERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]["workspace"]["members"]
PAGES = [
    *(path for path in (ROOT / folder / "README.md" for folder in ("", *MEMBERS)) if path.is_file()),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts),
]
SET_UP_COMMANDS = {"make", "pip", "uv", "git", "cd", "python"}
NOT_RUN = re.compile(r"<!-- not run: .*\S.* -->\s*")
FAILS = re.compile(r"// fails: (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block that runs, and what it prints where the page says so."""

    language: str
    text: str
    line: int
    printed: str | None


def blocks(page: Path) -> Iterator[Block]:
    """The blocks that run, in order."""
    tokens = [
        token
        for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
        if token.type in {"fence", "html_block"}
    ]
    skip = False
    for token, after in itertools.zip_longest(tokens, tokens[1:]):
        if token.type == "html_block":
            skip = bool(NOT_RUN.fullmatch(token.content))
            continue
        language = token.info.strip().split(" ", 1)[0]
        if not skip and language in {"python", "js", "console"}:
            printed = (
                after.content if after and after.type == "fence" and after.info.strip() == "text" else None
            )
            yield Block(
                language=language, text=token.content, line=(token.map or [0])[0] + 1, printed=printed
            )
        skip = False


def require_same(expected: str, seen: str, where: str) -> None:
    """Fails when a page shows another output than there was."""
    if not doctest.OutputChecker().check_output(expected, seen, doctest.ELLIPSIS):
        pytest.fail(f"{where}: the page shows\n{expected}\nbut there was\n{seen}", pytrace=False)


def run_python(block: Block, page: Path, namespace: dict[str, object]) -> None:
    # Line numbers as on the page, so that a traceback points at it.
    source = "\n" * block.line + block.text
    code = compile(source, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    outcome = eval(code, namespace)  # noqa: S307 - the project's own documentation
    if inspect.iscoroutine(outcome):
        asyncio.run(outcome)


def run_js(block: Block, where: str, namespace: dict[str, object]) -> None:
    own = namespace.get("sandbox")
    sandbox = own if isinstance(own, Sandbox) else Sandbox()
    result = sandbox.run_sync(block.text, modules=INSTALLED)
    failure = None if result.success else getattr(result.error, "name", type(result.error).__name__)
    expected = found[1] if (found := FAILS.match(block.text)) else None
    assert failure == expected, f"{where}: {result.error}"


def run_console(block: Block, where: str) -> None:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        program, *args = shlex.split(command, comments=True)
        if program in SET_UP_COMMANDS:
            continue
        assert program == "nodetool-sandbox", f"{where}: {program!r} is not run here; show it in a `sh` block"
        done = subprocess.run(
            [Path(sys.executable).with_name(program), *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            timeout=30,
        )
        require_same(expected, done.stdout, f"{where}: {command}")


@pytest.fixture(autouse=True)
def _no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """An example that asks for a name, which none should get to, finds none: no packet leaves the machine."""

    def not_found(*_: object, **__: object) -> list[object]:
        raise OSError

    monkeypatch.setattr("nodetool_sandbox.bridges.net.connections.socket.getaddrinfo", not_found)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{page.relative_to(ROOT).as_posix()}:{block.line}"
        if block.language == "python":
            run_python(block, page, namespace)
            seen = capsys.readouterr().out
            if block.printed is not None:
                require_same(block.printed, seen, where)
        elif block.language == "js":
            run_js(block, where, namespace)
        else:
            run_console(block, where)
