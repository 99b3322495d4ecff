"""The feeding phase in the second implementation of Origin (rulebook, Feeding Phase)."""

from __future__ import annotations

from tests.reference.origin.attacks import is_prey, may_hunt, play_origin_attack
from tests.reference.origin.model import Animal, Model
from tests.reference.origin.pair_cards import share

MAIN = {"eats", "attacks", "converts"}
"""One feeding turn has at most one of these (ruling 4.10)."""


def play_feeding_phase(model: Model) -> None:
    """Feed in turn until everybody passes, or all are fed and all fat is full (4.2, O8)."""
    passes = 0
    while passes < len(model.seats):
        for seat in model.order():
            if all_full(model):
                return
            passes = 0 if feeding_turn(model, seat) else passes + 1
            if passes == len(model.seats):
                return


def all_full(model: Model) -> bool:
    """Whether all animals are fed, and all fat is full; hibernating animals take none (O7)."""
    return all(x.hibernating or (x.fed and not x.empty_fat) for x in model.animals())


def feeding_turn(model: Model, seat: str) -> bool:
    """Play one feeding turn; return whether the player did anything (ruling 4.10, O10)."""
    for pair in (pair for pairs in model.pairs.values() for pair in pairs):
        pair.worked = False
    for animal in model.rows[seat]:
        animal.grazed = False
    acted = False
    while not (acted and all_full(model)):
        options = mains(model, seat) | extras(model, seat) | {"pass"}
        text = model.players.ask("feed", seat, options, silent_feeding(model, seat))
        if text == "pass":
            return acted
        play_sentence(model, text)
        acted = True
        if text.split()[1] in MAIN:
            more(model, seat)
            return True
    return True


def more(model: Model, seat: str) -> None:
    """Play the extra actions that follow the main one."""
    while not all_full(model) and (options := extras(model, seat)):
        text = model.players.ask("also", seat, options | {"done"}, "done")
        if text == "done":
            return
        play_sentence(model, text)


# ------------------------------------------------------------------ what may a player do?
def mains(model: Model, seat: str) -> set[str]:
    """Return the main actions: take a red token, attack, convert fat."""
    found = set[str]()
    for animal in model.rows[seat]:
        if model.bank and model.can_take(animal):
            found.add(f"{animal.name} eats")
        if may_hunt(model, animal):
            prey = (x for x in model.animals() if is_prey(model, animal, x))
            found |= {f"{animal.name} attacks {x.name}" for x in prey}
        if not animal.fed:
            most = min(animal.fat, animal.need - animal.food)
            found |= {f"{animal.name} converts {n} fat" for n in range(1, most + 1)}
    return found


def extras(model: Model, seat: str) -> set[str]:
    """Return the extra actions: Piracy, Grazing and Hibernation."""
    found = set[str]()
    for animal in model.rows[seat]:
        if animal.has("hibernation_ability") and may_hibernate(model, animal):
            found.add(f"{animal.name} hibernates")
        if animal.has("grazing") and not animal.grazed and model.bank:
            found.add(f"{animal.name} grazes")
        found |= {f"{animal.name} robs {x.name}" for x in victims(model, animal)}
    return found


def may_hibernate(model: Model, animal: Animal) -> bool:
    """Whether it may: not if fed, not in two game turns running, not in the last one."""
    rested = not animal.slept or animal.slept < model.round - 1
    return not animal.fed and rested and model.round != model.last


def victims(model: Model, pirate: Animal) -> list[Animal]:
    """Return the animals that Piracy may rob: those that have food but are not fed."""
    ready = pirate.has("piracy") and "piracy" not in pirate.used
    if not ready or pirate.fed or not model.can_take(pirate):
        return []
    return [x for x in model.animals() if x is not pirate and x.food and not x.fed]


def silent_feeding(model: Model, seat: str) -> str:
    """Return what is played for a silent player: the leftmost animal eats (ruling 4.12)."""
    eaters = [x for x in model.rows[seat] if model.bank and model.can_take(x)]
    return f"{eaters[0].name} eats" if eaters else "pass"


# ------------------------------------------------------------------ what happens then?
def play_sentence(model: Model, text: str) -> None:
    """Carry out one sentence."""
    name, what, *rest = text.split()
    animal = model.find(name)
    if what == "eats":
        model.bank -= 1
        model.put(animal, "red")
        share(model, animal, from_bank=True)
    elif what == "attacks":
        play_origin_attack(model, animal, model.find(rest[0]))
    elif what == "converts":
        animal.fat -= int(rest[0])
        animal.blue += int(rest[0])
    elif what == "robs":
        rob(model, animal, model.find(rest[0]))
    elif what == "grazes":
        animal.grazed = True
        model.bank -= 1
    else:
        animal.hibernating, animal.slept = True, model.round


def rob(model: Model, pirate: Animal, victim: Animal) -> None:
    """Move a token, a red one if there is one (O1); only Cooperation follows (O2)."""
    pirate.used.add("piracy")
    if victim.red:
        victim.red -= 1
        model.put(pirate, "red")
    else:
        victim.blue -= 1
        model.put(pirate, "blue")
    share(model, pirate, from_bank=False)
