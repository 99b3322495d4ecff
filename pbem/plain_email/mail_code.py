"""The code in a turn email: it proves that the writer of a reply has this email."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.format.secret_and_public_keys import Secrets

_SECRET_BYTES: Final = 10
_MAX_CODES: Final = 20
_CODE_PATTERN = re.compile(r"pbem-[0-9a-f]{6}-[a-p][1-9][0-9]{0,4}-[a-z2-7]{16}(?![a-z0-9])", re.I)


class MailCode(NamedTuple):
    """The code in a turn email. It proves that the writer of a reply has this email.

    Anybody can write any address into `From:`. The code follows from the referee's key, so only a
    person who was sent a turn email knows it. All emails about one turn have the same code, because
    people answer whichever they find first.
    """

    game_digits: str
    """The first six hex digits of the game's id."""
    seat: str
    turn: int
    secret: str

    def is_same_code(self, code: MailCode) -> bool:
        """Return whether both codes are equal, in a time that does not depend on the difference."""
        return hmac.compare_digest(str(self).encode(), str(code).encode())

    def __str__(self) -> str:
        return f"pbem-{self.game_digits}-{self.seat}{self.turn}-{self.secret}"


def make_mail_code(key_seed: bytes, game: bytes, seat: str, turn: int, head: bytes) -> MailCode:
    """Return the code for the emails to a seat about a turn.

    `key_seed` is the seed of the referee's key, `game` the game's id, and `head` the head after the
    turn.
    """
    derived = Secrets(key_seed).mail_token(game, seat, turn, head)[:_SECRET_BYTES]
    secret = base64.b32encode(derived).decode("ascii").lower()
    return MailCode(game.hex()[:6], seat, turn, secret)


def find_mail_codes(text: str) -> Iterator[MailCode]:
    """Yield the codes in a text, each once, in their order; at most `_MAX_CODES`."""
    spellings = dict.fromkeys(match[0].lower() for match in _CODE_PATTERN.finditer(text))
    for _, game, seat_and_turn, secret in (
        spelling.split("-") for spelling in list(spellings)[:_MAX_CODES]
    ):
        yield MailCode(game, seat_and_turn[0], int(seat_and_turn[1:]), secret)
