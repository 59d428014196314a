"""getSecret: the names that a run may read, where the values come from, and that none is seen outside."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import Final

import keyring
import pytest
from keyring.backend import KeyringBackend
from nodetool_sandbox import UNDEFINED, Limits, Sandbox, Secret, Secrets
from nodetool_sandbox.bridges.secrets import MAX_ASKED
from powers import failure_with, run_with, value_with

GIVEN: Final = {"A": "s3cr3t-A", "B": "s3cr3t-B"}


def test_a_text_is_handed_to_the_program_as_it_is() -> None:
    assert value_with("return getSecret('A')", secrets=GIVEN) == "s3cr3t-A"


def test_a_name_that_is_not_set_is_undefined() -> None:
    assert value_with("return await getSecret('C')", secrets=GIVEN) is None
    assert value_with("return [await getSecret('C')]", secrets=GIVEN) == [UNDEFINED]


NAMES: Final = [
    "'a'", "' A '", "'A\\u0000'", "'Ａ'", "'B'", "'__proto__'", "'constructor'", "'__class__'", "'../B'", "'PATH'",
    "'HOME'", "''", "'toString'", "'\\ud800'", "'A\\n'",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_scope_is_all_that_can_be_read(name: str) -> None:
    code = f"return [await getSecret('A'), await getSecret({name}).catch(e => e.message)]"
    value = value_with(code, secrets=Secrets(GIVEN, scope=["A"]))
    assert isinstance(value, list)
    assert value[0] == "s3cr3t-A"
    assert value[1].endswith('this run may read only "A"')
    assert "s3cr3t-B" not in value[1]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "'B'"])
def test_without_a_scope_another_name_is_undefined(name: str) -> None:
    assert value_with(f"return [await getSecret({name})]", secrets=GIVEN) == [UNDEFINED]


@pytest.mark.parametrize(
    "name",
    [
        "['A']",
        "{ toString() { return 'B' } }",
        "null",
        "undefined",
        "1",
        "1n",
        "Symbol('A')",
        "'A'.repeat(1e6)",
        "",
    ],
)
def test_a_name_that_is_no_string_is_refused(name: str) -> None:
    error = failure_with(f"await getSecret({name})", secrets=GIVEN)
    assert (error.name, error.message) == ("TypeError", "getSecret: name must be a string")


def test_an_empty_scope_tells_nothing_of_what_there_is() -> None:
    code = """
        const tell = name => getSecret(name).catch(e => e.message.replace(name, ""));
        return [await tell("A"), await tell("nope")]
    """
    told = value_with(code, secrets=Secrets(GIVEN, scope=[]))
    assert told == ['getSecret(""): this run declares no secrets, so it can read none'] * 2


def test_names_of_a_scope_are_trimmed_and_empty_ones_dropped() -> None:
    assert value_with("return getSecret('A')", secrets=Secrets(GIVEN, scope=[" A ", "", "  "])) == "s3cr3t-A"


def test_a_flood_of_questions_is_held_by_the_limit_on_calls() -> None:
    code = "let n = 0; try { for (;;) { await getSecret('A'); n++ } } catch { return n }"
    assert value_with(code, secrets=GIVEN, limits=Limits(max_host_calls=500)) == 500


def test_a_run_has_so_many_secrets_and_no_more() -> None:
    code = f"""
        for (let i = 0; i < {MAX_ASKED}; i++) await getSecret("NAME" + i);
        await getSecret("NAME0");
        return getSecret("ONE MORE").catch(e => e.message)
    """
    told = value_with(code, secrets=Secrets(_of_any_name))
    assert told == "getSecret: this run has 1,000 secrets already, and may have no more"


async def _of_any_name(name: str) -> str:
    return f"value-of-{name}"


def test_a_coroutine_function_is_asked_once_a_name() -> None:
    asked: list[str] = []

    async def ask(name: str) -> str | None:
        asked.append(name)
        await asyncio.sleep(0)
        return {"A": "from-afar"}.get(name)

    code = "return [await getSecret('A'), await getSecret('A'), await getSecret('B')]"
    assert value_with(code, secrets=Secrets(ask)) == ["from-afar", "from-afar", UNDEFINED]
    assert asked == ["A", "B"]


def test_a_plain_function_may_block_without_holding_up_the_others() -> None:
    def ask(name: str) -> str:
        time.sleep(0.05)
        return f"value-of-{name}"

    code = "return Promise.all(['A', 'B', 'C'].map(name => getSecret(name)))"
    assert value_with(code, secrets=Secrets(ask)) == ["value-of-A", "value-of-B", "value-of-C"]


def test_a_function_can_be_passed_as_it_is() -> None:
    async def ask(name: str) -> Secret:
        return Secret(f"value-of-{name}", ["a.test"])

    result = Sandbox(secrets=ask).run_sync("return getSecret('A')")
    assert str(result.value).startswith("secret_")


def test_a_provider_that_fails_is_told_of_without_its_words() -> None:
    def ask(name: str) -> str:
        raise RuntimeError(f"vault at /home/me/vault with token hunter2 has no {name}")

    error = failure_with("await getSecret('A')", secrets=Secrets(ask))
    assert error.message == 'getSecret("A"): it cannot be had now'


def test_a_provider_that_gives_something_else_fails_inside_the_host() -> None:
    error = failure_with("await getSecret('A')", secrets=Secrets(lambda _: 5))  # type: ignore[arg-type, return-value]
    assert error.message == "secrets.get failed inside the host"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Secrets({"A": 5}),  # type: ignore[dict-item]
        lambda: Secrets({5: "a"}),  # type: ignore[dict-item]
        lambda: Secrets("A"),  # type: ignore[arg-type]
        lambda: Secrets(GIVEN, scope="A"),
        lambda: Secrets.from_environment("A"),
        lambda: Secrets.from_keyring("service", "A"),
        lambda: Secrets.from_environment(["A"], hosts={"B": ["a.test"]}),
        lambda: Sandbox(secrets="A"),  # type: ignore[arg-type]
    ],
)
def test_what_are_no_secrets_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        make()


# --- where they come from


def test_variables_of_the_environment_by_an_explicit_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTED", "value-one")
    monkeypatch.setenv("UNLISTED", "value-two")
    given = Secrets.from_environment(["LISTED", "UNSET"], hosts={"LISTED": ["api.test"]})
    code = "return Promise.all(['LISTED', 'UNSET', 'UNLISTED', 'PATH'].map(n => getSecret(n).catch(e => e.message)))"
    told = value_with(code, secrets=given)
    assert isinstance(told, list)
    assert told[0].startswith("secret_")
    assert told[1] == UNDEFINED
    assert all(other.endswith('this run may read only "LISTED", "UNSET"') for other in told[2:])
    assert os.environ["UNLISTED"] == "value-two"


class MemoryKeyring(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.entries[service, username]


def test_entries_of_the_keyring_by_an_explicit_list() -> None:
    before = keyring.get_keyring()
    ring = MemoryKeyring()
    ring.set_password("app", "TOKEN", "value-of-token")
    ring.set_password("app", "PLAIN", "value-of-plain")
    ring.set_password("app", "OTHER", "value-of-other")
    keyring.set_keyring(ring)
    try:
        given = Secrets.from_keyring("app", ["TOKEN", "PLAIN", "UNSET"], hosts={"TOKEN": ["api.test"]})
        code = "return Promise.all(['TOKEN', 'PLAIN', 'UNSET', 'OTHER'].map(n => getSecret(n).catch(() => 'refused')))"
        told = value_with(code, secrets=given)
    finally:
        keyring.set_keyring(before)
    assert isinstance(told, list)
    assert told[0].startswith("secret_")
    assert told[1:] == ["value-of-plain", UNDEFINED, "refused"]


# --- what leaves the run


@pytest.mark.parametrize("kind", ["plain", "guarded"])
def test_a_value_leaves_in_no_log_error_or_stack(kind: str) -> None:
    value = 's3cr3t/Value "q"'
    given: dict[str, str | Secret] = {"KEY": value if kind == "plain" else Secret(value, ["a.test"])}
    code = """
        const key = typed;
        await getSecret("KEY");
        console.log("it is", key);
        console.error({ nested: [key] });
        console.log(encodeURIComponent(key), JSON.stringify(JSON.stringify(key)));
        console.log(toBase64(new TextEncoder().encode("u:" + key)), toHex(new TextEncoder().encode(key)));
        function named() { throw Object.assign(new Error("failed with " + key), { name: "E " + key }) }
        Object.defineProperty(named, "name", { value: key });
        named();
    """
    seen: list[tuple[str, str]] = []
    sandbox = Sandbox(secrets=given, on_log=lambda level, text: seen.append((level, text)))
    result = sandbox.run_sync(code, globals={"typed": value})
    told = repr((result.logs, result.error, seen))
    assert result.error is not None
    assert len(result.logs) == 4
    for part in ("s3cr3t", "czNjcjN0", b"s3cr3t".hex()):
        assert part not in told
    assert "[secret KEY]" in result.error.message
    assert "it is [secret KEY]" in result.logs[0]


def test_a_value_leaves_in_no_report_of_progress() -> None:
    seen: list[str | None] = []
    sandbox = Sandbox(secrets={"KEY": "plain-Value-123"}, on_progress=lambda _, text: seen.append(text))
    sandbox.run_sync("progress(1, 'now ' + await getSecret('KEY'))")
    assert seen == ["now [secret KEY]"]


def test_a_value_of_three_characters_is_not_looked_for() -> None:
    result = run_with("console.log('abc', await getSecret('KEY'))", secrets={"KEY": "abc"})
    assert result.logs == ("abc abc",)


def test_fifty_runs_at_once_see_their_own_alone() -> None:
    async def one(number: int) -> object:
        sandbox = Sandbox(secrets={"KEY": f"value-of-run-{number}"})
        code = """
            const all = new Set();
            for (let i = 0; i < 20; i++) { all.add(await getSecret("KEY")); await sleep(1) }
            return [...all]
        """
        return (await sandbox.run(code)).value

    async def main() -> list[object]:
        return await asyncio.gather(*(one(number) for number in range(50)))

    assert asyncio.run(main()) == [[f"value-of-run-{number}"] for number in range(50)]
