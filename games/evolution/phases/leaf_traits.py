"""Before the reveal: the traits with the leaf icon act, in an order that their player chooses.

Players are asked only if the order can change the result (ruling 1.2). Public information is enough
to decide that: every order is tried, species by species from left to right. A leaf trait changes
its own species and, through Cooperation, the species to its right. Each of those takes 1 plant food
from the Food Bank; this can happen before, between or after its own leaf traits. Only one thing
matters about the species to the left: how many times it makes this species take food.

All players are asked in one wave, because no player's order can affect another player's species:
asking one after the other would cost one exchange of mail for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from engine import ALL, DONE, Decision, Rules, Seat, ask_all
from games.evolution.table import BANK, MOST_POPULATION, PLANT, Species, State
from games.evolution.table_changes import take
from games.tables import done

Leaf = tuple[str, Species]
"""A trait with the leaf icon, and the species that has it."""
Numbers = tuple[int, int, int]
"""Population, food and fat of a species."""
End = tuple[Numbers, int]
"""The numbers of a species after all its leaf traits, and how often it let its right neighbour take
food."""


def leaf_step(state: State, leaves: Sequence[str]) -> Rules:
    """Let all leaf traits act, player by player, clockwise from the First Player."""
    asked = [seat for seat in state.order() if order_matters(state, seat, leaves)]
    wave = [
        Decision(
            seat, "leaf", leaf_options, (state, seat, tuple(leaves)), script=True, default=done
        )
        for seat in asked
    ]
    chosen = dict(zip(asked, (yield from ask_all(wave)), strict=True))
    for seat in state.order():
        use_leaves(state, seat, leaves, chosen.get(seat, DONE))


def leaf_options(
    state: State, seat: Seat, leaves: Sequence[str], steps: Sequence[str]
) -> Iterable[str]:
    """Yield the leaf traits that may act next; after ``done``, the rest act in the default
    order."""
    yield DONE
    for leaf in leaves_of(state, seat, leaves):
        if say(leaf) not in steps:
            yield say(leaf)


def use_leaves(state: State, seat: Seat, leaves: Sequence[str], order: str) -> None:
    """Let the player's leaf traits act: first those named, then the rest."""
    first = order.split("; ")[:-1]
    due = list(leaves_of(state, seat, leaves))
    due.sort(key=lambda leaf: first.index(say(leaf)) if say(leaf) in first else len(first))
    for leaf in due:
        use(state, leaf)


def leaves_of(state: State, seat: Seat, leaves: Sequence[str]) -> Iterator[Leaf]:
    """Yield the player's leaf traits in the default order: trait by trait, and for each trait from
    left to right."""
    for trait in leaves:
        for species in state.rows[seat]:
            if species.has(trait):
                yield trait, species


def say(leaf: Leaf) -> str:
    """Return the leaf trait as a sentence."""
    return f"{leaf[0]} of {leaf[1].name}"


def use(state: State, leaf: Leaf) -> None:
    """Let one leaf trait act."""
    trait, species = leaf
    for react in state.book.kits.kit_of(trait).leaf:
        react(state, species)


# ------------------------------------------------------------------ does the order matter?
def order_matters(state: State, seat: Seat, leaves: Sequence[str]) -> bool:
    """Return whether two different orders of this player's leaf traits give different results."""
    due = list(leaves_of(state, seat, leaves))
    if len(due) < 2:
        return False
    given = {0}
    for species in state.rows[seat]:
        own = tuple(trait for trait, bearer in due if bearer is species)
        ends = Orders(state, species).ends(own, given)
        if len({numbers for numbers, _ in ends}) > 1:
            return True
        given = {passed for _, passed in ends}
    return False


class Orders:
    """Tries all orders in which a species' leaf traits can act and its left neighbour can make it
    take food.

    It uses a copy of the species, with a counter for the right neighbour, and tries no state twice.
    """

    def __init__(self, state: State, species: Species) -> None:
        self.table = copy(state)
        self.species = species.clone(ALL)
        self.right = Species("", species.owner, state.book.kits(()), MOST_POPULATION)
        self.table.rows = {species.owner: [self.species, self.right]}
        self.found: dict[tuple[Numbers, tuple[str, ...], int], frozenset[End]] = {}

    def ends(self, own: tuple[str, ...], given: Iterable[int]) -> set[End]:
        """Return all possible results for the species, for each of these numbers of takes caused by
        its left neighbour."""
        start = _numbers(self.species)
        return {end for takes in given for end in self._from(start, own, takes)}

    def _from(self, now: Numbers, own: tuple[str, ...], takes: int) -> frozenset[End]:
        if not own and not takes:
            return frozenset({(now, 0)})
        moment = (now, own, takes)
        if moment not in self.found:
            self.found[moment] = frozenset(self._search(now, own, takes))
        return self.found[moment]

    def _search(self, now: Numbers, own: tuple[str, ...], takes: int) -> Iterator[End]:
        for trait in own:
            then, passed = self._after(now, trait)
            rest = tuple(other for other in own if other != trait)
            yield from ((end, passed + more) for end, more in self._from(then, rest, takes))
        if takes:
            then, passed = self._after(now)
            yield from ((end, passed + more) for end, more in self._from(then, own, takes - 1))

    def _after(self, now: Numbers, trait: str = "") -> tuple[Numbers, int]:
        """Return the species after one trait or one take, and how often its right neighbour took
        food because of it."""
        species = self.species
        species.population, species.food, species.fat = now
        self.right.food = 0
        if trait:
            use(self.table, (trait, species))
        else:
            take(self.table, species, 1, PLANT, BANK)
        return _numbers(species), self.right.food


def _numbers(species: Species) -> Numbers:
    return species.population, species.food, species.fat
