"""fetch: HTTP requests of a program, to public addresses, within the limits of its run."""

from __future__ import annotations

import json
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Final
from urllib.parse import quote, quote_plus

import anyio
import httpcore

from nodetool_sandbox.bridges.net import hops
from nodetool_sandbox.bridges.net.bodies import Body, Room
from nodetool_sandbox.bridges.net.codings import OFFERED, UnknownCoding, parse_codings
from nodetool_sandbox.bridges.net.connections import (
    Connector,
    GuardedBackend,
    Resolver,
    check_name,
    system_connector,
    system_resolver,
    trusted_roots,
)
from nodetool_sandbox.bridges.net.messages import BODILESS, Header, header_value, parse_headers, parse_method
from nodetool_sandbox.bridges.net.pool import Connections, Exchange
from nodetool_sandbox.bridges.net.proxies import Proxy
from nodetool_sandbox.bridges.net.targets import BAD_PORTS, Target, listed, parse_hosts
from nodetool_sandbox.bridges.power import Bridge, BridgeError, RunView
from nodetool_sandbox.bridges.quoting import quoted
from nodetool_sandbox.bridges.secrets import SecretsBridge, no_secrets
from nodetool_sandbox.limits import MAX_FETCH_REDIRECTS

DEFAULT_USER_AGENT: Final = "nodetool-sandbox"
_MAX_ABORTED_EARLY: Final = 1000
_REDIRECT_MODES: Final = ("follow", "manual", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """The power `fetch`.

    Args:
        hosts: the only hosts that programs reach, such as `["api.example.com", "*.example.org"]`. By
            default every public one.
        allow_private_network: lets programs reach this machine and its neighbours too.
        user_agent: the User-Agent of requests that name none themselves.
        proxy: URL of an HTTP proxy. Names are resolved and checked here all the same.
        tls: what certificates are verified with, certifi's roots by default.
        resolver: gives the addresses of a name, in place of the operating system.
        connector: connects to an address that was checked, in place of the operating system.

    Raises:
        TypeError, ValueError: one of them is not what it should be.
    """

    hosts: Iterable[str] | None = None
    allow_private_network: bool = False
    user_agent: str = DEFAULT_USER_AGENT
    proxy: str | None = None
    tls: ssl.SSLContext | None = None
    resolver: Resolver | None = None
    connector: Connector | None = None

    name: ClassVar[str] = "fetch"

    def __post_init__(self) -> None:
        """Refuse what no request could be made with."""
        if self.hosts is not None:
            rules = parse_hosts(self.hosts, argument="Fetch(hosts=...)")
            object.__setattr__(self, "hosts", tuple(str(rule) for rule in rules))
        if not isinstance(self.allow_private_network, bool):
            raise TypeError("Fetch(allow_private_network=...) is True or False")
        if self.proxy is not None:
            Proxy.parse(self.proxy)
        try:
            parse_headers([["user-agent", self.user_agent]])
        except BridgeError:
            raise ValueError(f"Fetch(user_agent={self.user_agent!r}) cannot stand in a header") from None

    def open(self, run: RunView) -> FetchBridge:
        """See Power."""
        return FetchBridge(self, run)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What a program asked for."""

    target: Target
    method: str
    headers: list[Header]
    body: bytes | None
    escape: Callable[[str], bytes]
    redirect: object


class FetchBridge(Bridge):
    """fetch in one run: its count, its connections, and what can abort a request."""

    def __init__(self, fetch: Fetch, run: RunView) -> None:
        self._fetch = fetch
        self._run = run
        self._rules = None if fetch.hosts is None else parse_hosts(fetch.hosts, argument="hosts")
        self._count = 0
        self._pool: Connections | None = None
        self._room = Room(run.limits.memory_limit_bytes)
        self._scopes: dict[int, anyio.CancelScope] = {}
        self._aborted: set[int] = set()

    @property
    def calls(self) -> Mapping[str, Callable[..., Awaitable[object]]]:
        """See Bridge."""
        return {"request": self._request, "abort": self._abort}

    async def _abort(self, number: object = None, *_: object) -> None:
        """The program's signal says so."""
        if not isinstance(number, int):
            return
        if (scope := self._scopes.get(number)) is not None:
            scope.cancel()
        elif len(self._aborted) < _MAX_ABORTED_EARLY:
            self._aborted.add(number)  # before its request had its turn

    async def _request(
        self, number: object = None, url: object = None, options: object = None, *_: object
    ) -> dict[str, object]:
        self._count += 1
        most = self._run.limits.max_fetch_calls
        if self._count > most:
            raise BridgeError(f"Fetch limit exceeded (max {most} requests per execution)")
        order = self._parse(url, options if isinstance(options, dict) else {})
        if not isinstance(number, int) or number in self._aborted:
            raise _aborted()
        with anyio.CancelScope() as scope:
            self._scopes[number] = scope
            try:
                return await self._answer(order)
            finally:
                self._scopes.pop(number, None)
        raise _aborted()

    def _parse(self, url: object, options: Mapping[object, object]) -> _Order:
        target = Target.parse(url)
        self._check(target)
        method = parse_method(options.get("method"))
        headers = parse_headers(options.get("headers"))
        body = options.get("body")
        content = body.encode("utf-8", "replace") if isinstance(body, str) else body
        if content is not None and not isinstance(content, bytes):
            raise BridgeError(
                "fetch: body must be text, bytes or a value that JSON can hold", name="TypeError"
            )
        if content is not None and method in BODILESS:
            raise BridgeError(f"fetch: a request with method {method} has no body", name="TypeError")
        redirect = options.get("redirect")
        if redirect not in _REDIRECT_MODES:
            raise BridgeError('fetch: redirect must be "follow", "manual" or "error"', name="TypeError")
        return _Order(
            target=target,
            method=method,
            headers=headers,
            body=content,
            escape=_escape_of(options.get("kind"), header_value(headers, b"content-type") or ""),
            redirect=redirect,
        )

    def _check(self, target: Target) -> None:
        """Refuse a target by its name alone; its addresses are checked where the connection is made."""
        check_name(target.host, allow_private=self._fetch.allow_private_network)
        if target.port in BAD_PORTS:
            raise BridgeError(
                f"fetch: port {target.port} is blocked: it belongs to another protocol than HTTP"
            )
        if self._rules is not None and not any(rule.matches(target) for rule in self._rules):
            raise BridgeError(
                f"fetch: access to {quoted(target.authority)} is blocked: this run may reach {listed(self._rules)} only"
            )

    @cached_property
    def _secrets(self) -> SecretsBridge:
        secrets = self._run.peer("secrets")
        return secrets if isinstance(secrets, SecretsBridge) else no_secrets(self._run)

    # ---- over the wire

    async def _answer(self, order: _Order) -> dict[str, object]:
        timeout_ms = self._run.limits.fetch_timeout_ms
        deadline = anyio.current_time() + timeout_ms / 1000
        met: _Met | None = None
        try:
            with anyio.CancelScope(deadline=deadline):
                met = await self._follow(order)
            if met is None:
                raise BridgeError(
                    f"fetch: timed out after {timeout_ms:,} ms (fetch_timeout_ms)", name="AbortError"
                )
            body = self._body(met)
            try:
                with anyio.CancelScope(deadline=deadline):
                    await body.read(met.exchange.response.aiter_stream())
                content = body.content()
            finally:
                body.close()
        finally:
            if met is not None:
                await met.exchange.aclose()
        return {
            "status": met.exchange.response.status,
            "statusText": met.reason,
            "url": met.target.url,
            "redirected": met.redirected,
            "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in met.headers],
            "body": content,
            "truncated": body.truncated,
        }

    def _body(self, met: _Met) -> Body:
        try:
            codings = parse_codings([value for name, value in met.headers if name == b"content-encoding"])
        except UnknownCoding as coding:
            raise BridgeError(
                f"fetch: {quoted(met.target.host)} answered in the content coding {quoted(str(coding))}, "
                f"which was not asked for; {OFFERED.decode()} were"
            ) from None
        return Body(
            max_bytes=self._run.limits.max_response_body_bytes,
            codings=codings,
            finder=self._secrets.finder(met.target),
            room=self._room,
        )

    async def _follow(self, order: _Order) -> _Met:
        """The final answer, its body unread. Every target on the way is checked like the first."""
        first = order.target
        is_elsewhere = False
        for hop in range(MAX_FETCH_REDIRECTS + 1):
            met = await self._ask(order, is_elsewhere=is_elsewhere, redirected=hop > 0)
            locations = [value for name, value in met.headers if name == b"location"]
            if (
                met.exchange.response.status not in hops.REDIRECTS
                or not locations
                or order.redirect == "manual"
            ):
                return met
            await met.exchange.aclose()
            if order.redirect == "error":
                raise BridgeError(f'fetch: {quoted(met.target.host)} redirects, and redirect is "error"')
            target = hops.next_target(locations, order.target)
            self._check(target)
            order = self._next(order, target, met.exchange.response.status)
            is_elsewhere = is_elsewhere or target.origin != first.origin
        raise BridgeError("fetch: too many redirects")

    def _next(self, order: _Order, target: Target, status: int) -> _Order:
        headers = order.headers
        if target.origin != order.target.origin:
            headers = [
                header
                for header in hops.kept_across_origins(headers)
                if not self._secrets.carries_one(header[1])
            ]
        method = hops.next_method(status, order.method)
        if method != order.method:
            return replace(order, target=target, method=method, headers=hops.without_body(headers), body=None)
        return replace(order, target=target, headers=headers)

    async def _ask(self, order: _Order, *, is_elsewhere: bool, redirected: bool) -> _Met:
        target = order.target
        fill = partial(self._secrets.fill, target=target, is_elsewhere=is_elsewhere)
        in_url = partial(fill, escape=lambda value: quote(value, safe="").encode())
        path, query = in_url(target.path.encode()), in_url(target.query.encode())
        body = None if order.body is None else fill(order.body, escape=order.escape)
        headers = [
            (name, self._secrets.fill_header(name, value, target, is_elsewhere=is_elsewhere))
            for name, value in order.headers
        ]
        request = httpcore.Request(
            method=order.method.encode(),
            url=httpcore.URL(
                scheme=target.scheme.encode(),
                host=target.host.encode(),
                port=target.port,
                target=path + query,
            ),
            headers=self._lines(target, order.method, headers, body),
            content=body,
        )
        try:
            exchange = await self._connections().send(request)
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as cause:
            raise _failed(target, cause) from None
        response = exchange.response
        clean = self._secrets.finder(target).whole
        return _Met(
            exchange=exchange,
            target=target,
            redirected=redirected,
            reason=clean(response.extensions.get("reason_phrase", b"")).decode("latin-1"),
            headers=[(clean(name.lower()), clean(value)) for name, value in response.headers],
        )

    def _lines(self, target: Target, method: str, headers: list[Header], body: bytes | None) -> list[Header]:
        named = {name for name, _ in headers}
        lines = [(b"host", target.authority.encode())]
        if b"accept" not in named:
            lines.append((b"accept", b"*/*"))
        if b"user-agent" not in named and self._fetch.user_agent:
            lines.append((b"user-agent", self._fetch.user_agent.encode("latin-1")))
        lines.append((b"accept-encoding", OFFERED))
        if body is not None or method in {"POST", "PUT", "PATCH"}:
            lines.append((b"content-length", str(len(body or b"")).encode()))
        return lines + headers

    def _connections(self) -> Connections:
        if self._pool is None:
            fetch = self._fetch
            backend = GuardedBackend(
                resolver=fetch.resolver or system_resolver(self._run.loop),
                connector=fetch.connector or system_connector,
                allow_private=fetch.allow_private_network,
                proxy=None if fetch.proxy is None else Proxy.parse(fetch.proxy),
                tls=fetch.tls,
            )
            self._pool = Connections(backend=backend, tls=fetch.tls or trusted_roots())
            # A task of the run holds the connections, so they are closed with the run's tasks.
            self._run.loop.spawn(self._pool.hold, lambda _value, _error: None)
        return self._pool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """An answer whose body is unread. Its headers, in lower case, and its reason hold no secret."""

    exchange: Exchange
    target: Target
    redirected: bool
    reason: str
    headers: list[Header]


def _aborted() -> BridgeError:
    return BridgeError("fetch: aborted", name="AbortError")


def _failed(target: Target, cause: Exception) -> BridgeError:
    """What a program reads of an exchange that broke. The client's own words stay here: they name addresses."""
    refused = _certificate_problem(cause)
    host = quoted(target.host)
    if refused is not None:
        return BridgeError(f"fetch: the certificate of {host} was refused: {refused}")
    if isinstance(cause, httpcore.ProtocolError):
        return BridgeError(f"fetch: {host} did not answer in HTTP/1.1, or in more than a message may hold")
    if isinstance(cause, httpcore.ConnectError):
        return BridgeError(f"fetch: TLS with {host} failed")
    return BridgeError(f"fetch: the connection to {host} broke before an answer had come")


def _certificate_problem(cause: BaseException | None) -> str | None:
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return cause.verify_message
        cause = cause.__cause__ or cause.__context__
    return None


def _escape_of(kind: object, content_type: str) -> Callable[[str], bytes]:
    """How a secret is written into a body."""
    essence = content_type.partition(";")[0].strip().lower()
    if kind == "json" or essence == "application/json" or essence.endswith("+json"):
        return lambda value: json.dumps(value)[1:-1].encode()
    if essence == "application/x-www-form-urlencoded":
        return lambda value: quote_plus(value).encode()
    return str.encode
