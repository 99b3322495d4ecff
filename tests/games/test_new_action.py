"""What players may do with their cards is one class: this file adds one to Evolution and plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine import ALL, Actions, Listing, Ruleset, Seat, Sentence, Sentences, Tag, why_not
from games.evolution import rules
from games.evolution.change_table import new_species, spend
from games.evolution.phases.play_cards import (
    DropTrait,
    EndTurn,
    Fields,
    Grow,
    NewSpecies,
    PlayAction,
    PlayTrait,
    play_all,
    play_decision,
    play_options,
)
from games.evolution.presentation import prose
from games.evolution.sentences import FEEDING, FOOD, LEAF
from games.evolution.table import Hand, State
from pbem.terminal.game_prose import Teller
from tests.properties.laws import play_lawful_games


class Shrink(PlayAction):
    """A card is discarded face up: a species shrinks by 1 in body size."""

    sentences = (
        Sentence(
            "shrinks",
            "{card}: {sp} shrinks",
            deed="{name} discards {card}: {sp} shrinks",
            ordered="{card} to shrink {sp}",
            changes={"body": -1},
            card="face up",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        for species in state.rows[seat]:
            if species.body > 1:
                listing.by_card.append((f"?: {species.name} shrinks", hand.cards))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        return f"{fields['sp']} is as small as a species can be"

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        spend(state, seat, fields["card"])
        state.creature_named(fields["sp"]).body -= 1


PLAY = Actions(EndTurn(), DropTrait(), NewSpecies(), Grow(), PlayTrait(), Shrink())
SENTENCES = Sentences(*PLAY.sentences, FOOD, *FEEDING, LEAF)


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Evolution's table, at which species can shrink."""
    state = rules.setup(ruleset, seats, options)
    state.book = replace(state.book, play=PLAY, sentences=SENTENCES)
    return state


SHRINKING: Ruleset[Any] = rules.EVOLUTION.extend(
    name="shrinking", setup=setup, forms=SENTENCES.forms, prose=partial(prose, SENTENCES)
)


def table_to_shrink_on() -> State:
    """A table on which seat a has two cards, and a species with body 1."""
    state = SHRINKING.game("ab").start()
    new_species(state, "a")
    state.hands["a"] = ["fertile 4", "horns 2"]
    return state


def refusal(state: State, text: str) -> str | None:
    return why_not(play_decision(state, "a"), text, ALL, SHRINKING.vocabulary)


def test_a_new_action_is_offered_last_refused_with_its_reason_and_carried_out():
    state = table_to_shrink_on()
    assert not any("shrinks" in option for option in play_options(state, "a"))
    assert refusal(state, "horns 2: a1 shrinks") == "a1 is as small as a species can be"
    assert refusal(state, "horns 7: a1 shrinks") == "horns 7 is not in your hand"
    assert refusal(state, "horns 2: b1 shrinks") == "there is no b1 on the table"
    play_all(state, "a", ["fertile 4: a1 body"], (1, 0))
    assert list(play_options(state, "a"))[-1] == "horns 2: a1 shrinks"
    play_all(state, "a", ["horns 2: a1 shrinks"], (2, 0))
    assert state.creature_named("a1").body == 1
    assert (state.hands["a"], state.discards) == ([], ["fertile 4", "horns 2"])


def test_a_new_action_is_told_and_shown_by_its_sentence_alone():
    state, teller = table_to_shrink_on(), Teller(SHRINKING, {"a": "Ann"})
    assert SHRINKING.shows(state, "horns 2: a1 shrinks; done") == ["horns 2"]
    told = teller.deed_sentence("play", "a", "horns 2: a1 shrinks")
    assert told == "Ann discards horns 2: a1 shrinks"
    assert teller.order("horns 2: a1 shrinks") == "horns 2 to shrink a1"
    assert SHRINKING.prose().reported_changes["shrinks"] == {"body": -1}


@pytest.mark.sample(0)
def test_a_game_with_a_new_action_keeps_the_five_laws():
    counts: Counter[str] = Counter()
    for players in (2, 6):
        counts += play_lawful_games(SHRINKING, players, range(2))
    assert counts["cards shown"] > 20
