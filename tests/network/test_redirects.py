"""Redirects: each hop is checked like the first request, and carries no credential to another origin."""

from __future__ import annotations

from typing import Final

import pytest
from loopback import PUBLIC, Request, http, redirect
from network.conftest import Serve
from nodetool_sandbox.bridges.net.hops import (
    HARMLESS,
    MAX_LOCATION_CHARACTERS,
    may_carry_a_credential,
)
from nodetool_sandbox.limits import MAX_FETCH_REDIRECTS
from powers import failure_with, value_with

REFUSED: Final = {
    "http://127.0.0.1/": "internal/private address",
    "//127.0.0.1/": "internal/private address",
    "http://inside.test/": "internal/private address",
    "http://[::ffff:7f00:1]/": "internal/private address",
    "http://[::1]/": "internal/private address",
    "http://2130706433/": "internal/private address",
    "http:\\\\127.0.0.1\\": "internal/private address",
    "\\\\127.0.0.1\\": "internal/private address",
    "\thttp://127.0.0.1": "internal/private address",
    "http://localhost/": "access to localhost is blocked",
    "file:///etc/hostname": 'unsupported scheme "file:"',
    "gopher://x/": 'unsupported scheme "gopher:"',
    "data:text/plain,x": 'unsupported scheme "data:"',
    "javascript:1": 'unsupported scheme "javascript:"',
    "ftp://a.test/": 'unsupported scheme "ftp:"',
    "http://user:password@a.test/": "invalid URL",
    "http://a.test:25/": "port 25 is blocked",
    "http://[::1": "invalid URL",
    "": "empty Location",
    "/" + "x" * MAX_LOCATION_CHARACTERS: "Location of more than",
}


def from_start(location: str) -> object:
    return lambda request: redirect(location) if request.target == "/start" else http(b"reached")


@pytest.mark.parametrize(("location", "refusal"), REFUSED.items(), ids=lambda each: ascii(each)[:40])
def test_a_redirect_to_where_no_request_may_go_is_refused_at_the_hop(
    serve: Serve, location: str, refusal: str
) -> None:
    internet = serve(from_start(location))  # type: ignore[arg-type]
    internet.names = {"inside.test": ["10.0.0.1"]}
    error = failure_with("await fetch('http://a.test/start')", fetch=internet.fetch())
    assert refusal in error.message
    assert internet.reached == [(PUBLIC, 80)]
    assert len(internet.server.requests) == 1


def test_a_redirect_to_a_file_is_refused_in_the_open_network_too(serve: Serve) -> None:
    internet = serve(from_start("file:///etc/hostname"))  # type: ignore[arg-type]
    error = failure_with(
        "await fetch('http://a.test/start')", fetch=internet.fetch(allow_private_network=True)
    )
    assert 'unsupported scheme "file:"' in error.message


def test_a_redirect_out_of_the_list_of_hosts_is_refused(serve: Serve) -> None:
    internet = serve(from_start("http://b.test/"))  # type: ignore[arg-type]
    error = failure_with("await fetch('http://a.test/start')", fetch=internet.fetch(hosts=["a.test"]))
    assert error.message == 'fetch: access to "b.test" is blocked: this run may reach a.test only'
    assert len(internet.reached) == 1


def test_two_locations_are_refused(serve: Serve) -> None:
    internet = serve(http(b"", "Location: /a", "Location: http://127.0.0.1/", status="302 Found"))
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch())
    assert error.message == 'fetch: "a.test" redirects to more than one place'


def test_a_location_that_is_not_utf_8_is_read_byte_by_byte(serve: Serve) -> None:
    internet = serve(from_start("/caf\xe9"))  # type: ignore[arg-type]
    assert (
        value_with("return (await fetch('http://a.test/start')).url", fetch=internet.fetch())
        == "http://a.test/caf%C3%A9"
    )


@pytest.mark.parametrize(
    ("hops", "is_followed"), [(MAX_FETCH_REDIRECTS, True), (MAX_FETCH_REDIRECTS + 1, False)]
)
def test_so_many_hops_are_followed_and_no_more(serve: Serve, hops: int, *, is_followed: bool) -> None:
    def answer(request: Request) -> bytes:
        at = int(request.target[1:])
        return redirect(f"/{at + 1}") if at < hops else http(b"there")

    internet = serve(answer)
    code = "return fetch('http://a.test/0').then(r => [r.body, r.redirected, r.url], e => e.message)"
    ending = ["there", True, f"http://a.test/{hops}"] if is_followed else "fetch: too many redirects"
    assert value_with(code, fetch=internet.fetch()) == ending
    assert len(internet.server.requests) == MAX_FETCH_REDIRECTS + 1


def test_hops_count_as_one_call(serve: Serve) -> None:
    internet = serve(lambda request: redirect("/end") if request.target != "/end" else http(b"x"))
    code = "for (let i = 0; i < 20; i++) await fetch('http://a.test/'); return 1"
    assert value_with(code, fetch=internet.fetch()) == 1
    assert len(internet.server.requests) == 40


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [
        ("301 Moved", "POST", "GET"), ("302 Found", "POST", "GET"), ("303 See", "POST", "GET"),
        ("303 See", "PUT", "GET"), ("303 See", "HEAD", "HEAD"), ("302 Found", "HEAD", "HEAD"),
        ("307 Again", "POST", "POST"), ("308 Again", "PUT", "PUT"), ("302 Found", "GET", "GET"),
    ],
)  # fmt: skip
def test_the_method_after_a_redirect(serve: Serve, status: str, method: str, then: str) -> None:
    internet = serve(lambda request: redirect("/end", status) if request.target == "/" else http(b""))
    body = ", body: 'abc'" if method in {"POST", "PUT"} else ""
    options = f"{{ method: '{method}'{body}, headers: {{ 'Content-Type': 'text/plain', 'X-A': '1' }} }}"
    value_with(f"await fetch('http://a.test/', {options})", fetch=internet.fetch())
    _, last = internet.server.requests
    assert last.lines[0].startswith(then + " ")
    keeps_body = bool(body) and then == method
    assert last.body == (b"abc" if keeps_body else b"")
    assert ("content-type" in last.headers) is (keeps_body or then == method)
    assert last.headers["x-a"] == "1"


CREDENTIALS: Final = {
    "Authorization": "Bearer x",
    "authorization": "x",
    "AUTHORIZATION": "x",
    "Cookie": "a=b",
    "Proxy-Authorization": "x",
    "X-Api-Key": "k",
    "X-API-KEY": "k",
    "apikey": "k",
    "X-Auth-Token": "t",
    "X-Access-Token": "t",
    "X-CSRF-Token": "t",
    "X-Amz-Security-Token": "t",
    "X-Amz-Signature": "t",
    "X-Goog-Api-Key": "t",
    "Ocp-Apim-Subscription-Key": "t",
    "X-Vault-Token": "t",
    "X-Session": "s",
    "X-User-Password": "p",
    "Private-Token": "p",
    "Referer": "http://a.test/?token=1",
    "X-Plain": "Bearer abc",
    "X-Plain2": "eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IV7pAx_Zmeo",
    "X-Plain3": "id=0123456789abcdef",
    "X-Hub-Signature": "x",
}
KEPT: Final = {
    "X-Keep": "yes",
    "Accept": "application/json",
    "Accept-Language": "en",
    "User-Agent": "Mozilla/5.0 abcdefgh12345678",
    "X-Version": "2",
    "Range": "bytes=0-1",
}


@pytest.mark.parametrize(
    ("start", "location"),
    [
        ("http://a.test/start", "http://a.test:8080/end"),
        ("http://a.test/start", "http://b.test/end"),
        ("http://a.test/start", "http://x.a.test/end"),
        ("http://a.test:8080/start", "//a.test/end"),
    ],
)
@pytest.mark.parametrize("status", ["302 Found", "307 Again"])
def test_no_credential_goes_to_another_origin(serve: Serve, start: str, location: str, status: str) -> None:
    internet = serve(lambda request: redirect(location, status) if request.target == "/start" else http(b""))
    options = {"headers": [[name, value] for name, value in {**CREDENTIALS, **KEPT}.items()]}
    value_with(f"await fetch('{start}', options)", fetch=internet.fetch(), globals={"options": options})
    first, last = internet.server.requests
    assert {name.lower() for name in CREDENTIALS} <= set(first.headers)
    assert not {name.lower() for name in CREDENTIALS} & set(last.headers)
    assert {name.lower() for name in KEPT} <= set(last.headers)


def test_what_was_taken_away_does_not_come_back_with_the_first_origin(serve: Serve) -> None:
    leads = {"/1": "http://b.test/2", "/2": "http://a.test/3"}
    internet = serve(
        lambda request: redirect(leads[request.target]) if request.target in leads else http(b"")
    )
    value_with("await fetch('http://a.test/1', { headers: { 'X-Api-Key': 'k' } })", fetch=internet.fetch())
    assert ["x-api-key" in request.headers for request in internet.server.requests] == [True, False, False]


def test_within_one_origin_everything_is_kept(serve: Serve) -> None:
    internet = serve(lambda request: redirect("/end") if request.target == "/start" else http(b""))
    options = {"headers": [[name, value] for name, value in CREDENTIALS.items()]}
    value_with(
        "await fetch('http://a.test/start', options)", fetch=internet.fetch(), globals={"options": options}
    )
    assert {name.lower() for name in CREDENTIALS} <= set(internet.server.requests[1].headers)


@pytest.mark.parametrize(("name", "value"), CREDENTIALS.items())
def test_a_header_that_may_carry_a_credential_is_known(name: str, value: str) -> None:
    assert may_carry_a_credential(name.lower(), value)


@pytest.mark.parametrize("name", sorted(HARMLESS))
def test_a_harmless_header_is_kept_whatever_stands_in_it(name: str) -> None:
    assert not may_carry_a_credential(name, "Bearer 0123456789abcdef0123456789abcdef")


@pytest.mark.parametrize(
    ("mode", "ending"),
    [
        ("manual", [302, "/end", False]),
        ("follow", [200, None, True]),
        ("error", 'fetch: "a.test" redirects, and redirect is "error"'),
        ("other", 'fetch: redirect must be "follow", "manual" or "error"'),
    ],
)
def test_a_program_can_say_what_becomes_of_redirects(serve: Serve, mode: str, ending: object) -> None:
    internet = serve(lambda request: redirect("/end") if request.target == "/" else http(b""))
    code = f"""
        return fetch("http://a.test/", {{ redirect: "{mode}" }}).then(
          r => [r.status, r.headers.get("location"), r.redirected], e => e.message)
    """
    assert value_with(code, fetch=internet.fetch()) == ending


@pytest.mark.parametrize("status", ["300 Many", "304 Same", "305 Proxy", "302 Found"])
def test_what_is_no_redirect_is_the_final_answer(serve: Serve, status: str) -> None:
    headers = [] if status.startswith("302") else ["Location: http://127.0.0.1/"]
    internet = serve(http(b"", *headers, status=status))
    assert value_with("return (await fetch('http://a.test/')).status", fetch=internet.fetch()) == int(
        status[:3]
    )
