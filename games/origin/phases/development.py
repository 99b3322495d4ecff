"""Development Phase: players turn cards into animals or traits, until all have passed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, permutations, zip_longest

from engine import UNKNOWN, Decision, NotInHand, Rules, Seat, Tag, ask, ask_all, put, take
from games.origin.card_and_dice_data import COPIES, PAIRS, traits_of
from games.origin.change_table import add_pair, add_trait, new_animal
from games.origin.sentences import FORMS, SENTENCES, title
from games.origin.table import Animal, Kit, State

PASS = "pass"


def development_phase(state: State) -> Rules:
    """Players play cards in turn, or choose them all at the same time if the charter says so."""
    if not state.deck and not state.final_round:
        state.final_round = state.round
    state.passed_seats = []
    yield from (play_together if state.book.is_simultaneous else play_in_turn)(state)


def play_in_turn(state: State) -> Rules:
    """Players play in rounds, from the first player on.

    A pass is final; a player with an empty hand passes automatically (ruling 4.1).
    """
    questions = {seat: develop_decision(state, seat) for seat in state.order()}
    while len(state.passed_seats) < len(state.seats):
        for seat in state.order():
            if seat in state.passed_seats:
                continue
            if not state.hands[seat]:
                state.passed_seats.append(seat)
                continue
            text = yield from ask(questions[seat])
            develop(state, seat, text)


def play_together(state: State) -> Rules:
    """All choose their cards at the same time; then the cards are played in turn (house rule
    O17)."""
    seats = [seat for seat in state.order() if state.hands[seat]]
    lists = yield from ask_all([development_list(state, seat) for seat in seats])
    # the lists are log entries with consecutive numbers, from `state.entry` on
    step_lists = [
        list(tagged_steps(seat, text, entry))
        for entry, (seat, text) in enumerate(zip(seats, lists, strict=True), state.entry)
    ]
    for steps_of_round in zip_longest(*step_lists):
        for step in filter(None, steps_of_round):
            play_listed(state, *step)
    state.passed_seats = list(state.order())


def tagged_steps(seat: Seat, text: str, entry: int) -> Iterator[tuple[Seat, str, Tag]]:
    """Yield the steps of a list of plays, each as seat, sentence, and the tag of its bracket."""
    bracket = 0
    for step in text.split("; ")[:-1]:
        yield seat, step, (entry, bracket)
        bracket += step.count("[")


def play_listed(state: State, seat: Seat, text: str, tag: Tag) -> None:
    """Play a card from a list; a card whose play has become illegal since, such as a second
    parasite on an animal, is discarded (house rule O17)."""
    if why_not_play(state, seat, text) is None:
        develop(state, seat, text, tag)
        return
    card = FORMS.parse(text)[1]["card"]
    take(state.hands[seat], card)
    put(state.piles[seat], [card])


def development_list(state: State, seat: Seat) -> Decision:
    """Return the question about all the cards that a player plays, given as one list."""
    return Decision(
        seat, "develop", next_options, (state, seat), to=seat, script=True, ends=PASS,
        default=_pass, why=partial(why_not_next, state, seat),
    )  # fmt: skip


def develop_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one turn of playing a card."""
    return Decision(
        seat, "develop", develop_options, (state, seat), to=seat, default=_pass,
        veto=partial(why_not_play, state, seat), why=partial(why_not_develop, state, seat),
    )  # fmt: skip


def _pass() -> str:
    return PASS


def next_options(state: State, seat: Seat, steps: Sequence[str]) -> Iterable[str]:
    """Return the plays open to the seat after these steps, if nobody else does anything."""
    state_or_reason = try_steps(state, seat, steps)
    if isinstance(state_or_reason, str) or seat in state_or_reason.passed_seats:
        return ()
    return develop_options(state_or_reason, seat)


def why_not_next(state: State, seat: Seat, text: str, steps: Sequence[str]) -> str | None:
    """Say why a sentence cannot follow these steps."""
    state_or_reason = try_steps(state, seat, steps)
    if isinstance(state_or_reason, str):
        return state_or_reason
    if seat in state_or_reason.passed_seats:
        return "after you pass, you cannot play any more cards in this phase"
    return why_not_develop(state_or_reason, seat, text)


def try_steps(state: State, seat: Seat, steps: Sequence[str]) -> State | str:
    """Return the seat's view of the table after its steps, or the reason why a step is illegal.

    On a table that does not know the seat's hand, the options are patterns such as `? on a1`. They
    also match some illegal steps, so each step is checked here.
    """
    future_state: State = state.clone(seat)
    for step in steps:
        if reason := why_not_play(future_state, seat, step):
            return reason
        develop(future_state, seat, step)
    return future_state


# ------------------------------------------------------------------ options
def develop_options(state: State, seat: Seat) -> list[str]:
    """Return each card as an animal, or as a trait of an animal or a pair; and a pass."""
    options = [PASS]
    places: dict[str, list[tuple[str, ...]]] = {}
    for card in dict.fromkeys(state.hands[seat]):
        options.append(f"[{card}] as an animal")
        if card == UNKNOWN:
            options += _unknown_options(state, seat)
        for trait in traits_of(card):
            if trait not in places:  # many cards have the same trait
                places[trait] = places_for(state, seat, trait)
            say = say_pair if trait in PAIRS else say_trait
            options += [say(card, trait, *names) for names in places[trait]]
    return options


def places_for(state: State, seat: Seat, trait: str) -> list[tuple[str, ...]]:
    """Return the names of the animals, or of the pairs, that may get this trait."""
    row = state.rows[seat]
    if trait in PAIRS:
        places = permutations(row, 2) if trait == "symbiosis" else combinations(row, 2)
        pairs = [pair for pair in places if why_no_pair(state, trait, *pair) is None]
        return [(first_animal.name, second_animal.name) for first_animal, second_animal in pairs]
    kit = state.book.kits.kit_of(trait)
    hosts = state.animals(seat) if kit.host else row
    return [(animal.name,) for animal in hosts if not why_no_trait(kit, seat, trait, animal)]


def say_trait(card: str, trait: str, name: str) -> str:
    """Write the sentence that puts a trait card on an animal.

    >>> say_trait("swimming", "swimming", "a1"), say_trait("grazing/fat_tissue", "grazing", "a1")
    ('swimming on a1', 'grazing/fat_tissue as grazing on a1')
    """
    return f"{card} as {trait} on {name}" if "/" in card else f"{card} on {name}"


def say_pair(card: str, trait: str, first_animal: str, second_animal: str) -> str:
    """Write the sentence that puts a trait card on a pair.

    >>> say_pair("symbiosis", "symbiosis", "a1", "a2")
    'symbiosis: a1 protects a2'
    """
    if trait == "symbiosis":
        return f"{card}: {first_animal} protects {second_animal}"
    return f"{card} as {trait} on {first_animal} and {second_animal}"


def _unknown_options(state: State, seat: Seat) -> Iterator[str]:
    """Yield patterns for a card that this viewpoint does not know; the decision's ``veto`` refuses
    illegal plays."""
    for animal in state.animals(seat):
        if animal.owner == seat:
            yield f"? on {animal.name}"
            yield f"? as ? on {animal.name}"
        elif not animal.has("parasite"):
            yield f"? as parasite on {animal.name}"
    for first_animal, second_animal in permutations(state.rows[seat], 2):
        yield f"?: {first_animal.name} protects {second_animal.name}"
    for first_animal, second_animal in combinations(state.rows[seat], 2):
        yield f"? as ? on {first_animal.name} and {second_animal.name}"


# ------------------------------------------------------------------ reasons
def why_no_trait(kit: Kit, seat: Seat, trait: str, animal: Animal) -> str | None:
    """Say why the player may not put this trait, which has this kit, on this animal (Traits; ruling
    4)."""
    if not kit.host and animal.owner != seat:
        return f"{animal.name} is not yours, and only a parasite goes on another player's animal"
    for host in kit.host:
        if reason := host(seat, animal):
            return reason
    if animal.has(trait) and not any(may_repeat() for may_repeat in kit.several):
        return f"{animal.name} already has {title(trait)}"
    for excludes in animal.kit.excludes:
        if reason := excludes(animal, trait):
            return reason
    return None


def why_no_pair(
    state: State, trait: str, first_animal: Animal, second_animal: Animal
) -> str | None:
    """Say why no card of this pairwise trait may join the two (Pairwise Traits; ruling 4)."""
    if first_animal.owner != second_animal.owner:
        return "a pair card can join only two of your own animals"
    if first_animal is second_animal:
        return f"a pair needs two different animals, but you named {first_animal.name} twice"
    for pair in state.pairs_of(first_animal):
        if pair.name == trait and pair.joins(second_animal.name):
            return f"{first_animal.name} and {second_animal.name} already share {title(trait)}"
    return None


def why_not_play(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is illegal, no matter which cards the players hold.

    On a table that does not know the hand, the options are patterns; this function refuses the
    illegal sentences that match a pattern. Of an unknown card, a sentence may name the trait: then
    it is illegal if it would be illegal with every card.
    """
    form, fields = FORMS.parse(text)
    if form == "animal" or "card" not in fields:
        return None
    card, trait = fields["card"], trait_played(form, fields)
    if trait == UNKNOWN:
        return None
    if card == UNKNOWN:
        if all(_why_no_card(form, printed_card, trait) for printed_card in COPIES):
            assert trait is not None
            if not any(trait in traits_of(printed_card) for printed_card in COPIES):
                return f"no card has the trait {trait}"
            return f"no card has {title(trait)} and a second trait, so leave out 'as {trait}'"
    elif reason := _why_no_card(form, card, trait):
        return reason
    assert trait is not None
    if (form in ("pair", "protects")) != (trait in PAIRS):
        if trait in PAIRS:
            return (
                f"{title(trait)} goes on two animals, as in '{say_pair(card, trait, 'a1', 'a2')}'"
            )
        return f"{title(trait)} goes on one animal, as in '{say_trait(card, trait, 'a1')}'"
    if form == "pair" and trait == "symbiosis":
        return f"say which animal protects which, as in '{card}: a1 protects a2'"
    return _why_no_target(state, seat, trait, fields)


def _why_no_card(form: str, card: str, trait: str | None) -> str | None:
    """Say why no card of the hand fits the sentence: the hand has no such card, the card lacks the
    trait, or the sentence must or must not name the trait."""
    if card not in COPIES:
        return f"there is no card {card}"
    if trait is None:
        return f"{card} has two traits: say which of them you play"
    if trait not in traits_of(card):
        return f"{card} is not a card with {title(trait)}"
    if form == "use" and "/" not in card:
        return f"{card} has only one trait, so write '{card} on …'"
    return None


def trait_played(form: str, fields: dict[str, str]) -> str | None:
    """Return the trait that the card is played as; None if the sentence must name the trait but
    does not."""
    if form == "protects":
        return "symbiosis"
    if form == "trait":
        return None if "/" in fields["card"] else fields["card"]
    return fields.get("t")


def _why_no_target(state: State, seat: Seat, trait: str, fields: dict[str, str]) -> str | None:
    """Say why the trait may not go on the animal, or the pair, that the sentence names."""
    names = fields["sp"], fields.get("who", fields["sp"])  # `who` is the second animal of a pair
    for name in names:
        if state.find(name) is None:
            return state.why_not_on_table(name)
    first_animal, second_animal = map(state.creature_named, names)
    if trait not in PAIRS:
        return why_no_trait(state.book.kits.kit_of(trait), seat, trait, first_animal)
    for animal in (first_animal, second_animal):
        if animal.owner != seat:
            return f"{animal.name} is not yours"
    if reason := why_no_pair(state, trait, first_animal, second_animal):
        return reason
    row = state.rows[seat]
    if trait != "symbiosis" and row.index(first_animal) > row.index(second_animal):
        return f"name the pair from left to right: {second_animal.name} and {first_animal.name}"
    return None


def why_not_develop(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not among the options of this seat."""
    form, fields = FORMS.parse(text)
    if form not in ("animal", "trait", "use", "protects", "pair"):
        return "in the development phase you can only play a card or pass"
    if fields["card"] not in state.hands[seat]:
        return NotInHand(f"{fields['card']} is not in your hand")
    return why_not_play(state, seat, text)


# ------------------------------------------------------------------ effects
def develop(state: State, seat: Seat, text: str, tag: Tag | None = None) -> None:
    """Carry out one legal step of the Development Phase; ``tag`` is the tag of the animal's hidden
    card if the step comes from a list."""
    form, fields = FORMS.parse(text)
    if form == PASS:
        state.passed_seats.append(seat)
        return
    card = fields["card"]
    take(state.hands[seat], card)
    if form == "animal":
        new_animal(state, seat, card, tag or (state.entry, 0))
        return
    trait = trait_played(form, fields)
    assert trait is not None
    if trait in PAIRS:
        add_pair(
            state,
            state.creature_named(fields["sp"]),
            state.creature_named(fields["who"]),
            card,
            trait,
        )
    else:
        add_trait(state, state.creature_named(fields["sp"]), card, trait)


def shows(state: State, text: str) -> list[str]:
    """Return the cards that a sentence plays as traits of an animal or a pair, which are face up.

    A card played as an animal stays face down for the whole game (Origin, Development Phase).
    """
    return SENTENCES.cards_shown(text)
