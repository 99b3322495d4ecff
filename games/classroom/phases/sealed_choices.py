"""Steps 2 and 3 of a turn: all players make sealed choices, which are then applied in player
order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from engine import (
    DONE,
    UNKNOWN,
    Decision,
    NotInHand,
    Offers,
    Rules,
    Seat,
    ask_all,
    distinct,
    take,
)
from games.classroom.phases.feeding import LEAVE
from games.classroom.sentences import FORMS, SENTENCES
from games.classroom.silly_player import silly_choice
from games.classroom.table import (
    MAX_TRACK,
    MAX_TRAITS,
    Species,
    State,
    add_trait,
    discard,
    leave,
    names_of,
    new_species,
    replace_trait,
)
from games.draw_cards_and_pour_food import pour
from games.food_number_cards import food_of, trait_of
from games.unfinished_turn_draft import Draft


def choice_phase(state: State) -> Rules:
    """All players choose at the same time; then each choice and its food card are applied in
    order."""
    seats = state.order()
    choices = yield from ask_all(choice_decision(state, seat) for seat in seats)
    for seat, text in zip(seats, choices, strict=True):
        play_all(state, seat, text.split("; "))
        if seat in state.food_cards:
            pour(state, food_of(state.food_cards[seat]))
    discard(state, *state.food_cards.values())
    state.food_cards = {}


def choice_decision(state: State, seat: Seat) -> Decision:
    """Return the question about a player's whole turn; the answer is a script that begins with the
    food card."""
    return Decision(
        seat, "choice", options_after, (draft_of(state, seat), seat), to=seat, script=True,
        default=partial(silent_answer, state, seat), why=partial(why_not_choose, state, seat),
    )  # fmt: skip


def silent_answer(state: State, seat: Seat) -> str:
    """Return the answer of a silent player at a deadline: the silly player's choice, or removal, as
    the charter says."""
    return f"{LEAVE}; {DONE}" if state.removal else silly_choice(state, seat)


Use = tuple[str, Sequence[str]]
"""One thing that a card can be used for: the sentence without the card, and, for a trait, the other
traits that the board will then have."""


def draft_of(state: State, seat: Seat) -> Draft[State]:
    """Return the player's unfinished choice, tried on a copy of their part of the table."""

    def play_step(draft_state: State, text: str, hidden_card_count: int) -> None:
        play(draft_state, seat, text)

    return Draft(partial(state.draft, seat), play_step)


# ------------------------------------------------------------------ options
def options_after(draft: Draft[State], seat: Seat, steps: Sequence[str]) -> Sequence[str]:
    """Return the steps that may come next in a choice."""
    return next_steps(draft.state_after(steps), seat)


def next_steps(state: State, seat: Seat) -> Sequence[str]:
    """Return the next steps: first any food card; then everything that the hand can pay for, and
    ``done``.

    If a board has the same trait twice at this step, only replacements of its traits are possible.
    """
    hand = state.hands[seat]
    if seat in state.departed_seats:  # the last step was to leave the game
        return [DONE]
    if seat not in state.food_cards and hand:
        return [f"food {card}" for card in distinct(hand)] + [LEAVE] * state.removal
    if (species := species_with_repeat(state, seat)) is not None:
        if len(species.traits) - len(species.kit.names) - species.traits.count(UNKNOWN) > 1:
            return []  # see `may_join`; only a table that does not know the hand comes here
        ways = list(exchanges(species))
        return [
            f"{card}{way}"
            for card in distinct(hand)
            for way, names in ways
            if may_join(hand, card, names)
        ]
    return payments(state, seat)


def payments(state: State, seat: Seat) -> Offers:
    """Return ``done`` and every use of a card in hand; no board has the same trait twice now."""
    hand = distinct(state.hands[seat])
    traits = [(card, trait_of(card)) for card in hand]
    ways = []
    for way, names in ways_to_use(state.rows[seat]):
        fitting = hand
        if names:
            fitting = [
                card for card, trait in traits if trait not in names or may_join(hand, card, names)
            ]
        ways.append((f"?{way}", fitting))
    return Offers(hand, [DONE], by_card=ways)


def ways_to_use(row: Sequence[Species]) -> Iterator[Use]:
    """Yield the possible uses of a card: a new board, growth or a trait."""
    yield ": new board", ()
    yield ": new board on the left", ()
    for species in row:
        if species.population < MAX_TRACK:
            yield f": {species.name} population", ()
        if species.body < MAX_TRACK:
            yield f": {species.name} body", ()
        if len(species.traits) < MAX_TRAITS:
            yield f" on {species.name}", names_of(species)
        yield from exchanges(species)


def exchanges(species: Species) -> Iterator[Use]:
    """Yield each way to replace a trait of the board, with the traits that stay beside it."""
    for index in range(len(species.traits)):
        yield f" instead of {index + 1} on {species.name}", other_traits(species, index)


def species_with_repeat(state: State, seat: Seat) -> Species | None:
    """Return the board that has the same trait twice at this step, if there is one; unknown cards
    count as different traits."""
    for species in state.rows[seat]:
        if len(species.kit.names) + species.traits.count(UNKNOWN) < len(species.traits):
            return species
    return None


def other_traits(species: Species, index: int | None) -> list[str]:
    """Return the traits of the board, without the one at this index if an index is given."""
    names = names_of(species)
    return names if index is None else names[:index] + names[index + 1 :]


def may_join(hand: Sequence[str], card: str, board_traits: Sequence[str]) -> bool:
    """Return whether this card from the hand may join these traits on a board.

    Limits apply only to the result of the whole choice (ruling 5.2). So a board may have a trait
    twice for a moment, if there is a card left in hand that can replace one of the two.
    """
    if card == UNKNOWN:
        return True
    traits = [*board_traits, trait_of(card)]
    repeat_count = len(traits) - len(set(traits))
    if repeat_count != 1:
        return repeat_count == 0
    remaining_cards = list(hand)
    take(remaining_cards, card)
    return any(trait_of(remaining_card) not in traits for remaining_card in remaining_cards)


def why_no_trait(state: State, species: Species, card: str, index: int | None = None) -> str | None:
    """Say why the card may not become a trait of the board, or may not replace the trait at
    this index."""
    if index is None and len(species.traits) >= MAX_TRAITS:
        return f"{species.name} already has {MAX_TRAITS} traits, the most allowed"
    if may_join(state.hands[species.owner], card, other_traits(species, index)):
        return None
    return f"{species.name} has {trait_of(card).replace('_', ' ')} already"


# ------------------------------------------------------------------ reasons
def why_not_choose(state: State, seat: Seat, text: str, earlier_steps: Sequence[str]) -> str | None:
    """Say why a sentence may not come next in a choice after these steps."""
    form, fields = FORMS.parse(text)
    return why_not_step(draft_of(state, seat).state_after(earlier_steps), seat, form, fields)


def why_not_step(state: State, seat: Seat, form: str, fields: dict[str, str]) -> str | None:
    """Say why a step, given by its form and fields, may not come next; None if no reason is known.

    ``state`` is the player's part of the table after the earlier steps.
    """
    if reason := _why_not_now(state, seat, form):
        return reason
    hand = state.hands[seat]
    if "card" in fields and fields["card"] not in hand and UNKNOWN not in hand:
        return NotInHand(f"{fields['card']} is not in your hand, or is already used")
    if "sp" not in fields or form in ("eats", "stores", "attacks"):
        return None
    species = state.find(fields["sp"])
    if species is None:
        return f"you have no board {fields['sp']}"
    if form in ("population", "body"):
        return f"the {form} of {species.name} is already {MAX_TRACK}, the most allowed"
    index = int(fields["i"]) - 1 if fields.get("i", "").isdecimal() else None
    if form == "replace" and index not in range(len(species.traits)):
        return f"{species.name} has no trait {fields['i']}"
    return why_no_trait(state, species, fields["card"], index)


def _why_not_now(state: State, seat: Seat, form: str) -> str | None:
    """Say why no sentence of this form may come next, whatever its cards and boards are."""
    has_food_card = seat in state.food_cards
    if form in ("eats", "stores", "attacks", "decline"):
        return "feeding comes later in the round"
    if form == "leave":
        if not state.removal:
            return "the rules of this game do not let players leave"
        return "if you leave the game, you can choose nothing else" if has_food_card else None
    if has_food_card and form == "food":
        return "each player gives only one food card"
    if not has_food_card and form != "food":
        return "the food card comes first"
    if has_food_card and form != "replace" and (species := species_with_repeat(state, seat)):
        traits = names_of(species)
        trait = next(trait for trait in traits if traits.count(trait) > 1).replace("_", " ")
        return f"{species.name} has {trait} twice, so first replace one of the two cards"
    return None


# ------------------------------------------------------------------ effects
def play_all(state: State, seat: Seat, steps: Sequence[str]) -> None:
    """Play the steps of a choice one after the other."""
    for step in steps:
        play(state, seat, step)


def play(state: State, seat: Seat, text: str) -> None:
    """Carry out one step, which must be legal; a food card is only put down now, and adds its food
    later."""
    form, fields = FORMS.parse(text)
    if form == DONE:
        return
    if form == "leave":
        leave(state, seat)
        return
    card = fields["card"]
    take(state.hands[seat], card)
    if form == "food":
        state.food_cards[seat] = card
    elif form == "trait":
        add_trait(state, state.creature_named(fields["sp"]), card)
    elif form == "replace":
        replace_trait(state, state.creature_named(fields["sp"]), int(fields["i"]) - 1, card)
    else:
        discard(state, card)
        _trade(state, seat, form, fields)


def _trade(state: State, seat: Seat, form: str, fields: dict[str, str]) -> None:
    if form == "population":
        state.creature_named(fields["sp"]).population += 1
    elif form == "body":
        state.creature_named(fields["sp"]).body += 1
    else:
        new_species(state, seat, left=form == "left")


def shows(state: State, text: str) -> list[str]:
    """Return the cards that a choice shows to all: every card in it, from the food card to the
    last.

    The choices are applied when all players have made theirs; from then on, all their cards are
    face up (the course's rules, steps 2 and 3). A player who leaves shows no cards.
    """
    return SENTENCES.cards_shown(text)
