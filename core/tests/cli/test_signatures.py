"""What an index.d.ts says that modules export."""

from __future__ import annotations

import pytest
from nodetool_sandbox.cli.authoring.signatures import parse_signatures
from nodetool_sandbox_registry.packs import MAX_TYPES_BYTES


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("export function one(a: string): number;", {"one"}),
        ("export declare function one(): void;", {"one"}),
        ("export async function one() {}", {"one"}),
        ("export const a: number, b: { c(): void };", {"a", "b"}),
        ("export declare let a: 1;\nexport var b: 2;", {"a", "b"}),
        ("export class A {}\nexport abstract class B {}\nexport declare class C {}", {"A", "B", "C"}),
        ("export enum E { A }", {"E"}),
        ("export interface I {}\nexport type T = 1;", set()),
        ("export { a, b as c, type D };", {"a", "c"}),
        ("export { a as default };", {"default"}),
        ("export type { E };", set()),
        ("declare const all: { x(): void };\nexport default all;", {"default"}),
        ("export default function named(): void;", {"default"}),
        ('export * as ns from "./y";', {"ns"}),
        ("declare const hidden: 1;\n/* export const a */\n// export const b", set()),
        ("export const text: 'export const other: 1;';", {"text"}),
    ],
)
def test_values_are_told_from_types(text: str, values: set[str]) -> None:
    signatures = parse_signatures(text)
    assert (signatures.own.values, signatures.own.is_open, signatures.error_line) == (values, False, None)


def test_what_may_be_there_is_not_asked_for() -> None:
    own = parse_signatures("export namespace N { const a: 1; }\nexport const enum C { A }").own
    assert (own.values, own.possible) == (set(), {"N", "C"})


@pytest.mark.parametrize("text", ['export * from "./y";', "export = all;", "export const { a } = all;"])
def test_where_the_names_are_not_there_any_may_be(text: str) -> None:
    assert parse_signatures(text).own.is_open


def test_a_module_that_is_declared_from_outside_exports_everything() -> None:
    text = """
    declare module "acme/one" { export function a(): void; function b(): void; interface I {} }
    declare module "acme/two" { const hidden: 1; export { hidden as shown }; }
    declare module "acme/one" { const c: 3; }
    declare module 'other';
    declare global { const d: 4; }
    """
    signatures = parse_signatures(text)
    assert {name: each.values for name, each in signatures.modules.items()} == {
        "acme/one": {"a", "b", "c"},
        "acme/two": {"shown"},
    }
    assert signatures.own.values == set()


def test_the_first_mistake_has_its_line() -> None:
    assert parse_signatures("export const a: 1;\n\nexport nothing to b;\n").error_line == 3


@pytest.mark.parametrize(
    "unit", ["declare ", "declare module 'x' {", "export default ", "(", "let = ;", "type A<"]
)
def test_a_text_that_attacks_its_reader_is_read_to_its_end(unit: str) -> None:
    text = (unit * MAX_TYPES_BYTES)[:MAX_TYPES_BYTES]
    assert parse_signatures(text).own.values <= {"default"}
    assert parse_signatures(f"export {unit * 1_000}const a: 1;").modules.keys() <= {"x"}
