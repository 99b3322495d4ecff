"""Check the sealed cards that a seat's key opens (protocol §5, *packet*; §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import CHANCE, Decision, Entry, Table, Tag, cards_in
from pbem.format.record_error import RecordError
from pbem.judge.base_classes_of_one_dealer_modes import OneDealerSeatCards
from pbem.judge.chance_entry_checks import ChanceChecker, TurnDeals
from pbem.judge.game_ruleset import check_entry
from pbem.judge.sealed_cards_public_check import SealedPublicCards
from pbem.records.packet import YOUR_PACKET, Packet
from pbem.records.sealed_orders import UnsealedOrders
from pbem.records.seeded_decks_and_dice import (
    Position,
    check_hidden_ref,
    deck_in_words,
    position_of,
)
from pbem.records.turn import LogEntry, OpenCard, OpenPosition


class SealedSeatCards(OneDealerSeatCards):
    """Checks the openings in a seat's packets against commitments and handles (see `SeatCards`)."""

    def __init__(self, public: SealedPublicCards, seat: str, _seed: bytes = b"") -> None:
        """`public` has what everybody can check in the same turns; `seat` is the reader's."""
        self.public, self.seat = public, seat
        self._skipped_deals: list[TurnDeals] = []
        """The deals of the turns before the seat's keys counted; the handover opens their
        cards."""
        self._own_orders: UnsealedOrders | None = None
        self.dealt: dict[Position, OpenPosition] = {}
        """The packet's openings of cards dealt to the seat, without those already used."""
        self.hidden: dict[bytes, OpenCard] = {}
        """The packet's unused openings of cards put down, by handle."""
        self.under: dict[Position, OpenPosition] = {}
        """The packet's unused openings of cards put under a deck."""
        self._dealt_positions: dict[int, Sequence[Position]] = {}
        """By entry number: the positions of the cards that the turn's entry deals to the seat. A
        position is a deck, its epoch (which counts shuffles) and a number."""
        self._under_positions: dict[int, Sequence[Position]] = {}
        """By entry number: the positions of the cards that a seat puts under a deck."""

    def begin(self, packet: Packet, own_orders: UnsealedOrders | None) -> None:
        """Begin a turn with the openings in the seat's packet (see `SeatCards`). Raises RecordError
        `field` for shares of dealers."""
        self._own_orders, deals = own_orders, self.public.deals
        self._dealt_positions = {d.entry: d.positions for d in deals.dealt if d.seat == self.seat}
        self._under_positions = {d.entry: d.positions for d in deals.under}
        self.dealt = {position_of(opening): opening for opening in packet.dealt}
        self.hidden = {opening.handle: opening for opening in packet.hidden}
        self.under = {position_of(opening): opening for opening in packet.under}

    def open_chance_entry(self, number: int, decision: Decision, entry: Entry) -> Entry:
        """Check the cards that an entry deals to the seat, or that the seat put under a deck.
        Return the entry with the dealt cards in it. Raises RecordError `opening`, `commitment`."""
        if decision.kind == "under" and decision.to == self.seat:
            self.check_under(decision, self._under_positions[number])
        if number not in self._dealt_positions:
            return entry
        cards = []
        for position in self._dealt_positions[number]:
            if position not in self.dealt:
                sentence = (
                    f"card {position.k} of {deck_in_words(position.deck)} was dealt to you, but "
                    f"{YOUR_PACKET} does not show the card"
                )
                raise RecordError("opening", sentence)
            opening = self.dealt.pop(position)
            self.public.chance.check_dealt(opening)
            cards.append(opening.card)
        return with_cards(entry, cards)

    def check_under(self, decision: Decision, positions: Sequence[Position]) -> None:
        """Check that the packet opens `decision.cards`, put under a deck by the seat, at these
        positions. Raises RecordError `opening`, `commitment`."""
        for position, card in zip(positions, decision.cards, strict=True):
            opening = self.under.pop(position, None)
            if opening is None or opening.card != card:
                sentence = (
                    f"you put {card} under {deck_in_words(position.deck)}, but {YOUR_PACKET} does "
                    "not show this"
                )
                raise RecordError("opening", sentence)
            self.public.chance.check_dealt(opening)

    def check_put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        """Check each handle in the public entry `logged` against the card in the seat's `entry`: a
        handle of the referee is opened by the packet, any other is in the seat's own lines. Raises
        RecordError `commitment`."""
        own_cards = dict[bytes, str]()  # the cards in the seat's lines, by handle
        if self._own_orders and logged.hidden:
            for rank in range(len(self._own_orders.texts)):
                own_cards |= {o.handle: o.card for o in self._own_orders.cards(rank)}
        for bracket, card in enumerate(cards_in(entry.text)):
            handle = logged.hidden[bracket]
            if handle in self.hidden:
                opening = self.hidden.pop(handle)
                check_hidden_ref(self.public.game, number, bracket, opening)
                hidden_card = opening.card
            else:
                hidden_card = own_cards.get(handle, "")
            if hidden_card != card:
                raise RecordError(
                    "commitment",
                    f"entry {entry.key}: you put down {card}, but the code in the turn (its "
                    "handle) belongs "
                    "to another card",
                )

    def end(self) -> None:
        """Check that the log needed all that the packet opens. Raises RecordError `opening`."""
        if self.dealt or self.hidden or self.under:
            raise RecordError(
                "opening",
                f"{YOUR_PACKET} shows cards that you did not get in this turn",
            )

    def pass_by(self) -> None:
        """Note the deals of a turn before the seat's keys counted (see `SeatCards`)."""
        self._skipped_deals.append(self.public.deals)

    def replay_handover(
        self, packet: Packet, table: Table[Any], log: Sequence[Entry]
    ) -> list[Entry]:
        """Check the cards that a handover opens, and return the log with these cards (see
        `SeatCards`). Raises RecordError."""
        handles = {tag: source.handle for tag, source in self.public.handle_origins.items()}
        replay = HandoverReplay(table, packet, self._skipped_deals, handles, self.public.chance)
        own_log = replay.play(log)
        for tag, opening in replay.opened.items():
            self.public.check_card(tag, opening)
        self._skipped_deals.clear()
        return own_log


class HandoverReplay:
    """Replays a seat's log on a new table with the cards of a handover: the packet that opens all
    earlier cards of the seat to its new keys.

    The handover opens every card that the seat got or put down since turn 1. So the new player can
    check each card as the previous player did (protocol §5, *Handover*).
    """

    def __init__(
        self,
        table: Table[Any],
        packet: Packet,
        deals: Sequence[TurnDeals],
        handles: Mapping[Tag, bytes],
        chance: ChanceChecker,
    ) -> None:
        """`table` is the seat's new table, `packet` the opened handover. `deals` has one element
        for each turn so far; `handles` are the handles of cards put down, by the number of the
        entry and of the bracket in it; `chance` has the commitments to all cards."""
        self.table, self.handles, self.chance = table, handles, chance
        self._positions = {
            deal.entry: deal.positions for turn in deals for deal in (*turn.dealt, *turn.under)
        }
        self._cards = {position_of(opening): opening for opening in (*packet.dealt, *packet.under)}
        self._hidden = {opening.handle: opening for opening in packet.hidden}
        self.opened: dict[Tag, OpenCard] = {}
        """The openings of cards that the seat put down; the reader checks them."""

    def play(self, log: Sequence[Entry]) -> list[Entry]:
        """Apply the public log to the table, and return it with the seat's cards in it. Raises
        RecordError `opening`, `commitment`, `rule`."""
        own_log = []
        for number, entry in enumerate(log):
            own_log.append(own_entry := self.own_entry(number, entry))
            try:
                check_entry(self.table, self.table.pending[0][1], own_entry)
            except RecordError as error:
                raise RecordError(
                    "rule",
                    f"the part of the turn with your seat's cards (handover): {error.sentence}",
                ) from None
            self.table.take_answer(own_entry.text)
        if self._cards or self._hidden:
            raise RecordError("opening", "the turn gives you cards of another seat")
        return own_log

    def own_entry(self, number: int, entry: Entry) -> Entry:
        """Return the entry with this number, with the seat's cards in it. Raises RecordError
        `opening`, `commitment`."""
        seat, cards = self.table.viewpoint, list[str]()
        if entry.seat == CHANCE and entry.to == seat:
            for position in self._positions[number]:
                dealt_opening = self._cards.pop(position, None)
                if dealt_opening is None:
                    sentence = (
                        f"the turn does not show you card {position.k} of "
                        f"{deck_in_words(position.deck)}, which was dealt to your seat"
                    )
                    raise RecordError("opening", sentence)
                self.chance.check_dealt(dealt_opening)
                cards.append(dealt_opening.card)
        elif entry.seat == seat:
            for bracket in range(entry.text.count("[")):
                hidden_opening = self._hidden.pop(self.handles[number, bracket], None)
                if hidden_opening is None:
                    sentence = (
                        f"the turn does not show you the cards that your seat put down in entry "
                        f"{number} of the log"
                    )
                    raise RecordError("opening", sentence)
                self.opened[number, bracket] = hidden_opening
                cards.append(hidden_opening.card)
        # an entry that hides cards under a deck shows only their number
        return with_cards(entry, cards) if cards and "[" in entry.text else entry


def with_cards(entry: Entry, cards: Sequence[str]) -> Entry:
    """Return a log entry with one card in place of each `[?]`.

    >>> with_cards(Entry("", "a", "[?] on a1, [?]", ""), ["horns", "climbing"]).text
    '[horns] on a1, [climbing]'
    """
    prefix, *suffixes = entry.text.split("[?]")
    parts = (f"[{card}]{suffix}" for card, suffix in zip(cards, suffixes, strict=True))
    return entry._replace(text=prefix + "".join(parts))
