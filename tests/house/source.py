"""The source of the three rooms, read once: what the tests of the house look at."""

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "games", "pbem")


@dataclass(frozen=True)
class Module:
    path: str  # from the project's root, with slashes
    text: str

    @property
    def room(self) -> str:
        return self.path.split("/")[0]

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def tree(self) -> ast.Module:
        gc.disable()  # it would look through millions of nodes, again and again
        try:
            return ast.parse(self.text, self.path)
        finally:
            gc.freeze()
            gc.enable()

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree."""
        return tuple(ast.walk(self.tree))

    @cache  # noqa: B019 - as many modules as the rooms have
    def imports(self, top_level: bool = False) -> list[tuple[int, str]]:
        """(line, dotted module) of every import; `from a import b` gives `a` and `a.b`."""
        return list(self._imports(top_level))

    def _imports(self, top_level: bool) -> Iterator[tuple[int, str]]:
        nodes = _run_on_import(self.tree.body) if top_level else self.nodes
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from ((node.lineno, a.name) for a in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self.absolute(node)
                yield node.lineno, base
                yield from ((node.lineno, f"{base}.{a.name}") for a in node.names)

    def absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.path.removesuffix(".py").split("/")[: -node.level]
        return ".".join([*parts, *([node.module] if node.module else [])])


def _run_on_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, not those of its functions."""
    for node in body:
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _run_on_import(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _run_on_import(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _run_on_import(handler.body)


def modules(*rooms: str) -> tuple[Module, ...]:
    """Every module of these rooms (of all three, if none is named), sorted by path."""
    return tuple(module for room in rooms or ROOMS for module in _in_room(room))


@cache
def _in_room(room: str) -> tuple[Module, ...]:
    files = sorted((ROOT / room).rglob("*.py"))
    return tuple(Module(f.relative_to(ROOT).as_posix(), f.read_text("utf-8")) for f in files)
