"""Evolution as the app plays it: what differs from the printed game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from engine import DECK, DONE, Bot, Phase, Rules, Ruleset, Seat
from engine.decisions import Answer
from games.digital.replacing import FORMS, Replacing
from games.digital.screen.prose import prose
from games.digital.screen.texts import texts
from games.evolution.phases.feeding import end_of_feeding, feeding_turn
from games.evolution.phases.leaf_traits import use_leaves
from games.evolution.rules import EVOLUTION, HARMS, KITS, reveal_food, table
from games.evolution.table import HOLE, Book, Species, State
from games.evolution.table_changes import gain
from games.evolution.traits import LEAVES
from games.stops import stops
from games.tables import turns_until_all_pass


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Three traits and the whole deck for any number of players (ruling 2.1)."""
    book = Book(
        kits=ruleset.kits or KITS,
        cards=ruleset.decks[DECK],
        leaving=Replacing(),
        forms=ruleset.forms,
        together=options.get("together") == "yes",
    )
    return table(book, seats)


def reveal_phase(state: State) -> Rules:
    """The leaf traits resolve automatically (ruling 2.3), then the Food Cards are revealed."""
    for seat in state.order():
        use_leaves(state, seat, LEAVES, DONE)
    yield from reveal_food(state)


def feeding_phase(state: State) -> Rules:
    """Turns as printed, but Auto-Feed takes over as soon as nothing is left to decide."""
    yield from turns_until_all_pass(state, feeding_turn_or_auto_feed)
    yield from end_of_feeding(state)


def feeding_turn_or_auto_feed(state: State, seat: Seat) -> Answer:
    """One feeding turn, or ``pass`` without asking if Auto-Feed has fed everybody."""
    if nothing_to_decide(state):
        auto_feed(state)
        return "pass"
    return (yield from feeding_turn(state, seat))


def nothing_to_decide(state: State) -> bool:
    """Whether there is food for all and no player has a decision (ruling 2.4)."""
    left = state.hole
    for row in state.rows.values():
        for species in row:
            left -= species.hunger
            if left < 0 or decides(state, species):
                return False
    return True


def decides(state: State, species: Species) -> bool:
    """Whether the owner has a choice about the species: it hunts, stores or has Intelligence."""
    kit = species.kit
    if species.fat_room or (kit.meals and species.hunger):
        return True
    return bool(kit.extras) and any(next(iter(x(state, species)), None) for x in kit.extras)


def auto_feed(state: State) -> None:
    """Feed every species from the Watering Hole until it is full."""
    for species in state.species():
        gain(state, species, species.hunger, HOLE)


def greedy(rng: Random) -> Bot:
    """The greedy bot, imported only where it plays."""
    from games.digital.bots import Greedy

    return Greedy(rng)


KINDS = {name: kind for name, kind in EVOLUTION.kinds.items() if name != "leaf"}
KINDS["play"] = KINDS["play"]._replace(question="cards to play; a new trait may replace an old one")

DIGITAL: Ruleset[State] = EVOLUTION.extend(
    name="digital",
    title="Evolution, the app",
    about="As the app plays it: traits can be replaced; feeding and leaf traits are automatic.",
    players=range(2, 5),
    setup=setup,
    phases={
        "reveal": Phase("reveal", reveal_phase, "Reveal Food"),
        "feed": Phase("feed", feeding_phase, "Feeding"),
    },
    forms=FORMS,
    stops=stops(FORMS, HARMS, "feed", "hole", "the Watering Hole", "species"),
    kinds=KINDS,
    prose=prose,
    texts=texts,
    bots={"greedy": greedy},
)
