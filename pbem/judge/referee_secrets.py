"""The secrets of a game's referee, for the key of the referee or of the deputy (protocol §5)."""

from __future__ import annotations

from engine.value_classes import Value
from pbem.format.encrypted_box import (
    DEPUTY,
    BoxContext,
    box_key,
    open_box,
    seal,
)
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.records_of_game_folder import Archive
from pbem.records.charter import Charter
from pbem.records.final_record import check_opened
from pbem.records.record_header import (
    DEALERS_MODE,
)
from pbem.records.turn import Turn


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


def seal_secrets(key: bytes, secrets: bytes) -> bytes:
    """Seal the deputy's box of turn 1, with r_ref, the secret of `audit`, and in mode `dealers` the
    referee's card secret."""
    return seal(key, BoxContext("turn", "deputy", 1, ""), secrets, DEPUTY)


def open_secrets(key: bytes, box: bytes) -> tuple[bytes, bytes, bytes]:
    """Return r_ref, the secret of `audit` and, in mode `dealers`, the referee's card secret from a
    deputy's box. Raises RecordError `box`, `padding`, `field`."""
    secrets = open_box(key, BoxContext("turn", "deputy", 1, ""), box)
    if len(secrets) not in (64, 96):
        sentence = "the box for the deputy in turn 1 (field deputy) does not contain the "
        sentence += "referee's secrets"
        raise RecordError("field", sentence)
    return secrets[:32], secrets[32:64], secrets[64:]


def secrets_of(game_folder: Archive, key: SigningKey) -> RefereeSecrets:
    """Return the referee's secrets for a folder's game. Raises what `referee_secrets` raises."""
    charter = game_folder.charter.content
    record = next(game_folder.turns(), None) if key.public != charter.key else None
    return referee_secrets(charter, game_folder.game, record.content if record else None, key)
