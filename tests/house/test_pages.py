"""What pages, comments and docstrings name is there: files, folders, modules, what is in them."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache

import pytest

from tests.house.source import ROOT

TREES = "pbem|games|engine|tests|tools|bench|docs"
PATH = re.compile(rf"(?<![\w./<-])(?:{TREES})/[\w./-]*\w")
DOTTED = re.compile(rf"(?<![\w./-])(?:{TREES})(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(r"(?<![\w./>-])[\w/]+\.py\b")
SUFFIXES = (".md", ".py", ".sh", ".toml", ".1", ".txt")
ELSEWHERE = {
    "pbem/1": "the name of the protocol",
    "pbem.games": "the group in which other packages offer rulesets",
    "games.ics": "a calendar file that a player writes",
    "games/001": "a folder that the benchmarks write",
    "docs/rule": "the start of a name that a narrow terminal cuts",
    "darts.py": "the game that docs/adding-a-game.md writes",
    "MODULE/table.py": "the table of the game that somebody's package is made from",
    **dict.fromkeys(
        ("NAME/rules.py", "NAME/traits.py", "myhouse/myhouse/traits.py"), "in somebody's package"
    ),
    "mutt_oauth2.py": "a program of mutt",
}
"""What looks like one of our names and is something else."""


@cache
def project_paths() -> frozenset[str]:
    """All files and folders of the project, as paths from its root."""
    found = {
        path.relative_to(ROOT)
        for tree in TREES.split("|")
        for path in (ROOT / tree).rglob("*.*")  # a folder counts for its files, not for its cache
        if "__pycache__" not in path.parts
    }
    folders = {folder for path in found for folder in path.parents}
    return frozenset(path.as_posix() for path in found | folders)


def prose_texts() -> Iterator[tuple[str, str]]:
    """The path and the text of every file with prose."""
    outside = [*ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / ".ci" / "run"]
    inside = [ROOT / place for place in sorted(project_paths()) if place.endswith(SUFFIXES)]
    for path in outside + inside:
        if path.is_file():
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def prose(path: str, text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of what people read in a file: all of a page; of a module, its comments and
    docstrings."""
    if not path.endswith(".py"):
        yield from enumerate(text.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            value = one.value if isinstance(one, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield one.lineno, value.value


def has_module(name: str) -> bool:
    """Whether a dotted name is a module, or something that a module of ours defines."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        place = "/".join(parts[:n])
        found = [p for p in (f"{place}.py", f"{place}/__init__.py") if p in project_paths()]
        if found:
            inside = (ROOT / found[0]).read_text("utf-8")
            if n == len(parts) or re.search(rf"\b{parts[n]}\b", inside):
                return True
            starred = re.findall(r"from ([\w.]+) import \*", inside)
            return any(has_module(".".join((other, *parts[n:]))) for other in starred)
    return False


def unknown_names(path: str, text: str) -> list[str]:
    """The names in a file's prose that name nothing."""
    if all(map(is_there, names_in(text))):  # in the whole file, which is found out faster
        return []
    return [
        f"{path}:{line}: {name}"
        for line, words in prose(path, text)
        for name in sorted(names_in(words))
        if not is_there(name)
    ]


def names_in(words: str) -> set[str]:
    """Every path, file and module that a text names."""
    return {*PATH.findall(words), *FILE.findall(words), *DOTTED.findall(words)}


@cache
def is_there(name: str) -> bool:
    """Whether a name that stands in a text is in the project, or is known to be something else."""
    if name in ELSEWHERE or {name, f"{name}.py"} & project_paths():
        return True
    if name.endswith(".py"):
        return any(place.endswith(f"/{name}") for place in project_paths())
    return "/" not in name and has_module(name)


@pytest.mark.sample(0)
def test_every_path_and_module_that_a_text_names_is_there():
    assert not [line for path, text in prose_texts() for line in unknown_names(path, text)]


@pytest.mark.parametrize(
    ("path", "text", "wrong"),
    [
        ("docs/a.md", "see `pbem/format/crypto.py`, `pbem/judge/` and `pbem/format/crypto`", 0),
        ("docs/a.md", "see `pbem/format/kays.py`", 1),
        ("docs/a.md", "see `pbem/play/`", 1),
        ("docs/a.md", "`pbem.format.crypto` and `pbem.format.hashes_and_streams.Kdf`", 0),
        ("docs/a.md", "`pbem.format.kays`", 1),
        ("docs/a.md", "`pbem.format.crypto.Kdg`", 1),
        ("docs/a.md", "`format/crypto.py` and `crypto.py`", 0),
        ("docs/a.md", "`making/sign.py`", 1),
        ("pbem/a.py", "# as `reader_of_turns.py` says", 1),
        ("pbem/a.py", 'def f():\n    """See pbem/play."""', 1),
        ("pbem/a.py", 'X = 1\n"""Explained in docs/nowhere.md."""', 1),
        ("pbem/a.py", 'X = "pbem/play"', 0),
    ],
)
def test_a_path_or_module_in_a_text_that_is_not_there_is_seen(path, text, wrong):
    assert len(unknown_names(path, text)) == wrong
