"""The record `join`, by which a player takes a seat: fields, boxes, the signature by the door."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import ClassVar

from pbem.format import protocol_labels
from pbem.format.canonical_toml import parse
from pbem.format.encrypted_box import (
    CONTACT,
    R_BOX,
    TAG,
    BoxContext,
    Field,
    open_box,
    seal,
)
from pbem.format.hashes_and_streams import th
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import signed_by
from pbem.records.charter import Charter, charter_key_owners
from pbem.records.record_field_codecs import FieldError, boxed, hash32, hexed, signing, wire, x25519
from pbem.records.record_header import Header, RecordKind, person
from pbem.records.seeded_decks_and_dice import seat_commitment

_small_box_or_none = boxed(
    lambda n: n in (0, R_BOX + TAG), f"base64 of a box of {R_BOX + TAG} bytes, or empty"
)
_contact_box = boxed(lambda n: n == CONTACT + TAG, f"base64 of a box of {CONTACT + TAG} bytes")


class Join(Header, kw_only=True):
    """A join: one player takes one seat; a file in `seats/`."""

    kind: ClassVar[RecordKind] = "join"
    name: str = wire(person)
    """The player's name."""
    key: bytes = wire(signing)
    """The seat's signing key."""
    x25519: bytes = wire(x25519)
    """The seat's key for boxes."""
    recovery: bytes = wire(signing, b"")
    """A key that may sign the rotation of `key`, if the player made one."""
    seat_point: bytes = wire(hash32, b"")
    """Mode `dealers`: the point for which dealers seal the seat's cards."""
    point_proof: bytes = wire(hexed(64), b"")
    """Mode `dealers`: the proof that the player knows the secret of the seat point."""
    commit: bytes = wire(hexed(32, empty=True))
    """The player's commitment to r; empty for seats that the referee holds."""
    r: bytes = wire(_small_box_or_none)
    """Box to `audit`: r, 32 bytes; empty for seats that the referee holds."""
    door: bytes = wire(hexed(64, empty=True))
    """The signature by the seat's door, over the keys in this join; empty without an invite."""
    contact: bytes = wire(_contact_box)
    """Box to `desk`: how to reach the player, UTF-8."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if bool(self.commit) != bool(self.r):
            raise FieldError("this join has only one of the fields commit and r, which go together")
        if self.recovery == self.key:
            raise FieldError(
                "the fields key and recovery have the same key, but the recovery key must be "
                "a different one"
            )


def door_message(join: Join) -> bytes:
    """Return the message that the door's key signs: the game, the seat, all keys in the join."""
    keys = join.key, join.x25519, join.recovery, join.commit
    return _door_message(join.game, join.seat.encode(), *keys, seat_point=join.seat_point)


def _door_message(*parts: bytes, seat_point: bytes) -> bytes:
    return th(protocol_labels.DOOR, *parts, *([seat_point] if seat_point else []))


def is_let_in(join: Join, door: bytes) -> bool:
    """Return whether this door's key signed the keys in a join, so that its player was invited;
    False if the join has no such signature, or the seat no door (empty)."""
    return bool(join.door and door) and signed_by(door, door_message(join), join.door)


def may_be_let_in(body: bytes, door: bytes) -> bool:
    """Return whether this door's key signed the keys in `body`, the text of a join, as `is_let_in`
    does; False for a text that is no join.

    Nothing else is checked, so this is quick: it chooses the joins to read among those of
    strangers, who can sign any number of them.
    """
    try:
        document = parse(body)
        game, x25519, commit, signature = (
            bytes.fromhex(document.get(name, "")) for name in ("game", "x25519", "commit", "door")
        )
        key, recovery = (
            base64.b64decode(document.get(name, "").partition(" ")[2])[-32:]
            for name in ("key", "recovery")
        )
        seat_point = bytes.fromhex(document.get("seat_point", ""))
        parts = (game, document.get("seat", "").encode(), key, x25519, recovery, commit)
    except (RecordError, TypeError, ValueError, AttributeError):
        return False
    return signed_by(door, _door_message(*parts, seat_point=seat_point), signature)


def small_box(key: bytes, field: Field, seat: str, signer: bytes, plaintext: bytes) -> bytes:
    """Seal the box `r` or `contact` of a join, with the key of boxes to `audit` or `desk`."""
    size = CONTACT if field == "contact" else R_BOX
    return seal(key, _join_box_context(field, seat, signer), plaintext, size)


def open_r(key: bytes, game: bytes, join: Join) -> bytes:
    """Open the r in a join. Raises RecordError `box`, `padding`, or `commitment` if it does not
    match."""
    r = open_box(key, _join_box_context("r", join.seat, join.key), join.r)
    if len(r) != 32 or seat_commitment(game, join.seat, r) != join.commit:
        sentence = (
            f"the secret in the join of seat {join.seat} does not fit the commitment in the "
            "same join"
        )
        raise RecordError("commitment", sentence)
    return r


def open_contact(key: bytes, join: Join) -> str:
    """Open the box `contact`, the player's address, with the key of boxes to `desk`. Raises
    RecordError `box`, `padding`."""
    plaintext = open_box(key, _join_box_context("contact", join.seat, join.key), join.contact)
    return plaintext.decode("utf-8", "replace")


def _join_box_context(field: Field, seat: str, signer: bytes) -> BoxContext:
    return BoxContext("join", field, 0, seat, signer=signer)


def check_share(charter: Charter, join: Join) -> None:
    """Raise RecordError `field` unless a join has a share r of the seed, or the referee its seat's
    key."""
    if bool(join.commit) == (join.seat in charter.held_seats):
        sentence = (
            f"the join of seat {join.seat} has no part of the seed for the dice (fields commit, r)"
        )
        if join.commit:
            sentence = (
                f"seat {join.seat} is the referee's, so its join must not have the fields commit "
                "and r"
            )
        raise RecordError("field", sentence)


def check_keys(charter: Charter, joins: Mapping[str, Join]) -> None:
    """Raise RecordError `key`, naming both seats, if a key is used twice in a game."""
    if (shared_key := find_shared_key(charter, joins)) is not None:
        raise RecordError("key", shared_key[1])


def find_shared_key(charter: Charter, joins: Mapping[str, Join]) -> tuple[str, str] | None:
    """Find a seat that uses another person's key, or one key twice: return the seat and a sentence,
    or None.

    A join proves that its signer has the signing key and the X25519 key, but anybody can name any
    key as `recovery`. So recovery keys are checked last: a seat whose recovery key is another
    person's key is at fault. Two seats may name the same recovery key: nobody could tell who copied
    the key, and the copier has only given their own seat away.
    """
    owner_by_key = charter_key_owners(charter)
    proven_keys = [(s, key) for s, join in sorted(joins.items()) for key in (join.key, join.x25519)]
    for seat, key in proven_keys:
        if key in owner_by_key:
            return seat, foreign_key_sentence(seat, owner_by_key[key])
        owner_by_key[key] = f"seat {seat}"
    for seat, join in sorted(joins.items()):
        if join.recovery in owner_by_key:
            return seat, foreign_key_sentence(seat, owner_by_key[join.recovery])
    return None


def foreign_key_sentence(seat: str, owner: str) -> str:
    """Say that a seat's join names a key of somebody else, or one key for two uses."""
    if owner == f"seat {seat}":
        return f"seat {seat} uses one key for two purposes; each purpose needs a key of its own"
    return f"seat {seat} uses a key of {owner}; each person needs keys of their own"
