"""Change the lines of one kind in an order file.

Comments and everything else stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pbem.drafts.read.draft_toml import parse
from pbem.drafts.read.line_numbers import TOKEN

ALWAYS = "always"
_parsed = lru_cache(8)(parse)
"""Remembers parsed files: a page asks for the lines of each kind of the same text."""
_INDENT = "    "
_SHORT = 60


def lines_in(text: str, kind: str, always: bool) -> list[str]:
    """Return the lines of a kind as they are written in an order file. Raises Broken."""
    doc = _parsed(text)
    table = doc.get(ALWAYS, {}) if always else doc
    found = table.get(_key(doc, kind, always), []) if isinstance(table, dict) else []
    lines = [found] if isinstance(found, str) else found
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def with_lines(text: str, kind: str, always: bool, lines: Sequence[str]) -> str:
    """Return the order file with the lines of one kind replaced by these. Raises Broken."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    key = _key(parse(text), kind, always)
    value = _Value.find(text, ALWAYS if always else "", key)
    if value is not None:
        return f"{text[: value.begin]}{value.written(lines)}{text[value.end :]}"
    return _added(text, f"{kind} = {_Value(0, 0).written(lines)}\n", always)


def _key(doc: dict[str, object], kind: str, always: bool) -> str:
    """Return the kind's name as the file spells it: capitals do not matter."""
    table = doc.get(ALWAYS, {}) if always else doc
    keys = table if isinstance(table, dict) else {}
    return next((key for key in keys if key.lower() == kind), kind)


def _added(text: str, line: str, always: bool) -> str:
    """Return the file with a new kind and its lines added."""
    head = re.search(rf"^[ \t]*\[[ \t]*{ALWAYS}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    if head is None:
        return f"{whole}\n[{ALWAYS}]\n{line}" if always else f"{whole}\n{line}"
    if always:
        end = "" if head[0].endswith("\n") else "\n"
        return f"{text[: head.end()]}{end}{line}{text[head.end() :]}"
    return f"{text[: head.start()]}{line}\n{text[head.start() :]}"


@dataclass
class _Value:
    """The value of one key in the file: its position and its contents."""

    begin: int
    end: int
    spelled: dict[str, str] = field(default_factory=dict)
    """For each line, how the file spells it."""
    beside: dict[str, str] = field(default_factory=dict)
    """For each line, the comment beside it."""
    comments: list[str] = field(default_factory=list)
    """The comments that have a line to themselves."""

    @classmethod
    def find(cls, text: str, table: str, key: str) -> _Value | None:
        """Find the value of a key; None if the file does not have the key."""
        at, here = "", False
        value, depth, line = cls(0, 0), 0, ""
        for token in TOKEN.finditer(text):
            said = token[0]
            if not here:
                at = token["name"] if token["table"] else at
                here = bool(token["key"]) and (at, token["word"]) == (table, key)
                continue
            if token.lastgroup == "string":
                line = value._take(said)
            elif token.lastgroup == "comment":
                value._remark(said, line)
            depth += {"[": 1, "]": -1}.get(said, 0)
            line = "" if said == "\n" else line
            value.begin = value.begin or (0 if said.isspace() else token.start())
            if value.begin and not depth and not said.isspace():
                value.end = token.end()
                return value
        return None

    def _take(self, token: str) -> str:
        said = parse(f"x = {token}")["x"]
        assert isinstance(said, str)
        self.spelled[said] = token
        return said

    def _remark(self, comment: str, line: str) -> None:
        if line:
            self.beside[line] = comment
        else:
            self.comments.append(comment)

    def written(self, lines: Sequence[str]) -> str:
        """Write these lines as a TOML list, with the comments of the old list."""
        strings = [self.spelled.get(line, _quoted(line)) for line in lines]
        beside = [self.beside.get(line, "") for line in lines]
        if not self.comments and not any(beside) and sum(map(len, strings)) < _SHORT:
            return f"[{', '.join(strings)}]"
        rows = [
            f"{_INDENT}{string}," + (f"   {comment}" if comment else "")
            for string, comment in zip(strings, beside, strict=True)
        ]
        return "\n".join(["[", *rows, *(f"{_INDENT}{one}" for one in self.comments), "]"])


def _quoted(line: str) -> str:
    """Write the line as a TOML string, with escapes for characters that TOML does not allow."""
    return json.dumps(line, ensure_ascii=False).replace("\x7f", "\\u007f")
