"""Nothing of ours reads configuration from the workspace or from the working directory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, sys
from nodetool_sandbox import INSTALLED, Sandbox, Workspace
if __name__ == "__main__":
    sandbox = Sandbox(workspace=Workspace(sys.argv[1]))
    result = sandbox.run_sync('''
        import { parse } from "@nodetool-ai/sandbox-csv";
        import xlsx from "@nodetool-ai/sandbox-xlsx";
        await workspace.write("made", "by the program");
        const bytes = await xlsx.write({ sheets: [{ name: "s", rows: [{ a: 1 }] }] }).catch((e) => e.message);
        return [(await parse("a,b\\\\n1,2")).length, await workspace.read("made")];
    ''', modules=INSTALLED)
    print(result.value, result.error)
"""

MODULES = ["msgpack", "json", "wasmtime", "sitecustomize", "usercustomize", "lxml", "openpyxl", "encodings"]


def test_files_planted_there_have_no_effect(tmp_path: Path) -> None:
    planted = tmp_path / "planted"
    planted.mkdir()
    marker = tmp_path / "marker"
    for name in MODULES:
        (planted / f"{name}.py").write_text(f"open({str(marker)!r}, 'a').write({name!r})\n")
    (planted / ".netrc").write_text("machine example.com login planted password planted\n")
    (planted / "pyvenv.cfg").write_text("home = /nowhere\n")
    (planted / "fonts.conf").write_text("<!DOCTYPE fontconfig><fontconfig><dir>/nowhere</dir></fontconfig>")
    (planted / ".env").write_text("HTTPS_PROXY=http://127.0.0.1:9\n")
    for folder in (".config", "nodetool_sandbox", "nodetool_sandbox.egg-info"):
        (planted / folder).mkdir()
    (planted / "nodetool_sandbox.egg-info" / "entry_points.txt").write_text(
        "[nodetool_sandbox.hosts]\ncsv = msgpack:anything\n[nodetool_sandbox.packs]\nplanted = msgpack\n"
    )
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-P", str(program), str(planted)],
        cwd=planted,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert not done.stderr
    assert done.stdout == "[1, 'by the program'] None\n"
    assert not marker.exists(), marker.read_text()
    assert (planted / "made").read_text() == "by the program"
