"""The invite to a seat: the line that a referee sends one player, and the key that it gives."""

from __future__ import annotations

import base64
import re

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import kdf, th, u
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.record_header import SEAT_PATTERN

_INVITE = re.compile(
    rf"([a-z0-9-]{{1,40}}):({SEAT_PATTERN}):([A-Z2-7]{{26}}):([0-9a-f]{{64}}):([A-Z2-7]{{8}})"
)
_EXAMPLE_INVITE = "savannah:b:4H7Q…:4f1c22…:K7Q2…"


class Invite(Value):
    """The line that the referee sends one player privately; `title` is a slug, for people only.

    It proves to the player which charter is right, and to the referee who the player is.
    """

    title: str
    seat: str
    code: bytes
    """The secret, 16 bytes; it gives the key of the seat's door (see `door_key`)."""
    game: bytes
    """The game's id, 32 bytes."""

    def line(self) -> str:
        """Return the line: `savannah:b:4H7Q…:4f1c22…:K7Q2…`; the last part is a checksum."""
        code = base64.b32encode(self.code).decode().rstrip("=")
        digest = th(protocol_labels.INVITE_CHECK, self.seat.encode(), self.code, self.game)
        checksum = base64.b32encode(digest[:5]).decode()
        return f"{self.title}:{self.seat}:{code}:{self.game.hex()}:{checksum}"


def slug(title: str) -> str:
    """Return the title as invites write it: a-z, 0-9, single hyphens; at most 40 characters."""
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "game"


def parse_invite(line: str) -> Invite:
    """Read a line that `Invite.line` wrote; capitals and spaces do not matter. Raises RecordError
    `grammar` for anything else, also for a wrong checksum."""
    parts = "".join(line.split()).split(":")
    title, seat, code, game, checksum = [*parts, *[""] * 5][:5]  # fewer parts become empty
    normalized_line = f"{title}:{seat}:".lower() + f"{code}:".upper()
    normalized_line += f"{game}:".lower() + checksum.upper()
    match = _INVITE.fullmatch(normalized_line)
    if not match or len(parts) != 5:
        sentence = f"this is not a complete invite; an invite looks like {_EXAMPLE_INVITE}"
        raise RecordError("grammar", sentence)
    secret = base64.b32decode(match[3] + "======")
    invite = Invite(match[1], match[2], secret, bytes.fromhex(match[4]))
    if invite.line() != normalized_line:
        raise RecordError("grammar", "this invite has a wrong character: copy the whole line again")
    return invite


def invite_code(audit: bytes, table: bytes, seat: str, number: int = 0) -> bytes:
    """Compute the 16-byte code in a seat's invite, from the X25519 secret that `final` opens;
    `number` says how many doors the seat had before."""
    return kdf(audit, protocol_labels.INVITE, table, seat.encode(), u(number))[:16]


def door_key(code: bytes, seat: str) -> SigningKey:
    """Return the key of a seat's door, which the code in its invite gives."""
    return SigningKey(kdf(code, protocol_labels.DOOR_KEY, seat.encode()))
