from __future__ import annotations

import json

import pytest
from nodetool_sandbox_registry import (
    Catalog,
    Code,
    Declaration,
    DeclarationError,
    Declarations,
    ImportsRefused,
    LockError,
    ModuleLock,
    Specifier,
)
from nodetool_sandbox_registry.declarations import MAX_LOCK_BYTES, MAX_VERSION_CHARS
from nodetool_sandbox_registry.digests import digest_facts, is_digest
from registry_fakes import CSV, INDEX, Site, npm

NAME = Specifier("example-pack")


def refusals(catalog: Catalog, *declared: object) -> list[tuple[str, str]]:
    with pytest.raises(ImportsRefused) as caught:
        catalog.resolve(declared)
    assert str(caught.value) == "\n".join(each.message for each in caught.value.refusals)
    return [(each.code, each.message) for each in caught.value.refusals]


def test_a_module_that_is_what_was_locked_gives_no_warning(site: Site) -> None:
    site.install()
    catalog = site.discover()
    first = catalog.resolve(["example-pack"])
    again = catalog.resolve(
        ["example-pack"], lock=ModuleLock.parse(first.lock().text().encode()), on_drift="refuse"
    )
    assert again == first
    assert again.warnings == ()


def test_drift_warns_twice_and_still_gives_what_is_installed(site: Site) -> None:
    site.install()
    digest = "0" * 64
    resolution = site.discover().resolve(
        [{"specifier": "example-pack", "resolvedPackVersion": "0.9", "contentDigest": digest}]
    )
    assert [(each.code, each.message) for each in resolution.warnings] == [
        (
            "version-mismatch",
            "Sandbox module example-pack was saved with pack version 0.9, but 1.0 is installed.",
        ),
        ("content-digest-mismatch", "Sandbox module example-pack has changed since it was locked."),
    ]
    assert resolution.modules[0].version == "1.0"


def test_drift_is_refused_when_asked_to(site: Site) -> None:
    folder = site.install()
    lock = site.discover().resolve(["example-pack"]).lock()
    site.write(folder, {"index.js": "export const one = 2;"})
    assert [each.code for each in site.discover().resolve(["example-pack"], lock=lock).warnings] == [
        Code.CONTENT_DIGEST_MISMATCH
    ]
    with pytest.raises(ImportsRefused, match="has changed since it was locked"):
        site.discover().resolve(["example-pack"], lock=lock, on_drift="refuse")


def test_a_drift_that_both_the_lock_and_the_declaration_show_is_told_once(site: Site) -> None:
    site.install()
    declaration = Declaration(specifier=NAME, version="0.9")
    resolution = site.discover().resolve([declaration], lock=ModuleLock(modules=(declaration,)))
    assert len(resolution.warnings) == 1


def test_a_module_that_the_lock_does_not_name_has_not_drifted(site: Site) -> None:
    site.install()
    assert site.discover().resolve(["example-pack"], lock=ModuleLock(modules=()), on_drift="refuse").modules


def test_what_runs_is_what_was_hashed_whatever_becomes_of_the_files(site: Site) -> None:
    folder = site.install()
    catalog = site.discover()
    before = catalog.resolve(["example-pack"])
    site.write(folder, {"index.js": "export const one = 6;"})
    folder.rename(folder.with_name("gone"))
    assert catalog.resolve(["example-pack"]) == before
    assert before.modules[0].source == "export const one = 1;"


def test_everything_that_is_wrong_is_told_at_once(site: Site) -> None:
    site.install("good")
    site.install("bad", manifest="[")
    site.install("waits", npm("date-fns"), {})
    told = refusals(
        site.discover(),
        "good",
        "bad",
        "waits",
        "unknown/x",
        "good/x",
        "@nodetool-ai/sandbox-csv",
        "node:fs",
        1,
    )
    assert [code for code, _ in told] == [
        "declaration-invalid",
        "declaration-invalid",
        "module-unavailable",
        "module-unavailable",
        "module-not-found",
        "module-not-found",
        "module-not-found",
    ]
    texts = [message for _, message in told]
    assert texts[0].startswith('"node:fs" is not a module specifier')
    assert texts[2].startswith("Sandbox module bad is not available for execution. Pack bad: pack.toml:")
    assert texts[3].startswith(
        "Sandbox module waits is not available for execution: waits is date-fns, not compiled"
    )
    assert texts[4] == "Sandbox module unknown/x is not installed."
    assert texts[5] == "Sandbox module good/x is not installed. good 1.0 offers: good."
    assert texts[6] == (
        "Sandbox module @nodetool-ai/sandbox-csv is not installed. "
        "Install it with: pip install nodetool-sandbox-csv"
    )


def test_a_first_party_module_whose_pack_was_refused_says_why(site: Site) -> None:
    site.install("nodetool-sandbox-csv", "[")
    ((code, message),) = refusals(site.discover(), "@nodetool-ai/sandbox-csv")
    assert code == "module-unavailable"
    assert "Pack nodetool-sandbox-csv: pack.toml: it is not TOML" in message


def test_each_module_is_resolved_once_in_the_order_of_its_declaration(site: Site) -> None:
    site.install("b")
    site.install("a")
    resolution = site.discover().resolve(["b", "a", "b", {"specifier": "a"}])
    assert [each.specifier for each in resolution.modules] == ["b", "a"]


def test_a_module_comes_with_the_files_that_it_reaches_and_no_others(site: Site) -> None:
    other = '[[modules]]\nname = "b"\nkind = "js"\nfile = "b.js"\n'
    site.install(
        manifest=f'internal = ["u.js", "v.js"]\n{INDEX}{other}',
        files={"index.js": 'import "./u.js";', "b.js": "", "u.js": "", "v.js": ""},
    )
    module = site.discover().resolve(["example-pack"]).modules[0]
    assert [file.id for file in module.files] == ["index.js", "u.js"]
    assert str(site.root) not in repr(module)


def test_the_same_pack_twice_is_no_catalog(site: Site) -> None:
    site.install()
    pack = site.discover().pack(NAME)
    assert pack is not None
    with pytest.raises(ValueError, match="example-pack is there twice"):
        Catalog([pack, pack])


def test_a_pack_that_is_not_there_is_none(site: Site) -> None:
    site.install("nodetool-sandbox-csv", CSV)
    catalog = site.discover()
    assert catalog.pack(Specifier("@nodetool-ai/sandbox-csv/x")) is not None
    assert catalog.pack(NAME) is None


@pytest.mark.parametrize("value", [None, "", [], ()])
def test_nothing_declares_nothing(value: object) -> None:
    assert Declarations.parse(value) == Declarations(declared=(), invalid=())


@pytest.mark.parametrize("value", ["example-pack", b"x", {"specifier": "x"}, 1])
def test_what_is_not_a_list_declares_nothing_and_says_so(value: object) -> None:
    found = Declarations.parse(value)
    assert found.declared == ()
    assert found.invalid[0].endswith("is not a list")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "neither a module specifier nor an object"),
        (["x"], "neither a module specifier nor an object"),
        ({"specifier": "x", "y": 1}, "neither a module specifier nor an object"),
        ({}, "names no module specifier"),
        ({"specifier": 1}, "names no module specifier"),
        ({"specifier": "a/b/c"}, "is not a module specifier"),
        ({"specifier": "x", "resolvedPackVersion": 1}, "no version"),
        ({"specifier": "x", "resolvedPackVersion": "1" * (MAX_VERSION_CHARS + 1)}, "no version"),
        ({"specifier": "x", "contentDigest": "f" * 63}, "64 hexadecimal digits"),
        ({"specifier": "x", "contentDigest": "F" * 64}, "64 hexadecimal digits"),
        ({"specifier": "x", "contentDigest": "f" * 64 + "\n"}, "64 hexadecimal digits"),
        ({"specifier": "x", "contentDigest": 1}, "64 hexadecimal digits"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_a_bad_declaration_is_described(value: object, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        Declaration.parse(value)


def test_a_version_has_a_longest_length() -> None:
    version = "1" * MAX_VERSION_CHARS
    assert Declaration.parse({"specifier": "x", "resolvedPackVersion": version}).version == version


def test_a_lock_is_the_same_text_in_any_order() -> None:
    a, b = Declaration(specifier=Specifier("a"), version="1"), Declaration(specifier=Specifier("b"))
    text = ModuleLock(modules=(a, b)).text()
    assert text == ModuleLock(modules=(b, a)).text()
    lock = ModuleLock.parse(text.encode())
    assert (lock.find(Specifier("a")), lock.find(Specifier("c"))) == (a, None)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "lockVersion 1"),
        (b'{"lockVersion": 2}', "lockVersion 1"),
        (json.dumps({"lockVersion": 1, "modules": ["node:fs"]}).encode(), "bad entry"),
        (json.dumps({"lockVersion": 1, "modules": "all"}).encode(), "is not a list"),
        (
            json.dumps({"lockVersion": 1, "modules": [{"specifier": "a", "distribution": "b"}]}).encode(),
            'belongs to the distribution a, not to "b"',
        ),
        (
            b'{"lockVersion": 1, "modules": ["x", {"specifier": "@nodetool-ai/sandbox-csv", "distribution": 1}]}',
            'belongs to the distribution nodetool-sandbox-csv, not to "1"',
        ),
        (b" " * (MAX_LOCK_BYTES + 1), "byte cap"),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_a_bad_lock_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(LockError, match=words):
        ModuleLock.parse(data)


def test_a_lock_says_what_to_install() -> None:
    names = ["@nodetool-ai/sandbox-dates/zones", "acme-geo/geohash"]
    modules = json.loads(ModuleLock(modules=Declarations.parse(names).declared).text())["modules"]
    assert [each["distribution"] for each in modules] == ["nodetool-sandbox-dates", "acme-geo"]


def test_a_lock_has_a_largest_size() -> None:
    assert ModuleLock.parse(b'{"lockVersion": 1}'.ljust(MAX_LOCK_BYTES)).modules == ()


def test_digests_do_not_depend_on_the_order_of_keys() -> None:
    assert digest_facts({"a": 1, "b": ["\ud800", None]}) == digest_facts({"b": ["\ud800", None], "a": 1})
    assert is_digest(digest_facts({}))
