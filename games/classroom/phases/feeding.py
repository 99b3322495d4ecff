"""Feeding: round robin, one animal at a time, while there is food and somebody can eat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine import Decision, Rules, Seat, ask
from games.classroom.phases.legal_attacks_and_effects import attack, why_not_attack
from games.classroom.sentences import FORMS
from games.classroom.silly_player import silly_feeding
from games.classroom.table import Species, State, feeding_step, leave, store

DECLINE = "decline"
LEAVE = "leave the game"


def feed_phase(state: State) -> Rules:
    """Play feeding turns from the starting player on, until nobody feeds; leftover food stays."""
    state.declined_seats = ""
    while True:
        is_idle = True
        for seat in state.order():
            if can_eat(state, seat):
                is_idle = False
                yield from feeding_turn(state, seat)
        if is_idle:
            return


def can_eat(state: State, seat: Seat) -> bool:
    """Return whether the player is still in this feeding phase and has a species that can eat."""
    if seat in state.declined_seats or seat in state.departed_seats:
        return False
    return next(meals(state, seat), None) is not None


def feeding_turn(state: State, seat: Seat) -> Rules:
    """Let one player, who can eat something, feed once."""
    text = yield from ask(feed_decision(state, seat))
    form, fields = FORMS.parse(text)
    if form == "attacks":
        yield from attack(
            state, state.creature_named(fields["sp"]), state.creature_named(fields["who"])
        )
    elif form == "eats":
        feeding_step(state, state.creature_named(fields["sp"]))
    elif form == "stores":
        store(state, state.creature_named(fields["sp"]), int(fields["n"]))
    elif form == "leave":
        leave(state, seat)
    else:
        state.declined_seats += seat


def feed_decision(state: State, seat: Seat) -> Decision:
    """Return the question about a player's feeding; nobody is asked if there is only one answer."""
    return Decision(
        seat, "feed", feed_options, (state, seat),
        default=partial(silent_answer, state, seat), why=partial(why_not_feed, state, seat),
    )  # fmt: skip


# ------------------------------------------------------------------ options
def meals(state: State, seat: Seat) -> Iterator[str]:
    """Yield all meals of the player's species; for fat, only the largest amount that fits (ruling
    5.5)."""
    if not state.hole:
        return
    for species in state.rows[seat]:
        if species.hunger:
            if species.kit.hunts:
                for offer in species.kit.hunts:
                    yield from offer(state, species)
            else:
                yield f"{species.name} eats"
        if species.kit.fat_room and (room := species.fat_room):
            yield f"{species.name} stores {min(room, state.hole)}"


def feed_options(state: State, seat: Seat) -> list[str]:
    """Return the only meal if it costs the player no animal; otherwise every meal and every smaller
    amount of fat.

    ``decline`` is an option too if no hungry vegetarian can eat, and leaving the game if the
    charter allows it.
    """
    possible_meals = list(meals(state, seat))
    if len(possible_meals) == 1 and not attacks_own_species(possible_meals[0]):
        return possible_meals
    options = [text for meal in possible_meals for text in portions(meal)]
    if not any(meal.endswith(" eats") for meal in possible_meals):
        options.append(DECLINE)
    if state.removal:
        options.append(LEAVE)
    return options


def attacks_own_species(meal: str) -> bool:
    """Return whether the meal is an attack on a species of the same player."""
    fields = FORMS.parse(meal)[1]
    return "who" in fields and fields["who"][0] == fields["sp"][0]


def portions(meal: str) -> Iterator[str]:
    """Yield the meal itself; for fat, every amount that can be stored, largest first.

    >>> list(portions("a1 stores 2"))
    ['a1 stores 2', 'a1 stores 1']
    """
    fields = FORMS.parse(meal)[1]
    if "n" not in fields:
        yield meal
        return
    for n in range(int(fields["n"]), 0, -1):
        yield f"{fields['sp']} stores {n}"


def silent_answer(state: State, seat: Seat) -> str:
    """Return the answer of a silent player: the silly player's feeding, or removal, as the charter
    says."""
    options = feed_options(state, seat) if state.removal else []
    if LEAVE in options:
        return LEAVE
    return silly_feeding(state, seat)


# ------------------------------------------------------------------ reasons
def why_not_feed(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not among the options of this feeding turn; None if no reason is
    known. Raises Unreadable if it is not a sentence of the game."""
    form, fields = FORMS.parse(text)
    if form == "leave":
        return None if state.removal else ("the rules of this game do not let players leave")
    if form == "decline":
        return why_not_decline(state, seat)
    if form not in ("eats", "stores", "attacks"):
        return None
    if reason := state.why_not_owner(seat, fields["sp"]):
        return reason
    species = state.creature_named(fields["sp"])
    if form == "stores":
        return why_not_store(state, species, fields["n"])
    if not species.hunger:
        return f"{species.name} is not hungry"
    if form == "eats":
        return f"{species.name} is a carnivore and must attack to eat"
    if not species.kit.hunts:
        return f"{species.name} is not a carnivore"
    target = state.find(fields["who"])
    if target is None:
        return state.why_not_on_table(fields["who"])
    return why_not_attack(state, species, target)


def why_not_decline(state: State, seat: Seat) -> str:
    """Say why the player may not decline to feed; it is asked only if they may not."""
    for meal in meals(state, seat):
        if meal.endswith(" eats"):
            name = meal.removesuffix(" eats")
            return f"{name} is hungry and can eat from the watering hole, so you cannot decline"
    return "there is only one possible meal, and it costs you no animals, so you cannot decline"


def why_not_store(state: State, species: Species, tokens: str) -> str:
    """Say why this number of tokens cannot be stored; it is asked only if it cannot."""
    if not species.has("fat_tissue"):
        return f"{species.name} has no fat tissue"
    max_tokens = min(species.fat_room, state.hole)
    if not max_tokens:
        return f"{species.name} has no room for fat"
    if not tokens.isdecimal() or not 0 < int(tokens) <= max_tokens:
        return f"{species.name} can store {'1' if max_tokens == 1 else f'1 to {max_tokens}'} food"
    return "if storing fat is the only possible meal, you must store as much as fits"
