"""Ready lines of the rulesets made from Evolution: whole feedings in a few words.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import DONE, ReadyLine, Seat, cards_in
from games.best_option import best_option, sparing
from games.evolution.phases.feeding import is_thought, least_harmful_feeding
from games.evolution.sentences import FORMS
from games.evolution.table import Species, State
from games.food_number_cards import food_of, trait_of


# ------------------------------------------------------------------ the options by form
def plant_eaters(state: State, options: Sequence[str]) -> Iterator[tuple[str, Species]]:
    """Yield the species that may eat plants, each with its option."""
    for option in options:
        form, fields = FORMS.parse(option)
        if form == "eats":
            yield option, state.creature_named(fields["sp"])


def free_attacks(
    state: State, seat: Seat, options: Sequence[str], is_own_prey: bool = False
) -> Iterator[tuple[str, Species, Species]]:
    """Yield the attacks that cost no card, on other players' species or (``is_own_prey``) on the
    seat's own; each with attacker and target. Attacks that cost one have a form of their own."""
    for option in options:
        form, fields = FORMS.parse(option)
        if form == "attacks" and (fields["who"][0] == seat) == is_own_prey:
            yield option, state.creature_named(fields["sp"]), state.creature_named(fields["who"])


def thinkers(state: State, options: Sequence[str]) -> Iterator[tuple[str, Species]]:
    """Yield the uses of Intelligence, each with the species that it feeds."""
    for option in options:
        form, fields = FORMS.parse(option)
        if form == "thinks":
            yield option, state.creature_named(fields["sp"])


# ------------------------------------------------------------------ the values of options
def meal_worth(species: Species, count: int) -> int:
    """Return the value of food in tenths of points: 14 if eaten, 7 if stored; the first food also
    saves traits."""
    eaten_count = min(count, species.hunger)
    stored_count = min(count - eaten_count, species.fat_room)
    saved_worth = 3 + 2 * len(species.traits) if eaten_count and not species.food else 0
    return 14 * eaten_count + 7 * stored_count + saved_worth


def plant_worth(state: State, species: Species) -> int:
    """Return the value of one plant food, in tenths of points, with what Foraging and Cooperation
    add."""
    worth = meal_worth(species, 1 + (species.has("foraging") and species.hunger > 1))
    neighbour = state.right_neighbour(species)
    if neighbour is not None and species.has("cooperation") and not neighbour.kit.no_plants:
        worth += meal_worth(neighbour, 1)
    return worth + 5 * (species.has("burrowing") and species.hunger == 1)


def prey_worth(hunter: Species, prey: Species) -> int:
    """Return the value of an attack on another player's species, in tenths of points: the meal plus
    the harm, minus the cost of Horns."""
    horn_count = len(prey.kit.struck)
    food_worth = meal_worth(hunter, prey.body) if hunter.population > horn_count else 0
    extinction_worth = 3 * (1 + len(prey.traits)) if prey.population == 1 else 0
    hunter_loss = 10 + 10 * len(hunter.traits) if horn_count and hunter.population == 1 else 0
    return food_worth + 9 + extinction_worth - 16 * horn_count - hunter_loss


def is_food_scarce(state: State) -> bool:
    """Return whether there is less plant food than one and a half times the hunger of all plant
    eaters."""
    total_hunger = sum(x.hunger for x in state.species() if not x.kit.no_plants)
    return 2 * state.hole < 3 * total_hunger


# ------------------------------------------------------------------ choosing
def best_plant(state: State, options: Sequence[str]) -> str | None:
    """Choose the feeding from the Watering Hole with the greatest value."""
    return best_option((plant_worth(state, x), o) for o, x in plant_eaters(state, options))


def best_prey(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose the attack on another player with the greatest value, if that is above 0."""
    worths = ((prey_worth(x, prey), o) for o, x, prey in free_attacks(state, seat, options))
    return best_option((worth, option) for worth, option in worths if worth > 0)


def pass_or_attack(state: State, seat: Seat, options: Sequence[str]) -> str:
    """Choose to pass or to end the turn.

    If neither is an option, hunger forces an attack: choose the largest species of another player
    or, if there is none, the seat's own smallest species; of equals the first option. If every
    attack needs a card, choose the first option.
    """
    for ending in ("pass", DONE):
        if ending in options:
            return ending
    other_prey = ((x.body, o) for o, _, x in free_attacks(state, seat, options))
    own_prey = ((-x.body, o) for o, _, x in free_attacks(state, seat, options, is_own_prey=True))
    return best_option(other_prey) or best_option(own_prey) or options[0]


def by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose plants first if they are scarce, then prey, then plants."""
    plant, prey = best_plant(state, options), best_prey(state, seat, options)
    meal = (plant or prey) if is_food_scarce(state) else (prey or plant)
    return meal or pass_or_attack(state, seat, options)


def carnivores_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose prey while there is any, then plants for the species that lacks the most food."""
    return (
        best_prey(state, seat, options)
        or hungriest(state, options)
        or pass_or_attack(state, seat, options)
    )  # fmt: skip


def plants_first(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose plants while there are any, then prey."""
    return (
        hungriest(state, options)
        or best_prey(state, seat, options)
        or pass_or_attack(state, seat, options)
    )  # fmt: skip


def hungriest(state: State, options: Sequence[str]) -> str | None:
    """Choose plants for the species that lacks the most food; if several are equal, for the one
    with the least food."""
    return best_option(((x.hunger, -x.food), option) for option, x in plant_eaters(state, options))


def largest_prey(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose the attack on the largest body of another player; if several are equal, on one
    without Horns."""
    return best_option(
        ((prey.body, -len(prey.kit.struck)), option)
        for option, _, prey in free_attacks(state, seat, options)
    )


def plants_only(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose plants for the species that lacks the most food; choose nothing else."""
    return hungriest(state, options)


def intelligence(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose Intelligence for the hungriest species, with the card with the lowest food number;
    None if it can feed no hungry species."""
    greatest_hunger = max((x.hunger for _, x in thinkers(state, options)), default=0)
    best_uses = [option for option, x in thinkers(state, options) if x.hunger == greatest_hunger]
    return least_food(state, seat, best_uses, "") if greatest_hunger else None


def least_harm(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose the default feeding of a silent player."""
    text = least_harmful_feeding(state, seat)
    return text if text in options else pass_or_attack(state, seat, options)


_spare_seat = sparing(FORMS)


def sparing_options(
    state: State, seat: Seat, options: Sequence[str], spared_seat: str
) -> list[str]:
    """Keep the options that attack no species of the spared seat.

    If only uses of Intelligence are left, keep none: they only put off an attack that must come.
    """
    kept_options = _spare_seat(state, seat, options, spared_seat)
    return kept_options if any(not is_thought(option) for option in kept_options) else []


# ------------------------------------------------------------------ cards of the seat's hand
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
NEVER_ATTACKS = "attacks species of {seat} only if the rules demand it"
READY_LINES = (
    ReadyLine(
        "food", "the card with the least food",
        "the card in hand with the lowest food number", least_food, total=True, reads_hand=True,
    ),
    ReadyLine(
        "food", "the card with the most food",
        "the card in hand with the highest food number", most_food, total=True, reads_hand=True,
    ),
    ReadyLine("feed", "never attack {seat}", NEVER_ATTACKS, keeps=sparing_options),
    ReadyLine(
        "feed", "scarce plants first, then prey, then plants",
        "plants as long as there are too few plants for all species, then the best prey, then "
        "plants again", by_need, total=True,
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
        "attacks the largest species of another player, but discards no card for it", largest_prey,
    ),
    ReadyLine("feed", "plants only", "plants for the species that lacks the most food, and no "
    "attacks", plants_only),
    ReadyLine(
        "feed", "intelligence for the hungriest",
        "discards the card with the lowest food number, if Intelligence can feed a hungry species",
        intelligence, reads_hand=True,
    ),
    ReadyLine(
        "feed", "only what hunger demands", "the least harmful choice, as for a silent player",
        least_harm,
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
