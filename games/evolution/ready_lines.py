"""Ready lines of the rulesets made from Evolution: whole feedings in a few words.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine import DONE, ReadyLine, Seat, cards_in
from games.cards import food_of, trait_of
from games.choices import best, sparing
from games.evolution.phases.feeding import is_thought, silence
from games.evolution.sentences import FORMS
from games.evolution.table import Species, State

Rank = Callable[[State, Species, Species], "tuple[int, ...] | int"]


# ------------------------------------------------------------------ the options, read
def eaters(state: State, options: Sequence[str]) -> Iterator[tuple[str, Species]]:
    """Yield the species that may eat plants, each with its option."""
    for option in options:
        form, said = FORMS.parse(option)
        if form == "eats":
            yield option, state.named(said["sp"])


def hunts(
    state: State, seat: Seat, options: Sequence[str], own: bool = False
) -> Iterator[tuple[str, Species, Species]]:
    """Yield the attacks that cost no card, on other players' species or on the seat's own."""
    for option in options:
        form, said = FORMS.parse(option)
        if form == "attacks" and (said["who"][0] == seat) == own:
            yield option, state.named(said["sp"]), state.named(said["who"])


def thinkers(state: State, options: Sequence[str]) -> Iterator[tuple[str, Species]]:
    """Yield the uses of Intelligence, each with the species that it feeds."""
    for option in options:
        form, said = FORMS.parse(option)
        if form == "thinks":
            yield option, state.named(said["sp"])


# ------------------------------------------------------------------ how good it is
def meal_worth(species: Species, count: int) -> int:
    """Return the value of food in tenths of points: 14 if eaten, 7 if stored; the first food also
    saves traits."""
    eaten = min(count, species.hunger)
    stored = min(count - eaten, species.fat_room)
    saved = 3 + 2 * len(species.traits) if eaten and not species.food else 0
    return 14 * eaten + 7 * stored + saved


def plant_worth(state: State, species: Species) -> int:
    """Return the value of one plant food, with what Foraging and Cooperation add."""
    worth = meal_worth(species, 1 + (species.has("foraging") and species.hunger > 1))
    right = state.right_of(species)
    if right is not None and species.has("cooperation") and not right.kit.no_plants:
        worth += meal_worth(right, 1)
    return worth + 5 * (species.has("burrowing") and species.hunger == 1)


def prey_worth(hunter: Species, prey: Species) -> int:
    """Return the value of an attack on another player's species: the meal plus the harm, minus the
    cost of Horns."""
    horns = len(prey.kit.struck)
    meal = meal_worth(hunter, prey.body) if hunter.population > horns else 0
    dead = 3 * (1 + len(prey.traits)) if prey.population == 1 else 0
    lost = 10 + 10 * len(hunter.traits) if horns and hunter.population == 1 else 0
    return meal + 9 + dead - 16 * horns - lost


def scarce(state: State) -> bool:
    """Return whether there is less plant food than one and a half times what plant eaters still
    need."""
    wanted = sum(x.hunger for x in state.species() if not x.kit.no_plants)
    return 2 * state.hole < 3 * wanted


# ------------------------------------------------------------------ what is chosen
def best_plant(state: State, options: Sequence[str]) -> str | None:
    """Choose the feeding from the Watering Hole with the greatest value."""
    return best((plant_worth(state, x), option) for option, x in eaters(state, options))


def best_prey(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose the attack on another player with the greatest value, if that is above 0."""
    found = ((prey_worth(x, prey), o) for o, x, prey in hunts(state, seat, options))
    return best(one for one in found if one[0] > 0)


def rest(state: State, seat: Seat, options: Sequence[str]) -> str:
    """Choose to pass or to end the turn.

    If neither is an option, hunger forces an attack: choose the largest species of another player
    or, if there is none, the seat's own smallest species.
    """
    for end in ("pass", DONE):
        if end in options:
            return end
    theirs = ((prey.body, option) for option, _, prey in hunts(state, seat, options))
    mine = ((-prey.body, option) for option, _, prey in hunts(state, seat, options, own=True))
    return best(theirs) or best(mine) or options[0]


def by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose plants first if they are scarce, then prey, then plants."""
    plant, prey = best_plant(state, options), best_prey(state, seat, options)
    found = (plant or prey) if scarce(state) else (prey or plant)
    return found or rest(state, seat, options)


def carnivores_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose prey while there is any, then plants for the species that lacks the most food."""
    return (
        best_prey(state, seat, options)
        or hungriest(state, options)
        or rest(state, seat, options)
    )  # fmt: skip


def plants_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose plants while there are any, then prey."""
    return (
        hungriest(state, options)
        or best_prey(state, seat, options)
        or rest(state, seat, options)
    )  # fmt: skip


def hungriest(state: State, options: Sequence[str]) -> str | None:
    """Feed the plant eater that lacks most food; if several are equal, the one that has eaten
    least.
    """
    return best(((x.hunger, -x.food), option) for option, x in eaters(state, options))


def largest_prey(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Attack the largest body of another player; if several are equal, one without Horns."""
    return best(
        ((prey.body, -len(prey.kit.struck)), option)
        for option, _, prey in hunts(state, seat, options)
    )


def plants_only(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose plants for the species that lacks the most food; choose nothing else."""
    return hungriest(state, options)


def intelligence(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Use Intelligence for the hungriest species that it can feed, with the card that has the
    lowest food number; None if no such species is hungry."""
    most = max((x.hunger for _, x in thinkers(state, options)), default=0)
    found = [option for option, x in thinkers(state, options) if x.hunger == most]
    return least_food(state, seat, found, "") if most else None


def least_harm(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose the default feeding of a silent player."""
    text = silence(state, seat)
    return text if text in options else rest(state, seat, options)


_spared = sparing(FORMS)


def without(state: State, seat: Seat, options: Sequence[str], other: str) -> list[str]:
    """Keep the options that attack no species of the other seat; none if all that is left is to
    discard a card for Intelligence, which only puts off an attack that must come."""
    kept = _spared(state, seat, options, other)
    return kept if any(not is_thought(option) for option in kept) else []


# ------------------------------------------------------------------ cards of the own hand
def card_in(option: str) -> str:
    """Return the card that an option names."""
    return cards_in(option)[0] if "[" in option else FORMS.parse(option)[1]["card"]


def least_food(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the card with the lowest food number; ties are broken by the trait's name."""
    return min(options, key=lambda o: (food_of(card_in(o)), trait_of(card_in(o))))


def most_food(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the card with the highest food number; ties are broken by the trait's name."""
    return min(options, key=lambda o: (-food_of(card_in(o)), trait_of(card_in(o))))


# ------------------------------------------------------------------ the lines
NEVER = "attacks no species of {seat}, unless the rules leave no other choice"
READY = (
    ReadyLine(
        "food", "the card with the least food",
        "the card in hand with the lowest food number", least_food, total=True, reads_hand=True,
    ),
    ReadyLine(
        "food", "the card with the most food",
        "the card in hand with the highest food number", most_food, total=True, reads_hand=True,
    ),
    ReadyLine("feed", "never attack {seat}", NEVER, keeps=without),
    ReadyLine(
        "feed", "scarce plants first, then prey, then plants",
        "plants while there are too few for everyone, then the best prey, then plants", by_need,
        total=True,
    ),
    ReadyLine(
        "feed", "carnivores first, then the hungriest",
        "the best prey of other players, then plants for the species that lacks the most food",
        carnivores_first, total=True,
    ),
    ReadyLine(
        "feed", "plants first, then prey",
        "plants for the species that lacks the most food, then the best prey of other players",
        plants_first, total=True,
    ),
    ReadyLine(
        "feed", "hunt whatever is allowed, the largest first",
        "attacks the largest species of another player, if an attack costs no card", largest_prey,
    ),
    ReadyLine("feed", "plants only", "plants for the species that lacks the most food, and no "
    "attacks", plants_only),
    ReadyLine(
        "feed", "intelligence for the hungriest",
        "discards the card with the lowest food number, if Intelligence can feed a hungry species",
        intelligence, reads_hand=True,
    ),
    ReadyLine(
        "feed", "only what hunger demands", "what is done for a silent player", least_harm,
        total=True,
    ),
    ReadyLine(
        "think", "intelligence for the hungriest",
        "discards the card with the lowest food number, if Intelligence can feed a hungry species",
        intelligence, reads_hand=True,
    ),
    ReadyLine(
        "pay", "the card with the least food",
        "the card in hand with the lowest food number", least_food, total=True, reads_hand=True,
    ),
)  # fmt: skip
