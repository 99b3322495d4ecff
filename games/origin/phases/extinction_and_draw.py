"""Extinction and Draw Phase: unfed animals die, cards are dealt, and the next player becomes the
first player.
"""

from __future__ import annotations

from engine import Rules, Seat
from games.draw_cards_and_pour_food import draw_cards
from games.origin.change_table import bury, end_turn
from games.origin.table import State


def extinction_phase(state: State) -> Rules:
    """Play the phase in the rulebook's order (ruling 4.7)."""
    for animal in list(state.animals()):
        if animal.is_poisoned or not animal.is_fed:
            bury(state, animal)
    yield from deal_cards(state)
    end_turn(state, state.animals())
    state.first_seat_index = (state.first_seat_index + 1) % len(state.seats)


def deal_cards(state: State) -> Rules:
    """Deal one card at a time from the first player on, until all have their cards or the deck is
    empty."""
    undealt_cards = {seat: cards_due(state, seat) for seat in state.order()}
    while state.deck and any(undealt_cards.values()):
        for seat in state.order():
            if undealt_cards[seat] and state.deck:
                undealt_cards[seat] -= 1
                yield from draw_cards(state, seat, 1)


def cards_due(state: State, seat: Seat) -> int:
    """Return the number of cards a player gets: 1, and 1 for each animal; six with neither animals
    nor cards."""
    if not state.rows[seat] and not state.hands[seat]:
        return state.book.hand
    return 1 + len(state.rows[seat])
