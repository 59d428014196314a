"""The text of the client."""

from __future__ import annotations

from importlib.resources import files


def client_source() -> str:
    """The client as a JavaScript module, to be served beside the modules under a name of your choice."""
    return files("nodetool_sandbox.delivery").joinpath("client.js").read_text(encoding="utf-8")
