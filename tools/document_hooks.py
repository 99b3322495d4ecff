"""Write the table of the hooks that a trait can have into docs/adding-a-game.md.

Run: python -m tools.document_hooks
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Final

from games.evolution.table import Kit
from games.hook_argument_and_value_checks import hook_types

PAGE: Final = Path(__file__).parents[1] / "docs" / "adding-a-game.md"
BEGIN: Final = "<!-- begin: python -m tools.document_hooks -->\n"
END: Final = "<!-- end -->"


def table() -> str:
    """Return the table: each hook with the types that it gets and returns, and its docstring."""
    (kit,) = ast.parse(inspect.getsource(Kit)).body
    assert isinstance(kit, ast.ClassDef)
    docs = {}
    for attribute, text in zip(kit.body, kit.body[1:], strict=False):
        if isinstance(attribute, ast.AnnAssign) and isinstance(text, ast.Expr):
            assert isinstance(attribute.target, ast.Name)
            docs[attribute.target.id] = " ".join(ast.literal_eval(text.value).split())
    rows = ["| hook | gets | returns | |", "|---|---|---|---|"]
    for hook, types in hook_types(Kit).items():
        arguments = ", ".join(types.arguments)
        rows.append(f"| `{hook}` | {arguments} | {types.result} | {docs[hook]} |")
    return "\n".join(rows) + "\n"


def page_with_table(page: str) -> str:
    """Return the text of the page with the table as it is now."""
    start, rest = page.split(BEGIN)
    _, end = rest.split(END, 1)
    return f"{start}{BEGIN}\n{table()}\n{END}{end}"


if __name__ == "__main__":
    PAGE.write_text(page_with_table(PAGE.read_text("utf-8")), "utf-8")
