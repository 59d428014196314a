"""Programs nested deeper than any parser likes: a value or an error of the guest, never a crash of either parser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from escape.leaks import leaks_of
from nodetool_sandbox import Ended, Limits
from runs import run, value

pytestmark = pytest.mark.timeout(60)

SHAPES: dict[str, Callable[[int], str]] = {
    "arrays": lambda n: "return " + "[" * n + "]" * n,
    "minus_signs": lambda n: "return " + "- " * n + "1",
    "conditionals": lambda n: "return " + "a?b:" * n + "1",
    "parentheses": lambda n: "return " + "(" * n + "1" + ")" * n,
    "templates": lambda n: "return `" + "${`" * n + "`}" * n + "`",
    "ifs": lambda n: "if(1)" * n + ";",
    "arrows": lambda n: "return " + "x=>" * n + "1",
    "optional_chains": lambda n: "a" + "?.b" * n,
    "blocks": lambda n: "{" * n + "}" * n,
    "functions": lambda n: "(function(){" * n + "})" * n,
    "objects": lambda n: "return " + "({a:" * n + "1" + "})" * n,
    "patterns": lambda n: "var " + "[" * n + "a" + "]" * n + " = [];",
    "negations": lambda n: "return " + "!" * n + "1",
    "awaits": lambda n: "return " + "await " * n + "1",
    "news": lambda n: "return " + "new " * n + "Map",
    "commas": lambda n: "return " + "1," * n + "1",
    "sums": lambda n: "return " + "1+" * n + "1",
    "powers": lambda n: "return " + "1**" * n + "1",
    "labels": lambda n: "".join(f"l{i}:" for i in range(n)) + ";",
    "elses": lambda n: "if(0);else " * n + ";",
    "classes": lambda n: "return " + "class extends " * n + "Map {}" + "{}" * n,
    "regexps": lambda n: "return /" + "(?:" * n + ")" * n + "/",
    "strings": lambda n: "return " + "'a'+" * n + "'b'",
    "names": lambda n: "var " + ",".join(f"v{i}" for i in range(n)) + ";",
    "statements": lambda n: ";" * n,
    "assignments": lambda n: "var a; return " + "a=" * n + "1",
    "comments": lambda n: "/*" * n + "*/ return 1",
    "imports_in_front": lambda n: "import 'x';" + "[" * n,
    "imports_behind": lambda n: "[" * n + ";import 'x';",
    "spreads": lambda n: "return " + "[..." * n + "[]" + "]" * n,
}


@pytest.mark.parametrize("times", [10**3, 10**4, 10**5, 10**6])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_deeply_nested_program_is_a_value_or_an_error_of_its_own(shape: str, times: int) -> None:
    result = run(SHAPES[shape](times), limits=Limits(timeout_ms=300, max_source_bytes=64 * 1024 * 1024))
    assert result.ended in {Ended.OK, Ended.FAILED, Ended.TIMEOUT}, result.error
    if result.ended is Ended.FAILED:
        assert result.error is not None
        assert result.error.name in {
            "SyntaxError",
            "RangeError",
            "InternalError",
            "ReferenceError",
            "TypeError",
            "Error",
        }
    assert not leaks_of(result)
    assert value("return 1") == 1
