"""A second implementation of the course's game, for comparison; it shares no code with `games/`.

It is written from the course's rulebook and from ruling 5 alone, as plainly as possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from tests.reference.clockwise import Clockwise


class Players(Protocol):
    """Answers the questions of the rules, and deals."""

    def choose(self) -> dict[str, list[str]]: ...
    def ask(self, seat: str, options: set[str], default: str) -> str: ...
    def deal(self, seat: str, count: int) -> list[str]: ...


def classroom_card_trait(card: str) -> str:
    return card.split()[0]


def card_food(card: str) -> int:
    return int(card.split()[1])


@dataclass
class Species:
    """One species board, with its trait cards."""

    name: str
    population: int = 1
    body: int = 0
    food: int = 0
    fat: int = 0
    cards: list[str] = field(default_factory=list)

    @property
    def traits(self) -> list[str]:
        return [classroom_card_trait(card) for card in self.cards]

    def has(self, trait: str) -> bool:
        return trait in self.traits

    @property
    def hungry(self) -> bool:
        return self.food < self.population

    @property
    def fat_room(self) -> int:
        return max(0, self.body - self.fat) if self.has("fat_tissue") else 0

    @property
    def size(self) -> tuple[int, int, int]:
        """What the silly player calls larger (ruling 5.12)."""
        return self.population, self.food, self.body


@dataclass
class Place:
    """What one player has; ``made`` counts the boards that the player ever had."""

    row: list[Species]
    hand: list[str]
    bag: int = 0
    made: int = 0

    def new_board(self, seat: str, left: bool = False) -> Species:
        """Add a board with population 1 and body 0, on the right or the left (ruling 5.2)."""
        self.made += 1
        board = Species(f"{seat}{self.made}")
        self.row.insert(0 if left else len(self.row), board)
        return board

    def board(self, name: str) -> Species:
        return next(board for board in self.row if board.name == name)


@dataclass
class Model(Clockwise):
    """All players' places, the watering hole, and the cards in each pile."""

    seats: str
    first: int
    hole: int
    deck: int
    discards: list[str]
    places: dict[str, Place]
    out: str = ""
    removal: bool = field(default=False, compare=False)
    players: Players | None = field(default=None, compare=False, repr=False)

    # -------------------------------------------------------------- looking
    def order(self, seat: str = "") -> str:
        """Return the players who are still in the game, from this one or the first on."""
        return "".join(one for one in super().order(seat) if one not in self.out)

    def species(self, seat: str = "") -> Iterator[Species]:
        for one in self.order(seat):
            yield from list(self.places[one].row)

    def find(self, name: str) -> Species:
        return self.places[name[0]].board(name)

    def beside(self, species: Species, step: int) -> Species | None:
        row = self.places[species.name[0]].row
        at = [one.name for one in row].index(species.name) + step
        return row[at] if 0 <= at < len(row) else None

    # -------------------------------------------------------------- food
    def step(self, species: Species) -> None:
        """Make a feeding step: Foraging a second token, then Cooperation (ruling 5.6)."""
        eaten = 0
        for _ in range(2 if species.has("foraging") else 1):
            if species.hungry and self.hole:
                species.food += 1
                self.hole -= 1
                eaten += 1
        right = self.beside(species, 1)
        if species.has("cooperation") and right:
            for _ in range(eaten):
                self.step(right)

    # -------------------------------------------------------------- cards and boards
    def discard(self, *cards: str) -> None:
        self.discards = sorted([*self.discards, *cards])

    def draw(self, seat: str, count: int) -> None:
        """Draw cards, fewer if the deck is short."""
        count = min(count, self.deck)
        if count:
            assert self.players
            self.deck -= count
            place = self.places[seat]
            place.hand = sorted([*place.hand, *self.players.deal(seat, count)])

    def remove(self, species: Species) -> None:
        place = self.places[species.name[0]]
        place.row = [board for board in place.row if board is not species]
        self.discard(*species.cards)

    def extinct(self, species: Species) -> None:
        """Remove a board; its owner immediately draws two cards (rulings 5.8, 5.9)."""
        self.remove(species)
        self.draw(species.name[0], 2)

    def leave(self, seat: str) -> None:
        """Take a player out of the rest of the game (ruling 5.10)."""
        for board in list(self.places[seat].row):
            self.remove(board)
        self.places[seat].bag = 0
        self.out += seat
