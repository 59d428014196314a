"""`nodetool-sandbox packs`, `surface` and `--version`."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import nodetool_sandbox
import pytest
from nodetool_sandbox import Sandbox
from nodetool_sandbox.cli import main
from nodetool_sandbox.limits import LIMITS
from nodetool_sandbox.surface import ABSENT, GUEST_GLOBALS

YAML = "@nodetool-ai/sandbox-yaml"
CLI = Path(nodetool_sandbox.__file__).parent / "cli"
# Beside the public faces: what makes text fit for a terminal, the two tables that `surface` prints, and the
# scanner by which a pack that is not installed is read as discovery would read it.
TABLES = {
    "nodetool_sandbox.stacks",
    "nodetool_sandbox.limits",
    "nodetool_sandbox.surface",
    "nodetool_sandbox.declarations",
    "nodetool_sandbox.imports",
    "nodetool_sandbox_registry",
    "nodetool_sandbox_registry.fields",
}

Captured = pytest.CaptureFixture[str]


def test_the_version_is_the_packages(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"nodetool-sandbox {nodetool_sandbox.__version__}\n"


def test_every_installed_module_is_listed(capsys: Captured) -> None:
    assert main(["packs", "list"]) == 0
    headings, rule, *lines = capsys.readouterr().out.splitlines()
    assert headings.split() == ["Module", "Package", "Version", "Kind"]
    assert set(rule) == {"-", " "}
    assert [line.split()[0] for line in lines] == [each.specifier for each in Sandbox().packs.summaries()]
    assert main(["packs", "list", "--json"]) == 0
    modules = json.loads(capsys.readouterr().out)["modules"]
    assert YAML in [each["specifier"] for each in modules]
    assert set(modules[0]) >= {"specifier", "distribution", "version", "kind", "digest", "available"}


def test_one_module_is_told_about(capsys: Captured) -> None:
    assert main(["packs", "info", YAML]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"specifier    {YAML}\n")
    assert "distribution nodetool-sandbox-yaml" in shown
    assert main(["packs", "info", YAML, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["specifier"] == YAML


def test_a_pack_is_found_by_the_name_that_pip_knows_too(capsys: Captured) -> None:
    assert main(["packs", "info", "nodetool-sandbox-yaml", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["specifier"], document["modules"], document["license"]) == (YAML, [YAML], "MIT")
    assert document["requires"] == [f"nodetool-sandbox-host[yaml]=={nodetool_sandbox.__version__}"]
    assert {"id": "host:yaml", "kind": "host"}.items() <= document["files"][0].items()


def test_a_module_that_is_not_there_is_refused_with_those_that_are(capsys: Captured) -> None:
    assert main(["packs", "info", "no-such-pack"]) == 2
    assert YAML in capsys.readouterr().err


def test_the_surface_is_what_a_guest_has(capsys: Captured) -> None:
    assert main(["surface", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = {row["name"] for row in document["globals"]} | set(document["language"])
    assert names == set(GUEST_GLOBALS)
    assert set(document["absent"]) == set(ABSENT)
    assert {row["name"]: row["default"] for row in document["limits"]} == {
        row.name: row.default for row in LIMITS
    }


def test_the_surface_can_be_read(capsys: Captured) -> None:
    assert main(["surface"]) == 0
    shown = capsys.readouterr().out
    assert "console.error, console.info, console.log, console.warn" in shown
    assert all(row.name in shown for row in LIMITS)


@pytest.mark.parametrize("arguments", [[], ["packs"], ["nothing"], ["packs", "nothing"]], ids=str)
def test_an_unknown_command_is_a_wrong_call(arguments: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "usage: nodetool-sandbox" in capsys.readouterr().err


def test_the_command_line_uses_the_public_face() -> None:
    for path in CLI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (module := node.module or "").startswith(
                "nodetool_sandbox"
            ):
                if module == "nodetool_sandbox":
                    names = {alias.name for alias in node.names} - {"__version__"}
                    assert names <= set(nodetool_sandbox.__all__), path
                else:
                    assert module in TABLES or module.startswith("nodetool_sandbox.cli"), path
