"""Every text that people may read, one a line: `python -m tools.messages [--docstrings N]`.

For people who edit or judge the English of the project. Each line has the place in the source, the
place where people meet the text, and the text. The module says what people look at, and a word
whether it is an error, what to do about one, or the help of an option. Texts are the strings in
engine, games and pbem that have a space in them; braces mark what is filled in, double brackets
what only a terminal shows. Docstrings, patterns, types in quotes and the word list are left out.
With ``--docstrings N`` it prints N docstrings instead, spread evenly over all modules.
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


def _texts(node: ast.AST, role: str = "") -> Iterator[tuple[int, str, str]]:
    """Yield line, role and text of each string in a node that is a value, so no docstring."""
    match node:
        case ast.JoinedStr():
            yield node.lineno, role, _filled(node)
            return
        case ast.Constant(value=str(text)):
            yield node.lineno, role, text
            return
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
            if name in ("Option", "Argument"):
                role = "help"
            elif name.endswith(("Error", "Refusal", "Trouble")):
                for number, argument in enumerate(arguments):
                    is_remedy = number and name != "RecordError" and name != "FileError"
                    yield from _texts(argument, "what to do" if is_remedy else "error")
                return
        case ast.Assign(targets=[ast.Name(id=name)]):
            roles = {"hint": "what to do", "problem": "error", "sentence": role}
            role = roles.get(name, role)
    for child in ast.iter_child_nodes(node):
        yield from _texts(child, role)


def subject_of(path: str, tree: ast.Module) -> str:
    """Return what people are looking at: the command, or the first sentence on the module."""
    subject = " ".join((ast.get_docstring(tree) or "").split()).partition(". ")[0].rstrip(".")
    command = Path(path).stem
    return f"pbem {command}: {subject}" if path.startswith("pbem/cli/") else subject


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
    """Yield place, subject, role and text for each text that people read, in the order of the
    modules."""
    for path, tree in modules():
        subject = subject_of(path, tree)
        for line, role, text in sorted(_texts(tree)):
            if is_prose(text):
                where = f"{subject} ({role})" if role else subject
                yield f"{path}:{line} | {where} | {' '.join(text.split())}"


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
