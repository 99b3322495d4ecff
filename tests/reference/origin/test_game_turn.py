"""Feeding, extinction and scores of Origin, played by both implementations."""

from __future__ import annotations

import pytest

from tests.reference.origin.ending import extinction_phase
from tests.reference.origin.feeding import feeding_phase
from tests.reference.origin.tables import Game
from tests.reference.seeds import repeatable, seeds

ALL_KINDS = {
    "eats", "attacks", "converts", "robs", "grazes", "hibernates", "runs", "redirects", "loses",
    "filled", "with", "scavenges", "cooperation", "communication", "draws", "pass", "done",
}  # fmt: skip
"""Words of all kinds of sentences; every run has to use each of them."""


def play(game: Game) -> None:
    """Play the turn; both implementations must ask the same and come to the same table."""
    feeding_phase(game.model)
    extinction_phase(game.model)
    game.compare()
    game.compare_scores()


@pytest.mark.parametrize("seeds", seeds(80, 1500), ids=len)
def test_both_implementations_play_the_same_turn(seeds: range) -> None:
    seen = set[str]()
    for seed in seeds:
        game = Game(seed)
        with repeatable(seed, lambda game=game: game):
            play(game)
        seen.update(word for text in game.said for word in text.split())
    assert len(seeds) == 1 or seen >= ALL_KINDS
