"""Actions: what players may do in a phase, each as one class.

A rule is read best in one place. An `Action` holds what the rulebook says in one paragraph: who may
do what, and what it does. Its sentence is a `Sentence` of `engine/sentences/sentence_forms.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar

from engine.log import Seat
from engine.ruleset import S, Tag
from engine.sentences.lazy_card_options import Offers, Way
from engine.sentences.sentence_forms import Sentence


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
