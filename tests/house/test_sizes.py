"""Sizes: a screen's width, a file one can hold in mind, a function one can see whole."""

import ast
from collections import Counter

from tests.house.source import ROOT, modules

COLUMNS, FILE_LINES, FUNCTION_LINES, FOLDER_FILES = 100, 400, 40, 12


def test_lines_fit_a_screen():
    files = [f for room in ("engine", "games", "pbem") for f in (ROOT / room).rglob("*.toml")]
    texts = {m.path: m.text for m in modules()} | {str(f): f.read_text("utf-8") for f in files}
    wide = [
        f"{path}:{n}: {len(line)} columns"
        for path, text in texts.items()
        for n, line in enumerate(text.splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not wide


def test_files_are_short():
    lengths = {m.path: len(m.text.splitlines()) for m in modules()}
    assert not {path: n for path, n in lengths.items() if n > FILE_LINES}


def test_functions_are_short():
    long = [
        f"{m.path}:{f.lineno}: {f.name} has {length} lines"
        for m in modules()
        for f in m.nodes
        if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (f.end_lineno or 0) - f.lineno + 1) > FUNCTION_LINES
    ]
    assert not long


def test_folders_can_be_read_at_one_glance():
    folders = Counter(m.path.rpartition("/")[0] for m in modules())
    assert not {folder: n for folder, n in folders.items() if n > FOLDER_FILES}
