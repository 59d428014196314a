"""The route: one question to the catalog, which says yes or no and gives the bytes; then headers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Final, Protocol
from urllib.parse import quote

from nodetool_sandbox_registry.delivery import Delivery, NotDelivered
from nodetool_sandbox_registry.names import Specifier
from nodetool_sandbox_registry.resolution import Catalog
from nodetool_sandbox_registry.texts import quoted
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

PATH: Final = "/api/sandbox-modules/"
"""What stands in front of an id."""

_CACHE: Final = "public, max-age=31536000, immutable"
# What a header may hold as it is: printable ASCII but for the sign of the escape.
_PLAIN: Final = "".join(chr(code) for code in range(32, 127) if chr(code) != "%")
_REFUSALS: Final = {
    NotDelivered.NOT_FOUND: (404, "is not available on this server"),
    NotDelivered.UNAVAILABLE: (404, "is not available on this server"),
    NotDelivered.FORBIDDEN: (403, "is not available to this client"),
}


class DeliveryCatalog(Protocol):
    """Who decides what is delivered, and has it."""

    async def authorize_delivery(self, module_id: str, request: Request) -> Delivery | NotDelivered:
        """The file of this id, or why this client does not get it. It reads nothing that it has not read."""


class PackDelivery:
    """Delivers the packs of a catalog as it is: what is installed later takes a new one.

    Args:
        catalog: the packs, from `Sandbox().packs` for the installed ones.
        only: the specifiers whose files are delivered; all of the catalog's by default.
    """

    def __init__(self, catalog: Catalog, *, only: Collection[str] | None = None) -> None:
        self._catalog = catalog
        self._only = None if only is None else frozenset(map(Specifier, only))

    async def authorize_delivery(self, module_id: str, request: Request) -> Delivery | NotDelivered:  # noqa: ARG002
        """See DeliveryCatalog."""
        return self._catalog.deliver(module_id, only=self._only)


def delivery_app(catalog: DeliveryCatalog | Catalog | None) -> Starlette:
    """An ASGI app that serves modules of packs at `/api/sandbox-modules/{id}`, to run or to mount.

    Args:
        catalog: what it serves: a catalog of packs, something of your own that looks at the request,
            or None for nothing at all.
    """
    source = PackDelivery(catalog) if isinstance(catalog, Catalog) else catalog

    async def module(request: Request) -> Response:
        module_id: str = request.path_params["id"]
        found = (
            NotDelivered.NOT_FOUND
            if source is None or not module_id
            else await source.authorize_delivery(module_id, request)
        )
        return _refusal(module_id, found) if isinstance(found, NotDelivered) else _answer(found, request)

    app = Starlette(
        routes=[Route(PATH + "{id:path}", module, methods=["GET"])],
        exception_handlers={HTTPException: _not_served},
    )
    app.router.redirect_slashes = False
    return app


def _answer(found: Delivery, request: Request) -> Response:
    headers = dict(_headers(found))
    if _matches(request.headers.getlist("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(found.body, headers={**headers, "Content-Type": _content_type(found)})


def _content_type(found: Delivery) -> str:
    return f"{found.media_type}; charset=utf-8" if found.media_type.startswith("text/") else found.media_type


def _headers(found: Delivery) -> Iterator[tuple[str, str]]:
    yield "X-Content-Digest", found.digest
    yield "X-Content-Sha256", found.sha256
    yield "X-Sandbox-Module-Dependencies", json.dumps(found.dependencies)
    yield "X-Sandbox-Pack", found.pack
    if found.version:
        yield "X-Sandbox-Pack-Version", _plain(found.version)
    yield "X-Sandbox-File-Id", _plain(found.file_id)
    yield "X-Sandbox-Internal", str(int(found.internal))
    if found.host_id is not None:
        yield "X-Sandbox-Host-Module", found.host_id
    if found.wasm_contract is not None:
        yield "X-Sandbox-Wasm-Contract", json.dumps(found.wasm_contract)
    # Of the body: two files of one module must not answer for each other, and a new digest alone is told by a 304.
    yield "ETag", f'"{found.sha256}"'
    yield "Cache-Control", _CACHE
    yield "X-Content-Type-Options", "nosniff"


def _plain(text: str) -> str:
    return quote(text, safe=_PLAIN, errors="replace")


def _matches(asked: list[str], etag: str) -> bool:
    """Whether If-None-Match names what would be sent."""
    tags = {each.strip().removeprefix("W/") for line in asked for each in line.split(",")}
    return etag in tags or "*" in tags


def _refusal(module_id: str, why: NotDelivered) -> Response:
    status, words = _REFUSALS[why]
    return _told(status, f"Sandbox module {quoted(module_id)} {words}.")


async def _not_served(request: Request, error: Exception) -> Response:  # noqa: ARG001 - Starlette's signature
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _told(status, "This server has sandbox modules alone, and they are only read.")


def _told(status: int, detail: str) -> Response:
    return JSONResponse({"detail": detail}, status_code=status, headers={"Cache-Control": "no-store"})
