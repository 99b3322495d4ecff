"""Play Cards, played three times: lists at the same time, in turn, and by a second implementation.

The second implementation knows single plays only. So the lists of the option `together` must be
what the same single plays are in turn, and lead to the same table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engine import ALL, CHANCE, Decision, Table
from pbem.rulecases.case_dealer import CaseDealer
from tests.reference.seeds import as_case, repeatable, seeds
from tests.reference.tables import Pair, evolution_card_trait


@dataclass
class Species:
    """One species, as far as playing cards matters."""

    name: str
    body: int
    population: int
    cards: list[str]

    def has(self, card: str) -> bool:
        return evolution_card_trait(card) in map(evolution_card_trait, self.cards)


@dataclass
class Place:
    """A player's hand and row, and the number of traits that a species may have."""

    seat: str
    hand: list[str]
    row: list[Species]
    limit: int
    replaces: bool
    """Whether a trait leaves only by being replaced, as in the app."""

    def plays(self) -> set[str]:
        """Return all single plays (rulebooks, Play Cards), and the end."""
        found = {"done"}
        for card in self.hand:
            found |= {f"{card}: new species on the {side}" for side in ("left", "right")}
            for species in self.row:
                found |= self._on(species, card)
        if not self.replaces:
            for x in self.row:
                found |= {f"drop {n} of {x.name}: {card}" for n, card in enumerate(x.cards, 1)}
        return found

    def _on(self, species: Species, card: str) -> set[str]:
        found = set[str]()
        if species.body < 6:
            found.add(f"{card}: {species.name} body")
        if species.population < 6:
            found.add(f"{card}: {species.name} population")
        if len(species.cards) < self.limit and not species.has(card):
            found.add(f"[{card}] on {species.name}")
        for n, old in enumerate(species.cards if self.replaces else (), 1):
            if evolution_card_trait(old) == evolution_card_trait(card) or not species.has(card):
                found.add(f"[{card}] replaces {n} of {species.name}: {old}")
        return found

    def play(self, text: str) -> None:
        """Carry out one single play."""
        if text.startswith("drop "):
            _, number, _, name, *_ = text.replace(":", "").split()
            del self._named(name).cards[int(number) - 1]
            return
        card, _, rest = text.removeprefix("[").partition("]" if text[0] == "[" else ":")
        self.hand.remove(card)
        words = rest.split()
        if words[0] == "new":
            number = max(int(species.name[1:]) for species in self.row) + 1
            at = 0 if words[-1] == "left" else len(self.row)
            self.row.insert(at, Species(f"{self.seat}{number}", 1, 1, []))
        elif words[0] == "on":
            self._named(words[1]).cards.append(card)
        elif words[0] == "replaces":
            self._named(words[3].rstrip(":")).cards[int(words[1]) - 1] = card
        elif words[1] == "body":
            self._named(words[0]).body += 1
        else:
            self._named(words[0]).population += 1

    def _named(self, name: str) -> Species:
        return next(species for species in self.row if species.name == name)


class Playing:
    """One table: in turn, or with lists at the same time."""

    def __init__(self, pair: Pair, together: str) -> None:
        game = pair.ruleset.game(pair.seats, {"together": together})
        state: Any = game.start()
        state.scope = "0.play"
        self.dealer = CaseDealer((), ())
        assert pair.ruleset.positions
        self.dealer.decks.update(pair.ruleset.positions().read(state, pair.data))
        self.table = Table(game, ALL, position=(state, "play"))

    def question(self) -> Decision | None:
        """Settle chance and facts; return the next question of the phase, if it has one."""
        while self.table.state.scope == "3.play":
            key, decision = self.table.pending[0]
            if decision.seat != CHANCE and not decision.fact:
                return decision
            text = decision.option_list()[0] if decision.fact else self.dealer.answer(key, decision)
            if not decision.fact:
                self.dealer.learn(decision, text)
            self.table.take_answer(text)
        return None

    def places(self, pair: Pair) -> dict[str, Place]:
        state = self.table.state
        limit = 4 if pair.name == "climate" else 3
        limit = 2 if pair.name == "evolution" and len(pair.seats) == 2 else limit
        return {
            seat: Place(
                seat, list(state.hands[seat]),
                [Species(x.name, x.body, x.population, list(x.traits)) for x in state.rows[seat]],
                limit, pair.name == "digital",
            )
            for seat in pair.seats
        }  # fmt: skip


def play_phase(pair: Pair) -> None:
    """Play and compare the phase."""
    together, in_turn = Playing(pair, "yes"), Playing(pair, "no")
    places = together.places(pair)
    asked = [seat for seat in pair.model.order() if len(places[seat].plays()) > 1]
    lists = {(seat, "play"): listed_plays(pair, together, places[seat]) for seat in asked}
    cycling = pair.name == "climate" and together.table.state.deck
    for seat in pair.model.order() if cycling else ():
        if places[seat].hand:
            lists[seat, "cycle"] = listed_cards(pair, together, places[seat].hand)
    assert together.question() is None
    while decision := in_turn.question():
        steps = lists.get((decision.seat, decision.kind), [])
        text = steps.pop(0) if steps else "done"
        assert text in decision.option_list()
        in_turn.table.take_answer(text)
    compare(pair, together, in_turn)


def listed_plays(pair: Pair, playing: Playing, place: Place) -> list[str]:
    """Choose single plays by chance, and send them as one list."""
    decision = playing.question()
    assert decision is not None
    assert (decision.kind, decision.seat, decision.script) == ("play", place.seat, True)
    steps = list[str]()
    while "done" not in steps:
        listed = decision.option_list(steps)
        assert set(listed) == place.plays()
        steps.append("done" if pair.rng.random() < 0.15 else pair.rng.choice(sorted(listed)))
        if steps[-1] != "done":
            place.play(steps[-1])
    playing.table.take_answer("; ".join(steps))
    return steps


def listed_cards(pair: Pair, playing: Playing, hand: Sequence[str]) -> list[str]:
    """Choose cards of the hand that go under the deck, no more than it contains (ruling 3.7)."""
    decision = playing.question()
    assert decision is not None
    assert (decision.kind, decision.script) == ("cycle", True)
    count = pair.rng.randint(0, min(len(hand), playing.table.state.deck))
    steps = [f"under the deck [{card}]" for card in pair.rng.sample(hand, count)] + ["done"]
    for n, step in enumerate(steps):
        assert step in decision.option_list(steps[:n])
    playing.table.take_answer("; ".join(steps))
    return steps


def compare(pair: Pair, together: Playing, in_turn: Playing) -> None:
    """Fail if the two tables differ."""
    one, two = together.table.state, in_turn.table.state
    assert pair.ruleset.scene(one) == pair.ruleset.scene(two)
    assert {s: sorted(hand) for s, hand in one.hands.items()} == {
        seat: sorted(hand) for seat, hand in two.hands.items()
    }
    assert sorted(one.discards) == sorted(two.discards)
    assert together.dealer.decks == in_turn.dealer.decks


@pytest.mark.sample(1)
@pytest.mark.parametrize("seeds", seeds(60, 400), ids=len)
@pytest.mark.parametrize("name", ["evolution", "digital", "climate"])
def test_lists_played_at_the_same_time_equal_single_plays_in_turn(name: str, seeds: range) -> None:
    for seed in seeds:
        pair = Pair(name, seed, "play")
        with repeatable(seed, lambda pair=pair: as_case(pair.data, ())):
            play_phase(pair)
