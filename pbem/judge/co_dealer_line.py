"""The line with which a charter names a co-dealer: its public keys (protocol §13)."""

from __future__ import annotations

import base64
import re
from typing import Final

from engine.value_classes import Value
from pbem.cards.card_protocol_labels import CO_DEALER, CO_DEALER_CHECK
from pbem.format.encrypted_box import public_of
from pbem.format.hashes_and_streams import kdf, th
from pbem.format.keys import SigningKey, check_public
from pbem.format.record_error import RecordError
from pbem.format.usable_public_keys import check_x25519
from pbem.records.charter import CoDealer
from pbem.records.twelve_words import words_of

_LINE: Final = re.compile(r"co-dealer:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


def co_dealer_box_secret(seed: bytes) -> bytes:
    """Return the X25519 secret of a co-dealer, which is the same in all games."""
    return kdf(seed, CO_DEALER)


class CoDealerLine(Value):
    """A co-dealer's public keys, as one line: `co-dealer:4f1c22…:9ac0…:K7Q2…`; it contains no
    secret."""

    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return f"co-dealer:{self.key.hex()}:{self.x25519.hex()}:{check}"

    def words(self) -> str:
        """Return twelve words for both keys. People compare them by voice, because the referee
        could name another key."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(CO_DEALER_CHECK, self.key, self.x25519)

    def named(self, name: str) -> CoDealer:
        """Return the co-dealer for a charter."""
        return CoDealer(name, self.key, self.x25519)


def line_of(key: SigningKey) -> CoDealerLine:
    """Return the line of the co-dealer with this key."""
    return CoDealerLine(key.public, public_of(co_dealer_box_secret(key.seed)))


def parse_co_dealer_line(line: str) -> CoDealerLine:
    """Read a line that `CoDealerLine.line` wrote; spaces do not matter. Raises RecordError
    `grammar` for another line, `key` if its keys are none."""
    normalized_line = "".join(line.split())
    match = _LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError("grammar", "this is not the line of a co-dealer: co-dealer:4f1c22…:…")
    co_dealer_line = CoDealerLine(bytes.fromhex(match[1]), bytes.fromhex(match[2]))
    if co_dealer_line.line() != normalized_line:
        raise RecordError(
            "grammar", "a character of the co-dealer's line is wrong: copy the whole line again"
        )
    check_public(co_dealer_line.key)
    check_x25519(co_dealer_line.x25519)
    return co_dealer_line
