"""Sentences, masking, views of the log."""

from __future__ import annotations

import pytest

from engine import ALL, PUBLIC, Entry, Forms, Unreadable, bare, cards_in, mask, view

FORMS = Forms(trait="[{card}] on {sp}", eats="{sp} eats", despite="{sp} attacks despite {words}")


def test_masking_keeps_the_count() -> None:
    assert mask("a draws [horns 4] [climbing 2]") == "a draws [?] [?]"
    assert cards_in("a draws [horns 4] [climbing 2]") == ["horns 4", "climbing 2"]
    assert bare("[horns 4] on a1") == "horns 4 on a1"


def test_only_the_owner_of_a_card_and_the_referee_read_its_bracket() -> None:
    entry = Entry("1.play.play.a.0", "a", "[horns 4] on a1", "line [3]", to="a")
    assert entry.masked_for("a") == entry
    assert entry.masked_for(ALL) == entry
    assert entry.masked_for("b") == Entry("1.play.play.a.0", "a", "[?] on a1", "line [?]", to="a")
    assert view([entry], PUBLIC) == [entry.masked_for("b")]
    assert view([entry, entry], "a") == [entry, entry]


def test_a_dealt_card_is_read_by_its_owner_although_chance_deals_it() -> None:
    entry = Entry("1.deal.deal.*.0", "*", "a draws [horns 4]", "chance", to="a")
    assert entry.masked_for("a").text == "a draws [horns 4]"
    assert entry.masked_for("b").text == "a draws [?]"


@pytest.mark.parametrize(
    ("text", "name", "fields"),
    [
        ("[horns 4] on a1", "trait", {"card": "horns 4", "sp": "a1"}),
        ("[?] on a1", "trait", {"card": "?", "sp": "a1"}),
        ("[ambush -3] on a1", "trait", {"card": "ambush -3", "sp": "a1"}),
        ("* eats", "eats", {"sp": "*"}),
        ("b1 attacks despite a and b", "despite", {"sp": "b1", "words": "a and b"}),
    ],
)
def test_sentences_are_read_and_said(text: str, name: str, fields: dict[str, str]) -> None:
    assert FORMS.parse(text) == (name, fields)
    assert FORMS.say(name, **fields) == text
    assert FORMS.matching(text) == [name]


@pytest.mark.parametrize(
    "text", ["", "horns 4 on a1", "[horns 4] on a1; done", "[[x]] on a1", "eats"]
)
def test_other_sentences_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        FORMS.parse(text)
