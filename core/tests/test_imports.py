from __future__ import annotations

import pytest
from nodetool_sandbox.imports import scan_imports
from nodetool_sandbox.javascript import MAX_PARSED_BYTES
from nodetool_sandbox_registry.graphs import ImportScan


@pytest.mark.parametrize(
    ("source", "scan"),
    [
        ("", ImportScan()),
        ("export const a = 1", ImportScan()),
        ("import a from './b.js'", ImportScan(static=("./b.js",))),
        ("import './é.js'; import b from './a.js'", ImportScan(static=("./é.js", "./a.js"))),
        ("export * from './a.js'; export {x} from './b.js'", ImportScan(static=("./a.js", "./b.js"))),
        ("import a from './a.js'; export {b} from './a.js'", ImportScan(static=("./a.js",))),
        ('import "\\u{2e}/a.js"', ImportScan(static=("./a.js",))),
        ("const f = () => import(x)", ImportScan(dynamic=True)),
        ("import('./a.js')", ImportScan(dynamic=True)),
        ("import.meta.url", ImportScan()),
        ("const fs = require('fs')", ImportScan(require=True)),
        ("a.require('fs'); const o = {require: 1}; requires('x')", ImportScan()),
        ("// import './no.js'\nconst s = `import './no.js'; require('x')`", ImportScan()),
        ("`${require('x')}`", ImportScan(require=True)),
    ],
    ids=repr,
)
def test_a_module_says_what_it_asks_for(source: str, scan: ImportScan) -> None:
    assert scan_imports(source) == scan


def test_a_module_that_does_not_parse_is_told_with_a_line() -> None:
    assert scan_imports("let a\nlet b\nconst = ;").error == "not JavaScript: a syntax error near line 3"
    assert scan_imports("f(\n").error is not None


def test_a_module_of_many_mistakes_is_given_up() -> None:
    assert scan_imports("let = ;" * 20_000).error == "not JavaScript: many syntax errors"


def test_a_long_module_is_scanned_and_one_that_is_too_long_is_refused() -> None:
    line = "const f = (a) => ({...a, b: `${a}`});\n"
    source = line * 10_000 + "import './a.js'"
    assert scan_imports(source) == ImportScan(static=("./a.js",))
    assert scan_imports("//" + "x" * (MAX_PARSED_BYTES - 2)) == ImportScan()
    assert "bytes" in str(scan_imports("//" + "x" * (MAX_PARSED_BYTES - 1)).error)
