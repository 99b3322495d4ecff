"""Ready lines of The Origin of Species: feeding, defence, scavenging and pair cards in a few words.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import DONE, ReadyLine, Seat
from games.choices import best_option
from games.origin.phases.attacks import newest_loss
from games.origin.phases.development import PASS
from games.origin.phases.feeding import silence
from games.origin.sentences import FORMS
from games.origin.table import Animal, State

Said = tuple[str, str, dict[str, str]]
"""An option, its form and its fields."""


def read(options: Sequence[str], *forms: str) -> Iterator[Said]:
    """Yield the options of these forms, each with its form and fields."""
    for option in options:
        form, said = FORMS.parse(option)
        if form in forms:
            yield option, form, said


# ------------------------------------------------------------------ what things are worth
def worth(state: State, animal: Animal) -> int:
    """Return the value of an animal that survives, in half points."""
    points = 2 + len(animal.traits)
    for fold in animal.kit.points:
        points = fold(points)
    return 2 * points + sum(1 for _ in state.pairs_of(animal))


def need(state: State, animal: Animal) -> tuple[int, ...]:
    """Return a rank for how much one token helps the animal: most if it is almost fed or
    valuable."""
    hungry = animal.hunger > 0
    paired = sum(1 for _ in state.pairs_of(animal))
    return (hungry, 12 * worth(state, animal) // max(1, animal.hunger) + 24 * paired, paired)


def risk(prey: Animal) -> int:
    """Return how likely the attack is to fail or to cost something; a lower number is better for
    the attacker."""
    return 2 * prey.has("running") + 2 * prey.has("tail_loss") + prey.has("mimicry")


# ------------------------------------------------------------------ feeding
def eats(state: State, options: Sequence[str]) -> str | None:
    """Choose a red token for the animal that it helps most."""
    return best_option(
        (need(state, state.creature_named(said["sp"])), option)
        for option, _, said in read(options, "eats")
    )  # fmt: skip


def hunts(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose the attack on another player with the greatest value minus risk, but never on a
    poisonous animal."""
    return best_option(
        ((worth(state, prey) - 4 * risk(prey), -risk(prey)), option)
        for option, _, said in read(options, "attacks")
        for prey in (state.creature_named(said["who"]),)
        if prey.owner != seat and not prey.has("poisonous")
    )


def robs(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose Piracy for the least hungry animal that can use it, against another player if
    possible."""
    return best_option(
        ((said["who"][0] != seat, -state.creature_named(said["sp"]).hunger), option)
        for option, _, said in read(options, "robs")
    )


def converts(state: State, options: Sequence[str]) -> str | None:
    """Choose to convert an animal's fat if this feeds the animal completely."""
    return best_option(
        ((int(said["n"]),), option)
        for option, _, said in read(options, "converts")
        if int(said["n"]) == state.creature_named(said["sp"]).hunger
    )


def sleeps(state: State, options: Sequence[str]) -> str | None:
    """Choose Hibernation if the food bank is empty."""
    found = (option for option, _, said in read(options, "hibernates"))
    return next(found, None) if not state.bank else None


def hungry(state: State, option: str | None) -> str | None:
    """Return the option if the animal that takes food is hungry, else None."""
    return option if option and state.creature_named(option.split(" ")[0]).hunger else None


def grazes(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose to graze if other seats have hungry animals and this seat has none."""
    mine = any(animal.hunger for animal in state.rows[seat])
    others = any(animal.hunger for animal in state.animals() if animal.owner != seat)
    found = (option for option, _, _ in read(options, "grazes"))
    return next(found, None) if others and not mine else None


def last(options: Sequence[str]) -> str:
    """Choose to pass, or to end the turn if passing is not an option."""
    return PASS if PASS in options else DONE


def by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the first that is possible: Piracy, prey, a red token for a hungry animal, fat, a
    token to store, Hibernation, Grazing."""
    eaten = eats(state, options)
    return (
        robs(state, seat, options)
        or hunts(state, seat, options)
        or hungry(state, eaten)
        or converts(state, options)
        or eaten
        or sleeps(state, options)
        or grazes(state, seat, options)
        or last(options)
    )


def tokens_first(state: State, seat: Seat, options: Sequence[str], argument: str) -> str:
    """Choose red tokens for hungry animals before any attack."""
    return hungry(state, eats(state, options)) or by_need(state, seat, options, argument)


def tokens_only(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose red tokens for the animal that they help most; choose nothing else."""
    return eats(state, options)


def least_harm(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the default action of a silent player."""
    text = silence(state, seat)
    return text if text in options else last(options)


def without(state: State, seat: Seat, options: Sequence[str], other: str) -> list[str]:
    """Leave out the options that attack or rob an animal of that seat."""
    harm = {o for o, _, said in read(options, "attacks", "robs") if said["who"][0] == other}
    return [option for option in options if option not in harm]


# ------------------------------------------------------------------ answers to an attack
def defend(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose to run; else to lose a parasite or the newest card; else to redirect to the least
    valuable animal."""
    ran = best_option(((1,), option) for option, _, _ in read(options, "runs"))
    parasite = best_option(
        ((1,), o) for o, _, said in read(options, "loses") if said["t"] == "parasite"
    )  # fmt: skip
    return ran or parasite or lose(state, seat, options, "") or sent_away(state, options)


def lose(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose to lose the newest trait card, so that the animal survives."""
    found = [option for option, _, _ in read(options, "loses", "parts")]
    if not found:
        return None
    newest = newest_loss(state, state.creature_named(found[0].split(" ")[0]))
    return newest if newest in found else found[0]


def sent_away(state: State, options: Sequence[str]) -> str:
    """Choose to redirect the attack to a poisonous animal; if there is none, to the least valuable
    one."""
    found = best_option(
        ((decoy.has("poisonous"), -worth(state, decoy)), option)
        for option, _, said in read(options, "redirects")
        for decoy in (state.creature_named(said["who"]),)
    )
    return found or options[0]


def mimicry(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose Mimicry, if it is possible."""
    return sent_away(state, options) if any(read(options, "redirects")) else None


def bait(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose not to defend, if the animal that is attacked is poisonous."""
    return best_option(
        ((1,), option)
        for option, _, said in read(options, "yields")
        if state.creature_named(said["sp"]).has("poisonous")
    )


def run(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose to run, if it is possible."""
    return best_option(((1,), option) for option, _, _ in read(options, "runs"))


# ------------------------------------------------------------------ scraps and pair cards
def scraps(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the scavenger that the token helps most."""
    found = best_option(
        (need(state, state.creature_named(said["sp"])), o)
        for o, _, said in read(options, "scavenges")
    )
    return found or options[0]


def shares(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the pair card that gives the token to the animal that it helps most."""
    found = best_option(
        (need(state, state.creature_named(said["who"])), o)
        for o, _, said in read(options, "shares")
    )
    return found or options[0]


NEVER = "neither attacks nor robs an animal of {seat}, unless the rules leave no other choice"
NEED = "piracy, then the best prey, then red tokens for the animal they help most, then fat"
DEFENCE = "run, else lose a card, else mimicry"
HELPS_MOST = "whom it helps most"
READY = (
    *(ReadyLine(kind, "never attack {seat}", NEVER, keeps=without) for kind in ("feed", "also")),
    ReadyLine("feed", "prey first, then whom a token helps most", NEED, by_need, total=True),
    ReadyLine(
        "feed", "tokens first, then prey",
        "red tokens for hungry animals, then the best prey", tokens_first, total=True,
    ),
    ReadyLine("feed", "hunt whatever is allowed", "the best prey of another player", hunts),
    ReadyLine("feed", "tokens only", "red tokens, nothing else", tokens_only),
    ReadyLine(
        "feed", "only tokens for the leftmost", "what is done for a silent player", least_harm,
        total=True,
    ),
    ReadyLine(
        "also", "whatever still feeds somebody",
        "piracy, then hibernation for hungry animals, then grazing if it harms others", by_need,
        total=True,
    ),
    ReadyLine(
        "defend", DEFENCE,
        "runs; if not possible, loses a parasite or the newest card; if not possible, redirects "
        "to the least valuable animal",
        defend, total=True,
    ),
    ReadyLine("defend", "run if it can", "runs, if the animal can run", run),
    ReadyLine("defend", "lose the newest card", "loses the newest trait card", lose),
    ReadyLine("defend", "no defence if poisonous", "does not defend an animal that is poisonous",
    bait),
    ReadyLine("defend", "mimicry if it can", "redirects to a poisonous animal or one of little "
    "value", mimicry),
    ReadyLine(
        "scavenge", HELPS_MOST, "the scavenger that needs the least food", scraps, total=True,
    ),
    ReadyLine(
        "share", HELPS_MOST, "the pair card that feeds the hungriest partner", shares,
        total=True,
    ),
)  # fmt: skip
