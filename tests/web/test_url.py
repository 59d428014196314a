"""URL and URLSearchParams beside Node's: the web platform's test data, every setter, and what is live.

The recordings say how they were made. Where the answers differ, the case stands here with the reason.
"""

from __future__ import annotations

import pytest
from nodetool_sandbox.bridges.url import PARTS
from recordings import answers, recorded
from runs import failure, run, value

LEAST_SHARE = 0.99

PARSE = f"""
const parts = {list(PARTS)};
return cases.map(([input, base]) => {{
  try {{
    const url = base === null ? new URL(input) : new URL(input, base);
    return parts.map((part) => url[part]);
  }} catch (error) {{
    return error instanceof TypeError ? null : String(error);
  }}
}});
"""

SET = """
return cases.map(([start, part, value]) => {
  const url = new URL(start);
  try {
    url[part] = value;
    return url.href;
  } catch (error) {
    return error.name;
  }
});
"""

PARSED_OTHERWISE = {
    # the standard of 2025 keeps a space before ? as %20
    "data:text/plain,hi  ?x": "data:text/plain,hi %20?x",
    # nothing behind the prefix: Node's version of the parser refuses it, ours takes it as it is
    "http://xn--/": "http://xn--/",
}

SET_OTHERWISE = {
    # a port without a digit is passed over; Node's version of the parser clears the port
    ("http://u:p@h:81/p/q?s#f", "port", "[::1]"): "http://u:p@h:81/p/q?s#f",
    ("http://u:p@h:81/p/q?s#f", "port", "%41%"): "http://u:p@h:81/p/q?s#f",
    # a host may be empty where the scheme is not special; Node's version passes that over, and the port too
    **{
        ("x:/p", part, given): "x:///p"
        for part in ("host", "hostname")
        for given in ("", "?q", "#h", "/x/../y")
    },
    ("x:/p", "host", "1.2.3.4:5"): "x://1.2.3.4:5/p",
}


@pytest.mark.conformance
def test_urls_are_parsed_as_node_parses_the_web_platforms_test_data() -> None:
    cases = recorded("url.json")
    found = answers(PARSE, cases=[case[:2] for case in cases])
    different = {
        str(case[0]): answer[0] if isinstance(answer, list) else answer
        for case, answer in zip(cases, found, strict=True)
        if case[2] != answer
    }
    assert different == PARSED_OTHERWISE
    same = sum(case[2] == answer for case, answer in zip(cases, found, strict=True))
    assert len(cases) > 600
    assert same / len(cases) >= LEAST_SHARE


@pytest.mark.conformance
def test_each_part_is_set_as_node_sets_it() -> None:
    cases = recorded("setters.json")
    found = answers(SET, cases=[case[:3] for case in cases])
    different = {
        tuple(case[:3]): answer for case, answer in zip(cases, found, strict=True) if case[3] != answer
    }
    assert different == SET_OTHERWISE


def test_a_url_is_parsed_once_however_often_its_parts_are_read_or_its_params_change() -> None:
    result = run("""
        const url = new URL("https://a/b?c=d");
        for (let i = 0; i < 100; i++) {
          url.host + url.pathname + url.search + url;
          url.searchParams.append("n", i);
        }
        return url.searchParams.size;
    """)
    assert result.value == 101
    assert result.usage.host_calls == 1


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            (
                "class P extends URLSearchParams { get(n) { return 'mine ' + super.get(n) } } "
                "return new P('a=1').get('a')"
            ),
            "mine 1",
        ),
        (
            (
                "class U extends URL { constructor() { super('http://a/'); this.x = 1 } } "
                "const u = new U(); return u instanceof URL && u.host + u.x"
            ),
            "a1",
        ),
        ("return new URLSearchParams(new Proxy({a: 1}, {})) + ''", "a=1"),
        ("return new URL(new Proxy(new URL('http://a'), { get: () => () => 'http://p' })).host", "p"),
        ("return Object.keys(new URL('http://a')).length + Object.keys(new URLSearchParams('a')).length", 0),
        ("const u = Object.freeze(new URL('http://a/?x=1')); u.search = ''; return u.href", "http://a/"),
        (
            (
                "const p = new URLSearchParams(); p.append('a', { toString() { p.append('b', 1); return 2 } });"
                "return p + ''"
            ),
            "b=1&a=2",
        ),
        (
            (
                "let n = 0; try { new URLSearchParams({ *[Symbol.iterator]() { try { for (;;) yield ['a'] } "
                "finally { n = 1 } } }) } catch (e) { return e.name + n }"
            ),
            "TypeError1",
        ),
    ],
)
def test_exotic_receivers_and_arguments_have_their_own_way(code: str, expected: object) -> None:
    assert value(code) == expected


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("'no url'", '"no url"'),
        ("''", '""'),
        ("'x'.repeat(1e6)", "..."),
        ("'\\ud800'", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_what_is_no_url_is_named_in_a_type_error_and_cut(argument: str, shown: str) -> None:
    error = failure(f"new URL({argument})")
    assert error.name == "TypeError"
    assert error.message.startswith("Invalid URL: ")
    assert shown in error.message
    assert len(error.message) < 200


def test_a_symbol_is_no_url_and_a_throwing_object_throws_its_own() -> None:
    assert failure("new URL(Symbol())").name == "TypeError"
    assert failure("new URL({ toString() { throw new RangeError('mine') } })").message == "mine"
