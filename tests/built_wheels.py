"""The wheels of all parts, built once for all tests (a plugin of the root's conftest)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from environments import ROOT, uv


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every member's wheel by the name of its distribution, built. Core's takes its image from the cache."""
    out = tmp_path_factory.mktemp("wheels")
    uv("build", "--quiet", "--all-packages", "--wheel", "--out-dir", out)
    return {re.split("-0", path.name, maxsplit=1)[0].replace("_", "-"): path for path in out.glob("*.whl")}


@pytest.fixture(scope="session")
def example_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of `examples/third_party_pack`."""
    out = tmp_path_factory.mktemp("example")
    uv("build", "--quiet", "--wheel", "--out-dir", out, ROOT / "examples" / "third_party_pack")
    (wheel,) = out.glob("*.whl")
    return wheel
