"""The end of a turn and of the game in the second implementation of Origin."""

from __future__ import annotations

from tests.reference.origin.model import Model


def extinction_phase(model: Model) -> None:
    """Bury the poisoned and the unfed, deal, clear the table (ruling 4.7)."""
    for animal in model.animals():
        if animal.poisoned or not animal.fed:
            model.bury(animal)
    deal(model)
    model.bank = 0
    for animal in model.animals():
        animal.red = animal.blue = 0
        animal.used, animal.hibernating = set(), False
    model.first = (model.first + 1) % len(model.seats)
    model.round += 1
    if not model.deck and not model.last:
        model.last = model.round  # ruling 4.8: the turn that begins with an empty deck


def deal(model: Model) -> None:
    """Deal one card at a time: 1, and 1 for each animal; six to a player with nothing (O11)."""
    due = {seat: 1 + len(model.rows[seat]) for seat in model.seats}
    due |= {s: 6 for s in model.seats if not model.rows[s] and not model.hands[s]}
    while model.deck and any(due.values()):
        for seat in model.order():
            if due[seat] and model.deck:
                due[seat] -= 1
                model.deck -= 1
                model.hands[seat] = sorted([*model.hands[seat], model.players.deal(seat)])


def origin_points(model: Model, seat: str) -> int:
    """Return the score: 2 for an animal, 1 for a trait, and what it needs beyond one (4.8)."""
    animals = sum(2 + len(x.traits) + x.need - 1 for x in model.rows[seat])
    return animals + len(model.pairs[seat])


def winners(model: Model) -> set[str]:
    """Return who has most points, and of them who has the largest discard pile (ruling 4.8)."""
    rank = {
        seat: (origin_points(model, seat), len(model.piles[seat]) + len(model.buried[seat]))
        for seat in model.seats
    }
    return {seat for seat in model.seats if rank[seat] == max(rank.values())}
