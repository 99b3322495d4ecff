"""Get the text of an HTML reply, with `> ` before the lines that the mail program quotes.

This module does not use the standard library's `html.parser`, for the reason that
`pbem/mail/unpack_mail.py` gives. The libraries that were tried are in docs/dependencies.md.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.mail.unpack_mail import unescaped

_ROW_ELEMENTS: Final = re.compile(r"br|d[dt]|li|t[dhr]")
_PARAGRAPH_ELEMENTS: Final = re.compile(r"p|h[1-6]|hr|table|[dou]l|blockquote|div|pre|center")
"""HTML elements with an empty line before and after them."""
_UNSEEN_ELEMENTS: Final = re.compile(r"head|script|style|title|xml|del|s|strike")
"""HTML elements whose text nobody sees, or that strike it out."""
_VOID_ELEMENTS: Final = re.compile(r"br|hr|img|input|meta|link|col|wbr|area|base")
_HIDING_STYLE_PATTERN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|mso-hide\s*:\s*all|line-through|opacity\s*:\s*0(?!\.\d*[1-9])|(?<![\w-])hidden(?![\w-])",
    re.I,
)
_OUTLOOK_QUOTE_PATTERN = re.compile(
    r"id\s*=\s*[\"']?(?:x_)?(?:divRplyFwdMsg|appendonsend|mail-editor-reference|reply-intro"
    r"|OLK_SRC)",
    re.I,
)
"""Outlook's mark at the start of the quoted email, which has no element around it."""
_TOKEN_PATTERN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<slash>/?)(?P<tag>[a-z][a-z0-9:]*)(?P<attributes>[^<>]*)>|<[^<>]*>"
    r"|(?P<text>[^<]+)|<",
    re.I | re.S,
)
_MAX_QUOTE_DEPTH: Final = 50


def text_of_html(source: str) -> str:
    """Return the text that a reader of this HTML sees, row by row. Rows in quotes begin with `> `,
    once for each level. Never raises."""
    parts = list[str]()
    line_breaks = "\n"
    """The line breaks due before the next text; the first row of the page has none above it."""
    open_elements = [("", False)]
    """For each open element its name, and whether nobody sees the text in it."""
    quote_depth = pre_depth = 0
    for token in _TOKEN_PATTERN.finditer(source):
        text, tag = token["text"] or "", (token["tag"] or "").lower()
        depth_change = -1 if token["slash"] else 1
        attributes = (token["attributes"] or "")[:600]
        text = text if pre_depth else re.sub(r"\s+", " ", text)
        is_hidden = open_elements[-1][1]
        if not is_hidden and (text.strip() or not line_breaks):
            row_start = "\n" + "> " * quote_depth
            parts += [line_breaks[1:], row_start] if line_breaks else []
            parts.append(text.replace("\n", row_start))
            line_breaks = ""
        if tag == "body":
            del open_elements[1:]
        elif depth_change < 0:
            # an end tag also closes the elements inside that were not closed
            names = [name for name, _ in open_elements[:-40:-1]]
            if tag in names:
                del open_elements[-1 - names.index(tag) :]
        elif tag and not _VOID_ELEMENTS.fullmatch(tag) and not attributes.endswith("/"):
            is_unseen = _UNSEEN_ELEMENTS.fullmatch(tag) or _HIDING_STYLE_PATTERN.search(attributes)
            open_elements.append((tag, bool(is_unseen) or is_hidden))
            parts += [" "] if is_unseen else []  # the words on both sides are two words
        begins_quote = bool(_OUTLOOK_QUOTE_PATTERN.search(attributes))
        if begins_quote:
            parts.append("\n-----Original Message-----")
        if _PARAGRAPH_ELEMENTS.fullmatch(tag) or begins_quote:
            line_breaks = "\n\n"
        elif tag == "br" or (_ROW_ELEMENTS.fullmatch(tag) and not line_breaks):
            line_breaks = f"{line_breaks}\n"[:2]
        pre_depth = max(0, pre_depth + depth_change * (tag == "pre"))
        quote_depth += depth_change * (tag == "blockquote")
        quote_depth = min(_MAX_QUOTE_DEPTH, max(0, quote_depth))
    return unescaped("".join(parts))
