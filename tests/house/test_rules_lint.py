"""The silent bugs of rules written as generators: a forgotten `yield from` does nothing at all."""

import ast
from collections.abc import Iterable, Iterator

from tests.house.source import Module, modules

Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_rules(f: ast.AST) -> bool:
    """Is this a function annotated `-> Rules` (or `-> Rules[...]`, `-> kernel.Rules`)?"""
    if not isinstance(f, Function) or f.returns is None:
        return False
    said = ast.unparse(f.returns).strip("'\"").split("[")[0]
    return said.split(".")[-1] == "Rules"


def own_nodes(f: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function but those of the functions defined inside it."""
    for node in ast.iter_child_nodes(f):
        yield node
        if not isinstance(node, Function):
            yield from own_nodes(node)


def called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def lost_calls(f: ast.AST, rules: set[str]) -> Iterator[ast.Call]:
    """Calls of rules in `f` whose steps nobody runs."""
    nodes = list(own_nodes(f))
    run = {id(n.value) for n in nodes if isinstance(n, ast.YieldFrom | ast.Return)}
    bare = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for n in nodes:
        if isinstance(n, ast.Call) and called(n) in rules:
            # outside the rules a generator may be handed on (the kernel does), but not dropped
            lost = id(n) not in run if is_rules(f) else id(n) in bare
            if lost:
                yield n


def faults(found: Iterable[Module]) -> list[str]:
    """Each lost call of rules, each `finally` or `with` in rules, as `path:line: what`."""
    found = list(found)
    every = [f for m in found for f in ast.walk(m.tree) if isinstance(f, Function)]
    rules = {f.name for f in every if is_rules(f)}
    return [fault for m in found for fault in faults_of(m, rules)]


def faults_of(m: Module, rules: set[str]) -> Iterator[str]:
    for f in [m.tree, *(n for n in ast.walk(m.tree) if isinstance(n, Function))]:
        for call in lost_calls(f, rules):
            yield f"{m.path}:{call.lineno}: {ast.unparse(call)} without yield from"
        for n in own_nodes(f) if is_rules(f) else ():
            if isinstance(n, ast.With) or (isinstance(n, ast.Try) and n.finalbody):
                yield f"{m.path}:{n.lineno}: finally or with in a rule"


def test_no_rule_is_called_in_vain():
    assert not faults(modules("engine", "games"))


def test_the_lint_sees_each_fault():
    text = """
def eat(table) -> Rules:
    yield 1
def feed(table) -> Rules:
    eat(table)
    answer = eat(table)
    yield from eat(table)
    return eat(table)
def turn(self) -> "kernel.Rules":
    try:
        yield from self.feed(1)
    finally:
        pass
    with table:
        self.feed(2)
def start(ruleset):
    run(ruleset.turn())
    ruleset.turn()
"""
    assert faults([Module("games/x.py", text)]) == [
        "games/x.py:5: eat(table) without yield from",
        "games/x.py:6: eat(table) without yield from",
        "games/x.py:15: self.feed(2) without yield from",
        "games/x.py:10: finally or with in a rule",
        "games/x.py:14: finally or with in a rule",
        "games/x.py:18: ruleset.turn() without yield from",
    ]
