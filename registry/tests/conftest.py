from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # for registry_fakes: test folders are no packages

from registry_fakes import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """An empty site-packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    return Site(folder)
