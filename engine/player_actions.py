"""Actions: what players may do in a phase, each as one class; and sentences with all their words.

A rule is read best in one place. A `Sentence` holds the form of a sentence and how people read it;
an `Action` holds what the rulebook says in one paragraph: who may do what, and what it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from engine.presentation import Use
from engine.ruleset import S, Tag
from engine.sentences.forms import Forms
from engine.sentences.lazy_card_options import Offers, Way
from engine.viewpoints import Seat


# ------------------------------------------------------------------ sentences
class Sentence(NamedTuple):
    """One form of sentences, and everything that depends on the form alone."""

    form: str
    template: str
    """The sentence with its fields, in options, orders and the log (see `Forms`)."""
    deed: str = ""
    """Its prose in the log (see `Prose.deeds`)."""
    ordered: str = ""
    """Its prose in orders (see `Prose.orders`)."""
    changes: Mapping[str, int] = {}
    """The changes that the sentence itself reports (see `Prose.reported_changes`)."""
    card: Literal["", "face up", "face down"] = ""
    """The visible side of ``{card}`` when it leaves the hand; empty if it does not leave it."""
    removed_card_field: str = ""
    """The field of a card that is taken off a piece on the table, where it may lie face down."""
    use: str = ""
    """The heading of its row in a list of what a card or a piece can do (see `Prose.uses`)."""
    target: str = ""
    """What a choice in this row is called; usually left out (see `Use`)."""
    is_loss: bool = False
    """Whether the player only loses something by such a choice. Pages then ask first."""


class Sentences:
    """All sentences of a game: their forms, and their words for `Prose`."""

    def __init__(self, *sentences: Sentence) -> None:
        """Sort what each sentence says about itself into tables by form."""
        self.forms = Forms(**{x.form: x.template for x in sentences})
        self.deeds = {x.form: x.deed for x in sentences if x.deed}
        self.ordered = {x.form: x.ordered for x in sentences if x.ordered}
        self.changes = {x.form: x.changes for x in sentences if x.changes}
        self.removed_card_fields = {
            x.form: x.removed_card_field for x in sentences if x.removed_card_field
        }
        self.uses = {x.form: Use(x.use, x.target, x.card, x.is_loss) for x in sentences if x.use}
        self._face_up = frozenset(x.form for x in sentences if x.card == "face up")

    def cards_shown(self, text: str) -> list[str]:
        """Return the cards that leave the hand face up, in the order of the sentence.

        Every step of a script counts. A sentence of chance or a fact shows no card of a hand.
        """
        steps = [self.forms.read(step) for step in text.split("; ")]
        return [fields["card"] for form, fields in steps if form in self._face_up]


# ------------------------------------------------------------------ actions
class Cards(Protocol):
    """A hand that a game has prepared for its actions."""

    cards: Sequence[str]
    """The different cards of the hand."""


H = TypeVar("H", bound=Cards)


class Listing:
    """Collects the options of a phase from its actions (see `Offers`)."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        """Sentences in which no card is left to fill in."""
        self.by_way: list[Way] = []
        """Ways to use cards that are listed way by way, each with all its cards."""
        self.by_card: list[Way] = []
        """Ways to use cards that are listed card by card, each card with all its ways; they come
        after those in ``by_way``."""


class Action(Generic[S, H]):
    """One thing that players may do in a phase; its docstring says it as the rulebook does.

    It can have several sentences, which differ only in a detail; ``form`` tells which one it was.
    """

    sentences: ClassVar[tuple[Sentence, ...]]

    def offer(self, state: S, seat: Seat, hand: H, listing: Listing) -> None:
        """Add what the seat may do now to the options."""
        raise NotImplementedError

    def why_not(self, state: S, seat: Seat, form: str, fields: Mapping[str, str]) -> str | None:
        """Say why a sentence of this action is not offered."""
        raise NotImplementedError

    def do(self, state: S, seat: Seat, form: str, fields: Mapping[str, str], tag: Tag) -> None:
        """Carry it out; ``tag`` is the tag of the first bracket of the sentence."""
        raise NotImplementedError


class Actions(Generic[S, H]):
    """The actions of one phase.

    Options are listed in the order of the actions. Bots choose by position, so another order
    changes games.
    """

    def __init__(self, *actions: Action[S, H]) -> None:
        self.sentences = tuple(sentence for action in actions for sentence in action.sentences)
        self.card_forms = frozenset(x.form for x in self.sentences if x.card)
        """The forms that use a card of the hand."""
        self._by_form = {x.form: action for action in actions for x in action.sentences}
        self._actions = actions

    def action_of(self, form: str) -> Action[S, H] | None:
        """Return the action that a sentence of this form means; None if it means none of them."""
        return self._by_form.get(form)

    def offers(self, state: S, seat: Seat, hand: H) -> Offers:
        """Return everything that the seat may do now."""
        listing = Listing()
        for action in self._actions:
            action.offer(state, seat, hand, listing)
        return Offers(hand.cards, listing.sentences, listing.by_way, listing.by_card)
