"""Which texts are email addresses."""

from __future__ import annotations

import re

from pbem.errors import CliError

_LOCAL, _DOMAIN = r"[!#-'*+/-9=?A-Z^-~.-]{1,64}", r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_ADDRESS = re.compile(f"{_LOCAL}@{_DOMAIN}")


def is_address(text: str) -> bool:
    """Return whether a text is an email address of ASCII letters, such as `bo@example.org`."""
    return bool(_ADDRESS.fullmatch(text)) and len(text) <= 254 and ".." not in text


def check_address(text: str) -> None:
    """Raise CliError unless a text is an email address."""
    if not is_address(text):
        problem = f"{text[:80]!r} is not an email address"
        raise CliError(problem, "write an address with plain letters, as in bo@example.org")
