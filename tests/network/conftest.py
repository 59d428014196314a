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
