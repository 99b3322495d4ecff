"""Get the text of an HTML email, as far as blocks need it: its rows, without any formatting.

This module does not use the standard library's `html.parser`: a hundred kilobytes of open tags keep
that parser busy for minutes, and anyone who writes to a player could send them.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Final

_ROWS: Final = frozenset(
    ["blockquote", "br", "dd", "div", "dl", "dt", "hr", "li", "ol", "p", "pre", "table", "td", "tr"]
)
_TAG = re.compile(r"<[/!]?+([a-z0-9]*+)[^<>]*+>", re.IGNORECASE)
_SIGN = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
"""A character reference, by name or number. Python raises an error for longer numbers."""


def html_text(source: str) -> str:
    """Return the text that a reader of an HTML page sees, with a line for each row or paragraph.

    Never raises.
    """
    plain = _TAG.sub(lambda m: "\n" if m[1].lower() in _ROWS else "", source)
    return unescaped(plain)


def unescaped(text: str) -> str:
    """Return the text with its HTML character references decoded. Never raises."""
    return _SIGN.sub(lambda m: _unescape(m[0]), text)


@lru_cache(1024)
def _unescape(sign: str) -> str:
    return html.unescape(sign)
