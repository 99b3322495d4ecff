"""The table as plain data, which a ruleset supplies, so that drawing needs no rules."""

from typing import NamedTuple

from engine.sentences.text import Seat


class Piece(NamedTuple):
    """One thing in front of a seat: a species, an animal, a board."""

    name: str
    facts: tuple[tuple[str, str], ...]
    """Labels and values, in the order in which people read them: ``("body", "3")``."""
    cards: tuple[str, ...] = ()
    """The cards on the piece; a face-down card is ``(face down)`` or, for its owner, marked so."""


class Place(NamedTuple):
    """Everything in front of one seat."""

    seat: Seat
    facts: tuple[tuple[str, str], ...]
    pieces: tuple[Piece, ...] = ()
    hand: tuple[str, ...] = ()
    """The cards in hand; ``?`` is a card that this viewpoint may not see."""


class Scene(NamedTuple):
    """The table as seen from one viewpoint: common facts, then the places in clockwise order."""

    facts: tuple[tuple[str, str], ...]
    places: tuple[Place, ...]

    def around(self, seat: Seat) -> tuple[list[int], list[int]]:
        """Return the numbers of the other places, clockwise from the seat's, and of its own."""
        seats = [place.seat for place in self.places]
        mine = [at for at, one in enumerate(seats) if one == seat]
        begin = mine[0] + 1 if mine else 0
        order = [*range(begin, len(seats)), *range(begin)]
        return [at for at in order if at not in mine], mine
