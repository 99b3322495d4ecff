"""Ready lines of The Origin of Species: feeding, defence, scavenging and pair cards in a few words.

Ready lines compare options by whole numbers, so that every machine chooses the same option. Their
choices are a part of the rules of a running game: if you change one, raise the version of the
ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import DONE, ReadyLine, Seat
from games.best_option import best_option
from games.origin.phases.attacks import newest_loss
from games.origin.phases.development import PASS
from games.origin.phases.feeding import silent_answer
from games.origin.sentences import FORMS
from games.origin.table import Animal, State

ParsedOption = tuple[str, str, dict[str, str]]
"""The option, its form, and the form's fields."""


def options_of(options: Sequence[str], *forms: str) -> Iterator[ParsedOption]:
    """Yield the options of these forms, parsed."""
    for option in options:
        form, fields = FORMS.parse(option)
        if form in forms:
            yield option, form, fields


# ------------------------------------------------------------------ what things are worth
def worth(state: State, animal: Animal) -> int:
    """Return the value of an animal that survives, in half points."""
    points = 2 + len(animal.traits)
    for fold in animal.kit.points:
        points = fold(points)
    return 2 * points + sum(1 for _ in state.pairs_of(animal))


def token_rank(state: State, animal: Animal) -> tuple[int, ...]:
    """Return a rank for the help of one token to the animal: high if the animal is almost fed or
    valuable."""
    is_hungry = animal.hunger > 0
    pair_count = sum(1 for _ in state.pairs_of(animal))
    help_of_token = 12 * worth(state, animal) // max(1, animal.hunger)
    return (is_hungry, help_of_token + 24 * pair_count, pair_count)


def risk(prey: Animal) -> int:
    """Return how likely the attack is to fail or to cost something; a lower number is better for
    the attacker."""
    return 2 * prey.has("running") + 2 * prey.has("tail_loss") + prey.has("mimicry")


# ------------------------------------------------------------------ feeding
def choose_token(state: State, options: Sequence[str]) -> str | None:
    """Choose a red token for the animal that it helps most."""
    return best_option(
        (token_rank(state, state.creature_named(fields["sp"])), option)
        for option, _, fields in options_of(options, "eats")
    )  # fmt: skip


def choose_prey(state: State, seat: Seat, options: Sequence[str], _: str = "") -> str | None:
    """Choose the attack on another player with the greatest value minus risk, but never on a
    poisonous animal."""
    return best_option(
        ((worth(state, prey) - 4 * risk(prey), -risk(prey)), option)
        for option, _, fields in options_of(options, "attacks")
        for prey in (state.creature_named(fields["who"]),)
        if prey.owner != seat and not prey.has("poisonous")
    )


def choose_robbery(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose Piracy for the least hungry animal that can use it, against another player if
    possible."""
    return best_option(
        ((fields["who"][0] != seat, -state.creature_named(fields["sp"]).hunger), option)
        for option, _, fields in options_of(options, "robs")
    )


def choose_conversion(state: State, options: Sequence[str]) -> str | None:
    """Choose to convert an animal's fat if this feeds the animal completely."""
    return best_option(
        ((int(fields["n"]),), option)
        for option, _, fields in options_of(options, "converts")
        if int(fields["n"]) == state.creature_named(fields["sp"]).hunger
    )


def choose_hibernation(state: State, options: Sequence[str]) -> str | None:
    """Choose Hibernation if the food bank is empty."""
    ways = (option for option, _, _ in options_of(options, "hibernates"))
    return next(ways, None) if not state.bank else None


def only_if_hungry(state: State, option: str | None) -> str | None:
    """Return the option if the animal that takes food is hungry, else None."""
    return option if option and state.creature_named(option.split(" ")[0]).hunger else None


def choose_grazing(state: State, seat: Seat, options: Sequence[str]) -> str | None:
    """Choose to graze if other seats have hungry animals and this seat has none."""
    is_own_hungry = any(animal.hunger for animal in state.rows[seat])
    is_other_hungry = any(animal.hunger for animal in state.animals() if animal.owner != seat)
    ways = (option for option, _, _ in options_of(options, "grazes"))
    return next(ways, None) if is_other_hungry and not is_own_hungry else None


def pass_or_stop(options: Sequence[str]) -> str:
    """Choose to pass, or to end the turn if passing is not an option."""
    return PASS if PASS in options else DONE


def choose_by_need(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the first that is possible: Piracy, prey, a red token for a hungry animal, fat, a
    token to store, Hibernation, Grazing."""
    token = choose_token(state, options)
    return (
        choose_robbery(state, seat, options)
        or choose_prey(state, seat, options)
        or only_if_hungry(state, token)
        or choose_conversion(state, options)
        or token
        or choose_hibernation(state, options)
        or choose_grazing(state, seat, options)
        or pass_or_stop(options)
    )


def choose_tokens_first(state: State, seat: Seat, options: Sequence[str], argument: str) -> str:
    """Choose red tokens for hungry animals before any attack."""
    return only_if_hungry(state, choose_token(state, options)) or choose_by_need(
        state, seat, options, argument
    )


def choose_token_only(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose red tokens for the animal that they help most; choose nothing else."""
    return choose_token(state, options)


def choose_as_if_silent(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the default action of a silent player."""
    text = silent_answer(state, seat)
    return text if text in options else pass_or_stop(options)


def spare_seat(state: State, seat: Seat, options: Sequence[str], spared_seat: str) -> list[str]:
    """Leave out the options that attack or rob an animal of that seat."""
    harmful_options = {
        option
        for option, _, fields in options_of(options, "attacks", "robs")
        if fields["who"][0] == spared_seat
    }
    return [option for option in options if option not in harmful_options]


# ------------------------------------------------------------------ answers to an attack
def choose_defence(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose to run; else to lose a parasite or the newest card; else to redirect to the least
    valuable animal."""
    escape = best_option(((1,), option) for option, _, _ in options_of(options, "runs"))
    parasite = best_option(
        ((1,), o) for o, _, fields in options_of(options, "loses") if fields["t"] == "parasite"
    )  # fmt: skip
    return (
        escape or parasite or choose_loss(state, seat, options, "") or choose_decoy(state, options)
    )


def choose_loss(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose to lose the newest trait card, so that the animal survives."""
    losses = [option for option, _, _ in options_of(options, "loses", "parts")]
    if not losses:
        return None
    newest = newest_loss(state, state.creature_named(losses[0].split(" ")[0]))
    return newest if newest in losses else losses[0]


def choose_decoy(state: State, options: Sequence[str]) -> str:
    """Choose to redirect the attack to a poisonous animal; if there is none, to the least valuable
    one."""
    best_decoy = best_option(
        ((decoy.has("poisonous"), -worth(state, decoy)), option)
        for option, _, fields in options_of(options, "redirects")
        for decoy in (state.creature_named(fields["who"]),)
    )
    return best_decoy or options[0]


def choose_mimicry(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose Mimicry, if it is possible."""
    return choose_decoy(state, options) if any(options_of(options, "redirects")) else None


def choose_bait(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose not to defend, if the animal that is attacked is poisonous."""
    return best_option(
        ((1,), option)
        for option, _, fields in options_of(options, "yields")
        if state.creature_named(fields["sp"]).has("poisonous")
    )


def choose_escape(state: State, seat: Seat, options: Sequence[str], _: str) -> str | None:
    """Choose to run, if it is possible."""
    return best_option(((1,), option) for option, _, _ in options_of(options, "runs"))


# ------------------------------------------------------------------ scraps and pair cards
def choose_scavenger(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the scavenger that the token helps most."""
    helpful_option = best_option(
        (token_rank(state, state.creature_named(fields["sp"])), o)
        for o, _, fields in options_of(options, "scavenges")
    )
    return helpful_option or options[0]


def choose_share(state: State, seat: Seat, options: Sequence[str], _: str) -> str:
    """Choose the pair card that gives the token to the animal that it helps most."""
    helpful_option = best_option(
        (token_rank(state, state.creature_named(fields["who"])), o)
        for o, _, fields in options_of(options, "shares")
    )
    return helpful_option or options[0]


SPARES_SEAT = "attacks or robs animals of {seat} only if the rules demand it"
NEED = "piracy, then the best prey, then red tokens for the animal they help most, then fat"
DEFENCE = "run, else lose a card, else mimicry"
HELPS_MOST = "whom it helps most"
READY_LINES = (
    *(
        ReadyLine(kind, "never attack {seat}", SPARES_SEAT, keeps=spare_seat)
        for kind in ("feed", "also")
    ),
    ReadyLine("feed", "prey first, then whom a token helps most", NEED, choose_by_need, total=True),
    ReadyLine(
        "feed", "tokens first, then prey",
        "red tokens for hungry animals, then the best prey", choose_tokens_first, total=True,
    ),
    ReadyLine("feed", "hunt whatever is allowed", "attacks the best prey of another player",
    choose_prey),
    ReadyLine("feed", "tokens only", "red tokens, nothing else", choose_token_only),
    ReadyLine(
        "feed", "only tokens for the leftmost",
        "a red token for the leftmost animal that can take one", choose_as_if_silent, total=True,
    ),
    ReadyLine(
        "also", "whatever still feeds somebody",
        "piracy, then hibernation for hungry animals, then grazing if it harms others",
        choose_by_need, total=True,
    ),
    ReadyLine(
        "defend", DEFENCE,
        "runs; else loses a parasite or the newest card; else redirects the attack to a poisonous "
        "animal or one of little value",
        choose_defence, total=True,
    ),
    ReadyLine("defend", "run if it can", "runs, if the animal can run", choose_escape),
    ReadyLine("defend", "lose the newest card", "loses the newest trait card", choose_loss),
    ReadyLine("defend", "no defence if poisonous", "does not defend a poisonous animal",
    choose_bait),
    ReadyLine("defend", "mimicry if it can", "redirects the attack to a poisonous animal or "
    "one of little value", choose_mimicry),
    ReadyLine(
        "scavenge", HELPS_MOST, "a hungry scavenger, preferably one that is almost fed or valuable",
        choose_scavenger, total=True,
    ),
    ReadyLine(
        "share", HELPS_MOST,
        "feeds a hungry partner, preferably one that is almost fed or valuable", choose_share,
        total=True,
    ),
)  # fmt: skip
