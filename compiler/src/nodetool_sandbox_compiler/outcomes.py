"""How a compilation ends: a module, or one reason with a stable code. Neither is an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from nodetool_sandbox_registry.codes import Code
from nodetool_sandbox_registry.compiled import CompiledRecord
from nodetool_sandbox_registry.digests import Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """An npm library as one JavaScript module that a guest can run.

    `cached` says that an earlier compilation of the same inputs gave it. `warnings` name what the
    library asks for and a guest lacks, where it asks first whether that is there. `licences` are the
    texts of all packages that went into it.
    """

    npm: str
    version: str
    source: str
    sha256: Digest
    options_digest: Digest
    inputs_digest: Digest
    key: Digest
    exports: tuple[str, ...]
    warnings: tuple[str, ...]
    licences: str = ""
    cached: bool = False

    outcome: ClassVar[Literal["compiled"]] = "compiled"

    @property
    def size(self) -> int:
        """Bytes of UTF-8 in the source."""
        return len(self.source.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An npm library that is no guest module, and why. `detail` is one sentence or a few, for its author."""

    npm: str
    code: Code
    detail: str

    outcome: ClassVar[Literal["skipped"]] = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleOutcome:
    """One `npm = "..."` module of a pack's project.

    `place` is where its compiled file lies in the package, `written` whether this call put it there,
    `current` whether what lies there now is what this compilation gives.
    """

    specifier: str
    npm: str
    place: str
    outcome: Compiled | Skipped
    record: CompiledRecord | None
    written: bool
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectOutcome:
    """All npm modules of one pack's project; none for a pack without any."""

    distribution: str
    modules: tuple[ModuleOutcome, ...]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The modules that are not there, each with its reason."""
        return tuple(each.outcome for each in self.modules if isinstance(each.outcome, Skipped))


class ProjectError(ValueError):
    """A folder that is no pack's project: what is missing or wrong in it."""


class EndsShort(Exception):
    """A step that ends the compilation, with the code and the reason. `compile` makes a `Skipped` of it."""

    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
