"""What the tests of fetch share."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Protocol

import pytest
from loopback import HELLO, Answer, Answering, Internet, Server


class Serve(Protocol):
    """`serve(answer)` is an internet in which every server answers like this."""

    def __call__(
        self, answer: Answering | Answer = ..., *, tls: ssl.SSLContext | None = None, silent: bool = False
    ) -> Internet: ...


@pytest.fixture(autouse=True)
def _names_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What gets to the operating system's resolver finds nothing there: no packet leaves, whatever is broken."""

    def not_found(*_: object, **__: object) -> list[object]:
        raise OSError

    monkeypatch.setattr("nodetool_sandbox.bridges.net.connections.socket.getaddrinfo", not_found)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as servers:

        def start(
            answer: Answering | Answer = HELLO,
            *,
            tls: ssl.SSLContext | None = None,
            silent: bool = False,
        ) -> Internet:
            return Internet(servers.enter_context(Server(answer, tls=tls, silent=silent)))

        yield start
