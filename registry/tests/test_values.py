from __future__ import annotations

import copy

import nodetool_sandbox_registry as registry
from nodetool_sandbox_registry import (
    UNDEFINED,
    BigInt,
    HostCallError,
    HostExport,
    HostId,
    HostModule,
    JSMap,
    JSSet,
    Undefined,
)


def test_undefined_is_one_and_false() -> None:
    assert Undefined() is UNDEFINED
    assert not UNDEFINED
    assert repr(UNDEFINED) == "UNDEFINED"
    assert copy.deepcopy(UNDEFINED) is UNDEFINED


def test_a_bigint_is_an_int_that_says_what_it_is() -> None:
    assert BigInt(10) + 1 == 11
    assert repr(BigInt(10)) == "BigInt(10)"


def test_maps_and_sets_keep_their_order() -> None:
    assert (list(JSMap(((1, 2), (0, 1)))), len(JSMap())) == ([(1, 2), (0, 1)], 0)
    assert (list(JSSet((2, 1))), len(JSSet((1,)))) == ([2, 1], 1)


def test_a_host_module_has_the_exports_that_it_lists_and_no_others() -> None:
    export = HostExport(name="parse", function=lambda _args, _deadline: None)
    module = HostModule(host_id=HostId("x"), exports=(export,))
    assert module.export("parse") is export
    assert [module.export(name) for name in ("constructor", "__proto__", None, 1, ["parse"])] == [None] * 5


def test_a_refusal_for_the_guest_has_a_name_a_message_and_details() -> None:
    plain = HostCallError("no")
    assert (str(plain), plain.name, plain.message, plain.details) == ("no", "Error", "no", {})
    assert HostCallError("no", name="RangeError", details={"line": 1}).details == {"line": 1}


def test_what_is_public_is_listed_and_there() -> None:
    assert len(set(registry.__all__)) == len(registry.__all__)
    assert all(hasattr(registry, name) for name in registry.__all__)
