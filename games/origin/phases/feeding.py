"""Food Bank Determination Phase and Feeding Phase: turns in order until nobody can or will feed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from engine import DONE, Answer, Decision, Rules, Seat, ask
from games.origin.phases.attacks import attack, roll, why_not_hunt, why_not_prey
from games.origin.phases.development import PASS
from games.origin.phases.pair_traits import share
from games.origin.sentences import FORMS, MAINS
from games.origin.table import Animal, State, can_take, why_not_take
from games.origin.table_changes import convert, enter, graze, rob, take_red
from games.origin.traits import (
    why_awake,
    why_no_grass,
    why_no_pirate,
    why_no_trait,
    why_not_rob,
)
from games.tables import answer_done, turns_until_all_pass

EXTRAS = {"robs": "piracy", "grazes": "grazing", "hibernates": "hibernation_ability"}
"""The additional actions ("extras"), and the trait that each needs."""


def food_phase(state: State) -> Rules:
    """Roll the first player's dice, and fill the food bank with red tokens (ruling 4.6)."""
    dice, tokens = state.book.dice
    for _ in range(dice):
        tokens += int((yield from roll(state.order()[0]))[-1])
    state.bank += tokens
    enter(state, tokens)


def feeding_phase(state: State) -> Rules:
    """Play turns clockwise from the first player until all pass in a row or all are sated."""
    yield from turns_until_all_pass(state, feeding_turn, sated)


def sated(state: State) -> bool:
    """Return whether no animal can take more: each is fed and has full fat cards, or hibernates."""
    for row in state.rows.values():
        for animal in row:
            if not animal.hibernating and (animal.hunger or animal.fat_room > 0):
                return False
    return True


def feeding_turn(state: State, seat: Seat) -> Answer:
    """Play one turn: at most one red token, attack or conversion of fat, with extra actions before
    or after it.

    Returns ``pass`` if the player did nothing (ruling 4.10).
    """
    begin_turn(state, seat)
    acted = False
    while (text := (yield from ask(feed_decision(state, seat)))) != PASS:
        acted = True
        yield from act(state, text)
        if FORMS.parse(text)[0] in MAINS:
            yield from after_feeding(state, seat)
            break
        if sated(state):
            break
    return "" if acted else PASS


def after_feeding(state: State, seat: Seat) -> Rules:
    """Play the extra actions that are still possible after the main action of the turn."""
    while not sated(state) and next(extras(state, seat), None) is not None:
        text = yield from ask(also_decision(state, seat))
        if text == DONE:
            return
        yield from act(state, text)


def begin_turn(state: State, seat: Seat) -> None:
    """Make all pair cards and Grazing usable again: each works once in a feeding turn."""
    for pairs in state.pairs.values():
        for pair in pairs:
            pair.worked = False
    for animal in state.rows[seat]:
        animal.grazed = False


def feed_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one feeding turn."""
    return Decision(
        seat, "feed", feed_options, (state, seat),
        default=partial(silence, state, seat), why=partial(why_not_feed, state, seat),
    )  # fmt: skip


def also_decision(state: State, seat: Seat) -> Decision:
    """Return the question of which extra action to use after the main action."""
    return Decision(
        seat, "also", also_options, (state, seat),
        default=answer_done, why=partial(why_not_also, state, seat),
    )  # fmt: skip


# ------------------------------------------------------------------ options
def feed_options(state: State, seat: Seat) -> Iterable[str]:
    """Yield the main actions, the extra actions, and a pass, which is not final (ruling 4.2)."""
    yield from mains(state, seat)
    yield from extras(state, seat)
    yield PASS


def also_options(state: State, seat: Seat) -> Iterable[str]:
    """Yield the extra actions, and the word that ends the turn."""
    yield from extras(state, seat)
    yield DONE


def mains(state: State, seat: Seat) -> Iterator[str]:
    """Yield the main actions that are possible: red tokens, attacks, conversions of fat."""
    for animal in state.rows[seat]:
        if state.bank and can_take(state, animal):
            yield f"{animal.name} eats"
        for offer in animal.kit.mains:
            yield from offer(state, animal)


def extras(state: State, seat: Seat) -> Iterator[str]:
    """Yield the extra actions that are possible: Piracy, Grazing and Hibernation of the player's
    animals."""
    for animal in state.rows[seat]:
        for offer in animal.kit.extras:
            yield from offer(state, animal)


def silence(state: State, seat: Seat) -> str:
    """Return the answer of a silent player: the leftmost animal that can eat takes food (ruling
    4.12)."""
    for animal in state.rows[seat] if state.bank else ():
        if can_take(state, animal):
            return f"{animal.name} eats"
    return PASS


# ------------------------------------------------------------------ reasons
def why_not_also(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not allowed as an extra action after the main action."""
    form, _ = FORMS.parse(text)
    if form in MAINS:
        return (
            "in one feeding turn you may take one red token, make one attack, or convert fat once"
        )
    if form == PASS:
        return "you cannot pass, because you have already acted in this turn; say 'done'"
    return why_not_feed(state, seat, text)


def why_not_feed(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not allowed in this feeding turn."""
    form, said = FORMS.parse(text)
    if form not in MAINS and form not in EXTRAS:
        return "in a feeding turn, your animals can act, or you can pass"
    if reason := state.why_not_owner(seat, said["sp"]):
        return reason
    animal = state.creature_named(said["sp"])
    if form in EXTRAS and (reason := why_no_trait(animal, EXTRAS[form])):
        return reason
    return _WHY[form](state, animal, said)


def _why_not_eat(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    return why_not_take(state, animal) or "the food bank is empty"


def _why_not_attack(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    target = state.find(said["who"])
    if target is None:
        return state.why_not_on_table(said["who"])
    return why_not_hunt(state, animal) or why_not_prey(state, animal, target)


def _why_not_convert(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    if animal.hibernating:
        return f"{animal.name} hibernates"
    if not animal.hunger:
        return f"{animal.name} is fed"
    most = min(animal.fat, animal.hunger)
    return f"{animal.name} can convert at most {most} fat" if most else f"{animal.name} has no fat"


def _why_not_rob(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    victim = state.find(said["who"])
    if victim is None:
        return state.why_not_on_table(said["who"])
    return why_no_pirate(state, animal) or why_not_rob(animal, victim)


def _why_not_graze(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    return why_no_grass(state, animal)


def _why_not_hibernate(state: State, animal: Animal, said: dict[str, str]) -> str | None:
    return why_awake(state, animal)


_WHY: dict[str, Callable[[State, Animal, dict[str, str]], str | None]] = {
    "eats": _why_not_eat,
    "attacks": _why_not_attack,
    "converts": _why_not_convert,
    "robs": _why_not_rob,
    "grazes": _why_not_graze,
    "hibernates": _why_not_hibernate,
}


# ------------------------------------------------------------------ effects
def act(state: State, text: str) -> Rules:
    """Carry out one sentence of a feeding turn."""
    form, said = FORMS.parse(text)
    animal = state.creature_named(said["sp"])
    if form == "eats":
        take_red(state, animal)
        yield from share(state, animal, bank=True)
    elif form == "attacks":
        yield from attack(state, animal, state.creature_named(said["who"]))
    elif form == "converts":
        convert(animal, int(said["n"]))
    elif form == "robs":
        animal.turned.append("piracy")
        rob(animal, state.creature_named(said["who"]))
        yield from share(state, animal, bank=False)
    elif form == "grazes":
        graze(state, animal)
    else:
        animal.hibernating, animal.slept = True, state.round
