"""Print the size and the shape of the house: `python -m tools.size_and_shape`.

Lines, modules, folders, helpers with one caller, late imports and kinds of value types of engine,
games and pbem. Nothing here is a limit; it shows which way a change goes.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOMS = ("engine", "games", "pbem")
MAX_SHORT_LINES = 6
"""The number of lines of the longest function that counts as short."""
VALUE_BASES = ("Value", "Mutable", "NamedTuple", "Hooks", "TypedDict", "Struct")


def main(root: Path) -> None:
    """Print the measures of the product below this folder."""
    files = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    trees = {path: ast.parse(path.read_text("utf-8")) for path in files}
    pbem_trees = {path: tree for path, tree in trees.items() if path.is_relative_to(root / "pbem")}
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    code = sum(code_lines(path.read_text("utf-8")) for path in files)
    modules = [path for path, tree in pbem_trees.items() if has_code(tree)]
    once_count, short_count = called_once(pbem_trees)
    rows: list[tuple[str, object]] = [
        ("lines of the product, with blank lines and docstrings", f"{lines:,}"),
        ("lines of code among them, without imports", f"{code:,} ({code / lines:.0%})"),
        ("modules with code in pbem/", len(modules)),
        ("folders with modules in pbem/", len({path.parent for path in modules})),
        ("private functions in pbem/ that are used once", once_count),
        (f"of these, with at most {MAX_SHORT_LINES} lines", short_count),
        ("imports inside functions in pbem/", sum(map(late_imports, pbem_trees.values()))),
        ("TYPE_CHECKING blocks in pbem/", sum(map(checking_blocks, pbem_trees.values()))),
        ("kinds of value types", ", ".join(f"{k} {n}" for k, n in value_types(trees.values()))),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:{width}}  {value}")


def code_lines(text: str) -> int:
    """Count the lines that hold code: not blank, not only comment, docstring or import."""
    excluded_lines = set[int]()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            continue
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):
            excluded_lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        number not in excluded_lines and not line.strip().startswith("#") and bool(line.strip())
        for number, line in lines
    )


def has_code(tree: ast.Module) -> bool:
    """Return whether a module has more than a docstring and imports."""
    empty_kinds = (ast.Import, ast.ImportFrom, ast.Expr)
    return any(not isinstance(node, empty_kinds) for node in tree.body)


def called_once(trees: dict[Path, ast.Module]) -> tuple[int, int]:
    """Count the private functions and methods whose name is used once in their module; then those
    of them that are short."""
    once_count = short_count = 0
    for tree in trees.values():
        use_counts = Counter(
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Name | ast.Attribute)
        )
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and re.match(r"_[a-z]", node.name):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                once_count += use_counts[node.name] == 1
                short_count += use_counts[node.name] == 1 and lines <= MAX_SHORT_LINES
    return once_count, short_count


def late_imports(tree: ast.Module) -> int:
    """Count the import statements inside functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return len({id(inner) for outer in functions for inner in _imports(outer)})


def _imports(node: ast.AST) -> Iterator[ast.AST]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Import | ast.ImportFrom))


def checking_blocks(tree: ast.Module) -> int:
    """Count the blocks that only type checkers read."""
    blocks = (node for node in ast.walk(tree) if isinstance(node, ast.If))
    return sum("TYPE_CHECKING" in ast.unparse(block.test) for block in blocks)


def value_types(trees: Iterable[ast.Module]) -> list[tuple[str, int]]:
    """Count the classes of each kind of value type, the most frequent first; a class that extends
    one of ours is of its kind."""
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds = {base: base for base in VALUE_BASES}
    kinds_by_class = dict[ast.ClassDef, str]()
    for _ in VALUE_BASES:  # no class extends so many others
        for node in nodes:
            names = [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases]
            marks = [ast.unparse(mark).split("(")[0] for mark in node.decorator_list]
            known_kinds = [kinds[name] for name in names if name in kinds]
            if "dataclass" in marks or known_kinds:
                kind = "dataclass" if "dataclass" in marks else known_kinds[0]
                kinds_by_class[node] = kinds[node.name] = kind
    return Counter(kinds_by_class.values()).most_common()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
