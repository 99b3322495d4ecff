"""A method that was to replace one of its base class still has something to replace."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pytest

from tests.house.source import ROOT, Module, modules

FOLDERS = ("engine", "games", "pbem", "tests", "tools", "bench")
USE_PATTERN = re.compile(r"(?<!def )(?<!super\(\)\.)\b[A-Za-z_]\w*")
"""A name that a line asks for: neither defined there, nor asked of a base class."""


class ClassSource(NamedTuple):
    """One class as its file says it: the names of its bases, and of what it defines itself."""

    path: str
    bases: frozenset[str]
    names: frozenset[str]


def base_name(node: ast.expr) -> str:
    """The class that a base names, without type arguments; a class of another module, as
    `paramiko.Message`, keeps its dot."""
    return ast.unparse(node.value if isinstance(node, ast.Subscript) else node)


def methods_in(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The methods and classes that a class defines, also under `if`."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.If):
            yield from methods_in([*statement.body, *statement.orelse])


def classes_in(files: Iterable[Module]) -> dict[str, list[ClassSource]]:
    """All classes in these files, by name."""
    classes = dict[str, list[ClassSource]]()
    for module in files:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                bases = frozenset(map(base_name, node.bases))
                source = ClassSource(module.path, bases, frozenset(methods_in(node.body)))
                classes.setdefault(node.name, []).append(source)
    return classes


def all_bases(source: ClassSource, classes: dict[str, list[ClassSource]]) -> set[str]:
    """The names of the bases, of their bases, and so on."""
    found, waiting = set[str](), set(source.bases)
    while waiting:
        found.add(name := waiting.pop())
        waiting |= {base for x in classes.get(name, ()) for base in x.bases} - found
    return found


def lost_overrides(files: Sequence[Module], other_texts: Iterable[str] = ()) -> list[str]:
    """The methods of classes with bases in these files that no base has, and that no line asks for
    by name. Bases of libraries are not looked at."""
    classes = classes_in(files)
    texts = (*(module.text for module in files), *other_texts)
    uses = {name for text in texts for name in USE_PATTERN.findall(text)}
    lost = list[str]()
    for name, sources in classes.items():
        for source in sources:
            bases = all_bases(source, classes)
            if not bases or not bases <= classes.keys():
                continue
            inherited = {method for base in bases for x in classes[base] for method in x.names}
            lost += [
                f"{source.path}: {name}.{x}"
                for x in source.names - uses - inherited
                if not x.startswith("__")
            ]
    return sorted(lost)


@pytest.mark.sample(0)
def test_each_method_of_a_subclass_replaces_another_or_is_called_by_name():
    """Whoever renames a method of a base class finds the tests that replaced it: a cheat that is
    never called would show nothing."""
    pages = [page.read_text("utf-8") for page in (ROOT / "pbem").rglob("*.html")]
    assert lost_overrides(modules(*FOLDERS), pages) == []


def test_a_method_without_its_base_is_seen():
    code = """
class Base:
    def new_name(self): return 1
    def run(self): return self.new_name()
class Cheat(Base):
    def old_name(self): return super().old_name()
    def run(self): return 2
Cheat().run()
"""
    assert lost_overrides([Module("x.py", code)]) == ["x.py: Cheat.old_name"]
