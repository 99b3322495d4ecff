"""The line with which a deputy tells the referee their public keys."""

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
from pbem.records.chain import words_of

_LINE: Final = re.compile(r"deputy:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


@frozen
class DeputyLine:
    """A deputy's public keys, as one line: `deputy:4f1c22…:9ac0…:K7Q2…`; it contains no secret."""

    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return f"deputy:{self.key.hex()}:{self.x25519.hex()}:{check}"

    def words(self) -> str:
        """Return twelve words for both keys, to be compared by voice: whoever carries the line can
        swap it, with a right checksum."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(labels.DEPUTY_CHECK, self.key, self.x25519)


def parse_deputy_line(line: str) -> DeputyLine:
    """Read a line that `DeputyLine.line` wrote; spaces do not matter.

    Raises RecordError `grammar` for any other text, `key` for keys that cannot be used.
    """
    said = "".join(line.split())
    match = _LINE.fullmatch(said)
    if not match:
        raise RecordError("grammar", "the deputy's line looks like deputy:4f1c22…:9ac0…:K7Q2…")
    found = DeputyLine(bytes.fromhex(match[1]), bytes.fromhex(match[2]))
    if found.line() != said:
        raise RecordError(
            "grammar", "the deputy's line has a wrong character: copy the whole line again"
        )
    check_public(found.key)
    if reason := why_not_x25519(found.x25519):
        raise RecordError("key", f"this X25519 key cannot be used: {reason}")
    return found
