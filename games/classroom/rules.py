"""Evolution as the course plays it: the steps of a turn, in the rulebook's order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine import DECK, Kits, Option, Phase, QuestionKind, Rules, Ruleset, shuffle
from games.classroom.phases.feeding import feed_phase
from games.classroom.phases.sealed_choices import choice_phase, shows
from games.classroom.presentation import prose, scene
from games.classroom.questions_ahead import early_decision
from games.classroom.ready_lines import READY_LINES
from games.classroom.sentences import FORMS, PLAYED_FORMS
from games.classroom.table import CARDS_PER_DEAL, Kit, State, die_out, draw, new_species
from games.classroom.traits import ORDER, TRAITS
from games.first_player_and_turns_until_all_pass import draw_first_player
from games.food_number_cards import printed_cards
from games.lazy_function import lazy_function
from games.standing_order_stop_lines import stop_lines

CARDS = printed_cards("games.classroom")
KITS = Kits(Kit, TRAITS, ORDER)


def setup(ruleset: Ruleset[State], seats: str, options: Mapping[str, str]) -> State:
    """Make an empty table for these seats."""
    removal = options.get("silence") == "removal"
    return State(ruleset.kits or KITS, seats, removal=removal, printed_deck=ruleset.decks[DECK])


def opening(state: State) -> Rules:
    """Shuffle the deck; choose the first starting player at random."""
    yield shuffle(state.printed_deck)
    state.deck = len(state.printed_deck)
    yield from draw_first_player(state)


def is_over(state: State) -> bool:
    """Return whether the deck is too small for the next deal, or no player is left (ruling 5.1)."""
    return not state.is_dealt and (not state.order() or state.deck < cards_needed(state))


def cards_needed(state: State) -> int:
    """Return the number of cards for the next deal, including those for boards that players get
    free."""
    return sum(CARDS_PER_DEAL + max(1, len(state.rows[seat])) for seat in state.order())


def deal_phase(state: State) -> Rules:
    """Step 1: give a board to each player without one, then deal three cards and one for each
    board."""
    for seat in state.order():
        if not state.rows[seat]:
            new_species(state, seat)
    for seat in state.order():
        yield from draw(state, seat, CARDS_PER_DEAL + len(state.rows[seat]))
    state.is_dealt = True


def trait_phase(state: State) -> Rules:
    """Carry out the automatic traits: all Fertile, then all Long Neck, then all Fat Tissue."""
    for trait in state.kits.traits_with("leaf"):
        for species in state.species():
            if species.has(trait):
                for react in state.kits.kit_of(trait).leaf:
                    react(state, species)
    yield from ()  # a phase must be a generator, and this one asks nobody


def end_phase(state: State) -> Rules:
    """Starve species that did not eat, put the food into the bags, and draw cards for extinct
    species. The next player who is still in the game becomes the starting player.
    """
    dead = []
    for species in state.species():
        species.population = species.food
        state.bags[species.owner] += species.food
        species.food = 0
        if not species.population:
            dead.append(species)
    for species in dead:
        yield from die_out(state, species)
    following_seats = (
        state.seats[state.first_seat_index + 1 :] + state.seats[: state.first_seat_index + 1]
    )
    playing_seats = [seat for seat in following_seats if seat not in state.departed_seats]
    if playing_seats:
        state.first_seat_index = state.seats.index(playing_seats[0])
    state.is_dealt = False


KINDS = {
    kind.name: kind
    for kind in (
        QuestionKind(
            "choice",
            "the food card, then the other cards of the round",
            script=True,
            cards=True,
            phase="choice",
        ),
        QuestionKind("feed", "feeding", suggestion="* eats", phase="feed"),
    )
}
SILENCE = "for a silent player, the bot “silly” chooses, or the game removes the player"

HARMFUL_FORMS = frozenset({"attacks"})
STOP_LINES = stop_lines(
    FORMS, HARMFUL_FORMS, PLAYED_FORMS, "feed", "hole", "the watering hole", "species"
)

CLASSROOM: Ruleset[State] = Ruleset(
    name="classroom",
    version="2",
    title="Evolution, the course's rules",
    about="A university course's rules: sealed choices, and all food from one watering hole.",
    players=range(3, 9),
    decks={DECK: CARDS},
    setup=setup,
    opening=Phase("setup", opening),
    phases=(
        Phase("deal", deal_phase, "Step 1: boards and cards"),
        Phase("choice", choice_phase, "Steps 2 and 3: the food card and all other cards"),
        Phase("traits", trait_phase, "Step 4: automatic traits"),
        Phase("feed", feed_phase, "Step 4: feeding"),
        Phase("end", end_phase, "The end of the round"),
    ),
    over=is_over,
    forms=FORMS,
    harms=HARMFUL_FORMS,
    trait_forms=frozenset({"trait", "replace"}),
    kinds=KINDS,
    ready=READY_LINES,
    stops=STOP_LINES,
    result=lazy_function("games.classroom.phases.scoring:result"),
    scene=scene,
    early_decision=early_decision,
    shows=shows,
    turning=lambda _: (),  # no card that lies face down ever turns up
    kits=KITS,
    options=(Option("silence", SILENCE, ("silly", "removal")),),
    prose=prose,
    eaten=lambda state: {species.name: species.food_taken for species in state.species()},
    about_piece=lazy_function("games.classroom.presentation:about_piece"),
    drawings=lazy_function("games.classroom.presentation:drawings"),
    texts=lazy_function("games.classroom.presentation:texts"),
    how_to_play=partial(
        lazy_function("games.load_rules_page_and_lesson:load_chapters"), "games.classroom"
    ),
    lesson=partial(
        lazy_function("games.load_rules_page_and_lesson:load_lesson"), "games.classroom"
    ),
    positions=lazy_function("games.classroom.rule_case_table:positions"),
    bots={
        "greedy": lazy_function("games.classroom.greedy_bot:Greedy"),
        "silly": lazy_function("games.classroom.silly_player:Silly"),
    },
)
