"""What a pack's JavaScript imports, read from its syntax tree: the registry's scanner, on a real parser."""

from __future__ import annotations

from typing import Final

from nodetool_sandbox_registry.graphs import ImportScan
from tree_sitter import Node, Query, QueryCursor, Tree

from nodetool_sandbox.javascript import LANGUAGE, MAX_PARSED_BYTES, parse_javascript, string_value

_ASKS: Final = Query(
    LANGUAGE,
    """
    (import_statement source: (string) @static)
    (export_statement source: (string) @static)
    (call_expression function: (import) @dynamic)
    (call_expression function: (identifier) @called)
    """,
)


def scan_imports(source: str) -> ImportScan:
    """The specifiers that a module imports and re-exports, in the order of the text, each once.

    `dynamic` and `require` tell of `import()` and of calls of `require`, which a pack may not use.
    `error` says why the text is no module that can be told about; then nothing else is.
    """
    data = source.encode("utf-8", "surrogatepass")
    if len(data) > MAX_PARSED_BYTES:
        return ImportScan(error=f"{len(data):,} bytes of JavaScript where {MAX_PARSED_BYTES:,} are allowed")
    tree = parse_javascript(data)
    if tree is None:
        return ImportScan(error="not JavaScript: many syntax errors")
    if tree.root_node.has_error:
        return ImportScan(error=f"not JavaScript: a syntax error near line {_first_error_line(tree)}")
    asks = QueryCursor(_ASKS).captures(tree.root_node)
    specifiers = (_text(data, each)[1:-1] for each in _in_order(asks.get("static", [])))
    return ImportScan(
        static=tuple(dict.fromkeys(map(string_value, specifiers))),
        dynamic="dynamic" in asks,
        require=any(_text(data, each) == "require" for each in asks.get("called", [])),
    )


def _in_order(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node.start_byte)


def _text(data: bytes, node: Node) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")


def _first_error_line(tree: Tree) -> int:
    node = tree.root_node
    while (inner := next((each for each in node.children if each.has_error), None)) is not None:
        node = inner
    return node.start_point.row + 1
