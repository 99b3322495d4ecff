"""The contents of charter, join, orders and final (protocol §3).

Ids, hashes, keys and boxes are `bytes` here, and hex, key lines or base64 in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pbem.format.canonical import Scalar
from pbem.format.encrypted_box import CONTACT, SMALL, TAG
from pbem.format.errors import RecordError
from pbem.frozen import frozen
from pbem.records.fields.header import (
    MAX_SEATS,
    MODES,
    Header,
    Kind,
    person,
    rising,
    seat_letter,
    word,
)
from pbem.records.fields.order_size import MAX_LINES, SHEET, SHEETS, SLOTS
from pbem.records.fields.schema import (
    Codec,
    Wrong,
    boxed,
    flag,
    hash32,
    hexed,
    many,
    mapping,
    number,
    rows,
    shown,
    signing,
    text,
    wire,
    x25519,
)

_small_box_or_none = boxed(
    lambda n: n in (0, SMALL + TAG), f"base64 of a box of {SMALL + TAG} bytes, or empty"
)
_contact_box = boxed(lambda n: n == CONTACT + TAG, f"base64 of a box of {CONTACT + TAG} bytes")
_orders_box = boxed(
    lambda n: n in [TAG + SHEET * sheets for sheets in SHEETS],
    f"base64 of a box of {TAG} + {SHEET} bytes for every {SLOTS} slots",
)


def _read_scalar(value: Any) -> Scalar:
    if type(value) is str and len(value) > 400:
        raise Wrong("must have at most 400 characters")
    if not isinstance(value, str | int | bool):
        raise Wrong("must be a string, an integer or true or false")
    return value


_card_file = text(
    0, 65536, r"[\n -~]*", "a card file: up to 65536 characters of printable ASCII, and newlines"
)
_settings = mapping(
    r"[a-z0-9_-]{1,64}", Codec(_read_scalar, lambda v: v, "string, integer or boolean"), 64
)


@frozen
class SeatPlan:
    """What the charter says about one seat."""

    seat: str = wire(seat_letter)
    """The letter."""
    name: str = wire(person)
    """The name of the expected player."""
    door: bytes = wire(signing)
    """The key that must sign the keys in the seat's first join; the code in its invite gives it."""
    bot: str = wire(word, "")
    """The bot that plays it, if one does (the seat is then in `plays`)."""
    mail: bool = wire(flag, False)
    """true if its player answers by plain email: the referee has its key and signs its orders."""


@frozen(kw_only=True)
class Charter(Header):
    """The charter: the game, its rules and its referee; `game.toml`."""

    kind: ClassVar[Kind] = "charter"
    title: str = wire(shown(80))
    """What people call the game."""
    referee: str = wire(person)
    """The referee's name."""
    table: bytes = wire(hexed(16))
    """16 random bytes: no two games are the same."""
    mode: str = wire(word)
    """Who knows the deck: `referee`, in this version."""
    ruleset: str = wire(word)
    """The name of the rules."""
    version: str = wire(text(1, 32, r"[0-9A-Za-z.+_-]+", "0-9 A-Z a-z . + _ -"))
    """The version of the rules."""
    digest: bytes = wire(hash32)
    """SHA-256 of the rules and cards, as the ruleset defines it."""
    key: bytes = wire(signing)
    """The referee's signing key: it signs charter, turns and final."""
    audit: bytes = wire(x25519)
    """X25519 key that `final` opens."""
    desk: bytes = wire(x25519)
    """X25519 key that is never opened."""
    commit: bytes = wire(hash32)
    """The referee's commitment to r_ref."""
    seats: tuple[SeatPlan, ...] = wire(rows(SeatPlan, MAX_SEATS))
    """The seats, a b c … in this order."""
    plays: tuple[str, ...] = wire(many(seat_letter, 1, MAX_SEATS), ())
    """Seats whose keys the referee has, and whose moves the referee or a bot makes; rising."""
    options: Mapping[str, Scalar] = wire(_settings)
    """What the rules let people choose, as the ruleset names it."""
    policies: Mapping[str, Scalar] = wire(_settings)
    """How the game is run (deadlines and the like)."""
    deputy: str = wire(person, "")
    """The name of the person who may take over as the referee."""
    deputy_key: bytes = wire(signing, b"")
    """The deputy's signing key."""
    deputy_x25519: bytes = wire(x25519, b"")
    """The deputy's key for boxes."""
    notes: str = wire(shown(1000), "")
    """What players must know about the values of the cards before they play."""
    cards: str = wire(_card_file, "")
    """The owner's own card file, whole, if it replaces the values of the rules."""

    @property
    def referee_keys(self) -> frozenset[bytes]:
        """Return all keys that may ever sign turns: those of the referee and of the deputy."""
        return frozenset({self.key, self.deputy_key} - {b""})

    @property
    def by_mail(self) -> tuple[str, ...]:
        """Return the seats whose players answer by plain email when the game begins, in order."""
        return tuple(plan.seat for plan in self.seats if plan.mail)

    @property
    def held(self) -> frozenset[str]:
        """Return the seats whose first keys derive from the referee's: `plays` and `mail`."""
        return frozenset((*self.plays, *self.by_mail))

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if self.mode not in MODES:
            told = f"this version of pbem does not know mode {self.mode}: install a newer version"
            raise RecordError("version", told)
        letters = [plan.seat for plan in self.seats]
        if letters != [chr(ord("a") + i) for i in range(len(letters))]:
            raise Wrong("seats: must be a, b, c … in order")
        rising("plays", list(self.plays))
        if not set(self.plays) <= set(letters):
            raise Wrong("plays: names a seat that the game does not have")
        if any(plan.bot and plan.seat not in self.plays for plan in self.seats):
            raise Wrong("seats: a bot is set for a seat that is not listed in `plays`")
        if any(plan.mail and plan.seat in self.plays for plan in self.seats):
            raise Wrong("seats: a seat cannot be both in `plays` and answered by mail")
        deputy = [bool(self.deputy), bool(self.deputy_key), bool(self.deputy_x25519)]
        if any(deputy) and (not all(deputy) or self.held):
            told = "needs a name and two keys, and is allowed only if the referee has no seat"
            raise Wrong(f"deputy: {told}")
        if len({plan.door for plan in self.seats}) != len(self.seats):
            raise Wrong("seats: each seat must have a door of its own")
        if self.audit == self.desk:
            raise Wrong("desk: must be a different key from the one in `audit`")


@frozen(kw_only=True)
class Join(Header):
    """A join: one player takes one seat; a file in `seats/`."""

    kind: ClassVar[Kind] = "join"
    name: str = wire(person)
    """The player's name."""
    key: bytes = wire(signing)
    """The seat's signing key."""
    x25519: bytes = wire(x25519)
    """The seat's key for boxes."""
    recovery: bytes = wire(signing, b"")
    """A key that may sign the rotation of `key`, if the player made one."""
    commit: bytes = wire(hexed(32, empty=True))
    """The player's commitment to r; empty for seats that the referee holds."""
    r: bytes = wire(_small_box_or_none)
    """Box to `audit`: r, 32 bytes; empty for seats that the referee holds."""
    door: bytes = wire(hexed(64, empty=True))
    """The signature by the seat's door, over the keys in this join; empty without an invite."""
    contact: bytes = wire(_contact_box)
    """Box to `desk`: how to reach the player, UTF-8."""

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if bool(self.commit) != bool(self.r):
            raise Wrong("commit, r: must be both present or both empty")
        if self.recovery == self.key:
            raise Wrong("recovery: must be a different key from the one in `key`")


@frozen(kw_only=True)
class Orders(Header):
    """The sealed orders of one seat that answer one turn; a file in `orders/`."""

    kind: ClassVar[Kind] = "orders"
    revision: int = wire(number(1, 99))
    """The highest one that the referee has when the next turn is made counts."""
    lines: tuple[bytes, ...] = wire(many(hash32, SLOTS, MAX_LINES))
    """One commitment per slot: 64, 128, 256 or 512 of them."""
    box: bytes = wire(_orders_box)
    """Box to `audit`: the secret s and the texts."""

    def check(self) -> None:
        """Raise Wrong if the fields contradict each other (see Header)."""
        super().check()
        if (len(self.box) - TAG) // SHEET * SLOTS != len(self.lines):
            raise Wrong(f"lines, box: there must be {SLOTS} slots for every {SHEET} bytes")


@frozen(kw_only=True)
class FinalRecord(Header):
    """The final record: the secrets that open the finished game to everybody; `final.toml`."""

    kind: ClassVar[Kind] = "final"
    r_ref: bytes = wire(hash32)
    """The referee's share in the seed."""
    audit: bytes = wire(hash32)
    """The X25519 secret of the charter's key `audit`."""
