"""The yaml pack where programs meet it: its guest half (classes, callbacks, identity) over its host half."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from nodetool_sandbox import RunResult, Sandbox

IMPORT = 'import yaml, * as all from "@nodetool-ai/sandbox-yaml";\n'


def run(code: str, **inputs: object) -> RunResult:
    return Sandbox().run_sync(
        IMPORT + code, modules=["@nodetool-ai/sandbox-yaml"], globals={"inputs": inputs}
    )


def value(code: str, **inputs: object) -> object:
    result = run(code, **inputs)
    assert result.success, result.error
    return result.value


def test_named_imports_and_the_default_import_are_the_same_functions() -> None:
    assert value("return Object.keys(yaml).every((name) => yaml[name] === all[name])") is True


def test_every_kind_of_value_arrives_as_javascript_has_it() -> None:
    text = "{n: ~, b: true, i: 7, f: -0.5, s: 'x', d: 2026-03-01, l: [1], m: {k: v}, y: !!binary aGk=, nan: .nan}"
    seen = value("const v = yaml.load(inputs.text); return { ...v, date: v.d instanceof Date }", text=text)
    assert isinstance(seen, dict)
    nan = seen.pop("nan")
    assert nan is None or nan != nan  # noqa: PLR0124 - NaN
    assert seen == {
        "n": None,
        "b": True,
        "i": 7,
        "f": -0.5,
        "s": "x",
        "d": datetime(2026, 3, 1, tzinfo=UTC),
        "l": [1],
        "m": {"k": "v"},
        "y": b"hi",
        "date": True,
    }


def test_load_needs_no_await_and_takes_one() -> None:
    assert value("return [yaml.load('a: 1').a, (await yaml.load('a: 2')).a]") == [1, 2]


def test_a_mistake_is_a_yaml_exception_with_its_mark() -> None:
    seen = value(
        """
        try { yaml.load("host: a\\nport: [1, 2\\n", { filename: "app.yml" }); } catch (error) {
          const { name, line, column, snippet, buffer, position } = error.mark;
          return {
            classes: [error instanceof all.YAMLException, error instanceof Error, error.name],
            compact: error.toString(true), name, line, column, position, snippet, buffer, reason: error.reason,
          };
        }
        """
    )
    assert isinstance(seen, dict)
    assert seen["classes"] == [True, True, "YAMLException"]
    assert seen["name"] == "app.yml"
    assert seen["line"] == 2
    assert seen["buffer"] == "host: a\nport: [1, 2\n"
    assert (
        seen["compact"]
        == f'YAMLException: {seen["reason"]} in "app.yml" ({seen["line"] + 1}:{seen["column"] + 1})'
    )
    assert "port: [1, 2" in str(seen["snippet"])


def test_an_uncaught_mistake_names_itself_and_the_programs_line() -> None:
    error = run("\nyaml.load('a: b: c')").error
    assert error is not None
    assert error.name == "YAMLException"
    assert error.line == 3


def test_a_replacer_sees_every_key_with_its_holder() -> None:
    code = """
    const seen = [];
    const text = yaml.dump({ a: { secret: 1, kept: 2 } }, {
      replacer(key, value) { seen.push([key, Object.keys(this)]); return key === "secret" ? undefined : value; },
    });
    return { text, seen };
    """
    assert value(code) == {
        "text": "a:\n  kept: 2\n",
        "seen": [["", [""]], ["a", ["a"]], ["secret", ["secret", "kept"]], ["kept", ["secret", "kept"]]],
    }


@pytest.mark.parametrize(
    ("sort", "text"),
    [
        ("true", "a: 1\nb: 2\nc: 3\n"),
        ("(x, y) => (x < y ? 1 : -1)", "c: 3\nb: 2\na: 1\n"),
        ("false", "b: 2\na: 1\nc: 3\n"),
    ],
)
def test_keys_are_sorted_as_asked(sort: str, text: str) -> None:
    assert value(f"return yaml.dump({{ b: 2, a: 1, c: 3 }}, {{ sortKeys: {sort} }})") == text


def test_an_error_in_a_callback_is_the_programs_own() -> None:
    code = """
    class Mine extends Error {}
    const own = new Mine("mine");
    const caught = [];
    for (const call of [
      () => yaml.dump({ a: 1 }, { replacer() { throw own; } }),
      () => yaml.dump({ a: 1, b: 2 }, { sortKeys() { throw own; } }),
      () => yaml.loadAll("a\\n---\\nb", () => { throw own; }),
    ]) try { call(); } catch (error) { caught.push(error === own); }
    return caught;
    """
    assert value(code) == [True, True, True]


def test_load_all_calls_its_iterator_for_each_document() -> None:
    code = """
    const seen = [];
    const returned = yaml.loadAll("a: 1\\n---\\nb: 2\\n", (document) => seen.push(document));
    return { seen, returned: returned === undefined, listed: yaml.loadAll("1\\n---\\n2\\n") };
    """
    assert value(code) == {"seen": [{"a": 1}, {"b": 2}], "returned": True, "listed": [1, 2]}


def test_an_anchor_is_one_object() -> None:
    code = """
    const v = yaml.load("x: &a { n: 1 }\\ny: *a\\nz: { <<: *a, m: 2 }\\n");
    v.x.n = 9;
    return [v.x === v.y, v.y.n, v.z.n, v.z.m];
    """
    assert value(code) == [True, 9, 1, 2]


def test_a_cycle_is_read_and_written() -> None:
    code = """
    const v = yaml.load("&a { self: *a, list: &l [*l] }");
    const made = { name: "me" };
    made.self = made;
    return [v.self === v, v.list[0] === v.list, yaml.dump(made)];
    """
    assert value(code) == [True, True, "&ref_0\nname: me\nself: *ref_0\n"]


def test_shared_objects_are_written_as_references_or_out() -> None:
    code = """
    const shared = { k: 1 };
    const value = { a: shared, b: [shared] };
    return [yaml.dump(value), yaml.dump(value, { noRefs: true })];
    """
    assert value(code) == [
        "a: &ref_0\n  k: 1\nb:\n  - *ref_0\n",
        "a:\n  k: 1\nb:\n  - k: 1\n",
    ]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("new yaml.Type('!x')", "Type needs functions inside the parser"),
        ("new yaml.Schema([])", "a schema of your own needs functions"),
        ("yaml.load('a', { listener() {} })", "the option listener needs functions"),
        ("yaml.dump({ f() {} })", "unacceptable kind of an object to dump [object Function]"),
        ("yaml.safeLoad('a')", "Use yaml.load instead"),
        ("yaml.load('!!js/function x')", "unknown tag"),
        ("yaml.load('['.repeat(101))", "nesting exceeded maxDepth (100)"),
    ],
)
def test_what_is_refused_says_why(code: str, reason: str) -> None:
    error = run(code).error
    assert error is not None
    assert reason in error.message


def test_a_key_called_proto_is_a_key() -> None:
    code = """
    const v = yaml.load("__proto__: { polluted: true }");
    return [Object.keys(v), v.polluted === undefined, ({}).polluted === undefined, yaml.dump(v)];
    """
    assert value(code) == [["__proto__"], True, True, "__proto__:\n  polluted: true\n"]


def test_the_calls_of_a_run_are_listed() -> None:
    result = run("yaml.load('a: 1'); yaml.dump({ a: 1 }); return 1")
    assert [call.name for call in result.calls] == ["yaml.load", "yaml.dump"]
