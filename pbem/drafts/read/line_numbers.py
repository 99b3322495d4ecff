"""Find the line and column of each key and string in a TOML file, for messages.

tomllib reads the file. This module only finds the positions of the strings, so it can be simple: it
goes through the tokens, and skips anything that it does not understand.
"""

import re
from typing import NamedTuple

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
    """The positions of a file's keys and strings."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.keys: dict[tuple[str, str], Spot] = {}
        self.strings: dict[tuple[str, str], list[Spot]] = {}
        self._walk(text)

    def key(self, table: str, key: str) -> Spot | None:
        """Find the position of the key (`table` is empty at the top level)."""
        return self.keys.get((table, key))

    def string(self, table: str, key: str, index: int) -> Spot | None:
        """Find the position of the key's string with this index, from 0.

        If there is no such string, return the position of the key.
        """
        found = self.strings.get((table, key), [])
        return found[index] if index < len(found) else self.key(table, key)

    @property
    def end(self) -> Spot:
        """Return the end of the last line that is not blank."""
        last = max((n for n, line in enumerate(self._lines, 1) if line.strip()), default=1)
        return self.at(last, len(self._lines[last - 1]) + 1)

    def at(self, line: int, column: int, width: int = 1) -> Spot:
        """Return the position at this line and column."""
        source = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return Spot(line, column, width, source)

    def _walk(self, text: str) -> None:
        table = key = ""
        line, start = 1, 0
        for token in TOKEN.finditer(text):
            kind, at = token.lastgroup, token.start()
            if token["table"]:
                table, key = token["name"], ""
            elif token["key"]:
                key = token["word"]
                self.keys[table, key] = self._spot(line, at - start, token["key"])
            elif kind == "string":
                spot = self._spot(line, at - start, token["string"])
                self.strings.setdefault((table, key), []).append(spot)
            newlines = token[0].count("\n")
            if newlines:
                line += newlines
                start = token.start() + token[0].rfind("\n") + 1

    def _spot(self, line: int, offset: int, token: str) -> Spot:
        bare = token.lstrip()
        column = offset + len(token) - len(bare) + 1
        bare = bare.split("\n")[0]
        return Spot(line, column, len(bare.rstrip(" \t=")), self._lines[line - 1])
