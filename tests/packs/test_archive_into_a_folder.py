"""An archive's entries written into a workspace by a program that trusts their names: nothing leaves the folder."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import cast

import pytest
from nodetool_sandbox import Sandbox, Workspace

LOOP = """
import { list, unzip } from "@nodetool-ai/sandbox-zip";

const written = [], refused = [];
for (const [name, content] of Object.entries(await unzip(inputs.archive))) {
  try {
    await workspace.writeBytes(name, content);
    written.push(name);
  } catch (error) {
    refused.push([name, error.name]);
  }
}
const all = (await list(inputs.archive)).map((each) => each.name);
return { written, refused, all, untouched: ({}).x === undefined };
"""
LEAVING = [b"../x", b"a/../../x", b"/etc/x", b"C:\\x", b"..\\x", b"a\\..\\..\\x", b"~/x"]
STAYING = [
    b"a/./b",
    b"sub/c",
    b"__proto__",
    b"x\xe2\x80\xaetxt.exe",
    b"UPPER",
    b"upper",
    b"e\xcc\x81",
    b"\xc3\xa9",
]
ODD = [b"", b".", b"..", b"dir/", b"nul\0name", b"n" * 65_000, b"\xff\xfe", b"con", b"aux.txt"]


def archive(*names: bytes, mode: int = 0o100644) -> bytes:
    """Stored entries of these names, UTF-8 flag set, made on Unix with this mode."""
    body = directory = b""
    for name in names:
        content = b"from " + name[:20]
        fields = (0x800, 0, 0x6000, 0x5861, zlib.crc32(content), len(content), len(content), len(name))
        entry = struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014B50, 0x314, 20, *fields, 0, 0, 0, 0, mode << 16, len(body)
        )
        directory += entry + name
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, *fields, 0) + name + content
    count = len(names)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


@pytest.mark.parametrize("mode", ["rw", "overlay"])
@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (LEAVING, 0o100644),
        (STAYING, 0o100644),
        *(([name], 0o100644) for name in ODD),
        ([b"link", b"link/x"], 0o120777),
        ([b"device"], 0o060666),
        ([b"same", b"same"], 0o100644),
    ],
    ids=["leaving", "staying", *(repr(name[:12]) for name in ODD), "symlink", "device", "twice"],
)
def test_an_archive_written_into_a_folder_stays_in_it(
    tmp_path: Path, mode: str, names: list[bytes], kind: int
) -> None:
    root = tmp_path / "above" / "root"
    root.mkdir(parents=True)
    sandbox = Sandbox(workspace=Workspace(root, mode=mode))  # type: ignore[arg-type]
    result = sandbox.run_sync(
        LOOP,
        modules=["@nodetool-ai/sandbox-zip"],
        globals={"inputs": {"archive": archive(*names, mode=kind)}},
    )
    outside = [each for each in tmp_path.rglob("*") if root not in each.parents and each != root]
    assert outside == [root.parent]
    assert not any(each.is_symlink() or not (each.is_file() or each.is_dir()) for each in root.rglob("*"))
    if not result.success:
        assert result.error is not None
        assert "zip." in result.error.message
        return
    value = cast("dict[str, object]", result.value)
    assert value["untouched"] is True
    if names == LEAVING:
        assert value["written"] == []
    if names == STAYING and mode == "rw":
        assert value["refused"] == []
        assert (root / "a" / "b").read_bytes() == b"from a/./b"
    if names[0] == b"same":
        assert (value["written"], value["all"]) == (["same"], ["same", "same"])
