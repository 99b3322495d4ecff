"""Sealed cards as the key of a seat opens them (protocol §5, *packet*; §7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import CHANCE, Decision, Entry, Illegal, Misfit, Table, Tag, cards_in
from pbem.format.canonical import RecordError
from pbem.judge.sealed_openings import ChanceChecker, TurnDeals
from pbem.judge.sealed_public import SealedPublicCards
from pbem.records.deck import Position, check_hidden_ref, place_of
from pbem.records.sealed_orders import Sealed
from pbem.records.turn import LogEntry, OpenCard, OpenPosition, Packet


class SealedSeatCards:
    """Checks the openings in a seat's packets against commitments and handles (see `SeatCards`)."""

    def __init__(self, public: SealedPublicCards, seat: str) -> None:
        self.public, self.seat = public, seat
        self._passed: list[TurnDeals] = []
        """The deals of the turns before the seat's keys counted; the handover opens them."""
        self._sealed: Sealed | None = None
        self.dealt: dict[Position, OpenPosition] = {}
        """The cards dealt to the seat that the packet opens and the log has not needed yet."""
        self.hidden: dict[bytes, OpenCard] = {}
        """The same for cards put down, by handle."""
        self.under: dict[Position, OpenPosition] = {}
        """The same for cards put under a deck."""
        self._dealt_at: dict[int, Sequence[Position]] = {}
        """For each entry that deals cards to the seat: their positions."""
        self._under_at: dict[int, Sequence[Position]] = {}
        """For each entry in which a seat puts cards under a deck: their positions."""

    def begin(self, packet: Packet, sealed: Sealed | None) -> None:
        """Begin a turn with what the seat's packet opens (see `SeatCards`)."""
        self._sealed, deals = sealed, self.public.deals
        self._dealt_at = {d.entry: d.positions for d in deals.dealt if d.seat == self.seat}
        self._under_at = {d.entry: d.positions for d in deals.under}
        self.dealt = {place_of(opening): opening for opening in packet.dealt}
        self.hidden = {opening.handle: opening for opening in packet.hidden}
        self.under = {place_of(opening): opening for opening in packet.under}

    def know_chance(self, number: int, decision: Decision, entry: Entry) -> Entry:
        """Check the cards that an entry deals to the seat, or that the seat put under a deck.
        Raises RecordError `opening`, `commitment`."""
        if decision.kind == "under" and decision.to == self.seat:
            self.check_under(decision, self._under_at[number])
        if number not in self._dealt_at:
            return entry
        cards = []
        for at in self._dealt_at[number]:
            if at not in self.dealt:
                raise RecordError("opening", f"your packet does not open card {at.k} of {at.deck}")
            opening = self.dealt.pop(at)
            self.public.chance.check_dealt(opening)
            cards.append(opening.card)
        return with_cards(entry, cards)

    def check_under(self, decision: Decision, positions: Sequence[Position]) -> None:
        """Check the cards that the seat put under a deck. Raises RecordError `opening`,
        `commitment`."""
        for at, card in zip(positions, decision.cards, strict=True):
            opening = self.under.pop(at, None)
            if opening is None or opening.card != card:
                raise RecordError("opening", f"your packet does not open {card} under {at.deck}")
            self.public.chance.check_dealt(opening)

    def check_put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        """Check the handles of the seat's own cards. Raises RecordError `commitment`."""
        sealed = self._sealed
        ranks = range(len(sealed.texts)) if sealed and logged.hidden else ()
        own = {c.handle: c.card for rank in ranks if sealed for c in sealed.cards(rank)}
        for bracket, card in enumerate(cards_in(entry.text)):
            handle = logged.hidden[bracket]
            if handle in self.hidden:
                opening = self.hidden.pop(handle)
                check_hidden_ref(self.public.game, number, bracket, opening)
                known = opening.card
            else:
                known = own.get(handle, "")
            if known != card:
                raise RecordError("commitment", f"{entry.key}: the handle is not that of {card}")

    def end(self) -> None:
        """Check that the log needed all that the packet opens. Raises RecordError `opening`."""
        if self.dealt or self.hidden or self.under:
            raise RecordError("opening", "your packet opens cards that the log does not need")

    def pass_by(self) -> None:
        """Note what a turn dealt before the seat's keys counted (see `SeatCards`)."""
        self._passed.append(self.public.deals)

    def take_over(self, packet: Packet, table: Table[Any], log: Sequence[Entry]) -> list[Entry]:
        """Return the log with the cards of a handover, after checking all (see `SeatCards`)."""
        handles = {tag: source.handle for tag, source in self.public.handle_origins.items()}
        replay = HandoverReplay(table, packet, self._passed, handles, self.public.chance)
        own_log = replay.play(log)
        for tag, opening in replay.opened.items():
            self.public.check_card(tag, opening)
        self._passed.clear()
        return own_log


class HandoverReplay:
    """Replays a seat's log on a new table, with the cards that a handover opens.

    The box opens every card that the seat got or put down since turn 1, so the new player can check
    each as the previous player did (protocol §5, *Handover*).
    """

    def __init__(
        self,
        table: Table[Any],
        packet: Packet,
        deals: Sequence[TurnDeals],
        handles: Mapping[Tag, bytes],
        chance: ChanceChecker,
    ) -> None:
        """`deals` are those of all turns so far; `handles` those of cards put down, by entry and
        bracket."""
        self.table, self.handles, self.chance = table, handles, chance
        self._positions = {
            deal.entry: deal.positions for turn in deals for deal in (*turn.dealt, *turn.under)
        }
        self._cards = {place_of(opening): opening for opening in (*packet.dealt, *packet.under)}
        self._hidden = {opening.handle: opening for opening in packet.hidden}
        self.opened: dict[Tag, OpenCard] = {}
        """The cards that the seat put down, for the reader to check."""

    def play(self, log: Sequence[Entry]) -> list[Entry]:
        """Return the public log as the seat reads it, with its cards shown. Raises RecordError."""
        own_log = []
        for number, entry in enumerate(log):
            own_log.append(own_entry := self.own_entry(number, entry))
            try:
                _, decision = self.table.pending[0]
                if reason := self.table.why_not_entry(decision, own_entry):
                    raise Illegal(f"{own_entry.key}: {reason}")
                self.table.send(own_entry.text)
            except (Illegal, Misfit) as error:
                raise RecordError("rule", f"handover: {error}") from None
        if self._cards or self._hidden:
            raise RecordError("opening", "handover: must open only cards that the log needs")
        return own_log

    def own_entry(self, number: int, entry: Entry) -> Entry:
        """Return an entry as the seat reads it. Raises RecordError `opening`, `commitment`."""
        seat, cards = self.table.viewpoint, list[str]()
        if entry.seat == CHANCE and entry.to == seat:
            for at in self._positions[number]:
                dealt = self._cards.pop(at, None)
                if dealt is None:
                    told = f"handover: does not open card {at.k} of {at.deck}"
                    raise RecordError("opening", told)
                self.chance.check_dealt(dealt)
                cards.append(dealt.card)
        elif entry.seat == seat:
            for bracket in range(entry.text.count("[")):
                put = self._hidden.pop(self.handles[number, bracket], None)
                if put is None:
                    told = f"handover: does not open a card of entry {number}"
                    raise RecordError("opening", told)
                self.opened[number, bracket] = put
                cards.append(put.card)
        return with_cards(entry, cards) if cards and "[" in entry.text else entry


def with_cards(entry: Entry, cards: Sequence[str]) -> Entry:
    """Return a log entry with these cards in place of each `[?]`, in their order."""
    first, *rest = entry.text.split("[?]")
    pairs = zip(cards, rest, strict=True)
    return entry._replace(text=first + "".join(f"[{card}]{after}" for card, after in pairs))
