"""A pack of WebAssembly that somebody else publishes, from its wheel: `examples/wasm_pack`, and its guide."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - builds a wheel
import sys
import zipfile
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from nodetool_sandbox import RunResult, Sandbox
from nodetool_sandbox.wasm.pool import POOL_WORKERS
from nodetool_sandbox_registry.manifest import MAX_MEMORY_PAGES, MAX_WASM_LIMITS
from nodetool_sandbox_registry.wasm_contract import MAX_PARAMS, MAX_WASM_BYTES
from wasm_forms import export, module, signature
from wasm_packs import catalog

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "wasm_pack"
GUIDE = ROOT / "docs" / "how-to" / "a-pack-with-webassembly.md"
UV = Path(sys.executable).with_name("uv")

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip unpacks it."""
    source = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("source") / "wasm_pack")
    out = tmp_path_factory.mktemp("wheels")
    done = subprocess.run(  # noqa: S603 - a tool of this environment
        [UV, "build", "--wheel", "--out-dir", out, source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = out.glob("*.whl")
    root = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(root)
    return root


def run(site: Path, code: str) -> RunResult:
    return Sandbox(packs=catalog(site)).run_sync(code, modules=["acme-fractal"])


def test_nothing_is_wrong_with_it(site: Path) -> None:
    found = catalog(site)
    assert found.diagnostics() == ()
    assert [(each.specifier, each.kind) for each in found.summaries()] == [("acme-fractal", "wasm")]


@pytest.mark.parametrize("page", ["README.md", "src/acme_fractal/SKILL.md", "guide"])
def test_the_examples_on_its_pages_run(site: Path, page: str) -> None:
    text = (GUIDE if page == "guide" else EXAMPLE / page).read_text(encoding="utf-8")
    blocks = [each for each in MarkdownIt("commonmark").parse(text) if each.info.strip() == "js"]
    assert blocks
    for block in blocks:
        result = run(site, block.content)
        assert result.success, result.error


@pytest.mark.parametrize("file", ["src/acme_fractal/pack.toml", "c/fractal.c"])
def test_the_guide_shows_the_files_as_they_are(file: str) -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    blocks = [each.content for each in MarkdownIt("commonmark").parse(guide) if each.type == "fence"]
    assert any(block.strip() in (EXAMPLE / file).read_text(encoding="utf-8") for block in blocks)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"\0\x41\x07\x0b", 0, "nothing is wrong"),
        (b"\0\x6a\x0b", 1, "error: acme-fractal is not valid WebAssembly ("),
    ],
    ids=["right", "a body that is not valid"],
)
def test_a_check_compiles_what_the_project_has(tmp_path: Path, body: bytes, status: int, words: str) -> None:
    project = shutil.copytree(EXAMPLE, tmp_path / "wasm_pack")
    package = project / "src" / "acme_fractal"
    binary = module(signature("f64 f64 i32", "i32"), exports=[export("escape_time")], body=body)
    (package / "fractal.wasm").write_bytes(binary)
    (package / "SKILL.md").write_text(
        (package / "SKILL.md").read_text("utf-8").replace("1000; it stays", "7"), encoding="utf-8"
    )
    done = subprocess.run(  # noqa: S603 - our own program
        [UV.with_name("nodetool-sandbox"), "packs", "check", project],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, words in done.stdout) == (status, True), done.stdout + done.stderr
    assert f"1 files, {len(binary)} bytes" in done.stdout


def test_what_it_computes_is_right(site: Path) -> None:
    code = 'import { escapeTime as f } from "acme-fractal"; return [await f(0, 0, 50), await f(2, 2, 50)];'
    assert run(site, code).value == [50, 1]


def test_the_guide_names_the_limits_that_are() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    per_call, at_once, calls, together = (f"{each:,}" for each in MAX_WASM_LIMITS.values())
    for row in (
        f"| one call | {per_call} ms",
        f"| calls at once in a run | {at_once};",
        f"| calls in a run | {calls} |",
        f"| calls of a run together | {together} ms |",
        f"| calls at once in a process | {POOL_WORKERS} |",
        f"at most {MAX_MEMORY_PAGES:,};",
        f"function of at most {MAX_PARAMS} parameters",
        f"At most {MAX_WASM_BYTES >> 20} MiB",
    ):
        assert row in guide, row
