"""Get the text of an HTML reply, with `> ` before the lines that the mail program quotes.

This module does not use the standard library's `html.parser`, for the reason that
`pbem/mail/opening/html_text.py` gives. The libraries that were tried are in docs/dependencies.md.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.opening.html_text import unescaped

_ROWS: Final = frozenset(
    ["blockquote", "br", "center", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6",
     "hr", "li", "ol", "p", "pre", "table", "td", "th", "tr", "ul"]
)  # fmt: skip
_APART: Final = frozenset(["p", "h1", "h2", "h3", "hr", "table", "ul", "ol", "blockquote"])
"""HTML elements with an empty line before and after them."""
_UNSEEN: Final = frozenset(["head", "script", "style", "title", "xml"])
"""HTML elements whose text nobody sees."""
_PIECE = re.compile(r"<(/?)([a-z][a-z0-9:]*)([^<>]*)>|<[^<>]*>|([^<]+)|<", re.I)
_QUOTE: Final = "blockquote"
_DEEPEST: Final = 50
_MARKED = re.compile(
    r"id\s*=\s*[\"']?(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container"
    r"|reply-intro|OLK_SRC_BODY_SECTION)",
    re.I,
)
"""How Outlook marks the start of the quoted email, which has no element around it."""
OUTLOOK_CUT: Final = "-----Original Message-----"


def html_lines(source: str) -> str:
    """Return the text that a reader of this HTML sees, row by row. Never raises."""
    rows = _Rows()
    for match in _PIECE.finditer(_without_comments(source)):
        if match[2]:
            rows.tag(match[2].lower(), bool(match[1]), match[3])
        elif match[4]:
            rows.text(match[4])
    return rows.done()


def _without_comments(source: str) -> str:
    """Remove comments from the HTML; Outlook puts whole documents into them."""
    kept, at = [], 0
    while (begin := source.find("<!--", at)) >= 0:
        kept.append(source[at:begin])
        end = source.find("-->", begin)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join([*kept, source[at:]])


class _Rows:
    """The rows of text so far, and how many quotes the next row is inside."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.row: list[str] = []
        self.quoted = 0
        self.pre = 0
        self.unseen = ""

    def tag(self, name: str, closes: bool, said: str) -> None:
        """Handle a tag: `closes` for `</…>`; `said` is the text of its attributes."""
        if name in _UNSEEN and not self.unseen and not closes:
            self.unseen = name
        elif name == "body" or (name == self.unseen and closes):
            self.unseen = ""
        if name == "pre":
            self.pre = max(0, self.pre + (-1 if closes else 1))
        if _MARKED.search(said[:500]):
            self._end()
            self.found.append(OUTLOOK_CUT)
        if name not in _ROWS:
            return
        self._end()
        if name in _APART and self.found and self.found[-1].strip("> "):
            self.found.append(self._quote().rstrip())
        if name == _QUOTE:
            self.quoted = min(_DEEPEST, max(0, self.quoted + (-1 if closes else 1)))

    def text(self, said: str) -> None:
        """Handle text between tags."""
        if self.unseen:
            return
        first, *rest = said.split("\n") if self.pre else [" ".join(said.split())]
        if not self.pre and said[:1].isspace():
            first = f" {first}"
        if not self.pre and said[-1:].isspace():
            first = f"{first} "
        self.row.append(first)
        for line in rest:
            self._end(blank=True)
            self.row.append(line)

    def _quote(self) -> str:
        return "> " * self.quoted

    def _end(self, blank: bool = False) -> None:
        """End the row; a row without text is left out, unless `blank` is true."""
        said = unescaped("".join(self.row))
        said = said.rstrip() if self.pre else " ".join(said.split(" ")).strip()
        self.row = []
        if said or blank:
            self.found.append(f"{self._quote()}{said}")

    def done(self) -> str:
        """Return all rows as one text."""
        self._end()
        return "\n".join(self.found)
