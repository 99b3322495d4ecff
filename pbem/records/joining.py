"""Take a seat: the invite, the boxes of a join, and the keys that must differ (protocol §3)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from pbem.format import labels
from pbem.format.canonical import parse
from pbem.format.encrypted_box import CONTACT, SMALL, Field, Place, open_box, public_of, seal
from pbem.format.errors import RecordError
from pbem.format.hashing import kdf, th, u
from pbem.format.keys import SigningKey, signed_by
from pbem.frozen import frozen
from pbem.records.chain import referee_commitment, seat_commitment
from pbem.records.charter_join_orders import Charter, FinalRecord, Join
from pbem.records.fields.header import SEAT_PATTERN

_INVITE = re.compile(
    rf"([a-z0-9-]{{1,40}}):({SEAT_PATTERN}):([A-Z2-7]{{26}}):([0-9a-f]{{64}}):([A-Z2-7]{{8}})"
)
_LOOKS = "savannah:b:4H7Q…:4f1c22…:K7Q2…"


@frozen
class Invite:
    """The line that the referee sends one player privately.

    The invite proves to the player which charter is right, and to the referee who the player is.
    `title` is a slug of the game's title, for people only.
    """

    title: str
    seat: str
    code: bytes
    game: bytes

    def line(self) -> str:
        """Return the line: `savannah:b:4H7Q…:4f1c22…:K7Q2…`; the last part is a checksum."""
        code = base64.b32encode(self.code).decode().rstrip("=")
        return f"{self.title}:{self.seat}:{code}:{self.game.hex()}:{self._check()}"

    def _check(self) -> str:
        """Return the checksum, 40 bits in base32, which shows mistakes in a copied invite."""
        digest = th(labels.INVITE_CHECK, self.seat.encode(), self.code, self.game)
        return base64.b32encode(digest[:5]).decode()


def slug(title: str) -> str:
    """Return the title as invites write it: a-z, 0-9, single hyphens; at most 40 characters."""
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "game"


def parse_invite(line: str) -> Invite:
    """Read a line that `Invite.line` wrote; capitals, spaces and line breaks do not matter.

    Raises RecordError `grammar` if the line is not an invite, or has a wrong character.
    """
    parts = "".join(line.split()).split(":")
    title, seat, code, game, check = [*parts, *[""] * 5][:5]
    said = f"{title.lower()}:{seat.lower()}:{code.upper()}:{game.lower()}:{check.upper()}"
    match = _INVITE.fullmatch(said)
    if not match or len(parts) != 5:
        raise RecordError(
            "grammar", f"this is not a complete invite; an invite looks like {_LOOKS}"
        )
    secret = base64.b32decode(match[3] + "======")
    invite = Invite(match[1], match[2], secret, bytes.fromhex(match[4]))
    if invite.line() != said:
        raise RecordError("grammar", "this invite has a wrong character: copy the whole line again")
    return invite


def invite_code(audit: bytes, table: bytes, seat: str, number: int = 0) -> bytes:
    """Compute the 16-byte code in a seat's invite, from the X25519 secret that `final` opens.

    `table` is that of the charter; `number` says how many doors the seat had before.
    """
    return kdf(audit, labels.INVITE, table, seat.encode(), u(number))[:16]


def door_key(code: bytes, seat: str) -> SigningKey:
    """Return the key of a seat's door, which the code in its invite gives."""
    return SigningKey(kdf(code, labels.DOOR_KEY, seat.encode()))


def door_message(join: Join) -> bytes:
    """Return what the door's key signs: the game, the seat, and all keys in the join."""
    keys = join.key, join.x25519, join.recovery, join.commit
    return _door_message(join.game, join.seat.encode(), *keys)


def _door_message(*parts: bytes) -> bytes:
    return th(labels.DOOR, *parts)


def is_let_in(join: Join, door: bytes) -> bool:
    """Return whether this door's key signed the keys in a join, so that its player was invited."""
    return bool(join.door and door) and signed_by(door, door_message(join), join.door)


def may_be_let_in(body: bytes, door: bytes) -> bool:
    """Return whether this door's key signed the keys in the text of a join, as `is_let_in` does.

    Nothing else is checked, so this is quick: it chooses the joins to read among those of
    strangers, who can sign any number of them.
    """
    try:
        doc = parse(body)
        game, x25519, commit, signature = (
            bytes.fromhex(doc.get(name, "")) for name in ("game", "x25519", "commit", "door")
        )
        key, recovery = (
            base64.b64decode(doc.get(name, "").partition(" ")[2])[-32:]
            for name in ("key", "recovery")
        )
        parts = (game, doc.get("seat", "").encode(), key, x25519, recovery, commit)
    except (RecordError, TypeError, ValueError, AttributeError):
        return False
    return signed_by(door, _door_message(*parts), signature)


def small_box(key: bytes, field: Field, seat: str, signer: bytes, plain: bytes) -> bytes:
    """Seal the box `r` or `contact` of a join that `signer` signs.

    `key` is the key of boxes between the seat and `audit` (for `r`) or `desk` (for `contact`).
    """
    size = CONTACT if field == "contact" else SMALL
    return seal(key, _place(field, seat, signer), plain, size)


def open_r(key: bytes, game: bytes, join: Join) -> bytes:
    """Open the r in a join.

    Raises RecordError `box`, `padding`, or `commitment` if r does not match the commitment.
    """
    r = open_box(key, _place("r", join.seat, join.key), join.r)
    if len(r) != 32 or seat_commitment(game, join.seat, r) != join.commit:
        raise RecordError(
            "commitment",
            f"seat {join.seat}: r does not match the commitment in the join of this seat",
        )
    return r


def open_contact(key: bytes, join: Join) -> str:
    """Open the text that says how to reach the player; `key` is the box key with `desk`.

    Raises RecordError `box` or `padding`.
    """
    return open_box(key, _place("contact", join.seat, join.key), join.contact).decode(
        "utf-8", "replace"
    )


def _place(field: Field, seat: str, signer: bytes) -> Place:
    return Place("join", field, 0, seat, signer=signer)


def check_share(charter: Charter, join: Join) -> None:
    """Check that a join has a share r of the seed, unless the referee has the seat's key.

    Raises RecordError `field`.
    """
    if bool(join.commit) == (join.seat in charter.held):
        held = "is the referee's and must not contain r" if join.commit else "must contain its r"
        raise RecordError("field", f"commit, r: seat {join.seat} {held}")


def check_keys(charter: Charter, joins: Mapping[str, Join]) -> None:
    """Check that no key is used twice in a game. Raises RecordError `key`, which names both
    seats."""
    if (twice := same_key(charter, joins)) is not None:
        raise RecordError("key", twice[1])


def same_key(charter: Charter, joins: Mapping[str, Join]) -> tuple[str, str] | None:
    """Find a seat that uses another person's key: returns the seat and a sentence, or None.

    A join proves that its signer has its signing key and its X25519 key, but anybody can name any
    key as `recovery`. So recovery keys are checked last: a seat whose recovery key is another
    person's key is at fault. If two seats name the same recovery key, nobody can tell who copied
    it, and the sentence names both.
    """
    seen = dict.fromkeys((charter.key, charter.audit, charter.desk), "the referee")
    seen |= dict.fromkeys({charter.deputy_key, charter.deputy_x25519} - {b""}, "the deputy")
    proven = [(s, key) for s, join in sorted(joins.items()) for key in (join.key, join.x25519)]
    named = [(s, join.recovery) for s, join in sorted(joins.items()) if join.recovery]
    for seat, key in proven:
        if key in seen:
            return seat, f"seat {seat} uses a key of {seen[key]}; each needs its own"
        seen[key] = f"seat {seat}"
    recovery = dict[bytes, str]()
    for seat, key in named:
        if key in seen:
            return seat, f"seat {seat} uses a key of {seen[key]}; each needs its own"
        if key in recovery:
            told = f"seats {recovery[key]} and {seat} name the same recovery key"
            return seat, f"{told}, and no record says which of them copied it: ask both players"
        recovery[key] = seat
    return None


def check_final(charter: Charter, final: FinalRecord) -> None:
    """Check that the secrets belong to the charter. Raises RecordError `commitment`."""
    check_opened(charter, final.r_ref, final.audit)


def check_opened(charter: Charter, r_ref: bytes, audit: bytes) -> None:
    """Check that these secrets belong to the charter. Raises RecordError `commitment`."""
    if referee_commitment(charter.table, r_ref) != charter.commit:
        raise RecordError("commitment", "r_ref does not match the commitment in the charter")
    if public_of(audit) != charter.audit:
        raise RecordError("commitment", "the audit secret does not match the charter's key")
