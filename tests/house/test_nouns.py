"""Every name has a noun, and no docstring is a riddle: in finished folders; no other gets worse."""

import ast
import doctest
import re
from collections import defaultdict
from functools import cache
from importlib import import_module
from math import ceil

import pytest

from tests.house import nouns
from tests.house.nouns import Measures, measure
from tests.house.source import ROOMS, ROOT, Module, modules

WHOLE_ROOMS = ("bench", "engine", "tools")
"""The rooms that are measured as one folder."""
MAX_VAGUE, MAX_RIDDLES = 1.0, 2.0
"""The percentages of a finished folder."""

FINISHED: dict[str, tuple[float, int]] = {
    "bench": (6.0, 150),
    "engine": (11.3, 305),
    "games": (6.9, 98),
    "games/classroom": (7.6, 224),
    "games/climate": (8.4, 118),
    "games/digital": (3.3, 13),
    "games/evolution": (6.4, 282),
    "games/origin": (6.8, 271),
    "pbem/acts": (5.1, 220),
    "pbem/cards": (15.0, 30),
    "pbem/cli": (3.8, 178),
    "pbem/drafts": (6.4, 114),
    "pbem/drawing": (12.9, 69),
    "pbem/files": (7.9, 331),
    "pbem/format": (13.2, 92),
    "pbem/host": (4.0, 241),
    "pbem/judge": (3.8, 985),
    "pbem/mail": (6.4, 119),
    "pbem/person": (3.6, 157),
    "pbem/plain_email": (4.7, 118),
    "pbem/post": (3.5, 195),
    "pbem/records": (8.3, 353),
    "pbem/replay": (9.3, 24),
    "pbem/rulecases": (11.9, 50),
    "pbem/simulation": (7.4, 47),
    "pbem/stores": (9.8, 20),
    "pbem/terminal": (8.5, 67),
    "pbem/text": (8.9, 47),
    "pbem/web": (7.2, 104),
    "pbem/wording": (2.0, 190),
    "pbem/workers": (6.0, 19),
    "tools": (10.0, 180),
}
"""For each finished folder the highest percentage of weak names, and the least number of public
names with a docstring."""

CEILINGS = {"pbem": (4.6, 0.0)}
"""For each other folder the percentages of names without a noun, and of riddles. Lower them when a
folder gets better."""
SLACK = 0.5
"""How far a percentage may rise: it does if good names are deleted."""


@cache
def measures_by_folder() -> dict[str, Measures]:
    """Measure each folder of `pbem` and `games`, the files directly in these two, and each of
    `WHOLE_ROOMS`."""
    modules_by_folder = defaultdict[str, list[Module]](list)
    for module in modules(*dict.fromkeys((*ROOMS, *WHOLE_ROOMS))):
        room, *parts = module.path.split("/")
        is_alone = room in WHOLE_ROOMS or len(parts) < 2
        modules_by_folder[room if is_alone else f"{room}/{parts[0]}"].append(module)
    return {folder: measure(files) for folder, files in sorted(modules_by_folder.items())}


def row(folder: str, measures: Measures) -> str:
    vague, riddles = (ceil(10 * n) / 10 for n in (measures.vague_share, measures.riddle_share))
    return f'    "{folder}": ({vague}, {riddles}),'


@pytest.mark.sample(0)
def test_the_names_in_every_folder_are_measured() -> None:
    unknown = measures_by_folder().keys() ^ (FINISHED.keys() | CEILINGS.keys())
    rows = [row(name, measures_by_folder()[name]) for name in unknown & {*measures_by_folder()}]
    assert not unknown, "\n".join(rows)
    assert not FINISHED.keys() & CEILINGS.keys()


@pytest.mark.parametrize("folder", FINISHED)
def test_in_a_finished_folder_names_have_nouns_and_docstrings_are_plain(folder: str) -> None:
    measures, (max_weak, min_documented) = measures_by_folder()[folder], FINISHED[folder]
    assert measures.vague_share <= MAX_VAGUE, "\n".join(measures.vague)
    assert measures.riddle_share <= MAX_RIDDLES, "\n".join(measures.riddles)
    assert measures.weak_share <= max_weak, "\n".join(measures.weak)
    assert measures.documented >= min_documented


@pytest.mark.parametrize("folder", CEILINGS)
def test_names_and_docstrings_of_an_unfinished_folder_get_no_worse(folder: str) -> None:
    measures, (max_vague, max_riddles) = measures_by_folder()[folder], CEILINGS[folder]
    assert measures.vague_share <= max_vague + SLACK, "\n".join(measures.vague)
    assert measures.riddle_share <= max_riddles + SLACK, "\n".join(measures.riddles)


def test_the_published_names_of_the_engine_are_on_the_pages_for_authors() -> None:
    pages = [(ROOT / "docs" / page).read_text("utf-8") for page in ("adding-a-game.md", "learn.md")]
    words = {*re.findall(r"\w+", "\n".join(re.findall(r"```.*?```|`[^`]*`", "".join(pages), re.S)))}
    assert words >= nouns.PUBLISHED


PARAMETER_IN_DOCSTRING = re.compile(r"\b(?:[Ww]ith|[Ww]ithout|[Uu]nless) `{1,2}([a-z_]+)`")
NO_PARAMETERS = {"damage", "final", "pbem", "root"}
"""Words in such a place that name an attribute, a record, the program or a template."""


@pytest.mark.sample(0)
def test_a_parameter_that_a_docstring_names_exists() -> None:
    missing = list[str]()
    for module in modules():
        for node in module.nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            parameters = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
            words = {*PARAMETER_IN_DOCSTRING.findall(ast.get_docstring(node) or "")}
            missing += [
                f"{module.path}:{node.lineno}: {node.name} has no `{word}`"
                for word in words - parameters - NO_PARAMETERS
            ]
    assert not missing, "\n".join(missing)


def test_the_examples_in_docstrings_run() -> None:
    assert doctest.testmod(nouns).attempted >= 3
    with_examples = [module for module in modules() if ">>> " in module.text]
    assert with_examples
    for module in with_examples:
        assert doctest.testmod(import_module(module.name)).failed == 0, module.path
