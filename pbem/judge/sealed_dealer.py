"""The dealer of sealed cards: deals, hides, shows and seals them (protocol §5, §7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from engine import ALL, CHANCE, PUBLIC, Decision, Entry, Tag, cards_in
from engine.value_classes import Mutable
from pbem.format.record_error import RecordError
from pbem.judge.base_classes_of_one_dealer_modes import OneDealerMakerCards
from pbem.judge.chance_entry_checks import move_cards
from pbem.judge.record_chain import Chain
from pbem.judge.referee_secrets import RefereeSecrets
from pbem.judge.tagged_json_data import PlainData
from pbem.judge.turn_inputs_and_outcome import OpenedOrders, TurnInputs
from pbem.records.join import Join, open_r
from pbem.records.packet import Packet
from pbem.records.read_and_sign_record import Record
from pbem.records.seeded_decks_and_dice import (
    Dealing,
    DiceChain,
    Pile,
    Position,
    die,
    make_seed,
    position_of,
)
from pbem.records.turn import NewCards, OpenCard, OpenLine, OpenPosition


class Hands:
    """The sealed cards in each seat's hand."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        """`rank` returns a secret number for each position: it chooses between equal cards."""
        self._rank = rank
        self._openings_by_seat: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Add cards to the seat's hand."""
        self._openings_by_seat.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """Remove a card from the hand: of equal cards, the one with the smallest rank. Raises
        RecordError `rule` if the hand has no such card.

        The rank is secret and independent of the deal. So the card that leaves does not reveal when
        equal cards came, or whether the hand has any. (The published salt cannot be used: a large
        salt would reveal that there was no equal card.)
        """
        hand_openings = self._openings_by_seat.get(seat, [])
        equal_openings = [opening for opening in hand_openings if opening.card == card]
        if not equal_openings:
            sentence = f"{card} leaves the hand of seat {seat}, but this hand has no such card"
            raise RecordError("rule", sentence)
        opening = min(equal_openings, key=lambda o: self._rank(position_of(o)))
        hand_openings.remove(opening)
        return opening


class TurnCards(Mutable):
    """The cards and dice of one turn, some published and some sealed for one seat."""

    decks: list[NewCards] = field(default_factory=list)
    """The commitments to cards that enter a deck."""
    dealt: list[OpenPosition] = field(default_factory=list)
    """Cards dealt openly."""
    hands: dict[str, list[OpenPosition]] = field(default_factory=dict)
    """For each seat, the cards dealt to its hand."""
    shown_openings: list[OpenPosition] = field(default_factory=list)
    """Cards that left a hand for all to see."""
    under: dict[str, list[OpenPosition]] = field(default_factory=dict)
    """For each seat, the cards that it put under a deck, unseen by others."""
    links: list[bytes] = field(default_factory=list)
    """One link for each die."""
    turned_tags: list[Tag] = field(default_factory=list)
    """The tags of the face-down cards that turned up. A tag is the number of the log entry that put
    the card down, and of the bracket in it."""
    lines: list[OpenLine] = field(default_factory=list)
    """The lines that were carried out and had not been opened before."""
    hidden: dict[str, list[OpenCard]] = field(default_factory=dict)
    """For each seat, the cards that it put down and that no opened line names."""


class SealedDealer(OneDealerMakerCards):
    """Knows the cards of every deck, and follows their public order (see `MakerCards`)."""

    viewpoint = ALL

    def __init__(self, seed: bytes, game: bytes) -> None:
        """`seed` decides all cards and dice; `game` is the game's id."""
        self.dealing, self.dice = Dealing(seed, game), DiceChain(seed)
        self.results = TurnCards()
        """The cards and dice of the turn being made."""
        self.hands = Hands(self.dealing.rank)
        self.history: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards that were ever dealt to its hand."""
        self.buried: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards that it ever put under a deck, unseen by others."""
        self.opened_lines: set[tuple[bytes, int]] = set()
        """The order lines that turns have opened: the id of the orders, and the line's slot, which
        hides its number."""
        self.used_handles: set[bytes] = set()
        """The handles of cards put down so far; each is used only once."""
        self.placed_cards: dict[Tag, OpenCard] = {}
        """The cards that were put down, by the numbers of the entry and of the bracket in it."""
        self._game, self._number = game, 0  # `_number` is that of the turn being made
        self._dice_count = 0
        """The number of dice rolled so far."""
        self._piles: dict[str, Pile] = {}
        """The positions of the cards in each deck."""
        self._cards: dict[Position, str] = {}
        """The card at each position: deck, epoch (which counts shuffles) and number."""

    def begin(self, number: int, inputs: TurnInputs) -> None:
        """Begin a new turn with empty results (see `MakerCards`)."""
        self.results, self._number = TurnCards(), number

    def answer(self, key: str, decision: Decision) -> str:
        """Return the sentence that settles a decision left to chance (see engine.Dealer): the face
        of a die, or a deal with its cards. Shuffles and cards put under a deck have one option.
        `key` is the decision's key in the log."""
        options = decision.option_list()
        if decision.kind == "die":
            link = self.dice.link(self._dice_count + 1)
            return options[die(self._game, link, key, len(options))]
        if decision.kind != "deal":
            return options[0]
        pile = self._pile(decision)
        # the option has a `?` for each card
        cards = iter([self._cards[position] for position in pile.top(options[0].count("?"))])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def learn(self, decision: Decision, text: str) -> None:
        """Note that chance settled a decision with this sentence (see engine.Dealer): move the
        cards of the deck, and add their openings and commitments to `results`. Raises RecordError
        `chain`."""
        pile = self._pile(decision)
        if decision.kind == "die":
            self._dice_count += 1
            self.results.links.append(self.dice.link(self._dice_count))
            return
        cards = list(decision.cards)
        if decision.kind == "shuffle":
            cards = self.dealing.shuffled(decision.deck, pile.epoch + 1, cards)
        positions = move_cards(pile, decision, text)
        if decision.kind in ("shuffle", "under"):
            self._enter(positions, cards)
        if decision.kind == "shuffle":
            return
        openings = [self.dealing.opening(p, self._cards[p]) for p in positions]
        if decision.to == PUBLIC:
            self.results.dealt += openings
        elif decision.kind == "under":
            self.results.under.setdefault(decision.to, []).extend(openings)
            self.buried.setdefault(decision.to, []).extend(openings)
        else:
            self.results.hands.setdefault(decision.to, []).extend(openings)
            self.hands.take(decision.to, openings)
            self.history.setdefault(decision.to, []).extend(openings)

    def turn_up(self, tags: Sequence[Tag]) -> None:
        """Note which cards turn up (see `MakerCards`)."""
        self.results.turned_tags += tags

    def leave(self, seat: str, hidden_cards: Iterable[str], shown_cards: Iterable[str]) -> None:
        """Remove the cards of one sentence from a hand, put down or shown. Raises RecordError
        `rule`."""
        for card in hidden_cards:
            self.hands.leave(seat, card)
        self.results.shown_openings += [self.hands.leave(seat, card) for card in shown_cards]

    def entry(
        self, number: int, entry: Entry, ranks: Sequence[int], orders: OpenedOrders | None
    ) -> Mapping[str, Any]:
        """Open the lines that settled an entry, and return the handles of the cards that it puts
        down, under `hidden` (see `MakerCards`). `ranks` are the numbers of these lines, from 0.

        A card gets the handle from the line, or a new one if no line names it or that handle was
        used before: then only the seat's packet opens it.
        """
        line_cards = list[OpenCard]()
        if orders:
            for rank in ranks:
                self.open_line(orders.unsealed.opening(rank, orders.record.id))
                line_cards += orders.unsealed.cards(rank)
        if entry.seat == CHANCE:
            return {}
        handles = []
        for bracket, card in enumerate(cards_in(entry.text)):
            opening = line_cards[bracket] if bracket < len(line_cards) else None
            if opening is None or opening.handle in self.used_handles:
                opening = self.dealing.hidden(number, bracket, card)
                self.results.hidden.setdefault(entry.seat, []).append(opening)
            self.used_handles.add(opening.handle)
            self.placed_cards[number, bracket] = opening
            handles.append(opening.handle)
        return {"hidden": tuple(handles)}

    def open_line(self, opening: OpenLine) -> None:
        """Let the turn open a line, unless an earlier one did."""
        if (opening.order, opening.slot) not in self.opened_lines:
            self.opened_lines.add((opening.order, opening.slot))
            self.results.lines.append(opening)

    def fields(self) -> Mapping[str, Any]:
        """Return the openings, commitments and links of the turn (see `MakerCards`)."""
        results = self.results
        return {
            "lines": tuple(results.lines),
            "cards": tuple({self.placed_cards[tag] for tag in results.turned_tags}),
            "dealt": tuple(results.dealt),
            "shown": tuple(results.shown_openings),
            "decks": tuple(results.decks),
            "links": tuple(results.links),
            "link0": self.dice.link(0) if self._number == 1 else b"",
        }

    def packet(self, seat: str) -> Packet:
        """Return the cards that the turn opens only to this seat (see `MakerCards`)."""
        results = self.results
        return Packet(
            dealt=tuple(results.hands.get(seat, ())),
            hidden=tuple(results.hidden.get(seat, ())),
            under=tuple(results.under.get(seat, ())),
        )

    def handover(self, seat: str, log: Sequence[Entry]) -> Packet:
        """Return all cards that a seat could know: cards dealt to the seat, put down by the seat,
        or put under a deck by the seat (see `MakerCards`)."""
        tags = sorted(tag for tag in self.placed_cards if log[tag[0]].seat == seat)
        return Packet(
            dealt=tuple(self.history.get(seat, ())),
            hidden=tuple(self.placed_cards[tag] for tag in tags),
            under=tuple(self.buried.get(seat, ())),
        )

    def awaited_kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: the referee needs no help to deal."""
        return {}

    def state(self, order_ids: Container[bytes]) -> PlainData:
        """Return the opened lines of the orders with these ids, and the cards put down, as plain
        data (see `MakerCards`)."""
        return {
            "opened": sorted([o.hex(), slot] for o, slot in self.opened_lines if o in order_ids),
            "placed": [
                [*tag, card.handle.hex(), card.card, card.salt.hex()]
                for tag, card in self.placed_cards.items()
            ],
        }

    def resume(self, state: PlainData) -> None:
        """Restore the data that `state` returned (see `MakerCards`)."""
        self.opened_lines = {(bytes.fromhex(order), slot) for order, slot in state["opened"]}
        for entry, bracket, handle, card, salt in state["placed"]:
            opening = OpenCard(bytes.fromhex(handle), card, bytes.fromhex(salt))
            self.placed_cards[entry, bracket] = opening
        self.used_handles = {card.handle for card in self.placed_cards.values()}

    def _enter(self, positions: list[Position], cards: list[str]) -> None:
        """Let cards enter a deck at these positions, one after the other, with commitments."""
        self._cards.update(zip(positions, cards, strict=True))
        if positions:
            first_position = positions[0]
            commitments = self.dealing.commitments(first_position, cards)
            deck, epoch, k = first_position
            self.results.decks.append(NewCards(deck, epoch, k, commitments))

    def _pile(self, decision: Decision) -> Pile:
        return self._piles.setdefault(decision.deck, Pile(decision.deck))


def sealed_dealer(
    chain: Chain,
    joins: Mapping[str, Record[Join]],
    secrets: RefereeSecrets,
    keys: Mapping[str, bytes],
) -> SealedDealer:
    """Return the dealer of a game (see `NewMakerCards`). Raises RecordError for a wrong box or
    commitment in a join."""
    return SealedDealer(sealed_seed(chain, joins, secrets, keys), chain.game)


def sealed_seed(
    chain: Chain,
    joins: Mapping[str, Record[Join]],
    secrets: RefereeSecrets,
    keys: Mapping[str, bytes],
) -> bytes:
    """Return the seed, from the referee's secret and the share of each seat whose key the referee
    does not have. `joins` are the joins of the seats that play, and `keys` the keys of the boxes
    between each seat and `audit`, both by seat. Raises what `sealed_dealer` raises."""
    shares = {
        seat: open_r(keys[seat], chain.game, join.content)
        for seat, join in joins.items()
        if seat not in chain.charter.held_seats
    }
    return make_seed(secrets.r_ref, shares, chain.game)
