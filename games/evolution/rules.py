"""The ruleset Evolution (North Star, 2nd edition): the rulebook's phases, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine import (
    DECK,
    Answers,
    Decision,
    Kind,
    Kits,
    NotInHand,
    Offers,
    Option,
    Phase,
    Rules,
    Ruleset,
    Seat,
    ask,
    ask_all,
    cards_in,
    distinct,
    reveal,
    shown,
    shuffle,
    take,
)
from games.cards import food_of
from games.evolution.cards import CARDS
from games.evolution.orders_ahead import ahead
from games.evolution.phases.feeding import lowest
from games.evolution.phases.feeding_turns import feeding_phase
from games.evolution.phases.leaf_traits import leaf_step
from games.evolution.phases.play_cards import PLAY, play_phase, shows, turned_up
from games.evolution.ready_lines import READY
from games.evolution.screen import prose, scene
from games.evolution.sentences import FORMS, SENTENCES
from games.evolution.table import Book, Kit, State
from games.evolution.table_changes import discard, draw, new_species
from games.evolution.traits import LEAVES, ORDER, TRAITS
from games.later import later
from games.stops import stops
from games.tables import first_by_lot, pour

KITS = Kits(Kit, TRAITS, ORDER)


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Make the table (Set-Up), with the variants for 2 and for 6 players."""
    two = len(seats) == 2
    book = Book(
        kits=ruleset.kits or KITS,
        cards=ruleset.decks[DECK],
        play=PLAY,
        sentences=SENTENCES,
        trait_limit=2 if two else 3,
        aside=40 if two else 0,
        together=options.get("together") == "yes" or len(seats) == 6,
        autofeed=options.get("autofeed") == "yes",
    )
    return State(book, seats)


def opening(state: State) -> Rules:
    """Shuffle the deck; choose the First Player at random."""
    yield shuffle(state.book.cards)
    state.aside = state.book.aside
    state.deck = len(state.book.cards) - state.aside
    yield from first_by_lot(state)


def deal_phase(state: State) -> Rules:
    """Phase 1, Deal Cards: a species for a player without one; 3 cards and 1 for each species."""
    for seat in state.order():
        if not state.rows[seat]:
            new_species(state, seat)
    for seat in state.order():
        count = state.book.dealt + len(state.rows[seat])
        yield from draw(state, seat, count, final=state.round)


def food_phase(state: State) -> Rules:
    """Phase 2, Select Food: each player puts a card face down on the Watering Hole."""
    wave = [
        Decision(
            seat, "food", food_options, (state, seat), to=seat,
            default=partial(_cheapest, state, seat), why=partial(_why_no_food, state, seat),
        )
        for seat in state.order()
        if state.hands[seat]
    ]  # fmt: skip
    answers = yield from ask_all(wave)
    for n, (decision, text) in enumerate(zip(wave, answers, strict=True)):
        (card,) = cards_in(text)
        take(state.hands[decision.seat], card)
        state.food_cards[decision.seat] = (card, (state.entry + n, 0))


def food_options(state: State, seat: Seat) -> Offers:
    """Return every card in hand; identical cards are offered once."""
    hand = distinct(state.hands[seat])
    return Offers(hand, (), by_way=[("[?]", hand)])


def _cheapest(state: State, seat: Seat) -> str:
    return f"[{lowest(state.hands[seat])}]"


def _why_no_food(state: State, seat: Seat, text: str) -> str | None:
    missing = [card for card in cards_in(text) if card not in state.hands[seat]]
    return NotInHand(f"{missing[0]} is not in your hand") if missing else None


def reveal_phase(state: State) -> Rules:
    """Phase 4, Reveal Food: let leaf traits act, then add the Food Cards to the Watering Hole."""
    yield from leaf_step(state, LEAVES)
    yield from reveal_food(state)


def reveal_food(state: State) -> Rules:
    """Turn the Food Cards face up, add their sum to the Watering Hole, discard them (ruling
    1.1)."""
    cards = yield from turn_food(state)
    pour(state, sum(map(food_of, cards)))
    discard(state, *cards)


def turn_food(state: State) -> Answers:
    """Turn the Food Cards face up and return them; the caller adds their food and discards them."""
    for seat in list(state.food_cards):
        text = yield from ask(reveal(seat, f"food of {seat}", state.food_cards[seat][0]))
        state.food_cards[seat] = (shown(text), None)
    cards = [card for card, _ in state.food_cards.values()]
    state.food_cards = {}
    return cards


def over(state: State) -> bool:
    """Return whether the final round has ended."""
    return 0 < state.last < state.round


KINDS = {
    kind.name: kind
    for kind in (
        Kind("food", "the card for the Watering Hole", cards=True, phase="food"),
        Kind("play", "cards to play", script=True, cards=True, phase="play"),
        Kind("leaf", "the order of leaf traits", script=True, suggestion="done", phase="reveal"),
        Kind("feed", "feeding", phase="feed"),
        Kind("think", "Intelligence after feeding", phase="feed"),
        Kind("pay", "the card that an attack with Intelligence costs", phase="feed"),
    )
}


TOGETHER = Option("together", "all play their cards at the same time", by_mail="yes")
AUTOFEED = Option(
    "autofeed", "feeding is automatic as soon as nobody has anything to decide", by_mail="yes"
)

HARMS = frozenset({"attacks", "despite"})
STOPS = stops(FORMS, HARMS, PLAY.card_forms, "feed", "hole", "the Watering Hole", "species")

EVOLUTION: Ruleset[State] = Ruleset(
    name="evolution",
    version="2",
    title="Evolution",
    about="The game by North Star Games, 2nd edition: species, secret food cards, hidden traits.",
    players=range(2, 7),
    decks={DECK: CARDS},
    setup=setup,
    opening=Phase("setup", opening),
    phases=(
        Phase("deal", deal_phase, "Deal Cards"),
        Phase("food", food_phase, "Select Food"),
        Phase("play", play_phase, "Play Cards"),
        Phase("reveal", reveal_phase, "Reveal Food"),
        Phase("feed", feeding_phase, "Feeding"),
    ),
    over=over,
    forms=FORMS,
    harms=HARMS,
    kinds=KINDS,
    ready=READY,
    stops=STOPS,
    result=later("games.evolution.phases.scoring:result"),
    scene=scene,
    turned_up=turned_up,
    shows=shows,
    early_decision=ahead,
    kits=KITS,
    options=(TOGETHER, AUTOFEED),
    prose=prose,
    eaten=lambda state: {one.name: one.eaten for one in state.species()},
    about_piece=later("games.evolution.screen:about_piece"),
    drawings=later("games.evolution.screen:drawings"),
    texts=later("games.evolution.screen:texts"),
    how_to_play=partial(later("games.how_to_play:chapters"), "games.evolution"),
    lesson=partial(later("games.lesson:lesson"), "games.evolution"),
    bots={"greedy": later("games.evolution.bots:Greedy")},
    positions=partial(later("games.evolution.position:positions"), CARDS),
)
