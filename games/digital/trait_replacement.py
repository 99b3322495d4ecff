"""Replace traits, which in the app cannot be discarded (digital, Select and Play Cards)."""

from __future__ import annotations

from engine import Actions, Listing, Seat, Sentence, Sentences, Tag, take
from games.evolution.change_table import discard, lose_trait
from games.evolution.phases.play_cards import (
    EndTurn,
    Fields,
    Grow,
    NewSpecies,
    PlayAction,
    PlayTrait,
    why_not_trait_twice,
)
from games.evolution.sentences import FEEDING, FOOD
from games.evolution.table import Hand, State
from games.food_number_cards import trait_of


class ReplaceTrait(PlayAction):
    """A card is placed on top of a trait, face down; the trait is discarded, with its food."""

    sentences = (
        Sentence(
            "replace",
            "[{card}] replaces {i} of {sp}: {card2}",
            deed="{name} plays {card} face down on {sp} in place of {card2}",
            ordered="{card} on {sp} in place of {card2}",
            card="face down",
            removed_card_field="card2",
            use="Replace a trait",
            target="{card2} of {sp}",
        ),
    )

    def offer(self, state: State, seat: Seat, hand: Hand, listing: Listing) -> None:
        for species in state.rows[seat]:
            clashes = species.card_traits & hand.traits
            for number, old_card in enumerate(species.traits, 1):
                other_clashes = clashes - {trait_of(old_card)}
                cards = hand.cards_without(other_clashes) if clashes else hand.cards
                way = f"[?] replaces {number} of {species.name}: {old_card}"
                listing.by_way.append((way, cards))

    def forbids(self, state: State, form: str, fields: Fields) -> str | None:
        species, number, old_card = state.creature_named(fields["sp"]), fields["i"], fields["card2"]
        index = int(number) - 1 if number.isdecimal() else -1
        if not 0 <= index < len(species.traits) or species.traits[index] != old_card:
            return f"trait {number} of {species.name} is not {old_card}"
        return why_not_trait_twice(species, trait_of(fields["card"]))

    def do(self, state: State, seat: Seat, form: str, fields: Fields, tag: Tag) -> None:
        species, index = state.creature_named(fields["sp"]), int(fields["i"]) - 1
        take(state.hands[seat], fields["card"])
        lose_trait(state, species, index, fields["card2"])
        discard(state, fields["card2"])
        species.traits.insert(index, fields["card"])
        species.face_down_tags.insert(index, tag)


PLAY = Actions(EndTurn(), ReplaceTrait(), NewSpecies(), Grow(), PlayTrait())
SENTENCES = Sentences(*PLAY.sentences, FOOD, *FEEDING)
FORMS = SENTENCES.forms
