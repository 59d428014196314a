"""What goes over the wire: what a program asked for and nothing that it slipped in."""

from __future__ import annotations

from typing import Final

import pytest
from loopback import Request
from network.conftest import Serve
from nodetool_sandbox import Fetch
from nodetool_sandbox.bridges.net.messages import MAX_HEADER_BYTES
from powers import failure_with, run_with, value_with


def sent(serve: Serve, options: str, url: str = "http://a.test/x?y=1") -> Request:
    """The request that these options make."""
    internet = serve()
    value_with(f"await fetch({url!r}, {options})", fetch=internet.fetch())
    (request,) = internet.server.requests
    return request


def test_a_plain_request_says_this_and_no_more(serve: Serve) -> None:
    assert sent(serve, "undefined").lines == [
        "GET /x?y=1 HTTP/1.1",
        "host: a.test",
        "accept: */*",
        "accept-encoding: gzip, deflate",
    ]


@pytest.mark.parametrize(
    ("body", "raw", "content_type"),
    [
        ("'text é'", "text é".encode(), None),
        ("''", b"", None),
        ("new Uint8Array([0, 255, 10])", b"\x00\xff\n", None),
        ("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)", b"\x02\x03", None),
        ("new Uint16Array([0x4241])", b"AB", None),
        ("new DataView(new Uint8Array([1, 2, 3]).buffer, 1)", b"\x02\x03", None),
        ("new Uint8Array([7, 8]).buffer", b"\x07\x08", None),
        ("{ a: 1, b: ['x'] }", b'{"a":1,"b":["x"]}', None),
        ("[1, null]", b"[1,null]", None),
        ("5", b"5", None),
        ("false", b"false", None),
        ("new Blob(['a', new Uint8Array([98])], { type: 'text/X' })", b"ab", "text/x"),
    ],
)
def test_a_body_goes_out_as_what_it_is(serve: Serve, body: str, raw: bytes, content_type: str | None) -> None:
    request = sent(serve, f"{{ method: 'POST', body: {body} }}")
    assert request.body == raw
    assert request.headers.get("content-type") == content_type
    assert request.headers["content-length"] == str(len(raw))


def test_form_data_goes_out_as_multipart(serve: Serve) -> None:
    code = """
        const form = new FormData();
        form.append("a\\r\\n\\"b", "x\\ny");
        form.append("file", new Uint8Array([0, 1]), "p\\"q.bin");
        form.append("blob", new Blob(["<b>"], { type: "text/html" }));
        form.append("gone", 1); form.delete("gone");
        form.append("once", 1); form.append("once", 2); form.set("once", 3);
        await fetch("http://a.test/", { method: "POST", body: form });
        return [form.get("once"), form.getAll("gone"), form.has("file"), form.get("file").size, [...form.keys()]];
    """
    internet = serve()
    told = value_with(code, fetch=internet.fetch())
    assert told == ["3", [], True, 2, ['a\r\n"b', "file", "blob", "once"]]
    (request,) = internet.server.requests
    kind, _, boundary = request.headers["content-type"].partition("; boundary=")
    assert kind == "multipart/form-data"
    parts = request.body.split(f"--{boundary}".encode())
    assert parts == [
        b"",
        b'\r\nContent-Disposition: form-data; name="a%0D%0A%22b"\r\n\r\nx\ny\r\n',
        (
            b'\r\nContent-Disposition: form-data; name="file"; filename="p%22q.bin"\r\n'
            b"Content-Type: application/octet-stream\r\n\r\n\x00\x01\r\n"
        ),
        b'\r\nContent-Disposition: form-data; name="blob"; filename="blob"\r\nContent-Type: text/html\r\n\r\n<b>\r\n',
        b'\r\nContent-Disposition: form-data; name="once"\r\n\r\n3\r\n',
        b"--\r\n",
    ]


@pytest.mark.parametrize(
    ("method", "line"),
    [("get", "GET"), ("Post", "POST"), ("patch", "patch"), ("PROPFIND", "PROPFIND"), ("head", "HEAD")],
)
def test_a_method_is_written_as_the_standard_writes_it(serve: Serve, method: str, line: str) -> None:
    assert sent(serve, f"{{ method: {method!r} }}").lines[0] == f"{line} /x?y=1 HTTP/1.1"


@pytest.mark.parametrize(
    "method",
    [
        "GET / HTTP/1.1\r\nX: y",
        "CONNECT",
        "TRACE",
        "trace",
        "TRACK",
        "",
        "A" * 100_000,
        "GÉT",
        "GET ",
        " ",
        "G\0T",
    ],
    ids=lambda each: ascii(each)[:20],
)
def test_a_method_that_is_none_is_refused_before_a_byte_is_written(serve: Serve, method: str) -> None:
    internet = serve()
    error = failure_with(
        "await fetch('http://a.test/', { method })", fetch=internet.fetch(), globals={"method": method}
    )
    assert error.name == "TypeError"
    assert "method" in error.message
    assert not internet.reached


@pytest.mark.parametrize("method", ["GET", "HEAD", "get"])
def test_a_get_has_no_body(serve: Serve, method: str) -> None:
    internet = serve()
    error = failure_with(
        f"await fetch('http://a.test/', {{ method: '{method}', body: 'x' }})", fetch=internet.fetch()
    )
    assert "has no body" in error.message
    assert not internet.reached


@pytest.mark.parametrize(
    "headers",
    [
        {"X": "a\r\nHost: 127.0.0.1"},
        {"X": "a\nb"},
        {"X": "a\rb"},
        {"X": "\0"},
        {"X\r\nY": "1"},
        {"X Y": "1"},
        {"X:": "1"},
        {"": "x"},
        {"é": "x"},
        {"X": "é€"},
        {"X": "a" * MAX_HEADER_BYTES},
        {f"x{i}": "1" * 10 for i in range(10_000)},
    ],
    ids=lambda each: ascii(each)[:30],
)
def test_a_header_that_would_end_a_line_or_is_none_is_refused_before_a_byte_is_written(
    serve: Serve, headers: dict[str, str]
) -> None:
    internet = serve()
    error = failure_with(
        "await fetch('http://a.test/', { headers })", fetch=internet.fetch(), globals={"headers": headers}
    )
    assert "header" in error.message
    assert not internet.reached


def test_headers_of_just_the_allowed_size_go_out(serve: Serve) -> None:
    assert (
        len(sent(serve, f"{{ headers: {{ X: 'a'.repeat({MAX_HEADER_BYTES - 5}) }} }}").headers["x"])
        == MAX_HEADER_BYTES - 5
    )


OURS: Final = {
    "Host": "127.0.0.1",
    "Content-Length": "1",
    "Transfer-Encoding": "chunked",
    "Connection": "x",
    "Keep-Alive": "1",
    "Expect": "100-continue",
    "Upgrade": "h2c",
    "TE": "trailers",
    "Trailer": "X",
    "Proxy-Connection": "x",
    "Accept-Encoding": "br",
    "HOST": "evil.test",
}


@pytest.mark.parametrize(("name", "value"), OURS.items())
def test_a_header_that_frames_the_message_is_dropped(serve: Serve, name: str, value: str) -> None:
    request = sent(
        serve, f"{{ method: 'POST', body: 'abc', headers: {{ '{name}': '{value}', 'X-Keep': '1' }} }}"
    )
    assert not any(value in line for line in request.lines[1:] if line.lower().startswith(name.lower() + ":"))
    assert request.headers["host"] == "a.test"
    assert request.headers["content-length"] == "3"
    assert request.headers["x-keep"] == "1"
    assert request.body == b"abc"


@pytest.mark.parametrize(
    "headers",
    ["{ 'X-A': 'é', 'X-B': 1 }", "[['X-A', 'é'], ['X-B', 1]]", "new Map([['X-A', 'é'], ['X-B', 1]])"],
)
def test_headers_come_as_an_object_as_pairs_or_as_a_map(serve: Serve, headers: str) -> None:
    assert sent(serve, f"{{ headers: {headers} }}").lines[-2:] == ["x-a: é", "x-b: 1"]


@pytest.mark.parametrize(
    "headers", ["5", "'X: y'", "[['X']]", "[5]", "{ get X() { throw new Error('no headers') } }"]
)
def test_headers_of_another_kind_are_refused(serve: Serve, headers: str) -> None:
    internet = serve()
    result = run_with(f"await fetch('http://a.test/', {{ headers: {headers} }})", fetch=internet.fetch())
    # an undefined value of a pair is the text "undefined", as everywhere in JavaScript
    assert result.success is (headers in {"[['X']]", "[5]"})
    assert len(internet.reached) == result.success


def test_the_embedders_user_agent_stands_where_the_program_names_none(serve: Serve) -> None:
    internet = serve()
    fetch = internet.fetch(user_agent="ours/1")
    value_with(
        "await fetch('http://a.test/'); await fetch('http://a.test/', { headers: { 'USER-agent': 'x' } })",
        fetch=fetch,
    )
    assert [request.headers["user-agent"] for request in internet.server.requests] == ["ours/1", "x"]
    assert Fetch().user_agent == "nodetool-sandbox"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hosts": "api.test"}, "list of hosts"),
        ({"hosts": ["http://api.test/"]}, "is no host"),
        ({"hosts": [5]}, "a host is text"),
        ({"hosts": ["a.test:0"]}, "port"),
        ({"hosts": ["a.test:70000"]}, "port"),
        ({"hosts": ["*"]}, "is no host"),
        ({"hosts": [""]}, "is no host"),
        ({"hosts": ["a..b:x"]}, "is no host"),
        ({"hosts": 5}, "list of hosts"),
        ({"allow_private_network": 1}, "True or False"),
        ({"allow_private_network": "yes"}, "True or False"),
        ({"user_agent": "a\r\nb"}, "cannot stand in a header"),
        ({"proxy": "socks5://a"}, "HTTP proxy"),
        ({"proxy": "a"}, "HTTP proxy"),
        ({"proxy": 5}, "takes a URL"),
    ],
    ids=str,
)
def test_a_power_that_could_not_work_is_refused_by_the_name_of_its_argument(
    arguments: dict[str, object], message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Fetch(**arguments)  # type: ignore[arg-type]


def test_url_search_params_go_out_as_a_form(serve: Serve) -> None:
    request = sent(serve, "{ method: 'POST', body: new URLSearchParams({ a: 'x y&', b: 'é' }) }")
    assert request.body == b"a=x+y%26&b=%C3%A9"
    assert request.headers["content-type"] == "application/x-www-form-urlencoded;charset=UTF-8"


def test_a_content_type_of_the_program_stays(serve: Serve) -> None:
    request = sent(
        serve, "{ method: 'POST', body: new URLSearchParams('a=1'), headers: { 'CONTENT-type': 'x/y' } }"
    )
    assert [line for line in request.lines if line.startswith("content-type")] == ["content-type: x/y"]


def test_a_url_object_is_a_url(serve: Serve) -> None:
    internet = serve()
    code = "const url = new URL('/x', 'http://a.test/'); url.searchParams.set('q', 'é'); return (await fetch(url)).url"
    assert value_with(code, fetch=internet.fetch()) == "http://a.test/x?q=%C3%A9"


def test_a_url_object_that_lies_is_read_by_what_it_is(serve: Serve) -> None:
    internet = serve()
    code = """
        const url = new URL("http://127.0.0.1/");
        Object.defineProperty(url, "href", { value: "http://a.test/" });
        url.toString = () => "http://a.test/";
        await fetch(url);
    """
    assert "internal/private address" in failure_with(code, fetch=internet.fetch()).message
    assert not internet.reached
