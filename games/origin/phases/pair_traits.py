"""Pair cards: when one animal gets food, another may get food too (Pairwise Traits; ruling 4).

A pair card works automatically whenever it can, but only once in a feeding turn. The owner chooses
the order, but is asked only if the order changes the result; to find that out, all orders are
tried.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import Decision, Rules, Seat, ask
from games.origin.change_table import add_to_play, receive, take_red
from games.origin.table import Animal, Colour, Pair, State, can_take

MAX_TRIED_CARDS = 7
"""The most unused pair cards for which all orders are tried; with more, the owner is asked (house
rule O9)."""


class Share(NamedTuple):
    """A pair card that may work now: it passes food from an animal that took some to its
    partner."""

    pair: Pair
    giver: str
    is_from_bank: bool
    """Whether the giver took a red token from the food bank."""

    @property
    def key(self) -> tuple[int, str]:
        """A key that identifies this card."""
        return self.pair.serial, self.giver

    @property
    def taker(self) -> str:
        """The animal that gets the token."""
        return self.pair.partner(self.giver)

    @property
    def text(self) -> str:
        """The sentence that chooses this card."""
        return f"{self.pair.name} from {self.giver} to {self.taker}"


def share(state: State, animal: Animal, is_from_bank: bool) -> Rules:
    """Use the pair cards of an animal that took food; then the cards of each animal fed by them.

    ``is_from_bank`` says whether the food was a red token from the food bank. The owner chooses the
    next card if several can work and their order matters.
    """
    if not state.pairs[animal.owner]:
        return
    pending_shares = shares_of(state, animal, is_from_bank)
    while usable_shares := [share for share in pending_shares if colour_passed(state, share)]:
        chosen_share = usable_shares[0]
        if len(usable_shares) > 1 and order_matters(state, animal, pending_shares):
            text = yield from ask(share_decision(animal.owner, usable_shares))
            chosen_share = next(share for share in usable_shares if share.text == text)
        pending_shares = use_card(state, pending_shares, chosen_share)


def shares_of(state: State, giver: Animal, is_from_bank: bool) -> list[Share]:
    """Return the unused pair cards that an animal triggers by taking food, in the order played."""
    return [
        Share(pair, giver.name, is_from_bank)
        for pair in state.pairs_of(giver)
        if not pair.is_used
        and any(passes_on(state, is_from_bank) for passes_on in pair.kit.passes_on)
    ]


def colour_passed(state: State, share: Share) -> Colour | None:
    """Return the colour of the token that the card gives to the partner now; None if it gives
    none."""
    if share.pair.is_used:
        return None
    for passes_on in share.pair.kit.passes_on:
        colour = passes_on(state, share.is_from_bank)
        if colour and can_take(state, state.creature_named(share.taker)):
            return colour
    return None


def use_card(state: State, pending_shares: list[Share], chosen_share: Share) -> list[Share]:
    """Use one card that can work now; return the cards that may work next: those of
    ``pending_shares`` that are left, then those of the animal that has just got food."""
    colour, taker = colour_passed(state, chosen_share), state.creature_named(chosen_share.taker)
    chosen_share.pair.is_used = True
    if colour == "red":
        take_red(state, taker)
    else:
        add_to_play(state, 1)
        receive(taker, "blue")
    known_keys = {share.key for share in pending_shares}
    triggered_shares = shares_of(state, taker, is_from_bank=colour == "red")
    new_shares = [share for share in triggered_shares if share.key not in known_keys]
    return [share for share in pending_shares if not share.pair.is_used] + new_shares


def share_decision(owner: Seat, usable_shares: list[Share]) -> Decision:
    """Return the question of which pair card is used next; by default the first one possible."""
    options = tuple(share.text for share in usable_shares)
    return Decision(
        owner, "share", lambda: options, default=lambda: options[0],
        why=lambda _: "choose one of the pair cards that can work now",
    )  # fmt: skip


# ------------------------------------------------------------------ does the order matter?
def order_matters(state: State, animal: Animal, pending_shares: list[Share]) -> bool:
    """Return whether two different orders of the pair cards give different results.

    With more than MAX_TRIED_CARDS unused cards, return True without trying any order.
    """
    trial = _Trial(state, animal.owner)
    if len(trial.unused_pairs) > MAX_TRIED_CARDS:
        return True
    snapshot = trial.snapshot()
    is_different = trial.has_different_results(pending_shares)
    trial.restore(snapshot)
    return is_different


class _Snapshot(NamedTuple):
    """The tokens of a player's animals and of the food bank, and the pair cards that were used."""

    tokens: list[tuple[int, int, int, int]]
    """For each animal of the row: red, blue and yellow tokens, and all tokens ever taken."""
    bank: int
    tokens_in_play: int
    used_serials: frozenset[int]


class _Trial:
    """Tries all orders in which a player's pair cards can be used, and undoes each step."""

    def __init__(self, state: State, seat: Seat) -> None:
        """Begin with the present state and the seat's pair cards that can still be used."""
        self.state, self.row = state, state.rows[seat]
        self.unused_pairs = [
            pair for pair in state.pairs[seat] if pair.kit.passes_on and not pair.is_used
        ]
        self.results: set[object] = set()
        """The different results so far: tokens, food bank, and the cards that still matter."""
        self.visited_positions: set[object] = set()
        """The positions from which all orders were tried: used cards, tokens, pending cards."""

    def has_different_results(self, pending_shares: list[Share]) -> bool:
        """Return whether the orders tried so far and the remaining orders lead to more than one
        result. If so, tokens and pair cards stay as the last order made them; else they are as
        they were."""
        usable_shares = [share for share in pending_shares if colour_passed(self.state, share)]
        tokens = tuple((x.food, x.fat) for x in self.row), self.state.bank
        if not usable_shares:
            self.results.add((tokens, self.useful_serials()))
            return len(self.results) > 1
        snapshot = self.snapshot()
        share_keys = frozenset(share.key for share in pending_shares)
        position = snapshot.used_serials, tokens, share_keys
        if position in self.visited_positions:
            return False
        self.visited_positions.add(position)
        for share in usable_shares:
            if self.has_different_results(use_card(self.state, pending_shares, share)):
                return True
            self.restore(snapshot)
        return False

    def useful_serials(self) -> frozenset[int]:
        """Return the unused cards, by serial number, that join an animal with room for a token."""
        roomy = {x.name for x in self.row if x.hunger or (x.fat_room > 0 and not x.is_hibernating)}
        return frozenset(
            pair.serial
            for pair in self.unused_pairs
            if not pair.is_used and (pair.first_animal in roomy or pair.second_animal in roomy)
        )

    def snapshot(self) -> _Snapshot:
        """Note the tokens and pair cards as they are."""
        tokens = [(x.red, x.blue, x.fat, x.food_taken) for x in self.row]
        used_serials = frozenset(pair.serial for pair in self.unused_pairs if pair.is_used)
        return _Snapshot(tokens, self.state.bank, self.state.tokens, used_serials)

    def restore(self, snapshot: _Snapshot) -> None:
        """Put tokens and pair cards back as they were."""
        for animal, (red, blue, fat, food_taken) in zip(self.row, snapshot.tokens, strict=True):
            animal.red, animal.blue, animal.fat, animal.food_taken = red, blue, fat, food_taken
        self.state.bank, self.state.tokens = snapshot.bank, snapshot.tokens_in_play
        for pair in self.unused_pairs:
            pair.is_used = pair.serial in snapshot.used_serials
