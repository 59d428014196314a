"""Every pack of this repository, in the real guest: its guide's examples run, its signatures are its exports."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from markdown_it import MarkdownIt
from nodetool_sandbox import INSTALLED, Sandbox
from nodetool_sandbox_registry.codes import Code

ROOT = Path(__file__).parents[2]
WORKSPACE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["workspace"]
PACKS = [ROOT / member for member in WORKSPACE["members"] if member.startswith("packs/")]
GUIDES = [guide for pack in PACKS for guide in pack.glob("src/*/SKILL.md")]
SIGNATURES = [signatures for pack in PACKS for signatures in pack.glob("src/*/index.d.ts")]
# `return ...; // value` at the end of an example: the value is checked, up to a `; ` that goes on in words.
EXPECTED = re.compile(r"^[ ]*return .*; // (.+)\n?\Z", re.MULTILINE)
EXPORTED = re.compile(
    r"^export (?:declare )?(?:abstract )?(?:async )?(?:function|class|const) (\w+)", re.MULTILINE
)
DEFAULT = re.compile(r"^(?:declare )?const \w+: \{$(.*?)^\};$\s*export default", re.MULTILINE | re.DOTALL)


def pack_of(file: Path) -> str:
    """The name of the folder, which is the name of the pack everywhere."""
    return file.relative_to(ROOT).parts[1]


@dataclass(frozen=True, slots=True)
class Example:
    pack: str
    line: int
    code: str

    def __str__(self) -> str:
        return f"{self.pack} SKILL.md line {self.line}"


def examples() -> Iterator[Example]:
    for guide in GUIDES:
        for token in MarkdownIt("commonmark").parse(guide.read_text(encoding="utf-8").split("\n---\n", 1)[1]):
            if token.type == "fence" and token.info.strip() == "js":
                yield Example(pack_of(guide), (token.map or [0])[0] + 1, token.content)


def run(code: str) -> object:
    result = Sandbox().run_sync(code, modules=INSTALLED)
    assert result.success, f"{result.error}\n{code}"
    return result.value


@pytest.mark.parametrize("example", [*examples()], ids=str)
def test_an_example_of_a_guide_runs_and_gives_what_it_says(example: Example) -> None:
    value = run(example.code)
    if expected := EXPECTED.search(example.code):
        assert value == run(f"return ({expected[1].split('; ')[0]});")


@pytest.mark.parametrize("pack", PACKS, ids=pack_of)
def test_a_pack_has_a_guide_with_examples_and_signatures(pack: Path) -> None:
    assert any(example.pack == pack.name for example in examples())
    assert pack.name in map(pack_of, SIGNATURES)


@pytest.mark.parametrize("signatures", SIGNATURES, ids=pack_of)
def test_the_signatures_are_the_exports(signatures: Path) -> None:
    text = signatures.read_text(encoding="utf-8")
    specifier = f"@nodetool-ai/sandbox-{pack_of(signatures)}"
    own, *others = re.split(r'^declare module "([^"]+)" {$', text, flags=re.MULTILINE)
    compare_signatures(specifier, own)
    for name, block in zip(others[::2], others[1::2], strict=True):
        compare_signatures(name, re.sub(r"^  ", "", block, flags=re.MULTILINE))


def compare_signatures(specifier: str, text: str) -> None:
    """Assert that a module exports what its declarations say."""
    code = f'import * as all from "{specifier}"; return [Object.keys(all), Object.keys(all.default ?? {{}})]'
    names, members = cast("list[list[str]]", run(code))
    has_default = "default" in names
    assert set(names) == {*EXPORTED.findall(text), *(["default"] if has_default else [])}
    found = DEFAULT.search(text)
    assert bool(found) is has_default, "its type stands in one `declare const name: { ... };`"
    declared = re.findall(r"^  (\w+)(?:: typeof \w+;|\()", found[1], re.MULTILINE) if found else []
    assert set(members) == set(declared)


@pytest.mark.parametrize("pack", [pack_of(each) for each in SIGNATURES])
def test_an_installed_pack_has_nothing_to_complain_about(pack: str) -> None:
    diagnostics = Sandbox().packs.diagnostics()
    told = [each for each in diagnostics if each.pack == f"nodetool-sandbox-{pack}"]
    assert [each.message for each in told if each.code is not Code.NPM_MODULE_COMPILED] == []
