"""`nodetool-sandbox run`: no network and no secret but what the options name."""

from __future__ import annotations

from typing import Final

import pytest
from loopback import HELLO, Server, http
from nodetool_sandbox.cli import main
from nodetool_sandbox.cli.granting import build_fetch, build_secrets
from powers import value_with

Captured = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    return main(["run", *arguments])


@pytest.mark.parametrize(
    ("code", "flag"), [("fetch('http://a.test/')", "--allow-net"), ("getSecret('A')", "--secret NAME")]
)
def test_a_power_that_was_not_given_is_named_with_its_flag(capsys: Captured, code: str, flag: str) -> None:
    assert run("-e", f"await {code}") == 1
    assert flag in capsys.readouterr().err


def test_the_network_that_is_allowed_is_the_public_one(capsys: Captured) -> None:
    assert run("--allow-net", "-e", "await fetch('http://127.0.0.1:1/')") == 1
    assert 'access to internal/private address "127.0.0.1" is blocked' in capsys.readouterr().err


def test_hosts_behind_the_flag_are_all_that_is_reached(capsys: Captured) -> None:
    assert run("--allow-net=a.test,*.b.test", "-e", "await fetch('http://c.test/')") == 1
    assert "this run may reach a.test, *.b.test only" in capsys.readouterr().err


def test_the_private_network_is_a_flag_of_its_own(capsys: Captured) -> None:
    with Server(HELLO) as server:
        url = f"http://127.0.0.1:{server.port}/"
        assert (
            run("--allow-net=127.0.0.1", "--allow-private-net", "-e", f"return (await fetch('{url}')).body")
            == 0
        )
    assert capsys.readouterr().out == "hello\n"


def test_a_program_behind_the_flag_is_no_host(capsys: Captured) -> None:
    assert run("--allow-net", "no_such_file.js") == 2
    assert "no_such_file.js" in capsys.readouterr().err


REFUSED: Final = [
    (["--allow-private-net"], "give that one too"),
    (["--allow-net=http://a.test/"], "is no host"),
    (["--allow-net=a.test,,b.test"], "is no host"),
    (["--secret", "=value"], "write it like"),
    (["--secret", ""], "write it like"),
    (["--secret", "UNSET_A"], "the variable UNSET_A is not set"),
    (["--secret", "A=env:UNSET_A"], "the variable UNSET_A is not set"),
    (["--secret", "A=short@a.test"], "could be found by trying"),
    (["--secret", "A@nonsense"], "is no host"),
    (["--secret", "A=hunter22", "--secret", "A=hunter23"], "given twice"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED, ids=str)
def test_an_option_that_cannot_be_meant_runs_nothing(capsys: Captured, options: list[str], why: str) -> None:
    assert run(*options, "-e", "return 1") == 2
    told = capsys.readouterr()
    assert why in told.err
    assert not told.out
    assert "hunter2" not in told.err


PLAIN: Final = {
    "A=value": "value",
    "A=": "",
    "A=a=b": "a=b",
    "A=pa@ss": "pa@ss",
    "A=user@pass,word": "user@pass,word",
    "A=env:VARIABLE": "from-the-environment",
    "A": "from-a",
}


@pytest.mark.parametrize(("option", "value"), PLAIN.items())
def test_a_secret_without_hosts_is_handed_over(option: str, value: str) -> None:
    environment = {"A": "from-a", "VARIABLE": "from-the-environment"}
    secrets = build_secrets([option], environment)
    assert value_with("return getSecret('A')", secrets=secrets) == value


@pytest.mark.parametrize(
    ("option", "value", "hosts"),
    [
        ("A=value-long-enough@api.test", "value-long-enough", ["api.test"]),
        ("A=value@long@api.test,*.b.test:8443", "value@long", ["api.test", "*.b.test:8443"]),
        ("A=env:VARIABLE@localhost", "from-the-environment", ["localhost"]),
        ("A@localhost:8080,api.test", "from-a-long-enough", ["localhost:8080", "api.test"]),
    ],
)
def test_a_secret_with_hosts_is_not(option: str, value: str, hosts: list[str]) -> None:
    environment = {"A": "from-a-long-enough", "VARIABLE": "from-the-environment"}
    secrets = build_secrets([option], environment)
    assert str(value_with("return getSecret('A')", secrets=secrets)).startswith("secret_")
    assert secrets is not None
    assert isinstance(secrets._source, dict)
    kept = secrets._source["A"]
    assert (kept.value, [str(rule) for rule in kept.hosts]) == (value, hosts)


def test_other_variables_of_the_environment_are_not_read(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIVEN", "value-one")
    code = "return Promise.all(['GIVEN', 'PATH', 'HOME'].map(n => getSecret(n).catch(() => 'refused')))"
    assert run("--secret", "GIVEN", "-e", code) == 0
    assert capsys.readouterr().out == '[\n  "value-one",\n  "refused",\n  "refused"\n]\n'


def test_a_secret_goes_from_the_command_line_to_its_host_and_is_not_shown(capsys: Captured) -> None:
    with Server(lambda request: http(request.body)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        code = f"""
            const key = await getSecret("KEY");
            console.log(key, "hunter2-hunter2");
            return fetch("{url}", {{ method: "POST", body: key }}).then(r => r.body, e => e.message)
        """
        net = ("--allow-net", "--allow-private-net")
        assert run(*net, "--secret", "KEY=hunter2-hunter2@127.0.0.1", "-e", code) == 0
    told = capsys.readouterr()
    assert "is sent over https: alone" in told.out
    assert "hunter2" not in told.out + told.err


def test_nothing_is_granted_where_nothing_is_asked_for() -> None:
    assert build_fetch(None, allow_private_net=False) is None
    assert build_secrets([]) is None
