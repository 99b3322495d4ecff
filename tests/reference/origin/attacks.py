"""Attacks in the second implementation of Origin (rulebook, Carnivorous Trait; ruling 4)."""

from __future__ import annotations

from tests.reference.origin.model import Animal, Model, Pair
from tests.reference.origin.pair_cards import share


# ------------------------------------------------------------------ may it attack?
def may_hunt(model: Model, hunter: Animal) -> bool:
    """Whether it may attack: once in a game turn, and only if it can take food."""
    ready = hunter.has("carnivorous") and "carnivorous" not in hunter.used
    return ready and model.can_take(hunter)


def is_prey(model: Model, hunter: Animal, target: Animal) -> bool:
    """Whether the traits of the two allow the attack; own animals may be attacked (4.11)."""
    if target is hunter or target.has("swimming") != hunter.has("swimming"):
        return False
    if target.has("camouflage") and not hunter.has("sharp_vision"):
        return False
    if target.has("high_body_weight") and not hunter.has("high_body_weight"):
        return False
    if target.has("burrowing") and target.fed:
        return False
    return not model.symbionts(target)


# ------------------------------------------------------------------ how can the target answer?
def defence_options(model: Model, hunter: Animal, target: Animal, ran: set[str]) -> set[str]:
    """Return the ways in which the target can defend itself (rulebook, Traits)."""
    found = set[str]()
    if target.has("running") and target.name not in ran:
        found.add(f"{target.name} runs")
    if target.has("mimicry") and "mimicry" not in target.used:
        found |= {f"{target.name} redirects to {x.name}" for x in decoys(model, hunter, target)}
    if target.has("tail_loss"):
        found |= {f"{target.name} loses {trait.name}" for trait in target.traits}
        found |= {loss_of(pair, target) for pair in model.pairs_of(target)}
        if target.fat and target.empty_fat:
            found.add(f"{target.name} loses filled fat_tissue")
    return found


def decoys(model: Model, hunter: Animal, target: Animal) -> list[Animal]:
    """Return the animals to which Mimicry may redirect the attack."""
    row = model.rows[target.owner]
    return [x for x in row if x is not target and is_prey(model, hunter, x)]


def loss_of(pair: Pair, target: Animal) -> str:
    return f"{target.name} loses {pair.name} with {pair.partner(target.name)}"


def least_harm(model: Model, hunter: Animal, target: Animal, options: set[str]) -> str:
    """Silence: Running, then Tail Loss of the newest card, then Mimicry to the left (4.3)."""
    if f"{target.name} runs" in options:
        return f"{target.name} runs"
    if target.has("tail_loss"):
        cards = [(trait.played, f"{target.name} loses {trait.name}") for trait in target.traits]
        cards += [(pair.played, loss_of(pair, target)) for pair in model.pairs_of(target)]
        return max(cards)[1]
    return f"{target.name} redirects to {decoys(model, hunter, target)[0].name}"


# ------------------------------------------------------------------ what happens?
def play_origin_attack(model: Model, hunter: Animal, target: Animal) -> None:
    """Play an attack: the answers of the target, one after the other, or else its death."""
    hunter.used.add("carnivorous")
    ran = set[str]()
    while options := defence_options(model, hunter, target, ran):
        silence = least_harm(model, hunter, target, options)
        yields = f"{target.name} does not defend"
        unasked = model.together and len(options) == 1  # O18
        text = model.players.ask("defend", target.owner, options | {yields}, silence, unasked)
        if text == yields:
            break
        words = text.split()
        if words[1] == "runs":
            ran.add(target.name)
            if model.players.roll() >= 4:
                return
        elif words[1] == "redirects":
            target.used.add("mimicry")
            target = model.find(words[-1])
        else:
            lose_tail(model, target, words[2:])
            feast(model, hunter, 1)
            return
    kill(model, hunter, target)


def lose_tail(model: Model, target: Animal, words: list[str]) -> None:
    """Discard the card that the owner named: ``mimicry``, or ``symbiosis with a2``."""
    if "with" in words:
        named = f"{target.name} loses {' '.join(words)}"
        model.lose_pair(next(p for p in model.pairs_of(target) if loss_of(p, target) == named))
        return
    cards = [trait for trait in target.traits if trait.name == words[-1]]
    filled = words[-1] == "fat_tissue" and (words[0] == "filled" or not target.empty_fat)
    gone = cards[0] if filled else cards[-1]  # O5: yellow tokens are on the oldest fat cards
    target.traits = [trait for trait in target.traits if trait is not gone]
    model.discard(target.owner, gone.card)
    target.fat -= 1 if filled else 0  # ruling 4.5: a fat card takes its token along
    if gone.name == "hibernation_ability":
        target.slept = 0  # O16: a new card does not rest
    drop_surplus(target)


def drop_surplus(animal: Animal) -> None:
    """Food above the new need becomes fat, or else is lost (ruling 4.5); a red token first."""
    while animal.food > animal.need:
        if animal.red:
            animal.red -= 1
        else:
            animal.blue -= 1
        animal.fat += 1 if animal.empty_fat else 0


def kill(model: Model, hunter: Animal, target: Animal) -> None:
    """The carnivore eats, then its pair cards work, then a Scavenger eats (ruling 4.4)."""
    hunter.poisoned = hunter.poisoned or target.has("poisonous")
    model.bury(target)
    feast(model, hunter, 2)
    for seat in model.order(hunter.owner):
        can = [x for x in model.rows[seat] if x.has("scavenger") and model.can_take(x)]
        if can:
            hungriest = next((x for x in can if not x.fed), can[0])
            options = {f"{x.name} scavenges" for x in can}
            text = model.players.ask("scavenge", seat, options, f"{hungriest.name} scavenges")
            feast(model, model.find(text.split()[0]), 1)
            return


def feast(model: Model, animal: Animal, tokens: int) -> None:
    """Give blue tokens, as many as fit; then the animal's pair cards work."""
    got = False
    for _ in range(tokens):
        if model.can_take(animal):
            model.put(animal, "blue")
            got = True
    if got:
        share(model, animal, from_bank=False)
