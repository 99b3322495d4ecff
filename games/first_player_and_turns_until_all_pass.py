"""The first player, and turns clockwise until all pass."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from engine import DONE, Answer, Rules, Seat, ask, die
from games.rows_of_creatures import Rows


class Seating(Protocol):
    """A table whose seats have an order of play."""

    seats: str
    first_seat_index: int


def draw_first_player(state: Seating) -> Rules:
    """Choose the first player at random."""
    text = yield from ask(die([f"{seat} goes first" for seat in state.seats]))
    state.first_seat_index = state.seats.index(text[0])


T = TypeVar("T", bound=Rows[Any])


def turns_until_all_pass(
    state: T,
    play_turn: Callable[[T, Seat], Answer],
    is_over: Callable[[T], bool] = lambda _: False,
) -> Rules:
    """Play turns clockwise from the first player until all pass in a row or ``is_over`` is true.

    ``play_turn`` plays the turn of a seat, and returns ``pass`` if the player passed. ``is_over``
    is called before each turn.
    """
    pass_count = 0
    while True:
        for seat in state.order():
            if is_over(state):
                return
            answer = yield from play_turn(state, seat)
            pass_count = pass_count + 1 if answer == "pass" else 0
            if pass_count == len(state.seats):
                return


def answer_done() -> str:
    """Return the answer of a silent player who may stop: ``done``."""
    return DONE
