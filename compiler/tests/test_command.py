"""`nodetool-sandbox packs compile`, as core starts it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nodetool_sandbox.cli import main as nodetool_sandbox
from nodetool_sandbox_compiler import Compiled, ModuleOutcome, ProjectOutcome, Skipped, command
from nodetool_sandbox_registry import Code, find_compile_command
from nodetool_sandbox_registry.digests import digest_bytes

Captured = pytest.CaptureFixture[str]
DIGEST = digest_bytes(b"")


def module(name: str, outcome: Compiled | Skipped) -> ModuleOutcome:
    return ModuleOutcome(
        specifier=f"acme/{name}",
        npm=outcome.npm,
        place=f"js/{name}.js",
        outcome=outcome,
        record=None,
        written=True,
        current=True,
    )


def library(name: str, *, warnings: tuple[str, ...] = (), cached: bool = False) -> ModuleOutcome:
    compiled = Compiled(
        npm=name,
        version="1.2.3",
        source="export const one = 1;\n",
        sha256=DIGEST,
        options_digest=DIGEST,
        inputs_digest=DIGEST,
        key=DIGEST,
        exports=("one",),
        warnings=warnings,
        cached=cached,
    )
    return module(name, compiled)


class FakeCompiler:
    """Gives prepared outcomes, and remembers what it was asked."""

    def __init__(self, *modules: ModuleOutcome) -> None:
        self._modules = modules
        self.asked: list[tuple[Path, bool]] = []

    def __call__(self, folder: Path, *, force: bool) -> ProjectOutcome:
        self.asked.append((folder, force))
        return ProjectOutcome(distribution="acme", modules=self._modules)


def compiler(monkeypatch: pytest.MonkeyPatch, *modules: ModuleOutcome) -> FakeCompiler:
    fake = FakeCompiler(*modules)
    monkeypatch.setattr(command, "compile_project", fake)
    return fake


def test_core_finds_the_command() -> None:
    assert find_compile_command() == ("nodetool_sandbox_compiler.command", "main")


def test_each_module_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    skipped = Skipped(npm="fs-extra", code=Code.NPM_MODULE_BUILTIN_IMPORT, detail="it imports node:fs")
    fake = compiler(
        monkeypatch,
        library("big.js"),
        library("dayjs", cached=True),
        library("odd\x1b[31m", warnings=("asks for process",)),
        module("files", skipped),
    )
    assert nodetool_sandbox(["packs", "compile", "--force", "here"]) == 1
    assert fake.asked == [(Path("here"), True)]
    assert capsys.readouterr().out.splitlines() == [
        "ok    acme/big.js: big.js 1.2.3, 22 bytes",
        "ok    acme/dayjs: dayjs 1.2.3, 22 bytes (cached)",
        "warn  acme/odd\\x1b[31m: odd\\x1b[31m 1.2.3, 22 bytes",
        "      asks for process",
        "skip  acme/files: fs-extra: it imports node:fs (npm-module-builtin-import)",
        "3 compiled, 1 skipped.",
    ]


def test_all_of_it_is_there_as_json(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    skipped = Skipped(npm="huge", code=Code.NPM_MODULE_TOO_LARGE, detail="2 MB")
    compiler(monkeypatch, library("big.js"), module("huge", skipped))
    assert nodetool_sandbox(["packs", "compile", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["diagnostics"] == [
        {
            "pack": "acme",
            "specifier": "acme/huge",
            "npm": "huge",
            "code": "npm-module-too-large",
            "message": "2 MB",
        }
    ]
    (compiled,) = document["compiled"]
    assert {
        "npm": "big.js",
        "version": "1.2.3",
        "exports": ["one"],
        "cached": False,
    }.items() <= compiled.items()


def test_every_folder_that_is_named_is_compiled(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    fake = compiler(monkeypatch, library("big.js"))
    assert nodetool_sandbox(["packs", "compile", "one", "two"]) == 0
    assert [folder.name for folder, _ in fake.asked] == ["one", "two"]
    assert capsys.readouterr().out.endswith("2 compiled, 0 skipped.\n")


def test_a_pack_without_npm_modules_has_nothing_to_compile(tmp_path: Path, capsys: Captured) -> None:
    assert nodetool_sandbox(["packs", "new", "acme", str(tmp_path)]) == 0
    capsys.readouterr()
    assert nodetool_sandbox(["packs", "compile", str(tmp_path)]) == 0
    assert "no pack here declares an npm module" in capsys.readouterr().out


def test_a_folder_that_is_no_project_is_a_wrong_call(tmp_path: Path, capsys: Captured) -> None:
    assert nodetool_sandbox(["packs", "compile", str(tmp_path)]) == 2
    assert "there is no pyproject.toml" in capsys.readouterr().err


def test_a_lock_that_cannot_be_written_ends_it(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    unlocked = Skipped(npm="big.js", code=Code.NPM_MODULE_UNRESOLVED, detail="there is no such version")
    monkeypatch.setattr(command, "lock_project", lambda _: unlocked)
    fake = compiler(monkeypatch, library("big.js"))
    assert nodetool_sandbox(["packs", "compile", "--lock", "here"]) == 1
    assert "here: big.js: there is no such version (npm-module-unresolved)" in capsys.readouterr().err
    assert fake.asked == []
