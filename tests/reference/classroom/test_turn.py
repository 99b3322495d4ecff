"""A turn of the course's game, played by both implementations."""

from __future__ import annotations

import pytest

from tests.reference.classroom.tables import Game
from tests.reference.classroom.turn import (
    choice_phase,
    end_phase,
    next_deal,
    play_feeding_rounds,
    trait_phase,
)
from tests.reference.seeds import is_short, repeatable, seeds

ALL_KINDS = {
    "eats", "attacks", "stores", "decline", "leave", "draws", "board", "left", "population", "body",
    "instead", "on",
}  # fmt: skip
"""Words of all kinds of sentences; every run has to use each of them."""


def play_turn_and_deal(game: Game) -> None:
    """Play the turn and the next deal; both implementations must come to the same table."""
    for phase in (choice_phase, trait_phase, play_feeding_rounds, end_phase):
        phase(game.model)
    goes_on = next_deal(game.model)
    assert bool(game.table.open_decisions) == goes_on
    game.compare()
    game.compare_scores()


@pytest.mark.parametrize("seeds", seeds(50, 600), ids=len)
def test_both_implementations_of_classroom_play_the_same_turn(seeds: range) -> None:
    seen = set[str]()
    for seed in seeds:
        game = Game(seed)
        with repeatable(seed, lambda game=game: game):
            play_turn_and_deal(game)
        seen.update(word.strip(";:") for text in game.said for word in text.split())
    assert not is_short(seeds) or seen >= ALL_KINDS
