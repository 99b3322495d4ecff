"""Check that mail can be sent to an address that somebody typed."""

from __future__ import annotations

import re

_LOCAL, _DOMAIN = r"[!#-'*+/-9=?A-Z^-~.-]{1,64}", r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_ADDRESS = re.compile(f"{_LOCAL}@{_DOMAIN}")


def is_address(text: str) -> bool:
    """Return whether a text is an email address of ASCII letters, such as `bo@example.org`."""
    return bool(_ADDRESS.fullmatch(text)) and len(text) <= 254 and ".." not in text
