"""Random tables of the course's game, played by `games/` and by the second implementation."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from engine import ALL, CHANCE, Decision, Table
from games import registry
from tests.reference.classroom.choices import card_steps, carry_out_step, keeps_limits
from tests.reference.classroom.model import Model, Place, Species, classroom_card_trait
from tests.reference.classroom.silly import silly_choice
from tests.reference.classroom.turn import LEAVE, classroom_points
from tests.reference.seeds import as_case

FAVOURITES = (
    "carnivore", "cooperation", "fat_tissue", "foraging", "horns", "scavenger",
)  # fmt: skip
"""The traits that change most; they come up more often than others."""


class Game:
    """A turn, played twice from the choices on; each question and each table is compared."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"classroom {seed}")
        self.seats = "abcdefgh"[: self.rng.randint(3, 6)]
        self.ruleset = registry.ruleset("classroom")
        self.rules = self.rng.choice(({}, {}, {"silence": "removal"}))
        game = self.ruleset.game(self.seats, self.rules)
        state = game.start()
        self.data = Drawing(self.rng, self.seats, list(self.ruleset.decks["deck"])).data
        state.scope = "0.choice"
        assert self.ruleset.positions
        self.deck = list(self.ruleset.positions().read(state, self.data)["deck"])
        self.rng.shuffle(self.deck)
        self.said: list[str] = []
        self.model = classroom_model(state)
        self.model.removal, self.model.players = bool(self.rules), self
        self.table = Table(game, ALL, position=(state, "choice"))

    def __str__(self) -> str:
        return as_case(self.rules | self.data, self.said)

    # -------------------------------------------------------------- questions (see model.Players)
    def choose(self) -> dict[str, list[str]]:
        """Let all players choose by chance; `games/` must offer and accept what the rules allow."""
        self.compare()
        asked = list(self.table.open_decisions)
        assert [(d.kind, d.seat) for d in asked] == [("choice", s) for s in self.model.order()]
        chosen = {decision.seat: self.choice(decision) for decision in asked}
        for said in chosen.values():
            self.send("; ".join([*said, "done"]))
        return chosen

    def choice(self, decision: Decision) -> list[str]:
        """Choose step by step; the limits hold for the result (ruling 5.2)."""
        seat, place = decision.seat, deepcopy(self.model.places[decision.seat])
        leave = [LEAVE] if self.model.removal else []
        assert decision.default() == (f"{LEAVE}; done" if leave else silly_choice(self.model, seat))
        foods = [f"food {card}" for card in sorted(set(place.hand))]
        assert sorted(decision.option_list([])) == sorted([*foods, *leave])
        said = leave if self.rng.random() < 0.1 and leave else [self.rng.choice(foods)]
        while said != [LEAVE] and (text := self.step(decision, said, place)) != "done":
            said.append(text)
        assert self.table.why_not(decision, "; ".join([*said, "done"])) is None
        return said

    def step(self, decision: Decision, said: list[str], place: Place) -> str:
        """Choose one step; carry the one before it out."""
        if len(said) == 1:
            place.hand.remove(said[0].removeprefix("food "))
        else:
            carry_out_step(place, decision.seat, said[-1])
        listed = decision.option_list(said)
        if keeps_limits(place):
            more = set(listed) - card_steps(place)
            assert card_steps(place) <= set(listed)
            assert all(breaks_limits(place, decision.seat, text) for text in more)
        traits = [text for text in listed if " on " in text]
        rest = [text for text in listed if text != "done"]
        if "done" in listed and (not rest or self.rng.random() < 0.25):
            return "done"
        return self.rng.choice(traits if traits and self.rng.random() < 0.6 else rest)

    def ask(self, seat: str, options: set[str], default: str) -> str:
        """Compare the question and the table with what `games/` has; answer by chance."""
        (decision,) = self.table.open_decisions
        assert (decision.kind, decision.seat) == ("feed", seat)
        listed = decision.option_list()
        assert set(listed) == options
        assert len(listed) == len(options)
        assert decision.default() == default
        self.compare()
        hunts = [text for text in listed if " attacks " in text]
        stops = [text for text in listed if text in ("decline", LEAVE)]
        wish = hunts if self.rng.random() < 0.5 else stops if self.rng.random() < 0.2 else listed
        return self.send(self.rng.choice(wish or listed))

    def deal(self, seat: str, count: int) -> list[str]:
        (decision,) = self.table.open_decisions
        assert decision.seat == CHANCE
        assert decision.option_list() == [f"{seat} draws " + " ".join(["[?]"] * count)]
        cards, self.deck = self.deck[:count], self.deck[count:]
        self.send(f"{seat} draws " + " ".join(f"[{card}]" for card in cards))
        return cards

    def send(self, text: str) -> str:
        self.said.append(text)
        self.table.take_answer(text)
        return text

    # -------------------------------------------------------------- comparing
    def compare(self) -> None:
        assert classroom_model(self.table.state) == self.model
        assert not self.table.state.stray_tokens()

    def compare_scores(self) -> None:
        result = self.ruleset.result(self.table.state)
        scores = {seat: classroom_points(self.model.places[seat]) for seat in self.seats}
        assert {score.seat: score.total for score in result.scores} == scores
        best = max((scores[seat] for seat in self.model.order()), default=0)
        if self.model.order():
            assert set(result.winners) == {s for s in self.model.order() if scores[s] == best}


def breaks_limits(place: Place, seat: str, text: str) -> bool:
    """Whether a step that `games/` offers gives a board the same trait twice, for the moment."""
    tried = deepcopy(place)
    carry_out_step(tried, seat, text)
    return not keeps_limits(tried)


class Drawing:
    """Deals a random table that the rules allow, as a rule case says it (docs/rule-cases.md)."""

    def __init__(self, rng: Random, seats: str, cards: list[str]) -> None:
        self.rng, self.cards = rng, cards
        rng.shuffle(cards)
        rows = {
            s: [self._species(f"{s}{n}") for n in range(1, rng.randint(1, 4) + 1)] for s in seats
        }
        self.data: dict[str, Any] = {
            "first": rng.choice(seats), "hole": rng.choice((0, 2, 5, 10, 20)), **rows,
            "hands": {s: [cards.pop() for _ in range(rng.choice((1, 2, 4, 6)))] for s in seats},
            "bags": {seat: rng.randint(0, 9) for seat in seats},
            "deck_left": min(rng.choice((0, 1, 3, 99)), len(cards)),
        }  # fmt: skip

    def _species(self, name: str) -> str:
        rng, traits = self.rng, list[str]()
        for _ in range(rng.choice((0, 1, 2, 3, 3))):
            liked = rng.choice(FAVOURITES) if rng.random() < 0.5 else ""
            new = [
                card
                for card in self.cards
                if classroom_card_trait(card) not in map(classroom_card_trait, traits)
            ]
            card = next((card for card in new if classroom_card_trait(card) == liked), new[0])
            self.cards.remove(card)
            traits.append(card)
        board = Species(name, rng.randint(1, 7), rng.randint(0, 7), cards=traits)
        fat = rng.randint(0, board.fat_room)
        told = f"{name} population {board.population} body {board.body} fat {fat}"
        return f"{told}: {', '.join(traits)}" if traits else told


def classroom_model(state: Any) -> Model:
    """Return the table as the second implementation has it."""
    places = {
        seat: Place(
            [
                Species(x.name, x.population, x.body, x.food, x.fat, list(x.traits))
                for x in state.rows[seat]
            ],
            sorted(state.hands[seat]), state.bags[seat], state.creature_counts[seat],
        )
        for seat in state.seats
    }  # fmt: skip
    return Model(
        state.seats,
        state.first_seat_index,
        state.hole,
        state.deck,
        sorted(state.discards),
        places,
        state.departed_seats,
    )
