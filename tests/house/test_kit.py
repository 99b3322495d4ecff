"""The kit of the tests says how it is used, and that is so."""

import ast
import textwrap
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import tests.kit
from tests.house.source import ROOT, modules
from tests.kit.people import Round

KIT = [module for module in modules("tests") if module.path.startswith("tests/kit/")]
NEEDS_SERVERS = {
    "browser", "browser_players", "page_python", "phone", "real_mail_servers", "stores",
}  # fmt: skip
"""Their examples need a browser, or servers that the long runs install."""
NO_PYTHON = {"scripts", "crashes"}


def name_of(path: str) -> str:
    return Path(path).stem


def example_in(tree: ast.Module) -> str:
    """The first indented lines of a module's docstring."""
    lines = (ast.get_docstring(tree, clean=False) or "").splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("    ")), len(lines))
    end = next((n for n in range(start, len(lines)) if not lines[n]), len(lines))
    return textwrap.dedent("\n".join(lines[start:end]))


MODULES = [m for m in KIT if name_of(m.path) != "__init__"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: name_of(module.path))
def test_each_module_begins_with_an_example_of_a_few_lines(module) -> None:
    assert 2 <= len(example_in(module.tree).splitlines()) <= 6


RUNNING = [m for m in MODULES if name_of(m.path) not in NEEDS_SERVERS | NO_PYTHON]


@pytest.mark.parametrize("module", RUNNING, ids=lambda module: name_of(module.path))
def test_the_example_in_each_module_of_the_kit_runs(
    module, game: Callable[[str], Round], table: Round, tmp_path: Path
) -> None:
    known = {"game": game, "table": table, "tmp_path": tmp_path}
    names = vars(import_module(module.name)) | vars(import_module("tests.kit.people"))
    exec(example_in(module.tree), names | known)


def test_the_list_of_the_kit_has_every_module() -> None:
    listed = tests.kit.__doc__ or ""
    assert [m.path for m in MODULES if f"`{name_of(m.path)}`" not in listed] == []


def test_the_example_of_the_page_about_tests_runs(game: Callable[[str], Round]) -> None:
    page = (ROOT / "docs" / "testing.md").read_text("utf-8")
    example = page.partition("### A test in Python\n\n")[2].partition("\n\n`tests/kit")[0]
    names = {"Callable": Callable, "Round": Round}
    exec(textwrap.dedent(example), names)
    names["test_a_stranger_sees_no_hand"](game)  # type: ignore[operator]
