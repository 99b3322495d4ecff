"""The lines with which a charter names a deputy or a co-dealer: their public keys (protocol §5,
§13).
"""

from __future__ import annotations

import base64
import re
from typing import Final

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.encrypted_box import public_of
from pbem.format.hashes_and_streams import kdf, th
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey, check_public
from pbem.format.usable_public_keys import check_x25519
from pbem.records.charter import CoDealer, co_dealers_deputy_message
from pbem.records.record_field_codecs import FieldError
from pbem.records.twelve_words import words_of
from pbem.text.terminal_and_page_wording import TerminalText

_DEPUTY_LINE: Final = re.compile(r"deputy:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


class DeputyLine(Value):
    """A deputy's public keys, as one line: `deputy:4f1c22…:9ac0…:K7Q2…`; it contains no secret."""

    key: bytes
    x25519: bytes

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return f"deputy:{self.key.hex()}:{self.x25519.hex()}:{check}"

    def words(self) -> str:
        """Return twelve words for both keys. People compare them by voice, because whoever carries
        the line can swap it."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(protocol_labels.DEPUTY_CHECK, self.key, self.x25519)


def parse_deputy_line(line: str) -> DeputyLine:
    """Read a line that `DeputyLine.line` wrote; spaces do not matter. Raises RecordError `grammar`
    for another line, `key` if its keys are none."""
    normalized_line = "".join(line.split())
    match = _DEPUTY_LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError(
            "grammar",
            TerminalText(
                "this is not [[the line that `pbem keys deputy` prints||a deputy's line]]; such a "
                "line looks like deputy:4f1c22…:…"
            ),
        )
    deputy_line = DeputyLine(bytes.fromhex(match[1]), bytes.fromhex(match[2]))
    if deputy_line.line() != normalized_line:
        sentence = TerminalText(
            "a character of the deputy's line is wrong: copy the whole line[[ that pbem keys "
            "deputy prints]]"
        )
        raise RecordError("grammar", sentence)
    check_public(deputy_line.key)
    check_x25519(deputy_line.x25519)
    return deputy_line


_KEY: Final = r"([0-9a-f]{64})"
_CO_DEALER_LINE: Final = re.compile(
    rf"co-dealer:{_KEY}:{_KEY}(?::{_KEY}:{_KEY}:([0-9a-f]{{128}}))?:([A-Z2-7]{{8}})"
)


def co_dealer_box_secret(seed: bytes) -> bytes:
    """Return the X25519 secret of a co-dealer, which is the same in all games."""
    return kdf(seed, protocol_labels.CO_DEALER)


class CoDealerLine(Value):
    """A co-dealer's public keys, as one line: `co-dealer:4f1c22…:9ac0…:K7Q2…`; it contains no
    secret."""

    key: bytes
    x25519: bytes
    deputy_key: bytes = b""
    """The signing key of the deputy that the co-dealer has chosen, if it has one."""
    deputy_x25519: bytes = b""
    """The deputy's key for boxes."""
    deputy_proof: bytes = b""
    """The co-dealer's signature over both."""

    def line(self) -> str:
        """Return the line; its last part is a checksum."""
        check = base64.b32encode(self._digest()[:5]).decode()
        return ":".join(["co-dealer", *(part.hex() for part in self._parts()), check])

    def words(self) -> str:
        """Return twelve words for all keys. People compare them by voice, because the referee
        could name another key."""
        return " ".join(words_of(self._digest()))

    def _digest(self) -> bytes:
        return th(protocol_labels.CO_DEALER_CHECK, *self._parts())

    def _parts(self) -> list[bytes]:
        deputy_parts = [self.deputy_key, self.deputy_x25519, self.deputy_proof]
        return [self.key, self.x25519, *(part for part in deputy_parts if part)]

    def named(self, name: str) -> CoDealer:
        """Return the co-dealer for a charter."""
        return CoDealer(name, *self._parts())


def co_dealer_line_in_charter(dealer: CoDealer) -> CoDealerLine:
    """Return the line of a co-dealer as the charter repeats it, with the deputy if it has one."""
    return CoDealerLine(
        dealer.key, dealer.x25519, dealer.deputy_key, dealer.deputy_x25519, dealer.deputy_proof
    )


def make_co_dealer_line(key: SigningKey, deputy: DeputyLine | None = None) -> CoDealerLine:
    """Return the line of the co-dealer with this key, who chooses this deputy or none."""
    line = CoDealerLine(key.public, public_of(co_dealer_box_secret(key.seed)))
    if deputy is None:
        return line
    proof = key.sign(co_dealers_deputy_message(deputy.key, deputy.x25519))
    return CoDealerLine(line.key, line.x25519, deputy.key, deputy.x25519, proof)


def parse_co_dealer_line(line: str) -> CoDealerLine:
    """Read a line that `CoDealerLine.line` wrote; spaces do not matter. Raises RecordError
    `grammar` for another line, `key` if its keys are none."""
    normalized_line = "".join(line.split())
    match = _CO_DEALER_LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError(
            "grammar",
            TerminalText(
                "this is not [[the line that `pbem keys co-dealer` prints||a co-dealer's line]]; "
                "such a line looks like co-dealer:4f1c22…:…"
            ),
        )
    *parts, _ = match.groups(default="")
    co_dealer_line = CoDealerLine(*map(bytes.fromhex, parts))
    if co_dealer_line.line() != normalized_line:
        raise RecordError(
            "grammar", "a character of the co-dealer's line is wrong: copy the whole line again"
        )
    check_public(co_dealer_line.key)
    check_x25519(co_dealer_line.x25519)
    try:
        co_dealer_line.named("the co-dealer").check()
    except FieldError as error:
        raise RecordError("key", str(error)) from None
    return co_dealer_line
