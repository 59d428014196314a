from __future__ import annotations

from pathlib import Path

import pytest
from nodetool_sandbox.cli import main


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """What `packs new acme-words` writes."""
    folder = tmp_path / "acme-words"
    assert main(["packs", "new", "acme-words", str(folder)]) == 0
    capsys.readouterr()
    return folder
