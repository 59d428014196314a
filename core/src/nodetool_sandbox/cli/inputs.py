"""What the program gets: `--input NAME=...` to the value of `inputs.NAME`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Never

from nodetool_sandbox.cli.arguments import STANDARD_INPUT
from nodetool_sandbox.cli.endings import UsageError

_JSON_FILE = "@json:"
_BYTES_FILE = "@bytes:"
_TEXT_FILE = "@"


def parse_inputs(given: Iterable[str]) -> dict[str, object]:
    """The value of each input, in order.

    Raises:
        UsageError: one has no name, the name of another, or a value that cannot be read.
    """
    inputs: dict[str, object] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not equals or not name:
            raise UsageError(f"--input {each!r} is not NAME=VALUE")
        if name in inputs:
            raise UsageError(f"--input {name!r} is there twice")
        inputs[name] = _load_value(name, text)
    return inputs


def load_program(file: str) -> str:
    """The text of a program.

    Raises:
        UsageError: it cannot be read, or is not UTF-8.
    """
    if file == STANDARD_INPUT:
        return _decode(sys.stdin.buffer.read(), "standard input")
    return _load_text(file)


def _load_value(name: str, text: str) -> object:
    if text.startswith(_BYTES_FILE):
        return _load_bytes(text.removeprefix(_BYTES_FILE))
    if text.startswith(_JSON_FILE):
        path = text.removeprefix(_JSON_FILE)
        return _parse_json(_load_text(path), f"{path}: ")
    if text.startswith(_TEXT_FILE):
        return _load_text(text.removeprefix(_TEXT_FILE))
    hint = f"; for text write --input '{name}=\"...\"', for a file --input {name}=@FILE"
    return _parse_json(text, f"--input {name}: ", hint)


def _parse_json(text: str, where: str, hint: str = "") -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise UsageError(f"{where}too many brackets inside of brackets") from None
    except ValueError as error:
        raise UsageError(f"{where}not JSON: {error}{hint}") from None


def _refuse_constant(name: str) -> Never:
    message = f"{name} is no JSON number"
    raise ValueError(message)


def _load_text(path: str) -> str:
    return _decode(_load_bytes(path), path)


def _load_bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: cannot be read: {reason}") from None


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: byte {error.start} is not UTF-8; pass bytes with @bytes:FILE") from None
