"""crypto: SPEC 4.6 beside the standard library, and WebCrypto's forms of the same."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest
from nodetool_sandbox import Limits
from nodetool_sandbox.bridges.crypto import ALGORITHMS
from nodetool_sandbox.limits import MAX_RANDOM_BYTES
from runs import failure, run, value

UNSUPPORTED = 'crypto: unsupported algorithm "{}" (use SHA-1, SHA-256, SHA-384 or SHA-512)'


@pytest.mark.parametrize("name", [*ALGORITHMS, "sha-256", " Sha512 ", "sha1"])
def test_a_digest_is_hashlibs_under_every_spelling_of_its_name(name: str) -> None:
    expected = hashlib.new(ALGORITHMS[name.strip().upper()], b"abc").digest()
    assert value("return await crypto.digest(name, 'abc')", globals={"name": name}) == expected
    assert (
        value(
            "return await crypto.subtle.digest({ name }, new Uint8Array([97, 98, 99]))",
            globals={"name": name},
        )
        == expected
    )


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_an_hmac_is_that_of_the_standard_library_for_text_and_for_bytes(name: str) -> None:
    expected = hmac.digest(b"key", b"data", ALGORITHMS[name])
    code = """
        const key = new TextEncoder().encode("key");
        return [await crypto.hmac(name, "key", "data"), await crypto.hmac(name, key, [100, 97, 116, 97])];
    """
    assert value(code, globals={"name": name}) == [expected, expected]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("'é'", "é".encode()),
        ("'\\ud800x'", b"\xef\xbf\xbdx"),
        ("new Uint16Array([0x6162, 0x6364]).subarray(1)", b"dc"),
        ("new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1)", b"\x02"),
        ("new Uint8Array([1, 2]).buffer", b"\x01\x02"),
        ("new Float64Array(1)", bytes(8)),
        ("new BigInt64Array([1n])", b"\x01" + bytes(7)),
        ("[1, 257, -1, 1.9, 'x']", b"\x01\x01\xff\x01\x00"),
        ("({ length: 2, 0: 7 })", b"\x07\x00"),
        ("(class extends Uint8Array {}).of(5)", b"\x05"),
        ("new Uint8Array(0)", b""),
        ("''", b""),
    ],
)
def test_what_is_hashed_is_the_bytes_of_a_text_of_a_view_or_of_numbers(data: str, expected: bytes) -> None:
    assert value(f"return await crypto.digest('SHA-256', {data})") == hashlib.sha256(expected).digest()


@pytest.mark.parametrize(
    "data",
    [
        "42",
        "null",
        "undefined",
        "true",
        "{}",
        "Symbol()",
        "() => 1",
        "7n",
        "{ length: '3' }",
        "{ length: -1 }",
    ],
)
def test_what_holds_no_bytes_is_refused_by_the_argument_s_name(data: str) -> None:
    assert (
        failure(f"await crypto.digest('SHA-1', ({data}))").message
        == "crypto: data must be a string or Uint8Array"
    )
    assert (
        failure(f"await crypto.hmac('SHA-1', ({data}), '')").message
        == "crypto: key must be a string or Uint8Array"
    )
    assert (
        failure(f"await crypto.hmac('SHA-1', '', ({data}))").message
        == "crypto: data must be a string or Uint8Array"
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("'MD5'", "MD5"),
        ("''", ""),
        ("7", "7"),
        ("undefined", "undefined"),
        ("Symbol('s')", "Symbol(s)"),
        ("'x'.repeat(1e6)", "x" * 40 + "..."),
    ],
)
def test_another_algorithm_is_refused_with_the_names_of_those_that_are_there(name: str, shown: str) -> None:
    assert failure(f"await crypto.digest({name}, '')").message == UNSUPPORTED.format(shown)
    assert failure(f"await crypto.hmac({name}, '', '')").message == UNSUPPORTED.format(shown)
    error = failure(f"await crypto.subtle.digest({name}, new Uint8Array())")
    assert (error.name, error.message) == (
        "NotSupportedError",
        UNSUPPORTED.format(shown).replace("crypto:", "crypto.subtle.digest:"),
    )


def test_a_random_uuid_is_one_of_version_four() -> None:
    found = str(value("return crypto.randomUUID()"))
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", found)


@pytest.mark.parametrize(
    ("asked", "length"),
    [
        ("0", 0),
        ("-0", 0),
        ("1.5", 1),
        ("16", 16),
        (str(MAX_RANDOM_BYTES), MAX_RANDOM_BYTES),
        (str(MAX_RANDOM_BYTES + 1), MAX_RANDOM_BYTES),
        ("1e308", MAX_RANDOM_BYTES),
        ("Infinity", MAX_RANDOM_BYTES),
    ],
)
def test_a_length_gives_so_many_random_bytes_and_at_most_those_of_the_cap(asked: str, length: int) -> None:
    found = value(f"return crypto.getRandomValues({asked})", limits=Limits(max_output_size=1_000_000))
    assert isinstance(found, bytes)
    assert len(found) == length
    assert length < 16 or found != bytes(length)


@pytest.mark.parametrize("asked", ["-1", "NaN", "'8'", "null", "{}", "2n", "", "Symbol()"])
def test_what_is_no_length_is_refused(asked: str) -> None:
    error = failure(f"crypto.getRandomValues({asked})")
    assert (error.name, error.message) == (
        "TypeError",
        "crypto.getRandomValues: length must be a non-negative number",
    )


def test_an_array_of_integers_is_filled_in_place_within_its_view() -> None:
    code = f"""
        const whole = new Uint8Array(100);
        const part = new Uint32Array(whole.buffer, 40, 5);
        const same = crypto.getRandomValues(part) === part;
        const most = crypto.getRandomValues(new Uint8Array({MAX_RANDOM_BYTES}));
        return [same, whole.subarray(0, 40), whole.subarray(60), part.some((n) => n), most.some((n) => n)];
    """
    assert value(code) == [True, bytes(40), bytes(40), True, True]


def test_an_array_past_the_cap_or_of_floats_is_refused_and_left_as_it_was() -> None:
    error = failure(f"crypto.getRandomValues(new Uint8Array({MAX_RANDOM_BYTES + 1}))")
    assert error.name == "QuotaExceededError"
    for kind in ("Float16Array", "Float32Array", "Float64Array"):
        assert failure(f"crypto.getRandomValues(new {kind}(1))").name == "TypeMismatchError"
    assert failure("crypto.getRandomValues(new DataView(new ArrayBuffer(1)))").name == "TypeMismatchError"


def test_equal_bytes_are_told_from_unequal_ones_and_lengths_must_agree() -> None:
    code = """
        const of = (...n) => new Uint8Array(n);
        return [crypto.timingSafeEqual(of(1, 2), of(1, 2)), crypto.timingSafeEqual(of(1, 2).buffer, of(1, 3))];
    """
    assert value(code) == [True, False]
    assert failure("crypto.timingSafeEqual(new Uint8Array(1), new Uint8Array(2))").name == "RangeError"
    assert failure("crypto.timingSafeEqual('a', 'a')").name == "TypeError"


def test_digests_are_no_records_of_a_run_but_count_as_calls() -> None:
    result = run("await crypto.digest('SHA-1', ''); return crypto.randomUUID().length")
    assert result.calls == ()
    assert result.usage.host_calls == 1


def test_a_text_of_nearly_half_the_memory_can_be_hashed() -> None:
    code = "return await crypto.digest('SHA-256', 'x'.repeat(3e7))"
    assert value(code) == hashlib.sha256(b"x" * 30_000_000).digest()
