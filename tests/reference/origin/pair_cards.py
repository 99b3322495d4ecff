"""Communication and Cooperation in the second implementation (rulebook, Pairwise Traits)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.reference.origin.model import Animal, Model, Pair

MOST = 7
"""With more idle pair cards than this, the owner is asked without trying (O9)."""


class Due(NamedTuple):
    """A pair card that passes food on from an animal that took some."""

    pair: Pair
    giver: str

    @property
    def taker(self) -> str:
        return self.pair.partner(self.giver)

    @property
    def text(self) -> str:
        return f"{self.pair.name} from {self.giver} to {self.taker}"


def share(model: Model, giver: Animal, from_bank: bool) -> None:
    """Use the pair cards of an animal that took a token, then those of the animals they feed.

    The owner chooses the order, but is asked only if it changes something (ruling 4, O9). By
    default the animals come in the order they got food, and the cards of each as they were played.
    """
    due = triggered(model, giver, from_bank)
    while can := [one for one in due if can_work(model, one)]:
        chosen = can[0]
        if len(can) > 1 and order_matters(model, giver.owner, due):
            texts = [one.text for one in can]
            said = model.players.ask("share", giver.owner, set(texts), texts[0])
            chosen = can[texts.index(said)]
        due = use(model, due, chosen)


def triggered(model: Model, giver: Animal, from_bank: bool) -> list[Due]:
    """Return what a token triggers: Cooperation always, Communication if it is a red one from the
    bank (O2).
    """
    kinds = {"cooperation", "communication"} if from_bank else {"cooperation"}
    pairs = model.pairs_of(giver)
    return [Due(pair, giver.name) for pair in pairs if pair.name in kinds and not pair.worked]


def can_work(model: Model, due: Due) -> bool:
    """Whether the card can work now: once in a feeding turn; Communication needs the bank."""
    enough = due.pair.name == "cooperation" or model.bank > 0
    return enough and not due.pair.worked and model.can_take(model.find(due.taker))


def use(model: Model, due: list[Due], chosen: Due) -> list[Due]:
    """Use one card; return what is due then."""
    chosen.pair.worked = True
    taker, red = model.find(chosen.taker), chosen.pair.name == "communication"
    model.bank -= 1 if red else 0
    model.put(taker, "red" if red else "blue")
    new = [one for one in triggered(model, taker, red) if one not in due]
    return [one for one in due if not one.pair.worked] + new


# ------------------------------------------------------------------ does the order matter? (O9)
def order_matters(model: Model, seat: str, due: list[Due]) -> bool:
    if len(idle(model, seat)) > MOST:
        return True
    ends = set[object]()
    collect_ends(model, seat, due, ends, set())
    return len(ends) > 1


def idle(model: Model, seat: str) -> list[Pair]:
    return [pair for pair in model.pairs[seat] if pair.name != "symbiosis" and not pair.worked]


def collect_ends(
    model: Model, seat: str, due: list[Due], ends: set[object], tried: set[object]
) -> None:
    """Try all orders; note in which tokens and useful idle cards each of them ends."""
    tokens = model.bank, *((x.food, x.fat) for x in model.rows[seat])
    can = [one for one in due if can_work(model, one)]
    if not can:
        ends.add((tokens, useful(model, seat)))
    moment = tokens, tuple((one.pair.played, one.giver) for one in due), len(idle(model, seat))
    if moment in tried:
        return
    tried.add(moment)
    for one in can:
        with undone(model, seat):
            collect_ends(model, seat, use(model, due, one), ends, tried)


def useful(model: Model, seat: str) -> frozenset[int]:
    """Return the idle cards that may still feed one of their animals in this turn."""
    open_ = {x.name for x in model.rows[seat] if not x.hibernating and (not x.fed or x.empty_fat)}
    return frozenset(pair.played for pair in idle(model, seat) if open_ & {pair.one, pair.two})


@contextmanager
def undone(model: Model, seat: str) -> Iterator[None]:
    """Put tokens and cards back afterwards."""
    bank, pairs = model.bank, [(pair, pair.worked) for pair in model.pairs[seat]]
    tokens = [(x, x.red, x.blue, x.fat) for x in model.rows[seat]]
    yield
    model.bank = bank
    for pair, worked in pairs:
        pair.worked = worked
    for animal, red, blue, fat in tokens:
        animal.red, animal.blue, animal.fat = red, blue, fat
