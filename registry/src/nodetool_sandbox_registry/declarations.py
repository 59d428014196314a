"""What a run declares: the modules that it may import, and the versions that were locked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from nodetool_sandbox_registry.digests import Digest, is_digest
from nodetool_sandbox_registry.names import InvalidNameError, Specifier, pack_of, parse_specifier
from nodetool_sandbox_registry.pins import pinned_distribution
from nodetool_sandbox_registry.texts import quoted

LOCK_VERSION: Final = 1
MAX_LOCK_BYTES: Final = 1024 * 1024
MAX_VERSION_CHARS: Final = 128

_FIELDS: Final = frozenset({"specifier", "resolvedPackVersion", "contentDigest"})


class DeclarationError(ValueError):
    """Something that is not the declaration of a module; the message shows it."""


class LockError(ValueError):
    """A sandbox.lock that cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One module that a run may import, and what it was when it was locked, where it was."""

    specifier: Specifier
    version: str | None = None
    digest: Digest | None = None

    @classmethod
    def parse(cls, value: object) -> Self:
        """The declaration in a specifier, or in `{specifier, resolvedPackVersion?, contentDigest?}`.

        Raises:
            DeclarationError: anything else.
        """
        if isinstance(value, str):
            return cls(specifier=_specifier(value))
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping) or not _FIELDS.issuperset(value):
            message = f"{quoted(str(value))} is neither a module specifier nor an object of {sorted(_FIELDS)}"
            raise DeclarationError(message)
        specifier = value.get("specifier")
        if not isinstance(specifier, str):
            message = f"{quoted(str(value))} names no module specifier"
            raise DeclarationError(message)
        version, digest = value.get("resolvedPackVersion"), value.get("contentDigest")
        if version is not None and (not isinstance(version, str) or len(version) > MAX_VERSION_CHARS):
            message = f"{quoted(specifier)} has a resolvedPackVersion that is no version"
            raise DeclarationError(message)
        if digest is not None and (not isinstance(digest, str) or not is_digest(digest)):
            message = f"{quoted(specifier)} has a contentDigest that is not 64 hexadecimal digits"
            raise DeclarationError(message)
        return cls(
            specifier=_specifier(specifier),
            version=version,
            digest=None if digest is None else Digest(digest),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """A list of declarations as it was understood: each specifier once, and what is wrong with the rest."""

    declared: tuple[Declaration, ...]
    invalid: tuple[str, ...]

    @classmethod
    def parse(cls, value: object) -> Self:
        """What the value declares. None and the empty text declare nothing; of two alike the first stands.

        It refuses nothing: what cannot be understood is described in `invalid`.
        """
        if value is None or value == "":
            return cls(declared=(), invalid=())
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return cls(declared=(), invalid=(f"{quoted(str(value))} is not a list",))
        declared: dict[Specifier, Declaration] = {}
        invalid: list[str] = []
        for item in value:
            try:
                declaration = Declaration.parse(item)
            except DeclarationError as error:
                invalid.append(str(error))
            else:
                declared.setdefault(declaration.specifier, declaration)
        return cls(declared=tuple(declared.values()), invalid=tuple(invalid))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleLock:
    """sandbox.lock: the distribution, version and digest of each module at the time of locking."""

    modules: tuple[Declaration, ...]

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """The lock in these bytes.

        Raises:
            LockError: too big (checked first), not JSON in UTF-8, another version, or a bad entry.
        """
        if len(data) > MAX_LOCK_BYTES:
            message = f"the lock is {len(data):,} bytes, above the {MAX_LOCK_BYTES:,} byte cap"
            raise LockError(message)
        try:
            document = json.loads(data.decode())
        except (ValueError, RecursionError):
            message = "the lock is not JSON in UTF-8"
            raise LockError(message) from None
        if not isinstance(document, dict) or document.get("lockVersion") != LOCK_VERSION:
            message = f"the lock must be an object with lockVersion {LOCK_VERSION}"
            raise LockError(message)
        entries = document.get("modules")
        listed = entries if isinstance(entries, list) else []
        found = Declarations.parse([_declared(each) for each in listed] if listed else entries)
        if found.invalid:
            message = f"the lock has a bad entry: {found.invalid[0]}"
            raise LockError(message)
        _require_owners(listed)
        return cls(modules=found.declared)

    def text(self) -> str:
        """The lock as the text of a file: the same modules give the same text, in any order."""
        modules = [
            {
                "specifier": each.specifier,
                "distribution": _owner(each.specifier),
                "resolvedPackVersion": each.version,
                "contentDigest": each.digest,
            }
            for each in sorted(self.modules, key=lambda each: each.specifier)
        ]
        return json.dumps({"lockVersion": LOCK_VERSION, "modules": modules}, indent=2) + "\n"

    def find(self, specifier: Specifier) -> Declaration | None:
        """What was locked for this module, or None."""
        return next((each for each in self.modules if each.specifier == specifier), None)


def _owner(specifier: Specifier) -> str:
    """What pip calls the one distribution that may publish under this specifier."""
    pack = pack_of(specifier)
    return pinned_distribution(pack) or pack


def _declared(entry: object) -> object:
    """The entry of a lock as a declaration, which has no distribution: it follows from the specifier."""
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in entry.items() if name != "distribution"}


def _require_owners(entries: Iterable[object]) -> None:
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        owner = _owner(entry["specifier"])
        if entry.get("distribution", owner) != owner:
            message = (
                f"the lock has a bad entry: {quoted(entry['specifier'])} belongs to the distribution "
                f"{owner}, not to {quoted(str(entry['distribution']))}; write the lock anew"
            )
            raise LockError(message)


def _specifier(text: str) -> Specifier:
    try:
        return parse_specifier(text)
    except InvalidNameError as error:
        raise DeclarationError(str(error)) from None
