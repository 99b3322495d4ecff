"""The ruleset of the app, as differences from the printed game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from engine import DECK, DONE, Phase, Rules, Ruleset
from games.digital.trait_replacement import FORMS, PLAY, SENTENCES
from games.evolution.phases.leaf_traits import use_leaves
from games.evolution.phases.play_cards import turning_together
from games.evolution.presentation import prose
from games.evolution.rules import EVOLUTION, HARMFUL_FORMS, KITS, TOGETHER_OPTION, reveal_food
from games.evolution.table import Book, State
from games.lazy_function import lazy_function
from games.standing_order_stop_lines import stop_lines


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Make an empty table: three traits, the whole deck and Auto-Feed for any number of players
    (2.1, 2.4)."""
    book = Book(
        kits=ruleset.kits or KITS,
        cards=ruleset.decks[DECK],
        play=PLAY,
        sentences=SENTENCES,
        is_simultaneous=options.get("together") == "yes",
        has_autofeed=True,
    )
    return State(book, seats)


def reveal_phase(state: State) -> Rules:
    """Let the leaf traits act automatically (ruling 2.3), then reveal the Food Cards."""
    for seat in state.order():
        use_leaves(state, seat, DONE)
    yield from reveal_food(state)


KINDS = {name: kind for name, kind in EVOLUTION.kinds.items() if name != "leaf"}
KINDS["play"] = replace(KINDS["play"], question="cards to play; a new trait may replace an old one")

DIGITAL: Ruleset[State] = EVOLUTION.extend(
    name="digital",
    title="Evolution, the app",
    about="As the app plays it: traits can be replaced; feeding and leaf traits are automatic.",
    players=range(2, 5),
    setup=setup,
    phases={"reveal": Phase("reveal", reveal_phase, "Reveal Food")},
    forms=FORMS,
    trait_forms=frozenset({*EVOLUTION.trait_forms, "replace"}),
    turning=turning_together,
    stops=stop_lines(
        FORMS, HARMFUL_FORMS, PLAY.card_forms, "feed", "hole", "the Watering Hole", "species"
    ),
    kinds=KINDS,
    options=(TOGETHER_OPTION,),
    prose=partial(prose, SENTENCES),
    texts=lazy_function("games.digital.explain_texts:texts"),
    how_to_play=partial(
        lazy_function("games.load_rules_page_and_lesson:load_chapters"), "games.digital"
    ),
    lesson=partial(lazy_function("games.load_rules_page_and_lesson:load_lesson"), "games.digital"),
    bots={"greedy": lazy_function("games.digital.greedy_bot:Greedy")},
)
