"""Secrets: what a program may use under a name, seen or unseen.

A plain text is handed to the program. A `Secret` is not: the program gets a placeholder, different in each
run, and fetch puts the value where the placeholder stands, on the way to the hosts that it is for.
"""

from __future__ import annotations

import inspect
import os
import re
import secrets as randomness
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final

from nodetool_sandbox_registry.values import UNDEFINED

from nodetool_sandbox.bridges.functions import is_async
from nodetool_sandbox.bridges.net.targets import HostRule, Target, listed, parse_hosts
from nodetool_sandbox.bridges.power import Bridge, BridgeError, RunView
from nodetool_sandbox.bridges.quoting import quoted
from nodetool_sandbox.bridges.secret_text import Finder, redacted
from nodetool_sandbox.bridges.waiting import on_thread

MIN_SECRET_CHARACTERS: Final = 8
"""Of a `Secret`: what is shorter could be found by trying, since a program sees whether its guess is taken out."""

MAX_NAME_CHARACTERS: Final = 256
MAX_ASKED: Final = 1000
"""Names that one run may get a secret for: each is looked for in all that leaves the run."""

_NAMES_SHOWN: Final = 10

PLACEHOLDER: Final = re.compile(rb"secret_[0-9a-f]{40}")
_BASIC: Final = re.compile(rb"(?i)(\s*basic\s+)([A-Za-z0-9+/_-]+={0,2})\s*")
_BREAKS: Final = re.compile(r"[\r\n\0]")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Secret:
    """A value that a program can use and not see.

    Args:
        value: at least 8 characters.
        hosts: where fetch may send it: `"api.example.com"`, `"*.example.com"`, `"api.example.com:8443"`.
        allow_plain_http: send it over `http:` too. By default it goes over TLS alone.

    Raises:
        TypeError, ValueError: one of them is not what it should be.
    """

    value: str
    hosts: tuple[HostRule, ...]
    allow_plain_http: bool

    def __init__(self, value: str, hosts: Iterable[str], *, allow_plain_http: bool = False) -> None:
        if not isinstance(value, str):
            raise TypeError(f"Secret(value) must be text, not {type(value).__name__}")
        if len(value) < MIN_SECRET_CHARACTERS:
            raise ValueError(
                f"Secret(value) has {len(value)} characters and could be found by trying; "
                f"it needs {MIN_SECRET_CHARACTERS} or more"
            )
        value.encode()  # a lone surrogate could not be sent
        rules = parse_hosts(hosts, argument="Secret(hosts=...)")
        if not rules:
            raise ValueError("Secret(hosts=...) names no host, so it could be sent nowhere; name one")
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "hosts", rules)
        object.__setattr__(self, "allow_plain_http", allow_plain_http is True)

    def __repr__(self) -> str:
        return f"Secret(hosts={[str(rule) for rule in self.hosts]})"


Provided = str | Secret | None
Provider = Callable[[str], Provided | Awaitable[Provided]]
"""Asked for a name, gives the secret, or None where there is none. A coroutine function, or one that may block."""


class Secrets:
    """The power `getSecret`.

    Args:
        source: names and secrets, or a function that is asked for one by name.
        scope: the names that programs may read; by default all that the source knows.

    Raises:
        TypeError: the source or the scope is something else.
    """

    name: ClassVar[str] = "secrets"

    def __init__(
        self, source: Mapping[str, str | Secret] | Provider, *, scope: Iterable[str] | None = None
    ) -> None:
        if isinstance(source, Mapping):
            for each, secret in source.items():
                if not isinstance(each, str) or not isinstance(secret, str | Secret):
                    raise TypeError(
                        f"Secrets: {quoted(str(each))} must be a name with a text or a Secret, "
                        f"not {type(secret).__name__}"
                    )
        elif not callable(source):
            raise TypeError(f"Secrets(source) takes a mapping or a function, not {type(source).__name__}")
        if isinstance(scope, str):
            raise TypeError("Secrets(scope=...) takes a list of names, such as ['API_KEY']")
        self._source = source
        self._scope = None if scope is None else tuple(name for each in scope if (name := each.strip()))

    @classmethod
    def from_environment(
        cls, names: Iterable[str], *, hosts: Mapping[str, Iterable[str]] | None = None
    ) -> Secrets:
        """Secrets from these variables of the environment and no others, as they are now.

        Args:
            names: the variables. One that is not set is undefined in a program.
            hosts: for each name that is to be a `Secret`, where it may be sent.
        """
        listed_names = _names(names, "Secrets.from_environment")
        guarded = _guarded(listed_names, hosts)
        values = {name: os.environ[name] for name in listed_names if name in os.environ}
        return cls({name: guarded(name, value) for name, value in values.items()}, scope=listed_names)

    @classmethod
    def from_keyring(
        cls, service: str, names: Iterable[str], *, hosts: Mapping[str, Iterable[str]] | None = None
    ) -> Secrets:
        """Secrets from the operating system's keyring, asked for when a program asks.

        Args:
            service: under which they are kept.
            names: the entries that programs may read.
            hosts: for each name that is to be a `Secret`, where it may be sent.

        Raises:
            ModuleNotFoundError: the extra `keyring` is not installed.
        """
        import keyring  # noqa: PLC0415 - an extra

        listed_names = _names(names, "Secrets.from_keyring")
        guarded = _guarded(listed_names, hosts)

        def ask(name: str) -> Provided:
            value = keyring.get_password(service, name)
            return None if value is None else guarded(name, value)

        return cls(ask, scope=listed_names)

    def open(self, run: RunView) -> SecretsBridge:
        """See Power."""
        return SecretsBridge(self._source, self._scope, run)


def _names(names: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise TypeError(f"{what} takes a list of names, such as ['API_KEY']")
    return tuple(names)


def _guarded(
    names: tuple[str, ...], hosts: Mapping[str, Iterable[str]] | None
) -> Callable[[str, str], str | Secret]:
    rules = dict(hosts or {})
    if unknown := sorted(set(rules) - set(names)):
        raise ValueError(f"hosts names {unknown[0]!r}, which is not among the names")
    return lambda name, value: Secret(value, rules[name]) if name in rules else value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A secret of one run and what stands for it there."""

    name: str
    secret: Secret
    placeholder: str = field(default_factory=lambda: f"secret_{randomness.token_hex(20)}")


class SecretsBridge(Bridge):
    """getSecret in one run, and what fetch asks about the secrets of that run."""

    def __init__(
        self,
        source: Mapping[str, str | Secret] | Provider,
        scope: tuple[str, ...] | None,
        run: RunView,
    ) -> None:
        self._source = source
        self._scope = scope
        self._run = run
        self._answers: dict[str, str] = {}
        self._plain: dict[str, str] = {}
        self._held: dict[bytes, _Held] = {}
        self._asked: set[bytes] = set()
        if isinstance(source, Mapping):
            for name, secret in source.items():
                if isinstance(secret, Secret):
                    self._hold(name, secret)

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        """See Bridge."""
        return {"get": self._get}

    def redact(self, text: str) -> str:
        """See Bridge: no value that this run could know leaves it in a text."""
        sought = [(value, name) for value, name in self._plain.items()]
        sought += [(held.secret.value, held.name) for held in self._held.values()]
        if not sought:
            return text
        return redacted(
            text, ((value, f"[secret {name}]".encode("utf-8", "replace")) for value, name in sought)
        )

    # ---- getSecret

    async def _get(self, name: object = None, *_: object) -> object:
        if not isinstance(name, str) or len(name) > MAX_NAME_CHARACTERS:
            raise BridgeError("getSecret: name must be a string", name="TypeError")
        if self._scope is not None and name not in self._scope:
            raise BridgeError(f"getSecret({quoted(name)}): {self._allowed(self._scope)}")
        if name not in self._answers:
            if len(self._answers) >= MAX_ASKED:
                raise BridgeError(
                    f"getSecret: this run has {MAX_ASKED:,} secrets already, and may have no more"
                )
            secret = await self._ask(name)
            if secret is None:
                return UNDEFINED
            self._answers.setdefault(name, self._told(name, secret))
        return self._answers[name]

    @staticmethod
    def _allowed(scope: tuple[str, ...]) -> str:
        if not scope:
            return "this run declares no secrets, so it can read none"
        names = ", ".join(quoted(each) for each in scope[:_NAMES_SHOWN])
        return f"this run may read only {names}{' and others' if len(scope) > _NAMES_SHOWN else ''}"

    async def _ask(self, name: str) -> Provided:
        source = self._source
        if isinstance(source, Mapping):
            return source.get(name)
        try:
            found = (
                source(name) if is_async(source) else await on_thread(self._run.loop, partial(source, name))
            )
            secret = await found if inspect.isawaitable(found) else found
        except Exception as cause:
            raise BridgeError(f"getSecret({quoted(name)}): it cannot be had now") from cause
        if secret is not None and not isinstance(secret, str | Secret):
            raise TypeError(f"a provider of secrets gave {type(secret).__name__}")
        return secret

    def _told(self, name: str, secret: str | Secret) -> str:
        if isinstance(secret, str):
            self._plain[secret] = name
            return secret
        held = next((each for each in self._held.values() if each.name == name), None) or self._hold(
            name, secret
        )
        self._asked.add(held.placeholder.encode())
        return held.placeholder

    def _hold(self, name: str, secret: Secret) -> _Held:
        held = _Held(name=name, secret=secret)
        self._held[held.placeholder.encode()] = held
        return held

    # ---- for fetch

    def carries_one(self, data: bytes) -> bool:
        """Whether a secret that the program was given stands in the data, by value or by placeholder."""
        return any(value.encode("utf-8", "replace") in data for value in self._plain if value) or any(
            placeholder in self._held for placeholder in PLACEHOLDER.findall(_with_basic_opened(data))
        )

    def fill(
        self, data: bytes, target: Target, *, is_elsewhere: bool, escape: Callable[[str], bytes] = str.encode
    ) -> bytes:
        """The data with values where placeholders stand.

        Args:
            data: what goes out.
            target: where it goes.
            is_elsewhere: a redirect led to another origin than the program asked for.
            escape: how a value is written in this place.

        Raises:
            BridgeError: a secret that stands in it must not go there.
        """

        def value(found: re.Match[bytes]) -> bytes:
            held = self._held.get(found.group())
            if held is None:  # of another run, or made up
                return found.group()
            self._require_allowed(held, target, is_elsewhere=is_elsewhere)
            return escape(held.secret.value)

        return PLACEHOLDER.sub(value, data) if self._held and b"secret_" in data else data

    def fill_header(self, name: bytes, value: bytes, target: Target, *, is_elsewhere: bool) -> bytes:
        """A header's value with values where placeholders stand, inside of basic credentials too."""

        def escape(secret: str) -> bytes:
            if _BREAKS.search(secret):
                raise BridgeError(
                    f"fetch: a secret in header {quoted(name.decode('latin-1'))} holds a line break, "
                    "which no header can carry"
                )
            return secret.encode()

        basic = _BASIC.fullmatch(value)
        if basic is not None and (opened := _decoded(basic[2])) is not None and PLACEHOLDER.search(opened):
            filled = self.fill(opened, target, is_elsewhere=is_elsewhere)
            return basic[1] + b64encode(filled)
        return self.fill(value, target, is_elsewhere=is_elsewhere, escape=escape)

    @staticmethod
    def _require_allowed(held: _Held, target: Target, *, is_elsewhere: bool) -> None:
        secret = held.secret
        named = f"fetch: the secret {quoted(held.name)}"
        if is_elsewhere:
            raise BridgeError(f"{named} is not sent on after a redirect to another origin")
        if not any(rule.matches(target) for rule in secret.hosts):
            raise BridgeError(
                f"{named} is not sent to {quoted(target.authority)}: it is for {listed(secret.hosts)}"
            )
        if not target.is_secure and not secret.allow_plain_http:
            raise BridgeError(f"{named} is sent over https: alone, and this request goes over http:")

    def finder(self, target: Target) -> Finder:
        """What takes values out of an answer and puts placeholders there.

        Looked for are the secrets that the program asked for, and those that the answering host is for.
        """
        return Finder(
            (held.secret.value, placeholder)
            for placeholder, held in self._held.items()
            if placeholder in self._asked or any(rule.matches(target) for rule in held.secret.hosts)
        )


def no_secrets(run: RunView) -> SecretsBridge:
    """The secrets of a run that has none."""
    return SecretsBridge({}, (), run)


def _decoded(text: bytes) -> bytes | None:
    try:
        return b64decode(text.translate(bytes.maketrans(b"-_", b"+/")) + b"=" * (-len(text) % 4))
    except ValueError:
        return None


def _with_basic_opened(value: bytes) -> bytes:
    basic = _BASIC.fullmatch(value)
    return value + b"\n" + (_decoded(basic[2]) or b"") if basic is not None else value
