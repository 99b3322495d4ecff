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
    Kits,
    Phase,
    QuestionKind,
    Rules,
    Ruleset,
    Seat,
    ask,
    shuffle,
)
from games.climate.card_file import DECKS, cards_template, make_box, packaged_box
from games.climate.classes_of_printed_zones_and_events import Box
from games.climate.phases.environment import draw_event, reveal_phase
from games.climate.phases.play_and_cycle_cards import FORMS, SENTENCES, early_decision, play_phase
from games.climate.presentation import prose, scene
from games.climate.ready_lines import READY_LINES
from games.climate.table import ClimateKit, ClimateState, Track, kit_of
from games.climate.traits import make_traits
from games.evolution import rules
from games.evolution.phases.feeding import end_of_feeding, feed_once, feeding_turns, why_not_feed
from games.evolution.phases.play_cards import PLAY
from games.evolution.table import Book, Species, State
from games.evolution.traits import ORDER
from games.first_player_and_turns_until_all_pass import answer_done
from games.lazy_function import lazy_function

EVOLUTION: Ruleset[Any] = rules.EVOLUTION


def kits_of(box: Box) -> Kits[Any]:
    """Return the hooks of all traits, with the numbers of this box."""
    return Kits(ClimateKit, make_traits(box), ORDER)


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
        cards_per_round=4,
        set_aside_count=box.set_aside[len(seats)],
        has_spare_deck=True,
        is_simultaneous=options.get("together") == "yes",
        has_autofeed=options.get("autofeed") == "yes",
    )
    piles = {deck: len(box.deck(deck)) for deck in DECKS}
    return ClimateState(book, seats, Track(box, is_for_few=len(seats) < 4), piles)


def opening(state: ClimateState) -> Rules:
    """Set up as in evolution; then shuffle the event decks, and turn one card of each face up."""
    yield from rules.opening(state)
    for deck in state.piles:
        yield shuffle(state.track.box.deck(deck), deck)
        yield from draw_event(state, deck)


# ------------------------------------------------------------------ feeding
def feeding_phase(state: ClimateState) -> Rules:
    """Phase 5, Feeding: includes second feedings, and migration before any species starves."""
    yield from feeding_turns(state, feed_once_or_twice)
    state.twice_fed_species = []
    for species in list(state.species()):
        for react in kit_of(species).dusk:
            react(state, species)
    yield from end_of_feeding(state)


def feed_once_or_twice(state: State, seat: Seat, text: str) -> Rules:
    """Play the one feeding of a turn, and then a second if the species may feed again (once a
    round). ``text`` is the sentence of the first; it begins with the species' name."""
    assert isinstance(state, ClimateState)
    yield from feed_once(state, seat, text)
    species = state.find(text.partition(" ")[0])
    if species is None or not kit_of(species).again or species.name in state.twice_fed_species:
        return
    text = yield from ask(second_feeding_decision(state, species))
    if text != DONE:
        state.twice_fed_species.append(species.name)
        yield from feed_once(state, seat, text)


def second_feeding_decision(state: ClimateState, species: Species) -> Decision:
    """Return the question of whether the species feeds once more, and on what."""
    return Decision(
        species.owner, "again", second_feeding_options, (state, species),
        default=answer_done, why=partial(why_not_second_feeding, state, species),
    )  # fmt: skip


def second_feeding_options(state: ClimateState, species: Species) -> Iterable[str]:
    """Return ``done``, and the normal feedings of the same species."""
    yield DONE
    for offer in kit_of(species).again:
        yield from offer(state, species)


def why_not_second_feeding(state: ClimateState, species: Species, text: str) -> str | None:
    """Say why a sentence is not allowed as a second feeding."""
    form, fields = FORMS.parse(text)
    if form not in ("eats", "attacks", "despite") or fields["sp"] != species.name:
        hint = "it can eat or attack, or you can say 'done'"
        return f"only {species.name} may feed once more: {hint}"
    return why_not_feed(state, species.owner, text)


# ------------------------------------------------------------------ the ruleset
KINDS = {
    **EVOLUTION.kinds,
    "cycle": QuestionKind(
        "cycle", "cards to put under the deck and replace with new ones", script=True,
        suggestion=DONE, phase="play"),
    "again": QuestionKind("again", "a second feeding by night", suggestion=DONE, phase="feed"),
    "pay": QuestionKind("pay", "the card that an attack costs", phase="feed"),
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
        early_decision=early_decision,
        kinds=KINDS,
        ready=READY_LINES,
        scene=scene,
        kits=kits_of(box),
        prose=prose,
        drawings=partial(lazy_function("games.climate.presentation:drawings"), box),
        texts=partial(lazy_function("games.climate.presentation:texts"), box),
        how_to_play=partial(
            lazy_function("games.load_rules_page_and_lesson:load_chapters"), "games.climate"
        ),
        lesson=partial(
            lazy_function("games.load_rules_page_and_lesson:load_lesson"), "games.climate"
        ),
        bots={"greedy": lazy_function("games.climate.greedy_bot:Greedy")},
        values=box.values,
        notes=box.notes,
        positions=partial(lazy_function("games.climate.rule_case_table:positions"), box),
        card_file=CardFile(climate_from, cards_template),
    )


def climate_from(data: Mapping[str, Any]) -> Ruleset[Any]:
    """Return the ruleset with the values of a parsed data file. Raises BadCards, a ValueError."""
    return climate_of(make_box(data))


CLIMATE: Ruleset[Any] = climate_of(packaged_box())
