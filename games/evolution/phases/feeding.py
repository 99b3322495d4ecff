"""Phase 5, Feeding: the feeding turns, Auto-Feed, and the end of feeding with starvation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from engine import DONE, UNKNOWN, Decision, NotInHand, Rules, Seat, ask, distinct
from engine.decisions import Answer
from games.best_option import best_option
from games.evolution.change_table import clear_board, die_out, gain, spend, why_no_plants
from games.evolution.change_table import take as take_food
from games.evolution.phases.legal_attacks_and_effects import attack, why_not_attack_text
from games.evolution.sentences import FORMS, split_names
from games.evolution.table import BANK, HOLE, PLANT, Species, State
from games.first_player_and_turns_until_all_pass import answer_done, turns_until_all_pass
from games.food_number_cards import food_of, trait_of

Feed = Callable[[State, Seat, str], Rules]
"""A function that carries out the sentence of one feeding."""


def feeding_turn(state: State, seat: Seat, feed: Feed) -> Answer:
    """Play one turn: one feeding, with any number of uses of Intelligence before or after it; or a
    pass.

    Returns ``pass`` if nothing was eaten. ``feed`` plays the one feeding.
    """
    has_thought = False
    while is_thought(text := (yield from ask(feed_decision(state, seat)))):
        think(state, seat, text)
        has_thought = True
    if text == "pass":
        return "" if has_thought else text
    yield from feed(state, seat, text)
    while can_think(state, seat):
        text = yield from ask(
            Decision(seat, "think", think_options, (state, seat), default=answer_done)
        )
        if text == DONE:
            break
        think(state, seat, text)
    return text


def feed_decision(state: State, seat: Seat) -> Decision:
    """Return the question about one feeding turn."""
    return Decision(
        seat, "feed", feed_options, (state, seat),
        default=partial(least_harmful_feeding, state, seat), why=partial(why_not_feed, state, seat),
    )  # fmt: skip


# ------------------------------------------------------------------ options
def feed_options(state: State, seat: Seat) -> Iterable[str]:
    """Yield the feedings that are possible; ``pass`` only if no hungry species can be fed."""
    must_feed = False
    for species in state.rows[seat]:
        meal_options = meals(state, species)
        yield from meal_options
        must_feed = must_feed or (bool(meal_options) and species.hunger > 0)
    if not must_feed:
        yield "pass"
    for species in state.rows[seat]:
        for extras in species.kit.extras:
            yield from extras(state, species)


def meals(state: State, species: Species) -> list[str]:
    """Return the normal feedings of one species: from the Watering Hole, or attacks."""
    options: list[str] = []
    if species.hunger or species.fat_room:
        if state.hole and not why_no_plants(species):
            options.append(f"{species.name} eats")
        for offer in species.kit.meals:
            options += offer(state, species)
    return options


def think_options(state: State, seat: Seat) -> Iterable[str]:
    """Yield the uses of Intelligence that are possible after the feeding."""
    yield DONE
    yield from thoughts(state, seat)


def thoughts(state: State, seat: Seat) -> Iterator[str]:
    """Yield the uses of Intelligence that feed one of the player's species now: one for each card
    that may be discarded."""
    for species in state.rows[seat]:
        for extras in species.kit.extras:
            yield from filter(is_thought, extras(state, species))


def is_thought(text: str) -> bool:
    """Return whether this sentence uses Intelligence to feed a species."""
    return FORMS.parse(text)[0] == "thinks"


def can_think(state: State, seat: Seat) -> bool:
    """Return whether Intelligence can still feed one of the player's species; this follows from
    public knowledge."""
    return next(thoughts(state, seat), None) is not None


def why_not_feed(state: State, seat: Seat, text: str) -> str | None:
    """Say why a sentence is not allowed in this feeding turn; None if no reason is known. Raises
    Unreadable if it is not a sentence of the game."""
    # people forget the card
    form, fields = FORMS.parse(f"{text} for {UNKNOWN}" if text.endswith(" thinks") else text)
    if form == "pass":
        hungry_species = next(x for x in state.rows[seat] if x.hunger and meals(state, x))
        can_eat = f"{hungry_species.name} eats" in meals(state, hungry_species)
        deed = "eat" if can_eat else "attack"
        return f"{hungry_species.name} is hungry and can {deed}, so you cannot pass"
    if form not in ("eats", "attacks", "despite", "thinks"):
        return None
    if reason := state.why_not_owner(seat, fields["sp"]):
        return reason
    species = state.creature_named(fields["sp"])
    if form in ("attacks", "despite"):
        return why_not_attack_text(state, text)
    if form == "eats":
        return why_not_eat(state, species)
    return why_not_think(state, species, fields["card"])


def why_not_eat(state: State, species: Species) -> str | None:
    """Say why the species cannot eat from the Watering Hole."""
    if reason := why_no_plants(species):
        return reason
    if not species.room:
        return f"{species.name} is not hungry and has no room for fat"
    return None if state.hole else "the Watering Hole is empty"


def why_not_think(state: State, species: Species, card: str) -> str | None:
    """Say why Intelligence cannot feed the species for this card."""
    if not species.has("intelligence"):
        return f"{species.name} has no intelligence"
    if reason := why_no_plants(species):
        return reason
    if not species.room:
        return f"{species.name} is not hungry and has no room for fat"
    hand = state.hands[species.owner]
    if not hand:
        return "your hand has no card to discard"
    if card == UNKNOWN:
        example = f"{species.name} thinks for horns 2"
        return f"say which card you discard for Intelligence, as in '{example}'"
    return None if card in hand else NotInHand(f"{card} is not in your hand")


def least_harmful_feeding(state: State, seat: Seat) -> str:
    """Return the answer of a silent player: feed only hungry species, and spend no card (ruling
    1.23).

    The leftmost species that can eat or attack decides: plants come at once; else the attack on
    the largest body of another player, then on the largest of the player's own; else a pass.
    """
    ranked_attacks: list[tuple[tuple[bool, int], str]] = []
    for species in state.rows[seat]:
        for meal in meals(state, species) if species.hunger else ():
            if meal.endswith(" eats"):
                return meal
            target = state.creature_named(FORMS.parse(meal)[1]["who"])
            ranked_attacks.append(((target.owner != seat, target.body), meal))
    return best_option(ranked_attacks) or "pass"


# ------------------------------------------------------------------ effects
def feed_once(state: State, seat: Seat, text: str) -> Rules:
    """Play the one feeding of a turn."""
    form, fields = FORMS.parse(text)
    species = state.creature_named(fields["sp"])
    if form == "eats":
        take_food(state, species, 1, PLANT, HOLE)
        return
    target = state.creature_named(fields["who"])
    negated_traits = split_names(fields["words"]) if form == "despite" else []
    for payment_count in range(len(negated_traits), 0, -1):
        yield from pay(state, seat, payment_count)
    yield from attack(state, species, target, frozenset(negated_traits))


def think(state: State, seat: Seat, text: str) -> None:
    """Use Intelligence: for one card, the species takes 2 plant food from the Food Bank."""
    fields = FORMS.parse(text)[1]
    spend(state, seat, fields["card"])
    take_food(state, state.creature_named(fields["sp"]), 2, PLANT, BANK)


def pay(state: State, seat: Seat, payment_count: int) -> Rules:
    """Discard one of the ``payment_count`` cards that an attack still costs; all players see it.

    Each card is a question of its own (R5): a list of attacks with their cards would have every
    attack as often as the hand has sets of so many cards.
    """
    arguments = (state, seat, payment_count)
    text = yield from ask(
        Decision(seat, "pay", pay_options, arguments, default=partial(cheapest_payment, *arguments))
    )
    spend(state, seat, FORMS.parse(text)[1]["card"])


def payment_cards(state: State, seat: Seat, payment_count: int) -> list[str]:
    """Return the cards in hand that may be discarded to pay.

    If the whole hand must go, and everybody can see that, the cards go in order without a question
    (R7).
    """
    hand = state.hands[seat]
    return hand if payment_count < len(hand) else hand[:1]


def pay_options(state: State, seat: Seat, payment_count: int) -> Iterable[str]:
    """Return the cards that may be discarded next."""
    return (f"discard {card}" for card in distinct(payment_cards(state, seat, payment_count)))


def cheapest_payment(state: State, seat: Seat, payment_count: int) -> str:
    """Return the payment of a silent player, who ordered the attack earlier (house rule R1)."""
    return f"discard {cheapest_card(payment_cards(state, seat, payment_count))}"


def cheapest_card(cards: Iterable[str]) -> str:
    """Return the card with the lowest food number; ``?`` if this table does not know the cards.

    Ties are broken by the trait's name, then by the card's, so that a card without a climate icon
    goes first (R1).
    """
    if UNKNOWN in (known_cards := list(cards)):
        return UNKNOWN
    return min(known_cards, key=lambda card: (food_of(card), trait_of(card), card))


# ------------------------------------------------------------------ all turns
def feeding_phase(state: State) -> Rules:
    """Play turns clockwise from the First Player until all pass in a row; then end the feeding."""
    yield from feeding_turns(state)
    yield from end_of_feeding(state)


def feeding_turns(state: State, feed: Feed = feed_once) -> Rules:
    """Play feeding turns clockwise until all pass in a row; ``feed`` plays the feeding of a
    turn.
    """
    yield from turns_until_all_pass(state, partial(_play_turn, feed=feed))


def _play_turn(state: State, seat: Seat, feed: Feed) -> Answer:
    """Play one feeding turn. If nothing is left to decide, Auto-Feed feeds everybody instead, and
    the player passes."""
    if state.book.has_autofeed and is_nothing_to_decide(state):
        auto_feed(state)
        return "pass"
    return (yield from feeding_turn(state, seat, feed))


# ------------------------------------------------------------------ end of feeding
def end_of_feeding(state: State) -> Rules:
    """Starve the unfed population of all species together, then move the food behind the
    screens."""
    starve(state)
    extinct_species = [species for species in state.species() if not species.population]
    for species in state.species():
        clear_board(state, species)
    for species in extinct_species:
        yield from die_out(state, species)
    if 0 < state.final_round <= state.round:
        move_fat_to_screens(state)
    else:  # "if the game did not end, pass the First Player Marker"
        state.first_seat_index = (state.first_seat_index + 1) % len(state.seats)


def move_fat_to_screens(state: State) -> None:
    """After the last round, move food on Fat Tissue behind the screens (rulebook, Fat Tissue)."""
    for species in state.species():
        for react in species.kit.gone:
            react(state, species)


def starve(state: State) -> None:
    """Reduce every species to the population that was fed."""
    for species in state.species():
        species.population -= species.hunger


def is_nothing_to_decide(state: State) -> bool:
    """Return whether there is food for everybody and no player has anything to decide.

    Then Auto-Feed ends the phase. The app always plays with Auto-Feed (ruling 2.4). In the printed
    games it is an option and changes no result: it only skips questions whose answers make no
    difference, as everybody can see.
    """
    food_left = state.hole
    for row in state.rows.values():
        for species in row:
            hunger = species.hunger
            food_left -= hunger
            if food_left < 0 or has_choice(state, species, hunger):
                return False
    return True


def has_choice(state: State, species: Species, hunger: int) -> bool:
    """Return whether a species with this hunger can hunt, store fat or use Intelligence."""
    kit = species.kit
    if (kit.fat_room and species.fat_room) or (kit.meals and hunger):
        return True
    return bool(kit.extras) and any(next(iter(offer(state, species)), None) for offer in kit.extras)


def auto_feed(state: State) -> None:
    """Feed every species from the Watering Hole until it is full."""
    for species in state.species():
        gain(state, species, species.hunger, HOLE)
