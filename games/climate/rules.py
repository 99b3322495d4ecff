"""The ruleset Evolution: Climate, made from Evolution's and from the data of a box."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from engine import (
    DECK,
    DONE,
    CardFile,
    Decision,
    Kind,
    Kits,
    Phase,
    Rules,
    Ruleset,
    Seat,
    ask,
    shuffle,
)
from games.climate.box import Box
from games.climate.cards import DECKS, cards_template, packaged, validate
from games.climate.phases.cycling import FORMS, SENTENCES, ahead, play_phase
from games.climate.phases.environment import reveal_phase, turn_event
from games.climate.ready_lines import READY
from games.climate.screen import prose, scene
from games.climate.table import ClimateKit, ClimateState, Track, kit_of
from games.climate.traits import traits_of
from games.evolution import rules
from games.evolution.phases.feeding import end_of_feeding, feed_once, why_not_feed
from games.evolution.phases.feeding_turns import feeding_turns
from games.evolution.phases.play_cards import PLAY
from games.evolution.table import Book, Species, State
from games.evolution.traits import ORDER
from games.later import later
from games.tables import done

EVOLUTION: Ruleset[Any] = rules.EVOLUTION


def kits_of(box: Box) -> Kits[Any]:
    """Return the hooks of all traits, with the numbers of this box."""
    return Kits(ClimateKit, traits_of(box), ORDER)


def setup(box: Box, ruleset: Ruleset[Any], seats: str, options: Mapping[str, str]) -> ClimateState:
    """Make an empty table with Climate's limits for traits and dealt cards, and with cards set
    aside.

    The cards set aside become the deck when the first one is empty.
    """
    book = Book(
        kits=ruleset.kits or kits_of(box),
        cards=ruleset.decks[DECK],
        play=PLAY,
        sentences=SENTENCES,
        trait_limit=4,
        dealt=4,
        aside=box.set_aside[len(seats)],
        spare=True,
        together=options.get("together") == "yes",
        autofeed=options.get("autofeed") == "yes",
    )
    piles = {deck: len(box.deck(deck)) for deck in DECKS}
    return ClimateState(book, seats, Track(box, few=len(seats) < 4), piles)


def opening(state: ClimateState) -> Rules:
    """Set up as in evolution; then shuffle the event decks, and turn one card of each face up."""
    yield from rules.opening(state)
    for deck in state.piles:
        yield shuffle(state.track.box.deck(deck), deck)
        yield from turn_event(state, deck)


# ------------------------------------------------------------------ feeding
def feeding_phase(state: ClimateState) -> Rules:
    """Phase 5, Feeding: includes second feedings, and migration before any species starves."""
    yield from feeding_turns(state, feed_and_again)
    state.fed_again = []
    for species in list(state.species()):
        for react in kit_of(species).dusk:
            react(state, species)
    yield from end_of_feeding(state)


def feed_and_again(state: State, seat: Seat, text: str) -> Rules:
    """Play the one feeding of a turn, and then a second if the species may feed again (once a
    round)."""
    assert isinstance(state, ClimateState)
    yield from feed_once(state, seat, text)
    species = state.find(text.partition(" ")[0])
    if species is None or not kit_of(species).again or species.name in state.fed_again:
        return
    text = yield from ask(again_decision(state, species))
    if text != DONE:
        state.fed_again.append(species.name)
        yield from feed_once(state, seat, text)


def again_decision(state: ClimateState, species: Species) -> Decision:
    """Return the question of whether the species feeds once more, and on what."""
    return Decision(
        species.owner, "again", again_options, (state, species),
        default=done, why=partial(why_not_again, state, species),
    )  # fmt: skip


def again_options(state: ClimateState, species: Species) -> Iterable[str]:
    """Return ``done``, and the normal feedings of the same species."""
    yield DONE
    for offer in kit_of(species).again:
        yield from offer(state, species)


def why_not_again(state: ClimateState, species: Species, text: str) -> str | None:
    """Say why a sentence is not allowed as a second feeding."""
    form, said = FORMS.parse(text)
    if form not in ("eats", "attacks", "despite") or said["sp"] != species.name:
        can = "it can eat or attack, or you can say 'done'"
        return f"only {species.name} may feed once more: {can}"
    return why_not_feed(state, species.owner, text)


# ------------------------------------------------------------------ the ruleset
KINDS = {
    **EVOLUTION.kinds,
    "cycle": Kind(
        "cycle", "cards to put under the deck and replace with new ones", script=True,
        suggestion=DONE, phase="play"),
    "again": Kind("again", "a second feeding by night", suggestion=DONE, phase="feed"),
    "pay": Kind("pay", "the card that an attack costs", phase="feed"),
}  # fmt: skip


def climate_of(box: Box) -> Ruleset[Any]:
    """Return the ruleset with the values of this box."""
    return EVOLUTION.extend(
        name="climate",
        version="3",
        title="Evolution: Climate",
        about="Evolution with heat, cold and events. A species can have up to four traits, and "
        "players can swap cards for new ones from the deck.",
        players=range(2, 7),
        decks={DECK: box.cards, **{deck: box.deck(deck) for deck in DECKS}},
        setup=partial(setup, box),
        opening=Phase("setup", opening),
        phases={
            "play": Phase("play", play_phase, "Play Cards"),
            "reveal": Phase("reveal", reveal_phase, "Modify Environment"),
            "feed": Phase("feed", feeding_phase, "Feeding"),
        },
        forms=FORMS,
        early_decision=ahead,
        kinds=KINDS,
        ready=READY,
        scene=scene,
        kits=kits_of(box),
        prose=prose,
        drawings=partial(later("games.climate.screen:drawings"), box),
        texts=partial(later("games.climate.screen:texts"), box),
        how_to_play=partial(later("games.how_to_play:chapters"), "games.climate"),
        lesson=partial(later("games.lesson:lesson"), "games.climate"),
        bots={"greedy": later("games.climate.bots:Greedy")},
        values=box.values,
        notes=box.notes,
        positions=partial(later("games.climate.position:positions"), box),
        card_file=CardFile(climate_from, cards_template),
    )


def climate_from(data: Mapping[str, Any]) -> Ruleset[Any]:
    """Return the ruleset with the values of a parsed data file. Raises BadCards, a ValueError."""
    return climate_of(validate(data))


CLIMATE: Ruleset[Any] = climate_of(packaged())
