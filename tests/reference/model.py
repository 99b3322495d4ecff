"""A second implementation of the rules, for comparison; it shares no code with `games/`.

It is written from the rulebooks of Evolution and Climate and from the rulings alone, as plainly as
possible: no hooks, no speed, and of the cards only how many there are in each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.reference.clockwise import Clockwise


@dataclass
class Board:
    """One species board."""

    name: str
    body: int
    population: int
    food: int
    fat: int
    traits: list[str]

    @property
    def need(self) -> int:
        return max(0, self.population - (2 if "hibernation" in self.traits else 0))

    @property
    def hunger(self) -> int:
        return max(0, self.need - self.food)

    @property
    def fat_room(self) -> int:
        return self.body - self.fat if "fat_tissue" in self.traits else 0


@dataclass
class Model(Clockwise):
    """All species, the Watering Hole, and how many cards there are in each place."""

    seats: str
    first: int
    round: int
    last: int
    hole: int
    deck: int
    aside: int
    discards: int
    rows: dict[str, list[Board]] = field(default_factory=dict)
    hands: dict[str, int] = field(default_factory=dict)
    screens: dict[str, int] = field(default_factory=dict)
    climate: bool = False

    # -------------------------------------------------------------- looking
    def boards(self, seat: str = "") -> Iterator[Board]:
        for one in self.order(seat):
            yield from list(self.rows[one])

    def find(self, name: str) -> Board | None:
        return next((board for board in self.rows[name[0]] if board.name == name), None)

    def beside(self, board: Board, step: int) -> Board | None:
        row = self.rows[board.name[0]]
        at = [one.name for one in row].index(board.name) + step
        return row[at] if 0 <= at < len(row) else None

    # -------------------------------------------------------------- food
    def take(self, board: Board | None, count: int, kind: str, source: str) -> None:
        """Let a species take food, with Foraging and then Cooperation (rulings 1.5, 1.6)."""
        if board is None or (kind == "plant" and "carnivore" in board.traits):
            return
        there = count if source == "bank" else min(count, self.hole)
        eaten = min(there, board.hunger)
        stored = min(there - eaten, board.fat_room)
        board.food += eaten
        board.fat += stored
        self.hole -= eaten + stored if source == "hole" else 0
        if not eaten:
            return
        more = source == "bank" or self.hole > 0
        if "foraging" in board.traits and kind == "plant" and board.hunger and more:
            board.food += 1
            self.hole -= 1 if source == "hole" else 0
        if "cooperation" in board.traits:
            self.take(self.beside(board, 1), 1, kind, source)

    # -------------------------------------------------------------- population and cards
    def lose(self, board: Board, count: int = 1) -> None:
        board.population = max(0, board.population - count)
        surplus = max(0, board.food - board.need)
        board.food -= surplus
        self.screens[board.name[0]] += surplus

    def bury(self, board: Board) -> None:
        """Discard an extinct species and draw as many cards (rulebook, Extinction)."""
        seat = board.name[0]
        self.screens[seat] += board.food + board.fat
        self.rows[seat].remove(board)
        self.discards += len(board.traits)
        self.draw(seat, len(board.traits))

    def draw(self, seat: str, count: int) -> None:
        """Draw cards in the middle of a round: if the deck runs out, the next round is the last."""
        for _ in range(count):
            if not self.deck:
                self.new_deck()
            if not self.deck:
                return
            self.deck -= 1
            self.hands[seat] += 1
            if not self.deck:
                self.last = self.last or self.round + 1
                self.new_deck()

    def new_deck(self) -> None:
        """Make a deck of the cards set aside (Climate), or else of the discards."""
        if self.climate and self.aside:
            self.deck, self.aside = self.aside, 0
        else:
            self.deck, self.discards = self.discards, 0

    # -------------------------------------------------------------- the end of feeding
    def end_of_feeding(self) -> None:
        for board in self.boards():
            if self.climate and "migratory" in board.traits and not self.hole:
                self.take(board, 2, "plant", "bank")
        for board in self.boards():
            board.population -= board.hunger
        for board in self.boards():
            self.screens[board.name[0]] += board.food
            board.food = 0
        for board in self.boards():
            if not board.population:
                self.bury(board)
        if self.last == self.round:
            for board in self.boards():
                self.screens[board.name[0]] += board.fat
                board.fat = 0

    # -------------------------------------------------------------- Auto-Feed
    def auto_feeds(self) -> bool:
        """Whether there is enough for all and nobody has anything to decide (ruling 2.4)."""
        for board in self.boards():
            thinks = "intelligence" in board.traits and self.hands[board.name[0]]
            if board.fat_room or (board.hunger and ("carnivore" in board.traits or thinks)):
                return False
        return sum(board.hunger for board in self.boards()) <= self.hole

    def auto_feed(self) -> None:
        for board in self.boards():
            hunger = board.hunger
            board.food += hunger
            self.hole -= hunger
