"""Note what pbem prints in tests, so that `tools.list_texts` can show each text as people meet it.

    python -m pytest -p tools.note_printed_texts tests     # notes what the tests print
    python -m tools.note_printed_texts                     # writes tools/printed_texts.list anew

As a plugin of pytest it reads the modules of engine, games and pbem with a change: each text with
something filled in is noted where it is made, and so is each line that is printed, each error, and
each line of a page. The second command looks up which of them belong to a text that no script
shows, and writes one line for each: a hash of the text in the source, and the text in ``«»`` inside
the line that people read.
"""

from __future__ import annotations

import ast
import builtins
import html
import importlib.abc
import importlib.machinery
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from tools.texts_as_shown import PRINTED_TEXTS, Screens, as_in_a_terminal, text_id

ROOT = Path(__file__).resolve().parents[1]
NOTES = Path(os.environ.get("PBEM_NOTES", ROOT / ".printed_texts"))
ROOMS = ("games", "pbem")
MAX_CALLS, MAX_VALUES, MAX_LINES = 2000, 25, 200_000
MAX_LINE_CHARACTERS = 500
MAX_SHOWN_CHARACTERS = 300
TEMPORARY_FOLDER = re.compile(r"/(?:dev/shm|tmp)/pytest-of-\w+/pytest-\d+/[^/ ]+/")
TEMPLATE = re.compile(r"\{[a-z_:.,!0-9]*\}")
"""Matches a place in a template where something is to be filled in."""
CHANGING = re.compile(r"[0-9]+|\b[0-9a-f]{6,}\b")
"""Matches what differs between lines that are alike otherwise."""
INVISIBLE_PARTS = re.compile(r"(?s)<(style|script|svg)\b.*?</\1>")
BLOCK_TAG = re.compile(
    r"</?(?:p|li|h\d|div|td|th|tr|ul|ol|section|button|dt|dd|label|summary|details|form|option"
    r"|title|nav|header|main|br|legend|fieldset)\b[^>]*>"
)
TAG = re.compile(r"<[^>]*>")

# ---- Noting, in the tests


class Notes:
    """The texts made by each place in the source, and the lines that people read."""

    def __init__(self) -> None:
        self.calls: dict[str, int] = defaultdict(int)
        self.values: dict[str, dict[str, None]] = defaultdict(dict)
        self.lines: dict[str, str] = {}

    def note_value(self, place: str, value: Any) -> Any:
        """Note a text that was made at this place of the source, and return it."""
        self.calls[place] += 1
        values = self.values[place]
        if self.calls[place] < MAX_CALLS and len(values) < MAX_VALUES and isinstance(value, str):
            values[value] = None
        return value

    def note_joined(self, place: str, value: Any) -> Any:
        """Note the lines of a text that was joined at this place, and return it."""
        self.calls[place] += 1
        if self.calls[place] < MAX_CALLS and isinstance(value, str):
            self.add_lines(value)
        return value

    def note_printed(self, *values: Any, **options: Any) -> None:
        """Note what is printed, and print it."""
        self.add_lines(" ".join(map(str, values)))
        builtins.print(*values, **options)

    def add_lines(self, text: str) -> None:
        """Note the lines of a text, one of those that are alike."""
        for raw_line in text.split("\n") if len(text) < 50_000 else ():
            line = TEMPORARY_FOLDER.sub("/", " ".join(raw_line.split()))
            if (
                " " in line
                and not TEMPLATE.search(line)
                and len(line) < MAX_LINE_CHARACTERS
                and len(self.lines) < MAX_LINES
            ):
                self.lines.setdefault(CHANGING.sub("0", line)[:200], line)

    def add_page(self, page: str) -> None:
        """Note the lines of an HTML page, without its marks."""
        text = BLOCK_TAG.sub("\n", INVISIBLE_PARTS.sub(" ", page))
        for line in html.unescape(TAG.sub("", text)).split("\n"):
            if line.strip():
                self.add_lines(f"on a page: {line}")

    def write(self) -> None:
        """Write what this process noted."""
        NOTES.mkdir(exist_ok=True)
        values = {place: list(values) for place, values in self.values.items()}
        text = json.dumps({"values": values, "lines": list(self.lines.values())})
        (NOTES / f"{os.getpid()}.json").write_text(text, "utf-8")


class NotingTransformer(ast.NodeTransformer):
    """Let the code of a module note its texts."""

    def __init__(self, path: str) -> None:
        self._path = path

    def _noting(self, node: ast.expr, function: str) -> ast.expr:
        place = ast.Constant(f"{self._path}:{node.lineno}")
        call = ast.Call(ast.Name(function, ast.Load()), [place, node], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return self._noting(node, "pbem_note_value")

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._noting(node, "pbem_note_value") if isinstance(node.op, ast.Add) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node.func:
            case ast.Name(id="print"):
                node.func = ast.copy_location(ast.Name("pbem_note_printed", ast.Load()), node.func)
            case ast.Attribute(attr="format"):
                return self._noting(node, "pbem_note_value")
            case ast.Attribute(value=ast.Constant(value=str()), attr="join"):
                return self._noting(node, "pbem_note_joined")
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.body = [self.visit(part) for part in node.body]
        return node


class NotingLoader(importlib.machinery.SourceFileLoader):
    """A loader of modules that note their texts."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        place = Path(path).relative_to(ROOT).as_posix() if ROOT in Path(path).parents else path
        return compile(NotingTransformer(place).visit(tree), path, "exec", dont_inherit=True)


class NotingFinder(importlib.abc.MetaPathFinder):
    """A finder that gives the modules of pbem a `NotingLoader`."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname.split(".")[0] not in ROOMS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = NotingLoader(spec.loader.name, spec.loader.path)
        return spec


def _note_errors_and_pages(notes: Notes) -> None:
    """Let each error and each page note its lines."""
    import jinja2

    from pbem import errors

    def make_error(self: Any, sentence: str) -> None:
        Exception.__init__(self, sentence)
        self.sentence = sentence
        notes.add_lines(f"error: {sentence}")

    def make_cli_error(self: Any, sentence: str, hint: str = "", code: int = errors.USAGE) -> None:
        Exception.__init__(self, sentence)
        self.sentence, self.hint, self.exit = sentence, hint, code
        notes.add_lines(f"error: {sentence} ⏎ try: {hint}" if hint else f"error: {sentence}")

    errors.PbemError.__init__ = make_error  # type: ignore[method-assign]
    errors.CliError.__init__ = make_cli_error  # type: ignore[method-assign]
    render = jinja2.Template.render

    def render_noting(self: Any, *args: Any, **names: Any) -> str:
        page = render(self, *args, **names)
        notes.add_page(page)
        return page

    jinja2.Template.render = render_noting  # type: ignore[method-assign]


_NOTES = Notes()


def pytest_load_initial_conftests() -> None:
    """Begin to note, before any module of pbem is read."""
    for name in ("note_value", "note_joined", "note_printed"):
        setattr(builtins, f"pbem_{name}", getattr(_NOTES, name))
    sys.meta_path.insert(0, NotingFinder())
    _note_errors_and_pages(_NOTES)


def pytest_sessionfinish() -> None:
    """Write the notes."""
    _NOTES.write()


# ---- Looking up, in the tool


class NotedTexts:
    """The notes of all processes: the texts made in each module, and the lines."""

    def __init__(self, folder: Path) -> None:
        self._values_by_path: dict[str, dict[str, None]] = defaultdict(dict)
        lines = dict[str, None]()
        for file in sorted(folder.glob("*.json")):
            notes = json.loads(file.read_text("utf-8"))
            for place, values in notes["values"].items():
                self._values_by_path[place.partition(":")[0]] |= dict.fromkeys(values)
            lines |= dict.fromkeys(
                TEMPORARY_FOLDER.sub("/", line)
                for line in notes["lines"]
                if not TEMPLATE.search(line)
            )
        self._lines = sorted(lines, key=len)
        self._text = "\n".join(self._lines)

    def line_of(self, path: str, template: str) -> str:
        """Return a line in which people read this text of a module, with the text in ``«»``; empty
        if the tests have none."""
        for value in self._values_of(path, template):
            if (line := self._line_around(value)) and line != f"«{template}»":
                return line
        values = self._values_of(path, template)
        if "{" not in template or len(re.sub(r"\{[^{}]*\}", "", template).split()) < MIN_WORDS:
            return ""
        return next((f"«{TEMPORARY_FOLDER.sub('/', value)}»" for value in values), "")

    def _values_of(self, path: str, template: str) -> list[str]:
        """Return texts that a template became, those of middle length first."""
        if "{" not in template:
            return [template]
        pattern = re.compile(_pattern_of(template))
        values = {
            " ".join(TEMPORARY_FOLDER.sub("/", as_in_a_terminal(value)).split())
            for value in self._values_by_path[path]
        }
        matches = [v for v in values if pattern.fullmatch(v) and not TEMPLATE.search(v)]
        matches.sort(key=len)
        middle = len(matches) // 2
        return sorted(matches, key=lambda v: abs(len(v) - len(matches[middle])))[:8]

    def _line_around(self, value: str) -> str:
        """Return the shortest line that says more than a text; the text alone if a line has no
        more; else nothing. A line with a remedy is preferred."""
        candidates, position = list[str](), self._text.find(value)
        while position >= 0 and len(candidates) < MAX_CANDIDATES:
            start = self._text.rfind("\n", 0, position) + 1
            end = self._text.find("\n", position)
            line = self._text[start : end if end >= 0 else None]
            is_whole = not re.search(r"\w$", line[: position - start]) and not re.match(
                r"\w", line[position - start + len(value) :]
            )
            if is_whole and len(line) <= MAX_SHOWN_CHARACTERS:
                candidates.append(line)
            position = self._text.find(value, end) if end >= 0 else -1
        longer = [line for line in candidates if len(line) > len(value) + 12] or candidates
        if not longer:
            return ""
        line = min(longer, key=lambda x: (" ⏎ " not in x, not x.startswith("error: "), len(x)))
        return line.replace(value, f"«{value}»", 1)


MAX_CANDIDATES = 400
MIN_WORDS = 4
"""A text with fewer words is shown in a line only."""


def _pattern_of(template: str) -> str:
    """Return a pattern of the texts that a template can become."""
    parts = re.split(r"\{([^{}]*)\}", template)
    return "".join(
        re.escape(part)
        if number % 2 == 0
        else f"(?:{'|'.join(map(re.escape, part.split('/')))})"
        if "/" in part
        else ".{0,200}?"
        for number, part in enumerate(parts)
    )


def main() -> None:
    """Write the file anew from the notes."""
    from tools.list_texts import templates

    noted, screens = NotedTexts(NOTES), Screens(ROOT, has_printed_texts=False)
    rows = dict[str, str]()
    for template in templates():
        if not screens.find(template.text):
            path = template.place.partition(":")[0]
            if line := noted.line_of(path, template.text):
                rows.setdefault(text_id(template.text), line)
    (ROOT / PRINTED_TEXTS).write_text(
        "".join(f"{key} {line}\n" for key, line in sorted(rows.items())), "utf-8"
    )


if __name__ == "__main__":
    main()
