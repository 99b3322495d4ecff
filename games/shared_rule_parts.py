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
    reason: str


C = TypeVar("C", bound=Creature)


class Rows(Generic[C]):
    """Finds creatures in a state that has seats in clockwise order and a row for each."""

    seats: str
    first_seat_index: int
    """The index of the first player in ``seats``."""
    rows: dict[Seat, list[C]]
    creature_counts: dict[Seat, int]
    """The number of creatures that each seat has ever had."""

    def order(self, start: Seat | None = None) -> str:
        """Return the seats clockwise, from the first player or from the seat given."""
        index = self.first_seat_index if start is None else self.seats.index(start)
        return self.seats[index:] + self.seats[:index]

    def find(self, name: str) -> C | None:
        """Return the creature with that name; None if no such creature is alive."""
        for creature in self.rows.get(name[:1], ()):
            if creature.name == name:
                return creature
        return None

    def why_not_on_table(self, name: str) -> str:
        """Say why there is no creature with this name on the table."""
        seat = name[:1]
        if name in (f"{seat}{number + 1}" for number in range(self.creature_counts.get(seat, 0))):
            return f"{name} is no longer on the table"
        return f"there is no {name} on the table"

    def why_not_owner(self, seat: Seat, name: str) -> str | None:
        """Say why this is not the name of one of the seat's creatures."""
        creature = self.find(name)
        if creature is None:
            return self.why_not_on_table(name)
        return None if creature.owner == seat else f"{name} is not yours"

    def creature_named(self, name: str) -> C:
        """Return the creature with that name, which must exist because an option has named it."""
        creature = self.find(name)
        assert creature is not None, name
        return creature

    def neighbours(self, creature: C) -> list[C]:
        """Return the creature's left and right neighbours, if there are any."""
        row = self.rows[creature.owner]
        # the same as index_in_row, without a function call, because bots need this often
        for index, row_creature in enumerate(row):
            if row_creature is creature:
                return row[index - 1 if index else 0 : index] + row[index + 1 : index + 2]
        return []

    def left_neighbour(self, creature: C) -> C | None:
        """Return the creature's left neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        index = index_in_row(creature, row)
        return row[index - 1] if index > 0 else None

    def right_neighbour(self, creature: C) -> C | None:
        """Return the creature's right neighbour; rows do not wrap around."""
        row = self.rows[creature.owner]
        index = index_in_row(creature, row)
        return row[index + 1] if 0 <= index < len(row) - 1 else None


def index_in_row(creature: Creature, row: Sequence[Creature]) -> int:
    """Return the creature's index in the row; -1 if it is not there."""
    for index, row_creature in enumerate(row):
        if row_creature is creature:
            return index
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
        defence = defends(state, target, attacker)
        if defence and not may_ignore(attacker, defence.trait):
            yield defence
    # most rows have no such trait: then nobody's neighbours need be found
    if any(map(_shelters, state.rows[target.owner])):
        for neighbour in state.neighbours(target):
            for shelters in neighbour.kit.shelters:
                defence = shelters(state, neighbour, target, attacker)
                if defence and not may_ignore(attacker, defence.trait):
                    yield defence


_shelters = attrgetter("kit.shelters")


def may_ignore(attacker: Fighter, trait: str) -> bool:
    """Return whether the attacker's own traits let it ignore a defence of that name."""
    overcomes = attacker.kit.overcomes
    return bool(overcomes) and any(beats(attacker, trait) for beats in overcomes)


# ------------------------------------------------------------------ turns
T = TypeVar("T", bound=Rows[Any])


def turns_until_all_pass(
    state: T,
    play_turn: Callable[[T, Seat], Answer],
    is_over: Callable[[T], bool] = lambda _: False,
) -> Rules:
    """Play turns clockwise from the first player until all pass in a row or ``is_over`` is true.

    ``play_turn`` plays the turn of a seat, and returns ``pass`` if the player passed. ``is_over``
    is called before each turn.
    """
    pass_count = 0
    while True:
        for seat in state.order():
            if is_over(state):
                return
            answer = yield from play_turn(state, seat)
            pass_count = pass_count + 1 if answer == "pass" else 0
            if pass_count == len(state.seats):
                return


def answer_done() -> str:
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
        """Make a draft; ``copy`` makes a copy of the table, and ``play`` carries out a step: it
        gets the copy, the step, and the number of hidden cards (``[card]``) in the steps before
        it."""
        self._copy, self._play = copy, play
        self._played_state: S | None = None
        """The copy on which the last steps were played; None if there is none."""
        self._played_steps: list[str] = []
        self._hidden_card_count = 0
        """The number of hidden cards in these steps."""

    def state_after(self, steps: Sequence[str]) -> S:
        """Return the table after these steps, which must be legal. Do not change it."""
        # a step that fails must leave no half-played state
        state, self._played_state = self._played_state, None
        played_count = len(self._played_steps)
        if state is None or self._played_steps != list(steps[:played_count]):
            state, played_count, self._hidden_card_count = self._copy(), 0, 0
        for step in steps[played_count:]:
            self._play(state, step, self._hidden_card_count)
            self._hidden_card_count += step.count("[")
        self._played_state, self._played_steps = state, list(steps)
        return state


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
    first_seat_index: int


def draw_first_player(state: Seating) -> Rules:
    """Choose the first player at random."""
    text = yield from ask(die([f"{seat} goes first" for seat in state.seats]))
    state.first_seat_index = state.seats.index(text[0])


class WateringHole(Protocol):
    """A table with food in the middle, which counts all the food in the game."""

    hole: int
    bank: int


def pour(state: WateringHole, amount: int) -> None:
    """Add food to the watering hole, or remove food, but never below 0."""
    change = max(amount, -state.hole)
    state.hole += change
    state.bank += change
