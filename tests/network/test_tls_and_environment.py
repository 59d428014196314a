"""TLS verifies the name; the environment, its proxies, its files and its variables have no say."""

from __future__ import annotations

import ssl
from base64 import b64encode
from pathlib import Path
from typing import Final

import httpcore
import pytest
import trustme
from loopback import PUBLIC, STALL, Request, Server, http
from network.conftest import Serve
from nodetool_sandbox import Fetch, Limits
from powers import failure_with, value_with


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def serving(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(context)
    return context


def test_a_certificate_of_the_name_is_accepted(
    serve: Serve, authority: trustme.CA, trusting: ssl.SSLContext
) -> None:
    told: list[str | None] = []
    context = serving(authority, "a.test")
    context.sni_callback = lambda _connection, name, _context: told.append(name)
    internet = serve(tls=context)
    assert (
        value_with("return (await fetch('https://a.test/')).body", fetch=internet.fetch(tls=trusting))
        == "hello"
    )
    assert told == ["a.test"]
    assert internet.reached == [(PUBLIC, 443)]
    assert internet.server.requests[0].headers["host"] == "a.test"


@pytest.mark.parametrize("names", [("b.test",), (PUBLIC,), ("*.a.test",)])
def test_a_certificate_of_another_name_is_refused(
    serve: Serve, authority: trustme.CA, trusting: ssl.SSLContext, names: tuple[str, ...]
) -> None:
    internet = serve(tls=serving(authority, *names))
    error = failure_with("await fetch('https://a.test/')", fetch=internet.fetch(tls=trusting))
    assert error.message.startswith('fetch: the certificate of "a.test" was refused: Hostname mismatch')
    assert not internet.server.requests


def test_an_unknown_authority_is_refused(serve: Serve, authority: trustme.CA) -> None:
    internet = serve(tls=serving(authority, "a.test"))
    error = failure_with("await fetch('https://a.test/')", fetch=internet.fetch())
    assert error.message.startswith('fetch: the certificate of "a.test" was refused: ')
    assert not internet.server.requests


def test_a_handshake_that_breaks_is_an_error_of_ours(serve: Serve, authority: trustme.CA) -> None:
    context = serving(authority, "a.test")
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(old)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    error = failure_with("await fetch('https://a.test/')", fetch=serve(tls=context).fetch(tls=old))
    assert error.message == 'fetch: TLS with "a.test" failed'


VARIABLES: Final = "HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy".split()


@pytest.mark.parametrize("scheme", ["http", "socks5"])
def test_a_proxy_of_the_environment_is_not_used(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    internet = serve()
    with Server(http(b"proxied")) as proxy:
        for name in VARIABLES:
            monkeypatch.setenv(name, f"{scheme}://user:password@127.0.0.1:{proxy.port}")
        assert value_with("return (await fetch('http://a.test/')).body", fetch=internet.fetch()) == "hello"
        assert not proxy.connections


def test_no_netrc_is_read(serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine a.test login somebody password hunter2\ndefault login x password y\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    internet = serve(http(b"", "WWW-Authenticate: Basic realm=x", status="401 Who"))
    assert value_with("return (await fetch('http://a.test/')).status", fetch=internet.fetch()) == 401
    assert [list(request.headers) for request in internet.server.requests] == [
        ["host", "accept", "accept-encoding"]
    ]


def test_variables_that_would_change_what_is_trusted_have_no_say(
    serve: Serve, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bundle = tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(bundle))
    log = tmp_path / "keys.log"
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.setenv(name, str(bundle))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.setenv("SSLKEYLOGFILE", str(log))
    internet = serve(tls=serving(authority, "a.test"))
    error = failure_with("await fetch('https://a.test/')", fetch=internet.fetch())
    assert "was refused" in error.message
    assert not log.exists()


class Proxying:
    """A proxy: it answers CONNECT, and then whatever is asked through the tunnel."""

    def __init__(self, status: str = "200 Go on") -> None:
        self.asked: list[Request] = []
        self._status = status

    def __call__(self, request: Request) -> bytes:
        self.asked.append(request)
        if request.lines[0].startswith("CONNECT"):
            return f"HTTP/1.1 {self._status}\r\n\r\n".encode()
        return http(b"through")


def test_a_proxy_that_the_embedder_names_gets_the_checked_address(serve: Serve) -> None:
    proxying = Proxying()
    internet = serve(proxying)
    fetch = internet.fetch(proxy="http://me:p%40ss@proxy.test:3128")
    assert value_with("return (await fetch('http://a.test:8080/x')).body", fetch=fetch) == "through"
    tunnel, request = proxying.asked
    assert tunnel.lines[0] == f"CONNECT {PUBLIC}:8080 HTTP/1.1"
    assert tunnel.headers["proxy-authorization"] == "Basic " + b64encode(b"me:p@ss").decode()
    assert "proxy-authorization" not in request.headers
    assert (request.target, request.headers["host"]) == ("/x", "a.test:8080")
    assert internet.asked == ["a.test:8080", "proxy.test:3128"]


def test_a_proxy_reaches_no_private_address_for_a_program(serve: Serve) -> None:
    internet = serve(Proxying())
    internet.names = {"inside.test": ["10.0.0.1"], "proxy.test": ["127.0.0.1"]}
    fetch = internet.fetch(proxy="http://proxy.test:3128")
    for url in ("http://inside.test/", "http://127.0.0.1/", "http://localhost/"):
        assert "blocked" in failure_with(f"await fetch('{url}')", fetch=fetch).message
    assert not internet.reached


def test_a_proxy_that_refuses_is_told_of(serve: Serve) -> None:
    internet = serve(Proxying("407 Who"))
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch(proxy="http://127.0.0.1:3128"))
    assert error.message == "fetch: the proxy refused the connection with status 407"


@pytest.mark.parametrize(
    "answer", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000, b""], ids=ascii
)
def test_a_proxy_that_speaks_no_http_is_an_error_of_ours(serve: Serve, answer: bytes) -> None:
    internet = serve(lambda _: [answer])
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch(proxy="http://127.0.0.1:3128"))
    assert error.message.startswith("fetch: could not connect")


def test_a_tunnel_ends_with_its_run(serve: Serve) -> None:
    internet = serve(lambda _: [STALL])
    error = failure_with(
        "await fetch('http://a.test/')",
        fetch=internet.fetch(proxy="http://127.0.0.1:3128"),
        limits=Limits(fetch_timeout_ms=100),
    )
    assert "timed out" in error.message
    assert internet.server.gone.wait(10)


def test_the_certificate_of_a_proxy_is_verified(serve: Serve, authority: trustme.CA) -> None:
    internet = serve(tls=serving(authority, "proxy.test"))
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch(proxy="https://proxy.test"))
    assert error.message == 'fetch: could not connect to "a.test" on port 80'
    assert not internet.server.requests


def test_a_proxy_over_tls_is_verified_with_the_embedders_roots(
    serve: Serve, authority: trustme.CA, trusting: ssl.SSLContext
) -> None:
    internet = serve(Proxying(), tls=serving(authority, "proxy.test"))
    fetch = internet.fetch(proxy="https://proxy.test", tls=trusting)
    assert value_with("return (await fetch('http://a.test/')).body", fetch=fetch) == "through"


def test_the_next_address_is_tried_where_one_does_not_answer(serve: Serve) -> None:
    internet = serve()
    internet.names = {"two.test": ["93.184.216.35", "93.184.216.34"]}
    tried: list[str] = []

    async def connect(address: str, port: int) -> httpcore.AsyncNetworkStream:
        tried.append(address)
        if address.endswith("35"):
            raise OSError("unreachable")
        return await internet.connect(address, port)

    fetch = Fetch(resolver=internet.resolve, connector=connect)
    assert value_with("return (await fetch('http://two.test/')).body", fetch=fetch) == "hello"
    assert tried == ["93.184.216.35", "93.184.216.34"]


def test_a_host_that_refuses_is_named_and_not_its_address(serve: Serve) -> None:
    internet = serve()

    async def connect(address: str, port: int) -> httpcore.AsyncNetworkStream:
        raise OSError(f"connection to {address}:{port} refused")

    fetch = Fetch(resolver=internet.resolve, connector=connect)
    error = failure_with("await fetch('http://a.test:8080/')", fetch=fetch)
    assert error.message == 'fetch: could not connect to "a.test" on port 8080'
