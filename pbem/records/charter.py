"""The record `charter`, which begins a game: its rules, its referee, its seats (protocol §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.value_classes import Value
from pbem.format import protocol_labels
from pbem.format.canonical_toml import Scalar
from pbem.format.hashes_and_streams import th
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import signed_by
from pbem.records.deadline_and_silence_policies import BOT, Policies
from pbem.records.deal_record import MAX_CO_DEALERS
from pbem.records.record_field_codecs import (
    FieldError,
    array,
    flag,
    hash32,
    hexed,
    mapping,
    rising,
    rows,
    scalar,
    signing,
    text,
    visible_text,
    wire,
    x25519,
)
from pbem.records.record_header import (
    DEALERS_MODE,
    MAX_SEATS,
    MODES,
    Header,
    RecordKind,
    person,
    seat_letter,
    word,
)

_card_file = text(
    0, 65536, r"[\n -~]*", "a card file: 0 to 65536 characters, each printable ASCII or a newline"
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
    deputy_proof: bytes = wire(hexed(64), b"")
    """The dealer's signature over both keys of its deputy."""

    @property
    def signing_keys(self) -> frozenset[bytes]:
        """Return all keys that may ever sign its deals: its own, and that of its deputy."""
        return frozenset({self.key, self.deputy_key} - {b""})

    @property
    def keys(self) -> list[bytes]:
        """Return all keys that it names."""
        keys = [self.key, self.x25519, self.deputy_key, self.deputy_x25519]
        return [key for key in keys if key]

    def check(self) -> None:
        """Check that a deputy has both keys, and that the dealer chose it. Otherwise the referee
        could name itself, and get the dealer's secret."""
        fields = (self.deputy_key, self.deputy_x25519, self.deputy_proof)
        if any(fields) != all(fields):
            raise FieldError(
                f"{self.name} has only some of the three fields that name a deputy: deputy_key, "
                "deputy_x25519 and deputy_proof"
            )
        message = co_dealers_deputy_message(self.deputy_key, self.deputy_x25519)
        if self.deputy_key and not signed_by(self.key, message, self.deputy_proof):
            raise FieldError(
                f"{self.name} has not signed the keys of this deputy, so nobody can be sure that "
                f"{self.name} chose the deputy"
            )


def co_dealers_deputy_message(key: bytes, x25519: bytes) -> bytes:
    """Return the message that a co-dealer signs to name the person with these keys its deputy."""
    return th(protocol_labels.CO_DEALER_DEPUTY, key, x25519)


def co_dealer_id(number: int) -> str:
    """Return the word for a co-dealer where others have a seat, such as `co-dealer-0`."""
    return f"co-dealer-{number}"


class Charter(Header, kw_only=True):
    """The charter: the game, its rules and its referee; `game.toml`."""

    kind: ClassVar[RecordKind] = "charter"
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
    def notice_keys(self) -> frozenset[bytes]:
        """Return all keys that may ever sign notices without a seat."""
        return self.referee_keys | {d.deputy_key for d in self.dealers if d.deputy_key}

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
    def co_dealer_names_by_id(self) -> dict[str, str]:
        """Return the names of the co-dealers by id (see `co_dealer_id`), in the order of their
        numbers."""
        return {co_dealer_id(number): dealer.name for number, dealer in enumerate(self.dealers)}

    @property
    def held_seats(self) -> frozenset[str]:
        """Return the seats whose first keys derive from the referee's: `plays` and `by_mail`."""
        return frozenset((*self.plays, *self.by_mail))

    def turn_built_on(self, seat: str, answered_turn: int) -> int:
        """Return the turn on whose head a seat's orders build that answer a turn: the same turn. A
        seat in `plays` answers a turn before it is published, and builds on the turn before."""
        return answered_turn - (seat in self.plays)

    def __post_init__(self) -> None:
        """Make `policies` the class that reads each policy at its first use."""
        object.__setattr__(self, "policies", Policies(self.policies))

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        if self.mode not in MODES:
            sentence = f"this version of pbem does not know mode {self.mode}"
            raise RecordError("version", f"{sentence}: install a newer version")
        self._check_seats()
        self._check_deputy()
        self._check_dealers()
        if len({plan.door for plan in self.seats}) != len(self.seats):
            raise FieldError("two seats have the same invite (field door), but each needs its own")
        if self.audit == self.desk:
            raise FieldError("the fields desk and audit have the same key, but need two keys")

    def _check_seats(self) -> None:
        """Check the letters of the seats, and who plays each. Raises FieldError."""
        letters = [plan.seat for plan in self.seats]
        if letters != [chr(ord("a") + i) for i in range(len(letters))]:
            raise FieldError(
                f"the seats have the letters {', '.join(letters)}; they must have the letters "
                "a, b, c … in this order"
            )
        rising("plays", list(self.plays))
        if strange_seats := set(self.plays) - set(letters):
            raise FieldError(
                f"the field 'plays' (the seats that the referee plays) lists seat "
                f"{min(strange_seats)}, which this game does not have"
            )
        for plan in self.seats:
            if plan.bot and plan.seat not in self.plays:
                raise FieldError(
                    f"seat {plan.seat} has a bot, but the field 'plays' (the seats that the "
                    "referee plays) does not list it"
                )
            if plan.mail and plan.seat in self.plays:
                raise FieldError(
                    f"the field 'plays' (the seats that the referee plays) lists seat "
                    f"{plan.seat}, but this seat is also played by email"
                )

    def _check_deputy(self) -> None:
        """Check that a deputy has all its fields, and that neither a host nor, with a deputy, the
        referee has a seat. Raises FieldError."""
        if self.automaton and self.deputy:
            raise FieldError("a host deals this game, so the game cannot have a deputy")
        if self.automaton and self.held_seats - self.bots.keys():
            raise FieldError("a host deals this game, so the host can play only the seats of bots")
        deputy_fields = [bool(self.deputy), bool(self.deputy_key), bool(self.deputy_x25519)]
        if any(deputy_fields) and not all(deputy_fields):
            raise FieldError(
                "the charter has only some of the three fields that name a deputy: deputy, "
                "deputy_key and deputy_x25519"
            )
        if self.deputy and self.held_seats:
            raise FieldError("this game has a deputy, so the referee cannot have a seat")

    def _check_dealers(self) -> None:
        """Check that the co-dealers fit the mode and the policies, and that no person is dealer or
        deputy twice: one person with two shares would read every card. Raises FieldError."""
        if self.mode == DEALERS_MODE and not self.dealers:
            raise FieldError(
                "the mode of this game is dealers, but it names no co-dealers (field dealers)"
            )
        if self.dealers and self.mode != DEALERS_MODE:
            raise FieldError(
                f"this game names co-dealers (field dealers), but its mode is {self.mode}"
            )
        if self.dealers and self.policies.get("silent_seat") == BOT:
            raise FieldError(
                "a bot plays for silent players (field policies.silent_seat), but in mode dealers "
                "no bot can see a hand"
            )
        keys = [key for dealer in self.dealers for key in dealer.keys]
        keys += [self.key, self.audit, self.desk, self.deputy_key, self.deputy_x25519]
        keys = [key for key in keys if key]
        if self.dealers and len(set(keys)) < len(keys):
            raise FieldError(
                "two of the dealers and deputies have the same key, but each needs keys of "
                "their own"
            )


def charter_key_owners(charter: Charter) -> dict[bytes, str]:
    """Return the owner of each key that a charter names: `the referee`, `the deputy`, or a
    co-dealer or its deputy, as in `co-dealer 0`."""
    deputy_keys = {charter.deputy_key, charter.deputy_x25519} - {b""}
    owner_by_key = dict.fromkeys((charter.key, charter.audit, charter.desk), "the referee")
    owner_by_key |= dict.fromkeys(deputy_keys, "the deputy")
    for dealer_number, dealer in enumerate(charter.dealers):
        owner_by_key |= dict.fromkeys(dealer.keys, f"co-dealer {dealer_number}")
    return owner_by_key
