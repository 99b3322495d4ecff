"""Charter, join, orders and final: their contents; also invites and the boxes of a join (§5)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import ClassVar

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.canonical_toml import RecordError, Scalar, parse
from pbem.format.encrypted_box import (
    CONTACT,
    R_BOX,
    TAG,
    BoxContext,
    Field,
    open_box,
    public_of,
    seal,
)
from pbem.format.keys import SigningKey, kdf, signed_by, th, u
from pbem.records.co_dealer_record import MAX_CO_DEALERS
from pbem.records.ids_and_heads import referee_commitment, seat_commitment
from pbem.records.policies import BOT, Policies
from pbem.records.schema import (
    DEALERS_MODE,
    MAX_LINES,
    MAX_SEATS,
    MODES,
    SEAT_PATTERN,
    SHEET,
    SHEETS,
    SLOTS,
    FieldError,
    Header,
    Kind,
    array,
    boxed,
    flag,
    hash32,
    hexed,
    mapping,
    number,
    person,
    rising,
    rows,
    scalar,
    seat_letter,
    signing,
    text,
    visible_text,
    wire,
    word,
    x25519,
)

_small_box_or_none = boxed(
    lambda n: n in (0, R_BOX + TAG), f"base64 of a box of {R_BOX + TAG} bytes, or empty"
)
_contact_box = boxed(lambda n: n == CONTACT + TAG, f"base64 of a box of {CONTACT + TAG} bytes")
_orders_box = boxed(
    lambda n: n in [TAG + SHEET * sheets for sheets in SHEETS],
    f"base64 of a box of {TAG} + {SHEET} bytes for every {SLOTS} slots",
)


_card_file = text(
    0, 65536, r"[\n -~]*", "a card file: up to 65536 characters of printable ASCII, and newlines"
)
_settings = mapping(r"[a-z0-9_-]{1,64}", scalar, 64)


_box_public_key = x25519  # a class that has a field of this name cannot use it again


class SeatPlan(Value):
    """One seat in the charter."""

    seat: str = wire(seat_letter)
    """The letter."""
    name: str = wire(person)
    """The name of the expected player."""
    door: bytes = wire(signing)
    """The key that must sign the keys in the seat's first join; the code in its invite gives it."""
    bot: str = wire(word, "")
    """The bot that plays the seat, if one does (the seat is then in `plays`)."""
    mail: bool = wire(flag, False)
    """true if its player answers by plain email: the referee has its key and signs its orders."""


class CoDealer(Value):
    """A person or a host that hides the cards together with the referee, in mode `dealers`."""

    name: str = wire(person)
    """The dealer's name."""
    key: bytes = wire(signing)
    """The key that signs its deal records."""
    x25519: bytes = wire(x25519)
    """Its key for boxes."""
    deputy_key: bytes = wire(signing, b"")
    """The signing key of its deputy, who takes its place if it is silent."""
    deputy_x25519: bytes = wire(_box_public_key, b"")
    """The deputy's key for boxes."""

    @property
    def keys(self) -> list[bytes]:
        """Return all keys that it names."""
        keys = [self.key, self.x25519, self.deputy_key, self.deputy_x25519]
        return [key for key in keys if key]

    def check(self) -> None:
        """Check that a deputy has both keys."""
        if bool(self.deputy_key) != bool(self.deputy_x25519):
            raise FieldError(
                "deputy_key, deputy_x25519: game.toml must have both of these keys, or neither"
            )


class Charter(Header, kw_only=True):
    """The charter: the game, its rules and its referee; `game.toml`."""

    kind: ClassVar[Kind] = "charter"
    title: str = wire(visible_text(80))
    """The game's name among people."""
    referee: str = wire(person)
    """The referee's name."""
    automaton: bool = wire(flag, False)
    """true if the referee is no person: a host deals, and agrees to what players agreed to."""
    table: bytes = wire(hexed(16))
    """16 random bytes: no two games are the same."""
    mode: str = wire(word)
    """The people who know the deck: `referee`, or `dealers`: nobody alone (protocol §12)."""
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
    plays: tuple[str, ...] = wire(array(seat_letter, 1, MAX_SEATS), ())
    """Seats whose keys the referee has, and whose moves the referee or a bot makes; rising."""
    options: Mapping[str, Scalar] = wire(_settings)
    """Choices that the rules let people make, by the ruleset's names."""
    policies: Policies = wire(_settings)
    """Rules for running the game (deadlines and the like)."""
    deputy: str = wire(person, "")
    """The name of the person who may take over as the referee."""
    deputy_key: bytes = wire(signing, b"")
    """The deputy's signing key."""
    deputy_x25519: bytes = wire(x25519, b"")
    """The deputy's key for boxes."""
    notes: str = wire(visible_text(1000), "")
    """A warning for players about the values of the cards."""
    dealers: tuple[CoDealer, ...] = wire(rows(CoDealer, MAX_CO_DEALERS), ())
    """Mode `dealers`: the co-dealers, in the order in which they mix; the referee is the last."""
    cards: str = wire(_card_file, "")
    """The owner's own card file, whole, if it replaces the values of the rules."""

    @property
    def referee_keys(self) -> frozenset[bytes]:
        """Return all keys that may ever sign turns: those of the referee and of the deputy."""
        return frozenset({self.key, self.deputy_key} - {b""})

    @property
    def doors(self) -> dict[str, bytes]:
        """Return the door key of each seat: it signs the joins of players invited before turn 1."""
        return {plan.seat: plan.door for plan in self.seats}

    @property
    def bots(self) -> dict[str, str]:
        """Return the bot that plays each seat that a bot plays."""
        return {plan.seat: plan.bot for plan in self.seats if plan.bot}

    @property
    def by_mail(self) -> tuple[str, ...]:
        """Return the seats whose players answer by plain email when the game begins, in order.

        They are not in `plays`, whose seats answer before a turn is published: then each question
        would reach a player by mail one mail early, and everybody would wait for them.
        """
        return tuple(plan.seat for plan in self.seats if plan.mail)

    @property
    def held_seats(self) -> frozenset[str]:
        """Return the seats whose first keys derive from the referee's: `plays` and `by_mail`."""
        return frozenset((*self.plays, *self.by_mail))

    def __post_init__(self) -> None:
        """Make `policies` the class that reads each policy at its first use."""
        object.__setattr__(self, "policies", Policies(self.policies))

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if self.mode not in MODES:
            sentence = f"this version of pbem does not know mode {self.mode}"
            raise RecordError("version", f"{sentence}: install a newer version")
        letters = [plan.seat for plan in self.seats]
        if letters != [chr(ord("a") + i) for i in range(len(letters))]:
            raise FieldError("seats: must be a, b, c … in order")
        rising("plays", list(self.plays))
        if not set(self.plays) <= set(letters):
            raise FieldError("plays: each letter must be a seat of this game")
        if any(plan.bot and plan.seat not in self.plays for plan in self.seats):
            raise FieldError(
                "seats: only a seat that the referee plays (listed in `plays`) may have a bot"
            )
        if any(plan.mail and plan.seat in self.plays for plan in self.seats):
            raise FieldError(
                "seats: a seat that the referee plays (`plays`) cannot also be answered by mail"
            )
        if self.automaton and (self.deputy or self.held_seats - self.bots.keys()):
            raise FieldError(
                "automaton: if a host deals, the game has no deputy, and the host plays only "
                "the seats of bots"
            )
        deputy_fields = [bool(self.deputy), bool(self.deputy_key), bool(self.deputy_x25519)]
        if any(deputy_fields) and (not all(deputy_fields) or self.held_seats):
            sentence = "a deputy has a name and two keys, and the referee then has no seat"
            raise FieldError(f"deputy: {sentence}")
        self._check_dealers()
        if len({plan.door for plan in self.seats}) != len(self.seats):
            raise FieldError(
                "seats: each seat must have a `door` (the key of its invite) that no other seat has"
            )
        if self.audit == self.desk:
            raise FieldError("desk: this key must differ from the key in `audit`")

    def _check_dealers(self) -> None:
        """Raise FieldError if the co-dealers do not fit the mode, or if a dealer or deputy is there
        twice: one person with two shares would read every card."""
        if bool(self.dealers) != (self.mode == DEALERS_MODE):
            raise FieldError(
                "dealers: a game in mode dealers must have this list, and other games must not "
                "have it"
            )
        if self.dealers and self.policies.get("silent_seat") == BOT:
            raise FieldError(
                "policies.silent_seat: must not be bot in mode dealers, because no bot there "
                "can see a hand"
            )
        keys = [key for dealer in self.dealers for key in dealer.keys]
        keys += [self.key, self.audit, self.desk, self.deputy_key, self.deputy_x25519]
        keys = [key for key in keys if key]
        if self.dealers and len(set(keys)) < len(keys):
            raise FieldError("dealers: each dealer and deputy must have keys that nobody else has")


class Join(Header, kw_only=True):
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
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if bool(self.commit) != bool(self.r):
            raise FieldError("commit, r: the join must have both of these fields, or neither")
        if self.recovery == self.key:
            raise FieldError("recovery: this key must differ from the key in `key`")


class Orders(Header, kw_only=True):
    """The sealed orders of one seat that answer one turn; a file in `orders/`."""

    kind: ClassVar[Kind] = "orders"
    revision: int = wire(number(1, 99))
    """The highest revision that the referee has when the next turn is made counts."""
    lines: tuple[bytes, ...] = wire(array(hash32, SLOTS, MAX_LINES))
    """One commitment per slot: 64, 128, 256 or 512 of them."""
    box: bytes = wire(_orders_box)
    """Box to `audit`: the secret s and the texts."""

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if (len(self.box) - TAG) // SHEET * SLOTS != len(self.lines):
            raise FieldError(
                f"lines, box: the orders must have {SLOTS} slots for every {SHEET} bytes"
            )


def orders_rank(turn: int, revision: int, id_digits: str) -> tuple[int, int, str]:
    """Return a sort key for a seat's orders: the orders that count come first (protocol §8).

    The latest turn counts, then the highest revision, then the smallest id. `id_digits`: the id in
    hex, or its first digits.

    >>> sorted([orders_rank(3, 1, "9f"), orders_rank(3, 2, "ab"), orders_rank(3, 2, "07")])
    [(-3, -2, '07'), (-3, -2, 'ab'), (-3, -1, '9f')]
    """
    return -turn, -revision, id_digits


class FinalRecord(Header, kw_only=True):
    """The final record: the secrets that open the finished game to everybody; `final.toml`."""

    kind: ClassVar[Kind] = "final"
    r_ref: bytes = wire(hash32)
    """The referee's share in the seed."""
    audit: bytes = wire(hash32)
    """The X25519 secret of the charter's key `audit`."""
    card_secret: bytes = wire(hexed(32), b"")
    """Mode `dealers`: the referee's secret scalar, whose card key is in turn 1."""


# ---- invites, the boxes of a join, and keys that must differ

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


def door_message(join: Join) -> bytes:
    """Return the message that the door's key signs: the game, the seat, all keys in the join."""
    keys = join.key, join.x25519, join.recovery, join.commit
    return _door_message(join.game, join.seat.encode(), *keys)


def _door_message(*parts: bytes) -> bytes:
    return th(protocol_labels.DOOR, *parts)


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
        parts = (game, document.get("seat", "").encode(), key, x25519, recovery, commit)
    except (RecordError, TypeError, ValueError, AttributeError):
        return False
    return signed_by(door, _door_message(*parts), signature)


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
            f"seat {join.seat}: the secret `r` must match the commitment in the join of this seat"
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
        demand = "is the referee's and must not contain r" if join.commit else "must contain its r"
        raise RecordError("field", f"commit, r: seat {join.seat} {demand}")


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


def charter_key_owners(charter: Charter) -> dict[bytes, str]:
    """Return the owner of each key that a charter names: `the referee`, `the deputy`, or a
    co-dealer or its deputy, as in `co-dealer 0`."""
    deputy_keys = {charter.deputy_key, charter.deputy_x25519} - {b""}
    owner_by_key = dict.fromkeys((charter.key, charter.audit, charter.desk), "the referee")
    owner_by_key |= dict.fromkeys(deputy_keys, "the deputy")
    for dealer_number, dealer in enumerate(charter.dealers):
        owner_by_key |= dict.fromkeys(dealer.keys, f"co-dealer {dealer_number}")
    return owner_by_key


def foreign_key_sentence(seat: str, owner: str) -> str:
    """Say that a seat's join names a key of somebody else, or one key for two uses."""
    if owner == f"seat {seat}":
        return f"seat {seat} uses one key for two purposes; each purpose needs a key of its own"
    return f"seat {seat} uses a key of {owner}; each person needs keys of their own"


def check_final(charter: Charter, final: FinalRecord) -> None:
    """Check that the secrets belong to the charter. Raises RecordError `commitment`; `field` for a
    card secret in another mode than `dealers`, none in it, or one that is not below L."""
    check_opened(charter, final.r_ref, final.audit)
    if bool(final.card_secret) != (charter.mode == DEALERS_MODE):
        raise RecordError(
            "field",
            "card_secret: a game in mode dealers must have it, and other games must not have it",
        )
    if final.card_secret:
        from pbem.format.curve_group import read_scalar  # late: most games have no such card

        read_scalar(final.card_secret)


def check_opened(charter: Charter, r_ref: bytes, audit: bytes) -> None:
    """Check that these secrets belong to the charter. Raises RecordError `commitment`."""
    if referee_commitment(charter.table, r_ref) != charter.commit:
        raise RecordError(
            "commitment", "r_ref: this secret of the referee must match the commitment in game.toml"
        )
    if public_of(audit) != charter.audit:
        raise RecordError(
            "commitment",
            "audit: this secret of the referee must match the key `audit` in game.toml",
        )
