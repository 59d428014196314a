"""Every code that a diagnostic can carry: how grave it is and what it means, in one sentence.

The pages under docs/codes are made from `CODES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Severity(StrEnum):
    """What a diagnostic stops: an error something, a warning nothing, an information is no complaint."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(StrEnum):
    """The name of a situation, the same in messages, in the documentation and between versions."""

    DISCOVERY_FAILED = "discovery-failed"
    DUPLICATE_PACK = "duplicate-pack"

    PENDING_COMPILE = "pending-compile"
    NPM_MODULE_COMPILED = "npm-module-compiled"
    HOST_RESERVED = "host-reserved"
    SKILL_MISSING = "skill-missing"
    SKILL_INVALID = "skill-invalid"
    TYPES_MISSING = "types-missing"
    TYPES_INVALID = "types-invalid"

    DECLARATION_INVALID = "declaration-invalid"
    MODULE_NOT_FOUND = "module-not-found"
    MODULE_UNAVAILABLE = "module-unavailable"
    VERSION_MISMATCH = "version-mismatch"
    CONTENT_DIGEST_MISMATCH = "content-digest-mismatch"

    NPM_MODULE_BUILTIN_IMPORT = "npm-module-builtin-import"
    NPM_MODULE_UNRESOLVED = "npm-module-unresolved"
    NPM_MODULE_BUNDLE_FAILED = "npm-module-bundle-failed"
    NPM_MODULE_TOO_LARGE = "npm-module-too-large"
    NPM_MODULE_SCAN_REJECTED = "npm-module-scan-rejected"
    NPM_MODULE_FORBIDDEN_GLOBAL = "npm-module-forbidden-global"
    NPM_MODULE_PROBE_FAILED = "npm-module-probe-failed"
    NPM_MODULE_WARNING = "npm-module-warning"
    COMPILER_UNAVAILABLE = "compiler-unavailable"

    PROJECT_INVALID = "project-invalid"
    PROJECT_INCOMPLETE = "project-incomplete"
    FILE_UNDECLARED = "file-undeclared"
    PYTHON_UNUSED = "python-unused"
    MODULE_PROBE_FAILED = "module-probe-failed"
    TYPES_DIFFER = "types-differ"
    EXAMPLE_FAILED = "example-failed"
    EXAMPLE_MISSING = "example-missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRow:
    """One row of `CODES`."""

    severity: Severity
    sentence: str


def _error(sentence: str) -> CodeRow:
    return CodeRow(severity=Severity.ERROR, sentence=sentence)


def _warning(sentence: str) -> CodeRow:
    return CodeRow(severity=Severity.WARNING, sentence=sentence)


def _info(sentence: str) -> CodeRow:
    return CodeRow(severity=Severity.INFO, sentence=sentence)


CODES: Final[Mapping[Code, CodeRow]] = MappingProxyType(
    {
        Code.DISCOVERY_FAILED: _error("An installed pack breaks the pack contract and is left out."),
        Code.DUPLICATE_PACK: _error("Two installed folders claim one pack, so neither is used."),
        Code.PENDING_COMPILE: _error("A module names an npm library whose compiled file is not in the pack."),
        Code.NPM_MODULE_COMPILED: _info("A module is an npm library that was compiled before publishing."),
        Code.HOST_RESERVED: _error("A host id belongs to a pack whose functions this version does not have."),
        Code.SKILL_MISSING: _warning("A pack has no SKILL.md, so there is no text for an agent."),
        Code.SKILL_INVALID: _warning("A pack's SKILL.md cannot be read, so there is no text for an agent."),
        Code.TYPES_MISSING: _warning("A pack has no index.d.ts, so its signatures are not known."),
        Code.TYPES_INVALID: _warning("A pack's index.d.ts cannot be read, so its signatures are not known."),
        Code.DECLARATION_INVALID: _error("Something in the list of modules is not a module specifier."),
        Code.MODULE_NOT_FOUND: _error("No installed pack offers the module."),
        Code.MODULE_UNAVAILABLE: _error("A pack offers the module, but it cannot run here."),
        Code.VERSION_MISMATCH: _warning("The installed pack has another version than the locked one."),
        Code.CONTENT_DIGEST_MISMATCH: _warning("The module's content is not the locked content."),
        Code.NPM_MODULE_BUILTIN_IMPORT: _error("An npm library imports a module that only Node has."),
        Code.NPM_MODULE_UNRESOLVED: _error("An npm library, or something that it imports, is not installed."),
        Code.NPM_MODULE_BUNDLE_FAILED: _error("The bundler could not make one file of an npm library."),
        Code.NPM_MODULE_TOO_LARGE: _error("An npm library's bundle is above the size cap."),
        Code.NPM_MODULE_SCAN_REJECTED: _error("An npm library's bundle has imports or is no JavaScript."),
        Code.NPM_MODULE_FORBIDDEN_GLOBAL: _error("An npm library uses a global that the guest lacks."),
        Code.NPM_MODULE_PROBE_FAILED: _error("An npm library fails while it is loaded in an empty guest."),
        Code.NPM_MODULE_WARNING: _warning("An npm library asks for a global that the guest lacks."),
        Code.PROJECT_INVALID: _error("A project or a wheel cannot be read as that of a pack."),
        Code.PROJECT_INCOMPLETE: _warning("A project lacks what people look for before they install a pack."),
        Code.FILE_UNDECLARED: _warning("A JavaScript file of a pack is neither a module nor internal."),
        Code.PYTHON_UNUSED: _warning("A pack brings Python that does something, and that nothing will run."),
        Code.MODULE_PROBE_FAILED: _error("A module of a pack fails while it is loaded in an empty guest."),
        Code.TYPES_DIFFER: _error("A pack's index.d.ts declares other exports than its module has."),
        Code.EXAMPLE_FAILED: _error("An example of a SKILL.md fails, or gives another value than it says."),
        Code.EXAMPLE_MISSING: _warning("A pack's SKILL.md leaves out an export, or has no example."),
        Code.COMPILER_UNAVAILABLE: _error(
            "What compiles npm libraries (npm, the bundler, a guest) is not there."
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One thing to tell about a pack or a module.

    `message` may be shown to anyone. `places` are paths of this machine, for its operator alone.
    """

    code: Code
    message: str
    pack: str | None = None
    specifier: str | None = None
    places: tuple[str, ...] = ()

    @property
    def severity(self) -> Severity:
        """How grave it is, which the code decides."""
        return CODES[self.code].severity
