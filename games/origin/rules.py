"""The ruleset Evolution: The Origin of Species (RightGames): the rulebook's phases, in its
order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine import DECK, Kits, Option, Phase, QuestionKind, Rules, Ruleset, shuffle
from games.draw_cards_and_pour_food import draw_cards
from games.lazy_function import lazy_function
from games.origin.card_and_dice_data import DICE, TWO_SETS
from games.origin.phases.attacks import roll
from games.origin.phases.development import PASS, development_phase, shows
from games.origin.phases.extinction_and_draw import extinction_phase
from games.origin.phases.feeding import feeding_phase, food_phase
from games.origin.presentation import prose, scene
from games.origin.questions_ahead import early_decision
from games.origin.ready_lines import DEFENCE, HELPS_MOST, READY_LINES
from games.origin.sentences import FORMS, PLAYED_FORMS
from games.origin.table import Book, Kit, State
from games.origin.traits import ORDER, TRAITS
from games.standing_order_stop_lines import stop_lines

KITS = Kits(Kit, TRAITS, ORDER)


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Make the table (Preparation): one set of cards for 2 to 4 players, two for 5 to 8."""
    kits, both_sets = ruleset.kits or KITS, ruleset.decks[DECK]
    deck = both_sets if len(seats) > 4 else both_sets[::2]  # sorted: every card stands there twice
    is_simultaneous = options.get("together") == "yes"
    state = State(Book(kits, deck, DICE[len(seats)], is_simultaneous=is_simultaneous), seats)
    state.boxed_card_count = sum(map(len, ruleset.decks.values())) - len(deck)
    return state


def opening(state: State) -> Rules:
    """Shuffle the deck and deal six cards to each player; the player with the highest die
    begins."""
    yield shuffle(state.book.deck)
    state.deck = len(state.book.deck)
    for seat in state.seats:
        yield from draw_cards(state, seat, state.book.hand)
    yield from first_player(state)


def first_player(state: State) -> Rules:
    """Let each player roll a die; players tied for the highest roll again (ruling 4.9)."""
    rolling_seats = list(state.seats)
    while len(rolling_seats) > 1:
        rolls = {}
        for seat in rolling_seats:
            rolls[seat] = (yield from roll(seat))[-1]  # a digit, so texts compare as numbers
        rolling_seats = [seat for seat in rolling_seats if rolls[seat] == max(rolls.values())]
    state.first_seat_index = state.seats.index(rolling_seats[0])


def is_over(state: State) -> bool:
    """Return whether the turn that began with an empty deck has ended (ruling 4.8)."""
    return 0 < state.final_round < state.round


KINDS = {
    kind.name: kind
    for kind in (
        QuestionKind(
            "develop",
            "a card to play, or pass",
            script=True,
            ends=PASS,
            cards=True,
            phase="development",
        ),
        QuestionKind("feed", "feeding", phase="feeding"),
        QuestionKind("also", "traits after feeding", suggestion="done", phase="feeding"),
        QuestionKind("defend", "the answer to an attack", suggestion=DEFENCE, phase="feeding"),
        QuestionKind("scavenge", "who gets the scraps", suggestion=HELPS_MOST, phase="feeding"),
        QuestionKind("share", "the order of pair cards", suggestion=HELPS_MOST, phase="feeding"),
    )
}

TOGETHER_OPTION = Option("together", "all play their cards at the same time", by_mail="yes")
HARMFUL_FORMS = frozenset({"attacks", "robs"})
STOP_LINES = stop_lines(
    FORMS, HARMFUL_FORMS, PLAYED_FORMS, "feeding", "bank", "the food bank", "animal"
)

ORIGIN: Ruleset[State] = Ruleset(
    name="origin",
    title="Evolution: The Origin of Species",
    about="The game by RightGames: animals from any card, cards with two traits, pairs, dice "
    "and tokens.",
    version="2",
    players=range(2, 9),
    options=(TOGETHER_OPTION,),
    decks={DECK: TWO_SETS},
    setup=setup,
    opening=Phase("setup", opening),
    phases=(
        Phase("development", development_phase, "Development Phase"),
        Phase("food", food_phase, "Food Bank Determination Phase"),
        Phase("feeding", feeding_phase, "Feeding Phase"),
        Phase("extinction", extinction_phase, "Extinction and Draw Phase"),
    ),
    over=is_over,
    forms=FORMS,
    harms=HARMFUL_FORMS,
    trait_forms=frozenset({"trait", "use", "protects", "pair"}),
    kinds=KINDS,
    ready=READY_LINES,
    stops=STOP_LINES,
    result=lazy_function("games.origin.phases.scoring:result"),
    scene=scene,
    kits=KITS,
    early_decision=early_decision,
    shows=shows,
    turning=lambda _: (),  # no card that lies face down ever turns up
    prose=prose,
    eaten=lambda state: {animal.name: animal.food_taken for animal in state.animals()},
    about_piece=lazy_function("games.origin.presentation:about_piece"),
    drawings=lazy_function("games.origin.presentation:drawings"),
    texts=lazy_function("games.origin.presentation:texts"),
    how_to_play=partial(
        lazy_function("games.load_rules_page_and_lesson:load_chapters"), "games.origin"
    ),
    lesson=partial(lazy_function("games.load_rules_page_and_lesson:load_lesson"), "games.origin"),
    bots={"greedy": lazy_function("games.origin.greedy_bot:Greedy")},
    words=frozenset(TRAITS),
    positions=lazy_function("games.origin.rule_case_table:positions"),
)
