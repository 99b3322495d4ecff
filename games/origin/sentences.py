"""All sentences in Origin: as they are offered, ordered and logged, and as people read them."""

from __future__ import annotations

from engine import Sentence, Sentences

DEVELOPMENT = (
    Sentence(
        "animal",
        "[{card}] as an animal",
        deed="{name} lays down {card} as a new animal",
        ordered="{card} as a new animal{new}",
        card="face down",
        use="New animal",
        target="lay it down",
    ),
    Sentence(
        "trait", "{card} on {sp}", deed="{name} gives {sp} {card}", card="face up", use="Trait"
    ),
    Sentence(
        "use",
        "{card} as {t} on {sp}",
        deed="{name} gives {sp} {t} (the card is {card})",
        ordered="{t} on {sp} (the card is {card})",
        card="face up",
        use="As {t}",
    ),
    Sentence(
        "protects",
        "{card}: {sp} protects {who}",
        deed="{name} plays {card}: {sp} protects {who}",
        card="face up",
        use="Symbiosis",
        target="{sp} protects {who}",
    ),
    Sentence(
        "pair",
        "{card} as {t} on {sp} and {who}",
        deed="{name} links {sp} and {who} by {t} (the card is {card})",
        ordered="{t} on {sp} and {who} (the card is {card})",
        card="face up",
        use="As {t}",
        target="{sp} and {who}",
    ),
)
"""``trait`` is for cards with one trait, ``use`` for those with two; a pair is named from left to
right."""
FEEDING = (
    # at most one of these in a turn
    Sentence(
        "eats",
        "{sp} eats",
        deed="{sp} eats",
        changes={"food": 1, "red": 1, "food bank": -1},
        use="Eat food",
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
        "converts",
        "{sp} converts {n} fat",
        deed="{sp} turns {n} fat into food",
        ordered="{sp} turns {n} fat into food",
        use="Turn fat into food",
        target="{n}",
    ),
    # in addition, any of these
    Sentence(
        "robs",
        "{sp} robs {who}",
        deed="{sp} robs {who}",
        use="Piracy",
        target="{sp} robs {who}",
    ),
    Sentence(
        "grazes",
        "{sp} grazes",
        deed="{sp} grazes: one food is removed from the bank",
        changes={"food bank": -1},
        use="Graze",
        target="{sp}",
    ),
    Sentence(
        "hibernates", "{sp} hibernates", deed="{sp} hibernates", use="Hibernate", target="{sp}"
    ),
    # what follows
    Sentence("runs", "{sp} runs", deed="{sp} runs", use="Run away", target="{sp}"),
    Sentence(
        "redirects",
        "{sp} redirects to {who}",
        deed="{sp} sends the attacker on to {who}",
        use="Mimicry",
        target="to {who}",
    ),
    Sentence("loses", "{sp} loses {t}", deed="{sp} loses {t}", use="Lose a trait", target="{t}"),
    Sentence(
        "spills",
        "{sp} loses filled {t}",
        deed="{sp} loses {t} with its fat",
        use="Lose a trait",
        target="{t} with its fat",
    ),
    Sentence(
        "parts",
        "{sp} loses {t} with {who}",
        deed="{sp} loses {t}, which it shared with {who}",
        use="Lose a trait",
        target="{t} with {who}",
    ),
    Sentence(
        "yields",
        "{sp} does not defend",
        deed="{sp} does not defend itself",
        use="Do not defend",
        target="{sp}",
    ),
    Sentence(
        "scavenges",
        "{sp} scavenges",
        deed="{sp} takes the scraps",
        use="Take the scraps",
        target="{sp}",
    ),
    Sentence(
        "shares",
        "{t} from {sp} to {who}",
        deed="{t} passes food from {sp} to {who}",
        use="Pass food on",
        target="{t} from {sp} to {who}",
    ),
    Sentence("rolls", "{who} rolls {n}", deed="{who} rolls {n}"),
)
ENDS = (
    Sentence("done", "done", deed="{name} is done"),
    Sentence("pass", "pass", deed="{name} passes"),
)

SENTENCES = Sentences(*DEVELOPMENT, *FEEDING, *ENDS)
FORMS = SENTENCES.forms
PLAYED_FORMS = frozenset(sentence.form for sentence in DEVELOPMENT)
"""The forms that use a card of the hand."""
MAIN_FORMS = frozenset({"eats", "attacks", "converts"})
"""The main actions: at most one of these in a feeding turn (ruling 4.10)."""


def title(trait: str) -> str:
    """Return a trait's name as people write it.

    >>> title("fat_tissue")
    'fat tissue'
    """
    return trait.replace("_", " ")
