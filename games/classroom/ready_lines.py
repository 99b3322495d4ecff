"""Ready lines of the course's game: feeding in a few words, and the silly player's choice.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine import ReadyLine, Seat
from games.best_option import best_option, sparing
from games.classroom.phases.feeding import DECLINE
from games.classroom.sentences import FORMS
from games.classroom.silly_player import silly_choice, silly_feeding
from games.classroom.table import Species, State

Way = Callable[[State, Seat, Sequence[str]], str | None]
"""A function that chooses an option, or None."""


def options_of(
    state: State, options: Sequence[str], form: str
) -> Iterator[tuple[str, Species, str]]:
    """Yield each option of this form, with the species that acts and the name of its target (for
    fat, the amount; for plants, an empty text)."""
    for option in options:
        option_form, fields = FORMS.parse(option)
        if option_form == form:
            yield option, state.creature_named(fields["sp"]), fields.get("who", fields.get("n", ""))


def token_worth(species: Species) -> int:
    """Return the value of a token for a species, in tenths of points; the first token saves the
    board."""
    bonus = 5 * (species.has("foraging") + species.has("cooperation"))
    return 10 + bonus + (0 if species.food else 5 + 3 * len(species.traits))


def prey_worth(hunter: Species, prey: Species) -> int:
    """Return the value of an attack on another player: a token plus the harm, minus the cost of
    Horns."""
    horns = 15 * len(prey.kit.struck)
    token = token_worth(hunter) if hunter.population > bool(horns) else 0
    board = 3 * (1 + len(prey.traits)) if prey.population == 1 else 0
    return token + 4 + board - horns


# ------------------------------------------------------------------ what is chosen
def choose_token(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose a token for the species that would lose the most population without one."""
    return best_option(
        ((token_worth(x), x.hunger), option) for option, x, _ in options_of(state, options, "eats")
    )


def choose_prey(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose the attack on another player with the greatest value, if that is above 0."""
    return best_option(
        ((value,), option)
        for option, hunter, name in options_of(state, options, "attacks")
        if name[0] != seat and (value := prey_worth(hunter, state.creature_named(name))) > 0
    )


def choose_storing(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose to store as much fat as fits."""
    return best_option(((int(n),), option) for option, _, n in options_of(state, options, "stores"))


def choose_largest_prey(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose an attack on the largest population of another player."""
    return best_option(
        ((state.creature_named(name).population,), option)
        for option, _, name in options_of(state, options, "attacks")
        if name[0] != seat
    )


def decline_or_first(options: Sequence[str]) -> str:
    """Choose to decline, if that is possible; else the first option."""
    return DECLINE if DECLINE in options else options[0]


def first_result(ways: Sequence[Way], state: State, seat: Seat, options: Sequence[str]) -> str:
    """Use the first of these ways that finds an option; if none does, decline or take the first
    option."""
    results = (way(state, seat, options) for way in ways)
    return next(filter(None, results), decline_or_first(options))


def choose_by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the prey or plant with the greatest value; if there is none, store fat."""
    meals = [*options_of(state, options, "attacks"), *options_of(state, options, "eats")]
    ranked = (
        ((prey_worth(x, state.creature_named(name)) if name else token_worth(x),), option)
        for option, x, name in meals
        if not name or name[0] != seat
    )
    best_meal = best_option((rank, option) for rank, option in ranked if rank[0] > 0)
    return best_meal or first_result([choose_storing], state, seat, options)


def choose_plants_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Feed the vegetarians first, then attack, then store fat."""
    return first_result([choose_token, choose_prey, choose_storing], state, seat, options)


def choose_prey_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Attack first, then feed the vegetarians, then store fat."""
    return first_result([choose_prey, choose_token, choose_storing], state, seat, options)


def choose_silly_feeding(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose what the silly player would feed."""
    text = silly_feeding(state, seat)
    return text if text in options else options[0]


def choose_silly_turn(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose all that the silly player would choose in this turn."""
    return silly_choice(state, seat)


spare_seat = sparing(FORMS)
SPARES_SEAT = "attacks species of {seat} only if the rules demand it"
READY_LINES = (
    ReadyLine(
        "choice", "the silly player's choice",
        "the food card and the other cards that the bot “silly” would choose", choose_silly_turn,
        total=True, reads_hand=True,
    ),
    ReadyLine("feed", "never attack {seat}", SPARES_SEAT, keeps=spare_seat),
    ReadyLine(
        "feed", "whatever a token saves most, then fat",
        "prey or plants, whichever is worth more, then fat", choose_by_need, total=True,
    ),
    ReadyLine(
        "feed", "carnivores first, then the hungriest",
        "the best prey, then the token that is worth most, then fat",
        choose_prey_first, total=True,
    ),
    ReadyLine(
        "feed", "plants first, then prey",
        "the token that is worth most, then the best prey, then fat",
        choose_plants_first, total=True,
    ),
    ReadyLine(
        "feed", "hunt whatever is allowed, the largest first",
        "attacks the largest population of another player",
        choose_largest_prey,
    ),
    ReadyLine(
        "feed", "plants only",
        "only tokens, first the one that is worth most",
        choose_token,
    ),
    ReadyLine("feed", "fat only", "stores as much fat as fits", choose_storing),
    ReadyLine(
        "feed", "the silly player's feeding", "feeds as the bot “silly” would",
        choose_silly_feeding, total=True,
    ),
)  # fmt: skip
