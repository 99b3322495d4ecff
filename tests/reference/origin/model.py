"""A second implementation of Origin, for comparison; it shares no code with `games/`.

It is written from the rulebook, from ruling 4 and from the house rules O1 to O18 alone, as plainly
as possible: no hooks and no speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from tests.reference.clockwise import Clockwise


class Players(Protocol):
    """Answers the questions of the rules, and stands for chance."""

    def ask(
        self, kind: str, seat: str, options: set[str], default: str, unasked: bool = False
    ) -> str: ...
    def list_plays(self, seat: str, model: Model) -> list[str]: ...
    def roll(self) -> int: ...
    def deal(self, seat: str) -> str: ...


@dataclass
class Trait:
    """A trait card on one animal; ``played`` is larger for newer cards."""

    name: str
    card: str
    played: int


@dataclass
class Pair:
    """A trait card that joins two animals; in a Symbiosis ``one`` is the symbiont."""

    name: str
    card: str
    played: int
    one: str
    two: str
    worked: bool = False

    def partner(self, name: str) -> str:
        return self.two if name == self.one else self.one


@dataclass
class Animal:
    """One animal with its tokens and trait cards."""

    name: str
    card: str
    red: int
    blue: int
    fat: int
    traits: list[Trait]
    used: set[str] = field(default_factory=set)
    hibernating: bool = False
    slept: int = 0
    poisoned: bool = False
    grazed: bool = field(default=False, compare=False)

    @property
    def owner(self) -> str:
        return self.name[0]

    def has(self, name: str) -> bool:
        return any(trait.name == name for trait in self.traits)

    @property
    def need(self) -> int:
        extra = {"carnivorous": 1, "high_body_weight": 1, "parasite": 2}
        return 1 + sum(more for name, more in extra.items() if self.has(name))

    @property
    def food(self) -> int:
        return self.red + self.blue

    @property
    def fed(self) -> bool:
        """Whether the animal counts as fed; fat does not count, but hibernating does."""
        return self.hibernating or self.food >= self.need

    @property
    def empty_fat(self) -> int:
        return sum(trait.name == "fat_tissue" for trait in self.traits) - self.fat


@dataclass
class Model(Clockwise):
    """All animals, the food bank, and the cards in each place."""

    seats: str
    first: int
    round: int
    last: int
    deck: int
    bank: int
    rows: dict[str, list[Animal]]
    pairs: dict[str, list[Pair]]
    hands: dict[str, list[str]]
    piles: dict[str, list[str]]
    buried: dict[str, list[str]]
    made: dict[str, int]
    """How many animals each player ever had."""
    played: int
    """How many trait cards were ever played."""
    together: bool
    """Whether all choose the cards that they play at the same time (O17, O18)."""
    players: Players = field(compare=False, repr=False)

    # -------------------------------------------------------------- looking
    def animals(self, seat: str = "") -> Iterator[Animal]:
        for one in self.order(seat):
            yield from list(self.rows[one])

    def find(self, name: str) -> Animal:
        return next(animal for animal in self.rows[name[0]] if animal.name == name)

    def pairs_of(self, animal: Animal) -> list[Pair]:
        return [p for p in self.pairs[animal.owner] if animal.name in (p.one, p.two)]

    def symbionts(self, animal: Animal) -> list[Animal]:
        """Return the animals that protect this one."""
        pairs = self.pairs_of(animal)
        return [
            self.find(p.one) for p in pairs if p.name == "symbiosis" and p.two == animal.name
        ]  # fmt: skip

    # -------------------------------------------------------------- tokens
    def can_take(self, animal: Animal) -> bool:
        """Whether the animal can take a token (ruling 4, *can take*)."""
        room = not animal.fed or animal.empty_fat > 0
        return room and not animal.hibernating and all(x.fed for x in self.symbionts(animal))

    def put(self, animal: Animal, colour: str) -> None:
        """Put a token on an animal that can take it; a fed animal makes fat of it."""
        if animal.fed:
            animal.fat += 1
        elif colour == "red":
            animal.red += 1
        else:
            animal.blue += 1

    # -------------------------------------------------------------- cards
    def discard(self, seat: str, card: str) -> None:
        self.piles[seat] = sorted([*self.piles[seat], card])

    def lose_pair(self, pair: Pair) -> None:
        seat = pair.one[0]
        self.pairs[seat] = [other for other in self.pairs[seat] if other is not pair]
        self.discard(seat, pair.card)

    def bury(self, animal: Animal) -> None:
        """Put a dead animal, its traits and its pair cards on its owner's pile (ruling 4.4)."""
        for pair in self.pairs_of(animal):
            self.lose_pair(pair)
        for trait in animal.traits:
            self.discard(animal.owner, trait.card)
        self.buried[animal.owner] = sorted([*self.buried[animal.owner], animal.card])
        self.rows[animal.owner] = [x for x in self.rows[animal.owner] if x is not animal]
