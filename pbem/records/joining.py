"""Taking a seat: the invite line, the boxes of a join, and keys that must differ (protocol §3)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.format.box import Field, Place, open_box, public_of, seal
from pbem.format.errors import RecordError
from pbem.records.chain import referee_commitment, seat_commitment
from pbem.records.header import SEAT_PATTERN
from pbem.records.kinds import Charter, FinalRecord, Join

_INVITE = re.compile(rf"([a-z0-9-]{{1,40}}):({SEAT_PATTERN}):([A-Z2-7]{{26}}):([0-9a-f]{{64}})")


@dataclass(frozen=True, slots=True)
class Invite:
    """What the referee sends one player privately: it proves the charter to the player, and the
    player to the referee. `title` is a slug of the game's, for people only."""

    title: str
    seat: str
    code: bytes
    game: bytes

    def line(self) -> str:
        """`savannah:b:4H7Q…:4f1c22…`"""
        code = base64.b32encode(self.code).decode().rstrip("=")
        return f"{self.title}:{self.seat}:{code}:{self.game.hex()}"


def slug(title: str) -> str:
    """A title as it stands in invites: a-z, 0-9 and single hyphens, at most 40 characters."""
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "game"


def parse_invite(line: str) -> Invite:
    """Undo `Invite.line`; capitals and spaces around and inside (broken lines) do not matter.

    Raises RecordError `grammar` with what an invite looks like.
    """
    title, seat, code, game = ["", "", "", "", *"".join(line.split()).split(":")][-4:]
    said = f"{title.lower()}:{seat.lower()}:{code.upper()}:{game.lower()}"
    match = _INVITE.fullmatch(said)
    if not match or line.count(":") != 3:
        raise RecordError("grammar", "no invite; one looks like savannah:b:4H7Q…:4f1c22…, whole")
    return Invite(
        match[1], match[2], base64.b32decode(match[3] + "======"), bytes.fromhex(match[4])
    )


def small_box(key: bytes, field: Field, seat: str, plain: bytes) -> bytes:
    """The box `r`, `invite` or `contact` of a join (`key` with audit, audit or desk)."""
    return seal(key, _place(field, seat), plain)


def open_r(key: bytes, game: bytes, join: Join) -> bytes:
    """The r in a join. Raises RecordError `box`, `padding`, or `commitment` if it is another r than
    the one committed to."""
    r = open_box(key, _place("r", join.seat), join.r)
    if len(r) != 32 or seat_commitment(game, join.seat, r) != join.commit:
        raise RecordError("commitment", f"seat {join.seat}: r is not what was committed to")
    return r


def open_invite(key: bytes, join: Join) -> bytes:
    """The code in a join (empty: joined without one). Raises RecordError `box` or `padding`."""
    return open_box(key, _place("invite", join.seat), join.invite)


def open_contact(key: bytes, join: Join) -> str:
    """How to reach the player; `key` with desk. Raises RecordError `box` or `padding`."""
    return open_box(key, _place("contact", join.seat), join.contact).decode("utf-8", "replace")


def _place(field: Field, seat: str) -> Place:
    return Place("join", field, 0, seat)


def check_share(charter: Charter, join: Join) -> None:
    """Whether a join brings r exactly if its seat is not in `plays`. Raises RecordError `field`."""
    if bool(join.commit) == (join.seat in charter.plays):
        held = "is the referee's and brings no r" if join.commit else "must bring its r"
        raise RecordError("field", f"commit, r: seat {join.seat} {held}")


def check_keys(charter: Charter, joins: Mapping[str, Join]) -> None:
    """No key twice in one game. Raises RecordError `key` naming the two that are the same."""
    seen: dict[bytes, str] = {}
    owned = [("the referee", (charter.key, charter.audit, charter.desk))]
    for seat, join in sorted(joins.items()):
        owned.append((f"seat {seat}", (join.key, join.x25519, join.recovery)))
    for owner, key in ((owner, key) for owner, keys in owned for key in keys if key):
        if key in seen:
            raise RecordError("key", f"{owner} uses a key of {seen[key]}; each needs its own")
        seen[key] = owner


def check_final(charter: Charter, final: FinalRecord) -> None:
    """Whether the secrets are those the charter promised. Raises RecordError `commitment`."""
    if referee_commitment(charter.table, final.r_ref) != charter.commit:
        raise RecordError("commitment", "r_ref is not what the charter committed to")
    if public_of(final.audit) != charter.audit:
        raise RecordError("commitment", "the audit secret does not fit the charter's key")
