from __future__ import annotations

import pytest
from nodetool_sandbox_registry import (
    CODES,
    PINS,
    Code,
    Diagnostic,
    DistName,
    HostId,
    Pin,
    PinnedExport,
    SandboxHostModuleError,
    Severity,
    Specifier,
    build_host_facade,
    require_pin,
)
from nodetool_sandbox_registry.manifest import RESERVED_WORDS
from nodetool_sandbox_registry.names import PackName, pack_of, parse_dist_name, parse_host_id, parse_specifier
from nodetool_sandbox_registry.packs import MAX_SUMMARY_CHARS
from nodetool_sandbox_registry.pins import pack_name, pinned_distribution

CSV = DistName("nodetool-sandbox-csv")


def test_the_eight_host_ids_are_pinned() -> None:
    assert set(PINS) == {"csv", "html", "xml", "xlsx", "zip", "diff", "yaml", "dates"}


@pytest.mark.parametrize("pin", PINS.values(), ids=lambda pin: pin.host_id)
def test_a_pin_has_one_name_everywhere(pin: Pin) -> None:
    assert parse_host_id(pin.host_id) == pin.host_id
    assert parse_dist_name(pin.distribution) == pin.distribution == f"nodetool-sandbox-{pin.host_id}"
    assert str(parse_specifier(pin.pack)) == f"@nodetool-ai/sandbox-{pin.host_id}"
    assert pack_of(parse_specifier(pin.pack)) == pin.pack
    assert pack_name(pin.distribution) == pin.pack
    assert pinned_distribution(pin.pack) == pin.distribution
    assert pin.library
    assert 0 < len(pin.description) <= MAX_SUMMARY_CHARS


@pytest.mark.parametrize("pin", PINS.values(), ids=lambda pin: pin.host_id)
def test_the_names_of_exports_can_be_written_in_a_facade(pin: Pin) -> None:
    names = [export.name for export in pin.exports]
    assert len(set(names)) == len(names)
    assert all(name.isascii() and name.isidentifier() for name in names)
    assert not RESERVED_WORDS.intersection(names)
    assert not {"bind", "then", "Object"}.intersection(names)


def test_a_pack_without_a_pin_is_called_as_its_distribution() -> None:
    assert pack_name(DistName("acme-tools")) == "acme-tools"
    assert pinned_distribution(PackName("acme-tools")) is None


def test_a_host_id_counts_for_the_distribution_that_its_pin_names() -> None:
    assert require_pin("csv", CSV) is PINS[HostId("csv")]


def test_another_distributions_claim_on_a_host_id_names_both() -> None:
    with pytest.raises(SandboxHostModuleError) as refused:
        require_pin("csv", DistName("evil-csv"))
    assert str(refused.value) == (
        'host module "csv" belongs to @nodetool-ai/sandbox-csv and cannot be declared by evil-csv: '
        "only the distribution nodetool-sandbox-csv may"
    )


@pytest.mark.parametrize(
    "host_id", ["CSV", "csv\n", "constructor", "__proto__", "\ud800", "x" * 10_000], ids=ascii
)
def test_an_unknown_host_id_is_refused_for_everyone(host_id: str) -> None:
    with pytest.raises(SandboxHostModuleError, match="is not a host module NodeTool implements") as refused:
        require_pin(host_id, CSV)
    assert "first-party only" in str(refused.value)
    assert len(str(refused.value).encode()) < 1_000


@pytest.mark.parametrize("host_id", ["", None, 1, ["csv"]])
def test_what_is_no_text_names_no_host_id(host_id: object) -> None:
    with pytest.raises(SandboxHostModuleError, match="must name a host id"):
        require_pin(host_id, CSV)


def test_a_facade_has_a_function_for_each_export_and_the_object_of_all() -> None:
    pin = Pin(
        host_id=HostId("x"),
        distribution=CSV,
        pack=PackName("@a/b"),
        library="l",
        description="d",
        exports=(PinnedExport(name="parse"), PinnedExport(name="load", sync=True, shared=True)),
    )
    assert build_host_facade(Specifier("@a/b"), pin) == (
        'import { bind } from "nodetool:host-bridge";\n'
        'export const parse = bind("@a/b", "parse", 0);\n'
        'export const load = bind("@a/b", "load", 3);\n'
        "export default Object.freeze({ parse, load });\n"
    )


def test_every_code_has_a_row_and_every_row_a_sentence() -> None:
    assert set(CODES) == set(Code)
    assert all(row.sentence.endswith(".") and row.sentence[0].isupper() for row in CODES.values())


def test_a_diagnostic_is_as_grave_as_its_code() -> None:
    assert Diagnostic(code=Code.SKILL_MISSING, message="m").severity is Severity.WARNING
    assert Diagnostic(code=Code.DUPLICATE_PACK, message="m").severity is Severity.ERROR
