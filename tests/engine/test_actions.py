"""Actions list their options in order, and sentences know which cards they show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine import Action, Actions, Listing, Prose, Sentence, Sentences
from engine.sentences.sentence_forms import Unreadable


class Hand:
    """Two cards."""

    cards = ("horns 4", "fertile 2")


class Stop(Action[Any, Hand]):
    """Nothing more is done."""

    sentences = (Sentence("done", "done"),)

    def offer(self, state: Any, seat: str, hand: Hand, listing: Listing) -> None:
        listing.sentences.append("done")


class Cover(Action[Any, Hand]):
    """A card covers another."""

    sentences = (
        Sentence("cover", "[{card}] on {card2}", card="face down", removed_card_field="card2"),
    )

    def offer(self, state: Any, seat: str, hand: Hand, listing: Listing) -> None:
        listing.by_way.append(("[?] on climbing 3", hand.cards))


class Throw(Action[Any, Hand]):
    """A card is thrown away, in one of two directions."""

    sentences = (
        Sentence("up", "{card}: up", deed="{card} flies", changes={"up": 1}, card="face up"),
        Sentence("down", "{card}: down", ordered="down with {card}", card="face up"),
    )

    def offer(self, state: Any, seat: str, hand: Hand, listing: Listing) -> None:
        listing.by_card += [("?: up", hand.cards), ("?: down", hand.cards)]


ACTIONS = Actions(Stop(), Throw(), Cover())
SENTENCES = Sentences(*ACTIONS.sentences, Sentence("eats", "{sp} eats"))


def test_options_that_use_a_card_are_listed_last_together_card_by_card():
    assert list(ACTIONS.offers(None, "a", Hand())) == [
        "done", "[horns 4] on climbing 3", "[fertile 2] on climbing 3", "horns 4: up",
        "horns 4: down", "fertile 2: up", "fertile 2: down",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "action"), [("done", Stop), ("up", Throw), ("down", Throw), ("cover", Cover)]
)
def test_each_form_means_one_action(form: str, action: type):
    assert isinstance(ACTIONS.action_of(form), action)


def test_other_forms_mean_no_action():
    assert ACTIONS.action_of("eats") is None
    assert ACTIONS.card_forms == {"up", "down", "cover"}


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("horns 4: up; [fertile 2] on climbing 3; horns 4: down; done", ["horns 4", "horns 4"]),
        ("[fertile 2] on climbing 3", []),
        ("a1 eats", []),
        ("a draws [?] [?]", []),
        ("a1.2 is horns 4", []),
    ],
)
def test_a_sentence_shows_the_cards_that_it_lays_open(text: str, cards: list[str]):
    assert SENTENCES.cards_shown(text) == cards


def test_a_set_of_sentences_collects_the_prose_and_the_forms_of_each():
    said: Mapping[str, Mapping[str, int]] = {"up": {"up": 1}}
    words = Prose(SENTENCES.deeds, SENTENCES.ordered, reported_changes=SENTENCES.changes)
    assert words == Prose(
        {"up": "{card} flies"}, {"down": "down with {card}"}, reported_changes=said
    )
    assert SENTENCES.removed_card_fields == {"cover": "card2"}
    assert SENTENCES.forms.parse("horns 4: up") == ("up", {"card": "horns 4"})
    with pytest.raises(Unreadable):
        SENTENCES.forms.parse("horns 4: left")
