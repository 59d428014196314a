"""The connections of one run: an idle one of the same origin, or a new one.

httpcore has a pool too. It looks at every connection for every other one at each request, and what it is for,
a wait for one of few connections, does not happen here: a run makes no more requests than it may hold connections.
"""

from __future__ import annotations

import ssl
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import anyio
import httpcore

KEEP_ALIVE_S: Final = 5.0
"""How long a connection waits for the run's next request to the same origin."""


class Exchange:
    """An answer. Closing it closes its connection too, or leaves it to the next request where its body was read."""

    def __init__(self, response: httpcore.Response, give_back: Callable[[], Awaitable[None]]) -> None:
        self.response = response
        self._give_back = give_back

    async def aclose(self) -> None:
        """Give back what it holds, in a cancelled task too."""
        with anyio.CancelScope(shield=True):
            await self.response.aclose()
            await self._give_back()


class Connections:
    """Sends requests. What it holds is closed by `hold`, which belongs into a task of the run."""

    def __init__(self, *, backend: httpcore.AsyncNetworkBackend, tls: ssl.SSLContext) -> None:
        self._backend = backend
        self._tls = tls
        self._idle: defaultdict[str, list[httpcore.AsyncHTTPConnection]] = defaultdict(list)
        self._all: set[httpcore.AsyncHTTPConnection] = set()

    async def send(self, request: httpcore.Request) -> Exchange:
        """The answer to a request, its body unread. It must be closed.

        Raises:
            httpcore's errors, and what the backend raises: there is no answer.
        """
        origin = request.url.origin
        connection = await self._take(origin)
        try:
            response = await connection.handle_async_request(request)
        except httpcore.ConnectionNotAvailable:  # `hold` has closed it: the run is over
            raise httpcore.ReadError from None
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._close(connection)
            raise
        return Exchange(response, partial(self._give_back, origin, connection))

    async def _take(self, origin: httpcore.Origin) -> httpcore.AsyncHTTPConnection:
        idle = self._idle[str(origin)]
        while idle:
            connection = idle.pop()
            if connection.is_available() and not connection.has_expired():
                return connection
            await self._close(connection)
        connection = httpcore.AsyncHTTPConnection(
            origin, ssl_context=self._tls, keepalive_expiry=KEEP_ALIVE_S, network_backend=self._backend
        )
        self._all.add(connection)
        return connection

    async def _give_back(self, origin: httpcore.Origin, connection: httpcore.AsyncHTTPConnection) -> None:
        if connection.is_idle() and connection in self._all:
            self._idle[str(origin)].append(connection)
        else:
            await self._close(connection)

    async def _close(self, connection: httpcore.AsyncHTTPConnection) -> None:
        self._all.discard(connection)
        await connection.aclose()

    async def hold(self) -> None:
        """Wait for the end of the run, and close what is left then."""
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                for connection in tuple(self._all):
                    await self._close(connection)
