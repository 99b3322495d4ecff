"""What happens before feeding, played twice: leaf traits, the Food Cards, the weather."""

from __future__ import annotations

import pytest

from engine import Decision
from tests.reference.seeds import as_case, is_short, repeatable, seeds
from tests.reference.tables import Pair
from tests.reference.weather import (
    environment,
    leaves_of,
    numbers_after_orders,
    reveal,
    use_leaf_trait,
)

MOST = 9
"""Of more leaf traits in one row, all orders take too long for a test."""


def reveal_phase(pair: Pair) -> bool:
    """Play and compare the phase; return whether anybody was asked for an order."""
    model, asked = pair.model, dict[str, Decision]()
    if pair.name != "digital":
        asked = {d.seat: d for d in pair.table.open_decisions if d.kind == "leaf"}
        assert list(asked) == [s for s in model.order() if len(numbers_after_orders(model, s)) > 1]
    for seat in model.order():
        leaves = leaves_of(model, seat)
        first = pair.rng.sample(leaves, pair.rng.randint(0, len(leaves))) if seat in asked else []
        if seat in asked:
            said = [*(f"{trait} of {name}" for trait, name in first), "done"]
            pair.table.take_answer("; ".join(said))
        for leaf in [*first, *(leaf for leaf in leaves if leaf not in first)]:
            use_leaf_trait(model, leaf)
    zone = cards_and_weather(pair)
    assert pair.question() is None
    if zone:
        assert pair.table.state.zone.name == zone
    if not (pair.auto and model.auto_feeds()):  # then the next phases may be over already
        pair.compare()
    return bool(asked)


def cards_and_weather(pair: Pair) -> str:
    cards = [pair.data["food_cards"][seat] for seat in pair.model.order()]
    if pair.name != "climate":
        reveal(pair.model, cards)
        return ""
    return environment(pair.model, cards, pair.data["zone"], pair.data["events"].values())


@pytest.mark.sample(1)
@pytest.mark.parametrize("seeds", seeds(100, 1000), ids=len)
@pytest.mark.parametrize("name", ["evolution", "digital", "climate"])
def test_both_implementations_of_evolution_reach_the_same_table_before_feeding(
    name: str, seeds: range
) -> None:
    pairs = [Pair(name, seed, "reveal") for seed in seeds]
    few = [p for p in pairs if all(len(leaves_of(p.model, s)) <= MOST for s in p.seats)]
    asked = list[bool]()
    for pair in few:
        with repeatable(pair.seed, lambda pair=pair: as_case(pair.data, ())):
            asked.append(reveal_phase(pair))
    assert not is_short(seeds) or any(asked) == (name != "digital")
