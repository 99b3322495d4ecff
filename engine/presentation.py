"""The parts of a ruleset for people: the table, prose for sentences, pictures, the ranking."""

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

from engine.value_classes import Value
from engine.viewpoints import Seat


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


def described(thing: object) -> str:
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


# ------------------------------------------------------------------ how to play
class Example(Value):
    """An example on the page of rules: a table, what players say there, and the table after it.

    It is a rule case, so that tests can play it; the page draws both tables."""

    text: str
    """The special feature of this table, and the lesson from it."""
    case: Mapping[str, Any]
    """The rule case, as a case file has it."""
    end_position: Mapping[str, Any]
    """The table after the last answer, written like the case's position; ``phase`` is the phase
    that it is in, if not the case's."""
    facts: tuple[str, ...] = ()
    """The labels of the table's facts that matter here."""


List = Literal["traits", "options", "house"]
"""A list that a chapter ends with: all traits, all options, or all house rules."""


class Chapter(Value):
    """A chapter of the page of rules. In texts, `code` is what players type; an empty line ends a
    paragraph; `* ` begins a line of a list."""

    title: str
    text: str = ""
    says: tuple[str, ...] = ()
    """The names of the ruleset's texts that this chapter repeats, for `explain` has them."""
    names: tuple[str, ...] = ()
    """The names of texts that follow as a table, each with its name."""
    orders: str = ""
    """An order that a player writes here."""
    cards: tuple[str, ...] = ()
    """Cards to draw."""
    examples: tuple[Example, ...] = ()
    lists: tuple[List, ...] = ()


# ------------------------------------------------------------------ learn by playing
class LessonStep(Value):
    """A question of a lesson's game: what it is for, and what to answer. In texts, as in a chapter,
    `code` is what players type, and an empty line ends a paragraph."""

    ask: str
    """The kind of question."""
    title: str
    text: str
    sees: Mapping[str, Any]
    """Facts, as in a rule case, that hold on the learner's table; the text is shown only then."""
    orders: tuple[str, ...]
    """The lines that the text advises."""
    ahead: Mapping[str, list[str]] = field(default_factory=dict)
    """The lines that it advises for questions that may come later in the round."""
    offers: tuple[str, ...] = ()
    """Lines that are possible too."""
    refuses: Mapping[str, str] = field(default_factory=dict)
    """Lines that are not possible now, each with a part of the reason."""
    then: Mapping[str, Any] = field(default_factory=dict)
    """Facts that hold when the learner has ordered this and is asked again."""


class Lesson(Value):
    """A first game against a bot, in which every step says what it is for."""

    table: str
    """32 hex digits, from which the cards follow."""
    rounds: int
    """The number of rounds in the lesson."""
    steps: tuple[LessonStep, ...]
    kinds: Mapping[str, str]
    """The purpose of each kind of question, for learners who play in their own way."""
    end: str
    """A summary of the lesson, for the end of the last round."""


# ------------------------------------------------------------------ the end of the game
class Score(Value):
    """The points of a seat: its rank (1 is best; seats can share one), the total and the parts."""

    seat: Seat
    rank: int
    total: int
    parts: Mapping[str, int] = field(default_factory=dict)
    tie_break: str = ""
    """The tie-break that put this seat behind the seat before it in the ranking, which has as many
    points: empty if they have different totals, ``shared`` if no tie-break decided."""


class Result(Value):
    """The final ranking, best first."""

    scores: tuple[Score, ...]

    @property
    def decided_by(self) -> str:
        """The tie-break that decided the win: empty if none was needed, ``shared`` if none decided
        it."""
        return self.scores[1].tie_break if len(self.scores) > 1 else ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1."""
        return tuple(score.seat for score in self.scores if score.rank == 1)


def ranked(
    parts: Mapping[Seat, Mapping[str, int]],
    tie_breaks: Mapping[str, Mapping[Seat, int]] | None = None,
    departed_seats: Collection[Seat] = (),
) -> Result:
    """Return the result of a game in which the most points win; seats that are equal share a rank.

    ``parts`` has the points of each seat, by the name of the part; they add up to the seat's total.
    ``tie_breaks`` has, by the name of the tie-break, a number for each seat: they decide between
    equal totals, in their order, and the greater number wins. Seats in ``departed_seats`` rank
    after all others. The scores are sorted by rank, then by seat.
    """
    breaks = tie_breaks or {}
    keys = {
        seat: (
            seat not in departed_seats,
            sum(points_by_part.values()),
            *(tie_break[seat] for tie_break in breaks.values()),
        )
        for seat, points_by_part in parts.items()
    }
    # `sorted` keeps the order of equal seats, also in reverse: so they come by letter
    order = sorted(sorted(keys), key=lambda seat: keys[seat], reverse=True)
    scores = tuple(
        Score(
            seat,
            rank=1 + sum(key > keys[seat] for key in keys.values()),
            total=sum(parts[seat].values()),
            parts=parts[seat],
            tie_break=_tie_break(keys[seat_ahead], keys[seat], breaks) if seat_ahead else "",
        )
        for seat_ahead, seat in zip(("", *order), order, strict=False)
    )
    return Result(scores)


def _tie_break(key_ahead: tuple[int, ...], key: tuple[int, ...], breaks: Collection[str]) -> str:
    """Return the name of the tie-break that decided between two seats; ``shared`` if none did,
    empty if none was needed.

    A key has whether the seat stayed in the game, its total, and a number for each tie-break in
    ``breaks``.
    """
    if key_ahead[:2] != key[:2]:
        return ""
    for name, value_ahead, value in zip(breaks, key_ahead[2:], key[2:], strict=True):
        if value_ahead != value:
            return name
    return "shared"
