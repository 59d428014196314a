"""What a condition proves about global names: where it is true, and where it is false.

`typeof process !== "undefined"` proves that `process` is there where it is true, and nothing where it is
false; `===` the other way round. A question in a shape that is not known proves it on both sides: it is
the library's own test, and which way it goes cannot be told.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from nodetool_sandbox.javascript import string_value
from tree_sitter import Node

Names = frozenset[str]

ANY: Final = "*"
"""Among the names where nothing ever runs: in a guest there is a globalThis."""

CAUGHT: Final = "try"
"""Among the names in a `try` with a `catch`: what is not there is caught there."""

_NONE: Final[Names] = frozenset()
_MAX_DEPTH: Final = 40
_MAX_NAMES: Final = 64
_TYPEOF: Final = re.compile(rb"\btypeof\b|globalThis")
_EQUAL: Final = frozenset({"==", "==="})
_UNEQUAL: Final = frozenset({"!=", "!=="})
_COMPARING: Final = _EQUAL | _UNEQUAL | {"in", "instanceof", "<", ">", "<=", ">="}
_LEAVES: Final = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})


class Guards:
    """The questions in one text."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        # Most conditions ask nothing: whether one may is told without a look at its tree.
        self._questions = [found.start() for found in _TYPEOF.finditer(data)]
        self._known: dict[Node, tuple[Names, Names]] = {}

    def facts(self, condition: Node | None, depth: int = 0) -> tuple[Names, Names]:
        """The names that are there if the condition holds, and those that are there if it does not."""
        if condition is None or depth > _MAX_DEPTH or not self._may_ask(condition):
            return _NONE, _NONE
        # `a && b && c` leans to the left, as long as a text is: from its innermost part outwards, each part once.
        spine: list[tuple[Node, Node]] = []
        node = bare(condition)
        while node not in self._known and (sides := _sides(node)) is not None:
            spine.append((node, sides[1]))
            node = bare(sides[0])
        found = self._known.get(node) or self._single(node, depth)
        for each, right in reversed(spine):
            found = self._known[each] = _both(_operator(each), found, self.facts(right, depth + 1))
        return found

    def _single(self, node: Node, depth: int) -> tuple[Names, Names]:
        """The same for a condition that is no `&&` and no `||`."""
        if node.type == "binary_expression":
            return self._comparison(node)
        if node.type == "unary_expression" and _operator(node) == "!":
            yes, no = self.facts(node.child_by_field_name("argument"), depth + 1)
            return no, yes
        name = key_of_global(node, self._data)
        if name is not None:
            return frozenset({name}), _NONE
        unknown = self.asked_within(node)
        return unknown, unknown

    def after(self, statement: Node) -> Names:
        """What is proved behind a statement: `if (typeof x === "undefined") return;` leaves where x is not."""
        if statement.type != "if_statement" or statement.child_by_field_name("alternative") is not None:
            return _NONE
        consequence = statement.child_by_field_name("consequence")
        last = consequence
        if consequence is not None and consequence.type == "statement_block":
            last = consequence.named_children[-1] if consequence.named_children else None
        if last is None or last.type not in _LEAVES:
            return _NONE
        return self.facts(statement.child_by_field_name("condition"))[1]

    def typeof_name(self, node: Node) -> str | None:
        """The name that `typeof name` asks for, or None where the node is something else."""
        argument = node.child_by_field_name("argument")
        if node.type != "unary_expression" or _operator(node) != "typeof" or argument is None:
            return None
        argument = bare(argument)
        if argument.type == "identifier":
            return self._data[argument.start_byte : argument.end_byte].decode("utf-8", "surrogatepass")
        return key_of_global(argument, self._data)

    def asked_within(self, node: Node) -> Names:
        """Every name that is asked for with `typeof` anywhere in here, functions and classes of its own left out."""
        if not self._may_ask(node):
            return _NONE
        found: set[str] = set()
        todo = [node]
        while todo:
            each = todo.pop()
            name = self.typeof_name(each)
            if name is not None:
                found.add(name)
            elif "function" not in each.type and "class" not in each.type and self._may_ask(each):
                todo += each.named_children
        return frozenset(found)

    def is_asked(self, member: Node) -> bool:
        """Whether an access like `globalThis.process` stands where undefined does no harm."""
        node, parent = member, member.parent
        while parent is not None and parent.type == "parenthesized_expression":
            node, parent = parent, parent.parent
        if parent is None:
            return False
        if parent.type in {"member_expression", "subscript_expression"}:
            return parent.child_by_field_name("optional_chain") is not None or not _is(parent, "object", node)
        if parent.type == "call_expression":
            return parent.child_by_field_name("optional_chain") is not None and _is(parent, "function", node)
        if parent.type == "binary_expression":
            operator = _operator(parent)
            return operator in _COMPARING or (operator in {"&&", "||", "??"} and _is(parent, "left", node))
        if parent.type == "unary_expression":
            return _operator(parent) in {"typeof", "!", "void", "delete"}
        if parent.type in {"assignment_expression", "augmented_assignment_expression"}:
            return _is(parent, "left", node)
        if parent.type in {"if_statement", "while_statement", "ternary_expression", "do_statement"}:
            return _is(parent, "condition", node)
        return False

    def _comparison(self, node: Node) -> tuple[Names, Names]:
        operator = _operator(node)
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return _NONE, _NONE
        if operator == "in" and bare(right).type == "identifier" and self._text(bare(right)) == "globalThis":
            name = constant(left, self._data)
            return (frozenset({name}) if name is not None else _NONE), _NONE
        if operator in _EQUAL | _UNEQUAL:
            return self._equality(left, right, same=operator in _EQUAL)
        unknown = self.asked_within(node)
        return unknown, unknown

    def _equality(self, left: Node, right: Node, *, same: bool) -> tuple[Names, Names]:
        for question, answer in ((bare(left), right), (bare(right), left)):
            name, text = self.typeof_name(question), constant(answer, self._data)
            if name is not None and text is not None:
                there: Names = frozenset({name})
                if name == "globalThis" and text == "undefined":
                    return (_NONE, frozenset({ANY})) if not same else (frozenset({ANY}), _NONE)
                # `=== "undefined"` holds where it is not there; `=== "object"` where it is.
                return (there, _NONE) if (text == "undefined") is not same else (_NONE, there)
        unknown = self.asked_within(left) | self.asked_within(right)
        return unknown, unknown

    def _may_ask(self, node: Node) -> bool:
        at = bisect_left(self._questions, node.start_byte)
        return at < len(self._questions) and self._questions[at] < node.end_byte

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")


def bare(node: Node) -> Node:
    """The node without parentheses around it."""
    while node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def constant(node: Node, data: bytes, depth: int = 0) -> str | None:
    """The text that an expression always gives: a literal, a template without holes, a sum of such; or None."""
    node = bare(node)
    inside = data[node.start_byte + 1 : node.end_byte - 1].decode("utf-8", "surrogatepass")
    if node.type == "string":
        return string_value(inside)
    if node.type == "template_string":
        holes = any(each.type == "template_substitution" for each in node.named_children)
        return None if holes else string_value(inside)
    if node.type == "binary_expression" and _operator(node) == "+" and depth < _MAX_DEPTH:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        first = constant(left, data, depth + 1) if left is not None else None
        second = constant(right, data, depth + 1) if right is not None else None
        return first + second if first is not None and second is not None else None
    return None


def key_of_global(node: Node, data: bytes) -> str | None:
    """The name in `globalThis.name` or `globalThis["name"]`, or None where the node is something else."""
    if node.type not in {"member_expression", "subscript_expression"}:
        return None
    target = node.child_by_field_name("object")
    if target is None or (target := bare(target)).type != "identifier":
        return None
    if data[target.start_byte : target.end_byte] != b"globalThis":
        return None
    name = node.child_by_field_name("property")
    if name is not None:
        return data[name.start_byte : name.end_byte].decode("utf-8", "surrogatepass")
    index = node.child_by_field_name("index")
    return constant(index, data) if index is not None else None


def _sides(node: Node) -> tuple[Node, Node] | None:
    """Both sides of an `&&` or `||`, or None where the node is something else."""
    if node.type != "binary_expression" or _operator(node) not in {"&&", "||"}:
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return None if left is None or right is None else (left, right)


def _both(operator: str, left: tuple[Names, Names], right: tuple[Names, Names]) -> tuple[Names, Names]:
    (left_yes, left_no), (right_yes, right_no) = left, right
    if operator == "&&":
        return _joined(left_yes, right_yes), left_no & right_no
    return left_yes & right_yes, _joined(left_no, right_no)


def _joined(first: Names, second: Names) -> Names:
    """Both, but no more names than a person asks for at once: a list of thousands is made to cost time."""
    return first if second <= first or len(first) >= _MAX_NAMES else first | second


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def _is(parent: Node, role: str, node: Node) -> bool:
    found = parent.child_by_field_name(role)
    return found is not None and found.id == node.id
