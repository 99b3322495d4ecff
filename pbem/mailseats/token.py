"""The token in a turn email, which shows that a reply comes from somebody who has this email.

Anybody can write any address into `From:`. The token follows from the referee's key, so only a
person who was sent a turn email knows the token of this game, seat and turn.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.format.keys import Secrets

_BYTES: Final = 10
_MOST_FOUND: Final = 20
"""How many tokens in one email are checked."""
_FORM: Final = r"pbem-([0-9a-f]{6})-([a-p])([1-9][0-9]{0,4})-([a-z2-7]{16})(?![a-z0-9])"
_TOKEN = re.compile(_FORM, re.I)
_IN_SUBJECT = re.compile(rf" *\[{_FORM}\]", re.I)


class Token(NamedTuple):
    """A token that was found or made, and not yet compared with the right one."""

    game: str
    """The first six hex digits of the game's id."""
    seat: str
    turn: int
    secret: str

    def __str__(self) -> str:
        return f"pbem-{self.game}-{self.seat}{self.turn}-{self.secret}"


def make_token(seed: bytes, game: bytes, seat: str, turn: int, head: bytes) -> Token:
    """Make the token for the email about a turn.

    `seed` is the seed of the referee's key; `head` is the head after the turn.
    """
    derived = Secrets(seed).mail_token(game, seat, turn, head)[:_BYTES]
    secret = base64.b32encode(derived).decode("ascii").lower()
    return Token(game.hex()[:6], seat, turn, secret)


def is_right(found: Token, right: Token) -> bool:
    """Return whether a token is the right one; this takes the same time for all wrong ones."""
    return hmac.compare_digest(str(found).encode(), str(right).encode())


def tokens_in(text: str) -> Iterator[Token]:
    """Find the tokens in a text, each once, in their order."""
    seen = set[str]()
    for match in _TOKEN.finditer(text):
        said = match[0].lower()
        if said not in seen and len(seen) < _MOST_FOUND:
            seen.add(said)
            yield Token(match[1].lower(), match[2].lower(), int(match[3]), match[4].lower())


def without_tokens(subject: str) -> str:
    """Remove the tokens from a subject, so that readers of a log cannot answer for the player."""
    return _IN_SUBJECT.sub("", subject)
