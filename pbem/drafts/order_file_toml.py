"""The TOML of an order file: parse it, find the place of each line in it, and change its lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import field
from typing import Any, NamedTuple

from engine import (
    bare,
)
from engine.value_classes import Mutable
from pbem.terminal.game_prose import spaced
from pbem.text.encodings_and_unusual_characters import unusual_name
from pbem.text.handwritten_toml_within_limits import Overlong, loads

_QUOTES = "“”„‟«»‘’"
_LINE = 'orders go in a list: feed = ["…"]; a comment begins with #'
_LIST_HINT = 'write each kind of orders as a list of lines in quotes: food = ["horns 3"]'
_TOML_ERRORS = (
    ("Cannot overwrite", "this name is in the file twice", "keep one, and put all lines there"),
    (
        "Cannot declare",
        "this heading is in the file twice",
        "keep one, and put all lines under it",
    ),
    (
        "Unclosed array",
        "there is a mistake in this list",
        "a comma is missing between two lines, or the ] after the last one",
    ),
    (
        "Illegal character '\\n'",
        "the closing quote of this line is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    (
        "Unterminated string",
        "the closing quote is missing",
        'a line of orders begins and ends with a quote: "…"',
    ),
    ("Expected '='", "an = is missing here", _LINE),
    (
        "Invalid value",
        "quotes are missing here",
        "put each line of orders in quotes, with a comma after it",
    ),
    (
        "Expected newline",
        "the line should end here",
        "delete the rest of the line, or begin it with #",
    ),
    ("Invalid statement", "a line must begin with a kind of orders and an =", _LINE),
    ("Exceeds the limit", "a number has too many digits", _LIST_HINT),
)


class Broken(ValueError):
    """A text that is not TOML: what is wrong, how to fix it, and where, if known."""

    def __init__(self, sentence: str, hint: str, position: tuple[int, int] | None) -> None:
        super().__init__(sentence)
        self.sentence, self.hint, self.position = sentence, hint, position


def parse(text: str) -> dict[str, Any]:
    """Parse the text into plain data. Raises Broken."""
    try:
        return loads(text)
    except Overlong as error:
        raise _unusual_character_error(text, error.position) or Broken(
            f"not readable: {error.reason}", _LIST_HINT, error.position
        ) from None
    except ValueError as error:
        raise _broken(text, str(error)) from None


def _unusual_character_error(text: str, position: tuple[int, int] | None) -> Broken | None:
    line = text.split("\n")[position[0] - 1] if position else ""
    if position and (name := unusual_name(line[position[1] - 1 : position[1]])):
        sentence = f"not readable: {name} cannot be here"
        return Broken(sentence, "replace this character with a plain one", position)
    return None


def _broken(text: str, parser_message: str) -> Broken:
    """Return the error for a text that ``tomllib`` refuses with this message: in plain words, with
    a remedy and, if it is known, the position."""
    match = re.search(r"\(at line (\d+), column (\d+)\)", parser_message)
    position = (int(match[1]), int(match[2])) if match else None
    line = text.split("\n")[position[0] - 1] if position else ""
    if position and any(quote in line for quote in _QUOTES):
        column = 1 + next(n for n, character in enumerate(line) if character in _QUOTES)
        clause = "these are curly quotes, as word processors make them"
        return Broken(f"not readable: {clause}", 'use straight quotes: "…"', (position[0], column))
    if broken := _unusual_character_error(text, position):
        return broken
    for sign, problem, hint in _TOML_ERRORS:
        if parser_message.startswith(sign):
            end = (
                line[position[1] - 1 : position[1]]
                if position and sign == "Expected newline"
                else ""
            )
            if end in (",", ";"):
                hint = (
                    "delete this comma: no comma follows the ] of a list"
                    if end == ","
                    else "delete this semicolon: no line ends with one"
                )
                return Broken(f"not readable: {problem}", hint, position)
            return Broken(f"not readable: {problem}", hint, position)
    problem = re.sub(r" \(at .*\)", "", parser_message)
    return Broken(f"not readable as TOML: {problem[:1].lower()}{problem[1:]}", "", position)


TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>"{3}(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
    |(?P<table>^[ \t]*\[[ \t]*(?P<name>[A-Za-z0-9_-]+)[ \t]*\])
    |(?P<key>^[ \t]*(?P<word>[A-Za-z0-9_-]+)[ \t]*=)
    |(?P<other>.)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""The pattern of one token of a TOML file, as far as order files need it."""


class Spot(NamedTuple):
    """A position in the file: line and column count from 1; `width` is in characters."""

    line: int
    column: int
    width: int
    source: str
    """The whole line."""


class Places:
    """The positions of a file's keys and strings.

    tomllib reads the file; this goes through its tokens and skips what it does not understand.
    """

    def __init__(self, text: str) -> None:
        """Find the positions of all keys and strings in a text. Tables and keys are by name; the
        top level is the empty table."""
        self._lines = text.split("\n")
        self.keys: dict[tuple[str, str], Spot] = {}
        self.strings: dict[tuple[str, str], list[Spot]] = {}
        self.values: dict[tuple[str, str], _Value] = {}
        table = key = ""
        line, line_start = 1, 0
        for token in TOKEN.finditer(text):
            token_start = token.start()
            if token["table"]:
                table, key = token["name"], ""
            elif token["key"]:
                key = token["word"]
                self.keys[table, key] = self._spot(line, token_start - line_start, token["key"])
                self.values[table, key] = _Value()
            else:
                if token["string"]:
                    spot = self._spot(line, token_start - line_start, token["string"])
                    self.strings.setdefault((table, key), []).append(spot)
                if (value := self.values.get((table, key))) and not value.end:
                    value.take(token)
            if newlines := token[0].count("\n"):
                line += newlines
                line_start = token.start() + token[0].rfind("\n") + 1

    def key(self, table: str, key: str) -> Spot | None:
        """Find the position of the key (`table` is empty at the top level)."""
        return self.keys.get((table, key))

    def string(self, table: str, key: str, index: int) -> Spot | None:
        """Find the position of the key's string with this index, else that of the key."""
        spots = self.strings.get((table, key), [])
        return spots[index] if index < len(spots) else self.key(table, key)

    def spelt(self, table: str, kind: str) -> str:
        """Return the kind as the file spells it: capitals do not matter."""
        return next(
            (key for key_table, key in self.keys if key_table == table and key.lower() == kind),
            kind,
        )

    @property
    def end(self) -> Spot:
        """Return the end of the last line that is not blank."""
        last_line = max((n for n, line in enumerate(self._lines, 1) if line.strip()), default=1)
        return self.spot_at(last_line, len(self._lines[last_line - 1]) + 1)

    def spot_at(self, line: int, column: int, width: int = 1) -> Spot:
        """Return the position at this line and column."""
        source = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return Spot(line, column, width, source)

    def _spot(self, line: int, offset: int, token: str) -> Spot:
        stripped_token = token.lstrip()
        column = offset + len(token) - len(stripped_token) + 1
        stripped_token = stripped_token.split("\n")[0]
        return Spot(line, column, len(stripped_token.rstrip(" \t=")), self._lines[line - 1])


class _Value(Mutable):
    """The value of a key: where it is in the file, and how its lines are spelt there."""

    begin: int = 0
    end: int = 0
    """The offset in the file at which the value ends; 0 before its end was found."""
    strings: list[tuple[str, str]] = field(default_factory=list)
    """Each string as the file spells it, with the comment at the end of the line."""
    comments: list[str] = field(default_factory=list)
    """The comments that have a line to themselves."""
    _depth: int = 0
    _same_line: bool = False

    def take(self, token: re.Match[str]) -> None:
        """Go on with the next token of the value: note strings, comments, and where the value
        ends."""
        token_text = token[0]
        if token["string"]:
            self.strings.append((token_text, ""))
        elif token["comment"] and self._same_line:
            self.strings[-1] = (self.strings[-1][0], token_text)
        elif token["comment"]:
            self.comments.append(token_text)
        self._same_line = token_text != "\n" and (self._same_line or bool(token["string"]))
        self._depth += {"[": 1, "]": -1}.get(token_text, 0)
        if not token_text.isspace():
            self.begin = self.begin or token.start()
            self.end = 0 if self._depth else token.end()

    def spelt_with(self, lines: Sequence[str]) -> str:
        """Write the value with these lines; the comments stay."""
        spelling_by_line = {
            parse(f"x = {spelling}")["x"]: (spelling, comment) for spelling, comment in self.strings
        }
        # TOML allows no DEL, which JSON does
        json_by_line = {
            x: json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f") for x in lines
        }
        spellings = [spelling_by_line.get(line) or (json_by_line[line], "") for line in lines]
        comments = [*self.comments, *(comment for _, comment in spellings if comment)]
        if not comments and sum(len(spelling) for spelling, _ in spellings) < _MAX_ROW_CHARACTERS:
            return f"[{', '.join(spelling for spelling, _ in spellings)}]"
        rows = [
            f"    {spelling},{f'   {comment}' if comment else ''}"
            for spelling, comment in spellings
        ]
        return "\n".join(["[", *rows, *(f"    {comment}" for comment in self.comments), "]"])


_MAX_ROW_CHARACTERS = 60
"""Lines with fewer characters stay in one row of the file."""

ALWAYS = "always"


def with_lines(text: str, kind: str, always: bool, lines: Sequence[str]) -> str:
    """Return the order file with other lines of one kind; all else stays. Raises Broken if the file
    is not TOML. `kind` is in lower case; with `always`, the lines are standing orders."""
    parse(text)
    table, places = ALWAYS if always else "", Places(text)
    value = places.values.get((table, places.spelt(table, kind)))
    if value is not None:
        return f"{text[: value.begin]}{value.spelt_with(lines)}{text[value.end :]}"
    line = f"{kind} = {_Value().spelt_with(lines)}\n"
    head = re.search(rf"^[ \t]*\[[ \t]*{ALWAYS}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    complete_text = text if text.endswith("\n") or not text else f"{text}\n"
    if head is None:
        return f"{complete_text}\n[{ALWAYS}]\n{line}" if always else f"{complete_text}\n{line}"
    if always:
        end = "" if head[0].endswith("\n") else "\n"
        return f"{text[: head.end()]}{end}{line}{text[head.end() :]}"
    # below the header of the table, the line would be a standing order
    return f"{text[: head.start()]}{line}\n{text[head.start() :]}"


def quote_option(option: str) -> str:
    """Write the option as a TOML string for an order file."""
    text = spaced(bare(option)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
