"""A secret is used without being seen: put in on the way to its hosts alone, and taken out of what comes back."""

from __future__ import annotations

import gzip
import html
import json
import re
import ssl
import zlib
from base64 import b64decode, b64encode, urlsafe_b64encode
from typing import Final
from urllib.parse import quote, quote_plus

import pytest
import trustme
from loopback import Request, http, redirect
from network.conftest import Serve
from nodetool_sandbox import Limits, RunResult, Secret
from powers import failure_with, run_with, value_with

VALUE: Final = 's3cr3t/V&lue "q" \'é+=?'
PLACEHOLDER: Final = re.compile(r"secret_[0-9a-f]{40}")


def secrets(*hosts: str, value: str = VALUE, allow_plain_http: bool = True) -> dict[str, str | Secret]:
    return {"KEY": Secret(value, hosts or ["api.test"], allow_plain_http=allow_plain_http)}


def shown(result: RunResult) -> str:
    """Everything of a result that a program or its reader gets to see."""
    return repr((result.value, result.error, result.logs))


def test_a_program_gets_a_placeholder_that_is_another_in_each_run() -> None:
    told = {value_with("return getSecret('KEY')", secrets=secrets()) for _ in range(5)}
    assert len(told) == 5
    assert all(isinstance(each, str) and PLACEHOLDER.fullmatch(each) for each in told)


def test_it_is_the_same_within_a_run() -> None:
    code = "return [await getSecret('KEY') === await getSecret('KEY')]"
    assert value_with(code, secrets=secrets()) == [True]


def test_the_value_stands_where_the_placeholder_stood(serve: Serve) -> None:
    internet = serve()
    value = "plain-Value-123"
    code = """
        const key = await getSecret("KEY");
        await fetch(`http://api.test/p/${key}?k=${key}&x=1`, {
          method: "POST", body: `text ${key} text`,
          headers: { Authorization: `Bearer ${key}`, "X-Basic": "1" },
        });
    """
    value_with(code, fetch=internet.fetch(), secrets=secrets(value=value))
    (request,) = internet.server.requests
    assert request.target == f"/p/{value}?k={value}&x=1"
    assert request.headers["authorization"] == f"Bearer {value}"
    assert request.body == f"text {value} text".encode()
    assert request.headers["content-length"] == str(len(request.body))


def test_each_place_has_the_value_as_it_is_written_there(serve: Serve) -> None:
    internet = serve()
    code = """
        const key = await getSecret("KEY");
        const post = (body, headers = {}) => fetch("http://api.test/?k=" + key, { method: "POST", body, headers });
        await post({ a: key });
        await post(JSON.stringify({ a: key }), { "Content-Type": "application/vnd.x+json; charset=utf-8" });
        await post("a=" + key, { "Content-Type": "application/x-www-form-urlencoded" });
        await post(new TextEncoder().encode(key));
        const form = new FormData(); form.append("a", key); await post(form);
    """
    value_with(code, fetch=internet.fetch(), secrets=secrets())
    bodies = [request.body for request in internet.server.requests]
    assert json.loads(bodies[0]) == {"a": VALUE}
    assert json.loads(bodies[1]) == {"a": VALUE}
    assert bodies[2] == b"a=" + quote_plus(VALUE).encode()
    assert bodies[3] == VALUE.encode()
    assert b"\r\n\r\n" + VALUE.encode() + b"\r\n" in bodies[4]
    assert {request.target for request in internet.server.requests} == {"/?k=" + quote(VALUE, safe="")}


@pytest.mark.parametrize("user", ["u", "us", "user", "ü"])
def test_basic_credentials_are_opened_and_closed_again(serve: Serve, user: str) -> None:
    internet = serve(lambda request: http(b"you sent " + request.headers["authorization"].encode()))
    code = f"""
        const key = await getSecret("KEY");
        const sent = "Basic " + toBase64("{user}:" + key);
        return (await fetch("http://api.test/", {{ headers: {{ Authorization: sent }} }})).body
    """
    result = run_with(code, fetch=internet.fetch(), secrets=secrets())
    sent = internet.server.requests[0].headers["authorization"]
    assert b64decode(sent.removeprefix("Basic ")) == f"{user}:{VALUE}".encode()
    assert isinstance(result.value, str)
    assert sent.removeprefix("Basic ") not in result.value
    assert PLACEHOLDER.search(result.value)


REFUSED: Final = {
    "http://b.test/": "it is for api.test",
    "http://x.api.test/": "it is for api.test",
    "http://api.test.evil.test/": "it is for api.test",
    "http://evil.test/api.test": "it is for api.test",
}


@pytest.mark.parametrize(("url", "why"), REFUSED.items())
@pytest.mark.parametrize(
    "how",
    ["url + '?' + key", "url, { headers: { X: key } }", "url, { headers: { authorization: 'Basic ' + toBase64(key) } }",
     "url, { method: 'POST', body: key }", "url, { method: 'POST', body: new TextEncoder().encode(key) }"],
)  # fmt: skip
def test_no_other_host_gets_it(serve: Serve, url: str, why: str, how: str) -> None:
    internet = serve()
    code = f"const key = await getSecret('KEY'), url = '{url}'; await fetch({how})"
    error = failure_with(code, fetch=internet.fetch(), secrets=secrets())
    assert error.message.startswith('fetch: the secret "KEY" is not sent to ')
    assert why in error.message
    assert not internet.server.requests


def test_it_does_not_go_over_plain_http_unless_the_embedder_says_so(serve: Serve) -> None:
    internet = serve()
    code = "await fetch('http://api.test/?' + await getSecret('KEY'))"
    error = failure_with(code, fetch=internet.fetch(), secrets=secrets(allow_plain_http=False))
    assert (
        error.message == 'fetch: the secret "KEY" is sent over https: alone, and this request goes over http:'
    )
    assert not internet.server.requests


def test_it_goes_over_tls(serve: Serve) -> None:
    authority = trustme.CA()
    serving, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.issue_cert("api.test").configure_cert(serving)
    authority.configure_trust(trusting)
    internet = serve(tls=serving)
    code = "await fetch('https://api.test/', { headers: { X: await getSecret('KEY') } })"
    given = secrets(value="plain-Value-123", allow_plain_http=False)
    value_with(code, fetch=internet.fetch(tls=trusting), secrets=given)
    assert internet.server.requests[0].headers["x"] == "plain-Value-123"


@pytest.mark.parametrize("hosts", [("api.test",), ("api.test", "b.test", "*.test")])
@pytest.mark.parametrize("location", ["http://b.test/?x", "http://api.test:8080/?x", "http://b.test/?token="])
@pytest.mark.parametrize(
    "how",
    ["'http://api.test/?' + key", "'http://api.test/', { headers: { X: key } }",
     "'http://api.test/', { method: 'POST', body: key }"],
)  # fmt: skip
def test_it_never_goes_on_after_a_redirect_to_another_origin(
    serve: Serve, hosts: tuple[str, ...], location: str, how: str
) -> None:
    def answer(request: Request) -> bytes:
        if request.headers["host"] != "api.test":
            return http(b"elsewhere")
        return redirect(location + request.target if location.endswith("=") else location, "307 Again")

    internet = serve(answer)
    code = f"const key = await getSecret('KEY'); return (await fetch({how})).body"
    run_with(code, fetch=internet.fetch(), secrets=secrets(*hosts, value="plain-Value-123"))
    first, *others = internet.server.requests
    assert "plain-Value-123" in first.target + str(first.headers) + first.body.decode()
    assert not any(b"plain-Value-123" in other.head + other.body for other in others)


def test_it_does_not_come_back_to_life_when_a_redirect_leads_home(serve: Serve) -> None:
    def answer(request: Request) -> bytes:
        host = request.headers["host"]
        if host == "api.test" and request.target == "/":
            return redirect("http://b.test/", "307 Again")
        return redirect("http://api.test/home", "307 Again") if host == "b.test" else http(b"home")

    internet = serve(answer)
    code = "await fetch('http://api.test/', { method: 'POST', body: await getSecret('KEY') })"
    error = failure_with(code, fetch=internet.fetch(), secrets=secrets())
    assert error.message == 'fetch: the secret "KEY" is not sent on after a redirect to another origin'
    assert len(internet.server.requests) == 1


def test_a_redirect_within_the_origin_keeps_it(serve: Serve) -> None:
    internet = serve(
        lambda request: redirect("/end?" + request.target) if request.target[1] == "?" else http(b"")
    )
    code = "const r = await fetch('http://api.test/?' + await getSecret('KEY')); return r.url"
    url = value_with(code, fetch=internet.fetch(), secrets=secrets(value="plain-Value-123"))
    assert isinstance(url, str)
    assert "plain-Value-123" not in url
    assert "plain-Value-123" in internet.server.requests[1].target


def spelled(value: str) -> dict[str, bytes]:
    """What servers make of a value that they repeat."""
    raw = value.encode()
    percent = "".join(f"%{byte:02x}" for byte in raw)
    found = {
        "as it is": raw,
        "lower case": value.lower().encode(),
        "upper case": value.upper().encode(),
        "percent": quote(value, safe="").encode(),
        "form": quote_plus(value).encode(),
        "every byte percent": percent.encode(),
        "percent in capitals": percent.upper().encode(),
        "percent of percent": quote(percent).encode(),
        "JSON": json.dumps(value).encode(),
        "JSON in JSON": json.dumps(json.dumps({"a": "x" + value}))[1:-1].encode(),
        "JSON in ASCII": "".join(f"\\u{ord(each):04x}" for each in value).encode(),
        "JavaScript": "".join(f"\\x{ord(each):02X}" for each in value).encode(),
        "HTML": html.escape(value).encode(),
        "HTML numbers": "".join(f"&#{ord(each)};" for each in value).encode(),
        "HTML hexadecimal": "".join(f"&#x{ord(each):X};" for each in value).encode(),
        "hexadecimal": raw.hex().encode(),
        "hexadecimal in capitals": raw.hex().upper().encode(),
        "mixed": b"%73" + b"\\u0033" + value[2:].encode(),
        "base64 in lines": b"\r\n".join(re.findall(b".{1,7}", b64encode(raw))),
    }
    for before in range(4):
        padded = b"x" * before + raw + b"yz"
        found[f"base64 after {before}"] = b64encode(padded)
        found[f"base64 for URLs after {before}"] = urlsafe_b64encode(padded)
    return found


SPELLINGS: Final = spelled(VALUE)


def leaks(text: str) -> list[str]:
    """What of the value can be read in a text, however it is spelled."""
    lower = text.lower()
    found = [name for name, raw in SPELLINGS.items() if raw.decode().lower() in lower]
    return found + [part for part in ("s3cr3t", "V&lue", "czNjcjN0") if part.lower() in lower]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_it_is_taken_out_of_a_body_however_it_is_spelled(serve: Serve, spelling: str) -> None:
    internet = serve(http(b"before " + SPELLINGS[spelling] + b" after"))
    code = "await getSecret('KEY'); const r = await fetch('http://api.test/'); console.log(r.body); return r"
    result = run_with(code, fetch=internet.fetch(), secrets=secrets())
    assert result.success
    assert not leaks(shown(result))
    assert isinstance(result.value, dict)
    assert result.value["body"].startswith("before ")
    assert result.value["body"].endswith(" after")
    assert PLACEHOLDER.search(result.value["body"])


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_it_is_taken_out_of_a_compressed_body(serve: Serve, coding: str) -> None:
    data = b"x" * 70_000 + VALUE.encode() + b"y" * 70_000
    packed = {
        "gzip": gzip.compress(data),
        "deflate": zlib.compress(data),
        "gzip, gzip": gzip.compress(gzip.compress(data)),
    }
    internet = serve(http(packed[coding], f"Content-Encoding: {coding}"))
    code = "await getSecret('KEY'); return (await fetch('http://api.test/')).body"
    assert not leaks(shown(run_with(code, fetch=internet.fetch(), secrets=secrets())))


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("spelling", ["as it is", "every byte percent", "base64 after 1", "HTML numbers"])
def test_it_is_found_where_it_is_split_over_chunks(serve: Serve, size: int, spelling: str) -> None:
    raw = b"before " + SPELLINGS[spelling] + b" after" + b"." * 5000
    chunks = [raw[i : i + size] for i in range(0, 300, size)] + [raw[300 + size - 1 - (299 % size) :]]
    body = b"".join(f"{len(each):x}\r\n".encode() + each + b"\r\n" for each in chunks if each) + b"0\r\n\r\n"
    internet = serve(
        lambda _: [
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            *re.findall(rb"(?s).{1,40}", body),
        ]
    )
    code = "await getSecret('KEY'); return (await fetch('http://api.test/')).body"
    assert not leaks(shown(run_with(code, fetch=internet.fetch(), secrets=secrets())))


@pytest.mark.parametrize("shift", range(0, 30, 3))
def test_no_part_of_it_is_left_at_the_cap(serve: Serve, shift: int) -> None:
    cap = 2048
    internet = serve(http(b"." * (cap - shift) + VALUE.encode() + b"." * 100))
    code = "await getSecret('KEY'); const r = await fetch('http://api.test/'); return [r.body, r.truncated]"
    value = value_with(
        code, fetch=internet.fetch(), secrets=secrets(), limits=Limits(max_response_body_bytes=cap)
    )
    assert isinstance(value, list)
    assert value[1] is True
    assert re.fullmatch(r"\.+(s(e(c(r(e(t(_[0-9a-f]*)?)?)?)?)?)?)?\.*", value[0])


@pytest.mark.parametrize("spelling", ["as it is", "percent", "base64 after 2", "hexadecimal", "lower case"])
def test_it_is_taken_out_of_headers_cookies_and_the_reason(serve: Serve, spelling: str) -> None:
    raw = SPELLINGS[spelling].decode().encode("utf-8").decode("latin-1")
    internet = serve(http(b"", f"X-Echo: {raw}", f"Set-Cookie: a={raw}", f"ETag: {raw}", status=f"200 {raw}"))
    code = """
        await getSecret("KEY");
        const r = await fetch("http://api.test/");
        return [r.statusText, r.headers, r.headers.getSetCookie()]
    """
    result = run_with(code, fetch=internet.fetch(), secrets=secrets())
    assert result.success
    assert not leaks(shown(result))


def test_it_is_taken_out_of_a_headers_name(serve: Serve) -> None:
    internet = serve(lambda request: http(b"", f"X-{request.headers['x']}-Y: 1"))
    code = "return (await fetch('http://api.test/', { headers: { X: await getSecret('KEY') } })).headers"
    result = run_with(code, fetch=internet.fetch(), secrets=secrets(value="Plain-Value-123"))
    assert result.success
    assert "plain-value-123" not in shown(result).lower()


def test_it_is_taken_out_of_where_a_redirect_leads(serve: Serve) -> None:
    internet = serve(redirect("http://b.test/?" + quote("plain-Value-123"), "302 Found"))
    code = """
        await getSecret("KEY");
        return fetch("http://api.test/", { redirect: "manual" }).then(r => [r.url, r.headers, r.body])
    """
    result = run_with(code, fetch=internet.fetch(), secrets=secrets(value="plain-Value-123"))
    assert result.success
    assert "plain-Value-123" not in shown(result)


def test_the_host_that_it_is_for_cannot_show_it_to_a_run_that_did_not_ask(serve: Serve) -> None:
    internet = serve(http(b"your key is " + VALUE.encode()))
    result = run_with(
        "return (await fetch('http://api.test/')).body", fetch=internet.fetch(), secrets=secrets()
    )
    assert result.success
    assert not leaks(shown(result))


def test_a_placeholder_of_another_run_or_a_made_up_one_stays_as_it_is(serve: Serve) -> None:
    internet = serve()
    other = value_with("return getSecret('KEY')", secrets=secrets())
    code = """
        await getSecret("KEY");
        await fetch("http://api.test/", { method: "POST", body: [other, "secret_" + "0".repeat(40)] });
    """
    value_with(code, fetch=internet.fetch(), secrets=secrets(), globals={"other": other})
    assert json.loads(internet.server.requests[0].body) == [other, "secret_" + "0" * 40]


def test_a_secret_with_a_line_break_goes_into_no_header(serve: Serve) -> None:
    internet = serve()
    code = "await fetch('http://api.test/', { headers: { X: await getSecret('KEY') } })"
    error = failure_with(code, fetch=internet.fetch(), secrets=secrets(value="line one\r\nHost: evil"))
    assert error.message == 'fetch: a secret in header "x" holds a line break, which no header can carry'
    assert not internet.server.requests


def test_a_name_of_the_secret_in_a_host_is_only_a_placeholder(serve: Serve) -> None:
    internet = serve()
    code = "return fetch(`http://${await getSecret('KEY')}.b.test/`).then(r => r.body)"
    value_with(code, fetch=internet.fetch(), secrets=secrets())
    assert PLACEHOLDER.match(internet.asked[0])


def test_two_secrets_each_go_to_their_own_host(serve: Serve) -> None:
    internet = serve()
    given = {
        "A": Secret("value-of-A-1", ["a.test"], allow_plain_http=True),
        "B": Secret("value-of-B-2", ["*.b.test:8080"], allow_plain_http=True),
    }
    code = """
        const a = await getSecret("A"), b = await getSecret("B");
        const tell = (url, key) => fetch(url, { headers: { "X-Key": key } }).then(r => "sent", e => e.message);
        return [await tell("http://a.test/", a), await tell("http://x.b.test:8080/", b),
          await tell("http://a.test/", b), await tell("http://x.b.test/", b)]
    """
    told = value_with(code, fetch=internet.fetch(), secrets=given)
    assert told == [
        "sent",
        "sent",
        'fetch: the secret "B" is not sent to "a.test": it is for *.b.test:8080',
        'fetch: the secret "B" is not sent to "x.b.test": it is for *.b.test:8080',
    ]
    assert [request.headers["x-key"] for request in internet.server.requests] == [
        "value-of-A-1",
        "value-of-B-2",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"value": "short", "hosts": ["a.test"]}, "could be found by trying"),
        ({"value": 12345678, "hosts": ["a.test"]}, "must be text"),
        ({"value": "long enough", "hosts": []}, "names no host"),
        ({"value": "long enough", "hosts": "a.test"}, "list of hosts"),
        ({"value": "long enough", "hosts": ["https://a.test"]}, "is no host"),
        ({"value": "long enough \ud800", "hosts": ["a.test"]}, "surrogates"),
    ],
    ids=str,
)
def test_a_secret_that_could_not_be_kept_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Secret(**arguments)  # type: ignore[arg-type]


def test_a_secrets_text_does_not_hold_it() -> None:
    assert repr(Secret("long enough", ["a.test", "*.b.test:1"])) == "Secret(hosts=['a.test', '*.b.test:1'])"


def test_a_program_cannot_tell_a_guess_from_a_wrong_one_but_by_guessing_it_whole(serve: Serve) -> None:
    """An echo shows whether a whole guess was right; a part of it is not treated differently."""
    internet = serve(lambda request: http(request.body))
    code = """
        await getSecret("KEY");
        return (await fetch("http://api.test/", { method: "POST", body: guess })).body === guess
    """
    for guess in ("plain-Value-12", "lain-Value-123", "plain"):
        given = secrets(value="plain-Value-123")
        assert value_with(code, fetch=internet.fetch(), secrets=given, globals={"guess": guess}) is True
