"""The dealer of hidden cards: a referee that makes turns without knowing a hand (protocol §13)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from engine import (
    CHANCE,
    DECK,
    PUBLIC,
    Decision,
    Entry,
    Game,
    OrderSet,
    Pending,
    Seat,
    Settler,
    Table,
    Tag,
    line_number,
    mask,
)
from engine.blind_referee import SlotEntry, SlotReferee, SpoiledCard
from engine.hidden_hands import Hands, SlotOrders
from engine.sentences.slots_in_sentences import Slot, names_slots
from pbem.cards.hidden_deck import CardDealer
from pbem.judge.hidden_dealing_state import HiddenDealing
from pbem.judge.record_chain import Chain
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.sealed_dealer import SealedDealer, sealed_seed
from pbem.judge.tagged_json_data import PlainData
from pbem.judge.turn_inputs_and_outcome import OpenedOrders, TurnInputs
from pbem.records.deal_record import CardMix, NeededSlot, OpenedSlot
from pbem.records.join import Join
from pbem.records.packet import Packet
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import SaidAnswer


class HiddenDealer:
    """Deals as the last of several dealers; other decks and dice as a sealed dealer does (see
    `MakerCards`)."""

    viewpoint = PUBLIC

    def __init__(self, chain: Chain, seed: bytes, card_secret: bytes) -> None:
        """`seed` decides the other decks and the dice; `card_secret` is the referee's scalar."""
        self.chain, self.sealed = chain, SealedDealer(seed, chain.game)
        self.dealing = HiddenDealing(chain)
        secret = int.from_bytes(card_secret, "little")
        self.card_dealer = CardDealer(self.dealing.deck, self.dealing.referee, secret)
        self.spoiled_seat = ""
        self._tables: HiddenTables | None = None
        self._deal_ids: tuple[bytes, ...] = ()
        self._mix: CardMix | None = None
        self._shares: Mapping[str, bytes] | None = None
        """The referee's shares for seats in the turn being made."""
        self._opened: list[OpenedSlot] = []
        self._number = 0
        self._said_wave: Sequence[Entry] = ()
        """The answers that the turn being made says, and no turn before it."""

    @property
    def tables(self) -> HiddenTables:
        """The tables that `make_tables` has made."""
        assert self._tables is not None
        return self._tables

    @property
    def is_paused(self) -> bool:
        """Whether the turn being made only lists notices, because dealers still owe something."""
        return bool(self.dealing.owed) and not self._deal_ids and self._number > 1

    @property
    def is_frozen(self) -> bool:
        """Whether the last turn says answers that wait for names (see `MakerCards`)."""
        return bool(self.dealing.need)

    @property
    def goes_on(self) -> bool:
        """Whether deals come or answers are said in the turn (see `MakerCards`)."""
        return not self.is_paused and bool(self._deal_ids or self.tables.referee.needed_slots)

    def make_tables(self, game: Game[Any]) -> HiddenTables:
        """Return the public table and the slots of all hands (see `MakerCards`)."""
        self._tables = HiddenTables(game, self)
        return self._tables

    def order_set(self, orders: OrderSet) -> OrderSet:
        """Return the lines as lines with slots (see `MakerCards`)."""
        return SlotOrders(self.tables.referee.hands, orders)

    # -------------------------------------------------------------- a turn
    def begin(self, number: int, inputs: TurnInputs) -> None:
        """Begin a new turn: take the parts of the co-dealers, and give the referee's (see
        `MakerCards`). Raises RecordError for a wrong part."""
        self.sealed.begin(number, inputs)
        dealing, referee = self.dealing, self.tables.referee
        self._number, self._shares, self._opened, self._mix = number, None, [], None
        self._deal_ids = tuple(sorted(record.id for record in inputs.deals))
        if number == 1 or inputs.deals:
            dealing.take_deals(inputs.deals)
        if number == 1:
            dealing.take_keys(inputs.deals, *self.card_dealer.card_key())
        elif inputs.deals:
            if dealing.wants_referees_mix():
                self._mix = CardMix(*self.card_dealer.mix())
                dealing.take_referees_mix(self._mix)
            self._shares = dealing.sealed_shares(self.card_dealer)
            dealing.take_referees_shares(self._shares)
            for slot in dealing.need:
                share = self.card_dealer.share(slot)
                dealing.take_share(slot, dealing.referee, share)
                card = dealing.open_card(slot)
                self._opened.append(OpenedSlot(slot.seat, slot.number, card, share))
                referee.open(slot, card)
            dealing.clear_need()
        if number > 1:
            dealing.need_shares_for_new_keys(referee.hands, number)

    def stop(self, *, is_over: bool) -> bool:
        """Note what is said, needed and owed (see `MakerCards`)."""
        referee, dealing = self.tables.referee, self.dealing
        said: Iterable[SaidAnswer] = dealing.said
        need: Sequence[Slot] = dealing.need
        self._said_wave = ()
        if not self.is_paused:
            need = () if is_over else referee.needed_slots
            self._said_wave = referee.settled_wave if need else ()
            said = [SaidAnswer(entry.key, entry.text, mask(entry.by)) for entry in self._said_wave]
        if is_over:
            said, need = (), ()
        referee.is_frozen = referee.is_frozen or bool(need)  # nobody orders after seeing a name
        dealing.stop([*said], need, self.tables.public_table.pending, is_over=is_over)
        return bool(dealing.owed)

    # -------------------------------------------------------------- chance
    def answer(self, key: str, decision: Decision) -> str | None:
        """Return the sentence that settles a decision left to chance; None for a shuffle of cards
        that not all dealers have mixed (see engine.Dealer)."""
        if not is_hidden(decision):
            return self.sealed.answer(key, decision)
        if decision.kind == "shuffle" and not self.dealing.deck.is_mixed:
            return None
        return decision.option_list()[0]

    def learn(self, decision: Decision, text: str) -> None:
        """Note an entry of chance about another deck or a die; `follow` notes the others (see
        engine.Dealer)."""
        if not is_hidden(decision):
            self.sealed.learn(decision, text)

    def follow(self, decision: Decision, slot_entry: SlotEntry) -> None:
        """Move the hidden cards as an entry of chance says, unless the log of a checkpoint is
        played again: this moves none."""
        if self._number and is_hidden(decision):
            self.dealing.deck.follow(decision, slot_entry.entry.text, slot_entry.slots)

    def turn_up(self, tags: Sequence[Tag]) -> None:
        """Do nothing: the tables know which slots turn up."""

    def leave(self, seat: str, hidden_cards: Sequence[str], shown_cards: Sequence[str]) -> None:
        """Do nothing: the tables know which slots leave a hand."""

    # -------------------------------------------------------------- results
    def entry(
        self, number: int, entry: Entry, ranks: Sequence[int], orders: OpenedOrders | None
    ) -> Mapping[str, Any]:
        """Open the lines that settled an entry, and return the slots that leave the hand (see
        `MakerCards`)."""
        if entry.seat == CHANCE:
            return {}
        if orders:
            self.open_lines(entry, ranks, orders)
        slots = self.tables.referee.log[number].slots
        return {"slots": slots} if slots else {}

    def said_entries(self) -> Sequence[tuple[Entry, bool]]:
        """Return the answers that wait for names, unless the turn only repeats them (see
        `MakerCards`)."""
        questions = self.tables.public_table.pending
        pairs = zip(self._said_wave, questions, strict=False)
        return [(entry, decision.script) for entry, (_, decision) in pairs]

    def open_lines(self, entry: Entry, ranks: Sequence[int], orders: OpenedOrders) -> None:
        """Open the lines that settled an entry, or say an answer (see `MakerCards`)."""
        line = line_number(entry.by)
        if entry.by.startswith("always") and line is not None:
            ranks = [line - 1] if names_slots(orders.unsealed.texts[line - 1]) else []
        for rank in ranks:
            self.sealed.open_line(orders.unsealed.opening(rank, orders.record.id))

    def fields(self) -> Mapping[str, Any]:
        """Return the turn's parts of the deal, and the other decks and dice (see `MakerCards`)."""
        is_first = self._number == 1
        card_key, card_proof = self.card_dealer.card_key() if is_first else (b"", b"")
        dealing = self.dealing
        return {
            **self.sealed.fields(),
            "card_key": card_key,
            "card_proof": card_proof,
            "deals": self._deal_ids,
            "mix": self._mix,
            "shares": self._shares,
            "opened": tuple(self._opened),
            "said": dealing.said,
            "need": tuple(NeededSlot(slot.seat, slot.number) for slot in dealing.need),
            "owed": dealing.owed,
            "spoiled": self.spoiled_seat,
        }

    def packet(self, seat: str) -> Packet:
        """Return an empty packet: all that a seat learns is sealed under its point (see
        `MakerCards`)."""
        return Packet()

    def handover(self, seat: str, log: Sequence[Entry]) -> Packet:
        """Return an empty handover: shares for the new keys are due (see `MakerCards`)."""
        return Packet()

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: dealers are no seats."""
        return {}

    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the opened lines of the orders with these ids, the hidden deck, and the slots and
        cards of the log, as plain data (see `MakerCards`)."""
        referee = self.tables.referee
        return {
            **self.sealed.state(order_ids),
            "dealing": self.dealing.state(),
            "slots": [slot_entry.slots for slot_entry in referee.log],
            "names": sorted([*slot, card] for slot, card in referee.opened_cards.items()),
            "is_frozen": referee.is_frozen,
        }

    def resume(self, state: PlainData) -> None:
        """Restore the data that `state` returned, once the tables have the log (see
        `MakerCards`)."""
        self.sealed.resume(state)
        self.dealing.resume(state["dealing"], self.tables.public_table.pending)
        self._number = self.chain.turn


class HiddenTables:
    """The public table and the slots of all hands, with the log (see `MakerTables`)."""

    def __init__(self, game: Game[Any], cards: HiddenDealer) -> None:
        self.game, self._cards = game, cards
        self.log: list[Entry] = []
        self.scripts: set[str] = set()
        """The keys of decisions that a script answered."""
        self.referee = _FollowingReferee(game, cards, self)

    @property
    def hands(self) -> Hands:
        """The slots of all hands."""
        return self.referee.hands

    @property
    def public_table(self) -> Table[Any]:
        """The only table."""
        return self.referee.table

    @property
    def tables(self) -> dict[Seat, Table[Any]]:
        """The only table, by its viewpoint."""
        return {PUBLIC: self.referee.table}

    def resume(self, log: Iterable[Entry], state: PlainData) -> None:
        """Play the log of a checkpoint again (see `MakerTables`)."""
        rows = zip(log, state["slots"], strict=True)
        self.referee = _FollowingReferee(
            self.game, self._cards, self,
            [SlotEntry(entry, tuple(slots)) for entry, slots in rows],
            {Slot(seat, number): card for seat, number, card in state["names"]},
            state["is_frozen"],
            [Slot(*row) for row in state["dealing"]["need"]],
        )  # fmt: skip

    def advance(self, settler: Settler) -> Pending:
        """Settle decisions as far as cards have names, unless dealers still owe something (see
        `MakerTables`)."""
        if self._cards.is_paused:
            return self.public_table.pending
        try:
            return self.referee.advance(settler)
        except SpoiledCard as error:
            self._cards.spoiled_seat = error.seat
            return []


class _FollowingReferee(SlotReferee[Any]):
    """A referee whose entries also move the hidden cards, and come into a log of entries."""

    def __init__(
        self, game: Game[Any], cards: HiddenDealer, tables: HiddenTables, *arguments: Any
    ) -> None:
        """`arguments` are the others of a SlotReferee."""
        self._cards, self._followers = cards, tables
        super().__init__(game, cards, *arguments)

    def push(self, slot_entry: SlotEntry) -> None:
        """Add an entry (see SlotReferee)."""
        decision = self.table.pending[0][1]
        super().push(slot_entry)
        self._followers.log.append(slot_entry.entry)
        if decision.script:
            self._followers.scripts.add(slot_entry.entry.key)
        if decision.seat == CHANCE:
            self._cards.follow(decision, slot_entry)


def is_hidden(decision: Decision) -> bool:
    """Return whether a decision of chance is about the deck that the dealers hide."""
    return decision.kind != "die" and decision.deck == DECK


def hidden_dealer(
    chain: Chain,
    joins: Mapping[str, Record[Join]],
    secrets: RefereeSecrets,
    keys: Mapping[str, bytes],
) -> HiddenDealer:
    """Return the dealer of a game (see `NewMakerCards`). Raises RecordError for a wrong box or
    commitment in a join."""
    return HiddenDealer(chain, sealed_seed(chain, joins, secrets, keys), secrets.card_secret)
