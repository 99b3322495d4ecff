"""Find the referee's secrets: the referee's key gives them, or turn 1 hands them to the deputy."""

from __future__ import annotations

from pbem.format.encrypted_box import box_key
from pbem.format.errors import RecordError
from pbem.format.keys import Secrets, SigningKey
from pbem.frozen import frozen
from pbem.records.charter_join_orders import Charter
from pbem.records.joining import check_opened
from pbem.records.packet import open_secrets
from pbem.records.turn import Turn


@frozen
class RefereeSecrets:
    """The secrets that `final` will open: the referee's share of the seed, and the X25519 secret of
    `audit`."""

    r_ref: bytes
    audit: bytes


def referee_secrets(
    charter: Charter, game: bytes, first: Turn | None, key: SigningKey
) -> RefereeSecrets:
    """Return the secrets of a game for the key of its referee or deputy; `first` is turn 1.

    Raises RecordError `key` for any other key, `state` for a deputy before turn 1, and `box` or
    `commitment` if turn 1 does not contain the secrets for the deputy.
    """
    if key.public not in charter.referee_keys:
        who = f"{charter.referee}, the referee,"
        who += f" or {charter.deputy}, the deputy," if charter.deputy else ""
        raise RecordError("key", f"only {who} can do that: this is a different key")
    own = Secrets(key.seed)
    if key.public == charter.key:
        found = RefereeSecrets(own.r_ref(charter.table), own.audit(charter.table))
    elif first is None:
        raise RecordError("state", f"before turn 1, only {charter.referee} can do that")
    else:
        found = RefereeSecrets(
            *open_secrets(box_key(own.deputy(), charter.audit, game), first.deputy)
        )
    check_opened(charter, found.r_ref, found.audit)
    return found
