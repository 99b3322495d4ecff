"""Random tables full of traits, set up in `games/` and in the second implementation alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from engine import ALL, Decision, Table
from games import registry
from pbem.rulecases.case_dealer import CaseDealer
from tests.reference.model import Board, Model

FAVOURITES = {
    "feed": (
        "carnivore", "cooperation", "fat_tissue", "foraging", "horns", "intelligence", "scavenger",
    ),
    "reveal": ("cooperation", "fat_tissue", "fertile", "foraging", "long_neck"),
    "play": ("fat_tissue", "horns"),
}  # fmt: skip
"""The traits that change most in each phase; they come up more often than others."""


class Pair:
    """One table twice: played by `games/`, and by the second implementation."""

    def __init__(self, name: str, seed: int, phase: str) -> None:
        self.name, self.seed, self.phase = name, seed, phase
        self.rng = Random(f"{name} {seed} {phase}")
        self.ruleset = registry.ruleset(name)
        self.seats = "abcd"[: self.rng.randint(2, 4)]
        self.options = {"autofeed": "yes"} if name != "digital" and seed % 3 == 0 else {}
        self.auto = name == "digital" or bool(self.options)
        game = self.ruleset.game(self.seats, self.options)
        state, self.dealer = game.start(), CaseDealer((), ())
        state.scope = f"0.{phase}"
        self.limit = state.book.trait_limit
        self.data = self._data()
        assert self.ruleset.positions
        self.dealer.decks.update(self.ruleset.positions().read(state, self.data))
        self.model = evolution_model(state, name)
        self.table = Table(game, ALL, position=(state, phase))

    # -------------------------------------------------------------- chance makes a table
    def _data(self) -> dict[str, Any]:
        """Return a position as a rule case says it (docs/rule-cases.md)."""
        rng, cards = self.rng, list(self.ruleset.decks["deck"])
        rng.shuffle(cards)
        data: dict[str, Any] = {
            "round": 3, "last": rng.choice((0, 0, 3, 4)), "first": rng.choice(self.seats),
            "hole": rng.choice((0, 0, 1, 2, 3, 5, 9)),
            **{seat: self._row(seat, cards) for seat in self.seats},
            "hands": {s: [cards.pop() for _ in range(rng.randint(0, 3))] for s in self.seats},
            "discards": [cards.pop() for _ in range(rng.randint(0, 3))],
            "deck_left": rng.choice((1, 2, 3, 5, 40)),
        }  # fmt: skip
        if self.phase in ("play", "reveal"):
            data["food_cards"] = {seat: cards.pop() for seat in self.seats}
        return data | (self._climate() if self.name == "climate" else {})

    def _climate(self) -> dict[str, Any]:
        box = self.ruleset.decks
        return {
            "zone": self.rng.choice([
                "ice age", "freezing", "cold", "cool", "temperate", "warm", "tropical", "hot",
                "scorching",
            ]),
            "events": {deck: self.rng.choice(box[deck]) for deck in ("cold", "hot")},
            "set_aside": self.rng.choice((0, 1, 2, 5)),
        }  # fmt: skip

    def _row(self, seat: str, cards: list[str]) -> list[str]:
        names = list(range(1, self.rng.randint(1, 4) + 1))
        self.rng.shuffle(names)
        return [self._species(f"{seat}{n}", cards) for n in names]

    def _species(self, name: str, cards: list[str]) -> str:
        rng, traits = self.rng, list[str]()
        for _ in range(rng.randint(0, self.limit)):
            wanted = {rng.choice(FAVOURITES[self.phase])} if rng.random() < 0.6 else set()
            new = [
                card
                for card in cards
                if evolution_card_trait(card) not in map(evolution_card_trait, traits)
            ]
            card = next((card for card in new if evolution_card_trait(card) in wanted), new[0])
            cards.remove(card)
            traits.append(card)
        body, population = rng.randint(1, 6), rng.choice((1, 1, 2, 3, 4, 5, 6))
        board = Board(name, body, population, 0, 0, [evolution_card_trait(card) for card in traits])
        food = rng.randint(0, board.need) if self.phase == "feed" and rng.random() < 0.4 else 0
        fat = rng.randint(0, board.fat_room)
        told = f"{name} body {body} population {population} food {food} fat {fat}"
        return f"{told}: {', '.join(traits)}" if traits else told

    # -------------------------------------------------------------- playing on
    def question(self) -> Decision | None:
        """Settle chance and facts; return the next question of this phase, if it has one."""
        while self.going and self.table.open_decisions:
            key, decision = self.table.pending[0]
            if decision.seat in self.seats and not decision.fact:
                return decision
            text = decision.option_list()[0] if decision.fact else self.dealer.answer(key, decision)
            if not decision.fact:
                self.dealer.learn(decision, text)
            self.table.take_answer(text)
        return None

    @property
    def going(self) -> bool:
        """Whether the phase goes on."""
        return str(self.table.state.scope) == f"3.{self.phase}"

    def compare(self) -> None:
        """Fail if the two tables differ, cards included."""
        assert evolution_model(self.table.state, self.name) == self.model

    def compare_ends(self) -> None:
        """Fail if the boards, the food and the screens differ after the phase; the deal that may
        have come since changes hands and adds species only."""
        state = evolution_model(self.table.state, self.name)
        for seat in self.seats:
            if self.model.rows[seat]:
                assert state.rows[seat] == self.model.rows[seat]
        assert (state.hole, state.screens) == (self.model.hole, self.model.screens)


def evolution_card_trait(card: str) -> str:
    return card.split()[0]


def card_traits(cards: Iterable[str]) -> list[str]:
    return [evolution_card_trait(card) for card in cards]


def evolution_model(state: Any, name: str) -> Model:
    """Return the table as the second implementation has it."""
    rows: Mapping[str, Sequence[Any]] = state.rows
    return Model(
        state.seats, state.first_seat_index, state.round, state.final_round, state.hole,
        state.deck, state.set_aside_count, len(state.discards),
        {
            seat: [
                Board(x.name, x.body, x.population, x.food, x.fat, card_traits(x.traits))
                for x in row
            ]
            for seat, row in rows.items()
        },
        {seat: len(hand) for seat, hand in state.hands.items()},
        dict(state.screens),
        name == "climate",
    )  # fmt: skip
