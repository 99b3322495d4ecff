"""The rules of a game as one value, a `Ruleset`. ``extend`` makes a new ruleset from another."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.decisions import DONE, Decision, Rules
from engine.hooks import Kits
from engine.log import Seat
from engine.result_by_points_and_tie_breaks import Result
from engine.rules_page_and_lesson import Chapter, Lesson
from engine.scene_prose_and_drawings import Drawings, Prose, Scene
from engine.sentences.order_line_matching import Line, OrderSet
from engine.sentences.ready_lines import ReadyLine, ReadyLines
from engine.sentences.sentence_forms import Forms
from engine.sentences.stop_lines import STOP, StopLine, StopLines, Watch
from engine.value_classes import Value

if TYPE_CHECKING:
    from random import Random

Tag = tuple[int, int]
"""The place where a face-down card was put down: number of the log entry, number of its bracket."""


class State(Protocol):
    """The engine's requirements for a game's state: plain data with a ``clone`` method."""

    scope: str
    """The present ``round.phase``, within which decisions are numbered."""
    entry: int
    """The number of the log entry (of the first of a wave) whose answer the rules have just
    received."""
    round: int

    def clone(self, viewpoint: Seat) -> Any:
        """Return a copy in which everything that this viewpoint may not see is unknown."""

    def cards(self) -> Iterator[str]:
        """Return every card that is not in a deck; unknown cards are ``?``."""

    def total(self) -> int:
        """Return the number of all cards, including those in decks; it never changes during a
        game."""

    def stray_tokens(self) -> int:
        """Return the number of tokens that are neither in the bank nor on the table; it must be
        0."""


S = TypeVar("S", bound=State)


class Bot(Protocol):
    """The engine's requirements for a bot."""

    sees: bool
    """Whether the bot looks at the state at all; if not, no copy of the state is made for it."""

    def choose(
        self, state: Any, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose one of the options.

        ``state`` is a copy with only what the decision's seat may see; the bot may change it. A
        script is chosen step by step until ``done``; ``steps`` are the steps so far, which the
        state does not show yet.
        """


Factory: TypeAlias = "Callable[[Random], Bot]"
"""A function that makes a bot from the random numbers that the bot may use."""


class Phase(Value, Generic[S]):
    """A phase of the rulebook: its name (part of every key) and the generator that plays it."""

    name: str
    run: Callable[[S], Rules]
    doc: str = ""


class QuestionKind(Value):
    """A kind of question that seats are asked, which is also a key of an order file."""

    name: str
    question: str
    script: bool = False
    """Whether order lines are carried out one after the other; if not, only the first that fits
    counts."""
    suggestion: str = ""
    """The standing order that a first draft suggests, if any."""
    ends: str = DONE
    """For scripts: the line after which nothing more is carried out."""
    cards: bool = False
    """Whether the question is about cards in hand, which players choose anew in each round.
    Standing orders can answer every other question of a round."""
    phase: str = ""
    """The phase that asks this question; empty if several do. In later phases, drafts omit it."""

    @property
    def one_answer(self) -> bool:
        """Whether one line is the whole answer of a round: a card, and no list of steps."""
        return self.cards and not self.script


class Option(Value):
    """A variant of the rules, which the charter chooses for the whole game."""

    name: str
    doc: str
    values: tuple[str, ...] = ("no", "yes")
    by_mail: str = ""
    """The value for new games by mail, if it differs from the default; it makes them shorter.

    `new` writes it into the charter, where everybody sees it: so no other part of pbem contains a
    rule, and old games stay as they are."""

    @property
    def default(self) -> str:
        """The value if the charter does not set the option."""
        return self.values[0]


class Text(NamedTuple):
    """The explanation of a card, a phase or a term, in our own words, for ``explain``."""

    title: str
    body: str
    source: str
    house: str = ""
    """Our rulings where the rulebook leaves a question open; may be empty."""


class Positions(Value, Generic[S]):
    """The functions with which a rule case sets up a table in mid-game and reads it back."""

    read: Callable[[S, Mapping[str, Any]], Mapping[str, list[str]]]
    """Sets up the table as the mapping describes; returns the decks, top card first.

    Raises ValueError, with a sentence, for an impossible position.
    """
    facts: Callable[[S], Mapping[str, Any]]
    """Reads the table as plain values; a list is compared in its order, a tuple in any order."""


class CardFile(Value):
    """The functions with which owners of the printed game enter the printed values."""

    read: "Callable[[Mapping[str, Any]], Ruleset[Any]]"
    """Returns the ruleset with the values of a parsed TOML file. Raises ValueError, which says what
    is wrong and where."""
    template: Callable[[], str]
    """Returns a file to fill in: comments, and the package's values."""


# ---- The rules of a game


class Ruleset(Value, Generic[S], kw_only=True):
    """All rules of a game as one value; the engine plays them without knowing which game they are.

    Fields that are functions without arguments are lazy: their modules are imported only when
    needed.
    """

    # ---- which game it is
    name: str
    title: str
    about: str = ""
    """A description on one line, for people who choose a game."""
    version: str = "1"
    """The version of the rules; raise it when the code plays differently, because a game keeps the
    rules that it began with."""
    players: range
    options: tuple[Option, ...] = ()

    # ---- how it is played
    decks: Mapping[str, tuple[str, ...]]
    """The printed cards of every deck."""
    kits: Kits[Any] | None = None
    """The compiled traits, which ``setup`` puts into the state."""
    setup: "Callable[[Ruleset[S], str, Mapping[str, str]], S]"
    """Makes the state before the first entry, from the seats' letters in clockwise order and the
    options."""
    opening: Phase[S]
    phases: tuple[Phase[S], ...]
    over: Callable[[S], bool]
    """Whether the game is over; asked before each round."""
    result: Callable[[S], Result]

    # ---- what is said
    forms: Forms
    """The forms of every sentence that a seat may be offered; the engine has those of chance and
    facts."""
    kinds: Mapping[str, QuestionKind]
    """Every kind of question, by its name."""
    words: frozenset[str] = frozenset()
    """The words besides cards that ``?`` in an option may stand for."""
    ready: tuple[ReadyLine, ...] = ()
    """The ready lines: orders in words, for people who do not want to list every case."""
    stops: tuple[StopLine, ...] = ()
    """The stop lines: conditions under which standing orders stop and their seat is asked again."""
    harms: frozenset[str] = frozenset()
    """The forms that harm the piece ``{who}``: people are warned if a star fits one of their own
    pieces."""
    trait_forms: frozenset[str] = frozenset()
    """The forms that give a piece a trait: their field ``{t}`` or, without one, the first word of
    ``{card}``. Studies count who plays which trait."""
    early_decision: Callable[[S, Seat, str, Mapping[str, Sequence[str]]], Decision | None] = (
        lambda _state, _seat, _kind, _earlier_lines: None
    )
    """Makes the decision of a kind before the seat is asked, in the state after the earlier lines
    of the seat's orders; gives None if nothing can be said yet. Lines of a script are checked
    against the decision; for other kinds it only lists choices to start from."""
    turned_up: Callable[[S, str, int], list[tuple[Tag, str]]] = lambda _state, _text, _entry: []
    """Gives the face-down cards that a sentence turns face up, each as a tag and a text, from the
    state before the sentence and the number of its entry: one script may put a card down and then
    show it. May raise ImpossibleStep for a sentence that is not possible in this state."""
    shows: Callable[[S, str], list[str]] = lambda _state, _text: []
    """Gives the cards that leave the hand of a sentence's seat for all to see, from the state
    before the sentence; equal cards are repeated. Cards in brackets and those in ``turned_up`` are
    not among them. It is called for every sentence except those of chance, and gives the same on
    every table (law 5). The form of a sentence alone does not tell: a card that it names may be on
    the table already. Facts are asked about too, so that a hand can be shown without a choice."""

    turning: Callable[[S], Sequence[Tag]] | None = None
    """Gives the tags of all face-down cards that turn up now, before any seat is asked again; it is
    asked where a card is revealed (see `reveal`). Whoever must ask for the names of hidden cards
    asks once for all of them. None if the ruleset cannot be played with slots (see
    `SlotReferee`)."""

    # ---- what people read
    scene: Callable[[S], Scene]
    """The table as plain data for a screen, as seen from the state's viewpoint."""
    prose: Callable[[], Prose] = Prose
    """The templates that turn the game's sentences into prose."""
    eaten: "Callable[[S], Mapping[str, int]]" = lambda _state: {}
    """The amount that each piece on the table has eaten since the game began. From it, people learn
    about food that is given out and swept away between two questions."""
    about_piece: Callable[[S, str], Sequence[str]] = lambda _state, _name: ()
    """Sentences on the piece with this name: what it lacks, who can attack it and whom it can
    attack, as far as the state's viewpoint may know; for ``explain``."""
    drawings: Callable[[], Drawings] = Drawings
    """Icons for the cards, and how facts are counted in pictures."""
    texts: Callable[[], Mapping[str, Text]] = dict
    """The texts for ``explain``, by the name of a card, a phase or a term."""
    how_to_play: Callable[[], Sequence[Chapter]] = tuple
    """The page of rules, for people who have never played the game."""
    lesson: Callable[[], Lesson | None] = lambda: None
    """A first game that teaches the rules."""

    # ---- values that are printed in the box and that its owner may enter
    values: tuple[str, ...] = ()
    """Values besides the cards that the code reads from data files, as texts, so that the digest
    covers them."""
    notes: str = ""
    """A warning for players about the values; this text becomes part of the charter."""
    card_file: CardFile | None = None
    """Set if a game may have its own file of values."""

    # ---- who else plays it, and what proves it
    bots: Mapping[str, Factory] = field(default_factory=dict)
    """The ruleset's own bots by name; ``engine.make_and_ask_bots.bot_factories`` adds ``random``,
    which plays every ruleset."""
    positions: Callable[[], Positions[S]] | None = None
    """The functions with which rule cases set up a table."""

    __eq__, __hash__ = object.__eq__, object.__hash__

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The cards and the words: everything that ``?`` may mean."""
        return self.words.union(*self.decks.values())

    @cached_property
    def ready_lines(self) -> ReadyLines:
        """The ready lines, in a form that reads and finds them."""
        return ReadyLines(self.ready)

    @cached_property
    def stop_lines(self) -> StopLines:
        """The stop lines, in a form that reads them."""
        return StopLines(self.stops)

    def orders(
        self, seat: Seat, in_round: int, lines: Sequence[Line], state: Any = None
    ) -> OrderSet:
        """Return the order lines of a seat that count in that round; none of them has been used
        yet.

        ``state`` is the state when the lines are accepted; only stop lines read it.
        """
        scripts = {name for name, kind in self.kinds.items() if kind.script}
        stops = self.stops_in(lines)
        watch = Watch(stops, seat, state) if stops else None
        return OrderSet(seat, in_round, lines, scripts, self.vocabulary, self.ready_lines, watch)

    def stops_in(self, lines: Sequence[Line]) -> list[tuple[StopLine, str]]:
        """Return the stop lines among the standing orders, each with its argument (empty if it has
        none)."""
        texts = [line.text for line in lines if line.kind == STOP and line.always]
        return [stop_line for text in texts if (stop_line := self.stop_lines.read(text))]

    def extend(
        self, *, phases: Mapping[str, Phase[S]] | None = None, **changes: Any
    ) -> "Ruleset[S]":
        """Return the ruleset with some fields replaced and some phases replaced by name.

        A lesson is about the cards of one ruleset, so the new one has none unless it is given.
        Raises KeyError for a phase that the ruleset does not have.
        """
        new_phases = dict(phases or {})
        chain = tuple(new_phases.pop(phase.name, phase) for phase in self.phases)
        if new_phases:
            raise KeyError(f"{self.name} has no phase {', '.join(sorted(new_phases))}")
        return replace(self, phases=chain, **{"lesson": lambda: None, **changes})

    def traits_given(self, text: str) -> Iterator[str]:
        """Yield the traits that a sentence, or the steps of a script, gives to pieces."""
        for step in text.split("; ") if self.trait_forms else ():
            form, fields = self.forms.read(step)
            if form in self.trait_forms:
                yield fields.get("t") or fields["card"].partition(" ")[0]

    def game(self, seats: str, options: Mapping[str, str] | None = None) -> "Game[S]":
        """Return the game: this ruleset with its seats and options fixed.

        ``seats`` has one letter for each player. Options that are not given have their defaults.
        Raises ValueError for a number of seats, an option or a value that the ruleset does not
        know.
        """
        if len(seats) not in self.players:
            max_players = self.players[-1]
            raise ValueError(f"{self.name} is for {self.players[0]} to {max_players} players")
        value_by_name = {option.name: option.default for option in self.options}
        allowed_values = {option.name: option.values for option in self.options}
        for name, value in (options or {}).items():
            if name not in allowed_values:
                raise ValueError(
                    f"the rules of {self.name} have no option {name!r}; the options are: "
                    f"{_comma_list([*allowed_values])}"
                )
            if value not in allowed_values[name]:
                raise ValueError(
                    f"the option {name!r} of the rules cannot be {value!r}; it can be: "
                    f"{_comma_list(allowed_values[name])}"
                )
            value_by_name[name] = value
        return Game(self, seats, value_by_name)


def _comma_list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


class Game(Generic[S]):
    """A ruleset with its seats (letters in clockwise order) and the options of the charter."""

    def __init__(
        self, ruleset: Ruleset[S], seats: str, options: Mapping[str, str] | None = None
    ) -> None:
        self.ruleset, self.seats, self.options = ruleset, seats, options or {}

    def start(self) -> S:
        """Return the state before the first entry."""
        return self.ruleset.setup(self.ruleset, self.seats, self.options)

    def play(self, state: S, start: str = "") -> Rules:
        """Play the whole game, as one generator: the opening, then rounds of phases.

        With ``start``, the state is a position in the middle of a round, and play begins with the
        phase of that name. Raises KeyError if there is no such phase. The generator changes the
        state; it ends when the game is over, which is asked before each round.
        """
        phases = self.ruleset.phases
        if start:
            names = [phase.name for phase in phases]
            if start not in names:
                raise KeyError(start)
            phases = phases[names.index(start) :]
        else:
            state.scope = f"0.{self.ruleset.opening.name}"
            yield from self.ruleset.opening.run(state)
            state.round = 1
        while not self.ruleset.over(state):
            for phase in phases:
                state.scope = f"{state.round}.{phase.name}"
                yield from phase.run(state)
            state.round += 1
            phases = self.ruleset.phases  # only the first round can begin in its middle
