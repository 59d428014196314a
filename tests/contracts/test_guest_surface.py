"""What a program finds, compared with the lists that the rest of the project reads."""

from __future__ import annotations

from pathlib import Path

import nodetool_sandbox
import pytest
from nodetool_sandbox.surface import ABSENT, CAPABILITIES, GUEST_GLOBALS, HELPERS, LATER, PRIVATE, WEB
from runs import value

PRELUDE = Path(__file__).parents[2] / "core" / "guest" / "prelude"


def test_the_globals_of_a_fresh_guest_are_those_of_the_list() -> None:
    found = value("return Reflect.ownKeys(globalThis).map(String)")
    assert isinstance(found, list)
    assert len(found) == len(set(found))
    assert set(found) == GUEST_GLOBALS | {"Symbol(Symbol.toStringTag)"} & set(found)


def test_no_symbol_hides_on_the_global_object_but_its_tag() -> None:
    symbols = value("return Object.getOwnPropertySymbols(globalThis).map(String)")
    assert symbols in ([], ["Symbol(Symbol.toStringTag)"])


@pytest.mark.parametrize("name", sorted(ABSENT | LATER))
def test_a_name_that_is_absent_on_purpose_is_a_reference_error(name: str) -> None:
    assert value(f"return typeof {name}") == "undefined"
    assert value(f"try {{ {name} }} catch (e) {{ return e.name }}") == "ReferenceError"


def test_the_parts_of_the_list_do_not_overlap() -> None:
    parts = [set(each) for each in (CAPABILITIES, HELPERS, WEB, PRIVATE, LATER, ABSENT)]
    assert sum(map(len, parts)) == len(set().union(*parts))


def test_the_one_name_with_underscores_is_the_documented_one() -> None:
    assert value("return Object.getOwnPropertyNames(globalThis).filter(n => n.startsWith('__'))") == list(
        PRIVATE
    )


@pytest.mark.parametrize("name", [*CAPABILITIES, *HELPERS])
def test_a_capability_is_no_enumerable_global_and_has_no_prototype_of_its_own(name: str) -> None:
    assert value(f"return Object.getOwnPropertyDescriptor(globalThis, '{name}').enumerable") is False


def test_the_public_names_are_sorted_and_there() -> None:
    names = nodetool_sandbox.__all__
    assert sorted(names) == sorted(set(names))
    assert [each for each in names if not hasattr(nodetool_sandbox, each)] == []


def test_whatever_is_public_has_a_docstring() -> None:
    missing = [
        each
        for each in nodetool_sandbox.__all__
        if callable(getattr(nodetool_sandbox, each)) and not getattr(nodetool_sandbox, each).__doc__
    ]
    assert missing == []


@pytest.mark.parametrize("path", sorted(PRELUDE.glob("*.js")), ids=lambda path: path.name)
def test_our_half_joins_no_text_by_a_template(path: Path) -> None:
    # the engine joins one by looking up String.prototype.concat, which a program may have replaced
    assert "${" not in path.read_text(encoding="utf-8")
