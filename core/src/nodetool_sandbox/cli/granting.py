"""What `run` grants a program: nothing, but for what these options name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from nodetool_sandbox.cli.endings import UsageError

if TYPE_CHECKING:
    from nodetool_sandbox import Fetch, Secret, Secrets

_NAME: Final = re.compile(r"[^=@]+")
_HOSTS: Final = re.compile(r"(?:[^@,\s]*[.:][^@,\s]*|localhost)(?:,(?:[^@,\s]*[.:][^@,\s]*|localhost))*")
_FROM_ENVIRONMENT: Final = "env:"


def build_fetch(allow_net: str | None, *, allow_private_net: bool) -> Fetch | None:
    """The power that `--allow-net` and `--allow-private-net` give.

    Raises:
        UsageError: they name no hosts, or the second stands alone.
    """
    if allow_net is None:
        if allow_private_net:
            raise UsageError("--allow-private-net widens --allow-net; give that one too")
        return None
    from nodetool_sandbox import Fetch  # noqa: PLC0415 - an HTTP client, which most programs get none of

    hosts = [host.strip() for host in allow_net.split(",")] if allow_net else None
    try:
        return Fetch(hosts=hosts, allow_private_network=allow_private_net)
    except ValueError as cause:
        raise UsageError(f"--allow-net: {str(cause).removeprefix('Fetch(hosts=...): ')}") from None


def build_secrets(options: Sequence[str], environment: Mapping[str, str] = os.environ) -> Secrets | None:
    """The power that `--secret NAME[=VALUE|=env:VAR][@HOST,...]` gives, once or several times.

    With hosts the program gets a placeholder, and the value goes to them alone. What follows the last `@` is
    hosts where each looks like one (has a dot or a port, or is localhost).

    Raises:
        UsageError: one of them cannot be had. No message holds a value.
    """
    if not options:
        return None
    from nodetool_sandbox import Secrets  # noqa: PLC0415 - as above

    given: dict[str, str | Secret] = {}
    for option in options:
        name, secret = _parse_secret(option, environment)
        if name in given:
            raise UsageError(f"--secret {name}: it is given twice")
        given[name] = secret
    return Secrets(given, scope=list(given))


def _parse_secret(option: str, environment: Mapping[str, str]) -> tuple[str, str | Secret]:
    from nodetool_sandbox import Secret  # noqa: PLC0415 - as above

    found = _NAME.match(option)
    if found is None:
        raise UsageError("--secret: write it like NAME, NAME=VALUE or NAME=env:VARIABLE, and @HOST behind it")
    name = found.group()
    rest = option[len(name) :]
    before, at, hosts = rest.rpartition("@")
    if not at or not _HOSTS.fullmatch(hosts):
        before, hosts = rest, ""
    if before and not before.startswith("="):
        raise UsageError(f"--secret {name}: what stands behind @ is no host, such as api.example.com")
    value = before.removeprefix("=") if before else f"{_FROM_ENVIRONMENT}{name}"
    if value.startswith(_FROM_ENVIRONMENT):
        variable = value.removeprefix(_FROM_ENVIRONMENT)
        if variable not in environment:
            raise UsageError(f"--secret {name}: the variable {variable} is not set")
        value = environment[variable]
    if not hosts:
        return name, value
    try:
        return name, Secret(value, hosts.split(","))
    except ValueError as cause:
        raise UsageError(f"--secret {name}: {cause}") from None
