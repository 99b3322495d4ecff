"""The contents of a turn: log, openings, orders, who is asked (protocol §5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from engine.counts_and_lists_in_prose import counted
from engine.value_classes import Value
from pbem.format.encrypted_box import (
    DEPUTY,
    EMPTY_PACKET,
    PACKET_ROW,
    TAG,
)
from pbem.format.record_error import RecordError
from pbem.records.deal_record import (
    MAX_CO_DEALERS,
    CardMix,
    NeededSlot,
    OpenedSlot,
    co_dealer,
    shares_by_seat,
    slot_number,
)
from pbem.records.orders import MAX_LINES
from pbem.records.record_count_and_size_limits import MAX_LISTED_NOTICES
from pbem.records.record_field_codecs import (
    Codec,
    FieldError,
    array,
    boxed,
    flag,
    hash32,
    hexed,
    left_out_if_empty,
    mapping,
    number,
    one_of,
    one_table,
    rising,
    rows,
    text,
    wire,
)
from pbem.records.record_header import (
    MAX_SEATS,
    SEAT_PATTERN,
    Header,
    RecordKind,
    card_text,
    seat_letter,
    word,
)

MAX_TIME: Final = 253_402_300_799
"""The last second of the year 9999, the last that calendars can show."""
MAX_EPOCH: Final = 9999
MAX_CARDS: Final = 9999
_log_text: Final = text(1, 65536, r"[ -~]+", "printable ASCII")
_masked: Final = text(1, 16384, r"[ -~]+", "printable ASCII")
_key: Final = text(1, 96, r"[a-z0-9_*.-]+", "a-z 0-9 _ * . -")
_kind_word: Final = text(1, 32, r"[a-z][a-z0-9_-]*", "a-z, then a-z 0-9 _ -")
_packet_box: Final = boxed(
    lambda n: n > 0 and (n - TAG - EMPTY_PACKET) % PACKET_ROW == 0,
    f"base64 of a box of {TAG + EMPTY_PACKET} bytes, plus a multiple of {PACKET_ROW} bytes",
)

_deputy_box: Final = boxed(lambda n: n == DEPUTY + TAG, f"base64 of a box of {DEPUTY + TAG} bytes")


_SETTLINGS: Final = ("forced", "line [?]", "always [?]", "default", "bot", "chance", "fact")


class LogEntry(Value):
    """One entry of the log as everybody may read it; seat and viewpoint follow from the rules."""

    key: str = wire(_key)
    """The decision's key: `round.phase.kind.seat.n`."""
    text: str = wire(_log_text)
    """The sentence, with `[?]` for each secret card."""
    by: str = wire(one_of(*_SETTLINGS))
    """The way in which the decision was settled."""
    hidden: tuple[bytes, ...] = wire(array(hash32, 1, 256), ())
    """Handles of the cards put down: one for each bracket of a sentence that is not of chance."""
    slots: tuple[int, ...] = wire(array(slot_number, 1, 256), ())
    """Mode `dealers`: the slots that leave the hand, those in brackets first."""

    @property
    def seat(self) -> str:
        """The decider: the letter of a seat, or `chance`."""
        return self.key.split(".")[3]

    def check(self) -> None:
        """Check that brackets show no card, and that each card put down has its handle."""
        hidden_count = self.text.count("[?]")
        if hidden_count != self.text.count("[") or hidden_count != self.text.count("]"):
            raise FieldError(
                "the text of this entry has a bracket that is not part of [?], which stands for a "
                "hidden card"
            )
        needed_count = 0 if self.by == "chance" else hidden_count
        if self.slots:
            if self.hidden:
                raise FieldError("this entry has both of the fields hidden and slots")
            if self.by == "chance" or len(self.slots) < needed_count:
                card_numbers = counted(len(self.slots), "card number")
                raise FieldError(
                    f"this entry has {card_numbers} (field slots), but needs {needed_count}"
                )
            if len(set(self.slots)) < len(self.slots):
                raise FieldError("this entry lists the same card of a hand twice (field slots)")
        elif len(self.hidden) != needed_count:
            handles = counted(
                len(self.hidden), "handle of a hidden card", "handles of hidden cards"
            )
            raise FieldError(f"this entry has {handles} (field hidden), but needs {needed_count}")


class OpenLine(Value):
    """The opening of a plain line that was carried out."""

    order: bytes = wire(hash32)
    """The id of the orders that contain the line."""
    slot: int = wire(number(0, MAX_LINES - 1))
    """The line's slot in the orders."""
    text: str = wire(_masked)
    """The line with a handle in each bracket."""
    salt: bytes = wire(hash32)
    """Secret bytes that make the commitment unguessable."""


class OpenCard(Value):
    """The opening of a hidden card that turned up: which card a handle stands for."""

    handle: bytes = wire(hash32)
    """The handle that was published when it was put down."""
    card: str = wire(card_text)
    """The card."""
    salt: bytes = wire(hash32)
    """Secret bytes that make the handle unguessable."""


class OpenPosition(Value):
    """The opening of a card of a deck: which card was the k-th of its epoch."""

    deck: str = wire(word)
    """The deck."""
    epoch: int = wire(number(0, MAX_EPOCH))
    """The number of times that the deck had been shuffled before."""
    k: int = wire(number(0, MAX_CARDS))
    """Which card of that epoch."""
    card: str = wire(card_text)
    """The card."""
    salt: bytes = wire(hash32)
    """Secret bytes that make the commitment unguessable."""


class NewCards(Value):
    """Commitments to cards that enter a deck: an epoch's or, if `first` > 0, cards put under it."""

    deck: str = wire(word)
    """The deck."""
    epoch: int = wire(number(0, MAX_EPOCH))
    """0 for the first shuffle, one more for each later one."""
    first: int = wire(number(0, MAX_CARDS))
    """The k of the first card."""
    cards: tuple[bytes, ...] = wire(array(hash32, 1, 4096))
    """c_k for k = first, first + 1, …"""


class ListedOrders(Value):
    """One order file in the list of a turn: it counts, or there is a reason."""

    id: bytes = wire(hash32)
    """The orders."""
    seat: str = wire(seat_letter)
    """The seat that wrote the orders."""
    status: str = wire(one_of("accepted", "replaced", "refused"))
    """Accepted: in force. Replaced: another set of the same seat counts."""
    reason: str = wire(one_of("late", "forked", "unopenable", "rule"), "")
    """The reason for a refusal; the details are in the seat's packet alone."""

    def check(self) -> None:
        """Check that refused orders, and only those, have a reason."""
        if bool(self.reason) != (self.status == "refused"):
            raise FieldError(
                f"these orders are {self.status}, so the field reason must be left out"
                if self.reason
                else "these orders are refused, so the field reason must say why"
            )


class ListedNotice(Value):
    """A notice that counts from this turn on."""

    id: bytes = wire(hash32)
    """The notice."""
    about: str = wire(word)
    """Its kind."""
    seat: str = wire(seat_letter, "")
    """The seat that wrote it; none for the referee."""


class SaidAnswer(Value):
    """An answer that waits for the names of its cards."""

    key: str = wire(_key)
    """The decision's key."""
    text: str = wire(_log_text)
    """The sentence, with slots in place of the cards that only the seat knows."""
    by: str = wire(one_of(*_SETTLINGS))
    """The way in which the decision was settled."""


class Awaited(Value):
    """A seat that is asked, and the kinds of decision it is asked for."""

    seat: str = wire(seat_letter)
    """The seat that is asked."""
    kinds: tuple[str, ...] = wire(array(_kind_word, 1, 64))
    """For which kinds of decision."""


def _by_seat(item: Codec[bytes]) -> Codec[Mapping[str, bytes]]:
    return mapping(SEAT_PATTERN, item, MAX_SEATS, "a seat's letter")


_ids: Final = array(hash32, 1, 4096)
_links: Final = array(hash32, 1, 4096)
_letters: Final = array(seat_letter, 1, MAX_SEATS)


class Turn(Header, kw_only=True):
    """A turn: what happened since the last one, signed and chained; a file in `turns/`."""

    kind: ClassVar[RecordKind] = "turn"
    time: int = wire(number(0, MAX_TIME))
    """The referee's clock when the turn was made."""
    deadline: int = wire(number(0, MAX_TIME))
    """The time after which silence counts; 0 = never."""
    over: bool = wire(flag)
    """The game is over; `final` follows."""
    table: tuple[str, ...] = wire(array(text(0, 400), 1, 1000))
    """The public table, line by line, to be read by people."""
    packets: Mapping[str, bytes] = wire(_by_seat(_packet_box))
    """One box from `audit` for each seat, all of the size that the turn requires."""
    handover: Mapping[str, bytes] | None = wire(_by_seat(_packet_box), None)
    """For each seat that gets new keys in this turn: all that the seat could know until then."""
    log: tuple[LogEntry, ...] = wire(rows(LogEntry, 10000), ())
    """The new entries of the log, in order."""
    lines: tuple[OpenLine, ...] = wire(rows(OpenLine, 10000), ())
    """Plain lines carried out and not open yet; by order and slot."""
    cards: tuple[OpenCard, ...] = wire(rows(OpenCard, 10000), ())
    """Hidden cards that turned up; by handle."""
    dealt: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 10000), ())
    """Cards dealt openly; by deck, epoch, k."""
    shown: tuple[OpenPosition, ...] = wire(rows(OpenPosition, 10000), ())
    """Cards that left a hand for all to see; by deck, epoch, k."""
    decks: tuple[NewCards, ...] = wire(rows(NewCards, 1000), ())
    """Cards that entered decks; by deck, epoch, first."""
    orders: tuple[ListedOrders, ...] = wire(rows(ListedOrders, 4096), ())
    """Every signed order file that the referee has and no earlier turn lists; by id."""
    notices: tuple[ListedNotice, ...] = wire(rows(ListedNotice, MAX_LISTED_NOTICES), ())
    """Notices that count from this turn on; by id."""
    awaited: tuple[Awaited, ...] = wire(rows(Awaited, MAX_SEATS), ())
    """The seats that are asked, and the kinds of decision; by seat."""
    own: tuple[bytes, ...] = wire(_ids, ())
    """Ids of the orders of seats in `plays` that answer this turn."""
    silent: tuple[str, ...] = wire(_letters, ())
    """Seats that the game waited for and that stayed silent."""
    links: tuple[bytes, ...] = wire(_links, ())
    """The next links of the dice chain: one for each die that fell, in the order of the log."""
    deputy: bytes = wire(_deputy_box, b"")
    """Turn 1 only: a box from `audit` to the deputy, with what a referee needs."""
    link0: bytes = wire(hash32, b"")
    """Turn 1 only: the end of the dice chain."""
    joins: Mapping[str, bytes] | None = wire(_by_seat(hash32), None)
    """Turn 1 only: the join that counts for each seat that is taken."""
    by_word: tuple[bytes, ...] = wire(_ids, ())
    """Turn 1 only: joins about which the referee decided against the rule; rising."""
    card_key: bytes = wire(hexed(32), b"")
    """Mode `dealers`, turn 1 only: the referee's card key."""
    card_proof: bytes = wire(hexed(64), b"")
    """Mode `dealers`, turn 1 only: the proof that the referee knows the secret of its card key."""
    deals: tuple[bytes, ...] = wire(array(hash32, 1, MAX_CO_DEALERS), ())
    """Ids of the deal records that count from here: those that the turn before owes; rising."""
    mix: CardMix | None = wire(one_table(CardMix), None)
    """The referee's mix of the hidden deck, after those of all co-dealers."""
    shares: Mapping[str, bytes] | None = wire(shares_by_seat, None)
    """The referee's shares of the cards of which `deals` have shares, sealed for the seats."""
    opened: tuple[OpenedSlot, ...] = wire(rows(OpenedSlot, 4096), ())
    """The cards of the slots that the turn before needs; by seat and slot."""
    said: tuple[SaidAnswer, ...] = wire(rows(SaidAnswer, 256), ())
    """The answers of a settled wave, some of whose cards have no names yet, in its order."""
    need: tuple[NeededSlot, ...] = wire(rows(NeededSlot, 4096), ())
    """The slots that must be opened before the game goes on; by seat and slot."""
    owed: tuple[int, ...] = wire(array(co_dealer, 1, MAX_CO_DEALERS), ())
    """The co-dealers for whose part the game waits; rising."""
    spoiled: str = wire(seat_letter, "")
    """The seat whose hidden card ended the game: it turned up where the rules do not allow it."""

    @property
    def has_play(self) -> bool:
        """Return whether something happens in the game: if not, the turn only lists notices."""
        return bool(self.log or self.deals or self.said)

    def check(self) -> None:
        """Raise FieldError if the fields contradict each other (see Header)."""
        super().check()
        is_first = self.turn == 1
        if (bool(self.link0), bool(self.joins)) != (is_first, is_first):
            raise FieldError(
                "turn 1 lacks the field joins or link0"
                if is_first
                else f"turn {self.turn} has the field joins or link0, but only turn 1 may have them"
            )
        for name in ("deputy", "by_word", "card_key", "card_proof"):
            if getattr(self, name) and not is_first:
                raise FieldError(
                    f"turn {self.turn} has the field {name}, but only turn 1 may have it"
                )
        if self.handover is not None and not self.handover:
            raise left_out_if_empty("handover")
        if self.shares is not None and not self.shares:
            raise left_out_if_empty("shares")
        if self.joins is not None and self.joins.keys() != self.packets.keys():
            raise FieldError("the secret parts of this turn (packets) are not for those who joined")
        if len({len(box) for box in self.packets.values()}) != 1:
            raise FieldError("the secret parts of this turn (packets) differ in size")
        for name, key in _SETS.items():
            rising(name, list(map(key, getattr(self, name))))


_SETS: Final[dict[str, Callable[[Any], Any]]] = {
    "lines": lambda x: (x.order, x.slot),
    "cards": lambda x: x.handle,
    "dealt": lambda x: (x.deck, x.epoch, x.k),
    "shown": lambda x: (x.deck, x.epoch, x.k),
    "decks": lambda x: (x.deck, x.epoch, x.first),
    "orders": lambda x: x.id,
    "notices": lambda x: x.id,
    "awaited": lambda x: x.seat,
    "own": lambda x: x,
    "by_word": lambda x: x,
    "silent": lambda x: x,
    "deals": lambda x: x,
    "opened": lambda x: (x.seat, x.slot),
    "need": lambda x: (x.seat, x.slot),
    "owed": lambda x: x,
}
"""The fields of a turn that are sets, and the key by which each is sorted."""


def sort_sets(turn: Turn) -> Turn:
    """Return the turn with its sets in the order of files."""
    ordered: dict[str, Any] = {
        name: tuple(sorted(getattr(turn, name), key=key)) for name, key in _SETS.items()
    }
    return replace(turn, **ordered)


_DEALERS_FIELDS: Final = (
    "card_key", "card_proof", "deals", "mix", "shares", "opened", "said", "need", "owed",
    "spoiled",
)  # fmt: skip
"""The fields of a turn that only games in mode `dealers` have; `slots` of log entries too."""


def check_no_dealers(turn: Turn) -> None:
    """Check that a turn of another mode than `dealers` has none of its fields. Raises RecordError
    `field`."""
    for name in _DEALERS_FIELDS:
        if getattr(turn, name):
            sentence = f"the turn has the field {name}, but only games in mode dealers may have it"
            raise RecordError("field", sentence)
    for entry in turn.log:
        if entry.slots:
            raise RecordError(
                "field",
                f"entry {entry.key} has the field slots, but only games in mode dealers may have "
                "it",
            )
