"""Acts return results: commands, pages and `pbem run` say them, so nothing in `pbem/acts` prints
or asks."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.source import Module, modules

PRINTERS = {
    "click", "getpass", "logging", "rich", "typer", "warnings.warn",
    "pbem.cli", "pbem.terminal.json_and_progress", "pbem.terminal.command_failures.complain",
    "pbem.terminal.command_failures.print_known_error", "pbem.terminal.printing.print_folded",
    "pbem.terminal.printing.say", "pbem.terminal.printing.stdout_style",
    "pbem.wording.audit_findings_to_show.print_report", "pbem.person.keyring.ask_on_terminal",
}  # fmt: skip
"""Modules and functions that a module imports only to print or to ask."""
BUILT_IN_PRINTERS = {"input", "print", "sys.stderr", "sys.stdin", "sys.stdout"}


def printers(module: Module) -> Iterator[str]:
    """Yield where a module prints, asks, or imports a printer."""
    for line, name in module.imports():
        if PRINTERS & {name, name.split(".")[0], ".".join(name.split(".")[:2])}:
            yield f"{module.path}:{line}: {name}"
    for node in module.nodes:
        if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in BUILT_IN_PRINTERS:
            yield f"{module.path}:{node.lineno}: {ast.unparse(node)}"


def test_no_act_prints_or_asks() -> None:
    acts = [module for module in modules("pbem") if module.path.startswith("pbem/acts/")]
    assert len(acts) > 5
    assert not [where for module in acts for where in printers(module)]


@pytest.mark.parametrize(
    "line",
    [
        "print(1)", "report = print", "sys.stdout.flush()", "line = sys.stdin.readline()",
        "name = input()", "from pbem.terminal.printing import clean, say",
        "from pbem.terminal.json_and_progress import print_data",
        "from pbem.terminal.command_failures import complain",
        "from pbem.cli.advance import print_run", "import typer", "from click import echo",
        "def report() -> None:\n    from rich.console import Console",
    ],
)  # fmt: skip
def test_a_line_of_an_act_that_prints_or_asks_is_seen(line: str) -> None:
    assert [*printers(Module("pbem/acts/a.py", line))]


@pytest.mark.parametrize(
    "line",
    [
        "from pbem.terminal.printing import clean",
        "from pbem.terminal.command_failures import sentence_of",
        "session.input = outprint",
        "click = clicks[0]",
    ],
)
def test_a_line_that_neither_prints_nor_asks_is_left_alone(line: str) -> None:
    assert not [*printers(Module("pbem/acts/a.py", line))]
