"""The public names, which load when they are first asked for."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import nodetool_sandbox
import nodetool_sandbox_registry
import pytest

FACES = [nodetool_sandbox, nodetool_sandbox_registry]


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_every_public_name_has_one_home(face: ModuleType) -> None:
    assert sorted(face._HOME_OF) == sorted(face.__all__)
    assert all(getattr(face, name) is not None for name in face.__all__)
    assert set(face.__all__) <= set(dir(face))


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_a_name_that_is_not_there_is_an_attribute_error(face: ModuleType) -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        face.Nothing  # noqa: B018 - asking is the test


def test_a_part_loads_without_the_engine() -> None:
    program = "import sys; import nodetool_sandbox.workers.serving; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "nodetool_sandbox.marshal" in loaded
    assert not loaded & {"wasmtime", "tree_sitter", "asyncio", "subprocess", "importlib.metadata"}


def test_a_run_that_formats_nothing_and_parses_no_url_loads_neither_locales_nor_the_parser() -> None:
    run = "from nodetool_sandbox import Sandbox; assert Sandbox().run_sync('return crypto.randomUUID()').success"
    program = f"{run}; import sys; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"babel", "ada_url", "zoneinfo", "nodetool_sandbox.bridges.intl"}
