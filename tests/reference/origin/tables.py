"""Random tables of Origin, played by `games/` and by the second implementation in step."""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from random import Random
from typing import Any

from engine import ALL, CHANCE, Decision, Table
from games import registry
from tests.reference.origin import development
from tests.reference.origin.development import PAIRS, may_get_trait
from tests.reference.origin.ending import origin_points, winners
from tests.reference.origin.model import Animal, Model, Pair, Trait
from tests.reference.seeds import as_case

SINGLES = (
    "burrowing", "camouflage", "carnivorous", "fat_tissue", "grazing", "hibernation_ability",
    "high_body_weight", "mimicry", "parasite", "piracy", "poisonous", "running", "scavenger",
    "sharp_vision", "swimming", "tail_loss",
)  # fmt: skip
THEMES = (
    ("carnivorous", "mimicry", "running", "scavenger", "tail_loss", "fat_tissue", "poisonous"),
    ("carnivorous", "piracy", "fat_tissue", "scavenger", "high_body_weight", "parasite"),
    ("carnivorous", "fat_tissue", "fat_tissue", "tail_loss", "tail_loss"),
    SINGLES,
)
"""Traits that change much together; each table prefers those of one line."""


class Game:
    """A game turn, played twice from one phase on; each question and each table is compared."""

    def __init__(self, seed: int, phase: str) -> None:
        self.rng = Random(f"origin {phase} {seed}")
        self.seats = "abcdefgh"[: self.rng.choice((2, 2, 3, 4, 5, 6, 7, 8))]
        self.ruleset = registry.ruleset("origin")
        self.together = seed % 3 == 1
        options = {"together": "yes"} if self.together else {}
        game = self.ruleset.game(self.seats, options)
        state: Any = game.start()
        self.data = Drawing(self.rng, self.seats, phase, list(state.book.deck)).data
        state.scope = f"0.{phase}"
        assert self.ruleset.positions
        self.deck = list(self.ruleset.positions().read(state, self.data)["deck"])
        self.rng.shuffle(self.deck)
        self.said: list[str] = []
        self.model = origin_model(state, self)
        self.table = Table(game, ALL, position=(state, phase))

    def __str__(self) -> str:
        return as_case(self.data, self.said)

    # -------------------------------------------------------------- questions (see model.Players)
    def ask(
        self, kind: str, seat: str, options: set[str], default: str, unasked: bool = False
    ) -> str:
        """Compare the question and the table with what `games/` has; answer by chance."""
        decision = self.question(kind, seat)
        assert decision.unasked == unasked
        listed = decision.option_list()
        assert set(listed) == options
        assert len(listed) == len(options)
        assert decision.default() == default
        self.compare()
        return self.send(self.choose(listed))

    def list_plays(self, seat: str, model: Model) -> list[str]:
        """Choose a list by chance; each step is compared with a single play on a copy."""
        decision = self.table.pending[0][1]
        assert (decision.kind, decision.seat, decision.script) == ("develop", seat, True)
        self.compare()
        future_model = deepcopy(model, {id(model.players): model.players})
        steps = list[str]()
        while "pass" not in steps:
            listed = decision.option_list(steps)
            assert set(listed) == development.card_uses(future_model, seat)
            steps.append(self.choose(listed))
            if steps[-1] != "pass":
                development.play_card(future_model, seat, steps[-1])
        self.send("; ".join(steps))
        return steps

    def roll(self) -> int:
        return int(self.send(self.rng.choice(self.question("die", CHANCE).option_list()))[-1])

    def deal(self, seat: str) -> str:
        (text,) = self.question("deal", CHANCE).option_list()
        card = self.deck.pop(0)
        assert text == f"{seat} draws [?]"
        self.send(text.replace("?", card))
        return card

    def question(self, kind: str, seat: str) -> Decision:
        (decision,) = self.table.open_decisions
        assert (decision.kind, decision.seat) == (kind, seat)
        return decision

    def choose(self, listed: list[str]) -> str:
        """Choose a kind of action first, so that rare kinds come up; seldom stop."""
        kinds = defaultdict[str, list[str]](list)
        for text in listed:
            words = text.split()[1:]
            kinds[" ".join(words[:-1] or words)].append(text)
        stop = kinds.pop("", [])  # "pass" or "done"
        if stop and (not kinds or self.rng.random() < 0.07):
            return stop[0]
        hunt = "attacks" in kinds and self.rng.random() < 0.5
        return self.rng.choice(kinds["attacks" if hunt else self.rng.choice(sorted(kinds))])

    def send(self, text: str) -> str:
        self.said.append(text)
        self.table.take_answer(text)
        return text

    # -------------------------------------------------------------- comparing
    def compare(self) -> None:
        assert origin_model(self.table.state, self) == self.model
        assert not self.table.state.stray_tokens()

    def compare_scores(self) -> None:
        result = self.ruleset.result(self.table.state)
        assert {x.seat: x.total for x in result.scores} == {
            seat: origin_points(self.model, seat) for seat in self.seats
        }
        assert set(result.winners) == winners(self.model)


class Drawing:
    """Deals a random table that the rules allow, as a rule case says it (docs/rule-cases.md)."""

    def __init__(self, rng: Random, seats: str, phase: str, cards: list[str]) -> None:
        self.rng, self.cards, self.food = rng, cards, phase == "feeding"
        rng.shuffle(cards)
        self.theme = rng.choice(THEMES)
        self.round = rng.choice((1, 3, 3))
        names = {s: [f"{s}{n}" for n in range(1, rng.randint(1, 5) + 1)] for s in seats}
        pairs = [text for row in names.values() for text in self._pairs(row)]
        rows = {seat: [self._animal(name) for name in row] for seat, row in names.items()}
        self.data: dict[str, Any] = {
            "round": self.round, "last": rng.choice((0, 0, 0, self.round)),
            "first": rng.choice(seats), "bank": rng.randint(0, 12) if self.food else 0,
            **rows, "pairs": pairs,
            "hands": {seat: self._hand() for seat in seats},
            "deck_left": min(rng.choice((0, 1, 3, 8, 99)), len(cards)),
        }  # fmt: skip

    def _hand(self) -> list[str]:
        size = min(self.rng.choice((0, 0, 1, 3) if self.food else (1, 2, 3, 4)), len(self.cards))
        return [self.cards.pop() for _ in range(size)]

    def _animal(self, name: str) -> str:
        rng, own, traits = self.rng, self.cards.pop(), list[Trait]()
        for _ in range(rng.randint(0, 6)):
            traits += self._trait([trait.name for trait in traits])
        animal = Animal(name, own, 0, 0, 0, traits)
        red = rng.randint(0, animal.need) if self.food and rng.random() < 0.4 else 0
        told = f"{name} ({own}) red {red} fat {rng.randint(0, animal.empty_fat)}"
        if animal.has("hibernation_ability") and self.round > 1:
            told += f" slept {rng.choice((0, self.round - 2, self.round - 1))}"
        cards = ", ".join(f"{trait.card} as {trait.name}" for trait in traits)
        return f"{told}: {cards}" if cards else told

    def _trait(self, held: list[str]) -> list[Trait]:
        """Take a card from the deck, mostly one with a trait of the theme."""
        name = self.rng.choice(self.theme if self.rng.random() < 0.7 else SINGLES)
        card = next((card for card in self.cards if name in card.split("/")), None)
        if card is None or not may_get_trait(name, held):
            return []
        self.cards.remove(card)
        return [Trait(name, card, 0)]

    def _pairs(self, row: list[str]) -> list[str]:
        found = dict[tuple[str, frozenset[str]], str]()
        for _ in range(self.rng.choice((0, 2, 5, 9)) if len(row) > 1 else 0):
            name = self.rng.choice((*PAIRS, "cooperation", "communication"))
            two = self.rng.sample(row, 2)
            card = next((card for card in self.cards if name in card.split("/")), None)
            if card and (name, frozenset(two)) not in found:
                self.cards.remove(card)
                ends = two if name == "symbiosis" else sorted(two)
                found[name, frozenset(two)] = f"{card} as {name} {ends[0]} {ends[1]}"
        return list(found.values())


def origin_model(state: Any, players: Game) -> Model:
    """Return the table as the second implementation has it."""
    seats = state.seats
    return Model(
        seats, state.first_seat_index, state.round, state.final_round, state.deck, state.bank,
        {seat: [animal_of(x) for x in state.rows[seat]] for seat in seats},
        {
            seat: [
                Pair(p.name, p.card, p.serial, p.first_animal, p.second_animal, p.is_used)
                for p in pairs
            ]
            for seat, pairs in state.pairs.items()
        },
        *(
            {seat: sorted(zone[seat]) for seat in seats}
            for zone in (state.hands, state.piles, state.buried)
        ),
        dict(state.creature_counts), state.played_card_count, players.together, players,
    )  # fmt: skip


def animal_of(animal: Any) -> Animal:
    return Animal(
        animal.name, animal.card, animal.red, animal.blue, animal.fat,
        [Trait(trait.name, trait.card, trait.serial) for trait in animal.traits],
        set(animal.used_traits), animal.is_hibernating, animal.last_hibernation,
        animal.is_poisoned,
    )  # fmt: skip
