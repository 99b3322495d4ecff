"""The deputy: their keys, the secrets that they get, and which turns are theirs (protocol §5)."""

from __future__ import annotations

import base64
import re
from typing import Final, Literal

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.canonical_toml import RecordError
from pbem.format.encrypted_box import box_key
from pbem.format.keys import Secrets, SigningKey, check_public, check_x25519, th
from pbem.records.charter import Charter
from pbem.records.final_record import check_opened
from pbem.records.ids_and_heads import words_of
from pbem.records.schema import DEALERS_MODE, MAX_TURN
from pbem.records.turn import Turn, open_secrets
from pbem.text.terminal_and_page_wording import TerminalText

_LINE: Final = re.compile(r"deputy:([0-9a-f]{64}):([0-9a-f]{64}):([A-Z2-7]{8})")


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
    match = _LINE.fullmatch(normalized_line)
    if not match:
        raise RecordError(
            "grammar",
            TerminalText(
                "this is not [[a line of `pbem keys deputy`||a deputy's line]], which looks like "
                "deputy:4f1c22…:…"
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


class RefereeSecrets(Value):
    """The secrets that `final` opens when the game is over."""

    r_ref: bytes
    """The referee's share of the seed."""
    audit: bytes
    """The X25519 secret of the charter's `audit` key: it opens the boxes between the referee
    and each seat."""
    card_secret: bytes = b""
    """In mode `dealers`, the referee's secret scalar in 32 bytes; else empty."""


def referee_secrets(
    charter: Charter, game: bytes, first_turn: Turn | None, key: SigningKey
) -> RefereeSecrets:
    """Return the secrets of a game for the key of its referee or deputy; `first_turn` is turn 1.

    Raises RecordError `key` for any other key, `state` for a deputy before turn 1, `box` or
    `commitment` if turn 1 does not contain them.
    """
    if key.public not in charter.referee_keys:
        makers = f"the referee {charter.referee}"
        makers += f" and the deputy {charter.deputy}" if charter.deputy else ""
        sentence = f"your key cannot make turns in this game; only {makers} can"
        raise RecordError("key", sentence)
    key_secrets = Secrets(key.seed)
    if key.public == charter.key:
        r_ref, audit = key_secrets.r_ref(charter.table), key_secrets.audit(charter.table)
        secrets = RefereeSecrets(r_ref, audit, _card_secret(charter, game, key))
    elif first_turn is None:
        raise RecordError("state", f"before turn 1, only {charter.referee} can make a turn")
    else:
        box = box_key(key_secrets.deputy(), charter.audit, game)
        secrets = RefereeSecrets(*open_secrets(box, first_turn.deputy))
    check_opened(charter, secrets.r_ref, secrets.audit)
    return secrets


def _card_secret(charter: Charter, game: bytes, key: SigningKey) -> bytes:
    """Return the referee's secret scalar in mode `dealers`, else empty. Raises CliError if the
    library is missing."""
    if charter.mode != DEALERS_MODE:
        return b""
    from pbem.cards.card_keys_and_shares import make_card_secret
    from pbem.format.curve_group import scalar_bytes

    return scalar_bytes(make_card_secret(key.seed, game))


Role = Literal["referee", "deputy"]
AFTER_LAST_TURN: Final = MAX_TURN + 1
"""A number beyond the last turn that a game can have: it asks who makes the next turn."""


class Maker(Value):
    """The person who makes a turn."""

    key: bytes
    """The key that signs it."""
    role: Role
    """The role in the charter."""
    name: str

    @property
    def called(self) -> str:
        """The name and the role, for sentences: `Flo, the deputy`."""
        return f"{self.name}, the {self.role}"


def maker_of(charter: Charter, deputy_since: int, turn: int = AFTER_LAST_TURN) -> Maker:
    """Return the maker of a turn, or without `turn` the present maker.

    `deputy_since` is the first turn that the deputy makes; 0 = none.
    """
    return maker_with(charter, charter.deputy_key if 0 < deputy_since <= turn else charter.key)


def maker_with(charter: Charter, key: bytes) -> Maker:
    """Return the maker who has this key, which must be the referee's or the deputy's."""
    if charter.deputy_key and key == charter.deputy_key:
        return Maker(key, "deputy", charter.deputy)
    return Maker(charter.key, "referee", charter.referee)
