"""Attacks: which animals may be attacked, how the target can answer, and what happens then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from engine import Answer, Decision, Rules, Seat, ask, die
from games.attack_and_defence import Defence
from games.origin.change_table import bury, lose_pair, lose_trait, take_blue
from games.origin.phases.pair_traits import share
from games.origin.sentences import FORMS, title
from games.origin.table import Animal, Hunt, State, why_not_take

ESCAPES = "456"
"""The results of the die with which an animal with Running escapes."""


# ------------------------------------------------------------------ may it?
def why_not_prey(state: State, hunter: Animal, target: Animal) -> str | None:
    """Say why this carnivore cannot attack that animal, apart from earlier attacks and food."""
    if target is hunter:
        return f"{hunter.name} cannot attack itself"
    for hunts in hunter.kit.hunts:
        if reason := hunts(hunter, target):
            return reason
    for defence in defences(state, target):
        if not any(overcomes(defence.trait) for overcomes in hunter.kit.overcomes):
            return defence.reason
    return None


def defences(state: State, target: Animal) -> Iterator[Defence]:
    """Yield the defences of the target: its own traits and its pair cards."""
    for defends in target.kit.defends:
        if defence := defends(target):
            yield defence
    for pair in state.pairs_of(target):
        for shelters in pair.kit.shelters:
            if defence := shelters(pair, target):
                yield defence


def why_not_hunt(state: State, hunter: Animal) -> str | None:
    """Say why this animal cannot attack anybody now."""
    if not hunter.has("carnivorous"):
        return f"{hunter.name} is not carnivorous"
    if "carnivorous" in hunter.used_traits:
        return f"{hunter.name} has already attacked in this round"
    return why_not_take(state, hunter)


def attack_options(state: State, hunter: Animal) -> Iterator[str]:
    """Yield every attack that the carnivore can make now."""
    if why_not_hunt(state, hunter) is None:
        for target in state.animals(hunter.owner):
            if why_not_prey(state, hunter, target) is None:
                yield f"{hunter.name} attacks {target.name}"


# ------------------------------------------------------------------ the attack
def attack(state: State, hunter: Animal, target: Animal) -> Rules:
    """Carry out a legal attack (Carnivorous Trait; rulings 4.3, 4.4).

    The target's owner answers until the target escapes, gives up a card, does not defend itself or
    can defend itself no longer. After a redirection, the new target can answer.
    """
    hunter.used_traits.append("carnivorous")
    runners: list[str] = []
    while True:
        hunt = Hunt(hunter, target, tuple(runners))
        if next(ways_to_defend(state, hunt), None) is None:
            break
        form, fields = FORMS.parse((yield from ask(answer_decision(state, hunt))))
        if form == "yields":
            break
        if form == "redirects":
            target.used_traits.append("mimicry")
            target = state.creature_named(fields["who"])
        elif form == "runs":
            runners.append(target.name)
            if (yield from roll(target.name))[-1] in ESCAPES:
                return
        else:
            yield from lose(state, hunter, target, form, fields)
            return
    yield from eat(state, hunter, target)


def roll(roller: str) -> Answer:
    """Roll a die; return a sentence that ends with the result."""
    return ask(die([f"{roller} rolls {n}" for n in range(1, 7)]))


def lose(
    state: State, hunter: Animal, target: Animal, form: str, fields: dict[str, str]
) -> Rules:  # fmt: skip
    """Tail Loss: the target gives up a trait card and survives; the carnivore gets 1 blue token.

    ``form`` and ``fields`` are the answer: ``parts`` gives up a pair card, ``spills`` a Fat Tissue
    card with its token, ``loses`` any other.
    """
    if form == "parts":
        pair = next(
            p
            for p in state.pairs_of(target)
            if p.name == fields["t"] and p.partner(target.name) == fields["who"]
        )
        lose_pair(state, target.owner, pair)
    else:
        lose_trait(state, target, fields["t"], is_filled=form == "spills")
    yield from feast(state, hunter, 1)


def eat(state: State, hunter: Animal, target: Animal) -> Rules:
    """Kill the target: the carnivore gets 2 blue tokens, its pair cards work, a Scavenger eats."""
    for react in target.kit.eaten:
        react(hunter)
    bury(state, target)
    yield from feast(state, hunter, 2)
    yield from scavenging(state, hunter)


def feast(state: State, animal: Animal, tokens: int) -> Rules:
    """Give the animal as many blue tokens as fit; then its pair cards work."""
    if take_blue(state, animal, tokens):
        yield from share(state, animal, is_from_bank=False)


# ------------------------------------------------------------------ answers
def ways_to_defend(state: State, hunt: Hunt) -> Iterator[str]:
    """Yield the ways in which the target can defend itself now: Running, Mimicry, Tail Loss."""
    for answer in hunt.target.kit.answers:
        yield from answer(state, hunt)


def answers(state: State, hunt: Hunt) -> Iterator[str]:
    """Yield the ways in which the target can defend itself, and at last that it does not: the
    three traits *can* be used (Traits)."""
    yield from ways_to_defend(state, hunt)
    yield f"{hunt.target.name} does not defend"


def answer_decision(state: State, hunt: Hunt) -> Decision:
    """Return the question to the target's owner: which answer they choose.

    If all play their cards at the same time, the owner is not asked about a single defence: it is
    used, unless their orders say otherwise (house rule O18).
    """
    is_single = len([*islice(ways_to_defend(state, hunt), 2)]) == 1  # no need to find them all
    return Decision(
        hunt.target.owner, "defend", answers, (state, hunt),
        default=partial(least_harm, state, hunt), why=partial(why_not_answer, state, hunt),
        unasked=state.book.is_simultaneous and is_single,
    )  # fmt: skip


def least_harm(state: State, hunt: Hunt) -> str:
    """Return the answer of a silent owner: run, else lose the newest trait card, else redirect to
    the leftmost animal."""
    options = list(ways_to_defend(state, hunt))
    target = hunt.target
    if f"{target.name} runs" in options:
        return f"{target.name} runs"
    newest = newest_loss(state, target)
    return newest if newest in options else options[0]  # they begin with the leftmost animal


def newest_loss(state: State, target: Animal) -> str:
    """Return the answer that gives up the newest trait card of this animal."""
    cards = [(t.serial, f"{target.name} loses {t.name}") for t in target.traits]
    for pair in state.pairs_of(target):
        text = f"{target.name} loses {pair.name} with {pair.partner(target.name)}"
        cards.append((pair.serial, text))
    return max(cards)[1]


def possible_losses(state: State, target: Animal) -> Iterator[str]:
    """Yield every trait card or pair card that Tail Loss can give up; equal fat cards are listed
    once."""
    for trait in dict.fromkeys(trait.name for trait in target.traits):
        yield f"{target.name} loses {trait}"
    if target.fat and target.fat_room:
        yield f"{target.name} loses filled fat_tissue"
    for pair in state.pairs_of(target):
        yield f"{target.name} loses {pair.name} with {pair.partner(target.name)}"


def decoys(state: State, hunt: Hunt) -> Iterator[str]:
    """Yield the animals to which Mimicry may redirect this attack (rulings 4, 4.11)."""
    target = hunt.target
    if "mimicry" not in target.used_traits:
        for decoy in state.rows[target.owner]:
            if decoy is not target and why_not_prey(state, hunt.hunter, decoy) is None:
                yield f"{target.name} redirects to {decoy.name}"


def why_not_answer(state: State, hunt: Hunt, text: str) -> str | None:
    """Say why a sentence is not allowed as an answer to this attack; None if no reason is known.
    Raises Unreadable if it is not a sentence of the game."""
    form, fields = FORMS.parse(text)
    target, hunter = hunt.target, hunt.hunter
    if form not in ("runs", "redirects", "loses", "spills", "parts", "yields"):
        return (
            f"{hunter.name} attacks {target.name}: say how {target.name} defends itself, "
            f'or say "{target.name} does not defend"'
        )
    if fields["sp"] != target.name:
        return f"{target.name} is attacked, not {fields['sp']}"
    trait = {"runs": "running", "redirects": "mimicry"}.get(form, "tail_loss")
    if not target.has(trait):
        return f"{target.name} has no {title(trait)}"
    if form == "runs":
        return f"{target.name} has already tried to run away"
    if form == "redirects":
        return _why_no_decoy(state, hunt, fields["who"])
    return f"{target.name} cannot lose this card"


def _why_no_decoy(state: State, hunt: Hunt, name: str) -> str | None:
    """Say why mimicry cannot redirect this hunt to the animal with this name; None if it can."""
    target, decoy = hunt.target, state.find(name)
    if "mimicry" in target.used_traits:
        return f"{target.name} has already used mimicry in this round"
    if decoy is None:
        return state.why_not_on_table(name)
    if decoy.owner != target.owner or decoy is target:
        return "mimicry can redirect the attack only to another animal of yours"
    return why_not_prey(state, hunt.hunter, decoy)


# ------------------------------------------------------------------ scavengers
def scavenging(state: State, hunter: Animal) -> Rules:
    """Give 1 blue token to one Scavenger, after a kill.

    The first player clockwise from the attacker with a Scavenger that can take the token chooses
    which of their animals gets it.
    """
    for seat in state.order(hunter.owner):
        scavengers = tuple(
            animal
            for animal in state.rows[seat]
            if any(scavenges(state, animal) for scavenges in animal.kit.scavenges)
        )
        if scavengers:
            text = yield from ask(scraps_decision(seat, scavengers))
            yield from feast(state, state.creature_named(FORMS.parse(text)[1]["sp"]), 1)
            return


def scraps_decision(seat: Seat, scavengers: tuple[Animal, ...]) -> Decision:
    """Return the question of which Scavenger eats; by default the leftmost unfed animal; if all are
    fed, the leftmost."""
    hungriest = min(scavengers, key=lambda animal: animal.is_fed)
    return Decision(
        seat, "scavenge", lambda: [f"{animal.name} scavenges" for animal in scavengers],
        default=lambda: f"{hungriest.name} scavenges",
        why=lambda _: "choose one of your scavengers that can take food",
    )  # fmt: skip
