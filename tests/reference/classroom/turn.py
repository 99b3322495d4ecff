"""The turn of the course's game in the second implementation (rulebook, Playing the Game)."""

from __future__ import annotations

from tests.reference.classroom.attacks import may_attack, play_classroom_attack
from tests.reference.classroom.choices import carry_out_step
from tests.reference.classroom.model import Model, Place, card_food
from tests.reference.classroom.silly import silly_feeding

LEAVE = "leave the game"


def choice_phase(model: Model) -> None:
    """Apply all choices in player order; after each, its food card moves the hole (5.3)."""
    assert model.players
    for seat, said in model.players.choose().items():
        if said[0] == LEAVE:
            model.leave(seat)
            continue
        food = said[0].removeprefix("food ")
        model.places[seat].hand.remove(food)
        for text in said[1:]:
            model.discard(*carry_out_step(model.places[seat], seat, text))
        model.discard(food)
        model.hole = max(0, model.hole + card_food(food))


def trait_phase(model: Model) -> None:
    """Fertile, then Long Neck, then Fat Tissue, each over all players (ruling 5.4)."""
    for species in model.species():
        if species.has("fertile"):
            species.population = min(7, species.population + 1)
    for species in model.species():
        if species.has("long_neck"):
            model.step(species)
    for species in model.species():
        if species.has("fat_tissue"):
            moved = min(species.fat, max(0, species.population - species.food))
            species.fat -= moved
            species.food += moved


# ------------------------------------------------------------------ feeding (ruling 5.5)
def play_feeding_rounds(model: Model) -> None:
    """Feed in turn until nobody feeds; a player who declines is out of this phase."""
    declined, idle = set[str](), False
    while not idle:
        idle = True
        for seat in model.order():
            found = meals(model, seat) if seat not in declined | set(model.out) else set()
            if found:
                idle = False
                if not feed(model, seat, found):
                    declined.add(seat)


def meals(model: Model, seat: str) -> set[str]:
    """Return what the player's species can eat; for fat, every amount."""
    found = set[str]()
    for species in model.places[seat].row if model.hole else ():
        if species.hungry and not species.has("carnivore"):
            found.add(f"{species.name} eats")
        elif species.hungry:
            prey = (x for x in model.species() if may_attack(model, species, x))
            found |= {f"{species.name} attacks {x.name}" for x in prey}
        most = min(species.fat_room, model.hole)
        found |= {f"{species.name} stores {n}" for n in range(1, most + 1)}
    return found


def feed(model: Model, seat: str, found: set[str]) -> bool:
    """Let a player feed once; return whether they did."""
    assert model.players
    choices = meal_options(model, found)
    silence = LEAVE if LEAVE in choices else silly_feeding(model, seat)
    text = model.players.ask(seat, choices, silence)
    if text == LEAVE:
        model.leave(seat)
    elif text != "decline":
        eat(model, text)
    return text != "decline"


def eat(model: Model, text: str) -> None:
    name, what, *rest = text.split()
    species = model.find(name)
    if what == "eats":
        model.step(species)
    elif what == "stores":  # not a feeding step (ruling 5.6)
        species.fat += int(rest[0])
        model.hole -= int(rest[0])
    else:
        play_classroom_attack(model, species, model.find(rest[0]))


def meal_options(model: Model, found: set[str]) -> set[str]:
    """Return the only meal, or all; nobody declines who can feed a vegetarian."""
    if one := only_one(found):
        return {one}
    vegetarian = any(text.endswith(" eats") for text in found)
    return found | ({LEAVE} if model.removal else set()) | (set() if vegetarian else {"decline"})


def only_one(found: set[str]) -> str:
    """Return the only meal if it is done unasked: as much fat as fits; no own board is hunted."""
    feeders = {tuple(text.split()[:2]) for text in found if " stores " in text}
    whole = [text for text in found if " stores " not in text]
    if len(feeders) + len(whole) != 1:
        return ""
    if feeders:
        return max(found, key=lambda text: int(text.split()[-1]))
    (text,) = whole
    return "" if " attacks " in text and text[0] == text.split()[-1][0] else text


# ------------------------------------------------------------------ the end of the turn
def end_phase(model: Model) -> None:
    """Starve, fill the bags, draw for extinct boards, pass the first player on (ruling 5.9)."""
    for seat in model.order():
        for species in model.places[seat].row:
            species.population = species.food
            model.places[seat].bag += species.food
            species.food = 0
    for species in model.species():
        if not species.population:
            model.extinct(species)
    following = model.order(model.seats[(model.first + 1) % len(model.seats)])
    if following:
        model.first = model.seats.index(following[0])


def next_deal(model: Model) -> bool:
    """Return whether the game goes on; if so, give free boards and deal (ruling 5.1)."""
    rows = {seat: max(1, len(model.places[seat].row)) for seat in model.order()}
    if not rows or model.deck < sum(3 + boards for boards in rows.values()):
        return False
    for seat in rows:
        if not model.places[seat].row:
            model.places[seat].new_board(seat)
    for seat, boards in rows.items():
        model.draw(seat, 3 + boards)
    return True


def classroom_points(place: Place) -> int:
    """Return bag, populations and traits (ruling 5.11)."""
    return place.bag + sum(board.population + len(board.traits) for board in place.row)
