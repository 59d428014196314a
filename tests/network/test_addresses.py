"""What fetch connects to: public addresses alone, however they are spelled and wherever they come from."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_network
from typing import Final

import pytest
from loopback import PUBLIC
from network.conftest import Serve
from nodetool_sandbox.bridges.net.addresses import IPV4_SPECIAL, IPV6_SPECIAL, is_public, parse_address
from powers import failure_with, run_with, value_with

PRIVATE: Final = "internal/private address"
LOCALHOST: Final = "access to localhost is blocked"
INVALID: Final = "invalid URL"

# Host as it stands in the URL, and the refusal; None where it is public.
SPELLINGS: Final = {
    # 127.0.0.1
    "127.0.0.1": PRIVATE,
    "2130706433": PRIVATE,
    "0x7f000001": PRIVATE,
    "0X7F000001": PRIVATE,
    "017700000001": PRIVATE,
    "0177.0.0.1": PRIVATE,
    "0x7f.1": PRIVATE,
    "0x7f.0x0.0x0.0x1": PRIVATE,
    "127.1": PRIVATE,
    "127.0.1": PRIVATE,
    "127.0x1": PRIVATE,
    "127.0.0.1.": PRIVATE,
    "127.00000.00000.1": PRIVATE,
    "0x7f.0.0.0x1": PRIVATE,
    "①②⑦.⓪.⓪.①": PRIVATE,
    "127。0。0。1": PRIVATE,
    "127．0．0．1": PRIVATE,
    "１２７.0.0.1": PRIVATE,
    "%31%32%37.0.0.1": PRIVATE,
    "127.0.0.1%2e": PRIVATE,
    "127%2E0.0.1": PRIVATE,
    "127.255.255.254": PRIVATE,
    # names of this machine
    "localhost": LOCALHOST,
    "LOCALHOST": LOCALHOST,
    "LocalHost.": LOCALHOST,
    "a.localhost": LOCALHOST,
    "a.b.LOCALHOST.": LOCALHOST,
    "loc%61lhost": LOCALHOST,
    "ｌocalhost": LOCALHOST,
    "loc\u00adalhost": LOCALHOST,
    # this host
    "0": PRIVATE,
    "0.0.0.0": PRIVATE,
    "0x0": PRIVATE,
    "00.00.00.00": PRIVATE,
    "0.1.2.3": PRIVATE,
    # private and nearby
    "10.0.0.1": PRIVATE,
    "0xa000001": PRIVATE,
    "012.0.0.1": PRIVATE,
    "10.1": PRIVATE,
    "172.16.0.1": PRIVATE,
    "2886729729": PRIVATE,
    "172.31.255.255": PRIVATE,
    "192.168.0.1": PRIVATE,
    "0xc0a80001": PRIVATE,
    "192.168.1": PRIVATE,
    "169.254.169.254": PRIVATE,
    "0xa9fea9fe": PRIVATE,
    "2852039166": PRIVATE,
    "169.254.43518": PRIVATE,
    "0251.0376.0251.0376": PRIVATE,
    "100.64.0.1": PRIVATE,
    "100.100.100.200": PRIVATE,
    "168.63.129.16": PRIVATE,
    # set apart
    "192.0.0.1": PRIVATE,
    "192.0.2.1": PRIVATE,
    "192.88.99.1": PRIVATE,
    "198.18.0.1": PRIVATE,
    "198.51.100.1": PRIVATE,
    "203.0.113.1": PRIVATE,
    "224.0.0.1": PRIVATE,
    "239.255.255.250": PRIVATE,
    "240.0.0.1": PRIVATE,
    "255.255.255.255": PRIVATE,
    "4294967295": PRIVATE,
    # IPv6
    "[::]": PRIVATE,
    "[::1]": PRIVATE,
    "[0:0:0:0:0:0:0:1]": PRIVATE,
    "[0000:0000:0000:0000:0000:0000:0000:0001]": PRIVATE,
    "[::127.0.0.1]": PRIVATE,
    "[::169.254.169.254]": PRIVATE,
    "[::ffff:127.0.0.1]": PRIVATE,
    "[::ffff:7f00:1]": PRIVATE,
    "[::FFFF:7F00:0001]": PRIVATE,
    "[::ffff:169.254.169.254]": PRIVATE,
    "[::ffff:93.184.216.34]": PRIVATE,
    "[::ffff:0:7f00:1]": PRIVATE,
    "[64:ff9b::a9fe:a9fe]": PRIVATE,
    "[64:ff9b::127.0.0.1]": PRIVATE,
    "[64:ff9b:1::1]": PRIVATE,
    "[100::1]": PRIVATE,
    "[2001::1]": PRIVATE,
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]": PRIVATE,
    "[2001:2::1]": PRIVATE,
    "[2001:10::1]": PRIVATE,
    "[2001:20::1]": PRIVATE,
    "[2001:db8::1]": PRIVATE,
    "[2002:7f00:1::]": PRIVATE,
    "[2002:a9fe:a9fe::1]": PRIVATE,
    "[3fff::1]": PRIVATE,
    "[5f00::1]": PRIVATE,
    "[fc00::1]": PRIVATE,
    "[fd00:ec2::254]": PRIVATE,
    "[fe80::1]": PRIVATE,
    "[feb0::1]": PRIVATE,
    "[fec0::1]": PRIVATE,
    "[ff02::1]": PRIVATE,
    "[4000::1]": PRIVATE,
    # no URL at all
    "[::1%25lo]": INVALID,
    "[::1": INVALID,
    "127.0.0.1%00": INVALID,
    "256.0.0.1": INVALID,
    "1.2.3.4.5": INVALID,
    "0x100000000": INVALID,
    "127.0.0.0x": PRIVATE,
    "00000127.0.0.1": INVALID,  # 87.0.0.1 to some readers and 127.0.0.1 to others
    "127.0.0.1%2f@a.test": INVALID,
    "user:password@a.test": INVALID,
    "a b.test": INVALID,
    # public
    "93.184.216.34": None,
    "0x5db8d822": None,
    "8.8.8.8": None,
    "9.255.255.255": None,
    "11.0.0.0": None,
    "100.63.255.255": None,
    "100.128.0.0": None,
    "128.0.0.1": None,
    "126.255.255.255": None,
    "172.15.255.255": None,
    "172.32.0.0": None,
    "192.167.255.255": None,
    "192.169.0.0": None,
    "223.255.255.255": None,
    "[2606:2800:220:1:248:1893:25c8:1946]": None,
    "[2001:4860:4860::8888]": None,
    "[2003::1]": None,
    "[3ffe::1]": None,
    "a.test": None,
    "xn--bcher-kva.test": None,
    "bücher.test": None,
    "localhost.a.test": None,
    "notlocalhost": None,
}


@pytest.mark.parametrize(("host", "refusal"), SPELLINGS.items(), ids=ascii)
def test_an_address_is_refused_or_allowed_however_it_is_spelled(
    serve: Serve, host: str, refusal: str | None
) -> None:
    internet = serve()
    result = run_with(f"return (await fetch({f'http://{host}:8080/'!r})).status", fetch=internet.fetch())
    if refusal is None:
        assert result.value == 200
        assert len(internet.reached) == 1
    else:
        assert result.error is not None
        assert refusal in result.error.message
        assert not internet.reached
        assert not internet.server.connections


def test_the_table_of_spellings_is_a_long_one() -> None:
    assert len(SPELLINGS) > 100


@pytest.mark.parametrize("network", [*IPV4_SPECIAL, *IPV6_SPECIAL])
def test_the_first_the_middle_and_the_last_address_of_a_special_network_are_not_public(network: str) -> None:
    block = ip_network(network)
    for address in (block[0], block[block.num_addresses // 2], block[-1]):
        assert not is_public(address)


@pytest.mark.parametrize(
    "text",
    ["9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
     "168.63.129.15", "168.63.129.17", "192.0.1.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
)  # fmt: skip
def test_the_neighbours_of_special_networks_are_public(text: str) -> None:
    assert is_public(IPv4Address(text))


@pytest.mark.parametrize(
    "text", ["", "127.1", "0x7f.1", "01.2.3.4", "fe80::1%eth0", "a", None, 5, b"1.2.3.4", "1.2.3.4 "]
)
def test_an_answer_of_a_resolver_that_is_no_plain_address_is_none(text: object) -> None:
    assert parse_address(text) is None


@pytest.mark.parametrize(
    "answer",
    [
        [PUBLIC, "127.0.0.1"],
        ["127.0.0.1", PUBLIC],
        ["127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["fe80::1%eth0"],
        ["169.254.169.254"],
        ["not an address"],
        [PUBLIC] * 40 + ["10.0.0.1"],
    ],
)
def test_one_address_of_a_name_that_is_not_public_refuses_it(serve: Serve, answer: list[str]) -> None:
    internet = serve()
    internet.names = {"inside.test": answer}
    error = failure_with("await fetch('http://inside.test/')", fetch=internet.fetch())
    assert error.message == 'fetch: access to internal/private address "inside.test" is blocked'
    assert not internet.reached


@pytest.mark.parametrize("answer", [[], OSError("no such name"), UnicodeError("label too long")], ids=repr)
def test_a_name_without_an_address_is_not_found(serve: Serve, answer: list[str] | Exception) -> None:
    internet = serve()
    internet.names = {"gone.test": answer}
    error = failure_with("await fetch('http://gone.test/')", fetch=internet.fetch())
    assert error.message == 'fetch: "gone.test" was not found: no address is known for this name'
    assert not internet.reached


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(serve: Serve) -> None:
    internet = serve()
    internet.names = {"two.test": [PUBLIC, "2606:2800:220:1::1"]}
    assert value_with("return (await fetch('http://two.test:8080/')).status", fetch=internet.fetch()) == 200
    assert internet.asked == ["two.test:8080"]
    assert internet.reached == [(PUBLIC, 8080)]
    assert internet.server.requests[0].headers["host"] == "two.test:8080"


def test_a_resolver_that_changes_its_mind_leads_nowhere(serve: Serve) -> None:
    internet = serve(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"])
    answers = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])

    async def rebinding(host: str, port: int) -> list[str]:  # noqa: ARG001 - a Resolver
        return next(answers)

    code = """
        const first = await fetch("http://rebind.test/");
        const later = [];
        for (let i = 0; i < 2; i++) later.push(await fetch("http://rebind.test/").catch(e => e.message));
        return [first.body, ...later];
    """
    blocked = 'fetch: access to internal/private address "rebind.test" is blocked'
    assert value_with(code, fetch=internet.fetch(resolver=rebinding)) == ["ok", blocked, blocked]
    assert internet.reached == [(PUBLIC, 80)]


def test_a_kept_connection_is_to_the_address_that_was_checked(serve: Serve) -> None:
    internet = serve()
    answers = iter([[PUBLIC]])  # asked once: the second request takes the connection of the first

    async def once(host: str, port: int) -> list[str]:  # noqa: ARG001 - a Resolver
        return next(answers)

    code = "for (let i = 0; i < 3; i++) await fetch('http://rebind.test/'); return 1"
    assert value_with(code, fetch=internet.fetch(resolver=once)) == 1
    assert internet.server.connections == 1


def test_a_connection_that_its_server_has_closed_is_not_used_again(serve: Serve) -> None:
    internet = serve(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"])  # and then it hangs up
    code = """
        const told = [];
        for (let i = 0; i < 3; i++) {
          told.push((await fetch("http://a.test/")).body);
          while (await connections() === await closed() + 1) await sleep(2);
        }
        return told
    """
    seen = {"connections": lambda: internet.server.connections, "closed": lambda: internet.server.closed}
    assert value_with(code, fetch=internet.fetch(), globals=seen) == ["ok"] * 3
    assert internet.server.connections == 3


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.1", "[::1]", "169.254.169.254", "inside.test"]
)
def test_the_embedder_can_open_the_private_network(serve: Serve, host: str) -> None:
    internet = serve()
    internet.names = {"inside.test": ["10.0.0.7"], "localhost": ["127.0.0.1"]}
    fetch = internet.fetch(allow_private_network=True)
    assert value_with(f"return (await fetch('http://{host}:8080/')).body", fetch=fetch) == "hello"


def test_no_global_and_no_option_of_a_program_opens_it(serve: Serve) -> None:
    internet = serve()
    code = """
        globalThis.allowPrivateNetwork = true;
        Object.prototype.allowPrivateNetwork = true;
        await fetch("http://127.0.0.1/", { allowPrivateNetwork: true, allow_private_network: true });
    """
    error = failure_with(code, fetch=internet.fetch(), globals={"allowPrivateNetwork": True})
    assert "internal/private address" in error.message
    assert not internet.reached


SCHEMES: Final = {
    "file:///etc/hostname": 'unsupported scheme "file:"',
    "FILE:/etc/hostname": 'unsupported scheme "file:"',
    "data:,x": 'unsupported scheme "data:"',
    "blob:x": 'unsupported scheme "blob:"',
    "ftp://a/": 'unsupported scheme "ftp:"',
    "gopher://127.0.0.1:25/_x": 'unsupported scheme "gopher:"',
    "jar:http://a!/b": 'unsupported scheme "jar:"',
    "ws://a/": 'unsupported scheme "ws:"',
    "javascript:1": 'unsupported scheme "javascript:"',
    "unix:///run/x.sock": 'unsupported scheme "unix:"',
    "http+unix://%2frun%2fx.sock/": 'unsupported scheme "http+unix:"',
    "view-source:http://a/": 'unsupported scheme "view-source:"',
    "http:/127.0.0.1/": PRIVATE,
    "http:127.0.0.1": PRIVATE,
    "http:\\\\127.0.0.1\\": PRIVATE,
    "ht\ntp://127.0.0.1": PRIVATE,
    "\thttp://127.0.0.1": PRIVATE,
    " http://127.0.0.1 ": PRIVATE,
    "//127.0.0.1/": INVALID,
    "/": INVALID,
    "a": INVALID,
    "http://": INVALID,
    "http:///": INVALID,
    "http://a:99999/": INVALID,
    "http://a:-1/": INVALID,
    "http://[::1": INVALID,
    "http://a\u0000.test/": INVALID,
    "http://\ud800/": INVALID,
    "http://a.test/" + "x" * 70_000: INVALID,
    "http://a:0/": "port 0 is blocked",
    "http://a:25/": "port 25 is blocked",
    "https://a:22/": "port 22 is blocked",
    "": "url must be a non-empty string",
}


@pytest.mark.parametrize("allow_private_network", [False, True])
@pytest.mark.parametrize(("url", "refusal"), SCHEMES.items(), ids=lambda each: ascii(each)[:40])
def test_what_is_no_http_url_is_refused(
    serve: Serve, url: str, refusal: str, *, allow_private_network: bool
) -> None:
    if allow_private_network and refusal == PRIVATE:
        return
    internet = serve()
    fetch = internet.fetch(allow_private_network=allow_private_network)
    error = failure_with("await fetch(url)", fetch=fetch, globals={"url": url})
    assert refusal in error.message
    assert error.message.startswith("fetch: ")
    assert len(error.message) < 300
    assert not internet.reached


@pytest.mark.parametrize(
    "url",
    [
        "1",
        "null",
        "undefined",
        "{}",
        "['http://a.test/']",
        "{ toString() { return 'http://a.test/' } }",
        "1n",
        "() => 1",
    ],
)
def test_a_url_that_is_no_string_is_refused(serve: Serve, url: str) -> None:
    internet = serve()
    error = failure_with(f"await fetch({url})", fetch=internet.fetch())
    assert error.message == "fetch: url must be a non-empty string"
    assert not internet.reached


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("http://api.test/", True),
        ("http://API.test./", True),
        ("http://x.api.test/", False),
        ("http://below.test/", False),
        ("http://a.below.test/", True),
        ("http://a.b.below.test/", True),
        ("http://notbelow.test/", False),
        ("http://port.test:8080/", True),
        ("http://port.test/", False),
        ("http://evil.test/api.test", False),
        ("http://api.test.evil.test/", False),
    ],
)
def test_a_list_of_hosts_is_all_that_is_reached(serve: Serve, url: str, *, is_allowed: bool) -> None:
    internet = serve()
    hosts = ["api.test", "*.below.test", "port.test:8080"]
    result = run_with(f"return (await fetch('{url}')).body", fetch=internet.fetch(hosts=hosts))
    assert result.success is is_allowed
    if not is_allowed and url.startswith("http:"):
        assert result.error is not None
        assert "this run may reach api.test, *.below.test, port.test:8080 only" in result.error.message
        assert not internet.reached
