"""A turn of Origin, played by both implementations: from its beginning, or from feeding on."""

from __future__ import annotations

import pytest

from tests.reference.origin.development import development_phase, food_phase
from tests.reference.origin.ending import extinction_phase
from tests.reference.origin.feeding import play_feeding_phase
from tests.reference.origin.tables import Game
from tests.reference.seeds import is_short, repeatable, seeds

WORDS = {
    "development": {"as", "on", "and", "protects", "rolls", "draws", "pass"},
    "feeding": {
        "eats", "attacks", "converts", "robs", "grazes", "hibernates", "runs", "redirects", "loses",
        "filled", "with", "does", "scavenges", "cooperation", "communication", "draws", "pass",
        "done",
    },
}  # fmt: skip
"""Words of all kinds of sentences; every run has to use each of them."""


def play_turns_from(seeds: range, phase: str) -> None:
    """Play turns from this phase on; both must ask the same and come to the same table."""
    seen = set[str]()
    for seed in seeds:
        game = Game(seed, phase)
        with repeatable(seed, lambda game=game: game):
            if phase == "development":
                development_phase(game.model)
                food_phase(game.model)
            play_feeding_phase(game.model)
            extinction_phase(game.model)
            game.compare()
            game.compare_scores()
        seen.update(word for text in game.said for word in text.split())
    assert not is_short(seeds) or seen >= WORDS[phase]


@pytest.mark.parametrize("seeds", seeds(15, 250), ids=len)
def test_both_implementations_of_origin_play_the_same_turn(seeds: range) -> None:
    play_turns_from(seeds, "development")


@pytest.mark.long
@pytest.mark.parametrize("seeds", seeds(80, 700), ids=len)
def test_both_implementations_of_origin_feed_alike(seeds: range) -> None:
    play_turns_from(seeds, "feeding")
