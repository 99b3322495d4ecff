"""Sealed cards as the turn maker deals, hides, shows and seals them (protocol §5, §7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from engine import ALL, CHANCE, PUBLIC, Decision, Entry, Tag, cards_in
from engine.values import Mutable
from pbem.format.canonical import RecordError
from pbem.judge.chain import Chain
from pbem.judge.chain_checkpoint import Plain
from pbem.judge.deputy import RefereeSecrets
from pbem.judge.sealed_openings import moved
from pbem.judge.turn_inputs import OpenedOrders, TurnInputs
from pbem.records.charter import Join, open_r
from pbem.records.deck import Dealing, DiceChain, Pile, Position, die, make_seed, place_of
from pbem.records.read_record import Record
from pbem.records.turn import NewCards, OpenCard, OpenLine, OpenPosition, Packet


class Hands:
    """The cards that were dealt to each hand and are still in it."""

    def __init__(self, rank: Callable[[Position], bytes]) -> None:
        self._rank = rank
        self._held: dict[str, list[OpenPosition]] = {}

    def take(self, seat: str, cards: Iterable[OpenPosition]) -> None:
        """Add cards to the seat's hand."""
        self._held.setdefault(seat, []).extend(cards)

    def leave(self, seat: str, card: str) -> OpenPosition:
        """Remove a card from the hand: of equal cards, the one with the smallest rank. Raises
        RecordError `rule` if it is not there.

        The rank is secret and independent of the deal. So the card that leaves does not reveal when
        equal cards came, or whether there are any. (The published salt cannot be used: a large salt
        would reveal that there was no equal card.)
        """
        held = self._held.get(seat, [])
        equal = [opening for opening in held if opening.card == card]
        if not equal:
            told = f"{card} leaves the hand of seat {seat}, but it has no such card"
            raise RecordError("rule", told)
        opening = min(equal, key=lambda o: self._rank(place_of(o)))
        held.remove(opening)
        return opening


class TurnCards(Mutable):
    """The cards and dice of one turn, some published and some sealed for one seat."""

    decks: list[NewCards] = field(default_factory=list)
    dealt: list[OpenPosition] = field(default_factory=list)
    """Cards dealt openly."""
    hands: dict[str, list[OpenPosition]] = field(default_factory=dict)
    shown: list[OpenPosition] = field(default_factory=list)
    """Cards that left a hand and became known to all."""
    under: dict[str, list[OpenPosition]] = field(default_factory=dict)
    """For each seat, the cards that it put under a deck, unseen by others."""
    links: list[bytes] = field(default_factory=list)
    """One link for each die."""
    turned: list[Tag] = field(default_factory=list)
    """Which cards that were put down turned up."""
    lines: list[OpenLine] = field(default_factory=list)
    """The lines that were carried out and not open yet."""
    hidden: dict[str, list[OpenCard]] = field(default_factory=dict)
    """For each seat, the cards that it put down and no opened line names."""


class SealedDealer:
    """Knows the cards of every deck, and follows their public order (see `MakerCards`)."""

    viewpoint = ALL

    def __init__(self, seed: bytes, game: bytes) -> None:
        self.dealing, self.dice = Dealing(seed, game), DiceChain(seed)
        self.results = TurnCards()
        self.hands = Hands(self.dealing.rank)
        self.history: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards ever dealt to its hand."""
        self.buried: dict[str, list[OpenPosition]] = {}
        """For each seat, all cards that it ever put under a deck, unseen by others."""
        self.opened_lines: set[tuple[bytes, int]] = set()
        self.used_handles: set[bytes] = set()
        self.placed: dict[Tag, OpenCard] = {}
        """The cards that were put down, by entry and bracket."""
        self._game, self._number = game, 0
        self._dice = 0
        """How many dice have fallen."""
        self._piles: dict[str, Pile] = {}
        self._cards: dict[Position, str] = {}

    def begin(self, number: int, inputs: TurnInputs) -> None:
        """Begin a new turn: from now on collect new results (see `MakerCards`)."""
        self.results, self._number = TurnCards(), number

    def answer(self, key: str, decision: Decision) -> str:
        """Return the sentence that settles a decision left to chance (see engine.Dealer)."""
        options = decision.option_list()
        if decision.kind == "die":
            link = self.dice.link(self._dice + 1)
            return options[die(self._game, link, key, len(options))]
        if decision.kind != "deal":
            return options[0]
        pile = self._pile(decision)
        cards = iter([self._cards[at] for at in pile.top(options[0].count("?"))])
        return re.sub(r"\?", lambda _: next(cards), options[0])

    def learn(self, decision: Decision, text: str) -> None:
        """Note how chance settled a decision (see engine.Dealer)."""
        pile = self._pile(decision)
        if decision.kind == "die":
            self._dice += 1
            self.results.links.append(self.dice.link(self._dice))
            return
        cards = list(decision.cards)
        if decision.kind == "shuffle":
            cards = self.dealing.shuffled(decision.deck, pile.epoch + 1, cards)
        positions = moved(pile, decision, text)
        if decision.kind in ("shuffle", "under"):
            self._enter(positions, cards)
        if decision.kind == "shuffle":
            return
        openings = [self._opening(at) for at in positions]
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
        self.results.turned += tags

    def leave(self, seat: str, hidden: Iterable[str], shown: Iterable[str]) -> None:
        """Remove the cards of one sentence from a hand, put down or shown. Raises RecordError
        `rule`."""
        for card in hidden:
            self.hands.leave(seat, card)
        self.results.shown += [self.hands.leave(seat, card) for card in shown]

    def entry(
        self, number: int, entry: Entry, ranks: Sequence[int], orders: OpenedOrders | None
    ) -> Mapping[str, Any]:
        """Open the lines that settled an entry, and return the handles of the cards put down (see
        `MakerCards`)."""
        named = list[OpenCard]()
        if orders:
            for rank in ranks:
                self._open_line(orders.sealed.opening(rank, orders.record.id))
                named += orders.sealed.cards(rank)
        if entry.seat == CHANCE:
            return {}
        handles = []
        for bracket, card in enumerate(cards_in(entry.text)):
            opening = named[bracket] if bracket < len(named) else None
            if opening is None or opening.handle in self.used_handles:
                opening = self.dealing.hidden(number, bracket, card)
                self.results.hidden.setdefault(entry.seat, []).append(opening)
            self.used_handles.add(opening.handle)
            self.placed[number, bracket] = opening
            handles.append(opening.handle)
        return {"hidden": tuple(handles)}

    def _open_line(self, opening: OpenLine) -> None:
        if (opening.order, opening.slot) not in self.opened_lines:
            self.opened_lines.add((opening.order, opening.slot))
            self.results.lines.append(opening)

    def fields(self) -> Mapping[str, Any]:
        """Return the openings, commitments and links of the turn (see `MakerCards`)."""
        results = self.results
        return {
            "lines": tuple(results.lines),
            "cards": tuple({self.placed[tag] for tag in results.turned}),
            "dealt": tuple(results.dealt),
            "shown": tuple(results.shown),
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
        """Return all cards that the seat could know (see `MakerCards`)."""
        tags = sorted(tag for tag in self.placed if log[tag[0]].seat == seat)
        return Packet(
            dealt=tuple(self.history.get(seat, ())),
            hidden=tuple(self.placed[tag] for tag in tags),
            under=tuple(self.buried.get(seat, ())),
        )

    def waits_for(self) -> Mapping[str, tuple[str, ...]]:
        """Return nobody: the referee needs no help to deal."""
        return {}

    def state(self, counting: Container[bytes]) -> Plain:
        """Return which lines are open, and what was put down (see `MakerCards`)."""
        return {
            "opened": sorted([o.hex(), slot] for o, slot in self.opened_lines if o in counting),
            "placed": [
                [*tag, card.handle.hex(), card.card, card.salt.hex()]
                for tag, card in self.placed.items()
            ],
        }

    def resume(self, state: Plain) -> None:
        """Take over what `state` returned (see `MakerCards`)."""
        self.opened_lines = {(bytes.fromhex(order), slot) for order, slot in state["opened"]}
        for entry, bracket, handle, card, salt in state["placed"]:
            opening = OpenCard(bytes.fromhex(handle), card, bytes.fromhex(salt))
            self.placed[entry, bracket] = opening
        self.used_handles = {card.handle for card in self.placed.values()}

    def _enter(self, positions: list[Position], cards: list[str]) -> None:
        self._cards.update(zip(positions, cards, strict=True))
        if positions:
            first = positions[0]
            made = self.dealing.commitments(first, cards)
            self.results.decks.append(NewCards(first.deck, first.epoch, first.k, made))

    def _opening(self, at: Position) -> OpenPosition:
        return self.dealing.opening(at, self._cards[at])

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
    does not have. Raises what `sealed_dealer` raises."""
    shares = {
        seat: open_r(keys[seat], chain.game, join.content)
        for seat, join in joins.items()
        if seat not in chain.charter.held_seats
    }
    return make_seed(secrets.r_ref, shares, chain.game)
