"""Get the text of an HTML reply, with `> ` before the lines that the mail program quotes.

This module does not use the standard library's `html.parser`, for the reason that
`pbem/mail/opening.py` gives. The libraries that were tried are in docs/dependencies.md.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.opening import unescaped

_ROWS: Final = re.compile(r"blockquote|br|center|d[dlt]|div|h[1-6]|hr|li|[ou]l|p|pre|table|t[dhr]")
_APART: Final = re.compile(r"p|h[123]|hr|table|[ou]l|blockquote|div|pre")
"""HTML elements with an empty line before and after them."""
_UNSEEN: Final = re.compile(r"head|script|style|title|xml|del|s|strike")
"""HTML elements whose text nobody sees, or that strike it out."""
_VOID: Final = re.compile(r"br|hr|img|input|meta|link|col|wbr|area|base")
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|mso-hide\s*:\s*all|line-through|opacity\s*:\s*0(?!\.\d*[1-9])|(?<![\w-])hidden(?![\w-])",
    re.I,
)
_OUTLOOK = re.compile(
    r"id\s*=\s*[\"']?(?:x_)?(?:divRplyFwdMsg|appendonsend|mail-editor-reference|reply-intro"
    r"|OLK_SRC)",
    re.I,
)
"""How Outlook marks the start of the quoted email, which has no element around it."""
_PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<slash>/?)(?P<tag>[a-z][a-z0-9:]*)(?P<attributes>[^<>]*)>|<[^<>]*>"
    r"|(?P<text>[^<]+)|<",
    re.I | re.S,
)
_DEEPEST: Final = 50


def text_of_html(source: str) -> str:
    """Return the text that a reader of this HTML sees, row by row. Never raises."""
    rows = _Rows()
    for piece in _PIECE.finditer(source):
        if piece["tag"]:
            rows.tag(piece["tag"].lower(), bool(piece["slash"]), piece["attributes"][:600])
        elif piece["text"]:
            rows.text(piece["text"])
    rows.end()
    return "\n".join(rows.found)


class _Rows:
    """The rows of text so far, and which elements the next text is inside."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.row: list[str] = []
        self.inside = [("", False)]
        """The open elements, each with whether the text in it is hidden."""
        self.quoted = self.pre = 0

    def tag(self, name: str, closes: bool, attributes: str) -> None:
        """Handle a tag; `closes` for `</…>`."""
        step = -1 if closes else 1
        if name == "body":
            self.inside = self.inside[:1]
        elif closes:
            names = [one for one, _ in self.inside[:-40:-1]]
            if name in names:
                del self.inside[-1 - names.index(name) :]
        elif not _VOID.fullmatch(name) and not attributes.endswith("/"):
            hides = bool(_UNSEEN.fullmatch(name) or _HIDES.search(attributes))
            self.inside.append((name, hides or self.inside[-1][1]))
            self.row += [" "] if hides else []  # what stands on both sides is not one word
        if name == "pre":
            self.end()
            self.pre = max(0, self.pre + step)
        if _OUTLOOK.search(attributes):
            self.end()
            self.found.append("-----Original Message-----")
        if _ROWS.fullmatch(name):
            self.end()
            if _APART.fullmatch(name) and self.found and self.found[-1].strip("> "):
                self.found.append(("> " * self.quoted).rstrip())
            if name == "blockquote":
                self.quoted = min(_DEEPEST, max(0, self.quoted + step))

    def text(self, said: str) -> None:
        """Handle text between tags."""
        if self.inside[-1][1]:
            return
        first, *rest = said.split("\n") if self.pre else [re.sub(r"\s+", " ", said)]
        self.row.append(first)
        for line in rest:
            self.end(blank=True)
            self.row.append(line)

    def end(self, blank: bool = False) -> None:
        """End a row."""
        said = unescaped("".join(self.row))
        self.row = []
        said = said.rstrip() if self.pre else " ".join(said.split())
        if said.strip() or blank:
            self.found.append(f"{'> ' * self.quoted}{said}")
