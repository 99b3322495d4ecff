"""Reports are worded in `pbem/wording`: other rooms have sentences for errors and letters only."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.source import Module, modules

CEILINGS = {
    "cli": 21,
    "acts": 44,
    "host": 20,
    "judge": 91,
    "person": 12,
    "post": 9,
}
"""For each room the number of its sentences that are not in an error. A ceiling may only fall. The
judge's are findings, faults and problems, which keep their sentences; those of `acts/replies.py`
are letters."""
MAX_SLACK = 4
"""How far a ceiling may be above the number: lower it when sentences move."""
HAS_WORDS = re.compile(r"(?:[A-Za-z]{2,}[^\w-]+){2,}[A-Za-z]{2,}")
ERROR = re.compile(
    r"(Error|Refusal|Stop|Trouble|Illegal|Misfit|Unreadable|Problem|Fault|Finding)\b"
)
EXPLAINS = re.compile(r"why|missing|not_|^_?note$|complain$|refuse")
"""Parts of the names of functions that say what is wrong: their texts are findings."""


def is_for_errors(node: ast.AST) -> bool:
    """Whether all texts in a node are what an error, a finding or the help of an option says."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        returned = ast.unparse(node.returns) if node.returns else ""
        raises = any(isinstance(part, ast.Raise) for part in ast.walk(node))
        return bool(EXPLAINS.search(node.name) or ERROR.search(returned)) or raises
    if isinstance(node, ast.Call):
        name: str = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        return name in ("Option", "Argument") or bool(ERROR.search(name) or EXPLAINS.search(name))
    return isinstance(node, ast.Raise)


def sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of each sentence in a node: at least three words, not for an error."""
    if is_for_errors(node):
        return
    match node:
        case ast.Constant(str() as text):
            parts = [text]
        case ast.JoinedStr(values):
            parts = [str(part.value) for part in values if isinstance(part, ast.Constant)]
        case _:
            parts = []
    if any(" " in part for part in parts) and HAS_WORDS.search(" ".join(parts)):
        assert isinstance(node, ast.expr)
        yield node.lineno, " ".join(parts)
    for child in ast.iter_child_nodes(node) if not parts else ():
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not is_docstring:
            yield from sentences(child)


def reports(module: Module) -> list[str]:
    """Return place and text of each sentence in a function of a module, but those of errors."""
    functions = (
        node for node in module.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    found = {line: text for function in functions for line, text in sentences(function)}
    return [f"{module.path}:{line}: {text}" for line, text in sorted(found.items())]


@pytest.mark.parametrize("room", CEILINGS)
def test_reports_are_worded_in_one_room(room: str) -> None:
    files = [module for module in modules("pbem") if module.path.startswith(f"pbem/{room}/")]
    found = [report for module in files for report in reports(module)]
    assert len(found) <= CEILINGS[room], "\n".join(found)
    assert len(found) >= CEILINGS[room] - MAX_SLACK, f'lower it: "{room}": {len(found)},'


def test_a_report_is_seen_and_an_error_is_not() -> None:
    module = Module(
        "pbem/acts/a.py",
        '''
HINT = "write a deadline such as 72h"
def report(view: View) -> list[str]:
    """Return lines that say what happened here."""
    print(f"the game is waiting for {view.name}")
    note("broken", "turns/0001.toml", "this file is no turn at all")
    lines = [] if view.is_over else ["you may still send"
        " orders for this turn"]
    return lines or CliError("no game is in this folder")
def check(view: View) -> None:
    told = "there is no such seat here"
    raise CliError(told)
def why_not(view: View) -> str:
    return "there is no such seat here"
def new(name: Annotated[str, Option(help="The name of the game")] = "") -> None: ...
''',
    )
    assert reports(module) == [
        "pbem/acts/a.py:5: the game is waiting for ",
        "pbem/acts/a.py:7: you may still send orders for this turn",
    ]
