"""Modules of packs over HTTP, for programs that run in a browser: `pip install nodetool-sandbox[delivery]`.

    app = delivery_app(catalog)          # an ASGI app: GET /api/sandbox-modules/{id}
    client_source()                      # the JavaScript for the page, which checks what it gets

Nothing else of this package imports it, and Starlette loads with it.
"""

from __future__ import annotations

from nodetool_sandbox.delivery.app import DeliveryCatalog, PackDelivery, delivery_app
from nodetool_sandbox.delivery.client import client_source

__all__ = ["DeliveryCatalog", "PackDelivery", "client_source", "delivery_app"]
