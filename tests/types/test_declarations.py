"""The declarations of what a program finds: every name and member of a guest, and what TypeScript makes of programs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodetool_sandbox import Assets, Canvas, Fetch, FileAssets, Image, Sandbox, Secrets, Workspace
from nodetool_sandbox.declarations import declarations_of
from nodetool_sandbox.surface import CAPABILITIES, HELPERS, POWERS, WEB
from typescript import complaints

# Intl is declared by the library that TypeScript brings for the language.
ALWAYS = ({*CAPABILITIES, *HELPERS, *WEB} | {"queueMicrotask"}) - {"Intl"}
_DECLARED = re.compile(r"^declare (?:const|function|class) (\w+)", re.MULTILINE)
_BODY = re.compile(r"^declare (const|class) (\w+)(?:: \{| \{)\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_INTERFACE = re.compile(r"^interface (\w+)(?:<\w+>)? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_MERGED = re.compile(r"^interface (\w+) extends (\w+)<\w+> \{\}", re.MULTILINE)
_MEMBER = re.compile(r"^  (static |)(?:readonly |)(\w+)[(<?:]", re.MULTILINE)

_ASKED = """
const own = (value) => Object.getOwnPropertyNames(value);
const inherited = ["length", "name", "prototype", "constructor"];
const members = (value) => [
  ...(typeof value === "function" ? own(value.prototype) : own(value)).map((name) => ["", name]),
  ...(typeof value === "function" ? own(value).map((name) => ["static ", name]) : []),
].filter(([, name]) => !inherited.includes(name)).map((pair) => pair.join("")).sort();
return Object.fromEntries(inputs.map((name) => [name, members(globalThis[name])]));
"""


@pytest.fixture(scope="module")
def powerful(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """A sandbox with every power that there is."""
    return Sandbox(
        fetch=Fetch(),
        workspace=Workspace(tmp_path_factory.mktemp("folder")),
        secrets=Secrets({}),
        assets=Assets(FileAssets(tmp_path_factory.mktemp("assets"))),
        image=Image(),
        canvas=Canvas(),
    )


def names_of(*powers: str) -> list[str]:
    return _DECLARED.findall(declarations_of(powers))


def test_each_name_of_a_guest_is_declared_once() -> None:
    assert sorted(names_of()) == sorted(ALWAYS)


@pytest.mark.parametrize("power", POWERS)
def test_what_a_power_brings_is_declared_with_it(power: str) -> None:
    assert sorted(names_of(power)) == sorted([*ALWAYS, *POWERS[power]])


def test_members_are_those_of_the_guest(powerful: Sandbox) -> None:
    text = powerful.declarations
    interfaces = dict(_INTERFACE.findall(text))
    inherited = dict(_MERGED.findall(text))
    declared = {
        name: sorted(
            {
                kind + member
                for kind, member in _MEMBER.findall(body + interfaces.get(inherited.get(name, ""), ""))
                if member != "constructor"
            }
        )
        for _, name, body in _BODY.findall(text)
        if name != "ImageData"  # what it has are properties of its objects
    }
    found = powerful.run_sync(_ASKED, globals={"inputs": sorted(declared)})
    assert found.success, found
    assert found.value == declared


def test_limits_stand_in_the_text_as_numbers() -> None:
    assert "at most 65,536" in declarations_of()
    assert not re.search(r"\{[A-Z_]+\}", declarations_of(POWERS))


def test_there_is_no_other_power() -> None:
    with pytest.raises(ValueError, match="no power is called telepathy; there are: fetch, workspace"):
        declarations_of(["telepathy"])


PROGRAM = """
async function program(): Promise<unknown> {
  console.log("a", { b: 1 });
  progress(10, "begun");
  await sleep(1, { signal: AbortSignal.timeout(50) });
  const squares: number[] = await parallelMap([1, 2, 3], async (n) => n * n, 2);
  const url = new URL("../a?b=1", "https://example.com/x/y");
  for (const [name, value] of url.searchParams) console.info(name.length + value.length);
  const hash: string = toHex(await crypto.digest("SHA-256", new Uint8Array(3)));
  crypto.getRandomValues(new Uint32Array(2))[0].toFixed();
  const text: string = new TextDecoder().decode(fromBase64(btoa("x")));
  const price: string = await format.number(1.5, { style: "currency", currency: "EUR" });
  new Intl.NumberFormat("de").format(2) + price;
  return [squares, hash, text, structuredClone(new Map([[1, "a"]])).get(1)?.length];
}
"""
POWERFUL = """
async function powerful(): Promise<unknown> {
  const form = new FormData();
  form.append("file", new Blob(["text"], { type: "text/plain" }), "a.txt");
  const { signal } = new AbortController();
  const answer = await fetch("https://example.com", { method: "POST", body: form, signal });
  if (!answer.ok || answer.truncated) throw new Error(String(answer.status));
  await workspace.write("a/b.txt", answer.body);
  await workspace.writeBytes("c.bin", await answer.bytes());
  const { exists, size } = await workspace.stat("a/b.txt");
  const key: string | undefined = await getSecret("KEY");
  const picture = await image.open(await workspace.readBytes("c.png"));
  const small = await image.resize(picture, { width: 10 });
  const bytes: Uint8Array = await image.convert(small, { format: "jpeg", as: "bytes" });
  const where: string = await assetToSandbox("id");
  return [exists && size, key, small.uri, bytes.length, where, answer.json.rows[0]];
}
"""


def test_programs_as_they_are_meant_are_well_typed(tmp_path: Path) -> None:
    files = {"guest.d.ts": declarations_of(POWERS), "always.ts": PROGRAM, "powers.ts": POWERFUL}
    assert complaints(tmp_path, files) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("setTimeout(() => {}, 1);", "Cannot find name 'setTimeout'"),
        ("process.exit();", "Cannot find name 'process'"),
        ("document.title;", "Cannot find name 'document'"),
        ("workspace.read('a');", "Cannot find name 'workspace'"),
        ("sleep('a');", "not assignable to parameter of type 'number'"),
        ("console.table([]);", "Property 'table' does not exist"),
        ("new AbortSignal();", "Constructor of class 'AbortSignal' is private"),
    ],
)
def test_what_is_not_there_is_an_error(code: str, said: str, tmp_path: Path) -> None:
    (found,) = complaints(tmp_path, {"guest.d.ts": declarations_of(), "program.ts": code + "\nexport {};"})
    assert said in found
