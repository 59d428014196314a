"""What a program gets of an answer, however odd or hostile the answer is."""

from __future__ import annotations

import pytest
from loopback import http
from network.conftest import Serve
from nodetool_sandbox import UNDEFINED, Sandbox
from powers import failure_with, run_with, value_with


def test_a_result_has_the_members_of_the_reference(serve: Serve) -> None:
    internet = serve(
        http(b'{"a": [1]}', "Content-Type: application/json", "X-Two: 1", "X-Two: 2", status="201 Made")
    )
    code = """
        const r = await fetch("http://a.test/p?q#f");
        const bytes = await r.bytes(), buffer = await r.arrayBuffer();
        bytes[0] = 0;
        return { ok: r.ok, status: r.status, statusText: r.statusText, url: r.url, redirected: r.redirected,
          body: r.body, json: r.json, text: await r.text(), truncated: r.truncated, headers: r.headers,
          bytes: bytes instanceof Uint8Array && bytes.length,
          buffer: buffer instanceof ArrayBuffer && buffer.byteLength,
          again: (await r.bytes())[0], keys: Object.keys(r) }
    """
    assert value_with(code, fetch=internet.fetch()) == {
        "ok": True, "status": 201, "statusText": "Made", "url": "http://a.test/p?q#f", "redirected": False,
        "body": '{"a": [1]}', "json": {"a": [1]}, "text": '{"a": [1]}', "truncated": False,
        "headers": {"content-type": "application/json", "x-two": "1, 2", "content-length": "10"},
        "bytes": 10, "buffer": 10, "again": ord("{"),
        "keys": ["ok", "status", "statusText", "url", "redirected", "headers", "truncated", "body", "json"],
    }  # fmt: skip


def test_a_returned_result_is_plain_data(serve: Serve) -> None:
    internet = serve(http(b"5"))
    value = value_with("return fetch('http://a.test/')", fetch=internet.fetch())
    assert isinstance(value, dict)
    assert (value["body"], value["json"], value["headers"]) == ("5", 5, {"content-length": "1"})


def test_bytes_cross_as_they_are(serve: Serve) -> None:
    internet = serve(http(bytes(range(256))))
    assert value_with("return (await fetch('http://a.test/')).bytes()", fetch=internet.fetch()) == bytes(
        range(256)
    )
    assert (
        value_with("return toHex(await (await fetch('http://a.test/')).bytes())", fetch=internet.fetch())
        == bytes(range(256)).hex()
    )


def test_every_cookie_of_an_answer_can_be_had(serve: Serve) -> None:
    internet = serve(http(b"", "Set-Cookie: a=1; Expires=Wed, 21 Oct", "set-cookie: b=2"))
    code = """
        const { headers } = await fetch("http://a.test/");
        return [headers["set-cookie"], headers.getSetCookie(), headers.get("SET-COOKIE"),
          headers.has("x"), headers.get("get")]
    """
    joined = "a=1; Expires=Wed, 21 Oct, b=2"
    assert value_with(code, fetch=internet.fetch()) == [
        joined,
        ["a=1; Expires=Wed, 21 Oct", "b=2"],
        joined,
        False,
        None,
    ]


def test_cookies_of_one_answer_are_not_sent_with_the_next_request(serve: Serve) -> None:
    internet = serve(http(b"", "Set-Cookie: session=1"))
    value_with("await fetch('http://a.test/'); await fetch('http://a.test/')", fetch=internet.fetch())
    value_with("await fetch('http://a.test/')", fetch=internet.fetch())
    assert not any("cookie" in request.headers for request in internet.server.requests)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("é€😀".encode(), "é€😀"),
        (b"\xef\xbb\xbfbom", "bom"),
        (b"a\xffb", "a�b"),
        ("ü".encode("latin-1"), "�"),
        (b"\x00", "\0"),
        (b"", ""),
    ],
)
@pytest.mark.parametrize("charset", ["", "; charset=utf-7", "; charset=latin-1", "; charset=unknown"])
def test_a_body_is_read_as_utf_8_whatever_its_header_says(
    serve: Serve, raw: bytes, text: str, charset: str
) -> None:
    internet = serve(http(raw, f"Content-Type: text/plain{charset}"))
    code = "const r = await fetch('http://a.test/'); return [r.body, await r.text()]"
    assert value_with(code, fetch=internet.fetch()) == [text, text]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"__proto__": {"x": 1}}', {"__proto__": {"x": 1}}),
        (b"\xef\xbb\xbf[1]", [1]),
        (b"1e400", float("inf")),
        (b"NaN", UNDEFINED),
        (b"{'a': 1}", UNDEFINED),
        (b"[1,]", UNDEFINED),
        (b"", UNDEFINED),
        (b"null", None),
        (b"[" * 100_000, UNDEFINED),
        ("[1]".encode("utf-16"), UNDEFINED),
    ],
    ids=lambda each: ascii(each)[:30],
)
def test_json_is_the_value_or_undefined(serve: Serve, raw: bytes, value: object) -> None:
    internet = serve(http(raw))
    found = value_with("return { json: (await fetch('http://a.test/')).json }", fetch=internet.fetch())
    assert found == {"json": value}


def test_json_with_a_number_of_a_million_digits_ends_the_run_or_not_and_nothing_else(serve: Serve) -> None:
    internet = serve(http(b"9" * 900_000))
    assert (
        run_with("return typeof (await fetch('http://a.test/')).json", fetch=internet.fetch()).value
        == "number"
    )


def test_headers_have_no_prototype_effects(serve: Serve) -> None:
    internet = serve(
        http(
            b"", "__proto__: a", "constructor: b", "toString: c", "hasOwnProperty: d", "get: e", "X: caf\xe9"
        )
    )
    code = """
        const { headers } = await fetch("http://a.test/");
        return [Object.keys(headers), headers["__proto__"], headers.constructor, headers.tostring, headers.get,
          Object.getPrototypeOf(headers) === Object.prototype, ({}).a, headers.x]
    """
    keys = ["__proto__", "constructor", "tostring", "hasownproperty", "get", "x", "content-length"]
    assert value_with(code, fetch=internet.fetch()) == [keys, "a", "b", "c", "e", True, UNDEFINED, "café"]


def test_two_thousand_cookies_are_counted_and_no_more(serve: Serve) -> None:
    internet = serve(http(b"", *[f"Set-Cookie: c{i}=1" for i in range(2000)]))
    code = "return (await fetch('http://a.test/')).headers.getSetCookie().length"
    assert value_with(code, fetch=internet.fetch()) == 2000


@pytest.mark.parametrize(
    ("raw", "status", "text"),
    [
        (http(b"x", status="999 Odd"), 999, "Odd"),
        (http(b"x", status="200 "), 200, ""),
        (http(b"x", status="200"), 200, ""),
        (http(b"x", status="404 caf\xe9"), 404, "café"),
        (http(b"", status="204 No Content"), 204, "No Content"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 20 + http(b"x"), 200, "OK"),
        (b"HTTP/1.0 200 OK\r\n\r\nx", 200, "OK"),
    ],
    ids=lambda each: ascii(each)[:40],
)
def test_an_odd_status_is_told_as_it_came(serve: Serve, raw: bytes, status: int, text: str) -> None:
    internet = serve(lambda _: [raw])
    code = "const r = await fetch('http://a.test/'); return [r.status, r.statusText, r.ok]"
    assert value_with(code, fetch=internet.fetch()) == [status, text, 200 <= status < 300]


@pytest.mark.parametrize(
    "raw",
    [
        b"hello\r\n\r\n",  # HTTP/0.9
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000,
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000,
        b"\x16\x03\x01\x00\xff" * 20,
        b"",
        b"HTTP/1.1 200 O",
    ],
    ids=lambda each: ascii(each)[:40],
)
def test_an_answer_that_is_not_http_is_an_error_of_ours(serve: Serve, raw: bytes) -> None:
    internet = serve(lambda _: [raw])
    error = failure_with("await fetch('http://a.test/')", fetch=internet.fetch())
    assert error.message.startswith('fetch: "a.test" did not answer in HTTP') or error.message.startswith(
        'fetch: the connection to "a.test" broke'
    )


def test_a_program_that_replaces_everything_still_gets_a_true_result(serve: Serve) -> None:
    internet = serve(http(b'{"a":1}', "X: y"))
    code = """
        const wanted = fetch;
        for (const type of [Array, Object, String, Uint8Array, Promise, JSON, Map, Reflect])
          for (const key of Reflect.ownKeys(type.prototype ?? type)) {
            if (key === "constructor" || key === "then" || typeof key === "symbol") continue;
            try { (type.prototype ?? type)[key] = () => { throw "replaced" } } catch {}
          }
        JSON.parse = () => "forged";
        globalThis.fetch = null;
        const r = await wanted("http://a.test/", { method: "POST", headers: { X: "1" }, body: { b: 2 } });
        return [r.status, r.body, r.json.a, r.headers.x]
    """
    assert value_with(code, fetch=internet.fetch()) == [200, '{"a":1}', 1, "y"]
    assert internet.server.requests[0].body == b'{"b":2}'


def test_a_run_without_the_power_has_no_fetch_and_says_how_to_get_it() -> None:
    result = Sandbox().run_sync("return [typeof fetch, typeof FormData, typeof Blob, typeof getSecret]")
    assert result.value == ["undefined"] * 4
    error = Sandbox().run_sync("fetch('http://a.test/')").error
    assert error is not None
    assert "Sandbox(fetch=Fetch())" in error.message
    assert "--allow-net" in error.message
