"""All sentences in Evolution: as they are offered, ordered and logged, and as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from engine import Sentence, Sentences
from games.evolution.phases.play_cards import PLAY

FOOD = Sentence(
    "food",
    "[{card}]",
    deed="{name} puts {card} face down at the Watering Hole",
    ordered="{card} to the Watering Hole",
    card="face down",
    use="To the Watering Hole",
    target="put it down",
)
LEAF = Sentence(
    "leaf",
    "{t} of {sp}",
    deed="{t} of {sp} acts next",
    ordered="{t} of {sp} first",
    use="First",
    target="{t} of {sp}",
)
FEEDING = (
    Sentence(
        "eats",
        "{sp} eats",
        deed="{sp} eats",
        changes={"food": 1, "watering hole": -1},
        use="Eat plant food",
        target="{sp}",
    ),
    Sentence(
        "attacks",
        "{sp} attacks {who}",
        deed="{sp} attacks {who}",
        use="Attack",
        target="{sp} attacks {who}",
    ),
    Sentence(
        "despite",
        "{sp} attacks {who} despite {words}",
        deed="{sp} attacks {who} despite {words}",
        use="Attack",
        target="{sp} attacks {who} despite {words}",
    ),
    Sentence(
        "thinks",
        "{sp} thinks for {card}",
        deed="{name} discards {card}: {sp} uses its Intelligence",
        ordered="{card} for the Intelligence of {sp}",
        card="face up",
        use="Intelligence",
    ),
    Sentence(
        "pay",
        "discard {card}",
        deed="{name} discards {card}",
        card="face up",
        use="Pay",
        target="discard it",
    ),
    Sentence("pass", "pass", deed="{name} passes"),
)

SENTENCES = Sentences(*PLAY.sentences, FOOD, *FEEDING, LEAF)
FORMS = SENTENCES.forms


def split_names(words: str) -> list[str]:
    """Split names joined as in ``climbing and horns`` into a list."""
    return words.split(" and ")


def join_names(names: Iterable[str]) -> str:
    """Join names as in ``climbing and horns``, always in alphabetical order."""
    return " and ".join(sorted(names))
