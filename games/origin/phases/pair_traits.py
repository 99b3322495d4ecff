"""Pair cards: when one animal gets food, another may get food too (Pairwise Traits; ruling 4).

A pair card works automatically whenever it can, but only once in a feeding turn. The owner chooses
the order, but is asked only if the order changes the result; to find that out, all orders are
tried.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Decision, Rules, ask
from games.origin.table import Animal, Colour, Pair, State, can_take
from games.origin.table_changes import enter, receive, take_red

MOST_CARDS = 7
"""The most unused pair cards for which all orders are tried; with more, the owner is asked (house
rule O9)."""


class Share(NamedTuple):
    """A pair card that may work now: it passes food from an animal that took some to its
    partner."""

    pair: Pair
    giver: str
    bank: bool
    """Whether the giver took a red token from the food bank."""

    @property
    def key(self) -> tuple[int, str]:
        """A key that identifies this card."""
        return self.pair.serial, self.giver

    @property
    def taker(self) -> str:
        """The animal that gets the token."""
        return self.pair.other(self.giver)

    @property
    def text(self) -> str:
        """The sentence that chooses this card."""
        return f"{self.pair.name} from {self.giver} to {self.taker}"


def share(state: State, animal: Animal, bank: bool) -> Rules:
    """Use the pair cards of an animal that took food, then those of the animals that they feed."""
    if not state.pairs[animal.owner]:
        return
    due = shares_of(state, animal, bank)
    while can := [one for one in due if passes(state, one)]:
        chosen = can[0]
        if len(can) > 1 and order_matters(state, animal, due):
            text = yield from ask(share_decision(animal.owner, can))
            chosen = next(one for one in can if one.text == text)
        due = after(state, due, chosen)


def shares_of(state: State, giver: Animal, bank: bool) -> list[Share]:
    """Return the unused pair cards that an animal triggers by taking food, in the order played."""
    return [
        Share(pair, giver.name, bank)
        for pair in state.pairs_of(giver)
        if not pair.worked and any(passes_on(state, bank) for passes_on in pair.kit.passes_on)
    ]


def passes(state: State, share: Share) -> Colour | None:
    """Return the colour of the token that the card gives to the partner now; None if it gives
    none."""
    if share.pair.worked:
        return None
    for passes_on in share.pair.kit.passes_on:
        colour = passes_on(state, share.bank)
        if colour and can_take(state, state.creature_named(share.taker)):
            return colour
    return None


def after(state: State, due: list[Share], chosen: Share) -> list[Share]:
    """Use one card; return the cards that can be used next, in the order in which their animals got
    food."""
    colour, taker = passes(state, chosen), state.creature_named(chosen.taker)
    chosen.pair.worked = True
    if colour == "red":
        take_red(state, taker)
    else:
        enter(state, 1)
        receive(taker, "blue")
    known = {one.key for one in due}
    new = [one for one in shares_of(state, taker, colour == "red") if one.key not in known]
    return [one for one in due if not one.pair.worked] + new


def share_decision(owner: str, can: list[Share]) -> Decision:
    """Return the question of which pair card is used next; by default the first one possible."""
    options = tuple(one.text for one in can)
    return Decision(
        owner, "share", lambda: options, default=lambda: options[0],
        why=lambda _: "choose one of the pair cards that can work now",
    )  # fmt: skip


# ------------------------------------------------------------------ does the order matter?
def order_matters(state: State, animal: Animal, due: list[Share]) -> bool:
    """Return whether two different orders of the pair cards give different results."""
    row, pairs = state.rows[animal.owner], state.pairs[animal.owner]
    idle = [pair for pair in pairs if pair.kit.passes_on and not pair.worked]
    if len(idle) > MOST_CARDS:
        return True
    kept = _tokens(row), state.bank, state.tokens
    try_out = _Orders(state, row, idle)
    differ = try_out.differ(due)
    try_out.restore(*kept, frozenset())
    return differ


Tokens = tuple[tuple[int, int, int, int], ...]


def _tokens(row: list[Animal]) -> Tokens:
    return tuple((x.red, x.blue, x.fat, x.eaten) for x in row)


class _Orders:
    """Tries all orders in which pair cards can be used, and undoes each step afterwards."""

    def __init__(self, state: State, row: list[Animal], idle: list[Pair]) -> None:
        self.state, self.row, self.idle = state, row, idle
        self.ends: set[object] = set()
        self.seen: set[object] = set()

    def differ(self, due: list[Share]) -> bool:
        """Return whether the remaining orders lead to more than one result."""
        can = [one for one in due if passes(self.state, one)]
        worked = frozenset(p.serial for p in self.idle if p.worked)
        tokens = tuple((x.food, x.fat) for x in self.row), self.state.bank
        if not can:
            self.ends.add((tokens, self.useful()))
            return len(self.ends) > 1
        moment = (worked, tokens, frozenset(one.key for one in due))
        if moment in self.seen:
            return False
        self.seen.add(moment)
        kept = _tokens(self.row), self.state.bank, self.state.tokens
        for one in can:
            if self.differ(after(self.state, due, one)):
                return True
            self.restore(*kept, worked)
        return False

    def useful(self) -> frozenset[int]:
        """Return the cards that are unused and may still feed an animal in this feeding turn."""
        rooms = {x.name for x in self.row if x.hunger or (x.fat_room > 0 and not x.hibernating)}
        return frozenset(
            p.serial for p in self.idle if not p.worked and (p.one in rooms or p.two in rooms)
        )

    def restore(self, tokens: Tokens, bank: int, played: int, worked: frozenset[int]) -> None:
        """Undo a step: put tokens and pair cards back as they were."""
        for animal, (red, blue, fat, eaten) in zip(self.row, tokens, strict=True):
            animal.red, animal.blue, animal.fat, animal.eaten = red, blue, fat, eaten
        self.state.bank, self.state.tokens = bank, played
        for pair in self.idle:
            pair.worked = pair.serial in worked
