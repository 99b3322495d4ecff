"""Draw cards, and pour food into the watering hole: the same in several rulesets."""

from typing import Protocol

from engine import Rules, Seat, ask, cards_in, deal, put


class Drawing(Protocol):
    """A table with hands and one deck; only the size of the deck is known."""

    deck: int
    hands: dict[Seat, list[str]]


def draw_cards(state: Drawing, seat: Seat, count: int) -> Rules:
    """Draw ``count`` cards to a hand; the deck must have enough."""
    cards = cards_in((yield from ask(deal(seat, count))))
    put(state.hands[seat], cards)
    state.deck -= count


class WateringHole(Protocol):
    """A table with food in the middle, which counts all the food in the game."""

    hole: int
    bank: int


def pour(state: WateringHole, amount: int) -> None:
    """Add food to the watering hole, or remove food, but never below 0."""
    change = max(amount, -state.hole)
    state.hole += change
    state.bank += change
