"""assetToSandbox and sandboxToAsset: SPEC 4.10, over a store of the caller's and over the one that comes along."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from nodetool_sandbox import Assets, AssetStore, FileAssets, Limits, RunResult, Sandbox, Workspace
from runs import left_clean


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A store's folder and a workspace."""
    for name in ("assets", "work"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "assets" / "logo.png").write_bytes(b"logo")
    (tmp_path / "work" / "made.txt").write_text("made")
    return tmp_path / "assets", tmp_path / "work"


def run(code: str, folders: tuple[Path, Path], limits: Limits | None = None) -> RunResult:
    assets, work = folders
    sandbox = Sandbox(workspace=Workspace(work), assets=Assets(FileAssets(assets)))
    return sandbox.run_sync(code, limits=limits)


def message(code: str, folders: tuple[Path, Path], limits: Limits | None = None) -> str:
    """What the error says that an expression rejects with."""
    result = run(
        f"try {{ await {code} }} catch (e) {{ return `${{e.name}}: ${{e.message}}` }}", folders, limits
    )
    assert isinstance(result.value, str), result
    return result.value


def test_an_asset_goes_into_the_workspace_and_comes_out_as_a_new_one(folders: tuple[Path, Path]) -> None:
    assets, work = folders
    result = run(
        "const path = await assetToSandbox('logo.png', 'in/logo.png');"
        "await workspace.write('in/notes.TXT', await workspace.read(path) + '!');"
        "const asset = await sandboxToAsset('in/notes.TXT');"
        "await assetToSandbox(asset.asset_id, 'again');"
        "return [path, asset, await workspace.read('again')]",
        folders,
    )
    assert isinstance(result.value, list), result
    path, asset, again = result.value
    assert path == "in/logo.png"
    assert again == "logo!"
    assert (work / "in" / "logo.png").read_bytes() == b"logo"
    assert (asset["type"], asset["name"], asset["size"]) == ("asset", "notes.TXT", 5)
    assert asset["uri"] == f"asset://{asset['asset_id']}"
    assert len(asset["asset_id"]) == 32 + len(".txt")
    assert (assets / asset["asset_id"]).read_bytes() == b"logo!"


@pytest.mark.parametrize(
    "asset_id",
    [
        "nothing",
        "../outside",
        "/etc/hostname",
        "..",
        ".",
        "link",
        "hard",
        "sub/x",
        "sub",
        ".hidden",
        "x\\0",
        "\\ud800",
        "n" * 256,
    ],
)
def test_what_is_no_asset_of_the_store_is_none(folders: tuple[Path, Path], asset_id: str) -> None:
    assets, _ = folders
    (assets / "link").symlink_to("../outside")
    (assets / "hard").hardlink_to(assets.parent / "outside")
    (assets / "sub").mkdir()
    (assets / "sub" / "x").write_text("")
    (assets / ".hidden").write_text("")
    said = message(f"assetToSandbox('{asset_id}', 'x')", folders)
    assert said.startswith("Error: assetToSandbox: there is no asset '")
    assert str(assets) not in said


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("assetToSandbox()", "Error: assetToSandbox: assetId must be a non-empty string"),
        ("assetToSandbox('', 'x')", "Error: assetToSandbox: assetId must be a non-empty string"),
        ("assetToSandbox({toString: () => 'logo.png'}, 'x')", "Error: assetToSandbox: assetId must be a non-empty"),
        ("assetToSandbox('n'.repeat(257), 'x')", "Error: assetToSandbox: assetId is longer than 256 characters"),
        ("assetToSandbox('logo.png', '../x')", "Error: workspace path resolves outside the workspace: ../x"),
        ("assetToSandbox('logo.png')", "Error: workspace.writeBytes: path must be a string"),
        ("sandboxToAsset('nothing')", "Error: ENOENT: no such file or directory, open 'nothing'"),
        ("sandboxToAsset('../outside')", "Error: workspace path resolves outside the workspace: ../outside"),
        ("sandboxToAsset(1)", "Error: workspace.readBytes: path must be a string"),
    ],
)  # fmt: skip
def test_refusals_are_those_of_the_side_that_refuses(
    folders: tuple[Path, Path], code: str, said: str
) -> None:
    assert message(code, folders).startswith(said)


def test_limits_of_the_workspace_hold_for_assets_too(folders: tuple[Path, Path]) -> None:
    load, save = "assetToSandbox('logo.png', 'x')", "sandboxToAsset('made.txt')"
    for code, function in ((load, "assetToSandbox"), (save, "workspace.readBytes")):
        assert run(f"await {code}", folders, Limits(max_workspace_file_bytes=4)).success
        assert message(code, folders, Limits(max_workspace_file_bytes=3)).startswith(
            f"RangeError: {function}: a file of more than 3 bytes is neither read nor written"
        )
    assert run(f"await {load}", folders, Limits(max_workspace_bytes=4)).success
    assert "max_workspace_bytes" in message(load, folders, Limits(max_workspace_bytes=3))
    assert run(f"await {save}", folders, Limits(max_workspace_entries=1)).success
    assert "max_workspace_entries" in message(save, folders, Limits(max_workspace_entries=0))


class Shelf:
    """A store whose methods are coroutine functions."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def load(self, asset_id: str, max_bytes: int) -> bytes:
        await asyncio.sleep(0)
        data = self.kept[asset_id]
        if len(data) > max_bytes:
            raise OverflowError
        return data

    async def save(self, name: str, data: bytes) -> Mapping[str, object]:
        await asyncio.sleep(0)
        self.kept[name] = data
        return {"asset_id": name}


def test_a_store_may_be_anything_with_two_methods(tmp_path: Path) -> None:
    shelf = Shelf()
    sandbox = Sandbox(workspace=Workspace(tmp_path), assets=Assets(shelf))
    result = sandbox.run_sync(
        "await workspace.write('a/b', 'x'); const asset = await sandboxToAsset('a/b');"
        "return [asset, await assetToSandbox('b', 'c'), await workspace.read('c'),"
        " await assetToSandbox('nothing', 'd').catch((e) => e.message)]"
    )
    assert result.value == [{"asset_id": "b"}, "c", "x", "assetToSandbox: there is no asset 'nothing'"]


class Broken:
    """A store that breaks its promises."""

    def load(self, asset_id: str, max_bytes: int) -> bytes:
        if asset_id == "large":
            return b"x" * (max_bytes + 1)
        if asset_id == "text":
            return "text"  # type: ignore[return-value]
        raise RuntimeError("the password is hunter2")

    def save(self, name: str, data: bytes) -> Mapping[str, object]:
        return {"name": name, "size": len(data), "uri": object()}


def test_a_store_that_breaks_its_promises_tells_a_program_nothing(tmp_path: Path) -> None:
    sandbox = Sandbox(workspace=Workspace(tmp_path), assets=Assets(Broken()))
    result = sandbox.run_sync(
        "await workspace.write('x', ''); const say = (e) => e.message;"
        "return [await assetToSandbox('large', 'y').catch(say), await assetToSandbox('text', 'y').catch(say),"
        " await assetToSandbox('error', 'y').catch(say), await sandboxToAsset('x').catch(say)]"
    )
    assert isinstance(result.value, list), result
    large, text, error, saved = result.value
    assert "max_workspace_file_bytes" in large
    assert text == error == "assets.load failed inside the host"
    assert "object" in saved
    assert not (tmp_path / "y").exists()


def test_a_store_that_hangs_is_cancelled_with_its_run(tmp_path: Path) -> None:
    cancelled: list[str] = []

    class Hanging(Shelf):
        async def load(self, asset_id: str, max_bytes: int) -> bytes:
            try:
                await asyncio.sleep(3600)
            finally:
                cancelled.append(asset_id)
            return await super().load(asset_id, max_bytes)

    with left_clean():
        sandbox = Sandbox(workspace=Workspace(tmp_path), assets=Assets(Hanging()))
        result = sandbox.run_sync("await assetToSandbox('a', 'b')", limits=Limits(timeout_ms=200))
    assert result.ended == "timeout"
    assert cancelled == ["a"]


def test_assets_without_a_workspace_say_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    result = Sandbox(assets=Assets(FileAssets(tmp_path))).run_sync("return assetToSandbox('a', 'b')")
    assert result.error is not None
    assert result.error.message == "workspace.writeBytes is not available in this run"


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        TypeError, match=r"needs load and save, which str has not; for a folder pass FileAssets"
    ):
        Assets(str(tmp_path))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no such folder"):
        FileAssets("/nowhere/at/all")
    assert isinstance(FileAssets(tmp_path), AssetStore)


def test_a_system_without_handles_of_folders_has_no_store_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nodetool_sandbox.bridges.assets.IS_SUPPORTED", False)
    with pytest.raises(ValueError, match="needs a system that opens files relative"):
        FileAssets(tmp_path)
