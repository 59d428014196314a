"""What an index.d.ts says that modules export, read from its syntax tree.

Types are no values, so interfaces and type aliases do not count. A namespace or a `const enum` may or may
not be there at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

_LANGUAGE: Final = Language(tree_sitter_typescript.language_typescript())
_DECLARED: Final = {
    "function_signature",
    "function_declaration",
    "generator_function_declaration",
    "class_declaration",
    "abstract_class_declaration",
    "enum_declaration",
    "lexical_declaration",
    "variable_declaration",
    "internal_module",
}


@dataclass(slots=True)
class Declared:
    """The exports of one module: those that must be there, those that may, and whether there may be others."""

    values: set[str] = field(default_factory=set)
    possible: set[str] = field(default_factory=set)
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """An index.d.ts: what stands at its top level, and in each `declare module "..."`.

    `error_line` is where it stops being TypeScript, or None.
    """

    own: Declared
    modules: Mapping[str, Declared]
    error_line: int | None


def parse_signatures(text: str) -> Signatures:
    """What the text declares; a text with mistakes is read as far as it can be."""
    root = Parser(_LANGUAGE).parse(text.encode("utf-8", "surrogatepass")).root_node
    modules: dict[str, Declared] = {}
    for node in root.named_children:
        for module in _children(node, "module"):
            name, body = module.child_by_field_name("name"), module.child_by_field_name("body")
            if name is not None and name.type == "string" and body is not None:
                _read_module(body, modules.setdefault(_text(name)[1:-1], Declared()))
    own = Declared()
    for node in _children(root, "export_statement"):
        _read_export(node, own)
    return Signatures(own=own, modules=modules, error_line=_first_error_line(root))


def _read_module(body: Node, declared: Declared) -> None:
    exports = _children(body, "export_statement")
    for node in exports:
        _read_export(node, declared)
    # In a module that is declared from outside everything is exported, unless an export list says what is.
    if not any(_children(node, "export_clause") or _is_assignment(node) for node in exports):
        for node in body.named_children:
            _read_declaration(node, declared)


def _read_export(node: Node, declared: Declared) -> None:
    words = {child.type for child in node.children if not child.is_named}
    if "type" in words:
        return
    if "default" in words:
        declared.values.add("default")
        return
    if _is_assignment(node) or ("*" in words and not _children(node, "namespace_export")):
        declared.is_open = True
        return
    for namespace in _children(node, "namespace_export"):
        declared.values.update(map(_text, namespace.named_children[:1]))
    for clause in _children(node, "export_clause"):
        for each in _children(clause, "export_specifier"):
            name = each.child_by_field_name("alias") or each.child_by_field_name("name")
            if name is not None and not any(child.type == "type" for child in each.children):
                declared.values.add(_text(name))
    for child in node.named_children:
        _read_declaration(child, declared)


def _read_declaration(node: Node, declared: Declared) -> None:
    # With a stack of its own: `declare declare declare ...` is as deep as the text is long.
    todo = [node]
    while todo:
        each = todo.pop()
        if each.type == "ambient_declaration":
            todo += each.named_children
        else:
            _read_names(each, declared)


def _read_names(node: Node, declared: Declared) -> None:
    if node.type in {"lexical_declaration", "variable_declaration"}:
        for each in _children(node, "variable_declarator"):
            name = each.child_by_field_name("name")
            if name is not None and name.type == "identifier":
                declared.values.add(_text(name))
            else:
                declared.is_open = True
    elif node.type in _DECLARED:
        name = node.child_by_field_name("name")
        is_possible = node.type == "internal_module" or any(each.type == "const" for each in node.children)
        if name is not None:
            (declared.possible if is_possible else declared.values).add(_text(name))


def _is_assignment(node: Node) -> bool:
    return any(child.type == "=" for child in node.children)


def _children(node: Node, kind: str) -> list[Node]:
    return [child for child in node.named_children if child.type == kind]


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _first_error_line(root: Node) -> int | None:
    return next((node.start_point.row + 1 for node in _errors(root)), None)


def _errors(root: Node) -> Iterator[Node]:
    todo = [root]
    while todo:
        node = todo.pop()
        if node.is_error or node.is_missing:
            yield node
        todo += [child for child in reversed(node.children) if child.has_error]
