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
    """A module with one small wrong change; `first` to `last` are the lines of its statement."""

    first: int
    last: int
    before: str
    text: str
    was: str
    now: str


def fewer_arguments(node: cst.Call) -> Iterator[Node]:
    """Each argument left out (mutmut also replaces it by None, which mostly crashes)."""
    for made in mutators.operator_arg_removal(node):
        gone = [arg.keyword for arg in node.args if arg not in made.args]
        fewer = len(made.args) < len(node.args)
        if fewer and not (gone[0] and gone[0].value == "strict"):
            yield made


def other_text(node: cst.SimpleString) -> Iterator[Node]:
    """Another text, unless it is for people to read."""
    if " " not in node.value.strip() and not node.value.startswith(('"""', 'r"""')):
        yield from list(mutators.operator_string(node))[:1]


def other_function(node: cst.Call) -> Iterator[Node]:
    """Any for all, min for max, unsorted for sorted."""
    if isinstance(node.func, cst.Name) and node.func.value in SWAPPED:
        args = node.args[:1] if node.func.value == "sorted" else node.args
        yield node.with_changes(func=cst.Name(SWAPPED[node.func.value]), args=args)


def no_statement(node: cst.BaseSmallStatement) -> Iterator[Node]:
    """The statement deleted: a call, a raise, a change of something that exists."""
    gone = isinstance(node, cst.Raise | cst.Del | cst.AugAssign)
    if isinstance(node, cst.Expr):
        gone = not isinstance(node.value, cst.SimpleString | cst.Ellipsis)
    if isinstance(node, cst.Assign):
        gone = not isinstance(node.targets[0].target, cst.Name | cst.Tuple)
    if gone:
        yield cst.Pass()


def one_side(node: cst.BooleanOperation) -> Iterator[Node]:
    """One side of `and` and `or` left out."""
    for side in (node.left, node.right):
        yield side if side.lpar else side.with_changes(lpar=node.lpar, rpar=node.rpar)


def decided(_test: cst.BaseExpression) -> Iterator[Node]:
    """The condition of an `if`: never true; always true."""
    yield cst.Name("False")
    yield cst.Name("True")


def never(_test: cst.BaseExpression) -> Iterator[Node]:
    """The condition of a `while`: never true."""
    yield cst.Name("False")


OPERATORS: tuple[tuple[type | tuple[type, ...], Operator], ...] = (
    (cst.BaseNumber, mutators.operator_number),
    (cst.SimpleString, other_text),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.Call, fewer_arguments),
    (cst.Call, mutators.operator_symmetric_string_methods_swap),
    (cst.Call, mutators.operator_unsymmetrical_string_methods_swap),
    (cst.Call, other_function),
    (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op),
    (cst.Match, mutators.operator_match),
    (cst.IfExp, mutators.operator_if_exp),
    (cst.BooleanOperation, one_side),
    (cst.BaseSmallStatement, no_statement),
)


def operators(node: Node) -> Iterator[tuple[Node, Operator]]:
    """The operators for this node, or for a part of it that needs its context."""
    for kind, operator in OPERATORS:
        if isinstance(node, kind):
            yield node, operator
    if isinstance(node, cst.If | cst.CompIf):
        yield node.test, decided
    if isinstance(node, cst.While):
        yield node.test, never


def skipped(node: Node) -> bool:
    """Whether nothing in it is changed."""
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
        """Every change once, top to bottom."""
        seen = {self.text}
        for node, lines in self._nodes(self.tree, (1, 1)):
            for at, operator in operators(node):
                for new in operator(at):
                    text = self._with(at, new)
                    if text not in seen and compiles(text):
                        seen.add(text)
                        yield self._change(lines, text)

    def _nodes(self, node: Node, lines: tuple[int, int]) -> Iterator[tuple[Node, tuple[int, int]]]:
        if skipped(node):
            return
        if isinstance(node, cst.BaseCompoundStatement):
            begins = self.positions[node.subject if isinstance(node, cst.Match) else node.body]
            lines = (self.positions[node].start.line, begins.start.line)
        elif isinstance(node, cst.SimpleStatementLine):
            where = self.positions[node]
            lines = (where.start.line, where.end.line)
        yield node, lines
        for child in node.children:
            yield from self._nodes(child, lines)

    def _with(self, old: Node, new: Node) -> str:
        where = self.positions.get(old)
        if where is not None:
            start = self.starts[where.start.line - 1] + where.start.column
            end = self.starts[where.end.line - 1] + where.end.column
            bare = bool(getattr(old, "lpar", ()))  # its position may not include its parentheses
            for was, now in ((old, new), (inside(old), inside(new))) if bare else ((old, new),):
                if self.text[start:end] == self.tree.code_for_node(was).strip():
                    now_text = self.tree.code_for_node(now).strip()
                    return self.text[:start] + now_text + self.text[end:]
        return str(self.tree.deep_replace(old, new).code)

    def _change(self, lines: tuple[int, int], text: str) -> Change:
        old, new = self.text.splitlines(), text.splitlines()
        head = next(i for i, (a, b) in enumerate(zip_longest(old, new)) if a != b)
        tail = next(i for i, (a, b) in enumerate(zip_longest(old[::-1], new[::-1])) if a != b)
        was, now = old[head : len(old) - tail], new[head : len(new) - tail]
        first, last = lines
        return Change(first, last, self.text, text, joined(was), joined(now))


def inside(node: Node) -> Node:
    """The node without its parentheses."""
    return node.with_changes(lpar=[], rpar=[]) if getattr(node, "lpar", ()) else node


def joined(lines: list[str]) -> str:
    """Several lines of code as one."""
    return " ".join(line.strip() for line in lines)


def compiles(text: str) -> bool:
    """Whether it is Python at all."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(text, "changed", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
