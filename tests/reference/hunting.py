"""Attacks and feeding turns of the second implementation (see `model`)."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import combinations

from tests.reference.model import Board, Model

DEFENSIVE = (
    "burrowing", "climbing", "cooling_frills", "defensive_herding", "hard_shell", "symbiosis",
    "warning_call",
)  # fmt: skip
"""The traits that Intelligence may negate because they stop an attack."""


# ------------------------------------------------------------------ is an attack legal?
def size_of(attacker: Board) -> int:
    pack = attacker.population if "pack_hunting" in attacker.traits else 0
    return attacker.body + pack


def size_against(target: Board, negated: Set[str]) -> int:
    shell = 4 if "hard_shell" in target.traits and "hard_shell" not in negated else 0
    frills = 2 if "cooling_frills" in target.traits and "cooling_frills" not in negated else 0
    return target.body + shell + frills


def is_stopped(model: Model, attacker: Board, target: Board, negated: Set[str]) -> bool:
    """Whether body size or a trait that is not negated stops this attack."""
    if size_of(attacker) <= size_against(target, negated):
        return True
    left, right = (model.beside(target, step) for step in (-1, 1))
    herd = attacker.population <= target.population
    held = {
        "burrowing": target.food >= target.need,
        "climbing": "climbing" not in attacker.traits,
        "defensive_herding": herd,
        "symbiosis": right is not None and right.body > target.body,
    }
    if any(held[trait] for trait in held if trait in target.traits and trait not in negated):
        return True
    callers = [one for one in (left, right) if one and "warning_call" in one.traits]
    return bool(callers) and not {"ambush"} & set(attacker.traits) and "warning_call" not in negated


def attack_sentences(model: Model, attacker: Board) -> Iterator[str]:
    """Yield the sentences of all attacks, with the cards that they cost."""
    if "carnivore" not in attacker.traits or not (attacker.hunger or attacker.fat_room):
        return
    for target in model.boards():
        for named in costs(model, attacker, target) if target is not attacker else ():
            if not named:
                yield f"{attacker.name} attacks {target.name}"
            elif len(named) <= model.hands[attacker.name[0]]:
                words = " and ".join(sorted(named))
                yield f"{attacker.name} attacks {target.name} despite {words}"


def costs(model: Model, attacker: Board, target: Board) -> Iterator[Set[str]]:
    """Yield what the attack may be ordered to ignore, one card for each (rulings 1.12, R5, C1)."""
    clever = "intelligence" in attacker.traits
    mud = {"mud_wallowing"} & set(target.traits)
    sizes = range(len(DEFENSIVE) + 1 if clever else 1)
    enough: list[Set[str]] = []
    for negated in (set(some) for n in sizes for some in combinations(DEFENSIVE, n)):
        if any(less < negated for less in enough):
            continue
        if not is_stopped(model, attacker, target, negated):
            enough.append(negated)
            yield negated | mud
            if clever and "horns" in target.traits:
                yield negated | mud | {"horns"}


# ------------------------------------------------------------------ what may a player do?
def feedings(model: Model, seat: str) -> set[str]:
    """Return all options of a feeding turn (rulings 1.12 to 1.14)."""
    found, must = set(thoughts(model, seat)), False
    for board in model.rows[seat]:
        meals = normal(model, board)
        found |= meals
        must = must or (board.hunger > 0 and any(" despite " not in meal for meal in meals))
    return found if must else found | {"pass"}


def normal(model: Model, board: Board) -> set[str]:
    """Return the normal feedings of a species: it eats, or it attacks."""
    meals = set(attack_sentences(model, board))
    hungry = board.hunger or board.fat_room
    if "carnivore" not in board.traits and model.hole and hungry:
        meals.add(f"{board.name} eats")
    return meals


def thoughts(model: Model, seat: str) -> Iterator[str]:
    """Yield what Intelligence can do for plant eaters; the model knows no card of the hand."""
    for board in model.rows[seat] if model.hands[seat] else ():
        plants = "carnivore" not in board.traits
        if plants and "intelligence" in board.traits and (board.hunger or board.fat_room):
            yield f"{board.name} thinks for"


def silent_hunt(model: Model, seat: str) -> str:
    """Return what is played for a silent player (rulings 1.23, R2)."""
    hungry = [board for board in model.rows[seat] if board.hunger]
    for board in hungry:
        if "carnivore" not in board.traits and model.hole:
            return f"{board.name} eats"
    best, found = (False, 0), "pass"
    for text in (text for board in hungry for text in attack_sentences(model, board)):
        target = model.find(text.split()[2])
        assert target is not None
        worth = target.name[0] != seat, target.body
        if " despite " not in text and worth > best:
            best, found = worth, text
    return found


# ------------------------------------------------------------------ what happens then?
def carry_out(model: Model, text: str) -> None:
    """Play one feeding, or one use of Intelligence, with the cards that it costs."""
    name, what, *more = text.split()
    board = model.find(name)
    assert board is not None
    named = more[2::2] if what == "attacks" else []
    paid = 1 if what == "thinks" else len(named)
    model.hands[name[0]] -= paid
    model.discards += paid
    if what == "eats":
        model.take(board, 1, "plant", "hole")
    elif what == "thinks":
        model.take(board, 2, "plant", "bank")
    else:
        target = model.find(more[0])
        assert target is not None
        play_hunt(model, board, target, horns="horns" in target.traits and "horns" not in named)


def play_hunt(model: Model, attacker: Board, target: Board, horns: bool) -> None:
    """Play an attack in the order of ruling 1.9."""
    meat = target.body
    model.lose(target)
    if horns:
        model.lose(attacker)
    for board in (target, attacker):
        if not board.population:
            model.bury(board)
    if attacker.population:
        model.take(attacker, meat, "meat", "bank")
    for board in model.boards(attacker.name[0]):
        if "scavenger" in board.traits:
            model.take(board, 1, "meat", "bank")
