"""Wheels that attack, installed with pip beside ours: each refused in its own words, and all others go on.

They stand in one environment at once, as they would on a machine that installed them all.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from environments import INDEX, Environment, Listing, build_wheel

RUNTIME = ("nodetool-sandbox", "nodetool-sandbox-registry", "nodetool-sandbox-host")
OURS = ("nodetool-sandbox-csv", "nodetool-sandbox-yaml", "nodetool-sandbox-zip")
MARK = "import os, pathlib; pathlib.Path(os.environ['MARKER']).touch()\n"

GOOD = [
    "@nodetool-ai/sandbox-csv",
    "@nodetool-ai/sandbox-yaml",
    "@nodetool-ai/sandbox-zip",
    "acme-geo",
    "acme-geo/geohash",
    "quiet-pack",
]

EVERYTHING = """
import { parse } from "@nodetool-ai/sandbox-csv";
import { load } from "@nodetool-ai/sandbox-yaml";
import { zip, unzip } from "@nodetool-ai/sandbox-zip";
import { encode } from "acme-geo/geohash";
import { one } from "quiet-pack";
const [row] = await parse("a,b\\n1,2");
const names = Object.keys(await unzip(await zip({ "x.txt": row.b })));
return [row.a, load("- yes"), names, encode([52.5, 13.4], 4), one];
"""


def host(host_id: str) -> str:
    return f'[[modules]]\nname = "."\nkind = "host"\nhost = "{host_id}"\n'


def js(name: str, file: str = "index.js") -> str:
    return f'[[modules]]\nname = {json.dumps(name)}\nkind = "js"\nfile = {json.dumps(file)}\n'


@dataclass(frozen=True, kw_only=True)
class Attack:
    """A wheel, and the words by which it is refused."""

    name: str
    words: str
    code: str = "discovery-failed"
    wheel: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


ATTACKS = (
    # a host id, or a name, that is somebody else's
    Attack(
        name="evil-zip",
        wheel={"manifest": host("zip")},
        words='host module "zip" belongs to @nodetool-ai/sandbox-zip and cannot be declared by evil-zip: '
        "only the distribution nodetool-sandbox-zip may",
    ),
    Attack(
        name="nodetool-sandbox-csv2",
        wheel={"manifest": host("csv")},
        words="cannot be declared by nodetool-sandbox-csv2",
    ),
    Attack(
        name="nodetool-ai-sandbox-zip",
        wheel={"manifest": host("zip")},
        words="cannot be declared by nodetool-ai-sandbox-zip",
    ),
    Attack(name="case-host", wheel={"manifest": host("ZIP")}, words='"ZIP" is not a host id'),
    Attack(name="wide-host", wheel={"manifest": host("ｚｉｐ")}, words='"ｚｉｐ" is not a host id'),
    Attack(name="hidden-host", wheel={"manifest": host("zip\u200b")}, words='"zip\\u200b" is not a host id'),
    Attack(name="line-host", wheel={"manifest": host("zip\\n")}, words='"zip\\u000a" is not a host id'),
    Attack(name="new-host", wheel={"manifest": host("shell")}, words='"shell" is not a host module NodeTool'),
    Attack(
        name="scope-claim",
        wheel={"manifest": js("@nodetool-ai/sandbox-zip")},
        words='"@nodetool-ai/sandbox-zip" is not a module name',
    ),
    Attack(
        name="geo-claim", wheel={"manifest": js("../acme-geo")}, words='"../acme-geo" is not a module name'
    ),
    Attack(
        name="twin-name",
        wheel={"manifest": js("One") + js("oNE", "other.js"), "files": {"other.js": ""}},
        words='"oNE" is declared beside "One", its twin where case is ignored',
    ),
    Attack(
        name="same-name", wheel={"manifest": js(".") + js(".", "other.js")}, words='"." is declared twice'
    ),
    # two wheels, one folder
    Attack(
        name="folder-thief",
        code="duplicate-pack",
        wheel={"package": "shared_folder"},
        words='Packs folder-owner and folder-thief both name the package "shared_folder"',
    ),
    Attack(
        name="folder-owner",
        code="duplicate-pack",
        wheel={"package": "shared_folder"},
        words='Packs folder-owner and folder-thief both name the package "shared_folder"',
    ),
    Attack(
        name="geo-reader",
        wheel={"value": "acme_geo"},
        words='the package "acme_geo" is not in RECORD: it belongs to another distribution',
    ),
    # files that are not the pack's own
    Attack(
        name="up-path", wheel={"manifest": js(".", "../x.js")}, words='"../x.js" is not a file of the pack'
    ),
    Attack(name="root-path", wheel={"manifest": js(".", "/etc/x.js")}, words="it is absolute"),
    Attack(name="coded-path", wheel={"manifest": js(".", "%2e%2e/x.js")}, words="it holds a coded separator"),
    Attack(name="drive-path", wheel={"manifest": js(".", "C:x.js")}, words='it holds a ":"'),
    Attack(
        name="back-path", wheel={"manifest": js(".", "a\\..\\x.js")}, words='folders are separated by "/"'
    ),
    Attack(name="nul-path", wheel={"manifest": js(".", "x.js\0.js")}, words="a character that is not shown"),
    Attack(
        name="link-file",
        wheel={"manifest": js(".", "link.js"), "links": {"link.js": "../../../../../etc/hostname"}},
        words='"link.js" is not a JavaScript module',  # pip writes a link as a file that holds its target
    ),
    Attack(
        name="record-path",
        wheel={"value": "json", "record_more": ["/json/x", "../json/x", "json%2fx", "..\\json\\x"]},
        words='the package "json" is not in RECORD',
    ),
    # sizes and shapes
    Attack(
        name="huge-file",
        wheel={"files": {"index.js": "/" * (256 * 1024 + 1)}},
        words='"index.js" is 262,145 bytes or more, above the 262,144 byte cap',
    ),
    Attack(
        name="huge-manifest",
        wheel={"manifest": b"#" * 50_000_000},
        words='"pack.toml" is 50,000,000 bytes or more, above the 262,144 byte cap',
    ),
    Attack(name="dotted-manifest", wheel={"manifest": ".".join("a" * 100_000) + " = 1"}, words="16"),
    Attack(name="deep-manifest", wheel={"manifest": "a = " + "[" * 100_000}, words="pack.toml"),
    Attack(name="odd-manifest", wheel={"manifest": INDEX + 'surprise = "x"\n'}, words="unknown field"),
    Attack(
        name="many-modules",
        wheel={"manifest": "".join(js(f"m{n}", f"m{n}.js") for n in range(257))},
        words="257 modules and internal files, above the cap of 256",
    ),
    Attack(
        name="cycle",
        wheel={
            "manifest": f'internal = ["a.js"]\n{INDEX}',
            "files": {"index.js": 'import "./a.js";', "a.js": 'import "./index.js";'},
        },
        words="internal module cycle includes",
    ),
    # what it may not import
    Attack(name="node-import", wheel={"files": {"index.js": 'import "node:fs";'}}, words='imports "node:fs"'),
    Attack(
        name="pack-import",
        wheel={"files": {"index.js": 'import "@nodetool-ai/sandbox-zip";'}},
        words="a pack imports its own files alone",
    ),
    Attack(
        name="bridge-import",
        wheel={"files": {"index.js": 'import "nodetool:host-bridge";'}},
        words='imports "nodetool:host-bridge"',
    ),
    Attack(name="late-import", wheel={"files": {"index.js": 'import("./x.js");'}}, words="uses import()"),
    Attack(
        name="start-file",
        wheel={"beside": {"start_file.pth": "import os\n"}},
        words='it brings "start_file.pth", by which Python runs code of it whenever it starts',
    ),
    # entry points that would make Python import something
    Attack(name="attr-entry", wheel={"value": "attr_entry:main"}, words="must name one top-level package"),
    Attack(name="dotted-entry", wheel={"value": "dotted_entry.sub"}, words="must name one top-level package"),
)

# Installed with the rest, and loud when anything of them is imported.
LOUD = {"__init__.py": MARK + "raise SystemExit(3)\n", "sub/__init__.py": MARK, "conftest.py": MARK}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@dataclass(frozen=True)
class Besieged:
    """An environment with every attack in it, and what its command line says of them."""

    environment: Environment
    target: Path
    env: Mapping[str, str]
    listing: Listing

    def run(self, *arguments: str) -> tuple[int, str, str]:
        done = self.environment.command("run", *arguments, path=self.target, env=self.env)
        return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def base(
    wheels: dict[str, Path], example_wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    folder = tmp_path_factory.mktemp("besieged") / "environment"
    environment = Environment.make(folder, [wheels[each] for each in (*RUNTIME, *OURS)])
    quiet = build_wheel(folder, "quiet-pack", {**LOUD, "__init__.py": MARK})
    environment.install(example_wheel, quiet)
    return environment


@pytest.fixture(scope="module")
def besieged(base: Environment, tmp_path_factory: pytest.TempPathFactory) -> Besieged:
    folder = tmp_path_factory.mktemp("attacks")
    wheels = []
    for attack in ATTACKS:
        given = {**attack.wheel, "files": {**LOUD, **attack.wheel.get("files", {})}}
        wheels.append(build_wheel(folder, attack.name, **given))
    target = tmp_path_factory.mktemp("target")
    base.install(*wheels, target=target)
    env = {"MARKER": str(folder / "marker")}
    return Besieged(base, target, env, base.listed(target, env=env))


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_an_attack_is_refused_in_its_own_words(attack: Attack, besieged: Besieged) -> None:
    ((code, message),) = besieged.listing.complaints(attack.name)
    assert code == attack.code
    assert attack.words in message
    assert str(besieged.environment.folder.parent) not in message


def test_the_other_packs_are_all_there(besieged: Besieged) -> None:
    assert besieged.listing.specifiers == GOOD


def test_no_two_attacks_are_told_in_the_same_words(besieged: Besieged) -> None:
    messages = [each["message"].partition(": ")[2] for each in besieged.listing.document["diagnostics"]]
    shared = [each for each in messages if messages.count(each) > 1]
    assert len(shared) <= 2, shared  # the two that name one folder are told by one sentence each


def test_a_program_uses_the_other_packs(besieged: Besieged) -> None:
    path = besieged.environment.folder / "everything.js"
    path.write_text(EVERYTHING, encoding="utf-8")
    status, printed, said = besieged.run(path.name, "--module", "all")
    assert (status, said) == (0, "")
    assert json.loads(printed) == ["1", ["yes"], ["x.txt"], "u33d", 1]


def test_nothing_of_any_pack_was_ever_imported(besieged: Besieged) -> None:
    code = 'import { one } from "quiet-pack"; return one'
    assert besieged.run("--module", "quiet-pack", "-e", code) == (0, "1\n", "")
    assert not Path(besieged.env["MARKER"]).exists()


@pytest.mark.parametrize("name", ["evil-zip", "geo-reader", "cycle"])
def test_a_program_that_asks_for_an_attack_by_name_is_told_why_not(
    name: str, base: Environment, tmp_path: Path
) -> None:
    attack = next(each for each in ATTACKS if each.name == name)
    base.place(build_wheel(tmp_path, name, **attack.wheel), tmp_path / "target")
    done = base.command("run", "--module", name, "-e", "return 1", path=tmp_path / "target")
    assert done.returncode == 2
    assert f"Sandbox module {name} is not available for execution." in done.stderr
    assert attack.words in done.stderr


# ---- names that compare equal, installed in a second folder of the path


@pytest.mark.parametrize("name", ["nodetool-sandbox-zip", "Nodetool_Sandbox.ZIP", "nodetool--sandbox__zip"])
def test_a_second_distribution_of_one_name_drops_both_and_nobody_else(
    name: str, base: Environment, tmp_path: Path
) -> None:
    wheel = build_wheel(tmp_path, name, manifest=host("zip"), package="other_zip", version="9.0")
    base.place(wheel, tmp_path / "target")
    listing = base.listed(tmp_path / "target")
    ((code, message),) = listing.complaints("nodetool-sandbox-zip")
    assert code == "duplicate-pack"
    assert message == "Pack nodetool-sandbox-zip is installed 2 times (0.1.0, 9.0); uninstall all but one"
    assert listing.specifiers == [each for each in GOOD if not each.endswith("-zip")]


def test_a_folder_that_two_wheels_claim_is_its_own_distributions(base: Environment, tmp_path: Path) -> None:
    target = tmp_path / "target"
    listed = ["victim_pack/pack.toml", "victim_pack/index.js"]
    thief = build_wheel(tmp_path, "thief-pack", value="victim_pack", record_more=listed)
    base.install(build_wheel(tmp_path, "victim-pack"), thief, target=target)
    listing = base.listed(target)
    ((code, message),) = listing.complaints("thief-pack")
    assert code == "discovery-failed"
    assert 'names the package "victim_pack", which belongs to victim-pack' in message
    assert listing.specifiers == [*GOOD, "victim-pack"]


def test_a_folder_that_another_wheel_wrote_into_is_nobodys(base: Environment, tmp_path: Path) -> None:
    target = tmp_path / "target"
    thief = build_wheel(
        tmp_path, "thief-pack", {"index.js": "export const one = 666;"}, package="victim_pack"
    )
    base.install(build_wheel(tmp_path, "victim-pack"), thief, target=target)
    listing = base.listed(target)
    assert [code for code, _ in listing.complaints("victim-pack")] == ["duplicate-pack"]
    assert [code for code, _ in listing.complaints("thief-pack")] == ["duplicate-pack"]
    assert listing.specifiers == GOOD


@pytest.mark.parametrize(
    "name", ["nodetool-sandbox-zіp", "nodetool-sandbox-ｚｉｐ", "nodetool-sandbox-zip\u200b"]
)
def test_a_name_of_other_letters_is_nobodys(name: str, base: Environment, tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, "evil", manifest=host("zip"), told_name=name)
    target = tmp_path / "target"
    done = base.pip("install", "--no-index", "--no-deps", "--target", target, wheel)
    if done.returncode != 0:  # today's pip refuses it; whoever unpacks a wheel by hand does not
        shutil.unpack_archive(wheel, target, "zip")
    listing = base.listed(target)
    ((code, message),) = listing.complaints("evil")
    assert code == "discovery-failed"
    assert "is not a distribution name" in message
    assert listing.specifiers == GOOD


# ---- what happens to a pack after pip installed it


def rename_in_metadata(target: Path) -> object:
    metadata = target / "late_pack-1.0.dist-info" / "METADATA"
    return metadata.write_text(metadata.read_text().replace("late-pack", "nodetool-sandbox-zip"))


def rename_folder(target: Path) -> object:
    return (target / "late_pack-1.0.dist-info").rename(target / "nodetool_sandbox_zip-1.0.dist-info")


def rename_both(target: Path) -> object:
    rename_in_metadata(target)
    return rename_folder(target)


def link_file(target: Path) -> None:
    file = target / "late_pack" / "index.js"
    file.unlink()
    (target / "secret.js").write_text("export const one = 2;")
    file.symlink_to(target / "secret.js")


def link_package(target: Path) -> None:
    package = (target / "late_pack").rename(target / "elsewhere")
    (target / "late_pack").symlink_to(package)


def take_file(target: Path) -> None:
    (target / "late_pack" / "index.js").unlink()


@pytest.mark.parametrize(
    ("change", "pack", "words"),
    [
        (
            rename_in_metadata,
            "late-pack",
            'says "nodetool-sandbox-zip", but its folder belongs to "late_pack"',
        ),
        (rename_folder, "nodetool-sandbox-zip", 'says "late-pack", but its folder belongs to'),
        (rename_both, "nodetool-sandbox-zip", "is not in its own RECORD, which is of another wheel"),
        (link_file, "late-pack", '"index.js" is a symbolic link or lies behind one'),
        (link_package, "late-pack", 'the package folder "late_pack" is a symbolic link'),
        (take_file, "late-pack", '"index.js" is not in the pack'),
    ],
)
def test_a_pack_that_changes_after_its_install_is_refused(
    change: Callable[[Path], object], pack: str, words: str, base: Environment, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    base.place(build_wheel(tmp_path, "late-pack"), target)
    change(target)
    listing = base.listed(target)
    ((code, message),) = listing.complaints(pack)
    assert code == "discovery-failed"
    assert words in message
    assert listing.specifiers == GOOD


def test_a_change_of_content_drifts_from_the_lock(base: Environment, tmp_path: Path) -> None:
    target, lock = tmp_path / "target", tmp_path / "sandbox.lock"
    base.place(build_wheel(tmp_path, "late-pack"), target)
    code = 'import { one } from "late-pack"; return one'
    run = ("run", "--module", "late-pack", "-e", code, "--lock", str(lock))
    base.command("packs", "lock", "late-pack", "--output", str(lock), path=target)
    assert base.command(*run, "--locked", path=target).stdout == "1\n"
    (target / "late_pack" / "index.js").write_text("export const one = 2;\n")
    warned = base.command(*run, path=target)
    assert (warned.returncode, warned.stdout) == (0, "2\n")
    assert "late-pack has changed since it was locked" in warned.stderr
    refused = base.command(*run, "--locked", path=target)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "late-pack has changed since it was locked" in refused.stderr


@pytest.mark.parametrize("place", ["../escaped.js", "/escaped.js"])
def test_pip_itself_refuses_a_wheel_that_leaves_its_folder(
    place: str, base: Environment, tmp_path: Path
) -> None:
    wheel = build_wheel(tmp_path, "outside-pack", beside={place: "x"})
    done = base.pip("install", "--no-index", "--no-deps", "--target", tmp_path / "target", wheel)
    escaped = [tmp_path / "escaped.js", tmp_path.parent / "escaped.js", Path("/escaped.js")]
    assert not any(each.exists() for each in escaped)
    if done.returncode == 0:
        assert base.listed(tmp_path / "target").complaints("outside-pack") == []
