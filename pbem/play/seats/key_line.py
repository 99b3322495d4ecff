"""The line with which a player who lost their key asks the others to vouch for a new key."""

from __future__ import annotations

import base64
import re
from typing import Final

from pbem.format import labels
from pbem.format.errors import RecordError
from pbem.format.hashing import th
from pbem.format.keys import check_public
from pbem.format.public_keys import why_not_x25519
from pbem.frozen import frozen
from pbem.records.fields.header import SEAT_PATTERN

_LINE: Final = re.compile(rf"({SEAT_PATTERN}):([0-9a-f]{{64}}):([0-9a-f]{{64}}):([A-Z2-7]{{8}})")


@frozen
class KeyLine:
    """The new keys of a seat, as their owner sends them to the others: `c:4f1c22…:9ac0…:K7Q2…`."""

    game: bytes
    seat: str
    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum, which also depends on the game."""
        return f"{self.seat}:{self.key.hex()}:{self.x25519.hex()}:{self._check()}"

    def _check(self) -> str:
        digest = th(labels.KEY_CHECK, self.game, self.seat.encode(), self.key, self.x25519)
        return base64.b32encode(digest[:5]).decode()


def parse_key_line(line: str, game: bytes) -> KeyLine:
    """Read a line that `KeyLine.line` wrote for this game; spaces and capitals do not matter.

    Raises RecordError `grammar` for any other text, `key` for keys that cannot be used.
    """
    parts = "".join(line.split()).split(":")
    said = ":".join([*(part.lower() for part in parts[:-1]), parts[-1].upper()])
    match = _LINE.fullmatch(said)
    if not match:
        raise RecordError("grammar", "this is not a complete key line: it looks like c:4f1c22…:…")
    found = KeyLine(game, match[1], bytes.fromhex(match[2]), bytes.fromhex(match[3]))
    if found.line() != said:
        told = (
            "this key line has a wrong character, or is for a different game: copy the whole "
            "line again"
        )
        raise RecordError("grammar", told)
    check_public(found.key)
    if reason := why_not_x25519(found.x25519):
        raise RecordError("key", f"this X25519 key cannot be used: {reason}")
    return found
