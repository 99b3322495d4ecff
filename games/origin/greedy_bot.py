"""The greedy bot, which plays like a person: it sees what its seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import ClassVar

from engine import Decision, Seat
from games.origin.phases.attacks import why_not_prey
from games.origin.phases.development import develop
from games.origin.sentences import FORMS
from games.origin.table import Animal, State

SHIELDS = frozenset({
    "burrowing", "camouflage", "high_body_weight", "mimicry", "running", "swimming", "tail_loss",
})  # fmt: skip
"""Traits that keep an animal from being eaten."""
TRAIT_WORTH: Mapping[str, float] = {
    "burrowing": 1.6, "camouflage": 2.2, "carnivorous": 2.0, "fat_tissue": 1.2, "grazing": 0.6,
    "hibernation_ability": 1.8, "high_body_weight": 1.4, "mimicry": 1.3, "piracy": 1.7,
    "poisonous": 1.2, "running": 1.6, "scavenger": 1.6, "sharp_vision": 0.7, "swimming": 1.8,
    "tail_loss": 1.4, "communication": 1.8, "cooperation": 2.2, "symbiosis": 0.9,
}  # fmt: skip
"""The value in points of each trait for its animal; a guess."""


class Greedy:
    """Chooses, one decision at a time, the option that is best by simple estimates.

    It makes as many animals as the food bank may feed, protects them, attacks animals that have no
    defence, uses Piracy where it can, and hibernates when nothing else is left.
    """

    sees = True
    judges: ClassVar[Mapping[str, Callable[[State, Seat, str], float]]]
    """For each kind of decision, the function that values its options; for other kinds the bot
    takes the first option."""

    def __init__(self, rng: Random) -> None:
        """Make the bot; it uses no random numbers."""

    def choose(
        self, state: State, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose the option with the greatest value (see engine.Bot)."""
        judge = self.judges.get(decision.kind)
        if judge is None:
            return options[0]
        for step in steps:
            develop(state, decision.seat, step)
        return max(options, key=lambda option: judge(state, decision.seat, option))


# ------------------------------------------------------------------ development
def expected_food(state: State) -> float:
    """Return the number of red tokens that a player can expect in a game turn."""
    dice, plus = state.book.dice
    return (3.5 * dice + plus) / len(state.seats)


def appetite(state: State, seat: Seat) -> int:
    """Return the amount of food that all of the player's animals need."""
    return sum(animal.need for animal in state.rows[seat])


def spare_food(state: State, seat: Seat) -> float:
    """Return the red tokens that are left over for one more animal, or for a greater need."""
    return expected_food(state) + 1 - appetite(state, seat)


def develop_worth(state: State, seat: Seat, option: str) -> float:
    """Return the value of playing a card in one way, without regard to the rest of the hand. A pass
    has the value 0, so the bot passes only if everything else has a lower value."""
    form, fields = FORMS.parse(option)
    if form == "pass":
        return 0.0
    if form == "animal":
        spare = spare_food(state, seat)
        return 3.5 + spare if spare > 0 else -1.0
    if form in ("pair", "protects"):  # "protects" names no trait
        return _pair_worth(state, fields.get("t", "symbiosis"))
    trait = fields.get("t", fields["card"])  # a card with one trait has its name
    animal = state.creature_named(fields["sp"])
    if trait == "parasite":
        return _parasite_worth(animal)
    worth = TRAIT_WORTH[trait] + 0.2 * len(animal.traits)
    if trait == "carnivorous":
        worth += min(2.0, 0.5 * prey_for(state, animal)) - 1.0
    if trait in SHIELDS and not any(t.name in SHIELDS for t in animal.traits):
        worth += 1.0
    if trait in ("carnivorous", "high_body_weight") and spare_food(state, seat) < 0:
        worth -= 2.0
    return worth


def _pair_worth(state: State, trait: str) -> float:
    return TRAIT_WORTH[trait] + (0.5 if state.round == state.final_round else 0.0)


def _parasite_worth(animal: Animal) -> float:
    """Return the value of a parasite: it starves another player's animal, and is itself a trait
    card."""
    return 1.5 + 0.5 * len(animal.traits) if animal.need <= 2 else 0.5


def prey_for(state: State, hunter: Animal) -> int:
    """Return the number of other players' animals that this animal could attack, even if they might
    escape."""
    candidates = (x for x in state.animals() if x.owner != hunter.owner)
    return sum(1 for x in candidates if why_not_prey(state, hunter, x) is None)


# ------------------------------------------------------------------ feeding
def feed_worth(state: State, seat: Seat, option: str) -> float:
    """Return the value of one option of a feeding turn."""
    form, fields = FORMS.parse(option)
    if form in ("pass", "done"):
        return 0.0
    animal = state.creature_named(fields["sp"])
    if form == "eats":
        return eat_worth(state, animal)
    if form == "attacks":
        return attack_worth(state, animal, state.creature_named(fields["who"]))
    if form == "robs":
        return 20.0 - animal.hunger + (state.creature_named(fields["who"]).owner != seat)
    if form == "converts":
        return 1.0 + (2.0 if int(fields["n"]) == animal.hunger else 0.0)
    if form == "grazes":
        return graze_worth(state, seat)
    return 0.4  # hibernation, if there is no other way to feed the animal


def eat_worth(state: State, animal: Animal) -> float:
    """Return the value of a red token: most if it saves an animal, less if it is stored."""
    pairs = sum(1.0 for _ in state.pairs_of(animal))
    if not animal.hunger:
        return 1.0 + pairs
    return 5.0 + worth_of(state, animal) / animal.hunger + pairs


def worth_of(state: State, animal: Animal) -> float:
    """Return the points that an animal will bring if it survives."""
    points = 2 + len(animal.traits) + sum(0.5 for _ in state.pairs_of(animal))
    for fold in animal.kit.points:
        points = fold(int(points))
    return points


def attack_worth(state: State, hunter: Animal, target: Animal) -> float:
    """Return the value of an attack: the prey's value minus the risk; the bot does not attack its
    own animals."""
    if target.owner == hunter.owner:
        return -1.0
    worth = 4.0 + worth_of(state, target) + min(2, hunter.hunger)
    if target.has("poisonous"):
        worth -= 3.0 + worth_of(state, hunter)
    for shield, cost in (("running", 2.0), ("tail_loss", 2.0), ("mimicry", 1.0)):
        worth -= cost if target.has(shield) else 0.0
    return worth


def graze_worth(state: State, seat: Seat) -> float:
    """Return the value of grazing: it is good when others are hungry and this seat is not."""
    own_hunger = sum(animal.hunger for animal in state.rows[seat])
    other_hunger = sum(animal.hunger for animal in state.animals() if animal.owner != seat)
    return 0.5 if other_hunger and not own_hunger else -1.0


# ------------------------------------------------------------------ answers
def defend_worth(state: State, seat: Seat, option: str) -> float:
    """Return the value of an answer to an attack.

    Running is best, then giving up the least useful card, then redirecting the attack to the least
    useful animal; the bot always defends.
    """
    form, fields = FORMS.parse(option)
    if form == "yields":
        return -100.0
    if form == "runs":
        return 10.0
    if form == "redirects":
        decoy = state.creature_named(fields["who"])
        return 2.5 - worth_of(state, decoy) + (4.0 if decoy.has("poisonous") else 0.0)
    if form == "spills":
        return -1.0
    if fields["t"] == "parasite":
        return 5.0
    return 2.0 - TRAIT_WORTH[fields["t"]]


def scavenge_worth(state: State, seat: Seat, option: str) -> float:
    """Return the value of the scavenged token: most for the animal that needs it most."""
    animal = state.creature_named(FORMS.parse(option)[1]["sp"])
    return worth_of(state, animal) / animal.hunger if animal.hunger else 0.0


def share_worth(state: State, seat: Seat, option: str) -> float:
    """Return the value of using a pair card: most if it feeds a hungry animal."""
    taker = state.creature_named(FORMS.parse(option)[1]["who"])
    return worth_of(state, taker) / taker.hunger if taker.hunger else 0.0


Greedy.judges = {
    "develop": develop_worth,
    "feed": feed_worth,
    "also": feed_worth,
    "defend": defend_worth,
    "scavenge": scavenge_worth,
    "share": share_worth,
}
