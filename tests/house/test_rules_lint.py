"""The silent bugs of rules written as generators: a forgotten `yield from` does nothing at all."""

import ast
from collections.abc import Iterable, Iterator

import pytest

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


class Names:
    """Which names mean rules: functions by module, methods (whose class no text tells) by name."""

    def __init__(self, found: Iterable[Module]) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.methods: set[str] = set()
        self.imported: dict[tuple[str, str], tuple[str, str]] = {}
        for m in found:
            self.read(m)

    def read(self, m: Module) -> None:
        for node in m.nodes:
            rules = {f.name for f in ast.iter_child_nodes(node) if is_rules(f)}
            if isinstance(node, ast.ClassDef):
                self.methods |= rules
            else:
                self.functions |= {(m.name, name) for name in rules}
            if isinstance(node, ast.ImportFrom):
                for a in node.names:
                    self.imported[m.name, a.asname or a.name] = (m.absolute(node), a.name)

    def is_rules(self, m: Module, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Name):
            return self.means_rules((m.name, call.func.id))
        if not isinstance(call.func, ast.Attribute):
            return False
        base = self.imported.get((m.name, ast.unparse(call.func.value)))
        if base and self.means_rules((".".join(base), call.func.attr)):
            return True
        return call.func.attr in self.methods

    def means_rules(self, name: tuple[str, str]) -> bool:
        passed = set()  # a name may be handed from module to module, even in a circle
        while name in self.imported and name not in passed:
            passed.add(name)
            name = self.imported[name]
        return name in self.functions


def lost_calls(m: Module, f: ast.AST, names: Names) -> Iterator[ast.Call]:
    """Calls of rules in `f` whose steps nobody runs."""
    nodes = list(own_nodes(f))
    run = {id(n.value) for n in nodes if isinstance(n, ast.YieldFrom | ast.Return)}
    bare = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    for n in nodes:
        if isinstance(n, ast.Call) and names.is_rules(m, n):
            # outside the rules a generator may be handed on (the kernel does), but not dropped
            lost = id(n) not in run if is_rules(f) else id(n) in bare
            if lost:
                yield n


def rule_faults(found: Iterable[Module]) -> list[str]:
    """Each lost call of rules, each `finally` or `with` in rules, as `path:line: what`."""
    found = list(found)
    names = Names(found)
    return [fault for m in found for fault in faults_in_module(m, names)]


def faults_in_module(m: Module, names: Names) -> Iterator[str]:
    for f in [m.tree, *(n for n in m.nodes if isinstance(n, Function))]:
        for call in lost_calls(m, f, names):
            yield f"{m.path}:{call.lineno}: {ast.unparse(call)} without yield from"
        for n in own_nodes(f) if is_rules(f) else ():
            if isinstance(n, ast.With) or (isinstance(n, ast.Try) and n.finalbody):
                yield f"{m.path}:{n.lineno}: finally or with in a rule"


def fault_place(fault: str) -> tuple[str, int]:
    path, line, _ = fault.split(":", 2)
    return path, int(line)


@pytest.mark.sample(0)
def test_no_rules_are_called_without_yield_from():
    assert not rule_faults(modules("engine", "games"))


def test_lost_calls_and_finally_blocks_in_rules_are_seen():
    text = """
def eat(table) -> Rules:
    yield 1
def feed(table) -> Rules:
    eat(table)
    answer = eat(table)
    yield from eat(table)
    return eat(table)
class Game:
    def turn(self) -> "kernel.Rules":
        try:
            yield from self.turn(1)
        finally:
            pass
        with table:
            self.turn(2)
def start(ruleset):
    run(ruleset.turn())
    ruleset.turn()
    turn()
"""
    other = """
from games import x
from games.x import eat as devour
def meal(table) -> Rules:
    yield from x.feed(table)
    x.feed(table)
    devour(table)
    eat(table)
"""
    found = [Module("games/x.py", text), Module("games/y.py", other)]
    assert sorted(rule_faults(found), key=fault_place) == [
        "games/x.py:5: eat(table) without yield from",
        "games/x.py:6: eat(table) without yield from",
        "games/x.py:11: finally or with in a rule",
        "games/x.py:15: finally or with in a rule",
        "games/x.py:16: self.turn(2) without yield from",
        "games/x.py:19: ruleset.turn() without yield from",
        "games/y.py:6: x.feed(table) without yield from",
        "games/y.py:7: devour(table) without yield from",
    ]
