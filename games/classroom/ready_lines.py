"""Ready lines of the course's game: feeding in a few words, and the silly player's choice.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine import ReadyLine, Seat
from games.choices import best_option, sparing
from games.classroom.phases.feeding import DECLINE
from games.classroom.sentences import FORMS
from games.classroom.silly import silly_choice, silly_feeding
from games.classroom.table import Species, State

Way = Callable[[State, Seat, Sequence[str]], str | None]
"""A function that chooses an option, or None."""


def read(state: State, options: Sequence[str], form: str) -> Iterator[tuple[str, Species, str]]:
    """Yield each option of this form, with the species that acts and its target."""
    for option in options:
        found, said = FORMS.parse(option)
        if found == form:
            yield option, state.creature_named(said["sp"]), said.get("who", said.get("n", ""))


def meal(species: Species) -> int:
    """Return the value of a token for a species, in tenths of points; the first token saves the
    board."""
    more = 5 * (species.has("foraging") + species.has("cooperation"))
    return 10 + more + (0 if species.food else 5 + 3 * len(species.traits))


def prey_worth(hunter: Species, prey: Species) -> int:
    """Return the value of an attack on another player: a token plus the harm, minus the cost of
    Horns."""
    horns = 15 * len(prey.kit.struck)
    eaten = meal(hunter) if hunter.population > bool(horns) else 0
    dead = 3 * (1 + len(prey.traits)) if prey.population == 1 else 0
    return eaten + 4 + dead - horns


# ------------------------------------------------------------------ what is chosen
def eats(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose a token for the species that would lose the most without one."""
    return best_option(
        ((meal(x), x.hunger), option) for option, x, _ in read(state, options, "eats")
    )


def hunts(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose the attack on another player with the greatest value, if that is above 0."""
    return best_option(
        ((value,), option)
        for option, hunter, name in read(state, options, "attacks")
        if name[0] != seat and (value := prey_worth(hunter, state.creature_named(name))) > 0
    )


def stores(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose to store as much fat as fits."""
    return best_option(((int(n),), option) for option, _, n in read(state, options, "stores"))


def largest(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose an attack on the largest population of another player."""
    return best_option(
        ((state.creature_named(name).population,), option)
        for option, _, name in read(state, options, "attacks")
        if name[0] != seat
    )


def rest(options: Sequence[str]) -> str:
    """Choose to decline, if that is possible; else the first option."""
    return DECLINE if DECLINE in options else options[0]


def first_of(ways: Sequence[Way], state: State, seat: Seat, options: Sequence[str]) -> str:
    """Use the first of these ways that finds an option; if none does, use `rest`."""
    found = (way(state, seat, options) for way in ways)
    return next(filter(None, found), rest(options))


def by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the prey or plant with the greatest value; if there is none, store fat."""
    found = [*read(state, options, "attacks"), *read(state, options, "eats")]
    ranked = (
        ((prey_worth(x, state.creature_named(name)) if name else meal(x),), option)
        for option, x, name in found
        if not name or name[0] != seat
    )
    most = best_option(one for one in ranked if one[0][0] > 0)
    return most or first_of([stores], state, seat, options)


def plants_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Feed the vegetarians first, then attack, then store fat."""
    return first_of([eats, hunts, stores], state, seat, options)


def carnivores_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Attack first, then feed the vegetarians, then store fat."""
    return first_of([hunts, eats, stores], state, seat, options)


def silly(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose what the silly player would feed."""
    text = silly_feeding(state, seat)
    return text if text in options else options[0]


def silly_turn(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose all that the silly player would choose in this turn."""
    return silly_choice(state, seat)


without = sparing(FORMS)
NEVER = "attacks no species of {seat}, unless the rules leave no other choice"
READY = (
    ReadyLine(
        "choice", "the silly player's choice",
        "the food card and the cards that the silly player would choose", silly_turn, total=True,
        reads_hand=True,
    ),
    ReadyLine("feed", "never attack {seat}", NEVER, keeps=without),
    ReadyLine(
        "feed", "whatever a token saves most, then fat",
        "prey or plants, whichever is worth more, then fat", by_need, total=True,
    ),
    ReadyLine(
        "feed", "carnivores first, then the hungriest",
        "the best prey, then tokens for the species that would lose the most, then fat",
        carnivores_first, total=True,
    ),
    ReadyLine(
        "feed", "plants first, then prey",
        "tokens for the species that would lose the most, then the best prey, then fat",
        plants_first, total=True,
    ),
    ReadyLine(
        "feed", "hunt whatever is allowed, the largest first",
        "attacks the largest population of another player", largest,
    ),
    ReadyLine("feed", "plants only", "only tokens, for the species that would lose the most", eats),
    ReadyLine("feed", "fat only", "stores as much fat as fits", stores),
    ReadyLine(
        "feed", "the silly player's feeding", "what is done for a silent player", silly, total=True,
    ),
)  # fmt: skip
