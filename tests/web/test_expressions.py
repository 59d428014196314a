"""Expressions over the web's classes, with the values that Node gives them."""

from __future__ import annotations

import pytest
from recordings import answers_of, recorded

OTHERWISE = {
    # browsers: null is no record, so it is text
    "new URLSearchParams(null).toString()": "null=",
    # browsers: what is no number of milliseconds is a TypeError
    "AbortSignal.timeout(-1)": "TypeError",
    # the standard of 2025 keeps a space at the end of an opaque path as %20
    "((u) => { u.searchParams.delete('q'); return [u.href, u.pathname, u.search] })(new URL('data:a  ?q'))": [
        "data:a %20",
        "a %20",
        "",
    ],
    "((u) => { u.searchParams.delete('q'); return [u.href, u.pathname, u.search] })(new URL('x:a b ?q=1#f'))": [
        "x:a b%20#f",
        "a b%20",
        "",
    ],
}


@pytest.mark.conformance
def test_expressions_have_the_values_that_node_gives_them() -> None:
    cases = recorded("snippets.json")
    found = answers_of(str(case[0]) for case in cases)
    different = {str(case[0]): answer for case, answer in zip(cases, found, strict=True) if case[1] != answer}
    assert len(cases) > 150
    assert different == OTHERWISE
