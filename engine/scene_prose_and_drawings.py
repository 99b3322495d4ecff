"""The parts of a ruleset for people: the table, prose for sentences, pictures."""

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal, NamedTuple

from engine.log import Seat
from engine.value_classes import Value


# ------------------------------------------------------------------ the table
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
        """Return two lists of indexes of ``places``: the other seats', clockwise from the next one,
        and the seat's own.

        If no place has this seat (a spectator), the first list has every place and the second is
        empty.
        """
        seats = [place.seat for place in self.places]
        own_indexes = [index for index, place_seat in enumerate(seats) if place_seat == seat]
        start_index = own_indexes[0] + 1 if own_indexes else 0
        order = [*range(start_index, len(seats)), *range(start_index)]
        return [index for index in order if index not in own_indexes], own_indexes


# ------------------------------------------------------------------ sentences in prose
class Use(NamedTuple):
    """A row in the list of what a card or a piece can do: a heading, and a name for each choice.

    For the card horns 4, the row `Trait` has the choices `b1` and `b2`.
    """

    heading: str
    """Such as ``Trait`` or ``Give {t}``, with the fields of the form."""
    target: str = ""
    """The template of a choice's name, with the fields of the form; if it is empty, the name is
    made of the card, pieces and seats in the sentence, without the one that was tapped."""
    card: str = ""
    """``face down`` or ``face up``: how ``{card}`` leaves the hand; empty if it does not."""
    is_loss: bool = False
    """Whether the player only loses something by such a choice. Pages then ask first."""


class Prose(Value):
    """Templates that turn sentences into prose.

    A template has the fields of its form; ``{name}`` is the player who acted. A sentence without a
    template is printed unchanged.
    """

    deeds: Mapping[str, str] = field(default_factory=dict)
    """Templates for what was done, by form; ``kind.form``, for one kind of decision, takes
    precedence."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """Templates for orders, by form; ``{new}`` is the name of the piece that an order makes, if
    known."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """For facts that are revealed: the template of the sentence, and the template of its prose."""
    common: Mapping[str, str] = field(default_factory=dict)
    """Templates for changes of the scene's common facts, by label, with the fields ``{before}`` and
    ``{after}``. Changes of other facts are not reported."""
    seat_facts: Mapping[str, str] = field(default_factory=dict)
    """The facts of a seat's place whose changes are reported: label, and name in prose."""
    reported_changes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The changes that a sentence itself reports, by form as in ``deeds``: for each label, how much
    the number of the piece ``{sp}`` (or of a common fact) grows. Any other change is reported below
    the sentence."""
    emptied: Collection[str] = ()
    """Labels of numbers (common, or of a piece) whose fall to 0 pbem does not report."""
    arrivals: tuple[str, str] = ("{pieces} is new", "{pieces} are new")
    departures: tuple[str, str] = ("{pieces} is gone", "{pieces} are gone")
    """Sentences on pieces that came (``new``) or left (``gone``): for one piece, and for
    several."""
    piece: str = "piece"
    """The noun for one piece."""
    uses: Mapping[str, Use] = field(default_factory=dict)
    """The rows of choices, by form; forms without a row are listed as sentences."""


def docstring_line(thing: object) -> str:
    """Return the docstring of a trait's class, or of a phase, on one line."""
    return " ".join((thing.__doc__ or "").split())


# ------------------------------------------------------------------ pictures
Shape = Literal["bars", "dots", "leaves", "pile", "pool", "steps"]
"""The drawing of a fact. ``bars``, ``dots``, ``leaves``: a row of such marks on a piece, some of
them filled. ``pile``: a pile of cards. ``pool``: tokens in a pond. ``steps``: a row of places, one
of them marked."""


class Look(Value):
    """The drawing of one fact; label and value are always written beside the drawing."""

    shape: Shape
    max_marks: int = 0
    """For marks: the maximum number. A fact such as ``1/3`` gives the maximum itself."""
    max_fact: str = ""
    """For marks: the label of the fact, on the same piece, whose value is the maximum number."""
    steps: tuple[str, ...] = ()
    """For steps: their names, in order. The value of the fact begins with one of them."""


class Drawings(Value):
    """The ruleset's additions to the drawing of a ``Scene``.

    Without any drawings, all facts are written as words.
    """

    icons: Mapping[str, str] = field(default_factory=dict)
    """SVG documents of 24 by 24 units, by the name of a card, of a trait or of a fact."""
    looks: Mapping[str, Look] = field(default_factory=dict)
    """The drawings of facts, by label."""
