"""Before the reveal: the traits with the leaf icon, in an order that their player chooses.

Nobody is asked unless the order can change the result (ruling 1.2). That is public knowledge, and
it is found by playing the orders through: what one leaf trait does can only touch its species and,
by Cooperation, those to the right, so only such groups are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine import DONE, Decision, Rules, Seat, ask_all
from games.evolution.table import Species, State

Leaf = tuple[str, Species]
"""A trait with the leaf icon, and the species that bears it."""
Row = tuple[tuple[int, int, int], ...]
MOST_PLAYED = 8
"""Of a group with more leaf traits than this, the order is asked without playing all orders."""


def leaf_step(state: State, leaves: Sequence[str]) -> Rules:
    """First Player, then clockwise: each player's leaf traits, all of them used."""
    asked = [seat for seat in state.order() if order_matters(state, seat, leaves)]
    wave = [
        Decision(
            seat, "leaf", leaf_options, (state, seat, tuple(leaves)), script=True, default=_done
        )
        for seat in asked
    ]
    chosen = dict(zip(asked, (yield from ask_all(wave)), strict=True))
    for seat in state.order():
        use_leaves(state, seat, leaves, chosen.get(seat, DONE))


def _done() -> str:
    return DONE


def leaf_options(
    state: State, seat: Seat, leaves: Sequence[str], steps: Sequence[str]
) -> Iterable[str]:
    """What may come next; after ``done`` the rest follows in the default order."""
    yield DONE
    for leaf in leaves_of(state, seat, leaves):
        if say(leaf) not in steps:
            yield say(leaf)


def use_leaves(state: State, seat: Seat, leaves: Sequence[str], order: str) -> None:
    """Use the player's leaf traits: first those named, then the rest."""
    first = order.split("; ")[:-1]
    due = list(leaves_of(state, seat, leaves))
    due.sort(key=lambda leaf: first.index(say(leaf)) if say(leaf) in first else len(first))
    for leaf in due:
        use(state, leaf)


def leaves_of(state: State, seat: Seat, leaves: Sequence[str]) -> Iterator[Leaf]:
    """The player's leaf traits in the default order: kind by kind, each left to right."""
    for trait in leaves:
        for species in state.rows[seat]:
            if species.has(trait):
                yield trait, species


def say(leaf: Leaf) -> str:
    """The leaf trait as a sentence."""
    return f"{leaf[0]} of {leaf[1].name}"


def use(state: State, leaf: Leaf) -> None:
    """Let one leaf trait act."""
    trait, species = leaf
    for react in state.book.kits((trait,)).leaf:
        react(state, species)


# ------------------------------------------------------------------ does the order matter?
def order_matters(state: State, seat: Seat, leaves: Sequence[str]) -> bool:
    """Whether two orders of this player's leaf traits end differently."""
    due = list(leaves_of(state, seat, leaves))
    if len(due) < 2:
        return False
    for group in groups(state.rows[seat]):
        mine = [leaf for leaf in due if leaf[1] in group]
        if len(mine) > 1 and _differ(state, group, mine):
            return True
    return False


def groups(row: Sequence[Species]) -> Iterator[list[Species]]:
    """The row cut where no food can pass from a species to the next."""
    group: list[Species] = []
    for species in row:
        group.append(species)
        if not species.kit.took:
            yield group
            group = []
    if group:
        yield group


def _differ(state: State, group: list[Species], due: list[Leaf]) -> bool:
    if len(due) > MOST_PLAYED:
        return True
    before, bank = _numbers(group), state.bank
    ends: set[Row] = set()
    seen: set[tuple[frozenset[str], Row]] = set()

    def search(rest: list[Leaf]) -> bool:
        now, spent = _numbers(group), state.bank
        place = (frozenset(map(say, rest)), now)
        if place in seen:
            return False
        seen.add(place)
        if not rest:
            ends.add(now)
        for leaf in rest:
            use(state, leaf)
            if search([other for other in rest if other is not leaf]) or len(ends) > 1:
                return True
            _restore(group, now)
            state.bank = spent
        return len(ends) > 1

    differ = search(due)
    _restore(group, before)
    state.bank = bank
    return differ


def _numbers(group: list[Species]) -> Row:
    return tuple((x.population, x.food, x.fat) for x in group)


def _restore(group: list[Species], numbers: Row) -> None:
    for species, (population, food, fat) in zip(group, numbers, strict=True):
        species.population, species.food, species.fat = population, food, fat
