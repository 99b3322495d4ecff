"""The first two phases of a turn in the second implementation of Origin."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reference.origin.model import Animal, Model, Pair, Trait

PAIRS = ("communication", "cooperation", "symbiosis")
DICE = {2: (1, 2), 3: (2, 0), 4: (2, 2), 5: (3, 2), 6: (3, 4), 7: (4, 2), 8: (4, 4)}
"""Dice and additional tokens by the number of players (ruling 4.6)."""


def food_phase(model: Model) -> None:
    """Roll the dice; fill the food bank."""
    dice, more = DICE[len(model.seats)]
    model.bank += more + sum(model.players.roll() for _ in range(dice))


def development_phase(model: Model) -> None:
    """Play one card each in turn; a pass is final, and an empty hand passes (ruling 4.1)."""
    if model.together:
        play_lists(model)
        return
    playing = set(model.seats)
    while playing:
        for seat in model.order():
            if seat in playing and model.hands[seat]:
                text = model.players.ask("develop", seat, card_uses(model, seat), "pass")
                if text != "pass":
                    play_card(model, seat, text)
                    continue
            playing.discard(seat)


def play_lists(model: Model) -> None:
    """All choose a list at the same time; then its cards are played one by one in turn (O17)."""
    lists = {s: model.players.list_plays(s, model) for s in model.order() if model.hands[s]}
    while any(lists.values()):
        for seat in model.order():
            text = lists[seat].pop(0) if lists.get(seat) else "pass"
            if text == "pass":
                continue
            if text in card_uses(model, seat):
                play_card(model, seat, text)
            else:  # a parasite, where another player's parasite came first
                card = text.split()[0]
                model.hands[seat].remove(card)
                model.discard(seat, card)


# ------------------------------------------------------------------ what may a player play?
def card_uses(model: Model, seat: str) -> set[str]:
    """Return every use of every card in hand, and the pass."""
    found = {"pass"}
    for card in model.hands[seat]:
        found.add(f"[{card}] as an animal")
        for name in card.split("/"):
            found |= set(joins(model, seat, card, name) if name in PAIRS else [])
            found |= set(puts(model, seat, card, name) if name not in PAIRS else [])
    return found


def puts(model: Model, seat: str, card: str, name: str) -> Iterator[str]:
    """Yield the animals for a trait: own ones, or for a Parasite those of other players."""
    for animal in model.animals():
        own = animal.owner == seat
        if own != (name == "parasite") and may_get_trait(
            name, [trait.name for trait in animal.traits]
        ):
            trait = f"{card} as {name}" if "/" in card else card
            yield f"{trait} on {animal.name}"


def may_get_trait(name: str, held: list[str]) -> bool:
    """Whether an animal with these traits may get this one (ruling 4)."""
    rival = {"carnivorous": "scavenger", "scavenger": "carnivorous"}.get(name)
    once = name not in held or name == "fat_tissue"
    return once and rival not in held


def joins(model: Model, seat: str, card: str, name: str) -> Iterator[str]:
    """Yield the pairs of own animals that do not share this trait yet, in either direction."""
    row = [animal.name for animal in model.rows[seat]]
    shared = [{pair.one, pair.two} for pair in model.pairs[seat] if pair.name == name]
    for one in row:
        for two in row:
            if one == two or {one, two} in shared:
                continue
            if name == "symbiosis":
                yield f"{card}: {one} protects {two}"
            elif row.index(one) < row.index(two):
                yield f"{card} as {name} on {one} and {two}"


# ------------------------------------------------------------------ what happens then?
def play_card(model: Model, seat: str, text: str) -> None:
    """Play a card; a new animal goes at the right end of the row (O13)."""
    words = text.replace(":", "").split()
    card = words[0].strip("[]")
    model.hands[seat].remove(card)
    if text.endswith(" as an animal"):
        model.made[seat] += 1
        model.rows[seat].append(Animal(f"{seat}{model.made[seat]}", card, 0, 0, 0, []))
        return
    model.played += 1
    name = words[2] if words[1] == "as" else card
    if "protects" in words or "and" in words:
        model.pairs[seat].append(Pair(name, card, model.played, words[-3], words[-1]))
    else:
        model.find(words[-1]).traits.append(Trait(name, card, model.played))
