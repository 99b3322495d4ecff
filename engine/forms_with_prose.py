"""Sentences of a game: each form with its words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine.presentation import Use
from engine.sentences.forms import Forms


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
