"""The ruleset Evolution (North Star, 2nd edition): the rulebook's phases, in its order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine import (
    DECK,
    Answers,
    Decision,
    Kits,
    NotInHand,
    Offers,
    Option,
    Phase,
    QuestionKind,
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
from games.draw_cards_and_pour_food import pour
from games.evolution.change_table import discard, draw, new_species
from games.evolution.phases.feeding import cheapest_card, feeding_phase
from games.evolution.phases.leaf_traits import leaf_step
from games.evolution.phases.play_cards import PLAY, play_phase, shows, turned_up, turning
from games.evolution.presentation import prose, scene
from games.evolution.questions_ahead import early_decision
from games.evolution.ready_lines import READY_LINES
from games.evolution.sentences import FORMS, SENTENCES
from games.evolution.table import Book, Kit, State
from games.evolution.traits import CARDS, ORDER, TRAITS
from games.first_player_and_turns_until_all_pass import draw_first_player
from games.food_number_cards import food_of
from games.lazy_function import lazy_function
from games.standing_order_stop_lines import stop_lines

KITS = Kits(Kit, TRAITS, ORDER)


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Make the table (Set-Up), with the variants for 2 and for 6 players."""
    is_for_two = len(seats) == 2
    book = Book(
        kits=ruleset.kits or KITS,
        cards=ruleset.decks[DECK],
        play=PLAY,
        sentences=SENTENCES,
        trait_limit=2 if is_for_two else 3,
        set_aside_count=40 if is_for_two else 0,
        is_simultaneous=options.get("together") == "yes" or len(seats) == 6,
        has_autofeed=options.get("autofeed") == "yes",
    )
    return State(book, seats)


def opening(state: State) -> Rules:
    """Shuffle the deck; choose the First Player at random."""
    yield shuffle(state.book.cards)
    state.set_aside_count = state.book.set_aside_count
    state.deck = len(state.book.cards) - state.set_aside_count
    yield from draw_first_player(state)


def deal_phase(state: State) -> Rules:
    """Phase 1, Deal Cards: a species for a player without one; 3 cards and 1 for each species."""
    for seat in state.order():
        if not state.rows[seat]:
            new_species(state, seat)
    for seat in state.order():
        count = state.book.cards_per_round + len(state.rows[seat])
        yield from draw(state, seat, count, ending_round=state.round)


def food_phase(state: State) -> Rules:
    """Phase 2, Select Food: each player puts a card face down on the Watering Hole."""
    wave = [
        Decision(
            seat, "food", food_options, (state, seat), to=seat,
            default=partial(_cheapest_food_card, state, seat),
            why=partial(_why_not_food_card, state, seat),
        )
        for seat in state.order()
        if state.hands[seat]
    ]  # fmt: skip
    answers = yield from ask_all(wave)
    for index, (decision, text) in enumerate(zip(wave, answers, strict=True)):
        (card,) = cards_in(text)
        take(state.hands[decision.seat], card)
        state.food_cards[decision.seat] = (card, (state.entry + index, 0))


def food_options(state: State, seat: Seat) -> Offers:
    """Return every card in hand; identical cards are offered once."""
    hand = distinct(state.hands[seat])
    return Offers(hand, (), by_way=[("[?]", hand)])


def _cheapest_food_card(state: State, seat: Seat) -> str:
    return f"[{cheapest_card(state.hands[seat])}]"


def _why_not_food_card(state: State, seat: Seat, text: str) -> str | None:
    missing_cards = [card for card in cards_in(text) if card not in state.hands[seat]]
    return NotInHand(f"{missing_cards[0]} is not in your hand") if missing_cards else None


def reveal_phase(state: State) -> Rules:
    """Phase 4, Reveal Food: let leaf traits act, then add the Food Cards to the Watering Hole."""
    yield from leaf_step(state)
    yield from reveal_food(state)


def reveal_food(state: State) -> Rules:
    """Turn the Food Cards face up, add the sum to the Watering Hole, discard the cards (ruling
    1.1)."""
    cards = yield from turn_up_food_cards(state)
    pour(state, sum(map(food_of, cards)))
    discard(state, *cards)


def turn_up_food_cards(state: State) -> Answers:
    """Turn the Food Cards face up and return them; the caller adds their food and discards them."""
    for seat in list(state.food_cards):
        text = yield from ask(reveal(seat, f"food of {seat}", state.food_cards[seat][0]))
        state.food_cards[seat] = (shown(text), None)
    cards = [card for card, _ in state.food_cards.values()]
    state.food_cards = {}
    return cards


def is_over(state: State) -> bool:
    """Return whether the final round has ended."""
    return 0 < state.final_round < state.round


KINDS = {
    kind.name: kind
    for kind in (
        QuestionKind("food", "the card for the Watering Hole", cards=True, phase="food"),
        QuestionKind("play", "cards to play", script=True, cards=True, phase="play"),
        QuestionKind(
            "leaf", "the order of leaf traits", script=True, suggestion="done", phase="reveal"
        ),
        QuestionKind("feed", "feeding", phase="feed"),
        QuestionKind("think", "Intelligence after feeding", phase="feed"),
        QuestionKind("pay", "the card that an attack with Intelligence costs", phase="feed"),
    )
}
"""The kinds of questions, by name."""

TOGETHER_OPTION = Option("together", "all play their cards at the same time", by_mail="yes")
AUTOFEED_OPTION = Option(
    "autofeed", "feeding is automatic as soon as nobody has anything to decide", by_mail="yes"
)

HARMFUL_FORMS = frozenset({"attacks", "despite"})
"""The forms that harm a species."""
STOP_LINES = stop_lines(
    FORMS, HARMFUL_FORMS, PLAY.card_forms, "feed", "hole", "the Watering Hole", "species"
)

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
    over=is_over,
    forms=FORMS,
    harms=HARMFUL_FORMS,
    trait_forms=frozenset({"trait"}),
    kinds=KINDS,
    ready=READY_LINES,
    stops=STOP_LINES,
    result=lazy_function("games.evolution.phases.scoring:result"),
    scene=scene,
    turned_up=turned_up,
    shows=shows,
    turning=turning,
    early_decision=early_decision,
    kits=KITS,
    options=(TOGETHER_OPTION, AUTOFEED_OPTION),
    prose=prose,
    eaten=lambda state: {species.name: species.food_taken for species in state.species()},
    about_piece=lazy_function("games.evolution.presentation:about_piece"),
    drawings=lazy_function("games.evolution.presentation:drawings"),
    texts=lazy_function("games.evolution.presentation:texts"),
    how_to_play=partial(
        lazy_function("games.load_rules_page_and_lesson:load_chapters"), "games.evolution"
    ),
    lesson=partial(
        lazy_function("games.load_rules_page_and_lesson:load_lesson"), "games.evolution"
    ),
    bots={"greedy": lazy_function("games.evolution.greedy_bot:Greedy")},
    positions=lazy_function("games.evolution.rule_case_table:positions"),
)
