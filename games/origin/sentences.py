"""The forms of all sentences in Origin, as they are offered, ordered and logged."""

from __future__ import annotations

from engine import Forms

FORMS = Forms(
    # development
    animal="[{card}] as an animal",
    trait="{card} on {sp}",
    use="{card} as {t} on {sp}",
    protects="{card}: {sp} protects {who}",
    pair="{card} as {t} on {sp} and {who}",
    # feeding: at most one of these in a turn
    eats="{sp} eats",
    attacks="{sp} attacks {who}",
    converts="{sp} converts {n} fat",
    # feeding: in addition, any of these
    robs="{sp} robs {who}",
    grazes="{sp} grazes",
    hibernates="{sp} hibernates",
    # what follows
    runs="{sp} runs",
    redirects="{sp} redirects to {who}",
    loses="{sp} loses {t}",
    spills="{sp} loses filled {t}",
    parts="{sp} loses {t} with {who}",
    yields="{sp} does not defend",
    scavenges="{sp} scavenges",
    shares="{t} from {sp} to {who}",
    rolls="{who} rolls {n}",
    done="done",
    **{"pass": "pass"},
)
"""All forms; ``trait`` is for cards with one trait, ``use`` for those with two; a pair is named
from left to right."""

SHOWING = frozenset({"trait", "use", "protects", "pair"})
"""The forms that show a card from the hand to all."""
MAINS = frozenset({"eats", "attacks", "converts"})
"""The main actions: at most one of these in a feeding turn (ruling 4.10)."""


def title(trait: str) -> str:
    """Return a trait's name as people write it."""
    return trait.replace("_", " ")
