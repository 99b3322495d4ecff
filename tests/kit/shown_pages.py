"""The text of a page that its reader sees or hears, and the hashes in it.

    text = shown_text("<p>orders 57a9b1 count</p>")
    assert "orders" in text
    assert hashes_in(text) == ["57a9b1"]

What is there to be copied (an invite, a link, an email as text), the key to back up and the folder
to share are left out: a reader needs them.
"""

import html
import re

_TO_COPY = re.compile(
    r"<(script|style|svg|pre)\b.*?</\1>|<code>[^<:]+:[a-h]:[\w:]+</code>|<code>pbem join [^<]+</code>|https?://[^\s\"'<]+"
    r'|<strong>Back up</strong>.*?</p>|share the folder \S+|<input[^>]*type="hidden"[^>]*>',
    re.S,
)
_SHOWN_ATTRIBUTES = re.compile(r'(?:title|alt|aria-label|placeholder|value)="([^"]*)"')
_HASH = re.compile(r"(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{6,}(?![\w-])")


def shown_text(page: str) -> str:
    """The text of the page, and its attributes that are shown or read aloud."""
    page = _TO_COPY.sub(" ", page)
    attributes = " ".join(_SHOWN_ATTRIBUTES.findall(page))
    return html.unescape(f"{re.sub(r'<[^>]*>', ' ', page)} {attributes}")


def hashes_in(text: str) -> list[str]:
    """Each word that can only be a hash or its beginning."""
    return _HASH.findall(text)
