"""Get the text of an HTML reply, with `> ` before the lines that the mail program quotes.

This module does not use the standard library's `html.parser`, for the reason that
`pbem/mail/opening.py` gives. The libraries that were tried are in docs/dependencies.md.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.opening import unescaped

_ROWS: Final = re.compile(r"br|d[dt]|li|t[dhr]")
_PARAGRAPHS: Final = re.compile(r"p|h[1-6]|hr|table|[dou]l|blockquote|div|pre|center")
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
"""Outlook's mark at the start of the quoted email, which has no element around it."""
_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<slash>/?)(?P<tag>[a-z][a-z0-9:]*)(?P<attributes>[^<>]*)>|<[^<>]*>"
    r"|(?P<text>[^<]+)|<",
    re.I | re.S,
)
_MOST_QUOTES: Final = 50


def text_of_html(source: str) -> str:
    """Return the text that a reader of this HTML sees, row by row. Never raises."""
    parts, gap = list[str](), "\n"  # the gap is the line breaks before the next text
    elements = [("", False)]  # the open ones, each with whether the text in it is hidden
    quotes = preformatted = 0
    for token in _TOKEN.finditer(source):
        text, tag = token["text"] or "", (token["tag"] or "").lower()
        step, attributes = -1 if token["slash"] else 1, (token["attributes"] or "")[:600]
        text = text if preformatted else re.sub(r"\s+", " ", text)
        if not elements[-1][1] and (text.strip() or not gap):
            mark = "\n" + "> " * quotes
            parts += [gap[1:], mark if gap else "", text.replace("\n", mark)]
            gap = ""
        if tag == "body":
            del elements[1:]
        elif step < 0:
            names = [name for name, _ in elements[:-40:-1]]
            if tag in names:
                del elements[-1 - names.index(tag) :]
        elif tag and not _VOID.fullmatch(tag) and not attributes.endswith("/"):
            hides = bool(_UNSEEN.fullmatch(tag) or _HIDES.search(attributes))
            elements.append((tag, hides or elements[-1][1]))
            parts += [" "] if hides else []  # what stands on both sides is not one word
        if _OUTLOOK.search(attributes):
            parts.append("\n-----Original Message-----")
        if _PARAGRAPHS.fullmatch(tag) or _OUTLOOK.search(attributes):
            gap = "\n\n"
        elif tag == "br" or (_ROWS.fullmatch(tag) and not gap):
            gap = f"{gap}\n"[:2]
        preformatted = max(0, preformatted + step * (tag == "pre"))
        quotes = min(_MOST_QUOTES, max(0, quotes + step * (tag == "blockquote")))
    return unescaped("".join(parts))
