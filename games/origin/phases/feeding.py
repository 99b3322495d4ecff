"""Food Bank Determination Phase and Feeding Phase: turns in order until nobody can or will feed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from engine import DONE, Answer, Decision, Rules, Seat, ask
from games.first_player_and_turns_until_all_pass import answer_done, turns_until_all_pass
from games.origin.change_table import add_to_play, convert, graze, rob, take_red
from games.origin.phases.attacks import attack, roll, why_not_hunt, why_not_prey
from games.origin.phases.development import PASS
from games.origin.phases.pair_traits import share
from games.origin.sentences import FORMS, MAIN_FORMS
from games.origin.table import Animal, State, can_take, why_not_take
from games.origin.traits import (
    why_no_trait,
    why_not_graze,
    why_not_hibernate,
    why_not_pirate,
    why_not_rob,
)

TRAIT_BY_EXTRA_FORM = {"robs": "piracy", "grazes": "grazing", "hibernates": "hibernation_ability"}
"""The additional actions ("extras"), and the trait that each needs."""


def food_phase(state: State) -> Rules:
    """Roll the first player's dice, and fill the food bank with red tokens (ruling 4.6)."""
    dice, tokens = state.book.dice
    for _ in range(dice):
        tokens += int((yield from roll(state.order()[0]))[-1])
    state.bank += tokens
    add_to_play(state, tokens)


def feeding_phase(state: State) -> Rules:
    """Play turns clockwise from the first player until all pass in a row or all are sated."""
    yield from turns_until_all_pass(state, feeding_turn, is_everybody_sated)


def is_everybody_sated(state: State) -> bool:
    """Return whether each animal hibernates, or is fed and has full fat cards."""
    for row in state.rows.values():
        for animal in row:
            if not animal.is_hibernating and (animal.hunger or animal.fat_room > 0):
                return False
    return True


def feeding_turn(state: State, seat: Seat) -> Answer:
    """Play one turn: at most one red token, attack or conversion of fat, with extra actions before
    or after it.

    Returns ``pass`` if the player did nothing (ruling 4.10).
    """
    begin_turn(state, seat)
    has_acted = False
    while (text := (yield from ask(feed_decision(state, seat)))) != PASS:
        has_acted = True
        yield from act(state, text)
        if FORMS.parse(text)[0] in MAIN_FORMS:
            yield from after_feeding(state, seat)
            break
        if is_everybody_sated(state):
            break
    return "" if has_acted else PASS


def after_feeding(state: State, seat: Seat) -> Rules:
    """Play the extra actions that are still possible after the main action of the turn."""
    while not is_everybody_sated(state) and next(extra_actions(state, seat), None) is not None:
        text = yield from ask(also_decision(state, seat))
        if text == DONE:
            return
        yield from act(state, text)


def begin_turn(state: State, seat: Seat) -> None:
    """Make all pair cards and Grazing usable again: each works once in a feeding turn."""
    for pairs in state.pairs.values():
        for pair in pairs:
            pair.is_used = False
    for animal in state.rows[seat]:
        animal.has_grazed = False


def feed_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one feeding turn."""
    return Decision(
        seat, "feed", feed_options, (state, seat),
        default=partial(silent_answer, state, seat), why=partial(why_not_feed, state, seat),
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
    yield from main_actions(state, seat)
    yield from extra_actions(state, seat)
    yield PASS


def also_options(state: State, seat: Seat) -> Iterable[str]:
    """Yield the extra actions, and the word that ends the turn."""
    yield from extra_actions(state, seat)
    yield DONE


def main_actions(state: State, seat: Seat) -> Iterator[str]:
    """Yield the main actions that are possible: red tokens, attacks, conversions of fat."""
    for animal in state.rows[seat]:
        if state.bank and can_take(state, animal):
            yield f"{animal.name} eats"
        for offer in animal.kit.mains:
            yield from offer(state, animal)


def extra_actions(state: State, seat: Seat) -> Iterator[str]:
    """Yield the extra actions that are possible: Piracy, Grazing and Hibernation of the player's
    animals."""
    for animal in state.rows[seat]:
        for offer in animal.kit.extras:
            yield from offer(state, animal)


def silent_answer(state: State, seat: Seat) -> str:
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
    if form in MAIN_FORMS:
        return (
            "in one feeding turn you may take one red token, make one attack, or convert fat once"
        )
    if form == PASS:
        return "you cannot pass, because you have already acted in this feeding turn; say 'done'"
    return why_not_feed(state, seat, text)


def why_not_feed(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not allowed in this feeding turn; None if no reason is known. Raises
    Unreadable if it is not a sentence of the game."""
    form, fields = FORMS.parse(text)
    if form not in MAIN_FORMS and form not in TRAIT_BY_EXTRA_FORM:
        return "in a feeding turn, your animals can act, or you can pass"
    if reason := state.why_not_owner(seat, fields["sp"]):
        return reason
    animal = state.creature_named(fields["sp"])
    if form in TRAIT_BY_EXTRA_FORM and (reason := why_no_trait(animal, TRAIT_BY_EXTRA_FORM[form])):
        return reason
    return why_not_act(state, animal, form, fields)


def why_not_act(state: State, animal: Animal, form: str, fields: dict[str, str]) -> str | None:
    """Say why the animal cannot act in this way now."""
    if form == "eats":
        return why_not_take(state, animal) or "the food bank is empty"
    if form == "converts":
        return why_not_convert(animal)
    if form == "grazes":
        return why_not_graze(state, animal)
    if form == "hibernates":
        return why_not_hibernate(state, animal)
    other_animal = state.find(fields["who"])
    if other_animal is None:
        return state.why_not_on_table(fields["who"])
    if form == "attacks":
        return why_not_hunt(state, animal) or why_not_prey(state, animal, other_animal)
    return why_not_pirate(state, animal) or why_not_rob(animal, other_animal)


def why_not_convert(animal: Animal) -> str | None:
    """Say why no fat of this animal, or not as much, can be turned into food."""
    if animal.is_hibernating:
        return f"{animal.name} hibernates"
    if not animal.hunger:
        return f"{animal.name} is fed"
    if not animal.fat:
        return f"{animal.name} has no fat"
    return f"{animal.name} can convert at most {min(animal.fat, animal.hunger)} fat"


# ------------------------------------------------------------------ effects
def act(state: State, text: str) -> Rules:
    """Carry out one sentence of a feeding turn."""
    form, fields = FORMS.parse(text)
    animal = state.creature_named(fields["sp"])
    if form == "eats":
        take_red(state, animal)
        yield from share(state, animal, is_from_bank=True)
    elif form == "attacks":
        yield from attack(state, animal, state.creature_named(fields["who"]))
    elif form == "converts":
        convert(animal, int(fields["n"]))
    elif form == "robs":
        animal.used_traits.append("piracy")
        rob(animal, state.creature_named(fields["who"]))
        yield from share(state, animal, is_from_bank=False)
    elif form == "grazes":
        graze(state, animal)
    else:
        animal.is_hibernating, animal.last_hibernation = True, state.round
