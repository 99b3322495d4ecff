"""The silly player in the second implementation (ruling 5.12)."""

from __future__ import annotations

from collections.abc import Iterable

from tests.reference.classroom.attacks import may_attack
from tests.reference.classroom.model import Model, Species, card_food, classroom_card_trait


def silly_choice(model: Model, seat: str) -> str:
    """Return the whole choice: cards by trait and food, the first card first."""
    place = model.places[seat]
    hand = sorted(place.hand, key=lambda card: (classroom_card_trait(card), card_food(card)))
    board = f"{seat}{place.made + 1}"
    steps = [f"food {hand[0]}"]
    if len(hand) >= 3:
        steps += [f"{hand[1]}: new board", f"{hand[2]} on {board}"]
    if len(hand) >= 4:
        steps.append(f"{hand[3]}: {board} population")
    if len(hand) >= 5:
        steps.append(f"{hand[4]}: {board} body")
    if len(hand) >= 6:
        steps.append(f"{hand[5]} instead of 1 on {board}")
    return "; ".join([*steps, "done"])


def silly_feeding(model: Model, seat: str) -> str:
    """Return what the silly player feeds: fat, then vegetarians, then carnivores."""
    row = model.places[seat].row
    fat = [x for x in row if x.fat_room]
    if fat:
        species = max(fat, key=lambda x: (x.fat_room, x.size))
        return f"{species.name} stores {min(species.fat_room, model.hole)}"
    hungry = [x for x in row if x.hungry]
    if best := largest(x for x in hungry if not x.has("carnivore")):
        return f"{best.name} eats"
    others = [x for other in model.order(seat)[1:] for x in model.places[other].row]
    while attacker := largest(hungry):
        if target := largest(x for x in others if may_attack(model, attacker, x)):
            return f"{attacker.name} attacks {target.name}"
        hungry.remove(attacker)
    return "decline"


def largest(species: Iterable[Species]) -> Species | None:
    """Return the largest; of equals the leftmost, of the earliest player."""
    return max(species, key=lambda one: one.size, default=None)
