"""What a draft offers for the questions that may still come in this round: real choices, or nothing
at all."""

from __future__ import annotations

import re

import pytest

from pbem.drafts.read_order_file import read_draft
from pbem.drafts.write_draft import write_draft
from tests.kit.positions import position, positions

OFFER = re.compile(r'^    # "([^"]+)",', re.MULTILINE)
EMPTY = re.compile(r"(#   examples from this game: .+\n)?^(\w+) = \[\]$", re.MULTILINE)


def draft_choices(draft: str, kind: str) -> list[str]:
    """The choices that a draft offers for a kind; none if it does not list the kind."""
    found = re.search(rf"^{kind} = \[\n(.*?)^\]", draft, re.MULTILINE | re.DOTALL)
    return OFFER.findall(found[1]) if found else []


@pytest.mark.sample(9)
@pytest.mark.parametrize(("name", "seed", "stop"), positions(5))
def test_each_list_of_a_draft_has_a_choice_or_an_example(name: str, seed: int, stop: int) -> None:
    view = position(name, seed, stop)
    draft = write_draft(view)
    for found in EMPTY.finditer(draft):
        assert found[1], f"{found[2]} has neither a choice nor an example"
    for kind in view.play.ruleset.kinds:
        assert draft_choices(draft, kind) != [view.play.ruleset.kinds[kind].ends] or kind in {
            one for kinds in view.awaited.values() for one in kinds
        }


def test_leaf_traits_are_offered_as_they_may_come() -> None:
    """First those that the hand could bring; with cards to play, exactly those that are played."""
    view = next(
        view
        for seed in range(40)
        if (view := position("climate", seed, 0, "a")).awaited.get("a") == ["food"]
        and any(card.startswith("long_neck") for card in view.table.state.hands["a"])
    )
    card = next(c for c in view.table.state.hands["a"] if c.startswith("long_neck"))
    assert "long neck of a1" in draft_choices(write_draft(view), "leaf")
    plays = f'play = ["{card} on a1", "done"]\n'
    leaf = 'leaf = ["long neck of a1", "done"]\n'
    other = next(c for c in view.table.state.hands["a"] if c != card)
    nothing = f'food = ["{other}"]\nplay = ["done"]\n'
    assert not errors(view, f'food = ["{other}"]\n{plays}{leaf}')
    assert errors(view, nothing + leaf) == ["PBEM-ORD-021"]


def errors(view, text: str) -> list[str]:
    return [note.code for note in read_draft(text, view).notes if note.level == "error"]


def test_payments_are_cards_that_are_left() -> None:
    view = position("evolution", 1, 0, "a")
    hand = view.table.state.hands["a"]
    assert draft_choices(write_draft(view), "pay") == [
        f"discard {card.replace('_', ' ')}" for card in dict.fromkeys(hand)
    ]


@pytest.mark.parametrize("name", ["evolution", "climate"])
def test_what_is_past_is_not_offered(name: str) -> None:
    """In the feeding, nothing of the phases before it."""
    view = next(
        view
        for seed in range(30)
        if [(view := position(name, seed, 60 + seed)).awaited.get(view.seat)] == [["feed"]]
    )
    draft = write_draft(view)
    assert draft_choices(draft, "feed")
    assert not any(re.search(rf"^{kind} = \[", draft, re.MULTILINE) for kind in ("food", "play"))
    before, _, _ = draft.partition("[always]")
    assert "leaf = [" not in before
