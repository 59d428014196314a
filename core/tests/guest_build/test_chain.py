"""The build's steps around the compiler: cache, sources, digests, files in place."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from guest_build import chain, flags
from guest_build.cache import ENV_OVERRIDE, BuildCache, user_cache_folder
from guest_build.chain import IMAGE, NOTICES, PROVENANCE, TOOLCHAIN, missing_toolchain, require_image
from guest_build.inputs import load_inputs
from guest_build.provenance import provenance
from guest_build.source import load_sdist, unpack_sources
from guest_build.steps import StepFailedError

CORE = Path(chain.__file__).parent.parent
ENGINE = chain.ENGINE_FOLDER


def ignore(_line: str) -> None:
    """Takes progress that nobody reads."""


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(ENV_OVERRIDE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def core(tmp_path: Path) -> Path:
    """A copy of core's build inputs, with nothing built."""
    for name in ("guest", "guest_build"):
        shutil.copytree(CORE / name, tmp_path / "core" / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "core"


@pytest.fixture
def cached(core: Path) -> dict[str, bytes]:
    """A finished image of that copy in the cache; its bytes matter to nobody here."""
    inputs = load_inputs(core)
    image = b"an image"
    files = {
        IMAGE: image,
        NOTICES: b"notices",
        PROVENANCE: provenance(inputs, module=b"a module", image=image),
    }
    for name, content in files.items():
        BuildCache.open().write(f"images/{inputs.image_digest}/{name}", content)
    return files


def test_a_cached_image_needs_no_toolchain_and_is_put_in_place(core: Path, cached: dict[str, bytes]) -> None:
    assert missing_toolchain(core) == ()
    assert require_image(core, ignore).did == "copied"
    assert {path.name: path.read_bytes() for path in (core / ENGINE).iterdir()} == cached


@pytest.mark.usefixtures("cached")
def test_an_image_in_place_is_kept(core: Path) -> None:
    require_image(core, ignore)
    assert require_image(core, ignore).did == "kept"


@pytest.mark.usefixtures("cached")
@pytest.mark.parametrize("name", [IMAGE, PROVENANCE])
def test_a_file_in_place_that_was_tampered_with_is_replaced(core: Path, name: str) -> None:
    require_image(core, ignore)
    (core / ENGINE / name).write_bytes(b"\xff other")
    assert require_image(core, ignore).did == "copied"


@pytest.mark.usefixtures("cached")
def test_a_cached_image_that_was_tampered_with_is_not_used(core: Path, cache_folder: Path) -> None:
    (image,) = cache_folder.rglob(IMAGE)
    image.write_bytes(b"other")
    assert missing_toolchain(core) == TOOLCHAIN


@pytest.mark.usefixtures("cached")
@pytest.mark.parametrize("name", ["guest/shim.c", "guest/prelude/base.js", "guest_build/bake.py"])
def test_a_changed_input_needs_another_image(core: Path, name: str) -> None:
    with (core / name).open("a") as file:
        file.write("\n")
    assert missing_toolchain(core) == TOOLCHAIN


@pytest.mark.usefixtures("cached")
def test_a_changed_flag_needs_another_image(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "COMPILE_FLAGS", ("-O1",))
    assert missing_toolchain(core) == TOOLCHAIN


def test_a_changed_prelude_keeps_the_compiled_module(core: Path) -> None:
    before = load_inputs(core)
    (core / "guest" / "prelude" / "base.js").write_text("1")
    after = load_inputs(core)
    assert (before.module_digest == after.module_digest, before.image_digest == after.image_digest) == (
        True,
        False,
    )


def test_a_tree_without_its_sources_is_refused(core: Path) -> None:
    (core / "guest" / "prelude" / "base.js").unlink()
    with pytest.raises(StepFailedError, match=r"'prelude/base.js'.*not found in core/guest"):
        require_image(core, ignore)


def test_a_download_that_fails_says_so_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(StepFailedError, match=rf"fetch the engine's sources(.|\n)*{ENV_OVERRIDE}"):
        load_sdist(BuildCache.open(), ignore)


def test_a_cached_sdist_with_another_hash_is_not_used(
    monkeypatch: pytest.MonkeyPatch, cache_folder: Path
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    BuildCache.open().write(f"sources/{flags.SOURCE_SHA256}.tar.gz", b"something else")
    with pytest.raises(StepFailedError, match="fetch the engine's sources"):
        load_sdist(BuildCache.open(), ignore)
    assert cache_folder.is_dir()


def packed(fill: Callable[[tarfile.TarFile], None]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name in ("quickjs.c", *flags.UPSTREAM_UNITS):
            add(tar, f"{flags.SOURCE_FOLDER}/{name}")
        fill(tar)
    return out.getvalue()


def add(tar: tarfile.TarFile, name: str, *, kind: bytes = tarfile.REGTYPE, to: str = "") -> None:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, to
    tar.addfile(member)


@pytest.mark.parametrize(
    "fill",
    [
        lambda tar: add(tar, f"{flags.SOURCE_FOLDER}/link.c", kind=tarfile.SYMTYPE, to="/etc/passwd"),
        lambda tar: add(tar, f"{flags.SOURCE_FOLDER}/hard.c", kind=tarfile.LNKTYPE, to="../outside"),
        lambda tar: add(tar, f"{flags.SOURCE_FOLDER}/../escaped.c"),
        lambda tar: add(tar, "/absolute.c"),
        lambda tar: add(tar, f"{flags.SOURCE_FOLDER}/pipe", kind=tarfile.FIFOTYPE),
    ],
    ids=["symlink", "hard link", "dot dot", "absolute", "fifo"],
)
def test_only_regular_files_of_the_one_folder_are_unpacked(
    tmp_path: Path, fill: Callable[[tarfile.TarFile], None]
) -> None:
    unpack_sources(packed(fill), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        ("quickjs.c", *flags.UPSTREAM_UNITS)
    )
    assert not (tmp_path / "escaped.c").exists()


def test_an_sdist_without_the_engine_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    tarfile.open(fileobj=out, mode="w:gz").close()
    with pytest.raises(StepFailedError, match=r"'quickjs.c'.*not found"):
        unpack_sources(out.getvalue(), tmp_path / "out")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_the_cache_is_private(cache_folder: Path) -> None:
    folder = BuildCache.open().folder
    assert [each.stat().st_mode & 0o777 for each in (cache_folder, folder)] == [0o700, 0o700]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
@pytest.mark.parametrize("mode", [0o720, 0o702], ids=oct)
def test_a_cache_that_others_write_to_is_refused(cache_folder: Path, mode: int) -> None:
    cache_folder.mkdir()
    cache_folder.chmod(mode)
    with pytest.raises(StepFailedError, match="others may write"):
        BuildCache.open()


def test_a_cache_folder_that_cannot_be_made_is_refused(cache_folder: Path) -> None:
    cache_folder.write_text("a file")
    with pytest.raises(StepFailedError, match="cannot be made"):
        BuildCache.open()


@pytest.mark.skipif(sys.platform != "linux", reason="the XDG folders")
@pytest.mark.parametrize(
    ("xdg", "expected"), [("/x", "/x/nodetool-sandbox"), ("x", "/home/of/.cache/nodetool-sandbox")]
)
def test_a_relative_xdg_folder_is_ignored(monkeypatch: pytest.MonkeyPatch, xdg: str, expected: str) -> None:
    monkeypatch.delenv(ENV_OVERRIDE)
    monkeypatch.setenv("XDG_CACHE_HOME", xdg)
    monkeypatch.setenv("HOME", "/home/of")
    assert user_cache_folder() == Path(expected)


def test_a_write_leaves_no_partial_file_behind(cache_folder: Path) -> None:
    cache = BuildCache.open()
    (cache.folder / "taken").mkdir()
    with pytest.raises(OSError, match=os.strerror(21)):
        cache.write("taken", b"x")
    assert [path.name for path in (cache_folder / "guest").iterdir()] == ["taken"]
