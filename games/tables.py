"""The parts that all our rulesets share: seats, rows, defences, turns, and drawing cards.

Something is shared only where that makes each page shorter. Species, taking and losing food, and
extinction are not shared, because the books differ in substance; nor is the feeding loop of
`classroom`, which ends when nobody can eat, so it counts no passes; nor are the defences of
`origin`, which depend on the pair and on the turn.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from engine import DONE, Answer, Rules, Seat, ask, cards_in, deal, die, put


class Creature(Protocol):
    """A species or an animal; ``a2`` is the second one that seat ``a`` has had in this game."""

    name: str
    owner: Seat


class Defence(NamedTuple):
    """A trait that makes an attack illegal, and a sentence with the reason."""

    trait: str
    why: str


C = TypeVar("C", bound=Creature)


class Rows(Generic[C]):
    """Finds creatures in a state that has seats in clockwise order and a row for each."""

    seats: str
    first: int
    """The index of the first player in ``seats``."""
    rows: dict[Seat, list[C]]
    made: dict[Seat, int]
    """The number of creatures that each seat has ever had."""

    def order(self, start: Seat | None = None) -> str:
        """Return the seats clockwise, from the first player or from the seat given."""
        at = self.first if start is None else self.seats.index(start)
        return self.seats[at:] + self.seats[:at]

    def find(self, name: str) -> C | None:
        """Return the creature with that name; None if no such creature is alive."""
        for creature in self.rows.get(name[:1], ()):
            if creature.name == name:
                return creature
        return None

    def missing(self, name: str) -> str:
        """Say why there is no creature with this name on the table."""
        seat = name[:1]
        if name in (f"{seat}{number + 1}" for number in range(self.made.get(seat, 0))):
            return f"{name} is no longer on the table"
        return f"there is no {name} on the table"

    def why_not_of(self, seat: Seat, name: str) -> str | None:
        """Say why this is not the name of one of the seat's creatures."""
        creature = self.find(name)
        if creature is None:
            return self.missing(name)
        return None if creature.owner == seat else f"{name} is not yours"

    def named(self, name: str) -> C:
        """Return the creature with that name, which must exist because an option has named it."""
        creature = self.find(name)
        assert creature is not None, name
        return creature

    def beside(self, creature: C) -> list[C]:
        """Return the creature's left and right neighbours, if there are any."""
        row = self.rows[creature.owner]
        # the same as place_of, without a function call, because bots need this often
        for at, other in enumerate(row):
            if other is creature:
                return row[at - 1 if at else 0 : at] + row[at + 1 : at + 2]
        return []

    def left_of(self, creature: C) -> C | None:
        """Return the creature's left neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        at = place_of(creature, row)
        return row[at - 1] if at > 0 else None

    def right_of(self, creature: C) -> C | None:
        """Return the creature's right neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        at = place_of(creature, row)
        return row[at + 1] if 0 <= at < len(row) - 1 else None


def place_of(creature: Creature, row: Sequence[Creature]) -> int:
    """Return the creature's index in the row; -1 if it is not there."""
    for at, other in enumerate(row):
        if other is creature:
            return at
    return -1


# ------------------------------------------------------------------ attacks
class Fighter(Creature, Protocol):
    """A species with a body size, and a kit with hooks for attack and defence."""

    body: int
    kit: Any


F = TypeVar("F", bound=Fighter)


def attack_size(attacker: Fighter) -> int:
    """Return the body size with which a species attacks."""
    size = attacker.body
    for fold in attacker.kit.attack_size:
        size = fold(attacker, size)
    return size


def defences(state: Rows[F], attacker: F, target: F) -> Iterator[Defence]:
    """Yield every trait that protects the target from this attacker; body size is not among
    them."""
    for defends in target.kit.defends:
        if (held := defends(state, target, attacker)) and not overcome(attacker, held.trait):
            yield held
    if any(map(_shelters, state.rows[target.owner])):
        for neighbour in state.beside(target):
            for shelters in neighbour.kit.shelters:
                held = shelters(state, neighbour, target, attacker)
                if held and not overcome(attacker, held.trait):
                    yield held


_shelters = attrgetter("kit.shelters")


def overcome(attacker: Fighter, trait: str) -> bool:
    """Return whether the attacker's own traits let it ignore a defence of that name."""
    overcomes = attacker.kit.overcomes
    return bool(overcomes) and any(beats(attacker, trait) for beats in overcomes)


# ------------------------------------------------------------------ turns
T = TypeVar("T", bound=Rows[Any])


def turns_until_all_pass(
    state: T,
    turn: Callable[[T, Seat], Answer],
    over: Callable[[T], bool] = lambda _: False,
) -> Rules:
    """Play turns clockwise from the first player until all pass in a row or ``over`` is true.

    A turn returns ``pass`` if the player passed; ``over`` is called before each turn.
    """
    passed = 0
    while True:
        for seat in state.order():
            if over(state):
                return
            text = yield from turn(state, seat)
            passed = passed + 1 if text == "pass" else 0
            if passed == len(state.seats):
                return


def done() -> str:
    """Return the answer of a silent player who may stop: ``done``."""
    return DONE


# ------------------------------------------------------------------ turns given as a whole
S = TypeVar("S")


class Draft(Generic[S]):
    """An unfinished turn that will be one answer; it can show the table after each of its steps.

    A draft exists only while its question is open, and the table does not change in that time. If
    new steps continue the last ones, they are played on the same copy. So the work grows with the
    length of the turn, not with its square.
    """

    def __init__(self, copy: Callable[[], S], play: Callable[[S, str, int], None]) -> None:
        """Make a draft; ``play`` gets the copy, a step, and the number of brackets in the steps
        before it."""
        self._copy, self._play = copy, play
        self._then: S | None = None
        self._steps: list[str] = []
        self._brackets = 0

    def after(self, steps: Sequence[str]) -> S:
        """Return the table after these steps, which must be legal. Do not change it."""
        then, self._then = self._then, None  # a step that fails must leave nothing half done
        done = len(self._steps)
        if then is None or self._steps != list(steps[:done]):
            then, done, self._brackets = self._copy(), 0, 0
        for step in steps[done:]:
            self._play(then, step, self._brackets)
            self._brackets += step.count("[")
        self._then, self._steps = then, list(steps)
        return then


# ------------------------------------------------------------------ verbs
class Drawing(Protocol):
    """A table with hands and one deck; only the size of the deck is known."""

    deck: int
    hands: dict[Seat, list[str]]


def draw_cards(state: Drawing, seat: Seat, count: int) -> Rules:
    """Draw ``count`` cards to a hand; the deck must have enough."""
    cards = cards_in((yield from ask(deal(seat, count))))
    put(state.hands[seat], cards)
    state.deck -= count


class Seating(Protocol):
    """A table whose seats have an order of play."""

    seats: str
    first: int


def first_by_lot(state: Seating) -> Rules:
    """Choose the first player at random."""
    text = yield from ask(die([f"{seat} goes first" for seat in state.seats]))
    state.first = state.seats.index(text[0])


class WateringHole(Protocol):
    """A table with food in the middle, which counts all the food in the game."""

    hole: int
    bank: int


def pour(state: WateringHole, amount: int) -> None:
    """Add food to the watering hole, or remove food, but never below 0."""
    change = max(amount, -state.hole)
    state.hole += change
    state.bank += change
