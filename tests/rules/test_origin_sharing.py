"""Pair cards of Origin: nobody is asked for an order unless two orders end differently."""

from random import Random

from games.origin.change_table import take_red
from games.origin.phases.pair_traits import (
    MAX_TRIED_CARDS,
    Share,
    colour_passed,
    order_matters,
    shares_of,
    use_card,
)
from games.origin.rule_case_table import positions
from games.origin.rules import ORIGIN
from games.origin.table import State

KINDS = ("communication", "cooperation", "symbiosis")


def network(seed: int) -> State:
    """A few animals with different needs and a random net of pair cards; a1 has just eaten."""
    rng = Random(seed)
    count = rng.randint(2, 4)
    names = [f"a{n + 1}" for n in range(count)]
    loads = ["", ": parasite", ": carnivorous", ": fat_tissue"]
    pairs = [
        f"{kind} {one} {two}"
        for i, one in enumerate(names)
        for two in names[i + 1 :]
        for kind in rng.sample(KINDS, rng.choice((0, 1, 1, 2)))
        if kind != "symbiosis" or one != "a1"
    ]
    state = ORIGIN.game("abcde").start()
    rows = [f"{name}{rng.choice(loads)}" for name in names]
    positions().read(state, {"bank": rng.randint(1, 4), "a": rows, "pairs": pairs})
    take_red(state, state.creature_named("a1"))
    return state


def sharing_ends(state: State, due: list[Share]) -> set[tuple[object, ...]]:
    """Every end that some order reaches, each order played on a copy of its own: tokens, cards."""
    can = [one.text for one in due if colour_passed(state, one)]
    if not can:
        tokens = (state.bank, *((x.name, x.food, x.fat) for x in state.rows["a"]))
        return {(tokens, tuple(pair.is_used for pair in state.pairs["a"]))}
    found = set()
    for text in can:
        then = state.clone("ALL")
        pairs = {pair.serial: pair for pair in then.pairs["a"]}
        same = [Share(pairs[one.pair.serial], one.giver, one.is_from_bank) for one in due]
        chosen = next(one for one in same if one.text == text)
        found |= sharing_ends(then, use_card(then, same, chosen))
    return found


def test_in_origin_the_order_of_sharing_is_asked_for_only_if_orders_end_differently() -> None:
    answers = [_asked_only_if_orders_differ(seed) for seed in range(150)]
    assert 20 < sum(answers) < 130, "both answers occur"


def _asked_only_if_orders_differ(seed: int) -> bool:
    """Whether somebody is asked for an order in this net."""
    state = network(seed)
    animal = state.creature_named("a1")
    due = shares_of(state, animal, is_from_bank=True)
    before = state.clone("ALL")
    asked = order_matters(state, animal, due)
    assert state == before, "looking for a difference changes nothing"
    if len(state.pairs["a"]) > MAX_TRIED_CARDS:
        return asked
    found = sharing_ends(state, due)
    if asked:
        assert len(found) > 1, seed
    else:
        assert len({tokens for tokens, _ in found}) == 1, seed
    return asked
