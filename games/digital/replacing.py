"""Replace traits, which in the app cannot be discarded (digital, Select and Play Cards)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import Forms, NotInHand, Seat, Tag, Way
from engine import take as take_from
from games.cards import trait_of
from games.evolution.sentences import FORMS as PRINTED
from games.evolution.table import Hand, Species, State
from games.evolution.table_changes import discard, lose_trait

FORMS = Forms(
    **{name: form for name, form in PRINTED.templates.items() if name not in ("drop", "leaf")},
    replace="[{card}] replaces {i} of {sp}: {card2}",
)


class Replacing:
    """A trait leaves only by being replaced: a new card covers it, and the old one is discarded."""

    form, mark, leaves = "replace", " replaces ", "card2"

    def options(self, row: Sequence[Species], hand: Hand) -> tuple[Sequence[str], Sequence[Way]]:
        """Return each card in hand on each trait of the row, if the species has no other trait of
        that name."""
        ways: list[Way] = []
        for species in row:
            clashes = species.borne & hand.traits
            for i, old in enumerate(species.traits, 1):
                cards = hand.beside(clashes - {trait_of(old)}) if clashes else hand.cards
                ways.append((f"[?] replaces {i} of {species.name}: {old}", cards))
        return (), ways

    def do(self, state: State, seat: Seat, said: Mapping[str, str], tag: Tag) -> None:
        """Discard the old trait with its stored food; put the new one face down in its place."""
        species, at = state.named(said["sp"]), int(said["i"]) - 1
        take_from(state.hands[seat], said["card"])
        lose_trait(state, species, at)
        discard(state, said["card2"])
        species.traits.insert(at, said["card"])
        species.down.insert(at, tag)

    def why_not(self, state: State, seat: Seat, said: Mapping[str, str]) -> str | None:
        """Say why the sentence is not an option: the first problem with it."""
        species, card, old = state.named(said["sp"]), said["card"], said["card2"]
        if card not in state.hands[seat]:
            return NotInHand(f"{card} is not in your hand")
        at = int(said["i"]) - 1 if said["i"].isdecimal() else -1
        if not 0 <= at < len(species.traits) or species.traits[at] != old:
            return f"{species.name} has no {old} at place {said['i']}"
        return f"{species.name} has {trait_of(card).replace('_', ' ')} already"
