from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodetool_sandbox.entry import Entry, build_entry, wrap_code
from nodetool_sandbox.errors import LimitExceeded
from nodetool_sandbox.import_sites import MAX_SEARCHED_BYTES
from nodetool_sandbox.javascript import UNWATCHED_BYTES

OPENING = "export default await (async () => {"


def specifiers(code: str) -> list[str]:
    return [site.specifier for site in build_entry(code).imports]


def test_wrapped_code_holds_the_code_in_an_async_function() -> None:
    lines = wrap_code("return 1\n// end").split("\n")
    assert lines == [
        "",
        OPENING,
        "return 1",
        "// end",
        "})();",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "return 1",
        "",
        "const = ;",
        "import {",
        "import { a from 'b'; const = ;",
        "return import('x')",
        "import.meta.url",
        "const s = `\nimport a from 'b';\n`;",
        "/*\nimport a from 'b';\n*/",
        "// import a from 'b'\nreturn 1",
        "const t = \"import a from 'b'\"",
        "if (1) { import a from 'b' }",
        "x.import; $import ; ({import: 1})",
        "`${'import a from'}`; /import 'x'/",
        "importantly('x')",
    ],
)
def test_code_without_an_import_that_can_be_lifted_is_wrapped_as_it_is(code: str) -> None:
    entry = build_entry(code)
    assert entry == Entry(source=wrap_code(code), code=code, imports=(), line_offset=2)


def test_an_import_stands_on_line_one_and_leaves_a_blank_line() -> None:
    entry = build_entry('import a from "b"\nreturn a')
    lines = entry.source.split("\n")
    assert lines[0] == 'import a from "b";'
    assert not lines[1]
    assert lines[2] == OPENING
    assert lines[3] == " " * len('import a from "b"')
    assert lines[4] == "return a"
    assert entry.line_offset == 3


def test_two_imports_share_line_one_and_dynamic_ones_stay() -> None:
    entry = build_entry('import a from "b";\nimport {c} from "d";\nawait import("e")')
    assert entry.source.split("\n")[0] == 'import a from "b"; import {c} from "d";'
    assert 'await import("e")' in entry.source
    assert [site.specifier for site in entry.imports] == ["b", "d"]


def test_the_prelude_runs_on_the_line_before_the_program() -> None:
    entry = build_entry('import a from "b"', prelude="delete globalThis.__x;")
    assert entry.source.split("\n")[1] == "delete globalThis.__x;"
    assert build_entry("1", prelude="p()").source == wrap_code("1", "p()")
    with pytest.raises(ValueError, match="one line"):
        build_entry("1", prelude="a\nb")


IMPORTS = [
    "import a from 'x'",
    "import 'x'",
    "import * as a from 'x'",
    "import a, * as b from 'x'",
    "import a, {b as c} from 'x'",
    "import {default as a, 'odd name' as b} from 'x'",
    "import {} from 'x'",
    "import from from 'x'",
    "import{a}from'x'",
    "import/**/a/**/from/**/'x'",
    "import a from 'x' with {type: 'json'}",
    'import "\\x78"',
    'import "\\u0078"',
    'import "\\u{78}"',
    'import "\\\nx"',
    'import "\\\r\nx"',
    "import {\n  a, // first; 'no'\n  b, /* second\n */\n} from 'x'",
    "import {\r\n a\r\n} from 'x'",
]


@pytest.mark.parametrize("statement", IMPORTS)
@pytest.mark.parametrize("end", ["", ";", " ;", "\n", "\n;", " // note\n", "; f()\n"], ids=repr)
@pytest.mark.parametrize(
    "before", ["", "\ufeff", "'use strict'; ", "\n\n", "// é \U0001f600\n", "/* ü */ ", "f();\n"], ids=repr
)
def test_every_form_of_import_is_lifted_wherever_it_stands(before: str, statement: str, end: str) -> None:
    code = f"{before}{statement}{end}"
    entry = build_entry(code)
    (site,) = entry.imports
    assert site.specifier == "x"
    first, _, _, *body = entry.source.split("\n")
    assert first == site.text
    assert "\r" not in first
    assert first.endswith(";")
    blanked = "\n".join(body[:-1])
    assert len(blanked) == len(code)
    assert blanked[: site.start] == code[: site.start]
    assert blanked[site.end :] == code[site.end :]
    assert not blanked[site.start : site.end].strip()
    assert blanked.count("\n") == code.count("\n")


def test_comments_of_an_import_do_not_swallow_what_follows_them_on_the_one_line() -> None:
    entry = build_entry("import { a, // first\n b } from 'x'\nreturn a")
    assert entry.source.split("\n")[0] == "import { a,           b } from 'x';"


@pytest.mark.parametrize(
    "code",
    [
        "import a from 'x';\nconst = ;\n",
        "import a from 'x';\nf(() => {\n",
        "import a from 'x';\nconst s = `\n",
        "import a from 'x';\nreturn (",
    ],
)
def test_imports_in_front_of_a_mistake_are_lifted_so_that_the_engine_names_the_mistake(code: str) -> None:
    assert specifiers(code) == ["x"]


def test_imports_behind_a_mistake_are_left_to_the_engine() -> None:
    assert specifiers("import a from 'x';\nconst = ;\nimport b from 'y';") == ["x"]


@pytest.mark.parametrize(
    "text", ["\0", "\ud800", "\udfff\ud800", "\u2028", "\u2029", "\ufeff", "\U0001f600"], ids=ascii
)
def test_odd_characters_reach_the_engine_as_they_are(text: str) -> None:
    code = f"const s = '{text}'; import a from 'x'; return '{text}'"
    entry = build_entry(code)
    assert [site.specifier for site in entry.imports] == ["x"]
    assert (
        entry.source.split("\n")[3]
        == f"const s = '{text}'; {'import a from ' + chr(39) + 'x' + chr(39) + ';':.0}{' ' * 18} return '{text}'"
    )


def test_words_that_look_like_imports_inside_of_functions_do_not_hide_real_ones() -> None:
    code = (
        "f(() => {\n  // import the 'thing' first\n  return `import b from 'no'`;\n});\nimport a from 'x';\n"
    )
    assert specifiers(code) == ["x"]


@pytest.mark.parametrize(
    "code",
    [
        "import a from 'x';\n" + "const n = 1;\n" * 10_000,
        "const n = 1;\n" * 1_000 + "import a from 'x';\n",
        "const n = 1;\n" * 10_000 + "import a from 'x';\n" + "const m = 1;\n" * 10_000,
        "// x\n" * UNWATCHED_BYTES + "import a from 'x';",
    ],
    ids=["first", "late", "middle", "after a long comment"],
)
def test_imports_of_long_programs_are_found(code: str) -> None:
    assert specifiers(code) == ["x"]


def test_an_import_behind_more_code_than_is_parsed_is_left_to_the_engine() -> None:
    line = "const n = 1;\n"
    fits = line * ((MAX_SEARCHED_BYTES - 20) // len(line))
    assert specifiers(f"{fits}import 'x';") == ["x"]
    assert specifiers(f"import 'y'\n{fits}{line}{line}import 'x';") == ["y"]


def test_ten_thousand_imports_are_lifted() -> None:
    code = 'import y from "@nodetool-ai/sandbox-yaml";\n' * 10_000
    assert len(build_entry(code).imports) == 10_000


DEEP = {
    "brackets": lambda n: "return " + "[" * n + "]" * n,
    "unary": lambda n: "return " + "-" * n + "1",
    "conditional": lambda n: "return " + "a?b:" * n + "1",
    "parentheses": lambda n: "return " + "(" * n + "1" + ")" * n,
    "templates": lambda n: "return `" + "${`" * n + "`}" * n + "`",
    "ifs": lambda n: "if(1)" * n + ";",
    "arrows": lambda n: "return " + "x=>" * n + "1",
    "chains": lambda n: "a" + "?.b" * n,
}


@pytest.mark.parametrize("shape", DEEP)
@pytest.mark.parametrize("n", [10**3, 10**4, 10**5])
def test_deep_nesting_does_not_break_the_search_for_imports(shape: str, n: int) -> None:
    deep = DEEP[shape](n)
    assert build_entry(deep).source == wrap_code(deep)
    assert specifiers(f"import a from 'x';\n{deep}") == ["x"]
    # Here the nested text itself is parsed, or too long for it.
    assert len(build_entry(f"{deep}\nimport a from 'x';").imports) <= 1


def test_text_made_to_exhaust_the_parser_s_recovery_from_errors_is_given_up() -> None:
    for code in ("let = ;" * 100_000, "import 'x';" + "let = ;import 'y';" * 50_000):
        assert len(build_entry(code).imports) <= 1


@pytest.mark.parametrize("value", [b"return 1", None, 1, ["return 1"]], ids=repr)
def test_code_that_is_no_text_is_refused_by_name(value: object) -> None:
    with pytest.raises(TypeError, match="code must be a str"):
        build_entry(value)  # type: ignore[arg-type]


def test_a_program_may_have_so_many_bytes_and_not_one_more() -> None:
    code = "//" + "é" * 499
    assert build_entry(code, max_source_bytes=1000)
    with pytest.raises(LimitExceeded, match="max_source_bytes: 1,001 where 1,000") as caught:
        build_entry(code + "x", max_source_bytes=1000)
    assert caught.value.limit == "max_source_bytes"
    assert build_entry("//" + "\ud800" * 300, max_source_bytes=1000)


def user_position(entry: Entry, line: int, column: int) -> tuple[int, int] | None:
    """Where a line of the entry module lies; the engine is told to count from the program's first line."""
    return entry.user_position(line - entry.line_offset, column)


def test_a_position_in_the_body_is_the_user_s_own() -> None:
    plain = build_entry("let a\n  throw 1")
    assert user_position(plain, 4, 3) == (2, 3)
    lifted = build_entry("import a from 'x'; b()\n  throw 1")
    assert user_position(lifted, 4, 20) == (1, 20)
    assert user_position(lifted, 5, 3) == (2, 3)


def test_a_position_in_our_own_lines_is_none_of_the_user_s() -> None:
    assert user_position(build_entry("a"), 1, 5) is None
    assert user_position(build_entry("a"), 2, 5) is None
    assert user_position(build_entry("import 'x'"), 2, 5) is None
    assert user_position(build_entry("import 'x'"), 3, 5) is None


def test_a_position_behind_the_program_is_its_end() -> None:
    assert user_position(build_entry("f(\nab"), 5, 1) == (2, 3)
    assert user_position(build_entry("f(\nab"), 99, 7) == (2, 3)
    assert user_position(build_entry("import 'x'\nab"), 6, 1) == (2, 3)


def test_a_position_in_a_lifted_import_is_where_it_stood() -> None:
    entry = build_entry("\n import a from 'x'\nimport {\n  b,\n  c } from 'y'")
    line = entry.source.split("\n")[0]
    assert user_position(entry, 1, line.index("a") + 1) == (2, 9)
    assert user_position(entry, 1, line.index("b") + 1) == (4, 3)
    assert user_position(entry, 1, line.index("'y'") + 1) == (5, 12)
    assert user_position(entry, 1, 1) == (2, 2)
    assert user_position(entry, 1, 9_999) == (5, 15)
    assert user_position(entry, 1, 0) == (2, 2)


def test_columns_are_bytes_to_the_engine_and_characters_to_the_user() -> None:
    entry = build_entry("'é\U0001f600' + x")
    assert user_position(entry, 3, len("'é\U0001f600' + ".encode()) + 1) == (1, len("'é\U0001f600' + ") + 1)
    lone = build_entry("'\ud800' + x")
    assert user_position(lone, 3, 9) == (1, 7)


@pytest.mark.property
@given(st.text(max_size=30), st.integers(-1, 40), st.integers(-1, 80))
def test_any_position_of_the_engine_lies_in_the_program_or_nowhere(code: str, line: int, column: int) -> None:
    entry = build_entry("import 'x'\n" + code)
    position = user_position(entry, line, column)
    if position is not None:
        lines = entry.code.split("\n")
        assert 1 <= position[0] <= len(lines)
        assert 1 <= position[1] <= len(lines[position[0] - 1]) + 1
