"""What a bundle asks of the guest that the guest does not have, read from its syntax tree.

Only free names count: a parameter, a variable or a property called `process` is nobody's business.
A free name that the guest lacks is an error, since reading it throws. One that is asked for with
`typeof` first, used where such a question has been answered, or read in a `try` that has a `catch`, is a
warning: that branch never runs, or the library goes on without.
`globalThis.process` and `globalThis["process"]` are the same question in other words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from nodetool_sandbox.javascript import MAX_PARSED_BYTES, parse_javascript, string_value
from nodetool_sandbox.surface import ABSENT, GUEST_GLOBALS
from tree_sitter import Node

from nodetool_sandbox_compiler.guards import ANY, CAUGHT, Guards, Names, key_of_global
from nodetool_sandbox_compiler.options import SOMETIMES

FORBIDDEN: Final = frozenset(
    "process Buffer require module exports __dirname __filename eval Function setTimeout setInterval setImmediate "
    "clearTimeout clearInterval clearImmediate queueMicrotask WebAssembly window document navigator location self top "
    "parent frames alert XMLHttpRequest HTMLElement customElements localStorage sessionStorage indexedDB "
    "importScripts".split()
)
"""Names of other runtimes that libraries reach for, also as properties of `globalThis`."""

_KNOWN_ABSENT: Final = (FORBIDDEN | ABSENT | {"global", "Deno", "Bun"}) - GUEST_GLOBALS
# What is no global of its own: every object has the latter, the global one too; `await` is a word that the
# grammar takes for a name now and then.
_LANGUAGE: Final = frozenset(
    "arguments undefined await yield constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString "
    "toString valueOf".split()
)
MAX_NESTING: Final = 400
"""Functions, blocks and classes inside of each other; what people and tools write has a few dozen."""

_MAX_FINDINGS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A name that the guest lacks, and where: line and column of the bundle, both from 1, and the file."""

    name: str
    line: int
    column: int
    file: str | None = None

    @property
    def place(self) -> str:
        """Where it is, as a text."""
        where = f"{self.line}:{self.column}"
        return f"{where} ({self.file})" if self.file else where


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """What a scan found. With a `rejection` the text is no self-contained module, and nothing else is known."""

    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()
    sometimes: tuple[Finding, ...] = ()
    rejection: str | None = None


def scan_bundle(source: str) -> ScanReport:
    """The free names of a module that a guest lacks, or why it is no module that could be admitted."""
    data = source.encode("utf-8", "surrogatepass")
    if len(data) > MAX_PARSED_BYTES:
        return ScanReport(rejection=f"is {len(data):,} bytes, above the {MAX_PARSED_BYTES:,} that are parsed")
    tree = parse_javascript(data)
    if tree is None or tree.root_node.has_error:
        return ScanReport(rejection="is not valid JavaScript, as far as the parser can tell")
    walk = _Walk(data)
    walk.run(tree.root_node)
    if walk.rejection is not None:
        return ScanReport(rejection=walk.rejection)
    return walk.report()


@dataclass(slots=True)
class _Scope:
    """The names that one function, block or module declares."""

    outer: _Scope | None
    is_function: bool
    depth: int = 0
    names: set[str] = field(default_factory=set)

    def declares(self, name: str) -> bool:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.outer
        return False

    def function(self) -> _Scope:
        scope = self
        while not scope.is_function and scope.outer is not None:
            scope = scope.outer
        return scope


@dataclass(frozen=True, slots=True)
class _Reference:
    """A name that is read. `root` is what must be free for it to count: itself, or `globalThis`."""

    name: str
    root: str
    node: Node
    scope: _Scope
    asked: bool


_FUNCTIONS: Final = frozenset(
    "function_declaration function_expression generator_function generator_function_declaration arrow_function "
    "method_definition class_static_block".split()
)
_BLOCKS: Final = frozenset(
    "statement_block for_statement for_in_statement switch_body catch_clause class".split()
)
_NAMED_INSIDE: Final = frozenset({"function_expression", "generator_function", "class"})
_NAMED_OUTSIDE: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "class_declaration"}
)
_REFERENCES: Final = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)
_LISTS: Final = frozenset({"program", "statement_block", "switch_case", "switch_default"})


class _Walk:
    """One pass over the tree, with a stack of its own: a bundle may be nested deeper than Python's."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._guards = Guards(data)
        self._references: dict[tuple[int, str, str, bool], _Reference] = {}
        self._todo: list[tuple[Node, _Scope, Names]] = []
        self._files = _Files(data)
        self.rejection: str | None = None

    def run(self, root: Node) -> None:
        module = _Scope(outer=None, is_function=True)
        self._todo.append((root, module, frozenset()))
        while self._todo and self.rejection is None:
            node, scope, known = self._todo.pop()
            self._visit(node, scope, known)

    def report(self) -> ScanReport:
        errors: list[Finding] = []
        warnings: list[Finding] = []
        sometimes: list[Finding] = []
        for each in self._references.values():
            if each.scope.declares(each.root):
                continue
            found = sometimes if each.name in SOMETIMES else warnings if each.asked else errors
            if len(found) < _MAX_FINDINGS:
                found.append(self._finding(each))
        return ScanReport(errors=_sorted(errors), warnings=_sorted(warnings), sometimes=_sorted(sometimes))

    def _finding(self, reference: _Reference) -> Finding:
        point = reference.node.start_point
        return Finding(
            name=reference.name,
            line=point.row + 1,
            column=point.column + 1,
            file=self._files.of(reference.node.start_byte),
        )

    # ---- one node

    def _visit(self, node: Node, scope: _Scope, known: Names) -> None:
        kind = node.type
        if kind in _REFERENCES:
            self._refer(node, self._text(node), scope, known)
            return
        self.rejection = self._leftover(node, kind)
        if self.rejection is not None:
            return
        if kind in _NAMED_OUTSIDE:
            self._declare(scope, node.child_by_field_name("name"))
        inner = scope
        if kind in _FUNCTIONS or kind in _BLOCKS or kind == "class_declaration":
            inner = _Scope(outer=scope, is_function=kind in _FUNCTIONS, depth=scope.depth + 1)
            if inner.depth > MAX_NESTING:
                self.rejection = f"has more than {MAX_NESTING} functions and blocks inside of each other"
                return
        self._declare_in(node, kind, scope, inner)
        if kind in _FUNCTIONS:
            known -= {CAUGHT}  # it may be called when nobody catches any more
        if kind in {"member_expression", "subscript_expression"}:
            self._member(node, scope, known)
        self._push_children(node, kind, inner, known)

    def _leftover(self, node: Node, kind: str) -> str | None:
        """Why a statement shows that the module is not self-contained, or None."""
        if kind in {"import_statement", "export_statement"}:
            source = node.child_by_field_name("source")
            if source is not None or kind == "import_statement":
                asked = self._text(source)[1:-1] if source is not None else "?"
                return f'still imports "{asked[:100]}", which is not in it'
        if kind == "call_expression":
            called = node.child_by_field_name("function")
            if called is not None and called.type == "import":
                return f"uses dynamic import() at {node.start_point.row + 1}:{node.start_point.column + 1}"
        return None

    def _declare_in(self, node: Node, kind: str, scope: _Scope, inner: _Scope) -> None:
        if kind in _NAMED_INSIDE:
            self._declare(inner, node.child_by_field_name("name"))
        if kind in _FUNCTIONS:
            self._declare(inner, node.child_by_field_name("parameters"))
            self._declare(inner, node.child_by_field_name("parameter"))
        elif kind == "catch_clause":
            self._declare(inner, node.child_by_field_name("parameter"))
        elif kind == "for_in_statement" and (word := node.child_by_field_name("kind")) is not None:
            target = inner.function() if word.type == "var" else inner
            self._declare(target, node.child_by_field_name("left"))
        elif kind in {"variable_declaration", "lexical_declaration", "using_declaration"}:
            target = scope.function() if kind == "variable_declaration" else scope
            for each in node.named_children:
                if each.type == "variable_declarator":
                    self._declare(target, each.child_by_field_name("name"))

    def _declare(self, scope: _Scope, pattern: Node | None) -> None:
        todo = [] if pattern is None else [pattern]
        while todo:
            node = todo.pop()
            if node.type in {"identifier", "shorthand_property_identifier_pattern"}:
                scope.names.add(self._text(node))
            elif node.type in {"assignment_pattern", "object_assignment_pattern"}:
                left = node.child_by_field_name("left")
                todo += [] if left is None else [left]
            elif node.type == "pair_pattern":
                value = node.child_by_field_name("value")
                todo += [] if value is None else [value]
            elif node.type in {"formal_parameters", "object_pattern", "array_pattern", "rest_pattern"}:
                todo += node.named_children

    def _push_children(self, node: Node, kind: str, scope: _Scope, known: Names) -> None:
        if kind in {"if_statement", "ternary_expression", "while_statement"}:
            self._push_branches(node, scope, known)
        elif kind == "binary_expression" and (sides := self._sides(node)) is not None:
            left, right, more = sides
            self._todo += [(left, scope, known), (right, scope, known | more)]
        elif kind in _LISTS:
            self._push_list(node, scope, known)
        elif kind == "try_statement":
            self._push_try(node, scope, known)
        elif kind == "export_specifier":
            name = node.child_by_field_name("name")
            self._todo += [] if name is None else [(name, scope, known)]
        elif kind == "switch_statement":
            value = node.child_by_field_name("value")
            known |= self._guards.asked_within(value) if value is not None else frozenset()
            self._todo += [(each, scope, known) for each in node.named_children]
        elif kind == "unary_expression" and (asked := self._guards.typeof_name(node)) is not None:
            self._todo += [(each, scope, known | {asked}) for each in node.named_children]
        else:
            self._todo += [(each, scope, known) for each in node.named_children]

    def _push_branches(self, node: Node, scope: _Scope, known: Names) -> None:
        condition = node.child_by_field_name("condition")
        yes, no = self._guards.facts(condition)
        for index, child in enumerate(node.children):
            if not child.is_named:
                continue
            role = node.field_name_for_child(index)
            more: Names = frozenset()
            if role in {"consequence", "body"}:
                more = yes
            elif role == "alternative":
                more = no
            self._todo.append((child, scope, known | more))

    def _push_try(self, node: Node, scope: _Scope, known: Names) -> None:
        body, handler = node.child_by_field_name("body"), node.child_by_field_name("handler")
        for child in node.named_children:
            caught = handler is not None and child == body and not _throws(handler)
            self._todo.append((child, scope, known | {CAUGHT} if caught else known))

    def _push_list(self, node: Node, scope: _Scope, known: Names) -> None:
        for child in node.named_children:
            self._todo.append((child, scope, known))
            known |= self._guards.after(child)

    def _sides(self, node: Node) -> tuple[Node, Node, Names] | None:
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is None or left is None or right is None or operator.type not in {"&&", "||"}:
            return None
        yes, no = self._guards.facts(left)
        return left, right, yes if operator.type == "&&" else no

    # ---- names

    def _refer(self, node: Node, name: str, scope: _Scope, known: Names) -> None:
        if name in GUEST_GLOBALS or name in _LANGUAGE:
            return
        self._note(_Reference(name, name, node, scope, not known.isdisjoint({name, ANY, CAUGHT})))

    def _note(self, reference: _Reference) -> None:
        """Keep one of its kind in each scope, the first in the text: a bundle has hundreds of thousands."""
        # The walk takes what it put aside last, so it meets the names of a scope from behind.
        self._references[id(reference.scope), reference.name, reference.root, reference.asked] = reference

    def _member(self, node: Node, scope: _Scope, known: Names) -> None:
        """`globalThis.process`: undefined in the guest, so harmless until something is done with it."""
        name = key_of_global(node, self._data)
        if name is None or name not in _KNOWN_ABSENT:
            return
        asked = not known.isdisjoint({name, ANY, CAUGHT}) or self._guards.is_asked(node)
        self._note(_Reference(name, "globalThis", node, scope, asked))

    def _text(self, node: Node) -> str:
        text = self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")
        # An identifier may hide in escapes.
        return text if "\\" not in text else string_value(text)


class _Files:
    """The file of a library from which a byte of the bundle came: esbuild writes its path in front."""

    def __init__(self, data: bytes) -> None:
        self._places: list[tuple[int, str]] = []
        at = 0
        for line in data.split(b"\n"):
            if line.startswith(b"// ") and line.endswith((b".js", b".mjs", b".cjs", b".json", b".ts")):
                self._places.append((at, line[3:].decode("utf-8", "replace")))
            at += len(line) + 1

    def of(self, byte: int) -> str | None:
        file = None
        for at, name in self._places:
            if at > byte:
                break
            file = name
        return file


def _throws(handler: Node) -> bool:
    """Whether a `catch` may pass on what it caught."""
    todo = [handler]
    while todo:
        node = todo.pop()
        if node.type == "throw_statement":
            return True
        todo += node.named_children
    return False


def _sorted(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda each: (each.line, each.column)))
