"""Change the table: food, species and cards come and go."""

from __future__ import annotations

from engine import Rules, Seat, put, shuffle
from engine import take as take_card
from games.draw_cards_and_pour_food import draw_cards
from games.evolution.table import HOLE, PLANT, Food, Source, Species, State
from games.food_number_cards import trait_of
from games.rows_of_creatures import index_in_row


def update_kit(state: State, species: Species) -> None:
    """Find the hooks of the species' face-up traits; call this whenever its traits have changed."""
    cards = zip(species.traits, species.face_down_tags, strict=True)
    species.kit = state.book.kits([trait_of(card) for card, tag in cards if tag is None])


def new_species(state: State, seat: Seat, is_on_left: bool = False) -> Species:
    """Add a board with body 1 and population 1 at one end of the row."""
    state.creature_counts[seat] += 1
    species = Species(f"{seat}{state.creature_counts[seat]}", seat, state.book.kits(()))
    state.rows[seat].insert(0 if is_on_left else len(state.rows[seat]), species)
    return species


def discard(state: State, *cards: str) -> None:
    """Put cards onto the discard pile, face up."""
    put(state.discards, cards)


def spend(state: State, seat: Seat, card: str) -> None:
    """Discard a card of the hand for an effect; all players see it."""
    take_card(state.hands[seat], card)
    discard(state, card)


def take(state: State, species: Species, count: int, food: Food, source: Source) -> int:
    """Carry out a *take*: fill the board up to the need, then Fat Tissue; return the amount taken.

    If any food is put on the board, Foraging and Cooperation react once, however much it is
    (Evolution, Feeding; ruling 1.5).
    """
    if food == PLANT and why_no_plants(species):
        return 0
    if source == HOLE:
        count = min(count, state.hole)
    eaten_count = min(count, species.hunger)
    stored_count = min(count - eaten_count, species.fat_room)
    gain(state, species, eaten_count, source)
    species.fat += stored_count
    species.food_taken += stored_count
    draw_food(state, stored_count, source)
    if eaten_count:
        for react in species.kit.took:
            react(state, species, food, source)
    return eaten_count + stored_count


def why_no_plants(species: Species) -> str | None:
    """Say why the species can never take plant food; None if it can."""
    for veto in species.kit.no_plants:
        if reason := veto(species):
            return reason
    return None


def gain(state: State, species: Species, count: int, source: Source) -> None:
    """Move food from the source onto the species' board, without triggering any trait."""
    species.food += count
    species.food_taken += count
    draw_food(state, count, source)


def draw_food(state: State, count: int, source: Source) -> None:
    """Take food from the Watering Hole or the Food Bank."""
    if source == HOLE:
        state.hole -= count
    else:
        state.bank += count


def put_behind_screen(state: State, seat: Seat, food: int) -> None:
    """Put food behind the player's Food Screen."""
    state.screens[seat] += food


def lose(state: State, species: Species, count: int = 1) -> None:
    """Reduce the population; food above the new need goes behind the Food Screen."""
    species.population = max(0, species.population - count)
    excess = max(0, species.food - species.need)
    species.food -= excess
    put_behind_screen(state, species.owner, excess)


def clear_board(state: State, species: Species) -> None:
    """Move the food on the species' board behind its owner's screen."""
    put_behind_screen(state, species.owner, species.food)
    species.food = 0


def lose_trait(state: State, species: Species, index: int, card: str) -> None:
    """Remove a trait card, with the food stored on it; the caller discards the card. ``card`` is
    its name, which all learn now."""
    del species.traits[index]
    if species.face_down_tags.pop(index) is None:  # a face-down trait has done nothing yet
        for react in state.book.kits.kit_of(trait_of(card)).gone:
            react(state, species)
    tags = [tag for tag in species.face_down_tags if tag is not None]
    species.left_traits += tuple((tag, trait_of(card)) for tag in tags)
    update_kit(state, species)


def die_out(state: State, species: Species) -> Rules:
    """Remove a species that died out.

    Its traits are discarded, its owner draws the same number of cards, its food goes behind the
    screen, and the row closes the gap.
    """
    for react in species.kit.gone:
        react(state, species)
    clear_board(state, species)
    row = state.rows[species.owner]
    del row[index_in_row(species, row)]
    discard(state, *species.traits)
    yield from draw(state, species.owner, len(species.traits), ending_round=state.round + 1)


def draw(state: State, seat: Seat, count: int, ending_round: int) -> Rules:
    """Draw cards from the deck to a hand.

    When the last card is drawn, the discards become the deck, and ``ending_round`` becomes the
    final round, unless an earlier one is set (ruling 1.17). If deck and discards are empty,
    nothing is drawn.
    """
    while count and (state.deck or state.discards):
        if not state.deck:
            yield from reshuffle(state)
        drawn_count = min(count, state.deck)
        yield from draw_cards(state, seat, drawn_count)
        count -= drawn_count
        if not state.deck:
            state.final_round = min(state.final_round or ending_round, ending_round)
            yield from reshuffle(state)


def reshuffle(state: State) -> Rules:
    """Make a new deck from the discard pile, or from the cards that were set aside for that."""
    if state.book.has_spare_deck and state.set_aside_count:
        state.deck, state.set_aside_count = state.set_aside_count, 0
    elif state.discards:
        yield shuffle(state.discards)
        state.deck, state.discards = len(state.discards), []
