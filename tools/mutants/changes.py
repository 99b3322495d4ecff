"""The small wrong changes: mutmut's operators, and the deletion of checks, which it does not have.

Left out, because they are only noise: type hints, decorators, docstrings, imports, asserts, texts
for people (those with a space in them), `strict=` of zip, names given to TypeVar and cast.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

Node = cst.CSTNode
Operator = Callable[[Any], Iterable[Node]]

SWAPPED = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list"}
NOT_CALLED = {"TypeVar", "cast", "NewType", "namedtuple"}
SKIPPED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Assert)


@dataclass(frozen=True)
class Change:
    """A module with one small wrong change."""

    first_line: int
    """The first line of the statement that is changed."""
    last_line: int
    original_text: str
    """The whole module as it is."""
    changed_text: str
    """The whole module with the change."""
    original_code: str
    """The lines that differ, as one line, before the change."""
    changed_code: str
    """The lines that differ, as one line, after the change."""


def drop_argument(node: cst.Call) -> Iterator[Node]:
    """Yield the call without each argument. (mutmut also replaces it by None, which mostly
    crashes.)"""
    for changed_call in mutators.operator_arg_removal(node):
        dropped_keywords = [arg.keyword for arg in node.args if arg not in changed_call.args]
        has_fewer = len(changed_call.args) < len(node.args)
        if has_fewer and not (dropped_keywords[0] and dropped_keywords[0].value == "strict"):
            yield changed_call


def change_text(node: cst.SimpleString) -> Iterator[Node]:
    """Yield another text, unless it is for people to read."""
    if " " not in node.value.strip() and not node.value.startswith(('"""', 'r"""')):
        yield from list(mutators.operator_string(node))[:1]


def change_function(node: cst.Call) -> Iterator[Node]:
    """Yield the call of another function: any for all, min for max, unsorted for sorted."""
    if isinstance(node.func, cst.Name) and node.func.value in SWAPPED:
        args = node.args[:1] if node.func.value == "sorted" else node.args
        yield node.with_changes(func=cst.Name(SWAPPED[node.func.value]), args=args)


def delete_statement(node: cst.BaseSmallStatement) -> Iterator[Node]:
    """Yield nothing in place of a call, a raise, a change of something that exists."""
    is_deletable = isinstance(node, cst.Raise | cst.Del | cst.AugAssign)
    if isinstance(node, cst.Expr):
        is_deletable = not isinstance(node.value, cst.SimpleString | cst.Ellipsis)
    if isinstance(node, cst.Assign):
        is_deletable = not isinstance(node.targets[0].target, cst.Name | cst.Tuple)
    if is_deletable:
        yield cst.Pass()


def drop_operand(node: cst.BooleanOperation) -> Iterator[Node]:
    """Yield each side of `and` and `or` alone."""
    for side in (node.left, node.right):
        yield side if side.lpar else side.with_changes(lpar=node.lpar, rpar=node.rpar)


def change_condition(_test: cst.BaseExpression) -> Iterator[Node]:
    """Yield a condition of an `if` that is never true, and one that is always true."""
    yield cst.Name("False")
    yield cst.Name("True")


def change_loop_condition(_test: cst.BaseExpression) -> Iterator[Node]:
    """Yield a condition of a `while` that is never true."""
    yield cst.Name("False")


OPERATORS: tuple[tuple[type | tuple[type, ...], Operator], ...] = (
    (cst.BaseNumber, mutators.operator_number),
    (cst.SimpleString, change_text),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.Call, drop_argument),
    (cst.Call, mutators.operator_symmetric_string_methods_swap),
    (cst.Call, mutators.operator_unsymmetrical_string_methods_swap),
    (cst.Call, change_function),
    (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op),
    (cst.Match, mutators.operator_match),
    (cst.IfExp, mutators.operator_if_exp),
    (cst.BooleanOperation, drop_operand),
    (cst.BaseSmallStatement, delete_statement),
)


def operators_for(node: Node) -> Iterator[tuple[Node, Operator]]:
    """Yield the operators for this node, each with the part of it to change: the node itself, or a
    part that needs its context."""
    for kind, operator in OPERATORS:
        if isinstance(node, kind):
            yield node, operator
    if isinstance(node, cst.If | cst.CompIf):
        yield node.test, change_condition
    if isinstance(node, cst.While):
        yield node.test, change_loop_condition


def is_skipped(node: Node) -> bool:
    """Return whether nothing in this node is changed."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name):
        return node.func.value in NOT_CALLED
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name):
        return node.value.value in ("Literal", "Final")
    if isinstance(node, cst.Assign) and isinstance(node.targets[0].target, cst.Name):
        return node.targets[0].target.value == "__all__"
    if isinstance(node, cst.FormattedString):
        return any(isinstance(p, cst.FormattedStringText) and " " in p.value for p in node.parts)
    if isinstance(node, cst.Arg) and node.keyword is not None:
        return node.keyword.value == "strict"
    if isinstance(node, cst.If) and isinstance(node.test, cst.Name):
        return node.test.value == "TYPE_CHECKING"
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString):
        return True
    return isinstance(node, SKIPPED)


class Module:
    """A module's text, and all that can be changed in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.tree = wrapper.module
        self.positions = wrapper.resolve(PositionProvider)
        lines = text.splitlines(keepends=True)
        self.starts = [0, *accumulate(len(line) for line in lines)]

    def changes(self) -> Iterator[Change]:
        """Yield every change once, top to bottom."""
        known_texts = {self.text}
        for node, lines in self._nodes(self.tree, (1, 1)):
            for part, operator in operators_for(node):
                for changed_part in operator(part):
                    text = self._text_with(part, changed_part)
                    if text not in known_texts and compiles(text):
                        known_texts.add(text)
                        yield self._change(lines, text)

    def _nodes(self, node: Node, lines: tuple[int, int]) -> Iterator[tuple[Node, tuple[int, int]]]:
        """Yield the nodes in this one that may be changed, each with the lines of its statement; of
        a compound statement, its head and the first line of its body."""
        if is_skipped(node):
            return
        if isinstance(node, cst.BaseCompoundStatement):
            body_place = self.positions[node.subject if isinstance(node, cst.Match) else node.body]
            lines = (self.positions[node].start.line, body_place.start.line)
        elif isinstance(node, cst.SimpleStatementLine):
            place = self.positions[node]
            lines = (place.start.line, place.end.line)
        yield node, lines
        for child in node.children:
            yield from self._nodes(child, lines)

    def _text_with(self, part: Node, changed_part: Node) -> str:
        """Return the module's text with a changed part. To replace it in the text is much faster
        than in the tree, but needs its exact position."""
        place = self.positions.get(part)
        if place is not None:
            start = self.starts[place.start.line - 1] + place.start.column
            end = self.starts[place.end.line - 1] + place.end.column
            pairs = [(part, changed_part)]
            if getattr(part, "lpar", ()):  # its position may not include its parentheses
                pairs.append((without_parentheses(part), without_parentheses(changed_part)))
            for old_node, new_node in pairs:
                if self.text[start:end] == self.tree.code_for_node(old_node).strip():
                    new_code = self.tree.code_for_node(new_node).strip()
                    return self.text[:start] + new_code + self.text[end:]
        return str(self.tree.deep_replace(part, changed_part).code)

    def _change(self, lines: tuple[int, int], text: str) -> Change:
        """Return the change that leads to this text; `lines` are those of its statement."""
        old_lines, new_lines = self.text.splitlines(), text.splitlines()
        head = next(i for i, (a, b) in enumerate(zip_longest(old_lines, new_lines)) if a != b)
        tail = next(
            i for i, (a, b) in enumerate(zip_longest(old_lines[::-1], new_lines[::-1])) if a != b
        )
        old_part = join_code(old_lines[head : len(old_lines) - tail])
        new_part = join_code(new_lines[head : len(new_lines) - tail])
        return Change(*lines, self.text, text, old_part, new_part)


def without_parentheses(node: Node) -> Node:
    """Return the node without its parentheses."""
    return node.with_changes(lpar=[], rpar=[]) if getattr(node, "lpar", ()) else node


def join_code(lines: list[str]) -> str:
    """Return several lines of code as one."""
    return " ".join(line.strip() for line in lines)


def compiles(text: str) -> bool:
    """Return whether it is Python at all."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(text, "changed", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
