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
from itertools import combinations
from typing import Final

from engine import ALL, DONE, Decision, Rules, Seat, ask_all
from games.evolution.change_table import take
from games.evolution.table import BANK, MAX_POPULATION, PLANT, Kit, Species, State
from games.first_player_and_turns_until_all_pass import answer_done

Leaf = tuple[str, Species]
"""A trait with the leaf icon, and the species that has it."""
Numbers = tuple[int, int, int]
"""Population, food and fat of a species."""
LEAF_HOOKS: Final = ("leaf", "need", "fat_room", "no_plants", "took")
"""The hooks that can change what a leaf trait does, or how much a species takes."""
End = tuple[Numbers, int]
"""The numbers of a species after all its leaf traits; the number of takes that it has caused its
right neighbour."""


def leaf_step(state: State) -> Rules:
    """Let all leaf traits act, player by player, clockwise from the First Player; players whose
    order matters are asked first."""
    asked_seats = [seat for seat in state.order() if order_can_matter(state, seat)]
    wave = [
        Decision(
            seat, "leaf", leaf_options, (state, seat),
            script=True, default=answer_done,
        )
        for seat in asked_seats
    ]  # fmt: skip
    answers = dict(zip(asked_seats, (yield from ask_all(wave)), strict=True))
    for seat in state.order():
        use_leaves(state, seat, answers.get(seat, DONE))


def leaf_options(state: State, seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Yield the leaf traits that may act next; after ``done``, the rest act in the default
    order."""
    yield DONE
    for leaf in leaves_of(state, seat):
        if (sentence := leaf_sentence(leaf)) not in steps:
            yield sentence


def use_leaves(state: State, seat: Seat, order: str) -> None:
    """Let the player's leaf traits act: first the named ones, in this order, then the rest."""
    named_leaves = order.split("; ")[:-1]

    def position(leaf: Leaf) -> int:
        sentence = leaf_sentence(leaf)
        return named_leaves.index(sentence) if sentence in named_leaves else len(named_leaves)

    for leaf in sorted(leaves_of(state, seat), key=position):
        use_leaf(state, leaf)


def leaves_of(state: State, seat: Seat) -> Iterator[Leaf]:
    """Yield the player's leaf traits in the default order: trait by trait, and for each trait from
    left to right."""
    for trait in state.book.kits.traits_with("leaf"):
        for species in state.rows[seat]:
            if species.has(trait):
                yield trait, species


def leaf_sentence(leaf: Leaf) -> str:
    """Return the leaf trait as a sentence."""
    return f"{leaf[0]} of {leaf[1].name}"


def use_leaf(state: State, leaf: Leaf) -> None:
    """Let one leaf trait act."""
    trait, species = leaf
    for react in state.book.kits.kit_of(trait).leaf:
        react(state, species)


# ------------------------------------------------------------------ does the order matter?
def order_can_matter(state: State, seat: Seat) -> bool:
    """Return whether two different orders of this player's leaf traits can give different results.

    A trait that still lies face down is tried as each trait that could change them. So everybody
    knows whether the player can be asked, before the new traits turn up.
    """
    take_counts = {frozenset({0})}
    """Each set of numbers of takes that the left neighbour may cause, in one order or another."""
    for species in state.rows[seat]:
        next_take_counts = set()
        for kit in possible_kits(state, species):
            traits = tuple(
                name for name in state.book.kits.traits_with("leaf") if name in kit.names
            )
            orders = LeafOrders(state, species, kit)
            for counts in take_counts:
                ends = orders.ends(traits, counts)
                if len({numbers for numbers, _ in ends}) > 1:
                    return True
                next_take_counts.add(frozenset(caused_count for _, caused_count in ends))
        take_counts = next_take_counts
    return False


def possible_kits(state: State, species: Species) -> Iterator[Kit]:
    """Yield the kits that a species may have once its traits are turned up, as far as they differ
    in what happens before the reveal."""
    kits = state.book.kits
    names = dict.fromkeys(name for hook in LEAF_HOOKS for name in kits.traits_with(hook))
    other_names = [name for name in names if not species.has(name)]
    new_count = sum(tag is not None for tag in species.face_down_tags)
    for count in range(new_count + 1):
        for new_names in combinations(other_names, count):
            yield kits((*species.kit.names, *new_names))


class LeafOrders:
    """Tries all orders of a species' leaf traits and of the takes that its left neighbour causes.

    It uses a copy of the species, with a counter for the right neighbour, and tries no state twice.
    """

    def __init__(self, state: State, species: Species, kit: Kit) -> None:
        self.table = copy(state)
        self.species = species.clone(ALL)
        self.species.kit = kit
        # its food is the counter: it is hungry enough for all that can come
        self.right_neighbour = Species("", species.owner, state.book.kits(()), MAX_POPULATION)
        self.table.rows = {species.owner: [self.species, self.right_neighbour]}
        self.ends_by_moment: dict[tuple[Numbers, tuple[str, ...], int], frozenset[End]] = {}
        """All ends from a moment: the numbers then, and the traits and takes still to come."""

    def ends(self, traits: tuple[str, ...], take_counts: Iterable[int]) -> set[End]:
        """Return all ends of these leaf traits, for each number of takes that the left neighbour
        may cause."""
        numbers = _numbers(self.species)
        return {end for count in take_counts for end in self._ends_from(numbers, traits, count)}

    def _ends_from(
        self, numbers: Numbers, traits: tuple[str, ...], take_count: int
    ) -> frozenset[End]:
        """Return all ends from here, with these traits and takes still to come."""
        if not traits and not take_count:
            return frozenset({(numbers, 0)})
        moment = (numbers, traits, take_count)
        if moment not in self.ends_by_moment:
            self.ends_by_moment[moment] = frozenset(self._search_ends(numbers, traits, take_count))
        return self.ends_by_moment[moment]

    def _search_ends(
        self, numbers: Numbers, traits: tuple[str, ...], take_count: int
    ) -> Iterator[End]:
        """Yield all ends from here: let each trait, or one take, come next, and search on."""
        for trait in traits:
            remaining_traits = tuple(name for name in traits if name != trait)
            next_numbers, caused_count = self._numbers_after(numbers, trait)
            for end, later_count in self._ends_from(next_numbers, remaining_traits, take_count):
                yield end, caused_count + later_count
        if take_count:
            next_numbers, caused_count = self._numbers_after(numbers)
            for end, later_count in self._ends_from(next_numbers, traits, take_count - 1):
                yield end, caused_count + later_count

    def _numbers_after(self, numbers: Numbers, trait: str = "") -> tuple[Numbers, int]:
        """Return the species' numbers after one trait or one take, and the number of takes that it
        has caused the right neighbour."""
        species = self.species
        species.population, species.food, species.fat = numbers
        self.right_neighbour.food = 0
        if trait:
            use_leaf(self.table, (trait, species))
        else:
            take(self.table, species, 1, PLANT, BANK)
        return _numbers(species), self.right_neighbour.food


def _numbers(species: Species) -> Numbers:
    return species.population, species.food, species.fat
