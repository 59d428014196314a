"""What a catalog gives to a client: a file of a pack, or why not, out of memory."""

from __future__ import annotations

import pytest
from nodetool_sandbox_registry import Catalog, Delivery, NotDelivered, Specifier
from nodetool_sandbox_registry.digests import digest_bytes
from registry_fakes import CSV, INDEX, Site, npm
from wasm_forms import module

TWO = f'internal = ["shared.js"]\n{INDEX}\n[[modules]]\nname = "b"\nkind = "js"\nfile = "b.js"\n'
WASM = '[[modules]]\nname = "."\nkind = "wasm"\nfile = "w.wasm"\nmemory_pages_max = 1\nexports = ["f"]\n'
FILES = {"index.js": 'import "./shared.js";', "b.js": 'import "./shared.js";', "shared.js": "export {};"}


@pytest.fixture
def catalog(site: Site) -> Catalog:
    site.install("example-pack", TWO, FILES, version="2.0")
    site.install("acme-wasm", WASM, {"w.wasm": module()})
    site.install("nodetool-sandbox-csv", CSV, {})
    site.install("acme-dates", npm("date-fns"), {})
    return site.discover()


def delivered(catalog: Catalog, module_id: str) -> Delivery:
    found = catalog.deliver(module_id)
    assert isinstance(found, Delivery), found
    return found


def test_a_module_is_found_by_its_specifier(catalog: Catalog) -> None:
    found = delivered(catalog, "example-pack")
    assert (found.body, found.media_type) == (b'import "./shared.js";', "text/javascript")
    assert (found.pack, found.version, found.file_id, found.internal) == (
        "example-pack",
        "2.0",
        "index.js",
        False,
    )
    assert found.dependencies == ("example-pack::shared.js",)
    assert found.sha256 == digest_bytes(found.body)
    assert found.digest == catalog.resolve(["example-pack"]).modules[0].digest


def test_a_file_that_two_modules_reach_has_the_digest_of_the_first_by_name(catalog: Catalog) -> None:
    first, second = catalog.resolve(["example-pack", "example-pack/b"]).modules
    assert delivered(catalog, "example-pack::shared.js").digest == first.digest
    only = catalog.deliver("example-pack::shared.js", only=[Specifier("example-pack/b")])
    assert isinstance(only, Delivery)
    assert only.digest == second.digest


def test_what_is_no_javascript_of_the_pack_says_what_it_is(catalog: Catalog) -> None:
    wasm, host = delivered(catalog, "acme-wasm"), delivered(catalog, "@nodetool-ai/sandbox-csv")
    assert (wasm.body, wasm.media_type, wasm.sha256) == (module(), "application/wasm", digest_bytes(module()))
    assert wasm.wasm_contract is not None
    assert (host.host_id, host.wasm_contract, host.sha256) == ("csv", None, digest_bytes(host.body))
    assert delivered(catalog, "@nodetool-ai/sandbox-csv::host:csv").body == host.body


@pytest.mark.parametrize(
    ("module_id", "why"),
    [
        ("acme-nothing", NotDelivered.NOT_FOUND),
        ("acme-nothing::index.js", NotDelivered.NOT_FOUND),
        ("example-pack::none.js", NotDelivered.NOT_FOUND),
        ("example-pack::", NotDelivered.NOT_FOUND),
        ("", NotDelivered.NOT_FOUND),
        ("acme-dates", NotDelivered.UNAVAILABLE),
        ("acme-dates::npm:date-fns", NotDelivered.NOT_FOUND),
    ],
)
def test_what_there_is_not_has_a_reason(catalog: Catalog, module_id: str, why: NotDelivered) -> None:
    assert catalog.deliver(module_id) is why


def test_what_was_not_named_is_forbidden_and_what_is_not_there_stays_so(catalog: Catalog) -> None:
    only = [Specifier("acme-wasm")]
    assert catalog.deliver("example-pack", only=only) is NotDelivered.FORBIDDEN
    assert catalog.deliver("example-pack::shared.js", only=only) is NotDelivered.FORBIDDEN
    assert catalog.deliver("acme-nothing", only=only) is NotDelivered.NOT_FOUND
    assert isinstance(catalog.deliver("acme-wasm::w.wasm", only=only), Delivery)
