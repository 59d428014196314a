"""A folder that two distributions name: whose it is, where that can be told."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from registry_fakes import Site, codes, specifiers

INFO = "acme_geo-1.0.dist-info"


def write_record(site: Site, distribution: str, package: str) -> None:
    """RECORD as an installer writes it: with the hash of each file of the package."""
    info = f"{distribution.replace('-', '_')}-1.0.dist-info"
    rows = [f"{info}/METADATA,,", f"{package}/__pycache__/__init__.cpython-311.pyc,,"]
    for file in sorted((site.root / package).rglob("*")):
        if file.is_file():
            digest = (
                base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
            )
            rows.append(f"{file.relative_to(site.root).as_posix()},sha256={digest},{file.stat().st_size}")
    (site.root / info / "RECORD").write_text("\n".join([*rows, ""]))


@pytest.fixture
def contested(site: Site) -> Site:
    """acme-geo as it was installed, and another distribution that says that the folder is its own."""
    site.install("acme-geo", files={"index.js": "", "inner/spare.js": ""})
    write_record(site, "acme-geo", "acme_geo")
    site.install("evil", package="acme_geo", files={"index.js": "", "inner/spare.js": ""})
    write_record(site, "evil", "acme_geo")
    return site


def test_the_distribution_after_which_a_folder_is_named_keeps_it(contested: Site) -> None:
    catalog = contested.discover()
    assert specifiers(catalog) == ["acme-geo"]
    (told,) = catalog.diagnostics()
    assert (told.code, told.pack) == ("discovery-failed", "evil")
    assert 'its entry point names the package "acme_geo", which belongs to acme-geo' in told.message


def test_what_python_compiled_is_no_change(contested: Site) -> None:
    contested.write(contested.root / "acme_geo" / "__pycache__", {"__init__.cpython-311.pyc": b"\0"})
    assert specifiers(contested.discover()) == ["acme-geo"]


def change_file(package: Path) -> object:
    return (package / "index.js").write_text("export const evil = 1;")


def add_file(package: Path) -> object:
    return (package / "inner" / "more.js").write_text("")


def take_file(package: Path) -> None:
    (package / "inner" / "spare.js").unlink()


def link_file(package: Path) -> None:
    (package / "index.js").rename(package.parent / "elsewhere.js")
    (package / "index.js").symlink_to(package.parent / "elsewhere.js")


def link_folder(package: Path) -> None:
    (package / "more").symlink_to(package.parent)


def forget_record(package: Path) -> None:
    (package.parent / INFO / "RECORD").unlink()


def forget_hashes(package: Path) -> object:
    record = package.parent / INFO / "RECORD"
    return record.write_text("".join(f"{row.split(',')[0]}\n" for row in record.read_text().splitlines()))


@pytest.mark.parametrize(
    "change", [change_file, add_file, take_file, link_file, link_folder, forget_record, forget_hashes]
)
def test_a_folder_that_is_not_as_its_owner_left_it_is_nobodys(
    change: Callable[[Path], object], contested: Site
) -> None:
    change(contested.root / "acme_geo")
    catalog = contested.discover()
    assert specifiers(catalog) == []
    assert codes(catalog) == ["duplicate-pack", "duplicate-pack"]
