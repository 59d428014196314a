"""The one home of sockets: a name is resolved once, every address is checked, and a checked address is connected to.

A client below which this lies can ask for any name: what it gets is a connection to an address that was
looked at, or a refusal. TLS is spoken over that connection afterwards and verifies the name.
"""

from __future__ import annotations

import functools
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import anyio
import certifi
import h11
import httpcore

from nodetool_sandbox.bridges.net.addresses import Address, all_public, is_localhost, parse_address
from nodetool_sandbox.bridges.net.proxies import Proxy
from nodetool_sandbox.bridges.power import BridgeError
from nodetool_sandbox.bridges.quoting import quoted
from nodetool_sandbox.bridges.waiting import on_thread
from nodetool_sandbox.loops import Loop

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""`await resolver(host, port)`: the addresses of a name, as text; OSError where it has none."""

Connector = Callable[[str, int], Awaitable[httpcore.AsyncNetworkStream]]
"""`await connector(address, port)`: a stream to an address that was checked; httpcore's errors where it fails."""

MAX_ADDRESSES: Final = 16
"""Of one name that are tried; all that a resolver gives are checked."""

ATTEMPT_S: Final = 3.0
"""How long one address may be silent before the next one is tried."""

_MAX_PROXY_ANSWER_BYTES: Final = 16 * 1024


def system_resolver(loop: Loop) -> Resolver:
    """The operating system's own resolver, on a thread."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        found = await on_thread(loop, lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        return [str(address[0]) for _, _, _, _, address in found]

    return resolve


async def system_connector(address: str, port: int) -> httpcore.AsyncNetworkStream:
    """A TCP connection by the operating system."""
    return await httpcore.AnyIOBackend().connect_tcp(address, port)


@functools.cache
def trusted_roots() -> ssl.SSLContext:
    """A context that verifies names against certifi's roots; no variable of the environment has a say."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certifi.where())
    return context


class _Owned(httpcore.AsyncNetworkStream):
    """A stream that is closed when a cancelled handshake leaves it to nobody."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's own
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's own
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
    ) -> httpcore.AsyncNetworkStream:
        try:
            return await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._stream.aclose()
            raise

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """What a client connects with. It never connects to an address that it did not check itself."""

    def __init__(
        self,
        *,
        resolver: Resolver,
        connector: Connector,
        allow_private: bool,
        proxy: Proxy | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._resolver = resolver
        self._connector = connector
        self._allow_private = allow_private
        self._proxy = proxy
        self._tls = tls

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - the run's own scopes hold the time
        local_address: str | None = None,  # noqa: ARG002 - never asked for
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002 - the same
    ) -> httpcore.AsyncNetworkStream:
        """A stream to one of the host's addresses.

        Raises:
            BridgeError: none may be connected to, or none answers.
        """
        addresses = await self.checked(host, port)
        for address in addresses[:-1]:
            try:
                with anyio.fail_after(ATTEMPT_S):
                    return await self._connect(address, port)
            except (TimeoutError, httpcore.NetworkError, httpcore.TimeoutException, OSError):
                continue
        try:
            return await self._connect(addresses[-1], port)
        except (httpcore.NetworkError, httpcore.TimeoutException, OSError):
            raise BridgeError(f"fetch: could not connect to {quoted(host)} on port {port}") from None

    async def checked(self, host: str, port: int) -> list[str]:
        """The addresses of a host, after all of them were checked.

        Raises:
            BridgeError: there is none, or one of them is not public.
        """
        check_name(host, allow_private=self._allow_private)
        literal = parse_address(host)
        found = [literal] if literal is not None else await self._resolve(host, port)
        if not self._allow_private and not all_public(found):
            raise blocked(host)
        return [str(address) for address in found[:MAX_ADDRESSES]]

    async def _resolve(self, host: str, port: int) -> list[Address]:
        try:
            texts = await self._resolver(host, port)
        except (OSError, UnicodeError):
            texts = []
        addresses = [parse_address(text) for text in texts]
        known = [address for address in addresses if address is not None]
        if len(known) != len(addresses) and not self._allow_private:  # of a zone, or no address at all
            raise blocked(host)
        if not known:
            raise BridgeError(f"fetch: {quoted(host)} was not found: no address is known for this name")
        return known

    async def _connect(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        if self._proxy is None:
            return _Owned(await self._connector(address, port))
        return await self._through_proxy(self._proxy, address, port)

    async def _through_proxy(self, proxy: Proxy, address: str, port: int) -> httpcore.AsyncNetworkStream:
        """A tunnel to the checked address: the proxy resolves nothing."""
        own = parse_address(proxy.host)
        first = str(own) if own is not None else (await self._resolver(proxy.host, proxy.port))[0]
        stream: httpcore.AsyncNetworkStream = _Owned(await self._connector(first, proxy.port))
        try:
            if proxy.is_secure:
                stream = await stream.start_tls(self._tls or trusted_roots(), server_hostname=proxy.host)
            await _ask_for_tunnel(
                stream, proxy, f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
            )
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            raise
        return _Owned(stream)


async def _ask_for_tunnel(stream: httpcore.AsyncNetworkStream, proxy: Proxy, authority: str) -> None:
    headers = [
        ("host", authority),
        *([("proxy-authorization", proxy.credentials)] if proxy.credentials else []),
    ]
    client = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_PROXY_ANSWER_BYTES)
    asked = client.send(h11.Request(method="CONNECT", target=authority, headers=headers))
    await stream.write(asked or b"")
    try:
        while not isinstance(event := client.next_event(), h11.Response):
            if event is h11.NEED_DATA:
                client.receive_data(await stream.read(4096))
            elif not isinstance(event, h11.InformationalResponse):
                raise httpcore.ConnectError
    except h11.RemoteProtocolError:
        raise httpcore.ConnectError from None
    if not 200 <= event.status_code < 300:  # noqa: PLR2004 - success
        raise BridgeError(f"fetch: the proxy refused the connection with status {event.status_code}")


def check_name(host: str, *, allow_private: bool) -> None:
    """Refuse a host that no resolver needs to be asked about.

    Raises:
        BridgeError: it is this machine, or an address that is not public.
    """
    if allow_private:
        return
    if is_localhost(host):
        raise BridgeError("fetch: access to localhost is blocked")
    literal = parse_address(host)
    if literal is not None and not all_public([literal]):
        raise blocked(host)


def blocked(host: str) -> BridgeError:
    """The refusal of a host by where it is. What it resolved to is not told: that would map a network."""
    return BridgeError(f"fetch: access to internal/private address {quoted(host)} is blocked")
