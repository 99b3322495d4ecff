"""Read the cards of a seat from the shares of all dealers, and check its lines (protocol §13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import CHANCE, PUBLIC, Decision, Entry, OrderSet, Table, Unreadable
from engine.hidden_hands import Hands, SlotOrders
from engine.own_cards_as_slots import OwnSlots, UnwritableLine
from engine.sentences.slots_in_sentences import Slot, hidden_slots, names_slots, with_names
from pbem.cards.sealed_shares import make_seat_secret, open_share
from pbem.format.curve_group import multiply_base
from pbem.format.record_error import RecordError
from pbem.judge.hidden_cards_public_check import HiddenPublicCards
from pbem.judge.hidden_dealer import is_hidden
from pbem.judge.order_line_checks import read_lines, write_line
from pbem.judge.sealed_cards_seat_check import with_cards
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.records.deal_record import split_shares
from pbem.records.packet import YOUR_PACKET, Packet
from pbem.records.sealed_orders import UnsealedOrders
from pbem.records.turn import LogEntry


class HiddenSeatCards:
    """The cards of one seat, from the boxes of all dealers (see `SeatCards`).

    The shares of all dealers come with the turn after the one that deals the cards. Until then the
    seat does not know them either.
    """

    def __init__(self, public: HiddenPublicCards, seat: str, seed: bytes) -> None:
        self.public, self.seat = public, seat
        self._secret = make_seat_secret(seed, public.chain.game, seat)
        self.cards: dict[int, str] = {}
        """The card of each slot that is known to the seat."""
        self._slots_by_entry: dict[int, tuple[int, ...]] = {}
        """For each entry that deals to the seat or puts its cards down: the slots in brackets."""
        self._hands: Hands | None = None
        self._choice = ""
        """The seat's present choice, with slots."""
        self._entry_count = 0

    @property
    def hands(self) -> Hands:
        """The slots of all hands before the entry that is being replayed."""
        if self._hands is None:
            self._hands = Hands(Table(self.public.table.game, PUBLIC))
            self._hands.names = self.public.hands.names  # a turn opens slots before its log
        return self._hands

    # -------------------------------------------------------------- the dealers' shares
    def begin(self, packet: Packet, own_orders: UnsealedOrders | None) -> None:
        """Begin a turn (see `SeatCards`): note in `cards` the seat's cards that everybody knows and
        those that the shares for the seat open. Raises RecordError `opening`, `key`, `box`, and
        what the proofs raise."""
        self._note_named_cards()
        _check_empty(packet)
        turn = self.public.turn
        # shares for new keys are for the seat's former point, and are due again
        if turn.shares and self.seat not in self.public.chain.standing.new_keys(turn.turn):
            self._open_shares()

    def _note_named_cards(self) -> None:
        """Note the seat's cards that everybody knows; a seat that is taken over does not need their
        shares."""
        for slot, card in self.public.hands.names.items():
            if slot.seat == self.seat:
                self.cards[slot.number] = card

    def _open_shares(self) -> None:
        """Open the shares of all dealers for the seat, and note the cards. Raises RecordError `key`
        if they are for another seat point, `box`, and what the proofs raise."""
        public = self.public
        if public.chain.standing.roster[self.seat].seat_point != multiply_base(self._secret):
            raise RecordError(
                "key",
                f"the dealers seal the cards of seat {self.seat} for another key than yours (field "
                "seat_point), so you cannot read these cards",
            )
        shares_by_dealer = {deal.content.dealer: deal.content.shares for deal in public.deals}
        shares_by_dealer[public.dealing.referee] = public.turn.shares
        shares = {
            dealer: split_shares((shares_by_seat or {}).get(self.seat, b""))
            for dealer, shares_by_seat in shares_by_dealer.items()
        }
        for index, number in enumerate(public.shared_slots.get(self.seat, ())):
            points = {
                dealer: open_share(dealers_shares[index], self._secret)
                for dealer, dealers_shares in shares.items()
            }
            self.cards[number] = public.dealing.deck.card_of(Slot(self.seat, number), points)

    def own_entry(self, number: int, entry: Entry, public_text: str) -> Entry:
        """Return an entry of the seat's log with the cards that are known now (see `SeatCards`)."""
        slots = self._slots_by_entry.get(number)
        if not slots:
            return entry
        cards = [self.cards.get(slot, "?") for slot in slots]
        return with_cards(entry._replace(text=public_text), cards)

    # -------------------------------------------------------------- the log
    def open_chance_entry(self, number: int, decision: Decision, entry: Entry) -> Entry:
        """Return an entry of chance with the cards that the seat knows (see `SeatCards`)."""
        if decision.kind == "deal" and decision.to == self.seat and is_hidden(decision):
            count = entry.text.count("[")
            first = self.hands.dealt_count(self.seat)
            self._slots_by_entry[number] = tuple(range(first, first + count))
        return self.own_entry(number, entry, entry.text)

    def check_put_down(self, number: int, entry: Entry, logged: LogEntry) -> None:
        """Check that the slots of the seat's own entry are those of its line (see `SeatCards`).
        Raises RecordError `rule`."""
        if logged.slots != self.hands.leaving_slots(self.seat, self._choice):
            sentence = (
                f"entry {entry.key}: you chose {self._choice!r}, but the turn takes other cards "
                "from "
                "your hand"
            )
            raise RecordError("rule", sentence)
        self._slots_by_entry[number] = logged.slots[: entry.text.count("[")]

    def entered(self, number: int, decision: Decision, logged: LogEntry) -> None:
        """Move the slots as an entry does, and let the public table take the entry: the slots leave
        a hand (the cards that the entry names are known then), go under the deck, or are dealt.
        Raises nothing, because the public check has accepted the entry."""
        hands, seat = self.hands, decision.seat
        entry = Entry(logged.key, seat, logged.text, logged.by, decision.to)
        if seat != CHANCE and not decision.fact:
            hands.leave(number, entry, logged.slots)
        elif decision.to != PUBLIC and decision.kind == "under":
            hands.bury(decision.to, len(decision.cards))
        elif decision.to != PUBLIC and decision.kind == "deal":
            hands.deal(decision.to, logged.text.count("["))
        hands.table.take_answer(logged.text)
        self._entry_count = number + 1

    def end(self) -> None:
        """Do nothing: `begin` has checked that the shares are those due."""

    def pass_by(self) -> None:
        """Follow a turn before the seat's keys counted (see `SeatCards`)."""
        for logged in self.public.turn.log:
            decision = self.hands.table.pending[0][1]
            if decision.kind == "deal" and decision.to == self.seat:
                first, count = self.hands.dealt_count(self.seat), logged.text.count("[")
                self._slots_by_entry[self._entry_count] = tuple(range(first, first + count))
            elif decision.seat == self.seat and logged.slots:
                slots = logged.slots[: logged.text.count("[")]
                self._slots_by_entry[self._entry_count] = slots
            self.entered(self._entry_count, decision, logged)

    def replay_handover(
        self, packet: Packet, table: Table[Any], log: Sequence[Entry]
    ) -> list[Entry]:
        """Replay the public log (see `SeatCards`). The shares of all dealers come with the next
        turn. Raises RecordError `opening` for a handover that opens cards."""
        _check_empty(packet)
        for entry in log:
            table.take_answer(entry.text)
        return [*log]

    def state(self) -> PlainData:
        """Return the cards that the seat knows, by slot, and which slots entries of its log have in
        brackets (see `SeatCards`)."""
        return {"cards": to_data(self.cards), "slots": to_data(self._slots_by_entry)}

    def resume(self, state: PlainData, log: Sequence[Entry]) -> None:
        """Restore the data that `state` returned (see `SeatCards`)."""
        self.cards = from_data(state["cards"])
        self._slots_by_entry = from_data(state["slots"])
        public = self.public
        self._hands = Hands(Table(public.table.game, PUBLIC, log))
        self._hands.restore(public.hands.data())
        self._hands.names = public.hands.names
        self._entry_count = len(log)

    # -------------------------------------------------------------- the seat's lines
    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the seat's lines as lines with slots (see `SeatCards`)."""
        return SlotOrders(self.hands, orders)

    def orders_table(self, own_table: Table[Any]) -> Table[Any]:
        """Return the public table, which lines with slots answer (see `SeatCards`)."""
        return self.hands.table

    def choice_without_lines(self, decision: Decision, source: str) -> str:
        """Return what is forced, or the default, with slots (see `SeatCards`)."""
        if only_answer := self.hands.only_answer(decision):
            return only_answer[0]
        return self.hands.default_answer(decision)

    def sealed_texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return lines with slots in place of the cards that only the seat knows (see
        `SeatCards`). Raises RecordError `rule`."""
        lines = read_lines(texts)
        try:
            lines = OwnSlots(self.public.hands, self.seat, self.cards).write_lines(lines)
        except (UnwritableLine, Unreadable) as error:
            raise RecordError("rule", str(error)) from None
        return [write_line(line) for line in lines]

    def typed_texts(self, texts: Sequence[str]) -> list[str]:
        """Return lines with the seat's cards in place of slots (see `SeatCards`)."""
        return [with_cards_at_slots(text, self.cards) for text in texts]

    def own_text(self, text: str) -> str:
        """Return a choice with the seat's cards in place of slots (see `SeatCards`)."""
        self._choice = text
        return with_cards_at_slots(text, self.cards)


def _check_empty(packet: Packet) -> None:
    """Check that a packet or a handover opens no card. Raises RecordError `opening`."""
    if packet.opened:
        raise RecordError(
            "opening",
            f"{YOUR_PACKET} shows cards, but in this game only the shares of all dealers may show "
            "cards",
        )


def with_cards_at_slots(text: str, cards: dict[int, str]) -> str:
    """Return a sentence with cards in place of slots, in brackets too.

    >>> with_cards_at_slots("[#7] on a1; #9: a1 body", {7: "horns 2", 9: "fertile 4"})
    '[horns 2] on a1; fertile 4: a1 body'
    """
    if not names_slots(text):
        return text
    hidden_numbers = iter(hidden_slots(text))
    prefix, *suffixes = with_names(text, cards).split("[?]")
    parts = (f"[{cards.get(next(hidden_numbers), '?')}]{suffix}" for suffix in suffixes)
    return prefix + "".join(parts)
