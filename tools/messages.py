"""Every text that people may read, one a line: `python -m tools.messages [--docstrings N]`.

For people who edit or judge the English of the project. Texts are the strings in engine, games and
pbem that have a space in them; braces mark what is filled in. Docstrings, patterns, types in quotes
and the word list are left out. With ``--docstrings N`` it prints N docstrings instead, spread
evenly over all modules.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "games", "pbem")
NO_TEXT = {"pbem/format/protocol_labels.py"}
PARTS_OF_A_TYPE = (
    ast.Expression, ast.BinOp, ast.BitOr, ast.Subscript, ast.Attribute, ast.Name, ast.Load,
    ast.Tuple, ast.List, ast.Constant,
)  # fmt: skip
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the path and the tree of each module."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            path = file.relative_to(ROOT).as_posix()
            if path not in NO_TEXT:
                yield path, ast.parse(file.read_text("utf-8"), path)


def _placeholder(node: ast.expr) -> str:
    """Return the name of a filled-in value: that of the variable or attribute which a call, such as
    ``join`` or ``hex``, prepares for people."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=container):
            return _placeholder(container)
        case ast.Call(func=ast.Attribute(value=owner), args=[]):
            return _placeholder(owner)
        case ast.Call(
            args=[*_, ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() as part]
        ):
            return _placeholder(part)
        case ast.Call(func=function):
            return _placeholder(function)
    return ast.unparse(node).strip("()'\"")


def _filled(node: ast.JoinedStr) -> str:
    """Return the text of an f-string, with names in braces where values are filled in."""
    parts = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            parts.append("{" + _placeholder(value.value) + "}")
        elif isinstance(value, ast.Constant):
            parts.append(str(value.value))
    return "".join(parts)


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that is a value, so no docstring."""
    f_string_parts = {
        id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in ast.walk(n)
    }
    statement_values = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr():
                yield node.lineno, _filled(node)
            case ast.Constant(value=str(text)) if id(node) not in f_string_parts | statement_values:
                yield node.lineno, text


def is_prose(text: str) -> bool:
    """Whether people read it: at least two words of letters, and not a pattern or a type."""
    words = len(re.findall(r"[A-Za-z]{2,}", text)) > 1 and " " in text
    return words and "(?" not in text and not is_type(text)


def is_type(text: str) -> bool:
    """Whether the text is a type in quotes, such as ``str | None`` or ``dict[str, int]``."""
    if "|" not in text and "[" not in text:
        return False
    try:
        parts = ast.walk(ast.parse(text, mode="eval"))
    except SyntaxError:
        return False
    return all(isinstance(part, PARTS_OF_A_TYPE) for part in parts)


def messages() -> Iterator[str]:
    """Yield ``module:line: text`` for each text that people read, in the order of the modules."""
    for path, tree in modules():
        for line, text in sorted(_texts(tree)):
            if is_prose(text):
                yield f"{path}:{line}: {' '.join(text.split())}"


def docstrings() -> Iterator[str]:
    """Yield ``module:name: docstring``, in the order of the modules."""
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and (docstring := ast.get_docstring(node)):
                yield f"{path}:{getattr(node, 'name', '')}: {' '.join(docstring.split())}"


def main() -> None:
    """Print the messages, or as many docstrings as the option says."""
    parser = argparse.ArgumentParser(prog="python -m tools.messages")
    parser.add_argument("--docstrings", type=int, metavar="N", default=0)
    docstring_count = parser.parse_args().docstrings
    rows = list(docstrings() if docstring_count else messages())
    step = max(1, len(rows) // docstring_count) if docstring_count else 1
    print("\n".join(rows[::step][: docstring_count or None]))


if __name__ == "__main__":
    main()
