"""All sentences in the course's game: as they are offered, ordered and logged, and as people read
them.

They have no brackets, because a choice is sealed until all are in, and then public.
"""

from __future__ import annotations

from engine import Sentence, Sentences

FOOD = Sentence(
    "food",
    "food {card}",
    deed="{name} puts {card} at the watering hole",
    ordered="{card} to the watering hole",
    card="face up",
    use="To the watering hole",
    target="give it",
)
USES = (
    Sentence(
        "right",
        "{card}: new board",
        deed="{name} gives {card} for a new board on the right",
        ordered="{card} for a new board{new} on the right",
        card="face up",
        use="New board",
        target="right",
    ),
    Sentence(
        "left",
        "{card}: new board on the left",
        deed="{name} gives {card} for a new board on the left",
        ordered="{card} for a new board{new} on the left",
        card="face up",
        use="New board",
        target="left",
    ),
    Sentence(
        "trait", "{card} on {sp}", deed="{name} lays {card} on {sp}", card="face up", use="Trait"
    ),
    Sentence(
        "replace",
        "{card} instead of {i} on {sp}",
        deed="{name} lays {card} on {sp} in place of trait {i}",
        ordered="{card} on {sp} in place of trait {i}",
        card="face up",
        use="In place of a trait",
        target="trait {i} of {sp}",
    ),
    Sentence(
        "population",
        "{card}: {sp} population",
        deed="{name} gives {card}: {sp} grows in population",
        ordered="{card} for the population of {sp}",
        changes={"population": 1},
        card="face up",
        use="Population +1",
    ),
    Sentence(
        "body",
        "{card}: {sp} body",
        deed="{name} gives {card}: {sp} grows in body size",
        ordered="{card} for the body of {sp}",
        changes={"body": 1},
        card="face up",
        use="Body +1",
    ),
)
"""The uses of the other cards."""
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
        "stores",
        "{sp} stores {n}",
        deed="{sp} stores {n} food on its Fat Tissue",
        ordered="{sp} stores {n}",
        use="Store on Fat Tissue",
        target="{n}",
    ),
    Sentence(
        "attacks",
        "{sp} attacks {who}",
        deed="{sp} attacks {who}",
        use="Attack",
        target="{sp} attacks {who}",
    ),
    Sentence(
        "decline",
        "decline",
        deed="{name} eats nothing more in this round",
        ordered="eat nothing more in this round",
    ),
)
ENDS = (
    Sentence("done", "done", deed="{name} is done"),
    Sentence("leave", "leave the game", deed="{name} leaves the game"),
)

SENTENCES = Sentences(FOOD, *USES, *ENDS, *FEEDING)
FORMS = SENTENCES.forms
PLAYED_FORMS = frozenset(sentence.form for sentence in USES)
"""The forms that use a card on a board."""
