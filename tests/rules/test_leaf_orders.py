"""Whether the order of leaf traits matters: the search against all orders, played out."""

from itertools import permutations, product
from random import Random

import pytest

from engine import ALL
from games import registry
from games.evolution.change_table import update_kit
from games.evolution.phases.leaf_traits import leaves_of, order_can_matter, use_leaf
from games.evolution.table import Species, State
from tests.kit.selection import long

TRAITS = ("carnivore", "cooperation", "fat_tissue", "fertile", "foraging", "long_neck")
MOST = 6
"""Of more leaf traits in a row all orders take too long for a test."""


def random_row(name: str, rng: Random) -> State:
    state = registry.ruleset(name).game("abc").start()
    state.hole = rng.choice((0, 2, 2))
    traits = [*TRAITS, "hibernation"] if name == "climate" else TRAITS
    for n in range(1, rng.randint(2, 5) + 1):
        found = rng.sample(traits, rng.randint(1, state.book.trait_limit))
        if rng.random() < 0.7 and "cooperation" not in found:
            found[0] = "cooperation"
        species = Species(f"a{n}", "a", state.book.kits(()), rng.choice((1, 1, 2, 3, 6)))
        species.body = rng.randint(1, 3)
        species.traits = [f"{trait} 3" for trait in found]
        species.face_down_tags = [None] * len(found)
        update_kit(state, species)
        species.fat = rng.randint(0, species.body) if species.has("fat_tissue") else 0
        state.rows["a"].append(species)
    return state


def leaf_order_ends(state: State) -> set[tuple[tuple[int, int, int], ...]]:
    """Every end that some order has."""
    found = set()
    names = [(trait, species.name) for trait, species in leaves_of(state, "a")]
    for order in permutations(names):
        then = state.clone(ALL)
        for trait, name in order:
            use_leaf(then, (trait, then.creature_named(name)))
        found.add(tuple((x.population, x.food, x.fat) for x in then.rows["a"]))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize(("tables", "least"), [(200, 5), *long([(1000, 50)])])
@pytest.mark.parametrize("name", ["evolution", "climate"])
def test_the_order_of_leaf_traits_is_asked_for_exactly_if_two_orders_end_differently(
    name: str, tables: int, least: int
) -> None:
    asked = []
    for seed in range(tables):
        state = random_row(name, Random(seed))
        if len(list(leaves_of(state, "a"))) > MOST:
            continue
        before = state.clone(ALL)
        asked.append(order_can_matter(state, "a"))
        assert asked[-1] == (len(leaf_order_ends(state)) > 1), seed
        assert state == before, "the search leaves the table as it was"
    assert least < sum(asked) < len(asked) - least


def with_new_traits(state: State, rng: Random) -> State:
    """The same row with up to two of its traits face down, in two of its species."""
    hidden = state.clone(ALL)
    for number, species in enumerate(rng.sample(hidden.rows["a"], 2)):
        species.face_down_tags[rng.randrange(len(species.traits))] = (number, 0)
        update_kit(hidden, species)
        species.fat = species.fat if species.has("fat_tissue") else 0
    return hidden


def turned_up_as(hidden: State, names: tuple[str, ...]) -> State | None:
    """The row once these traits are turned up; None if a species would have one twice."""
    state, left = hidden.clone(ALL), list(names)
    for species in state.rows["a"]:
        for index, tag in enumerate(species.face_down_tags):
            if tag is not None:
                species.traits[index] = f"{left.pop(0)} 3"
        if len(species.card_traits) < len(species.traits):
            return None
        species.face_down_tags = [None] * len(species.traits)
        update_kit(state, species)
    return state


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["evolution", "climate"])
def test_before_traits_turn_up_the_order_of_leaves_is_asked_for_if_any_of_them_could_matter(
    name: str,
) -> None:
    answers = []
    for seed in range(150):
        rng = Random(seed)
        hidden = with_new_traits(random_row(name, rng), rng)
        count = sum(
            tag is not None for species in hidden.species() for tag in species.face_down_tags
        )
        traits = [*TRAITS, "hibernation", "horns"] if name == "climate" else [*TRAITS, "horns"]
        states = [turned_up_as(hidden, names) for names in product(traits, repeat=count)]
        answers.append(order_can_matter(hidden, "a"))
        one_asks = any(order_can_matter(state, "a") for state in states if state)
        assert answers[-1] == one_asks, seed
    assert 20 < sum(answers) < 130
